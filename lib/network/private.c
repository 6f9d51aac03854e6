/* Private training: steps of DP-SGD through the door of release.
 *
 *   sample   every training row joins with probability q, bits of the secure generator
 *   add      what records add (ghost.c), whole numbers: one sum per worker, exact
 *   update   the sums together, a rounded Gaussian, then the optimiser; divided by the
 *            public q N, never by the number that joined
 *
 * After the draw began nothing fails: records that are not finite add nothing, and the
 * weights are a function of the noisy sums, whatever they become. Cost of a step: what
 * the records that joined cost, N random bits, 20 ns per parameter for noise. */
#include "network_internal.h"

#include <math.h>
#include <string.h>

enum { ROWS_PER_CHUNK = 256, WEIGHTS_PER_CHUNK = 2048 };

typedef struct {
    const pvgi_training *training;
    const pvg_dataset *data;
    pvgi_ghost ghost;
    const pvgi_stream *call;
    int64_t *rows;    /* numbers of the training rows */
    uint64_t *joined; /* bits */
    double *flat;     /* owns the next three, of ghost.flat each */
    double *weights, *moment, *second;
    pvg_model *model; /* with its record, before the first of its numbers is drawn */
    uint32_t workers;
    pvgi_ghost_scratch *scratch;
    double *scratch_numbers; /* owns those of all modules */
    int64_t *scratch_sums;
    int64_t row_chunks, weight_chunks;
} job;

static size_t bytes_of(const pvgi_training *t, const pvgi_ghost *g, uint32_t workers) {
    const size_t own =
        pvgi_size_mul(pvgi_size_add(pvgi_network_ghost_scratch_width(g), (size_t)g->flat),
                      sizeof(double));
    const size_t all = pvgi_size_mul(
        (size_t)(3 * g->flat + t->network->parameters + t->records), sizeof(double));
    return pvgi_size_add(pvgi_size_add(all, (size_t)t->records / 8 + 8),
                         pvgi_size_mul(workers, own + sizeof(pvgi_ghost_scratch)));
}

size_t pvgi_network_training_bytes(const pvgi_training *t, uint32_t workers) {
    pvgi_ghost g;
    if (pvgi_network_ghost_plan(&g, "pvg_query_copy_json", &t->network->program) !=
        PVG_OK)
        return SIZE_MAX;
    return bytes_of(t, &g, workers);
}

/* --- preparing: public numbers only ------------------------------------------------- */

static bool trains(const pvg_dataset *data, int64_t row) {
    return !data->split || data->split[row] == PVG_PART_TRAIN;
}

/* All of the model but numbers: what is paid for is not lost for want of memory. */
static int32_t make_model(job *j) {
    const pvgi_training *t = j->training;
    pvg_model *model = j->model = pvgi_alloc_zero(1, sizeof *model);
    if (!model) return pvgi_fail_nomem();
    model->config = (pvg_training_config){.size = sizeof model->config,
                                          .loss = t->config.loss,
                                          .select = PVG_SELECT_LAST,
                                          .precision = PVG_PRECISION_DOUBLE};
    PVGI_TRY(pvgi_network_check_config(&model->config));
    model->member_count = 1;
    model->temperature = 1;
    model->order = j->data->outputs;
    PVGI_TRY(pvgi_network_copy(&model->network, t->network));
    model->weights =
        pvgi_alloc_zero((size_t)t->network->parameters, sizeof *model->weights);
    return model->weights ? PVG_OK : pvgi_fail_nomem();
}

static int32_t prepare(void *context, pvgi_run *run, const char *function) {
    pvgi_foreign_job *foreign = context;
    const pvgi_training *t = foreign->handle;
    job *j = foreign->work = pvgi_alloc_zero(1, sizeof *j);
    if (!j) return pvgi_fail_nomem();
    j->training = t;
    j->data = foreign->dataset;
    pvgi_ghost *g = &j->ghost;
    PVGI_TRY(pvgi_network_ghost_plan(g, function, &t->network->program));
    g->kernels = pvgi_network_ghost_kernels(pvgi_cpu_level());
    g->loss = t->config.loss;
    g->smoothing = t->config.smoothing;
    g->class_weights = t->class_weights;
    g->transition = t->transition;
    g->clip = t->config.clip;
    g->bits = t->bits;
    j->row_chunks = (t->records + ROWS_PER_CHUNK - 1) / ROWS_PER_CHUNK;
    j->weight_chunks = (g->flat + WEIGHTS_PER_CHUNK - 1) / WEIGHTS_PER_CHUNK;
    j->workers = pvgi_run_workers(
        run, j->row_chunks > j->weight_chunks ? j->row_chunks : j->weight_chunks);
    PVGI_TRY(pvgi_run_reserve(run, bytes_of(t, g, j->workers)));
    j->rows = pvgi_alloc((size_t)t->records, sizeof *j->rows);
    j->joined = pvgi_alloc_zero((size_t)(t->records + 63) / 64, sizeof *j->joined);
    j->flat = pvgi_alloc_zero((size_t)g->flat, 3 * sizeof *j->flat);
    j->scratch = pvgi_alloc_zero(j->workers, sizeof *j->scratch);
    j->scratch_numbers = pvgi_alloc_zero(
        pvgi_size_mul(j->workers, pvgi_network_ghost_scratch_width(g)), sizeof(double));
    j->scratch_sums =
        pvgi_alloc_zero(pvgi_size_mul(j->workers, (size_t)g->flat), sizeof(int64_t));
    if (!j->rows || !j->joined || !j->flat || !j->scratch || !j->scratch_numbers ||
        !j->scratch_sums)
        return pvgi_fail_nomem();
    j->weights = j->flat;
    j->moment = j->flat + g->flat;
    j->second = j->flat + 2 * g->flat;
    for (uint32_t i = 0; i < j->workers; i++)
        pvgi_network_ghost_scratch(&j->scratch[i], g,
                                   j->scratch_numbers +
                                       i * pvgi_network_ghost_scratch_width(g),
                                   j->scratch_sums + (int64_t)i * g->flat);
    for (int64_t v = 0, k = 0; v < j->data->outputs; v++)
        if (trains(j->data, v)) j->rows[k++] = v;
    return make_model(j);
}

/* The draws behind the release, with this one as the last, are those behind the model. Of
 * a node that is replaced the release says nothing together with others; of this draw
 * alone it holds. */
static int32_t record(void *context, const pvg_guarantee *own) {
    job *j = ((pvgi_foreign_job *)context)->work;
    const pvg_guarantee *promised = &j->training->guarantee;
    PVGI_TRY(pvgi_guarantee_sources_add(&j->model->sources, own));
    pvg_guarantee *last = &j->model->sources->draw[j->model->sources->count - 1];
    last->also_notion = promised->also_notion;
    last->also = promised->also;
    return PVG_OK;
}

/* --- steps ------------------------------------------------------------------------ */

/* Streams below that of the call: 0 begins, then for each step sampling and noise. */
static void open_stream(pvgi_stream *out, const job *j, int64_t step, int64_t number) {
    pvgi_rng_stream_open_chunk(out, j->call,
                               1 + (uint64_t)step * (uint64_t)(1 + j->weight_chunks) +
                                   (uint64_t)number);
}

static int32_t sample(void *context, int64_t chunk, uint32_t worker) {
    job *j = context;
    const pvgi_training *t = j->training;
    pvgi_stream stream;
    (void)worker;
    if (!(t->sampling < 1)) {
        memset(j->joined, 0xff, (size_t)(t->records + 63) / 64 * sizeof *j->joined);
        return PVG_OK;
    }
    open_stream(&stream, j, chunk, 0);
    pvgi_rng_draw_flips(j->joined, t->records, t->threshold, &stream);
    pvgi_rng_stream_close(&stream);
    return PVG_OK;
}

static int32_t add(void *context, int64_t chunk, uint32_t worker) {
    job *j = context;
    const pvg_dataset *data = j->data;
    const int64_t classes = j->ghost.program->classes, step = chunk / j->row_chunks;
    const int64_t first = chunk % j->row_chunks * ROWS_PER_CHUNK;
    for (int64_t i = first; i < first + ROWS_PER_CHUNK && i < j->training->records; i++) {
        const int64_t v = j->rows[i];
        if (!(j->joined[i / 64] >> (i % 64) & 1)) continue;
        if (data->labels[v] < 0 || data->labels[v] >= (classes == 1 ? 2 : classes))
            continue; /* absent */
        const int64_t start = data->x_offsets[v];
        const pvgi_ghost_record record = {.number = v,
                                          .step = step,
                                          .indices = data->x_indices + start,
                                          .values = data->x_values + start,
                                          .count = data->x_offsets[v + 1] - start,
                                          .label = data->labels[v]};
        pvgi_network_ghost_add(&j->ghost, &j->scratch[worker], j->weights, &record);
    }
    return PVG_OK;
}

static double rate_at(const pvg_dpsgd_config *c, int64_t step) {
    if (step < c->warmup) return c->rate * ((double)step + 1) / (double)c->warmup;
    if (!c->cosine) return c->rate;
    return c->rate * .5 *
           (1 + cos(3.14159265358979323846 * (double)(step - c->warmup) /
                    (double)(c->steps - c->warmup)));
}

/* Columns that fill a vector up hear noise only: they stay 0. */
static void clear_padding(job *j, int64_t first, int64_t last) {
    const pvgi_ghost *g = &j->ghost;
    for (int32_t i = 0; i < g->program->param_count; i++) {
        const int64_t stride = g->param_stride[i], start = g->param_start[i];
        const int64_t columns = g->program->params[i].columns;
        int64_t end = start + g->program->params[i].rows * stride;
        if (end > last) end = last;
        for (int64_t k = start > first ? start : first; k < end && columns < stride; k++)
            if ((k - start) % stride >= columns) j->weights[k] = 0;
    }
}

/* Numbers first..last-1 of the weights with the noisy sums in steps. */
static void optimise(job *j, const int64_t *sums, int64_t first, int64_t last,
                     int64_t step) {
    const pvgi_training *t = j->training;
    const pvg_dpsgd_config *c = &t->config;
    const double unit = ldexp(c->clip, -t->bits) / (t->sampling * (double)t->records);
    const double rate = rate_at(c, step), now = (double)step + 1;
    const double mean = rate / (1 - pow(c->beta1, now));
    const double spread = 1 / sqrt(1 - pow(c->beta2, now));
    const bool apart = c->optimiser == PVG_OPTIMISER_ADAMW;
    for (int64_t i = first; i < last; i++) {
        double *w = j->weights + i, *m = j->moment + i, *s = j->second + i;
        const double g = (double)sums[i - first] * unit;
        const double d = g + (apart ? 0 : c->decay) * *w;
        if (c->optimiser == PVG_OPTIMISER_SGD) {
            *m = c->momentum * *m + d;
            *w -= rate * *m;
            continue;
        }
        *m = c->beta1 * *m + (1 - c->beta1) * d;
        *s = c->beta2 * *s + (1 - c->beta2) * d * d;
        *w = *w * (apart ? 1 - rate * c->decay : 1) -
             mean * *m / (sqrt(*s) * spread + 1e-8);
    }
}

static int32_t update(void *context, int64_t chunk, uint32_t worker) {
    job *j = context;
    const int64_t step = chunk / j->weight_chunks, number = chunk % j->weight_chunks;
    const int64_t first = number * WEIGHTS_PER_CHUNK;
    int64_t sums[WEIGHTS_PER_CHUNK];
    int64_t count = j->ghost.flat - first;
    if (count > WEIGHTS_PER_CHUNK) count = WEIGHTS_PER_CHUNK;
    pvgi_stream stream;
    (void)worker;
    open_stream(&stream, j, step, 1 + number);
    pvgi_rng_draw_noise(sums, count, PVGI_NOISE_ROUNDED_GAUSSIAN, j->training->scale, 1,
                        &stream);
    pvgi_rng_stream_close(&stream);
    for (uint32_t k = 0; k < j->workers; k++) {
        pvgi_ghost_scratch *scratch = &j->scratch[k];
        for (int64_t i = 0; i < count; i++) {
            sums[i] += scratch->kept[first + i] + (int64_t)scratch->now[first + i];
            scratch->kept[first + i] = 0;
            scratch->now[first + i] = 0;
        }
        if (number == 0) scratch->records = 0; /* nobody adds now */
    }
    optimise(j, sums, first, first + count, step);
    clear_padding(j, first, first + count);
    return PVG_OK;
}

static int32_t draw(pvgi_content *out, void *context, const pvgi_stream *call,
                    pvgi_run *run) {
    job *j = ((pvgi_foreign_job *)context)->work;
    const pvgi_program *program = &j->training->network->program;
    const int64_t parameters = j->training->network->parameters;
    double *values = j->model->weights;
    const pvgi_stage stages[] = {{sample, 1, .05, j},
                                 {add, j->row_chunks, .65, j},
                                 {update, j->weight_chunks, .3, j}};
    pvgi_stream stream;
    j->call = call;
    pvgi_rng_stream_open_chunk(&stream, call, 0);
    j->ghost.key = pvgi_rng_stream_word(&stream);
    if (j->training->start)
        memcpy(values, j->training->start, (size_t)parameters * sizeof *values);
    else
        pvgi_network_draw_weights(values, program, &stream);
    pvgi_rng_stream_close(&stream);
    pvgi_network_ghost_spread(j->weights, &j->ghost, values);
    PVGI_TRY(pvgi_run_stages(run, stages, 3, j->training->config.steps, j));
    pvgi_network_ghost_gather(values, &j->ghost, j->weights);
    out->rows = 1;
    out->columns = parameters;
    out->model = j->model;
    out->model_kind = &pvgi_network_models;
    j->model = NULL;
    return PVG_OK;
}

static void drop(void *context) {
    pvgi_foreign_job *foreign = context;
    job *j = foreign->work;
    if (!j) return;
    pvgi_network_model_free(j->model);
    pvgi_free(j->rows);
    pvgi_free(j->joined);
    pvgi_free(j->flat);
    pvgi_free(j->scratch);
    pvgi_free(j->scratch_numbers);
    pvgi_free(j->scratch_sums);
    pvgi_free(j);
    foreign->work = NULL;
}

/* --- what the door and the release know of it --------------------------------------- */

static void drop_model(void *model) {
    pvgi_network_model_free(model);
}

static const double *numbers_of(const void *model) {
    return ((const pvg_model *)model)->weights;
}

static void finish(void *model, const pvg_guarantee *own) {
    const pvg_model *m = model;
    pvg_guarantee *last = &m->sources->draw[m->sources->count - 1];
    last->charge = own->charge;
    last->rows = own->rows;
    last->columns = own->columns;
    memcpy(last->digest, own->digest, sizeof last->digest);
}

const pvgi_model_kind pvgi_network_models = {drop_model, numbers_of, finish};

int32_t pvgi_network_training_fits(const char *name, const void *training,
                                   const pvg_dataset *data) {
    const pvgi_training *t = training;
    const bool features = data->features_origin == PVGI_ORIGIN_PRIVATE;
    const bool labels = data->labels_origin == PVGI_ORIGIN_PRIVATE;
    int64_t rows = 0;
    PVGI_REQUIRE(data->x_values && data->labels,
                 "%s: the dataset has no features or no labels", name);
    PVGI_REQUIRE(features || labels,
                 "%s: nothing that is read is private; pvg_model_train costs nothing",
                 name);
    PVGI_REQUIRE(data->graphs == 0, "%s: rows of the dataset are graphs, not nodes",
                 name);
    PVGI_REQUIRE(data->width == t->network->program.inputs,
                 "%s: features have %lld columns, the network %lld", name,
                 (long long)data->width, (long long)t->network->program.inputs);
    for (int64_t v = 0; v < data->outputs; v++) rows += trains(data, v);
    PVGI_REQUIRE(rows == t->records, "%s: %lld rows train, the query is for %lld", name,
                 (long long)rows, (long long)t->records);
    return PVG_OK;
}

int32_t pvgi_network_training_begin(pvgi_draw *out, pvgi_query_job *scratch,
                                    int64_t starts[2], const void *training,
                                    const pvgi_private *input) {
    static const pvgi_row row = {.kind = "training",
                                 .prepare = prepare,
                                 .draw = draw,
                                 .drop = drop,
                                 .record = record};
    const pvgi_training *t = training;
    const pvg_dataset *data = input->dataset;
    const bool features = data->features_origin == PVGI_ORIGIN_PRIVATE;
    const bool labels = data->labels_origin == PVGI_ORIGIN_PRIVATE;
    (void)starts;
    scratch->foreign = (pvgi_foreign_job){.handle = t, .dataset = data};
    *out = (pvgi_draw){.row = &row,
                       .job = &scratch->foreign,
                       .guarantee = &t->guarantee,
                       .notion = t->guarantee.notion,
                       .reads = PVGI_PART_TOLD |
                                (features ? (uint32_t)PVGI_PART_FEATURES : 0u) |
                                (labels ? (uint32_t)PVGI_PART_LABELS : 0u),
                       .declared = data->declared,
                       .allow_seeded = t->target.allow_seeded};
    return PVG_OK;
}

/* --- the record of a model's own --------------------------------------------------- */

/* Whose last draw was a training: of these weights, as its digest tells, not of a model
 * whose predictions it read. */
const pvg_guarantee *pvgi_network_training(const pvg_model *model) {
    const pvgi_content weights = {
        .rows = 1, .columns = model->network->parameters, .values = model->weights};
    uint8_t digest[PVGI_DIGEST_BYTES];
    if (!model->sources || model->member_count != 1 || !model->weights) return NULL;
    const pvg_guarantee *last = &model->sources->draw[model->sources->count - 1];
    pvgi_release_digest(digest, &weights);
    return memcmp(digest, last->digest, sizeof digest) == 0 ? last : NULL;
}

const pvg_guarantee *pvgi_network_training_alone(const pvg_model *model, int32_t notion,
                                                 const uint64_t *object) {
    if (!model->sources || model->sources->count != 1 ||
        model->sources->draw[0].notion != notion ||
        !pvgi_guarantee_may_be_about(&model->sources->draw[0], object))
        return NULL;
    return pvgi_network_training(model);
}

int32_t pvgi_network_training_promise(pvg_guarantee *out, const pvg_guarantee *own) {
    PVGI_TRY(pvgi_guarantee_copy(out, own));
    if (out->loaded)
        pvgi_guarantee_assumption(out,
                                  "records that were read from files are those of the "
                                  "draws");
    pvgi_guarantee_assumption(out, "parts of the data set that were called public are: "
                                   "nothing hidden went into them");
    return PVG_OK;
}
