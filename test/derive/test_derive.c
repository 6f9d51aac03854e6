/* derive: fits and estimates without noise give back what was there; sequences are
 * graphical; synthetic graphs keep degrees, counts between blocks and triangles, and
 * depend on nothing but the numbers and the generator. */
#include "derive/derive_internal.h"
#include "handles.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static const pvg_target one = {.size = sizeof one, .epsilon = 1.0, .allow_seeded = 1};

static pvg_rng *generator(uint64_t seed) {
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    return rng;
}

static pvg_graph *preferential(int64_t order, int64_t attach, uint64_t seed) {
    pvg_rng *rng = generator(seed);
    pvg_graph *graph;
    PVGT_OK(pvg_graph_draw_preferential(&graph, order, attach, rng, NULL));
    pvg_rng_free(rng);
    return graph;
}

static int64_t degree_of(const pvg_graph *graph, int64_t v) {
    return graph->offsets[v + 1] - graph->offsets[v];
}

static int falling(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* --- least squares ---------------------------------------------------------------- */

/* Pooling against its characterisation: means over all max-min windows. */
static void falling_is_least_squares(void) {
    uint64_t seed = 3;
    for (int round = 0; round < 200; round++) {
        double x[20], y[20], weights[20];
        int64_t starts[20];
        const int count = 1 + (int)pvgt_below(&seed, 20);
        for (int i = 0; i < count; i++) x[i] = y[i] = (double)pvgt_below(&seed, 9) - 4;
        pvgi_derive_falling(y, count, weights, starts);
        for (int i = 0; i < count;
             i++) { /* min over a <= i of max over b >= i of means */
            double least = INFINITY;
            for (int a = 0; a <= i; a++) {
                double most = -INFINITY, sum = 0.0;
                for (int b = a; b < count; b++) {
                    sum += x[b];
                    if (b >= i) most = fmax(most, sum / (b - a + 1));
                }
                least = fmin(least, most);
            }
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, least, y[i]);
        }
    }
}

/* Erdos-Gallai by its own words. */
static bool graphical(const int64_t *d, int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) sum += d[i];
    if (sum % 2) return false;
    sum = 0;
    for (int64_t k = 1; k <= n; k++) {
        int64_t others = k * (k - 1);
        sum += d[k - 1];
        for (int64_t i = k; i < n; i++) others += d[i] < k ? d[i] : k;
        if (sum > others) return false;
    }
    return true;
}

/* Plateaus become slopes: still falling, within the bound, lone values as they were; a
 * step that noise cannot have made stays one. */
static void plateaus_become_slopes(void) {
    uint64_t seed = 5;
    double weights[40];
    int64_t starts[40];
    for (int round = 0; round < 300; round++) {
        double x[40], y[40];
        const int count = 1 + (int)pvgt_below(&seed, 40);
        const double most = (double)pvgt_below(&seed, 6);
        for (int i = 0; i < count; i++) x[i] = (double)pvgt_below(&seed, 60) - i;
        const int64_t blocks = pvgi_derive_falling(x, count, weights, starts);
        memcpy(y, x, sizeof y);
        pvgi_derive_slope(y, count, starts, blocks, most);
        for (int i = 0; i < count; i++) {
            TEST_ASSERT(i == 0 || y[i] <= y[i - 1] + 1e-9);
            TEST_ASSERT(fabs(y[i] - x[i]) <= most + 1e-9);
        }
        for (int64_t b = 0; b < blocks; b++) {
            const int64_t end = b + 1 < blocks ? starts[b + 1] : count;
            if (end - starts[b] == 1)
                TEST_ASSERT_DOUBLE_WITHIN(1e-9, x[starts[b]], y[starts[b]]);
        }
    }
    /* middles 1 and 4: a line between, flat outside */
    double plain[6] = {9, 9, 9, 6, 6, 6}, capped[6] = {9, 9, 9, 6, 6, 6};
    const double line[6] = {9, 9, 8, 7, 6, 6}, short_line[6] = {9, 9, 8.5, 6.5, 6, 6};
    starts[0] = 0;
    starts[1] = 3;
    pvgi_derive_slope(plain, 6, starts, 2, 100.0);
    pvgi_derive_slope(capped, 6, starts, 2, 0.5);
    for (int i = 0; i < 6; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, line[i], plain[i]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, short_line[i], capped[i]);
    }
}

static void sequences_become_graphical(void) {
    uint64_t seed = 4;
    int changed = 0;
    for (int round = 0; round < 2000; round++) {
        int64_t d[30], given[30];
        const int64_t n = 1 + pvgt_below(&seed, 30), most = 1 + pvgt_below(&seed, n + 3);
        for (int64_t i = 0; i < n; i++)
            d[i] = pvgt_below(&seed, 3) ? pvgt_below(&seed, 3) : pvgt_below(&seed, most);
        qsort(d, (size_t)n, sizeof *d, falling);
        memcpy(given, d, sizeof d);
        PVGT_OK(pvgi_derive_graphical(d, n));
        TEST_ASSERT(graphical(d, n));
        for (int64_t i = 0; i < n; i++) TEST_ASSERT(d[i] >= 0 && d[i] <= given[i]);
        const bool same = memcmp(d, given, (size_t)n * sizeof *d) == 0;
        changed += !same;
        if (graphical(given, n)) TEST_ASSERT(same);
    }
    TEST_ASSERT_GREATER_THAN(100, changed);
}

/* --- estimates -------------------------------------------------------------------- */

static void nothing_is_lost_without_noise(void) {
    enum { ORDER = 400 };
    pvg_graph *graph = preferential(ORDER, 3, 5);
    int32_t groups[ORDER];
    for (int v = 0; v < ORDER; v++) groups[v] = v % 3;
    for (int form = 0; form < 4; form++) {
        const pvg_degrees_config config = {.size = sizeof config,
                                           .order = form == 3 ? 0 : ORDER,
                                           .levels = form == 1 ? 0 : 6,
                                           .ranks = form == 3 ? ORDER : -1,
                                           .groups = form == 2 ? 3 : 0};
        pvg_statistic *statistic;
        double *values, moments[5];
        int64_t sequence[ORDER], expected[ORDER];
        PVGT_OK(pvgt_statistic_new_degrees(&statistic, &config, &one,
                                           form == 2 ? groups : NULL));
        values = malloc(
            (size_t)(pvgt_statistic_rows(statistic) * pvgt_statistic_columns(statistic)) *
            sizeof *values);
        PVGT_OK(pvgt_statistic_values_exact(values, statistic, graph, NULL));
        PVGT_OK(pvgt_degrees_sequence(sequence, statistic, values, ORDER));
        PVGT_OK(pvgt_degrees_moments(moments, 5, statistic, values, ORDER));
        for (int k = 0; k < 5; k++) {
            double sum = 0.0;
            for (int v = 0; v < ORDER; v++) sum += pow((double)degree_of(graph, v), k);
            TEST_ASSERT_DOUBLE_WITHIN(1e-9 * sum, sum, moments[k]);
        }
        for (int v = 0; v < ORDER; v++) expected[v] = degree_of(graph, v);
        qsort(expected, ORDER, sizeof *expected, falling);
        qsort(sequence, ORDER, sizeof *sequence, falling);
        TEST_ASSERT_EQUAL_INT64_ARRAY(expected, sequence, ORDER);
        free(values);
        pvgt_statistic_free(statistic);
    }
    pvg_graph_free(graph);
}

static void densities_of_stars_are_exact(void) {
    enum { ORDER = 60, COUNT = 4 };
    const pvg_degrees_config config = {
        .size = sizeof config, .order = ORDER, .levels = 4, .ranks = -1};
    pvg_graph *graph = preferential(ORDER, 2, 6);
    pvg_statistic *statistic;
    pvg_patterns *patterns;
    pvg_density *density;
    double values[ORDER + 5], estimated[COUNT], exact[COUNT];
    PVGT_OK(pvg_patterns_from_names(&patterns, "edge,path3,star4,path4"));
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    PVGT_OK(pvgt_statistic_new_degrees(&statistic, &config, &one, NULL));
    PVGT_OK(pvgt_statistic_values_exact(values, statistic, graph, NULL));
    PVGT_OK(pvgt_degrees_densities(estimated, patterns, statistic, values, 0));
    PVGT_OK(pvg_density_evaluate_graph_exact(exact, density, graph, NULL));
    for (int i = 0; i < 3; i++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-12 + 1e-9 * exact[i], exact[i], estimated[i]);
    /* a path of four is no star: near, not the same */
    TEST_ASSERT(fabs(estimated[3] / exact[3] - 1.0) < 0.5);
    pvg_patterns_free(patterns);
    PVGT_OK(pvg_patterns_from_names(&patterns, "edge,cycle3"));
    PVGT_FAILS(PVG_E_ARGUMENT, "pattern 1",
               pvgt_degrees_densities(estimated, patterns, statistic, values, 0));
    pvg_patterns_free(patterns);
    pvg_density_free(density);
    pvgt_statistic_free(statistic);
    pvg_graph_free(graph);
}

/* --- synthetic graphs ------------------------------------------------------------- */

enum { NODES = 600, BLOCKS = 3 };

/* Two communities that keep to themselves and a hub-ridden third. */
static pvg_graph *community(int32_t *blocks) {
    const int64_t orders[BLOCKS] = {200, 250, 150};
    const double chances[9] = {0.08, 0.005, 0.002, 0.005, 0.05, 0.01, 0.002, 0.01, 0.04};
    pvg_rng *rng = generator(8);
    pvg_graph *graph;
    for (int v = 0; v < NODES; v++) blocks[v] = v < 200 ? 0 : v < 450 ? 1 : 2;
    PVGT_OK(pvg_graph_draw_blocks(&graph, orders, chances, BLOCKS, rng, NULL));
    pvg_rng_free(rng);
    return graph;
}

/* Rows are edited in place in the end: ascending, no loops, every arc both ways. */
static void rows_are_in_order(const pvg_graph *graph) {
    TEST_ASSERT_EQUAL_INT64(2 * graph->size, graph->offsets[graph->order]);
    for (int64_t v = 0; v < graph->order; v++)
        for (int64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++) {
            const int32_t w = graph->columns[i];
            int64_t back = graph->offsets[w];
            TEST_ASSERT(w != v && w >= 0 && w < graph->order);
            TEST_ASSERT(i == graph->offsets[v] || graph->columns[i - 1] < w);
            while (back < graph->offsets[w + 1] && graph->columns[back] != v) back++;
            TEST_ASSERT(back < graph->offsets[w + 1]);
        }
}

static void synthetic_keeps_what_it_should(void) {
    int32_t blocks[NODES];
    pvg_graph *graph = community(blocks), *made, *again;
    const pvg_synthesis_config config = {
        .size = sizeof config, .order = NODES, .blocks = BLOCKS};
    pvg_statistic *statistic;
    pvg_rng *rng;
    PVGT_OK(pvgt_statistic_new_synthesis(&statistic, &config, &one, blocks));
    const int64_t columns = pvgt_statistic_columns(statistic);
    double *values = malloc((size_t)columns * sizeof *values);
    PVGT_OK(pvgt_statistic_values_exact(values, statistic, graph, NULL));
    int64_t at;
    PVGT_OK(pvgt_statistic_part(&at, NULL, NULL, statistic, 2)); /* triangles */
    for (int factor = 1; factor <= 3; factor += 2) {
        const double wanted = values[at] * factor;
        const pvg_run three = {.size = sizeof three, .threads = 3};
        int64_t counts[2][9] = {{0}}, degrees[2][NODES], common, triangles;
        pvgi_run run;
        values[at] = wanted;
        rng = generator(21);
        PVGT_OK(pvgt_synthesis_draw(&made, statistic, values, NULL, rng, NULL));
        pvg_rng_free(rng);
        rng = generator(21);
        PVGT_OK(pvgt_synthesis_draw(&again, statistic, values, NULL, rng, &three));
        pvg_rng_free(rng);
        TEST_ASSERT(made->size == again->size &&
                    memcmp(made->columns, again->columns,
                           (size_t)(2 * made->size) * sizeof *made->columns) == 0);
        TEST_ASSERT_EQUAL_INT64(graph->size, made->size);
        const pvg_graph *both[2] = {graph, made};
        for (int w = 0; w < 2; w++)
            for (int v = 0; v < NODES; v++) {
                degrees[w][v] = degree_of(both[w], v);
                for (int64_t i = both[w]->offsets[v]; i < both[w]->offsets[v + 1]; i++)
                    counts[w][blocks[v] * 3 + blocks[both[w]->columns[i]]]++;
            }
        TEST_ASSERT_EQUAL_INT64_ARRAY(counts[0], counts[1], 9);
        int64_t apart = 0;
        for (int w = 0; w < 2; w++)
            for (int a = 0, first = 0; a < BLOCKS; a++) {
                const int size = a == 0 ? 200 : a == 1 ? 250 : 150;
                qsort(degrees[w] + first, (size_t)size, sizeof(int64_t), falling);
                first += size;
            }
        for (int v = 0; v < NODES; v++) apart += llabs(degrees[0][v] - degrees[1][v]);
        PVGT_CHECK(apart <= 6, "%d", (int)apart);
        PVGT_OK(pvgi_run_begin(&run, NULL));
        PVGT_OK(pvgi_statistic_common_exact(&common, &triangles, made, &run));
        PVGT_CHECK(fabs((double)triangles - wanted) < 0.01 * wanted + 1.0, "%d for %g",
                   (int)triangles, wanted);
        rows_are_in_order(made);
        pvg_graph_free(made);
        pvg_graph_free(again);
    }
    free(values);
    pvgt_statistic_free(statistic);
    pvg_graph_free(graph);
}

static double assortativity(const pvg_graph *graph) {
    double ends = 0.0, sum = 0.0, squares = 0.0, products = 0.0;
    for (int64_t v = 0; v < graph->order; v++)
        for (int64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++) {
            const double d = (double)degree_of(graph, v);
            ends += 1.0;
            sum += d;
            squares += d * d;
            products += d * (double)degree_of(graph, graph->columns[i]);
        }
    const double mean = sum / ends;
    return (products / ends - mean * mean) / (squares / ends - mean * mean);
}

/* Products over edges that are not doubted (a large epsilon) are met: the assortativity
 * of the graph they come from, and more or less of it when they are moved. Degrees stay.
 * Without them nothing is steered. */
static void degrees_meet_as_released(void) {
    enum { ORDER = 1500 };
    const pvg_target sure = {.size = sizeof sure, .epsilon = 200.0, .allow_seeded = 1};
    const pvg_synthesis_config asked = {.size = sizeof asked, .order = ORDER};
    pvg_synthesis_config plain = asked;
    pvg_graph *graph = preferential(ORDER, 4, 17), *made;
    pvg_statistic *statistic;
    int64_t ends = 0;
    double found[4];
    plain.degrees_share = plain.between_share = plain.triangles_share = 0.3;
    for (int i = 0; i < 4; i++) {
        PVGT_OK(pvgt_statistic_new_synthesis(&statistic, i < 3 ? &asked : &plain, &sure,
                                             NULL));
        const int64_t columns = pvgt_statistic_columns(statistic);
        TEST_ASSERT_EQUAL_INT64(i < 3 ? 5 : 3, pvgt_statistic_parts(statistic));
        double *values = malloc((size_t)columns * sizeof *values);
        pvg_rng *rng = generator(5);
        PVGT_OK(pvgt_statistic_values_exact(values, statistic, graph, NULL));
        if (i < 3) pvgi_statistic_joined_part(statistic, 3, &ends);
        if (i == 1) values[ends] -= 10.0;
        if (i == 2) values[ends] += 10.0;
        PVGT_OK(pvgt_synthesis_draw(&made, statistic, values, NULL, rng, NULL));
        TEST_ASSERT_EQUAL_INT64(graph->size, made->size);
        found[i] = assortativity(made);
        pvg_graph_free(made);
        pvg_rng_free(rng);
        free(values);
        pvgt_statistic_free(statistic);
    }
    const double true_one = assortativity(graph);
    PVGT_CHECK(fabs(found[0] - true_one) < 0.003 && found[1] < found[0] - 0.015 &&
                   found[2] > found[0] + 0.015 && fabs(found[3] - true_one) > 0.004,
               "true %g, made %g, less %g, more %g, not asked %g", true_one, found[0],
               found[1], found[2], found[3]);
    pvg_graph_free(graph);
}

/* Friends in cliques of many sizes and some chance edges. */
static pvg_graph *cliques(int64_t order) {
    pvg_graph_builder *builder;
    pvg_graph *graph;
    uint64_t seed = 2;
    PVGT_OK(pvg_graph_builder_new(&builder, order, PVG_EDGES_MERGE));
    for (int64_t first = 0, size = 40;
         first<order; first += size, size = size> 4 ? size - 2 : 4)
        for (int64_t u = first; u < first + size && u < order; u++) {
            for (int i = 0; i < 6; i++) {
                const int64_t other = (u + 1 + pvgt_below(&seed, order - 1)) % order;
                PVGT_OK(pvg_graph_builder_add(builder, &u, &other, 1));
            }
            for (int64_t v = first; v < u; v++)
                PVGT_OK(pvg_graph_builder_add(builder, &u, &v, 1));
        }
    PVGT_OK(pvg_graph_builder_finish(&graph, builder, NULL));
    pvg_graph_builder_free(builder);
    return graph;
}

/* Blocks that have nothing to do with friends take no triangles away: groups span
 * blocks. Counts between blocks stay exact. */
static void blocks_keep_triangles(void) {
    enum { ORDER = 900, MOST = 16 };
    pvg_graph *graph = cliques(ORDER);
    pvgi_run run;
    int64_t common, triangles;
    PVGT_OK(pvgi_run_begin(&run, NULL));
    PVGT_OK(pvgi_statistic_common_exact(&common, &triangles, graph, &run));
    for (int many = 1; many <= MOST; many *= 4) {
        const pvg_synthesis_config config = {
            .size = sizeof config, .order = ORDER, .blocks = many};
        int32_t blocks[ORDER];
        int64_t counts[2][MOST * MOST] = {{0}}, found;
        pvg_statistic *statistic;
        pvg_graph *made;
        pvg_rng *rng = generator(3);
        for (int v = 0; v < ORDER; v++) blocks[v] = v * 7 % many;
        PVGT_OK(pvgt_statistic_new_synthesis(&statistic, &config, &one, blocks));
        double *values =
            malloc((size_t)pvgt_statistic_columns(statistic) * sizeof *values);
        PVGT_OK(pvgt_statistic_values_exact(values, statistic, graph, NULL));
        PVGT_OK(pvgt_synthesis_draw(&made, statistic, values, NULL, rng, NULL));
        PVGT_OK(pvgi_run_begin(&run, NULL));
        PVGT_OK(pvgi_statistic_common_exact(&common, &found, made, &run));
        PVGT_CHECK(fabs((double)(found - triangles)) < 0.01 * (double)triangles,
                   "%d blocks: %d triangles for %d", many, (int)found, (int)triangles);
        const pvg_graph *both[2] = {graph, made};
        for (int w = 0; w < 2; w++)
            for (int v = 0; v < ORDER; v++)
                for (int64_t i = both[w]->offsets[v]; i < both[w]->offsets[v + 1]; i++)
                    counts[w][blocks[v] * many + blocks[both[w]->columns[i]]]++;
        TEST_ASSERT_EQUAL_INT64_ARRAY(counts[0], counts[1], many * many);
        rows_are_in_order(made);
        pvg_graph_free(made);
        free(values);
        pvg_rng_free(rng);
        pvgt_statistic_free(statistic);
    }
    pvg_graph_free(graph);
}

/* Triangles of the graph made from these numbers, with `triangles` for the released one
 * and products moved by `more`. */
static double made_triangles(const pvg_graph *graph, double epsilon, double triangles,
                             double more, double *noise) {
    const pvg_target target = {
        .size = sizeof target, .epsilon = epsilon, .allow_seeded = 1};
    const pvg_synthesis_config config = {.size = sizeof config, .order = graph->order};
    pvg_statistic *statistic;
    pvg_graph *made;
    pvg_rng *rng = generator(8);
    pvgi_run run;
    int64_t at, common, found;
    PVGT_OK(pvgt_statistic_new_synthesis(&statistic, &config, &target, NULL));
    const int64_t columns = pvgt_statistic_columns(statistic);
    double *values = malloc((size_t)columns * sizeof *values);
    PVGT_OK(pvgt_statistic_values_exact(values, statistic, graph, NULL));
    const pvg_statistic *part = pvgi_statistic_joined_part(statistic, 2, &at);
    *noise = pvgi_statistic_ladder_least(pvgi_statistic_either(part, values));
    if (triangles >= 0.0) values[at] = triangles;
    pvgi_statistic_joined_part(statistic, 3, &at);
    values[at] += more;
    PVGT_OK(pvgt_synthesis_draw(&made, statistic, values, NULL, rng, NULL));
    PVGT_OK(pvgi_run_begin(&run, NULL));
    PVGT_OK(pvgi_statistic_common_exact(&common, &found, made, &run));
    rows_are_in_order(made);
    pvg_graph_free(made);
    free(values);
    pvg_rng_free(rng);
    pvgt_statistic_free(statistic);
    return (double)found;
}

/* Far above its noise the released number is met, none included; one that is all noise is
 * drawn to the scale of what degrees imply, and more released is never fewer made. */
static void noise_is_no_triangles(void) {
    pvg_graph *graph = preferential(1500, 4, 17);
    double noise, before = 0.0;
    const double sure = made_triangles(graph, 1000.0, 0.0, 0.0, &noise);
    PVGT_CHECK(sure < 30.0 && noise < 1.0, "%g for none", sure); /* hundreds else */
    const double implied = made_triangles(graph, 1e-4, 0.0, 0.0, &noise);
    PVGT_CHECK(implied > 20.0 && implied < 0.1 * noise, "%g, noise %g", implied, noise);
    made_triangles(graph, 0.5, 0.0, 0.0, &noise);
    for (int i = 0; i <= 4; i++) {
        const double released = i * i * noise / 4.0;
        const double found = made_triangles(graph, 0.5, released, 0.0, &noise);
        PVGT_CHECK(found >= before, "%g made of %g", found, released);
        if (i == 1 || i == 2)
            PVGT_CHECK(found < 0.95 * released + implied, "%g of %g", found, released);
        if (i == 4)
            PVGT_CHECK(found > 0.8 * released && found < 1.01 * released, "%g of %g",
                       found, released);
        before = found;
    }
    pvg_graph_free(graph);
}

/* More products than hubs have without triangles: the products give way. */
static void products_give_way_to_triangles(void) {
    pvg_graph *graph = preferential(3000, 2, 4);
    double noise;
    const double wanted = 150.0;
    const double found = made_triangles(graph, 4.0, wanted, 60.0, &noise);
    PVGT_CHECK(fabs(found - wanted) < 0.03 * wanted, "%g for %g", found, wanted);
    pvg_graph_free(graph);
}

/* Shares follow from the number of blocks, or are as told. */
static void shares_follow_from_blocks(void) {
    /* one block: the larger of both that edges and triangles may have (test_either.c) */
    const double expected[3][5] = {
        {0.29, 0.5, 0.56, 0.05, 0.02}, {0.47, 0.16, 0.32, 0.05}, {0.29, 0.08, 0.2}};
    const int32_t blocks[4] = {0, 1, 0, 1};
    for (int i = 0; i < 3; i++) {
        const pvg_synthesis_config config = {.size = sizeof config,
                                             .order = 4,
                                             .blocks = i == 1 ? 2 : 0,
                                             .triangles_share = i == 2 ? 0.2 : 0.0};
        pvg_statistic *statistic;
        int64_t at;
        PVGT_OK(pvgt_statistic_new_synthesis(&statistic, &config, &one,
                                             i == 1 ? blocks : NULL));
        const int64_t parts = pvgi_statistic_joined_parts(statistic);
        TEST_ASSERT_EQUAL_INT64(5 - i, parts);
        for (int64_t k = 0; k < parts; k++) {
            const double spent =
                pvgi_statistic_joined_part(statistic, k, &at)->guarantee.spent.epsilon;
            PVGT_CHECK(fabs(spent - expected[i][k]) < 1e-6, "%d %d: %g", i, (int)k,
                       spent);
        }
        pvgt_statistic_free(statistic);
    }
}

/* Any released numbers give a graph, also impossible ones. */
static void any_numbers_give_a_graph(void) {
    enum { ORDER = 30 };
    const pvg_synthesis_config config = {
        .size = sizeof config, .order = ORDER, .blocks = 4};
    int32_t blocks[ORDER];
    uint64_t seed = 9;
    pvg_statistic *statistic;
    pvg_rng *rng = generator(1);
    for (int v = 0; v < ORDER; v++) blocks[v] = v % 3; /* block 3 is empty */
    PVGT_OK(pvgt_statistic_new_synthesis(&statistic, &config, &one, blocks));
    const int64_t columns = pvgt_statistic_columns(statistic);
    double *values = malloc((size_t)columns * sizeof *values);
    for (int round = 0; round < 300; round++) {
        const int64_t range = 1 + pvgt_below(&seed, 2000);
        pvg_graph *graph;
        for (int64_t i = 0; i < columns; i++)
            values[i] = (double)(pvgt_below(&seed, 2 * range) - range / 2);
        if (round % 3 == 0) values[columns - 2] = 1e9;
        if (round % 5 == 0) values[columns - 1] = round % 2 ? 1e300 : -1e300;
        PVGT_OK(pvgt_synthesis_draw(&graph, statistic, values, NULL, rng, NULL));
        TEST_ASSERT_EQUAL_INT64(ORDER, graph->order);
        TEST_ASSERT(graph->size <= ORDER * (ORDER - 1) / 2);
        rows_are_in_order(graph);
        pvg_graph_free(graph);
    }
    values[3] = NAN;
    pvg_graph *none;
    PVGT_FAILS(PVG_E_ARGUMENT, "values[3]",
               pvgt_synthesis_draw(&none, statistic, values, NULL, rng, NULL));
    free(values);
    pvg_rng_free(rng);
    pvgt_statistic_free(statistic);
}

/* One hub of degree 300 above 40 levels: its level, one node, is far below the noise, its
 * rank is not. Without the hub nobody is above. */
static void hubs_are_found_by_their_rank(void) {
    enum { DEGREE = 300, DRAWS = 20 };
    const pvg_target half = {.size = sizeof half, .epsilon = 0.5, .allow_seeded = 1};
    const pvg_degrees_config config = {
        .size = sizeof config, .order = NODES, .levels = 40, .ranks = -1};
    int64_t from[DEGREE], to[DEGREE], degrees[NODES];
    pvg_statistic *statistic;
    pvg_rng *rng = generator(8);
    PVGT_OK(pvgt_statistic_new_degrees(&statistic, &config, &half, NULL));
    for (int64_t i = 0; i < DEGREE; i++) {
        from[i] = 0;
        to[i] = i + 1;
    }
    for (int hub = 0; hub < 2; hub++) {
        pvg_graph *graph;
        double mean = 0.0;
        PVGT_OK(pvg_graph_from_edges(&graph, NODES, from, to, hub ? DEGREE : 0,
                                     PVG_EDGES_STRICT, NULL));
        for (int draw = 0; draw < DRAWS; draw++) {
            pvg_release *release;
            const double *values;
            int64_t largest = 0;
            PVGT_OK(pvgt_release_draw_statistic(&release, statistic, graph, 0, rng, NULL,
                                                NULL));
            PVGT_OK(pvg_release_view(&values, release));
            PVGT_OK(pvgt_degrees_sequence(degrees, statistic, values, NODES));
            for (int64_t v = 0; v < NODES; v++)
                if (degrees[v] > largest) largest = degrees[v];
            mean += (double)largest / DRAWS;
            pvg_release_free(release);
        }
        TEST_ASSERT_DOUBLE_WITHIN(45.0, hub ? DEGREE : 0.0, mean);
        pvg_graph_free(graph);
    }
    pvgt_statistic_free(statistic);
    pvg_rng_free(rng);
}

static void other_statistics_are_refused(void) {
    const int32_t scalar = PVG_SCALAR_EDGES;
    const pvg_scalars_config config = {.size = sizeof config, .count = 1};
    pvg_statistic *statistic;
    pvg_rng *rng = generator(1);
    pvg_graph *graph;
    const double value = 3;
    int64_t degree;
    PVGT_OK(pvgt_statistic_new_scalars(&statistic, &config, &one, &scalar, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "synthesis",
               pvgt_synthesis_draw(&graph, statistic, &value, NULL, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "degrees",
               pvgt_degrees_sequence(&degree, statistic, &value, 1));
    pvgt_statistic_free(statistic);
    pvg_rng_free(rng);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(falling_is_least_squares);
    RUN_TEST(plateaus_become_slopes);
    RUN_TEST(sequences_become_graphical);
    RUN_TEST(nothing_is_lost_without_noise);
    RUN_TEST(densities_of_stars_are_exact);
    RUN_TEST(synthetic_keeps_what_it_should);
    RUN_TEST(degrees_meet_as_released);
    RUN_TEST(blocks_keep_triangles);
    RUN_TEST(noise_is_no_triangles);
    RUN_TEST(products_give_way_to_triangles);
    RUN_TEST(shares_follow_from_blocks);
    RUN_TEST(any_numbers_give_a_graph);
    RUN_TEST(hubs_are_found_by_their_rank);
    RUN_TEST(other_statistics_are_refused);
    return pvgt_end(UNITY_END());
}
