/* privgraph synthesize: a made-up graph with the degrees, block counts, triangles and
 * assortativity of a private one. */
#include "tool.h"

#include <math.h>
#include <stdlib.h>

static const char *blocks_path;
static bool label_blocks;
static double mixing;
static const char *shares;
static int64_t levels;
static int format;

static const option synthesis_list[] = {
    {"blocks", 'b', OPTION_FILE, "FILE", &blocks_path,
     "a public block number for each node, one per line (default: one block)"},
    {"label-blocks", 0, OPTION_FLAG, NULL, &label_blocks,
     "blocks are labels.txt of the folder, which is then public; -1 is a block as well"},
    {"levels", 0, OPTION_WHOLE, "J", &levels,
     "degrees up to this are counted by levels, larger ones by ranks (default 96)"},
    {"mixing", 0, OPTION_REAL, "X", &mixing,
     "how unlike degrees in a group of friends are (default 0.75)"},
    {"shares", 0, OPTION_TEXT, "D,B,T,A", &shares,
     "of epsilon: degrees, edges between blocks, triangles, assortativity (default "
     "0.45,0.15,0.3,0.1); A may be 0"},
    {"format", 'f', OPTION_CHOICE, output_format_words, &format,
     "format to write (default: by the name of --output; an edge list on stdout)"},
    {0},
};
static const option_group synthesis_options = {"Synthesis", synthesis_list};

static int32_t *read_blocks(int64_t order) {
    int64_t rows = 0, width = 0;
    double *numbers = values_read(blocks_path, &rows, &width);
    int32_t *blocks = take((size_t)order, sizeof *blocks);
    if (rows != order || width != 1)
        fail(CODE_FAILED, "%s: not one number for each of %lld nodes", blocks_path,
             (long long)order);
    for (int64_t i = 0; i < order; i++) {
        if (numbers[i] < 0.0 || numbers[i] > 4095.0 || numbers[i] != rint(numbers[i]))
            fail(CODE_FAILED, "%s:%lld: no block number below 4096", blocks_path,
                 (long long)i + 1);
        blocks[i] = (int32_t)numbers[i];
    }
    free(numbers);
    return blocks;
}

static int32_t *blocks_of_labels(const input *in) {
    const int64_t order = pvg_graph_order(in->graph);
    const int32_t *labels;
    int32_t *blocks = take((size_t)order, sizeof *blocks);
    if (!in->labels || pvg_labels_count(in->labels) != order)
        fail(CODE_FAILED, "--label-blocks: no folder with a label for each node");
    must(pvg_labels_view(&labels, in->labels));
    for (int64_t v = 0; v < order; v++)
        blocks[v] = labels[v] < 0 ? (int32_t)pvg_labels_classes(in->labels) : labels[v];
    return blocks;
}

static void read_shares(pvg_synthesis_config *out) {
    double each[4];
    if (parse_reals(each, 4, shares, "--shares") != 4)
        usage_error("--shares: four numbers separated by commas");
    out->degrees_share = each[0];
    out->between_share = each[1];
    out->triangles_share = each[2];
    out->assortativity_share = each[3];
}

static pvg_statistic *make(const input *in) {
    const int64_t order = pvg_graph_order(in->graph);
    pvg_synthesis_config config = {
        .size = sizeof config, .order = order, .levels = levels};
    pvg_statistic *statistic = NULL;
    pvg_target target;
    int32_t *blocks = blocks_path    ? read_blocks(order)
                      : label_blocks ? blocks_of_labels(in)
                                     : NULL;
    if (shares) read_shares(&config);
    for (int64_t v = 0; blocks && v < order; v++)
        if (blocks[v] >= config.blocks) config.blocks = blocks[v] + 1;
    plain_target(&target);
    must(pvg_statistic_new_synthesis(&statistic, &config, &target, blocks));
    free(blocks);
    return statistic;
}

/* Triangles as released, then those of the made graph: how far the wiring came. */
static void compare(double out[2], const pvg_statistic *statistic, const double *released,
                    const pvg_graph *made) {
    const pvg_triangles_config config = {.size = sizeof config};
    const pvg_target any = {.size = sizeof any, .epsilon = 1.0, .allow_seeded = 1};
    pvg_statistic *triangles = NULL;
    int64_t at;
    must(pvg_statistic_part(&at, NULL, NULL, statistic, 2));
    must(pvg_statistic_new_triangles(&triangles, &config, &any));
    must(pvg_statistic_values_exact(&out[1], triangles, made,
                                    run_begin("comparing", 1, "graph")));
    out[0] = released[at];
    pvg_statistic_free(triangles);
}

static void run(int count, char **operands) {
    input in;
    door d;
    double found[2];
    pvg_graph *made = NULL;
    pvg_release *release = NULL;
    const double *released;
    const pvg_wiring_config wiring = {.size = sizeof wiring, .mixing = mixing};
    (void)count;
    if (blocks_path && label_blocks)
        usage_error("--blocks and --label-blocks exclude each other");
    input_load(&in, operands[0], label_blocks ? WANT_LABELS : 0);
    if (!in.graph) fail(CODE_FAILED, "%s: a set of graphs, not one", operands[0]);
    input_require_order(&in);
    const int to =
        common_json ? PVG_FORMAT_AUTO : graph_format(common_output, format, false);
    pvg_statistic *statistic = make(&in);
    visible_check_input(visible_statistic, statistic, &in, NULL);
    door_open(&d, common_json ? VALUES_JSON : VALUES_CSV, 1, false);
    must(pvg_release_draw_statistic(
        &release, statistic, in.graph, d.objects[0], d.rng, d.ledger,
        run_begin("counting", (double)pvg_graph_order(in.graph), "nodes")));
    door_pass(&d, release);
    must(pvg_release_view(&released, release));
    must(pvg_synthesis_draw(&made, statistic, released, &wiring, d.rng,
                            run_begin("wiring", 1, "graph")));
    compare(found, statistic, released, made);
    run_done();
    if (common_json) {
        json j = {.out = d.data};
        json_begin(&j, NULL, '{');
        json_raw(&j, "guarantee", d.guarantee);
        json_begin(&j, "derived", '{');
        json_real(&j, "triangles_released", found[0]);
        json_real(&j, "triangles_made", found[1]);
        json_end(&j, '}');
        json_graph(&j, made);
        json_end(&j, '}');
    } else {
        graph_put(d.data, made, to);
    }
    if (fabs(found[1] - found[0]) > 0.01 * found[0])
        note("triangles: %.0f released, %.0f made: no graph with these degrees and more "
             "was found",
             found[0], found[1]);
    note("%lld edges on %lld nodes, all of them made up: none is evidence of an edge",
         (long long)pvg_graph_size(made), (long long)pvg_graph_order(made));
    door_close(&d, release);
    pvg_graph_free(made);
    pvg_release_free(release);
    pvg_statistic_free(statistic);
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
        "for 0.45, 0.15, 0.3 and 0.1 of epsilon, and writes a random graph that has "
        "them. Blocks are public. Degrees, homophily, triangles, the largest "
        "eigenvalue and the assortativity come out close to the private graph; no single "
        "edge does, and none is evidence of an edge: any two nodes of a block are alike "
        "to it.",
    .groups = {&epsilon_options, &synthesis_options, &visible_options, &ledger_options,
               &input_options, &seed_options, &common_options},
    .examples = {{"privgraph synthesize --epsilon 1 people/ --label-blocks -o made.txt "
                  "--release made.release",
                  "guarantee in made.txt.guarantee.json, the released numbers in "
                  "made.release"},
                 {"privgraph synthesize -e 0.5 --order 1000 friends.txt -f sparse6",
                  "one block"}},
    .run = run,
};
