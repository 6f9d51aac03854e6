/* Questions to a graph in parts, asked in several processes and in one. */
#ifndef PVGT_PARTS_ASKED_H
#define PVGT_PARTS_ASKED_H
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 16000, COLUMNS = 5, SEED = 11 };

static pvg_graph *skewed, *blocks;
static double *numbers; /* ORDER x COLUMNS */
/* Public tables of ORDER nodes. */
enum { KINDS = 5, MANY_KINDS = 40, GROUPS = 6 };
static int32_t kinds[ORDER], some_kinds[ORDER], many_kinds[ORDER], groups[ORDER],
    classes[ORDER];
static double priorities[ORDER], weights_of_nodes[ORDER * 3];

/* Degrees of a power law; hubs have hundreds of neighbours. */
static inline pvg_graph *draw_skewed(int64_t order) {
    double *weights = malloc((size_t)order * sizeof *weights);
    pvg_rng *rng = NULL;
    pvg_graph *graph = NULL;
    for (int64_t i = 0; i < order; i++) {
        const double rank = (double)((i * 7919) % order + 1);
        weights[i] = fmin(600.0, 3.0 * pow((double)order / rank, 0.5));
    }
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    PVGT_OK(pvg_graph_draw_chung_lu(&graph, weights, order, rng, NULL));
    pvg_rng_free(rng);
    free(weights);
    return graph;
}

/* No edge between blocks of PVG_PARTS_ROWS nodes: nothing is borrowed. */
static inline pvg_graph *draw_blocks(void) {
    enum { EDGES = 30000 };
    int64_t *sources = malloc(EDGES * sizeof *sources);
    int64_t *targets = malloc(EDGES * sizeof *targets);
    uint64_t state = 3;
    pvg_graph *graph = NULL;
    for (int64_t i = 0; i < EDGES; i++) {
        const int64_t base = pvgt_below(&state, ORDER / PVG_PARTS_ROWS) * PVG_PARTS_ROWS;
        sources[i] = base + pvgt_below(&state, PVG_PARTS_ROWS);
        targets[i] = base + pvgt_below(&state, PVG_PARTS_ROWS);
    }
    PVGT_OK(pvg_graph_from_edges(&graph, ORDER, sources, targets, EDGES,
                                 PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS, NULL));
    free(sources);
    free(targets);
    return graph;
}

static inline pvg_features *features_of(int64_t first, int64_t rows) {
    pvg_features *features = NULL;
    if (pvg_features_from_dense(&features, rows, COLUMNS, numbers + first * COLUMNS) !=
        PVG_OK)
        abort();
    return features;
}

/* --- drawing in one and in several ------------------------------------------------- */

/* What is asked, and what came of it. */
typedef struct {
    const char *text;
    bool reads_features;
    const pvg_layers *layers;
    /* arrays of the query */
    const int32_t *kinds, *groups;
    const double *priorities, *weights;
    bool by_node; /* each process gets the rows of its own nodes */
    /* of this draw */
    bool seeded, exact, ledgers; /* ledgers: every process has one */
    uint64_t seeds[PVGT_PROCESSES];
    const char *texts[PVGT_PROCESSES]; /* instead of text, or NULL */
    const char *objects[PVGT_PROCESSES];
    pvg_ledger *ledger;
    uint32_t threads;
    /* of each process */
    pvg_release *release[PVGT_PROCESSES];
    pvg_release *whole;
    double *values[PVGT_PROCESSES];
    int64_t rows[PVGT_PROCESSES], columns[PVGT_PROCESSES];
} asked;

static inline int32_t query_of(pvg_query **out, const asked *a, const char *text) {
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    const bool arrays = a->kinds || a->groups || a->priorities || a->weights;
    const pvg_arguments arguments = {.size = sizeof arguments,
                                     .layers = a->layers,
                                     .order = arrays ? ORDER : 0,
                                     .kinds = a->kinds,
                                     .groups = a->groups,
                                     .priorities = a->priorities,
                                     .weights = a->weights,
                                     .weight_rows = a->weights ? ORDER : 0,
                                     .weight_columns = a->weights ? 3 : 0};
    return pvg_query_new(out, text, &arguments, &target, NULL);
}

static inline int32_t draw_in(asked *a, pvgt_process *p, pvg_parts *parts,
                              const pvg_query *query, const pvg_features *features) {
    const pvg_input input = {.size = sizeof input,
                             .open = a->reads_features ? PVG_DATA_FEATURES : 0u,
                             .parts = parts,
                             .features = features,
                             .object = a->objects[p->number]};
    const pvg_run run = {.size = sizeof run, .threads = a->threads};
    const int32_t i = p->number;
    pvg_rng *rng = NULL;
    int32_t status = pvg_query_shape(&a->rows[i], &a->columns[i], query, &input);
    if (status == PVG_OK && a->exact) {
        a->values[i] =
            malloc((size_t)(a->rows[i] * a->columns[i]) * sizeof **a->values + 1);
        return pvg_query_values_exact(a->values[i], query, &input, &run);
    }
    if (status == PVG_OK && a->seeded) status = pvg_rng_new_seeded(&rng, a->seeds[i]);
    if (status == PVG_OK)
        status = pvg_release_draw(&a->release[i], query, &input, rng,
                                  a->ledgers || i == 0 ? a->ledger : NULL, &run);
    pvg_rng_free(rng);
    if (status == PVG_OK) {
        pvg_release *whole = NULL;
        status = pvg_release_gather(&whole, a->release[i], parts);
        if (i == 0)
            a->whole = whole;
        else if (whole)
            status = PVG_E_INTERNAL;
    }
    return status;
}

static inline void body(void *context, pvgt_process *p) {
    asked *a = context;
    pvg_parts *parts = NULL;
    pvg_query *query = NULL;
    pvg_features *features =
        a->reads_features ? features_of(p->config.first, p->config.own) : NULL;
    int32_t status =
        query_of(&query, a, a->texts[p->number] ? a->texts[p->number] : a->text);
    if (status != PVG_OK) { /* tests ask what can be asked */
        fprintf(stderr, "%s\n", pvg_error_message());
        abort();
    }
    status = pvg_parts_new(&parts, &p->config);
    if (status == PVG_OK) status = draw_in(a, p, parts, query, features);
    pvgt_parts_note(p, status);
    pvg_parts_free(parts);
    pvg_query_free(query);
    pvg_features_free(features);
}

static inline void drop(asked *a) {
    for (int32_t i = 0; i < PVGT_PROCESSES; i++) {
        pvg_release_free(a->release[i]);
        a->release[i] = NULL;
        free(a->values[i]);
        a->values[i] = NULL;
    }
    pvg_release_free(a->whole);
    a->whole = NULL;
}

/* The same in one process. */
static inline pvg_release *draw_whole(const asked *a, const pvg_graph *graph,
                                      double **exact) {
    pvg_query *query = NULL;
    pvg_release *release = NULL;
    pvg_rng *rng = NULL;
    pvg_features *features = a->reads_features ? features_of(0, ORDER) : NULL;
    const pvg_input input = {.size = sizeof input,
                             .open = a->reads_features ? PVG_DATA_FEATURES : 0u,
                             .graph = graph,
                             .features = features};
    int64_t rows, columns;
    PVGT_OK(query_of(&query, a, a->text));
    PVGT_OK(pvg_rng_new_seeded(&rng, SEED));
    PVGT_OK(pvg_release_draw(&release, query, &input, rng, NULL, NULL));
    PVGT_OK(pvg_query_shape(&rows, &columns, query, &input));
    *exact = malloc((size_t)(rows * columns) * sizeof **exact);
    PVGT_OK(pvg_query_values_exact(*exact, query, &input, NULL));
    pvg_rng_free(rng);
    pvg_query_free(query);
    pvg_features_free(features);
    return release;
}

static const double *view(const pvg_release *release) {
    const double *values;
    PVGT_OK(pvg_release_view(&values, release));
    return values;
}

static inline void record_of(char out[65536], const pvg_release *release) {
    size_t length;
    PVGT_OK(pvg_guarantee_copy_json(out, 65536, &length, pvg_release_guarantee(release)));
}

static inline void all_well(const pvgt_engine *e, const asked *a, const char *what) {
    for (int32_t i = 0; i < e->processes; i++)
        PVGT_CHECK(e->process[i].status == PVG_OK, "%s, %s: process %d of %d: %s", what,
                   a->text, (int)i, (int)e->processes, e->process[i].message);
}
#define PASSING "message-passing order=16000 columns=5 epsilon=1 delta=1e-6 "

static inline void compare(const asked *question, const pvg_graph *graph, pvgt_engine *e,
                           uint32_t threads) {
    static char one[65536], several[65536];
    double *exact = NULL;
    pvg_release *release = draw_whole(question, graph, &exact);
    const int64_t rows = pvg_release_rows(release),
                  columns = pvg_release_columns(release);
    asked a = *question;
    a.seeded = true;
    a.threads = threads;
    for (int32_t i = 0; i < e->processes; i++) a.seeds[i] = SEED;
    pvgt_parts_run(e, body, &a);
    all_well(e, &a, "release");
    PVGT_CHECK(pvg_release_rows(a.whole) == rows, "%s", a.text);
    for (int64_t k = 0; k < rows * columns; k++)
        PVGT_CHECK(memcmp(view(a.whole) + k, view(release) + k, sizeof(double)) == 0,
                   "%s: number %lld is %.17g, not %.17g, in %d processes, first cut %lld",
                   a.text, (long long)k, view(a.whole)[k], view(release)[k],
                   (int)e->processes, (long long)e->cuts[1]);
    record_of(one, release);
    record_of(several, a.whole);
    TEST_ASSERT_EQUAL_STRING(one, several);
    drop(&a);
    a.exact = true;
    pvgt_parts_run(e, body, &a);
    all_well(e, &a, "exact");
    for (int32_t i = 0; i < e->processes; i++) {
        const bool scattered = a.reads_features || a.by_node;
        const int64_t first = scattered ? e->cuts[i] * columns : 0;
        PVGT_CHECK(memcmp(a.values[i], exact + first,
                          (size_t)(a.rows[i] * columns) * sizeof *exact) == 0,
                   "%s: exact numbers of process %d", a.text, (int)i);
    }
    drop(&a);
    free(exact);
    pvg_release_free(release);
}

static inline pvg_ledger *ledger_of(double epsilon) {
    pvg_ledger *ledger = NULL;
    const pvg_ledger_config config = {.size = sizeof config,
                                      .notion = PVG_NOTION_EDGE,
                                      .epsilon = epsilon,
                                      .method = PVG_METHOD_BASIC};
    PVGT_OK(pvg_ledger_new(&ledger, &config));
    return ledger;
}

static inline void all_fail(const pvgt_engine *e, asked *a, int32_t status,
                            const char *part) {
    PVGT_CHECK(!a->whole, "%s", a->text);
    for (int32_t i = 0; i < e->processes; i++) {
        const pvgt_process *p = &e->process[i];
        PVGT_CHECK(!a->release[i], "%s: process %d", a->text, (int)i);
        PVGT_CHECK(p->status == status && strstr(p->message, part),
                   "%s: process %d: %d %s", a->text, (int)i, (int)p->status, p->message);
    }
    drop(a);
}

static inline void make_data(void) {
    uint64_t state = 7;
    skewed = draw_skewed(ORDER);
    blocks = draw_blocks();
    numbers = malloc((size_t)ORDER * COLUMNS * sizeof *numbers);
    for (int64_t i = 0; i < ORDER * COLUMNS; i++)
        numbers[i] = (double)(pvgt_below(&state, 2001) - 1000) / 700.0;
    for (int64_t v = 0; v < ORDER; v++) {
        kinds[v] = (int32_t)pvgt_below(&state, KINDS);
        some_kinds[v] = (int32_t)pvgt_below(&state, KINDS + 1) - 1;
        many_kinds[v] = (int32_t)pvgt_below(&state, MANY_KINDS + 1) - 1;
        groups[v] = (int32_t)pvgt_below(&state, GROUPS + 1) - 1;
        classes[v] = (int32_t)pvgt_below(&state, 3);
        priorities[v] = (double)pvgt_below(&state, 9);
        for (int k = 0; k < 3; k++)
            weights_of_nodes[3 * v + k] = (double)(pvgt_below(&state, 41) - 20) / 10.0;
    }
}

static inline void drop_data(void) {
    free(numbers);
    pvg_graph_free(skewed);
    pvg_graph_free(blocks);
}

#endif
