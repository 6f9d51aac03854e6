/* statistic: edges and triangles of a synthesis that share a sum of epsilon (either.c).
 * What is spent whichever way it goes, that released numbers alone decide, and that the
 * noise is that of the law that was chosen: the other one is rejected. */
#include "handles.h"
#include "statistic/statistic_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { ORDER = 400, BETWEEN = 1, TRIANGLES = 2, DRAWS = 4000 };
static const double epsilons[] = {0.1, 0.5, 1.0, 2.0, 7.0};

typedef struct {
    pvg_statistic *all;
    const pvg_statistic *part[5];
    int64_t at[5];
} synthesis;

static synthesis make(double epsilon) {
    const pvg_synthesis_config config = {.size = sizeof config, .order = ORDER};
    const pvg_target target = {
        .size = sizeof target, .epsilon = epsilon, .allow_seeded = 1};
    synthesis s;
    PVGT_OK(pvgt_statistic_new_synthesis(&s.all, &config, &target, NULL));
    TEST_ASSERT_EQUAL_INT64(5, pvgi_statistic_joined_parts(s.all));
    for (int i = 0; i < 5; i++)
        s.part[i] = pvgi_statistic_joined_part(s.all, i, &s.at[i]);
    return s;
}

/* Degree distributions as if they told of so many edges: level 1 alone. */
static double *telling(const synthesis *s, double edges) {
    double *values = calloc((size_t)pvgt_statistic_columns(s->all), sizeof *values);
    values[0] = 2.0 * edges;
    return values;
}

static double spent(const pvg_statistic *statistic) {
    return statistic->guarantee.spent.epsilon;
}

/* The claim covers both ways, and stays within the budget. */
static void both_sums_are_covered(void) {
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        synthesis s = make(epsilons[i]);
        double most = 0.0;
        for (int many = 0; many < 2; many++) {
            double *values = telling(&s, many ? 1e9 : 0.0), sum = 0.0;
            for (int k = 0; k < 5; k++)
                sum += spent(pvgi_statistic_either(s.part[k], values));
            PVGT_CHECK(sum <= spent(s.all), "%g spent, %g claimed", sum, spent(s.all));
            most = fmax(most, sum);
            free(values);
        }
        PVGT_CHECK(spent(s.all) <= epsilons[i] && spent(s.all) <= most * (1.0 + 1e-12) &&
                       most > epsilons[i] * (1.0 - 1e-6),
                   "%g of %g", spent(s.all), epsilons[i]);
        pvgt_statistic_free(s.all);
    }
}

/* Both turn round at the same number of edges, and in opposite ways. */
static void one_has_more_where_the_other_has_less(void) {
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        synthesis s = make(epsilons[i]);
        const pvg_statistic *before[2] = {NULL, NULL};
        int turns = 0;
        for (double edges = 1.0; edges < 1e12; edges *= 1.01) {
            double *values = telling(&s, edges);
            const pvg_statistic *now[2] = {
                pvgi_statistic_either(s.part[BETWEEN], values),
                pvgi_statistic_either(s.part[TRIANGLES], values)};
            TEST_ASSERT(s.part[BETWEEN] != now[0] && s.part[TRIANGLES] != now[1]);
            if (before[0]) {
                TEST_ASSERT_EQUAL_INT(now[0] != before[0], now[1] != before[1]);
                if (now[0] != before[0]) {
                    turns++;
                    TEST_ASSERT(spent(now[0]) > 2.0 * spent(before[0]));
                    TEST_ASSERT(2.0 * spent(now[1]) < spent(before[1]));
                }
            }
            before[0] = now[0];
            before[1] = now[1];
            free(values);
        }
        TEST_ASSERT_EQUAL_INT(1, turns);
        pvgt_statistic_free(s.all);
    }
}

/* Numbers that are none leave the triangles their share, and nothing breaks. */
static void no_numbers_are_few_edges(void) {
    synthesis s = make(1.0);
    double *few = telling(&s, 0.0);
    const double odd[] = {NAN, -INFINITY, -1e300};
    for (int i = 0; i < 3; i++) {
        double *values = telling(&s, odd[i]);
        TEST_ASSERT(pvgi_statistic_either(s.part[BETWEEN], values) ==
                    pvgi_statistic_either(s.part[BETWEEN], few));
        free(values);
    }
    free(few);
    pvgt_statistic_free(s.all);
}

static double mean_noise(const pvg_statistic *part, const double *before) {
    pvg_rng *rng;
    pvgi_run run;
    pvgi_scratch scratch;
    pvg_graph *graph;
    double sum = 0.0;
    PVGT_OK(pvg_graph_from_edges(&graph, ORDER, NULL, NULL, 0, PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    PVGT_OK(pvgi_run_begin(&run, NULL));
    PVGT_OK(pvgi_statistic_scratch(&scratch, part, ORDER, &run));
    scratch.before = before;
    for (int i = 0; i < DRAWS; i++) {
        pvgi_stream call;
        double value;
        PVGT_OK(pvgi_rng_stream_open(&call, rng));
        PVGT_OK(pvgi_statistic_draw(&value, part, graph, &scratch, &call, &run));
        pvgi_rng_stream_close(&call);
        sum += fabs(value);
    }
    pvgi_statistic_scratch_free(&scratch);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
    return sum / DRAWS;
}

/* Mean size of discrete Laplace noise of that epsilon for a change of 1. */
static double mean_size(double epsilon) {
    return 2.0 * exp(-epsilon) / -expm1(-2.0 * epsilon);
}

/* On one and the same graph, which has no edges, released numbers decide the noise. */
static void noise_is_of_the_law_that_was_chosen(void) {
    synthesis s = make(1.0);
    double sizes[2], expected[2];
    for (int many = 0; many < 2; many++) {
        double *values = telling(&s, many ? 1e9 : 0.0);
        expected[many] = mean_size(spent(pvgi_statistic_either(s.part[BETWEEN], values)));
        sizes[many] = mean_noise(s.part[BETWEEN], values);
        free(values);
    }
    for (int many = 0; many < 2; many++) /* deviation of a mean: 1.6 percent */
        PVGT_CHECK(fabs(sizes[many] / expected[many] - 1.0) < 0.1, "%g, not %g",
                   sizes[many], expected[many]);
    TEST_ASSERT(expected[0] > 5.0 * expected[1]);
    pvgt_statistic_free(s.all);
}

/* No scale is told for a number whose scale is not known before. */
static void records_tell_both_laws(void) {
    synthesis s = make(1.0);
    for (int k = BETWEEN; k <= TRIANGLES; k++) {
        const pvgi_columns *told = s.part[k]->guarantee.told;
        TEST_ASSERT(strstr(told->kind[0].noise, "if the released degrees tell of"));
        TEST_ASSERT(isnan(told->table[0].measure[0].scale));
        TEST_ASSERT_EQUAL_INT64(0, told->table[0].joints);
    }
    pvgt_statistic_free(s.all);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(both_sums_are_covered);
    RUN_TEST(one_has_more_where_the_other_has_less);
    RUN_TEST(no_numbers_are_few_edges);
    RUN_TEST(noise_is_of_the_law_that_was_chosen);
    RUN_TEST(records_tell_both_laws);
    return pvgt_end(UNITY_END());
}
