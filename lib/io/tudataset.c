/* TUDataset folders: every graph of a set in one numbering of nodes from 1.
 *
 *   NAME_A.txt                 "u, v": every edge once in each direction
 *   NAME_graph_indicator.txt   line i: graph of node i, ascending
 *   NAME_graph_labels.txt      line i: class of graph i              (optional)
 *   NAME_graph_attributes.txt  line i: real targets of graph i       (optional)
 *   NAME_node_labels.txt       line i: label of node i               (optional)
 *
 * The number of graphs is the lines of graph_labels, else of graph_attributes, else the
 * last graph that has a node. */
#include "io/io_internal.h"

#include <stdio.h>
#include <string.h>

enum { ARCS, INDICATOR, LABELS, ATTRIBUTES, NODE_LABELS, FILES };
static const char *const suffixes[FILES] = {"_A.txt", "_graph_indicator.txt",
                                            "_graph_labels.txt", "_graph_attributes.txt",
                                            "_node_labels.txt"};

static const bool optional[FILES] = {
    [LABELS] = true, [ATTRIBUTES] = true, [NODE_LABELS] = true};

typedef struct {
    char *paths[FILES];
    pvgi_io_source sources[FILES]; /* but of the arcs, which are read by windows */
    pvgi_io_feed arcs;
    bool missing[FILES];
    int64_t nodes, graphs, targets;
    int32_t *graph_of; /* per node, from 0 */
    int64_t *starts;
    int32_t *labels, *node_labels;
    double *attributes;
} reader;

static int32_t load_part(reader *in, pvgi_io_call *call, int part) {
    return pvgi_io_load(&in->sources[part], call, in->paths[part],
                        optional[part] ? &in->missing[part] : NULL);
}

/* --- reading -------------------------------------------------------------------- */

/* Original sets often have the classes -1 and 1, where -1 is a class and not "none". */
static int32_t check_classes(const reader *in) {
    bool none = false, one = false, other = false;
    for (int64_t i = 0; i < in->graphs; i++) {
        none = none || in->labels[i] == -1;
        one = one || in->labels[i] == 1;
        other = other || (in->labels[i] != -1 && in->labels[i] != 1);
    }
    if (!none || !one || other) return PVG_OK;
    return pvgi_io_fail(&in->sources[LABELS], PVG_E_FORMAT, 0,
                        "the classes are -1 and 1; number them 0 and 1 (-1 means none)");
}

/* Classes and targets; they also say how many graphs there are. */
static int32_t read_graph_rows(reader *in, pvgi_io_call *call) {
    int64_t rows = -1;
    in->graphs = -1;
    PVGI_TRY(load_part(in, call, LABELS));
    if (!in->missing[LABELS]) {
        PVGI_TRY(pvgi_io_column_parse(&in->labels, &in->graphs, call,
                                      &in->sources[LABELS], -1, INT32_MAX - 1,
                                      "a class (or -1)"));
        PVGI_TRY(check_classes(in));
    }
    PVGI_TRY(load_part(in, call, ATTRIBUTES));
    if (in->missing[ATTRIBUTES]) return PVG_OK;
    PVGI_TRY(pvgi_io_table_parse(&in->attributes, &rows, &in->targets, call,
                                 &in->sources[ATTRIBUTES]));
    if (in->graphs >= 0 && rows != in->graphs)
        return pvgi_io_fail(&in->sources[ATTRIBUTES], PVG_E_FORMAT,
                            in->sources[ATTRIBUTES].bytes,
                            "not as many lines as in the graph labels");
    in->graphs = rows;
    return PVG_OK;
}

static int32_t check_indicator(const reader *in, int64_t node) {
    const int32_t graph = in->graph_of[node];
    const int32_t before = node > 0 ? in->graph_of[node - 1] : 0;
    const char *reason = NULL;
    if (graph < before)
        reason = "graph numbers do not ascend";
    else if (in->graphs >= 0 && graph > in->graphs)
        reason = "a graph number beyond the lines of graph labels or attributes";
    else if (in->graphs < 0 && graph > before + 1)
        reason = "a graph number is left out, and no graph labels say that it exists";
    if (!reason) return PVG_OK;
    return pvgi_io_fail(&in->sources[INDICATOR], PVG_E_FORMAT,
                        pvgi_io_line_offset(&in->sources[INDICATOR], node), "%s", reason);
}

static int32_t read_indicator(reader *in, pvgi_io_call *call) {
    const pvgi_io_source *source = &in->sources[INDICATOR];
    PVGI_TRY(load_part(in, call, INDICATOR));
    PVGI_TRY(pvgi_io_column_parse(&in->graph_of, &in->nodes, call, source, 1, INT32_MAX,
                                  "a graph number"));
    PVGI_TRY(pvgi_io_check_order(call, source, source->bytes, (uint64_t)in->nodes,
                                 source->bytes));
    for (int64_t i = 0; i < in->nodes; i++) PVGI_TRY(check_indicator(in, i));
    if (in->graphs < 0) in->graphs = in->nodes > 0 ? in->graph_of[in->nodes - 1] : 0;
    in->starts = pvgi_alloc((size_t)in->graphs + 1, sizeof *in->starts);
    if (!in->starts) return pvgi_fail_nomem();
    int64_t node = 0;
    for (int64_t graph = 0; graph <= in->graphs; graph++) {
        while (node < in->nodes && in->graph_of[node] <= graph) node++;
        in->starts[graph] = node; /* first node of graph number graph + 1 */
        if (graph > 0)
            PVGI_TRY(pvgi_io_check_same_order(
                call, source, source->bytes,
                (uint64_t)(in->starts[graph] - in->starts[graph - 1])));
    }
    return PVG_OK;
}

static int32_t read_node_labels(reader *in, pvgi_io_call *call) {
    const pvgi_io_source *source = &in->sources[NODE_LABELS];
    int64_t rows;
    PVGI_TRY(load_part(in, call, NODE_LABELS));
    if (in->missing[NODE_LABELS]) return PVG_OK;
    PVGI_TRY(pvgi_io_column_parse(&in->node_labels, &rows, call, source, INT32_MIN,
                                  INT32_MAX, "a node label"));
    if (rows == in->nodes) return PVG_OK;
    return pvgi_io_fail(source, PVG_E_FORMAT, source->bytes,
                        "not as many lines as in the graph indicator");
}

static pvgi_io_pairs_rules arc_rules(const reader *in, const int32_t *graph_of) {
    return (pvgi_io_pairs_rules){.base = 1,
                                 .bound = in->nodes,
                                 .bound_is_order = true,
                                 .extra = PVGI_IO_EXTRA_REFUSED,
                                 .mirrored = true,
                                 .graph_of = graph_of};
}

static int32_t read_arcs(pvg_graph **out, reader *in, pvgi_io_call *call) {
    const pvgi_io_pairs_rules rules = arc_rules(in, NULL);
    const pvgi_io_blame blame = pvgi_io_blame_pairs(&in->arcs, &rules);
    pvgi_io_pairs pairs;
    PVGI_TRY(pvgi_io_feed_open(&in->arcs, call, in->paths[ARCS], NULL));
    PVGI_TRY(pvgi_io_pairs_parse(&pairs, &in->arcs, &rules, -1));
    pvgi_run_phase(&call->run, 0.6, 0.4);
    const int32_t status = pvgi_io_build(out, call, &pairs, in->nodes, true, &blame);
    pvgi_io_pairs_free(&pairs);
    return status;
}

/* Cutting the graph into the set finds an edge between two graphs without looking nodes
 * up at random; only then is the file parsed again with that check, to name the line. */
static int32_t cut_graph(pvg_graphset **out, pvg_graph *graph, reader *in) {
    const pvgi_io_pairs_rules rules = arc_rules(in, in->graph_of);
    pvgi_io_pairs pairs;
    const int32_t status =
        pvgi_graph_set_from_graph(out, graph, in->graphs, in->starts, in->labels,
                                  in->attributes, in->targets, in->node_labels);
    if (status != PVG_E_ARGUMENT) return status;
    PVGI_TRY(pvgi_io_feed_again(&in->arcs));
    PVGI_TRY(pvgi_io_pairs_parse(&pairs, &in->arcs, &rules, -1));
    pvgi_io_pairs_free(&pairs);
    return pvgi_fail(PVG_E_INTERNAL, "io: no edge between two graphs in a refused set");
}

static void free_reader(reader *in, const pvgi_io_call *call) {
    if (in->arcs.call) pvgi_io_feed_close(&in->arcs);
    for (int part = 0; part < FILES; part++) {
        pvgi_io_unload(&in->sources[part], call);
        pvgi_free(in->paths[part]);
    }
    pvgi_free(in->graph_of);
    pvgi_free(in->starts);
    pvgi_free(in->labels);
    pvgi_free(in->node_labels);
    pvgi_free(in->attributes);
}

int32_t pvgi_io_tudataset_read(pvg_graphset **out, pvgi_io_call *call, const char *folder,
                               const char *name) {
    reader in = {0};
    pvg_graph *graph = NULL;
    int32_t status;
    for (int part = 0; part < FILES; part++)
        PVGI_TRY_DONE(pvgi_io_path(&in.paths[part], folder, name, suffixes[part]));
    pvgi_run_phase(&call->run, 0, 0.3);
    PVGI_TRY_DONE(read_graph_rows(&in, call));
    PVGI_TRY_DONE(read_indicator(&in, call));
    PVGI_TRY_DONE(read_node_labels(&in, call));
    PVGI_TRY_DONE(read_arcs(&graph, &in, call));
    status = cut_graph(out, graph, &in);
done:
    free_reader(&in, call);
    return status;
}

/* --- writing -------------------------------------------------------------------- */

typedef struct {
    const pvg_graphset *set;
    pvgi_io_call *call;
} writer;

static int32_t put_arcs(pvgi_io_sink *sink, const writer *w) {
    const int64_t *starts;
    pvgi_io_rows rows = {
        .order = w->set->order, .base = 1, .separator = ", ", .triangle = PVGI_IO_BOTH};
    PVGI_TRY(pvgi_graph_set_rows(&starts, &rows.offsets, &rows.columns, w->set));
    return pvgi_io_put_rows(sink, w->call, &rows);
}

static int32_t put_indicator(pvgi_io_sink *sink, const writer *w) {
    const pvg_graphset *set = w->set;
    int32_t *graph_of = pvgi_alloc((size_t)set->order, sizeof *graph_of);
    if (!graph_of) return pvgi_fail_nomem();
    for (int64_t i = 0; i < set->count; i++)
        for (int64_t node = set->starts[i]; node < set->starts[i + 1]; node++)
            graph_of[node - set->starts[0]] = (int32_t)(i + 1);
    const int32_t status = pvgi_io_put_column(sink, w->call, graph_of, set->order);
    pvgi_free(graph_of);
    return status;
}

static int32_t put_labels(pvgi_io_sink *sink, const writer *w) {
    return pvgi_io_put_column(sink, w->call, w->set->labels, w->set->count);
}

static int32_t put_node_labels(pvgi_io_sink *sink, const writer *w) {
    return pvgi_io_put_column(sink, w->call, w->set->node_labels, w->set->order);
}

static int32_t put_attributes(pvgi_io_sink *sink, const writer *w) {
    const int64_t columns = w->set->target_count;
    pvgi_text text = {0};
    for (int64_t i = 0; i < w->set->count * columns; i++) {
        char number[PVGI_NUMBER_BYTES];
        const size_t length = pvgi_number_put(number, w->set->targets[i]);
        pvgi_text_append(&text, number, length);
        if ((i + 1) % columns)
            pvgi_text_append(&text, ", ", 2);
        else
            pvgi_text_append(&text, "\n", 1);
    }
    const int32_t status = text.status == PVG_OK
                               ? pvgi_io_sink_put(sink, text.data, text.length)
                               : text.status;
    pvgi_text_free(&text);
    return status;
}

/* Which optional files a set needs, by part. */
static int32_t choose_parts(bool wanted[FILES], const pvg_graphset *set) {
    bool labelled = false, empty = false, none = false, other = false;
    for (int64_t i = 0; i < set->count; i++) {
        labelled = labelled || set->labels[i] >= 0;
        none = none || set->labels[i] == -1;
        other = other || (set->labels[i] != -1 && set->labels[i] != 1);
        empty = empty || set->starts[i] == set->starts[i + 1];
    }
    PVGI_REQUIRE(!(labelled && none && !other),
                 "pvg_graphset_write_tudataset: set: its labels are -1 and 1 only, which "
                 "readers take for two classes");
    wanted[ARCS] = wanted[INDICATOR] = true;
    wanted[ATTRIBUTES] = set->target_count > 0 && set->count > 0;
    wanted[LABELS] = labelled || (empty && !wanted[ATTRIBUTES]);
    wanted[NODE_LABELS] = set->node_labels != NULL;
    return PVG_OK;
}

static int32_t write_part(const char *path, int part, const writer *w) {
    static int32_t (*const put[FILES])(pvgi_io_sink *, const writer *) = {
        put_arcs, put_indicator, put_labels, put_attributes, put_node_labels};
    pvgi_io_sink sink;
    PVGI_TRY(pvgi_io_sink_open(&sink, path));
    return pvgi_io_sink_close(&sink, put[part](&sink, w));
}

int32_t pvgi_io_tudataset_write(const char *folder, const char *name,
                                const pvg_graphset *set, pvgi_io_call *call) {
    const writer w = {set, call};
    bool wanted[FILES];
    int32_t status = choose_parts(wanted, set);
    for (int part = 0; part < FILES && status == PVG_OK; part++) {
        char *path = NULL;
        status = pvgi_io_path(&path, folder, name, suffixes[part]);
        if (status == PVG_OK)
            /* a file of an older set of this name would be read with the new one */
            status = wanted[part] ? write_part(path, part, &w) : pvgi_io_remove(path);
        pvgi_free(path);
    }
    return status;
}
