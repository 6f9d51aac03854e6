/* Labels, lists and graphs that were released, as text and as JSON; names of columns. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const pvg_guarantee *guarantee;
    int64_t index;
} column_name;

static int32_t copy_column(char *out, size_t capacity, size_t *length,
                           const void *context) {
    const column_name *c = context;
    return pvg_guarantee_copy_column_name(out, capacity, length, c->guarantee, c->index);
}

char **guarantee_names(const pvg_guarantee *guarantee, int64_t columns) {
    char **names = take((size_t)columns + 1, sizeof *names);
    for (int64_t i = 0; i < columns; i++) {
        const column_name c = {guarantee, i};
        if (i < pvg_guarantee_columns(guarantee)) {
            names[i] = copied(copy_column, &c);
        } else {
            names[i] = take(32, 1);
            snprintf(names[i], 32, "number%lld", (long long)i);
        }
    }
    return names;
}

char **release_columns(const pvg_release *release) {
    return guarantee_names(pvg_release_guarantee(release), pvg_release_columns(release));
}

/* Estimated sizes of the classes: computed from what is released, so it costs nothing. */
static void json_sizes(json *j, const pvg_query *query, const pvg_release *release) {
    jsont *plan = query_plan(query, 0);
    const int64_t classes = (int64_t)json_number(json_get(plan, plan, "classes"), 0.0);
    double *estimates = take((size_t)classes, sizeof *estimates);
    if (pvg_estimate_labels(estimates, NULL, query, release) == PVG_OK) {
        json_begin(j, "estimated_class_sizes", '[');
        for (int64_t i = 0; i < classes; i++) json_real(j, NULL, estimates[i]);
        json_end(j, ']');
    }
    free(estimates);
    json_drop(plan);
}

void release_put_labels(output *out, json *j, const pvg_query *query,
                        const pvg_release *release) {
    const int32_t *labels = NULL;
    int64_t count = 0;
    must(pvg_release_view_labels(&labels, &count, release));
    if (j) json_begin(j, "labels", '[');
    for (int64_t i = 0; i < count; i++)
        if (j)
            json_whole(j, NULL, labels[i]);
        else
            output_text(out, "%d\n", (int)labels[i]);
    if (!j) return;
    json_end(j, ']');
    json_sizes(j, query, release);
}

void release_put_lists(output *out, json *j, const pvg_release *release) {
    const int64_t *offsets = NULL;
    const int32_t *targets = NULL;
    int64_t count = 0;
    must(pvg_release_view_lists(&offsets, &targets, &count, release));
    if (j) {
        json_pairs(j, count, offsets, targets, true);
        return;
    }
    output_text(out, "# order %lld\n# directed: user and entry of the user's list\n",
                (long long)count);
    for (int64_t u = 0; u < count; u++)
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
            output_text(out, "%lld %d\n", (long long)u, (int)targets[i]);
}

void release_put_graphs(output *out, json *j, const pvg_release *release, int to) {
    const pvg_graph *one = NULL;
    const pvg_graphset *set = NULL;
    if (pvg_release_holds(release) & PVG_HOLDS_GRAPH) {
        must(pvg_release_view_graph(&one, release));
        if (j)
            json_graph(j, one);
        else
            graph_put(out, one, to);
        return;
    }
    must(pvg_release_view_graphs(&set, release));
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
