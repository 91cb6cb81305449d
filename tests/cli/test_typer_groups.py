"""What commands share: the fields of a dataclass become options of every command that takes it."""

from dataclasses import dataclass
from inspect import signature
from typing import Annotated

import typer
from typer.testing import CliRunner

from arpad.cli.typer_groups import Commands, expand_options


@dataclass(frozen=True)
class Place:
    town: Annotated[str, typer.Option("--town", help="Where.")]
    json: Annotated[bool, typer.Option("--json")] = False
    street: Annotated[str, typer.Option("--street")] = "none"


def where(place: Place, number: Annotated[int, typer.Argument()]) -> None:
    """Tell where."""
    typer.echo(f"{place.town} {place.street} {number} {place.json}")


def test_the_fields_are_parameters_and_json_closes_the_list() -> None:
    assert list(signature(expand_options(where)).parameters) == ["town", "street", "number", "json"]


def test_the_command_gets_its_dataclass() -> None:
    app = Commands(no_args_is_help=False)
    app.command()(where)
    done = CliRunner().invoke(app, ["7", "--town", "Bellariva", "--json"])
    assert (done.exit_code, done.output) == (0, "Bellariva none 7 True\n")
    assert CliRunner().invoke(app, ["7"]).exit_code == 2  # a field without a default must be given


def test_a_command_that_shares_nothing_stays_as_it_is() -> None:
    def alone(number: int) -> None:
        """Nothing shared."""

    assert expand_options(alone) is alone
