/* Multinomial logistic regression by L-BFGS (Liu and Nocedal 1989) with backtracking.
 *
 * Minimised is mean(-ln softmax(x W + b)[label]) + penalty / (2 rows) |W|^2, which is
 * convex; every accepted step lowers it. Rows are cut into chunks that do not depend on
 * threads, each with slopes of its own, which are added in order. 4 rows columns classes
 * operations for one evaluation. */
#include "learn_internal.h"

#include "base/blas.h"

#include <math.h>
#include <string.h>

enum { BLOCK_ROWS = 256, CHUNKS_MAX = 64, MEMORY = 10, BACKTRACKS = 60 };

/* --- loss and slopes --------------------------------------------------------------- */

typedef struct {
    const pvgi_logistic_problem *p;
    const double *weights;
    double *scratch; /* of each worker: BLOCK_ROWS x classes */
} evaluation;

/* Scores into probabilities; returns ln sum exp of the scores. */
static double softmax(double *scores, int64_t classes) {
    double most = scores[0], sum = 0.0;
    for (int64_t c = 1; c < classes; c++) most = scores[c] > most ? scores[c] : most;
    for (int64_t c = 0; c < classes; c++) {
        scores[c] = exp(scores[c] - most);
        sum += scores[c];
    }
    for (int64_t c = 0; c < classes; c++) scores[c] /= sum;
    return most + log(sum);
}

static int32_t evaluate_chunk(void *context, int64_t chunk, uint32_t worker) {
    const evaluation *e = context;
    const pvgi_logistic_problem *p = e->p;
    const int width = (int)p->columns + 1, classes = (int)p->classes;
    double *own = p->partial + chunk * ((int64_t)width * classes + 1), *slopes = own + 1;
    double *scratch = e->scratch + (int64_t)worker * BLOCK_ROWS * classes;
    const int64_t first = chunk * p->chunk_rows;
    int64_t last = first + p->chunk_rows;
    if (last > p->rows) last = p->rows;
    own[0] = 0.0;
    memset(slopes, 0, (size_t)width * (size_t)classes * sizeof *slopes);
    for (int64_t at = first; at < last; at += BLOCK_ROWS) {
        const int count = (int)(last - at < BLOCK_ROWS ? last - at : BLOCK_ROWS);
        const double *x = p->x + at * width;
        pvgi_blas_multiply(scratch, x, false, e->weights, false, count, width, classes,
                           false);
        for (int i = 0; i < count; i++) {
            double *scores = scratch + (int64_t)i * classes;
            const int32_t label = p->labels[at + i];
            const double score = scores[label];
            own[0] += softmax(scores, classes) - score;
            scores[label] -= 1.0;
        }
        pvgi_blas_multiply(slopes, x, true, scratch, false, width, count, classes, true);
    }
    return PVG_OK;
}

int32_t pvgi_learn_logistic_slopes(double *loss, double *slopes,
                                   const pvgi_logistic_problem *p, const double *weights,
                                   pvgi_run *run) {
    const int64_t free_from = p->columns * p->classes;
    const int64_t count = free_from + p->classes;
    const double scale = 1.0 / (double)p->rows;
    evaluation e = {p, weights, NULL};
    e.scratch = pvgi_alloc((size_t)pvgi_run_workers(run, p->chunks),
                           BLOCK_ROWS * (size_t)p->classes * sizeof *e.scratch);
    if (!e.scratch) return pvgi_fail_nomem();
    const int32_t status = pvgi_run_chunks(run, p->chunks, evaluate_chunk, &e);
    pvgi_free(e.scratch);
    PVGI_TRY(status);
    double sum = 0.0, squares = 0.0;
    memset(slopes, 0, (size_t)count * sizeof *slopes);
    for (int64_t chunk = 0; chunk < p->chunks; chunk++) {
        const double *own = p->partial + chunk * (count + 1);
        sum += own[0];
        for (int64_t i = 0; i < count; i++) slopes[i] += own[i + 1];
    }
    for (int64_t i = 0; i < free_from; i++) {
        squares += weights[i] * weights[i];
        slopes[i] += p->penalty * weights[i];
    }
    for (int64_t i = 0; i < count; i++) slopes[i] *= scale;
    *loss = (sum + 0.5 * p->penalty * squares) * scale;
    return PVG_OK;
}

/* --- L-BFGS ---------------------------------------------------------------------- */

typedef struct {
    int64_t count, kept; /* pairs */
    double *weights, *trial, *slopes, *trial_slopes, *direction;
    double *steps, *changes; /* MEMORY x count, newest last */
    double curvature[MEMORY];
} descent;

static double dot(const double *a, const double *b, int64_t count) {
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* The two-loop recursion. */
static void find_direction(descent *d) {
    double alpha[MEMORY];
    const int64_t n = d->count;
    for (int64_t i = 0; i < n; i++) d->direction[i] = -d->slopes[i];
    for (int64_t k = d->kept - 1; k >= 0; k--) {
        alpha[k] = dot(d->steps + k * n, d->direction, n) / d->curvature[k];
        for (int64_t i = 0; i < n; i++)
            d->direction[i] -= alpha[k] * d->changes[k * n + i];
    }
    if (d->kept > 0) {
        const double *y = d->changes + (d->kept - 1) * n;
        const double scale = d->curvature[d->kept - 1] / dot(y, y, n);
        for (int64_t i = 0; i < n; i++) d->direction[i] *= scale;
    }
    for (int64_t k = 0; k < d->kept; k++) {
        const double beta = dot(d->changes + k * n, d->direction, n) / d->curvature[k];
        for (int64_t i = 0; i < n; i++)
            d->direction[i] += (alpha[k] - beta) * d->steps[k * n + i];
    }
}

/* Remembers the step from weights to trial. */
static void remember(descent *d) {
    const int64_t n = d->count;
    if (d->kept == MEMORY) {
        memmove(d->steps, d->steps + n, (MEMORY - 1) * (size_t)n * sizeof(double));
        memmove(d->changes, d->changes + n, (MEMORY - 1) * (size_t)n * sizeof(double));
        memmove(d->curvature, d->curvature + 1, (MEMORY - 1) * sizeof(double));
        d->kept--;
    }
    double *s = d->steps + d->kept * n, *y = d->changes + d->kept * n;
    for (int64_t i = 0; i < n; i++) {
        s[i] = d->trial[i] - d->weights[i];
        y[i] = d->trial_slopes[i] - d->slopes[i];
    }
    const double sy = dot(s, y, n);
    if (sy > 1e-14 * dot(y, y, n)) d->curvature[d->kept++] = sy;
}

static double largest(const double *x, int64_t count) {
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* Halves the step until the loss falls enough; *moved tells whether it did. */
static int32_t search(bool *moved, double *loss, descent *d,
                      const pvgi_logistic_problem *p, pvgi_run *run) {
    const double slope = dot(d->slopes, d->direction, d->count), from = *loss;
    double step = d->kept > 0 ? 1.0 : fmin(1.0, 1.0 / largest(d->slopes, d->count));
    *moved = false;
    if (!(slope < 0.0)) return PVG_OK;
    for (int tries = 0; tries < BACKTRACKS && !*moved; tries++, step *= 0.5) {
        for (int64_t i = 0; i < d->count; i++)
            d->trial[i] = d->weights[i] + step * d->direction[i];
        PVGI_TRY(pvgi_learn_logistic_slopes(loss, d->trial_slopes, p, d->trial, run));
        *moved = *loss <= from + 1e-4 * step * slope;
    }
    if (!*moved) *loss = from;
    return PVG_OK;
}

static int32_t descend(descent *d, const pvgi_logistic_problem *p, int32_t rounds,
                       double tolerance, pvgi_run *run) {
    double loss;
    pvgi_run quiet = pvgi_run_quiet(run);
    PVGI_TRY(pvgi_learn_logistic_slopes(&loss, d->slopes, p, d->weights, &quiet));
    for (int32_t round = 0; round < rounds; round++) {
        bool moved;
        PVGI_TRY(pvgi_run_report(run, (double)round / rounds));
        if (largest(d->slopes, d->count) <= tolerance) break;
        find_direction(d);
        PVGI_TRY(search(&moved, &loss, d, p, &quiet));
        if (!moved && d->kept == 0) break; /* as low as doubles go */
        if (!moved) {
            d->kept = 0; /* once more, straight down */
            continue;
        }
        remember(d);
        memcpy(d->weights, d->trial, (size_t)d->count * sizeof(double));
        memcpy(d->slopes, d->trial_slopes, (size_t)d->count * sizeof(double));
    }
    return PVG_OK;
}

/* --- fitting --------------------------------------------------------------------- */

/* The rows that have a label, with a one appended. */
static int64_t gather(double *x, int32_t *labels, const double *from,
                      const int32_t *all_labels, int64_t rows, int64_t columns) {
    int64_t used = 0;
    for (int64_t i = 0; i < rows; i++) {
        if (all_labels[i] < 0) continue;
        memcpy(x + used * (columns + 1), from + i * columns, (size_t)columns * sizeof *x);
        x[used * (columns + 1) + columns] = 1.0;
        labels[used++] = all_labels[i];
    }
    return used;
}

static int32_t fit(pvg_logistic *model, const pvg_logistic_config *config,
                   const double *x, const int32_t *labels, int64_t rows, pvgi_run *run) {
    const int64_t count = (model->columns + 1) * model->classes;
    int64_t chunk_rows = (rows + CHUNKS_MAX - 1) / CHUNKS_MAX;
    if (chunk_rows < BLOCK_ROWS) chunk_rows = BLOCK_ROWS;
    pvgi_logistic_problem p = {x,
                               labels,
                               rows,
                               model->columns,
                               model->classes,
                               config->penalty,
                               chunk_rows,
                               (rows + chunk_rows - 1) / chunk_rows,
                               NULL};
    p.partial = pvgi_alloc((size_t)p.chunks, ((size_t)count + 1) * sizeof(double));
    double *scratch = pvgi_alloc_zero((size_t)count, (4 + 2 * MEMORY) * sizeof(double));
    int32_t status = p.partial && scratch ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        descent d = {.count = count,
                     .weights = model->weights,
                     .trial = scratch,
                     .slopes = scratch + count,
                     .trial_slopes = scratch + 2 * count,
                     .direction = scratch + 3 * count,
                     .steps = scratch + 4 * count,
                     .changes = scratch + (4 + MEMORY) * count};
        status = descend(&d, &p, config->rounds, config->tolerance, run);
    }
    pvgi_free(p.partial);
    pvgi_free(scratch);
    return status;
}

int32_t pvgi_learn_logistic_fit(pvg_logistic **out, const pvg_logistic_config *config,
                                const double *x, const int32_t *labels, int64_t rows,
                                int64_t columns, pvgi_run *run) {
    int64_t labelled = 0;
    for (int64_t i = 0; i < rows; i++) labelled += labels[i] >= 0;
    pvg_logistic *model = pvgi_alloc_zero(1, sizeof *model);
    double *own = pvgi_alloc((size_t)labelled, ((size_t)columns + 1) * sizeof *own);
    int32_t *known = pvgi_alloc((size_t)labelled, sizeof *known);
    int32_t status = model && own && known ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        model->columns = columns;
        model->classes = config->classes;
        model->weights = pvgi_alloc_zero((size_t)config->classes,
                                         ((size_t)columns + 1) * sizeof(double));
        if (!model->weights) status = pvgi_fail_nomem();
    }
    if (status == PVG_OK) {
        gather(own, known, x, labels, rows, columns);
        status = fit(model, config, own, known, labelled, run);
    }
    pvgi_free(own);
    pvgi_free(known);
    if (status == PVG_OK)
        *out = model;
    else
        pvgi_learn_logistic_free(model);
    return status;
}

void pvgi_learn_logistic_free(pvg_logistic *logistic) {
    if (!logistic) return;
    pvgi_free(logistic->weights);
    pvgi_free(logistic);
}

/* --- predicting ------------------------------------------------------------------ */

typedef struct {
    const pvg_logistic *model;
    const double *x;
    double *out;
    int64_t rows;
} prediction;

static int32_t predict_chunk(void *context, int64_t chunk, uint32_t worker) {
    const prediction *p = context;
    const int columns = (int)p->model->columns, classes = (int)p->model->classes;
    const int64_t first = chunk * BLOCK_ROWS, left = p->rows - first;
    const int count = (int)(left < BLOCK_ROWS ? left : BLOCK_ROWS);
    double *out = p->out + first * classes;
    (void)worker;
    for (int i = 0; i < count; i++)
        memcpy(out + (int64_t)i * classes, p->model->weights + (int64_t)columns * classes,
               (size_t)classes * sizeof *out);
    pvgi_blas_multiply(out, p->x + first * columns, false, p->model->weights, false,
                       count, columns, classes, true);
    for (int i = 0; i < count; i++) softmax(out + (int64_t)i * classes, classes);
    return PVG_OK;
}

int32_t pvgi_learn_logistic_predict(double *out, const pvg_logistic *logistic,
                                    const double *x, int64_t rows, pvgi_run *run) {
    prediction p = {logistic, x, out, rows};
    return pvgi_run_chunks(run, (rows + BLOCK_ROWS - 1) / BLOCK_ROWS, predict_chunk, &p);
}
