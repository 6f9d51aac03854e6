/* Matrices for the benches of sparse times dense. */
#include "spmm_case.h"

#include "bench.h"
#include "lookalike.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Amazon Photo; Facebook pages; the Facebook of the aggregation-perturbation paper; ten
 * million edges. */
const spmm_graph spmm_graphs[SPMM_GRAPHS] = {
    {"photo_like", 7650, 2000, 2 * 119081 / 7650.0},
    {"facebook_like", 22470, 5000, 2 * 170823 / 22470.0},
    {"facebook_gap_like", 26406, 4000, 2117924 / 26406.0},
    {"powerlaw", 1000000, 20000, 20.0},
};
const int64_t spmm_widths[SPMM_WIDTHS] = {16, 64, 256};

void *spmm_scratch(size_t bytes) {
    const size_t page = (size_t)2 << 20;
    const bool large = bytes >= 8 * page;
    const size_t unit = large ? page : 64;
    void *block = aligned_alloc(unit, (bytes + unit) / unit * unit);
    if (!block) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    if (large) (void)madvise(block, bytes, MADV_HUGEPAGE);
    return block;
}

double spmm_number(int64_t i) {
    return (double)((uint32_t)i * 2654435761u) * 0x1p-32 - 0.5;
}

void *spmm_dense(int64_t count, bool single) {
    void *block = spmm_scratch((size_t)count * (single ? sizeof(float) : sizeof(double)));
    for (int64_t i = 0; i < count; i++)
        if (single)
            ((float *)block)[i] = (float)spmm_number(i);
        else
            ((double *)block)[i] = spmm_number(i);
    return block;
}

spmm_matrix spmm_matrix_of(const pvg_graph *graph) {
    const int64_t n = pvg_graph_order(graph), *offsets;
    const int32_t *columns;
    bench_ok(pvg_graph_view_csr(&offsets, &columns, graph));
    spmm_matrix m = {.order = n, .entries = offsets[n] + n};
    m.offsets = spmm_scratch((size_t)(n + 1) * sizeof *m.offsets);
    m.columns = spmm_scratch((size_t)m.entries * sizeof *m.columns);
    m.values = spmm_scratch((size_t)m.entries * sizeof *m.values);
    int64_t at = 0;
    for (int64_t u = 0; u < n; u++) {
        const double du = (double)(offsets[u + 1] - offsets[u] + 1);
        bool own = false;
        m.offsets[u] = at;
        for (int64_t k = offsets[u]; k <= offsets[u + 1]; k++) {
            const bool loop = !own && (k == offsets[u + 1] || columns[k] > u);
            if (loop) { /* in ascending order */
                m.columns[at] = (int32_t)u;
                m.values[at++] = 1 / du;
                own = true;
            }
            if (k == offsets[u + 1]) break;
            const int32_t v = columns[k];
            m.columns[at] = v;
            m.values[at++] = 1 / sqrt(du * (double)(offsets[v + 1] - offsets[v] + 1));
        }
    }
    m.offsets[n] = at;
    return m;
}

void spmm_matrix_free(spmm_matrix *m) {
    free(m->offsets);
    free(m->columns);
    free(m->values);
}
