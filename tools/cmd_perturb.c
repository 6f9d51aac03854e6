/* privgraph perturb: private graphs, features and labels: outputs that look like their
 * inputs. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double epsilon = NAN, delta = NAN;

static void set_target(pvg_target *target) {
    if (isnan(epsilon)) usage_error("--epsilon is missing");
    if (epsilon <= 0.0) usage_error("--epsilon must be more than 0");
    *target = (pvg_target){
        .size = sizeof *target, .epsilon = epsilon, .allow_seeded = secrecy_seed.given};
}

#define EPSILON_OPTION                                                                   \
    { "epsilon", 'e', OPTION_REAL, "X", &epsilon, "budget: epsilon > 0" }

/* --- graph ---------------------------------------------------------------------- */

enum { METHOD_RESPONSE, METHOD_DPRR };

static int method = METHOD_RESPONSE, format, reports, split;
static double keep, degree_share;
static int64_t most_edges;

static const option graph_list[] = {
    EPSILON_OPTION,
    {"method", 0, OPTION_CHOICE, "response|dprr", &method,
     "response: every pair of nodes answers by randomised response (default); dprr: "
     "neighbour lists thinned to a noisy degree, as sparse as the graph"},
    {"keep", 0, OPTION_REAL, "X", &keep,
     "response: chance that an edge stays (default: the largest); a smaller one gives a "
     "sparser graph"},
    {"reports", 0, OPTION_CHOICE, "owned|half|published", &reports,
     "dprr: which lists users report (default owned); published gives directed lists"},
    {"split", 0, OPTION_CHOICE, "share|balanced", &split,
     "dprr: how epsilon is split between degrees and lists (default share)"},
    {"degree-share", 0, OPTION_REAL, "X", &degree_share,
     "dprr: share of epsilon for degrees (default 0.1)"},
    {"most-edges", 0, OPTION_WHOLE, "N", &most_edges,
     "refuse if noise would add more edges (default 2^28 for response)"},
    {"format", 'f', OPTION_CHOICE, GRAPH_FORMATS, &format,
     "format to write (default: by the name of --output; an edge list on stdout)"},
    {0},
};
static const option_group graph_options = {"Perturbation", graph_list};

static pvg_perturber *new_graph_perturber(void) {
    pvg_perturber *perturber = NULL;
    pvg_target target;
    set_target(&target);
    if (method == METHOD_RESPONSE) {
        const pvg_response_config config = {
            .size = sizeof config, .keep = keep, .edge_limit = most_edges};
        if (reports || split || degree_share > 0.0)
            usage_error("--reports, --split and --degree-share belong to --method dprr");
        must(pvg_perturber_new_response(&perturber, &config, &target));
    } else {
        const pvg_dprr_config config = {.size = sizeof config,
                                        .reports = reports,
                                        .split = split,
                                        .degree_share = degree_share,
                                        .most_entries = most_edges};
        if (keep > 0.0) usage_error("--keep belongs to --method response");
        must(pvg_perturber_new_dprr(&perturber, &config, &target));
    }
    return perturber;
}

/* Directed lists: "user entry" per line. */
static void put_lists(output *out, const pvg_release *release) {
    const int64_t *offsets = NULL;
    const int32_t *targets = NULL;
    int64_t count = 0;
    must(pvg_release_view_lists(&offsets, &targets, &count, release));
    output_text(out, "# order %lld\n# directed: user and entry of the user's list\n",
                (long long)count);
    for (int64_t u = 0; u < count; u++)
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
            output_text(out, "%lld %d\n", (long long)u, (int)targets[i]);
}

static void json_pairs(json *j, const pvg_release *release) {
    const pvg_graph *graph = NULL;
    const int64_t *offsets = NULL;
    const int32_t *targets = NULL;
    int64_t count = 0;
    const bool directed = pvg_release_view_graph(&graph, release) != PVG_OK;
    if (directed) {
        must(pvg_release_view_lists(&offsets, &targets, &count, release));
    } else {
        must(pvg_graph_view_csr(&offsets, &targets, graph));
        count = pvg_graph_order(graph);
    }
    json_whole(j, "order", count);
    json_bool(j, "directed", directed);
    json_begin(j, "edges", '[');
    for (int64_t u = 0; u < count; u++)
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++) {
            if (!directed && targets[i] < u) continue;
            json_begin(j, NULL, '[');
            json_whole(j, NULL, u);
            json_whole(j, NULL, targets[i]);
            json_end(j, ']');
        }
    json_end(j, ']');
}

static void put_graph_release(output *out, const pvg_release *release,
                              const char *guarantee) {
    const pvg_graph *graph = NULL;
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        json_raw(&j, "guarantee", guarantee);
        json_pairs(&j, release);
        json_end(&j, '}');
    } else if (pvg_release_view_graph(&graph, release) == PVG_OK) {
        graph_put(out, graph, graph_format(common_output, format, false));
    } else {
        put_lists(out, release);
    }
}

/* From public numbers, before anything is spent. */
static void say_added(const pvg_perturber *perturber, int64_t order) {
    double expected = 0.0;
    if (method == METHOD_RESPONSE &&
        pvg_perturber_preview_edges(&expected, NULL, perturber, order) == PVG_OK)
        note("noise adds about %.3g edges to %lld nodes", expected, (long long)order);
}

static void run_graph(int count, char **operands) {
    input in;
    door d;
    pvg_release *release = NULL;
    (void)count;
    pvg_perturber *perturber = new_graph_perturber();
    if (!common_json) graph_format(common_output, format, false); /* fails early */
    input_load(&in, operands[0], 0);
    input_require_order(&in);
    if (!in.graph && pvg_graphset_count(in.set) != 1)
        fail(CODE_FAILED, "%s: perturb takes one graph, not a set", operands[0]);
    if (!in.graph) must(pvg_graphset_get(&in.graph, in.set, 0));
    say_added(perturber, pvg_graph_order(in.graph));
    door_open(&d, common_json ? VALUES_JSON : VALUES_CSV, 1, false);
    must(pvg_release_draw_graph(
        &release, perturber, in.graph, d.objects[0], d.rng, d.ledger,
        run_begin("perturbing", (double)pvg_graph_order(in.graph), "nodes")));
    run_done();
    door_pass(&d, release);
    put_graph_release(d.data, release, d.guarantee);
    door_close(&d, release);
    pvg_release_free(release);
    input_free(&in);
    pvg_perturber_free(perturber);
}

const command command_perturb_graph = {
    .name = "perturb graph",
    .operands = "INPUT",
    .least = 1,
    .most = 1,
    .summary = "a private graph on the same nodes",
    .text =
        "Writes a graph on the same nodes whose edges are partly true and partly noise, "
        "such that no single edge of INPUT can be told. What is released is the whole "
        "graph: everything computed from it is covered by the guarantee.\n\n"
        "Randomised response on all pairs adds very many edges at small epsilon: about "
        "n^2 / (2 (1 + e^epsilon)). --method dprr keeps the number of edges.",
    .groups = {&graph_options, &ledger_options, &input_options, &seed_options,
               &common_options},
    .examples = {{"privgraph perturb graph --epsilon 5 --order 1000 friends.txt -o "
                  "private.txt",
                  "and the guarantee in private.txt.guarantee.json"},
                 {"privgraph perturb graph -e 2 --method dprr graph.mtx.gz -f sparse6",
                  "about as sparse as the input, on stdout"}},
    .run = run_graph,
};

/* --- features ------------------------------------------------------------------- */

static int feature_method, feature_noise, values_format;
static int64_t columns, sampled;
static double low = 0.0, high = 1.0;

static const option feature_list[] = {
    EPSILON_OPTION,
    {"delta", 'd', OPTION_REAL, "X", &delta,
     "budget: delta, for gaussian noise only (default 1e-6)"},
    {"method", 0, OPTION_CHOICE, "multibit|one-bit|noise", &feature_method,
     "multibit: a few columns of each user by one random bit each (default); one-bit: "
     "all "
     "columns; noise: added to every number"},
    {"noise", 0, OPTION_CHOICE, "laplace|gaussian|discrete-gaussian", &feature_noise,
     "law of --method noise (default laplace)"},
    {"columns", 0, OPTION_WHOLE, "D", &columns, "number of features; public"},
    {"low", 0, OPTION_SIGNED, "X", &low, "public lower end of a feature (default 0)"},
    {"high", 0, OPTION_SIGNED, "X", &high, "public upper end (default 1)"},
    {"sampled", 0, OPTION_WHOLE, "M", &sampled,
     "multibit: columns that each user reports (default: the best for epsilon)"},
    {"format", 'f', OPTION_CHOICE, "csv|json|npy", &values_format,
     "format of the data (default csv; --json is --format json)"},
    {0},
};
static const option_group feature_options = {"Perturbation", feature_list};

static pvg_perturber *new_feature_perturber(void) {
    static const int32_t laws[] = {PVG_NOISE_LAPLACE, PVG_NOISE_GAUSSIAN,
                                   PVG_NOISE_DISCRETE_GAUSSIAN};
    pvg_perturber *perturber = NULL;
    pvg_target target;
    set_target(&target);
    if (columns == 0)
        usage_error("--columns is missing: the number of features, which must be public");
    if (!(low < high)) usage_error("--low must be less than --high");
    if (feature_method == PVG_FEATURES_NOISE) {
        target.noise = laws[feature_noise];
        if (feature_noise > 0) target.delta = isnan(delta) ? 1e-6 : delta;
    } else if (feature_noise) {
        usage_error("--noise belongs to --method noise");
    }
    if (!isnan(delta) && target.delta == 0.0)
        usage_error("--delta belongs to gaussian noise");
    const pvg_features_config config = {.size = sizeof config,
                                        .method = feature_method,
                                        .columns = columns,
                                        .ranges = 1,
                                        .sampled = sampled,
                                        .clamp = 1};
    must(pvg_perturber_new_features(&perturber, &config, &target, &low, &high));
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
    if (common_json && values_format > 0 && values_format != VALUES_JSON)
        usage_error("--json and --format exclude each other");
    const int to = common_json ? VALUES_JSON : values_format;
    pvg_perturber *perturber = new_feature_perturber();
    input_set_columns(columns);
    input_load(&in, operands[0], WANT_FEATURES);
    if (!in.features) fail(CODE_FAILED, "%s: there is no features.txt", operands[0]);
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
    .groups = {&feature_options, &ledger_options, &input_options, &seed_options,
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
    EPSILON_OPTION,
    {"classes", 0, OPTION_WHOLE, "K", &classes, "number of classes; public"},
    {0},
};
static const option_group label_options = {"Perturbation", label_list};

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
    pvg_perturber *perturber = NULL;
    pvg_target target;
    (void)count;
    set_target(&target);
    if (classes == 0)
        usage_error("--classes is missing: the number of classes, which must be public");
    must(pvg_perturber_new_labels(&perturber, classes, &target));
    input_load(&in, operands[0], WANT_LABELS);
    if (!in.labels) fail(CODE_FAILED, "%s: there is no labels.txt", operands[0]);
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
    .groups = {&label_options, &ledger_options, &input_options, &seed_options,
               &common_options},
    .examples =
        {{"privgraph perturb labels people/ --classes 3 --epsilon 2 -o labels.txt",
          "and the guarantee in labels.txt.guarantee.json"}},
    .run = run_labels,
};
