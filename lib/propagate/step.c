/* One layer, X_(k+1) = act(C ((1 - a) A^ P(X_k) + a Mean P(X_k)) W_k) + b X_0, and all of
 * them. Packing applies P, the sparse product does everything inside the outer brackets;
 * activation and residual follow while the numbers are still in the cache, unless a
 * product with W_k stands between. */
#include "propagate_internal.h"

#include <math.h>
#include <string.h>

/* --- activation and residual ---------------------------------------------------- */

static void activate(double *x, int64_t count, int32_t activation) {
    switch ((enum pvg_activation)activation) {
    case PVG_ACTIVATION_RELU:
        for (int64_t i = 0; i < count; i++) x[i] = x[i] > 0 ? x[i] : 0;
        break;
    case PVG_ACTIVATION_TANH:
        for (int64_t i = 0; i < count; i++) x[i] = tanh(x[i]);
        break;
    case PVG_ACTIVATION_SELU:
        for (int64_t i = 0; i < count; i++)
            x[i] = x[i] > 0 ? PVGI_LAYER_SELU_SCALE * x[i]
                            : PVGI_LAYER_SELU_SLOPE * expm1(x[i]);
        break;
    case PVG_ACTIVATION_NONE:
        break;
    }
}

static void finish_rows(void *context, double *out, int64_t first, int64_t last,
                        int64_t from, int64_t to) {
    const pvgi_propagation *p = context;
    const pvg_layers_config *c = &p->layers->config;
    const int64_t d = p->spmm.columns;
    for (int64_t u = first; u < last; u++) {
        double *row = out + u * d;
        activate(row + from, to - from, c->activation);
        if (c->residual > 0)
            for (int64_t j = from; j < to; j++) row[j] += c->residual * p->x0[u * d + j];
    }
}

/* --- one layer ------------------------------------------------------------------ */

static size_t block_bytes(const pvg_layers *layers, int64_t columns) {
    return layers->weights ? PVGI_PRODUCT_ROWS * (size_t)columns * sizeof(double) : 0;
}

static pvgi_spmm_wish wish_of(const pvg_layers *layers, const pvg_graph *graph,
                              const pvg_parts *parts, int64_t columns) {
    const pvg_layers_config *c = &layers->config;
    return (pvgi_spmm_wish){.graph = graph,
                            .parts = parts,
                            .config = c,
                            .scale = c->contraction * (1 - c->mean_weight),
                            .rows = c->rows == PVG_ROWS_NORMALISED ? PVGI_ROWS_NORMALISED
                                                                   : PVGI_ROWS_PROJECTED,
                            .columns = columns,
                            .element = sizeof(double),
                            .mean = c->mean_weight > 0};
}

size_t pvgi_propagate_bytes(const pvg_layers *layers, const pvg_graph *graph,
                            int64_t borrows_most, int64_t columns) {
    pvgi_spmm_wish wish = wish_of(layers, graph, NULL, columns);
    wish.borrows_most = borrows_most;
    return pvgi_size_add(pvgi_propagate_spmm_bytes(&wish), block_bytes(layers, columns));
}

int32_t pvgi_propagate_begin(pvgi_propagation *p, const pvg_layers *layers,
                             const pvg_graph *graph, const pvg_parts *parts,
                             int64_t columns, const double *x0) {
    const pvgi_spmm_wish wish = wish_of(layers, graph, parts, columns);
    *p = (pvgi_propagation){.layers = layers, .x0 = x0};
    PVGI_TRY(pvgi_propagate_spmm_begin(&p->spmm, &wish));
    if (layers->weights) {
        p->block = pvgi_alloc(block_bytes(layers, columns), 1);
        if (!p->block) {
            pvgi_propagate_end(p);
            return pvgi_fail_nomem();
        }
    }
    return PVG_OK;
}

void pvgi_propagate_end(pvgi_propagation *p) {
    pvgi_propagate_spmm_end(&p->spmm);
    pvgi_free(p->block);
    *p = (pvgi_propagation){0};
}

int32_t pvgi_propagate_step(double *out, pvgi_propagation *p, const double *in,
                            int64_t layer, pvgi_run *run) {
    const pvg_layers_config *c = &p->layers->config;
    const double *weights = pvgi_layer_weights(p->layers, layer);
    const bool plain = c->activation == PVG_ACTIVATION_NONE && c->residual == 0;
    PVGI_TRY(pvgi_propagate_spmm(out, &p->spmm, in, c->contraction * c->mean_weight,
                                 weights || plain ? NULL : finish_rows, p, run));
    if (weights && p->spmm.order > 0) {
        pvgi_propagate_product(out, weights, p->spmm.order, p->spmm.columns, p->block);
        if (!plain) finish_rows(p, out, 0, p->spmm.order, 0, p->spmm.columns);
    }
    return PVG_OK;
}

void pvgi_propagate_project(double *out, const double *x, int64_t order, int64_t columns,
                            int32_t rows_rule) {
    const pvgi_rows rows =
        rows_rule == PVG_ROWS_NORMALISED ? PVGI_ROWS_NORMALISED : PVGI_ROWS_PROJECTED;
    const pvgi_spmm_kernels *kernels =
        pvgi_propagate_kernels(pvgi_cpu_level(), sizeof(double));
    for (int64_t u = 0; u < order; u++) {
        const double factor = kernels->factor(x + u * columns, columns, rows);
        for (int64_t j = 0; j < columns; j++)
            out[u * columns + j] = factor * x[u * columns + j];
    }
}

/* --- all layers ----------------------------------------------------------------- */

typedef struct {
    double *state; /* order x columns: the caller's array where nothing can fail */
    double *own;   /* that array if it is scratch */
    double *x0;    /* a copy, with a residual */
} buffers;

static int32_t make_buffers(buffers *b, double *out, const pvg_layers *layers,
                            const pvg_graph *graph, int64_t columns, pvgi_run *run) {
    const size_t matrix = pvgi_size_mul((size_t)graph->order, (size_t)columns);
    const bool apart = run->config.progress != NULL, keep = layers->config.residual > 0;
    size_t bytes = pvgi_propagate_bytes(layers, graph, 0, columns);
    if (apart) bytes = pvgi_size_add(bytes, pvgi_size_mul(matrix, sizeof(double)));
    if (keep) bytes = pvgi_size_add(bytes, pvgi_size_mul(matrix, sizeof(double)));
    PVGI_TRY(pvgi_run_reserve(run, bytes));
    if (apart) b->own = pvgi_alloc(matrix, sizeof *b->own);
    if (keep) b->x0 = pvgi_alloc(matrix, sizeof *b->x0);
    b->state = apart ? b->own : out;
    if ((apart && !b->own) || (keep && !b->x0)) return pvgi_fail_nomem();
    return PVG_OK;
}

static int32_t run_layers(double *state, pvgi_propagation *p, pvgi_run *run) {
    const int64_t depth = p->layers->config.depth;
    for (int64_t k = 0; k < depth; k++) {
        pvgi_run_phase(run, (double)k / (double)depth, 1 / (double)depth);
        PVGI_TRY(pvgi_propagate_step(state, p, state, k, run));
    }
    return PVG_OK;
}

int32_t pvgi_propagate_forward(double *out, const pvg_layers *layers,
                               const pvg_graph *graph, const double *x,
                               const pvg_features *features, int64_t columns,
                               pvgi_run *run) {
    const size_t bytes = (size_t)graph->order * (size_t)columns * sizeof(double);
    buffers b = {0};
    pvgi_propagation p = {0};
    int32_t status;
    PVGI_TRY_DONE(make_buffers(&b, out, layers, graph, columns, run));
    PVGI_TRY_DONE(pvgi_propagate_begin(&p, layers, graph, NULL, columns, b.x0));
    if (features)
        pvgi_graph_features_copy_dense(b.state, features, 0, graph->order);
    else if (b.state != x && bytes > 0)
        memmove(b.state, x, bytes);
    pvgi_propagate_project(b.state, b.state, graph->order, columns, layers->config.rows);
    if (b.x0 && bytes > 0) memcpy(b.x0, b.state, bytes);
    PVGI_TRY_DONE(run_layers(b.state, &p, run));
    if (b.own && bytes > 0) memcpy(out, b.own, bytes);
done:
    pvgi_propagate_end(&p);
    pvgi_free(b.own);
    pvgi_free(b.x0);
    return status;
}

int32_t pvgi_propagate_apply(void *out, const pvg_layers *layers, const pvg_graph *graph,
                             const void *x, int64_t columns, size_t element,
                             pvgi_run *run) {
    const size_t bytes =
        pvgi_size_mul(pvgi_size_mul((size_t)graph->order, (size_t)columns), element);
    const bool apart = run->config.progress != NULL;
    const pvgi_spmm_wish wish = {.graph = graph,
                                 .config = &layers->config,
                                 .scale = 1,
                                 .rows = PVGI_ROWS_KEPT,
                                 .columns = columns,
                                 .element = element,
                                 .apart = apart || out != x};
    const size_t scratch = pvgi_propagate_spmm_bytes(&wish);
    pvgi_spmm spmm = {0};
    void *own = NULL;
    int32_t status;
    PVGI_TRY(pvgi_run_reserve(run, pvgi_size_add(scratch, apart ? bytes : 0)));
    if (apart) {
        own = pvgi_alloc(bytes, 1);
        if (!own) return pvgi_fail_nomem();
    }
    PVGI_TRY_DONE(pvgi_propagate_spmm_begin(&spmm, &wish));
    PVGI_TRY_DONE(pvgi_propagate_spmm(apart ? own : out, &spmm, x, 0, NULL, NULL, run));
    if (apart && bytes > 0) memcpy(out, own, bytes);
done:
    pvgi_propagate_spmm_end(&spmm);
    pvgi_free(own);
    return status;
}
