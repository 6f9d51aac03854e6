"""A release as notebooks show it: a small table, the noise beside it, the guarantee in words."""
from html import escape
from typing import Any, List

import numpy as np

from ._native import Array

__all__: List[str] = []

_ROWS, _COLUMNS, _WIDTH = 10, 12, 160


def _bar(value: float, noise: float, low: float, high: float) -> str:
    """A dot with an error bar of one standard deviation on a common scale."""
    def at(x: float) -> float:
        return round(4 + (_WIDTH - 8) * min(max((x - low) / (high - low), 0.0), 1.0), 1)
    return (f'<svg width="{_WIDTH}" height="12" role="img" aria-label="{value:.3g} plus or minus {noise:.2g}">'
            f'<line x1="{at(value - noise)}" x2="{at(value + noise)}" y1="6" y2="6" stroke="currentColor"'
            f' stroke-width="1.5"/><circle cx="{at(value)}" cy="6" r="3" fill="currentColor"/></svg>')


def _table(release: Any, values: Array) -> str:
    index, names = release._labels()
    noise = release.noise
    rows, columns = values.shape
    names = names if names is not None else [str(i) for i in range(columns)]
    index = index if index is not None else range(rows)
    head = "".join(f"<th>{escape(str(name))}</th>" for name in names[:_COLUMNS])
    if noise is not None and len(noise) == columns:
        head += "" if rows > 1 else "<th></th>"
    body = ""
    for i in range(min(rows, _ROWS)):
        cells = ""
        for k in range(min(columns, _COLUMNS)):
            spread = f" &plusmn; {noise[k]:.2g}" if noise is not None and k < len(noise) and noise[k] > 0 else ""
            cells += f"<td>{values[i, k]:.4g}{spread}</td>"
        body += f"<tr><th>{escape(str(index[i]))}</th>{cells}</tr>"
    more = f"<p>{rows} rows, {columns} columns in all</p>" if rows > _ROWS or columns > _COLUMNS else ""
    return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _plot(release: Any, values: Array) -> str:
    """The first row against its noise."""
    noise, (_, names) = release.noise, release._labels()
    if noise is None or values.shape[0] == 0 or len(noise) < values.shape[1]:
        return ""
    shown = min(values.shape[1], _COLUMNS)
    low = float(min(0.0, np.min(values[0, :shown] - noise[:shown])))
    high = float(max(low + 1e-300, np.max(values[0, :shown] + noise[:shown])))
    lines = "".join(
        f"<tr><th>{escape(str(names[k] if names is not None else k))}</th>"
        f"<td>{_bar(float(values[0, k]), float(noise[k]), low, high)}</td></tr>" for k in range(shown))
    return f"<table><caption>first row, one standard deviation of noise</caption>{lines}</table>"


def release_page(release: Any) -> str:
    """HTML without scripts."""
    rows, columns = release.shape
    kind = "private" if release.publishable else "NOT PRIVATE"
    parts = [f"<p><b>Release, {kind}</b></p>"]
    if rows and columns:
        values = release.values
        parts += [_table(release, values), _plot(release, values)]
    parts.append("".join(f"<p>{escape(line)}</p>" for line in release.text.splitlines() if line))
    return "<div>" + "".join(parts) + "</div>"
