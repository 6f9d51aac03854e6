/* privgraph info: this build, or what is public about an input. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool exact;

static const option options[] = {
    {"exact-not-private", 0, OPTION_FLAG, NULL, &exact,
     "also numbers of edges, degrees, features and classes, which may be private: NOT to "
     "be "
     "published"},
    {0},
};
static const option_group info_options = {"Without privacy", options};

static int32_t copy_build(char *out, size_t capacity, size_t *length,
                          const void *object) {
    (void)object;
    return pvg_build_info_copy(out, capacity, length);
}

/* One line per member of a flat JSON object. */
static void put_lines(output *out, const char *text) {
    bool quoted = false;
    int depth = 0;
    for (; *text; text++) {
        const bool quote = *text == '"' && text[-1] != '\\';
        if (quote) quoted = !quoted;
        if (quote) continue;
        if (!quoted && strchr("{[", *text)) depth++;
        if (!quoted && strchr("}]", *text)) depth--;
        if (!quoted && strchr("{}[]", *text)) continue;
        if (!quoted && depth == 1 && *text == ',') {
            output_text(out, "\n");
            text += strspn(text + 1, " ");
        } else {
            output_bytes(out, text, 1);
        }
    }
    output_text(out, "\n");
}

static void show_build(void) {
    output *out = output_open(common_output);
    char *text = copied(copy_build, NULL);
    if (common_json)
        output_text(out, "%s\n", text);
    else
        put_lines(out, text);
    output_commit_one(out);
    free(text);
}

/* --- input ---------------------------------------------------------------------- */

typedef struct {
    int64_t graphs, nodes, edges, largest_degree, smallest, largest;
} facts;

static void count_rows(facts *f, const int64_t *offsets, int64_t nodes) {
    f->edges = nodes > 0 ? offsets[nodes] / 2 : 0;
    for (int64_t v = 0; v < nodes; v++)
        if (offsets[v + 1] - offsets[v] > f->largest_degree)
            f->largest_degree = offsets[v + 1] - offsets[v];
}

static facts facts_of(const input *in) {
    const int64_t *starts = NULL, *offsets = NULL;
    const int32_t *columns = NULL;
    facts f = {.graphs = 1};
    if (in->graph) {
        f.nodes = f.smallest = f.largest = pvg_graph_order(in->graph);
        must(pvg_graph_view_csr(&offsets, &columns, in->graph));
    } else {
        f.graphs = pvg_graphset_count(in->set);
        f.nodes = pvg_graphset_order(in->set);
        must(pvg_graphset_view_csr(&starts, &offsets, &columns, in->set));
        f.smallest = f.graphs > 0 ? INT64_MAX : 0;
        for (int64_t i = 0; i < f.graphs; i++) {
            const int64_t order = starts[i + 1] - starts[i];
            if (order < f.smallest) f.smallest = order;
            if (order > f.largest) f.largest = order;
        }
    }
    count_rows(&f, offsets, f.nodes);
    return f;
}

static void show_input(const char *path) {
    input in;
    input_load(&in, path, WANT_FEATURES | WANT_LABELS);
    output *out = output_open(common_output);
    const facts f = facts_of(&in);
    json j = {.out = out};
    if (common_json) {
        json_begin(&j, NULL, '{');
        json_text(&j, "format", in.format_name);
        json_whole(&j, "graphs", f.graphs);
        if (input_order_declared(&in) || exact) json_whole(&j, "nodes", f.nodes);
        if (in.set) json_whole(&j, "nodes_min", f.smallest);
        if (in.set) json_whole(&j, "nodes_max", f.largest);
        if (exact && in.features)
            json_whole(&j, "feature_columns", pvg_features_columns(in.features));
        if (exact && in.labels) json_whole(&j, "classes", pvg_labels_classes(in.labels));
        if (exact) json_whole(&j, "edges_not_private", f.edges);
        if (exact) json_whole(&j, "max_degree_not_private", f.largest_degree);
        json_end(&j, '}');
    } else {
        output_text(out, "format: %s\ngraphs: %lld\n", in.format_name,
                    (long long)f.graphs);
        if (input_order_declared(&in) || exact)
            output_text(out, "nodes: %lld\n", (long long)f.nodes);
        else
            output_text(out, "nodes: not stated by the file\n");
        if (in.set)
            output_text(out, "nodes of a graph: %lld to %lld\n", (long long)f.smallest,
                        (long long)f.largest);
        if (exact && in.features)
            output_text(out, "feature columns: %lld\n",
                        (long long)pvg_features_columns(in.features));
        if (exact && in.labels)
            output_text(out, "classes: %lld\n", (long long)pvg_labels_classes(in.labels));
        if (exact)
            output_text(out,
                        "edges (not private): %lld\nmax degree (not private): %lld\n",
                        (long long)f.edges, (long long)f.largest_degree);
    }
    output_commit_one(out);
    if (exact) warn("exact numbers, NOT private: do not publish them");
    input_free(&in);
}

static void run(int count, char **operands) {
    if (count == 0)
        show_build();
    else
        show_input(operands[0]);
}

const command command_info = {
    .name = "info",
    .operands = "[INPUT]",
    .least = 0,
    .most = 1,
    .summary = "about this build, or what is public about an input",
    .text =
        "Without INPUT: version, compiler and libraries of this build. With INPUT: its "
        "format, the number of graphs and of nodes. Other numbers may be "
        "private and come only with --exact-not-private.",
    .groups = {&input_options, &info_options, &common_options},
    .examples = {{"privgraph info", "the build"},
                 {"privgraph info MUTAG/ --json", "a data set, for programs"}},
    .run = run,
};
