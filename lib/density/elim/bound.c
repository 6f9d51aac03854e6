/* How much memory the elimination takes at most, on any host of n nodes with degrees of
 * at most D: from public numbers and the plan.
 *
 * All of it grows through pvgi_density_elim_need. A buffer of b bytes that is asked for
 * r > b gets max(3 b / 2, r, 512) <= max(3 r / 2, 512): no buffer is larger than 3/2 of
 * the largest request ever made to it, or 512.
 *
 *   Rows. A table over k vertices holds distinct tuples: at most n^k. They are images
 *   of k vertices of a connected part of a pattern of at most M vertices (those removed
 *   so far hang together, and every vertex of the scope is next to one of them): the
 *   first has n images, each further vertex of the part at most D, so also at most
 *   n D^(M-1). The arc tables have at most n D. R is the largest of these over all
 *   tables. Requests for a level ask for what is there and at most n + 64 entries ahead:
 *   E = R + n + 66, of 8 bytes.
 *   Pool. A table over k vertices owns 2 k - 1 buffers (1 for k = 1). One is added only
 *   when none is idle, so there are at most as many as all tables and the weights own
 *   together, each of which may have served the largest table.
 *   Reduced host. Three arc tables, weights, names, first, hash of 4 n slots or 16.
 *   Sums of a row: at most E keys of 8 bytes, sums of 8, slots 4 max(64, 4 E); lists of
 *   k + 1 rows of n; two rows of n, or a table of pairs being transposed, where rows are
 *   passed on (elim/pass.inc); walks of 3 x 8 lanes; cycles by hubs and cliques keep 2 n
 *   numbers and bit rows of D x (D + 64) / 64 words for each of the workers.
 *   Arcs in cliques: two rows of n words for each worker, and 5 bytes for each arc.
 *   Sparse slices: four rows of n numbers, nine of words, and two matrices, none of them
 *   larger than the table it is cut from.
 *   Cubes: for each worker the arcs two steps from a node, at most n D or D^2, four rows
 *   of n words, one of n numbers, and up to (D + 1)^2 numbers, D at most 2048.
 *   Grids: two tables of n D (D + 3) numbers; for each worker n, (D + 40) (D + 3), and
 *   rows of 3/2 (D + 3) for each arc two steps from a node, or, if that is less, 2^19, 6
 *   for each of these arcs and 2^19 more for matrices; in words 4 for each of these arcs,
 *   5 n, 65 D and 2^16; D at most 2048.
 *   Sorted host: n D + 9 n words. Matrices: up to 2048 nodes, 2 n^2 + 3 x 128 n, or 5 n^2
 *   up to 1024, and three axes; or what elim/fixed.c says, for each worker.
 *   Windows (elim/stream.inc): one vector more than tables own, where each window begins.
 *   Helpers (threads that share one host) have sums and matrices of their own and parts
 *   of a table, 64 at a time: buffers for all of them in each, as they are kept from step
 *   to step.
 *
 * While a buffer grows the old one is still there: the largest counts once more. */
#include "elim_internal.h"

enum { SHARED_PARTS = 64, FIXED = 1 << 18 };

/* base^exponent, or `most`. */
static double power_up_to(double base, int32_t exponent, double most) {
    double product = 1.0;
    for (int32_t i = 0; i < exponent && product < most; i++) product *= base;
    return product < most ? product : most;
}

static double grown(double request) {
    return 1.5 * request + 512.0;
}

double pvgi_density_elim_bytes(const pvgi_elim_plan *plan, int64_t order, int64_t degree,
                               uint32_t workers) {
    const double n = (double)order, d = (double)degree, arcs = n * d;
    double buffers = 2.0, rows = arcs > n ? arcs : n; /* weights, vector */
    int32_t widest = 1, longest = 1;
    for (int64_t i = 0; i < plan->count; i++)
        if (plan->pattern[i].order > longest) longest = plan->pattern[i].order;
    const double near = n * power_up_to(d, longest - 1, 0x1p200);
    for (int32_t i = 0; i < plan->steps; i++) {
        const int32_t arity = plan->step[i].arity;
        const double own = power_up_to(n, arity, near > 1.0 ? near : 1.0);
        buffers += arity == 1 ? 1.0 : 2.0 * arity - 1.0;
        if (arity > widest) widest = arity;
        if (own > rows) rows = own;
    }
    const double entries = rows + n + 66.0;
    const double bits = d / 64.0 * (d + 64.0) + n / 64.0 + 64.0;
    bool cubes = false, grids = false;
    for (int64_t i = 0; i < plan->count; i++) {
        cubes = cubes || plan->pattern[i].cube;
        grids = grids || plan->pattern[i].grid;
    }
    const double side_most = d < 2048.0 ? d : 2048.0;
    const double cube = cubes ? (side_most + 1.0) * (side_most + 1.0) : 0.0;
    const double two_steps = arcs < d * d ? arcs : d * d;
    const double deep = (cubes ? two_steps + 7.0 * n : 0.0) +
                        (grids ? 4.0 * (two_steps + d) + 5.0 * n + 65.0 * d + 0x1p17 : 0);
    const double stride = side_most + 3.0;
    const double tables = grids ? 2.0 * n * side_most * stride : 0.0;
    const double all = 1.5 * two_steps * stride, few = 0x1p19 + 6.0 * two_steps;
    const double lines = grids ? (side_most + 40.0) * stride + n + 0x1p10 +
                                     (all < few ? all : few + 0x1p19)
                               : 0.0;
    const double row = grown(8.0 * (entries + (widest + 26.0) * n + tables) +
                             workers * (208.0 * n + 8.0 * (bits + cube + lines)) + FIXED);
    const double touched = grown(8.0 * entries + 4.0 * (widest + 10.0) * n +
                                 workers * (16.0 * n + 256.0 + 4.0 * deep) + 4096.0);
    const double slot = grown(16.0 * entries + 4.0 * (arcs + 9.0 * n + 64.0));
    const double host = 6.0 * grown(4.0 * n + 64.0) + 3.0 * grown(4.0 * arcs + 64.0) +
                        grown(16.0 * n + 64.0) + 4.0 * n + 1024.0;
    const double side = n < PVGI_DENSE_ORDER_MOST ? n : PVGI_DENSE_ORDER_MOST;
    double fixed = 0.0;
    for (int64_t i = 0; i < plan->count; i++) {
        const double own =
            plan->pattern[i].fixed
                ? pvgi_density_elim_fixed_bytes(plan->pattern[i].fixed, order, degree)
                : 0.0;
        if (own > fixed) fixed = own;
    }
    if (fixed > 0.0) fixed = workers * (fixed + 64.0 * n + 4096.0);
    const double products = 8.0 * (5.0 * side * side + 384.0 * side);
    const double matrices =
        grown(products > fixed ? products : fixed) + grown(48.0 * side + 64.0);
    const double table = grown(8.0 * entries);
    const double parts = 2.0 * grown(4.0 * entries) + 2.0 * table;
    const double largest = slot > row ? slot : row;
    double sum = (buffers + 1.0) * (table + 64.0) + row + touched + slot + parts + host +
                 matrices + largest + (double)(PVGI_ELIM_BASES + plan->steps) * 256.0 +
                 FIXED;
    if (workers > 1)
        sum += workers * (SHARED_PARTS * (2.0 * widest) * (table + 64.0) + row + touched +
                          slot + parts + matrices + largest +
                          (double)(PVGI_ELIM_BASES + plan->steps) * 256.0 + FIXED);
    return sum;
}
