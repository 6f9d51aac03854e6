/* privgraph attack explain, attack reconstruct: what explanations of a graph network give
 * away about its edges, on public test data. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *network_text = "drop .5 | gcn 32 relu | drop .5 | gcn classes";
static int64_t positives, window, cuts, steps;
static double sigma;
static int explainer, signal_kind, published, diffusion, ordered;

static const option target_list[] = {
    {"network", 0, OPTION_TEXT, "TEXT", &network_text,
     "the model that is explained (default: two gcn layers of 32 columns with dropout)"},
    {"published", 0, OPTION_FLAG, NULL, &published,
     "gnn-explainer with the sum over features of published attack code: it returns its "
     "random start"},
    {0},
};
static const option_group target_options = {"Target", target_list};

static const option links_list[] = {
    {"explainer", 'x', OPTION_CHOICE,
     "@EXPLAINER:grad|grad-input|grad-ball|grad-input-ball|graph-lime|gnn-explainer",
     &explainer, "how (default grad)"},
    {"positives", 0, OPTION_WHOLE, "N", &positives,
     "edges that are asked for, and as many pairs of each other kind (default 1000)"},
    {0},
};
static const option_group links_options = {"Questions", links_list};

/* Words after the explainers are no explainers. */
enum { SIGNAL_FEATURES = 6, SIGNAL_NOTHING = 7 };
static const option windows_list[] = {
    {"signal", 'x', OPTION_CHOICE,
     "grad|grad-input|grad-ball|grad-input-ball|graph-lime|gnn-explainer|features|"
     "nothing",
     &signal_kind, "what the attacker sees of every node (default grad)"},
    {"window", 'w', OPTION_WHOLE, "N", &window, "nodes of a window (default 20)"},
    {"cuts", 0, OPTION_WHOLE, "N", &cuts, "cuts into two halves (default 5)"},
    {"steps", 0, OPTION_WHOLE, "N", &steps, "of learning (default 350)"},
    {"sigma", 0, OPTION_REAL, "X", &sigma,
     "Gaussian noise in each of 32 directions of a row of length 1 (default none)"},
    {"diffusion", 0, OPTION_FLAG, NULL, &diffusion, "diffusion too, which takes longer"},
    {"ordered", 0, OPTION_FLAG, NULL, &ordered,
     "windows in the order of their search: shows what position alone tells"},
    {0},
};
static const option_group windows_options = {"Windows", windows_list};

typedef struct {
    input in;
    int64_t order, columns;
    double *x; /* order x columns, rows of length 1 */
    pvg_features *features;
    pvg_dataset *data;
    pvg_model *model;
    pvg_rng *rng;
} target_model;

static void scale_rows(double *x, int64_t order, int64_t columns) {
    for (int64_t v = 0; v < order; v++) {
        double square = 0.0;
        for (int64_t j = 0; j < columns; j++)
            square += x[v * columns + j] * x[v * columns + j];
        for (int64_t j = 0; j < columns && square > 0.0; j++)
            x[v * columns + j] /= sqrt(square);
    }
}

static void train(target_model *t, const char *path) {
    const pvg_training_config config = {.size = sizeof config,
                                        .select = PVG_SELECT_ACCURACY,
                                        .epochs = 150,
                                        .patience = -1};
    pvg_dataset_builder *builder;
    pvg_network *network;
    double accuracy;
    input_must_be_public(path);
    input_load(&t->in, path, WANT_FEATURES | WANT_LABELS);
    if (!t->in.labels || !t->in.features)
        fail(CODE_FAILED, "%s: not a node-level folder with edges, features and labels",
             path);
    t->order = pvg_graph_order(t->in.graph);
    t->columns = pvg_features_columns(t->in.features);
    t->x = take((size_t)(t->order * t->columns) + 1, sizeof *t->x);
    must(pvg_features_copy_dense(t->x, t->in.features, 0, t->order));
    scale_rows(t->x, t->order, t->columns);
    must(pvg_features_from_dense(&t->features, t->order, t->columns, t->x));
    t->rng = rng_wanted();
    uint64_t *words = take((size_t)t->order, sizeof *words);
    int32_t *parts = take((size_t)t->order, sizeof *parts);
    must(pvg_rng_draw_below(words, t->order, 4, t->rng));
    for (int64_t v = 0; v < t->order; v++)
        parts[v] = words[v] < 2 ? PVG_PART_TRAIN : (int32_t)words[v] - 1;
    must(pvg_dataset_builder_new(&builder, t->order));
    must(pvg_dataset_builder_add_public_graph(builder, t->in.graph));
    must(pvg_dataset_builder_add_public_features(builder, t->features));
    must(pvg_dataset_builder_add_public_labels(builder, t->in.labels));
    must(pvg_dataset_builder_set_split(builder, parts, t->order));
    must(pvg_dataset_builder_finish(&t->data, builder));
    pvg_dataset_builder_free(builder);
    must(pvg_network_from_text(&network, network_text, t->columns,
                               pvg_labels_classes(t->in.labels)));
    must(pvg_model_train(&t->model, network, t->data, &config, NULL, t->rng,
                         run_begin("training", 150, "epochs")));
    must(pvg_model_score(&accuracy, NULL, t->model, t->data, PVG_PART_TEST, NULL));
    note("target: right on %.1f %% of the test nodes", 100.0 * accuracy);
    pvg_network_free(network);
    free(words);
    free(parts);
}

static void close_target(target_model *t) {
    pvg_model_free(t->model);
    pvg_dataset_free(t->data);
    pvg_features_free(t->features);
    pvg_rng_free(t->rng);
    free(t->x);
    input_free(&t->in);
}

static double *explain(target_model *t, int32_t how) {
    const pvg_explain_config config = {.size = sizeof config, .published = published};
    double *rows = take((size_t)(t->order * t->columns) + 1, sizeof *rows);
    must(pvg_explain_exact(rows, how, t->model, t->data, NULL, t->order, &config, t->rng,
                           run_begin("explaining", (double)t->order, "nodes")));
    return rows;
}

/* As a table, or as JSON. */
static void write_table(table *t, const char *key) {
    output *out = output_open(common_output);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        table_json(t, &j, key);
        json_end(&j, '}');
        output_text(out, "\n");
    } else {
        table_print(t, out);
    }
    output_commit_one(out);
    table_free(t);
}

static void run_links(int count, char **operands) {
    target_model t = {0};
    pvg_attack *attack;
    (void)count;
    train(&t, operands[0]);
    double *rows = explain(&t, explainer);
    const pvg_attack_config config = {.size = sizeof config,
                                      .metric = explainer == PVG_EXPLAINER_GNN_EXPLAINER
                                                    ? PVG_METRIC_CENTRED
                                                    : PVG_METRIC_COSINE,
                                      .positives = positives,
                                      .features = t.features};
    must(pvg_attack_links_rows(&attack, rows, t.columns, t.in.graph, &config, t.rng,
                               run_begin("attacking", 1, "graph")));
    run_done();
    table *out = table_new();
    table_column(out, "negatives", "negatives");
    table_column(out, "auc", "AUC");
    table_column(out, "auc_low", "from");
    table_column(out, "auc_high", "to");
    table_column(out, "control", "best control");
    table_column(out, "control_auc", "its AUC");
    table_column(out, "excess", "excess");
    table_column(out, "excess_low", "from");
    table_column(out, "excess_high", "to");
    for (int32_t kind = 0; kind < 3; kind++) {
        pvg_attack_report report = {.size = sizeof report};
        must(pvg_attack_copy_report(&report, attack, kind));
        table_text(out, attack_kinds[kind]);
        table_real(out, report.auc);
        table_real(out, report.auc_low);
        table_real(out, report.auc_high);
        table_text(out, attack_control(&report));
        table_real(out, report.control_auc);
        table_real(out, report.excess);
        table_real(out, report.excess_low);
        table_real(out, report.excess_high);
    }
    write_table(out, "attacks");
    note("an AUC over pairs also finds classes: it refutes no epsilon, and a low one "
         "proves nothing");
    pvg_attack_free(attack);
    free(rows);
    close_target(&t);
}

static const char *const score_words[] = {
    "attack",  "cosine",   "twin",          "diffusion", "position",
    "density", "features", "features-twin", "memoriser", "random rows"};

static void run_windows(int count, char **operands) {
    target_model t = {0};
    pvg_reconstruction *found;
    (void)count;
    const pvg_reconstruct_config config = {.size = sizeof config,
                                           .diffusion = diffusion,
                                           .ordered = ordered,
                                           .window = window,
                                           .cuts = cuts,
                                           .steps = steps,
                                           .sigma = sigma};
    train(&t, operands[0]);
    double *rows = signal_kind == SIGNAL_NOTHING    ? take((size_t)t.order, sizeof *rows)
                   : signal_kind == SIGNAL_FEATURES ? NULL
                                                    : explain(&t, signal_kind);
    const bool explained = signal_kind < SIGNAL_FEATURES;
    must(pvg_attack_reconstruct(&found, rows ? rows : t.x,
                                signal_kind == SIGNAL_NOTHING ? 1 : t.columns,
                                explained ? t.x : NULL, t.columns, t.in.graph, &config,
                                t.rng, run_begin("reconstructing", 1, "graph")));
    run_done();
    table *out = table_new();
    table_column(out, "score", "score");
    table_column(out, "auc", "AUC");
    table_column(out, "auc_low", "from");
    table_column(out, "auc_high", "to");
    table_column(out, "held_out", "held out");
    table_column(out, "chosen", "chosen");
    table_column(out, "excess", "excess");
    pvg_reconstruct_report report = {.size = sizeof report};
    for (int32_t score = 0; score < (int)COUNT_OF(score_words); score++) {
        must(pvg_reconstruction_copy_report(&report, found, score));
        if (report.windows == 0) continue;
        table_text(out, score_words[score]);
        table_real(out, report.auc);
        table_real(out, report.auc_low);
        table_real(out, report.auc_high);
        if (isnan(report.held_out)) /* a control is not chosen */
            table_text(out, "-");
        else
            table_real(out, report.held_out);
        table_real(out, report.chosen);
        table_real(out, report.excess);
    }
    write_table(out, "scores");
    if (sigma > 0.0)
        note("the noise is mu = %.3g for a row of the unknown half, and mu = %.3g for an "
             "edge, which can move all of them",
             report.mu_row, report.mu_edge);
    note("best control, which never sees the signal: %s, AUC %.3f",
         score_words[report.control], report.control_auc);
    pvg_reconstruction_free(found);
    free(rows);
    close_target(&t);
}

const command command_attack_explain = {
    .name = "attack explain",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "which edges explanations of a graph network give away (test data)",
    .text = "Trains a graph network on a node-level folder of public test data (edges, "
            "features, labels; half of the nodes learn), explains what it says about "
            "every node, and asks whether nodes with similar explanations are joined "
            "(ExplainSim), against three kinds of pairs without an edge. The excess over "
            "the best control is what the explanations add to features and degrees.",
    .groups = {&links_options, &target_options, &public_options, &input_options,
               &common_options},
    .examples = {{"privgraph attack explain cora/ --public-input", "by gradients"},
                 {"privgraph attack explain cora/ --public-input -x gnn-explainer --json",
                  "by learnt masks"}},
    .run = run_links,
};

const command command_attack_reconstruct = {
    .name = "attack reconstruct",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "rebuilds parts of a graph from explanations (PrivX; test data)",
    .text = "Trains a graph network on a node-level folder of public test data and lets "
            "an attacker rebuild windows of nodes from a row of numbers per node: it "
            "knows the edges among one half of the nodes, learns there, chooses on nodes "
            "it held out, and is judged on the other half. Controls never see the rows: "
            "position in a window, density, features.",
    .groups = {&windows_options, &target_options, &public_options, &input_options,
               &common_options},
    .examples =
        {{"privgraph attack reconstruct cora/ --public-input -w 8 --cuts 2 --steps 100",
          "from gradients, quickly"},
         {"privgraph attack reconstruct cora/ --public-input -x features -w 8 --cuts 2 "
          "--steps 100",
          "from features alone (PrivF)"}},
    .run = run_windows,
};
