/* privgraph stats: single numbers about a graph under one budget, with error bars. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of --list; the last is not a scalar of the library. */
static const struct {
    const char *word;
    int32_t scalar;
} known[] = {{"edges", PVG_SCALAR_EDGES},
             {"components", PVG_SCALAR_COMPONENTS},
             {"cycle-rank", PVG_SCALAR_CYCLES},
             {"largest-degree", PVG_SCALAR_LARGEST_DEGREE},
             {"degeneracy", PVG_SCALAR_DEGENERACY},
             {"radius", PVG_SCALAR_RADIUS},
             {"isolated", PVG_SCALAR_ISOLATED},
             {"leaves", PVG_SCALAR_LEAVES},
             {"triangles", 0}};

static const char *list = "edges,components,largest-degree,degeneracy,radius,triangles";
static int64_t triangle_floor;
static int format;

static const option stats_list[] = {
    {"list", 'l', OPTION_TEXT, "NAMES", &list,
     "which numbers, with commas between: edges, components, cycle-rank, largest-degree, "
     "degeneracy, radius (largest adjacency eigenvalue), isolated, leaves, triangles "
     "(default: six of them, see the text below)"},
    {"least-common", 0, OPTION_WHOLE, "N", &triangle_floor,
     "triangles: common neighbours that noise is made for at least (default 10)"},
    {"format", 'f', OPTION_CHOICE, "csv|json|npy", &format,
     "format of the data (default csv; --json is --format json)"},
    {0},
};
static const option_group stats_options = {"Numbers", stats_list};

typedef struct {
    int64_t count, scalars; /* asked for; of these, without triangles */
    int which[COUNT_OF(known)];
    int32_t scalar[COUNT_OF(known)];
    bool triangles;
} wanted;

static void read_list(wanted *w) {
    const char *at = list;
    while (*at) {
        const size_t length = strcspn(at, ",");
        int found = -1;
        for (size_t i = 0; i < COUNT_OF(known); i++)
            if (strlen(known[i].word) == length && !strncmp(known[i].word, at, length))
                found = (int)i;
        if (found < 0) usage_error("--list: there is no number '%.*s'", (int)length, at);
        for (int64_t i = 0; i < w->count; i++)
            if (w->which[i] == found)
                usage_error("--list: %s stands there twice", known[found].word);
        w->which[w->count++] = found;
        if (known[found].scalar)
            w->scalar[w->scalars++] = known[found].scalar;
        else
            w->triangles = true;
        at += length + (at[length] == ',');
    }
    if (w->count == 0) usage_error("--list is empty");
}

/* Every number gets the same share of epsilon. */
static pvg_statistic *make(const wanted *w, int64_t order, double *deviations) {
    pvg_target target, own;
    pvg_statistic *parts[2], *all = NULL;
    int64_t count = 0;
    plain_target(&target);
    own = target;
    if (w->scalars > 0) {
        const pvg_scalars_config config = {
            .size = sizeof config, .order = order, .count = w->scalars};
        own.epsilon = target.epsilon * ((double)w->scalars / (double)w->count);
        must(pvg_statistic_new_scalars(&parts[count], &config, &own, w->scalar, NULL));
        must(pvg_statistic_copy_deviation(deviations, parts[count++]));
    }
    if (w->triangles) {
        const pvg_triangles_config config = {
            .size = sizeof config, .order = order, .floor = triangle_floor};
        own.epsilon = target.epsilon / (double)w->count;
        must(pvg_statistic_new_triangles(&parts[count++], &config, &own));
    }
    must(pvg_statistic_new_joined(&all, parts, count));
    for (int64_t i = 0; i < count; i++) pvg_statistic_free(parts[i]);
    return all;
}

static char *name_of(const char *word, const char *ending) {
    const size_t bytes = strlen(word) + strlen(ending) + 1;
    char *name = take(bytes, 1);
    snprintf(name, bytes, "%s%s", word, ending);
    return name;
}

/* Numbers in the order asked for, then the deviation of their noise where public. */
static void put(door *d, const wanted *w, const double *released,
                const double *deviations) {
    const int64_t columns = w->count + w->scalars;
    double *numbers = take((size_t)columns, sizeof *numbers);
    char **names = take((size_t)columns + 1, sizeof *names);
    int64_t scalar = 0, at = w->count;
    for (int64_t i = 0; i < w->count; i++) { /* in the order of the release, for verify */
        const char *word = known[w->which[i]].word;
        if (!known[w->which[i]].scalar) {
            names[w->scalars] = text_copy(word);
            numbers[w->scalars] = released[w->scalars];
            continue;
        }
        names[scalar] = text_copy(word);
        numbers[scalar] = released[scalar];
        numbers[at] = deviations[scalar];
        names[at++] = name_of(word, "_sd");
        note("%s %g, +- %.3g", word, released[scalar], deviations[scalar]);
        scalar++;
    }
    if (w->triangles)
        note("triangles %g; the size of their noise is private", released[w->scalars]);
    values v = {1, columns, numbers, names, d->guarantee};
    values_write(d->data, &v, common_json ? VALUES_JSON : format);
    names_free(names);
    free(numbers);
}

static void run(int count, char **operands) {
    input in;
    door d;
    wanted w = {0};
    double deviations[COUNT_OF(known)];
    const double *released;
    pvg_release *release = NULL;
    (void)count;
    if (common_json && format > 0 && format != VALUES_JSON)
        usage_error("--json and --format exclude each other");
    read_list(&w);
    if (triangle_floor > 0 && !w.triangles)
        usage_error("--least-common is for triangles");
    input_load(&in, operands[0], 0);
    if (!in.graph) fail(CODE_FAILED, "%s: a set of graphs, not one", operands[0]);
    input_require_order(&in);
    pvg_statistic *statistic = make(&w, pvg_graph_order(in.graph), deviations);
    door_open(&d, common_json ? VALUES_JSON : format, 1, false);
    must(pvg_release_draw_statistic(
        &release, statistic, in.graph, d.objects[0], d.rng, d.ledger,
        run_begin("counting", (double)pvg_graph_order(in.graph), "nodes")));
    run_done();
    door_pass(&d, release);
    must(pvg_release_view(&released, release));
    put(&d, &w, released, deviations);
    door_close(&d, release);
    pvg_release_free(release);
    pvg_statistic_free(statistic);
    input_free(&in);
}

const command command_stats = {
    .name = "stats",
    .operands = "GRAPH",
    .least = 1,
    .most = 1,
    .summary = "numbers about a graph under one budget, with error bars",
    .text =
        "Writes one row: the numbers asked for, each with noise for its share of "
        "epsilon, and the standard deviation of that noise (NAME_sd). One edge moves "
        "each of them by 1 or 2, whatever the graph, so no degree bound is needed; "
        "delta is 0. The noise on triangles follows how many neighbours two nodes "
        "have in common; as this is private, no deviation stands beside them. Without "
        "--list: edges, components, largest-degree, degeneracy, radius and triangles.",
    .groups = {&epsilon_options, &stats_options, &ledger_options, &input_options,
               &seed_options, &common_options},
    .examples = {{"privgraph stats --epsilon 1 --order 1000 friends.txt",
                  "six numbers, a sixth of the budget each"},
                 {"privgraph stats -e 0.5 -l edges,triangles graph.mtx.gz --json",
                  "two, with the guarantee beside them"}},
    .run = run,
};
