/* privgraph learn: classes by networks, one pipeline for each of who and what is hidden.
 * 'learn edges' and 'learn graph' are those of 'classify'. */
#include "tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t columns, classes, hops, steps, directions, rounds, averages;
static double delta = 1e-6, batch, rate, test_share, check_share = 0.2;
static int public_features;
static double list_epsilon, feature_epsilon, label_epsilon, low, high;
static const char *model_path;
static int format, nodes_recipe;

/* Part of each node by public coins: of those with a label some are left out for a test,
 * some choose. Who has a label is public. */
static int32_t *split_nodes(const int32_t *labels, int64_t order, double tests,
                            double checks) {
    int32_t *parts = take((size_t)order + 1, sizeof *parts);
    for (int64_t v = 0; v < order; v++) {
        const double toss = learner_coin((uint64_t)v);
        parts[v] = labels[v] < 0           ? PVG_PART_NONE
                   : toss < tests          ? PVG_PART_TEST
                   : toss < tests + checks ? PVG_PART_VALIDATION
                                           : PVG_PART_TRAIN;
    }
    return parts;
}

static double hits(const double *p, const int32_t *labels, const int32_t *parts,
                   int64_t order, int64_t wide) {
    double right = 0.0, all = 0.0;
    for (int64_t v = 0; v < order; v++) {
        int64_t best = 0;
        if (parts[v] != PVG_PART_TEST) continue;
        for (int64_t c = 1; c < wide; c++)
            if (p[v * wide + c] > p[v * wide + best]) best = c;
        right += best == labels[v];
        all++;
    }
    return all > 0.0 ? 100.0 * right / all : NAN;
}

static void tell_row(const char *row, double percent) {
    warn("NOT private, a statistic of private data: %s: %.1f %% of those left out", row,
         percent);
}

static void check_shares(void) {
    if (!(test_share >= 0.0) || !(check_share >= 0.0) || test_share + check_share >= 1.0)
        usage_error("--test-share and --held-out must not be negative, and together "
                    "below 1");
    if (learner_rows && !(test_share > 0.0))
        usage_error("--rows-not-private needs some that are left out: --test-share X");
}

static void load_folder(input *in, const char *path) {
    input_set_columns(columns);
    input_load(in, path, WANT_FEATURES | WANT_LABELS);
    if (!in->labels)
        fail(CODE_FAILED, "%s: not a node-level folder with edges.txt and labels.txt",
             path);
    input_require_order(in);
    if (pvg_labels_count(in->labels) != pvg_graph_order(in->graph))
        fail(CODE_FAILED, "%" PRId64 " labels for %" PRId64 " nodes",
             pvg_labels_count(in->labels), pvg_graph_order(in->graph));
}

/* --- nodes hidden ------------------------------------------------------------------- */

static const option nodes_table[] = {
    {"delta", 'd', OPTION_REAL, "D", &delta,
     "delta of everything together (default 1e-6)"},
    {"recipe", 'r', OPTION_CHOICE, "gap|features", &nodes_recipe,
     "encoder, sums over neighbours and head (default), or the encoder alone, which then "
     "has the whole budget and is the number to beat"},
    {"model", 0, OPTION_FILE, "FILE", &model_path,
     "the trained network; the encoder of gap goes to FILE.encoder. Needed"},
    {"columns", 0, OPTION_WHOLE, "D", &columns, "number of features; public, needed"},
    {"classes", 0, OPTION_WHOLE, "C", &classes, "number of classes; public, needed"},
    {"hops", 0, OPTION_WHOLE, "K", &hops, "sums over neighbours (default 1)"},
    {"steps", 0, OPTION_WHOLE, "T", &steps, "of each training (default 250)"},
    {"batch", 0, OPTION_REAL, "N", &batch, "records in a step, on average (default 512)"},
    {"rate", 0, OPTION_REAL, "X", &rate, "of Adam (default 0.01)"},
    {"directions", 'k', OPTION_WHOLE, "K", &directions,
     "public random directions of the features (default: all columns, or 256 of more "
     "than 512)"},
    {"test-share", 0, OPTION_REAL, "X", &test_share,
     "share of the labelled nodes that do not train, by a public coin (default 0)"},
    {0},
};
static const option_group nodes_options = {"Pipeline", nodes_table};

static char *promise_json(const pvg_guarantee *guarantee, bool words) {
    size_t length;
    must(words ? pvg_guarantee_copy_text(NULL, 0, &length, guarantee)
               : pvg_guarantee_copy_json(NULL, 0, &length, guarantee));
    char *text = take(length + 1, 1);
    must(words ? pvg_guarantee_copy_text(text, length + 1, &length, guarantee)
               : pvg_guarantee_copy_json(text, length + 1, &length, guarantee));
    return text;
}

static void save_model(const char *ending, const pvg_model *model) {
    char *path = take(strlen(model_path) + strlen(ending) + 1, 1);
    strcpy(path, model_path);
    strcat(path, ending);
    must(pvg_model_save(path, model));
    note("%s: network, weights and record", path);
    free(path);
}

static void nodes_rows(const input *in, const pvg_nodes_config *config,
                       const int32_t *labels, const pvg_model *encoder,
                       const pvg_model *head, const pvg_release *states, pvg_rng *rng) {
    const int64_t order = pvg_graph_order(in->graph), wide = config->classes;
    double *p = take((size_t)(order * wide), sizeof *p);
    must(pvg_recipe_nodes_predict_exact(p, encoder, NULL, NULL, in->features,
                                        config->directions, NULL));
    tell_row("no edges (the encoder of this draw)",
             hits(p, labels, config->parts, order, wide));
    if (head) {
        must(pvg_recipe_nodes_predict_exact(p, encoder, head, states, in->features,
                                            config->directions, NULL));
        tell_row("this draw", hits(p, labels, config->parts, order, wide));
    }
    must(pvg_recipe_nodes_exact(p, in->graph, in->features, in->labels, config, rng,
                                NULL));
    tell_row("no noise", hits(p, labels, config->parts, order, wide));
    free(p);
}

/* What is public of a pipeline, to weigh it before it is paid for. */
typedef struct {
    const pvg_nodes_config *nodes;
    const pvg_users_config *users;
    const pvg_target *target;
    int part; /* of users: lists, features, labels */
} plan;

static int32_t weigh_nodes(pvg_preview **out, const void *context, int64_t order) {
    const plan *p = context;
    return pvg_recipe_nodes_preview(out, p->nodes, p->target, order, columns);
}

static int32_t weigh_users(pvg_preview **out, const void *context, int64_t order) {
    const plan *p = context;
    pvg_preview *all[3] = {NULL};
    const int32_t status =
        pvg_recipe_users_preview(&all[0], &all[1], &all[2], p->users, order, columns);
    *out = all[p->part];
    for (int i = 0; i < 3; i++)
        if (i != p->part) pvg_preview_free(all[i]);
    return status;
}

/* The encoder learns by DP-SGD, for which no public range is known. */
static void check_nodes(const pvg_nodes_config *config, const pvg_target *target,
                        int64_t order) {
    const plan p = {.nodes = config, .target = target};
    if (config->recipe == PVG_RECIPE_GAP) {
        note("of the sums over neighbours:");
        visible_check(weigh_nodes, &p, &order, 1);
    }
}

static void check_users(const pvg_users_config *config, int64_t order) {
    const double asked[3] = {list_epsilon, feature_epsilon, label_epsilon};
    plan plans[3];
    visible_part parts[3];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        if (!(asked[i] > 0.0)) continue;
        plans[count] = (plan){.users = config, .part = i};
        parts[count] = (visible_part){weigh_users, &plans[count]};
        count++;
    }
    visible_check_some(parts, count, order);
}

static void run_nodes(int count, char **operands) {
    input in;
    door d;
    pvg_target target;
    pvg_model *encoder = NULL, *head = NULL;
    pvg_release *states = NULL;
    pvg_guarantee *promise;
    const int32_t *labels;
    int32_t degrees;
    int64_t bound = 0;
    (void)count;
    check_share = 0.0; /* nothing chooses */
    check_shares();
    degree_assumption(&degrees, &bound);
    if (degrees == PVG_DEGREES_TRUNCATED)
        usage_error("--max-degree: sums over neighbours need --promise-max-degree");
    if (!model_path) usage_error("--model FILE is needed: that is what is drawn");
    if (classes < 2)
        usage_error("--classes C is needed: labels are private, and so is "
                    "what they tell of it");
    if (nodes_recipe == 0 && bound < 1)
        usage_error("--promise-max-degree D is needed for sums over neighbours");
    plain_target(&target);
    target.delta = delta;
    load_folder(&in, operands[0]);
    if (!in.features) fail(CODE_FAILED, "%s: no features.txt", operands[0]);
    must(pvg_labels_view(&labels, in.labels));
    int32_t *parts =
        split_nodes(labels, pvg_graph_order(in.graph), test_share, check_share);
    const pvg_nodes_config config = {.size = sizeof config,
                                     .recipe = nodes_recipe == 0 ? PVG_RECIPE_GAP
                                                                 : PVG_RECIPE_FEATURES,
                                     .classes = classes,
                                     .directions = directions,
                                     .hops = hops,
                                     .degree_bound = bound,
                                     .steps = steps,
                                     .batch = batch,
                                     .rate = rate,
                                     .parts = parts};
    check_nodes(&config, &target, pvg_graph_order(in.graph));
    door_open(&d, VALUES_CSV, 1, false);
    if (d.whole && nodes_recipe != 0)
        usage_error("--release: the encoder alone releases no sums");
    must(pvg_recipe_nodes(&encoder, &head, &states, in.graph, in.features, in.labels,
                          &config, &target, d.objects[0], d.rng, d.ledger,
                          run_begin("training", 1, "pipeline")));
    run_done();
    save_model("", head ? head : encoder);
    if (head) save_model(".encoder", encoder);
    must(pvg_model_promise(&promise, head ? head : encoder, PVG_NOTION_NODE_REMOVED,
                           NULL));
    d.guarantee = promise_json(promise, false);
    output_text(d.data, "%s\n", d.guarantee);
    char *words = promise_json(promise, true);
    note("%s", words);
    free(words);
    if (learner_rows) nodes_rows(&in, &config, labels, encoder, head, states, d.rng);
    door_close_model(&d, states);
    pvg_guarantee_free(promise);
    pvg_model_free(encoder);
    pvg_model_free(head);
    pvg_release_free(states);
    free(parts);
    input_free(&in);
}

const command command_learn_nodes = {
    .name = "learn nodes",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "a network while nodes are hidden with edges, features and labels",
    .text = "Trains an encoder by DP-SGD on the features and labels of a node-level "
            "folder, releases sums of its messages over neighbours with noise for a "
            "removed node, and trains a head by DP-SGD; one epsilon and one delta cover "
            "all three. Writes the networks (--model) and what they promise; what they "
            "say about a node is made from its own private features and is for that node "
            "alone, so that no classes are written.\n\n"
            "Who has a label, the numbers of columns and classes, and the largest degree "
            "are taken as public. Sums over neighbours hide whole nodes, and their noise "
            "is above their range at epsilon 8 and below: then nothing is drawn unless "
            "--anyway, and --recipe features is better.",
    .groups = {&epsilon_options, &nodes_options, &degree_options, &learner_row_options,
               &visible_options, &ledger_options, &input_options, &seed_options,
               &common_options},
    .examples = {{"privgraph learn nodes people/ -e 4 --columns 500 --classes 3 "
                  "--recipe features --model people.pvgm",
                  "the encoder alone"},
                 {"privgraph learn nodes people/ -e 13 --columns 500 --classes 3 "
                  "--promise-max-degree 171 --model people.pvgm",
                  "head in people.pvgm, encoder in people.pvgm.encoder"}},
    .run = run_nodes,
};

/* --- nobody trusted ---------------------------------------------------------------- */

static const option users_table[] = {
    {"list-epsilon", 0, OPTION_REAL, "X", &list_epsilon,
     "of the lists of neighbours, edge-set LDP (default: the graph is public)"},
    {"public-features", 0, OPTION_FLAG, NULL, &public_features,
     "everybody knows the features: they are read as they are"},
    {"feature-epsilon", 0, OPTION_REAL, "X", &feature_epsilon,
     "of the features, LDP (default: they are not asked for)"},
    {"label-epsilon", 0, OPTION_REAL, "X", &label_epsilon,
     "of the labels, LDP (default: they are public)"},
    {"classes", 0, OPTION_WHOLE, "C", &classes, "number of classes; public, needed"},
    {"columns", 0, OPTION_WHOLE, "D", &columns,
     "number of features; public, needed with --feature-epsilon"},
    {"low", 0, OPTION_SIGNED, "X", &low,
     "public range of every feature (default 0 to 1)"},
    {"high", 0, OPTION_SIGNED, "X", &high, "the same"},
    {"rounds", 0, OPTION_WHOLE, "K", &rounds, "of kprop on the features (default 16)"},
    {"averages", 0, OPTION_WHOLE, "N", &averages,
     "networks that are averaged (default 1)"},
    {"model", 0, OPTION_FILE, "FILE", &model_path,
     "the trained network, with all reports in its record; needs features"},
    {"held-out", 0, OPTION_REAL, "X", &check_share,
     "share of the labelled users whose reports choose and stop (default 0.2)"},
    {"test-share", 0, OPTION_REAL, "X", &test_share,
     "share of the labelled users who are not asked, by a public coin (default 0)"},
    {"format", 'f', OPTION_CHOICE, "csv|json|npy", &format,
     "format of the data (default csv; --json is --format json)"},
    {0},
};
static const option_group users_options = {"Reports", users_table};

/* Records of all parts, side by side: they are not one number. */
static char *join_records(pvg_release *const drawn[3]) {
    char *all = text_copy("{\"says\":\"three notions side by side, which are not one "
                          "number\",\"guarantees\":[");
    for (int i = 0, some = 0; i < 3; i++) {
        if (!drawn[i]) continue;
        char *one = promise_json(pvg_release_guarantee(drawn[i]), false);
        char *longer = take(strlen(all) + strlen(one) + 4, 1);
        sprintf(longer, "%s%s%s", all, some++ ? "," : "", one);
        free(all);
        free(one);
        all = longer;
    }
    char *closed = take(strlen(all) + 3, 1);
    sprintf(closed, "%s]}", all);
    free(all);
    return closed;
}

static void run_users(int count, char **operands) {
    input in;
    door d;
    pvg_model *model = NULL;
    pvg_release *drawn[3] = {NULL, NULL, NULL};
    const int32_t *labels;
    (void)count;
    check_shares();
    const int asked =
        (list_epsilon > 0.0) + (feature_epsilon > 0.0) + (label_epsilon > 0.0);
    if (asked == 0)
        usage_error("--list-epsilon, --feature-epsilon or --label-epsilon is needed: "
                    "what do users perturb?");
    if (classes < 2)
        usage_error("--classes C is needed: labels are private, and so is "
                    "what they tell of it");
    if (feature_epsilon > 0.0 && columns < 1) usage_error("--columns D is needed");
    if (public_features && feature_epsilon > 0.0)
        usage_error("--public-features, or --feature-epsilon: public or reported");
    if (model_path && !(feature_epsilon > 0.0) && !public_features)
        usage_error("--model: labels and lists alone are read without a network");
    load_folder(&in, operands[0]);
    const bool reported = feature_epsilon > 0.0;
    if ((reported || public_features) && !in.features)
        fail(CODE_FAILED, "%s: no features.txt", operands[0]);
    if (in.features && !reported && !public_features)
        note("features.txt is not read: --feature-epsilon, or --public-features");
    must(pvg_labels_view(&labels, in.labels));
    const int64_t order = pvg_graph_order(in.graph);
    int32_t *parts = split_nodes(labels, order, test_share, check_share);
    const pvg_users_config config = {.size = sizeof config,
                                     .classes = classes,
                                     .rounds = rounds,
                                     .averages = averages,
                                     .list_epsilon = list_epsilon,
                                     .feature_epsilon = feature_epsilon,
                                     .label_epsilon = label_epsilon,
                                     .low = low,
                                     .high = high,
                                     .parts = parts,
                                     .allow_seeded = secrecy_seed.given,
                                     .public_features =
                                         public_features ? in.features : NULL};
    double *p = take((size_t)(order * classes), sizeof *p);
    double *without = take((size_t)(order * classes), sizeof *without);
    check_users(&config, order);
    door_open(&d, values_format(format), 1, false);
    if (d.ledger && asked > 1)
        usage_error("--ledger: a ledger keeps one notion, and these are %d", asked);
    if (d.whole && asked > 1) usage_error("--release: one file holds one release");
    must(pvg_recipe_users(p, without, &model, &drawn[0], &drawn[1], &drawn[2], in.graph,
                          reported ? in.features : NULL, in.labels, &config, d.objects[0],
                          d.rng, list_epsilon > 0.0 ? d.ledger : NULL,
                          feature_epsilon > 0.0 ? d.ledger : NULL,
                          label_epsilon > 0.0 ? d.ledger : NULL,
                          run_begin("reports", (double)order, "users")));
    run_done();
    if (model_path) save_model("", model);
    d.guarantee = join_records(drawn);
    learner_write(&d, order, classes, p, values_format(format));
    for (int i = 0; i < 3; i++) {
        if (!drawn[i]) continue;
        char *words = promise_json(pvg_release_guarantee(drawn[i]), true);
        note("%s", words);
        free(words);
    }
    if (learner_rows) {
        tell_row("without features", hits(without, labels, parts, order, classes));
        tell_row("these reports", hits(p, labels, parts, order, classes));
        must(pvg_recipe_users_exact(p, without, in.graph, reported ? in.features : NULL,
                                    in.labels, &config, d.rng, NULL));
        tell_row("no noise, without features",
                 hits(without, labels, parts, order, classes));
        tell_row("no noise", hits(p, labels, parts, order, classes));
    }
    pvg_model_free(model);
    door_close_model(&d, drawn[0] ? drawn[0] : drawn[1] ? drawn[1] : drawn[2]);
    for (int i = 0; i < 3; i++) pvg_release_free(drawn[i]);
    free(p);
    free(without);
    free(parts);
    input_free(&in);
}

const command command_learn_users = {
    .name = "learn users",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "classes of users who perturb what they hold: nobody is trusted",
    .text =
        "Lists, features and labels of a node-level folder are perturbed by the users "
        "they belong to; a network with forward correction reads the reports. One row "
        "per user: the likeliest class and the probability of each. The notions of "
        "the three parts stand side by side, they are not one number.",
    .groups = {&users_options, &learner_row_options, &visible_options, &ledger_options,
               &input_options, &seed_options, &common_options},
    .examples = {{"privgraph learn users people/ --classes 7 --label-epsilon 3 "
                  "--list-epsilon 8",
                  "labels and lists; features are not asked for"}},
    .run = run_users,
};

/* --- embeddings of graphs ---------------------------------------------------------- */

static const option rows_table[] = {
    {"model", 0, OPTION_FILE, "FILE", &model_path,
     "the trained networks, which take rows as they are released"},
    {"averages", 0, OPTION_WHOLE, "N", &averages,
     "networks that are averaged (default 10)"},
    {"held-out", 0, OPTION_REAL, "X", &check_share,
     "share of the graphs whose labels choose and stop (default 0.2)"},
    {"test-share", 0, OPTION_REAL, "X", &test_share,
     "share of the graphs whose labels only test, by a public coin (default 0)"},
    {"format", 'f', OPTION_CHOICE, "csv|json|npy", &format,
     "format of the data (default csv; --json is --format json)"},
    {0},
};
static const option_group rows_options = {"Learner (spends nothing)", rows_table};

/* Exact densities, and the one column that everybody knows. */
static void embedding_rows(const input *in, const pvg_patterns *patterns,
                           const int32_t *known, const int32_t *parts,
                           const int32_t *labels, const pvg_recipe_config *config,
                           pvg_rng *rng) {
    const int64_t graphs = pvg_graphset_count(in->set), wide = config->classes;
    const int64_t width = pvg_patterns_count(patterns), *starts, *offsets;
    const int32_t *targets;
    pvg_density *density;
    double *p = take((size_t)(graphs * wide), sizeof *p);
    double *x = take((size_t)(graphs * width), sizeof *x);
    must(pvg_graphset_view_csr(&starts, &offsets, &targets, in->set));
    for (int64_t i = 0; i < graphs; i++) x[i] = (double)(starts[i + 1] - starts[i]);
    must(pvg_recipe_rows_exact(p, x, graphs, 1, labels, config, rng, NULL));
    tell_row("no edges, the number of nodes alone", hits(p, known, parts, graphs, wide));
    must(pvg_density_new(&density, patterns, NULL));
    must(pvg_density_evaluate_exact(x, density, in->set, NULL));
    pvg_density_free(density);
    must(pvg_recipe_rows_exact(p, x, graphs, width, labels, config, rng, NULL));
    tell_row("no noise", hits(p, known, parts, graphs, wide));
    free(x);
    free(p);
}

static void run_embeddings(int count, char **operands) {
    input in;
    door d;
    pvg_target target;
    pvg_model *model = NULL;
    pvg_release *release = NULL;
    const int32_t *known;
    (void)count;
    check_shares();
    pvg_patterns *patterns = patterns_wanted();
    budget_target(&target);
    pvg_query *query = embed_query(patterns, &target, false, false);
    input_load(&in, operands[0], 0);
    if (!in.set) fail(CODE_FAILED, "%s: not a set of graphs with labels", operands[0]);
    input_require_order(&in);
    must(pvg_graphset_view_labels(&known, NULL, NULL, in.set));
    const int64_t graphs = pvg_graphset_count(in.set);
    int64_t wide = 2;
    for (int64_t i = 0; i < graphs; i++)
        if (known[i] >= wide) wide = known[i] + 1;
    int32_t *parts = split_nodes(known, graphs, test_share, check_share);
    for (int64_t c = 0; c < wide;
         c++) { /* labels are public: a class keeps one to train */
        int64_t first = -1;
        bool trains = false;
        for (int64_t i = 0; i < graphs; i++) {
            if (known[i] != c) continue;
            trains = trains || parts[i] == PVG_PART_TRAIN;
            if (first < 0) first = i;
        }
        if (!trains && first >= 0) parts[first] = PVG_PART_TRAIN;
    }
    int32_t *labels = take((size_t)graphs + 1, sizeof *labels);
    int32_t *checks = take((size_t)graphs + 1, sizeof *checks);
    for (int64_t i = 0; i < graphs; i++) {
        labels[i] = parts[i] == PVG_PART_TRAIN ? known[i] : -1;
        checks[i] = parts[i] == PVG_PART_VALIDATION ? known[i] : -1;
    }
    const pvg_recipe_config config = {.size = sizeof config,
                                      .recipe = PVG_RECIPE_FEATURES,
                                      .classes = wide,
                                      .averages = averages,
                                      .checks = check_share > 0.0 ? checks : NULL};
    double *p = take((size_t)(graphs * wide), sizeof *p);
    visible_query(query, &in);
    door_open(&d, values_format(format), graphs, true);
    const pvg_input data = {.size = sizeof data,
                            .set = in.set,
                            .objects = d.ledger ? d.objects : NULL,
                            .object_count = d.ledger ? graphs : 0};
    must(pvg_release_draw(&release, query, &data, d.rng, d.ledger,
                          run_begin("embedding", (double)graphs, "graphs")));
    must(pvg_recipe_rows(p, model_path ? &model : NULL, release, labels, &config, d.rng,
                         run_begin("learning", (double)graphs, "graphs")));
    run_done();
    if (model_path) save_model("", model);
    door_pass(&d, release);
    learner_write(&d, graphs, wide, p, values_format(format));
    if (test_share > 0.0) /* labels are public here, and p is made from a release */
        note("right on graphs that were left out: %.1f %%",
             hits(p, known, parts, graphs, wide));
    if (learner_rows) embedding_rows(&in, patterns, known, parts, labels, &config, d.rng);
    door_close(&d, release);
    pvg_model_free(model);
    pvg_release_free(release);
    pvg_query_free(query);
    pvg_patterns_free(patterns);
    free(labels);
    free(checks);
    free(parts);
    free(p);
    input_free(&in);
}

const command command_learn_embeddings = {
    .name = "learn embeddings",
    .operands = "SET",
    .least = 1,
    .most = 1,
    .summary = "classes of graphs from private embeddings; their labels are public",
    .text = "Draws private embeddings of the graphs of a set as 'privgraph embed' does, "
            "and trains networks on them and the public labels. One row per graph: the "
            "likeliest class and the probability of each. Columns whose noise is larger "
            "than their public range are left out.",
    .groups = {&pattern_options, &budget_options, &degree_options, &unit_options,
               &rows_options, &learner_row_options, &visible_options, &ledger_options,
               &input_options, &seed_options, &common_options},
    .examples = {{"privgraph learn embeddings MUTAG --patterns trees:4 --epsilon 2 "
                  "--test-share 0.1",
                  "classes; how many of a tenth of the graphs are right"}},
    .run = run_embeddings,
};
