/* How far one node moves a layer, in Frobenius norm; SYMMETRIC and SUM.
 *
 * The nodes are fixed. "Removed": the node v loses its edges and its features become
 * zero; "replaced": edges and features of v become any others. Both are compared with
 * the graph in which v is isolated, d being degrees there and m the degree of v.
 * SYMMETRIC, p(d) = (d + tau)^-1/2, a = 1/(d + tau) - 1/(d + tau + 1), f = p(d) - p(d+1):
 *   row v        r = w (1/tau - 1/(m + tau)) + m p(m) p(least + 1)
 *   rows of N(v) w a + inside * h + outside * f p(om) + p(m) p(d + 1)
 *   other rows   together at most m/(m + tau) * sum over N(v) of outside * f^2
 * with h = p(d) p(om) - p(d+1) p(om+1), om >= degrees of nodes with a neighbour, `inside`
 * and `outside` the neighbours in and out of N(v). O(degrees^2), at most 10^7 steps. */
#include "sensitivity_internal.h"

typedef struct {
    double least, most, tau, weight, limit; /* limit: om */
} setting;

/* Everything about a degree in [low, high] that falls with it, at low. */
typedef struct {
    double low, high, own, shift, both, next;
} side;

static double factor(const setting *s, double degree) {
    return 1.0 / sqrt(degree + s->tau);
}

static double factor_step(const setting *s, double degree) {
    const double a = sqrt(degree + s->tau), b = sqrt(degree + s->tau + 1.0);
    return 1.0 / (a * b * (a + b));
}

static side side_of(const setting *s, double low, double high) {
    const double sum = low + s->tau;
    side d = {.low = low, .high = high, .own = s->weight / sum / (sum + 1.0)};
    d.shift = factor_step(s, low);
    d.next = factor(s, low + 1.0);
    /* p(d) p(om) - p(d+1) p(om+1), written without a difference */
    d.both = d.shift * factor(s, s->limit) + d.next * factor_step(s, s->limit);
    return d;
}

/* One row of N(v) with its share of the other rows, squared, `inside` of its d
 * neighbours being in N(v). */
static double one_row(const setting *s, const side *d, double inside, double outside,
                      double new_weight, double share) {
    const double row = d->own + inside * d->both +
                       outside * d->shift * factor(s, s->limit) + new_weight * d->next;
    return row * row + share * outside * d->shift * d->shift;
}

/* All rows but that of v, squared, for m in [low, high]. */
static double other_rows(const setting *s, double low, double high) {
    if (high <= 0.0) return 0.0;
    const double new_weight = factor(s, low), share = high / (high + s->tau);
    double together = 0.0, own_part = 0.0, other_part = 0.0;
    for (double d = s->least, end; d <= s->most - 1.0; d = end + 1.0) {
        end = pvgi_interval_end(d, s->most - 1.0);
        const side at = side_of(s, d, end);
        /* convex in the number of neighbours inside N(v): one of the ends is worst */
        const double none = one_row(s, &at, 0.0, end, new_weight, share);
        const double all = one_row(s, &at, fmin(end, high - 1.0),
                                   fmax(end - (low - 1.0), 0.0), new_weight, share);
        together = fmax(together, fmax(none, all));
        own_part = fmax(own_part, at.own + end * at.shift * factor(s, s->limit) +
                                      new_weight * at.next);
        other_part = fmax(other_part, sqrt(share * end) * at.shift);
    }
    const double parts = own_part + other_part;
    return high * fmin(together, parts * parts);
}

static double hypotenuse(double row, double own, double rest_squared) {
    return sqrt(row * row + own * own * rest_squared);
}

double pvgi_sensitivity_node_symmetric(const pvgi_operator *o,
                                       const pvgi_node_layer *layer) {
    const setting s = {.least = o->assumption.least,
                       .most = o->assumption.degree,
                       .tau = o->tau,
                       .weight = o->self_weight,
                       .limit = fmax(o->assumption.least, 1.0)};
    const double next = factor(&s, s.least + 1.0);
    double removed = 0.0, removed_first = 0.0; /* distances to the graph without v */
    double row = 0.0, row_first = 0.0, rest = 0.0;
    for (double m = 0.0, end; m <= s.most; m = end + 1.0) {
        end = pvgi_interval_end(m, s.most);
        const double met = end * factor(&s, end) * next;
        const double r = s.weight * end / s.tau / (end + s.tau) + met;
        const double r_first = s.weight / (m + s.tau) + met;
        const double q = other_rows(&s, m, end);
        removed =
            fmax(removed, hypotenuse(layer->own * r + layer->residual, layer->own, q));
        removed_first =
            fmax(removed_first,
                 hypotenuse(layer->own * r_first + layer->residual, layer->own, q));
        row = fmax(row, r);
        row_first = fmax(row_first, r_first);
        rest = fmax(rest, q);
    }
    double later = removed,
           first = removed_first + layer->mean / sqrt(o->assumption.order);
    if (layer->replaced) {
        later = 2.0 * hypotenuse(layer->own * fmin(row, row_first) + layer->residual,
                                 layer->own, rest);
        first = 2.0 *
                (hypotenuse(layer->own * row_first + layer->residual, layer->own, rest) +
                 layer->mean / sqrt(o->assumption.order));
    }
    return layer->first ? fmax(first, later) : later;
}

/* Row v is a sum of m rows; each row of N(v) gains or loses one, or sees it change. */
double pvgi_sensitivity_node_sum(const pvgi_operator *o, const pvgi_node_layer *layer) {
    const double most = o->assumption.degree, twice = layer->replaced ? 2.0 : 1.0;
    const double rows = !layer->replaced ? most : (layer->first ? 4.0 : 2.0) * most;
    const double row = twice * (layer->own * most + layer->residual);
    return hypotenuse(row, layer->own, rows) +
           (layer->first ? twice * layer->mean / sqrt(o->assumption.order) : 0.0);
}
