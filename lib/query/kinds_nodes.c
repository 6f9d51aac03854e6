/* Kinds that hide a whole node: their words, options and arguments. The mechanisms are in
 * module statistic. */
#include "query_internal.h"

#include <string.h>

#define NODE_LEVEL (1u << PVG_NOTION_NODE)
#define PURE       (1u << PVG_NOISE_LAPLACE)
#define KEY(type)                                                                        \
    PVGI_OPTION(type, key, 0, 0x1p53, PVGI_CLOSED, "in [0, 2^53]", "key", 0,             \
                "of the public order in which edges are walked")
#define MOST(type)                                                                       \
    PVGI_OPTION_WORD(type, most, 0, INT32_MAX, PVGI_CLOSED, "in [1, 2^31)", "max-cap",   \
                     "any", 0,                                                           \
                     "largest cap to choose from, such as a degree that was promised; "  \
                     "what is promised to nodes does not rest on it")

/* --- edges ------------------------------------------------------------------------- */

static int32_t make_capped(void **out, const char *name, void *settings,
                           const pvg_arguments *a, const pvg_target *target,
                           const pvg_run *run) {
    pvgi_capped_config *c = settings;
    (void)run;
    c->order = a->order;
    c->classes = 1;
    for (int64_t v = 0; a->groups && v < a->order; v++)
        if (a->groups[v] >= c->classes) c->classes = (int64_t)a->groups[v] + 1;
    PVGI_REQUIRE(c->classes <= 1024, "%s: groups has %lld classes, more than 1024", name,
                 (long long)c->classes);
    PVGI_REQUIRE(!a->groups || c->cells != PVGI_CAP_ALL,
                 "%s: groups are for cells=within or cells=blocks", name);
    return pvgi_statistic_capped_new((pvg_statistic **)out, name, c, target, a->groups);
}

static const pvgi_option capped_options[] = {
    PVGI_OPTION_WORD(pvgi_capped_config, cap, 0, INT32_MAX, PVGI_CLOSED, "in [1, 2^31)",
                     "cap", "auto", 0,
                     "most edges that are kept of a node, noise grows with it; auto: "
                     "drawn privately, together with the count"),
    MOST(pvgi_capped_config), KEY(pvgi_capped_config),
    PVGI_OPTION_CHOICE(pvgi_capped_config, cells, "cells", "all|within|blocks",
                       "rows: all edges; within and between classes; every two classes "
                       "(0-0, 0-1, ..., 1-1, ...)"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_capped_edges = {
    .kind = "capped-edges",
    .says = "How many edges a greedy cap on degrees keeps, and the cap: hides a whole "
            "node",
    .claim = "release.capped-edges",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .takes = PVGI_TAKES_GROUPS,
    .notions = NODE_LEVEL,
    .laws = PURE | 1u << PVG_NOISE_GAUSSIAN | 1u << PVG_NOISE_DISCRETE_GAUSSIAN,
    .law = PVG_NOISE_LAPLACE,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_CAN_SETS,
    .options = capped_options,
    .bytes = sizeof(pvgi_capped_config),
    .make = make_capped};

/* --- degrees ----------------------------------------------------------------------- */

static int32_t make_bands(void **out, const char *name, void *settings,
                          const pvg_arguments *a, const pvg_target *target,
                          const pvg_run *run) {
    pvgi_bands_config *c = settings;
    (void)run;
    c->order = a->order;
    return pvgi_statistic_bands_new((pvg_statistic **)out, name, c, target);
}

static const pvgi_option bands_options[] = {
    MOST(pvgi_bands_config), KEY(pvgi_bands_config),
    PVGI_OPTION(pvgi_bands_config, share, 0.01, 0.99, PVGI_CLOSED, "in [0.01, 0.99]",
                "cap-share", 0.35, "share of epsilon: the choice of the cap"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_capped_degrees = {
    .kind = "capped-degrees",
    .says = "The degree distribution in bands, under a cap that is chosen privately: "
            "hides a whole node",
    .claim = "release.capped-degrees",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .notions = NODE_LEVEL,
    .laws = PURE,
    .law = PVG_NOISE_LAPLACE,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_NEEDS_ORDER,
    .options = bands_options,
    .bytes = sizeof(pvgi_bands_config),
    .make = make_bands};
