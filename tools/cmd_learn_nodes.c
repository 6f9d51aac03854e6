/* privgraph learn nodes: nodes are hidden with their features and labels. */
#include "learn.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option nodes_table[] = {
    {"model", 0, OPTION_FILE, "FILE", &learn_model_path,
     "the trained network; the encoder of gap goes to FILE.encoder. Needed"},
    NETWORK,
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
    double *p = learn_probabilities(pipeline), *without = learn_probabilities(pipeline);
    must(
        pvg_pipeline_read_exact(p, without, pipeline, encoder, states, head, &own, NULL));
    learn_tell_row("no edges (the encoder of this draw)",
                   learn_hits(without, labels, parts, order, wide));
    if (head) learn_tell_row("this draw", learn_hits(p, labels, parts, order, wide));
    must(pvg_pipeline_exact(p, NULL, pipeline, data, rng, NULL));
    learn_tell_row("no noise", learn_hits(p, labels, parts, order, wide));
    free(p);
    free(without);
}

static void run_nodes(int count, char **operands) {
    const kind_form *form = &learn_forms[LEARN_NODES];
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
    learn_check_shares();
    degree_assumption(&degrees, &bound);
    if (degrees == PVG_DEGREES_TRUNCATED)
        usage_error("--max-degree: sums over neighbours need --promise-max-degree");
    if (!learn_model_path) usage_error("--model FILE is needed: that is what is drawn");
    if (!kind_given(form, "classes"))
        usage_error("--classes C is needed: labels are private, and so is "
                    "what they tell of it");
    if (sums && bound < 1)
        usage_error("--promise-max-degree D is needed for sums over neighbours");
    kind_text(&text, form);
    if (bound > 0) text_add(&text, " max-degree=%lld", (long long)bound);
    learn_load_folder(&in, operands[0], learn_whole_given(form, "columns"));
    if (!in.features) fail(CODE_FAILED, "%s: no features.txt", operands[0]);
    must(pvg_labels_view(&labels, in.labels));
    const int64_t order = pvg_graph_order(in.graph);
    int32_t *parts = learn_split(labels, order);
    const pvg_pipeline_arguments a = {.size = sizeof a, .order = order, .parts = parts};
    pvg_rng *rng = rng_wanted();
    pvg_pipeline *pipeline = learn_make(&text, &a, rng);
    learn_check_visible(pipeline);
    learn_open_door(&d, VALUES_CSV, rng);
    if (d.whole && !sums) usage_error("--release: the encoder alone releases no sums");
    const pvg_input data =
        learn_input(&d, sums ? in.graph : NULL, in.features, in.labels);
    must(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &data, d.rng,
                           d.ledger, NULL, NULL, run_begin("training", 1, "pipeline")));
    run_done();
    must(pvg_release_view_model(&encoder, drawn[0]));
    if (drawn[2]) must(pvg_release_view_model(&head, drawn[2]));
    learn_save_model("", head ? head : encoder);
    if (head) learn_save_model(".encoder", encoder);
    must(pvg_model_promise(&promise, head ? head : encoder, PVG_NOTION_NODE_REMOVED,
                           NULL));
    d.guarantee = learn_promise_text(promise, false);
    output_text(d.data, "%s\n", d.guarantee);
    char *words = learn_promise_text(promise, true);
    note("%s", words);
    free(words);
    if (learn_rows_told)
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
    .groups = {&learn_forms[LEARN_NODES].budget, &learn_forms[LEARN_NODES].group,
               &nodes_options, &degree_options, &learn_row_options, &visible_options,
               &ledger_options, &input_options, &seed_options, &common_options},
    .examples = {{"privgraph learn nodes people/ -e 4 --columns 500 --classes 3 "
                  "--model people.pvgm",
                  "the encoder alone"},
                 {"privgraph learn nodes people/ -e 13 --columns 500 --classes 3 "
                  "--method gap --promise-max-degree 171 --model people.pvgm",
                  "head in people.pvgm, encoder in people.pvgm.encoder"}},
    .run = run_nodes,
};
