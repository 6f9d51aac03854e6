/* Bayes read-out of edge histograms. Post-processing: reads released and public numbers
 * only.
 *
 * Node u with class c and activity t has Poisson(t lambda_ck e_uk) edges in cell k; z_uk
 * is that plus noise of known law. Posterior: prior x (mean over t of prod_k P(z_uk))^w.
 *   e_uk    1 for labelled senders; else the share of unlabelled nodes of that kind that
 *           come before u, which the public priorities tell, in EXPOSURES steps
 *   t       gamma with mean 1 and shape m^2 / (V - m - C v), m and V mean and variance of
 *           the total from labelled senders, v that of the noise; ACTIVITIES quantiles
 *   lambda  labelled senders: mean over labelled receivers of class c, who see half of
 *           them by the coin; then, and for unlabelled senders, EM
 * P is tabulated for every (cell, z) as a row over (class, activity), divided by its
 * largest entry, so a node multiplies rows: kinds x classes x ACTIVITIES products. */
#include "learn_internal.h"

#include "base/present.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ACTIVITIES = 16, EXPOSURES = 4, REACH = 512, NODES_PER_CHUNK = 512, ROUNDS = 3 };

typedef struct {
    const pvgi_joint *noise;
    const double *values, *prior;
    const int32_t *labels;
    int64_t order, classes, kinds;
    const pvg_posterior_config *config;
    int64_t low, high;  /* tabulated counts */
    uint8_t *exposures; /* order x classes: step of e for kinds from classes on */
    double *labelled;   /* classes x (kinds sums, then the number of receivers) */
    double *lambda;     /* classes x kinds */
    double activity[ACTIVITIES];
    double *table;     /* steps of kind x counts x classes x ACTIVITIES */
    double *posterior; /* order x classes */
    double *sums;      /* chunks x classes x 2 kinds: weights, weighted counts */
    double *scratch;
    int64_t chunks;
} readout;

static const double exposure_of[EXPOSURES] = {0.125, 0.375, 0.625, 0.875};

/* Kind k has one table, or one for each exposure. */
static int64_t tables_before(const readout *r, int64_t kind) {
    return kind <= r->classes ? kind : r->classes + (kind - r->classes) * EXPOSURES;
}

static int64_t count_at(const readout *r, int64_t node, int64_t kind) {
    const double z = r->values[node * r->kinds + kind];
    if (!(z > (double)r->low)) return r->low;
    return z < (double)r->high ? (int64_t)z : r->high;
}

static double *row_of(const readout *r, int64_t table, int64_t z) {
    return r->table +
           (table * (r->high - r->low + 1) + (z - r->low)) * r->classes * ACTIVITIES;
}

/* --- cells ------------------------------------------------------------------------ */

/* A public coin: splitmix64 of the number of a node, in [0, 1). */
static double coin(uint64_t node) {
    uint64_t z = (node + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static int64_t likeliest(const double *row, int64_t classes) {
    int64_t best = 0;
    for (int64_t c = 1; c < classes; c++)
        if (row[c] > row[best]) best = c;
    return best;
}

void pvgi_learn_cells(double *priorities, int32_t *kinds, const double *prior,
                      const int32_t *labels, int64_t order, int64_t classes) {
    for (int64_t v = 0; v < order; v++) {
        const double *row = prior + v * classes;
        const int64_t best = likeliest(row, classes);
        const bool known = labels[v] >= 0;
        priorities[v] = known ? 2.0 + coin((uint64_t)v) : row[best];
        kinds[v] = known ? labels[v] : (int32_t)(classes + best);
    }
}

typedef struct {
    double priority;
    int64_t node;
} ranked;

/* First to send first. */
static int by_priority(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->priority != y->priority) return x->priority > y->priority ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static uint8_t step_of(double share) {
    const int step = (int)(share * EXPOSURES);
    return (uint8_t)(step < EXPOSURES ? step : EXPOSURES - 1);
}

/* Shares of unlabelled nodes of each predicted class that come before each node. */
static int32_t find_exposures(readout *r) {
    const int64_t C = r->classes;
    ranked *all = pvgi_alloc((size_t)r->order, sizeof *all);
    double *seen = pvgi_alloc_zero((size_t)C, 2 * sizeof *seen), *total = seen + C;
    int32_t status = all && seen ? PVG_OK : pvgi_fail_nomem();
    int64_t count = 0;
    for (int64_t v = 0; status == PVG_OK && v < r->order; v++) {
        if (r->labels[v] >= 0) continue;
        const int64_t best = likeliest(r->prior + v * C, C);
        all[count++] = (ranked){r->prior[v * C + best], v};
        total[best]++;
    }
    if (status == PVG_OK) {
        qsort(all, (size_t)count, sizeof *all, by_priority);
        memset(r->exposures, 0, (size_t)(r->order * C));
        for (int64_t i = 0; i < count; i++) {
            const int64_t v = all[i].node;
            for (int64_t c = 0; c < C; c++)
                r->exposures[v * C + c] =
                    step_of(total[c] > 0.0 ? seen[c] / total[c] : 0.0);
            seen[likeliest(r->prior + v * C, C)]++;
        }
    }
    pvgi_free(all);
    pvgi_free(seen);
    return status;
}

/* --- what is known before EM -------------------------------------------------------- */

/* Chance that a labelled node has class c: its label, or what the response leaves. */
static void weigh_label(double *out, const readout *r, int64_t node) {
    const int64_t C = r->classes;
    const double *t = r->config->transition;
    double sum = 0.0;
    for (int64_t c = 0; c < C; c++) {
        out[c] = t ? r->prior[node * C + c] * t[c * C + r->labels[node]]
                   : (double)(c == r->labels[node]);
        sum += out[c];
    }
    for (int64_t c = 0; c < C; c++) out[c] = sum > 0.0 ? out[c] / sum : 1.0 / (double)C;
}

/* Sums over labelled receivers, and the least and largest count. */
static void look(readout *r, double *weights) {
    const int64_t C = r->classes, K = r->kinds;
    double low = 0.0, high = 0.0;
    memset(r->labelled, 0, (size_t)(C * (K + 1)) * sizeof *r->labelled);
    for (int64_t v = 0; v < r->order; v++) {
        const double *z = r->values + v * K;
        for (int64_t k = 0; k < K; k++) {
            low = fmin(low, z[k]);
            high = fmax(high, z[k]);
        }
        if (r->labels[v] < 0) continue;
        weigh_label(weights, r, v);
        for (int64_t c = 0; c < C; c++) {
            double *own = r->labelled + c * (K + 1);
            for (int64_t k = 0; k < C; k++) own[k] += weights[c] * z[k];
            own[K] += weights[c];
        }
    }
    r->low = (int64_t)fmax(low, -REACH);
    r->high = (int64_t)fmin(high, REACH);
}

static void fit_activity(readout *r) {
    double count = 0.0, sum = 0.0, squares = 0.0, shape = 1e4;
    const double deviation = pvgi_mechanism_joint_deviation(r->noise);
    for (int64_t v = 0; v < r->order; v++) {
        double total = 0.0;
        if (r->labels[v] >= 0) continue;
        for (int64_t k = 0; k < r->classes; k++) total += r->values[v * r->kinds + k];
        count++;
        sum += total;
        squares += total * total;
    }
    if (count > 1.0) {
        const double mean = sum / count;
        const double excess = squares / count - mean * mean - mean -
                              (double)r->classes * deviation * deviation;
        if (mean > 0.0 && excess > 0.0) shape = mean * mean / excess;
    }
    shape = fmin(fmax(shape, 0.2), 1e3);
    pvgi_learn_gamma_quantiles(r->activity, ACTIVITIES, shape);
}

/* Means never below this: noise may make them negative. */
static double positive(double mean) {
    return mean > 0.01 ? mean : 0.01;
}

/* Labelled receivers alone; they see half of the labelled senders. A class without
 * labelled nodes gets the mean over all. */
static void start_lambda(readout *r) {
    const int64_t C = r->classes, K = r->kinds;
    for (int64_t k = 0; k < K; k++) {
        double sum = 0.0, count = 0.0;
        for (int64_t c = 0; c < C; c++) {
            sum += r->labelled[c * (K + 1) + k];
            count += r->labelled[c * (K + 1) + K];
        }
        for (int64_t c = 0; c < C; c++) {
            const double own = r->labelled[c * (K + 1) + K];
            r->lambda[c * K + k] =
                positive(2.0 * (own > 0.5     ? r->labelled[c * (K + 1) + k] / own
                                : count > 0.0 ? sum / count
                                              : 0.5));
        }
    }
}

/* --- tables ----------------------------------------------------------------------- */

/* One chunk: a table of one kind at one exposure. Rows over (class, activity) with
 * largest entry 1. */
static int32_t fill_table(void *context, int64_t table, uint32_t worker) {
    const readout *r = context;
    const int64_t C = r->classes, K = r->kinds, counts = r->high - r->low + 1;
    const int64_t kind = table < C ? table : C + (table - C) / EXPOSURES;
    const double exposure = table < C ? 1.0 : exposure_of[(table - C) % EXPOSURES];
    const int64_t width = C * ACTIVITIES;
    double *scratch = r->scratch + (int64_t)worker * (PVGI_LAW_SCRATCH + 2 * REACH + 2);
    double *law = scratch + PVGI_LAW_SCRATCH, *rows = row_of(r, table, r->low);
    for (int64_t c = 0; c < C; c++)
        for (int64_t q = 0; q < ACTIVITIES; q++) {
            const double mean = r->activity[q] * r->lambda[c * K + kind] * exposure;
            pvgi_learn_noisy_poisson(law, mean, r->low, r->high, r->noise, scratch);
            for (int64_t z = 0; z < counts; z++)
                rows[z * width + c * ACTIVITIES + q] = law[z];
        }
    for (int64_t z = 0; z < counts; z++) {
        double *row = rows + z * width, most = 1e-300;
        for (int64_t i = 0; i < width; i++) most = row[i] > most ? row[i] : most;
        const double scale = 1.0 / most;
        for (int64_t i = 0; i < width; i++) {
            const double x = row[i] * scale;
            row[i] = x > 1e-30 ? x : 1e-30;
        }
    }
    return PVG_OK;
}

/* --- posteriors ------------------------------------------------------------------- */

typedef struct {
    readout *r;
    int64_t kinds; /* cells that are read: classes or all */
    double strength;
} pass;

/* product[class x activity] of the rows of a node. */
static void multiply(double *product, const readout *r, int64_t node, int64_t kinds) {
    const int64_t width = r->classes * ACTIVITIES;
    for (int64_t i = 0; i < width; i++) product[i] = 1.0;
    for (int64_t k = 0; k < kinds; k++) {
        int64_t table = tables_before(r, k);
        if (k >= r->classes) table += r->exposures[node * r->classes + k - r->classes];
        const double *row = row_of(r, table, count_at(r, node, k));
        for (int64_t i = 0; i < width; i++) product[i] *= row[i];
        if (k % 8 != 7) continue;
        double most = 1e-300; /* eight factors of at least 1e-30 cannot vanish */
        for (int64_t i = 0; i < width; i++) most = product[i] > most ? product[i] : most;
        for (int64_t i = 0; i < width; i++) {
            const double x = product[i] / most;
            product[i] = x > 1e-60 ? x : 1e-60;
        }
    }
}

static void judge(double *out, const readout *r, int64_t node, const double *product,
                  double strength) {
    const int64_t C = r->classes;
    double sum = 0.0;
    for (int64_t c = 0; c < C; c++) {
        double likelihood = 0.0;
        for (int64_t q = 0; q < ACTIVITIES; q++)
            likelihood += product[c * ACTIVITIES + q];
        if (strength != 1.0) likelihood = pow(likelihood, strength);
        out[c] = r->prior[node * C + c] * likelihood;
        sum += out[c];
    }
    for (int64_t c = 0; c < C; c++) out[c] = sum > 0.0 ? out[c] / sum : 1.0 / (double)C;
}

/* Posteriors of a chunk of nodes, and its sums for EM. */
static int32_t judge_chunk(void *context, int64_t chunk, uint32_t worker) {
    const pass *p = context;
    readout *r = p->r;
    const int64_t C = r->classes, K = r->kinds, width = C * ACTIVITIES;
    const int64_t first = chunk * NODES_PER_CHUNK;
    const int64_t last =
        first + NODES_PER_CHUNK < r->order ? first + NODES_PER_CHUNK : r->order;
    double *product = r->scratch + (int64_t)worker * width;
    double *sums = r->sums + chunk * C * 2 * K;
    memset(sums, 0, (size_t)(C * 2 * K) * sizeof *sums);
    for (int64_t v = first; v < last; v++) {
        double *out = r->posterior + v * C;
        if (r->labels[v] >= 0) {
            weigh_label(out, r, v);
            continue;
        }
        multiply(product, r, v, p->kinds);
        judge(out, r, v, product, p->strength);
        for (int64_t c = 0; c < C; c++) {
            double *weight = sums + c * 2 * K, *counts = weight + K;
            for (int64_t k = 0; k < K; k++) {
                const double e = k < C ? 1.0 : exposure_of[r->exposures[v * C + k - C]];
                weight[k] += out[c] * e;
                counts[k] += out[c] * r->values[v * K + k];
            }
        }
    }
    return PVG_OK;
}

/* EM: labelled receivers count half, as they see half. */
static void update_lambda(readout *r) {
    const int64_t C = r->classes, K = r->kinds;
    for (int64_t c = 0; c < C; c++)
        for (int64_t k = 0; k < K; k++) {
            double weight = 0.0, count = 0.0;
            for (int64_t chunk = 0; chunk < r->chunks; chunk++) {
                const double *sums = r->sums + (chunk * C + c) * 2 * K;
                weight += sums[k];
                count += sums[K + k];
            }
            if (k < C) {
                weight += 0.5 * r->labelled[c * (K + 1) + K];
                count += r->labelled[c * (K + 1) + k];
            }
            r->lambda[c * K + k] = positive(weight > 0.0 ? count / weight : 0.0);
        }
}

static int32_t fill_tables(readout *r, int64_t kinds, pvgi_run *run) {
    return pvgi_run_chunks(run, tables_before(r, kinds), fill_table, r);
}

static int32_t judge_all(readout *r, int64_t kinds, double strength, pvgi_run *run) {
    pass p = {r, kinds, strength};
    return pvgi_run_chunks(run, r->chunks, judge_chunk, &p);
}

/* Share of checked nodes whose likeliest class is right. */
static double accuracy(const readout *r) {
    double right = 0.0;
    for (int64_t v = 0; v < r->order; v++)
        if (r->config->checks[v] >= 0 && r->labels[v] < 0)
            right += likeliest(r->posterior + v * r->classes, r->classes) ==
                     r->config->checks[v];
    return right;
}

/* Keeps the better of what was made and what is in best. */
static void keep_better(double *best, double *score, const readout *r, double now) {
    if (!(now > *score)) return;
    *score = now;
    memcpy(best, r->posterior, (size_t)(r->order * r->classes) * sizeof *best);
}

/* Posteriors with the present tables: of the strength asked for, or of the better one. */
static int32_t settle(double *best, double *score, readout *r, int64_t kinds, bool judged,
                      pvgi_run *run) {
    static const double strengths[2] = {1.0, 0.6};
    const double asked = r->config->strength;
    for (int i = 0; i < 2; i++) {
        const double strength = asked > 0.0 ? asked : strengths[i];
        if (i > 0 && (asked > 0.0 || !r->config->checks)) break;
        if (!judged || strength != 1.0) PVGI_TRY(judge_all(r, kinds, strength, run));
        judged = false;
        keep_better(best, score, r, r->config->checks ? accuracy(r) : 0.0);
    }
    return PVG_OK;
}

static int32_t solve(double *best, readout *r, pvgi_run *run) {
    const int32_t rounds = r->config->rounds == 0 ? ROUNDS : r->config->rounds;
    double score = -1.0;
    start_lambda(r);
    PVGI_TRY(fill_tables(r, r->classes, run));
    PVGI_TRY(judge_all(r, r->classes, 1.0, run));
    if (rounds < 0) return settle(best, &score, r, r->classes, true, run);
    /* without the cells of unlabelled senders, if somebody may choose that */
    if (r->config->rounds == 0 && r->config->checks) {
        PVGI_TRY(settle(best, &score, r, r->classes, true, run));
        if (r->config->strength == 0.0) /* EM goes on from strength 1 */
            PVGI_TRY(judge_all(r, r->classes, 1.0, run));
    }
    for (int32_t round = 0; round < rounds; round++) {
        update_lambda(r);
        PVGI_TRY(fill_tables(r, r->kinds, run));
        PVGI_TRY(judge_all(r, r->kinds, 1.0, run));
    }
    return settle(best, &score, r, r->kinds, true, run);
}

/* --- memory ----------------------------------------------------------------------- */

static void drop(readout *r) {
    pvgi_free(r->exposures);
    pvgi_free(r->labelled);
    pvgi_free(r->lambda);
    pvgi_free(r->table);
    pvgi_free(r->posterior);
    pvgi_free(r->sums);
    pvgi_free(r->scratch);
}

static int32_t allocate(readout *r, pvgi_run *run) {
    const size_t C = (size_t)r->classes, K = (size_t)r->kinds, n = (size_t)r->order;
    const size_t tables = (size_t)tables_before(r, r->kinds);
    const size_t counts = (size_t)(r->high - r->low + 1);
    const size_t cells = pvgi_size_mul(tables, pvgi_size_mul(counts, C * ACTIVITIES));
    const size_t workers = pvgi_run_workers(run, r->chunks > 64 ? r->chunks : 64);
    const size_t law = PVGI_LAW_SCRATCH + 2 * REACH + 2;
    const size_t each = law > C * ACTIVITIES ? law : C * ACTIVITIES;
    size_t bytes = pvgi_size_mul(cells, sizeof(double));
    bytes = pvgi_size_add(bytes, pvgi_size_mul(n, C * (sizeof(double) + 1)));
    bytes = pvgi_size_add(bytes, pvgi_size_mul(workers, each * sizeof(double)));
    bytes = pvgi_size_add(bytes, (size_t)r->chunks * C * 2 * K * sizeof(double));
    PVGI_TRY(pvgi_run_reserve(run, bytes));
    r->exposures = pvgi_alloc(n, C);
    r->lambda = pvgi_alloc(C, K * sizeof(double));
    r->table = pvgi_alloc(cells, sizeof(double));
    r->posterior = pvgi_alloc(n, C * sizeof(double));
    r->sums = pvgi_alloc((size_t)r->chunks, C * 2 * K * sizeof(double));
    r->scratch = pvgi_alloc(workers, each * sizeof(double));
    return r->exposures && r->lambda && r->table && r->posterior && r->sums && r->scratch
               ? PVG_OK
               : pvgi_fail_nomem();
}

int32_t pvgi_learn_posterior(double *out, const pvgi_joint *noise, const double *values,
                             const double *prior, const int32_t *labels, int64_t order,
                             const pvg_posterior_config *config, pvgi_run *run) {
    const int64_t C = config->classes;
    readout r = {.noise = noise,
                 .values = values,
                 .prior = prior,
                 .labels = labels,
                 .order = order,
                 .classes = C,
                 .kinds = 2 * C,
                 .config = config,
                 .chunks = (order + NODES_PER_CHUNK - 1) / NODES_PER_CHUNK};
    pvgi_run quiet = pvgi_run_quiet(run);
    int32_t status = PVG_OK;
    double *best = pvgi_alloc((size_t)order, (size_t)C * sizeof *best);
    r.labelled = pvgi_alloc((size_t)C, (size_t)(2 * C + 1) * sizeof *r.labelled);
    if (!best || !r.labelled) {
        status = pvgi_fail_nomem();
        goto done;
    }
    look(&r, best); /* best lends a row */
    PVGI_TRY_DONE(allocate(&r, &quiet));
    PVGI_TRY_DONE(find_exposures(&r));
    fit_activity(&r);
    PVGI_TRY_DONE(solve(best, &r, &quiet));
    PVGI_TRY_DONE(pvgi_run_report(run, 1.0));
    memcpy(out, best, (size_t)(order * C) * sizeof *out);
done:
    drop(&r);
    pvgi_free(best);
    return status;
}

int32_t pvgi_learn_read_classes(double *out, const char *name,
                                const pvg_statistic *histogram, const double *values,
                                const double *prior, const int32_t *labels,
                                const pvg_posterior_config *config, const pvg_run *run) {
    pvg_posterior_config c;
    const pvgi_joint *law;
    pvgi_run running;
    PVGI_PRESENT(name, out, histogram, values, prior, labels);
    PVGI_TRY(
        pvgi_learn_import_posterior(&c, name, config, prior, labels, histogram->rows));
    PVGI_TRY(pvgi_learn_check_histogram(&law, name, histogram, values, c.classes));
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_learn_posterior(out, law, values, prior, labels, histogram->order, &c,
                                &running);
}
