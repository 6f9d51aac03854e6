/* KProp: rounds of h <- R^-1/2 A C^-1/2 h on released lists, R their lengths, C how often
 * a node is named; for a graph that is D^-1/2 A D^-1/2. No self loops are added. Its norm
 * is at most 1: with unit weights on entries, (sum a_uv x_u y_v / sqrt(r_u c_v))^2 <=
 * (sum a_uv x_u^2 / r_u)(sum a_uv y_v^2 / c_v) = |x|^2 |y|^2. A node without entries gets
 * zeros. Post-processing. O(rounds (entries + nodes) columns), by propagate's kernel. */
#include "derive_internal.h"

#include "propagate/propagate_internal.h"

#include <math.h>
#include <string.h>

/* pre_v = C_v^-1/2, post_u = R_u^-1/2, no self. */
static int32_t set_weights(pvgi_spmm *spmm, const pvg_graph *rows) {
    int64_t *named = pvgi_alloc_zero((size_t)rows->order, sizeof *named);
    if (!named) return pvgi_fail_nomem();
    for (int64_t i = 0; i < rows->offsets[rows->order]; i++) named[rows->columns[i]]++;
    for (int64_t u = 0; u < rows->order; u++) {
        const int64_t length = rows->offsets[u + 1] - rows->offsets[u];
        spmm->pre[u] = named[u] > 0 ? 1.0 / sqrt((double)named[u]) : 0.0;
        spmm->self[u] = 0.0;
        spmm->post[u] = length > 0 ? 1.0 / sqrt((double)length) : 0.0;
    }
    pvgi_free(named);
    return PVG_OK;
}

int32_t pvgi_derive_kprop(double *out, const pvg_graph *rows, const double *values,
                          int64_t columns, int64_t rounds, pvgi_run *run) {
    const pvg_layers_config plain = {.size = sizeof plain, .operation = PVG_OPERATOR_SUM};
    const size_t cells = pvgi_size_mul((size_t)rows->order, (size_t)columns);
    const size_t bytes = pvgi_size_mul(cells, sizeof *out);
    const pvgi_spmm_wish wish = {.graph = rows,
                                 .config = &plain,
                                 .scale = 1,
                                 .rows = PVGI_ROWS_KEPT,
                                 .columns = columns,
                                 .element = sizeof *out};
    pvgi_spmm spmm;
    if (cells == 0) return PVG_OK; /* however many rounds */
    /* kept apart, so that out is untouched on failure */
    PVGI_TRY(
        pvgi_run_reserve(run, pvgi_size_add(bytes, pvgi_propagate_spmm_bytes(&wish))));
    double *state = pvgi_alloc(cells, sizeof *state);
    if (!state) return pvgi_fail_nomem();
    int32_t status = pvgi_propagate_spmm_begin(&spmm, &wish);
    if (status != PVG_OK) {
        pvgi_free(state);
        return status;
    }
    status = set_weights(&spmm, rows);
    memcpy(state, values, bytes);
    for (int64_t round = 0; round < rounds && status == PVG_OK; round++) {
        pvgi_run_phase(run, (double)round / (double)rounds, 1.0 / (double)rounds);
        status = pvgi_propagate_spmm(state, &spmm, state, 0.0, NULL, NULL, run);
    }
    if (status == PVG_OK) memcpy(out, state, bytes);
    pvgi_propagate_spmm_end(&spmm);
    pvgi_free(state);
    return status;
}
