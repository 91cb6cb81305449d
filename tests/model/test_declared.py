"""Parameters of declared functions."""

from copy import deepcopy
from typing import Annotated

from arpad.model.declared import Accepts, parameters_of


def example(_act: object, code: Annotated[str, Accepts("MI1")], *, until: str = "") -> str:
    return code + until


def test_a_copy_of_a_parameter_is_required_as_the_parameter_is() -> None:
    """The web framework copies its routes deeply, with the declarations that they carry."""
    parameters = parameters_of(example)

    assert [it.required for it in parameters] == [True, False]
    assert [it.required for it in deepcopy(parameters)] == [True, False]
