/* Kinds that give numbers about a graph: their words, options and arguments. The
 * mechanisms are in module statistic. */
#include "query_internal.h"

#include <string.h>

#define EDGE_LEVEL (1u << PVG_NOTION_EDGE)
#define JOINT_LAWS                                                                       \
    (1u << PVG_NOISE_LAPLACE | 1u << PVG_NOISE_GAUSSIAN |                                \
     1u << PVG_NOISE_DISCRETE_GAUSSIAN)
#define PURE (1u << PVG_NOISE_LAPLACE)

/* Numbers of groups follow from the array where they are not told. */
static int64_t count_of(const int32_t *values, int64_t order, int64_t told) {
    int64_t most = 0;
    if (told > 0 || !values) return told;
    for (int64_t v = 0; v < order; v++)
        if (values[v] >= most) most = (int64_t)values[v] + 1;
    return most > 0 ? most : 1;
}

/* --- edge histogram ---------------------------------------------------------------- */

static int32_t make_histogram(void **out, const char *name, void *settings,
                              const pvg_arguments *a, const pvg_target *target,
                              const pvg_run *run) {
    pvg_histogram_config *c = settings;
    const pvg_histogram_nodes nodes = {.size = sizeof nodes,
                                       .priorities = a->priorities,
                                       .kinds = a->kinds,
                                       .groups = a->groups,
                                       .weights = a->weights};
    (void)run;
    c->size = sizeof *c;
    c->order = a->order;
    if (a->weights) {
        PVGI_REQUIRE(a->weight_rows == a->order,
                     "%s: weights have %lld rows for %lld nodes", name,
                     (long long)a->weight_rows, (long long)a->order);
        PVGI_REQUIRE(c->kinds == 0 || c->kinds == a->weight_columns,
                     "%s: kinds is %lld, weights have %lld columns", name,
                     (long long)c->kinds, (long long)a->weight_columns);
        c->kinds = a->weight_columns;
    }
    c->kinds = count_of(a->kinds, a->order, c->kinds);
    if (c->kinds == 0) c->kinds = 1;
    c->groups = count_of(a->groups, a->order, c->groups);
    return pvgi_statistic_new_histogram((pvg_statistic **)out, name, c, target, &nodes);
}

static const pvgi_option histogram_options[] = {
    PVGI_OPTION_CHOICE(
        pvg_histogram_config, cells, "cells", "received|between|both-ways",
        "which cells an edge counts in: of the group that receives and the "
        "kind that sends, of two kinds, or of both ends"),
    PVGI_OPTION_WORD(pvg_histogram_config, kinds, 0, INT32_MAX, PVGI_CLOSED,
                     "in [1, 2^31)", "kinds", "auto", 0, "kinds of nodes"),
    PVGI_OPTION_WORD(pvg_histogram_config, groups, 0, INT32_MAX, PVGI_CLOSED,
                     "in [1, 2^31)", "groups", "auto", 0,
                     "groups of nodes; without the array each node is one"),
    PVGI_OPTION_WORD(pvg_histogram_config, grid, 0, 0x1p40, PVGI_CLOSED, "a power of two",
                     "grid", "auto", 0, "what weights are rounded to"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_edge_histogram = {
    .kind = "edge-histogram",
    .says =
        "How many edges there are in each public cell, a cell for every pair of nodes",
    .claim = "release.histogram",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .takes =
        PVGI_TAKES_KINDS | PVGI_TAKES_GROUPS | PVGI_TAKES_PRIORITIES | PVGI_TAKES_WEIGHTS,
    .notions = EDGE_LEVEL,
    .laws = JOINT_LAWS,
    .law = PVG_NOISE_LAPLACE,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_CAN_SETS | PVGI_CAN_JOIN | PVGI_NEEDS_ORDER | PVGI_CAN_PARTS,
    .options = histogram_options,
    .bytes = sizeof(pvg_histogram_config),
    .make = make_histogram};

/* --- degrees ----------------------------------------------------------------------- */

enum { RANKS_OF_ANY = 32 };

static int32_t make_degrees(void **out, const char *name, void *settings,
                            const pvg_arguments *a, const pvg_target *target,
                            const pvg_run *run) {
    pvg_degrees_config *c = settings;
    (void)run;
    c->size = sizeof *c;
    c->order = a->order;
    c->groups = count_of(a->groups, a->order, c->groups);
    if (c->ranks < 0 && c->order == 0) c->ranks = RANKS_OF_ANY;
    return pvgi_statistic_new_degrees((pvg_statistic **)out, name, c, target, a->groups);
}

static const pvgi_option degrees_options[] = {
    PVGI_OPTION(pvg_degrees_config, levels, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)",
                "levels", 32, "J: nodes with degree 1, ..., J or more are counted"),
    {PVGI_FIELD(pvg_degrees_config, ranks, -1, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
     "ranks", NULL, "all", -1, -1,
     "R: so many of the largest degrees, how far they exceed J; all: of every node, and "
     "32 where the query is for any number of nodes"},
    PVGI_OPTION_WORD(pvg_degrees_config, groups, 0, INT32_MAX, PVGI_CLOSED,
                     "in [1, 2^31)", "groups", "auto", 0,
                     "groups of nodes, a row each; without the array there is one"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_degrees = {
    .kind = "degrees",
    .says = "The degree distribution: levels, ranks and the rest, a row for each group",
    .claim = "release.degrees",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .takes = PVGI_TAKES_GROUPS,
    .notions = EDGE_LEVEL,
    .laws = JOINT_LAWS,
    .law = PVG_NOISE_LAPLACE,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_CAN_SETS | PVGI_CAN_JOIN | PVGI_CAN_PARTS,
    .options = degrees_options,
    .bytes = sizeof(pvg_degrees_config),
    .make = make_degrees};

/* --- triangles and stars ----------------------------------------------------------- */

/* Without the bound their error bars are the whole range. */
#define BOUND_SHARE(config, of)                                                          \
    PVGI_OPTION(config, bound_share, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)", "bound-share",   \
                0.1,                                                                     \
                "share of epsilon for a noisy " of ", which error bars need; 0: none")

static int32_t make_triangles(void **out, const char *name, void *settings,
                              const pvg_arguments *a, const pvg_target *target,
                              const pvg_run *run) {
    pvg_triangles_config *c = settings;
    (void)run;
    c->size = sizeof *c;
    c->order = a->order;
    return pvgi_statistic_new_triangles((pvg_statistic **)out, name, c, target);
}

static const pvgi_option triangles_options[] = {
    PVGI_OPTION(pvg_triangles_config, floor, 1, INT32_MAX, PVGI_CLOSED, "in [1, 2^31)",
                "least-common", PVGI_LADDER_FLOOR,
                "common neighbours that noise is made for at least"),
    BOUND_SHARE(pvg_triangles_config, "common neighbours"), PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_triangles = {
    .kind = "triangles",
    .says =
        "The number of triangles; noise follows common neighbours, its size is private",
    .claim = "release.ladder",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .notions = EDGE_LEVEL,
    .laws = PURE,
    .law = PVG_NOISE_LAPLACE,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_CAN_SETS | PVGI_CAN_JOIN,
    .options = triangles_options,
    .bytes = sizeof(pvg_triangles_config),
    .make = make_triangles};

static int32_t make_stars(void **out, const char *name, void *settings,
                          const pvg_arguments *a, const pvg_target *target,
                          const pvg_run *run) {
    pvg_stars_config *c = settings;
    (void)run;
    c->size = sizeof *c;
    c->order = a->order;
    return pvgi_statistic_new_stars((pvg_statistic **)out, name, c, target);
}

static const pvgi_option stars_options[] = {
    PVGI_OPTION(pvg_stars_config, leaves, 2, 3, PVGI_CLOSED, "2 or 3", "leaves", 2,
                "leaves of a star"),
    PVGI_OPTION(pvg_stars_config, floor, 1, INT32_MAX, PVGI_CLOSED, "in [1, 2^31)",
                "least-degree", PVGI_STARS_FLOOR,
                "degree that noise is made for at least"),
    BOUND_SHARE(pvg_stars_config, "the largest degree"), PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_stars = {
    .kind = "stars",
    .says = "The number of stars; noise follows the two largest degrees, its size is "
            "private",
    .claim = "release.stars",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .notions = EDGE_LEVEL,
    .laws = PURE,
    .law = PVG_NOISE_LAPLACE,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_CAN_SETS | PVGI_CAN_JOIN,
    .options = stars_options,
    .bytes = sizeof(pvg_stars_config),
    .make = make_stars};

/* --- single numbers ---------------------------------------------------------------- */

typedef struct {
    const char *list;
} scalars_settings;

/* Words between commas to PVG_SCALAR_*; -1: one is unknown, too many, or twice. */
static int64_t read_scalars(int32_t out[PVG_SCALARS_MAX], const char *list,
                            const char *name) {
    int64_t count = 0;
    for (const char *at = list; *at;) {
        const size_t length = strcspn(at, ",");
        int32_t scalar = 1;
        const char *word;
        while ((word = pvgi_statistic_scalar_name(scalar)) != NULL &&
               (strlen(word) != length || strncmp(word, at, length) != 0))
            scalar++;
        bool twice = false;
        for (int64_t i = 0; i < count; i++) twice = twice || out[i] == scalar;
        if (!word || twice || count == PVG_SCALARS_MAX) {
            pvgi_fail(PVG_E_ARGUMENT, "%s: list: '%.*s' %s", name,
                      (int)(length < 40 ? length : 40), at,
                      twice  ? "is given twice"
                      : word ? "is one too many"
                             : "is none of edges, components, cycle-rank, "
                               "largest-degree, degeneracy, radius, isolated, leaves");
            return -1;
        }
        out[count++] = scalar;
        at += length + (at[length] == ',');
    }
    return count;
}

static int32_t make_scalars(void **out, const char *name, void *settings,
                            const pvg_arguments *a, const pvg_target *target,
                            const pvg_run *run) {
    const scalars_settings *s = settings;
    int32_t scalars[PVG_SCALARS_MAX];
    (void)run;
    const int64_t count = read_scalars(scalars, s->list, name);
    if (count < 0) return PVG_E_ARGUMENT;
    const pvg_scalars_config c = {.size = sizeof c, .order = a->order, .count = count};
    PVGI_REQUIRE(!a->weights || (a->weight_rows == 1 && a->weight_columns == count),
                 "%s: weights are not one row with a share for each number", name);
    return pvgi_statistic_new_scalars((pvg_statistic **)out, name, &c, target, scalars,
                                      a->weights);
}

static const pvgi_option scalars_options[] = {
    PVGI_OPTION_TEXT(scalars_settings, list, "list",
                     "words with commas: edges, components, cycle-rank, largest-degree, "
                     "degeneracy, radius, isolated, leaves",
                     "which numbers"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_scalars = {
    .kind = "scalars",
    .says = "Single numbers that an edge moves by one or two, under one budget",
    .claim = "release.scalars",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .takes = PVGI_TAKES_WEIGHTS,
    .notions = EDGE_LEVEL,
    .laws = PURE,
    .law = PVG_NOISE_LAPLACE,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_CAN_SETS | PVGI_CAN_JOIN,
    .options = scalars_options,
    .bytes = sizeof(scalars_settings),
    .make = make_scalars};

/* --- spectra ----------------------------------------------------------------------- */

static int32_t make_spectrum(void **out, const char *name, void *settings,
                             const pvg_arguments *a, const pvg_target *target,
                             const pvg_run *run) {
    (void)settings, (void)run;
    return pvgi_statistic_new_spectrum((pvg_statistic **)out, name, a->order, target);
}

const pvgi_kind pvgi_query_kind_spectrum = {
    .kind = "spectrum",
    .says = "All adjacency eigenvalues, from the largest",
    .claim = "release.spectrum",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .notions = EDGE_LEVEL,
    .laws = PURE,
    .law = PVG_NOISE_LAPLACE,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_CAN_SETS | PVGI_CAN_JOIN | PVGI_NEEDS_ORDER,
    .make = make_spectrum};

/* --- what synthetic graphs are made from ------------------------------------------- */

static int32_t make_synthesis(void **out, const char *name, void *settings,
                              const pvg_arguments *a, const pvg_target *target,
                              const pvg_run *run) {
    pvg_synthesis_config *c = settings;
    (void)run;
    c->size = sizeof *c;
    c->order = a->order;
    c->blocks = count_of(a->groups, a->order, c->blocks);
    return pvgi_statistic_new_synthesis((pvg_statistic **)out, name, c, target,
                                        a->groups);
}

#define SHARE(field, name, of)                                                           \
    PVGI_OPTION_WORD(pvg_synthesis_config, field, 0, 1, PVGI_CLOSED, "in [0, 1]", name,  \
                     "auto", 0, "share of epsilon: " of)
static const pvgi_option synthesis_options[] = {
    PVGI_OPTION_WORD(pvg_synthesis_config, blocks, 0, 4096, PVGI_CLOSED, "in [1, 4096]",
                     "groups", "auto", 0, "blocks of nodes; without the array one"),
    PVGI_OPTION(pvg_synthesis_config, levels, 1, INT32_MAX, PVGI_CLOSED, "in [1, 2^31)",
                "levels", 96, "degrees up to this are counted by levels"),
    PVGI_OPTION_WORD(pvg_synthesis_config, floor, 0, INT32_MAX, PVGI_CLOSED,
                     "in [1, 2^31)", "least-common", "auto", 0,
                     "triangles: common neighbours that noise is made for at least"),
    SHARE(degrees_share, "degrees-share", "degrees; auto: 0.29, with blocks 0.47"),
    SHARE(between_share, "between-share",
          "edges between blocks; auto: 0.08 or 0.5, with blocks 0.16"),
    SHARE(triangles_share, "triangles-share",
          "triangles; auto: 0.56 or 0.14, with blocks 0.32"),
    PVGI_OPTION(pvg_synthesis_config, assortativity_share, 0, 1, PVGI_CLOSED, "in [0, 1]",
                "assortativity-share", 0.05,
                "share of epsilon: which degrees meet at edges; 0: not asked for"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_synthesis = {
    .kind = "synthesis",
    .says = "Degrees, edges between blocks, triangles, assortativity: what a synthetic "
            "graph is made from",
    .claim = "release.synthesis",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .takes = PVGI_TAKES_GROUPS,
    .notions = EDGE_LEVEL,
    .laws = PURE,
    .law = PVG_NOISE_LAPLACE,
    .gives = PVG_HOLDS_NUMBERS,
    .can = PVGI_CAN_SETS | PVGI_NEEDS_ORDER,
    .options = synthesis_options,
    .bytes = sizeof(pvg_synthesis_config),
    .make = make_synthesis};
