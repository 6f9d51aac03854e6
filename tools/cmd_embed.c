/* privgraph embed: private embeddings of graphs. Public things are settled first, then
 * the input is read, then the ledger is charged, then noise is drawn. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int format = -1;
static bool append_order, saturate;

static const option options[] = {
    {"format", 'f', OPTION_CHOICE, "csv|json|npy", &format,
     "format of the data (default csv; --json is --format json, which holds the "
     "guarantee as well)"},
    {"append-order", 0, OPTION_FLAG, NULL, &append_order,
     "one more column: the number of nodes, which is public, without noise"},
    {"saturate", 0, OPTION_FLAG, NULL, &saturate, "clamp values to their public range"},
    {0},
};
static const option_group embed_options = {"Embedding", options};

static pvg_embedder *new_embedder(const pvg_patterns *patterns) {
    pvg_target target;
    budget_target(&target);
    target.allow_seeded = secrecy_seed.given;
    return embedder_wanted(patterns, &target, append_order, saturate);
}

static int64_t graph_count(const input *in) {
    return in->set ? pvg_graphset_count(in->set) : 1;
}

/* --- private -------------------------------------------------------------------- */

static void run_private(const pvg_patterns *patterns, const char *path) {
    input in;
    door d;
    pvg_release *release = NULL;
    pvg_embedder *embedder = new_embedder(patterns);
    input_load(&in, path, 0);
    input_require_order(&in);
    const int64_t count = graph_count(&in);
    visible_check_embedder(embedder, patterns, &in);
    door_open(&d, values_format(format), count, in.set != NULL);
    const pvg_run *run = run_begin("embedding", (double)count, "graphs");
    must(in.set ? pvg_release_draw_embeddings(&release, embedder, in.set, d.objects,
                                              d.rng, d.ledger, run)
                : pvg_release_draw_embedding(&release, embedder, in.graph, d.objects[0],
                                             d.rng, d.ledger, run));
    run_done();
    door_pass(&d, release);
    values v = {.rows = pvg_release_rows(release),
                .columns = pvg_release_columns(release),
                .names = pattern_names(patterns, append_order),
                .guarantee = d.guarantee};
    if (append_order) snprintf(v.names[v.columns - 1], 6, "order");
    must(pvg_release_view(&v.numbers, release));
    values_write(d.data, &v, values_format(format));
    door_close(&d, release);
    names_free(v.names);
    pvg_release_free(release);
    input_free(&in);
    pvg_embedder_free(embedder);
}

/* --- exact ---------------------------------------------------------------------- */

static void add_order(double *numbers, const input *in, int64_t rows, int64_t columns) {
    const int64_t *starts = NULL, *offsets = NULL;
    const int32_t *neighbours = NULL;
    if (in->set) must(pvg_graphset_view_csr(&starts, &offsets, &neighbours, in->set));
    for (int64_t r = rows - 1; r >= 0; r--) {
        double *to = numbers + r * columns;
        memmove(to, numbers + r * (columns - 1), (size_t)(columns - 1) * sizeof *to);
        to[columns - 1] =
            (double)(starts ? starts[r + 1] - starts[r] : pvg_graph_order(in->graph));
    }
}

static void run_exact(const pvg_patterns *patterns, const char *path) {
    static char guarantee[] =
        "{\"private\": false, \"epsilon\": \"infinity\", \"reason\": \"exact values "
        "(--exact-not-private)\"}";
    input in;
    door d;
    pvg_density *density = NULL;
    if (!scaling_is(PVG_SCALING_DENSITY))
        usage_error("--exact-not-private writes densities; leave --scaling out");
    if (saturate || secrecy_seed.given)
        usage_error(
            "--saturate and --seed-not-private are about noise; exact values have "
            "none");
    must(pvg_density_new(&density, patterns, NULL));
    input_load(&in, path, 0);
    door_open_exact(&d, values_format(format));
    d.guarantee = guarantee;
    const int64_t rows = graph_count(&in);
    const int64_t columns = pvg_patterns_count(patterns) + append_order;
    double *numbers = take((size_t)(rows * columns), sizeof *numbers);
    const pvg_run *run = run_begin("counting", (double)rows, "graphs");
    must(in.set ? pvg_density_evaluate_exact(numbers, density, in.set, run)
                : pvg_density_evaluate_graph_exact(numbers, density, in.graph, run));
    run_done();
    if (append_order) add_order(numbers, &in, rows, columns);
    values v = {rows, columns, numbers, pattern_names(patterns, append_order), guarantee};
    if (append_order) snprintf(v.names[columns - 1], 6, "order");
    values_write(d.data, &v, values_format(format));
    door_close_exact(&d);
    names_free(v.names);
    explicit_bzero(numbers, (size_t)(rows * columns) * sizeof *numbers);
    free(numbers);
    input_free(&in);
    pvg_density_free(density);
}

static void run(int count, char **operands) {
    pvg_patterns *patterns = patterns_wanted();
    (void)count;
    if (secrecy_exact)
        run_exact(patterns, operands[0]);
    else
        run_private(patterns, operands[0]);
    pvg_patterns_free(patterns);
}

const command command_embed = {
    .name = "embed",
    .operands = "INPUT",
    .least = 1,
    .most = 1,
    .summary = "private embeddings of graphs: one row of numbers per graph",
    .text =
        "Writes one row per graph and one column per pattern: how often the pattern "
        "occurs (homomorphism density), plus noise calibrated to the budget. Every "
        "single "
        "edge of every graph is protected by (epsilon, delta)-differential privacy; "
        "which "
        "nodes there are is public.\n\n"
        "INPUT is a TUDataset folder, a file of graph6 or sparse6 lines, a single graph "
        "(edge list, Matrix Market, METIS), a node-level folder, or - for stdin. Any "
        "file "
        "may be compressed with gzip. 'privgraph tradeoff' tells beforehand what a "
        "budget can show.",
    .groups = {&pattern_options, &budget_options, &degree_options, &unit_options,
               &embed_options, &visible_options, &ledger_options, &input_options,
               &secrecy_options, &common_options},
    .examples =
        {{"privgraph embed --patterns edge,path3,cycle6 --epsilon 1 --max-degree 4 "
          "MUTAG/ -o mutag.csv",
          "a row per molecule, and the guarantee in mutag.csv.guarantee.json"},
         {"privgraph embed -p trees:20 -e 1 --order 1000 friends.txt --json",
          "one graph, 20 random trees, values and guarantee as JSON on stdout"},
         {"privgraph embed -p edge,triangle -e 0.5 --ledger study.ledger --object "
          "friends graph.mtx.gz",
          "charge a ledger first; exit code 3 if its budget is used up"}},
    .run = run,
};
