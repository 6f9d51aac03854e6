/* Public test data: a power law by streams that do not depend on the number of
 * processes. */
#include "mpi_internal.h"

#include <math.h>
#include <stdlib.h>

enum { PER_STREAM = 1 << 16 };

/* splitmix64: not secret. */
static uint64_t next(uint64_t *state) {
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A node by its weight; numbers are mixed, so that hubs are not all of one process. */
static int64_t pick(uint64_t *state, int64_t order, int64_t step, double power) {
    const double u = (double)(next(state) >> 11) * 0x1p-53;
    int64_t rank = (int64_t)(pow(u, power) * (double)order);
    if (rank >= order) rank = order - 1;
    return (int64_t)((uint64_t)rank * (uint64_t)step % (uint64_t)order); /* below 2^62 */
}

int32_t pvg_mpi_graph_draw_power_law(pvg_mpi_graph **out, MPI_Comm comm, int64_t order,
                                     int64_t edges, double exponent, uint64_t seed) {
    pvgm_arcs arcs = {0};
    int32_t status = pvgm_begin(out, comm, order, PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS);
    if (status != PVG_OK) return status;
    const pvg_mpi_graph *g = *out;
    if (edges < 0 || !(exponent >= 0.0 && exponent < 1.0) || (edges > 0 && order < 2))
        status = pvgm_fail(PVG_E_ARGUMENT, "edges, order or exponent cannot be");
    int64_t step = (int64_t)((double)order * 0.6180339887) | 1;
    while (order > 1 && common_divisor(step, order) != 1) step += 2;
    const int64_t streams = (edges + PER_STREAM - 1) / PER_STREAM;
    for (int64_t s = streams * g->rank / g->ranks;
         status == PVG_OK && s < streams * (g->rank + 1) / g->ranks; s++) {
        uint64_t mixed = seed,
                 state = next(&mixed) ^ (uint64_t)s * UINT64_C(0xD1342543DE82EF95);
        const int64_t last =
            (s + 1) * PER_STREAM < edges ? PER_STREAM : edges - s * PER_STREAM;
        for (int64_t i = 0; i < last && status == PVG_OK; i++) {
            const int64_t u = pick(&state, order, step, 1.0 / (1.0 - exponent));
            const int64_t v = pick(&state, order, step, 1.0 / (1.0 - exponent));
            if (u != v && (!pvgm_push(&arcs, u, v) || !pvgm_push(&arcs, v, u)))
                status = pvgm_fail(PVG_E_NOMEM, "no memory");
        }
    }
    return pvgm_finish(out, &arcs, status);
}
