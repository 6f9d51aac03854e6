/* privgraph classify and learn edges: edges are hidden. */
#include "learn.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option learner[] = {NETWORK, FORMAT, {0}};
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
             (long long)count, learn_hits(p, checks, NULL, order, wide),
             learn_hits(prior, checks, NULL, order, wide));
}

/* What the pipeline could do at most, on the nodes that were held out. */
static void report_exact(const pvg_pipeline *pipeline, const input *in, pvg_rng *rng) {
    const pvg_input data = {.size = sizeof data, .graph = in->graph};
    const int64_t order = pvg_pipeline_order(pipeline);
    const int64_t wide = pvg_pipeline_classes(pipeline);
    const int32_t *labels, *checks;
    double *p = learn_probabilities(pipeline), *without = learn_probabilities(pipeline);
    must(pvg_pipeline_view_labels(&labels, &checks, pipeline));
    must(pvg_pipeline_exact(p, without, pipeline, &data, rng, NULL));
    warn("NOT private, a statistic of private edges: no noise: %.1f %% of the nodes held "
         "out (no edges %.1f %%)",
         learn_hits(p, checks, NULL, order, wide),
         learn_hits(without, checks, NULL, order, wide));
    free(p);
    free(without);
}

static void classify(const pvg_pipeline *pipeline, const input *in, pvg_rng *rng) {
    door d;
    pvg_release *drawn[3] = {NULL, NULL, NULL};
    double *p = learn_probabilities(pipeline);
    const int32_t *labels, *checks;
    must(pvg_pipeline_view_labels(&labels, &checks, pipeline));
    if (learn_rows_told && !checks)
        usage_error("--rows-not-private needs 20 nodes that are held out: --held-out X");
    learn_check_visible(pipeline);
    learn_open_door(&d, values_format(learn_format), rng);
    const pvg_input data = learn_input(&d, in->graph, NULL, NULL);
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
    learn_write_rows(&d, pipeline, p);
    report_hits(pipeline, p);
    if (learn_rows_told) report_exact(pipeline, in, d.rng);
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
    double *p = learn_probabilities(pipeline);
    door d;
    door_open_exact(&d, values_format(learn_format));
    d.guarantee = guarantee;
    must(pvg_pipeline_exact(
        p, NULL, pipeline, &data, rng,
        run_begin("classifying", (double)pvg_pipeline_order(pipeline), "nodes")));
    run_done();
    learn_write_rows(&d, pipeline, p);
    report_hits(pipeline, p);
    door_close_exact(&d);
    pvg_rng_free(rng);
    free(p);
}

static void run_edges(int count, char **operands) {
    const kind_form *form = &learn_forms[LEARN_EDGES];
    input in;
    query_text text;
    const int32_t *labels;
    (void)count;
    kind_text(&text, form);
    learn_load_folder(&in, operands[0], 0);
    must(pvg_labels_view(&labels, in.labels));
    if (pvg_labels_classes(in.labels) < 2)
        fail(CODE_FAILED, "labels.txt has fewer than 2 classes");
    const pvg_pipeline_arguments a = {.size = sizeof a,
                                      .order = pvg_graph_order(in.graph),
                                      .labels = labels,
                                      .features = in.features};
    pvg_rng *rng = rng_wanted();
    pvg_pipeline *pipeline = learn_make(&text, &a, rng);
    if (secrecy_exact)
        classify_exactly(pipeline, &in, rng);
    else
        classify(pipeline, &in, rng);
    pvg_pipeline_free(pipeline);
    input_free(&in);
}

#define EDGE_GROUPS                                                                      \
    {                                                                                    \
        &learn_forms[LEARN_EDGES].budget, &learn_forms[LEARN_EDGES].group,               \
            &learner_options, &learn_row_options, &visible_options, &ledger_options,     \
            &input_options, &secrecy_options, &common_options                            \
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
