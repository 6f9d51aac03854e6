/* privgraph learn and classify: classes, one pipeline of the library for each of who and
 * what is hidden. Options, defaults and help are those of its table. */
#include "tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const kind_name edges_names[] = {
    {"directions", "directions", 'k'}, {"classes", NULL, 0}, {0}};
static const kind_name nodes_names[] = {
    {"directions", "directions", 'k'}, {"max-degree", NULL, 0}, {0}};
static const kind_name rows_names[] = {{"classes", NULL, 0}, {0}};
kind_form learn_forms[LEARN_FORMS] = {
    {.kinds = "edges", .title = "Pipeline", .names = edges_names},
    {.kinds = "nodes", .title = "Pipeline", .names = nodes_names},
    {.kinds = "users", .title = "Reports", .no_budget = true},
    {.kinds = "rows",
     .title = "Learner (spends nothing)",
     .names = rows_names,
     .no_budget = true}};
enum { EDGES, NODES, USERS, ROWS };

static double test_share;
static bool rows_told, public_features;
static const char *model_path;
static int format;

static const option row_table[] = {
    {"rows-not-private", 0, OPTION_FLAG, NULL, &rows_told,
     "for public test data: also tell how well it does without noise and without edges. "
     "These are statistics of the private data, not covered by the guarantee"},
    {0},
};
static const option_group row_options = {"Comparison", row_table};

#define FORMAT                                                                           \
    {                                                                                    \
        "format", 'f', OPTION_CHOICE, "csv|json|npy", &format,                           \
            "format of the data (default csv; --json is --format json)"                  \
    }
#define TESTED(who)                                                                      \
    {                                                                                    \
        "test-share", 0, OPTION_REAL, "X", &test_share,                                  \
            "share of the labelled " who " that only test, by a public coin (default 0)" \
    }

/* --- what pipelines have in common -------------------------------------------------- */

/* splitmix64 of the number of a node; the library's coin for who chooses is another. */
static double coin(uint64_t node) {
    uint64_t z = ~node * UINT64_C(0xD1B54A32D192ED03);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Part of each by public coins: of those with a label some are left out for a test. Who
 * has a label is public. */
static int32_t *split(const int32_t *labels, int64_t count) {
    int32_t *parts = take((size_t)count + 1, sizeof *parts);
    for (int64_t v = 0; v < count; v++)
        parts[v] = labels[v] < 0                    ? PVG_PART_NONE
                   : coin((uint64_t)v) < test_share ? PVG_PART_TEST
                                                    : PVG_PART_TRAIN;
    return parts;
}

/* Percent of those in a part whose likeliest class is that of their label; parts NULL: of
 * all that have one. */
static double hits(const double *p, const int32_t *labels, const int32_t *parts,
                   int64_t order, int64_t wide) {
    double right = 0.0, all = 0.0;
    for (int64_t v = 0; v < order; v++) {
        int64_t best = 0;
        if (labels[v] < 0 || (parts && parts[v] != PVG_PART_TEST)) continue;
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
    if (!(test_share >= 0.0) || test_share >= 1.0)
        usage_error("--test-share must not be negative, and below 1");
    if (rows_told && !(test_share > 0.0))
        usage_error("--rows-not-private needs some that are left out: --test-share X");
}

static void load_folder(input *in, const char *path, int64_t columns) {
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

/* A number that was given; 0: it was not, or is none, which the library says. */
static int64_t whole_given(const kind_form *form, const char *name) {
    const char *text = kind_given(form, name);
    return text ? strtoll(text, NULL, 10) : 0;
}

static double real_given(const kind_form *form, const char *name) {
    const char *text = kind_given(form, name);
    return text ? strtod(text, NULL) : 0.0;
}

static pvg_pipeline *make(const query_text *text, const pvg_pipeline_arguments *a,
                          pvg_rng *rng) {
    const pvg_target target = {.size = sizeof target, .allow_seeded = secrecy_seed.given};
    pvg_pipeline *pipeline = NULL;
    must(pvg_pipeline_new(&pipeline, text->text, a, &target, rng,
                          run_begin("preparing", 1, "")));
    run_done();
    return pipeline;
}

/* What will be released, weighed before it is paid for. */
typedef struct {
    const pvg_pipeline *pipeline;
    int place;
} plan;

static int32_t weigh(pvg_preview **out, const void *context, int64_t order) {
    const plan *p = context;
    (void)order;
    return pvg_pipeline_preview(out, p->pipeline, p->place, NULL);
}

static void check_visible(const pvg_pipeline *pipeline) {
    plan plans[3];
    visible_part parts[3];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        pvg_preview *there = NULL;
        must(pvg_pipeline_preview(&there, pipeline, i, NULL));
        if (!there) continue;
        pvg_preview_free(there);
        plans[count] = (plan){pipeline, i};
        parts[count] = (visible_part){weigh, &plans[count]};
        count++;
    }
    if (count > 0) visible_check_some(parts, count, pvg_pipeline_order(pipeline));
}

/* Noise goes on with the generator that made the pipeline. */
static void open_door(door *d, int form, pvg_rng *rng) {
    door_open(d, form, 1, false);
    pvg_rng_free(d->rng);
    d->rng = rng;
}

static pvg_input input_of(const door *d, const pvg_graph *graph,
                          const pvg_features *features, const pvg_labels *labels) {
    return (pvg_input){.size = sizeof(pvg_input),
                       .graph = graph,
                       .features = features,
                       .labels = labels,
                       .objects = d->objects,
                       .object_count = 1};
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

/* The likeliest class, then the probabilities, of each row. */
static void write_rows(door *d, const pvg_pipeline *pipeline, const double *p) {
    const int64_t rows = pvg_pipeline_order(pipeline);
    const int64_t classes = pvg_pipeline_classes(pipeline), width = classes + 1;
    double *numbers = take((size_t)(rows * width), sizeof *numbers);
    for (int64_t v = 0; v < rows; v++) {
        const double *row = p + v * classes;
        int64_t best = 0;
        for (int64_t c = 1; c < classes; c++)
            if (row[c] > row[best]) best = c;
        numbers[v * width] = (double)best;
        memcpy(numbers + v * width + 1, row, (size_t)classes * sizeof *row);
    }
    values v = {rows, width, numbers, class_names(classes), d->guarantee};
    values_write(d->data, &v, values_format(format));
    names_free(v.names);
    free(numbers);
}

static double *room_for(const pvg_pipeline *pipeline) {
    return take((size_t)(pvg_pipeline_order(pipeline) * pvg_pipeline_classes(pipeline)) +
                    1,
                sizeof(double));
}

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

/* --- edges hidden ------------------------------------------------------------------- */

static const option learner[] = {FORMAT, {0}};
static const option_group learner_options = {"Output", learner};

static void report_hits(const pvg_pipeline *pipeline, const double *p) {
    const int64_t order = pvg_pipeline_order(pipeline);
    const int64_t wide = pvg_pipeline_classes(pipeline);
    const int32_t *labels, *checks;
    const double *prior;
    int64_t count = 0;
    must(pvg_pipeline_view_labels(&labels, &checks, pipeline));
    must(pvg_pipeline_view_prior(&prior, pipeline));
    for (int64_t v = 0; checks && v < order; v++) count += checks[v] >= 0;
    if (count > 0)
        note("right on %lld labelled nodes that were held out: %.1f %% (features only "
             "%.1f %%); settings were chosen by them",
             (long long)count, hits(p, checks, NULL, order, wide),
             hits(prior, checks, NULL, order, wide));
}

/* What the pipeline could do at most, on the nodes that were held out. */
static void report_exact(const pvg_pipeline *pipeline, const input *in, pvg_rng *rng) {
    const pvg_input data = {.size = sizeof data, .graph = in->graph};
    const int64_t order = pvg_pipeline_order(pipeline);
    const int64_t wide = pvg_pipeline_classes(pipeline);
    const int32_t *labels, *checks;
    double *p = room_for(pipeline), *without = room_for(pipeline);
    must(pvg_pipeline_view_labels(&labels, &checks, pipeline));
    must(pvg_pipeline_exact(p, without, pipeline, &data, rng, NULL));
    warn("NOT private, a statistic of private edges: no noise: %.1f %% of the nodes held "
         "out (no edges %.1f %%)",
         hits(p, checks, NULL, order, wide), hits(without, checks, NULL, order, wide));
    free(p);
    free(without);
}

static void classify(const pvg_pipeline *pipeline, const input *in, pvg_rng *rng) {
    door d;
    pvg_release *drawn[3] = {NULL, NULL, NULL};
    double *p = room_for(pipeline);
    const int32_t *labels, *checks;
    must(pvg_pipeline_view_labels(&labels, &checks, pipeline));
    if (rows_told && !checks)
        usage_error("--rows-not-private needs 20 nodes that are held out: --held-out X");
    check_visible(pipeline);
    open_door(&d, values_format(format), rng);
    const pvg_input data = input_of(&d, in->graph, NULL, NULL);
    must(pvg_pipeline_draw(
        &drawn[0], &drawn[1], &drawn[2], pipeline, &data, d.rng, d.ledger, NULL, NULL,
        run_begin("classifying", (double)pvg_pipeline_order(pipeline), "nodes")));
    must(pvg_pipeline_read(p, NULL, NULL, pipeline, drawn[0], drawn[1], NULL, d.rng,
                           NULL));
    run_done();
    const pvg_release *last = drawn[1] ? drawn[1] : drawn[0]; /* it names the other */
    if (last)
        door_pass(&d, last);
    else
        d.guarantee = text_copy("{\"releases\":0,\"says\":\"no edge was looked at\"}");
    write_rows(&d, pipeline, p);
    report_hits(pipeline, p);
    if (rows_told) report_exact(pipeline, in, d.rng);
    if (last)
        door_close(&d, last);
    else
        door_close_model(&d, NULL);
    for (int i = 0; i < 3; i++) pvg_release_free(drawn[i]);
    free(p);
}

static void classify_exactly(const pvg_pipeline *pipeline, const input *in,
                             pvg_rng *rng) {
    static char guarantee[] =
        "{\"private\": false, \"epsilon\": \"infinity\", \"reason\": \"no noise "
        "(--exact-not-private)\"}";
    const pvg_input data = {.size = sizeof data, .graph = in->graph};
    double *p = room_for(pipeline);
    door d;
    door_open_exact(&d, values_format(format));
    d.guarantee = guarantee;
    must(pvg_pipeline_exact(
        p, NULL, pipeline, &data, rng,
        run_begin("classifying", (double)pvg_pipeline_order(pipeline), "nodes")));
    run_done();
    write_rows(&d, pipeline, p);
    report_hits(pipeline, p);
    door_close_exact(&d);
    pvg_rng_free(rng);
    free(p);
}

static void run_edges(int count, char **operands) {
    const kind_form *form = &learn_forms[EDGES];
    input in;
    query_text text;
    const int32_t *labels;
    (void)count;
    kind_text(&text, form);
    load_folder(&in, operands[0], 0);
    must(pvg_labels_view(&labels, in.labels));
    if (pvg_labels_classes(in.labels) < 2)
        fail(CODE_FAILED, "labels.txt has fewer than 2 classes");
    const pvg_pipeline_arguments a = {.size = sizeof a,
                                      .order = pvg_graph_order(in.graph),
                                      .labels = labels,
                                      .features = in.features};
    pvg_rng *rng = rng_wanted();
    pvg_pipeline *pipeline = make(&text, &a, rng);
    if (secrecy_exact)
        classify_exactly(pipeline, &in, rng);
    else
        classify(pipeline, &in, rng);
    pvg_pipeline_free(pipeline);
    input_free(&in);
}

#define EDGE_GROUPS                                                                      \
    {                                                                                    \
        &learn_forms[EDGES].budget, &learn_forms[EDGES].group, &learner_options,         \
            &row_options, &visible_options, &ledger_options, &input_options,             \
            &secrecy_options, &common_options                                            \
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
            "are. The counts never appear; what is read from them is written. Other "
            "methods release other things about the edges (--method); what networks "
            "read from public features before, and from the release after, spends "
            "nothing.\n\n"
            "A share of the labelled nodes (--held-out) chooses and sends nothing; where "
            "they tell that edges add nothing, the classes are those of features alone.",
    .groups = EDGE_GROUPS,
    .examples = {{"privgraph classify people/ --epsilon 1 -o classes.csv",
                  "classes, guarantee in classes.csv.guarantee.json"},
                 {"privgraph classify people/ -e 2 --held-out 0 --json",
                  "all labels are sent, nothing is chosen"},
                 {"privgraph classify people/ -e 4 --method sums --delta 1e-6",
                  "sums of messages with Gaussian noise instead"}},
    .run = run_edges,
};

const command command_learn_edges = {
    .name = "learn edges",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "classes of nodes while edges are hidden: another name of 'classify'",
    .text = "The same as 'privgraph classify': edges are private, features and labels "
            "public. --method says what is released about the edges.",
    .groups = EDGE_GROUPS,
    .examples = {{"privgraph learn edges people/ --epsilon 1 -o classes.csv",
                  "classes, guarantee in classes.csv.guarantee.json"}},
    .run = run_edges,
};

/* --- nodes hidden ------------------------------------------------------------------- */

static const option nodes_table[] = {
    {"model", 0, OPTION_FILE, "FILE", &model_path,
     "the trained network; the encoder of gap goes to FILE.encoder. Needed"},
    TESTED("nodes"),
    {0},
};
static const option_group nodes_options = {"Model", nodes_table};

static void nodes_rows(const pvg_pipeline *pipeline, const input *in,
                       const int32_t *labels, const int32_t *parts,
                       const pvg_model *encoder, const pvg_release *states,
                       const pvg_model *head, const pvg_input *data, pvg_rng *rng) {
    const pvg_input own = {.size = sizeof own, .features = in->features};
    const int64_t order = pvg_pipeline_order(pipeline);
    const int64_t wide = pvg_pipeline_classes(pipeline);
    double *p = room_for(pipeline), *without = room_for(pipeline);
    must(
        pvg_pipeline_read_exact(p, without, pipeline, encoder, states, head, &own, NULL));
    tell_row("no edges (the encoder of this draw)",
             hits(without, labels, parts, order, wide));
    if (head) tell_row("this draw", hits(p, labels, parts, order, wide));
    must(pvg_pipeline_exact(p, NULL, pipeline, data, rng, NULL));
    tell_row("no noise", hits(p, labels, parts, order, wide));
    free(p);
    free(without);
}

static void run_nodes(int count, char **operands) {
    const kind_form *form = &learn_forms[NODES];
    const char *method = kind_given(form, "method");
    const bool sums = method && strcmp(method, "gap") == 0;
    input in;
    door d;
    query_text text;
    pvg_release *drawn[3] = {NULL, NULL, NULL};
    const pvg_model *encoder, *head = NULL;
    pvg_guarantee *promise;
    const int32_t *labels;
    int32_t degrees;
    int64_t bound = 0;
    (void)count;
    check_shares();
    degree_assumption(&degrees, &bound);
    if (degrees == PVG_DEGREES_TRUNCATED)
        usage_error("--max-degree: sums over neighbours need --promise-max-degree");
    if (!model_path) usage_error("--model FILE is needed: that is what is drawn");
    if (!kind_given(form, "classes"))
        usage_error("--classes C is needed: labels are private, and so is "
                    "what they tell of it");
    if (sums && bound < 1)
        usage_error("--promise-max-degree D is needed for sums over neighbours");
    kind_text(&text, form);
    if (bound > 0) text_add(&text, " max-degree=%lld", (long long)bound);
    load_folder(&in, operands[0], whole_given(form, "columns"));
    if (!in.features) fail(CODE_FAILED, "%s: no features.txt", operands[0]);
    must(pvg_labels_view(&labels, in.labels));
    const int64_t order = pvg_graph_order(in.graph);
    int32_t *parts = split(labels, order);
    const pvg_pipeline_arguments a = {.size = sizeof a, .order = order, .parts = parts};
    pvg_rng *rng = rng_wanted();
    pvg_pipeline *pipeline = make(&text, &a, rng);
    check_visible(pipeline);
    open_door(&d, VALUES_CSV, rng);
    if (d.whole && !sums) usage_error("--release: the encoder alone releases no sums");
    const pvg_input data = input_of(&d, sums ? in.graph : NULL, in.features, in.labels);
    must(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &data, d.rng,
                           d.ledger, NULL, NULL, run_begin("training", 1, "pipeline")));
    run_done();
    must(pvg_release_view_model(&encoder, drawn[0]));
    if (drawn[2]) must(pvg_release_view_model(&head, drawn[2]));
    save_model("", head ? head : encoder);
    if (head) save_model(".encoder", encoder);
    must(pvg_model_promise(&promise, head ? head : encoder, PVG_NOTION_NODE_REMOVED,
                           NULL));
    d.guarantee = promise_json(promise, false);
    output_text(d.data, "%s\n", d.guarantee);
    char *words = promise_json(promise, true);
    note("%s", words);
    free(words);
    if (rows_told)
        nodes_rows(pipeline, &in, labels, parts, encoder, drawn[1], head, &data, d.rng);
    door_close_model(&d, drawn[1]);
    pvg_guarantee_free(promise);
    for (int i = 0; i < 3; i++) pvg_release_free(drawn[i]);
    pvg_pipeline_free(pipeline);
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
            "folder; with --method gap it also releases sums of its messages over "
            "neighbours with noise for a removed node, and trains a head by DP-SGD; one "
            "epsilon and one delta cover all. Writes the networks (--model) and what "
            "they promise; what they say about a node is made from its own private "
            "features and is for that node alone, so that no classes are written.\n\n"
            "Who has a label, the numbers of columns and classes, and the largest degree "
            "are taken as public. Sums over neighbours hide whole nodes, and their noise "
            "is above their range at epsilon 8 and below: then nothing is drawn unless "
            "--anyway.",
    .groups = {&learn_forms[NODES].budget, &learn_forms[NODES].group, &nodes_options,
               &degree_options, &row_options, &visible_options, &ledger_options,
               &input_options, &seed_options, &common_options},
    .examples = {{"privgraph learn nodes people/ -e 4 --columns 500 --classes 3 "
                  "--model people.pvgm",
                  "the encoder alone"},
                 {"privgraph learn nodes people/ -e 13 --columns 500 --classes 3 "
                  "--method gap --promise-max-degree 171 --model people.pvgm",
                  "head in people.pvgm, encoder in people.pvgm.encoder"}},
    .run = run_nodes,
};

/* --- nobody trusted ---------------------------------------------------------------- */

static const option users_table[] = {
    {"public-features", 0, OPTION_FLAG, NULL, &public_features,
     "everybody knows the features: they are read as they are"},
    {"model", 0, OPTION_FILE, "FILE", &model_path,
     "the trained network, with all reports in its record; needs features"},
    TESTED("users"),
    FORMAT,
    {0},
};
static const option_group users_options = {"Learner (spends nothing)", users_table};

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
    const kind_form *form = &learn_forms[USERS];
    const bool lists = real_given(form, "list-epsilon") > 0.0;
    const bool reported = real_given(form, "feature-epsilon") > 0.0;
    const bool answered = real_given(form, "label-epsilon") > 0.0;
    const int asked = lists + reported + answered;
    input in;
    door d;
    query_text text;
    pvg_model *model = NULL;
    pvg_release *drawn[3] = {NULL, NULL, NULL};
    const int32_t *labels;
    (void)count;
    check_shares();
    if (asked == 0)
        usage_error("--list-epsilon, --feature-epsilon or --label-epsilon is needed: "
                    "what do users perturb?");
    if (answered && !kind_given(form, "classes"))
        usage_error("--classes C is needed: labels are private, and so is "
                    "what they tell of it");
    if (reported && !kind_given(form, "columns")) usage_error("--columns D is needed");
    if (public_features && reported)
        usage_error("--public-features, or --feature-epsilon: public or reported");
    if (model_path && !reported && !public_features)
        usage_error("--model: labels and lists alone are read without a network");
    kind_text(&text, form);
    load_folder(&in, operands[0], whole_given(form, "columns"));
    if ((reported || public_features) && !in.features)
        fail(CODE_FAILED, "%s: no features.txt", operands[0]);
    if (in.features && !reported && !public_features)
        note("features.txt is not read: --feature-epsilon, or --public-features");
    must(pvg_labels_view(&labels, in.labels));
    const int64_t order = pvg_graph_order(in.graph);
    int32_t *parts = split(labels, order);
    const pvg_pipeline_arguments a = {.size = sizeof a,
                                      .order = order,
                                      .labels = answered ? NULL : labels,
                                      .parts = parts,
                                      .features = public_features ? in.features : NULL,
                                      .graph = lists ? NULL : in.graph};
    pvg_rng *rng = rng_wanted();
    pvg_pipeline *pipeline = make(&text, &a, rng);
    const int64_t wide = pvg_pipeline_classes(pipeline);
    double *p = room_for(pipeline), *without = room_for(pipeline);
    check_visible(pipeline);
    open_door(&d, values_format(format), rng);
    if (d.ledger && asked > 1)
        usage_error("--ledger: a ledger keeps one notion, and these are %d", asked);
    if (d.whole && asked > 1) usage_error("--release: one file holds one release");
    const pvg_input data =
        input_of(&d, lists ? in.graph : NULL, reported ? in.features : NULL,
                 answered ? in.labels : NULL);
    must(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &data, d.rng,
                           lists ? d.ledger : NULL, reported ? d.ledger : NULL,
                           answered ? d.ledger : NULL,
                           run_begin("reports", (double)order, "users")));
    must(pvg_pipeline_read(p, without, &model, pipeline, drawn[0], drawn[1], drawn[2],
                           d.rng, run_begin("learning", (double)order, "users")));
    run_done();
    if (model_path) save_model("", model);
    d.guarantee = join_records(drawn);
    write_rows(&d, pipeline, p);
    for (int i = 0; i < 3; i++) {
        if (!drawn[i]) continue;
        char *words = promise_json(pvg_release_guarantee(drawn[i]), true);
        note("%s", words);
        free(words);
    }
    if (rows_told) {
        tell_row("without features", hits(without, labels, parts, order, wide));
        tell_row("these reports", hits(p, labels, parts, order, wide));
        must(pvg_pipeline_exact(p, without, pipeline, &data, d.rng, NULL));
        tell_row("no noise, without features", hits(without, labels, parts, order, wide));
        tell_row("no noise", hits(p, labels, parts, order, wide));
    }
    pvg_model_free(model);
    door_close_model(&d, drawn[0] ? drawn[0] : drawn[1] ? drawn[1] : drawn[2]);
    for (int i = 0; i < 3; i++) pvg_release_free(drawn[i]);
    pvg_pipeline_free(pipeline);
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
        "they belong to; a network with forward correction reads the reports, or labels "
        "alone where reported labels of those held out like them as well. One row per "
        "user: the likeliest class and the probability of each. The notions of the three "
        "parts stand side by side, they are not one number.",
    .groups = {&learn_forms[USERS].group, &users_options, &row_options, &visible_options,
               &ledger_options, &input_options, &seed_options, &common_options},
    .examples = {{"privgraph learn users people/ --classes 7 --label-epsilon 3 "
                  "--list-epsilon 8",
                  "labels and lists; features are not asked for"}},
    .run = run_users,
};

/* --- embeddings of graphs ---------------------------------------------------------- */

static const option rows_table[] = {
    {"model", 0, OPTION_FILE, "FILE", &model_path,
     "the trained networks, which take rows as they are released"},
    TESTED("graphs"),
    FORMAT,
    {0},
};
static const option_group rows_options = {"Output", rows_table};

/* Numbers without noise, `width` of each graph. */
static void exact_row(const char *row, const pvg_pipeline *pipeline, const double *x,
                      int64_t width, const int32_t *known, const int32_t *parts,
                      pvg_rng *rng) {
    const int64_t graphs = pvg_pipeline_order(pipeline);
    double *p = room_for(pipeline);
    pvg_features *given = NULL;
    must(pvg_features_from_dense(&given, graphs, width, x));
    const pvg_input numbers = {.size = sizeof numbers, .features = given};
    must(pvg_pipeline_exact(p, NULL, pipeline, &numbers, rng, NULL));
    tell_row(row, hits(p, known, parts, graphs, pvg_pipeline_classes(pipeline)));
    pvg_features_free(given);
    free(p);
}

/* Exact densities, and the one column that everybody knows. */
static void embedding_rows(const input *in, const pvg_patterns *patterns,
                           const pvg_pipeline *pipeline, const int32_t *known,
                           const int32_t *parts, pvg_rng *rng) {
    const int64_t graphs = pvg_graphset_count(in->set);
    const int64_t width = pvg_patterns_count(patterns), *starts, *offsets;
    const int32_t *targets;
    pvg_density *density;
    double *x = take((size_t)(graphs * width), sizeof *x);
    must(pvg_graphset_view_csr(&starts, &offsets, &targets, in->set));
    for (int64_t i = 0; i < graphs; i++) x[i] = (double)(starts[i + 1] - starts[i]);
    exact_row("no edges, the number of nodes alone", pipeline, x, 1, known, parts, rng);
    must(pvg_density_new(&density, patterns, NULL));
    must(pvg_density_evaluate_exact(x, density, in->set, NULL));
    pvg_density_free(density);
    exact_row("no noise", pipeline, x, width, known, parts, rng);
    free(x);
}

/* Labels are public: a class keeps one graph to train. */
static int32_t *split_graphs(const int32_t *known, int64_t graphs) {
    int32_t *parts = split(known, graphs);
    for (int64_t i = 0; i < graphs; i++) {
        bool trains = known[i] < 0;
        for (int64_t k = 0; k < graphs && !trains; k++)
            trains = known[k] == known[i] && parts[k] == PVG_PART_TRAIN;
        if (!trains) parts[i] = PVG_PART_TRAIN;
    }
    return parts;
}

static void run_embeddings(int count, char **operands) {
    input in;
    door d;
    query_text text;
    pvg_target target;
    pvg_model *model = NULL;
    pvg_release *release = NULL;
    const int32_t *known;
    (void)count;
    check_shares();
    kind_text(&text, &learn_forms[ROWS]);
    pvg_patterns *patterns = patterns_wanted();
    budget_target(&target);
    pvg_query *query = embed_query(patterns, &target, false, false);
    input_load(&in, operands[0], 0);
    if (!in.set) fail(CODE_FAILED, "%s: not a set of graphs with labels", operands[0]);
    input_require_order(&in);
    must(pvg_graphset_view_labels(&known, NULL, NULL, in.set));
    const int64_t graphs = pvg_graphset_count(in.set);
    visible_query(query, &in);
    int32_t *parts = split_graphs(known, graphs);
    int32_t *labels = take((size_t)graphs + 1, sizeof *labels);
    bool any = false;
    for (int64_t i = 0; i < graphs; i++)
        if ((labels[i] = parts[i] == PVG_PART_TRAIN ? known[i] : -1) >= 0) any = true;
    if (!any) fail(CODE_FAILED, "%s: no graph has a label", operands[0]);
    const pvg_pipeline_arguments a = {
        .size = sizeof a, .order = graphs, .labels = labels};
    pvg_pipeline *pipeline = make(&text, &a, NULL);
    double *p = room_for(pipeline);
    door_open(&d, values_format(format), graphs, true);
    const pvg_input data = {.size = sizeof data,
                            .set = in.set,
                            .objects = d.ledger ? d.objects : NULL,
                            .object_count = d.ledger ? graphs : 0};
    must(pvg_release_draw(&release, query, &data, d.rng, d.ledger,
                          run_begin("embedding", (double)graphs, "graphs")));
    must(pvg_pipeline_read(p, NULL, model_path ? &model : NULL, pipeline, release, NULL,
                           NULL, d.rng, run_begin("learning", (double)graphs, "graphs")));
    run_done();
    if (model_path) save_model("", model);
    door_pass(&d, release);
    write_rows(&d, pipeline, p);
    if (test_share > 0.0) /* labels are public here, and p is made from a release */
        note("right on graphs that were left out: %.1f %%",
             hits(p, known, parts, graphs, pvg_pipeline_classes(pipeline)));
    if (rows_told) embedding_rows(&in, patterns, pipeline, known, parts, d.rng);
    door_close(&d, release);
    pvg_model_free(model);
    pvg_release_free(release);
    pvg_pipeline_free(pipeline);
    pvg_query_free(query);
    pvg_patterns_free(patterns);
    free(labels);
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
               &learn_forms[ROWS].group, &rows_options, &row_options, &visible_options,
               &ledger_options, &input_options, &seed_options, &common_options},
    .examples = {{"privgraph learn embeddings MUTAG --patterns trees:4 --epsilon 2 "
                  "--test-share 0.1",
                  "classes; how many of a tenth of the graphs are right"}},
    .run = run_embeddings,
};
