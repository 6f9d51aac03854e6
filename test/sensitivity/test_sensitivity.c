/* sensitivity: closed forms and vectors of the theory, counterexamples to the published
 * bound, the floating-point term, arguments. */
#include "sensitivity/sensitivity_internal.h"
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_patterns *named(const char *names) {
    pvg_patterns *patterns = NULL;
    PVGT_OK(pvg_patterns_from_names(&patterns, names));
    return patterns;
}

/* The bound as a count: S n^m. n is large so that neither the counting lemma nor the
 * range is smaller. */
static double count_bound(const char *name, int degree) {
    pvg_patterns *patterns = named(name);
    const double n = 1048576; /* a power of two: no rounding in D/n */
    const pvgi_assumption assumption = {.order = n, .degree = degree, .doubling = 1};
    pvgi_sensitivity_plan plan;
    PVGT_OK(pvgi_sensitivity_plan_new(&plan, patterns));
    const double s = pvgi_sensitivity_at(&plan, 0, &assumption, 0);
    pvgi_sensitivity_plan_free(&plan);
    const double count = s * pow(n, patterns->pattern[0].graph.order);
    pvg_patterns_free(patterns);
    return count;
}

static void near_above(double expected, double got, const char *what) {
    PVGT_CHECK(got >= expected && got <= expected * (1 + 1e-11), "%s: %.17g for %.17g",
               what, got, expected);
}

static void closed_forms(void) {
    char name[32];
    for (int d = 2; d <= 12; d++)
        for (int m = 3; m <= 14; m++) {
            snprintf(name, sizeof name, "star%d", m - 1);
            near_above(2 * (pow(d, m - 1) - pow(d - 1, m - 1)), count_bound(name, d),
                       name);
            snprintf(name, sizeof name, "path%d", m);
            near_above(2 * (pow(d, m - 2) + (m - 2) * (d - 1) * pow(d, m - 3)),
                       count_bound(name, d), name);
            if (m >= 4) {
                snprintf(name, sizeof name, "cycle%d", m);
                near_above(2 * (pow(d, m - 2) + (m - 2) * (d - 1) * pow(d, m - 3) +
                                (d - 1) * (d - 1) * pow(d, m - 4)),
                           count_bound(name, d), name);
            }
            if (m <= 7) {
                double clique = (double)m * (m - 1);
                for (int i = 1; i <= m - 2; i++) clique *= d > i ? d - i : 0;
                snprintf(name, sizeof name, "clique%d", m);
                near_above(clique, count_bound(name, d), name);
            }
        }
    near_above(6 * 9, count_bound("cycle3", 10), "C3");
}

static void vectors_of_the_theory(void) {
    near_above(28394, count_bound("star7", 4), "star m=8 D=4");
    near_above(45056, count_bound("path8", 4), "path m=8 D=4");
    near_above(49664, count_bound("cycle8", 4), "cycle m=8 D=4");
    near_above(72, count_bound("clique4", 4), "K4 D=4");
    near_above(666, count_bound("cycle6", 3), "C6 D=3");
    near_above(7938, count_bound("cycle8", 3), "C8 D=3");
    near_above(24, count_bound("clique4", 3), "K4 D=3");
    TEST_ASSERT_EQUAL_DOUBLE(0.0, count_bound("clique6", 4)); /* no K6 with degrees 4 */
}

/* k-trees: 2e (D-1)...(D-k+1) (D-k+1)^(m-k-1). */
static void k_trees(void) {
    for (int k = 2; k <= 4; k++)
        for (int m = k + 2; m <= 10; m++) {
            pvgi_small f = {.order = m};
            for (int v = 1; v < m; v++) /* the k-th power of a path */
                for (int u = v > k ? v - k : 0; u < v; u++) pvgi_pattern_join(&f, u, v);
            pvgi_pattern p;
            PVGT_OK(pvgi_pattern_examine(&p, &f, "k-tree"));
            const pvg_patterns list = {.count = 1, .pattern = &p};
            pvgi_sensitivity_plan plan;
            PVGT_OK(pvgi_sensitivity_plan_new(&plan, &list));
            for (int d = k + 1; d <= 10; d++) {
                const double n = 1048576;
                const pvgi_assumption assumption = {
                    .order = n, .degree = d, .doubling = 1};
                double expected = 2.0 * p.size * pow(d - k + 1, m - k - 1);
                for (int i = 1; i <= k - 1; i++) expected *= d - i;
                const double got =
                    pvgi_sensitivity_at(&plan, 0, &assumption, 0) * pow(n, m);
                /* the first-edge rule may do better, never worse */
                PVGT_CHECK(got <= expected * (1 + 1e-11) && got > 0,
                           "k=%d m=%d D=%d: %g %g", k, m, d, got, expected);
            }
            pvgi_sensitivity_plan_free(&plan);
        }
}

static void counterexamples_to_the_published_bound(void) {
    pvg_patterns *two_edges = NULL;
    const int64_t orders[] = {4, 5}, sizes[] = {2, 1};
    const int64_t from[] = {0, 2, 0}, to[] = {1, 3, 1};
    PVGT_OK(pvg_patterns_from_edges(&two_edges, orders, sizes, 2, from, to));
    double right[2], published[2];
    const pvg_assumption four = {sizeof four, PVG_DEGREES_PROMISED, 4, 1, 0};
    PVGT_OK(pvg_sensitivity_edge(right, two_edges, &four, NULL));
    PVGT_OK(pvg_sensitivity_edge_published(published, two_edges, &four));
    /* 2K2 on a perfect matching of 4 nodes changes by 12/256; published 4/256 */
    near_above(12.0 / 256, right[0], "2K2");
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 4.0 / 256, published[0]);
    const pvg_assumption six = {sizeof six, PVG_DEGREES_PROMISED, 6, 1, 0};
    PVGT_OK(pvg_sensitivity_edge(right, two_edges, &six, NULL));
    PVGT_OK(pvg_sensitivity_edge_published(published, two_edges, &six));
    near_above(1.0 / 18, right[1], "K2 + 3 K1");
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0002572016460905, published[1]);
    pvg_patterns_free(two_edges);
}

/* The table of the theory for B = 2e/n^2 (D/n)^(m-2): ours is never above it, and the
 * published form reproduces the paper's. */
static void smooth_vectors(void) {
    static const struct {
        int n, d, m;
        double beta, smooth, published;
    } table[] = {
        {25, 4, 3, 0.2, 1.2800000000e-03, 1.2800000000e-03},
        {25, 4, 5, 0.2, 3.7417499109e-04, 3.2840867517e-04},
        {25, 4, 12, 0.2, 5.2352323662e-04, 2.8834740683e-06},
        {25, 4, 12, 0.001684, 2.2665187055e-02, 9.4772277388e-06},
        {25, 10, 20, 2e-09, 2.9159882032e-02, 5.8757593829e-05},
        {100, 6, 4, 0.0259, 5.8043929379e-05, 8.6805769744e-06},
        {1000, 10, 3, 0.0108, 1.5343758229e-07, 6.3733332902e-08},
        {1000, 10, 10, 0.0154, 3.7934885457e-11, 1.1448143538e-19},
        {25, 24, 6, 0.1, 1.3589544960e-02, 1.3589544960e-02},
        {25, 0, 3, 0.5, 3.1054369777e-04, 3.1054369777e-04},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char name[16];
        snprintf(name, sizeof name, "path%d", table[i].m);
        pvg_patterns *path = named(name);
        const pvg_assumption any = {sizeof any, PVG_DEGREES_ANY, table[i].n, 0, 0};
        double smooth, published;
        PVGT_OK(pvg_sensitivity_smooth_exact(&smooth, path, &any, NULL, table[i].beta,
                                             table[i].d));
        PVGT_OK(pvg_sensitivity_smooth_published(&published, path, &any, table[i].beta,
                                                 table[i].d));
        PVGT_CHECK(smooth <= table[i].smooth * (1 + 1e-9) &&
                       smooth > 0.5 * table[i].smooth,
                   "row %d: %.10g", (int)i, smooth);
        PVGT_CHECK(fabs(published / table[i].published - 1) < 1e-9, "row %d: %.10g",
                   (int)i, published);
        pvg_patterns_free(path);
    }
}

static void truncation_doubles_and_no_bound_is_global(void) {
    pvg_patterns *p = named("path4,cycle5,star3");
    double promised[3], truncated[3], any[3], wide[3];
    const pvg_assumption a = {sizeof a, PVG_DEGREES_PROMISED, 1000, 10, 0};
    const pvg_assumption b = {sizeof b, PVG_DEGREES_TRUNCATED, 1000, 10, 0};
    const pvg_assumption c = {sizeof c, PVG_DEGREES_ANY, 1000, 0, 0};
    const pvg_assumption d = {sizeof d, PVG_DEGREES_TRUNCATED, 1000, 999, 0};
    PVGT_OK(pvg_sensitivity_edge(promised, p, &a, NULL));
    PVGT_OK(pvg_sensitivity_edge(truncated, p, &b, NULL));
    PVGT_OK(pvg_sensitivity_edge(any, p, &c, NULL));
    PVGT_OK(pvg_sensitivity_edge(wide, p, &d, NULL));
    for (int i = 0; i < 3; i++) {
        near_above(2 * promised[i], truncated[i] * (1 + 1e-13), "doubling");
        TEST_ASSERT_TRUE(any[i] <= 2.0 * (double)p->pattern[i].size / 1e6 * (1 + 1e-12));
        TEST_ASSERT_EQUAL_DOUBLE(any[i], wide[i]); /* nothing is cut at n - 1 */
    }
    pvg_patterns_free(p);
}

static void rounding_of_the_density_is_charged(void) {
    pvg_patterns *p = named("path5");
    const pvg_assumption assumption = {sizeof assumption, PVG_DEGREES_PROMISED, 100, 10,
                                       0};
    double exact, rounded, range;
    const double r = 1e-6;
    PVGT_OK(pvg_sensitivity_edge(&exact, p, &assumption, NULL));
    PVGT_OK(pvg_sensitivity_edge(&rounded, p, &assumption, &r));
    PVGT_OK(pvg_sensitivity_range(&range, p, &assumption));
    near_above(1e-4, range, "range of path5"); /* (10/100)^4 */
    near_above(exact + 2 * r * range, rounded * (1 + 1e-12), "charged");
    pvg_patterns_free(p);
}

static void vertices_alone_cannot_move(void) {
    pvg_patterns *p = named("vertex");
    const pvg_assumption assumption = {sizeof assumption, PVG_DEGREES_ANY, 10, 0, 0};
    double s, range;
    PVGT_OK(pvg_sensitivity_edge(&s, p, &assumption, NULL));
    PVGT_OK(pvg_sensitivity_range(&range, p, &assumption));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, s);
    TEST_ASSERT_EQUAL_DOUBLE(1.0, range);
    pvg_patterns_free(p);
}

static void bad_arguments(void) {
    pvg_patterns *p = named("path3,path4");
    double out[2] = {7, 8};
    pvg_assumption q = {sizeof q, PVG_DEGREES_PROMISED, 10, 3, 0};
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_sensitivity_edge(NULL, p, &q, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "patterns is NULL",
               pvg_sensitivity_edge(out, NULL, &q, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "assumption is NULL",
               pvg_sensitivity_edge(out, p, NULL, NULL));
    const double bad[2] = {0, NAN}, negative[2] = {-1, 0};
    PVGT_FAILS(PVG_E_ARGUMENT, "relative_error[1]",
               pvg_sensitivity_edge(out, p, &q, bad));
    PVGT_FAILS(PVG_E_ARGUMENT, "relative_error[0]",
               pvg_sensitivity_edge(out, p, &q, negative));
    const double betas[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        PVGT_FAILS(PVG_E_ARGUMENT, "beta",
                   pvg_sensitivity_smooth_exact(out, p, &q, NULL, betas[i], 3));
    PVGT_FAILS(PVG_E_ARGUMENT, "max_degree is negative",
               pvg_sensitivity_smooth_exact(out, p, &q, NULL, 1, -1));
    q.degree_bound = 0;
    PVGT_FAILS(PVG_E_ARGUMENT, "degree_bound is less",
               pvg_sensitivity_edge(out, p, &q, NULL));
    q.degrees = PVG_DEGREES_ANY, q.degree_bound = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "degree_bound is set", pvg_sensitivity_range(out, p, &q));
    q.degrees = 9;
    PVGT_FAILS(PVG_E_ARGUMENT, "degrees is 9", pvg_sensitivity_range(out, p, &q));
    q = (pvg_assumption){sizeof q, PVG_DEGREES_ANY, 0, 0, 0};
    PVGT_FAILS(PVG_E_ARGUMENT, "order", pvg_sensitivity_range(out, p, &q));
    q.order = (int64_t)1 << 31;
    PVGT_FAILS(PVG_E_ARGUMENT, "order", pvg_sensitivity_range(out, p, &q));
    q = (pvg_assumption){sizeof q, PVG_DEGREES_TRUNCATED, 10, 3, 0};
    PVGT_FAILS(PVG_E_ARGUMENT, "constant sensitivity",
               pvg_sensitivity_smooth_exact(out, p, &q, NULL, 1, 3));
    TEST_ASSERT_TRUE(out[0] == 7 && out[1] == 8);
    pvg_patterns_free(p);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(closed_forms);
    RUN_TEST(vectors_of_the_theory);
    RUN_TEST(k_trees);
    RUN_TEST(counterexamples_to_the_published_bound);
    RUN_TEST(smooth_vectors);
    RUN_TEST(truncation_doubles_and_no_bound_is_global);
    RUN_TEST(rounding_of_the_density_is_charged);
    RUN_TEST(vertices_alone_cannot_move);
    RUN_TEST(bad_arguments);
    return pvgt_end(UNITY_END());
}
