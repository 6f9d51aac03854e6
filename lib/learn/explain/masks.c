/* GNNExplainer (Ying et al. 2019): masks F on features and M on arcs of the ball of v,
 *
 *   min of -ln p_c(X * sig F, messages * sig M) + .005 sum sig M + mean H(sig M)
 *          + 1 mean sig F + .1 mean H(sig F),
 *
 * H the entropy, by Adam from F ~ N(0, .1^2), M ~ N(0, 2 / nodes); the answer is sig F.
 * `published` sums sig F over the features instead of taking the mean, as copies of the
 * code do: with a thousand features that drives all entries down together, and what is
 * left is the random start.
 *
 * Features that no node of the ball has feel the last two terms alone, so where they end
 * is one function of where they start, tabulated once for all nodes. The others cost, in
 * each step, entries of the ball x hidden. */
#include "masks.h"

#include <math.h>
#include <string.h>

static const double ARC_SIZE = .005, ARC_ENTROPY = 1, SIZE = 1, ENTROPY = .1;

/* --- one number under Adam --------------------------------------------------------- */

static pvgi_adam_rates pace_of(int64_t step, double rate) {
    return (pvgi_adam_rates){rate / (1 - pow(PVGI_ADAM_BETA1, (double)step)),
                             1 / (1 - pow(PVGI_ADAM_BETA2, (double)step))};
}

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

/* Where a feature that nobody has goes: START .. -START in GRID steps, then cubics. */
enum { GRID = 512 };
static const double START = -1.0; /* 10 deviations */

typedef struct {
    double value[GRID + 1];
    double size, entropy; /* of a feature: SIZE / d or SIZE, ENTROPY / d */
    double rate;
    int64_t steps;
} drift;

static double drift_exactly(const drift *d, double x) {
    double first = 0, second = 0;
    for (int64_t t = 1; t <= d->steps; t++) {
        const double s = sigmoid(x);
        const double g = s * (1 - s) * (d->size - d->entropy * x);
        const pvgi_adam_rates p = pace_of(t, d->rate);
        first = PVGI_ADAM_BETA1 * first + (1 - PVGI_ADAM_BETA1) * g;
        second = PVGI_ADAM_BETA2 * second + (1 - PVGI_ADAM_BETA2) * g * g;
        x -= p.rate1 * first / (sqrt(second * p.rate2) + PVGI_ADAM_LEAST);
    }
    return sigmoid(x);
}

static void drift_fill(drift *d) {
    for (int i = 0; i <= GRID; i++)
        d->value[i] = drift_exactly(d, START - 2 * START * i / GRID);
}

/* Cubic through the four nearest points. */
static double drift_read(const drift *d, double x) {
    const double at = (x - START) / (-2 * START) * GRID;
    if (!(at > 1 && at < GRID - 2)) return drift_exactly(d, x);
    const int64_t i = (int64_t)at;
    const double t = at - (double)i, *y = d->value + i;
    return -t * (t - 1) * (t - 2) / 6 * y[-1] + (t + 1) * (t - 1) * (t - 2) / 2 * y[0] -
           (t + 1) * t * (t - 2) / 2 * y[1] + (t + 1) * t * (t - 1) / 6 * y[2];
}

/* --- one ball ---------------------------------------------------------------------- */

static void mask_point(pvgi_mask *m, int64_t count) {
    m->first = m->at + count;
    m->second = m->first + count;
    m->open = m->second + count;
    m->slope = m->open + count;
}

static int64_t padded(int64_t count) {
    return pvgi_network_pad(count, 4);
}

/* All numbers 0, those behind the last one too. */
static void mask_begin(pvgi_mask *m, int64_t count) {
    memset(m->at, 0, 5 * (size_t)padded(count) * sizeof *m->at);
}

static void count_ball(pvgi_mask_ball *k, const pvg_dataset *data) {
    k->columns = k->entries = k->arcs = k->inner = 0;
    for (int64_t i = 0; i < k->ball.count; i++) {
        const int64_t u = k->ball.nodes[i];
        for (int64_t e = data->x_offsets[u]; e < data->x_offsets[u + 1]; e++) {
            const int32_t j = data->x_indices[e];
            if (!k->column[j]) {
                k->which[k->columns] = j;
                k->column[j] = (int32_t)++k->columns;
            }
            k->entries++;
        }
        for (int64_t e = data->offsets[u]; e < data->offsets[u + 1]; e++)
            k->arcs += k->ball.place[data->columns[e]] > 0;
        if (i + 1 == k->ball.near) k->inner = k->arcs;
    }
}

static int32_t make_room(pvgi_mask_ball *k) {
    const int64_t h = k->stride, n = k->ball.count;
    PVGI_ENOUGH(k->starts, k->capacity[0], k->columns + 1);
    PVGI_ENOUGH(k->row_starts, k->capacity[1], n + 1);
    PVGI_ENOUGH(k->rows, k->capacity[2], k->entries);
    PVGI_ENOUGH(k->places, k->capacity[3], k->entries);
    PVGI_ENOUGH(k->values, k->capacity[4], k->entries);
    PVGI_ENOUGH(k->row_values, k->capacity[5], k->entries);
    PVGI_ENOUGH(k->weights, k->capacity[18], k->entries);
    PVGI_ENOUGH(k->arc_starts, k->capacity[6], n + 1);
    PVGI_ENOUGH(k->arc_to, k->capacity[7], k->arcs);
    PVGI_ENOUGH(k->arc_number, k->capacity[8], k->arcs);
    PVGI_ENOUGH(k->arc_weight, k->capacity[9], k->arcs);
    PVGI_ENOUGH(k->arc_weight2, k->capacity[10], k->arcs);
    PVGI_ENOUGH(k->w1, k->capacity[11], k->columns * h);
    PVGI_ENOUGH(k->y, k->capacity[12], n * h);
    PVGI_ENOUGH(k->dy, k->capacity[13], n * h);
    PVGI_ENOUGH(k->state, k->capacity[14], n * h);
    PVGI_ENOUGH(k->slope, k->capacity[15], n * h);
    PVGI_ENOUGH(k->features.at, k->capacity[16], 5 * padded(k->columns));
    mask_point(&k->features, padded(k->columns));
    PVGI_ENOUGH(k->marks.at, k->capacity[17], 5 * padded(k->arcs));
    mask_point(&k->marks, padded(k->arcs));
    return PVG_OK;
}

/* The ball of a node: entries by row and by column, arcs of near rows first, weights. */
static int32_t set_out(pvgi_mask_ball *k, const pvgi_two *two, int64_t v) {
    const pvg_dataset *data = two->data;
    const int64_t h = two->hidden;
    pvgi_learn_ball_around(&k->ball, v, 2, two->order);
    count_ball(k, data);
    PVGI_TRY(make_room(k));
    memset(k->starts, 0, (size_t)(k->columns + 1) * sizeof *k->starts);
    int64_t at = 0, arc = 0;
    for (int64_t i = 0; i < k->ball.count; i++) {
        const int64_t u = k->ball.nodes[i];
        k->row_starts[i] = at;
        for (int64_t e = data->x_offsets[u]; e < data->x_offsets[u + 1]; e++) {
            k->places[at] = k->column[data->x_indices[e]] - 1;
            k->starts[k->places[at] + 1]++;
            k->row_values[at++] = data->x_values[e];
        }
        k->arc_starts[i] = arc;
        for (int64_t e = data->offsets[u]; e < data->offsets[u + 1]; e++) {
            const int64_t w = data->columns[e];
            if (!k->ball.place[w]) continue;
            k->arc_to[arc] = k->ball.place[w] - 1;
            k->arc_number[arc] = e;
            k->arc_weight[arc] = two->s1[u] * two->s1[w];
            k->arc_weight2[arc++] = two->s2[u] * two->s2[w];
        }
    }
    k->row_starts[k->ball.count] = at;
    k->arc_starts[k->ball.count] = arc;
    for (int64_t j = 0; j < k->columns; j++) k->starts[j + 1] += k->starts[j];
    for (int64_t i = 0; i < k->ball.count; i++)
        for (int64_t e = k->row_starts[i]; e < k->row_starts[i + 1]; e++) {
            const int64_t to = k->starts[k->places[e]]++;
            k->rows[to] = (int32_t)i;
            k->values[to] = k->row_values[e];
        }
    for (int64_t j = k->columns; j > 0; j--) k->starts[j] = k->starts[j - 1];
    k->starts[0] = 0;
    memset(k->w1, 0, (size_t)(k->columns * k->stride) * sizeof *k->w1);
    memset(k->slope, 0, (size_t)(k->ball.near * k->stride) * sizeof *k->slope);
    for (int64_t j = 0; j < k->columns; j++) {
        memcpy(k->w1 + j * k->stride, two->w1 + k->which[j] * h,
               (size_t)h * sizeof *k->w1);
        k->column[k->which[j]] = 0;
    }
    return PVG_OK;
}

double pvgi_learn_normal(pvgi_stream *stream) {
    const double u = 1 - pvgi_rng_draw_unit(stream), v = pvgi_rng_draw_unit(stream);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* --- all asked nodes --------------------------------------------------------------- */

typedef struct {
    const pvgi_explain *e;
    const pvgi_two *two;
    const pvgi_stream *stream;
    const pvgi_mask_kernels *loops;
    drift *drift;
    pvgi_mask_ball *balls;
} task;

/* sig F of the ball at hand into out, from start number `seed`. */
static void learn_masks(const task *job, pvgi_mask_ball *k, uint64_t seed, double *out) {
    const pvgi_two *two = job->two;
    const drift *alone = job->drift;
    const int64_t steps = job->e->config.steps, d = two->inputs, c = two->classes;
    const int64_t class = pvgi_learn_explain_class(two->z + k->ball.nodes[0] * c, c);
    const double spread = sqrt(2 / (double)k->ball.count);
    const double each = k->arcs > 0 ? ARC_ENTROPY / (double)k->arcs : 0;
    /* arcs of rows at the border carry no message to v: left out unless asked for */
    const int64_t arcs = job->e->arcs ? k->arcs : k->inner;
    const pvgi_mask_kernels *loops = job->loops;
    pvgi_stream stream;
    mask_begin(&k->features, k->columns);
    mask_begin(&k->marks, k->arcs);
    pvgi_rng_stream_open_chunk(&stream, job->stream, seed);
    for (int64_t j = 0; j < d; j++) k->drawn[j] = .1 * pvgi_learn_normal(&stream);
    for (int64_t i = 0; i < k->arcs; i++)
        k->marks.at[i] = spread * pvgi_learn_normal(&stream);
    pvgi_rng_stream_close(&stream);
    for (int64_t j = 0; j < k->columns; j++) k->features.at[j] = k->drawn[k->which[j]];
    for (int64_t t = 1; t <= steps; t++) {
        const pvgi_adam_rates p = pace_of(t, job->e->config.rate);
        loops->open_up(&k->features, k->columns);
        loops->open_up(&k->marks, arcs);
        loops->run_forward(k, two);
        loops->run_backward(k, two, class, job->e->model->config.loss);
        loops->move(&k->features, k->columns, alone->size, alone->entropy, p);
        loops->move(&k->marks, arcs, ARC_SIZE, each, p);
    }
    loops->open_up(&k->marks, arcs);
    for (int64_t j = 0; j < d; j++) out[j] = NAN;
    for (int64_t j = 0; j < k->columns; j++)
        out[k->which[j]] = sigmoid(k->features.at[j]);
    for (int64_t j = 0; j < d; j++)
        if (isnan(out[j])) out[j] = drift_read(alone, k->drawn[j]);
}

double pvgi_learn_correlation(const double *a, const double *b, int64_t count) {
    double sums[5] = {0, 0, 0, 0, 0};
    for (int64_t j = 0; j < count; j++) {
        sums[0] += a[j];
        sums[1] += b[j];
    }
    for (int64_t j = 0; j < count; j++) {
        const double x = a[j] - sums[0] / (double)count,
                     y = b[j] - sums[1] / (double)count;
        sums[2] += x * x;
        sums[3] += y * y;
        sums[4] += x * y;
    }
    return sums[2] > 0 && sums[3] > 0 ? sums[4] / sqrt(sums[2] * sums[3]) : NAN;
}

static int32_t chunk(void *context, int64_t i, uint32_t worker) {
    const task *job = context;
    const pvgi_explain *e = job->e;
    const int64_t d = job->two->inputs;
    pvgi_mask_ball *k = &job->balls[worker];
    PVGI_TRY(set_out(k, job->two, pvgi_explain_node(e, i)));
    if (e->agreement) learn_masks(job, k, 2 * (uint64_t)i + 1, k->other);
    double *out = e->out ? e->out + i * d : k->other + d;
    learn_masks(job, k, 2 * (uint64_t)i, out);
    if (e->agreement) e->agreement[i] = pvgi_learn_correlation(out, k->other, d);
    if (e->arcs) {
        double *row = e->arcs + i * e->data->offsets[e->data->order];
        memset(row, 0, (size_t)e->data->offsets[e->data->order] * sizeof *row);
        for (int64_t a = 0; a < k->arcs; a++) row[k->arc_number[a]] = k->marks.open[a];
    }
    return PVG_OK;
}

static int32_t entry_open(pvgi_mask_ball *k, const pvgi_two *two) {
    const size_t d = (size_t)two->inputs;
    PVGI_TRY(pvgi_learn_ball_open(&k->ball, two->data));
    k->column = pvgi_alloc_zero(d, sizeof *k->column);
    k->which = pvgi_alloc(d, sizeof *k->which);
    k->drawn = pvgi_alloc(d, sizeof *k->drawn);
    k->other = pvgi_alloc(d, 2 * sizeof *k->other);
    const int64_t h = k->stride = pvgi_network_pad(two->hidden, PVGI_MASK_BLOCK),
                  c = two->classes;
    k->sum = pvgi_alloc_zero((size_t)(3 * h + 2 * c + c * h), sizeof *k->sum);
    if (!k->column || !k->which || !k->drawn || !k->other || !k->sum)
        return pvgi_fail_nomem();
    k->back = k->sum + h;
    k->b1 = k->back + h;
    k->w2 = k->b1 + h;
    k->z = k->w2 + c * h;
    k->d = k->z + c;
    for (int64_t j = 0; j < two->hidden; j++) {
        k->b1[j] = two->b1[j];
        for (int64_t i = 0; i < c; i++) k->w2[i * h + j] = two->w2[j * c + i];
    }
    return PVG_OK;
}

static void entry_close(pvgi_mask_ball *k) {
    void *const owned[] = {k->column,      k->which,  k->starts,     k->row_starts,
                           k->rows,        k->places, k->values,     k->row_values,
                           k->arc_starts,  k->arc_to, k->arc_number, k->arc_weight,
                           k->arc_weight2, k->w1,     k->y,          k->dy,
                           k->state,       k->slope,  k->sum,        k->features.at,
                           k->marks.at,    k->drawn,  k->other,      k->weights};
    pvgi_learn_ball_close(&k->ball);
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) pvgi_free(owned[i]);
}

int32_t pvgi_learn_explain_masks(const pvgi_explain *e, pvgi_run *run) {
    const size_t workers = pvgi_run_workers(run, e->count);
    const size_t d = (size_t)e->data->width;
    pvgi_two two = {0};
    pvgi_stream *stream = pvgi_alloc(1, sizeof *stream); /* 4 KB, below deep calls */
    task job = {
        .e = e, .two = &two, .stream = stream, .loops = pvgi_learn_mask_kernels()};
    if (!stream) return pvgi_fail_nomem();
    int32_t status = pvgi_rng_stream_open(stream, e->rng);
    if (status != PVG_OK) {
        pvgi_free(stream);
        return status;
    }
    if (e->general || !pvgi_learn_two_fits(e->model, e->data)) {
        status = pvgi_learn_explain_masks_any(e, stream, run);
        goto done;
    }
    PVGI_TRY_DONE(pvgi_learn_two_open(&two, e->model, e->data, run));
    PVGI_TRY_DONE(pvgi_run_reserve(
        run, pvgi_size_mul(workers, pvgi_size_add(pvgi_learn_ball_bytes(e->data),
                                                  d * 4 * sizeof(double)))));
    job.drift = pvgi_alloc(1, sizeof *job.drift);
    job.balls = pvgi_alloc_zero(workers, sizeof *job.balls);
    if (!job.drift || !job.balls) {
        status = pvgi_fail_nomem();
        goto done;
    }
    *job.drift = (drift){.size = e->config.published ? SIZE : SIZE / (double)d,
                         .entropy = ENTROPY / (double)d,
                         .rate = e->config.rate,
                         .steps = e->config.steps};
    drift_fill(job.drift);
    for (size_t w = 0; w < workers; w++) PVGI_TRY_DONE(entry_open(&job.balls[w], &two));
    status = pvgi_run_chunks(run, e->count, chunk, &job);
done:
    for (size_t w = 0; job.balls && w < workers; w++) entry_close(&job.balls[w]);
    pvgi_free(job.balls);
    pvgi_free(job.drift);
    pvgi_learn_two_close(&two);
    pvgi_rng_stream_close(stream);
    pvgi_free(stream);
    return status;
}
