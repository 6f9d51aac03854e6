/* How many triangles can be had if no node may be in more than `cap` of them, shares of
 * triangles allowed: a linear program, to within a gap that is given.
 *
 * Columns are triangles with the same capped nodes (one to three of them; a node that is
 * in no more than `cap` needs none), x_j in [0, c_j] is how many are had. By duality
 *
 *     f = max over x of min over y in [0, 1] of sum x + sum of y_v (cap - x at v)
 *
 * so for any x and y in their ranges
 *
 *     sum x - sum of what nodes have above cap <= f <= cap sum y + sum c (1 - y at j)+
 *
 * (from x take away what is too much; weak duality). Both sides are computed with
 * integers, so that the answer is within the gap whatever rounding did to x and y. A
 * second bound from below shrinks x at nodes that have too much.
 *
 * x and y are found by primal-dual steps with diagonal scales (Chambolle and Pock), which
 * start again from their average where that has come nearer. Averages of k plain steps
 * have a gap of at most 2 (sum of c_j nodes of j) / k: after PATIENCE steps with starts
 * anew, plain ones end it. */
#include "statistic_internal.h"

#include <string.h>

enum { LOOK = 20, PATIENCE = 16000, BITS = 20, SHRINK = 30 };

typedef __int128 wide;

static const double one = 1 << BITS;

typedef struct {
    wide low, high;
} bounds;

static int64_t whole_of(double value, int64_t most) {
    const int64_t whole = (int64_t)(value * one);
    return whole < 0 ? 0 : whole < most ? whole : most;
}

/* In units of 2^-BITS, x and y times `scale`. */
static bounds bounds_of(const pvgi_packing *p, const double *x, const double *y,
                        double scale) {
    const int64_t unit = INT64_C(1) << BITS, most = p->cap << BITS;
    wide above = 0, sum = 0, shrunk = 0, high = 0;
    for (int64_t v = 0; v < p->nodes; v++) {
        p->price[v] = whole_of(y[v] * scale, unit);
        p->held[v] = 0;
        high += (wide)p->price[v] * p->cap;
    }
    for (int64_t j = 0; j < p->columns; j++) {
        const pvgi_bundle *c = &p->column[j];
        const int64_t own = whole_of(x[j] * scale, c->many << BITS);
        int64_t left = unit;
        for (int i = 0; i < c->nodes; i++) {
            left -= p->price[c->node[i]];
            p->held[c->node[i]] += own;
        }
        if (left > 0) high += (wide)left * c->many;
        sum += own;
    }
    for (int64_t v = 0; v < p->nodes; v++) {
        const int64_t held = p->held[v];
        if (held > most) above += held - most;
        p->price[v] =
            held > most ? (int64_t)(((wide)most << SHRINK) / held) : INT64_C(1) << SHRINK;
    }
    for (int64_t j = 0; j < p->columns; j++) {
        const pvgi_bundle *c = &p->column[j];
        const int64_t own = whole_of(x[j] * scale, c->many << BITS);
        int64_t share = INT64_C(1) << SHRINK;
        for (int i = 0; i < c->nodes; i++)
            if (p->price[c->node[i]] < share) share = p->price[c->node[i]];
        shrunk += ((wide)own * share) >> SHRINK;
    }
    const wide low = sum - above > shrunk ? sum - above : shrunk;
    return (bounds){low, high};
}

static void begin(const pvgi_packing *p, bool zero) {
    for (int64_t v = 0; v < p->nodes; v++) p->weight[v] = p->y[v] = p->ys[v] = 0.0;
    for (int64_t j = 0; j < p->columns; j++)
        for (int i = 0; i < p->column[j].nodes; i++)
            p->weight[p->column[j].node[i]] += (double)p->column[j].many;
    for (int64_t j = 0; j < p->columns; j++) {
        double share = zero ? 0.0 : 1.0;
        for (int i = 0; i < p->column[j].nodes; i++) {
            const double own = (double)p->cap / p->weight[p->column[j].node[i]];
            if (own < share) share = own;
        }
        p->x[j] = share * (double)p->column[j].many;
        p->xs[j] = 0.0;
    }
}

static double within(double value, double most) {
    return value < 0.0 ? 0.0 : value < most ? value : most;
}

static void step(const pvgi_packing *p) {
    memset(p->load, 0, (size_t)p->nodes * sizeof *p->load);
    for (int64_t j = 0; j < p->columns; j++) {
        const pvgi_bundle *c = &p->column[j];
        const double many = (double)c->many;
        double left = 1.0;
        for (int i = 0; i < c->nodes; i++) left -= p->y[c->node[i]];
        const double next = within(p->x[j] + many * left / c->nodes, many);
        for (int i = 0; i < c->nodes; i++) p->load[c->node[i]] += 2.0 * next - p->x[j];
        p->x[j] = next;
        p->xs[j] += next;
    }
    for (int64_t v = 0; v < p->nodes; v++) {
        p->y[v] = within(p->y[v] + (p->load[v] - (double)p->cap) / p->weight[v], 1.0);
        p->ys[v] += p->y[v];
    }
}

/* From here on: from the average, or from where it is. */
static void start_anew(const pvgi_packing *p, bool average, double scale) {
    for (int64_t j = 0; j < p->columns; j++) {
        if (average) p->x[j] = p->xs[j] * scale;
        p->xs[j] = 0.0;
    }
    for (int64_t v = 0; v < p->nodes; v++) {
        if (average) p->y[v] = p->ys[v] * scale;
        p->ys[v] = 0.0;
    }
}

static bounds narrower(bounds a, bounds b) {
    return (bounds){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

int32_t pvgi_statistic_pack(int64_t *out, const pvgi_packing *p, int64_t gap,
                            pvgi_run *run) {
    bounds best = {0, (wide)INT64_MAX << BITS};
    double first = 0.0, last = 0.0, limit = PATIENCE;
    int64_t since = 0;
    begin(p, false);
    for (int64_t v = 0; v < p->nodes; v++) limit += 4.0 * p->weight[v];
    for (int64_t k = 0; (double)k < limit; k++, since++) {
        if (k % LOOK == 0) {
            const bounds here = bounds_of(p, p->x, p->y, 1.0);
            bounds mean = here;
            best = narrower(best, here);
            if (since > 0) {
                mean = bounds_of(p, p->xs, p->ys, 1.0 / (double)since);
                best = narrower(best, mean);
            }
            *out = (int64_t)(best.low >> BITS);
            if (best.high - ((wide)*out << BITS) <= (wide)gap << BITS) return PVG_OK;
            PVGI_TRY(pvgi_run_report(run, 0.0));
            const double one_gap = (double)(here.high - here.low);
            const double mean_gap = (double)(mean.high - mean.low);
            const double now = mean_gap < one_gap ? mean_gap : one_gap;
            const bool turn = now < 0.2 * first || (now < 0.8 * first && now > last) ||
                              (double)since >= 0.36 * (double)k;
            last = now;
            if (k == PATIENCE) {
                begin(p, true);
                since = 0;
            } else if (k == 0 || (turn && k < PATIENCE)) {
                if (k > 0) start_anew(p, mean_gap < one_gap, 1.0 / (double)since);
                first = now;
                last = 2.0 * now;
                since = 0;
            }
        }
        step(p);
    }
    return pvgi_fail(PVG_E_INTERNAL, "capped-triangles: no certificate");
}
