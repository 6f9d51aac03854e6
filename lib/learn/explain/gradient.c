/* Gradients as explanations. c: the predicted class of v, z: its logits, p = softmax z.
 *
 *   GRAD             |d z_c / d x_v|
 *   GRAD_INPUT       |x_v * d z_c / d x_v|
 *   GRAD_BALL        |sum over i of x_i * dL / d x_i|, L = -ln p_c, i the ball of v
 *   GRAD_INPUT_BALL  mean over i of |x_i * dL / d x_i|
 *
 * The last two are what Olatunji et al. (2023) call Grad and GradInput. Two gcn layers
 * have d z_c / d x_v = (W2_c * sum over r of P2_vr P1_rv f'_r) W1^T: one row of `hidden`
 * numbers per node, then one product for all. Other networks run backwards over many
 * balls side by side, whose nodes keep the degrees they have in the whole graph. */
#include "explain.h"

#include "base/blas.h"

#include <math.h>
#include <string.h>

static double dot(const double *a, const double *b, int64_t count) {
    double sum = 0;
    for (int64_t j = 0; j < count; j++) sum += a[j] * b[j];
    return sum;
}

/* --- two gcn layers ---------------------------------------------------------------- */

enum { CHUNK = 64 }; /* nodes */

typedef struct {
    const pvgi_explain *e;
    const pvgi_two *two;
    pvgi_ball *balls; /* of workers */
    double *rows;     /* of workers: CHUNK x hidden, or order x hidden for balls */
    double *slopes;   /* of workers: classes + 2 hidden */
} task;

/* W2_c * sum over r of P2_vr P1_rv f'_r. */
static void own_slopes(double *out, const pvgi_two *two, int64_t v) {
    const pvg_dataset *data = two->data;
    const int64_t h = two->hidden, c = two->classes;
    const int64_t class = pvgi_learn_explain_class(two->z + v * c, c);
    const int64_t column = c == 1 ? 0 : class;
    memset(out, 0, (size_t)h * sizeof *out);
    for (int64_t e = data->offsets[v]; e <= data->offsets[v + 1]; e++) {
        const int64_t r = e < data->offsets[v + 1] ? data->columns[e] : v;
        const double weight = two->s2[v] * two->s2[r] * two->s1[r] * two->s1[v];
        for (int64_t j = 0; j < h; j++) out[j] += weight * two->slope[r * h + j];
    }
    for (int64_t j = 0; j < h; j++) out[j] *= two->w2[j * c + column];
}

static int32_t own_chunk(void *context, int64_t chunk, uint32_t worker) {
    const task *job = context;
    const pvgi_two *two = job->two;
    const pvg_dataset *data = two->data;
    const int64_t h = two->hidden, d = two->inputs, first = chunk * CHUNK;
    const int64_t rows = job->e->count - first < CHUNK ? job->e->count - first : CHUNK;
    double *scratch = job->rows + worker * CHUNK * h, *out = job->e->out + first * d;
    for (int64_t i = 0; i < rows; i++)
        own_slopes(scratch + i * h, two, pvgi_explain_node(job->e, first + i));
    if (job->e->explainer == PVG_EXPLAINER_GRAD) {
        pvgi_blas_multiply(out, scratch, false, two->w1, true, rows, h, d, false);
        for (int64_t i = 0; i < rows * d; i++) out[i] = fabs(out[i]);
        return PVG_OK;
    }
    memset(out, 0, (size_t)(rows * d) * sizeof *out);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t v = pvgi_explain_node(job->e, first + i);
        for (int64_t k = data->x_offsets[v]; k < data->x_offsets[v + 1]; k++) {
            const int64_t j = data->x_indices[k];
            out[i * d + j] =
                fabs(data->x_values[k] * dot(scratch + i * h, two->w1 + j * h, h));
        }
    }
    return PVG_OK;
}

/* Slopes of L at X W1, for every node of the ball of v, into rows by place. */
static void ball_slopes(double *rows, const pvgi_two *two, const pvgi_ball *ball,
                        double *scratch, int32_t loss) {
    const pvg_dataset *data = two->data;
    const int64_t h = two->hidden, c = two->classes, v = ball->nodes[0];
    double *d = scratch, *at_state = scratch + c, *at_sum = at_state + h;
    pvgi_learn_loss_slopes(d, two->z + v * c, c,
                           pvgi_learn_explain_class(two->z + v * c, c), loss);
    for (int64_t j = 0; j < h; j++) at_state[j] = dot(two->w2 + j * c, d, c);
    memset(rows, 0, (size_t)(ball->count * h) * sizeof *rows);
    for (int64_t i = 0; i < ball->near; i++) {
        const int64_t r = ball->nodes[i];
        for (int64_t j = 0; j < h; j++)
            at_sum[j] = two->s2[v] * two->s2[r] * at_state[j] * two->slope[r * h + j];
        for (int64_t e = data->offsets[r]; e <= data->offsets[r + 1]; e++) {
            const int64_t u = e < data->offsets[r + 1] ? data->columns[e] : r;
            const double weight = two->s1[r] * two->s1[u];
            double *row = rows + (ball->place[u] - 1) * h;
            for (int64_t j = 0; j < h; j++) row[j] += weight * at_sum[j];
        }
    }
}

static int32_t ball_chunk(void *context, int64_t i, uint32_t worker) {
    const task *job = context;
    const pvgi_two *two = job->two;
    const pvg_dataset *data = two->data;
    const int64_t h = two->hidden, d = two->inputs;
    const bool mean = job->e->explainer == PVG_EXPLAINER_GRAD_INPUT_BALL;
    pvgi_ball *ball = &job->balls[worker];
    double *rows = job->rows + worker * two->order * h, *out = job->e->out + i * d;
    pvgi_learn_ball_around(ball, pvgi_explain_node(job->e, i), 2, two->order);
    ball_slopes(rows, two, ball, job->slopes + worker * (two->classes + 2 * h),
                job->e->model->config.loss);
    memset(out, 0, (size_t)d * sizeof *out);
    for (int64_t b = 0; b < ball->count; b++) {
        const int64_t u = ball->nodes[b];
        for (int64_t k = data->x_offsets[u]; k < data->x_offsets[u + 1]; k++) {
            const int64_t j = data->x_indices[k];
            const double term = data->x_values[k] * dot(rows + b * h, two->w1 + j * h, h);
            out[j] += mean ? fabs(term) / (double)ball->count : term;
        }
    }
    if (!mean)
        for (int64_t j = 0; j < d; j++) out[j] = fabs(out[j]);
    return PVG_OK;
}

static int32_t by_two(const pvgi_explain *e, pvgi_run *run) {
    const bool balls = e->explainer == PVG_EXPLAINER_GRAD_BALL ||
                       e->explainer == PVG_EXPLAINER_GRAD_INPUT_BALL;
    const int64_t chunks = balls ? e->count : (e->count + CHUNK - 1) / CHUNK;
    const size_t workers = pvgi_run_workers(run, chunks);
    pvgi_two two = {0};
    task job = {.e = e, .two = &two};
    int32_t status;
    PVGI_TRY_DONE(pvgi_learn_two_open(&two, e->model, e->data, run));
    const size_t rows = (size_t)((balls ? two.order : CHUNK) * two.hidden);
    const size_t slopes = (size_t)(two.classes + 2 * two.hidden);
    const size_t ball = balls ? pvgi_learn_ball_bytes(e->data) : 0;
    PVGI_TRY_DONE(pvgi_run_reserve(
        run, pvgi_size_mul(workers, (rows + slopes) * sizeof(double) + ball)));
    job.rows = pvgi_alloc(workers, rows * sizeof *job.rows);
    job.slopes = pvgi_alloc(workers, slopes * sizeof *job.slopes);
    job.balls = pvgi_alloc_zero(workers, sizeof *job.balls);
    if (!job.rows || !job.slopes || !job.balls) status = pvgi_fail_nomem();
    for (size_t w = 0; balls && status == PVG_OK && w < workers; w++)
        status = pvgi_learn_ball_open(&job.balls[w], e->data);
    if (status == PVG_OK)
        status = pvgi_run_chunks(run, chunks, balls ? ball_chunk : own_chunk, &job);
done:
    for (size_t w = 0; job.balls && w < workers; w++)
        pvgi_learn_ball_close(&job.balls[w]);
    pvgi_free(job.rows);
    pvgi_free(job.slopes);
    pvgi_free(job.balls);
    pvgi_learn_two_close(&two);
    return status;
}

/* --- any network ------------------------------------------------------------------- */

/* d / d x_j from slopes at a row of what the network reads. */
static double slope_at(const pvgi_explain *e, const double *slopes, int64_t j) {
    return e->front ? pvgi_learn_front_slope(e->front, slopes, j) : slopes[j];
}

/* Row of explanations from slopes at what the network reads of the balls, nodes x
 * stride. */
static void write_row(double *out, const pvgi_explain *e, const pvgi_heap *h, int64_t b,
                      const double *slopes, int64_t stride) {
    const pvg_dataset *x = e->front ? e->front->from : e->data;
    const int64_t d = x->width, first = h->starts[b], all = h->starts[b + 1];
    const int64_t last = e->explainer == PVG_EXPLAINER_GRAD_INPUT ? first + 1 : all;
    const bool mean = e->explainer == PVG_EXPLAINER_GRAD_INPUT_BALL;
    if (e->explainer == PVG_EXPLAINER_GRAD) {
        for (int64_t j = 0; j < d; j++)
            out[j] = fabs(slope_at(e, slopes + first * stride, j));
        return;
    }
    memset(out, 0, (size_t)d * sizeof *out);
    for (int64_t i = first; i < last; i++) {
        const int64_t u = h->nodes[i];
        for (int64_t k = x->x_offsets[u]; k < x->x_offsets[u + 1]; k++) {
            const int64_t j = x->x_indices[k];
            const double term = x->x_values[k] * slope_at(e, slopes + i * stride, j);
            out[j] += mean ? fabs(term) / (double)(last - first) : term;
        }
    }
    for (int64_t j = 0; j < d; j++) out[j] = fabs(out[j]);
}

static int32_t explain_heap(const pvgi_explain *e, pvgi_heap *h,
                            const pvgi_stream *stream, int64_t first, pvgi_run *run) {
    (void)stream; /* nothing is drawn */
    const pvgi_tape_wish wish = {
        .learn = true, .input_gradient = true, .keep_gradient = true};
    const bool loss = e->explainer == PVG_EXPLAINER_GRAD_BALL ||
                      e->explainer == PVG_EXPLAINER_GRAD_INPUT_BALL;
    const int64_t d = h->data.width, c = e->model->network->program.classes;
    const int64_t inputs = e->front ? e->front->from->width : d;
    pvg_training_config config = e->model->config;
    pvgi_tape *tape = NULL;
    int32_t status;
    double *z = pvgi_alloc((size_t)h->data.order, (size_t)c * sizeof *z);
    config.precision = PVG_PRECISION_DOUBLE;
    config.target_rounds = 0;
    config.clip = config.smoothing = 0;
    config.transition = NULL;
    if (!z) return pvgi_fail_nomem();
    PVGI_TRY_DONE(
        pvgi_network_tape_new(&tape, e->model->network, &h->data, &config, &wish, run));
    pvgi_network_tape_set_weights(tape, e->model->weights);
    PVGI_TRY_DONE(pvgi_network_tape_forward(NULL, NULL, tape, run));
    pvgi_network_tape_read(z, tape, tape->program.output);
    for (int64_t v = 0; v < h->data.order; v++) h->classes[v] = -1;
    for (int64_t b = 0; b < h->balls; b++)
        h->classes[h->starts[b]] =
            (int32_t)pvgi_learn_explain_class(z + h->starts[b] * c, c);
    PVGI_TRY_DONE(pvgi_network_tape_seeds(tape, h->classes, loss, run));
    const int64_t lanes = PVGI_TAPE_VECTOR / (int64_t)sizeof(double);
    for (int64_t b = 0; b < h->balls; b++)
        write_row(e->out + (first + b) * inputs, e, h, b, tape->input_gradient,
                  pvgi_network_pad(d, lanes));
done:
    pvgi_network_tape_free(tape);
    pvgi_free(z);
    return status;
}

int32_t pvgi_learn_explain_gradients(const pvgi_explain *e, pvgi_run *run) {
    if (pvgi_learn_two_fits(e->model, e->data) && !e->general) return by_two(e, run);
    pvgi_explain inner = *e;
    inner.inner = true;
    if (!pvgi_learn_front_fits(&e->model->network->program))
        return pvgi_learn_each_heap(&inner, explain_heap, NULL, run);
    pvgi_front front;
    int32_t status = pvgi_learn_front_open(&front, e->model, e->data, run);
    inner.model = &front.model;
    inner.data = &front.data;
    inner.front = &front;
    if (status == PVG_OK) status = pvgi_learn_each_heap(&inner, explain_heap, NULL, run);
    pvgi_learn_front_close(&front);
    return status;
}
