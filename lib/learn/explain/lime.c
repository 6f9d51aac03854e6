/* GraphLIME (Huang et al. 2022): which features of the nodes around v move with their
 * predictions. Non-negative lasso over kernels,
 *
 *   min over beta >= 0 of  1/2 |L - sum_j beta_j K_j|^2 + rho sum_j beta_j,
 *
 * K_j = exp(-(x_aj - x_bj)^2 / (.2 d)), L = exp(-|p_a - p_b|^2 / (.2 classes)), both
 * centred on both sides (H . H) and of Frobenius length 1, over the k nodes of a ball.
 *
 * A kernel is never written down. With S the nodes whose entry in column j is not 0,
 * e_a = exp(-x_a^2/h) - 1 and E_ab = exp(-(x_a - x_b)^2/h) - 1, centring kills what
 * depends on one index only, so H K H = H Q H with Q_ab = E_ab - e_a - e_b on S x S and 0
 * elsewhere. What is left of L has rows of sum 0, so <K_j, rest> = sum over S x S of Q
 * rest / |H Q H|: |S|^2 products instead of k^2. Columns of two values have Q = -2 e 1
 * 1^T, hence K = b b^T with b the centred column of length 1, whatever the bandwidth.
 * Only a beta that changes costs k^2. Coordinate descent; beta > 0 first, then all, until
 * no step is above the tolerance. */
#include "explain.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 1000 };

/* Sum of squares of all columns, where their Q begin. */
static int64_t squares(const pvgi_lime *lime) {
    int64_t sum = 0;
    for (int64_t j = 0; j < lime->columns; j++) {
        const int64_t s = lime->starts[j + 1] - lime->starts[j];
        sum += s * s;
    }
    return sum;
}

size_t pvgi_learn_lime_scratch(const pvgi_lime *lime) {
    return pvgi_size_add((size_t)squares(lime),
                         (size_t)(2 * lime->nodes + 2 * lime->columns));
}

/* Q of a column, scaled so that |H Q H| = 1, or 0 where it does not vary. */
static void fill(double *q, const pvgi_lime *lime, int64_t j) {
    const int64_t from = lime->starts[j], s = lime->starts[j + 1] - from;
    const double *x = lime->values + from, k = (double)lime->nodes, h = lime->bandwidth;
    double all = 0, sums = 0, total = 0;
    for (int64_t a = 0; a < s; a++) {
        double sum = 0;
        for (int64_t b = 0; b < s; b++) {
            const double apart = x[a] - x[b];
            const double value = expm1(-apart * apart / h) - expm1(-x[a] * x[a] / h) -
                                 expm1(-x[b] * x[b] / h);
            q[a * s + b] = value;
            sum += value;
            all += value * value;
        }
        sums += sum * sum;
        total += sum;
    }
    const double square = all - 2 * sums / k + total * total / (k * k);
    const double scale = square > 1e-13 * all ? 1 / sqrt(square) : 0;
    for (int64_t i = 0; i < s * s; i++) q[i] *= scale;
}

/* <K_j, rest>. */
static double reads(const double *q, const pvgi_lime *lime, int64_t j) {
    const int64_t from = lime->starts[j], s = lime->starts[j + 1] - from;
    double sum = 0;
    for (int64_t a = 0; a < s; a++) {
        const double *row = lime->rest + lime->rows[from + a] * lime->nodes;
        for (int64_t b = 0; b < s; b++) sum += q[a * s + b] * row[lime->rows[from + b]];
    }
    return sum;
}

/* rest -= step K_j. */
static void take_off(const double *q, const pvgi_lime *lime, int64_t j, double step,
                     double *means) {
    const int64_t from = lime->starts[j], s = lime->starts[j + 1] - from;
    const int64_t k = lime->nodes;
    double mean = 0;
    memset(means, 0, (size_t)k * sizeof *means);
    for (int64_t a = 0; a < s; a++) {
        double sum = 0;
        for (int64_t b = 0; b < s; b++) sum += q[a * s + b];
        means[lime->rows[from + a]] = sum / (double)k;
        mean += sum / (double)k / (double)k;
    }
    for (int64_t a = 0; a < k; a++)
        for (int64_t b = 0; b < k; b++)
            lime->rest[a * k + b] += step * (means[a] + means[b] - mean);
    for (int64_t a = 0; a < s; a++)
        for (int64_t b = 0; b < s; b++)
            lime->rest[lime->rows[from + a] * k + lime->rows[from + b]] -=
                step * q[a * s + b];
}

/* Largest step of a sweep. */
static double sweep(double *beta, const pvgi_lime *lime, const double *q, double *means,
                    bool all) {
    double most = 0;
    for (int64_t j = 0; j < lime->columns; j++) {
        const int64_t s = lime->starts[j + 1] - lime->starts[j];
        if (s > 0 && (all || beta[j] > 0)) {
            double next = beta[j] + reads(q, lime, j) - lime->penalty;
            if (!(next > 0)) next = 0;
            const double step = next - beta[j];
            if (step != 0) take_off(q, lime, j, step, means);
            beta[j] = next;
            if (fabs(step) > most) most = fabs(step);
        }
        q += s * s;
    }
    return most;
}

void pvgi_learn_lime_solve(double *beta, const pvgi_lime *lime) {
    double *means = lime->scratch, *q = means + lime->nodes, *at = q;
    for (int64_t j = 0; j < lime->columns; j++) {
        const int64_t s = lime->starts[j + 1] - lime->starts[j];
        fill(at, lime, j);
        at += s * s;
        beta[j] = 0;
    }
    for (int64_t i = 0; i < lime->sweeps; i++) {
        if (sweep(beta, lime, q, means, true) <= lime->tolerance) return;
        for (int64_t k = 0; k < lime->sweeps; k++)
            if (sweep(beta, lime, q, means, false) <= lime->tolerance) break;
    }
}

void pvgi_learn_lime_labels(double *out, const double *p, int64_t k, int64_t classes,
                            double bandwidth) {
    double square = 0;
    for (int64_t a = 0; a < k; a++)
        for (int64_t b = 0; b < k; b++) {
            double apart = 0;
            for (int64_t c = 0; c < classes; c++) {
                const double by = p[a * classes + c] - p[b * classes + c];
                apart += by * by;
            }
            out[a * k + b] = expm1(-apart / bandwidth);
        }
    for (int64_t a = 0; a < k; a++) {
        double sum = 0;
        for (int64_t b = 0; b < k; b++) sum += out[a * k + b];
        for (int64_t b = 0; b < k; b++) out[a * k + b] -= sum / (double)k;
    }
    for (int64_t b = 0; b < k; b++) {
        double sum = 0;
        for (int64_t a = 0; a < k; a++) sum += out[a * k + b];
        for (int64_t a = 0; a < k; a++) out[a * k + b] -= sum / (double)k;
    }
    for (int64_t i = 0; i < k * k; i++) square += out[i] * out[i];
    const double scale = square > 0 ? 1 / sqrt(square) : 0;
    for (int64_t i = 0; i < k * k; i++) out[i] *= scale;
}

/* --- all asked nodes --------------------------------------------------------------- */

typedef struct {
    pvgi_ball ball;
    int64_t *starts; /* of columns that occur in the ball */
    int32_t *which;  /* their numbers */
    int32_t *column; /* of every column 1 + its place among them, 0: none; cleared */
    int32_t *rows;
    double *values, *beta, *labels, *p, *scratch;
    size_t row_capacity, value_capacity, numbers; /* of what grows */
} shelf;

typedef struct {
    const pvgi_explain *e;
    const double *p; /* order x classes */
    shelf *shelves;
} task;

/* Entries of the ball by column. */
static int32_t gather(shelf *s, pvgi_lime *lime) {
    const pvg_dataset *data = s->ball.data;
    int64_t entries = 0, columns = 0;
    for (int64_t i = 0; i < s->ball.count; i++) {
        const int64_t u = s->ball.nodes[i];
        for (int64_t k = data->x_offsets[u]; k < data->x_offsets[u + 1]; k++) {
            if (data->x_values[k] == 0) continue;
            const int32_t j = data->x_indices[k];
            if (!s->column[j]) {
                s->which[columns] = j;
                s->column[j] = (int32_t)++columns;
                s->starts[columns] = 0;
            }
            s->starts[s->column[j]]++;
            entries++;
        }
    }
    s->starts[0] = 0;
    for (int64_t j = 0; j < columns; j++) s->starts[j + 1] += s->starts[j];
    lime->nodes = s->ball.count;
    lime->columns = columns;
    PVGI_ENOUGH(s->rows, s->row_capacity, entries);
    PVGI_ENOUGH(s->values, s->value_capacity, entries);
    for (int64_t i = 0; i < s->ball.count; i++) {
        const int64_t u = s->ball.nodes[i];
        for (int64_t k = data->x_offsets[u]; k < data->x_offsets[u + 1]; k++) {
            if (data->x_values[k] == 0) continue;
            const int64_t at = s->starts[s->column[data->x_indices[k]] - 1]++;
            s->rows[at] = (int32_t)i;
            s->values[at] = data->x_values[k];
        }
    }
    for (int64_t j = columns; j > 0; j--) s->starts[j] = s->starts[j - 1];
    s->starts[0] = 0;
    return PVG_OK;
}

static int32_t solve(const task *job, shelf *s, double *out) {
    const pvgi_explain *e = job->e;
    const int64_t c = e->model->network->program.classes, k = s->ball.count;
    pvgi_lime lime = {.starts = s->starts,
                      .bandwidth = .2 * (double)e->data->width,
                      .penalty = e->config.penalty,
                      .tolerance = 1e-4,
                      .sweeps = SWEEPS};
    PVGI_TRY(gather(s, &lime));
    lime.rows = s->rows;
    lime.values = s->values;
    PVGI_ENOUGH(s->scratch, s->numbers, pvgi_learn_lime_scratch(&lime));
    lime.scratch = s->scratch;
    lime.rest = s->labels;
    for (int64_t i = 0; i < k; i++)
        memcpy(s->p + i * c, job->p + s->ball.nodes[i] * c, (size_t)c * sizeof *s->p);
    pvgi_learn_lime_labels(s->labels, s->p, k, c, .2 * (double)c);
    pvgi_learn_lime_solve(s->beta, &lime);
    memset(out, 0, (size_t)e->data->width * sizeof *out);
    for (int64_t j = 0; j < lime.columns; j++) out[s->which[j]] = s->beta[j];
    return PVG_OK;
}

static int32_t chunk(void *context, int64_t i, uint32_t worker) {
    const task *job = context;
    const pvgi_explain *e = job->e;
    shelf *s = &job->shelves[worker];
    pvgi_learn_ball_around(&s->ball, pvgi_explain_node(e, i), e->config.hops,
                           e->config.largest);
    const int32_t status = solve(job, s, e->out + i * e->data->width);
    for (int64_t b = 0; b < s->ball.count; b++) {
        const int64_t u = s->ball.nodes[b];
        for (int64_t k = e->data->x_offsets[u]; k < e->data->x_offsets[u + 1]; k++)
            s->column[e->data->x_indices[k]] = 0;
    }
    return status;
}

static int32_t shelf_open(shelf *s, const pvgi_explain *e) {
    const size_t d = (size_t)e->data->width, k = (size_t)e->config.largest;
    const size_t c = (size_t)e->model->network->program.classes;
    PVGI_TRY(pvgi_learn_ball_open(&s->ball, e->data));
    s->starts = pvgi_alloc(d + 1, sizeof *s->starts);
    s->which = pvgi_alloc(d, sizeof *s->which);
    s->column = pvgi_alloc_zero(d, sizeof *s->column);
    s->beta = pvgi_alloc(d, sizeof *s->beta);
    s->labels = pvgi_alloc(k, k * sizeof *s->labels);
    s->p = pvgi_alloc(k, c * sizeof *s->p);
    return s->starts && s->which && s->column && s->beta && s->labels && s->p
               ? PVG_OK
               : pvgi_fail_nomem();
}

static void shelf_close(shelf *s) {
    pvgi_learn_ball_close(&s->ball);
    pvgi_free(s->starts);
    pvgi_free(s->which);
    pvgi_free(s->column);
    pvgi_free(s->rows);
    pvgi_free(s->values);
    pvgi_free(s->beta);
    pvgi_free(s->labels);
    pvgi_free(s->p);
    pvgi_free(s->scratch);
}

int32_t pvgi_learn_explain_lime(const pvgi_explain *e, pvgi_run *run) {
    const size_t c = (size_t)e->model->network->program.classes;
    const size_t workers = pvgi_run_workers(run, e->count);
    const size_t k = (size_t)e->config.largest, d = (size_t)e->data->width;
    task job = {.e = e};
    int32_t status;
    double *p = NULL;
    const size_t each = pvgi_size_add(
        pvgi_learn_ball_bytes(e->data),
        pvgi_size_add(pvgi_size_mul(k, 8 * (k + c)), pvgi_size_mul(d, 24 + 8)));
    PVGI_TRY(pvgi_run_reserve(
        run, pvgi_size_add(pvgi_size_mul(workers, each),
                           pvgi_size_mul((size_t)e->data->order, c * sizeof *p))));
    p = pvgi_alloc((size_t)e->data->order, c * sizeof *p);
    job.shelves = pvgi_alloc_zero(workers, sizeof *job.shelves);
    status = p && job.shelves ? PVG_OK : pvgi_fail_nomem();
    if (status != PVG_OK) goto done;
    const pvgi_phase before = pvgi_run_enter(run, 0, .1);
    status = pvgi_network_predict(p, e->model, e->data, PVG_PREDICT_PROBABILITIES, run);
    pvgi_run_leave(run, before);
    for (size_t w = 0; status == PVG_OK && w < workers; w++)
        status = shelf_open(&job.shelves[w], e);
    if (status != PVG_OK) goto done;
    job.p = p;
    const pvgi_phase rest = pvgi_run_enter(run, .1, .9);
    status = pvgi_run_chunks(run, e->count, chunk, &job);
    pvgi_run_leave(run, rest);
done:
    for (size_t w = 0; job.shelves && w < workers; w++) shelf_close(&job.shelves[w]);
    pvgi_free(job.shelves);
    pvgi_free(p);
    return status;
}
