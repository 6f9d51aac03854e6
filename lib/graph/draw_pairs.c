/* Random graphs whose pairs are independent: block models (Erdos-Renyi is one block) and
 * Chung-Lu. Time O(order + edges + blocks^2) and O(order + edges) in expectation, by
 * skipping from edge to edge (Batagelj and Brandes 2005; Miller and Hagberg 2011). */
#include "draw.h"

#include <math.h>
#include <string.h>

/* --- block models ---------------------------------------------------------------- */

/* A mean of successes with room for six standard deviations, so that growing is rare. */
static int64_t likely_most(double mean) {
    const double most = mean + 6.0 * sqrt(mean) + 64.0;
    return most < 0x1p60 ? (int64_t)most : INT64_C(1) << 60;
}

static double pairs_of(double a) {
    return 0.5 * a * (a - 1.0);
}

typedef struct {
    pvgi_edge_list list;
    pvgi_stream *stream;
    pvgi_run *run;
    const int32_t *names; /* of nodes; NULL: as they are */
} sketch;

static int32_t add_pair(sketch *to, int64_t u, int64_t v) {
    if (to->names) {
        u = to->names[u];
        v = to->names[v];
    }
    return pvgi_graph_edges_add(&to->list, u, v, to->run);
}

/* Pairs u > v inside first .. first + order - 1, row by row. */
static int32_t draw_triangle(sketch *to, int64_t first, int64_t order, double p) {
    const double log_complement = p < 1.0 ? pvgi_graph_draw_log_complement(p) : -INFINITY;
    const int64_t limit = order > 0 ? order * (order - 1) / 2 : 0;
    int64_t row = 1, column = -1;
    while (row < order) {
        const int64_t skip = pvgi_graph_draw_skip(to->stream, log_complement, limit);
        column += 1 + skip;
        while (column >= row && row < order) column -= row++;
        if (row < order) PVGI_TRY(add_pair(to, first + row, first + column));
    }
    return PVG_OK;
}

/* Pairs between two ranges. */
static int32_t draw_rectangle(sketch *to, int64_t first, int64_t rows, int64_t other,
                              int64_t columns, double p) {
    const double log_complement = p < 1.0 ? pvgi_graph_draw_log_complement(p) : -INFINITY;
    int64_t row = 0, column = -1;
    while (row < rows) {
        const int64_t skip =
            pvgi_graph_draw_skip(to->stream, log_complement, rows * columns);
        column += 1 + skip;
        if (column >= columns) {
            row += column / columns;
            column %= columns;
        }
        if (row < rows) PVGI_TRY(add_pair(to, first + row, other + column));
    }
    return PVG_OK;
}

static int32_t draw_block_pair(sketch *to, int64_t a_first, int64_t a_order,
                               int64_t b_first, int64_t b_order, double p) {
    if (p <= 0.0 || a_order == 0 || b_order == 0) return PVG_OK;
    if (a_first == b_first) return draw_triangle(to, a_first, a_order, p);
    return draw_rectangle(to, a_first, a_order, b_first, b_order, p);
}

static double expected_edges(const int64_t *orders, const double *p, int64_t blocks) {
    double mean = 0.0;
    for (int64_t a = 0; a < blocks; a++)
        for (int64_t b = a; b < blocks; b++)
            mean += p[a * blocks + b] * (a == b ? pairs_of((double)orders[a])
                                                : (double)orders[a] * (double)orders[b]);
    return mean;
}

static int32_t draw_blocks(sketch *to, const int64_t *orders, const double *p,
                           int64_t blocks) {
    PVGI_TRY(pvgi_graph_edges_reserve(
        &to->list, likely_most(expected_edges(orders, p, blocks)), to->run));
    int64_t a_first = 0;
    for (int64_t a = 0; a < blocks; a++) {
        int64_t b_first = a_first;
        for (int64_t b = a; b < blocks; b++) {
            PVGI_TRY(draw_block_pair(to, a_first, orders[a], b_first, orders[b],
                                     p[a * blocks + b]));
            b_first += orders[b];
        }
        a_first += orders[a];
    }
    return PVG_OK;
}

static int32_t draw_model(pvg_graph **out, const int64_t *orders, const double *p,
                          int64_t blocks, const int32_t *names, pvgi_stream *stream,
                          pvgi_run *run) {
    sketch to = {.stream = stream, .run = run, .names = names};
    int64_t order = 0;
    for (int64_t a = 0; a < blocks; a++) order += orders[a];
    const int32_t status = draw_blocks(&to, orders, p, blocks);
    return pvgi_graph_edges_finish(out, &to.list, order, status, run);
}

int32_t pvgi_graph_draw_blocks(pvg_graph **out, const int64_t *orders, const double *p,
                               int64_t blocks, pvg_rng *rng, pvgi_run *run) {
    pvgi_stream stream;
    PVGI_TRY(pvgi_rng_stream_open(&stream, rng));
    const int32_t status = draw_model(out, orders, p, blocks, NULL, &stream, run);
    pvgi_rng_stream_close(&stream);
    return status;
}

/* --- the two-block classes of the homomorphism-density paper --------------------- */

/* Labels +1, -1 with probability 1/2 each; P(uv) = q + zeta label(u) label(v). names
 * lists the nodes +1 first. */
static int64_t draw_signs(int32_t *names, int64_t order, pvgi_stream *stream) {
    int64_t front = 0, back = order;
    uint64_t word = 0;
    for (int64_t node = 0; node < order; node++) {
        if (node % 64 == 0) word = pvgi_rng_stream_word(stream);
        if (word >> (node % 64) & 1)
            names[front++] = (int32_t)node;
        else
            names[--back] = (int32_t)node;
    }
    return front;
}

static int32_t add_class_graph(pvg_graphset_builder *builder, int32_t *names,
                               int64_t order, double q, double zeta, int32_t label,
                               pvgi_stream *stream) {
    pvg_graph *graph = NULL;
    pvgi_run quiet;
    const double same = q + zeta, other = q - zeta;
    const double p[4] = {same, other, other, same};
    PVGI_TRY(pvgi_run_begin(&quiet, NULL));
    const int64_t plus = draw_signs(names, order, stream);
    const int64_t orders[2] = {plus, order - plus};
    PVGI_TRY(draw_model(&graph, orders, p, 2, names, stream, &quiet));
    const int32_t status = pvgi_graph_set_builder_add(builder, graph, label, NULL, NULL);
    pvgi_graph_free(graph);
    return status;
}

int32_t pvgi_graph_draw_sbm(pvg_graphset **out, int64_t order, const double *zeta,
                            int64_t classes, int64_t per_class, double q, pvg_rng *rng,
                            pvgi_run *run) {
    pvg_graphset_builder *builder = NULL;
    pvgi_stream stream;
    int32_t status;
    PVGI_TRY(pvgi_rng_stream_open(&stream, rng));
    int32_t *names = pvgi_alloc((size_t)order, sizeof *names);
    if (!names) {
        status = pvgi_fail_nomem();
        goto done;
    }
    PVGI_TRY_DONE(pvgi_graph_set_builder_new(&builder, 0));
    for (int64_t i = 0; i < classes * per_class; i++) {
        PVGI_TRY_DONE(pvgi_run_report(run, (double)i / (double)(classes * per_class)));
        PVGI_TRY_DONE(add_class_graph(builder, names, order, q, zeta[i / per_class],
                                      (int32_t)(i / per_class), &stream));
    }
    status = pvgi_graph_set_builder_finish(out, builder);
done:
    pvgi_rng_stream_close(&stream);
    pvgi_graph_set_builder_free(builder);
    pvgi_free(names);
    return status;
}

/* --- Chung-Lu -------------------------------------------------------------------- */

typedef struct {
    uint64_t
        key; /* bits of the weight, complemented: ascending keys are descending weights */
    int64_t node;
} weighted;

/* Radix sort by key, eight bits at a time, stable; from and to change places. */
static weighted *sort_weights(weighted *from, weighted *to, int64_t count) {
    for (int shift = 0; shift < 64; shift += 8) {
        int64_t places[257] = {0};
        for (int64_t i = 0; i < count; i++) places[(from[i].key >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++) places[i + 1] += places[i];
        for (int64_t i = 0; i < count; i++)
            to[places[from[i].key >> shift & 255]++] = from[i];
        weighted *keep = from;
        from = to;
        to = keep;
    }
    return from;
}

static inline double weight_of(const weighted *entry) {
    const uint64_t bits = ~entry->key;
    double weight;
    memcpy(&weight, &bits, sizeof weight);
    return weight;
}

/* Edges of the node at place u with later ones: probabilities fall along the row, so skip
 * with the last probability seen and accept with the ratio of the present one to it. */
static int32_t draw_weighted_row(pvgi_edge_list *list, const weighted *nodes,
                                 int64_t order, int64_t u, double share,
                                 pvgi_stream *stream, pvgi_run *run) {
    int64_t v = u + 1;
    double p = v < order ? share * weight_of(&nodes[v]) : 0.0;
    while (v < order && p > 0.0) {
        if (p < 1.0)
            v += pvgi_graph_draw_skip(stream, pvgi_graph_draw_log_complement(p), order);
        if (v >= order) break;
        const double now = share * weight_of(&nodes[v]);
        const double unit = now < 1.0 ? pvgi_graph_draw_unit(stream) : 0.0;
        if (unit <= now / (p < 1.0 ? p : 1.0))
            PVGI_TRY(pvgi_graph_edges_add(list, nodes[u].node, nodes[v].node, run));
        p = now;
        v++;
    }
    return PVG_OK;
}

int32_t pvgi_graph_draw_chung_lu(pvg_graph **out, const double *weights, int64_t order,
                                 pvg_rng *rng, pvgi_run *run) {
    pvgi_edge_list list = {0};
    pvgi_stream stream;
    double sum = 0.0;
    for (int64_t i = 0; i < order; i++) sum += weights[i];
    if (!isfinite(sum))
        return pvgi_fail(PVG_E_NUMERIC, "the sum of weights is not finite");
    PVGI_TRY(pvgi_run_reserve(run, pvgi_size_mul(2 * (size_t)order, sizeof(weighted))));
    PVGI_TRY(pvgi_rng_stream_open(&stream, rng));
    weighted *nodes = pvgi_alloc((size_t)order, sizeof *nodes);
    weighted *spare = pvgi_alloc((size_t)order, sizeof *spare);
    int32_t status = nodes && spare ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        for (int64_t i = 0; i < order; i++) {
            const double weight = weights[i] + 0.0; /* -0 sorts as 0 */
            memcpy(&nodes[i].key, &weight, sizeof weight);
            nodes[i].key = ~nodes[i].key;
            nodes[i].node = i;
        }
        const weighted *sorted = sort_weights(nodes, spare, order);
        /* The mean is at most half the sum of weights. */
        status = pvgi_graph_edges_reserve(
            &list, likely_most(fmin(0.5 * sum, pairs_of((double)order))), run);
        for (int64_t u = 0; u < order && status == PVG_OK; u++)
            status = draw_weighted_row(&list, sorted, order, u,
                                       weight_of(&sorted[u]) / sum, &stream, run);
    }
    pvgi_rng_stream_close(&stream);
    pvgi_free(nodes);
    pvgi_free(spare);
    return pvgi_graph_edges_finish(out, &list, order, status, run);
}
