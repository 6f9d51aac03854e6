"""What a budget can tell, before it is spent. Computed from public numbers only."""
from dataclasses import dataclass
from typing import Any, Dict, List, Union

from ._native import Immutable, call, constant, ffi, json_of, lib, name_of, number, struct, text
from .errors import ArgumentError
from .pattern import Patterns

__all__ = ["Preview", "PreviewLine", "class_network", "class_formula", "class_max_edges",
           "class_patterns"]


def _class_text(function: Any, pattern_class: Union[str, int]) -> str:
    found = function(constant("CLASS", pattern_class, "pattern_class"))
    if found == ffi.NULL:
        raise ArgumentError(f"there is no class {pattern_class}")
    return str(ffi.string(found).decode("utf-8"))


def class_network(pattern_class: Union[str, int]) -> str:
    """The graph neural networks that tell apart what the densities of the class tell apart."""
    return _class_text(lib.pvg_class_network, pattern_class)


def class_formula(pattern_class: Union[str, int]) -> str:
    """The largest number of edges as a formula in m vertices and the parameter k."""
    return _class_text(lib.pvg_class_formula, pattern_class)


def class_max_edges(pattern_class: Union[str, int], order: int, parameter: int = 0) -> int:
    """The largest number of edges of a pattern of the class with `order` vertices."""
    return number("int64_t", "pvg_class_max_edges",
                  constant("CLASS", pattern_class, "pattern_class"), parameter, order)


def class_patterns(pattern_class: Union[str, int], order: int, parameter: int = 0) -> Patterns:
    """Patterns of the class with that many edges."""
    return Patterns._make("pvg_class_patterns",
                          constant("CLASS", pattern_class, "pattern_class"), parameter, order)


@dataclass(frozen=True)
class PreviewLine:
    """One number of a preview.

    Attributes
    ----------
    verdict : str
        "constant", "hidden" (the noise is not below the whole public range: nothing can be learned at this budget) or
        "informative".
    range, sensitivity : float
        Public range of the value, and how far one private change moves it.
    noise, ratio : float
        Standard deviation of the noise, and its share of the range.
    epsilon_min, order_min : float, int
        The least epsilon, and the least number of nodes, for which it is informative.

    Examples
    --------
    >>> import privgraph as pg
    >>> line = pg.Query("embed", patterns="triangle", max_degree=8, epsilon=1).preview(2000)[0]
    >>> line.verdict, line.noise < line.range
    ('informative', True)
    """

    verdict: str
    range: float
    sensitivity: float
    noise: float
    ratio: float
    epsilon_min: float
    order_min: int


class Preview(Immutable):
    """Noise, range and verdict for each number that a query gives, or what its answers tell, for graphs of so many
    nodes (or so many users): `Query.preview`. The noise is the one that the release will have, in its units.

    Examples
    --------
    >>> import privgraph as pg
    >>> pg.Query("embed", patterns="edge,triangle", max_degree=8, epsilon=1).preview(2000)
    <Preview of 2 numbers, 2 informative>
    """

    __slots__ = ()
    _type = "pvg_preview"

    def __len__(self) -> int:
        return int(lib.pvg_preview_count(self._pointer))

    @property
    def informative(self) -> int:
        """Lines whose noise is below their public range. 0: nothing can be seen."""
        return int(lib.pvg_preview_informative(self._pointer))

    def __getitem__(self, index: int) -> PreviewLine:
        if not 0 <= index < len(self):
            raise IndexError(f"there is no pattern {index}")
        out = struct("pvg_preview_line")
        call("pvg_preview_copy_line", out, self._pointer, index)
        return PreviewLine(name_of("VERDICT", out.verdict), out.range, out.sensitivity, out.noise,
                            out.ratio, out.epsilon_min, out.order_min)

    def name(self, index: int) -> str:
        """What a line is about: the pattern, or the name of the number."""
        return text("pvg_preview_copy_name", self._pointer, index)

    @property
    def lines(self) -> List[PreviewLine]:
        """All patterns."""
        return [self[i] for i in range(len(self))]

    def to_pandas(self) -> Any:
        """The lines as a pandas table, by their names."""
        import pandas
        from dataclasses import asdict
        return pandas.DataFrame([asdict(line) for line in self.lines], index=[self.name(i) for i in range(len(self))])

    def __repr__(self) -> str:
        return f"<Preview of {len(self)} numbers, {self.informative} informative>"

    def to_dict(self) -> Dict[str, Any]:
        """Everything, with a plain sentence for each pattern."""
        return json_of("pvg_preview_copy_json", self._pointer)
