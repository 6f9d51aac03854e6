/* privgraph stats: single numbers about a graph under one budget, with error bars. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *list = "edges,components,largest-degree,triangles";
static const char *distribution;
static int64_t least_common;

static const option stats_list[] = {
    {"list", 'l', OPTION_TEXT, "NAMES", &list,
     "which numbers, with commas between: edges, components, cycle-rank, largest-degree, "
     "degeneracy, radius (largest adjacency eigenvalue), isolated, leaves, triangles, "
     "stars2, stars3 (stars with so many leaves) (default: edges, components, "
     "largest-degree, triangles)"},
    {"degrees", 0, OPTION_TEXT, "J,R", &distribution,
     "instead: the degree distribution of a graph, or of each graph of a set. How many "
     "nodes have degree 1, ..., J or more, how far the R largest degrees exceed J, and "
     "the sum of the others"},
    {"least-common", 0, OPTION_WHOLE, "N", &least_common,
     "triangles: common neighbours that noise is made for at least (default 10)"},
    {0},
};
static const option_group stats_options = {"Numbers", stats_list};

/* Numbers in the order of the release, for verify, then the deviation of the noise of
 * scalars, which come first; their error bars are said. */
static void put(door *d, const pvg_query *query, const pvg_release *release,
                void *context) {
    const number_list *n = context;
    const int64_t own = pvg_release_columns(release), columns = own + n->scalars;
    pvg_preview *plan = NULL;
    const double *released;
    double *row = take((size_t)columns, sizeof *row);
    double *low = take((size_t)own, sizeof *low), *high = take((size_t)own, sizeof *high);
    char **plain = release_columns(release),
         **names = take((size_t)columns + 1, sizeof *names);
    must(pvg_release_view(&released, release));
    must(pvg_query_preview(&plan, query, NULL, NULL));
    must(pvg_release_interval(low, high, release, NULL, 0.95));
    memcpy(row, released, (size_t)own * sizeof *row);
    memcpy(names, plain, (size_t)own * sizeof *names);
    for (int64_t i = 0; i < n->scalars; i++) {
        const size_t bytes = strlen(plain[i]) + 4;
        char *name = names[own + i] = take(bytes, 1);
        snprintf(name, bytes, "%s_sd", plain[i]);
        row[own + i] = preview_line(plan, i).noise;
    }
    for (int64_t i = 0; i < own; i++)
        note("%s %.6g; with 95 %%: %.6g to %.6g", plain[i], released[i], low[i], high[i]);
    values v = {1, columns, row, names, d->guarantee};
    release_write_intervals(d, release, NULL, &v, own);
    names_free(names);
    free(plain);
    free(row);
    free(low);
    free(high);
    pvg_preview_free(plan);
}

/* Levels, ranks, rest of graphs of any order. */
static pvg_query *distribution_query(void) {
    query_text text = {.used = 0};
    char *middle, *end = NULL;
    const long long levels = strtoll(distribution, &middle, 10);
    const long long ranks = *middle == ',' ? strtoll(middle + 1, &end, 10) : -1;
    if (middle == distribution || !end || end == middle + 1 || *end)
        usage_error("--degrees: two numbers separated by a comma");
    text_add(&text, "degrees levels=%lld ranks=%lld", levels, ranks);
    text_real(&text, "epsilon", budget_epsilon());
    return text_query(&text, NULL);
}

static void run(int count, char **operands) {
    input in = {.graph = NULL};
    number_list n;
    const bool preview = preview_wanted(count);
    numbers_read(&n, list, "--list");
    if (least_common > 0 && (distribution || !n.ladder[0]))
        usage_error("--least-common is for triangles");
    budget_epsilon(); /* what is wrong with options is said before anything is read */
    if (!preview) input_load(&in, operands[0], 0);
    if (!preview && !distribution && !in.graph)
        fail(CODE_FAILED, "%s: a set of graphs, not one", operands[0]);
    if (!preview) input_require_order(&in);
    const int64_t order = preview    ? input_order()
                          : in.graph ? pvg_graph_order(in.graph)
                                     : 0;
    pvg_query *query =
        distribution ? distribution_query() : numbers_query(&n, order, least_common);
    if (preview)
        preview_show(query, order);
    else
        release_answer(query, &in, 0, distribution ? NULL : put, &n);
    pvg_query_free(query);
    input_free(&in);
}

const command command_stats = {
    .name = "stats",
    .operands = "[GRAPH]",
    .least = 0,
    .most = 1,
    .summary = "numbers about a graph under one budget, with error bars",
    .text =
        "Writes one row: the numbers asked for, each with noise for its share of "
        "epsilon, and the standard deviation of that noise (NAME_sd); --interval 95 "
        "adds error bars, which are said anyway. One edge moves most of them by 1 or 2, "
        "whatever the graph, so no degree bound is needed; delta is 0. The noise on "
        "triangles follows how many neighbours two nodes have in common, that on stars "
        "the largest degree; a tenth of their share pays for that number with noise "
        "(triangles-common, stars2-degree), from which their error bars follow. They get "
        "four times the share of the others. Without --list: edges, components, "
        "largest-degree and triangles.",
    .groups = {&epsilon_options, &stats_options, &preview_options, &number_options,
               &visible_options, &ledger_options, &input_options, &seed_options,
               &common_options},
    .examples = {{"privgraph stats --epsilon 1 --order 1000 friends.txt",
                  "four numbers, four sevenths of the budget for triangles"},
                 {"privgraph stats -e 0.5 -l edges,triangles graph.mtx.gz --json",
                  "two, with the guarantee beside them"},
                 {"privgraph stats -e 1 --degrees 4,4 MUTAG/ -o degrees.csv",
                  "the degree distribution of each graph of a set, nine numbers each"},
                 {"privgraph stats --preview --order 1000 -e 1",
                  "how much noise would that be?"}},
    .run = run,
};
