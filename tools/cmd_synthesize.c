/* privgraph synthesize: a made-up graph with the degrees, block counts, triangles and
 * assortativity of a private one. */
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool label_blocks;
static double mixing;
static const char *shares;

static const kind_name hidden[] = {{"degrees-share", NULL, 0}, /* by --shares */
                                   {"between-share", NULL, 0},
                                   {"triangles-share", NULL, 0},
                                   {"assortativity-share", NULL, 0},
                                   {"groups", NULL, 0}, /* by --blocks */
                                   {0}};

kind_form synthesis_form = {
    .kinds = "synthesis", .title = "What is released", .names = hidden};

static const option synthesis_list[] = {
    {"label-blocks", 0, OPTION_FLAG, NULL, &label_blocks,
     "blocks are labels.txt of the folder, which is then public; -1 is a block as well"},
    {"mixing", 0, OPTION_REAL, "X", &mixing,
     "how unlike degrees in a group of friends are (default 0.75)"},
    {"shares", 0, OPTION_TEXT, "D,B,T,A", &shares,
     "of epsilon: degrees, edges between blocks, triangles, assortativity (default "
     "0.4,0.08,0.42,0.1, with blocks 0.45,0.15,0.3,0.1); A may be 0"},
    {0},
};
static const option_group synthesis_options = {"Synthesis", synthesis_list};

static void blocks_of_labels(pvg_arguments *a, const input *in) {
    const int32_t *labels;
    int32_t *blocks = take((size_t)a->order, sizeof *blocks);
    if (!in->labels || pvg_labels_count(in->labels) != a->order)
        fail(CODE_FAILED, "--label-blocks: no folder with a label for each node");
    must(pvg_labels_view(&labels, in->labels));
    for (int64_t v = 0; v < a->order; v++)
        blocks[v] = labels[v] < 0 ? (int32_t)pvg_labels_classes(in->labels) : labels[v];
    a->groups = blocks;
}

static void add_shares(query_text *text) {
    static const char *const names[] = {"degrees", "between", "triangles",
                                        "assortativity"};
    const char *at = shares ? shares : "";
    size_t count = 0;
    for (; *at && count < COUNT_OF(names); count++) {
        const size_t length = strspn(at, "0123456789.eE-");
        text_add(text, " %s-share=%.*s", names[count], (int)length, at);
        at += length + (at[length] == ',');
    }
    if (*at || (count > 0 && count < COUNT_OF(names)))
        usage_error("--shares: four numbers separated by commas");
}

/* Triangles as released, then those of the made graph: how far the wiring came. */
static void compare(double out[2], const pvg_release *release, const pvg_graph *made) {
    const pvg_input data = {.size = sizeof data, .graph = made};
    pvg_release *part = NULL;
    pvg_query *triangles = NULL;
    const double *released;
    double counted[2]; /* triangles, and what bounds their noise */
    must(pvg_release_select(&part, release, 2));
    must(pvg_release_view(&released, part));
    must(pvg_query_new(&triangles, "triangles epsilon=1", NULL, NULL, NULL));
    must(pvg_query_values_exact(counted, triangles, &data,
                                run_begin("comparing", 1, "graph")));
    out[0] = released[0];
    out[1] = counted[0];
    pvg_query_free(triangles);
    pvg_release_free(part);
}

static void put(door *d, const pvg_query *query, const pvg_release *release,
                void *context) {
    double found[2];
    pvg_graph *made = NULL;
    const int to = *(const int *)context;
    const pvg_wiring_config wiring = {.size = sizeof wiring, .mixing = mixing};
    must(pvg_synthesis_graph(&made, query, release, &wiring, d->rng,
                             run_begin("wiring", 1, "graph")));
    compare(found, release, made);
    run_done();
    if (common_json) {
        json j = {.out = d->data};
        json_begin(&j, NULL, '{');
        json_raw(&j, "guarantee", d->guarantee);
        json_begin(&j, "derived", '{');
        json_real(&j, "triangles_released", found[0]);
        json_real(&j, "triangles_made", found[1]);
        json_end(&j, '}');
        json_graph(&j, made);
        json_end(&j, '}');
    } else {
        graph_put(d->data, made, to);
    }
    if (fabs(found[1] - found[0]) > 0.01 * found[0])
        note("triangles: %.0f released, %.0f made: the released number is mostly noise, "
             "or no graph with these degrees and as many was found",
             found[0], found[1]);
    note("%lld edges on %lld nodes, all of them made up: none is evidence of an edge",
         (long long)pvg_graph_size(made), (long long)pvg_graph_order(made));
    pvg_graph_free(made);
}

static void run(int count, char **operands) {
    input in;
    query_text text;
    pvg_arguments a;
    (void)count;
    kind_text(&text, &synthesis_form);
    if (blocks_given() && label_blocks)
        usage_error("--blocks and --label-blocks exclude each other");
    add_shares(&text);
    input_load(&in, operands[0], label_blocks ? WANT_LABELS : 0);
    if (!in.graph) fail(CODE_FAILED, "%s: a set of graphs, not one", operands[0]);
    input_require_order(&in);
    arguments_read(&a, pvg_graph_order(in.graph));
    if (label_blocks) blocks_of_labels(&a, &in);
    int to = common_json ? PVG_FORMAT_AUTO : graph_format_wanted(false);
    pvg_query *query = text_query(&text, &a);
    release_answer(query, &in, 0, put, &to);
    pvg_query_free(query);
    arguments_free(&a);
    input_free(&in);
}

const command command_synthesize = {
    .name = "synthesize",
    .operands = "GRAPH",
    .least = 1,
    .most = 1,
    .summary = "a made-up graph with the degrees of a private one",
    .text =
        "Releases the degrees of every block of nodes, the numbers of edges between "
        "blocks, the number of triangles and which degrees meet at edges, with noise "
        "for 0.4, 0.08, 0.42 and 0.1 of epsilon (with blocks 0.45, 0.15, 0.3, 0.1), and "
        "writes a random graph that has them. Blocks are public. Degrees, homophily, "
        "triangles, the largest eigenvalue and the assortativity come out close to the "
        "private graph; no single edge does, and none is evidence of an edge: any two "
        "nodes of a block are alike to it.",
    .groups = {&synthesis_form.budget, &synthesis_form.group, &synthesis_options,
               &block_options, &graph_options, &visible_options, &ledger_options,
               &input_options, &seed_options, &common_options},
    .examples = {{"privgraph synthesize --epsilon 1 people/ --label-blocks -o made.txt "
                  "--release made.release",
                  "guarantee in made.txt.guarantee.json, the released numbers in "
                  "made.release"},
                 {"privgraph synthesize -e 0.5 --order 1000 friends.txt -f sparse6",
                  "one block"}},
    .run = run,
};
