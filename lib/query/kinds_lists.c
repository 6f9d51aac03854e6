/* Kinds that read lists of persons and things: their options, and what of the arguments
 * each takes. The mechanisms are statistic/list_*.c. */
#include "query_internal.h"

static pvgi_list_arrays arrays_of(const pvg_arguments *a) {
    return (pvgi_list_arrays){.order = a->order,
                              .things = a->things,
                              .thing_count = a->thing_count,
                              .weights = a->weights};
}

#define LIST_OPTIONS(type)                                                               \
    PVGI_OPTION(type, list.things, 0, INT32_MAX, PVGI_CLOSED, "in [1, 2^31)", "things",  \
                0, "how many things there are, a public number: it must be given"),      \
        PVGI_OPTION_CHOICE(type, list.absent, "notion", "replaced|absent",               \
                           "worlds that must look alike: one person has any other "      \
                           "list, or an empty one (weaker, and less noise)")
#define LIST_NOTIONS (1u << PVG_NOTION_PERSON | 1u << PVG_NOTION_PERSON_ABSENT)
#define LIST_LAWS                                                                        \
    (1u << PVG_NOISE_LAPLACE | 1u << PVG_NOISE_GAUSSIAN |                                \
     1u << PVG_NOISE_DISCRETE_GAUSSIAN)

/* --- lengths ------------------------------------------------------------------------ */

static int32_t make_lengths(void **out, const char *name, void *settings,
                            const pvg_arguments *a, const pvg_target *target,
                            const pvg_run *run) {
    const pvgi_list_arrays arrays = arrays_of(a);
    (void)run;
    return pvgi_statistic_list_lengths_new((pvg_statistic **)out, name, settings, &arrays,
                                           target);
}

static const pvgi_option lengths_options[] = {
    LIST_OPTIONS(pvgi_list_lengths),
    PVGI_OPTION_WORD(pvgi_list_lengths, longest, 0, INT32_MAX, PVGI_CLOSED,
                     "in [0, 2^31)", "longest", "things", 0,
                     "where the last band begins, which has no end"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_list_lengths = {
    .kind = "list-lengths",
    .says = "How many lists are how long: hides a whole person",
    .claim = "release.list-lengths",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_LISTS,
    .notions = LIST_NOTIONS,
    .laws = LIST_LAWS,
    .law = PVG_NOISE_LAPLACE,
    .gives = 1, /* numbers */
    .options = lengths_options,
    .bytes = sizeof(pvgi_list_lengths),
    .make = make_lengths};

/* --- top lists ---------------------------------------------------------------------- */

static int32_t make_top(void **out, const char *name, void *settings,
                        const pvg_arguments *a, const pvg_target *target,
                        const pvg_run *run) {
    const pvgi_list_arrays arrays = arrays_of(a);
    (void)run;
    return pvgi_statistic_list_top_new((pvg_statistic **)out, name, settings, &arrays,
                                       target);
}

static const pvgi_option top_options[] = {
    LIST_OPTIONS(pvgi_list_top),
    PVGI_OPTION(pvgi_list_top, top, 1, 1 << 20, PVGI_CLOSED, "in [1, 2^20]", "top", 10,
                "how many things are named"),
    PVGI_OPTION(pvgi_list_top, counts, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)", "counts", 0.2,
                "share of the budget for how many persons have each; 0: not told"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_list_top = {
    .kind = "list-top",
    .says = "The things that most persons have, in order, with counts: hides a whole "
            "person, however long the list",
    .claim = "release.list-top",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_LISTS,
    .notions = LIST_NOTIONS,
    .laws = 1u << PVG_NOISE_LAPLACE | 1u << PVG_NOISE_DISCRETE_GAUSSIAN,
    .law = PVG_NOISE_DISCRETE_GAUSSIAN,
    .gives = 1, /* numbers */
    .options = top_options,
    .bytes = sizeof(pvgi_list_top),
    .make = make_top};

/* --- rows --------------------------------------------------------------------------- */

static int32_t make_rows(void **out, const char *name, void *settings,
                         const pvg_arguments *a, const pvg_target *target,
                         const pvg_run *run) {
    const pvgi_list_rows *c = settings;
    const pvgi_list_arrays arrays = arrays_of(a);
    (void)run;
    PVGI_REQUIRE(!a->weights || a->weight_rows * a->weight_columns == c->list.things,
                 "%s: weights are %lld x %lld, not one for each thing", name,
                 (long long)a->weight_rows, (long long)a->weight_columns);
    return pvgi_statistic_list_rows_new((pvg_statistic **)out, name, c, &arrays, target);
}

#define ROW_OPTIONS                                                                      \
    LIST_OPTIONS(pvgi_list_rows),                                                        \
        PVGI_OPTION_CHOICE(pvgi_list_rows, row, "row", "clipped|kept|whole",             \
                           "what a person adds: her row scaled to a norm, its first "    \
                           "entries in a public order, or all of it"),                   \
        PVGI_OPTION(                                                                     \
            pvgi_list_rows, bound, 1, 1 << 20, PVGI_CLOSED, "in [1, 2^20]", "bound", 1,  \
            "square of the largest norm of a row, or how many entries are kept"),        \
        PVGI_OPTION(pvgi_list_rows, key, 0, 0x1p53, PVGI_CLOSED, "in [0, 2^53]", "key",  \
                    0, "of the public order in which entries are kept")

static const pvgi_option rows_options[] = {ROW_OPTIONS, PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_list_rows = {
    .kind = "list-rows",
    .says = "How many persons have each thing, lists of bounded weight: hides a whole "
            "person",
    .claim = "release.list-rows",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_LISTS,
    .takes = PVGI_TAKES_THINGS | PVGI_TAKES_WEIGHTS,
    .notions = LIST_NOTIONS,
    .laws = LIST_LAWS,
    .law = PVG_NOISE_GAUSSIAN,
    .gives = 1, /* numbers */
    .options = rows_options,
    .bytes = sizeof(pvgi_list_rows),
    .make = make_rows};

static int32_t make_groups(void **out, const char *name, void *settings,
                           const pvg_arguments *a, const pvg_target *target,
                           const pvg_run *run) {
    PVGI_REQUIRE(((const pvgi_list_rows *)settings)->groups >= 1,
                 "%s: groups must be given: how many there are, a public number", name);
    return make_rows(out, name, settings, a, target, run);
}

static const pvgi_option groups_options[] = {
    ROW_OPTIONS,
    PVGI_OPTION(pvgi_list_rows, groups, 0, 1 << 20, PVGI_CLOSED, "in [1, 2^20]", "groups",
                0, "how many groups persons are in, a public number: it must be given"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_list_groups = {
    .kind = "list-groups",
    .says = "How many persons of each group have each thing: hides a whole person, her "
            "group too",
    .claim = "release.list-rows",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_LISTS | PVGI_PART_LABELS,
    .takes = PVGI_TAKES_THINGS | PVGI_TAKES_WEIGHTS,
    .notions = LIST_NOTIONS,
    .laws = LIST_LAWS,
    .law = PVG_NOISE_GAUSSIAN,
    .gives = 1, /* numbers */
    .options = groups_options,
    .bytes = sizeof(pvgi_list_rows),
    .make = make_groups};

/* --- pairs -------------------------------------------------------------------------- */

/* The settings that all have are all it has. */
typedef struct {
    pvgi_list_settings list;
} pairs_settings;

static int32_t make_pairs(void **out, const char *name, void *settings,
                          const pvg_arguments *a, const pvg_target *target,
                          const pvg_run *run) {
    const pvgi_list_arrays arrays = arrays_of(a);
    (void)run;
    return pvgi_statistic_list_pairs_new((pvg_statistic **)out, name,
                                         &((const pairs_settings *)settings)->list,
                                         &arrays, target);
}

static const pvgi_option pairs_options[] = {LIST_OPTIONS(pairs_settings),
                                            PVGI_OPTION_END};

const pvgi_kind pvgi_query_kind_list_pairs = {
    .kind = "list-pairs",
    .says = "Which things are had together, of a public or released set: hides a whole "
            "person",
    .claim = "release.list-pairs",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_LISTS,
    .takes = PVGI_TAKES_THINGS,
    .notions = LIST_NOTIONS,
    .laws = LIST_LAWS,
    .law = PVG_NOISE_GAUSSIAN,
    .gives = 1, /* numbers */
    .options = pairs_options,
    .bytes = sizeof(pairs_settings),
    .make = make_pairs};
