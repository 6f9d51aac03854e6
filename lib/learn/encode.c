/* Networks that pipelines train: on rows of public or released numbers, from text. The
 * encoder judges nodes by public features; nodes with a label are judged by networks that
 * did not see it, else whoever reads its probabilities learns to trust them too much. */
#include "learn_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FLOOR_DIGITS = 9, DIRECTIONS = 128 };

void pvgi_learn_normalise(double *rows, int64_t count, int64_t classes, double floor) {
    for (int64_t v = 0; v < count; v++) {
        double *row = rows + v * classes, sum = 0.0;
        for (int64_t c = 0; c < classes; c++) {
            row[c] = row[c] > floor ? row[c] : floor;
            sum += row[c];
        }
        for (int64_t c = 0; c < classes; c++) row[c] /= sum;
    }
}

void pvgi_learn_standardise_column(double *mean, double *scale, double *x, int64_t rows,
                                   int64_t columns, int64_t column) {
    double sum = 0.0, squares = 0.0;
    for (int64_t v = 0; v < rows; v++) sum += x[v * columns + column];
    *mean = sum / (double)rows;
    for (int64_t v = 0; v < rows; v++) {
        const double d = x[v * columns + column] - *mean;
        squares += d * d;
    }
    const double deviation = sqrt(squares / (double)rows);
    *scale = deviation > 1e-12 ? 1.0 / deviation : 0.0;
    for (int64_t v = 0; v < rows; v++)
        x[v * columns + column] = (x[v * columns + column] - *mean) * *scale;
}

void pvgi_learn_standardise(double *x, int64_t rows, int64_t columns) {
    double mean, scale;
    for (int64_t j = 0; j < columns; j++)
        pvgi_learn_standardise_column(&mean, &scale, x, rows, columns, j);
}

/* Labels and split from labels and checks. */
static int32_t add_targets(pvg_dataset_builder *builder, const int32_t *labels,
                           const int32_t *checks, int64_t rows) {
    int32_t *both = pvgi_alloc((size_t)rows, 2 * sizeof *both), *parts;
    if (!both) return pvgi_fail_nomem();
    parts = both + rows;
    for (int64_t v = 0; v < rows; v++) {
        const bool checked = checks && labels[v] < 0 && checks[v] >= 0;
        both[v] = checked ? checks[v] : labels[v];
        parts[v] = checked          ? PVG_PART_VALIDATION
                   : labels[v] >= 0 ? PVG_PART_TRAIN
                                    : PVG_PART_NONE;
    }
    int32_t status = pvgi_network_builder_labels(builder, both, PVGI_ORIGIN_PUBLIC);
    if (status == PVG_OK) status = pvgi_network_builder_split(builder, parts);
    pvgi_free(both);
    return status;
}

int32_t pvgi_learn_network(double *out, pvgi_kept *kept, const char *text,
                           const pvg_features *x, const int32_t *labels,
                           const int32_t *checks, int64_t classes,
                           const pvg_training_config *config, pvg_rng *rng,
                           pvgi_run *run) {
    pvg_network *network = NULL;
    pvg_dataset_builder *builder = NULL;
    pvg_dataset *data = NULL;
    pvg_model *model = NULL;
    pvg_training_config settled = *config;
    int32_t status;
    settled.size = sizeof settled;
    PVGI_TRY_DONE(pvgi_network_check_config(&settled));
    PVGI_TRY_DONE(pvgi_network_parse(&network, text, x->columns, classes));
    PVGI_TRY_DONE(pvgi_network_builder_new(&builder, x->rows));
    PVGI_TRY_DONE(pvgi_network_builder_features(builder, x, PVGI_ORIGIN_PUBLIC));
    if (kept && kept->release) /* a model that leaves has the guarantee of its rows */
        PVGI_TRY_DONE(pvgi_network_note(&builder->data, kept->release));
    PVGI_TRY_DONE(add_targets(builder, labels, checks, x->rows));
    PVGI_TRY_DONE(pvgi_network_builder_finish(&data, builder));
    PVGI_TRY_DONE(pvgi_network_train(&model, network, data, &settled, NULL, rng, run));
    PVGI_TRY_DONE(pvgi_network_predict(out, model, data, PVG_PREDICT_PROBABILITIES, run));
    if (kept) {
        kept->model = model;
        model = NULL;
    }
done:
    pvgi_network_model_free(model);
    pvgi_network_dataset_free(data);
    pvgi_network_builder_free(builder);
    pvgi_network_free(network);
    return status;
}

/* Probabilities of rows that are public or released. */
int32_t pvgi_learn_predict(double *out, const pvg_model *model, const pvg_features *x,
                           pvgi_run *run) {
    pvg_dataset_builder *builder = NULL;
    pvg_dataset *data = NULL;
    int32_t status;
    PVGI_TRY_DONE(pvgi_network_builder_new(&builder, x->rows));
    PVGI_TRY_DONE(pvgi_network_builder_features(builder, x, PVGI_ORIGIN_PUBLIC));
    PVGI_TRY_DONE(pvgi_network_builder_finish(&data, builder));
    status = pvgi_network_predict(out, model, data, PVG_PREDICT_PROBABILITIES, run);
done:
    pvgi_network_dataset_free(data);
    pvgi_network_builder_free(builder);
    return status;
}

int32_t pvgi_learn_network_rows(double *out, const char *text, const double *x,
                                int64_t rows, int64_t columns, const int32_t *labels,
                                const int32_t *checks, int64_t classes,
                                const pvg_training_config *config, pvg_rng *rng,
                                pvgi_run *run) {
    pvg_features *features = NULL;
    int32_t status = pvg_features_from_dense(&features, rows, columns, x);
    if (status == PVG_OK)
        status = pvgi_learn_network(out, NULL, text, features, labels, checks, classes,
                                    config, rng, run);
    pvg_features_free(features);
    return status;
}

/* Class shares of the labelled nodes. */
static void shares(double *out, const int32_t *labels, int64_t order, int64_t classes) {
    double count = (double)classes;
    for (int64_t c = 0; c < classes; c++) out[c] = 1.0;
    for (int64_t v = 0; v < order; v++)
        if (labels[v] >= 0) {
            out[labels[v]] += 1.0;
            count += 1.0;
        }
    for (int64_t c = 0; c < classes; c++) out[c] /= count;
    for (int64_t v = 1; v < order; v++)
        memcpy(out + v * classes, out, (size_t)classes * sizeof *out);
}

/* The largest number is brought to [1/2, 1) first, so that no square overflows or
 * vanishes, whatever the unit: a power of two, exact. */
void pvgi_learn_unit_row(double *row, int64_t count) {
    double largest = 0.0, sum = 0.0;
    int exponent;
    for (int64_t j = 0; j < count; j++) largest = fmax(largest, fabs(row[j]));
    if (!(largest > 0.0)) return;
    frexp(largest, &exponent);
    for (int64_t j = 0; j < count; j++) {
        row[j] = ldexp(row[j], -exponent);
        sum += row[j] * row[j];
    }
    for (int64_t j = 0; j < count; j++) row[j] /= sqrt(sum);
}

/* A copy with rows of length 1, or 0. */
int32_t pvgi_learn_unit_rows(pvg_features **out, const pvg_features *x) {
    double *values = pvgi_alloc((size_t)x->offsets[x->rows] + 1, sizeof *values);
    if (!values) return pvgi_fail_nomem();
    if (x->offsets[x->rows] > 0)
        memcpy(values, x->values, (size_t)x->offsets[x->rows] * sizeof *values);
    for (int64_t v = 0; v < x->rows; v++)
        pvgi_learn_unit_row(values + x->offsets[v], x->offsets[v + 1] - x->offsets[v]);
    const int32_t status =
        pvg_features_from_csr(out, x->rows, x->columns, x->offsets, x->indices, values);
    pvgi_free(values);
    return status;
}

static int32_t project(pvg_features **out, const pvg_features *x, int64_t columns,
                       pvgi_run *run) {
    double *rows;
    int32_t status;
    if (columns > x->columns) columns = x->columns;
    if (columns > x->rows) columns = x->rows;
    rows = pvgi_alloc((size_t)x->rows, (size_t)columns * sizeof *rows);
    if (!rows) return pvgi_fail_nomem();
    status = pvgi_learn_directions(rows, x, columns, run);
    for (int64_t i = 0; i < x->rows * columns && status == PVG_OK; i++)
        rows[i] *= sqrt((double)columns);
    if (status == PVG_OK) status = pvg_features_from_dense(out, x->rows, columns, rows);
    pvgi_free(rows);
    return status;
}

/* Mean -ln p of the checked classes. */
static double check_loss(const double *p, const int32_t *labels, const int32_t *checks,
                         int64_t order, int64_t classes) {
    double sum = 0.0, count = 0.0;
    for (int64_t v = 0; v < order; v++)
        if (labels[v] < 0 && checks[v] >= 0) {
            sum -= log(fmax(p[v * classes + checks[v]], 1e-300));
            count++;
        }
    return count > 0.0 ? sum / count : 0.0;
}

/* How much weights decay: bags of thousands of words want a tenth of what few features
 * want. One network of each kind, the lower loss on checks; out lends its memory. */
int32_t pvgi_learn_choose_decay(double *decay, double *out, const char *text,
                                const pvg_features *x, const int32_t *labels,
                                const int32_t *checks, int64_t classes, pvg_rng *rng,
                                pvgi_run *run) {
    static const double decays[2] = {5e-4, 5e-5};
    double best = INFINITY;
    *decay = decays[0];
    for (int i = 0; checks && i < 2; i++) {
        const pvg_training_config probe = {.averages = 1, .decay = decays[i]};
        PVGI_TRY(pvgi_learn_network(out, NULL, text, x, labels, checks, classes, &probe,
                                    rng, run));
        const double loss = check_loss(out, labels, checks, x->rows, classes);
        if (!(loss < best)) continue;
        best = loss;
        *decay = decays[i];
    }
    return PVG_OK;
}

/* Whether a row may be one that was normalised before: it stays as it is, so that what a
 * pipeline lends as its prior makes the same pipeline again. */
static bool is_settled(const double *row, int64_t classes, double floor) {
    double sum = 0.0;
    for (int64_t c = 0; c < classes; c++) {
        if (!(row[c] >= 0.5 * floor)) return false;
        sum += row[c];
    }
    return fabs(sum - 1.0) <= (double)classes * 0x1p-52;
}

int32_t pvgi_learn_encode(double *out, const pvg_features *features,
                          const int32_t *labels, int64_t order,
                          const pvgi_encoding *encoding, pvg_rng *rng, pvgi_run *run) {
    const int64_t C = encoding->classes;
    const bool all = encoding->folded;
    pvg_training_config training = {.averages = encoding->averages,
                                    .calibrate = encoding->checks != NULL};
    double *folded = NULL;
    char text[96];
    pvg_features *x = NULL;
    int32_t status;
    if (encoding->prior || !features) {
        if (encoding->prior)
            memcpy(out, encoding->prior, (size_t)(order * C) * sizeof *out);
        else
            shares(out, labels, order, C);
        for (int64_t v = 0; v < order; v++)
            if (!is_settled(out + v * C, C, pow(10.0, -FLOOR_DIGITS)))
                pvgi_learn_normalise(out + v * C, 1, C, pow(10.0, -FLOOR_DIGITS));
        return PVG_OK;
    }
    int64_t directions = encoding->directions;
    if (directions == 0 && features->offsets[order] / DIRECTIONS > order)
        directions = DIRECTIONS;
    status = directions > 0 ? project(&x, features, directions, run)
                            : pvgi_learn_unit_rows(&x, features);
    /* entries of bags of words may go by halves; directions each count */
    snprintf(text, sizeof text, "drop %s | dense %lld relu drop .5 | dense classes",
             directions > 0 ? ".2" : ".5", (long long)encoding->hidden);
    if (status == PVG_OK)
        status = pvgi_learn_choose_decay(&training.decay, out, text, x, labels,
                                         encoding->checks, C, rng, run);
    if (status == PVG_OK)
        status = pvgi_learn_network(out, NULL, text, x, labels, encoding->checks, C,
                                    &training, rng, run);
    if (status == PVG_OK && all) {
        training.folds = 2;
        folded = pvgi_alloc((size_t)order, (size_t)C * sizeof *folded);
        status = folded ? pvgi_learn_network(folded, NULL, text, x, labels,
                                             encoding->checks, C, &training, rng, run)
                        : pvgi_fail_nomem();
    }
    for (int64_t v = 0; status == PVG_OK && all && v < order; v++)
        if (labels[v] >= 0) memcpy(out + v * C, folded + v * C, (size_t)C * sizeof *out);
    pvgi_free(folded);
    if (status == PVG_OK) pvgi_learn_normalise(out, order, C, pow(10.0, -FLOOR_DIGITS));
    pvg_features_free(x);
    return status;
}
