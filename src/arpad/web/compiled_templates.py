"""The compiled templates: a worker takes them from a file that the first one wrote, since compiling takes it a second.

The file lies beside the files of lists (``web.cache``): one worker makes it while the others wait, and where the folder
cannot be written every worker compiles for itself. Its key has all that the code depends on.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Mapping, MutableMapping
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from types import CodeType
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, PrefixLoader, Template

from arpad.office.features import feature_folders
from arpad.web.cache import cached_file

_DIGEST_SIZE = 32
_COMPILERS = ("templates.py", "template_code.py")
"""The modules that say how a template is compiled."""

Source = tuple[str, str | None]
"""The text of a template and the name of its file, if it is one."""


class CompiledLoader(ChoiceLoader):
    """Loads templates, and compiles only those of which it was given no code.

    ``<page>.html`` is one of the site's own or of the studies;
    ``<feature>/<page>.html`` lies in the folder of a feature of the office.
    """

    def __init__(self) -> None:
        features = {name: PackageLoader(f"arpad.office.{name}") for name in feature_folders("templates")}
        super().__init__([PackageLoader("arpad.web"), PackageLoader("arpad.studies"), PrefixLoader(features)])
        self.codes: Mapping[str, CodeType] = {}

    def load(
        self,
        environment: Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002  as Jinja has it
    ) -> Template:
        """Return a template."""
        code = self.codes.get(name)
        if code is None:
            return BaseLoader.load(
                self, environment, name, globals
            )  # others load it without its feature's name
        return environment.template_class.from_code(environment, code, {} if globals is None else globals)


def load_templates(templates: Environment) -> None:
    """Load all templates, compiled by this worker or by one that started before."""
    loader = templates.loader
    names = templates.list_templates()
    if isinstance(loader, CompiledLoader):
        loader.codes = _compiled(templates, {name: loader.get_source(templates, name)[:2] for name in names})
    for name in names:
        templates.get_template(name)


def _compiled(templates: Environment, sources: Mapping[str, Source]) -> Mapping[str, CodeType]:
    """Return the code of templates by name."""

    def packed() -> bytes:
        codes = {name: templates.compile(text, name, file) for name, (text, file) in sources.items()}
        data = marshal.dumps(codes)
        return sha256(data).digest() + data

    kept = cached_file(packed, "templates", _code_key(sources))
    digest, data = kept[:_DIGEST_SIZE], kept[_DIGEST_SIZE:]
    if digest != sha256(data).digest():  # the disk has altered it
        data = packed()[_DIGEST_SIZE:]
    codes: Mapping[str, CodeType] = marshal.loads(data)  # noqa: S302  a file of our own, which only this user can write
    return codes


def _code_key(sources: Mapping[str, Source]) -> str:
    """Return a digest of all that the code depends on."""
    folder = files("arpad.web")
    compilers = [(folder / name).read_text(encoding="utf-8") for name in _COMPILERS]
    return sha256(
        repr((sorted(sources.items()), compilers, version("jinja2"), sys.version)).encode()
    ).hexdigest()
