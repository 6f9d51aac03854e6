/* privgraph classify: classes of nodes from public features and labels and private edges.
 */
#include "tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t directions = 64;
static double held_out = 0.2;
static int format;

static const option learner[] = {
    {"directions", 'k', OPTION_WHOLE, "K", &directions,
     "directions of the features that the encoder sees (default 64)"},
    {"held-out", 0, OPTION_REAL, "X", &held_out,
     "share of the labelled nodes that choose among settings and send nothing (default "
     "0.2; 0: nothing is chosen)"},
    {"format", 'f', OPTION_CHOICE, "csv|json|npy", &format,
     "format of the data (default csv; --json is --format json)"},
    {0},
};
static const option_group learner_options = {"Learner (spends nothing)", learner};

static int format_wanted(void) {
    if (common_json && format > 0 && format != VALUES_JSON)
        usage_error("--json and --format exclude each other");
    return common_json ? VALUES_JSON : format;
}

/* A public coin: splitmix64 of the number of a node, in [0, 1). */
static double coin(uint64_t node) {
    uint64_t z = (node + 1) * UINT64_C(0xD1B54A32D192ED03);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* What the learner knows: labels of learning nodes, of choosing nodes, -1 elsewhere. */
typedef struct {
    int64_t order, classes, choosing;
    int32_t *labels, *checks;
    double *prior;
} task;

static void split(task *t, const input *in) {
    const int32_t *all;
    must(pvg_labels_view(&all, in->labels));
    t->order = pvg_graph_order(in->graph);
    t->classes = pvg_labels_classes(in->labels);
    if (pvg_labels_count(in->labels) != t->order)
        fail(CODE_FAILED, "%lld labels for %lld nodes",
             (long long)pvg_labels_count(in->labels), (long long)t->order);
    if (t->classes < 2) fail(CODE_FAILED, "labels.txt has fewer than 2 classes");
    t->labels = take((size_t)t->order + 1, sizeof *t->labels);
    t->checks = take((size_t)t->order + 1, sizeof *t->checks);
    for (int64_t v = 0; v < t->order; v++) {
        const bool chooses = all[v] >= 0 && coin((uint64_t)v) < held_out;
        t->labels[v] = chooses ? -1 : all[v];
        t->checks[v] = chooses ? all[v] : -1;
        t->choosing += chooses;
    }
}

static double right(const task *t, const double *prior) {
    double hits = 0.0;
    for (int64_t v = 0; v < t->order; v++) {
        int64_t best = 0;
        if (t->checks[v] < 0) continue;
        for (int64_t c = 1; c < t->classes; c++)
            if (prior[v * t->classes + c] > prior[v * t->classes + best]) best = c;
        hits += best == t->checks[v];
    }
    return hits;
}

/* Class shares of the labelled nodes. */
static void without_features(task *t) {
    double *shares = take((size_t)t->classes, sizeof *shares), count = 0.0;
    for (int64_t v = 0; v < t->order; v++)
        if (t->labels[v] >= 0) {
            shares[t->labels[v]] += 1.0;
            count += 1.0;
        }
    for (int64_t v = 0; v < t->order; v++)
        for (int64_t c = 0; c < t->classes; c++)
            t->prior[v * t->classes + c] =
                (shares[c] + 1.0) / (count + (double)t->classes);
    free(shares);
}

/* Logistic regression on the directions; its penalty by the nodes that choose. */
static void with_features(task *t, const pvg_features *features) {
    static const double penalties[] = {1.0, 0.1, 0.3, 3.0, 10.0, 30.0};
    const size_t cells = (size_t)(t->order * t->classes);
    int64_t width = pvg_features_columns(features);
    if (width > pvg_features_rows(features)) width = pvg_features_rows(features);
    if (width > directions) width = directions;
    double *x = take((size_t)(t->order * width), sizeof *x), best = -1.0;
    double *trial = take(cells, sizeof *trial);
    must(pvg_directions_project(x, features, width, run_begin("features", 1, "pass")));
    for (int64_t i = 0; i < t->order * width; i++) x[i] *= sqrt((double)width);
    for (size_t i = 0; i < (t->choosing > 0 ? COUNT_OF(penalties) : 1); i++) {
        const pvg_logistic_config config = {.size = sizeof config,
                                            .classes = t->classes,
                                            .penalty = penalties[i],
                                            .tolerance = 1e-4};
        pvg_logistic *model;
        must(pvg_logistic_fit(&model, &config, x, t->labels, t->order, width,
                              run_begin("encoder", 1, "fit")));
        must(pvg_logistic_predict(trial, model, x, t->order, NULL));
        pvg_logistic_free(model);
        if (right(t, trial) > best) {
            best = right(t, trial);
            memcpy(t->prior, trial, cells * sizeof *trial);
        }
    }
    run_done();
    free(x);
    free(trial);
}

static char **class_names(int64_t classes) {
    char **names = take((size_t)classes + 2, sizeof *names);
    names[0] = text_copy("class");
    for (int64_t c = 0; c < classes; c++) {
        names[c + 1] = take(32, 1);
        snprintf(names[c + 1], 32, "p%" PRId64, c);
    }
    return names;
}

/* The likeliest class, then the probabilities. */
static void write_classes(door *d, const task *t, const double *posterior) {
    const int64_t width = t->classes + 1;
    double *numbers = take((size_t)(t->order * width), sizeof *numbers);
    for (int64_t v = 0; v < t->order; v++) {
        const double *row = posterior + v * t->classes;
        int64_t best = 0;
        for (int64_t c = 1; c < t->classes; c++)
            if (row[c] > row[best]) best = c;
        numbers[v * width] = (double)best;
        memcpy(numbers + v * width + 1, row, (size_t)t->classes * sizeof *row);
    }
    values v = {t->order, width, numbers, class_names(t->classes), d->guarantee};
    values_write(d->data, &v, format_wanted());
    names_free(v.names);
    free(numbers);
}

static void classify(task *t, const input *in) {
    door d;
    pvg_release *release = NULL;
    pvg_target target;
    const pvg_posterior_config config = {.size = sizeof config,
                                         .classes = t->classes,
                                         .checks = t->choosing > 0 ? t->checks : NULL};
    double *posterior = take((size_t)(t->order * t->classes), sizeof *posterior);
    plain_target(&target);
    door_open(&d, format_wanted(), 1, false);
    must(pvg_classify_nodes(posterior, &release, NULL, in->graph, t->prior, t->labels,
                            &config, 0.0, &target, d.objects[0], d.rng, d.ledger,
                            run_begin("classifying", (double)t->order, "nodes")));
    run_done();
    door_pass(&d, release);
    write_classes(&d, t, posterior);
    if (t->choosing > 0)
        note("right on %lld labelled nodes that were held out: %.1f %% (features only "
             "%.1f %%); settings were chosen by them",
             (long long)t->choosing, 100.0 * right(t, posterior) / (double)t->choosing,
             100.0 * right(t, t->prior) / (double)t->choosing);
    door_close(&d, release);
    pvg_release_free(release);
    free(posterior);
}

static void run(int count, char **operands) {
    input in;
    task t = {0};
    (void)count;
    if (held_out >= 1.0) usage_error("--held-out must be below 1");
    if (directions < 1) usage_error("--directions must be at least 1");
    input_load(&in, operands[0], WANT_FEATURES | WANT_LABELS);
    if (!in.labels)
        fail(CODE_FAILED, "%s: not a node-level folder with edges.txt and labels.txt",
             operands[0]);
    input_require_order(&in);
    split(&t, &in);
    t.prior = take((size_t)(t.order * t.classes) + 1, sizeof *t.prior);
    if (in.features)
        with_features(&t, in.features);
    else
        without_features(&t);
    classify(&t, &in);
    free(t.labels);
    free(t.checks);
    free(t.prior);
    input_free(&in);
}

const command command_classify = {
    .name = "classify",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "classes of nodes from public features and labels and private edges",
    .text = "Reads edges.txt, labels.txt (-1: unknown) and, if it is there, features.txt "
            "of a node-level folder and writes one row per node: its likeliest class and "
            "the probability of each. Edges are private; features and labels are taken "
            "as public, and the guarantee does not cover them.\n\n"
            "Every node counts its neighbours that come before it in a public order, by "
            "label or predicted class. One edge is in one count, so that noise of "
            "deviation 1.36 on each is enough at epsilon 1, however many counts there "
            "are. The counts never appear; what is read from them is written.",
    .groups = {&epsilon_options, &learner_options, &ledger_options, &input_options,
               &seed_options, &common_options},
    .examples = {{"privgraph classify people/ --epsilon 1 -o classes.csv",
                  "classes, guarantee in classes.csv.guarantee.json"},
                 {"privgraph classify people/ -e 2 --held-out 0 --json",
                  "all labels are sent, nothing is chosen"}},
    .run = run,
};
