/* Reconstruction, the protocol: for each of several cuts of the graph into two halves
 * without a common node the attacker learns on windows of the half it knows, chooses
 * between cosine and networks on windows of nodes it held out of that half, and scores
 * the windows of the other half. Controls never see the signal. Areas are means over
 * windows; intervals are over cuts (Student) or, if those agree by luck, over windows.
 *
 * Rows are centred on the known half, so that a row of the other half moves nothing but
 * itself: with length 1 and noise sigma, mu = 2 / sigma for a row. An edge can move all
 * of them, as the model was trained with it: mu = 2 sqrt(rows) / sigma. */
#include "reconstruct.h"

#include <math.h>
#include <string.h>

enum { KNOWN = 1, HELD = 2, TARGET = 4 };

/* Trainings of a cut, each a job of its own. */
typedef enum {
    JOB_TWIN_CHOOSE,    /* on the known half but what is held out, which it scores */
    JOB_TWIN,           /* on the known half; scores the other */
    JOB_FEATURES,       /* the same from features */
    JOB_DIFFUSE_CHOOSE, /* and by diffusion */
    JOB_DIFFUSE,
    JOB_CHANCE, /* a twin on random rows; scores the other half */
    JOBS
} job_kind;

typedef struct {
    int32_t *part;
    pvgi_windows known, choose, held, test; /* all of the known half; without held */
    double *signal, *features;              /* order x directions; features or NULL */
    double *chance;                         /* the same of random rows */
    int64_t feature_directions;
    double *held_scores[PVGI_RECONSTRUCT_SCORES]; /* COSINE, TWIN, DIFFUSION */
    double density;
} cut;

typedef struct {
    const pvgi_reconstruct_input *input;
    const pvg_reconstruct_config *config;
    const pvgi_stream *stream;
    pvg_reconstruction *made;
    cut *cuts;
    int64_t directions;
} protocol;

static double *scores_of(const protocol *p, int32_t score, int64_t c) {
    return p->made->scores[score] + c * p->config->tests * p->made->pairs;
}

/* Cosines of signals of all pairs. */
static void cosines(double *out, const pvgi_windows *windows, const double *signal,
                    int64_t columns) {
    for (int64_t k = 0; k < windows->count; k++) {
        const int64_t *nodes = windows->nodes + k * windows->width;
        for (int64_t i = 0; i < windows->width; i++)
            for (int64_t j = i + 1; j < windows->width; j++) {
                const double *a = signal + nodes[i] * columns;
                const double *b = signal + nodes[j] * columns;
                double product = 0, own = 0, other = 0;
                for (int64_t q = 0; q < columns; q++) {
                    product += a[q] * b[q];
                    own += a[q] * a[q];
                    other += b[q] * b[q];
                }
                *out++ = own > 0 && other > 0 ? product / sqrt(own * other) : 0;
            }
    }
}

/* Share of edges at each place among the known windows. */
static void positions(double *out, const cut *c, int64_t pairs, int64_t tests) {
    for (int64_t q = 0; q < pairs; q++) {
        double sum = 0;
        for (int64_t k = 0; k < c->known.count; k++) sum += c->known.truth[k * pairs + q];
        for (int64_t k = 0; k < tests; k++)
            out[k * pairs + q] = sum / (double)c->known.count;
    }
}

/* 1 for edges that were in a known window. None can be: no node is. It is looked up all
 * the same. */
static void memorise(double *out, const protocol *p, const cut *c) {
    const int64_t w = p->config->window, pairs = p->made->pairs;
    for (int64_t k = 0; k < c->test.count; k++) {
        const int64_t *nodes = c->test.nodes + k * w;
        for (int64_t i = 0, q = 0; i < w; i++)
            for (int64_t j = i + 1; j < w; j++, q++)
                out[k * pairs + q] = c->test.truth[k * pairs + q] &&
                                     !(c->part[nodes[i]] & TARGET) &&
                                     !(c->part[nodes[j]] & TARGET);
    }
}

/* Rows of length 1 in uniform directions, which tell nothing. */
static void draw_chance(double *out, int64_t order, int64_t columns,
                        pvgi_stream *stream) {
    for (int64_t v = 0; v < order; v++) {
        double *row = out + v * columns, square = 0;
        for (int64_t j = 0; j < columns; j++) {
            row[j] = pvgi_audit_normal(stream);
            square += row[j] * row[j];
        }
        for (int64_t j = 0; j < columns && square > 0; j++) row[j] /= sqrt(square);
    }
}

/* Regions, windows, signals, and every score that is not learnt by a network. */
static int32_t prepare(void *context, int64_t number, uint32_t worker) {
    const protocol *p = context;
    const pvg_reconstruct_config *config = p->config;
    const pvg_graph *graph = p->input->truth;
    const int64_t n = graph->order, pairs = p->made->pairs, w = config->window;
    cut *c = &p->cuts[number];
    pvgi_stream stream;
    int32_t status;
    (void)worker;
    pvgi_rng_stream_open_chunk(&stream, p->stream, 16 * (uint64_t)number);
    int64_t *queue = pvgi_alloc((size_t)n, sizeof *queue);
    c->part = pvgi_alloc((size_t)n, sizeof *c->part);
    c->signal = pvgi_alloc((size_t)n, (size_t)p->directions * sizeof *c->signal);
    c->chance = pvgi_alloc((size_t)n, (size_t)p->directions * sizeof *c->chance);
    if (!queue || !c->part || !c->signal || !c->chance) {
        status = pvgi_fail_nomem();
        goto done;
    }
    for (int64_t v = 0; v < n; v++) c->part[v] = TARGET;
    pvgi_audit_cut(c->part, queue, graph, TARGET, KNOWN, n / 2, &stream);
    pvgi_audit_cut(c->part, queue, graph, KNOWN, HELD, n / 10, &stream);
    const bool ordered = config->ordered;
    PVGI_TRY_DONE(pvgi_audit_windows(&c->known, graph, c->part, KNOWN | HELD,
                                     config->windows, w, ordered, &stream));
    PVGI_TRY_DONE(pvgi_audit_windows(&c->choose, graph, c->part, KNOWN, config->windows,
                                     w, ordered, &stream));
    PVGI_TRY_DONE(pvgi_audit_windows(&c->held, graph, c->part, HELD, config->tests, w,
                                     ordered, &stream));
    PVGI_TRY_DONE(pvgi_audit_windows(&c->test, graph, c->part, TARGET, config->tests, w,
                                     ordered, &stream));
    PVGI_TRY_DONE(pvgi_audit_signal(c->signal, p->directions, p->input->rows,
                                    p->input->columns, n, c->part, KNOWN | HELD,
                                    config->sigma, &stream));
    for (int64_t i = 0; i < c->known.count * pairs; i++) c->density += c->known.truth[i];
    c->density /= (double)(c->known.count * pairs);
    for (int s = PVG_RECONSTRUCT_COSINE; s <= PVG_RECONSTRUCT_DIFFUSION; s++) {
        c->held_scores[s] =
            pvgi_alloc((size_t)(c->held.count * pairs), sizeof *c->held_scores[s]);
        if (c->held_scores[s]) continue;
        status = pvgi_fail_nomem();
        goto done;
    }
    cosines(c->held_scores[PVG_RECONSTRUCT_COSINE], &c->held, c->signal, p->directions);
    cosines(scores_of(p, PVG_RECONSTRUCT_COSINE, number), &c->test, c->signal,
            p->directions);
    positions(scores_of(p, PVG_RECONSTRUCT_POSITION, number), c, pairs, config->tests);
    for (int64_t i = 0; i < config->tests * pairs; i++)
        scores_of(p, PVG_RECONSTRUCT_DENSITY, number)[i] = c->density;
    memorise(scores_of(p, PVG_RECONSTRUCT_MEMORISER, number), p, c);
    if (p->input->features) {
        const int64_t d = c->feature_directions =
            config->directions < p->input->feature_columns ? config->directions
                                                           : p->input->feature_columns;
        c->features = pvgi_alloc((size_t)n, (size_t)d * sizeof *c->features);
        if (!c->features) {
            status = pvgi_fail_nomem();
            goto done;
        }
        PVGI_TRY_DONE(pvgi_audit_signal(c->features, d, p->input->features,
                                        p->input->feature_columns, n, c->part,
                                        KNOWN | HELD, 0, &stream));
        cosines(scores_of(p, PVG_RECONSTRUCT_FEATURES, number), &c->test, c->features, d);
    }
    draw_chance(c->chance, n, p->directions, &stream);
    const int64_t base = number * config->tests;
    pvg_reconstruction *made = p->made;
    memcpy(made->bits + base * pairs, c->test.truth, (size_t)(config->tests * pairs));
    for (int64_t k = 0; k < config->tests; k++)
        for (int64_t i = 0, q = (base + k) * pairs; i < w; i++)
            for (int64_t j = i + 1; j < w; j++, q++) {
                made->first[q] = c->test.nodes[k * w + i];
                made->second[q] = c->test.nodes[k * w + j];
                made->truth[q] = made->bits[q];
            }
done:
    pvgi_free(queue);
    pvgi_rng_stream_close(&stream);
    return status;
}

/* One training, and what it scores. */
static int32_t learn(void *context, int64_t number, uint32_t worker) {
    const protocol *p = context;
    const pvg_reconstruct_config *config = p->config;
    const int64_t which = number / JOBS;
    const job_kind kind = (job_kind)(number % JOBS);
    const bool diffuse = kind == JOB_DIFFUSE || kind == JOB_DIFFUSE_CHOOSE;
    const bool choose = kind == JOB_TWIN_CHOOSE || kind == JOB_DIFFUSE_CHOOSE;
    cut *c = &p->cuts[which];
    const bool features = kind == JOB_FEATURES, chance = kind == JOB_CHANCE;
    const int32_t score = features  ? PVG_RECONSTRUCT_FEATURES_TWIN
                          : chance  ? PVG_RECONSTRUCT_CHANCE
                          : diffuse ? PVG_RECONSTRUCT_DIFFUSION
                                    : PVG_RECONSTRUCT_TWIN;
    const double *signal = features ? c->features : chance ? c->chance : c->signal;
    const pvgi_twin_plan plan = {.steps = config->steps,
                                 .rounds = config->rounds,
                                 .samples = config->samples,
                                 .rate = config->rate,
                                 .decay = config->decay,
                                 .density = c->density};
    pvgi_twin twin = {0};
    pvgi_stream stream;
    int32_t status;
    (void)worker;
    if ((diffuse && !config->diffusion) || (features && !c->features)) return PVG_OK;
    pvgi_rng_stream_open_chunk(&stream, p->stream,
                               16 * (uint64_t)which + 1 + (uint64_t)kind);
    PVGI_TRY_DONE(pvgi_audit_twin_open(&twin, config->window,
                                       features ? c->feature_directions : p->directions,
                                       config->hidden, config->batch, diffuse, &stream));
    PVGI_TRY_DONE(pvgi_audit_twin_train(&twin, choose ? &c->choose : &c->known, signal,
                                        &plan, &stream));
    pvgi_audit_twin_predict(choose ? c->held_scores[score] : scores_of(p, score, which),
                            &twin, choose ? &c->held : &c->test, signal, &plan, &stream);
done:
    pvgi_audit_twin_close(&twin);
    pvgi_rng_stream_close(&stream);
    return status;
}

/* --- reports ----------------------------------------------------------------------- */

/* P(|T| > t) = 1 - confidence for Student's law; the normal one for freedom 0. */
static double quantile(int64_t freedom, double confidence) {
    if (freedom == 0) return pvgi_audit_normal_quantile(.5 + .5 * confidence);
    double low = 0, high = 1e6;
    for (int i = 0; i < 200; i++) {
        const double t = .5 * (low + high), n = (double)freedom;
        if (pvgi_audit_beta(n / (n + t * t), .5 * n, .5) > 1 - confidence)
            low = t;
        else
            high = t;
    }
    return high;
}

/* Mean over cuts of means over windows, with an interval; values: cuts x tests, NaN where
 * a window has no area. */
static void summarise(double *mean, double *low, double *high, const double *values,
                      const pvg_reconstruct_config *config) {
    double sum = 0, squares = 0, inside = 0, cuts = 0;
    for (int64_t c = 0; c < config->cuts; c++) {
        const double *row = values + c * config->tests;
        double total = 0, square = 0, count = 0;
        for (int64_t k = 0; k < config->tests; k++) {
            if (isnan(row[k])) continue;
            total += row[k];
            square += row[k] * row[k];
            count++;
        }
        if (!(count > 0)) continue;
        total /= count;
        if (count > 1) inside += fmax(0, square / count - total * total) / (count - 1);
        sum += total;
        squares += total * total;
        cuts++;
    }
    *mean = *low = *high = NAN;
    if (!(cuts > 0)) return;
    *mean = sum / cuts;
    const double between =
        cuts > 1 ? fmax(0, squares / cuts - *mean * *mean) / (cuts - 1) : 0;
    const double deviation = sqrt(fmax(between, inside / (cuts * cuts)));
    const double reach =
        deviation * quantile(cuts > 1 ? (int64_t)cuts - 1 : 0, config->confidence);
    *low = *mean - reach;
    *high = *mean + reach;
}

/* What the attacker chooses in a cut, by what it held out; scores of it are copied. */
static void choose(const protocol *p, int64_t which, double held[4]) {
    const cut *c = &p->cuts[which];
    const int64_t pairs = p->made->pairs, tests = p->config->tests;
    int32_t best = PVG_RECONSTRUCT_COSINE;
    const int32_t last =
        p->config->diffusion ? PVG_RECONSTRUCT_DIFFUSION : PVG_RECONSTRUCT_TWIN;
    for (int32_t s = PVG_RECONSTRUCT_COSINE; s <= last; s++) {
        double sum = 0, count = 0, precision;
        for (int64_t k = 0; k < c->held.count; k++) {
            const double area =
                pvgi_audit_window_area(&precision, c->held_scores[s] + k * pairs,
                                       c->held.truth + k * pairs, pairs);
            if (isnan(area)) continue;
            sum += area;
            count++;
        }
        held[s] = count > 0 ? sum / count : .5;
        if (held[s] > held[best]) best = s;
    }
    memcpy(scores_of(p, PVG_RECONSTRUCT_ATTACK, which), scores_of(p, best, which),
           (size_t)(tests * pairs) * sizeof(double));
    held[PVG_RECONSTRUCT_ATTACK] = held[best];
    p->made->reports[best].chosen += 1 / (double)p->config->cuts;
    for (int32_t s = 0; s <= last; s++)
        p->made->reports[s].held_out += held[s] / (double)p->config->cuts;
}

static int32_t report(const protocol *p) {
    pvg_reconstruction *made = p->made;
    const pvg_reconstruct_config *config = p->config;
    const int64_t count = made->windows, pairs = made->pairs;
    double *areas =
        pvgi_alloc((size_t)count, (PVGI_RECONSTRUCT_SCORES + 1) * sizeof *areas);
    double prevalence = 0, rows = 0;
    int32_t control = PVG_RECONSTRUCT_DENSITY;
    if (!areas) return pvgi_fail_nomem();
    for (int64_t c = 0; c < config->cuts; c++) {
        double held[4];
        choose(p, c, held);
    }
    for (int64_t i = 0; i < count * pairs; i++) prevalence += made->bits[i];
    prevalence /= (double)(count * pairs);
    const int64_t held_back = p->input->truth->order / 2;
    rows = (double)(p->input->truth->order - held_back);
    for (int32_t s = 0; s < PVGI_RECONSTRUCT_SCORES; s++) {
        pvg_reconstruct_report *r = &made->reports[s];
        double *own = areas + s * count, precision, sum = 0, with = 0;
        r->score = s;
        r->cuts = config->cuts;
        r->prevalence = prevalence;
        if (s > PVG_RECONSTRUCT_DIFFUSION || !made->scores[s]) r->held_out = NAN;
        if (s == PVG_RECONSTRUCT_ATTACK) r->chosen = 1;
        r->mu_row = config->sigma > 0 ? 2 / config->sigma : INFINITY;
        r->mu_edge = config->sigma > 0 ? 2 * sqrt(rows) / config->sigma : INFINITY;
        r->auc = r->auc_low = r->auc_high = r->precision_mean = NAN;
        for (int64_t k = 0; k < count; k++) own[k] = NAN;
        if (!made->scores[s]) continue;
        for (int64_t k = 0; k < count; k++) {
            own[k] = pvgi_audit_window_area(&precision, made->scores[s] + k * pairs,
                                            made->bits + k * pairs, pairs);
            if (isnan(own[k])) continue;
            sum += precision;
            with++;
        }
        r->windows = (int64_t)with;
        r->precision_mean = with > 0 ? sum / with : NAN;
        summarise(&r->auc, &r->auc_low, &r->auc_high, own, config);
        r->auc_low = fmax(r->auc_low, 0);
        r->auc_high = fmin(r->auc_high, 1);
    }
    for (int32_t s = PVG_RECONSTRUCT_POSITION; s < PVGI_RECONSTRUCT_SCORES; s++)
        if (made->reports[s].auc > made->reports[control].auc) control = s;
    for (int32_t s = 0; s < PVGI_RECONSTRUCT_SCORES; s++) {
        pvg_reconstruct_report *r = &made->reports[s];
        double *less = areas + PVGI_RECONSTRUCT_SCORES * count;
        for (int64_t k = 0; k < count; k++)
            less[k] = areas[s * count + k] - areas[control * count + k];
        r->control = control;
        r->control_auc = made->reports[control].auc;
        summarise(&r->excess, &r->excess_low, &r->excess_high, less, config);
    }
    pvgi_free(areas);
    return PVG_OK;
}

/* --- all --------------------------------------------------------------------------- */

void pvgi_audit_reconstruction_free(pvg_reconstruction *r) {
    if (!r) return;
    for (int s = 0; s < PVGI_RECONSTRUCT_SCORES; s++) pvgi_free(r->scores[s]);
    pvgi_free(r->first);
    pvgi_free(r->second);
    pvgi_free(r->bits);
    pvgi_free(r->truth);
    pvgi_free(r);
}

static int32_t make(pvg_reconstruction **out, const pvgi_reconstruct_input *input,
                    const pvg_reconstruct_config *config) {
    pvg_reconstruction *r = pvgi_alloc_zero(1, sizeof *r);
    if (!r) return pvgi_fail_nomem();
    *out = r;
    r->config = *config;
    r->windows = config->cuts * config->tests;
    r->pairs = config->window * (config->window - 1) / 2;
    const size_t all = (size_t)(r->windows * r->pairs);
    r->first = pvgi_alloc(all, sizeof *r->first);
    r->second = pvgi_alloc(all, sizeof *r->second);
    r->bits = pvgi_alloc(all, sizeof *r->bits);
    r->truth = pvgi_alloc(all, sizeof *r->truth);
    if (!r->first || !r->second || !r->bits || !r->truth) return pvgi_fail_nomem();
    for (int32_t s = 0; s < PVGI_RECONSTRUCT_SCORES; s++) {
        const bool features =
            s == PVG_RECONSTRUCT_FEATURES || s == PVG_RECONSTRUCT_FEATURES_TWIN;
        if ((features && !input->features) ||
            (s == PVG_RECONSTRUCT_DIFFUSION && !config->diffusion))
            continue;
        r->scores[s] = pvgi_alloc(all, sizeof *r->scores[s]);
        if (!r->scores[s]) return pvgi_fail_nomem();
    }
    return PVG_OK;
}

static void cut_close(cut *c) {
    pvgi_free(c->part);
    pvgi_free(c->signal);
    pvgi_free(c->features);
    pvgi_free(c->chance);
    pvgi_audit_windows_free(&c->known);
    pvgi_audit_windows_free(&c->choose);
    pvgi_audit_windows_free(&c->held);
    pvgi_audit_windows_free(&c->test);
    for (int s = 0; s < PVGI_RECONSTRUCT_SCORES; s++) pvgi_free(c->held_scores[s]);
}

int32_t pvgi_audit_reconstruct(pvg_reconstruction **out,
                               const pvgi_reconstruct_input *input,
                               const pvg_reconstruct_config *config, pvg_rng *rng,
                               pvgi_run *run) {
    const int64_t n = input->truth->order;
    pvgi_stream stream;
    protocol p = {.input = input, .config = config, .stream = &stream};
    int32_t status;
    p.directions =
        config->directions < input->columns ? config->directions : input->columns;
    const size_t pairs = (size_t)(config->window * (config->window - 1) / 2);
    const size_t windows = (size_t)(2 * config->windows + 2 * config->tests);
    const size_t workers = pvgi_run_workers(run, config->cuts * JOBS);
    size_t bytes =
        pvgi_size_mul(workers, pvgi_audit_twin_bytes(config->window, config->directions,
                                                     config->hidden, config->batch));
    bytes = pvgi_size_add(
        bytes,
        pvgi_size_mul(
            (size_t)config->cuts,
            pvgi_size_add(pvgi_size_mul((size_t)n, 8 * (3 * (size_t)p.directions + 3)),
                          pvgi_size_mul(windows, 9 * pairs))));
    PVGI_TRY(pvgi_run_reserve(run, bytes));
    PVGI_TRY(pvgi_rng_stream_open(&stream, rng));
    PVGI_TRY_DONE(make(&p.made, input, config));
    p.cuts = pvgi_alloc_zero((size_t)config->cuts, sizeof *p.cuts);
    if (!p.cuts) {
        status = pvgi_fail_nomem();
        goto done;
    }
    const pvgi_phase before = pvgi_run_enter(run, 0, .05);
    status = pvgi_run_chunks(run, config->cuts, prepare, &p);
    pvgi_run_leave(run, before);
    if (status != PVG_OK) goto done;
    const pvgi_phase rest = pvgi_run_enter(run, .05, .95);
    status = pvgi_run_chunks(run, config->cuts * JOBS, learn, &p);
    pvgi_run_leave(run, rest);
    if (status != PVG_OK) goto done;
    PVGI_TRY_DONE(report(&p));
    *out = p.made;
    p.made = NULL;
done:
    for (int64_t c = 0; p.cuts && c < config->cuts; c++) cut_close(&p.cuts[c]);
    pvgi_free(p.cuts);
    pvgi_audit_reconstruction_free(p.made);
    pvgi_rng_stream_close(&stream);
    return status;
}
