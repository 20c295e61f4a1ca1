"""What a notebook's cells take from each other, as `ast` sees it without running them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

MAGIC = ("%", "!")


class _Names(ast.NodeVisitor):
    """The names that one cell takes from outside, and the statements that bind names at its top level."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.late: set[str] = set()  # read by its functions, which may be called at any time
        self.bound: dict[str, set[str]] = {}
        self._inner: list[set[str]] = []  # the own names of the functions around
        self._statement, self._depth = "", 0

    def read(self, source: str) -> _Names:
        lines = ["" if line.lstrip().startswith(MAGIC) else line for line in source.splitlines()]
        for statement in ast.parse("\n".join(lines)).body:
            self._statement = ast.unparse(statement)
            self.visit(statement)
        return self

    def _bind(self, name: str) -> None:
        if self._inner:
            self._inner[-1].add(name)
        else:
            self.bound.setdefault(name, set()).add(self._statement)

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._bind(node.id)
        elif not any(node.id in names for names in self._inner):
            if self._depth:
                self.late.add(node.id)
            if node.id not in self.bound:
                self.taken.add(node.id)

    def visit_Assign(self, node: ast.Assign) -> None:  # what is assigned is read before it has its name
        for part in (node.value, *node.targets):
            self.visit(part)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.visit(ast.Name(node.target.id, ast.Load()))
        for part in (node.value, node.target):
            self.visit(part)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        for part in (node.annotation, node.value, node.target):
            if part is not None:
                self.visit(part)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        for part in (node.iter, node.target, *node.body, *node.orelse):
            self.visit(part)

    visit_AsyncFor = visit_For

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            self._bind((alias.asname or alias.name).split(".")[0])

    visit_ImportFrom = visit_Import

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._bind(node.name)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for part in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(part)
        self._bind(node.name)
        self._within(node.args, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for part in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(part)
        self._within(node.args, [node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in (*node.bases, *node.keywords, *node.decorator_list):
            self.visit(part)
        self._bind(node.name)
        self._within(None, node.body)

    def _within(self, arguments: ast.arguments | None, body: Iterable[ast.AST]) -> None:
        body = list(body)
        own = {each.arg for each in ast.walk(arguments) if isinstance(each, ast.arg)} if arguments else set()
        stored = (each for part in body for each in ast.walk(part) if isinstance(each, ast.Name))
        self._inner.append(own | {each.id for each in stored if isinstance(each.ctx, ast.Store)})
        self._depth += arguments is not None
        for part in body:
            self.visit(part)
        self._depth -= arguments is not None
        self._inner.pop()

    def _comprehension(self, node) -> None:
        self._inner.append(set())
        for part in node.generators:
            for each in (part.iter, part.target, *part.ifs):
                self.visit(each)
        for each in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self.visit(each)
        self._inner.pop()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def clashes(sources: Sequence[str]) -> list[str]:
    """Return one sentence for every name that means another thing once a later cell has run.

    A cell that takes a name from outside, or whose functions read it whenever they are called, must find the same
    thing in whatever order the cells are run again: one cell binds the name, or several do by the same statement.

    Examples
    --------
    >>> clashes(["parts = 1", "print(parts)", "parts = 2"])
    ['cell 1 reads `parts`, which cells 0 and 2 bind differently']
    """
    cells = [_Names().read(source) for source in sources]
    messages = []
    for place, cell in enumerate(cells):
        for name in sorted(cell.taken | cell.late):
            binders = {k: frozenset(other.bound[name]) for k, other in enumerate(cells) if name in other.bound}
            rebinds = name in cell.taken and place in binders and len(binders) > 1
            if rebinds or len(set(binders.values())) > 1:
                where = " and ".join(map(str, binders))
                messages.append(f"cell {place} reads `{name}`, which cells {where} bind differently")
    return messages
