"""The extras of Arpad: which packages each one installs, and the refusal if one is missing.

The package alone has the library and the commands that need no database. Everything else imports its packages where
it needs them; ``require`` or, for a command, ``missing_extra`` names the extra to install.
"""

from collections.abc import Iterator
from importlib.util import find_spec

from arpad.model.errors import BadInput

EXTRAS: dict[str, tuple[str, ...]] = {
    "office": (
        "alembic", "argon2", "jinja2", "litestar", "markupsafe", "msgspec", "numpy", "polars",
        "prometheus_client", "rapidfuzz", "segno", "sqlalchemy", "typst", "uvicorn", "zxcvbn",
    ),
    "proofs": ("cryptography",),
    "studies": ("scipy",),
    "postgres": ("psycopg",),
}  # fmt: skip
"""Extra → the modules that Arpad imports from its packages; a module is under the extra that a user should install."""


def are_installed(*packages: str) -> bool:
    """Whether all these packages are installed."""
    return not list(_missing(packages))


def require(extra: str, *packages: str) -> None:
    """Refuse in one sentence unless these packages of an extra are installed."""
    for package in _missing(packages):
        raise BadInput("extra-missing", extra=extra, package=package)


def missing_extra(error: ModuleNotFoundError) -> BadInput | None:
    """Return the refusal for a module that was not found; None if no extra installs it."""
    package = (error.name or "").partition(".")[0]
    for extra, packages in EXTRAS.items():
        if package in packages:
            return BadInput("extra-missing", extra=extra, package=package)
    return None


def _missing(packages: tuple[str, ...]) -> Iterator[str]:
    return (package for package in packages if find_spec(package) is None)
