"""How long each kind of data is kept: one declaration, which the privacy page shows and the code that deletes reads."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Retention:
    """A kind of data, and after how long it is deleted; without an amount its own words say how long it is kept."""

    name: str
    amount: int = 0
    unit: str = ""
    """``minutes``, ``hours`` or ``days``."""

    can_be_set: bool = False
    """Whether an office sets the days itself, by the setting ``keep_…``."""

    @property
    def setting(self) -> str:
        """Return the name of the setting with which an office changes the days."""
        return f"keep_{self.name}"


KEPT = (
    Retention("register"),
    Retention("reports"),
    Retention("lists"),
    Retention("ledger"),
    Retention("invoices"),
    Retention("accounts"),
    Retention("tokens", 365, "days"),
    Retention("sessions", 12, "hours"),
    Retention("places", 180, "days", can_be_set=True),
    Retention("failures", 15, "minutes"),
    Retention("password_links", 7, "days"),
    Retention("counters", 1, "days"),
    Retention("jobs", 30, "days", can_be_set=True),
    Retention("webhook_log", 60, "days", can_be_set=True),
    Retention("follows"),
    Retention("unconfirmed_follows", 3, "days"),
    Retention("follow_requests", 1, "days"),
    Retention("running_tournaments", 30, "days"),
    Retention("checked_reports"),
    Retention("backups"),
    Retention("logs"),
)
"""Every kind of data, in the order of the privacy page."""

SETTINGS = tuple(item.setting for item in KEPT if item.can_be_set)
MOST_DAYS = 3650
_BY_NAME = {item.name: item for item in KEPT}


def amount_of(name: str) -> int:
    """Return how many minutes, hours or days a kind of data is kept, unless an office sets another number."""
    return _BY_NAME[name].amount


def default_days(setting: str) -> int:
    """Return the days of a setting ``keep_…`` that was never set."""
    return amount_of(setting.removeprefix("keep_"))


def kept_for(name: str) -> timedelta:
    """Return how long a kind of data is kept that no office can set."""
    item = _BY_NAME[name]
    return timedelta(**{item.unit: item.amount})
