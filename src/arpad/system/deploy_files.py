"""The files for a server, which come with the package: ``python -m arpad.system.deploy_files DIR`` writes them.

It needs no other package, so that a server can check the hashes of all others before it installs them.
"""

import sys
from importlib.resources import files
from pathlib import Path

from arpad.model.errors import ArpadError
from arpad.system.atomic_files import atomic_folder

_IN_PACKAGE = "deploy"
_IN_REPOSITORY = Path(__file__).resolve().parents[3] / "deploy"


def write_deploy_files(folder: Path) -> list[str]:
    """Write the files into a new or empty folder; return their names below it."""
    packed = Path(str(files("arpad") / _IN_PACKAGE))
    source = packed if packed.is_dir() else _IN_REPOSITORY
    names = sorted(str(path.relative_to(source)) for path in source.rglob("*") if path.is_file())
    with atomic_folder(folder) as growing:
        for name in names:
            target = growing / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((source / name).read_bytes())
    return names


def main(words: list[str]) -> int:
    """Write the files into the folder that the command line names."""
    if len(words) != 1:
        sys.stderr.write("python -m arpad.system.deploy_files DIR\n")
        return 2
    try:
        names = write_deploy_files(Path(words[0]))
    except ArpadError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write("".join(f"{words[0]}/{name}\n" for name in names))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
