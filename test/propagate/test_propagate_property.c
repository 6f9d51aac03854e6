/* propagate against explicit matrices in long double: every operator, mean, residual,
 * weights, activation, on random graphs with isolated nodes and any number of columns.
 * One step must stay within the public bound of its rounding. Threads, panel widths and
 * instruction sets must not change a bit. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "propagate/propagate_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static double uniform(uint64_t *state) {
    return (double)(pvgt_random(state) >> 11) * 0x1p-52 - 1;
}

static void *room(int64_t count, size_t bytes) {
    void *block = calloc((size_t)count + 1, bytes);
    TEST_ASSERT_NOT_NULL(block);
    return block;
}

static pvg_graph *random_graph(int64_t n, double density, uint64_t *seed) {
    int64_t *a = room(n * n, sizeof *a), *b = room(n * n, sizeof *b), count = 0;
    pvg_graph *graph = NULL;
    for (int64_t v = 1; v < n; v++)
        for (int64_t u = 0; u < v; u++)
            if (fabs(uniform(seed)) < density && u % 7 != 3 && v % 7 != 3) {
                a[count] = u;
                b[count++] = v;
            }
    PVGT_OK(pvg_graph_from_edges(&graph, n, a, b, count, PVG_EDGES_STRICT, NULL));
    free(a);
    free(b);
    return graph;
}

static pvg_layers_config random_config(uint64_t *seed, int64_t most) {
    pvg_layers_config c = {.size = sizeof c, .depth = 1 + pvgt_below(seed, 3)};
    c.operation = (int32_t)pvgt_below(seed, 5);
    c.activation = (int32_t)pvgt_below(seed, 4);
    if (c.operation == PVG_OPERATOR_SYMMETRIC) c.self_weight = 0.1 + fabs(uniform(seed));
    if (c.operation == PVG_OPERATOR_SYMMETRIC || c.operation == PVG_OPERATOR_ROW)
        c.tau = 1.2 + (double)pvgt_below(seed, 5) / 3;
    if (c.operation == PVG_OPERATOR_FLOOR) c.floor = 1 + 4 * fabs(uniform(seed));
    if (c.operation == PVG_OPERATOR_LAPLACIAN) c.floor = (double)most + 0.3;
    if (c.operation == PVG_OPERATOR_SUM && pvgt_below(seed, 2))
        c.rows = PVG_ROWS_NORMALISED;
    c.contraction = 0.2 + fabs(uniform(seed));
    if (pvgt_below(seed, 2)) c.mean_weight = fabs(uniform(seed));
    if (pvgt_below(seed, 2)) c.residual = fabs(uniform(seed));
    return c;
}

/* --- the oracle ----------------------------------------------------------------- */

/* The operator as a full matrix, straight from its definition. */
static void full_operator(long double *m, const pvg_layers_config *c,
                          const pvg_graph *g) {
    const int64_t n = pvg_graph_order(g);
    for (int64_t u = 0; u < n; u++)
        for (int64_t v = 0; v < n; v++) {
            const long double du = (long double)pvg_graph_degree(g, u);
            const long double dv = (long double)pvg_graph_degree(g, v);
            const long double joined = pvg_graph_has_edge(g, u, v);
            long double x = 0;
            switch (c->operation) {
            case PVG_OPERATOR_SYMMETRIC:
                x = (joined + (u == v ? c->self_weight : 0)) /
                    sqrtl((du + c->tau) * (dv + c->tau));
                break;
            case PVG_OPERATOR_FLOOR: {
                const long double floor = c->floor, fu = fmaxl(du, floor);
                x = (joined + (u == v ? fmaxl(floor - du, 0) : 0)) /
                    sqrtl(fu * fmaxl(dv, floor));
                break;
            }
            case PVG_OPERATOR_LAPLACIAN:
                x = (u == v ? 1 - du / c->floor : 0) + joined / c->floor;
                break;
            case PVG_OPERATOR_ROW:
                x = (joined + (u == v ? 1 : 0)) / (du + c->tau);
                break;
            default:
                x = joined;
            }
            m[u * n + v] = x;
        }
}

static void projected(long double *out, const long double *x, int64_t n, int64_t d,
                      int32_t rows) {
    for (int64_t u = 0; u < n; u++) {
        long double sum = 0;
        for (int64_t j = 0; j < d; j++) sum += x[u * d + j] * x[u * d + j];
        const long double norm = sqrtl(sum);
        const long double by =
            rows == PVG_ROWS_NORMALISED ? (norm > 0 ? norm : 1) : (norm > 1 ? norm : 1);
        for (int64_t j = 0; j < d; j++) out[u * d + j] = x[u * d + j] / by;
    }
}

static long double active(long double x, int32_t activation) {
    switch (activation) {
    case PVG_ACTIVATION_RELU:
        return x > 0 ? x : 0;
    case PVG_ACTIVATION_TANH:
        return tanhl(x);
    case PVG_ACTIVATION_SELU:
        return x > 0 ? PVGI_LAYER_SELU_SCALE * x : PVGI_LAYER_SELU_SLOPE * expm1l(x);
    default:
        return x;
    }
}

/* x <- the next state. */
static void oracle_step(long double *x, const pvg_layers *layers, int64_t layer,
                        const long double *m, const long double *x0, int64_t n,
                        int64_t d) {
    const pvg_layers_config *c = &layers->config;
    const double *w = pvgi_layer_weights(layers, layer);
    long double *p = room(n * d, sizeof *p), *z = room(n * d, sizeof *z);
    projected(p, x, n, d, c->rows);
    for (int64_t u = 0; u < n; u++)
        for (int64_t j = 0; j < d; j++) {
            long double near = 0, mean = 0;
            for (int64_t v = 0; v < n; v++) {
                near += m[u * n + v] * p[v * d + j];
                mean += p[v * d + j];
            }
            z[u * d + j] = c->contraction * ((1 - (long double)c->mean_weight) * near +
                                             c->mean_weight * mean / (long double)n);
        }
    for (int64_t u = 0; u < n; u++)
        for (int64_t j = 0; j < d; j++) {
            long double y = 0;
            for (int64_t i = 0; w && i < d; i++) y += z[u * d + i] * w[i * d + j];
            x[u * d + j] =
                active(w ? y : z[u * d + j], c->activation) + c->residual * x0[u * d + j];
        }
    free(p);
    free(z);
}

static long double distance(const double *x, const long double *y, int64_t count) {
    long double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrtl(sum);
}

/* --- tests ---------------------------------------------------------------------- */

static void steps_stay_within_the_bound(void) {
    uint64_t seed = 1;
    double worst = 0;
    for (int round = 0; round < 400; round++) {
        const int64_t n = 1 + pvgt_below(&seed, 24), d = 1 + pvgt_below(&seed, 40);
        pvg_graph *g = random_graph(n, fabs(uniform(&seed)), &seed);
        const int64_t most = pvg_graph_max_degree_exact(g);
        const pvg_layers_config c = random_config(&seed, most);
        const bool weighted = pvgt_below(&seed, 3) == 0;
        double *w = room(c.depth * d * d, sizeof *w), *x = room(n * d, sizeof *x);
        double *start = room(n * d, sizeof *start), *out = room(n * d, sizeof *out);
        long double *m = room(n * n, sizeof *m), *y = room(n * d, sizeof *y);
        long double *y0 = room(n * d, sizeof *y0);
        pvg_layers *layers = NULL;
        pvgi_propagation p;
        pvgi_run run;
        for (int64_t i = 0; i < c.depth * d * d; i++) w[i] = uniform(&seed);
        PVGT_OK(pvg_layers_new(&layers, &c, weighted ? w : NULL, weighted ? d : 0));
        /* states of all sizes, also outside the ball, and zero rows */
        for (int64_t i = 0; i < n * d; i++)
            x[i] = i / d % 5 == 1 ? 0 : ldexp(uniform(&seed), (int)(i / d % 9) - 6);
        for (int64_t i = 0; i < n * d; i++) start[i] = uniform(&seed) / sqrt((double)d);
        full_operator(m, &layers->config, g);
        for (int64_t i = 0; i < n * d; i++) y[i] = x[i], y0[i] = start[i];
        const int64_t layer = c.depth - 1;
        PVGT_OK(pvgi_run_begin(&run, NULL));
        PVGT_OK(pvgi_propagate_begin(&p, layers, g, NULL, d, start));
        PVGT_OK(pvgi_propagate_step(out, &p, x, layer, &run));
        pvgi_propagate_end(&p);
        oracle_step(y, layers, layer, m, y0, n, d);
        double bound = -1, loose = -1;
        PVGT_OK(pvg_propagate_rounding(&bound, layers, layer, n, most + (most == 0), d));
        PVGT_OK(pvg_propagate_rounding(&loose, layers, layer, n, 0, d));
        const double far = (double)distance(out, y, n * d);
        PVGT_CHECK(far <= bound && bound <= loose * (1 + 1e-12) && bound < 1e-9,
                   "round %d n %lld d %lld op %d act %d w %d: off %g, bound %g, %g",
                   round, (long long)n, (long long)d, (int)c.operation, (int)c.activation,
                   weighted, far, bound, loose);
        worst = fmax(worst, far / bound);
        pvg_layers_free(layers);
        pvg_graph_free(g);
        free(w), free(x), free(start), free(out), free(m), free(y), free(y0);
    }
    /* a bound that nothing comes near would be no test of it */
    PVGT_CHECK(worst > 1e-3, "largest share of the bound: %g", worst);
}

static void stacks_agree_with_matrices(void) {
    uint64_t seed = 2;
    for (int round = 0; round < 150; round++) {
        const int64_t n = 1 + pvgt_below(&seed, 20), d = 1 + pvgt_below(&seed, 12);
        pvg_graph *g = random_graph(n, fabs(uniform(&seed)), &seed);
        pvg_layers_config c = random_config(&seed, pvg_graph_max_degree_exact(g));
        const bool weighted = pvgt_below(&seed, 3) == 0;
        /* normalising makes anything of a row that is zero but for rounding */
        if (c.rows == PVG_ROWS_NORMALISED) c.depth = 1;
        double *w = room(c.depth * d * d, sizeof *w), *x = room(n * d, sizeof *x);
        double *out = room(n * d, sizeof *out), *sparse = room(n * d, sizeof *sparse);
        long double *m = room(n * n, sizeof *m), *y = room(n * d, sizeof *y);
        long double *y0 = room(n * d, sizeof *y0);
        pvg_layers *layers = NULL;
        pvg_features *features = NULL;
        for (int64_t i = 0; i < c.depth * d * d; i++) w[i] = uniform(&seed);
        PVGT_OK(pvg_layers_new(&layers, &c, weighted ? w : NULL, weighted ? d : 0));
        for (int64_t i = 0; i < n * d; i++)
            x[i] = pvgt_below(&seed, 3) ? 0 : 3 * uniform(&seed);
        for (int64_t i = 0; i < n * d; i++) y0[i] = x[i];
        projected(y0, y0, n, d, c.rows);
        memcpy(y, y0, (size_t)(n * d) * sizeof *y);
        full_operator(m, &layers->config, g);
        for (int64_t k = 0; k < c.depth; k++) oracle_step(y, layers, k, m, y0, n, d);
        PVGT_OK(pvg_propagate_exact(out, layers, g, x, d, NULL));
        PVGT_CHECK(distance(out, y, n * d) <= 1e-9L, "round %d: off %Lg", round,
                   distance(out, y, n * d));
        /* stored features: the same bits; and in place */
        PVGT_OK(pvg_features_from_dense(&features, n, d, x));
        PVGT_OK(pvg_propagate_features_exact(sparse, layers, g, features, NULL));
        TEST_ASSERT_EQUAL_MEMORY(out, sparse, (size_t)(n * d) * sizeof *out);
        PVGT_OK(pvg_propagate_exact(x, layers, g, x, d, NULL));
        TEST_ASSERT_EQUAL_MEMORY(out, x, (size_t)(n * d) * sizeof *out);
        pvg_features_free(features);
        pvg_layers_free(layers);
        pvg_graph_free(g);
        free(w), free(x), free(out), free(sparse), free(m), free(y), free(y0);
    }
}

/* Several chunks of rows, blocks of the mean and panels, in place: one layer against the
 * definition in long double, row by row. */
static void large_graphs_agree_with_the_definition(void) {
    enum { N = 7000 };
    const int64_t widths[] = {16, 17, 34};
    uint64_t seed = 7;
    pvg_rng *rng = NULL;
    pvg_graph *g = NULL;
    const int64_t *offsets;
    const int32_t *columns;
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvg_graph_draw_preferential(&g, N, 8, rng, NULL));
    pvg_rng_free(rng);
    PVGT_OK(pvg_graph_view_csr(&offsets, &columns, g));
    TEST_ASSERT_GREATER_THAN_INT64(3 * 32768, offsets[N] + 8 * N);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        const int64_t d = widths[i];
        const pvg_layers_config c = {.size = sizeof c,
                                     .contraction = 0.9,
                                     .mean_weight = 0.25,
                                     .residual = 0.5,
                                     .tau = 1.5};
        pvg_layers *layers = NULL;
        PVGT_OK(pvg_layers_new(&layers, &c, NULL, 0));
        const pvg_layers_config *full = &layers->config;
        double *x = room(N * d, sizeof *x);
        long double *p = room(N * d, sizeof *p), *mean = room(d, sizeof *mean);
        for (int64_t j = 0; j < N * d; j++) p[j] = x[j] = uniform(&seed);
        projected(p, p, N, d, PVG_ROWS_PROJECTED);
        for (int64_t j = 0; j < N * d; j++) mean[j % d] += p[j] / N;
        const pvg_run run = {.size = sizeof run, .threads = 2};
        PVGT_OK(pvg_propagate_exact(x, layers, g, x, d, &run));
        for (int64_t u = 0; u < N; u++)
            for (int64_t j = 0; j < d; j++) {
                const long double tau = full->tau, du = offsets[u + 1] - offsets[u];
                long double sum = full->self_weight * p[u * d + j] / (du + tau);
                for (int64_t k = offsets[u]; k < offsets[u + 1]; k++) {
                    const int64_t v = columns[k];
                    const long double dv = offsets[v + 1] - offsets[v];
                    sum += p[v * d + j] / sqrtl((du + tau) * (dv + tau));
                }
                const long double want =
                    0.9L * (0.75L * sum + 0.25L * mean[j]) + 0.5L * p[u * d + j];
                PVGT_CHECK(fabsl(want - x[u * d + j]) <= 1e-13L,
                           "d %lld row %lld column %lld: %Lg, not %g", (long long)d,
                           (long long)u, (long long)j, want, x[u * d + j]);
            }
        pvg_layers_free(layers);
        free(x), free(p), free(mean);
    }
    pvg_graph_free(g);
}

/* The operator alone, both element types, columns around every panel width. */
static void products_agree_with_matrices(void) {
    const int64_t widths[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 33, 64, 65, 100, 127, 129};
    uint64_t seed = 3;
    for (int32_t operation = 0; operation < 5; operation++)
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
            const int64_t n = 3 + pvgt_below(&seed, 30), d = widths[i];
            pvg_graph *g = random_graph(n, 0.4, &seed);
            pvg_layers_config c = {.size = sizeof c, .operation = operation};
            c.floor = operation == 1 || operation == 2 ? 4.5 : 0;
            double *x = room(n * d, sizeof *x), *out = room(n * d, sizeof *out);
            float *xf = room(n * d, sizeof *xf), *outf = room(n * d, sizeof *outf);
            long double *m = room(n * n, sizeof *m);
            pvg_layers *layers = NULL;
            for (int64_t j = 0; j < n * d; j++) {
                xf[j] = (float)(5 * uniform(&seed));
                x[j] = xf[j];
            }
            PVGT_OK(pvg_layers_new(&layers, &c, NULL, 0));
            full_operator(m, &layers->config, g);
            PVGT_OK(pvg_propagate_apply_exact(out, layers, g, x, d, NULL));
            PVGT_OK(pvg_propagate_apply_float_exact(outf, layers, g, xf, d, NULL));
            for (int64_t u = 0; u < n; u++)
                for (int64_t j = 0; j < d; j++) {
                    long double sum = 0, size = 0;
                    for (int64_t v = 0; v < n; v++) {
                        sum += m[u * n + v] * x[v * d + j];
                        size += fabsl(m[u * n + v] * x[v * d + j]);
                    }
                    const double off = (double)fabsl(out[u * d + j] - sum);
                    const double offf = (double)fabsl(outf[u * d + j] - sum);
                    const double terms = (double)pvg_graph_degree(g, u) + 12;
                    PVGT_CHECK(off <= terms * 0x1p-53 * (double)size &&
                                   offf <= terms * 0x1p-24 * (double)size,
                               "op %d d %lld u %lld j %lld: off %g, %g of %Lg",
                               (int)operation, (long long)d, (long long)u, (long long)j,
                               off, offf, size);
                }
            pvg_layers_free(layers);
            pvg_graph_free(g);
            free(x), free(out), free(xf), free(outf), free(m);
        }
}

/* Large enough for several chunks and panels. */
static void threads_change_no_bit(void) {
    enum { N = 6000, D = 37 };
    uint64_t seed = 4;
    pvg_rng *rng = NULL;
    pvg_graph *g = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, 9));
    PVGT_OK(pvg_graph_draw_preferential(&g, N, 9, rng, NULL));
    pvg_rng_free(rng);
    const pvg_layers_config c = {.size = sizeof c,
                                 .activation = PVG_ACTIVATION_SELU,
                                 .depth = 3,
                                 .mean_weight = 0.1,
                                 .residual = 0.5};
    double *x = room(N * D, sizeof *x), *first = room(N * D, sizeof *first);
    double *again = room(N * D, sizeof *again), w[3 * D * D];
    float *xf = room(N * D, sizeof *xf), *firstf = room(N * D, sizeof *firstf);
    float *againf = room(N * D, sizeof *againf);
    pvg_layers *layers = NULL;
    for (int64_t i = 0; i < N * D; i++) xf[i] = (float)(x[i] = uniform(&seed));
    for (int64_t i = 0; i < 3 * D * D; i++) w[i] = uniform(&seed) / D;
    for (int weighted = 0; weighted < 2; weighted++) {
        PVGT_OK(pvg_layers_new(&layers, &c, weighted ? w : NULL, weighted ? D : 0));
        PVGT_OK(pvg_propagate_exact(first, layers, g, x, D, NULL));
        PVGT_OK(pvg_propagate_apply_float_exact(firstf, layers, g, xf, D, NULL));
        for (uint32_t threads = 2; threads <= 9; threads += threads < 4 ? 1 : 5) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            PVGT_OK(pvg_propagate_exact(again, layers, g, x, D, &run));
            TEST_ASSERT_EQUAL_MEMORY(first, again, N * D * sizeof *first);
            PVGT_OK(pvg_propagate_apply_float_exact(againf, layers, g, xf, D, &run));
            TEST_ASSERT_EQUAL_MEMORY(firstf, againf, N * D * sizeof *firstf);
        }
        pvg_layers_free(layers);
    }
    pvg_graph_free(g);
    free(x), free(first), free(again), free(xf), free(firstf), free(againf);
}

/* All panel widths, instruction sets and prefetch distances, kernel by kernel. */
static void kernels_change_no_bit(void) {
    enum { N = 50, D = 75 };
    uint64_t seed = 5;
    pvg_graph *g = random_graph(N, 0.3, &seed);
    const pvg_layers_config c = {.tau = 1, .self_weight = 1};
    double x[N * D], first[N * D], out[N * D];
    float xf[N * D], firstf[N * D], outf[N * D];
    for (int64_t i = 0; i < N * D; i++) xf[i] = (float)(x[i] = uniform(&seed));
    for (int element = 4; element <= 8; element += 4) {
        bool begun = false;
        for (int32_t width = 1; width <= PVGI_SPMM_WIDEST; width *= 2)
            for (pvgi_cpu level = PVGI_CPU_PORTABLE; level <= pvgi_cpu_level(); level++)
                for (int32_t ahead = 0; ahead <= 8; ahead += 8) {
                    const pvgi_spmm_kernels *k =
                        pvgi_propagate_kernels(level, (size_t)element);
                    const bool wide = element == 8;
                    void *to = wide ? (begun ? (void *)out : first)
                                    : (begun ? (void *)outf : firstf);
                    pvgi_spmm s;
                    int64_t start, panels = 0, covered = 0;
                    const pvgi_spmm_wish wish = {.graph = g,
                                                 .config = &c,
                                                 .scale = 0.7,
                                                 .rows = wide ? PVGI_ROWS_PROJECTED
                                                              : PVGI_ROWS_KEPT,
                                                 .columns = D,
                                                 .element = (size_t)element,
                                                 .width = width};
                    PVGT_OK(pvgi_propagate_spmm_begin(&s, &wish));
                    s.ahead = ahead;
                    for (int32_t v; (v = pvgi_propagate_panel(&s, panels, &start));
                         panels++) {
                        TEST_ASSERT_EQUAL_INT64(covered, start);
                        covered += v * s.lanes;
                        k->pack(&s, wide ? (void *)x : xf, start, v, 0, N, NULL);
                        k->sum(&s, to, start, v, 0, N / 2);
                        k->sum(&s, to, start, v, N / 2, N);
                    }
                    TEST_ASSERT_EQUAL_INT64(s.padded, covered);
                    pvgi_propagate_spmm_end(&s);
                    if (begun)
                        TEST_ASSERT_EQUAL_MEMORY(wide ? (void *)first : firstf, to,
                                                 (size_t)element * N * D);
                    begun = true;
                }
    }
    pvg_graph_free(g);
}

/* In place the matrix is packed, apart a narrow one is not: the same bits. */
static void packing_changes_no_bit(void) {
    uint64_t seed = 6;
    pvg_graph *g = random_graph(40, 0.3, &seed);
    for (int32_t operation = 0; operation < 5; operation++)
        for (int64_t d = 1; d <= 140; d += d < 20 ? 1 : 12) {
            pvg_layers_config c = {.size = sizeof c, .operation = operation};
            c.floor = operation == 1 || operation == 2 ? 4.5 : 0;
            double x[40 * 140], out[40 * 140];
            float xf[40 * 140], outf[40 * 140];
            pvg_layers *layers = NULL;
            PVGT_OK(pvg_layers_new(&layers, &c, NULL, 0));
            for (int64_t i = 0; i < 40 * d; i++) xf[i] = (float)(x[i] = uniform(&seed));
            PVGT_OK(pvg_propagate_apply_exact(out, layers, g, x, d, NULL));
            PVGT_OK(pvg_propagate_apply_exact(x, layers, g, x, d, NULL));
            TEST_ASSERT_EQUAL_MEMORY(out, x, (size_t)(40 * d) * sizeof *x);
            PVGT_OK(pvg_propagate_apply_float_exact(outf, layers, g, xf, d, NULL));
            PVGT_OK(pvg_propagate_apply_float_exact(xf, layers, g, xf, d, NULL));
            TEST_ASSERT_EQUAL_MEMORY(outf, xf, (size_t)(40 * d) * sizeof *xf);
            pvg_layers_free(layers);
        }
    pvg_graph_free(g);
}

/* P at the ends of the range of doubles. */
static void rows_of_all_sizes(void) {
    for (int e = -1060; e <= 500; e += 13)
        for (int64_t d = 1; d <= 19; d += 6) {
            double x[19], y[19], z[19];
            long double norm = 0, sum = 0, sum_of_z = 0;
            for (int64_t j = 0; j < d; j++) {
                x[j] = ldexp((double)(j % 4) - 1.25, e);
                norm += (long double)x[j] * x[j];
            }
            norm = sqrtl(norm);
            pvgi_propagate_project(y, x, 1, d, PVG_ROWS_PROJECTED);
            pvgi_propagate_project(z, x, 1, d, PVG_ROWS_NORMALISED);
            for (int64_t j = 0; j < d; j++) {
                sum += (long double)y[j] * y[j];
                sum_of_z += (long double)z[j] * z[j];
            }
            const long double expected = norm > 1 ? 1 : norm;
            PVGT_CHECK(fabsl(sqrtl(sum) - expected) <= 1e-15L * expected, "e %d d %lld",
                       e, (long long)d);
            if (e < -510)
                TEST_ASSERT_EQUAL_MEMORY(x, z, (size_t)d * sizeof *x);
            else if (e > -490)
                PVGT_CHECK(fabsl(sqrtl(sum_of_z) - 1) <= 1e-15L, "e %d d %lld: %Lg", e,
                           (long long)d, sqrtl(sum_of_z));
        }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(steps_stay_within_the_bound);
    RUN_TEST(stacks_agree_with_matrices);
    RUN_TEST(large_graphs_agree_with_the_definition);
    RUN_TEST(products_agree_with_matrices);
    RUN_TEST(threads_change_no_bit);
    RUN_TEST(kernels_change_no_bit);
    RUN_TEST(packing_changes_no_bit);
    RUN_TEST(rows_of_all_sizes);
    return pvgt_end(UNITY_END());
}
