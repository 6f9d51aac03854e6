/* Noise in the shape of joint changes (sensitivity/corners.c, mechanism/ellipsoid.c).
 *   graphs     every graph on up to 6 nodes within the degree bound, every edge, promised
 *              and truncated: the change of all values together, in units of the noise,
 *              is within mu; a family of points with corners left out is caught
 *   climbing   larger graphs, changed edge by edge so that the distance grows: it comes
 *              near mu and never beyond (longer in soak)
 *   beside     the same for lists with other patterns, which have their share of mu
 *   draws      sample covariance; the law of the whole row (squared length and every
 *              direction after whitening, Kolmogorov), the lattice it lies on; a scale
 *              that is 3 percent off is found
 *   gains      deviations against noise that is independent
 *   families   which lists are covered, and what is refused
 *   making     progress, cancelling, and what a limit of memory does */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "handles.h"
#include "release/release_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void setUp(void) {}
void tearDown(void) {}

enum { MOST = 96, ORDER_MAX = 6, NODES = 14 };

/* --- trees ----------------------------------------------------------------------- */

static char text[1 << 14];
static int length;

/* A centre with branches of so many leaves, as graph6. */
static void add_tree(const int *leaves, int branches) {
    bool joined[32][32] = {{false}};
    int n = 1;
    for (int i = 0; i < branches; i++) {
        const int child = n++;
        joined[0][child] = joined[child][0] = true;
        for (int k = 0; k < leaves[i]; k++, n++)
            joined[child][n] = joined[n][child] = true;
    }
    text[length++] = (char)(63 + n);
    int bits = 0, used = 0;
    for (int v = 1; v < n; v++)
        for (int u = 0; u < v; u++) {
            bits = bits << 1 | joined[u][v];
            if (++used == 6) text[length++] = (char)(63 + bits), bits = used = 0;
        }
    if (used) text[length++] = (char)(63 + (bits << (6 - used)));
    text[length++] = '\n';
}

static void grow(int *leaves, int branches, int most, int edges, int diameter) {
    int wide = 0;
    for (int i = 0; i < branches; i++) wide += leaves[i] > 0;
    /* each tree once: double stars from the end with more leaves */
    const bool once = wide == 0 || wide > 1 || branches - 1 >= leaves[0];
    if (branches > 0 && once && (wide == 0 || (wide == 1 && branches > 1) || wide > 1) &&
        (wide == 0   ? 2
         : wide == 1 ? 3
                     : 4) <= diameter)
        add_tree(leaves, branches);
    for (int k = most; k >= 0; k--) {
        if (edges < k + 1) continue;
        leaves[branches] = k;
        grow(leaves, branches + 1, k, edges - k - 1, diameter);
    }
}

static pvg_patterns *trees_of(int edges, int diameter) {
    int leaves[32];
    pvg_patterns *patterns = NULL;
    length = 0;
    grow(leaves, 0, edges, edges, diameter);
    PVGT_OK(pvg_patterns_from_graph6(&patterns, text, length));
    return patterns;
}

static pvg_embedder *weighted(const pvg_patterns *patterns, int32_t degrees,
                              int64_t bound, int32_t noise, int32_t joint,
                              const double *weights) {
    const pvg_target target = {.size = sizeof target,
                               .noise = noise,
                               .allow_seeded = 1,
                               .epsilon = 1.3,
                               .delta = 1e-5};
    const pvg_embedder_config config = {.size = sizeof config,
                                        .degrees = degrees,
                                        .degree_bound = bound,
                                        .scaling = PVG_SCALING_PER_NODE,
                                        .joint = joint};
    pvg_embedder *embedder = NULL;
    PVGT_OK(pvgt_embedder_new(&embedder, patterns, &config, &target, weights, NULL));
    return embedder;
}

static pvg_embedder *embedder_of(const pvg_patterns *patterns, int32_t degrees,
                                 int64_t bound, int32_t noise, int32_t joint) {
    return weighted(patterns, degrees, bound, noise, joint, NULL);
}

/* --- distances ------------------------------------------------------------------- */

/* Lower triangle of a covariance, and what the release says it spends, as mu. */
typedef struct {
    int count;
    double l[MOST * MOST], mu;
} ruler;

static void make_ruler(ruler *r, const pvg_embedder *embedder, int64_t order) {
    pvgi_order_noise noise;
    const int n = r->count = (int)embedder->plan.count;
    TEST_ASSERT_TRUE(n <= MOST);
    PVGT_OK(pvgi_query_order_noise(&noise, NULL, NULL, embedder, order));
    TEST_ASSERT_NOT_NULL(noise.mechanism->loadings);
    pvgi_query_order_covariance(r->l, &noise, n);
    const pvg_curve_term *spent = &noise.mechanism->spent;
    r->mu = spent->kind == PVG_CURVE_GDP ? spent->mu : sqrt(2 * spent->rho);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = r->l[i * n + j];
            for (int k = 0; k < j; k++) sum -= r->l[i * n + k] * r->l[j * n + k];
            TEST_ASSERT_TRUE(i != j || sum > 0);
            r->l[i * n + j] = i == j ? sqrt(sum) : sum / r->l[j * n + j];
        }
    pvgi_query_order_noise_free(&noise);
}

static double distance(const ruler *r, const double *x) {
    double y[MOST], total = 0;
    for (int i = 0; i < r->count; i++) {
        double sum = x[i];
        for (int k = 0; k < i; k++) sum -= r->l[i * r->count + k] * y[k];
        y[i] = sum / r->l[i * r->count + i];
        total += y[i] * y[i];
    }
    return sqrt(total);
}

/* --- all small graphs ------------------------------------------------------------ */

static pvg_graph *graph_of(int64_t order, uint32_t code) {
    int64_t from[15] = {0}, to[15] = {0}, count = 0;
    pvg_graph *graph = NULL;
    int bit = 0;
    for (int64_t v = 1; v < order; v++)
        for (int64_t u = 0; u < v; u++, bit++)
            if (code >> bit & 1) from[count] = u, to[count++] = v;
    PVGT_OK(pvg_graph_from_edges(&graph, order, from, to, count, 0, NULL));
    return graph;
}

/* hom / n of all graphs, cut to `bound` if told so. */
static double *values_of(const pvg_patterns *patterns, int64_t order, int64_t bound,
                         bool cut, uint8_t *degree) {
    const int graphs = 1 << (order * (order - 1) / 2),
              n = (int)pvg_patterns_count(patterns);
    double *values = malloc((size_t)(graphs * n) * sizeof *values);
    pvg_density *density = NULL;
    pvg_graphset_builder *builder = NULL;
    pvg_graphset *set = NULL;
    TEST_ASSERT_NOT_NULL(values);
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int g = 0; g < graphs; g++) {
        pvg_graph *graph = graph_of(order, (uint32_t)g), *other = NULL;
        degree[g] = 0;
        for (int64_t v = 0; v < order; v++)
            if (pvg_graph_degree(graph, v) > degree[g])
                degree[g] = (uint8_t)pvg_graph_degree(graph, v);
        if (cut) PVGT_OK(pvg_graph_truncate_degree(&other, graph, bound, NULL));
        PVGT_OK(pvg_graphset_builder_add(builder, cut ? other : graph, -1, NULL, NULL));
        pvg_graph_free(graph);
        pvg_graph_free(other);
    }
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    PVGT_OK(pvg_density_evaluate_exact(values, density, set, NULL));
    for (int i = 0; i < graphs * n; i++)
        values[i] *= pow((double)order, (double)pvg_patterns_order(patterns, i % n) - 1);
    pvg_graphset_free(set);
    pvg_graphset_builder_free(builder);
    pvg_density_free(density);
    return values;
}

static double worst_edge(const ruler *r, const double *values, const uint8_t *degree,
                         int64_t order, int64_t bound, bool cut) {
    const int pairs = (int)(order * (order - 1) / 2), n = r->count;
    double most = 0, x[MOST];
    for (int g = 0; g < 1 << pairs; g++)
        for (int pair = 0; pair < pairs; pair++) {
            const int h = g | 1 << pair;
            if (h == g || (!cut && degree[h] > bound)) continue;
            for (int i = 0; i < n; i++) x[i] = values[h * n + i] - values[g * n + i];
            most = fmax(most, distance(r, x));
        }
    return most / r->mu;
}

static void edges_are_paid_for(void) {
    static const struct {
        int edges, diameter;
        int64_t bound;
    } families[] = {{4, 2, 3}, {5, 3, 3}, {5, 3, 5}, {5, 4, 3}, {6, 4, 4}};
    static ruler r;
    uint8_t *degree = malloc(1 << 15);
    TEST_ASSERT_NOT_NULL(degree);
    for (size_t c = 0; c < sizeof families / sizeof *families; c++)
        for (int cut = 0; cut < 2; cut++) {
            const int64_t bound = families[c].bound;
            pvg_patterns *patterns = trees_of(families[c].edges, families[c].diameter);
            pvg_embedder *embedder =
                embedder_of(patterns, cut ? PVG_DEGREES_TRUNCATED : PVG_DEGREES_PROMISED,
                            bound, cut ? PVG_NOISE_DISCRETE_GAUSSIAN : PVG_NOISE_GAUSSIAN,
                            PVG_JOINT_ELLIPSOID);
            double worst = 0;
            for (int64_t order = 3; order <= ORDER_MAX; order++) {
                double *values = values_of(patterns, order, bound, cut, degree);
                make_ruler(&r, embedder, order);
                worst = fmax(worst, worst_edge(&r, values, degree, order, bound, cut));
                free(values);
            }
            printf("%d trees of diameter %d, degrees %lld%s: %.4f of mu\n", r.count,
                   families[c].diameter, (long long)bound, cut ? ", truncated" : "",
                   worst);
            PVGT_CHECK(worst <= 1 + 1e-9, "family %zu cut %d: %.12g", c, cut, worst);
            TEST_ASSERT_TRUE(worst > (cut ? 0.2 : 0.5));
            pvgt_embedder_free(embedder);
            pvg_patterns_free(patterns);
        }
    free(degree);
}

/* --- beside other patterns ------------------------------------------------------- */

static const char mixed_names[] = "edge,triangle,path3,path4,cycle4,star3,path5,clique4";

static void others_stand_beside(void) {
    static ruler r;
    uint8_t *degree = malloc(1 << 15);
    pvg_patterns *patterns = NULL;
    TEST_ASSERT_NOT_NULL(degree);
    PVGT_OK(pvg_patterns_from_names(&patterns, mixed_names));
    for (int cut = 0; cut < 2; cut++)
        for (int law = 0; law < 2; law++) {
            pvg_embedder *embedder =
                embedder_of(patterns, cut ? PVG_DEGREES_TRUNCATED : PVG_DEGREES_PROMISED,
                            3, law ? PVG_NOISE_DISCRETE_GAUSSIAN : PVG_NOISE_GAUSSIAN,
                            PVG_JOINT_ELLIPSOID);
            double worst = 0;
            for (int64_t order = 4; order <= ORDER_MAX; order++) {
                double *values = values_of(patterns, order, 3, cut, degree);
                make_ruler(&r, embedder, order);
                PVGT_CHECK(r.mu <= embedder->ratio * (1 + 1e-12) &&
                               r.mu > 0.99 * embedder->ratio,
                           "%g of %g spent", r.mu, embedder->ratio);
                worst = fmax(worst, worst_edge(&r, values, degree, order, 3, cut));
                free(values);
            }
            printf("trees beside cycles%s: %.4f of mu\n", cut ? ", truncated" : "",
                   worst);
            PVGT_CHECK(worst <= 1 + 1e-9, "cut %d: %.12g", cut, worst);
            TEST_ASSERT_TRUE(worst > 0.25);
            pvgt_embedder_free(embedder);
        }
    /* and it is less noise: AUTO takes it */
    double sum[3] = {0}, scale[8], s[8], weights[8];
    static const int32_t joints[] = {PVG_JOINT_NEVER, PVG_JOINT_ONE_WAY, PVG_JOINT_AUTO};
    for (int k = 0; k < 3; k++) {
        pvg_embedder *embedder = embedder_of(patterns, PVG_DEGREES_PROMISED, 4,
                                             PVG_NOISE_GAUSSIAN, PVG_JOINT_NEVER);
        PVGT_OK(pvgt_embedder_preview(s, NULL, NULL, embedder, 50));
        pvgt_embedder_free(embedder);
        for (int i = 0; i < 8; i++) weights[i] = 1 / s[i] / s[i];
        embedder = weighted(patterns, PVG_DEGREES_PROMISED, 4, PVG_NOISE_GAUSSIAN,
                            joints[k], weights);
        PVGT_OK(pvgt_embedder_preview(NULL, NULL, scale, embedder, 50));
        for (int i = 0; i < 8; i++) sum[k] += scale[i] * scale[i] * weights[i];
        pvgt_embedder_free(embedder);
    }
    printf("trees beside cycles, variances: %.3g apart, %.3g one way, %.3g beside\n",
           sum[0], sum[1], sum[2]);
    TEST_ASSERT_TRUE(sum[2] < 0.9 * sum[1] && sum[1] < sum[0]);
    pvg_patterns_free(patterns);
    free(degree);
}

/* Points of degrees one lower: a family of corners was forgotten. */
static void forgotten_corners_are_caught(void) {
    static ruler r;
    pvg_patterns *patterns = trees_of(5, 3);
    const int n = r.count = (int)pvg_patterns_count(patterns);
    uint8_t degree[1 << 10];
    double weights[MOST];
    for (int64_t bound = 3; bound <= 4; bound++) {
        pvgi_corners corners;
        pvgi_ellipsoid *e = NULL;
        PVGT_OK(pvgi_sensitivity_corners(&corners, patterns, bound, 1e6));
        for (int i = 0; i < n; i++) weights[i] = 1;
        pvgi_run run;
        PVGT_OK(pvgi_run_begin(&run, NULL));
        PVGT_OK(pvgi_mechanism_ellipsoid(&e, corners.points, corners.count, n, weights,
                                         false, 1, 0x1p-12, &run));
        TEST_ASSERT_NOT_NULL(e);
        TEST_ASSERT_TRUE(e->reach <= 1);
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++) {
                double sum = i == j ? ldexp((double)e->scale[i], e->grid[i]) *
                                          ldexp((double)e->scale[i], e->grid[i])
                                    : 0;
                for (int k = 0; k < n; k++)
                    sum += ldexp((double)e->loadings[i * n + k] * (double)e->shared,
                                 e->grid[i]) *
                           ldexp((double)e->loadings[j * n + k] * (double)e->shared,
                                 e->grid[j]);
                for (int k = 0; k < j; k++) sum -= r.l[i * n + k] * r.l[j * n + k];
                r.l[i * n + j] = i == j ? sqrt(sum) : sum / r.l[j * n + j];
            }
        r.mu = 1;
        double *values = values_of(patterns, 5, 4, false, degree);
        for (int g = 0; g < 1 << 10; g++)
            for (int i = 0; i < n; i++) values[g * n + i] *= 5;
        const double worst = worst_edge(&r, values, degree, 5, 4, false);
        printf("corners for degrees up to %lld, graphs up to 4: %.4f\n", (long long)bound,
               worst);
        TEST_ASSERT_TRUE(bound == 4 ? worst <= 1 : worst > 1.05);
        free(values);
        pvgi_mechanism_ellipsoid_free(e);
        pvgi_sensitivity_corners_free(&corners);
    }
    pvg_patterns_free(patterns);
}

/* --- climbing -------------------------------------------------------------------- */

static uint64_t state = 88172645463325252u;
static uint64_t random_below(uint64_t bound) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % bound;
}

static double climb(const ruler *r, const pvg_density *density,
                    const pvg_patterns *patterns, int64_t bound, int steps) {
    bool edge[NODES][NODES] = {{false}};
    int degree[NODES] = {0};
    double best = 0;
    int64_t u = 0, v = 1;
    for (int step = 0; step < steps; step++) {
        /* toggle up to two pairs; 0-1 is the edge that is added */
        int64_t pair[2][2];
        const int toggles = 1 + (int)random_below(2);
        for (int k = 0; k < toggles; k++) {
            int64_t a = (int64_t)random_below(NODES), b = (int64_t)random_below(NODES);
            if (a == b || (a < 2 && b < 2)) a = 2, b = 3;
            pair[k][0] = a, pair[k][1] = b;
            const int way = edge[a][b] ? -1 : 1;
            edge[a][b] = edge[b][a] = !edge[a][b];
            degree[a] += way, degree[b] += way;
        }
        bool fits = degree[0] < bound && degree[1] < bound;
        for (int i = 2; i < NODES; i++) fits = fits && degree[i] <= bound;
        double here = 0;
        if (fits) {
            int64_t from[NODES * NODES], to[NODES * NODES], count = 0;
            for (int i = 0; i < NODES; i++)
                for (int j = 0; j < i; j++)
                    if (edge[i][j]) from[count] = i, to[count++] = j;
            pvg_graph *graph = NULL;
            uint64_t low[MOST];
            double x[MOST];
            PVGT_OK(pvg_graph_from_edges(&graph, NODES, from, to, count, 0, NULL));
            PVGT_OK(pvg_density_edge_exact(low, NULL, density, graph, &u, &v, 1, NULL));
            for (int i = 0; i < r->count; i++) x[i] = (double)low[i] / NODES;
            here = distance(r, x) / r->mu;
            pvg_graph_free(graph);
        }
        if (here >= best)
            best = here;
        else
            for (int k = toggles - 1; k >= 0; k--) {
                const int64_t a = pair[k][0], b = pair[k][1];
                const int way = edge[a][b] ? -1 : 1;
                edge[a][b] = edge[b][a] = !edge[a][b];
                degree[a] += way, degree[b] += way;
            }
    }
    (void)patterns;
    return best;
}

static void climbing_ends_below_mu(void) {
    static const struct {
        int edges, diameter;
        int64_t bound;
    } families[] = {{5, 3, 4}, {6, 4, 3}, {7, 4, 4}};
    static ruler r;
    for (size_t c = 0; c < sizeof families / sizeof *families; c++) {
        pvg_patterns *patterns = trees_of(families[c].edges, families[c].diameter);
        pvg_embedder *embedder = embedder_of(patterns, PVG_DEGREES_PROMISED,
                                             families[c].bound, PVG_NOISE_GAUSSIAN, 0);
        pvg_density *density = NULL;
        double best = 0;
        PVGT_OK(pvg_density_new(&density, patterns, NULL));
        make_ruler(&r, embedder, NODES);
        for (int start = 0; start < (pvgt_soak() ? 300 : 4); start++)
            best = fmax(best, climb(&r, density, patterns, families[c].bound,
                                    pvgt_soak() ? 4000 : 500));
        printf("climbing, %d trees, degrees %lld: %.4f of mu\n", r.count,
               (long long)families[c].bound, best);
        PVGT_CHECK(best <= 1 + 1e-9, "family %zu: %.12g", c, best);
        TEST_ASSERT_TRUE(best > 0.6);
        pvg_density_free(density);
        pvgt_embedder_free(embedder);
        pvg_patterns_free(patterns);
    }
}

/* --- draws, gains, families ------------------------------------------------------ */

static void draws_have_the_covariance(void) {
    enum { DRAWS = 3000 };
    static ruler r;
    pvg_patterns *patterns = trees_of(5, 3);
    pvg_embedder *embedder =
        embedder_of(patterns, PVG_DEGREES_PROMISED, 4, PVG_NOISE_GAUSSIAN, 0);
    pvg_graph *graph = graph_of(6, 0);
    pvg_graphset_builder *builder = NULL;
    pvg_graphset *set = NULL;
    pvg_rng *rng = NULL;
    pvg_release *release = NULL;
    const double *values = NULL;
    double mean = 0;
    make_ruler(&r, embedder, 6);
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int i = 0; i < DRAWS; i++)
        PVGT_OK(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    PVGT_OK(pvgt_release_draw_embeddings(&release, embedder, set, NULL, rng, NULL, NULL));
    PVGT_OK(pvg_release_view(&values, release));
    for (int i = 0; i < DRAWS; i++) {
        const double d = distance(&r, values + i * r.count);
        mean += d * d / DRAWS / r.count;
    }
    const double spread = sqrt(2.0 / DRAWS / r.count);
    PVGT_CHECK(fabs(mean - 1) < 5 * spread, "%g", mean);
    TEST_ASSERT_TRUE(fabs(mean * 1.03 * 1.03 - 1) > 5 * spread);
    size_t size = 0;
    char *json = malloc(1 << 20);
    pvg_guarantee *again = NULL;
    TEST_ASSERT_NOT_NULL(json);
    PVGT_OK(
        pvg_guarantee_copy_json(json, 1 << 20, &size, pvg_release_guarantee(release)));
    TEST_ASSERT_NOT_NULL(strstr(json, "covariance"));
    TEST_ASSERT_NOT_NULL(strstr(json, "\"allocation\": \"ellipsoid\""));
    PVGT_OK(pvg_guarantee_parse(&again, json, size));
    pvg_guarantee_free(again);
    free(json);
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_graphset_free(set);
    pvg_graphset_builder_free(builder);
    pvg_graph_free(graph);
    pvgt_embedder_free(embedder);
    pvg_patterns_free(patterns);
}

/* --- the law of a row ------------------------------------------------------------ */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Chi square with an even number of degrees of freedom. */
static double chi_square(double x, int freedom) {
    double term = exp(-x / 2), sum = 0;
    for (int j = 0; j < freedom / 2; j++) {
        sum += term;
        term *= x / 2 / (j + 1);
    }
    return 1 - sum;
}

/* sqrt(count) times the largest distance of the sample from the law; above 3.3 once in
 * 10^9. freedom 0: normal. */
static double kolmogorov(double *sample, int count, int freedom, double scale) {
    double most = 0;
    qsort(sample, (size_t)count, sizeof *sample, ascending);
    for (int i = 0; i < count; i++) {
        const double x = sample[i] * scale;
        const double f = freedom ? chi_square(x, freedom) : 0.5 * erfc(-x / sqrt(2));
        most = fmax(most, fmax(f - (double)i / count, (i + 1.0) / count - f));
    }
    return most * sqrt(count);
}

static void rows_have_the_law(const pvg_patterns *patterns, int32_t noise_law,
                              int64_t order) {
    enum { DRAWS = 20000 };
    static ruler r;
    pvg_embedder *embedder =
        embedder_of(patterns, PVG_DEGREES_PROMISED, 4, noise_law, PVG_JOINT_ELLIPSOID);
    pvg_graph *graph = graph_of(order, 0); /* all counts 0 */
    pvgi_order_noise noise;
    pvg_graphset_builder *builder = NULL;
    pvg_graphset *set = NULL;
    pvg_rng *rng = NULL;
    pvg_release *release = NULL;
    const double *values = NULL;
    make_ruler(&r, embedder, order);
    const int n = r.count;
    double *sample = malloc((size_t)DRAWS * (size_t)(n + 1) * sizeof *sample);
    TEST_ASSERT_NOT_NULL(sample);
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int i = 0; i < DRAWS; i++)
        PVGT_OK(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    PVGT_OK(pvg_rng_new_seeded(&rng, 17));
    PVGT_OK(pvgt_release_draw_embeddings(&release, embedder, set, NULL, rng, NULL, NULL));
    PVGT_OK(pvg_release_view(&values, release));
    PVGT_OK(pvgi_query_order_noise(&noise, NULL, NULL, embedder, order));
    for (int d = 0; d < DRAWS; d++) {
        const double *x = values + d * n;
        double y[MOST], total = 0;
        for (int i = 0; i < n; i++) {
            /* whole numbers of steps, times the public unit */
            const double steps =
                ldexp(x[i] / noise.unit[i], -noise.mechanism->coordinate[i].grid);
            TEST_ASSERT_TRUE(fabs(steps) < 0x1p52 &&
                             fabs(steps - rint(steps)) <= fabs(steps) * 0x1p-50);
            y[i] = x[i];
            for (int k = 0; k < i; k++) y[i] -= r.l[i * n + k] * y[k];
            y[i] /= r.l[i * n + i];
            total += y[i] * y[i];
            sample[i * DRAWS + d] = y[i];
        }
        sample[n * DRAWS + d] = total;
    }
    for (int i = 0; i < n; i++) {
        const double k = kolmogorov(sample + i * DRAWS, DRAWS, 0, 1);
        PVGT_CHECK(k < 3.3, "direction %d: %g", i, k);
    }
    const double right = kolmogorov(sample + n * DRAWS, DRAWS, n, 1);
    const double wrong = kolmogorov(sample + n * DRAWS, DRAWS, n, 1.03 * 1.03);
    const double less = kolmogorov(sample + n * DRAWS, DRAWS, n, 0.97 * 0.97);
    printf("law of rows of %d: %.2f, with another scale %.2f and %.2f\n", n, right, wrong,
           less);
    PVGT_CHECK(right < 3.3, "squared length: %g", right);
    TEST_ASSERT_TRUE(wrong > 3.3 && less > 3.3);
    free(sample);
    pvgi_query_order_noise_free(&noise);
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_graphset_free(set);
    pvg_graphset_builder_free(builder);
    pvg_graph_free(graph);
    pvgt_embedder_free(embedder);
}

static void draws_have_the_law(void) {
    pvg_patterns *patterns = trees_of(8, 3);
    rows_have_the_law(patterns, PVG_NOISE_GAUSSIAN, 6);
    pvg_patterns_free(patterns);
    PVGT_OK(pvg_patterns_from_names(&patterns, mixed_names));
    rows_have_the_law(patterns, PVG_NOISE_DISCRETE_GAUSSIAN, 6);
    pvg_patterns_free(patterns);
}

/* --- making ---------------------------------------------------------------------- */

typedef struct {
    int calls, most;
    double last;
    bool falls;
} told;

static int32_t listen(void *context, double fraction) {
    told *t = context;
    t->falls = t->falls || fraction < t->last;
    t->last = fraction;
    return ++t->calls > t->most;
}

static void making_can_be_watched(void) {
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-6};
    pvg_embedder_config config = {.size = sizeof config,
                                  .degrees = PVG_DEGREES_PROMISED,
                                  .degree_bound = 4,
                                  .joint = PVG_JOINT_ELLIPSOID};
    told t = {.most = 1000};
    pvg_run run = {.size = sizeof run, .progress = listen, .progress_context = &t};
    pvg_patterns *patterns = trees_of(7, 4);
    pvg_embedder *embedder = NULL;
    const int n = (int)pvg_patterns_count(patterns);
    double scale[2][MOST];
    PVGT_OK(pvgt_embedder_new(&embedder, patterns, &config, &target, NULL, &run));
    pvgt_embedder_free(embedder);
    TEST_ASSERT_TRUE(t.calls > 0 && !t.falls && t.last <= 1);
    t = (told){.most = 0};
    embedder = (pvg_embedder *)&t;
    TEST_ASSERT_EQUAL_INT32(
        PVG_E_CANCELLED,
        pvgt_embedder_new(&embedder, patterns, &config, &target, NULL, &run));
    TEST_ASSERT_NULL(embedder);
    run.progress = NULL;
    run.scratch_limit = 100000;
    PVGT_FAILS(PVG_E_LIMIT, "scratch_limit",
               pvgt_embedder_new(&embedder, patterns, &config, &target, NULL, &run));
    for (int k = 0; k < 2; k++) { /* AUTO does without */
        config.joint = k ? PVG_JOINT_ONE_WAY : PVG_JOINT_AUTO;
        PVGT_OK(pvgt_embedder_new(&embedder, patterns, &config, &target, NULL, &run));
        PVGT_OK(pvgt_embedder_preview(NULL, NULL, scale[k], embedder, 30));
        pvgt_embedder_free(embedder);
    }
    for (int i = 0; i < n; i++) TEST_ASSERT_TRUE(scale[0][i] == scale[1][i]);
    pvg_patterns_free(patterns);
}

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void less_noise_than_apart(void) {
    static const struct {
        int edges, diameter;
        int64_t bound;
        double most; /* mean deviation / that of the pattern alone */
    } families[] = {{5, 3, 4, 1.25}, {5, 3, 10, 1.25}, {8, 3, 6, 1.25},
                    {6, 4, 3, 1.25}, {7, 4, 4, 1.3},   {9, 4, 4, 1.3}};
    for (size_t c = 0; c < sizeof families / sizeof *families; c++) {
        pvg_patterns *patterns = trees_of(families[c].edges, families[c].diameter);
        const int n = (int)pvg_patterns_count(patterns);
        double s[MOST], scale[3][MOST], mean[3] = {0}, weights[MOST];
        if (families[c].edges == 9 && !pvgt_soak()) {
            pvg_patterns_free(patterns);
            continue;
        }
        static const int32_t joints[] = {PVG_JOINT_NEVER, PVG_JOINT_ONE_WAY, 0};
        pvg_embedder *first = embedder_of(patterns, PVG_DEGREES_PROMISED,
                                          families[c].bound, PVG_NOISE_GAUSSIAN, 1);
        PVGT_OK(pvgt_embedder_preview(s, NULL, NULL, first, 100));
        pvgt_embedder_free(first);
        for (int i = 0; i < n; i++) weights[i] = 1 / s[i] / s[i];
        for (int k = 0; k < 3; k++) {
            const double before = now();
            pvg_embedder *embedder =
                weighted(patterns, PVG_DEGREES_PROMISED, families[c].bound,
                         PVG_NOISE_GAUSSIAN, joints[k], weights);
            const double seconds = now() - before;
            double sigma;
            PVGT_OK(pvg_gaussian_sigma(&sigma, 1.3, 1e-5));
            PVGT_OK(pvgt_embedder_preview(s, NULL, scale[k], embedder, 100));
            for (int i = 0; i < n; i++) mean[k] += scale[k][i] / s[i] / sigma / n;
            if (k == 2)
                printf("%d trees of diameter %d, degrees %lld: %.2f apart, %.2f one way, "
                       "%.2f ellipsoid; %.2f s\n",
                       n, families[c].diameter, (long long)families[c].bound, mean[0],
                       mean[1], mean[2], seconds);
            pvgt_embedder_free(embedder);
        }
        TEST_ASSERT_TRUE(mean[2] < mean[1] && mean[1] < mean[0]);
        PVGT_CHECK(mean[2] < families[c].most, "family %zu: %g", c, mean[2]);
        pvg_patterns_free(patterns);
    }
}

/* A tree without a centre is not taken for one, whatever stood in memory before. */
static void longer_trees_are_not_covered(void) {
    pvg_patterns *patterns = NULL;
    PVGT_OK(pvg_patterns_from_names(&patterns, "path5,path6,path7,path8,cycle4"));
    for (int64_t degree = 2; degree <= 20; degree++) {
        pvgi_corners corners;
        for (int64_t i = 0; i < pvg_patterns_count(patterns); i++)
            TEST_ASSERT_EQUAL_INT(i == 0 && degree <= 4,
                                  pvgi_sensitivity_covers(patterns, i, degree));
        PVGT_OK(pvgi_sensitivity_corners(&corners, patterns, degree, 1e6));
        TEST_ASSERT_EQUAL_INT64(0, corners.count);
        pvgi_sensitivity_corners_free(&corners);
    }
    pvg_patterns_free(patterns);
}

static void others_are_refused(void) {
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .delta = 1e-6};
    pvg_target laplace = {
        .size = sizeof target, .noise = PVG_NOISE_LAPLACE, .epsilon = 1};
    pvg_embedder_config config = {.size = sizeof config,
                                  .degrees = PVG_DEGREES_PROMISED,
                                  .degree_bound = 4,
                                  .joint = PVG_JOINT_ELLIPSOID};
    pvg_embedder *embedder = NULL;
    pvg_patterns *patterns = NULL;
    static const char *const names[] = {"edge,triangle", "path6,edge", "cycle4,cycle5"};
    for (int i = 0; i < 3; i++) { /* no proof for cycles, nor for diameter 5 */
        PVGT_OK(pvg_patterns_from_names(&patterns, names[i]));
        PVGT_FAILS(PVG_E_PRIVACY, "joint changes",
                   pvgt_embedder_new(&embedder, patterns, &config, &target, NULL, NULL));
        pvg_patterns_free(patterns);
    }
    PVGT_OK(pvg_patterns_from_names(&patterns, "edge,path3,path4,path5"));
    PVGT_OK(pvgt_embedder_new(&embedder, patterns, &config, &target, NULL, NULL));
    pvgt_embedder_free(embedder);
    PVGT_FAILS(PVG_E_PRIVACY, "joint changes",
               pvgt_embedder_new(&embedder, patterns, &config, &laplace, NULL, NULL));
    pvg_patterns_free(patterns);
    PVGT_OK(pvg_patterns_from_names(&patterns, "path5,edge"));
    config.degree_bound = 5; /* diameter 4: too many corners, and one tree is no family */
    PVGT_FAILS(PVG_E_PRIVACY, "joint changes",
               pvgt_embedder_new(&embedder, patterns, &config, &target, NULL, NULL));
    config.degrees = PVG_DEGREES_ANY, config.degree_bound = 0;
    PVGT_FAILS(PVG_E_PRIVACY, "joint changes",
               pvgt_embedder_new(&embedder, patterns, &config, &target, NULL, NULL));
    pvg_patterns_free(patterns);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(edges_are_paid_for);
    RUN_TEST(others_stand_beside);
    RUN_TEST(forgotten_corners_are_caught);
    RUN_TEST(climbing_ends_below_mu);
    RUN_TEST(draws_have_the_covariance);
    RUN_TEST(draws_have_the_law);
    RUN_TEST(making_can_be_watched);
    RUN_TEST(less_noise_than_apart);
    RUN_TEST(longer_trees_are_not_covered);
    RUN_TEST(others_are_refused);
    return pvgt_end(UNITY_END());
}
