"""Switch features of an office off and on: what an office does not use is not in its way."""

from dataclasses import dataclass
from typing import Annotated

from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.typed_values import check_among
from arpad.office.declared import Reading, Reason, act, query
from arpad.office.features import FEATURES, features_needed_by, features_that_need
from arpad.office.office import ActContext
from arpad.office.switches import SETTING, features_off
from arpad.office.users import ADMINISTRATOR
from arpad.store.settings import add_setting_changes

FeatureName = Annotated[str, Accepts("fees", longest=40, word="feature", personal=False)]
WithOthers = Annotated[bool, Accepts(word="feature-with-others")]


@dataclass(frozen=True, slots=True)
class FeatureSwitch:
    """A feature that an office can do without."""

    feature: str
    describes: str
    on: bool
    needs: str
    """The features without which it does nothing, separated by blanks."""


@dataclass(frozen=True, slots=True)
class FeatureSwitches:
    """Every feature that an office can do without."""

    features: tuple[FeatureSwitch, ...]


@dataclass(frozen=True, slots=True)
class Switched:
    """The features that were switched."""

    feature: str
    switched: tuple[str, ...]
    names: str


@query("feature list", ADMINISTRATOR, columns=("feature", "describes", "on", "needs"), path="/features")
def feature_switches(reading: Reading) -> FeatureSwitches:
    """List the features that the office can do without, and whether each is on."""
    off, words = features_off(reading.connection), reading.words
    return FeatureSwitches(
        tuple(
            FeatureSwitch(
                name, words.text(f"feature.{name}"), name not in off, " ".join(features_needed_by(name))
            )
            for name, feature in FEATURES.items()
            if feature.optional
        )
    )


@act(
    "feature off",
    ADMINISTRATOR,
    says="settings.features-off",
    page="/admin?form=features#features",
    verb="switch-features-off",
)
def switch_off(
    act: ActContext,
    feature: FeatureName,
    *,
    with_others: WithOthers = False,
    reason: Reason,  # noqa: ARG001  the ledger takes it
) -> Switched:
    """Switch a feature off: its commands, pages, forms, routes and jobs are not there any more.

    Its data stays, and `verify` covers it. A feature that others need goes off with them, if that is asked for.
    """
    off = features_off(act.connection)
    needing = tuple(name for name in features_that_need(_known(feature)) if name not in off)
    if needing and not with_others:
        raise BadInput("feature-needed", option="feature", feature=feature, others=", ".join(needing))
    return _switched(act, feature, off, off | {feature, *needing})


@act(
    "feature on",
    ADMINISTRATOR,
    says="settings.features-on",
    page="/admin?form=features#features",
    verb="switch-features-on",
)
def switch_on(act: ActContext, feature: FeatureName, *, reason: Reason) -> Switched:  # noqa: ARG001  the ledger takes it
    """Switch a feature on again, with those that it needs."""
    off = features_off(act.connection)
    return _switched(act, feature, off, off - {_known(feature), *features_needed_by(feature)})


def _known(feature: str) -> str:
    optional = [name for name, known in FEATURES.items() if known.optional]
    return check_among(feature, "feature", optional)


def _switched(act: ActContext, feature: str, before: frozenset[str], after: frozenset[str]) -> Switched:
    """Store which features are off."""
    changed = tuple(name for name in FEATURES if name in before ^ after)
    if changed:
        value = " ".join(name for name in FEATURES if name in after)
        add_setting_changes(act.connection, {SETTING: value}, act.seq)
        act.record(with_others=None, **{SETTING: value})
    else:
        act.unchanged = True
    return Switched(feature, changed, ", ".join(changed) or feature)
