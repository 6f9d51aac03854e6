"""Pictures of what is public: budgets before they are spent, and what was released. Needs matplotlib, which
nothing else in the package does. Every function draws on `ax`, or on new axes, and returns them."""
from typing import Any, Dict, Iterable, List, Sequence, Union

import numpy as np

from .advice import Evidence, evidence
from .embedding import PrivateEmbedding
from .errors import ArgumentError
from .layer import Layers
from .mechanism import Target
from .query import Query
from .release import Release
from .sensitivity import Assumption
from .preview import Preview

__all__ = ["preview", "depth", "released", "measured"]

# Colours that people tell apart who see few; meaning never hangs on them alone.
_BLUE, _ORANGE, _GREY = "#0b5fa5", "#c4500a", "#7a8792"
_BARS = 40  # rows of a picture that can still be read


def _axes(ax: Any) -> Any:
    """The axes given, or those of a new figure."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as missing:
        raise ImportError("privgraph.plot draws with matplotlib, which is not installed "
                          "(Debian: python3-matplotlib)") from missing
    return pyplot.subplots(layout="constrained")[1]


def _legend(ax: Any) -> Any:
    """Below the picture, where it hides nothing."""
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, frameon=False)
    return ax


def _rows(ax: Any, names: Sequence[str]) -> Any:
    """Names down the left side, the first on top."""
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    return ax


def preview(plan: Union[Preview, Query, PrivateEmbedding], order: int = 0, *,
             ax: Any = None) -> Any:
    """What a budget can tell: for each pattern or number, its public range against the noise it would get,
    on a logarithmic scale. What the noise hides is grey and says so.

    plan: a preview, or what has one, for graphs of `order` nodes. Reads no data."""
    table = (plan if isinstance(plan, Preview) else plan.preview(order)).to_dict()
    lines = table.get("patterns", table.get("numbers", []))[:_BARS]
    if not lines:
        raise ArgumentError("the trade-off has no lines")
    ax = _axes(ax)
    for row, line in enumerate(lines):
        seen = line["verdict"] == "informative"
        ax.plot([line["noise"], line["range"]], [row, row], color=_BLUE if seen else _GREY,
                linewidth=2 if seen else 1, linestyle="-" if seen else ":")
        ax.plot(line["noise"], row, "|", color=_ORANGE, markersize=14, markeredgewidth=2,
                label="noise, one standard deviation" if row == 0 else None)
        ax.plot(line["range"], row, "o", color=_BLUE if seen else _GREY,
                label="public range" if row == 0 else None)
    _rows(ax, [str(line.get("pattern", line.get("number", row)))
               + ("" if line["verdict"] == "informative" else f" ({line['verdict']})")
               for row, line in enumerate(lines)])
    ax.set_xscale("log")
    ax.set(xlabel="size of the numbers", title=f"epsilon {table['epsilon']:.3g}, {table['order']} nodes")
    return _legend(ax)


def depth(layers: Layers, assumption: Assumption, columns: int, target: Target, *,
          depths: Iterable[int] = range(1, 17), methods: Sequence[str] = ("hops", "perturbed", "output"),
          ax: Any = None) -> Any:
    """Noise against depth: the standard deviation in a number of the last state, for stacks of `depths` layers
    like those of `layers` under one budget, by each method of message passing. Reads no data."""
    if layers.dimension:
        raise ArgumentError("layers has weights: only stacks without can be made deeper")
    stacks = [Layers(**{**layers.config, "depth": number}) for number in depths]
    ax = _axes(ax)
    for method, style in zip(methods, ("-", "--", ":", "-.")):
        noise = [Query("message-passing", layers=stack, columns=columns, method=method, target=target, order=assumption.order,
                       max_degree=assumption.degree_bound or None, degrees=assumption.degrees,
                       least_degree=assumption.least_degree).describe(assumption.order)["output_noise"] for stack in stacks]
        ax.plot([stack.depth for stack in stacks], noise, style, label=method)
    ax.set(xlabel="layers", ylabel="noise in the last state", ylim=(0, None),
           title=f"epsilon {target.epsilon:g}, delta {target.delta:g}")
    return _legend(ax)


def released(release: Release, *, row: int = 0, ax: Any = None) -> Any:
    """One row of a release: each number with its 95 % error bar (`Release.interval`). A bar that reaches zero cannot be
    told from zero. ArgumentError where an error bar has no end."""
    values = release.values
    if not 0 <= row < len(values):
        raise ArgumentError(f"row is {row}; the release has {len(values)}")
    shown = min(values.shape[1], _BARS)
    rows, names = release._labels()
    low, high = (end[row, :shown] for end in release.interval(0.95))
    if not np.isfinite(high - low).all():
        raise ArgumentError("the noise of this release is not public, and no error bar is known")
    ax = _axes(ax)
    middle, half = (low + high) / 2, (high - low) / 2  # cut to the public range: not always around the number
    ax.errorbar(middle, range(shown), xerr=half, fmt="none", ecolor=_ORANGE, capsize=4)
    ax.plot(values[row, :shown], range(shown), "o", color=_BLUE)
    ax.axvline(0, color=_GREY, linewidth=1)
    _rows(ax, [str(name) for name in (names if names is not None else range(shown))][:shown])
    ax.set(xlabel="released, 95 % error bars",
           title=str(rows[row]) if rows is not None else "" if len(values) == 1 else f"row {row}")
    return ax


def measured(task: str = "classes", set: str = "Facebook pages", *, ax: Any = None) -> Any:
    """What releases were worth on a real graph, over epsilon: every release that was measured for the task,
    with its 95 percent interval, between what is had without private edges and what without noise.

    task and set: see `advise`; the figures are those of its table."""
    found = [line for line in evidence(task) if line.set == set]
    if not found:
        sets = sorted({line.set for line in evidence(task)})
        raise ArgumentError(f"nothing was measured on {set!r} for {task}; there are {', '.join(sets)}")
    by_release: Dict[str, List[Evidence]] = {}
    for line in found:
        by_release.setdefault(line.release, []).append(line)
    ticks = np.unique([line.epsilon for line in found])
    ax = _axes(ax)
    for (name, lines), mark in zip(by_release.items(), "os^vD"):
        lines = sorted(lines, key=lambda line: line.epsilon)
        drawn = ax.errorbar([line.epsilon for line in lines], [line.value for line in lines],
                            yerr=[line.interval for line in lines], fmt=mark + "-", capsize=3, label=name)
        if lines[0].exact is not None:
            ax.plot(ticks, [lines[0].exact] * len(ticks), ":", color=drawn[0].get_color(), linewidth=1,
                    label=f"{name}, no noise")
    without = found[0].without
    if without is not None:
        ax.plot(ticks, [without] * len(ticks), "--", color=_GREY, linewidth=1, label="without private edges")
    ax.set_xscale("log", base=2)
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.set(xlabel="epsilon", ylabel=found[0].measure, title=set)
    return _legend(ax)
