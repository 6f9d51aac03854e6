/* Kinds that give what they read, with noise inside: graphs, lists, features, labels.
 * The mechanisms are in module perturb. */
#include "query_internal.h"

#define EDGE_LIMIT 268435456 /* 2^28 */

#define OPTION_EDGE_LIMIT(type)                                                          \
    PVGI_OPTION(type, edge_limit, 1, 0x1p62, PVGI_CLOSED, "a number of at least 1",      \
                "edge-limit", EDGE_LIMIT, "refuse if noise would give more edges")

/* Makes of settings that begin with their size and need nothing else. */
#define MAKE(function, type, maker)                                                      \
    static int32_t function(void **out, const char *name, void *settings,                \
                            const pvg_arguments *a, const pvg_target *target,            \
                            const pvg_run *run) {                                        \
        type *c = settings;                                                              \
        (void)a, (void)run;                                                              \
        c->size = sizeof *c;                                                             \
        return maker((pvg_perturber **)out, name, c, target);                            \
    }

/* --- pairs ------------------------------------------------------------------------- */

MAKE(make_response, pvg_response_config, pvgi_perturb_new_response)
MAKE(make_lapgraph, pvg_lapgraph_config, pvgi_perturb_new_lapgraph)

static const pvgi_option response_options[] = {
    PVGI_OPTION_WORD(
        pvg_response_config, keep, 0, 1, PVGI_OPEN_HIGH, "in (0, 1)", "keep", "auto", 0,
        "chance that an edge stays; auto: the largest. A smaller one gives a "
        "sparser graph"),
    OPTION_EDGE_LIMIT(pvg_response_config), PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_response = {
    .kind = "response",
    .says = "A graph: every pair of nodes answers by randomised response",
    .claim = "perturb.response",
    .frame = PVGI_FRAME_PERTURBED,
    .reads = PVGI_PART_EDGES,
    .notions = 1u << PVG_NOTION_EDGE,
    .gives = PVG_HOLDS_GRAPH,
    .can = PVGI_CAN_SETS,
    .options = response_options,
    .bytes = sizeof(pvg_response_config),
    .make = make_response};

static const pvgi_option lapgraph_options[] = {
    PVGI_OPTION(pvg_lapgraph_config, count_share, 0, 1, PVGI_OPEN, "in (0, 1)",
                "count-share", 0.01, "share of epsilon for the number of edges"),
    OPTION_EDGE_LIMIT(pvg_lapgraph_config), PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_lapgraph = {
    .kind = "lapgraph",
    .says = "A graph: the likeliest pairs, as many as a noisy number of edges",
    .claim = "perturb.lapgraph",
    .frame = PVGI_FRAME_PERTURBED,
    .reads = PVGI_PART_EDGES,
    .notions = 1u << PVG_NOTION_EDGE,
    .gives = PVG_HOLDS_GRAPH,
    .can = PVGI_CAN_SETS,
    .options = lapgraph_options,
    .bytes = sizeof(pvg_lapgraph_config),
    .make = make_lapgraph};

/* --- lists ------------------------------------------------------------------------- */

MAKE(make_dprr, pvg_dprr_config, pvgi_perturb_new_dprr)
MAKE(make_blink, pvg_blink_config, pvgi_perturb_new_blink)
MAKE(make_labels, pvg_labels_config, pvgi_perturb_new_labels)
MAKE(make_subset, pvg_lists_config, pvgi_perturb_new_subset)

static const pvgi_option dprr_options[] = {
    PVGI_OPTION_CHOICE(pvg_dprr_config, reports, "reports", "owned|half|published",
                       "what users report: lists of edges they own, with their degrees "
                       "in them or in the whole list, or whole lists"),
    PVGI_OPTION_CHOICE(pvg_dprr_config, split, "split", "share|balanced",
                       "how epsilon is split between degrees and lists"),
    PVGI_OPTION_WORD(pvg_dprr_config, degree_share, 0, 1, PVGI_OPEN_HIGH, "in (0, 1)",
                     "degree-share", "auto", 0,
                     "share of epsilon for degrees; auto: 0.1, as published"),
    OPTION_EDGE_LIMIT(pvg_dprr_config), PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_dprr = {
    .kind = "dprr",
    .says = "A graph: lists by randomised response, thinned to a noisy degree",
    .claim = "perturb.dprr",
    .frame = PVGI_FRAME_PERTURBED,
    .reads = PVGI_PART_EDGES,
    .notions = 1u << PVG_NOTION_EDGE | 1u << PVG_NOTION_RELATIONSHIP,
    .gives = PVG_HOLDS_GRAPH | PVG_HOLDS_LISTS,
    .can = PVGI_CAN_SETS,
    .options = dprr_options,
    .bytes = sizeof(pvg_dprr_config),
    .make = make_dprr};

static const pvgi_option blink_options[] = {
    PVGI_OPTION_CHOICE(pvg_blink_config, reports, "reports", "owned|published",
                       "one answer about each pair, or one of each end"),
    PVGI_OPTION(pvg_blink_config, degree_share, 0, 1, PVGI_OPEN, "in (0, 1)",
                "degree-share", 0.1, "share of epsilon for degrees"),
    OPTION_EDGE_LIMIT(pvg_blink_config), PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_blink = {
    .kind = "blink",
    .says = "A graph: pairs that noisy answers and degrees make likely",
    .claim = "perturb.blink",
    .frame = PVGI_FRAME_PERTURBED,
    .reads = PVGI_PART_EDGES,
    .notions = 1u << PVG_NOTION_RELATIONSHIP,
    .gives = PVG_HOLDS_GRAPH,
    .can = PVGI_CAN_SETS,
    .options = blink_options,
    .bytes = sizeof(pvg_blink_config),
    .make = make_blink};

#define LISTS_NOTIONS (1u << PVG_NOTION_EDGE_SET_LDP | 1u << PVG_NOTION_SWITCH)
#define LISTS_HELP    "an edge is in the list of its lower end, or in both"

static const pvgi_option subset_options[] = {
    PVGI_OPTION_CHOICE(pvg_lists_config, lists, "lists", "owned|whole", LISTS_HELP),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_subset = {
    .kind = "subset",
    .says = "Lists: each becomes a set of the same size, likelier the more entries stay",
    .claim = "perturb.subset",
    .frame = PVGI_FRAME_PERTURBED,
    .reads = PVGI_PART_EDGES,
    .notions = LISTS_NOTIONS,
    .gives = PVG_HOLDS_LISTS,
    .can = PVGI_CAN_SETS,
    .options = subset_options,
    .bytes = sizeof(pvg_lists_config),
    .make = make_subset};

typedef struct {
    pvg_slots_config config;
    int32_t kernel; /* 0: as the arrays say, else 1 + PVG_SLOTS_KERNEL_* */
} slots_settings;

static int32_t make_slots(void **out, const char *name, void *settings,
                          const pvg_arguments *a, const pvg_target *target,
                          const pvg_run *run) {
    slots_settings *s = settings;
    (void)run;
    s->config.size = sizeof s->config;
    s->config.order = a->order;
    if (s->kernel == 0)
        s->kernel = 1 + (a->similarities ? PVG_SLOTS_KERNEL_SIMILARITY
                         : a->groups     ? PVG_SLOTS_KERNEL_BLOCKS
                                         : PVG_SLOTS_KERNEL_UNIFORM);
    s->config.kernel = s->kernel - 1;
    return pvgi_perturb_new_slots((pvg_perturber **)out, name, &s->config, target,
                                  a->groups, a->similarities);
}

static const pvgi_option slots_options[] = {
    PVGI_OPTION_CHOICE(slots_settings, config.lists, "lists", "owned|whole", LISTS_HELP),
    PVGI_OPTION_CHOICE(slots_settings, kernel, "kernel", "auto|uniform|blocks|similarity",
                       "what replaces an entry; auto: as the arrays say"),
    PVGI_OPTION_CHOICE(slots_settings, config.repeats, "repeats", "keep|drop|redraw",
                       "what happens to repeated entries"),
    PVGI_OPTION(slots_settings, config.node_epsilon, 0, 0x1p1000, PVGI_CLOSED,
                "a number of at least 0", "node-epsilon", 0,
                "blocks: epsilon of the node inside its block"),
    PVGI_OPTION_FLAG(slots_settings, config.by_size, "by-size",
                     "blocks: whoever leaves draws among all nodes outside"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_slots = {
    .kind = "slots",
    .says =
        "Lists: each entry is replaced for itself, by any node, within public groups, "
        "or by a similar one",
    .claim = "perturb.slots",
    .frame = PVGI_FRAME_PERTURBED,
    .reads = PVGI_PART_EDGES,
    .takes = PVGI_TAKES_GROUPS | PVGI_TAKES_SIMILARITIES,
    .notions = LISTS_NOTIONS,
    .gives = PVG_HOLDS_LISTS,
    .can = PVGI_CAN_SETS | PVGI_NEEDS_ORDER,
    .options = slots_options,
    .bytes = sizeof(slots_settings),
    .make = make_slots};

/* --- as published ------------------------------------------------------------------ */

static int32_t make_privatizer(void **out, const char *name, void *settings,
                               const pvg_arguments *a, const pvg_target *target,
                               const pvg_run *run) {
    pvg_graphprivatizer_config *c = settings;
    (void)a, (void)run;
    c->size = sizeof *c;
    return pvgi_perturb_new_graphprivatizer((pvg_perturber **)out, name, c, target, NULL);
}

static const pvgi_option privatizer_options[] = {
    PVGI_OPTION_CHOICE(pvg_graphprivatizer_config, strategy, "strategy",
                       "most-similar|threshold", "GP-m or GP-t"),
    PVGI_OPTION_CHOICE(pvg_graphprivatizer_config, similarity, "similarity",
                       "cosine|euclidean", "of features"),
    PVGI_OPTION(pvg_graphprivatizer_config, alpha, 0, 1, PVGI_CLOSED, "in [0, 1]",
                "alpha", 0, "share of the mean of the neighbours' features"),
    PVGI_OPTION(pvg_graphprivatizer_config, threshold, -1, 1, PVGI_CLOSED, "in [-1, 1]",
                "threshold", 0, "least similarity of a candidate"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_graphprivatizer = {
    .kind = "graphprivatizer",
    .says = "GraphPrivatizer as published, for comparison: nothing is promised",
    .claim = "perturb.graphprivatizer",
    .frame = PVGI_FRAME_PERTURBED,
    .reads = PVGI_PART_EDGES | PVGI_PART_FEATURES,
    .notions = 1u << PVG_NOTION_EDGE_SET_LDP,
    .gives = PVG_HOLDS_LISTS,
    .can = PVGI_READS_OPEN,
    .options = privatizer_options,
    .bytes = sizeof(pvg_graphprivatizer_config),
    .make = make_privatizer};

/* --- features and labels ----------------------------------------------------------- */

typedef struct {
    pvg_features_config config;
    double low, high;
} features_settings;

static int32_t make_features(void **out, const char *name, void *settings,
                             const pvg_arguments *a, const pvg_target *target,
                             const pvg_run *run) {
    features_settings *s = settings;
    (void)run;
    s->config.size = sizeof s->config;
    s->config.ranges = a->low ? a->ranges : 1;
    return pvgi_perturb_new_features((pvg_perturber **)out, name, &s->config, target,
                                     a->low ? a->low : &s->low,
                                     a->high ? a->high : &s->high);
}

static const pvgi_option features_options[] = {
    PVGI_OPTION_CHOICE(features_settings, config.method, "method",
                       "multibit|one-bit|noise",
                       "a few columns of each user by one random bit each, all columns, "
                       "or noise on every number"),
    PVGI_OPTION(features_settings, config.columns, 1, PVG_MECHANISM_DIMENSION_MAX,
                PVGI_CLOSED, "in [1, 2^24]: it must be given", "columns", 0,
                "number of features; public"),
    PVGI_OPTION(features_settings, low, -0x1p1000, 0x1p1000, PVGI_CLOSED, "a number",
                "low", 0, "public lower end of every column, without the array"),
    PVGI_OPTION(features_settings, high, -0x1p1000, 0x1p1000, PVGI_CLOSED, "a number",
                "high", 1, "public upper end of every column, without the array"),
    PVGI_OPTION_WORD(features_settings, config.sampled, 0, PVG_MECHANISM_DIMENSION_MAX,
                     PVGI_CLOSED, "in [1, columns]", "sampled", "auto", 0,
                     "multibit: columns that each user reports"),
    PVGI_OPTION_FLAG(features_settings, config.refuse, "refuse",
                     "refuse a value outside its range, which tells that there is one"),
    PVGI_OPTION_FLAG(features_settings, config.sparse, "sparse",
                     "bits: give differences to the middle of the range that are not 0"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_features = {
    .kind = "features",
    .says = "The features of each user, by random bits or with noise",
    .claim = "perturb.features",
    .frame = PVGI_FRAME_PERTURBED,
    .reads = PVGI_PART_FEATURES,
    .takes = PVGI_TAKES_RANGES,
    .notions = 1u << PVG_NOTION_FEATURE_LDP,
    .laws = 1u << PVG_NOISE_LAPLACE | 1u << PVG_NOISE_GAUSSIAN |
            1u << PVG_NOISE_DISCRETE_GAUSSIAN | 1u << PVG_NOISE_STAIRCASE,
    .gives = PVG_HOLDS_NUMBERS | PVG_HOLDS_FEATURES,
    .options = features_options,
    .bytes = sizeof(features_settings),
    .make = make_features};

static const pvgi_option labels_options[] = {
    PVGI_OPTION(pvg_labels_config, classes, 2, INT32_MAX, PVGI_CLOSED,
                "in [2, 2^31): it must be given", "classes", 0,
                "number of classes; public"),
    PVGI_OPTION_FLAG(pvg_labels_config, refuse, "refuse",
                     "refuse a label that is no class, which tells that there is one"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_labels = {
    .kind = "labels",
    .says = "The label of each user, by randomised response over the classes",
    .claim = "perturb.labels",
    .frame = PVGI_FRAME_PERTURBED,
    .reads = PVGI_PART_LABELS,
    .notions = 1u << PVG_NOTION_LABEL_LDP,
    .gives = PVG_HOLDS_LABELS,
    .options = labels_options,
    .bytes = sizeof(pvg_labels_config),
    .make = make_labels};
