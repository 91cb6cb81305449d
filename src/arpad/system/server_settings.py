"""Every setting of a server: its environment variable, what it is without one, and where its value comes from.

A variable comes first; then, for a secret, the file that ``NAME_FILE`` names; then the TOML file that the variable
``ARPAD_SETTINGS`` names, with the names in small letters and without ``ARPAD_``.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from arpad.model.errors import BadInput

FILE = "ARPAD_SETTINGS"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a server."""

    name: str
    """Without ``ARPAD_``, in small letters."""

    default: str = ""
    secret: bool = False
    """Whether it is never shown, and may be in a file of its own."""

    @property
    def variable(self) -> str:
        """Return the environment variable."""
        return f"ARPAD_{self.name.upper()}"


SETTINGS = (
    Setting("db", secret=True), Setting("author"), Setting("lang"), Setting("prefix"), Setting("log", "text"),
    Setting("backups"), Setting("backups_keep", "7,5,12"), Setting("rehearse"), Setting("open_data"),
    Setting("metrics_token", secret=True), Setting("mail_password", secret=True), Setting("key", secret=True),
    Setting("signing_key", secret=True),
    Setting("visitor_games", "25000"), Setting("visitor_seconds", "20"), Setting("visitor_memory", "768"),
    Setting("visitor_answer", "16"), Setting("signed_in_games", "100000"), Setting("signed_in_seconds", "120"),
    Setting("signed_in_memory", "2048"), Setting("signed_in_answer", "32"), Setting("file_seconds", "300"),
    Setting("file_memory", "4096"), Setting("file_answer", "1024"), Setting("reports_at_once", "2"),
    Setting("files_at_once", "1"), Setting("costly_a_minute", "60"),
)  # fmt: skip

INTERNAL = ("parent", "etag_key", "complete", "trace", "settings", "file_games")
"""Variables that are not settings: passed from a process of Arpad to another, or for finding a fault."""


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a setting."""

    setting: Setting
    text: str
    source: str
    """A variable, the path of a file, or empty for the default."""


_from_file: dict[str, str] = {}
"""Variables that were set from the settings file of this process."""


def read_settings_file() -> None:
    """Put the settings of the file that ``ARPAD_SETTINGS`` names into the environment, where it lacks them."""
    path = os.environ.get(FILE, "")
    if not path:
        return
    import tomllib

    try:
        with open(path, "rb") as file:  # noqa: PTH123  pathlib would be loaded for every command
            values = tomllib.load(file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error).split("\n", 1)[0]
        raise BadInput("settings-file", path=path, why=reason) from None
    accepted = [setting.name for setting in SETTINGS if not setting.secret]
    accepted += [f"{setting.name}_file" for setting in SETTINGS if setting.secret]
    for name, value in values.items():
        if name not in accepted or isinstance(value, dict | list):
            raise BadInput("settings-file-name", path=path, name=name, accepted=", ".join(accepted))
        variable = f"ARPAD_{name.upper()}"
        if not os.environ.get(variable) and not os.environ.get(variable.removesuffix("_FILE")):
            os.environ[variable] = _from_file[variable] = str(value)


def all_values() -> list[Value]:
    """Return every setting with its value and where that comes from; of a secret only whether there is one."""
    return [_value(setting) for setting in SETTINGS]


def _value(setting: Setting) -> Value:
    variable, in_file = setting.variable, f"{setting.variable}_FILE"
    for name in (variable, in_file) if setting.secret else (variable,):
        if text := os.environ.get(name, ""):
            source = os.environ[FILE] if _from_file.get(name) == text else name
            shown = "…" if setting.secret and name == variable else text
            return Value(setting, shown, source)
    return Value(setting, setting.default, "")


def secret(name: str) -> str:
    """Return the secret of a variable, or of the file in ``NAME_FILE``; empty if neither is set."""
    if value := os.environ.get(name, ""):
        return value
    path = os.environ.get(f"{name}_FILE", "")
    if not path:
        return ""
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput("secret-unreadable", variable=f"{name}_FILE", path=path, reason=reason) from error
