/* Largest adjacency eigenvalue r between two proven bounds.
 *
 * Let y_k = p_k(A) 1 with p_k(x) = T_k((x - c) / h), T_k the Chebyshev polynomial, c <= 0
 * and b = c + h below r, and v >= 0 a unit eigenvector of r: <1, v> = |v|_1 >= |v|_2 = 1.
 * Whatever c, h and the other eigenvalues are:
 *
 *   below:  <x, Ax> / |x|^2 and |Ax| / |x|, for every x;
 *   above:  |y_k| >= <y_k, v> >= p_k(r), so r <= c + h cosh(arcosh(|y_k|) / k);
 *   around: |(A - t) y_k| >= |<(A - t) y_k, v>| >= |r - t| p_k(r) >= |r - t| p_k(low), so
 *           r <= t + |(A - t) y_k| / p_k(low), for every t.
 *
 * One pass over the arcs makes y_(k+1) and gives all of them. The last one closes as fast
 * as p_k grows at r against the other eigenvalues, so c - h should be the least and b the
 * second: a few Lanczos steps from the same vector say about where these are. Nothing
 * that is told rests on them. Where r stands apart from the second eigenvalue some tens
 * of passes do; where it does not, the bound above closes like h (ln(2 sqrt n) / k)^2 / 2
 * with b at r. Then, and if the first two runs fail, b is the lower bound so far: either
 * nothing lies far above it and the bounds meet as k grows, or y points where A is larger
 * and the lower bound rises.
 *
 * Rounding: docs/privacy/proofs/statistic.md, Radius, has the analysis; the names here
 * (local, lost, SLACK) are those of it. It holds for orders up to 2^24.
 *
 * The loop is capped, in case the argument fails to see something: beyond that nothing is
 * told (PVG_E_NUMERIC), and the record says so. */
#include "statistic_internal.h"

#include <math.h>
#include <string.h>

#define TOLERANCE PVGI_RADIUS_TOLERANCE
#define SLACK     0x1p-30 /* above the relative error of any sum of squares */

/* Each climb raises the lower bound by 1/4 tolerance or doubles the degree allowed; real
 * graphs need one or two, or none. */
enum { ROWS_PER_CHUNK = 4096, BLOCK = 32, CLIMBS = 64, RITZ_MAX = 64, SUMS = 5 };

/* What one pass sees, x the vector it reads, d = Ax - t x. */
enum { XX, XD, DD, AXAX, NEXT };

typedef struct {
    const pvg_graph *graph;
    const double *now;
    double *next;          /* holds what is multiplied by keep, and gets the sum */
    double factor, centre; /* next = factor (A now - centre now) - keep next */
    double keep, near;     /* near: t */
    double *sums;          /* SUMS per chunk of rows */
} job;

typedef struct {
    const pvg_graph *graph;
    pvgi_run *run;
    double *y[2], *sums;
    double low, high; /* low <= r <= high */
    double near;      /* about r: the quotient of the last vector */
    int64_t passes, planned;
} search;

/* A polynomial: c and h by what is computed with. */
typedef struct {
    double centre, factor; /* c <= 0; 2 / h */
    int64_t steps;         /* at most */
    bool restart;          /* when the lower bound has left b behind */
} course;

/* --- passes ------------------------------------------------------------------------ */

static double sum_block(const double *x, const int32_t *row, int64_t count) {
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        a += x[row[i]];
        b += x[row[i + 1]];
        c += x[row[i + 2]];
        d += x[row[i + 3]];
    }
    for (; i < count; i++) a += x[row[i]];
    return (a + b) + (c + d);
}

/* Sum of x over a row: error u (log2 n + 8) sum |x|, for any count up to n. Blocks are
 * carried like binary digits. */
static double sum_row(const double *x, const int32_t *row, int64_t count) {
    double stack[64];
    int depth = 0;
    if (count <= BLOCK) return sum_block(x, row, count);
    for (int64_t i = 0, block = 0; i < count; i += BLOCK, block++) {
        double sum = sum_block(x, row + i, count - i < BLOCK ? count - i : BLOCK);
        for (int64_t digit = block; digit & 1; digit >>= 1) sum += stack[--depth];
        stack[depth++] = sum;
    }
    double sum = 0.0;
    while (depth > 0) sum += stack[--depth];
    return sum;
}

static int64_t end_of(const pvg_graph *graph, int64_t chunk) {
    const int64_t end = (chunk + 1) * ROWS_PER_CHUNK;
    return end < graph->order ? end : graph->order;
}

static int32_t multiply(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const pvg_graph *g = j->graph;
    double sums[SUMS] = {0};
    (void)worker;
    for (int64_t v = chunk * ROWS_PER_CHUNK; v < end_of(g, chunk); v++) {
        const double x = j->now[v];
        const double sum = sum_row(j->now, g->columns + g->offsets[v],
                                   g->offsets[v + 1] - g->offsets[v]);
        const double d = sum - j->near * x;
        const double y = j->factor * (sum - j->centre * x) - j->keep * j->next[v];
        j->next[v] = y;
        sums[XX] += x * x;
        sums[XD] += x * d;
        sums[DD] += d * d;
        sums[AXAX] += sum * sum;
        sums[NEXT] += y * y;
    }
    memcpy(j->sums + SUMS * chunk, sums, sizeof sums);
    return PVG_OK;
}

/* Takes centre times the one from the other; the new length. */
static int32_t straighten(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    double sum = 0.0;
    (void)worker;
    for (int64_t v = chunk * ROWS_PER_CHUNK; v < end_of(j->graph, chunk); v++) {
        const double y = j->next[v] - j->centre * j->now[v];
        j->next[v] = y;
        sum += y * y;
    }
    j->sums[SUMS * chunk] = sum;
    return PVG_OK;
}

static size_t chunks_of(int64_t order) {
    return (size_t)order / ROWS_PER_CHUNK + 1;
}

static int32_t over_rows(double sums[SUMS], search *b, pvgi_chunk_fn function, job *j) {
    const int64_t chunks = (b->graph->order + ROWS_PER_CHUNK - 1) / ROWS_PER_CHUNK;
    PVGI_TRY(pvgi_run_chunks(b->run, chunks, function, j));
    memset(sums, 0, SUMS * sizeof *sums);
    for (int64_t c = 0; c < chunks; c++)
        for (int i = 0; i < SUMS; i++) sums[i] += b->sums[SUMS * c + i];
    return PVG_OK;
}

/* One pass over the arcs, of as many as are planned. */
static int32_t pass(double sums[SUMS], search *b, job *j) {
    j->graph = b->graph, j->sums = b->sums, j->near = b->near;
    if (b->passes >= b->planned) b->planned = b->passes + 1;
    const double share = 1.0 / (double)b->planned;
    const pvgi_phase before = pvgi_run_enter(b->run, (double)b->passes * share, share);
    const int32_t status = over_rows(sums, b, multiply, j);
    pvgi_run_leave(b->run, before);
    b->passes++;
    return status;
}

static void begin(search *b) {
    for (int64_t v = 0; v < b->graph->order; v++) b->y[0][v] = 1.0, b->y[1][v] = 0.0;
}

/* --- the proven part --------------------------------------------------------------- */

/* From below, by the vector that the pass has read. */
static void lift(search *b, const double sums[SUMS]) {
    if (!(sums[XX] > 0.0)) return;
    const double lost = 2.0 * SLACK * b->high;
    const double quotient = b->near + sums[XD] / sums[XX] - lost;
    const double stretch = sqrt(sums[AXAX] / sums[XX]) - lost;
    if (quotient > b->low) b->low = quotient;
    if (stretch > b->low) b->low = stretch;
}

/* At most the error of y_k in units of p_k(r); infinite: the analysis does not hold. */
static double lost_by(const search *b, const course *p, int64_t k) {
    const double n = (double)b->graph->order;
    const double twice = p->factor * (b->high - p->centre) * (1.0 + SLACK);
    const double local = 0x1p-53 * (log2(n) + 16.0) * (twice + 1.0);
    const double lost = 1.5 * (double)k * (double)k * sqrt(n) * local * (1.0 + SLACK);
    return lost < 0.5 ? lost : (double)INFINITY;
}

/* At most p_k(low). */
static double growth(const search *b, const course *p, int64_t k) {
    const double z = 0.5 * p->factor * (b->low - p->centre) * (1.0 - 0x1p-50);
    return z > 1.0 ? cosh((double)k * acosh(z)) * (1.0 - 0x1p-36) : 1.0;
}

/* From above, by y_k, which the pass has read, and y_(k+1), which it made. Both need r
 * beyond b, where p_k grows, and errors no faster; these also c <= 0. */
static void lower(search *b, const course *p, int64_t k, const double sums[SUMS]) {
    const double h = 2.0 / p->factor, n = (double)b->graph->order;
    if (!(b->low - p->centre >= h * (1.0 + 0x1p-50)) || !(sums[XX] > 0.0)) return;
    if (!(p->centre <= 0.0) || !(sums[NEXT] < 0x1p400)) return;
    const double lost = lost_by(b, p, k + 1);
    if (!(lost < 0.5)) return;
    const double length = sqrt(sums[NEXT]) * (1.0 + SLACK) / (1.0 - lost);
    const double above =
        p->centre +
        h * cosh(acosh(length > 1.0 ? length : 1.0) / (double)(k + 1)) * (1.0 + 0x1p-36) -
        p->centre * 0x1p-36;
    if (above < b->high) b->high = above;

    const double shift = sums[XD] / sums[XX], near = b->near + shift;
    double squares = sums[DD] - sums[XD] * shift;
    if (squares < 0.0) squares = 0.0;
    const double residual = sqrt(squares + 0x1p-34 * sums[DD]);
    const double wide = b->high + fabs(near);
    const double read =
        0x1p-53 * (log2(n) + 16.0) * (wide + b->high) * sqrt(sums[XX]) * (1.0 + SLACK);
    const double around =
        near + ((residual + read) / growth(b, p, k) + wide * lost) * (1.0 + SLACK) +
        0x1p-50 * wide;
    if (around < b->high) b->high = around;
}

static bool close_enough(const search *b) {
    return b->high - b->low <= 2.0 * TOLERANCE;
}

/* From y_k to y_(k+1), and what that tells. */
static int32_t advance(double sums[SUMS], search *b, const course *p, int64_t k) {
    job j = {.now = b->y[k & 1],
             .next = b->y[1 - (k & 1)],
             .factor = k == 0 ? 0.5 * p->factor : p->factor,
             .centre = p->centre,
             .keep = k == 0 ? 0.0 : 1.0};
    PVGI_TRY(pass(sums, b, &j));
    lift(b, sums);
    lower(b, p, k, sums);
    return PVG_OK;
}

/* y_0, y_1, ... until the bounds meet or the course ends. */
static int32_t follow(search *b, const course *p) {
    const double start = b->low;
    begin(b);
    for (int64_t k = 0; k < p->steps; k++) {
        double sums[SUMS];
        PVGI_TRY(advance(sums, b, p, k));
        if (close_enough(b) || !(sums[NEXT] < 0x1p400)) return PVG_OK;
        if (p->restart && k >= 8 && b->low > 1.05 * start) return PVG_OK;
        const double quotient = b->near + sums[XD] / sums[XX];
        if (quotient >= b->low && quotient <= b->high) b->near = quotient;
    }
    return PVG_OK;
}

/* --- the guess --------------------------------------------------------------------- */

/* A tridiagonal matrix: diagonal, squares beside it. */
typedef struct {
    double diagonal[RITZ_MAX], squares[RITZ_MAX];
    int count;
} ritz;

/* How many of its eigenvalues are above x (Sturm). */
static int above(const ritz *t, double x) {
    int count = 0;
    double q = 1.0;
    for (int i = 0; i < t->count; i++) {
        q = t->diagonal[i] - x - (i > 0 ? t->squares[i] / q : 0.0);
        if (q == 0.0) q = 1e-300;
        count += q > 0.0;
    }
    return count;
}

/* Its eigenvalue number i from the top. */
static double value_of(const ritz *t, int i, double bound) {
    double low = -bound, high = bound;
    for (int k = 0; k < 48; k++) {
        const double middle = 0.5 * (low + high);
        if (above(t, middle) > i)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* Steps until p_k has left the rest behind by what the tolerance asks for. */
static double steps_apart(double top, double second, double least, double n) {
    const double c = fmin(0.0, 0.5 * (second + least)), h = second - c;
    if (!(h > 0.0) || !(top > second)) return (double)INFINITY;
    return log(4.0 * (top - least) * sqrt(n) / TOLERANCE) / acosh((top - c) / h);
}

/* Lanczos from the vector of ones. Vectors are kept at about length 1 by factors. */
static int32_t guess(search *b, course *p, int most) {
    const double n = (double)b->graph->order;
    double length = n, before = 0.0, factor = 1.0 / b->low, last = 1.0;
    double top = b->low, second = 0.0, least = 0.0, steps = 1.0;
    ritz t = {.count = 0};
    begin(b);
    for (int k = 0; k < most; k++) {
        double sums[SUMS];
        job j = {.now = b->y[k & 1],
                 .next = b->y[1 - (k & 1)],
                 .factor = factor,
                 .keep = k == 0 ? 0.0 : factor / last * (length / before)};
        PVGI_TRY(pass(sums, b, &j));
        lift(b, sums);
        t.diagonal[t.count] = b->near + sums[XD] / sums[XX];
        t.squares[t.count] = k == 0 ? 0.0 : length / before / (last * last);
        t.count++;
        j.centre = factor * t.diagonal[k];
        PVGI_TRY(over_rows(sums, b, straighten, &j));
        before = length, length = sums[0], last = factor;
        const double beside = sqrt(length / before) / factor;
        top = value_of(&t, 0, 2.0 * b->high);
        if (t.count > 1) {
            second = value_of(&t, 1, 2.0 * b->high);
            least = value_of(&t, t.count - 1, 2.0 * b->high);
            steps = steps_apart(top, second, least, n);
        }
        if (!(beside > 0x1p-30 * top)) break; /* these vectors are all there are */
        if (k >= 3 && 2 * k >= steps) break;
        factor = 1.0 / beside;
    }
    if (top > b->low && top < b->high) b->near = top;
    /* nothing or little below r: any b will do */
    if (second < 0.25 * top) second = 0.25 * top;
    const double even = log(2.0 * sqrt(n)) * sqrt(top / (4.0 * TOLERANCE));
    steps = steps_apart(top, second, least, n);
    if (!(steps < even)) { /* r is one of several: b at r */
        second = top - 0x1p-4 * TOLERANCE;
        steps = 1.5 * even;
    }
    p->centre = fmin(0.0, 0.5 * (second + least));
    p->factor = 2.0 / (second - p->centre);
    p->steps = (int64_t)fmin(2.0 * steps, 0x1p30) + 8;
    p->restart = false;
    b->planned = b->passes + (int64_t)fmin(steps, 0x1p30) + 1;
    return PVG_OK;
}

/* --- all of it --------------------------------------------------------------------- */

/* b at the lower bound so far. */
static int32_t climb(search *b, double patience) {
    const double n = (double)b->graph->order;
    const double steps =
        ceil(patience * log(2.0 * sqrt(n)) * sqrt(b->high / (2.0 * TOLERANCE)));
    const course p = {.factor = 2.0 / (b->low * (1.0 - 0x1p-40)),
                      .steps = (int64_t)steps + 8,
                      .restart = true};
    b->planned = b->passes + p.steps / 2;
    return follow(b, &p);
}

/* Bounds that are within 2 TOLERANCE; graph has edges. */
static int32_t enclose(search *b) {
    const pvg_graph *graph = b->graph;
    const double mean = 2.0 * (double)graph->size / (double)graph->order;
    int64_t largest = 0;
    for (int64_t v = 0; v < graph->order; v++) {
        const int64_t d = graph->offsets[v + 1] - graph->offsets[v];
        if (d > largest) largest = d;
    }
    b->high = (double)largest;
    b->low = fmax(sqrt((double)largest), mean) * (1.0 - 0x1p-50);
    b->near = b->low;
    b->planned = 64;
    for (int most = RITZ_MAX / 2; !close_enough(b) && most <= RITZ_MAX; most *= 2) {
        course p;
        PVGI_TRY(guess(b, &p, most));
        PVGI_TRY(follow(b, &p));
    }
    double patience = 2.0;
    for (int climbs = 0; !close_enough(b); climbs++) {
        if (climbs == CLIMBS)
            return pvgi_fail(PVG_E_NUMERIC, "pvg_statistic: the bounds on the radius do "
                                            "not meet");
        const double start = b->low;
        PVGI_TRY(climb(b, patience));
        if (b->low < start + 0.25 * TOLERANCE) patience *= 2.0;
    }
    return PVG_OK;
}

size_t pvgi_statistic_radius_bytes(int64_t order) {
    return pvgi_size_add(
        pvgi_size_mul(2, pvgi_scratch_bytes((size_t)order, sizeof(double))),
        pvgi_scratch_bytes(SUMS * chunks_of(order), sizeof(double)));
}

int32_t pvgi_statistic_radius_bounds(pvgi_radius *out, const pvg_graph *graph,
                                     pvgi_scratch *scratch, pvgi_run *run) {
    search b = {.graph = graph, .run = run};
    memset(out, 0, sizeof *out);
    if (graph->size == 0) return PVG_OK;
    const size_t order = (size_t)graph->order;
    b.y[0] = pvgi_statistic_take(scratch, order, sizeof *b.y[0]);
    b.y[1] = pvgi_statistic_take(scratch, order, sizeof *b.y[1]);
    b.sums = pvgi_statistic_take(scratch, SUMS * chunks_of(graph->order), sizeof *b.sums);
    if (!b.y[0] || !b.y[1] || !b.sums) return PVG_E_INTERNAL;
    PVGI_TRY(enclose(&b));
    *out = (pvgi_radius){.low = b.low, .high = b.high, .passes = b.passes};
    return PVG_OK;
}

int32_t pvgi_statistic_radius(double *out, const pvg_graph *graph, pvgi_scratch *scratch,
                              pvgi_run *run) {
    pvgi_radius bounds;
    *out = 0.0;
    PVGI_TRY(pvgi_statistic_radius_bounds(&bounds, graph, scratch, run));
    *out = 0.5 * (bounds.low + bounds.high);
    return PVG_OK;
}
