/* How far one edge moves A^ x when every row of x lies in the unit ball, and |A^|_2.
 *
 * SYMMETRIC and FLOOR. Let uv be the edge, d degrees without it, p(d) = D(d)^-1/2. Rows u
 * and v move by R = own + d shift p_min + p(d_u + 1) p(d_v + 1), where own is the change
 * of the node's own weight and shift = p(d) - p(d + 1) that of its factor in the weights
 * of d neighbours, whose own factor is at most p_min. A neighbour's row moves by shift_u
 * or shift_v times p_min, by both for at most min(d_u, d_v) common neighbours. Sum of
 * squares, largest over all degrees; everything falls from d = 2 tau + 2 (or F + 2) on.
 * Other operators in closed form. docs/guarantees.md has the proofs. */
#include "sensitivity_internal.h"

/* A node that gains a neighbour, its degree before in [low, high]: upper bounds. */
typedef struct {
    double own, shift, after, degree;
} gain;

static gain gain_of(const pvgi_operator *o, double low, double high) {
    gain g = {.degree = high};
    double before, after;
    if (o->operation == PVG_OPERATOR_FLOOR) {
        before = fmax(low, o->floor);
        after = fmax(low + 1.0, o->floor);
        g.own = low >= o->floor ? 0.0 : fmin(o->floor - low, 1.0) / o->floor;
    } else {
        before = low + o->tau;
        after = before + 1.0;
        g.own = o->self_weight / before / after;
    }
    /* without cancellation; the difference of the two is exact, or 1 */
    const double step = o->operation == PVG_OPERATOR_FLOOR ? after - before : 1.0;
    g.shift = step / (sqrt(before) * sqrt(after) * (sqrt(before) + sqrt(after)));
    g.after = 1.0 / sqrt(after);
    return g;
}

/* Squared change for one pair of ends; limit = p_min^2. */
static double pair_change(const gain *u, const gain *v, double limit) {
    const double joined = u->after * v->after, p = sqrt(limit);
    const double ru = u->own + u->degree * u->shift * p + joined;
    const double rv = v->own + v->degree * v->shift * p + joined;
    const double neighbours = u->degree * u->shift * u->shift +
                              v->degree * v->shift * v->shift +
                              2.0 * fmin(u->degree, v->degree) * u->shift * v->shift;
    return ru * ru + rv * rv + limit * neighbours;
}

/* The next degree worth a look: with a floor, all that stay below it are alike. */
static double interval_start(const pvgi_operator *o, double low) {
    if (o->operation != PVG_OPERATOR_FLOOR) return low;
    return low > o->assumption.least ? fmax(low, floor(o->floor) - 1.0) : low;
}

static double interval_end(const pvgi_operator *o, double low, double last) {
    return o->operation == PVG_OPERATOR_FLOOR ? low : pvgi_interval_end(low, last);
}

static double over_degrees(const pvgi_operator *o) {
    const bool floored = o->operation == PVG_OPERATOR_FLOOR;
    const double least = o->assumption.least, met = fmax(least, 1.0);
    const double limit = 1.0 / (floored ? fmax(met, o->floor) : met + o->tau);
    const double turn = floored ? ceil(o->floor) + 2.0 : ceil(2.0 * o->tau + 2.0);
    /* both ends gain a neighbour, so they have at most degree - 1 before */
    const double last = fmax(least, fmin(fmax(turn, least), o->assumption.degree - 1.0));
    double best = 0.0;
    for (double du = least, hu; du <= last; du = hu + 1.0) {
        du = interval_start(o, du);
        hu = interval_end(o, du, last);
        const gain u = gain_of(o, du, hu);
        for (double dv = du, hv; dv <= last; dv = hv + 1.0) {
            dv = interval_start(o, dv);
            hv = interval_end(o, dv, last);
            const gain v = gain_of(o, dv, hv);
            best = fmax(best, pair_change(&u, &v, limit));
        }
    }
    return sqrt(best);
}

/* One row of D^-1 (A + I) when an entry is added: falls with the degree. */
static double row_change(const pvgi_operator *o) {
    const double d = o->assumption.least, sum = d + o->tau;
    return (2.0 * d + 1.0 + o->tau) / sum / (sum + 1.0);
}

/* A truncated graph loses up to two edges and gains one: three steps through graphs that
 * all keep the degree bound. */
static double steps_of(const pvgi_operator *o) {
    return o->assumption.doubling > 1.0 ? 3.0 : 1.0;
}

static double degrees_edge(const pvgi_operator *o) {
    return steps_of(o) * over_degrees(o);
}

/* Rows u, v move by x_v - x_u. Truncated, uv comes and ua, vb go: rows u, v by a
 * difference of two, a = b by two differences (or a, b by one each). */
static double laplacian_edge(const pvgi_operator *o) {
    return (o->assumption.doubling > 1.0 ? sqrt(24.0) : sqrt(8.0)) / o->floor;
}

static double row_edge(const pvgi_operator *o) {
    return steps_of(o) * sqrt(2.0) * row_change(o);
}

static double sum_edge(const pvgi_operator *o) {
    return steps_of(o) * sqrt(2.0);
}

static double sum_entry(const pvgi_operator *o) {
    (void)o;
    return 1.0;
}

/* |P|_2 <= sqrt(|P|_1 |P|_inf), and P is similar to the symmetric operator. */
static double row_norm(const pvgi_operator *o) {
    const double most = o->assumption.degree, least = o->assumption.least, tau = o->tau;
    const double rows = (most + 1.0) / (most + tau);
    const double met = fmax(least, 1.0) + tau;
    /* column sums 1/(d + tau) + d/met are convex in d: largest at an end */
    const double columns =
        fmax(1.0 / (least + tau) + least / met, 1.0 / (most + tau) + most / met);
    const double similar = rows * sqrt((most + tau) / (least + tau));
    return fmin(sqrt(rows * columns), similar);
}

/* D^-1 (A + w I) has the same eigenvalues and row sums below this. */
static double symmetric_norm(const pvgi_operator *o) {
    const double most = o->assumption.degree;
    return fmin(1.0, pvgi_round_up((most + o->self_weight) / (most + o->tau)));
}

static double floor_norm(const pvgi_operator *o) {
    (void)o;
    return 1.0;
}

static double laplacian_norm(const pvgi_operator *o) {
    return fmax(1.0, pvgi_round_up(2.0 * o->assumption.degree / o->floor) - 1.0);
}

static double row_norm_up(const pvgi_operator *o) {
    return pvgi_round_up(row_norm(o));
}

static double sum_norm(const pvgi_operator *o) {
    return o->assumption.degree;
}

/* (1 - d/F)^2 + d/F^2 and |1 - d/F| + d/F: convex in d, largest at an end. */
static pvgi_row_bound laplacian_rows(const pvgi_operator *o) {
    const double f = o->floor;
    pvgi_row_bound out = {0.0, 0.0};
    for (int end = 0; end < 2; end++) {
        const double d = end ? o->assumption.degree : o->assumption.least,
                     own = 1.0 - d / f;
        out.sum = fmax(out.sum, fabs(own) + d / f);
        out.squares = fmax(out.squares, own * own + d / f / f);
    }
    return out;
}

/* Neighbours have at least this degree. */
static double met_by(const pvgi_operator *o) {
    return fmax(o->assumption.least, 1.0);
}

static pvgi_row_bound symmetric_rows(const pvgi_operator *o) {
    const double high = o->assumption.degree, tau = o->tau, met = met_by(o);
    const double own = o->self_weight / (o->assumption.least + tau);
    return (pvgi_row_bound){own + high / sqrt((high + tau) * (met + tau)),
                            own * own + high / (high + tau) / (met + tau)};
}

static pvgi_row_bound floor_rows(const pvgi_operator *o) {
    const double f = o->floor, own = fmax(f - o->assumption.least, 0.0) / f;
    return (pvgi_row_bound){1.0 + sqrt(o->assumption.degree / f),
                            own * own + 1.0 / fmax(f, met_by(o))};
}

/* (d + 1) / (d + tau)^2 rises until d = tau - 2. */
static pvgi_row_bound row_rows(const pvgi_operator *o) {
    const double tau = o->tau;
    const double peak = fmax(o->assumption.least, fmin(tau - 2.0, o->assumption.degree));
    return (pvgi_row_bound){1.0, (peak + 1.0) / (peak + tau) / (peak + tau)};
}

static pvgi_row_bound sum_rows(const pvgi_operator *o) {
    return (pvgi_row_bound){o->assumption.degree, o->assumption.degree};
}

/* --- one row for each operator ---------------------------------------------------- */

/* What is proven; NULL: nothing, and the bound is infinite. */
typedef struct {
    double (*norm)(const pvgi_operator *o); /* up */
    pvgi_row_bound (*rows)(const pvgi_operator *o);
    double (*edge)(const pvgi_operator *o);  /* to be rounded up */
    double (*entry)(const pvgi_operator *o); /* the same */
    double (*node)(const pvgi_operator *o, const pvgi_node_layer *layer);
} bounds;

static const bounds table[] = {
    [PVG_OPERATOR_SYMMETRIC] = {symmetric_norm, symmetric_rows, degrees_edge, NULL,
                                pvgi_sensitivity_node_symmetric},
    [PVG_OPERATOR_FLOOR] = {floor_norm, floor_rows, degrees_edge, NULL, NULL},
    [PVG_OPERATOR_LAPLACIAN] = {laplacian_norm, laplacian_rows, laplacian_edge, NULL,
                                NULL},
    [PVG_OPERATOR_ROW] = {row_norm_up, row_rows, row_edge, row_change, NULL},
    [PVG_OPERATOR_SUM] = {sum_norm, sum_rows, sum_edge, sum_entry,
                          pvgi_sensitivity_node_sum},
};

static bounds bounds_of(const pvgi_operator *o) {
    const int32_t count = (int32_t)(sizeof table / sizeof table[0]);
    return o->operation >= 0 && o->operation < count ? table[o->operation] : (bounds){0};
}

double pvgi_sensitivity_operator_norm(const pvgi_operator *o) {
    const bounds b = bounds_of(o);
    return b.norm ? b.norm(o) : INFINITY;
}

pvgi_row_bound pvgi_sensitivity_operator_rows(const pvgi_operator *o) {
    const bounds b = bounds_of(o);
    return b.rows ? b.rows(o) : (pvgi_row_bound){INFINITY, INFINITY};
}

double pvgi_sensitivity_operator_edge(const pvgi_operator *o) {
    const bounds b = bounds_of(o);
    return b.edge ? pvgi_round_up(b.edge(o)) : INFINITY;
}

double pvgi_sensitivity_operator_entry(const pvgi_operator *o) {
    const bounds b = bounds_of(o);
    return b.entry ? pvgi_round_up(b.entry(o)) : INFINITY;
}

bool pvgi_sensitivity_operator_has_node(const pvgi_operator *o) {
    return bounds_of(o).node != NULL;
}

double pvgi_sensitivity_operator_node(const pvgi_operator *o,
                                      const pvgi_node_layer *layer) {
    const bounds b = bounds_of(o);
    /* truncation is not stable when a node goes */
    if (o->assumption.doubling > 1.0 || !b.node) return INFINITY;
    return pvgi_round_up(b.node(o, layer));
}
