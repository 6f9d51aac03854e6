/* A graph in several processes, which are threads here: the same bits as in one for any
 * cuts, and noise that never repeats. */
#include "parts_asked.h"

void setUp(void) {}
void tearDown(void) {}

/* --- the same bits ----------------------------------------------------------------- */

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
/* Degrees are capped by the cap that is released, in every process: bands above it are
 * empty and have no noise. Small epsilon: drawn anew, a cap would be another one. */
static void test_one_cap_for_all(void) {
    uint64_t state = 37;
    pvgt_engine e;
    int64_t caps = 0, first = 0;
    pvgt_parts_random(&e, skewed, 3, &state);
    for (int draw = 0; draw < 12; draw++) {
        asked a = {.text = "capped-degrees order=16000 max-cap=500 epsilon=0.002"};
        pvgt_parts_run(&e, body, &a);
        all_well(&e, &a, "secure");
        const double *values = view(a.whole);
        const int64_t cap = (int64_t)values[0];
        int64_t begin = 0;
        if (draw == 0) first = cap;
        caps += cap != first;
        for (int64_t k = 1; k < pvg_release_columns(a.whole); k++) {
            PVGT_CHECK(begin < cap || values[k] == 0.0, "cap %lld, band from %lld: %.17g",
                       (long long)cap, (long long)begin, values[k]);
            begin = begin < 4 ? begin + 1 : begin + (7 * begin + 10) / 20;
        }
        drop(&a);
    }
    TEST_ASSERT_TRUE(caps > 0);
    pvgt_parts_drop(&e);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    make_data();
    RUN_TEST(test_bits_do_not_depend_on_the_cuts);
    RUN_TEST(test_empty_parts);
    RUN_TEST(test_counts_that_do_not_fit);
    RUN_TEST(test_layers_with_weights);
    RUN_TEST(test_noise_never_repeats);
    RUN_TEST(test_noise_of_sums_is_drawn_once);
    RUN_TEST(test_one_cap_for_all);
    drop_data();
    return pvgt_end(UNITY_END());
}
