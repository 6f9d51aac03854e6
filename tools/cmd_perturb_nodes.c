/* privgraph perturb features, perturb labels: what belongs to single nodes, hidden. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double delta = NAN;

/* --- features ------------------------------------------------------------------- */

static int feature_method, feature_noise = -1, format;
static int64_t columns, sampled;
static double low = 0.0, high = 1.0;
static bool refuse;

#define REFUSE_OPTION(what)                                                              \
    {                                                                                    \
        "refuse-outside", 0, OPTION_FLAG, NULL, &refuse,                                 \
            "fail if " what ". The failure tells, for free and exactly, that there is "  \
            "one: show it to nobody from whom the values are hidden"                     \
    }

static const option feature_list[] = {
    {"delta", 'd', OPTION_REAL, "X", &delta,
     "budget: delta, for gaussian noise only (default 1e-6)"},
    {"method", 0, OPTION_CHOICE, "@FEATURES:multibit|one-bit|noise", &feature_method,
     "multibit: a few columns of each user by one random bit each (default); one-bit: "
     "all "
     "columns; noise: added to every number"},
    {"noise", 0, OPTION_CHOICE, constant_noise_words, &feature_noise,
     "law of --method noise (default laplace)"},
    {"columns", 0, OPTION_WHOLE, "D", &columns, "number of features; public"},
    {"low", 0, OPTION_SIGNED, "X", &low, "public lower end of a feature (default 0)"},
    {"high", 0, OPTION_SIGNED, "X", &high, "public upper end (default 1)"},
    {"sampled", 0, OPTION_WHOLE, "M", &sampled,
     "multibit: columns that each user reports (default: the best for epsilon)"},
    {0},
};
const option_group perturb_feature_options = {"Perturbation", feature_list};

static const option feature_data_list[] = {
    REFUSE_OPTION("a value is outside the range, instead of taking the nearest end"),
    {"format", 'f', OPTION_CHOICE, "csv|json|npy", &format,
     "format of the data (default csv; --json is --format json)"},
    {0},
};
static const option_group feature_data_options = {"Data", feature_data_list};

static pvg_perturber *new_feature_perturber(void) {
    pvg_perturber *perturber = NULL;
    pvg_target target;
    plain_target(&target);
    if (columns == 0)
        usage_error("--columns is missing: the number of features, which must be public");
    if (!(low < high)) usage_error("--low must be less than --high");
    if (feature_method == PVG_FEATURES_NOISE) {
        target.noise = feature_noise < 0 ? PVG_NOISE_LAPLACE : feature_noise;
        if (!noise_spends(target.noise, PVG_CURVE_PURE))
            target.delta = isnan(delta) ? 1e-6 : delta;
    } else if (feature_noise >= 0) {
        usage_error("--noise belongs to --method noise");
    }
    if (!isnan(delta) && target.delta == 0.0)
        usage_error("--delta belongs to gaussian noise");
    const pvg_features_config config = {.size = sizeof config,
                                        .method = feature_method,
                                        .columns = columns,
                                        .ranges = 1,
                                        .sampled = sampled,
                                        .refuse = refuse};
    must(pvg_perturber_new_features(&perturber, &config, &target, &low, &high));
    return perturber;
}

pvg_perturber *perturb_features_wanted(int64_t *wide, double *from, double *to) {
    pvg_perturber *perturber = new_feature_perturber();
    *wide = columns;
    *from = low;
    *to = high;
    return perturber;
}

static char **column_names(int64_t count) {
    char **names = take((size_t)count + 1, sizeof *names);
    for (int64_t i = 0; i < count; i++) {
        names[i] = take(24, 1);
        snprintf(names[i], 24, "f%lld", (long long)i);
    }
    return names;
}

static void run_features(int count, char **operands) {
    input in;
    door d;
    pvg_release *release = NULL;
    (void)count;
    const int to = values_format(format);
    pvg_perturber *perturber = new_feature_perturber();
    input_set_columns(columns);
    input_load(&in, operands[0], WANT_FEATURES);
    if (!in.features) fail(CODE_FAILED, "%s: there is no features.txt", operands[0]);
    const int64_t users = pvg_features_rows(in.features);
    visible_check(visible_perturber, perturber, &users, 1, NULL);
    door_open(&d, to, 1, false);
    must(pvg_release_draw_features(
        &release, perturber, in.features, d.objects[0], d.rng, d.ledger,
        run_begin("perturbing", (double)pvg_features_rows(in.features), "nodes")));
    run_done();
    door_pass(&d, release);
    values v = {.rows = pvg_release_rows(release),
                .columns = pvg_release_columns(release),
                .names = column_names(pvg_release_columns(release)),
                .guarantee = d.guarantee};
    must(pvg_release_view(&v.numbers, release));
    values_write(d.data, &v, to);
    door_close(&d, release);
    names_free(v.names);
    pvg_release_free(release);
    input_free(&in);
    pvg_perturber_free(perturber);
}

const command command_perturb_features = {
    .name = "perturb features",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "private node features: each user's row is hidden",
    .text =
        "Reads features.txt of a node-level folder and writes unbiased numbers in which "
        "the features of each node are hidden (local differential privacy): means over "
        "many nodes stay right, single rows tell little. Columns and their range must be "
        "public; values outside the range count as its nearest end.",
    .groups = {&epsilon_options, &perturb_feature_options, &feature_data_options,
               &visible_options, &ledger_options, &input_options, &seed_options,
               &common_options},
    .examples = {{"privgraph perturb features people/ --columns 4 --epsilon 2 -f npy -o "
                  "features.npy",
                  "a matrix for NumPy, features in 0 .. 1"},
                 {"privgraph perturb features people/ --columns 4 --low -1 --high 1 -e 1 "
                  "--method noise --noise gaussian",
                  "Gaussian noise, at delta 1e-6"}},
    .run = run_features,
};

/* --- labels --------------------------------------------------------------------- */

static int64_t classes;

static const option label_list[] = {
    {"classes", 0, OPTION_WHOLE, "K", &classes, "number of classes; public"},
    {0},
};
const option_group perturb_label_options = {"Perturbation", label_list};

static const option label_data_list[] = {
    REFUSE_OPTION("a label is not below K, instead of taking it for the last class"),
    {0},
};
static const option_group label_data_options = {"Data", label_data_list};

pvg_perturber *perturb_labels_wanted(void) {
    pvg_perturber *perturber = NULL;
    pvg_target target;
    plain_target(&target);
    if (classes == 0)
        usage_error("--classes is missing: the number of classes, which must be public");
    const pvg_labels_config config = {
        .size = sizeof config, .refuse = refuse, .classes = classes};
    must(pvg_perturber_new_labels(&perturber, &config, &target));
    return perturber;
}

/* Estimated sizes of the classes: computed from what is released, so it costs nothing. */
static void json_histogram(json *j, const pvg_perturber *perturber, const int32_t *labels,
                           int64_t count) {
    double *estimates = take((size_t)classes, sizeof *estimates);
    if (pvg_perturber_label_histogram(estimates, NULL, perturber, labels, count) ==
        PVG_OK) {
        json_begin(j, "estimated_class_sizes", '[');
        for (int64_t i = 0; i < classes; i++) json_real(j, NULL, estimates[i]);
        json_end(j, ']');
    }
    free(estimates);
}

static void put_labels(output *out, const pvg_release *release,
                       const pvg_perturber *perturber, const char *guarantee) {
    const int32_t *labels = NULL;
    int64_t count = 0;
    json j = {.out = out};
    must(pvg_release_view_labels(&labels, &count, release));
    if (!common_json) {
        for (int64_t i = 0; i < count; i++) output_text(out, "%d\n", (int)labels[i]);
        return;
    }
    json_begin(&j, NULL, '{');
    json_raw(&j, "guarantee", guarantee);
    json_begin(&j, "labels", '[');
    for (int64_t i = 0; i < count; i++) json_whole(&j, NULL, labels[i]);
    json_end(&j, ']');
    json_histogram(&j, perturber, labels, count);
    json_end(&j, '}');
}

static void run_labels(int count, char **operands) {
    input in;
    door d;
    pvg_release *release = NULL;
    (void)count;
    pvg_perturber *perturber = perturb_labels_wanted();
    input_load(&in, operands[0], WANT_LABELS);
    if (!in.labels) fail(CODE_FAILED, "%s: there is no labels.txt", operands[0]);
    const int64_t users = pvg_labels_count(in.labels);
    visible_check(visible_perturber, perturber, &users, 1, NULL);
    door_open(&d, common_json ? VALUES_JSON : VALUES_CSV, 1, false);
    must(pvg_release_draw_labels(
        &release, perturber, in.labels, d.objects[0], d.rng, d.ledger,
        run_begin("perturbing", (double)pvg_labels_count(in.labels), "nodes")));
    run_done();
    door_pass(&d, release);
    put_labels(d.data, release, perturber, d.guarantee);
    door_close(&d, release);
    pvg_release_free(release);
    input_free(&in);
    pvg_perturber_free(perturber);
}

const command command_perturb_labels = {
    .name = "perturb labels",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "private node labels by randomised response",
    .text =
        "Reads labels.txt of a node-level folder and writes one label per line: each "
        "is kept with probability e^epsilon / (e^epsilon + classes - 1), else another "
        "is drawn. Nodes without a label (-1) stay without: who has one is public. "
        "--json adds unbiased estimates of the class sizes.",
    .groups = {&epsilon_options, &perturb_label_options, &label_data_options,
               &visible_options, &ledger_options, &input_options, &seed_options,
               &common_options},
    .examples =
        {{"privgraph perturb labels people/ --classes 3 --epsilon 2 -o labels.txt",
          "and the guarantee in labels.txt.guarantee.json"}},
    .run = run_labels,
};
