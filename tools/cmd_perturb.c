/* privgraph perturb graph: private graphs on the same nodes. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first four give graphs, the others lists. */
enum {
    METHOD_RESPONSE,
    METHOD_LAPGRAPH,
    METHOD_DPRR,
    METHOD_BLINK,
    METHOD_SUBSET,
    METHOD_SLOTS,
    METHODS
};
enum { REPORTS_OWNED, REPORTS_HALF, REPORTS_PUBLISHED };

static int method = METHOD_RESPONSE, format, reports, split, lists, repeats;
static double keep, count_share, degree_share, node_epsilon;
static int64_t edge_limit;
static const char *blocks_path;

static const option graph_list[] = {
    {"method", 0, OPTION_CHOICE, "response|lapgraph|dprr|blink|subset|slots", &method,
     "response: every pair of nodes answers by randomised response (default). "
     "lapgraph: the likeliest pairs, as many as a noisy number of edges. dprr: neighbour "
     "lists thinned to a noisy degree, sparse unless epsilon is small. blink: pairs that "
     "noisy "
     "answers and degrees make likely. subset, slots: "
     "entries of a list are replaced, lengths of lists are released (edge-set LDP)"},
    {"keep", 0, OPTION_REAL, "X", &keep,
     "response: chance that an edge stays (default: the largest); a smaller one gives a "
     "sparser graph"},
    {"count-share", 0, OPTION_REAL, "X", &count_share,
     "lapgraph: share of epsilon for the number of edges (default 0.01)"},
    {"edge-limit", 0, OPTION_WHOLE, "N", &edge_limit,
     "not for subset and slots: refuse if noise would give more edges (default 2^28)"},
    {"reports", 0, OPTION_CHOICE, "owned|half|published", &reports,
     "dprr, blink: what users report (default owned). half is for dprr only; dprr "
     "published "
     "gives directed lists"},
    {"split", 0, OPTION_CHOICE, "@DPRR_SPLIT:share|balanced", &split,
     "dprr: how epsilon is split between degrees and lists (default share)"},
    {"degree-share", 0, OPTION_REAL, "X", &degree_share,
     "dprr, blink: share of epsilon for degrees (default 0.1)"},
    {"lists", 0, OPTION_CHOICE, "@LISTS:owned|whole", &lists,
     "subset, slots: an edge is in the list of its end with the lower number (default: "
     "hidden is which higher number it names) or of both (hidden is which ends two edges "
     "join, epsilon for all lists together)"},
    {"repeats", 0, OPTION_CHOICE, "@SLOTS_REPEATS:keep|drop|redraw", &repeats,
     "slots: what happens to repeated entries (default keep)"},
    {"blocks", 0, OPTION_FILE, "FILE", &blocks_path,
     "slots: a public block number for each node, one per line; entries then tend to "
     "stay "
     "in their block"},
    {"node-epsilon", 0, OPTION_REAL, "X", &node_epsilon,
     "slots with --blocks: epsilon of the node inside its block (default 0)"},
    {0},
};
const option_group perturb_graph_options = {"Perturbation", graph_list};

static const option format_list[] = {
    {"format", 'f', OPTION_CHOICE, output_format_words, &format,
     "format to write (default: by the name of --output; an edge list on stdout)"},
    {0},
};
static const option_group format_options = {"Data", format_list};

/* An option that was given must belong to the method. */
static void check_options(void) {
    static const char *const names[METHODS] = {"response", "lapgraph", "dprr",
                                               "blink",    "subset",   "slots"};
    const struct {
        const char *name;
        unsigned methods;
        bool given;
    } rules[] = {
        {"keep", 1u << METHOD_RESPONSE, keep > 0.0},
        {"count-share", 1u << METHOD_LAPGRAPH, count_share > 0.0},
        {"edge-limit", (1u << METHOD_SUBSET) - 1, edge_limit > 0},
        {"reports", 1u << METHOD_DPRR | 1u << METHOD_BLINK, reports > 0},
        {"reports half", 1u << METHOD_DPRR, reports == REPORTS_HALF},
        {"split", 1u << METHOD_DPRR, split > 0},
        {"degree-share", 1u << METHOD_DPRR | 1u << METHOD_BLINK, degree_share > 0.0},
        {"lists", 1u << METHOD_SUBSET | 1u << METHOD_SLOTS, lists > 0},
        {"repeats", 1u << METHOD_SLOTS, repeats > 0},
        {"blocks", 1u << METHOD_SLOTS, blocks_path != NULL},
        {"node-epsilon", 1u << METHOD_SLOTS, node_epsilon > 0.0},
    };
    for (size_t i = 0; i < COUNT_OF(rules); i++)
        if (rules[i].given && !(rules[i].methods >> method & 1))
            usage_error("--%s does not belong to --method %s", rules[i].name,
                        names[method]);
    if (node_epsilon > 0.0 && !blocks_path) usage_error("--node-epsilon needs --blocks");
}

static int32_t *read_blocks(int64_t order) {
    int64_t rows = 0, width = 0;
    double *numbers = values_read(blocks_path, &rows, &width);
    int32_t *blocks = take((size_t)order, sizeof *blocks);
    if (rows != order || width != 1)
        fail(CODE_FAILED, "%s: not one number for each of %lld nodes", blocks_path,
             (long long)order);
    for (int64_t i = 0; i < order; i++) {
        if (numbers[i] < 0.0 || numbers[i] > INT32_MAX || numbers[i] != rint(numbers[i]))
            fail(CODE_FAILED, "%s:%lld: no block number", blocks_path, (long long)i + 1);
        blocks[i] = (int32_t)numbers[i];
    }
    free(numbers);
    return blocks;
}

static pvg_perturber *new_slots(const pvg_target *target, int64_t order) {
    pvg_perturber *perturber = NULL;
    int32_t *blocks = blocks_path ? read_blocks(order) : NULL;
    const pvg_slots_config config = {.size = sizeof config,
                                     .lists = lists,
                                     .kernel = blocks ? PVG_SLOTS_KERNEL_BLOCKS
                                                      : PVG_SLOTS_KERNEL_UNIFORM,
                                     .repeats = repeats,
                                     .order = order,
                                     .node_epsilon = node_epsilon};
    must(pvg_perturber_new_slots(&perturber, &config, target, blocks, NULL));
    free(blocks);
    return perturber;
}

static pvg_perturber *new_perturber(int64_t order) {
    pvg_perturber *perturber = NULL;
    pvg_target target;
    plain_target(&target);
    const pvg_response_config response = {
        .size = sizeof response, .keep = keep, .edge_limit = edge_limit};
    const pvg_dprr_config dprr = {.size = sizeof dprr,
                                  .reports = reports,
                                  .split = split,
                                  .degree_share = degree_share,
                                  .edge_limit = edge_limit};
    const pvg_lapgraph_config lapgraph = {
        .size = sizeof lapgraph, .count_share = count_share, .edge_limit = edge_limit};
    const pvg_blink_config blink = {
        .size = sizeof blink,
        .reports = reports == REPORTS_PUBLISHED ? PVG_BLINK_PUBLISHED : PVG_BLINK_OWNED,
        .degree_share = degree_share,
        .edge_limit = edge_limit};
    const pvg_lists_config subset = {.size = sizeof subset, .lists = lists};
    if (method == METHOD_RESPONSE)
        must(pvg_perturber_new_response(&perturber, &response, &target));
    else if (method == METHOD_LAPGRAPH)
        must(pvg_perturber_new_lapgraph(&perturber, &lapgraph, &target));
    else if (method == METHOD_BLINK)
        must(pvg_perturber_new_blink(&perturber, &blink, &target));
    else if (method == METHOD_DPRR)
        must(pvg_perturber_new_dprr(&perturber, &dprr, &target));
    else if (method == METHOD_SUBSET)
        must(pvg_perturber_new_subset(&perturber, &subset, &target));
    else
        perturber = new_slots(&target, order);
    return perturber;
}

pvg_perturber *perturb_graph_wanted(int64_t order) {
    check_options();
    return new_perturber(order);
}

int perturb_graph_lists(void) {
    return method < METHOD_SUBSET ? -1 : lists;
}

const char *perturb_graph_below(void) {
    static const char *const why[] = {
        [METHOD_RESPONSE] = "with --keep below 1 most answers are silence; else this is "
                            "chance: one pair decides, and the score reads it",
        [METHOD_LAPGRAPH] = "a pair is released if its noisy cell is among the largest "
                            "of all n (n - 1) / 2: with Laplace noise that is rarely the "
                            "edge's doing, and a share of epsilon went to the count",
        [METHOD_DPRR] = "a pair is released with a chance that follows noisy degrees, "
                        "and a share of epsilon went to these",
        [METHOD_BLINK] = "a pair is released where a prior from noisy degrees and its "
                         "own noisy bit together pass one half, which a sparse prior "
                         "seldom lets happen at small epsilon",
        [METHOD_SUBSET] = "a report holds many candidates besides the entry, and the "
                          "worlds differ in one of them",
        [METHOD_SLOTS] = "an entry becomes any of the n candidates nearly evenly at "
                         "small epsilon: the bound is about the likeliest outcome, which "
                         "is rare",
    };
    return why[method];
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

static void json_release(json *j, const pvg_release *release) {
    const pvg_graph *graph = NULL;
    const int64_t *offsets = NULL;
    const int32_t *targets = NULL;
    int64_t count = 0;
    if (pvg_release_view_graph(&graph, release) == PVG_OK) {
        json_graph(j, graph);
        return;
    }
    must(pvg_release_view_lists(&offsets, &targets, &count, release));
    json_pairs(j, count, offsets, targets, true);
}

static void put_release(output *out, const pvg_release *release, int to) {
    const pvg_graph *graph = NULL;
    if (pvg_release_view_graph(&graph, release) == PVG_OK)
        graph_put(out, graph, to);
    else
        put_lists(out, release);
}

/* From public numbers, before anything is spent. */
static void say_added(const pvg_perturber *perturber, int64_t order) {
    double expected = 0.0;
    if (method <= METHOD_LAPGRAPH &&
        pvg_perturber_preview_edges(&expected, NULL, perturber, order) == PVG_OK)
        note("noise adds about %.3g edges to %lld nodes", expected, (long long)order);
}

/* --- one graph ------------------------------------------------------------------- */

static void run_one(const input *in, int to) {
    door d;
    json j;
    pvg_release *release = NULL;
    const int64_t order = pvg_graph_order(in->graph);
    pvg_perturber *perturber = new_perturber(order);
    say_added(perturber, order);
    visible_check_input(visible_perturber, perturber, in, NULL);
    door_open(&d, common_json ? VALUES_JSON : VALUES_CSV, 1, false);
    must(pvg_release_draw_graph(&release, perturber, in->graph, d.objects[0], d.rng,
                                d.ledger,
                                run_begin("perturbing", (double)order, "nodes")));
    run_done();
    door_pass(&d, release);
    if (common_json) {
        j = (json){.out = d.data};
        json_begin(&j, NULL, '{');
        json_raw(&j, "guarantee", d.guarantee);
        json_release(&j, release);
        json_end(&j, '}');
    } else {
        put_release(d.data, release, to);
    }
    door_close(&d, release);
    pvg_release_free(release);
    pvg_perturber_free(perturber);
}

/* --- a set ------------------------------------------------------------------------ */

static void put_set(output *out, const pvg_graphset *set, int to, json *j) {
    if (j) json_begin(j, "graphs", '[');
    for (int64_t i = 0; i < pvg_graphset_count(set); i++) {
        pvg_graph *graph = NULL;
        must(pvg_graphset_get(&graph, set, i));
        if (j) {
            json_begin(j, NULL, '{');
            json_graph(j, graph);
            json_end(j, '}');
        } else {
            graph_put(out, graph, to);
        }
        pvg_graph_free(graph);
    }
    if (j) json_end(j, ']');
}

static void run_set(const input *in, int to) {
    door d;
    const int64_t count = pvg_graphset_count(in->set);
    const pvg_graphset *drawn = NULL;
    pvg_release *release = NULL;
    if (count == 0) fail(CODE_FAILED, "there is no graph in the set");
    if (method >= METHOD_SUBSET ||
        (method == METHOD_DPRR && reports == REPORTS_PUBLISHED))
        usage_error(
            "the outcome of this method is lists; a set needs one that gives "
            "graphs: response, lapgraph, blink, or dprr without --reports published");
    if (to != PVG_FORMAT_GRAPH6 && to != PVG_FORMAT_SPARSE6 && !common_json)
        usage_error("a set of graphs is written as graph6 or sparse6");
    pvg_perturber *perturber = new_perturber(0);
    visible_check_input(visible_perturber, perturber, in, NULL);
    door_open(&d, common_json ? VALUES_JSON : VALUES_CSV, count, true);
    must(pvg_release_draw_graphs(&release, perturber, in->set, d.objects, d.rng, d.ledger,
                                 run_begin("perturbing", (double)count, "graphs")));
    run_done();
    door_pass(&d, release);
    must(pvg_release_view_graphs(&drawn, release));
    if (common_json) {
        json j = {.out = d.data};
        json_begin(&j, NULL, '{');
        json_raw(&j, "guarantee", d.guarantee);
        put_set(d.data, drawn, to, &j);
        json_end(&j, '}');
    } else {
        put_set(d.data, drawn, to, NULL);
    }
    door_close(&d, release);
    pvg_release_free(release);
    pvg_perturber_free(perturber);
}

static void run(int count, char **operands) {
    input in;
    pvg_target target;
    (void)count;
    plain_target(
        &target); /* what is wrong with options is said before anything is read */
    check_options();
    input_load(&in, operands[0], 0);
    input_require_order(&in);
    const int to = common_json ? PVG_FORMAT_AUTO
                               : graph_format(common_output, format, in.set != NULL);
    if (in.set)
        run_set(&in, to);
    else
        run_one(&in, to);
    input_free(&in);
}

const command command_perturb_graph = {
    .name = "perturb graph",
    .operands = "INPUT",
    .least = 1,
    .most = 1,
    .summary = "private graphs on the same nodes",
    .text =
        "Writes a graph on the same nodes whose edges are partly true and partly noise. "
        "Response, lapgraph, dprr and blink hide whether any single edge of INPUT is "
        "there. Subset and slots do not: they keep how many entries each list has, and "
        "hide which of its candidates an entry names. What is released is the whole "
        "outcome: everything computed from it is covered by the guarantee.\n\n"
        "Randomised response on all pairs adds very many edges at small epsilon: about "
        "n^2 / (2 (1 + e^epsilon)). --method dprr adds about 5 / epsilon for each "
        "node, lapgraph hardly any. A set of "
        "graphs "
        "(TUDataset folder, graph6 or sparse6 lines) gives a set; each graph is a "
        "private "
        "object of its own.",
    .groups = {&epsilon_options, &perturb_graph_options, &format_options,
               &visible_options, &ledger_options, &input_options, &seed_options,
               &common_options},
    .examples = {{"privgraph perturb graph --epsilon 5 --order 1000 friends.txt -o "
                  "private.txt",
                  "and the guarantee in private.txt.guarantee.json"},
                 {"privgraph perturb graph -e 2 --method dprr graph.mtx.gz -f sparse6",
                  "a few edges more for each node than in the input, on stdout"},
                 {"privgraph perturb graph -e 4 MUTAG/ -o private.g6",
                  "every graph of a set"}},
    .run = run,
};
