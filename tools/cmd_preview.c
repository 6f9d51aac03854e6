/* privgraph preview: what a budget can tell, before it is spent. Needs no data. */
#include "tool.h"
#include "tool_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t order, vertices = 6;
static const char *svg_path, *stats_list;

static const option options[] = {
    {"order", 0, OPTION_WHOLE, "N", &order, "number of nodes of the graph; public"},
    {"vertices", 0, OPTION_WHOLE, "M", &vertices,
     "without --patterns: vertices of the patterns of every class (default 6)"},
    {"stats", 0, OPTION_TEXT, "NAMES", &stats_list,
     "numbers of 'privgraph stats' instead of patterns, with commas between"},
    {"svg", 0, OPTION_FILE, "FILE", &svg_path, "also draw it; - for stdout"},
    {0},
};
static const option_group planned_options = {"Trade-off", options};

static const char *const verdicts[] = {"constant", "hidden", "informative"};

/* Of what embed would release. */
static pvg_preview *judge(const pvg_patterns *patterns) {
    const pvg_preview_config config = {.size = sizeof config, .order = order};
    pvg_target target;
    pvg_preview *preview = NULL;
    budget_target(&target);
    pvg_query *query = embed_query(patterns, &target, false, false);
    must(pvg_query_preview(
        &preview, query, &config,
        run_begin("weighing", (double)pvg_patterns_count(patterns), "patterns")));
    run_done();
    pvg_query_free(query);
    return preview;
}

static void draw_plot(const plot_row *rows, int64_t count) {
    char title[160];
    snprintf(title, sizeof title, "What epsilon %g can tell about graphs of %lld nodes",
             budget_epsilon(), (long long)order);
    const plot p = {.title = title,
                    .axis = "largest possible value / noise",
                    .good_says = "informative: noise below the public range",
                    .bad_says = "hidden: noise exceeds the public range",
                    .threshold = 1.0,
                    .rows = rows,
                    .count = count};
    output *out = output_open(svg_path);
    plot_svg(out, &p);
    output_commit_one(out);
}

/* --- a list of patterns ------------------------------------------------------------ */

static void run_patterns(void) {
    pvg_patterns *patterns = patterns_wanted();
    pvg_preview *preview = judge(patterns);
    const int64_t count = pvg_preview_count(preview);
    char **names = pattern_names(patterns, 0);
    table *t = preview_table(preview, names, "pattern");
    if (svg_path) {
        plot_row *rows = take((size_t)count, sizeof *rows);
        for (int64_t i = 0; i < count; i++) {
            const pvg_preview_line line = preview_line(preview, i);
            rows[i] =
                (plot_row){names[i], line.ratio, line.verdict == PVG_VERDICT_INFORMATIVE};
        }
        draw_plot(rows, count);
        free(rows);
    }
    if (!svg_path || strcmp(svg_path, "-") != 0) preview_write(preview, t);
    note("%lld of %lld patterns are informative at this budget",
         (long long)pvg_preview_informative(preview), (long long)count);
    table_free(t);
    names_free(names);
    pvg_preview_free(preview);
    pvg_patterns_free(patterns);
}

/* --- classes -------------------------------------------------------------------- */

/* The costliest pattern of the class, released alone. */
static pvg_preview_line class_line(int32_t pattern_class, int32_t parameter) {
    pvg_patterns *patterns = NULL, *one = NULL;
    pvg_preview_line worst = {.size = sizeof worst};
    must(pvg_class_patterns(&patterns, pattern_class, parameter, vertices));
    for (int64_t i = 0; i < pvg_patterns_count(patterns); i++) {
        must(pvg_patterns_select(&one, patterns, &i, 1));
        pvg_preview *preview = judge(one);
        const pvg_preview_line line = preview_line(preview, 0);
        if (i == 0 || line.ratio < worst.ratio) worst = line;
        pvg_preview_free(preview);
        pvg_patterns_free(one);
    }
    pvg_patterns_free(patterns);
    return worst;
}

static void class_row(table *t, plot_row *row, char name[32], int32_t pattern_class) {
    const int32_t parameter = pattern_class == PVG_CLASS_TREEWIDTH      ? 2
                              : pattern_class == PVG_CLASS_APEX_FORESTS ? 1
                                                                        : 0;
    int64_t edges = 0;
    snprintf(name, 32, parameter ? "%s%d" : "%s", pvg_class_name(pattern_class),
             parameter);
    must(pvg_class_max_edges(&edges, pattern_class, parameter, vertices));
    const pvg_preview_line line = class_line(pattern_class, parameter);
    *row = (plot_row){name, line.ratio, line.verdict == PVG_VERDICT_INFORMATIVE};
    table_text(t, name);
    table_whole(t, edges);
    table_text(t, verdicts[line.verdict]);
    table_real(t, line.ratio);
    table_above(t, line.epsilon_min);
    preview_order_min(t, line.order_min);
    table_text(t, pvg_class_network(pattern_class));
}

static void run_classes(void) {
    static const char *const keys[][2] = {{"class", "class"},
                                          {"edges", "edges"},
                                          {"verdict", "verdict"},
                                          {"ratio", "range / noise"},
                                          {"epsilon_min", "informative from epsilon"},
                                          {"order_min", "from nodes"},
                                          {"network", "tells apart as"}};
    enum { CLASSES = PVG_CLASS_ALL + 1 };
    char names[CLASSES][32];
    plot_row rows[CLASSES];
    table *t = table_new();
    for (size_t i = 0; i < COUNT_OF(keys); i++) table_column(t, keys[i][0], keys[i][1]);
    for (int32_t c = 0; c < CLASSES; c++) class_row(t, &rows[c], names[c], c);
    if (svg_path) draw_plot(rows, CLASSES);
    if (!svg_path || strcmp(svg_path, "-") != 0) {
        output *out = output_open(common_output);
        if (common_json) {
            json j = {.out = out};
            json_begin(&j, NULL, '{');
            json_whole(&j, "vertices", vertices);
            json_whole(&j, "order", order);
            json_real(&j, "epsilon", budget_epsilon());
            json_real(&j, "delta", budget_delta());
            table_json(t, &j, "classes");
            json_end(&j, '}');
        } else {
            table_print(t, out);
        }
        output_commit_one(out);
    }
    note("each class by its costliest pattern with %lld vertices, released alone",
         (long long)vertices);
    table_free(t);
}

static void run(int count, char **operands) {
    (void)count;
    (void)operands;
    if (order == 0) usage_error("--order is missing: the number of nodes");
    if (noise_spends(noise_wanted(), PVG_CURVE_SMOOTH))
        usage_error("smooth noise follows the private graph; its trade-off is private");
    if (stats_list && (patterns_given() || svg_path))
        usage_error("--stats goes with neither --patterns nor --svg");
    if (stats_list) {
        number_list n;
        numbers_read(&n, stats_list, "--stats");
        pvg_query *query = numbers_query(&n, order, 0);
        preview_show(query, order);
        pvg_query_free(query);
    } else if (patterns_given())
        run_patterns();
    else
        run_classes();
}

const command command_preview = {
    .name = "preview",
    .operands = "",
    .summary = "what a budget can tell about which patterns, before it is spent",
    .text =
        "The more graphs a class of patterns can tell apart, the more edges its patterns "
        "have and the more noise they need. For a list of patterns: range of the value, "
        "noise, whether anything can be learned, and from which epsilon or number of "
        "nodes on: the noise that 'privgraph embed' adds with the same options. Without "
        "--patterns: the same for every class of patterns; with --stats for the numbers "
        "that 'privgraph stats' releases. Public numbers only; no graph "
        "is read.",
    .groups = {&planned_options, &pattern_options, &budget_options, &degree_options,
               &unit_options, &common_options},
    .examples = {{"privgraph preview --order 1000 --max-degree 20 --epsilon 1",
                  "all classes at patterns of 6 vertices"},
                 {"privgraph preview -p edge,triangle,cycle4,cycle5 --order 200 -e 0.5",
                  "a list of patterns, released together"},
                 {"privgraph preview -p trees:10 --order 500 -e 1 --svg preview.svg",
                  "table on stdout, picture in a file"}},
    .run = run,
};
