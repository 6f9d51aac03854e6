/* How fast this machine computes, now: for estimates of time, never for results. */
#include "base_internal.h"
#include "blas.h"

#include <time.h>

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The quickest of several products of two matrices that fit in the first cache: what else
 * runs on the machine only ever makes one slower. Below a millisecond in all. */
double pvgi_pace(void) {
    enum { ORDER = 32, TURNS = 24 };
    double a[ORDER * ORDER], b[ORDER * ORDER], out[ORDER * ORDER], best = 1.0;
    for (int i = 0; i < ORDER * ORDER; i++) a[i] = b[i] = (double)(i % 7);
    for (int turn = 0; turn < TURNS; turn++) {
        const double start = seconds_now();
        pvgi_blas_own_multiply(out, a, false, b, true, ORDER, ORDER, ORDER, false);
        const double took = seconds_now() - start;
        if (took > 0.0 && took < best) best = took;
        a[turn] += out[turn] > 0.0 ? 1.0 : 0.0; /* or all turns could be one */
    }
    return best / (ORDER * ORDER * ORDER);
}
