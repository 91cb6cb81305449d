"""Steps of a builder that use a feature which an office, or a copy of the source, can do without."""

from collections.abc import Callable
from typing import ParamSpec

from arpad.office.features import FEATURES

P = ParamSpec("P")


def of_features(*names: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Return a decorator for a step that does nothing if one of the features is not there."""

    def decorate(step: Callable[P, None]) -> Callable[P, None]:
        def skip(*_: P.args, **__: P.kwargs) -> None:
            """Do nothing."""

        return step if {*names} <= FEATURES.keys() else skip

    return decorate
