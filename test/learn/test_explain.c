/* Explanations against independent computations: gradients against finite differences and
 * against those of single logits, GraphLIME against kernels written down, GNNExplainer
 * against its objective differentiated numerically; starts and what they leave; bits and
 * threads; refusals. */
#include "learn/explain/explain.h"
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { N = 40, D = 12, C = 3 };
static pvg_graph *graph;
static double x[N * D];
static pvg_labels *labels;

static double unit(uint64_t *state) {
    return (double)(pvgt_random(state) >> 11) * 0x1p-53;
}

/* A ring with chords that stay within a class mostly, sparse features that hint at it. */
static void plant(void) {
    int64_t from[4 * N], to[4 * N], count = 0;
    int32_t truth[N];
    uint64_t seed = 5;
    for (int v = 0; v < N; v++) {
        truth[v] = v % C;
        for (int j = 0; j < D; j++)
            if (unit(&seed) < (j % C == truth[v] ? .6 : .25))
                x[v * D + j] = .3 + unit(&seed);
        from[count] = v;
        to[count++] = (v + C) % N;
        from[count] = v;
        to[count++] = (v + 1 + pvgt_below(&seed, N - 1)) % N;
    }
    PVGT_OK(pvg_graph_from_edges(&graph, N, from, to, count, PVG_EDGES_MERGE, NULL));
    PVGT_OK(pvg_labels_from_array(&labels, truth, N));
}

static pvg_dataset *dataset_of(const pvg_graph *of, const double *values, int64_t columns,
                               const pvg_labels *known, int64_t order) {
    pvg_dataset_builder *builder;
    pvg_features *features;
    pvg_dataset *data;
    PVGT_OK(pvg_dataset_builder_new(&builder, order));
    PVGT_OK(pvg_features_from_dense(&features, order, columns, values));
    PVGT_OK(pvg_dataset_builder_add_public_features(builder, features));
    if (of) PVGT_OK(pvg_dataset_builder_add_public_graph(builder, of));
    PVGT_OK(pvg_dataset_builder_add_public_labels(builder, known));
    PVGT_OK(pvg_dataset_builder_finish(&data, builder));
    pvg_features_free(features);
    pvg_dataset_builder_free(builder);
    return data;
}

static pvg_model *model_of(const char *text, const pvg_dataset *data, int64_t columns,
                           int64_t classes, int64_t epochs, int64_t averages) {
    const pvg_training_config config = {.size = sizeof config,
                                        .precision = PVG_PRECISION_DOUBLE,
                                        .epochs = epochs,
                                        .averages = averages};
    pvg_network *network;
    pvg_model *model;
    pvg_rng *rng;
    PVGT_OK(pvg_network_from_text(&network, text, columns, classes));
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvg_model_train(&model, network, data, &config, NULL, rng, NULL));
    pvg_rng_free(rng);
    pvg_network_free(network);
    return model;
}

static const char *const networks[] = {
    "drop .5 | gcn 5 tanh | drop .5 | gcn classes",
    "gcn 2 tau=2 elu | gcn classes", /* neighbours before the second map */
    "sage 4 tanh | sage classes",
    "gat 4 heads=2 elu | gcn classes",
    "gatv2 4 heads=2 elu | graphconv classes",
    "transformer 4 heads=2 elu | transformer classes",
    "kprop 2 | dense 4 sigmoid | dense classes",
    "gin 4 ln tanh | jk cat | dense classes",
    "dense 4 tanh | sum debias=.1 | dense classes", /* everybody reaches everybody */
};
enum { NETWORKS = sizeof networks / sizeof networks[0] };

static void logits(double *z, const pvg_model *model, const double *values) {
    pvg_dataset *data = dataset_of(graph, values, D, labels, N);
    PVGT_OK(pvg_model_predict_exact(z, model, data, PVG_PREDICT_LOGITS, NULL));
    pvg_dataset_free(data);
}

static void gradients_are_differences(void) {
    static double out[N * D], z[N * C], up[N * C], down[N * C], moved[N * D];
    pvg_dataset *data = dataset_of(graph, x, D, labels, N);
    for (int i = 0; i < NETWORKS; i++) {
        pvg_model *model = model_of(networks[i], data, D, C, 10, 1);
        PVGT_OK(pvg_explain_exact(out, PVG_EXPLAINER_GRAD, model, data, NULL, N, NULL,
                                  NULL, NULL));
        logits(z, model, x);
        for (int v = 0; v < N; v += 13)
            for (int j = 0; j < D; j++) {
                const int64_t c = pvgi_learn_explain_class(z + v * C, C);
                const double h = 1e-5;
                memcpy(moved, x, sizeof x);
                moved[v * D + j] += h;
                logits(up, model, moved);
                moved[v * D + j] -= 2 * h;
                logits(down, model, moved);
                const double slope = fabs(up[v * C + c] - down[v * C + c]) / (2 * h);
                PVGT_CHECK(fabs(slope - out[v * D + j]) < 1e-6,
                           "%s: node %d feature %d: %.9f, differences %.9f", networks[i],
                           v, j, out[v * D + j], slope);
            }
        pvg_model_free(model);
    }
    pvg_dataset_free(data);
}

/* All four kinds from gradients of single logits over the whole graph. */
static void kinds_are_as_defined(void) {
    static double out[4][N * D], single[N * D], slopes[N * D], z[N * C];
    pvg_dataset *data = dataset_of(graph, x, D, labels, N);
    for (int i = 0; i < NETWORKS; i++) {
        pvg_model *model = model_of(networks[i], data, D, C, 10, 1);
        for (int32_t kind = 0; kind < 4; kind++)
            PVGT_OK(pvg_explain_exact(out[kind], kind, model, data, NULL, N, NULL, NULL,
                                      NULL));
        logits(z, model, x);
        for (int v = 0; v < N; v += 7) {
            double p[C], expect[4][D], reached = 0;
            const int64_t c = pvgi_learn_explain_class(z + v * C, C);
            memset(expect, 0, sizeof expect);
            memset(slopes, 0, sizeof slopes);
            pvgi_learn_loss_slopes(p, z + v * C, C, c, PVG_LOSS_CROSS_ENTROPY);
            for (int64_t k = 0; k < C; k++) {
                PVGT_OK(pvg_model_gradient_exact(single, NULL, model, data, v, k, NULL));
                for (int j = 0; j < N * D; j++) slopes[j] += p[k] * single[j];
                for (int j = 0; k == c && j < D; j++) {
                    expect[0][j] = fabs(single[v * D + j]);
                    expect[1][j] = fabs(x[v * D + j] * single[v * D + j]);
                }
            }
            /* the ball as defined: nodes whose features can reach v */
            pvgi_ball ball;
            PVGT_OK(pvgi_learn_ball_open(&ball, data));
            static const int64_t hops[NETWORKS] = {2, 2, 2, 2, 2, 2, 2, 1, -1};
            pvgi_learn_ball_around(&ball, v, hops[i], N);
            reached = (double)ball.count;
            for (int64_t b = 0; b < ball.count; b++)
                for (int j = 0; j < D; j++) {
                    const int64_t at = ball.nodes[b] * D + j;
                    expect[2][j] += x[at] * slopes[at];
                    expect[3][j] += fabs(x[at] * slopes[at]) / reached;
                }
            pvgi_learn_ball_close(&ball);
            for (int kind = 0; kind < 4; kind++)
                for (int j = 0; j < D; j++)
                    PVGT_CHECK(fabs(fabs(expect[kind][j]) - out[kind][v * D + j]) < 1e-10,
                               "%s: kind %d node %d feature %d: %.12f, not %.12f",
                               networks[i], kind, v, j, out[kind][v * D + j],
                               expect[kind][j]);
        }
        pvg_model_free(model);
    }
    pvg_dataset_free(data);
}

/* Two gcn layers taken apart, and run over balls as any network. */
static void both_ways_agree(void) {
    static double fast[N * D], slow[N * D];
    pvg_dataset *data = dataset_of(graph, x, D, labels, N);
    for (int i = 0; i < 2; i++) {
        pvg_model *model = model_of(networks[i], data, D, C, 30, 1);
        TEST_ASSERT_TRUE(pvgi_learn_two_fits(model, data));
        for (int32_t kind = 0; kind < 4; kind++) {
            pvgi_explain e = {
                .out = fast, .explainer = kind, .model = model, .data = data, .count = N};
            pvgi_run run;
            PVGT_OK(pvgi_run_begin(&run, NULL));
            PVGT_OK(pvgi_learn_explain(&e, "test", &run));
            e.out = slow;
            e.general = true;
            PVGT_OK(pvgi_learn_explain(&e, "test", &run));
            for (int j = 0; j < N * D; j++)
                PVGT_CHECK(fabs(fast[j] - slow[j]) < 1e-11, "kind %d: %g, %g", kind,
                           fast[j], slow[j]);
        }
        pvg_model_free(model);
    }
    pvg_dataset_free(data);
}

/* --- GraphLIME --------------------------------------------------------------------- */

enum { K = 30, F = 25 };

static void centre(double *m, int k) {
    double row[K] = {0}, column[K] = {0}, all = 0, square = 0;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            row[a] += m[a * k + b] / k;
            column[b] += m[a * k + b] / k;
            all += m[a * k + b] / k / k;
        }
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            m[a * k + b] += all - row[a] - column[b];
            square += m[a * k + b] * m[a * k + b];
        }
    for (int i = 0; i < k * k && square > 1e-20; i++) m[i] /= sqrt(square);
}

static void lasso_is_that_of_the_kernels(void) {
    static double kernel[F][K * K], rest[K * K], mine[K * K];
    uint64_t seed = 9;
    for (int round = 0; round < 12; round++) {
        const int k = 8 + 2 * round;
        const bool two_valued = round % 2 == 0;
        double values[K * F], p[K * C], beta[F], expect[F] = {0};
        double entries[K * F];
        int64_t starts[F + 1] = {0};
        int32_t rows[K * F];
        for (int j = 0; j < F; j++) {
            starts[j + 1] = starts[j];
            for (int a = 0; a < k; a++) {
                const double value =
                    unit(&seed) < .3 ? (two_valued ? 1.5 : .2 + unit(&seed)) : 0;
                values[a * F + j] = value;
                if (value == 0) continue;
                entries[starts[j + 1]] = value;
                rows[starts[j + 1]++] = a;
            }
        }
        for (int a = 0; a < k; a++) {
            double sum = 0;
            for (int c = 0; c < C; c++)
                sum += p[a * C + c] = unit(&seed) + (c < 2 ? values[a * F + c] * 2 : 0);
            for (int c = 0; c < C; c++) p[a * C + c] /= sum;
        }
        for (int a = 0; a < k; a++)
            for (int b = 0; b < k; b++) {
                double apart = 0;
                for (int c = 0; c < C; c++) apart += pow(p[a * C + c] - p[b * C + c], 2);
                rest[a * k + b] = exp(-apart / (.2 * C));
                for (int j = 0; j < F; j++)
                    kernel[j][a * k + b] =
                        exp(-pow(values[a * F + j] - values[b * F + j], 2) / (.2 * F));
            }
        centre(rest, k);
        for (int j = 0; j < F; j++) centre(kernel[j], k);
        pvgi_learn_lime_labels(mine, p, k, C, .2 * C);
        for (int i = 0; i < k * k; i++)
            PVGT_CHECK(fabs(mine[i] - rest[i]) < 1e-12, "labels: %g, %g", mine[i],
                       rest[i]);
        pvgi_lime lime = {.nodes = k,
                          .columns = F,
                          .starts = starts,
                          .rows = rows,
                          .values = entries,
                          .bandwidth = .2 * F,
                          .penalty = .1,
                          .tolerance = 1e-14,
                          .sweeps = 2000,
                          .rest = mine};
        lime.scratch = malloc(pvgi_learn_lime_scratch(&lime) * sizeof *lime.scratch);
        pvgi_learn_lime_solve(beta, &lime);
        free(lime.scratch);
        for (int sweep = 0; sweep < 4000; sweep++) {
            double most = 0;
            for (int j = 0; j < F; j++) {
                double reads = 0;
                for (int i = 0; i < k * k; i++) reads += kernel[j][i] * rest[i];
                const double next = fmax(0, expect[j] + reads - .1);
                for (int i = 0; i < k * k; i++)
                    rest[i] -= (next - expect[j]) * kernel[j][i];
                most = fmax(most, fabs(next - expect[j]));
                expect[j] = next;
            }
            if (most < 1e-14) break;
        }
        double sum = 0;
        for (int j = 0; j < F; j++) {
            sum += expect[j];
            PVGT_CHECK(fabs(beta[j] - expect[j]) < 1e-10,
                       "k %d, column %d: %.12f, kernels %.12f", k, j, beta[j], expect[j]);
        }
        PVGT_CHECK(sum > .05, "k %d: nothing was selected", k);
        /* what is left over is the same matrix */
        for (int i = 0; i < k * k; i++)
            PVGT_CHECK(fabs(mine[i] - rest[i]) < 1e-10, "rest: %g, %g", mine[i], rest[i]);
    }
}

static void lime_finds_what_matters(void) {
    /* class = feature 0; the others are coins */
    static double features[N * D], out[N * D];
    int32_t truth[N];
    uint64_t seed = 4;
    pvg_labels *known;
    for (int v = 0; v < N; v++) {
        truth[v] = v % 2;
        features[v * D] = v % 2;
        for (int j = 1; j < D; j++) features[v * D + j] = unit(&seed) < .5;
    }
    PVGT_OK(pvg_labels_from_array(&known, truth, N));
    pvg_dataset *data = dataset_of(graph, features, D, known, N);
    pvg_model *model = model_of("dense classes", data, D, 2, 300, 2);
    const pvg_explain_config config = {.size = sizeof config, .hops = 3};
    PVGT_OK(pvg_explain_exact(out, PVG_EXPLAINER_GRAPH_LIME, model, data, NULL, N,
                              &config, NULL, NULL));
    for (int v = 0; v < N; v++)
        for (int j = 1; j < D; j++)
            PVGT_CHECK(out[v * D] > .5 && out[v * D + j] < .3, "node %d: %g, %g", v,
                       out[v * D], out[v * D + j]);
    pvg_model_free(model);
    pvg_dataset_free(data);
    pvg_labels_free(known);
}

/* --- GNNExplainer ------------------------------------------------------------------ */

typedef struct {
    const pvgi_two *two;
    const pvg_dataset *data;
    int64_t v, class;
    bool in[N];
    double f[D], *m; /* m: by arc of the dataset */
    int64_t arcs;    /* within the ball */
    bool published;
} problem;

static double entropy(double s) {
    return -s * log(s) - (1 - s) * log(1 - s);
}

static double sigmoid(double value) {
    return 1 / (1 + exp(-value));
}

/* The objective as it is written, over dense matrices. */
static double objective(const problem *q) {
    const pvgi_two *t = q->two;
    const int64_t h = t->hidden;
    double y[N][8] = {{0}}, sum[8] = {0}, state[N][8], z[C], most, total = 0, value;
    for (int u = 0; u < N; u++)
        for (int j = 0; j < D; j++)
            for (int64_t a = 0; a < h; a++)
                y[u][a] += x[u * D + j] * sigmoid(q->f[j]) * t->w1[j * h + a];
    for (int u = 0; u < N; u++)
        for (int64_t a = 0; a < h; a++) {
            double s = t->b1[a] + t->s1[u] * t->s1[u] * y[u][a], slope;
            for (int64_t e = q->data->offsets[u]; e < q->data->offsets[u + 1]; e++) {
                const int64_t w = q->data->columns[e];
                s += t->s1[u] * t->s1[w] * (q->in[u] && q->in[w] ? sigmoid(q->m[e]) : 1) *
                     y[w][a];
            }
            state[u][a] = pvgi_learn_act(&slope, t->act, s);
        }
    for (int64_t a = 0; a < h; a++) {
        sum[a] = t->s2[q->v] * t->s2[q->v] * state[q->v][a];
        for (int64_t e = q->data->offsets[q->v]; e < q->data->offsets[q->v + 1]; e++) {
            const int64_t w = q->data->columns[e];
            sum[a] += t->s2[q->v] * t->s2[w] * sigmoid(q->m[e]) * state[w][a];
        }
    }
    for (int64_t c = 0; c < C; c++) {
        z[c] = t->b2[c];
        for (int64_t a = 0; a < h; a++) z[c] += sum[a] * t->w2[a * C + c];
    }
    most = fmax(z[0], fmax(z[1], z[2]));
    for (int c = 0; c < C; c++) total += exp(z[c] - most);
    value = most + log(total) - z[q->class];
    for (int u = 0; u < N; u++)
        for (int64_t e = q->data->offsets[u]; e < q->data->offsets[u + 1]; e++) {
            if (!q->in[u] || !q->in[q->data->columns[e]]) continue;
            const double s = sigmoid(q->m[e]);
            value += .005 * s + entropy(s) / (double)q->arcs;
        }
    for (int j = 0; j < D; j++) {
        const double s = sigmoid(q->f[j]);
        value += (q->published ? s : s / D) + .1 * entropy(s) / D;
    }
    return value;
}

static double slope_of(problem *q, double *at) {
    const double h = 1e-5, before = *at;
    *at = before + h;
    const double up = objective(q);
    *at = before - h;
    const double down = objective(q);
    *at = before;
    return (up - down) / (2 * h);
}

static void masks_follow_the_objective(void) {
    enum { STEPS = 4, NODES = 3 };
    const int64_t nodes[NODES] = {0, 11, 26};
    pvg_dataset *data = dataset_of(graph, x, D, labels, N);
    pvg_model *model = model_of(networks[0], data, D, C, 40, 1);
    const int64_t arcs = pvg_dataset_arcs_exact(data);
    const size_t row = (size_t)arcs * sizeof(double);
    double *start = malloc(NODES * row), *end = malloc(NODES * row);
    double first[NODES * D], last[NODES * D];
    pvgi_two two;
    pvgi_run run;
    pvg_rng *rng;
    PVGT_OK(pvgi_run_begin(&run, NULL));
    PVGT_OK(pvgi_learn_two_open(&two, model, data, &run));
    for (int32_t published = 0; published < 2; published++) {
        pvg_explain_config config = {
            .size = sizeof config, .steps = 1, .rate = 1e-300, .published = published};
        /* a step of no length gives the start */
        PVGT_OK(pvg_rng_new_seeded(&rng, 8));
        PVGT_OK(pvg_explain_masks_exact(first, start, NULL, model, data, nodes, NODES,
                                        &config, rng, NULL));
        pvg_rng_free(rng);
        config.rate = .05;
        config.steps = STEPS;
        PVGT_OK(pvg_rng_new_seeded(&rng, 8));
        PVGT_OK(pvg_explain_masks_exact(last, end, NULL, model, data, nodes, NODES,
                                        &config, rng, NULL));
        pvg_rng_free(rng);
        for (int i = 0; i < NODES; i++) {
            problem q = {.two = &two,
                         .data = data,
                         .v = nodes[i],
                         .m = start + i * arcs,
                         .published = published};
            double m1[D] = {0}, m2[D] = {0};
            double *a1 = calloc((size_t)arcs, 8), *a2 = calloc((size_t)arcs, 8);
            double *move = calloc((size_t)arcs, 8), step[D];
            pvgi_ball ball;
            q.class = pvgi_learn_explain_class(two.z + q.v * C, C);
            PVGT_OK(pvgi_learn_ball_open(&ball, data));
            pvgi_learn_ball_around(&ball, q.v, 2, N);
            for (int64_t b = 0; b < ball.count; b++) q.in[ball.nodes[b]] = true;
            pvgi_learn_ball_close(&ball);
            for (int j = 0; j < D; j++)
                q.f[j] = log(first[i * D + j] / (1 - first[i * D + j]));
            for (int64_t e = 0; e < arcs; e++) {
                q.arcs += q.m[e] > 0;
                if (q.m[e] > 0) q.m[e] = log(q.m[e] / (1 - q.m[e]));
            }
            for (int t = 1; t <= STEPS; t++) {
                for (int j = 0; j < D; j++) step[j] = slope_of(&q, &q.f[j]);
                for (int64_t e = 0; e < arcs; e++)
                    if (end[i * arcs + e] > 0) move[e] = slope_of(&q, &q.m[e]);
                for (int64_t e = 0; e < arcs + D; e++) {
                    double *one = e < arcs ? &a1[e] : &m1[e - arcs];
                    double *two_ = e < arcs ? &a2[e] : &m2[e - arcs];
                    double *at = e < arcs ? &q.m[e] : &q.f[e - arcs];
                    const double g = e < arcs ? move[e] : step[e - arcs];
                    *one = .9 * *one + .1 * g;
                    *two_ = .999 * *two_ + .001 * g * g;
                    *at -= .05 * *one / (1 - pow(.9, t)) /
                           (sqrt(*two_ / (1 - pow(.999, t))) + 1e-8);
                }
            }
            for (int j = 0; j < D; j++)
                PVGT_CHECK(fabs(sigmoid(q.f[j]) - last[i * D + j]) < 1e-6,
                           "node %d feature %d: %.9f, not %.9f", (int)q.v, j,
                           last[i * D + j], sigmoid(q.f[j]));
            for (int64_t e = 0; e < arcs; e++)
                if (end[i * arcs + e] > 0)
                    PVGT_CHECK(fabs(sigmoid(q.m[e]) - end[i * arcs + e]) < 1e-6,
                               "node %d arc %d: %.9f, not %.9f", (int)q.v, (int)e,
                               end[i * arcs + e], sigmoid(q.m[e]));
            free(a1);
            free(a2);
            free(move);
        }
    }
    free(start);
    free(end);
    pvgi_learn_two_close(&two);
    pvg_model_free(model);
    pvg_dataset_free(data);
}

/* Masks by loops over the ball, and by a tape over many balls. */
static void masks_agree(void) {
    static double rows[2][N * D], agreement[2][N];
    pvg_dataset *data = dataset_of(graph, x, D, labels, N);
    const size_t all = (size_t)(N * pvg_dataset_arcs_exact(data));
    double *arcs[2] = {malloc(all * sizeof **arcs), malloc(all * sizeof **arcs)};
    for (int i = 0; i < 2; i++) {
        pvg_model *model = model_of(networks[i], data, D, C, 30, 1);
        for (int way = 0; way < 2; way++) {
            pvgi_explain e = {.out = rows[way],
                              .explainer = PVG_EXPLAINER_GNN_EXPLAINER,
                              .model = model,
                              .data = data,
                              .count = N,
                              .config = {.steps = 30, .rate = .05, .published = i},
                              .arcs = arcs[way],
                              .agreement = agreement[way],
                              .general = way};
            pvgi_run run;
            PVGT_OK(pvgi_run_begin(&run, NULL));
            PVGT_OK(pvg_rng_new_seeded(&e.rng, 6));
            PVGT_OK(pvgi_learn_explain(&e, "test", &run));
            pvg_rng_free(e.rng);
        }
        for (int j = 0; j < N * D; j++)
            PVGT_CHECK(fabs(rows[0][j] - rows[1][j]) < 1e-8, "%d: %.12f, %.12f", j,
                       rows[0][j], rows[1][j]);
        for (size_t j = 0; j < all; j++)
            PVGT_CHECK(fabs(arcs[0][j] - arcs[1][j]) < 1e-8, "arc %d: %.12f, %.12f",
                       (int)j, arcs[0][j], arcs[1][j]);
        for (int v = 0; v < N; v++)
            TEST_ASSERT_DOUBLE_WITHIN(1e-6, agreement[0][v], agreement[1][v]);
        pvg_model_free(model);
    }
    for (int i = 2; i < NETWORKS; i++) {
        pvg_model *model = model_of(networks[i], data, D, C, 5, 1);
        const pvg_explain_config config = {.size = sizeof config, .steps = 3};
        const int64_t nodes[2] = {3, 17};
        pvg_rng *rng;
        PVGT_OK(pvg_rng_new_seeded(&rng, 6));
        PVGT_OK(pvg_explain_masks_exact(rows[0], NULL, NULL, model, data, nodes, 2,
                                        &config, rng, NULL));
        pvg_rng_free(rng);
        for (int j = 0; j < 2 * D; j++)
            TEST_ASSERT_TRUE(rows[0][j] > 0 && rows[0][j] < 1);
        pvg_model_free(model);
    }
    free(arcs[0]);
    free(arcs[1]);
    pvg_dataset_free(data);
}

static double correlation(const double *a, const double *b, int count) {
    double sa = 0, sb = 0, aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < count; i++) {
        sa += a[i] / count;
        sb += b[i] / count;
    }
    for (int i = 0; i < count; i++) {
        aa += (a[i] - sa) * (a[i] - sa);
        bb += (b[i] - sb) * (b[i] - sb);
        ab += (a[i] - sa) * (b[i] - sb);
    }
    return ab / sqrt(aa * bb);
}

/* A thousand features, as in citation graphs: the mean leaves the model's answer, the sum
 * its own start. */
static void sums_return_their_start(void) {
    enum { WIDE = 1000, ASKED = 4 };
    static double wide[N * WIDE], first[ASKED * WIDE], last[ASKED * WIDE];
    double agreement[ASKED], plain[ASKED];
    const int64_t nodes[ASKED] = {1, 7, 20, 33};
    uint64_t seed = 6;
    pvg_rng *rng;
    for (int v = 0; v < N; v++)
        for (int i = 0; i < 20; i++)
            wide[v * WIDE + C * pvgt_below(&seed, i < 16 ? 40 : WIDE / C) + v % C] = .25;
    pvg_dataset *data = dataset_of(graph, wide, WIDE, labels, N);
    pvg_model *model = model_of("gcn 16 relu | gcn classes", data, WIDE, C, 100, 1);
    pvg_explain_config config = {
        .size = sizeof config, .steps = 1, .rate = 1e-300, .published = 1};
    PVGT_OK(pvg_rng_new_seeded(&rng, 2));
    PVGT_OK(pvg_explain_exact(first, PVG_EXPLAINER_GNN_EXPLAINER, model, data, nodes,
                              ASKED, &config, rng, NULL));
    pvg_rng_free(rng);
    config.steps = 0;
    config.rate = 0;
    PVGT_OK(pvg_rng_new_seeded(&rng, 2));
    PVGT_OK(pvg_explain_masks_exact(last, NULL, agreement, model, data, nodes, ASKED,
                                    &config, rng, NULL));
    config.published = 0;
    PVGT_OK(pvg_explain_masks_exact(NULL, NULL, plain, model, data, nodes, ASKED, &config,
                                    rng, NULL));
    pvg_rng_free(rng);
    for (int i = 0; i < ASKED; i++) {
        const double own = correlation(first + i * WIDE, last + i * WIDE, WIDE);
        PVGT_CHECK(own > .999 && fabs(agreement[i]) < .2,
                   "published: %.4f with its start, %.3f between starts", own,
                   agreement[i]);
        PVGT_CHECK(plain[i] > .9, "mean: %.3f between starts", plain[i]);
    }
    pvg_model_free(model);
    pvg_dataset_free(data);
}

/* --- all of them ------------------------------------------------------------------- */

static int32_t stop(void *context, double fraction) {
    (void)context;
    (void)fraction;
    return 1;
}

static int32_t go_on(void *context, double fraction) {
    (void)context;
    (void)fraction;
    return 0;
}

static void cancelled(void) {
    static double out[N * D], before[N * D];
    const pvg_explain_config config = {.size = sizeof config, .steps = 20000};
    const pvg_run run = {.size = sizeof run, .progress = stop};
    pvg_dataset *data = dataset_of(graph, x, D, labels, N);
    pvg_model *model = model_of(networks[0], data, D, C, 10, 1);
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    memset(out, 7, sizeof out);
    memset(before, 7, sizeof before);
    PVGT_FAILS(PVG_E_CANCELLED, "",
               pvg_explain_exact(out, PVG_EXPLAINER_GNN_EXPLAINER, model, data, NULL, N,
                                 &config, rng, &run));
    TEST_ASSERT_EQUAL_MEMORY(before, out, sizeof out);
    pvg_rng_free(rng);
    pvg_model_free(model);
    pvg_dataset_free(data);
}

static void threads_and_seeds(void) {
    static double one[N * D], other[N * D];
    pvg_dataset *data = dataset_of(graph, x, D, labels, N);
    pvg_model *models[2] = {model_of(networks[0], data, D, C, 10, 1),
                            model_of(networks[2], data, D, C, 10, 1)};
    for (int i = 0; i < 2; i++)
        for (int32_t kind = 0; kind <= PVG_EXPLAINER_GNN_EXPLAINER; kind++) {
            const int64_t nodes[3] = {5, 5, 39};
            pvg_run run = {.size = sizeof run, .threads = 3};
            pvg_rng *rng, *again;
            PVGT_OK(pvg_rng_new_seeded(&rng, 1));
            PVGT_OK(
                pvg_explain_exact(one, kind, models[i], data, NULL, N, NULL, rng, NULL));
            pvg_rng_free(rng);
            PVGT_OK(pvg_rng_new_seeded(&rng, 1));
            PVGT_OK(pvg_explain_exact(other, kind, models[i], data, NULL, N, NULL, rng,
                                      &run));
            TEST_ASSERT_EQUAL_MEMORY(one, other, sizeof one);
            for (int j = 0; j < N * D; j++) TEST_ASSERT_TRUE(one[j] >= 0);
            /* some nodes, in any order */
            PVGT_OK(pvg_explain_exact(other, kind, models[i], data, nodes, 3, NULL, rng,
                                      NULL));
            if (kind != PVG_EXPLAINER_GNN_EXPLAINER) {
                TEST_ASSERT_EQUAL_MEMORY(other, other + D, D * sizeof *other);
                for (int j = 0; j < D; j++)
                    TEST_ASSERT_DOUBLE_WITHIN(1e-12, one[39 * D + j], other[2 * D + j]);
            }
            /* through memory of its own, as it might be cancelled */
            run.progress = go_on;
            PVGT_OK(pvg_rng_new_seeded(&again, 1));
            PVGT_OK(pvg_explain_exact(other, kind, models[i], data, NULL, N, NULL, again,
                                      &run));
            pvg_rng_free(again);
            TEST_ASSERT_EQUAL_MEMORY(one, other, sizeof one);
            PVGT_OK(pvg_explain_exact(other, kind, models[i], data, nodes, 0, NULL, rng,
                                      NULL));
            run = (pvg_run){.size = sizeof run, .scratch_limit = 100};
            PVGT_FAILS(PVG_E_LIMIT, "",
                       pvg_explain_exact(other, kind, models[i], data, NULL, N, NULL, rng,
                                         &run));
            pvg_rng_free(rng);
        }
    pvg_model_free(models[0]);
    pvg_model_free(models[1]);
    pvg_dataset_free(data);
}

static void refusals(void) {
    double out[N * D];
    const int64_t wrong[1] = {N};
    const pvg_explain_config negative = {.size = sizeof negative, .steps = -1};
    pvg_dataset *data = dataset_of(graph, x, D, labels, N);
    pvg_dataset *bare = dataset_of(NULL, x, D, labels, N);
    pvg_model *model = model_of(networks[0], data, D, C, 2, 1);
    pvg_model *several = model_of(networks[0], data, D, C, 2, 2);
    pvg_model *sage = model_of(networks[2], data, D, C, 2, 1);
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "PVG_EXPLAINER_*",
               pvg_explain_exact(out, 6, model, data, NULL, N, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "not a node",
               pvg_explain_exact(out, 0, model, data, wrong, 1, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "nodes is NULL",
               pvg_explain_exact(out, 0, model, data, NULL, 1, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "steps",
               pvg_explain_exact(out, 0, model, data, NULL, N, &negative, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "no graph",
               pvg_explain_exact(out, 0, model, bare, NULL, N, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "single model",
               pvg_explain_exact(out, 0, several, data, NULL, N, NULL, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "rng is NULL",
               pvg_explain_exact(out, 5, model, data, NULL, N, NULL, NULL, NULL));
    pvg_rng_free(rng);
    pvg_model_free(model);
    pvg_model_free(several);
    pvg_model_free(sage);
    pvg_dataset_free(data);
    pvg_dataset_free(bare);
}

int main(void) {
    pvgt_begin();
    plant();
    UNITY_BEGIN();
    RUN_TEST(gradients_are_differences);
    RUN_TEST(kinds_are_as_defined);
    RUN_TEST(both_ways_agree);
    RUN_TEST(lasso_is_that_of_the_kernels);
    RUN_TEST(lime_finds_what_matters);
    RUN_TEST(masks_follow_the_objective);
    RUN_TEST(masks_agree);
    RUN_TEST(sums_return_their_start);
    RUN_TEST(threads_and_seeds);
    RUN_TEST(cancelled);
    RUN_TEST(refusals);
    pvg_graph_free(graph);
    pvg_labels_free(labels);
    return pvgt_end(UNITY_END());
}
