/* privgraph stats: single numbers about a graph under one budget, with error bars. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *list = "edges,components,largest-degree,degeneracy,radius,triangles";
static const char *diagram;
static int64_t triangle_floor, common;
static bool preview;
static int format;

static const option stats_list[] = {
    {"list", 'l', OPTION_TEXT, "NAMES", &list,
     "which numbers, with commas between: edges, components, cycle-rank, largest-degree, "
     "degeneracy, radius (largest adjacency eigenvalue), isolated, leaves, triangles, "
     "stars2, stars3 (stars with so many leaves) "
     "(default: six of them, see the text below)"},
    {"diagram", 0, OPTION_TEXT, "J,R", &diagram,
     "instead: the degree distribution of a graph, or of each graph of a set. How many "
     "nodes have degree 1, ..., J or more, how far the R largest degrees exceed J, and "
     "the sum of the others"},
    {"least-common", 0, OPTION_WHOLE, "N", &triangle_floor,
     "triangles: common neighbours that noise is made for at least (default 10)"},
    {"preview", 0, OPTION_FLAG, NULL, &preview,
     "noise against range of each number for --order nodes; reads and spends nothing"},
    {"common", 0, OPTION_WHOLE, "N", &common,
     "with --preview: noise on triangles if no two nodes have more neighbours in common"},
    {"format", 'f', OPTION_CHOICE, "csv|json|npy", &format,
     "format of the data (default csv; --json is --format json)"},
    {0},
};
static const option_group stats_options = {"Numbers", stats_list};

static char *name_of(const char *word, const char *ending) {
    const size_t bytes = strlen(word) + strlen(ending) + 1;
    char *name = take(bytes, 1);
    snprintf(name, bytes, "%s%s", word, ending);
    return name;
}

/* Numbers in the order of the release, for verify, then the deviation of their noise
 * where it is public. */
static void put(door *d, const number_list *n, const double *released,
                const double *deviations) {
    const int64_t columns = n->count + n->scalars;
    double *row = take((size_t)columns, sizeof *row);
    char **plain = numbers_names(n), **names = take((size_t)columns + 1, sizeof *names);
    for (int64_t i = 0; i < n->count; i++) {
        names[i] = plain[i];
        row[i] = released[i];
    }
    for (int64_t i = 0; i < n->scalars; i++) {
        names[n->count + i] = name_of(plain[i], "_sd");
        row[n->count + i] = deviations[i];
        note("%s %g, +- %.3g", plain[i], released[i], deviations[i]);
    }
    for (int64_t i = n->scalars; i < n->count; i++)
        note("%s %g; the size of their noise is private", plain[i], released[i]);
    values v = {1, columns, row, names, d->guarantee};
    values_write(d->data, &v, values_format(format));
    names_free(names);
    free(plain);
    free(row);
}

/* Deviations of the scalars, which come first. */
static void copy_deviations(double *out, const number_list *n, const pvg_statistic *s,
                            int64_t order) {
    pvg_tradeoff *plan = NULL;
    must(pvg_statistic_tradeoff(&plan, s, order, 0));
    for (int64_t i = 0; i < n->scalars; i++) out[i] = tradeoff_line(plan, i).noise;
    pvg_tradeoff_free(plan);
}

static void release_numbers(const number_list *n, const char *path) {
    input in;
    door d;
    double deviations[NUMBERS_MAX];
    const double *released;
    pvg_release *release = NULL;
    input_load(&in, path, 0);
    if (!in.graph) fail(CODE_FAILED, "%s: a set of graphs, not one", path);
    input_require_order(&in);
    const int64_t order = pvg_graph_order(in.graph);
    pvg_statistic *statistic = numbers_statistic(n, order, triangle_floor);
    copy_deviations(deviations, n, statistic, order);
    visible_check(visible_statistic, statistic, &order, 1, NULL);
    door_open(&d, values_format(format), 1, false);
    must(pvg_release_draw_statistic(&release, statistic, in.graph, d.objects[0], d.rng,
                                    d.ledger,
                                    run_begin("counting", (double)order, "nodes")));
    run_done();
    door_pass(&d, release);
    must(pvg_release_view(&released, release));
    put(&d, n, released, deviations);
    door_close(&d, release);
    pvg_release_free(release);
    pvg_statistic_free(statistic);
    input_free(&in);
}

/* --- degree diagrams --------------------------------------------------------------- */

static void parse_diagram(pvg_degrees_config *out) {
    char *middle, *end = NULL;
    out->levels = strtoll(diagram, &middle, 10);
    out->ranks = *middle == ',' ? strtoll(middle + 1, &end, 10) : -1;
    if (middle == diagram || !end || end == middle + 1 || *end || out->levels < 0 ||
        out->ranks < 0 || out->levels > 1000000 || out->ranks > 1000000)
        usage_error("--diagram: two numbers separated by a comma");
}

/* A row for each graph: levels, ranks, rest. */
static void release_diagrams(const char *path) {
    pvg_degrees_config config = {.size = sizeof config};
    pvg_target target;
    pvg_statistic *statistic = NULL;
    pvg_release *release = NULL;
    input in;
    door d;
    parse_diagram(&config);
    plain_target(&target);
    must(pvg_statistic_new_degrees(&statistic, &config, &target, NULL));
    input_load(&in, path, 0);
    input_require_order(&in);
    const int64_t graphs = in.set ? pvg_graphset_count(in.set) : 1;
    visible_check_input(visible_statistic, statistic, &in, NULL);
    door_open(&d, values_format(format), graphs, in.set != NULL);
    const pvg_run *how = run_begin("counting", (double)graphs, "graphs");
    must(in.set ? pvg_release_draw_statistics(&release, statistic, in.set, d.objects,
                                              d.rng, d.ledger, how)
                : pvg_release_draw_statistic(&release, statistic, in.graph, d.objects[0],
                                             d.rng, d.ledger, how));
    run_done();
    door_pass(&d, release);
    values v = {.rows = pvg_release_rows(release),
                .columns = pvg_release_columns(release),
                .guarantee = d.guarantee};
    v.names = take((size_t)v.columns + 1, sizeof *v.names);
    for (int64_t i = 0; i < v.columns; i++) {
        const int64_t rank = i - config.levels + 1;
        char number[24];
        snprintf(number, sizeof number, "%lld", (long long)(rank > 0 ? rank : i + 1));
        v.names[i] = i + 1 == v.columns ? name_of("rest", "")
                                        : name_of(rank > 0 ? "rank" : "level", number);
    }
    must(pvg_release_view(&v.numbers, release));
    values_write(d.data, &v, values_format(format));
    door_close(&d, release);
    names_free(v.names);
    pvg_release_free(release);
    pvg_statistic_free(statistic);
    input_free(&in);
}

static void run(int count, char **operands) {
    number_list n;
    values_format(format); /* refuses before anything is read */
    if (diagram) {
        if (preview || common > 0 || triangle_floor > 0)
            usage_error("--diagram goes without --preview, --common and --least-common");
        if (count == 0) usage_error("missing operand: GRAPH");
        release_diagrams(operands[0]);
        return;
    }
    numbers_read(&n, list, "--list");
    if (triangle_floor > 0 && !n.ladder[0])
        usage_error("--least-common is for triangles");
    if (preview) {
        if (count > 0) usage_error("--preview reads no graph; it needs --order");
        if (input_order() == 0) usage_error("--preview needs --order");
        numbers_preview(&n, input_order(), triangle_floor, common);
        return;
    }
    if (count == 0) usage_error("missing operand: GRAPH (or --preview with --order)");
    if (common > 0) usage_error("--common is for --preview");
    release_numbers(&n, operands[0]);
}

const command command_stats = {
    .name = "stats",
    .operands = "[GRAPH]",
    .least = 0,
    .most = 1,
    .summary = "numbers about a graph under one budget, with error bars",
    .text =
        "Writes one row: the numbers asked for, each with noise for its share of "
        "epsilon, and the standard deviation of that noise (NAME_sd). One edge moves "
        "each of them by 1 or 2, whatever the graph, so no degree bound is needed; "
        "delta is 0. The noise on triangles follows how many neighbours two nodes "
        "have in common; as this is private, no deviation stands beside them. Without "
        "--list: edges, components, largest-degree, degeneracy, radius and triangles.",
    .groups = {&epsilon_options, &stats_options, &visible_options, &ledger_options,
               &input_options, &seed_options, &common_options},
    .examples = {{"privgraph stats --epsilon 1 --order 1000 friends.txt",
                  "six numbers, a sixth of the budget each"},
                 {"privgraph stats -e 0.5 -l edges,triangles graph.mtx.gz --json",
                  "two, with the guarantee beside them"},
                 {"privgraph stats -e 1 --diagram 4,4 MUTAG/ -o degrees.csv",
                  "the degree distribution of each graph of a set, nine numbers each"},
                 {"privgraph stats --preview --order 1000 -e 1",
                  "how much noise would that be?"}},
    .run = run,
};
