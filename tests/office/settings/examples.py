"""Values with which the acts of settings work in the office of the demo."""

from arpad.model.declared import Upload
from arpad.office.features import FEATURES, features_that_need
from arpad.office.office import Office
from arpad.office.settings.acts import set_logo, switch_off

LOGO = Upload("logo.png", b"\x89PNG\r\n\x1a\n" + bytes(60))

SWITCHED = [name for name, it in FEATURES.items() if it.optional and not features_that_need(name)][-1]
"""A feature that no other needs."""

GIVEN = {
    "settings change": {"set": {"contact": "office@example.org"}},
    "settings logo": {"file": LOGO},
    "feature off": {"feature": SWITCHED, "reason": "nobody uses it"},
    "feature on": {"feature": SWITCHED, "reason": "a club asks for it"},
}


def _with_logo(office: Office) -> None:
    set_logo(office, LOGO)


def _without_feature(office: Office) -> None:
    switch_off(office, SWITCHED, reason="nobody uses it")


BEFORE = {"settings remove-logo": _with_logo, "feature on": _without_feature}
