/* Features in public ranges, by bits (multibit.c) or by noise on every value.
 *
 * Noise: replacing a user's features moves column i by at most its range r_i, so Laplace
 * noise has scales d r_i / epsilon and Gaussian noise deviations sqrt(d) r_i / mu: the
 * proportional allocation of pvg_mechanism. O(rows columns). */
#include "perturb_internal.h"

#include <math.h>
#include <string.h>

enum { CELLS_PER_CHUNK = 1 << 13, DESCRIBED_MOST = 4096 };

typedef struct {
    const pvgi_feature_state *s;
    const pvg_features *in;
    const pvgi_stream *call;
    int64_t rows; /* of a chunk */
    double *values;
} job;

/* --- what may be perturbed ------------------------------------------------------- */

static bool inside(const pvgi_feature_state *s, int64_t column, double x) {
    return pvgi_perturb_clamp(s, column, x) == x;
}

/* The first column of the row whose value, perhaps an unstored zero, is outside; -1 if
 * all are inside. */
static int64_t first_outside(const pvgi_feature_state *s, const pvg_features *in,
                             int64_t row) {
    const int64_t start = in->offsets[row], end = in->offsets[row + 1];
    int64_t bad = -1, off_zero = 0;
    for (int64_t i = start; i < end && bad < 0; i++) {
        if (!inside(s, in->indices[i], in->values[i])) bad = in->indices[i];
        off_zero += !inside(s, in->indices[i], 0.0);
    }
    if (bad < 0 && off_zero == s->off_zero) return -1;
    /* some column before `bad` may hold an unstored zero that its range does not */
    int64_t i = start;
    for (int64_t column = 0; column < (bad < 0 ? in->columns : bad); column++) {
        while (i < end && in->indices[i] < column) i++;
        const bool stored = i < end && in->indices[i] == column;
        if (!stored && !inside(s, column, 0.0)) return column;
    }
    return bad;
}

static int32_t check(const pvg_perturber *perturber, const pvgi_perturb_input *input,
                     const pvgi_run *run, const char *function) {
    const pvgi_feature_state *s = perturber->state;
    const pvg_features *in = input->features;
    (void)run;
    PVGI_REQUIRE(in->columns == s->config.columns,
                 "%s: features have %lld columns, the perturber was made for %lld",
                 function, (long long)in->columns, (long long)s->config.columns);
    for (int64_t row = 0; row < in->rows && s->config.refuse; row++) {
        const int64_t column = first_outside(s, in, row);
        PVGI_REQUIRE(
            column < 0,
            "%s: row %lld, column %lld is outside the public range of the column",
            function, (long long)row, (long long)column);
    }
    return PVG_OK;
}

/* --- noise ------------------------------------------------------------------------ */

static int32_t add_noise(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t d = j->s->config.columns, first = chunk * j->rows;
    const int64_t last = first + j->rows < j->in->rows ? first + j->rows : j->in->rows;
    int32_t status = PVG_OK;
    (void)worker;
    pvgi_stream stream;
    pvgi_rng_stream_open_chunk(&stream, j->call, (uint64_t)chunk);
    pvgi_graph_features_copy_dense(j->values + first * d, j->in, first, last - first);
    for (int64_t row = first; row < last && status == PVG_OK; row++)
        status = pvgi_mechanism_apply(j->values + row * d, j->s->mechanism,
                                      j->values + row * d, NULL, 0, &stream);
    pvgi_rng_stream_close(&stream);
    return status;
}

static int32_t make_noise(pvgi_content *out, void **scratch,
                          const pvg_perturber *perturber, const pvgi_perturb_input *input,
                          pvgi_run *run) {
    const pvgi_feature_state *s = perturber->state;
    (void)scratch, (void)run;
    out->rows = input->features->rows;
    out->columns = s->config.columns;
    out->values = pvgi_alloc(pvgi_size_mul((size_t)out->rows, (size_t)out->columns),
                             sizeof *out->values);
    return out->values ? PVG_OK : pvgi_fail_nomem();
}

static int32_t draw_noise(pvgi_content *out, const pvg_perturber *perturber,
                          const pvgi_perturb_input *input, const pvgi_stream *call,
                          pvgi_run *run) {
    const pvgi_feature_state *s = perturber->state;
    const int64_t d = s->config.columns, rows = input->features->rows;
    const int64_t per_chunk = CELLS_PER_CHUNK / d > 0 ? CELLS_PER_CHUNK / d : 1;
    /* after a failure these still hold exact values; whoever drops them wipes them */
    job j = {s, input->features, call, per_chunk, out->values};
    return pvgi_run_chunks(run, (rows + per_chunk - 1) / per_chunk, add_noise, &j);
}

/* --- making one ------------------------------------------------------------------- */

static void drop(void *state) {
    pvgi_feature_state *s = state;
    pvgi_free(s->low);
    pvgi_free(s->high);
    pvg_mechanism_free(s->mechanism);
}

/* In the middle of the range. What all users make is told as their mean. */
static pvgi_perturb_number number(const pvg_perturber *perturber, int64_t line,
                                  int64_t order) {
    const pvgi_feature_state *s = perturber->state;
    const int64_t r = line / 2;
    const double width = s->high[r] - s->low[r];
    const double middle = 0.5 * s->low[r] + 0.5 * s->high[r];
    const double users = line % 2 ? (double)order : 1.0;
    const double one = sqrt(pvgi_perturb_feature_variance(s, r, middle) / users);
    if (s->mechanism)
        return (pvgi_perturb_number){PVGI_ANSWER_SCALED, 0.0, one, width, 1.0};
    const double each = perturber->guarantee.spent.epsilon / (double)s->config.sampled;
    return (pvgi_perturb_number){PVGI_ANSWER_BIT, each,
                                 one * pvgi_perturb_bit_gain(s->least), width, 1.0};
}

#define METHOD(makes, draws)                                                             \
    {                                                                                    \
        .input = PVG_PERTURBS_FEATURES, .check = check, .make = makes, .draw = draws,    \
        .drop = drop, .number = number, .one = "a user's feature",                       \
        .all = "mean of feature"                                                         \
    }
static const pvgi_perturb_method bits_method =
    METHOD(pvgi_perturb_bits_make, pvgi_perturb_bits_draw);
static const pvgi_perturb_method noise_method = METHOD(make_noise, draw_noise);

const pvgi_feature_state *pvgi_perturb_features_state(const pvg_perturber *perturber) {
    return perturber->method == &bits_method || perturber->method == &noise_method
               ? perturber->state
               : NULL;
}

static int32_t copy_ranges(pvgi_feature_state *s, const double *low, const double *high) {
    const size_t count = (size_t)s->config.ranges;
    s->low = pvgi_alloc(count, sizeof *low);
    s->high = pvgi_alloc(count, sizeof *high);
    if (!s->low || !s->high) return pvgi_fail_nomem();
    memcpy(s->low, low, count * sizeof *low);
    memcpy(s->high, high, count * sizeof *high);
    for (int64_t column = 0; column < s->config.columns; column++)
        s->off_zero += !inside(s, column, 0.0);
    return PVG_OK;
}

/* A mechanism with one coordinate per column. */
static int32_t make_mechanism(pvgi_feature_state *s, const pvg_target *target) {
    const int64_t d = s->config.columns;
    double *scratch = pvgi_alloc((size_t)d, 3 * sizeof *scratch);
    if (!scratch) return pvgi_fail_nomem();
    double *sensitivities = scratch, *low = scratch + d, *high = scratch + 2 * d;
    pvg_target t = *target;
    t.allocation = PVG_ALLOCATION_PROPORTIONAL;
    for (int64_t i = 0; i < d; i++) {
        const int64_t r = pvgi_perturb_range(s, i);
        low[i] = s->low[r];
        high[i] = s->high[r];
        sensitivities[i] = pvgi_mechanism_up(high[i] - low[i], 2);
    }
    const int32_t status =
        pvgi_mechanism_new(&s->mechanism, "pvg_query_new: features", &t, sensitivities,
                           NULL, low, high, NULL, d);
    pvgi_free(scratch);
    return status;
}

/* Variance of one value in the middle, in units that do not depend on m. */
static double spread(double epsilon, double m) {
    const double gain = tanh(0.5 * epsilon / m);
    return 1.0 / (gain * gain * m);
}

/* Columns to report: coth(epsilon/(2m))^2 / m falls and then grows with m, and is least
 * near epsilon / m = 2.18, so the best whole m is next to that. */
static int64_t columns_to_sample(const pvg_features_config *config, double epsilon) {
    if (config->method == PVG_FEATURES_ONE_BIT) return config->columns;
    if (config->sampled > 0) return config->sampled;
    double best = floor(epsilon / 2.18);
    if (best >= (double)config->columns) return config->columns;
    if (best < 1.0) return 1;
    if (best + 1.0 <= (double)config->columns &&
        spread(epsilon, best + 1.0) < spread(epsilon, best))
        best += 1.0;
    return (int64_t)best;
}

static int32_t set_bits(pvgi_feature_state *s, const pvg_target *target) {
    s->config.sampled = columns_to_sample(&s->config, target->epsilon);
    /* down, so that m of them are within epsilon */
    const double each =
        pvgi_mechanism_down(target->epsilon / (double)s->config.sampled, 2);
    if (each < 0x1p-20)
        return pvgi_fail(PVG_E_LIMIT,
                         "pvg_query_new: features: epsilon for each of %lld reported "
                         "columns is below 2^-20",
                         (long long)s->config.sampled);
    s->least = pvgi_rng_flip_threshold(each);
    return PVG_OK;
}

/* Found now, not after a ledger has paid: steps of 2^512 and more have no square, and
 * might not be numbers themselves. Shorter ones can be added to any range. */
static int32_t check_variances(const pvgi_feature_state *s) {
    for (int64_t r = 0; r < s->config.ranges; r++) {
        const double middle = 0.5 * s->low[r] + 0.5 * s->high[r];
        if (!isfinite(pvgi_perturb_feature_variance(s, r, middle)))
            return pvgi_fail(PVG_E_LIMIT,
                             "pvg_query_new: features: range %lld is too wide: the "
                             "variance of what is released is not finite",
                             (long long)r);
    }
    return PVG_OK;
}

static void describe(pvg_guarantee *g, const pvgi_feature_state *s,
                     const pvg_target *target) {
    g->notion = PVG_NOTION_FEATURE_LDP;
    g->delta = target->delta;
    if (s->mechanism) {
        g->spent = s->mechanism->spent;
        g->noise = pvgi_mechanism_law(s->mechanism->target.noise)->name;
        g->allocation = pvg_allocation_name(PVG_ALLOCATION_PROPORTIONAL);
        g->claim = "perturb.features-noise";
    } else {
        g->spent = pvgi_perturb_pure(target->epsilon);
        g->noise = "one random bit for each reported column";
        g->claim = "perturb.features";
        pvgi_guarantee_assumption(
            g,
            "each user reports %lld of %lld columns, chosen without "
            "looking at values",
            (long long)s->config.sampled, (long long)s->config.columns);
    }
    pvgi_guarantee_assumption(g, "%lld columns with public ranges; values outside are %s",
                              (long long)s->config.columns,
                              s->config.refuse ? "refused, which is not charged"
                                               : "clamped");
    pvgi_guarantee_assumption(g, "who has features is public");
}

/* Columns, one kind for a run of columns that are alike. */
static int32_t describe_columns(pvg_guarantee *g, const pvgi_feature_state *s) {
    const int64_t columns = s->config.columns,
                  kinds = s->config.ranges == 1 ? 1 : columns;
    const int64_t described = kinds <= DESCRIBED_MOST ? kinds : 1;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    for (int64_t k = 0; k < described; k++)
        pvgi_guarantee_columns_add(c,
                                   &(pvgi_column){.count = described == 1 ? columns : 1,
                                                  .name = "feature",
                                                  .numbered = true,
                                                  .first = k,
                                                  .noise = g->noise});
    if (described == kinds) pvgi_guarantee_columns_table(c, 0);
    for (int64_t k = 0; described == kinds && k < kinds; k++) {
        pvgi_measure measure = {s->low[k], s->high[k], (double)NAN, (double)NAN};
        if (s->mechanism) {
            const pvgi_coordinate *own = &s->mechanism->coordinate[k];
            measure.grid = own->steps > 0 ? ldexp(1.0, own->grid) : 0.0;
            measure.scale = own->steps > 0 ? ldexp((double)own->scale, own->grid) : 0.0;
        }
        pvgi_guarantee_columns_measure(c, k, measure);
    }
    return pvgi_guarantee_columns_close(g, c);
}

int32_t pvgi_perturb_features_new(pvg_perturber **out, const pvg_features_config *config,
                                  const pvg_target *target, const double *low,
                                  const double *high) {
    const bool bits = config->method != PVG_FEATURES_NOISE;
    pvg_guarantee guarantee = {0};
    pvg_perturber *made;
    PVGI_TRY(pvgi_perturb_make(&made, bits ? &bits_method : &noise_method, target,
                               &guarantee, sizeof(pvgi_feature_state)));
    pvgi_feature_state *s = made->state;
    s->config = *config;
    made->lines = 2 * config->ranges;
    int32_t status = copy_ranges(s, low, high);
    if (status == PVG_OK) status = bits ? set_bits(s, target) : make_mechanism(s, target);
    if (status == PVG_OK) status = check_variances(s);
    if (status != PVG_OK) {
        pvgi_perturb_free(made);
        return status;
    }
    if (!bits) s->config.sampled = s->config.columns;
    describe(&made->guarantee, s, target);
    status = describe_columns(&made->guarantee, s);
    if (status == PVG_OK)
        *out = made;
    else
        pvgi_perturb_free(made);
    return status;
}

double pvgi_perturb_feature_variance(const pvgi_feature_state *s, int64_t column,
                                     double value) {
    if (s->mechanism) {
        const pvgi_coordinate *c = &s->mechanism->coordinate[column];
        const double deviation =
            pvgi_mechanism_law(s->mechanism->target.noise)
                ->deviation(ldexp((double)c->scale, c->grid), c->sensitivity);
        return deviation * deviation;
    }
    const int64_t r = pvgi_perturb_range(s, column);
    const double step = pvgi_perturb_bit_step(s, column);
    const double off = value - (0.5 * s->low[r] + 0.5 * s->high[r]);
    return step * step * (double)s->config.sampled / (double)s->config.columns -
           off * off;
}
