/* What formulas say about a perturbed graph: edges kept and added, errors of degrees,
 * labels. Means over the noise of a method, from the true graph. */
#include "perturbation_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Neighbours of v with a larger number. */
int64_t owned(const data *d, int64_t v) {
    const int32_t *row;
    int64_t degree = 0, smaller = 0;
    if (pvg_graph_view_neighbours(&row, &degree, d->graph, v) != PVG_OK) return 0;
    while (smaller < degree && row[smaller] < v) smaller++;
    return degree - smaller;
}

/* Mean of |gained - lost| for independent counts with these means: Poisson where changes
 * are rare, else normal with the given variance. */
static double mean_error(double lost, double gained, double variance) {
    enum { TERMS = 12 };
    const double mean = gained - lost, s = sqrt(variance);
    double error = 0, p = exp(-lost);
    if (lost + gained > 2)
        return s * sqrt(2 / M_PI) * exp(-mean * mean / (2 * variance)) +
               mean * erf(mean / (s * M_SQRT2));
    for (int i = 0; i < TERMS; p *= lost / ++i) {
        double q = exp(-gained);
        for (int j = 0; j < TERMS; q *= gained / ++j) error += p * q * abs(i - j);
    }
    return error;
}

/* For each node the share of its own class among the candidates that it does not list:
 * nodes with larger numbers if lists are owned, else all others. NULL without memory. */
static double *candidate_shares(const data *d, int own) {
    double *shares = calloc((size_t)d->nodes + 1, sizeof *shares);
    double behind[CLASSES_MAX] = {0};
    for (int64_t v = 0; shares && v < d->nodes && !own; v++)
        if (d->classes[v] >= 0) behind[d->classes[v]]++;
    for (int64_t v = d->nodes - 1; shares && v >= 0; v--) {
        const int32_t *row = NULL;
        int64_t degree = 0;
        if (d->classes[v] < 0 ||
            pvg_graph_view_neighbours(&row, &degree, d->graph, v) != PVG_OK)
            continue;
        double same = behind[d->classes[v]] - !own;
        double candidates = (double)(d->nodes - 1 - (own ? v : 0));
        for (int64_t i = 0; i < degree; i++) {
            if (own && row[i] < v) continue;
            same -= d->classes[row[i]] == d->classes[v];
            candidates--;
        }
        shares[v] = candidates > 0 ? same / candidates : 0;
        behind[d->classes[v]] += own;
    }
    return shares;
}

/* Kept edges are as alike as edges are, added ones as pairs without an edge. */
static void expect_alike(figures *f, const data *d) {
    f->alike = (f->kept * d->alike + f->added * d->alike_off) / (f->kept + f->added);
}

/* Every edge kept with chance keep, every other pair added with chance add. */
static figures expect_response(const data *d, double keep, double add) {
    figures f = {.kept = (double)d->edges * keep,
                 .added = (d->pairs - (double)d->edges) * add};
    for (int64_t v = 0; v < d->nodes; v++) {
        const double degree = (double)pvg_graph_degree(d->graph, v);
        const double others = (double)d->nodes - 1 - degree;
        f.degree_error +=
            mean_error(degree * (1 - keep), others * add,
                       degree * keep * (1 - keep) + others * add * (1 - add));
    }
    f.degree_error /= (double)d->nodes;
    expect_alike(&f, d);
    return f;
}

figures expect_rr(const data *d, double epsilon) {
    const double flip = 1 / (1 + exp(epsilon));
    return expect_response(d, 1 - flip, flip);
}

double sparse_keep(double epsilon) {
    return 0.5 * exp(epsilon) / (1 + exp(epsilon));
}

figures expect_sparse(const data *d, double epsilon) {
    return expect_response(d, sparse_keep(epsilon), sparse_keep(epsilon) * exp(-epsilon));
}

/* Its integer noise makes LapGraph a choice of T among the ones of randomised response,
 * all alike; T is about the number of edges. 0.99 of epsilon is for pairs. */
figures expect_lapgraph(const data *d, double epsilon) {
    const double flip = 1 / (1 + exp(0.99 * epsilon)), edges = (double)d->edges;
    const double ones = edges * (1 - flip) + (d->pairs - edges) * flip;
    if (ones >= edges)
        return expect_response(d, (1 - flip) * edges / ones, flip * edges / ones);
    const double more = (edges - ones) / (d->pairs - ones);
    return expect_response(d, 1 - flip + flip * more, flip + (1 - flip) * more);
}

figures expect_nothing(const data *d, double epsilon) {
    (void)d;
    (void)epsilon;
    return (figures){NAN, NAN, NAN, NAN};
}

/* DPRR by its definition: with z drawn from the discrete Laplace law of a degree and f
 * the chance to lie, q(z) thins the ones. The moments of q of each user give the chances
 * k and a; degrees are normal given z. */
typedef struct {
    double keep, add; /* chances of an entry of the list, of another candidate */
} chances;

typedef struct {
    double lie, ratio; /* f; e^-eps1 */
    int64_t reach;     /* largest |z| looked at */
} dprr;

static double thinning(const dprr *p, double listed, double candidates, int64_t z) {
    const double degree = listed + (double)z;
    const double base = degree * (1 - 2 * p->lie) + candidates * p->lie;
    return degree <= 0 ? 0 : base > degree ? degree / base : 1;
}

static double weight(const dprr *p, int64_t z) {
    return (1 - p->ratio) / (1 + p->ratio) * pow(p->ratio, fabs((double)z));
}

static chances dprr_chances(const dprr *p, double listed, double candidates) {
    double q = 0;
    for (int64_t z = 1 - (int64_t)listed; z <= p->reach; z++)
        q += weight(p, z) * thinning(p, listed, candidates, z);
    return (chances){(1 - p->lie) * q, p->lie * q};
}

/* Mean error of a degree to which other users add `gained` and from which they take
 * `lost` on average, with this variance. */
static double dprr_error(const dprr *p, double listed, double candidates, double lost,
                         double gained, double variance) {
    double error = 0, all = 0;
    for (int64_t z = -p->reach; z <= p->reach; z++) {
        const double q = thinning(p, listed, candidates, z), w = weight(p, z);
        const double k = (1 - p->lie) * q, a = p->lie * q;
        const double others = candidates - listed;
        error += w * mean_error(listed * (1 - k) + lost, others * a + gained,
                                listed * k * (1 - k) + others * a * (1 - a) + variance);
        all += w;
    }
    return error / all;
}

static dprr dprr_of(double epsilon) {
    const double degrees = 0.1 * epsilon, entries = 0.9 * epsilon;
    return (dprr){1 / (1 + exp(entries)), exp(-degrees), (int64_t)(12 / degrees) + 2};
}

figures expect_dprr_lists(const data *d, double epsilon) {
    const dprr p = dprr_of(0.5 * epsilon); /* each edge is in two reports */
    const double candidates = (double)d->nodes - 1;
    double *shares = candidate_shares(d, 0);
    figures f = {0};
    if (!shares) return expect_nothing(d, epsilon);
    for (int64_t v = 0; v < d->nodes; v++) {
        const double degree = (double)pvg_graph_degree(d->graph, v);
        const chances c = dprr_chances(&p, degree, candidates);
        f.kept += degree * c.keep;
        f.added += (candidates - degree) * c.add;
        f.alike += (candidates - degree) * c.add * shares[v];
        f.degree_error += dprr_error(&p, degree, candidates, 0, 0, 0);
    }
    f.degree_error /= (double)d->nodes;
    f.alike = (f.kept * d->alike + f.alike) / (f.kept + f.added);
    free(shares);
    return f;
}

figures expect_dprr(const data *d, double epsilon) {
    const dprr p = dprr_of(epsilon);
    figures f = {0};
    chances *of = calloc((size_t)d->nodes + 1, sizeof *of);
    double means = 0, variances = 0; /* of what all users before v add to v */
    double *shares = candidate_shares(d, 1);
    if (!of || !shares) {
        free(of);
        free(shares);
        return expect_nothing(d, epsilon);
    }
    for (int64_t v = 0; v < d->nodes; v++) {
        const double listed = (double)owned(d, v),
                     candidates = (double)(d->nodes - 1 - v);
        double lost = 0, gained = means, variance = variances;
        const int32_t *row = NULL;
        int64_t degree = 0;
        if (pvg_graph_view_neighbours(&row, &degree, d->graph, v) != PVG_OK) degree = 0;
        for (int64_t i = 0; i < degree && row[i] < v; i++) {
            const chances c = of[row[i]];
            lost += 1 - c.keep;
            gained -= c.add;
            variance += c.keep * (1 - c.keep) - c.add * (1 - c.add);
        }
        of[v] = dprr_chances(&p, listed, candidates);
        f.kept += listed * of[v].keep;
        f.added += (candidates - listed) * of[v].add;
        f.alike += (candidates - listed) * of[v].add * shares[v];
        f.degree_error += dprr_error(&p, listed, candidates, lost, gained, variance);
        means += of[v].add;
        variances += of[v].add * (1 - of[v].add);
    }
    f.degree_error /= (double)d->nodes;
    f.alike = (f.kept * d->alike + f.alike) / (f.kept + f.added);
    free(shares);
    free(of);
    return f;
}

/* Sets of the same size, by weights e^(epsilon k) on k entries that stay. */
static double overlap(double listed, double candidates, double epsilon) {
    double log_weight = 0, largest = 0, sum = 0, mean = 0;
    for (double k = fmax(0, 2 * listed - candidates); k <= listed; k++) {
        if (log_weight > largest) {
            sum *= exp(largest - log_weight);
            mean *= exp(largest - log_weight);
            largest = log_weight;
        }
        sum += exp(log_weight - largest);
        mean += k * exp(log_weight - largest);
        if (k < listed)
            log_weight += epsilon + log((listed - k) * (listed - k) / (k + 1) /
                                        (candidates - 2 * listed + k + 1));
    }
    return mean / sum;
}

figures expect_subset(const data *d, double epsilon) {
    double *shares = candidate_shares(d, 1);
    figures f = {0};
    if (!shares) return expect_nothing(d, epsilon);
    for (int64_t v = 0; v < d->nodes; v++) {
        const double listed = (double)owned(d, v);
        const double kept = overlap(listed, (double)(d->nodes - 1 - v), epsilon);
        f.kept += kept;
        f.added += listed - kept;
        f.alike += (listed - kept) * shares[v];
    }
    f.alike = (f.kept * d->alike + f.alike) / (f.kept + f.added);
    free(shares);
    return f;
}

/* Any node with chance 1 / answers, the entry itself with e^epsilon / answers. */
figures expect_slots(const data *d, double epsilon) {
    const double answers = exp(epsilon) + (double)d->nodes - 1;
    double sizes[CLASSES_MAX] = {0};
    figures f = {0};
    for (int64_t v = 0; v < d->nodes; v++)
        if (d->classes[v] >= 0) sizes[d->classes[v]]++;
    for (int64_t v = 0; v < d->nodes; v++) {
        const double degree = (double)pvg_graph_degree(d->graph, v);
        const double listed = (double)owned(d, v);
        f.kept += listed * (exp(epsilon) + degree - 1) / answers;
        if (d->classes[v] >= 0) f.alike += listed * sizes[d->classes[v]] / answers;
    }
    f.added = (double)d->edges - f.kept;
    f.alike = f.alike / (double)d->edges + (exp(epsilon) - 1) / answers * d->alike;
    return f;
}

/* The block of an entry by k-ary response, then any node of the block. */
figures expect_blocks(const data *d, double epsilon) {
    static double count[CLASSES_MAX][CLASSES_MAX]; /* of nodes by block and class */
    double sizes[CLASSES_MAX] = {0}, blocks = 0;
    figures f = {0};
    memset(count, 0, sizeof count);
    for (int64_t v = 0; v < d->nodes; v++) {
        sizes[d->blocks[v]]++;
        if (d->classes[v] >= 0) count[d->blocks[v]][d->classes[v]]++;
        blocks = fmax(blocks, d->blocks[v] + 1);
    }
    const double other = 1 / (exp(epsilon) + blocks - 1), stay = exp(epsilon) * other;
    for (int64_t v = 0; v < d->nodes; v++) {
        const int32_t *row = NULL;
        int64_t degree = 0;
        double near[CLASSES_MAX] = {0}; /* chances of neighbours given a block */
        if (pvg_graph_view_neighbours(&row, &degree, d->graph, v) != PVG_OK) continue;
        for (int64_t i = 0; i < degree; i++)
            near[d->blocks[row[i]]] += 1 / sizes[d->blocks[row[i]]];
        for (int64_t i = 0; i < degree; i++)
            for (int b = 0; b < (int)blocks && row[i] > v; b++) {
                const double chance = b == d->blocks[row[i]] ? stay : other;
                f.kept += chance * near[b];
                if (sizes[b] > 0 && d->classes[v] >= 0)
                    f.alike += chance * count[b][d->classes[v]] / sizes[b];
            }
    }
    f.added = (double)d->edges - f.kept;
    f.alike /= (double)d->edges;
    return f;
}
