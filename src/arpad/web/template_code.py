"""The Python code of templates: values and calls without the detours that no template of ours needs.

A page writes thousands of values and calls a thousand functions. Jinja wraps each written value in an object that says
that it is escaped, and asks each function whether it wants the context of the template. Only functions of the
environment want it, never those that a page brings along.
"""

import re
from collections.abc import Iterable, MutableMapping
from hashlib import sha256
from importlib.resources import files
from keyword import iskeyword
from typing import Any

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemBytecodeCache,
    PackageLoader,
    PrefixLoader,
    Template,
    nodes,
)
from jinja2.compiler import CodeGenerator, Frame
from jinja2.nodes import Extends
from markupsafe import Markup, escape

from arpad.office.features import feature_folders
from arpad.web import cache

_special_sign = re.compile("[&<>\"']").search


def escaped(value: Any) -> str:
    """Return a value as it is written into a page: the same text that ``markupsafe.escape`` returns."""
    kind = type(value)
    if kind is str:
        return escape(value) if _special_sign(value) else value
    if kind is int:
        return str(value)
    return value if kind is Markup else escape(value)


WITH_CONTEXT = frozenset({"article_anchor", "article_text", "article_url", "term"})
"""The functions of the environment that take the context of the template."""


def _is_variable(node: nodes.Node) -> bool:
    """Return whether an expression is a variable, or an attribute of one."""
    return isinstance(node, nodes.Name) or (isinstance(node, nodes.Getattr) and _is_variable(node.node))


class TemplateCode(CodeGenerator):
    """Writes the code of a template."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        """Write what comes before a value that is written into the page."""
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
            return
        self.write("environment.escaped(")
        if finalize.src is not None:
            self.write(finalize.src)

    def blockvisit(self, nodes: Iterable[nodes.Node], frame: Frame) -> None:
        """Write the body of a template, a block or a loop; the first two collect their texts and yield them at once.

        Otherwise each text passes through all templates that extend or include the one that writes it.
        """
        nodes = list(nodes)
        whole = frame.block_frame or (frame.rootlevel and not any(isinstance(it, Extends) for it in nodes))
        if not whole or frame.buffer is not None:
            super().blockvisit(nodes, frame)
            return
        self.buffer(frame)
        super().blockvisit(nodes, frame)
        self.writeline(f"yield concat({frame.buffer})")

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:  # noqa: N802  as Jinja has it
        """Write a choice; without an "else" it is an empty text, not an object that says what is undefined."""
        if node.expr2 is None:
            node.expr2 = nodes.Const("", lineno=node.lineno)
        super().visit_CondExpr(node, frame)

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802  as Jinja has it
        """Write an attribute of a variable, for which the environment is asked only if there is none: a key of a dict.

        Other expressions are left to the environment, since here they could be evaluated twice.
        """
        if not _is_variable(node.node):
            super().visit_Getattr(node, frame)
            return
        self.write("(value if (value := getattr(")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r}, missing)) is not missing else environment.getattr(")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r}))")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: FBT001, FBT002, N802  as Jinja has it
        """Write a call."""
        takes_context = isinstance(node.node, nodes.Name) and node.node.name in WITH_CONTEXT
        if takes_context or any(iskeyword(argument.key) for argument in node.kwargs):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.write("(")
        self.visit(node.node, frame)
        self.write(")(")
        for argument in node.args:
            self.visit(argument, frame)
            self.write(", ")
        if node.dyn_args is not None:
            self.write("*")
            self.visit(node.dyn_args, frame)
            self.write(", ")
        for keyword in node.kwargs:
            self.visit(keyword, frame)
            self.write(", ")
        if forward_caller:
            self.write("caller=caller, ")
        if node.dyn_kwargs is not None:
            self.write("**")
            self.visit(node.dyn_kwargs, frame)
        self.write(")")


class TemplateLoader(ChoiceLoader):
    """Finds templates: ``<page>.html`` of the site or of the studies, ``<feature>/<page>.html`` of a feature."""

    def __init__(self) -> None:
        features = {name: PackageLoader(f"arpad.office.{name}") for name in feature_folders("templates")}
        super().__init__([PackageLoader("arpad.web"), PackageLoader("arpad.studies"), PrefixLoader(features)])

    def load(
        self,
        environment: Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002  as Jinja has it
    ) -> Template:
        """Return a template under its whole name; the loaders inside would leave out its feature."""
        return BaseLoader.load(self, environment, name, globals)


def load_templates(templates: Environment) -> None:
    """Load all templates; the workers that start later find their code in the folder of cached files."""
    folder = cache.cache_folder()
    if folder is not None:
        compilers = [
            (files("arpad.web") / name).read_bytes() for name in ("templates.py", "template_code.py")
        ]
        key = sha256(b"".join(compilers)).hexdigest()[:12]
        templates.bytecode_cache = FileSystemBytecodeCache(str(folder), f"%s-{key}.template")
    for name in templates.list_templates():
        templates.get_template(name)
