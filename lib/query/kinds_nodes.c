/* Kinds that hide a whole node: their words, options and arguments. The mechanisms are in
 * module statistic. */
#include "query_internal.h"

#include <stdio.h>
#include <string.h>

#define NODE_LEVEL (1u << PVG_NOTION_NODE)
#define PURE       (1u << PVG_NOISE_LAPLACE)
#define KEY(type)                                                                        \
    PVGI_OPTION(type, key, 0, 0x1p53, PVGI_CLOSED, "in [0, 2^53]", "key", 0,             \
                "of the public order in which edges are walked")
#define MOST(type)                                                                       \
    PVGI_OPTION_WORD(type, most, 0, INT32_MAX, PVGI_CLOSED, "in [1, 2^31)", "max-cap",   \
                     "any", 0,                                                           \
                     "largest cap to choose from, such as one that was promised; "       \
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
    .can = PVGI_CAN_SETS | PVGI_CAN_PARTS,
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
    .can = PVGI_NEEDS_ORDER | PVGI_CAN_PARTS,
    .options = bands_options,
    .bytes = sizeof(pvgi_bands_config),
    .make = make_bands};

/* --- triangles --------------------------------------------------------------------- */

static int32_t make_triangles(void **out, const char *name, void *settings,
                              const pvg_arguments *a, const pvg_target *target,
                              const pvg_run *run) {
    pvgi_capped_triangles_config *c = settings;
    (void)run;
    c->order = a->order;
    return pvgi_statistic_capped_triangles_new((pvg_statistic **)out, name, c, target);
}

static const pvgi_option triangles_options[] = {MOST(pvgi_capped_triangles_config),
                                                PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_capped_triangles = {
    .kind = "capped-triangles",
    .says = "How many triangles there are if no node may be in more than a cap, and the "
            "cap: hides a whole node",
    .claim = "release.capped-triangles",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .notions = NODE_LEVEL,
    .laws = PURE,
    .law = PVG_NOISE_LAPLACE,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_NEEDS_ORDER,
    .options = triangles_options,
    .bytes = sizeof(pvgi_capped_triangles_config),
    .make = make_triangles};

/* --- single numbers ---------------------------------------------------------------- */

typedef struct {
    const char *list;
    int64_t key;
} node_scalars_settings;

static int32_t make_node_scalars(void **out, const char *name, void *settings,
                                 const pvg_arguments *a, const pvg_target *target,
                                 const pvg_run *run) {
    const node_scalars_settings *c = settings;
    pvgi_node_scalar list[PVGI_NODE_SCALARS_MAX];
    int64_t count = 0;
    (void)run;
    for (const char *at = c->list; *at;) {
        const size_t length = strcspn(at, ",");
        const int shown = (int)(length < 40 ? length : 40);
        PVGI_REQUIRE(count < PVGI_NODE_SCALARS_MAX, "%s: list: '%.*s' is one too many",
                     name, shown, at);
        PVGI_REQUIRE(pvgi_statistic_node_scalar(&list[count], at, length),
                     "%s: list: '%.*s' is none of matching, fractional-matching, "
                     "degeneracy, h-index, rank1, rank2, ...",
                     name, shown, at);
        for (int64_t i = 0; i < count; i++)
            PVGI_REQUIRE(list[i].what != list[count].what ||
                             list[i].slant != list[count].slant,
                         "%s: list: '%.*s' is given twice", name, shown, at);
        count++;
        at += length + (at[length] == ',');
    }
    PVGI_REQUIRE(count > 0, "%s: list is empty", name);
    return pvgi_statistic_node_scalars_new((pvg_statistic **)out, name, list, count,
                                           c->key, a->order, target);
}

static const pvgi_option node_scalars_options[] = {
    PVGI_OPTION_TEXT(node_scalars_settings, list, "list",
                     "words with commas: matching, fractional-matching, degeneracy, "
                     "h-index, rank1, rank2, ...",
                     "which numbers; rank2: the largest k such that k nodes have degree "
                     "2 + k or more"),
    KEY(node_scalars_settings), PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_node_scalars = {
    .kind = "node-scalars",
    .says = "Single numbers that a whole node moves by at most one, under one budget",
    .claim = "release.node-scalars",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .notions = NODE_LEVEL,
    .laws = PURE | 1u << PVG_NOISE_GAUSSIAN | 1u << PVG_NOISE_DISCRETE_GAUSSIAN,
    .law = PVG_NOISE_LAPLACE,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_CAN_SETS,
    .options = node_scalars_options,
    .bytes = sizeof(node_scalars_settings),
    .make = make_node_scalars};

/* --- ratios by groups --------------------------------------------------------------- */

typedef struct {
    const char *ratio;
    pvgi_ratio_config c;
} ratio_settings;

/* "homophily", "transitivity", "mixing:0-1", "density:triangle". */
static int32_t read_ratio(pvgi_ratio_config *c, pvg_patterns **pattern, const char *text,
                          const char *name) {
    int first, second, end = 0;
    if (strcmp(text, "homophily") == 0) {
        c->ratio = PVGI_RATIO_HOMOPHILY;
    } else if (strcmp(text, "transitivity") == 0) {
        c->ratio = PVGI_RATIO_TRANSITIVITY;
    } else if (strncmp(text, "density:", 8) == 0) {
        c->ratio = PVGI_RATIO_DENSITY;
        PVGI_TRY(pvg_patterns_from_names(pattern, text + 8));
        PVGI_REQUIRE((*pattern)->count == 1, "%s: ratio: one pattern, not %lld", name,
                     (long long)(*pattern)->count);
    } else {
        PVGI_REQUIRE(sscanf(text, "mixing:%9d-%9d%n", &first, &second, &end) == 2 &&
                         text[end] == 0 && first >= 0 && second >= 0,
                     "%s: ratio: '%.40s' is none of homophily, transitivity, mixing:A-B, "
                     "density:PATTERN",
                     name, text);
        c->ratio = PVGI_RATIO_MIXING;
        c->first = first;
        c->second = second;
    }
    return PVG_OK;
}

static int32_t make_ratio(void **out, const char *name, void *settings,
                          const pvg_arguments *a, const pvg_target *target,
                          const pvg_run *run) {
    ratio_settings *s = settings;
    pvg_patterns *pattern = NULL;
    (void)run;
    s->c.order = a->order;
    int32_t status = read_ratio(&s->c, &pattern, s->ratio, name);
    if (status == PVG_OK)
        status = pvgi_statistic_ratio_new((pvg_statistic **)out, name, &s->c, target,
                                          a->groups, pattern);
    pvg_patterns_free(pattern);
    return status;
}

static const pvgi_option ratio_options[] = {
    PVGI_OPTION_TEXT(ratio_settings, ratio, "ratio",
                     "homophily, transitivity, mixing:A-B (two classes), density:PATTERN",
                     "what is asked of each part of the nodes; classes are the array "
                     "groups"),
    PVGI_OPTION_WORD(ratio_settings, c.groups, 0, 1 << 20, PVGI_CLOSED, "in [1, 2^20]",
                     "parts", "auto", 0,
                     "public random parts of the nodes, at least 8 if auto; of edges (by "
                     "classes): 30 / epsilon, of 190 nodes or more; else 20 / epsilon, "
                     "of 380 or more"),
    PVGI_OPTION(ratio_settings, c.steps, 1, 1 << 20, PVGI_CLOSED, "in [1, 2^20]", "steps",
                1000, "points of the grid from 0 to high"),
    PVGI_OPTION(ratio_settings, c.high, 0, 0x1p30, PVGI_OPEN_LOW, "a positive number",
                "high", 1, "upper end of the range; larger values count as this"),
    PVGI_OPTION(ratio_settings, c.fallback, 0, 0x1p30, PVGI_CLOSED,
                "a number of at least 0", "fallback", 0,
                "value of a part that has no edges"),
    PVGI_OPTION(ratio_settings, c.key, 0, 0x1p53, PVGI_CLOSED, "in [0, 2^53]", "key", 0,
                "of the public parts"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_group_ratio = {
    .kind = "group-ratio",
    .says = "A ratio as the private median over public parts of the nodes: homophily, "
            "transitivity, mixing, density of a pattern; hides a whole node",
    .claim = "release.group-ratio",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .takes = PVGI_TAKES_GROUPS,
    .notions = NODE_LEVEL,
    .laws = PURE,
    .law = PVG_NOISE_LAPLACE,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_NEEDS_ORDER,
    .options = ratio_options,
    .bytes = sizeof(ratio_settings),
    .make = make_ratio};
