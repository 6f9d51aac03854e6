/* Intervals: how far the value before noise may be from what was released, from the law
 * that the record tells for each column. Every radius r has P(|noise| > r) <= alpha.
 *
 *   discrete Laplace, t steps      2 y^(k+1) / (1+y), y = e^(-1/t), beyond k steps
 *   rounded Gaussian               beyond k steps is |N| >= (k + 1/2) steps
 *   discrete Gaussian, t steps     P(X >= m) <= P(N >= m - 1), m >= 1 (Canonne, Kamath,
 *                                  Steinke 2020)
 *   two Laplace noises b, c        (b^2 e^(-r/b) - c^2 e^(-r/c)) / (b^2 - c^2): a
 *                                  discrete one is within a step of a real one
 *   sums of Gaussian noises        real ones within half a step of each; of discrete
 *                                  ones, which are sub-Gaussian, 2 e^(-r^2 / 2 sigma^2)
 *   ladders                        docs/privacy/proofs/statistic.md, section H: with a
 *                                  share of alpha the noisy bound beside the number is
 *                                  too small, with the rest the noise is too large
 *
 * and the interval is cut to the public range, in which the value lies. Where nothing is
 * proven it is that range. Sums of few terms; O(1 / rate) for ladders. */
#include "guarantee_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is known of a column for one order. */
typedef struct {
    const pvgi_column *kind;
    pvgi_measure measure;
    const pvgi_joint_columns *joint; /* with its noise, or NULL */
    int64_t place;                   /* in it */
} column;

static const double unknown = (double)INFINITY;

/* Rounding of doubles: nothing here loses more. */
static double wider(double radius) {
    return radius * (1.0 + 0x1p-40);
}

/* z with P(|N(0,1)| > z) <= alpha, by bisection. */
static double normal_radius(double alpha) {
    double low = 0.0, high = 40.0;
    for (int i = 0; i < 80; i++) {
        const double middle = 0.5 * (low + high);
        if (erfc(middle * sqrt(0.5)) > alpha)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The least k >= 0 with sides y^(k+1) / (1+y) <= alpha, sides 1 or 2. */
static double laplace_steps(double t, double alpha, double sides) {
    const double y = exp(-1.0 / t);
    const double k = ceil(wider(t * log(sides / (alpha * (1.0 + y)))) - 1.0);
    return k > 0.0 ? k : 0.0;
}

static double two_laplace_tail(double b, double c, double r) {
    if (fabs(b - c) <= 1e-3 * (b + c)) { /* as though both were the larger */
        const double m = fmax(b, c);
        return (1.0 + 0.5 * r / m) * exp(-r / m);
    }
    return (b * b * exp(-r / b) - c * c * exp(-r / c)) / (b * b - c * c);
}

static double two_laplace_radius(double b, double c, double alpha) {
    double low = 0.0, high = fmax(b, c) * (2.0 + 2.0 * log(1.0 / alpha));
    for (int i = 0; i < 80; i++) {
        const double middle = 0.5 * (low + high);
        if (two_laplace_tail(b, c, middle) > alpha)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Values that are whole numbers are counted exactly; others are rounded to the grid, and
 * an eigenvalue is known up to a step. */
static double rounding_of(const pvgi_measure *m) {
    return m->grid == 1.0 ? 0.0 : 2.0 * m->grid;
}

/* Gaussian noise of several sources: step B z. */
static double mixed_radius(const column *c, bool discrete, double alpha) {
    const pvgi_joint_columns *j = c->joint;
    const int64_t i = c->place;
    const double variance = j->covariance[i * (i + 1) / 2 + i];
    double halves = 0.0;
    if (discrete) return sqrt(2.0 * log(2.0 / alpha) * variance);
    for (int64_t k = 0; j->matrix && k < j->count; k++)
        halves += 0.5 * fabs((double)j->matrix[i * j->count + k]);
    return normal_radius(alpha) * sqrt(variance) + halves * j->step;
}

/* Of a noise whose law and scale are public. */
static double radius_of(const column *c, double alpha) {
    const pvgi_measure *m = &c->measure;
    const char *law = c->kind->noise;
    const double common = c->joint && c->joint->common ? c->joint->common[c->place] : 0.0;
    const bool gaussian = strcmp(law, "rounded Gaussian") == 0;
    const bool discrete = strcmp(law, "discrete Gaussian") == 0;
    const bool laplace = strcmp(law, "discrete Laplace") == 0;
    if (!(m->scale >= 0.0) || !(m->grid > 0.0) || !(gaussian || discrete || laplace))
        return unknown;
    if (m->scale == 0.0) return rounding_of(m);
    if (c->joint && c->joint->covariance && !common)
        return laplace ? unknown
                       : wider(mixed_radius(c, discrete, alpha)) + rounding_of(m);
    const double t = m->scale / m->grid;
    if (common > 0.0) {
        const double own = sqrt(fmax(m->scale * m->scale - common * common, 0.0));
        const double radius = laplace    ? two_laplace_radius(own, common, alpha)
                              : gaussian ? normal_radius(alpha) * m->scale
                                         : sqrt(2.0 * log(2.0 / alpha)) * m->scale;
        return wider(radius) + 2.0 * m->grid + rounding_of(m);
    }
    const double steps = laplace ? laplace_steps(t, alpha, 2.0)
                         : gaussian
                             ? fmax(ceil(wider(normal_radius(alpha) * t) - 0.5), 0.0)
                             : ceil(wider(normal_radius(alpha) * t));
    return steps * m->grid + rounding_of(m);
}

/* --- ladders ----------------------------------------------------------------------- */

typedef struct {
    double rate, floor;
    int leaves; /* 0: triangles */
    bool bounded;
} ladder;

static bool is_ladder(ladder *out, const pvgi_column *kind) {
    long long floor;
    int end = 0;
    *out = (ladder){0};
    if (!kind->noise ||
        sscanf(kind->noise, "ladder of rate %lf per rung, floor %lld%n", &out->rate,
               &floor, &end) != 2 ||
        end == 0 || !(out->rate > 0.0) || floor < 1)
        return false;
    out->floor = (double)floor;
    out->bounded = strcmp(kind->noise + end, PVGI_LADDER_BOUNDED) == 0;
    if (kind->unit && strcmp(kind->unit, "stars") == 0)
        out->leaves = strcmp(kind->name, "stars3") == 0 ? 3 : 2;
    return true;
}

/* Integers on rung t + 1, on one side, for a ladder of this base. */
static double width_of(const ladder *l, double base, double cap, double t) {
    if (l->leaves == 0) return fmin(base + t, cap);
    const double d = base + t;
    return l->leaves == 2 ? 2.0 * d : d * (d - 1.0);
}

/* More rungs than this are not looked at. */
enum { RUNGS_MOST = 1 << 22 };

/* For triangles |noise| grows with the base, so that of the bound is enough. */
static double triangles_radius(const ladder *l, double base, double cap, double alpha) {
    const double y = exp(-l->rate);
    double all = 1.0, weight = 1.0, inside, reach = 0.0;
    int64_t last = 0;
    for (; (double)last * l->rate < 60.0; last++) {
        weight *= y;
        all += 2.0 * weight * width_of(l, base, cap, (double)last);
    }
    inside = weight = 1.0;
    for (int64_t t = 0; t < last; t++) {
        const double width = width_of(l, base, cap, (double)t);
        weight *= y;
        /* of those on this rung so many must be inside as well */
        const double missing = (1.0 - alpha) * all - inside;
        if (missing <= 0.0) return reach;
        const double places = ceil(wider(missing / (2.0 * weight)));
        if (places <= width) return reach + places;
        inside += 2.0 * weight * width;
        reach += width;
    }
    return unknown;
}

/* For stars: rungs above 0 are as far up as at the floor at most, each reaches as far as
 * at the bound at most, and rung 0 is as likely as at the bound at least. */
static double stars_radius(const ladder *l, double base, double alpha) {
    const double y = exp(-l->rate);
    double all = 0.0, total = 1.0, weight = 1.0, beyond, reach = 0.0;
    int64_t last = 0;
    for (; (double)last * l->rate < 60.0; last++) {
        weight *= y;
        all += weight * width_of(l, l->floor, unknown, (double)last);
        total += 2.0 * weight * width_of(l, base, unknown, (double)last);
    }
    const double allowed = alpha / (1.0 - 1.0 / total) * all;
    if (allowed >= all) return 0.0;
    beyond = all;
    weight = 1.0;
    for (int64_t t = 0; t < last; t++) {
        weight *= y;
        const double own = weight * width_of(l, l->floor, unknown, (double)t);
        const double width = width_of(l, base, unknown, (double)t);
        beyond -= own;
        if (beyond <= allowed)
            return reach + ceil(wider(width * fmax(1.0 - (allowed - beyond) / own, 0.0)));
        reach += width;
    }
    return unknown;
}

static double ladder_radius(const ladder *l, const column *bound, double told,
                            double order, double alpha) {
    const pvgi_measure *m = &bound->measure;
    if (!(m->scale > 0.0) || m->grid != 1.0 || !(l->rate * RUNGS_MOST > 60.0))
        return unknown;
    const double cap = order >= 2.0 ? order - 2.0 : unknown;
    double base = told + laplace_steps(m->scale, alpha / 4.0, 1.0);
    if (!(base >= l->floor)) base = l->floor;
    if (l->leaves == 0) return triangles_radius(l, fmin(base, cap), cap, 0.75 * alpha);
    return stars_radius(l, base, 0.75 * alpha);
}

/* --- columns ----------------------------------------------------------------------- */

static const pvgi_column_table *table_for(const pvgi_columns *c, int64_t order) {
    for (int64_t i = 0; i < c->tables; i++)
        if (c->table[i].order == 0 || c->table[i].order == order || c->tables == 1)
            return &c->table[i];
    return NULL;
}

static column column_at(const pvgi_columns *c, const pvgi_column_table *table,
                        int64_t kind, int64_t index) {
    column out = {.kind = &c->kind[kind],
                  .measure = {(double)NAN, (double)NAN, (double)NAN, (double)NAN}};
    if (!table) return out;
    if (table->measure) out.measure = table->measure[kind];
    for (int64_t i = 0; i < table->joints; i++) {
        const pvgi_joint_columns *j = &table->joint[i];
        if (!j->covariance && !j->common) continue;
        if (index < j->first || index >= j->first + j->count) continue;
        out.joint = j;
        out.place = index - j->first;
    }
    return out;
}

void pvgi_guarantee_intervals(double *low, double *high, const pvg_guarantee *guarantee,
                              const double *row, int64_t columns, int64_t order,
                              double confidence) {
    const pvgi_columns *c = guarantee->told;
    const double alpha = 1.0 - confidence;
    if (order == 0) order = guarantee->order;
    const pvgi_column_table *table = c ? table_for(c, order) : NULL;
    int64_t kind = 0, before = 0;
    for (int64_t i = 0; i < columns; i++) {
        double radius = unknown;
        ladder l;
        low[i] = -unknown;
        high[i] = unknown;
        if (!c || i >= c->columns) continue;
        while (i >= before + c->kind[kind].count) before += c->kind[kind++].count;
        const column own = column_at(c, table, kind, i);
        if (!own.kind->noise) {
            low[i] = high[i] = row[i];
            continue;
        }
        if (is_ladder(&l, own.kind)) {
            if (l.bounded && i + 1 < columns && i + 1 < c->columns) {
                const int64_t next = pvgi_guarantee_column_kind(c, i + 1);
                const column bound = column_at(c, table, next, i + 1);
                radius = ladder_radius(&l, &bound, row[i + 1], (double)order, alpha);
            }
        } else {
            radius = radius_of(&own, alpha);
        }
        /* the value is in the public range, also where the noise has left it */
        const double least = isnan(own.measure.low) ? -unknown : own.measure.low;
        const double most = isnan(own.measure.high) ? unknown : own.measure.high;
        const double inside = fmax(fmin(row[i], most), least);
        low[i] = fmax(inside - radius, least);
        high[i] = fmin(inside + radius, most);
    }
}
