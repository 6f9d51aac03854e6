/* A graph in several processes, which are threads here: the same bits as in one for any
 * cuts, noise that never repeats, one payment, and nobody who waits for one that left. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { ORDER = 16000, COLUMNS = 5, SEED = 11 };

static pvg_graph *skewed, *blocks;
static double *numbers; /* ORDER x COLUMNS */
/* Public tables of ORDER nodes. */
enum { KINDS = 5, MANY_KINDS = 40, GROUPS = 6 };
static int32_t kinds[ORDER], some_kinds[ORDER], many_kinds[ORDER], groups[ORDER],
    classes[ORDER];
static double priorities[ORDER], weights_of_nodes[ORDER * 3];

/* Degrees of a power law; hubs have hundreds of neighbours. */
static pvg_graph *draw_skewed(int64_t order) {
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
static pvg_graph *draw_blocks(void) {
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

static pvg_features *features_of(int64_t first, int64_t rows) {
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

static int32_t query_of(pvg_query **out, const asked *a, const char *text) {
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

static int32_t draw_in(asked *a, pvgt_process *p, pvg_parts *parts,
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

static void body(void *context, pvgt_process *p) {
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

static void drop(asked *a) {
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
static pvg_release *draw_whole(const asked *a, const pvg_graph *graph, double **exact) {
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

static void record_of(char out[65536], const pvg_release *release) {
    size_t length;
    PVGT_OK(pvg_guarantee_copy_json(out, 65536, &length, pvg_release_guarantee(release)));
}

static void all_well(const pvgt_engine *e, const asked *a, const char *what) {
    for (int32_t i = 0; i < e->processes; i++)
        PVGT_CHECK(e->process[i].status == PVG_OK, "%s, %s: process %d of %d: %s", what,
                   a->text, (int)i, (int)e->processes, e->process[i].message);
}

/* --- the same bits ----------------------------------------------------------------- */

#define PASSING "message-passing order=16000 columns=5 epsilon=1 delta=1e-6 "
static const asked questions[] = {
    {.text = "embed patterns=edge,path3,path4,path5,star4,star5 epsilon=1"},
    {.text = "embed patterns=edge,path3,star4,path6 max-degree=7 epsilon=1 delta=1e-6 "
             "append-order=yes"},
    {.text = "embed patterns=edge,path3,star4 max-degree=2000 degrees=promised "
             "noise=laplace epsilon=1"},
    {.text = "embed patterns=edge,path3,star4 noise=smooth beta=0.1 parameter=1"},
    {.text = PASSING "max-degree=9", .reads_features = true},
    {.text = PASSING "operator=floor floor=6 method=hops layers=3 mean-weight=0.3",
     .reads_features = true},
    {.text = PASSING "operator=laplacian floor=4000 activation=tanh residual=0.2 "
                     "method=output",
     .reads_features = true},
    {.text = PASSING "operator=row max-degree=40 activation=relu",
     .reads_features = true},
    {.text =
         PASSING "operator=sum max-degree=40 rows=normalised activation=selu method=hops",
     .reads_features = true},
    {.text = "message-passing order=16000 columns=5 epsilon=1 l1-rows=yes operator=sum "
             "layers=1 noise=laplace",
     .reads_features = true},
    {.text = "degrees levels=4 ranks=all order=16000 epsilon=1"},
    {.text = "degrees levels=0 ranks=7 epsilon=1"},
    {.text = "degrees levels=700 ranks=3 epsilon=1 delta=1e-6 noise=discrete-gaussian"},
    {.text = "degrees levels=3 ranks=40 epsilon=2", .groups = groups},
    {.text = "edge-histogram epsilon=1", .kinds = kinds, .by_node = true},
    {.text = "edge-histogram epsilon=1",
     .kinds = many_kinds,
     .priorities = priorities,
     .by_node = true},
    {.text = "edge-histogram cells=both-ways epsilon=1", .kinds = kinds, .by_node = true},
    {.text = "edge-histogram epsilon=1", .kinds = some_kinds, .groups = groups},
    {.text = "edge-histogram epsilon=1",
     .kinds = kinds,
     .priorities = priorities,
     .groups = groups},
    {.text = "edge-histogram cells=between epsilon=1", .kinds = some_kinds},
    {.text = "edge-histogram epsilon=1", .weights = weights_of_nodes, .by_node = true},
    {.text = "edge-histogram cells=both-ways epsilon=1 delta=1e-6 noise=gaussian",
     .weights = weights_of_nodes,
     .groups = groups},
    {.text = "capped-edges epsilon=1"},
    {.text = "capped-edges cap=3 key=7 epsilon=1"},
    {.text = "capped-edges cap=11 cells=within epsilon=1", .groups = classes},
    {.text = "capped-edges cells=blocks max-cap=50 epsilon=1", .groups = classes},
    {.text = "capped-edges cells=within key=3 epsilon=1", .groups = classes},
    {.text = "capped-degrees order=16000 epsilon=1"},
    {.text = "capped-degrees order=16000 max-cap=20 key=2 epsilon=3"},
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

static void compare(const asked *question, const pvg_graph *graph, pvgt_engine *e,
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

static void test_bits_do_not_depend_on_the_cuts(void) {
    static const int32_t many[] = {1, 2, 3, 5, 7};
    uint64_t state = 17;
    pvgt_engine e;
    for (int32_t q = 0; q < QUESTIONS; q++) {
        /* every question with two numbers of processes, every number with several */
        for (int32_t k = 0; k < 2; k++) {
            pvgt_parts_random(&e, skewed, many[(q + 2 * k + 1) % 5], &state);
            compare(&questions[q], skewed, &e, (uint32_t)(1 + (q + k) % 2));
            pvgt_parts_drop(&e);
        }
    }
    pvgt_parts_random(&e, blocks, 7, &state);
    for (int32_t i = 0; i < 7; i++) TEST_ASSERT_EQUAL(0, e.process[i].config.borrowed);
    compare(&questions[0], blocks, &e, 1);
    compare(&questions[5], blocks, &e, 1);
    pvgt_parts_drop(&e);
}

/* Parts in the middle and at both ends own nothing; one process owns all. */
static void test_empty_parts(void) {
    static const int64_t cuts[][6] = {{0, 0, 4096, 4096, ORDER, ORDER},
                                      {0, 0, 0, ORDER, ORDER, ORDER}};
    pvgt_engine e;
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        pvgt_parts_cut(&e, skewed, 5, cuts[i]);
        compare(&questions[1], skewed, &e, 2);
        compare(&questions[3], skewed, &e, 2); /* the hubs are not those of process 0 */
        compare(&questions[5], skewed, &e, 2);
        compare(&questions[9], skewed, &e, 2);
        for (int32_t q = 10; q < QUESTIONS; q++) compare(&questions[q], skewed, &e, 1);
        pvgt_parts_drop(&e);
    }
}

/* Counts beyond 2^53, whose sums would be rounded in the order in which they are added.
 * (Graphs of up to 32768 nodes are counted by another path in one process.) */
static void test_counts_that_do_not_fit(void) {
    enum { LARGE = 36000 };
    static const int64_t cuts[] = {0, 4096, 8192, 16384, 20480, 28672, 32768, LARGE};
    const asked a = {
        .text = "embed patterns=edge,path9,star8,star7,star9,star10,path12,path14 "
                "epsilon=1 scaling=density"};
    pvg_graph *graph = draw_skewed(LARGE);
    pvgt_engine e;
    double *exact;
    pvgt_parts_cut(&e, graph, 7, cuts);
    compare(&a, graph, &e, 1);
    pvg_release_free(draw_whole(&a, graph, &exact));
    TEST_ASSERT_TRUE(exact[2] * pow(LARGE, 8) > 0x1p53);
    free(exact);
    pvgt_parts_drop(&e);
    pvg_graph_free(graph);
}

/* Weights: products with matrices are taken row by row too. */
static void test_layers_with_weights(void) {
    double weights[2 * COLUMNS * COLUMNS];
    const pvg_layers_config config = {.size = sizeof config, .depth = 2};
    pvg_layers *layers = NULL;
    uint64_t state = 23;
    pvgt_engine e;
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++)
        weights[i] = (double)pvgt_below(&state, 1000) / 4000.0;
    PVGT_OK(pvg_layers_new(&layers, &config, weights, COLUMNS));
    const asked a = {.text = PASSING, .reads_features = true, .layers = layers};
    pvgt_parts_random(&e, skewed, 3, &state);
    compare(&a, skewed, &e, 2);
    pvgt_parts_drop(&e);
    pvg_layers_free(layers);
}

/* --- noise ------------------------------------------------------------------------- */

/* Without edges and with features of zero what is released is noise: no four numbers in a
 * row stand there twice, whoever drew them. */
static void check_noise(const pvg_release *whole) {
    enum { TABLE = 1 << 19 };
    const int64_t count = pvg_release_rows(whole) * pvg_release_columns(whole);
    const double *values = view(whole);
    int64_t *seen = malloc(TABLE * sizeof *seen);
    memset(seen, 0xFF, TABLE * sizeof *seen);
    for (int64_t k = 0; k + 4 <= count; k += 4) {
        uint64_t at = 0;
        for (int i = 0; i < 4; i++) {
            uint64_t bits;
            memcpy(&bits, values + k + i, sizeof bits);
            at = (at ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
        }
        for (at >>= 45; seen[at % TABLE] >= 0; at++)
            PVGT_CHECK(memcmp(values + seen[at % TABLE], values + k, 32) != 0,
                       "numbers %lld and %lld are the same noise",
                       (long long)seen[at % TABLE], (long long)k);
        seen[at % TABLE] = k;
    }
    free(seen);
}

static void test_noise_never_repeats(void) {
    uint64_t state = 29;
    pvgt_engine e;
    double *kept = numbers;
    pvg_graph *empty = NULL;
    PVGT_OK(pvg_graph_from_edges(&empty, ORDER, NULL, NULL, 0, 0, NULL));
    numbers = calloc(ORDER * COLUMNS, sizeof *numbers);
    pvgt_parts_random(&e, empty, 4, &state);
    for (int32_t seeded = 0; seeded < 2; seeded++) {
        asked a = {.text = PASSING "method=hops layers=2 max-degree=4",
                   .reads_features = true,
                   .seeded = seeded};
        pvgt_parts_run(&e, body, &a);
        all_well(&e, &a, "noise");
        check_noise(a.whole);
        drop(&a);
    }
    pvgt_parts_drop(&e);
    free(numbers);
    numbers = kept;
    /* integers so wide that four in a row are the same by chance in no run */
    asked a = {
        .text = "edge-histogram epsilon=0.000001", .kinds = kinds, .by_node = true};
    pvgt_parts_random(&e, empty, 4, &state);
    for (int32_t seeded = 0; seeded < 2; seeded++) {
        a.seeded = seeded;
        pvgt_parts_run(&e, body, &a);
        all_well(&e, &a, "noise");
        check_noise(a.whole);
        drop(&a);
    }
    pvgt_parts_drop(&e);
    pvg_graph_free(empty);
}

/* One draw of noise for numbers of the whole graph, with secure generators too: two would
 * say more than one. */
static void test_noise_of_sums_is_drawn_once(void) {
    static const asked several[] = {
        {.text = "embed patterns=edge,path3,star4 max-degree=50 epsilon=1"},
        {.text = "degrees levels=9 ranks=20 epsilon=1"},
        {.text = "edge-histogram epsilon=1", .kinds = kinds, .groups = groups},
        {.text = "edge-histogram cells=between epsilon=1", .kinds = kinds},
        {.text = "capped-edges epsilon=1"},
        {.text = "capped-edges cap=5 cells=blocks epsilon=1", .groups = classes},
        {.text = "capped-degrees order=16000 epsilon=1"}};
    uint64_t state = 31;
    static char first[65536], other[65536];
    pvgt_engine e;
    pvgt_parts_random(&e, skewed, 3, &state);
    for (size_t q = 0; q < sizeof several / sizeof several[0]; q++) {
        asked a = several[q];
        pvgt_parts_run(&e, body, &a);
        all_well(&e, &a, "secure");
        record_of(first, a.release[0]);
        for (int32_t i = 1; i < 3; i++) {
            const size_t numbers_of_it = (size_t)(pvg_release_rows(a.release[0]) *
                                                  pvg_release_columns(a.release[0]));
            PVGT_CHECK(memcmp(view(a.release[0]), view(a.release[i]),
                              numbers_of_it * sizeof(double)) == 0,
                       "%s: process %d has noise of its own", a.text, (int)i);
            record_of(other, a.release[i]);
            TEST_ASSERT_EQUAL_STRING(first, other);
        }
        drop(&a);
    }
    pvgt_parts_drop(&e);
}

/* --- paying ------------------------------------------------------------------------ */

static pvg_ledger *ledger_of(double epsilon) {
    pvg_ledger *ledger = NULL;
    const pvg_ledger_config config = {.size = sizeof config,
                                      .notion = PVG_NOTION_EDGE,
                                      .epsilon = epsilon,
                                      .method = PVG_METHOD_BASIC};
    PVGT_OK(pvg_ledger_new(&ledger, &config));
    return ledger;
}

static void all_fail(const pvgt_engine *e, asked *a, int32_t status, const char *part) {
    PVGT_CHECK(!a->whole, "%s", a->text);
    for (int32_t i = 0; i < e->processes; i++) {
        const pvgt_process *p = &e->process[i];
        PVGT_CHECK(!a->release[i], "%s: process %d", a->text, (int)i);
        PVGT_CHECK(p->status == status && strstr(p->message, part),
                   "%s: process %d: %d %s", a->text, (int)i, (int)p->status, p->message);
    }
    drop(a);
}

static void test_paid_once(void) {
    static const char question[] =
        "embed patterns=edge,path3 max-degree=20 noise=laplace epsilon=1";
    uint64_t state = 37;
    pvgt_engine e;
    double spent;
    asked a = {
        .text = question, .objects = {"g", "g", "g", "g"}, .ledger = ledger_of(2.5)};
    const uint64_t object = pvg_ledger_object("g:0");
    pvgt_parts_random(&e, skewed, 4, &state);
    for (int32_t draw = 1; draw <= 2; draw++) {
        pvgt_parts_run(&e, body, &a);
        all_well(&e, &a, "paid");
        PVGT_OK(pvg_ledger_spent(&spent, a.ledger, object, 0.0));
        PVGT_CHECK(spent <= draw && spent > draw - 1e-9, "spent %.17g", spent);
        for (int32_t i = 0; i < 4; i++) { /* all know that it was paid */
            static char record[65536];
            record_of(record, a.release[i]);
            PVGT_CHECK(strstr(record, draw == 1 ? "\"charge\": 1" : "\"charge\": 2") !=
                           NULL,
                       "process %d: %.400s", (int)i, record);
        }
        drop(&a);
    }
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_BUDGET, "budget");
    a.ledgers = true;
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "process 0");
    a.ledgers = false;
    a.objects[2] = "h";
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "not the same");
    PVGT_OK(pvg_ledger_spent(&spent, a.ledger, object, 0.0));
    TEST_ASSERT_TRUE(spent <= 2.0);
    pvgt_parts_drop(&e);
    pvg_ledger_free(a.ledger);
}

/* --- refusals ---------------------------------------------------------------------- */

static void test_what_is_refused(void) {
    uint64_t state = 41;
    pvgt_engine e;
    asked a = {.text = "embed patterns=edge,triangle epsilon=1"};
    pvgt_parts_random(&e, skewed, 3, &state);
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "pattern triangle has a cycle");
    static const char *const others[] = {"triangles epsilon=1",
                                         "stars epsilon=1",
                                         "capped-triangles order=16000 epsilon=1",
                                         "scalars list=edges epsilon=1",
                                         "response epsilon=1",
                                         "lapgraph epsilon=1"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char part[64];
        a.text = others[i];
        snprintf(part, sizeof part, "%.*s is not for graphs in parts",
                 (int)strcspn(others[i], " "), others[i]);
        pvgt_parts_run(&e, body, &a);
        all_fail(&e, &a, PVG_E_ARGUMENT, part);
    }
    a.text = "degrees levels=3 share=1 + degrees levels=4 share=1 epsilon=1";
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "joined queries are not for graphs in parts");
    a.text = "embed patterns=edge epsilon=1";
    a.texts[1] = "embed patterns=edge epsilon=1.5";
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "not the same");
    a.texts[1] = NULL;
    a.seeded = true;
    a.seeds[2] = 1;
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "seed");
    a.seeded = false;
    for (int32_t i = 0; i < 3; i++) e.process[i].config.declared = 0;
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_UNDECLARED, "read off");
    e.process[1].config.declared = 1;
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "not the same");
    pvgt_parts_drop(&e);
}

/* One process has a part that is none: all fail, with its message. */
static void test_bad_parts(void) {
    static const int64_t cuts[] = {0, 4096, 12288, ORDER};
    pvgt_engine e;
    asked a = {.text = "embed patterns=edge epsilon=1"};
    pvgt_parts_cut(&e, skewed, 3, cuts);
    pvgt_process *p = &e.process[1];
    const pvg_parts_config good = p->config;
    const int64_t arcs = p->offsets[good.own];
#define BAD(part, ...)                                                                   \
    do {                                                                                 \
        __VA_ARGS__;                                                                     \
        pvgt_parts_run(&e, body, &a);                                                    \
        all_fail(&e, &a, PVG_E_ARGUMENT, part);                                          \
        p->config = good;                                                                \
    } while (0)
    BAD("no multiple", p->config.first += 4);
    BAD("are not of", p->config.first = -4096);
    BAD("borrowed is", p->config.borrowed = ORDER);
    BAD("borrows is NULL", p->config.borrows = NULL);
    BAD("neighbours is NULL", p->config.neighbours = NULL);
    BAD("offsets is NULL", p->config.offsets = NULL);
    int64_t edge = 0;
    while (p->offsets[edge + 1] - p->offsets[edge] < 2) edge++;
    const int64_t at = p->offsets[edge];
    const int32_t kept = p->columns[at];
    BAD("no local number", p->columns[at] = -1);
    p->columns[at] = kept;
    BAD("loop", p->columns[at] = (int32_t)edge);
    p->columns[at] = kept;
    BAD("ascending", p->columns[at] = p->columns[at + 1]);
    p->columns[at] = kept;
    BAD("no node of another", p->borrows[0] = good.first);
    BAD("is not ascending", p->borrows[0] = p->borrows[1]);
    p->borrows[0] = 0;
    while (p->borrows[0] == p->borrows[1]) p->borrows[0]++;
    pvgt_parts_drop(&e);
    /* one list lacks the last of its neighbours, who has it still */
    pvgt_parts_cut(&e, skewed, 3, cuts);
    p->offsets[good.own] = arcs - 1;
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "one end only");
    pvgt_parts_drop(&e);
    /* each is fine for itself */
    pvgt_parts_cut(&e, blocks, 3, cuts);
    const pvg_parts_config apart = p->config;
#define WRONG(part, ...)                                                                 \
    do {                                                                                 \
        __VA_ARGS__;                                                                     \
        pvgt_parts_run(&e, body, &a);                                                    \
        all_fail(&e, &a, PVG_E_ARGUMENT, part);                                          \
        p->config = apart;                                                               \
    } while (0)
    WRONG("before it", p->config.first = 0);
    WRONG("parts have", p->config.own -= 4096);
    WRONG("order", p->config.order += 4096);
    pvgt_parts_drop(&e);
#undef WRONG
#undef BAD
}

/* --- failures ---------------------------------------------------------------------- */

/* Every call of every kind fails once, in one process after the other: all processes
 * return, none has a release, and the ledger was charged once at most. */
static void test_failing_calls(void) {
    static const asked two[] = {
        {.text = "embed patterns=edge,path4 max-degree=6 noise=laplace epsilon=1"},
        {.text = "message-passing order=16000 columns=5 l1-rows=yes "
                 "operator=sum layers=1 noise=laplace epsilon=1",
         .reads_features = true},
        {.text = "degrees levels=4 ranks=20 epsilon=1"},
        {.text = "edge-histogram cells=between epsilon=1", .kinds = kinds},
        {.text = "edge-histogram epsilon=1", .kinds = kinds, .by_node = true},
        {.text = PASSING "max-degree=6 mean-weight=0.2", .reads_features = true},
        {.text = "capped-edges cap=3 epsilon=1"},
        {.text = "capped-degrees order=16000 max-cap=3 epsilon=1"},
    };
    uint64_t state = 43;
    for (size_t q = 0; q < sizeof two / sizeof two[0]; q++) {
        pvgt_engine e;
        asked a = two[q];
        for (int32_t i = 0; i < 3; i++) a.objects[i] = "g";
        pvgt_parts_random(&e, skewed, 3, &state);
        pvgt_parts_run(&e, body, &a);
        all_well(&e, &a, "no failure");
        drop(&a);
        const long calls = e.process[0].calls;
        TEST_ASSERT_TRUE(calls > 6);
        for (long call = 1; call <= calls; call++) {
            double spent = 0.0;
            if (q < 5) a.ledger = ledger_of(10.0);
            e.fails = (int32_t)(call % 3);
            e.fails_at = call;
            pvgt_parts_run(&e, body, &a);
            int32_t failed = 0;
            for (int32_t i = 0; i < 3; i++) failed += e.process[i].status != PVG_OK;
            PVGT_CHECK(failed == 3 && !a.whole, "%s: call %ld of %ld: %d fail", a.text,
                       call, calls, (int)failed);
            if (a.ledger)
                PVGT_OK(
                    pvg_ledger_spent(&spent, a.ledger, pvg_ledger_object("g:0"), 0.0));
            PVGT_CHECK(spent <= 1.0, "%s: call %ld: %.17g", a.text, call, spent);
            drop(&a);
            pvg_ledger_free(a.ledger);
        }
        pvgt_parts_drop(&e);
    }
}

static int32_t stop(void *context, double fraction) {
    (void)fraction;
    return ++*(int *)context > 1;
}

typedef struct {
    asked *a;
    int looks;
} stopped;

/* One process is asked to stop in the middle. */
static void stopped_body(void *context, pvgt_process *p) {
    stopped *s = context;
    asked *a = s->a;
    pvg_parts *parts = NULL;
    pvg_query *query = NULL;
    const pvg_run run = {.size = sizeof run,
                         .progress = p->number == 1 ? stop : NULL,
                         .progress_context = &s->looks};
    if (query_of(&query, a, a->text) != PVG_OK) abort();
    int32_t status = pvg_parts_new(&parts, &p->config);
    const pvg_input input = {.size = sizeof input, .parts = parts};
    if (status == PVG_OK)
        status =
            pvg_release_draw(&a->release[p->number], query, &input, NULL, NULL, &run);
    pvgt_parts_note(p, status);
    pvg_parts_free(parts);
    pvg_query_free(query);
}

static void test_cancelled_in_one(void) {
    static const int64_t cuts[] = {0, 4096, 12288, ORDER};
    pvgt_engine e;
    asked a = {.text = "embed patterns=edge,path3,path4,path5,path6,path7 epsilon=1"};
    stopped s = {.a = &a, .looks = 1};
    pvgt_parts_cut(&e, skewed, 3, cuts);
    e.slow = true;
    pvgt_parts_run(&e, stopped_body, &s);
    all_fail(&e, &a, PVG_E_CANCELLED, "cancelled");
    pvgt_parts_drop(&e);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
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
    RUN_TEST(test_bits_do_not_depend_on_the_cuts);
    RUN_TEST(test_empty_parts);
    RUN_TEST(test_counts_that_do_not_fit);
    RUN_TEST(test_layers_with_weights);
    RUN_TEST(test_noise_never_repeats);
    RUN_TEST(test_noise_of_sums_is_drawn_once);
    RUN_TEST(test_paid_once);
    RUN_TEST(test_what_is_refused);
    RUN_TEST(test_bad_parts);
    RUN_TEST(test_failing_calls);
    RUN_TEST(test_cancelled_in_one);
    free(numbers);
    pvg_graph_free(skewed);
    pvg_graph_free(blocks);
    return pvgt_end(UNITY_END());
}
