"""privgraph: private graphs in, publishable things with a true guarantee out.

    import privgraph

    graph = privgraph.Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)], order=4)
    with privgraph.Session(graph, object="friends", epsilon=2) as session:
        release = session.release("triangles", epsilon=1)
        release.values, release.interval(0.95), session.left

What ends in _exact must not be published; what may be published is a Release.

A name is looked up in the module that has it when it is first used: `import privgraph` finds and opens the library,
and no more.
"""
import importlib
from typing import TYPE_CHECKING, Any, Dict, List

from . import _native

if TYPE_CHECKING:  # what type checkers read; when it runs, the table below is read
    from .advice import *  # noqa: F401,F403
    from . import attack as attack
    from .audit import *  # noqa: F401,F403
    from .builder import *  # noqa: F401,F403
    from .classifier import *  # noqa: F401,F403
    from .density import *  # noqa: F401,F403
    from .derive import *  # noqa: F401,F403
    from .directed import *  # noqa: F401,F403
    from . import distributed as distributed
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
    from . import plot as plot
    from .preview import *  # noqa: F401,F403
    from .program import *  # noqa: F401,F403
    from .propagate import *  # noqa: F401,F403
    from .query import *  # noqa: F401,F403
    from .reconstruction import *  # noqa: F401,F403
    from .release import *  # noqa: F401,F403
    from .rng import *  # noqa: F401,F403
    from .sensitivity import *  # noqa: F401,F403
    from .session import *  # noqa: F401,F403

# Public names, by the module that has them: the `__all__` of each (a test compares).
_NAMES = {
    "advice": "Advice Evidence advise evidence",
    "audit": "Verdict audit_scores audit_game audit_ceiling reidentify interval",
    "builder": "GraphBuilder log_to",
    "classifier": "NodeClassifier",
    "density": "Density",
    "derive": "synthesize synthesis_graph estimate_sequence estimate_moments estimate_densities estimate_edges "
              "estimate_degrees estimate_triangles estimate_least_edges estimate_degree_law estimate_labels "
              "estimate_transition estimate_variance estimate_list_intervals estimate_list_counts "
              "estimate_list_directions recommend_own",
    "directed": "doubled arc_histogram",
    "embedding": "PrivateEmbedding DegreeEmbedding",
    "errors": "PrivGraphError ArgumentError OutOfMemoryError Cancelled FileError FormatError LimitError "
              "NumericError PrivacyError EntropyError VersionError InternalError BudgetError UndeclaredError "
              "SeededError BusyError MissingError SnapshotWarning RepeatedReleaseWarning UnbudgetedWarning "
              "NothingVisibleWarning SlowWarning SearchStopped",
    "explain": "explain_exact Masks explain_masks_exact",
    "graph": "Graph GraphSet Features Labels as_graph as_graphset as_features",
    "guarantee": "Guarantee Promising Column notion_pays",
    "io": "read_graph parse_graph write_graph format_graph read_graphset parse_graphset write_graphset "
          "read_folder file_formats find_format pack_graph",
    "layer": "Layers",
    "learn": "directions Logistic histogram_cells histogram_posterior histogram_mix Classification classify encode "
             "learn_nodes learn_nodes_exact UserClassification learn_users learn_users_exact learn_rows "
             "learn_rows_exact train_rows HiddenNodes learn_hidden_nodes learn_hidden_nodes_exact",
    "ledger": "Ledger object_number notion_name",
    "lists": "Lists",
    "mechanism": "Curve CurveTerm PLD Target Mechanism gaussian_sigma contractive_mu contractive_shift solve "
                 "solve_published epsilon_published smooth_choose noise_laws noise_deviation noise_is_pure "
                 "allocation_names",
    "memory": "forget_releases",
    "network": "Network Dataset Model PrivateTraining Part public private",
    "nodes": "tell_nodes",
    "pattern": "Patterns Sampler as_patterns pattern_classes",
    "pipeline": "Pipeline Reading pipeline_kinds",
    "preview": "Preview PreviewLine class_network class_formula class_max_edges class_patterns",
    "program": "report",
    "propagate": "propagate_exact apply_operator_exact propagation_rounding kprop",
    "query": "Query Composition QueryKind QueryOption kinds",
    "reconstruction": "ReconstructReport Reconstruction reconstruct",
    "release": "Release",
    "rng": "Rng flip_threshold",
    "sensitivity": "Assumption edge_sensitivity edge_sensitivity_published density_range smooth_sensitivity_exact "
                   "smooth_sensitivity_published layer_lipschitz layer_sensitivity layer_sensitivity_published",
    "session": "Session",
}
_WHERE = {name: module for module, names in _NAMES.items() for name in names.split()}
_MODULES = ("attack", "distributed", "plot")  # whose names stay inside

__version__: str = _native.ffi.string(_native.lib.pvg_version_string()).decode()


def build_info() -> Dict[str, Any]:
    """What the library was built with and runs on."""
    return _native.json_of("pvg_build_info_copy")


__all__ = [*_WHERE, *_MODULES, "build_info", "__version__"]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        found = getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
    elif name in _MODULES or name in _NAMES:
        found = importlib.import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> List[str]:
    return sorted(__all__)
