/* privgraph classify: classes of nodes from public features and labels and private edges.
 */
#include "tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t directions, averages, hops;
static double held_out = 0.2, delta = 1e-6, first_share;
static int format, recipe, exact;

static const option release_kind[] = {
    {"recipe", 'r', OPTION_CHOICE, "@RECIPE:histogram|sums|gap|pcmp|response", &recipe,
     "what is released about the edges (default histogram): edges by class of the "
     "sender; sums of messages with Gaussian noise, without labels for gap; "
     "contractive layers; a whole graph by randomised response"},
    {"delta", 0, OPTION_REAL, "D", &delta,
     "delta of sums, gap and pcmp (default 1e-6); the others have none"},
    {"hops", 0, OPTION_WHOLE, "K", &hops, "layers of gap and pcmp (default 1)"},
    {"exact-not-private", 0, OPTION_FLAG, NULL, &exact,
     "no noise at all: what the recipe could do at most. Not to be published"},
    {0},
};
static const option_group release_options = {"Recipe", release_kind};

static const option learner[] = {
    {"directions", 'k', OPTION_WHOLE, "K", &directions,
     "directions of the features that the encoder sees (default: all columns, or 128 if "
     "rows have more entries than that on average)"},
    {"averages", 0, OPTION_WHOLE, "N", &averages,
     "networks whose probabilities are averaged (default 3)"},
    {"held-out", 0, OPTION_REAL, "X", &held_out,
     "share of the labelled nodes that stop, choose and calibrate, and send nothing "
     "(default 0.2; 0: nothing is chosen)"},
    {"two-rounds", 0, OPTION_REAL, "X", &first_share,
     "this share of epsilon for a first round, whose classes orient the second (default "
     "0: one round; 0.4 pays with few labels and many edges per node)"},
    {"format", 'f', OPTION_CHOICE, "csv|json|npy", &format,
     "format of the data (default csv; --json is --format json)"},
    {0},
};
static const option_group learner_options = {"Learner (spends nothing)", learner};

bool learner_rows;

static const option row_table[] = {
    {"rows-not-private", 0, OPTION_FLAG, NULL, &learner_rows,
     "for public test data: also tell how well it does without noise and without edges. "
     "These are statistics of the private data, not covered by the guarantee"},
    {0},
};
const option_group learner_row_options = {"Comparison", row_table};

/* splitmix64 of the number of a node. */
double learner_coin(uint64_t node) {
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
    int64_t *left = take((size_t)t->classes, sizeof *left);
    for (int64_t v = 0; v < t->order; v++)
        if (all[v] >= 0) left[all[v]]++;
    for (int64_t v = 0; v < t->order; v++) { /* a class keeps a node that learns */
        const bool chooses =
            all[v] >= 0 && left[all[v]] > 1 && learner_coin((uint64_t)v) < held_out;
        if (chooses) left[all[v]]--;
        t->labels[v] = chooses ? -1 : all[v];
        t->checks[v] = chooses ? all[v] : -1;
        t->choosing += chooses;
    }
    free(left);
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

static char **class_names(int64_t classes) {
    char **names = take((size_t)classes + 2, sizeof *names);
    names[0] = text_copy("class");
    for (int64_t c = 0; c < classes; c++) {
        names[c + 1] = take(32, 1);
        snprintf(names[c + 1], 32, "p%" PRId64, c);
    }
    return names;
}

void learner_write(door *d, int64_t rows, int64_t classes, const double *posterior,
                   int form) {
    const int64_t width = classes + 1;
    double *numbers = take((size_t)(rows * width), sizeof *numbers);
    for (int64_t v = 0; v < rows; v++) {
        const double *row = posterior + v * classes;
        int64_t best = 0;
        for (int64_t c = 1; c < classes; c++)
            if (row[c] > row[best]) best = c;
        numbers[v * width] = (double)best;
        memcpy(numbers + v * width + 1, row, (size_t)classes * sizeof *row);
    }
    values v = {rows, width, numbers, class_names(classes), d->guarantee};
    values_write(d->data, &v, form);
    names_free(v.names);
    free(numbers);
}

static void write_classes(door *d, const task *t, const double *posterior) {
    learner_write(d, t->order, t->classes, posterior, values_format(format));
}

static void report_hits(const task *t, const double *posterior) {
    if (t->choosing > 0)
        note("right on %lld labelled nodes that were held out: %.1f %% (features only "
             "%.1f %%); settings were chosen by them",
             (long long)t->choosing, 100.0 * right(t, posterior) / (double)t->choosing,
             100.0 * right(t, t->prior) / (double)t->choosing);
}

/* What the recipe could do at most, on the nodes that were held out. */
static void report_exact(task *t, const input *in, const pvg_recipe_config *config,
                         pvg_rng *rng) {
    pvg_recipe_config own = *config;
    double *posterior = take((size_t)(t->order * t->classes), sizeof *posterior);
    own.prior = t->prior;
    must(pvg_recipe_learn_exact(posterior, in->graph, in->features, t->labels, &own, rng,
                                NULL));
    warn("NOT private, a statistic of private edges: no noise: %.1f %% of the nodes held "
         "out (no edges %.1f %%)",
         100.0 * right(t, posterior) / (double)t->choosing,
         100.0 * right(t, t->prior) / (double)t->choosing);
    free(posterior);
}

/* A first round of edge histograms whose classes make the cells of a second one. */
static void two_rounds(double *posterior, pvg_release **first, pvg_release **second,
                       task *t, const input *in, const pvg_recipe_config *config,
                       const pvg_target *target, const door *d) {
    const pvg_posterior_config reading = {.size = sizeof reading,
                                          .classes = t->classes,
                                          .checks = t->choosing > 0 ? t->checks : NULL};
    must(pvg_recipe_encode(t->prior, in->features, t->labels, t->order, config, d->rng,
                           run_begin("encoder", 1, "fit")));
    must(pvg_classify_nodes(posterior, first, second, in->graph, t->prior, t->labels,
                            &reading, first_share, target, d->objects[0], d->rng,
                            d->ledger,
                            run_begin("classifying", (double)t->order, "nodes")));
}

/* What will be released about the edges, weighed before it is paid for. */
typedef struct {
    const pvg_recipe_config *config;
    pvg_target target;
} plan;

static int32_t weigh(pvg_preview **out, const void *context, int64_t order) {
    const plan *p = context;
    return pvg_recipe_preview(out, p->config, &p->target, order);
}

static void check_visible(const task *t, const pvg_recipe_config *config,
                          const pvg_target *target) {
    plan p = {config, *target};
    if (first_share > 0.0) p.target.epsilon *= fmax(first_share, 1.0 - first_share);
    visible_check(weigh, &p, &t->order, 1);
}

static void classify(task *t, const input *in, const pvg_recipe_config *config) {
    door d;
    pvg_release *release = NULL, *second = NULL;
    pvg_target target;
    double *posterior = take((size_t)(t->order * t->classes), sizeof *posterior);
    plain_target(&target);
    if (recipe != PVG_RECIPE_HISTOGRAM && recipe != PVG_RECIPE_RESPONSE)
        target.delta = delta;
    check_visible(t, config, &target);
    door_open(&d, values_format(format), 1, false);
    if (first_share > 0.0)
        two_rounds(posterior, &release, &second, t, in, config, &target, &d);
    else
        must(pvg_recipe_learn(posterior, t->prior, &release, in->graph, in->features,
                              t->labels, config, &target, d.objects[0], d.rng, d.ledger,
                              run_begin("classifying", (double)t->order, "nodes")));
    run_done();
    if (second)
        door_pass_two(&d, release, second);
    else
        door_pass(&d, release);
    write_classes(&d, t, posterior);
    report_hits(t, posterior);
    if (learner_rows && t->choosing > 0) report_exact(t, in, config, d.rng);
    door_close(&d, second ? second : release);
    pvg_release_free(release);
    pvg_release_free(second);
    free(posterior);
}

static void classify_exactly(task *t, const input *in, const pvg_recipe_config *config) {
    static char guarantee[] =
        "{\"private\": false, \"epsilon\": \"infinity\", \"reason\": \"no noise "
        "(--exact-not-private)\"}";
    door d;
    pvg_rng *rng;
    pvg_recipe_config alone = *config;
    double *posterior = take((size_t)(t->order * t->classes), sizeof *posterior);
    must(pvg_rng_new_secure(&rng));
    alone.recipe = PVG_RECIPE_FEATURES;
    door_open_exact(&d, values_format(format));
    d.guarantee = guarantee;
    must(pvg_recipe_learn_exact(t->prior, in->graph, in->features, t->labels, &alone, rng,
                                NULL));
    alone = *config;
    alone.prior = t->prior;
    must(pvg_recipe_learn_exact(posterior, in->graph, in->features, t->labels, &alone,
                                rng,
                                run_begin("classifying", (double)t->order, "nodes")));
    run_done();
    write_classes(&d, t, posterior);
    report_hits(t, posterior);
    door_close_exact(&d);
    pvg_rng_free(rng);
    free(posterior);
}

static void run(int count, char **operands) {
    input in;
    task t = {0};
    (void)count;
    if (first_share >= 1.0) usage_error("--two-rounds must be below 1");
    if (first_share > 0.0 && (recipe != PVG_RECIPE_HISTOGRAM || exact))
        usage_error("--two-rounds is for edge histograms with noise");
    if (held_out >= 1.0) usage_error("--held-out must be below 1");
    if (held_out < 0.0) usage_error("--held-out must not be negative");
    if (learner_rows && !(held_out > 0.0))
        usage_error("--rows-not-private needs nodes that are held out: --held-out X");
    if (directions < 0) usage_error("--directions must not be negative");
    if (averages < 0) usage_error("--averages must not be negative");
    if (hops < 0 || hops > 16) usage_error("--hops must be between 1 and 16");
    if (delta <= 0.0 || delta >= 1.0) usage_error("--delta must be between 0 and 1");
    input_load(&in, operands[0], WANT_FEATURES | WANT_LABELS);
    if (!in.labels)
        fail(CODE_FAILED, "%s: not a node-level folder with edges.txt and labels.txt",
             operands[0]);
    input_require_order(&in);
    split(&t, &in);
    t.prior = take((size_t)(t.order * t.classes) + 1, sizeof *t.prior);
    const pvg_recipe_config config = {.size = sizeof config,
                                      .recipe = recipe,
                                      .classes = t.classes,
                                      .directions = directions,
                                      .averages = averages,
                                      .hops = hops,
                                      .checks = t.choosing > 0 ? t.checks : NULL};
    if (exact)
        classify_exactly(&t, &in, &config);
    else
        classify(&t, &in, &config);
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
            "are. The counts never appear; what is read from them is written. Other "
            "recipes release other things about the edges (--recipe); what networks "
            "read from public features before, and from the release after, spends "
            "nothing.",
    .groups = {&epsilon_options, &release_options, &learner_options, &learner_row_options,
               &visible_options, &ledger_options, &input_options, &seed_options,
               &common_options},
    .examples = {{"privgraph classify people/ --epsilon 1 -o classes.csv",
                  "classes, guarantee in classes.csv.guarantee.json"},
                 {"privgraph classify people/ -e 2 --held-out 0 --json",
                  "all labels are sent, nothing is chosen"},
                 {"privgraph classify people/ -e 4 --recipe sums --delta 1e-6",
                  "sums of messages with Gaussian noise instead"}},
    .run = run,
};

const command command_learn_edges = {
    .name = "learn edges",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "classes of nodes while edges are hidden: another name of 'classify'",
    .text = "The same as 'privgraph classify': edges are private, features and labels "
            "public. --recipe says what is released about the edges.",
    .groups = {&epsilon_options, &release_options, &learner_options, &learner_row_options,
               &visible_options, &ledger_options, &input_options, &seed_options,
               &common_options},
    .examples = {{"privgraph learn edges people/ --epsilon 1 -o classes.csv",
                  "classes, guarantee in classes.csv.guarantee.json"}},
    .run = run,
};

static void run_graph(int count, char **operands) {
    recipe = PVG_RECIPE_RESPONSE;
    run(count, operands);
}

const command command_learn_graph = {
    .name = "learn graph",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "classes of nodes from a released graph, by unbiased sums",
    .text = "Every pair of nodes answers by randomised response, and networks read "
            "unbiased sums over the graph that comes out, which --release keeps: any "
            "number of other networks may read it at no further cost. Ahead of "
            "'learn edges' from epsilon 6 on for graphs of a few thousand nodes.",
    .groups = {&epsilon_options, &learner_options, &learner_row_options, &visible_options,
               &ledger_options, &input_options, &seed_options, &common_options},
    .examples = {{"privgraph learn graph people/ --epsilon 8 --release graph.pvgr",
                  "classes, and the graph for other networks"}},
    .run = run_graph,
};
