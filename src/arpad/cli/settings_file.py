"""The user's own settings: values for ``--db``, ``--author`` and ``--lang``, in a small TOML file.

An option on the command line comes first, then the environment, then this file.
"""

import json
import os
import tomllib
from collections.abc import Mapping

from arpad.model.errors import BadInput

NAMES = ("db", "author", "lang")


def path() -> str:
    """Return the path of the file, in the folder that XDG names for settings."""
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")  # noqa: PTH111, PTH118  pathlib would be loaded for every command
    return os.path.join(folder, "arpad", "config.toml")  # noqa: PTH118


def read() -> Mapping[str, str]:
    """Return the settings; none if there is no file or it cannot be read."""
    try:
        return read_strictly()
    except BadInput:
        return {}


def read_strictly() -> Mapping[str, str]:
    """Return the settings; none if there is no file. Refuse a file that cannot be read."""
    try:
        with open(path(), "rb") as file:  # noqa: PTH123
            values = tomllib.load(file)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise BadInput("settings-file", path=path(), why=str(error).split("\n", 1)[0]) from None
    for name, value in values.items():
        if name not in NAMES or not isinstance(value, str):
            raise BadInput("settings-file-name", path=path(), name=name, accepted=", ".join(NAMES))
    return values


def write(values: Mapping[str, str]) -> None:
    """Write the settings, one on each line."""
    from pathlib import Path

    from arpad.system.atomic_files import atomic_write, prepare_folder

    file = Path(path())
    prepare_folder(file.parent)
    text = "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items())
    try:
        data = text.encode()
    except UnicodeEncodeError as error:  # bytes of the command line that are no UTF-8
        raise BadInput("text-not-unicode", value=ascii(error.object)[1:-1][:60]) from None
    with atomic_write(file, private=True) as target:
        target.write(data)
