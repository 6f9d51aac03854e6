/* Kinds with mechanisms of this module: embeddings and message passing. */
#include "query_internal.h"

#include <string.h>

/* Where a bound on degrees comes from. */
#define DEGREES "auto|any|promised|truncated"
#define DEGREES_HELP                                                                     \
    "the bound is promised of every graph, or enforced by leaving edges out; auto: "     \
    "truncated if there is one"

/* PVG_DEGREES_* of the option and its bound. */
static int32_t degrees_of(int32_t option, int64_t bound) {
    if (option > 0) return option - 1;
    return bound > 0 ? PVG_DEGREES_TRUNCATED : PVG_DEGREES_ANY;
}

/* --- embeddings -------------------------------------------------------------------- */

typedef struct {
    pvg_embedder_config config;
    int32_t degrees;
    const char *patterns;
} embed_settings;

static int32_t make_embed(void **out, const char *name, void *settings,
                          const pvg_arguments *a, const pvg_target *target,
                          const pvg_run *run) {
    embed_settings *s = settings;
    pvg_patterns *own = NULL;
    s->config.size = sizeof s->config;
    s->config.degrees = degrees_of(s->degrees, s->config.degree_bound);
    if (!a->patterns) {
        const int32_t status = pvg_patterns_from_names(&own, s->patterns);
        if (status != PVG_OK) {
            pvgi_message_prefix(name);
            return status;
        }
    }
    const pvg_patterns *patterns = a->patterns ? a->patterns : own;
    int32_t status = PVG_OK;
    if (a->weights && (a->weight_rows != 1 || a->weight_columns != patterns->count))
        status =
            pvgi_fail(PVG_E_ARGUMENT,
                      "%s: weights are not one row with a number for each pattern", name);
    if (status == PVG_OK)
        status = pvgi_query_new_embedder((pvg_embedder **)out, name, patterns, &s->config,
                                         target, a->weights, run);
    pvg_patterns_free(own);
    return status;
}

static const pvgi_option embed_options[] = {
    PVGI_OPTION_TEXT(embed_settings, patterns, "patterns",
                     "names with commas: edge,triangle,cycle6", "what is counted"),
    PVGI_OPTION_WORD(embed_settings, config.degree_bound, 0, INT32_MAX, PVGI_CLOSED,
                     "in [1, 2^31)", "max-degree", "none", 0,
                     "a public bound on degrees: far less noise"),
    PVGI_OPTION_CHOICE(embed_settings, degrees, "degrees", DEGREES, DEGREES_HELP),
    PVGI_OPTION_CHOICE(embed_settings, config.scaling, "scaling",
                       "range|density|per-node", "unit of the numbers"),
    PVGI_OPTION_CHOICE(embed_settings, config.joint, "joint",
                       "auto|never|one-way|ellipsoid",
                       "whether coordinates share part of their noise"),
    PVGI_OPTION_FLAG(embed_settings, config.append_order, "append-order",
                     "one more column: the number of nodes, which is public"),
    PVGI_OPTION_FLAG(embed_settings, config.saturate, "saturate",
                     "clamp outcomes to the public range"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_embed = {
    .kind = "embed",
    .says = "Homomorphism densities of patterns, a row for each graph",
    .claim = "release.embedding",
    .frame = PVGI_FRAME_EMBEDDING,
    .reads = PVGI_PART_EDGES,
    .takes = PVGI_TAKES_WEIGHTS | PVGI_TAKES_PATTERNS,
    .notions = 1u << PVG_NOTION_EDGE,
    .laws = 1u << PVG_NOISE_GAUSSIAN | 1u << PVG_NOISE_LAPLACE |
            1u << PVG_NOISE_DISCRETE_GAUSSIAN | 1u << PVG_NOISE_SMOOTH |
            1u << PVG_NOISE_SMOOTH_PUBLISHED | 1u << PVG_NOISE_STAIRCASE,
    .law = PVG_NOISE_GAUSSIAN,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_CAN_SETS | PVGI_CAN_PARTS,
    .options = embed_options,
    .bytes = sizeof(embed_settings),
    .make = make_embed};

/* --- message passing --------------------------------------------------------------- */

typedef struct {
    pvg_propagator_config config;
    pvg_layers_config layers;
    pvg_assumption assumption;
    int32_t degrees;
    int64_t columns;
} passing_settings;

/* Whether the text describes layers, although some were given. */
static bool describes_layers(const pvg_layers_config *c) {
    static const pvg_layers_config plain = {.depth = 2};
    return memcmp(&c->operation, &plain.operation,
                  sizeof plain - offsetof(pvg_layers_config, operation)) != 0;
}

static int32_t make_passing(void **out, const char *name, void *settings,
                            const pvg_arguments *a, const pvg_target *target,
                            const pvg_run *run) {
    passing_settings *s = settings;
    pvg_layers *own = NULL;
    (void)run;
    s->config.size = sizeof s->config;
    s->layers.size = sizeof s->layers;
    s->assumption.size = sizeof s->assumption;
    s->assumption.order = a->order;
    s->assumption.degrees = degrees_of(s->degrees, s->assumption.degree_bound);
    PVGI_REQUIRE(!a->layers || !describes_layers(&s->layers),
                 "%s: layers are given, and options describe others", name);
    if (!a->layers) {
        const int32_t status = pvg_layers_new(&own, &s->layers, NULL, 0);
        if (status != PVG_OK) {
            pvgi_message_prefix(name);
            return status;
        }
    }
    const int32_t status = pvgi_query_new_propagator(
        (pvg_propagator **)out, name, a->layers ? a->layers : own, &s->assumption,
        s->columns, &s->config, target);
    pvg_layers_free(own);
    return status;
}

#define AUTO(field, name, help)                                                          \
    PVGI_OPTION_WORD(passing_settings, field, 0, 0x1p1000, PVGI_CLOSED,                  \
                     "a number of at least 0", name, "auto", 0, help)
static const pvgi_option passing_options[] = {
    PVGI_OPTION(passing_settings, columns, 1, INT32_MAX, PVGI_CLOSED,
                "in [1, 2^31): it must be given", "columns", 0,
                "number of features; public"),
    PVGI_OPTION_CHOICE(passing_settings, config.hide, "hide",
                       "edge|edge-directed|node-removed|node",
                       "what is hidden; at edge level features must be open"),
    PVGI_OPTION_CHOICE(passing_settings, config.method, "method",
                       "auto|perturbed|output|hops",
                       "noise after every layer and the last state given, noise on the "
                       "last state, or all states given"),
    PVGI_OPTION_WORD(passing_settings, assumption.degree_bound, 0, INT32_MAX, PVGI_CLOSED,
                     "in [1, 2^31)", "max-degree", "none", 0,
                     "a public bound on degrees"),
    PVGI_OPTION_CHOICE(passing_settings, degrees, "degrees", DEGREES, DEGREES_HELP),
    PVGI_OPTION(passing_settings, assumption.least_degree, 0, INT32_MAX, PVGI_CLOSED,
                "in [0, 2^31)", "least-degree", 0,
                "promised: neighbours that every node has without the private edge"),
    AUTO(config.scale, "scale",
         "deviation of each noise draw instead of a budget; auto: from the budget"),
    PVGI_OPTION_FLAG(passing_settings, config.l1_rows, "l1-rows",
                     "rows are pulled into the L1 unit ball: one sum layer, Laplace "
                     "noise"),
    PVGI_OPTION_FLAG(passing_settings, config.published, "published",
                     "noise for the published sensitivity, for comparison"),
    PVGI_OPTION(passing_settings, layers.depth, 1, PVG_LAYERS_DEPTH_MAX, PVGI_CLOSED,
                "in [1, 65536]", "layers", 2, "number of layers"),
    PVGI_OPTION_CHOICE(passing_settings, layers.operation, "operator",
                       "symmetric|floor|laplacian|row|sum",
                       "how neighbours are weighted"),
    PVGI_OPTION_CHOICE(passing_settings, layers.activation, "activation",
                       "none|relu|tanh|selu", "applied to every number after a layer"),
    PVGI_OPTION_CHOICE(passing_settings, layers.rows, "rows", "projected|normalised",
                       "rows are pulled into the unit ball, or onto the sphere"),
    AUTO(layers.tau, "tau", "symmetric, row: added to degrees; auto: the least"),
    AUTO(layers.self_weight, "self-weight", "symmetric: weight of self loops; auto: 1"),
    AUTO(layers.floor, "floor", "floor, laplacian: smallest degree that counts"),
    AUTO(layers.contraction, "contraction",
         "factor of every layer; auto: 0.9, for sum 1"),
    PVGI_OPTION(passing_settings, layers.mean_weight, 0, 1, PVGI_CLOSED, "in [0, 1]",
                "mean-weight", 0, "share of the mean of all rows"),
    PVGI_OPTION(passing_settings, layers.residual, 0, 0x1p1000, PVGI_CLOSED,
                "a number of at least 0", "residual", 0,
                "weight of the input that is added to every layer"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_message_passing = {
    .kind = "message-passing",
    .says = "Features aggregated along edges by contractive layers, a row for each node",
    .claim = "release.propagation",
    .frame = PVGI_FRAME_PROPAGATION,
    .reads = PVGI_PART_EDGES | PVGI_PART_FEATURES,
    .takes = PVGI_TAKES_LAYERS,
    .notions = 1u << PVG_NOTION_EDGE | 1u << PVG_NOTION_EDGE_DIRECTED |
               1u << PVG_NOTION_NODE | 1u << PVG_NOTION_NODE_REMOVED,
    .laws = 1u << PVG_NOISE_GAUSSIAN | 1u << PVG_NOISE_LAPLACE,
    .law = PVG_NOISE_GAUSSIAN,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_NEEDS_ORDER | PVGI_HAS_SCALE | PVGI_CAN_PARTS,
    .options = passing_options,
    .bytes = sizeof(passing_settings),
    .make = make_passing};
