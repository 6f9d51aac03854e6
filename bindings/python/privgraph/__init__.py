"""privgraph: private graphs in, publishable things with a true guarantee out.

    import privgraph

    graph = privgraph.Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)], order=4)
    embedding = privgraph.PrivateEmbedding("edge,path3,triangle", epsilon=1, delta=1e-6)
    release = embedding.release(graph)
    release.values, release.epsilon(1e-6), release.text

What ends in _exact must not be published; what may be published is a Release.
"""
import typing as _typing

from . import _native
from .advise import *  # noqa: F401,F403
from .audit import *  # noqa: F401,F403
from .builder import *  # noqa: F401,F403
from .classifier import *  # noqa: F401,F403
from .density import *  # noqa: F401,F403
from .derive import *  # noqa: F401,F403
from .directed import *  # noqa: F401,F403
from .embedding import *  # noqa: F401,F403
from .errors import *  # noqa: F401,F403
from .explain import *  # noqa: F401,F403
from .graph import *  # noqa: F401,F403
from .guarantee import *  # noqa: F401,F403
from .io import *  # noqa: F401,F403
from .layer import *  # noqa: F401,F403
from .learn import *  # noqa: F401,F403
from .ledger import *  # noqa: F401,F403
from .lists import *  # noqa: F401,F403
from .mechanism import *  # noqa: F401,F403
from .memory import *  # noqa: F401,F403
from .network import *  # noqa: F401,F403
from .nodes import *  # noqa: F401,F403
from .pattern import *  # noqa: F401,F403
from .pipeline import *  # noqa: F401,F403
from .program import *  # noqa: F401,F403
from .propagate import *  # noqa: F401,F403
from .query import *  # noqa: F401,F403
from .reconstruction import *  # noqa: F401,F403
from .release import *  # noqa: F401,F403
from .rng import *  # noqa: F401,F403
from .sensitivity import *  # noqa: F401,F403
from .session import *  # noqa: F401,F403
from .preview import *  # noqa: F401,F403
from .visible import *  # noqa: F401,F403

from . import (attack, audit, builder, classifier, density, derive, directed, embedding, errors, explain, graph, guarantee, io, layer, learn, ledger,  # noqa: E402
               lists, mechanism, network, nodes, pattern, plot, program, propagate, query, reconstruction, release, rng, sensitivity, session,
               preview, visible)

__version__: str = _native.ffi.string(_native.lib.pvg_version_string()).decode()


def build_info() -> "_typing.Dict[str, _typing.Any]":
    """What the library was built with and runs on."""
    return _native.json_of("pvg_build_info_copy")


__all__ = [name for module in (audit, builder, classifier, density, derive, directed, embedding, errors, explain, graph, guarantee, io, layer, learn, ledger,
                               lists, mechanism, network, nodes, pattern, program, propagate, query, reconstruction, release, rng, sensitivity, session,
                               preview, visible)
           for name in module.__all__] + ["Advice", "Evidence", "advise", "evidence", "attack", "plot", "build_info",
                                                                  "forget_releases", "__version__"]
