/* privgraph attack: what models and releases give away about links and members of a
 * public test graph, beside controls that know less. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *network_text, *released_path, *rows_path;
static int64_t positives, draws, per_class;
static bool as_published;

static const option common[] = {
    {"draws", 0, OPTION_WHOLE, "N", &draws,
     "of the bootstrap over nodes, for intervals (default 200)"},
    {0},
};
static const option_group common_group = {"Attack", common};

static const option links[] = {
    {"network", 0, OPTION_TEXT, "TEXT", &network_text,
     "the network to train and attack (default \"drop .5 | gcn 32 relu | drop .5 "
     "| gcn classes\"); needs features.txt and labels.txt"},
    {"released", 0, OPTION_FILE, "FILE", &released_path,
     "a release of the graph, as --release writes it: its graph or lists are read, and "
     "the ceiling of its guarantee is printed"},
    {"vectors", 0, OPTION_FILE, "FILE", &rows_path,
     "CSV or NPY with a row per node, compared by cosine: explanations, embeddings"},
    {"positives", 0, OPTION_WHOLE, "N", &positives,
     "edges asked about, and negatives of each kind (default 1000, or all edges)"},
    {0},
};
static const option_group link_options = {"Links", links};

/* Questions are public: every attack gets the same ones. */
static uint64_t asked;
static pvg_rng *questions(void) {
    pvg_rng *rng = NULL;
    must(pvg_rng_new_seeded(&rng, asked));
    return rng;
}

static void load(input *in, const char *path) {
    input_must_be_public(path);
    input_load(in, path, WANT_FEATURES | WANT_LABELS);
    if (!in->graph) fail(CODE_FAILED, "%s: an attack takes one graph", path);
}

/* --- the table ---------------------------------------------------------------------- */

const char *const attack_kinds[3] = {"uniform", "two-hop", "degree"};

static const char *const controls[] = {"features",  "posteriors", "degrees",
                                       "position",  "memoriser",  "rows",
                                       "threshold", "shares",     "random rows"};

const char *attack_control(const pvg_attack_report *r) {
    if (r->dead) return "dead model";
    if (r->silent) return "no interface";
    return r->control >= 0 && r->control < (int)COUNT_OF(controls) ? controls[r->control]
                                                                   : "none";
}

static table *begin(void) {
    table *t = table_new();
    table_column(t, "attack", "attack");
    table_column(t, "negatives", "negatives");
    table_column(t, "auc", "AUC");
    table_column(t, "auc_low", "from");
    table_column(t, "auc_high", "to");
    table_column(t, "control", "best control");
    table_column(t, "control_auc", "its AUC");
    table_column(t, "excess", "excess");
    table_column(t, "excess_low", "from");
    table_column(t, "excess_high", "to");
    table_column(t, "true_positive", "TPR at 1 %");
    table_column(t, "game_ceiling", "ceiling of the game");
    return t;
}

static double rounded(double x) {
    return isfinite(x) ? round(x * 1000.0) / 1000.0 : x;
}

/* A row for each kind of negatives; takes the attack. ceiling NaN: none. */
static void add(table *t, const char *name, pvg_attack *attack, double ceiling) {
    for (int32_t kind = 0; kind < 3; kind++) {
        pvg_attack_report r = {.size = sizeof r};
        must(pvg_attack_copy_report(&r, attack, kind));
        if (r.negative_count == 0) continue;
        table_text(t, name);
        table_text(t, attack_kinds[kind]);
        table_real(t, rounded(r.auc));
        table_real(t, rounded(r.auc_low));
        table_real(t, rounded(r.auc_high));
        table_text(t, attack_control(&r));
        table_real(t, rounded(r.control_auc));
        table_real(t, rounded(r.excess));
        table_real(t, rounded(r.excess_low));
        table_real(t, rounded(r.excess_high));
        table_real(t, rounded(r.true_positive));
        if (isnan(ceiling))
            table_text(t, "-");
        else
            table_real(t, rounded(ceiling));
    }
    pvg_attack_free(attack);
}

static void finish(table *t) {
    output *out = output_open(common_output);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        table_json(t, &j, "attacks");
        json_end(&j, '}');
    } else {
        table_print(t, out);
        output_text(out,
                    "\nAn AUC over pairs also collects what classes and degrees tell: "
                    "above the ceiling\nof the game it refutes nothing ('audit edge' "
                    "does), and a low one proves nothing.\n");
    }
    output_commit_one(out);
    table_free(t);
}

/* --- links -------------------------------------------------------------------------- */

/* Half of the labelled nodes learn, a quarter chooses, a quarter is left. */
static pvg_dataset *dataset_of(const input *in, bool with_graph) {
    const int64_t order = pvg_graph_order(in->graph);
    int32_t *parts = take((size_t)order + 1, sizeof *parts);
    pvg_dataset_builder *builder = NULL;
    pvg_dataset *data = NULL;
    for (int64_t v = 0; v < order; v++) {
        uint64_t z = ((uint64_t)v + 1) * UINT64_C(0xD1B54A32D192ED03);
        z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
        z ^= z >> 27;
        parts[v] = z % 4 < 2   ? PVG_PART_TRAIN
                   : z % 4 < 3 ? PVG_PART_VALIDATION
                               : PVG_PART_TEST;
    }
    must(pvg_dataset_builder_new(&builder, order));
    if (with_graph) must(pvg_dataset_builder_add_public_graph(builder, in->graph));
    must(pvg_dataset_builder_add_public_features(builder, in->features));
    must(pvg_dataset_builder_add_public_labels(builder, in->labels));
    must(pvg_dataset_builder_set_split(builder, parts, order));
    must(pvg_dataset_builder_finish(&data, builder));
    pvg_dataset_builder_free(builder);
    free(parts);
    return data;
}

/* Posteriors of every node by a network that is trained now. */
static double *train(pvg_model **model, const char *text, const input *in,
                     const pvg_dataset *data, pvg_rng *rng) {
    const pvg_training_config config = {.size = sizeof config,
                                        .select = PVG_SELECT_ACCURACY,
                                        .epochs = 150,
                                        .patience = -1};
    const int64_t classes = pvg_labels_classes(in->labels);
    pvg_network *network = NULL;
    double *out = take((size_t)(pvg_graph_order(in->graph) * classes) + 1, sizeof *out);
    must(pvg_network_from_text(&network, text, pvg_features_columns(in->features),
                               classes));
    must(pvg_model_train(model, network, data, &config, NULL, rng,
                         run_begin("training", 150, "epochs")));
    must(pvg_model_predict_exact(out, *model, data, PVG_PREDICT_PROBABILITIES,
                                 run_begin("predicting", 1, "pass")));
    run_done();
    pvg_network_free(network);
    return out;
}

static void attack_model(table *t, const input *in, pvg_attack_config *config,
                         pvg_rng *rng, double **without) {
    const char *text =
        network_text ? network_text : "drop .5 | gcn 32 relu | drop .5 | gcn classes";
    pvg_dataset *data = dataset_of(in, true), *bare = dataset_of(in, false);
    pvg_model *model = NULL, *blind = NULL;
    pvg_attack *attack = NULL;
    double accuracy = 0.0;
    const int64_t classes = pvg_labels_classes(in->labels);
    *without =
        train(&blind, "drop .5 | dense 32 relu | drop .5 | dense classes", in, bare, rng);
    config->posteriors = *without;
    config->posterior_columns = classes;
    double *posteriors = train(&model, text, in, data, rng);
    must(pvg_model_score(&accuracy, NULL, model, data, PVG_PART_TEST,
                         run_begin("testing", 1, "pass")));
    run_done();
    note("test accuracy of the network: %.3f", accuracy);
    pvg_rng *same = questions();
    must(pvg_attack_links_influence(&attack, model, data, in->graph, config, same,
                                    run_begin("influence", 1, "attack")));
    pvg_rng_free(same);
    run_done();
    add(t, "influence", attack, NAN);
    attack = NULL;
    same = questions();
    must(pvg_attack_links_posteriors(&attack, posteriors, classes, in->graph, config,
                                     same, run_begin("posteriors", 1, "attack")));
    pvg_rng_free(same);
    run_done();
    add(t, "posteriors", attack, NAN);
    free(posteriors);
    pvg_model_free(model);
    pvg_model_free(blind);
    pvg_dataset_free(data);
    pvg_dataset_free(bare);
}

static void attack_release(table *t, const input *in, const pvg_attack_config *config) {
    pvg_rng *rng = questions();
    pvg_release *release = NULL;
    pvg_attack *attack = NULL;
    double ceiling = NAN, rate;
    must(pvg_release_load(&release, released_path));
    must(pvg_attack_links_release(&attack, release, in->graph, config, rng,
                                  run_begin("reading", 1, "attack")));
    run_done();
    must(pvg_audit_ceiling_guarantee(&ceiling, &rate, pvg_release_guarantee(release),
                                     .01));
    add(t, "reading the release", attack, ceiling);
    pvg_release_free(release);
    pvg_rng_free(rng);
}

static void attack_rows(table *t, const input *in, const pvg_attack_config *config) {
    pvg_rng *rng = questions();
    int64_t rows, columns;
    pvg_attack *attack = NULL;
    double *matrix = values_read(rows_path, &rows, &columns);
    if (rows != pvg_graph_order(in->graph))
        fail(CODE_FAILED, "%s has %lld rows for %lld nodes", rows_path, (long long)rows,
             (long long)pvg_graph_order(in->graph));
    must(pvg_attack_links_rows(&attack, matrix, columns, in->graph, config, rng,
                               run_begin("comparing", 1, "attack")));
    run_done();
    add(t, "rows", attack, NAN);
    pvg_rng_free(rng);
    free(matrix);
}

static void run_links(int count, char **operands) {
    pvg_attack_config config = {
        .size = sizeof config, .positives = positives, .draws = draws};
    input in;
    double *without = NULL;
    (void)count;
    if (positives < 0 || draws < 0) usage_error("--positives and --draws are counts");
    load(&in, operands[0]);
    pvg_rng *rng = rng_wanted();
    table *t = begin();
    must(pvg_rng_draw_bytes((uint8_t *)&asked, sizeof asked, rng));
    config.features = in.features;
    const bool wants_model = network_text || (!released_path && !rows_path);
    if (wants_model && (!in.features || !in.labels))
        fail(CODE_FAILED,
             "%s: a network needs features.txt and labels.txt; without, --released or "
             "--vectors say what is attacked",
             operands[0]);
    if (wants_model) attack_model(t, &in, &config, rng, &without);
    if (released_path) attack_release(t, &in, &config);
    if (rows_path) attack_rows(t, &in, &config);
    finish(t);
    free(without);
    pvg_rng_free(rng);
    input_free(&in);
}

const command command_attack_links = {
    .name = "attack links",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "which edges do a model, a release or rows of numbers give away?",
    .text =
        "Trains a network on a public node-level folder and attacks it (LinkTeller, "
        "similarity of posteriors), reads a release, or compares rows. Every attack is "
        "asked about edges and about three kinds of pairs that are none, and stands "
        "beside controls: cosine of features, posteriors of a network without edges, "
        "product of degrees. The excess over the best control is what the attack took "
        "from what it attacked; its interval is paired and counts that pairs share "
        "nodes.",
    .groups = {&link_options, &common_group, &public_options, &input_options,
               &common_options},
    .examples = {{"privgraph attack links town --public-input",
                  "a two-layer GCN and its posteriors"},
                 {"privgraph attack links town --public-input --released noisy.pvg",
                  "what a released graph says by itself"}},
    .run = run_links,
};

/* --- membership --------------------------------------------------------------------- */

static const option member[] = {
    {"network", 0, OPTION_TEXT, "TEXT", &network_text,
     "the network to train (default \"gcn 128 relu | gcn classes\")"},
    {"per-class", 0, OPTION_WHOLE, "N", &per_class,
     "members of each class (default 90, or a third of the smallest class)"},
    {"as-published", 0, OPTION_FLAG, NULL, &as_published,
     "query members on the graph of the training, for comparison: an attack then sees "
     "which graph was used"},
    {0},
};
static const option_group member_options = {"Membership", member};

static void run_membership(int count, char **operands) {
    const pvg_attack_config config = {.size = sizeof config,
                                      .draws = draws,
                                      .per_class = per_class,
                                      .published = as_published};
    input in;
    pvg_network *network = NULL;
    pvg_attack *attack = NULL;
    (void)count;
    if (per_class < 0 || draws < 0) usage_error("--per-class and --draws are counts");
    load(&in, operands[0]);
    if (!in.features || !in.labels)
        fail(CODE_FAILED, "%s: a network needs features.txt and labels.txt", operands[0]);
    pvg_dataset *data = dataset_of(&in, true);
    pvg_rng *rng = rng_wanted();
    must(pvg_network_from_text(
        &network, network_text ? network_text : "gcn 128 relu | gcn classes",
        pvg_features_columns(in.features), pvg_labels_classes(in.labels)));
    must(pvg_attack_membership(&attack, network, data, NULL, &config, rng,
                               run_begin("attacking", 2, "trainings")));
    run_done();
    table *t = begin();
    add(t, as_published ? "membership as published" : "membership", attack, NAN);
    finish(t);
    pvg_network_free(network);
    pvg_rng_free(rng);
    pvg_dataset_free(data);
    input_free(&in);
}

const command command_attack_membership = {
    .name = "attack membership",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "was a node among those a network was trained on?",
    .text =
        "Trains a network and a shadow of it on nodes of a public node-level folder, "
        "each on the graph its nodes induce, and asks both about members and others on "
        "the whole graph. A small network learns from the shadow who is a member and "
        "judges the target; the control is the probability of the true class alone.",
    .groups = {&member_options, &common_group, &public_options, &input_options,
               &common_options},
    .examples = {{"privgraph attack membership town --public-input",
                  "members of a GCN without dropout"}},
    .run = run_membership,
};
