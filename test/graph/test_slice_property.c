/* Slices of sets: whatever reads a set cannot tell a slice from a copy of its graphs, and
 * sets that share arrays may be freed in any order, by any thread. */
#include "handles.h"
#include "support.h"

#include <privgraph-learn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GRAPHS = 30, SLICES = 12 };

static uint64_t state = 5;
static pvg_graphset *whole;

void setUp(void) {}
void tearDown(void) {}

/* Random graphs of 0 to 24 nodes, with labels, targets and labels of nodes. */
static pvg_graphset *make_whole(void) {
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvg_graphset_builder_new(&builder, 2));
    for (int i = 0; i < GRAPHS; i++) {
        const int64_t order = i == 0 || i == 7 ? 0 : pvgt_below(&state, 25);
        int32_t marks[25];
        pvg_graph *graph;
        for (int v = 0; v < 25; v++) marks[v] = 100 * i + v;
        PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, order, 0.3, rng, NULL));
        PVGT_OK(pvg_graphset_builder_add(builder, graph, i % 3 - 1, (double[]){i, -i},
                                         marks));
        pvg_graph_free(graph);
    }
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    pvg_rng_free(rng);
    return set;
}

/* The same graphs, each copied. */
static pvg_graphset *copy_of(const pvg_graphset *set, int64_t first, int64_t count) {
    const int64_t targets = pvg_graphset_target_count(set);
    const int64_t *starts, *offsets;
    const int32_t *columns, *labels, *marks;
    const double *values;
    pvg_graphset_builder *builder;
    pvg_graphset *copy;
    PVGT_OK(pvg_graphset_view_csr(&starts, &offsets, &columns, set));
    PVGT_OK(pvg_graphset_view_labels(&labels, &values, &marks, set));
    PVGT_OK(pvg_graphset_builder_new(&builder, targets));
    for (int64_t i = first; i < first + count; i++) {
        pvg_graph *graph;
        PVGT_OK(pvg_graphset_get(&graph, set, i));
        PVGT_OK(pvg_graphset_builder_add(builder, graph, labels[i], values + i * targets,
                                         marks + starts[i]));
        pvg_graph_free(graph);
    }
    PVGT_OK(pvg_graphset_builder_finish(&copy, builder));
    pvg_graphset_builder_free(builder);
    return copy;
}

static void check_rows(const pvg_graphset *a, const pvg_graphset *b) {
    const int64_t *starts[2], *offsets[2];
    const int32_t *columns[2], *labels[2], *marks[2];
    const double *values[2];
    const pvg_graphset *set[2] = {a, b};
    const int64_t count = pvg_graphset_count(a), order = pvg_graphset_order(a);
    TEST_ASSERT_EQUAL_INT64(pvg_graphset_count(b), count);
    TEST_ASSERT_EQUAL_INT64(pvg_graphset_order(b), order);
    for (int i = 0; i < 2; i++) {
        PVGT_OK(pvg_graphset_view_csr(&starts[i], &offsets[i], &columns[i], set[i]));
        PVGT_OK(pvg_graphset_view_labels(&labels[i], &values[i], &marks[i], set[i]));
    }
    for (int64_t i = 0; i <= count; i++)
        TEST_ASSERT_EQUAL_INT64(starts[1][i], starts[0][i]);
    for (int64_t v = 0; v <= order; v++)
        TEST_ASSERT_EQUAL_INT64(offsets[1][v], offsets[0][v]);
    for (int64_t k = 0; k < offsets[1][order]; k++)
        TEST_ASSERT_EQUAL_INT32(columns[1][k], columns[0][k]);
    for (int64_t i = 0; i < count; i++) {
        TEST_ASSERT_EQUAL_INT32(labels[1][i], labels[0][i]);
        TEST_ASSERT_TRUE(values[1][2 * i] == values[0][2 * i]);
        TEST_ASSERT_TRUE(values[1][2 * i + 1] == values[0][2 * i + 1]);
    }
    for (int64_t v = 0; v < order && marks[1]; v++)
        TEST_ASSERT_EQUAL_INT32(marks[1][v], marks[0][v]);
}

/* --- everything that reads sets, as bytes ------------------------------------------- */

typedef struct {
    char *bytes;
    size_t count;
} text;

static void add(text *t, const void *bytes, size_t count) {
    t->bytes = realloc(t->bytes, t->count + count + 1);
    TEST_ASSERT_NOT_NULL(t->bytes);
    if (count > 0) memcpy(t->bytes + t->count, bytes, count);
    t->count += count;
}

static void add_densities(text *t, const pvg_graphset *set) {
    pvg_patterns *patterns;
    pvg_density *density;
    PVGT_OK(pvg_patterns_from_names(&patterns, "edge,path5,star4,cycle4,cycle5,clique4,"
                                               "wheel5"));
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    const size_t cells = (size_t)(pvg_patterns_count(patterns) * pvg_graphset_count(set));
    double *values = calloc(cells + 1, sizeof *values);
    uint64_t *low = calloc(cells + 1, sizeof *low), *high = calloc(cells + 1, 8);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        const pvg_run run = {.size = sizeof run, .threads = threads};
        PVGT_OK(pvg_density_evaluate_exact(values, density, set, &run));
        PVGT_OK(pvg_density_count_exact(low, high, density, set, &run));
        add(t, values, cells * sizeof *values);
        add(t, low, cells * sizeof *low);
        add(t, high, cells * sizeof *high);
    }
    free(values);
    free(low);
    free(high);
    pvg_density_free(density);
    pvg_patterns_free(patterns);
}

static void add_release(text *t, pvg_release *release) {
    const double *values;
    PVGT_OK(pvg_release_view(&values, release));
    add(t, values,
        (size_t)(pvg_release_rows(release) * pvg_release_columns(release)) *
            sizeof *values);
    pvg_release_free(release);
}

static void add_releases(text *t, const pvg_graphset *set) {
    const pvg_target pure = {
        .size = sizeof pure, .noise = PVG_NOISE_LAPLACE, .epsilon = 1, .allow_seeded = 1};
    const pvg_target smooth = {.size = sizeof smooth,
                               .noise = PVG_NOISE_SMOOTH,
                               .epsilon = 1,
                               .delta = 1e-6,
                               .beta = 0.01,
                               .allow_seeded = 1};
    const pvg_target coins = {.size = sizeof coins, .epsilon = 1, .allow_seeded = 1};
    pvg_embedder_config config = {.size = sizeof config};
    pvg_patterns *patterns;
    pvg_embedder *embedder;
    pvg_statistic *statistic;
    pvg_perturber *perturber;
    pvg_release *release;
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, 11));
    PVGT_OK(pvg_patterns_from_names(&patterns, "edge,path3,cycle4"));
    for (int kind = 0; kind < 3; kind++) {
        if (kind == 1) {
            config.degrees = PVG_DEGREES_TRUNCATED;
            config.degree_bound = 3;
        }
        if (kind == 2) config = (pvg_embedder_config){.size = sizeof config};
        PVGT_OK(pvgt_embedder_new(&embedder, patterns, &config,
                                  kind == 2 ? &smooth : &pure, NULL, NULL));
        PVGT_OK(
            pvgt_release_draw_embeddings(&release, embedder, set, NULL, rng, NULL, NULL));
        add_release(t, release);
        pvgt_embedder_free(embedder);
    }
    pvg_patterns_free(patterns);
    PVGT_OK(pvgt_statistic_new_triangles(&statistic, NULL, &pure));
    PVGT_OK(
        pvgt_release_draw_statistics(&release, statistic, set, NULL, rng, NULL, NULL));
    add_release(t, release);
    pvgt_statistic_free(statistic);
    PVGT_OK(pvgt_perturber_new_response(&perturber, NULL, &coins));
    PVGT_OK(pvgt_release_draw_graphs(&release, perturber, set, NULL, rng, NULL, NULL));
    const pvg_graphset *drawn;
    const int64_t *starts, *offsets;
    const int32_t *columns;
    PVGT_OK(pvg_release_view_graphs(&drawn, release));
    PVGT_OK(pvg_graphset_view_csr(&starts, &offsets, &columns, drawn));
    add(t, columns, (size_t)offsets[pvg_graphset_order(drawn)] * sizeof *columns);
    pvg_release_free(release);
    pvgt_perturber_free(perturber);
    pvg_rng_free(rng);
}

static void add_file(text *t, const char *folder, const char *name) {
    char path[512], block[4096];
    size_t count;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) return; /* a set without targets has no such file */
    while ((count = fread(block, 1, sizeof block, file)) > 0) add(t, block, count);
    fclose(file);
    unlink(path);
}

static void add_files(text *t, const pvg_graphset *set) {
    static const char *const names[] = {
        "S_A.txt",           "S_graph_indicator.txt",  "S_graph_labels.txt",
        "S_node_labels.txt", "S_graph_attributes.txt", "S.g6"};
    char folder[] = "/tmp/pvg-slices-XXXXXX", path[512];
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/S.g6", folder);
    PVGT_OK(pvg_graphset_write(path, set, NULL, NULL));
    const int32_t status = pvg_graphset_write_tudataset(folder, "S", set, NULL);
    add(t, &status, sizeof status); /* it has no way to say that a graph is empty */
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        add_file(t, folder, names[i]);
    TEST_ASSERT_EQUAL_INT(0, rmdir(folder));
}

static void add_dataset(text *t, const pvg_graphset *set) {
    pvg_dataset_builder *builder;
    pvg_dataset *data;
    if (pvg_graphset_count(set) == 0 || pvg_graphset_order(set) == 0) return;
    PVGT_OK(pvg_dataset_builder_new(&builder, pvg_graphset_order(set)));
    PVGT_OK(pvg_dataset_builder_add_public_graphset(builder, set));
    PVGT_OK(pvg_dataset_builder_finish(&data, builder));
    const int64_t arcs = pvg_dataset_arcs_exact(data);
    add(t, &arcs, sizeof arcs);
    pvg_dataset_free(data);
    pvg_dataset_builder_free(builder);
}

static text all_of(const pvg_graphset *set) {
    text t = {0};
    add_densities(&t, set);
    add_releases(&t, set);
    add_files(&t, set);
    add_dataset(&t, set);
    return t;
}

/* --- tests ------------------------------------------------------------------------ */

static void a_slice_is_a_copy(void) {
    for (int i = 0; i < SLICES; i++) {
        /* from the first graph, one, none, all, and any */
        int64_t first = i < 2 ? 0 : pvgt_below(&state, GRAPHS);
        int64_t count = i == 0   ? GRAPHS
                        : i == 1 ? 5
                        : i == 2 ? 0
                        : i == 3 ? 1
                                 : pvgt_below(&state, GRAPHS - first + 1);
        pvg_graphset *slice, *again, *copy = copy_of(whole, first, count);
        PVGT_OK(pvg_graphset_slice(&slice, whole, first, count));
        const text given = all_of(slice), expected = all_of(copy);
        TEST_ASSERT_EQUAL_size_t(expected.count, given.count);
        TEST_ASSERT_EQUAL_MEMORY(expected.bytes, given.bytes, given.count);
        check_rows(slice, copy);
        /* of a slice, whose own set is gone */
        const int64_t from = pvgt_below(&state, count + 1), rest = count - from;
        PVGT_OK(pvg_graphset_slice(&again, slice, from, rest));
        pvg_graphset_free(slice);
        pvg_graphset *other = copy_of(copy, from, rest);
        check_rows(again, other);
        pvg_graphset_free(again);
        pvg_graphset_free(other);
        pvg_graphset_free(copy);
        free(given.bytes);
        free(expected.bytes);
    }
}

/* A slice costs a handle, whatever it holds; rows are made when somebody asks. */
static void nothing_is_copied(void) {
    pvg_graphset *slice;
    const int64_t *starts, *offsets;
    const int32_t *columns;
    size_t begin = pvgt_peak_begin();
    PVGT_OK(pvg_graphset_slice(&slice, whole, 5, 20));
    TEST_ASSERT_TRUE(pvgt_peak_bytes(begin) < 512);
    begin = pvgt_peak_begin();
    PVGT_OK(pvg_graphset_view_csr(&starts, &offsets, &columns, slice));
    TEST_ASSERT_TRUE(pvgt_peak_bytes(begin) > 512);
    const int64_t *kept = offsets;
    PVGT_OK(pvg_graphset_view_csr(&starts, &offsets, &columns, slice));
    TEST_ASSERT_EQUAL_PTR(kept, offsets);
    pvg_graphset_free(slice);
}

static void what_is_not_there_is_refused(void) {
    pvg_graphset *out;
    PVGT_FAILS(PVG_E_ARGUMENT, "first", pvg_graphset_slice(&out, whole, -1, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "first", pvg_graphset_slice(&out, whole, GRAPHS + 1, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "count", pvg_graphset_slice(&out, whole, 1, GRAPHS));
    PVGT_FAILS(PVG_E_ARGUMENT, "count", pvg_graphset_slice(&out, whole, 1, -1));
    PVGT_FAILS(PVG_E_ARGUMENT, "count",
               pvg_graphset_slice(&out, whole, GRAPHS, INT64_MAX));
    TEST_ASSERT_NULL(out);
}

enum { HANDS = 4, TURNS = 50 };
typedef struct {
    pvg_graphset *own, *shared;
    int64_t sum;
} hand;

static int64_t sum_of(const pvg_graphset *set) {
    const int64_t *starts, *offsets;
    const int32_t *columns;
    int64_t sum = 0;
    if (pvg_graphset_view_csr(&starts, &offsets, &columns, set) != PVG_OK) return -1;
    for (int64_t k = 0; k < offsets[pvg_graphset_order(set)]; k++) sum += columns[k];
    return sum;
}

/* Slices the slice that all share, asks it for rows as all do, and frees its own. */
static void *work(void *context) {
    hand *h = context;
    pvg_graphset *mine = NULL;
    if (pvg_graphset_slice(&mine, h->shared, 2, 6) != PVG_OK) return NULL;
    h->sum = sum_of(h->shared) + sum_of(mine);
    pvg_graphset_free(mine);
    h->sum += sum_of(h->own);
    pvg_graphset_free(h->own);
    return NULL;
}

static void threads_free_in_any_order(void) {
    int64_t expected = -1;
    for (int turn = 0; turn < TURNS; turn++) {
        pthread_t threads[HANDS];
        hand hands[HANDS];
        pvg_graphset *all = copy_of(whole, 0, GRAPHS), *shared;
        PVGT_OK(pvg_graphset_slice(&shared, all, 8, 15));
        for (int i = 0; i < HANDS; i++) {
            hands[i] = (hand){.shared = shared};
            PVGT_OK(pvg_graphset_slice(&hands[i].own, all, 3, 20));
        }
        pvg_graphset_free(all); /* the slices keep its arrays */
        for (int i = 0; i < HANDS; i++)
            TEST_ASSERT_EQUAL_INT(0, pthread_create(&threads[i], NULL, work, &hands[i]));
        for (int i = 0; i < HANDS; i++) {
            pthread_join(threads[i], NULL);
            if (expected < 0) expected = hands[i].sum;
            TEST_ASSERT_EQUAL_INT64(expected, hands[i].sum);
        }
        pvg_graphset_free(shared);
    }
    TEST_ASSERT_TRUE(expected > 0);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    whole = make_whole();
    RUN_TEST(a_slice_is_a_copy);
    RUN_TEST(nothing_is_copied);
    RUN_TEST(what_is_not_there_is_refused);
    RUN_TEST(threads_free_in_any_order);
    pvg_graphset_free(whole);
    return pvgt_end(UNITY_END());
}
