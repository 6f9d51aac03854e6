"""A release as notebooks show it: a small table, the noise beside it, the guarantee in words."""
from html import escape
from typing import Any, List

import numpy as np

from ._native import Array

__all__: List[str] = []

_ROWS, _COLUMNS, _WIDTH = 10, 12, 160


_LEVEL = 0.95


def _bar(value: float, low: float, high: float, least: float, most: float) -> str:
    """A dot with its error bar on a common scale."""
    def at(x: float) -> float:
        return round(4 + (_WIDTH - 8) * min(max((x - least) / (most - least), 0.0), 1.0), 1)
    return (f'<svg width="{_WIDTH}" height="12" role="img" aria-label="{value:.3g}, {low:.3g} to {high:.3g}">'
            f'<line x1="{at(low)}" x2="{at(high)}" y1="6" y2="6" stroke="currentColor"'
            f' stroke-width="1.5"/><circle cx="{at(value)}" cy="6" r="3" fill="currentColor"/></svg>')


def _cell(value: float, low: float, high: float) -> str:
    """A number no coarser than its error bar."""
    if not np.isfinite(high - low) or high == low:
        return f"{value:.6g}"
    digits = 6 if low == high else max(4, int(np.ceil(np.log10(max(abs(value), 1e-300) / (high - low)))) + 2)
    return f"{value:.{min(digits, 17)}g}<br><small>{low:.{min(digits, 17)}g} to {high:.{min(digits, 17)}g}</small>"


def _table(release: Any, values: Array, low: Array, high: Array) -> str:
    index, names = release._labels()
    rows, columns = values.shape
    names = names if names is not None else [str(i) for i in range(columns)]
    index = index if index is not None else range(rows)
    head = "".join(f"<th>{escape(str(name))}</th>" for name in names[:_COLUMNS])
    body = ""
    for i in range(min(rows, _ROWS)):
        cells = "".join(f"<td>{_cell(float(values[i, k]), float(low[i, k]), float(high[i, k]))}</td>"
                        for k in range(min(columns, _COLUMNS)))
        body += f"<tr><th>{escape(str(index[i]))}</th>{cells}</tr>"
    more = f"<p>{rows} rows, {columns} columns in all</p>" if rows > _ROWS or columns > _COLUMNS else ""
    return (f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"
            f"<p>small: where it was before noise, with {100 * _LEVEL:.0f} %</p>{more}")


def _plot(release: Any, values: Array, low: Array, high: Array) -> str:
    """The first row with its error bars."""
    (_, names) = release._labels()
    shown = min(values.shape[1], _COLUMNS)
    if values.shape[0] == 0 or not np.isfinite(high[0, :shown] - low[0, :shown]).all():
        return ""
    least = float(min(0.0, np.min(low[0, :shown]), np.min(values[0, :shown])))
    most = float(max(least + 1e-300, np.max(high[0, :shown]), np.max(values[0, :shown])))
    lines = "".join(
        f"<tr><th>{escape(str(names[k] if names is not None else k))}</th>"
        f"<td>{_bar(float(values[0, k]), float(low[0, k]), float(high[0, k]), least, most)}</td></tr>"
        for k in range(shown))
    return f"<table><caption>first row, {100 * _LEVEL:.0f} % error bars</caption>{lines}</table>"


def release_page(release: Any) -> str:
    """HTML without scripts."""
    rows, columns = release.shape
    kind = "private" if release.publishable else "NOT PRIVATE"
    parts = [f"<p><b>Release, {kind}</b></p>"]
    if rows and columns:
        values = release.values
        low, high = release.interval(_LEVEL)
        parts += [_table(release, values, low, high), _plot(release, values, low, high)]
    parts.append("".join(f"<p>{escape(line)}</p>" for line in release.text.splitlines() if line))
    return "<div>" + "".join(parts) + "</div>"
