/* release KIND: answers a query of any kind. And what every command that asks one query
 * does: reads the input, compares noise with the range, pays, draws, writes what the
 * release holds. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS_MOST = 64 };

/* --- arrays and data --------------------------------------------------------------- */

static const char *kinds_path, *groups_path, *blocks_path, *priorities_path,
    *weights_path, *similarities_path, *open_parts;
static bool preview;
static double interval;
static int64_t common;
static double mean_degree;
static int format = -1, graph_to;

static const option array_list[] = {
    {"groups-of", 0, OPTION_FILE, "FILE", &groups_path,
     "kinds that take groups: a public group for each node, one per line; -1: none"},
    {"kinds-of", 0, OPTION_FILE, "FILE", &kinds_path,
     "kinds that take kinds of nodes: a public one for each node, one per line"},
    {"priorities", 0, OPTION_FILE, "FILE", &priorities_path,
     "edge-histogram: a public number for each node; the higher one sends"},
    {"weights", 0, OPTION_FILE, "FILE", &weights_path,
     "a table of public weights (of patterns, numbers or nodes)"},
    {"similarities", 0, OPTION_FILE, "FILE", &similarities_path,
     "slots: a public table, a row for each node"},
    {"open", 0, OPTION_TEXT, "PARTS", &open_parts,
     "you declare that the features (or labels) that are read are public: 'features'"},
    {0},
};
static const option_group array_options = {"Public arrays", array_list};

static const option block_list[] = {
    {"blocks", 'b', OPTION_FILE, "FILE", &blocks_path,
     "a public block number for each node, one per line (default: one block)"},
    {0},
};
const option_group block_options = {"Blocks", block_list};

#define NUMBER_FORMAT                                                                    \
    {"interval",                                                                         \
     0,                                                                                  \
     OPTION_REAL,                                                                        \
     "PERCENT",                                                                          \
     &interval,                                                                          \
     "adds error bars: columns NAME_low and NAME_high, between which each number was "   \
     "before noise with that probability; 95 is usual"},                                 \
    {                                                                                    \
        "format", 'f', OPTION_CHOICE, "csv|json|npy", &format,                           \
            "format of the data (default csv; --json is --format json, which holds the " \
            "guarantee as well)"                                                         \
    }
static const option number_format[] = {NUMBER_FORMAT, {0}};
const option_group number_options = {"Data", number_format};

static const option graph_list[] = {
    {"format", 'f', OPTION_CHOICE, output_format_words, &graph_to,
     "format to write (default: by the name of --output; an edge list on stdout)"},
    {0},
};
const option_group graph_options = {"Data", graph_list};

#define PREVIEW_OPTIONS                                                                  \
    {"preview",                                                                          \
     0,                                                                                  \
     OPTION_FLAG,                                                                        \
     NULL,                                                                               \
     &preview,                                                                           \
     "noise against range of each number for --order nodes; reads and spends nothing"},  \
        {"common",                                                                       \
         0,                                                                              \
         OPTION_WHOLE,                                                                   \
         "N",                                                                            \
         &common,                                                                        \
         "with --preview: neighbours that two nodes have in common, where noise "        \
         "follows it"},                                                                  \
    {                                                                                    \
        "mean-degree", 0, OPTION_REAL, "D", &mean_degree,                                \
            "with --preview: a guess of the mean degree, for kinds that draw a cap"      \
    }
static const option preview_list[] = {PREVIEW_OPTIONS, {0}};
const option_group preview_options = {"Preview", preview_list};

static const option data_list[] = {
    PREVIEW_OPTIONS,
    NUMBER_FORMAT,
    {"graph-format", 0, OPTION_CHOICE, output_format_words, &graph_to,
     "format of graphs (default: by the name of --output)"},
    {0},
};
static const option_group data_options = {"Data", data_list};

bool blocks_given(void) {
    return blocks_path != NULL;
}

static double *column_from(const char *path, int64_t *count) {
    int64_t width = 0;
    double *numbers = values_read(path, count, &width);
    if (width != 1) fail(CODE_FAILED, "%s: not one number per line", path);
    return numbers;
}

static void same_order(const char *path, int64_t *order, int64_t count) {
    if (*order > 0 && *order != count)
        fail(CODE_FAILED, "%s: %lld lines for %lld nodes", path, (long long)count,
             (long long)*order);
    *order = count;
}

static int32_t *whole_column(const char *path, int64_t *order, int least) {
    int64_t count = 0;
    double *numbers = column_from(path, &count);
    int32_t *out = take((size_t)count, sizeof *out);
    for (int64_t i = 0; i < count; i++) {
        if (!(numbers[i] >= least && numbers[i] <= 2147483646.0) ||
            numbers[i] != rint(numbers[i]))
            fail(CODE_FAILED, "%s:%lld: no whole number of at least %d", path,
                 (long long)i + 1, least);
        out[i] = (int32_t)numbers[i];
    }
    free(numbers);
    same_order(path, order, count);
    return out;
}

void arguments_read(pvg_arguments *a, int64_t order) {
    int64_t count = 0;
    *a = (pvg_arguments){.size = sizeof *a, .order = order};
    if (kinds_path) a->kinds = whole_column(kinds_path, &a->order, -1);
    if (groups_path) a->groups = whole_column(groups_path, &a->order, -1);
    if (blocks_path) a->groups = whole_column(blocks_path, &a->order, 0);
    if (priorities_path) {
        a->priorities = column_from(priorities_path, &count);
        same_order(priorities_path, &a->order, count);
    }
    if (weights_path)
        a->weights = values_read(weights_path, &a->weight_rows, &a->weight_columns);
    if (similarities_path) {
        int64_t columns = 0;
        a->similarities = values_read(similarities_path, &count, &columns);
        if (count != columns) fail(CODE_FAILED, "%s: not square", similarities_path);
        same_order(similarities_path, &a->order, count);
    }
}

void arguments_free(pvg_arguments *a) {
    free((void *)(uintptr_t)a->kinds);
    free((void *)(uintptr_t)a->groups);
    free((void *)(uintptr_t)a->priorities);
    free((void *)(uintptr_t)a->weights);
    free((void *)(uintptr_t)a->similarities);
    free((void *)(uintptr_t)a->things);
    pvg_patterns_free((pvg_patterns *)(uintptr_t)a->patterns);
}

static uint32_t open_from(void) {
    static const char *const parts[] = {"graph", "features", "labels"};
    uint32_t open = 0;
    for (const char *at = open_parts ? open_parts : ""; *at;) {
        const size_t length = strcspn(at, ",");
        uint32_t bit = 0;
        for (size_t i = 0; i < COUNT_OF(parts); i++)
            if (strlen(parts[i]) == length && memcmp(parts[i], at, length) == 0)
                bit = 1u << i;
        if (bit == 0)
            usage_error("--open: '%.*s' is none of graph, features, labels", (int)length,
                        at);
        open |= bit;
        at += length + (at[length] == ',');
    }
    return open;
}

/* --- what comes out ---------------------------------------------------------------- */

static int64_t *orders_of(const input *in) {
    if (!in || !in->set) return NULL;
    const int64_t count = pvg_graphset_count(in->set);
    int64_t *orders = take((size_t)count, sizeof *orders);
    for (int64_t i = 0; i < count; i++) {
        pvg_graph *graph = NULL;
        must(pvg_graphset_get(&graph, in->set, i));
        orders[i] = pvg_graph_order(graph);
        pvg_graph_free(graph);
    }
    return orders;
}

void release_write_intervals(door *d, const pvg_release *release, const input *in,
                             values *v, int64_t own) {
    if (interval == 0.0) {
        release_write(d, v);
        return;
    }
    const size_t cells = (size_t)v->rows * (size_t)own;
    const int64_t columns = v->columns + 2 * own;
    double *low = take(cells, sizeof *low), *high = take(cells, sizeof *high);
    double *all = take((size_t)v->rows * (size_t)columns, sizeof *all);
    char **names = take((size_t)columns + 1, sizeof *names);
    int64_t *orders = orders_of(in);
    must(pvg_release_interval(low, high, release, orders, interval / 100.0));
    memcpy(names, v->names, (size_t)v->columns * sizeof *names);
    for (int64_t i = 0; i < 2 * own; i++) {
        const size_t bytes = strlen(v->names[i / 2]) + 6;
        char *name = names[v->columns + i] = take(bytes, 1);
        snprintf(name, bytes, "%s_%s", v->names[i / 2], i % 2 ? "high" : "low");
    }
    for (int64_t r = 0; r < v->rows; r++) {
        double *row = all + r * columns;
        memcpy(row, v->numbers + r * v->columns, (size_t)v->columns * sizeof *row);
        for (int64_t i = 0; i < own; i++) {
            row[v->columns + 2 * i] = low[r * own + i];
            row[v->columns + 2 * i + 1] = high[r * own + i];
        }
    }
    const values wide = {v->rows, columns, all, names, v->guarantee};
    release_write(d, &wide);
    for (int64_t i = v->columns; i < columns; i++) free(names[i]);
    free(names);
    free(orders);
    free(all);
    free(low);
    free(high);
}

static void put_numbers(door *d, const pvg_release *release, const input *in) {
    values v = {.rows = pvg_release_rows(release),
                .columns = pvg_release_columns(release),
                .names = release_columns(release),
                .guarantee = d->guarantee};
    must(pvg_release_view(&v.numbers, release));
    release_write_intervals(d, release, in, &v, v.columns);
    names_free(v.names);
}

void release_write(door *d, const values *v) {
    values_write(d->data, v, values_format(format));
}

static void put(door *d, const pvg_query *query, const pvg_release *release,
                const input *in, int to) {
    const uint32_t holds = pvg_release_holds(release);
    if (holds & PVG_HOLDS_NUMBERS) {
        put_numbers(d, release, in);
        return;
    }
    json own = {.out = d->data}, *j = common_json ? &own : NULL;
    if (j) {
        json_begin(j, NULL, '{');
        json_raw(j, "guarantee", d->guarantee);
    }
    if (holds & PVG_HOLDS_LABELS)
        release_put_labels(d->data, j, query, release);
    else if (holds & PVG_HOLDS_LISTS)
        release_put_lists(d->data, j, release);
    else if (holds & (PVG_HOLDS_GRAPH | PVG_HOLDS_GRAPHS))
        release_put_graphs(d->data, j, release, to);
    else
        fail(CODE_FAILED, "what this releases has no file format; use --release FILE");
    if (j) json_end(j, '}');
}

/* --- asking ------------------------------------------------------------------------ */

/* What the query reads of the input. */
static pvg_input input_for(const pvg_query *query, const input *in, uint32_t open) {
    const uint32_t reads = pvg_query_reads(query);
    const bool graph = reads & PVG_DATA_GRAPH;
    return (pvg_input){.size = sizeof(pvg_input),
                       .open = open,
                       .graph = graph ? in->graph : NULL,
                       .set = graph ? in->set : NULL,
                       .features = reads & PVG_DATA_FEATURES ? in->features : NULL,
                       .labels = reads & PVG_DATA_LABELS ? in->labels : NULL,
                       .lists = reads & PVG_DATA_LISTS ? in->lists : NULL};
}

/* From public numbers, before anything is spent. */
static void say_added(const pvg_query *query, const input *in) {
    const int64_t order = in->graph ? pvg_graph_order(in->graph) : 0;
    jsont *plan = query_plan(query, order);
    const jsont *added = json_get(plan, plan, "added_edges");
    if (added && order > 0)
        note("noise adds about %.3g edges to %lld nodes", json_number(added, 0.0),
             (long long)order);
    json_drop(plan);
}

int graph_format_wanted(bool is_set) {
    const int to = graph_format(common_output, graph_to, is_set);
    if (pvg_format_can(to) & PVG_CAN_MAP)
        usage_error("%s: 'privgraph convert' makes csr files, also of what was released",
                    common_output);
    return to;
}

/* A format for graphs, if that is what comes out. */
static int format_for(const pvg_query *query, const pvg_input *data) {
    int64_t rows = 0, columns = 0;
    must(pvg_query_shape(&rows, &columns, query, data));
    if (common_json || columns > 0 || !(pvg_query_reads(query) & PVG_DATA_GRAPH))
        return PVG_FORMAT_AUTO;
    const int to = graph_format_wanted(data->set != NULL);
    if (data->set && to != PVG_FORMAT_GRAPH6 && to != PVG_FORMAT_SPARSE6)
        usage_error("a set of graphs is written as graph6 or sparse6");
    return to;
}

void release_answer(const pvg_query *query, const input *in, uint32_t open,
                    release_put own, void *context) {
    door d;
    pvg_release *release = NULL;
    pvg_input data = input_for(query, in, open);
    const int64_t count = data.set ? pvg_graphset_count(data.set) : 1;
    if (data.graph || data.set) input_require_order(in);
    const int to = own ? PVG_FORMAT_AUTO : format_for(query, &data);
    if (interval != 0.0 && !(interval > 0.0 && interval < 100.0))
        usage_error("--interval is %g; it must be above 0 and below 100", interval);
    say_added(query, in);
    visible_query(query, in);
    if (cost_dry_run) return;
    door_open(&d, values_format(format), count, data.set != NULL);
    if (d.ledger) {
        data.objects = d.objects;
        data.object_count = count;
    }
    must(pvg_release_draw(&release, query, &data, d.rng, d.ledger,
                          run_begin("drawing", (double)count, "graphs")));
    run_done();
    door_pass(&d, release);
    if (own)
        own(&d, query, release, context);
    else
        put(&d, query, release, in, to);
    if (in->lists) lists_tell(query, release);
    door_close(&d, release);
    pvg_release_free(release);
}

static void show_exact(const pvg_query *query, const input *in, uint32_t open) {
    static char guarantee[] =
        "{\"private\": false, \"epsilon\": \"infinity\", \"reason\": \"exact values "
        "(--exact-not-private)\"}";
    door d;
    pvg_guarantee *promise = NULL;
    const pvg_input data = input_for(query, in, open);
    const int64_t order = in->graph ? pvg_graph_order(in->graph) : 1;
    values v = {.guarantee = guarantee};
    if (secrecy_seed.given)
        usage_error("--seed-not-private is about noise; exact values have none");
    door_open_exact(&d, values_format(format));
    d.guarantee = guarantee;
    must(pvg_query_shape(&v.rows, &v.columns, query, &data));
    if (v.columns == 0)
        usage_error("--exact-not-private is for what gives numbers; this gives a graph, "
                    "lists or labels");
    const size_t cells = (size_t)v.rows * (size_t)v.columns;
    double *numbers = take(cells, sizeof *numbers);
    must(pvg_query_values_exact(numbers, query, &data,
                                run_begin("counting", (double)v.rows, "rows")));
    run_done();
    must(pvg_query_guarantee(&promise, query, &order, 1));
    v.numbers = numbers;
    v.names = guarantee_names(promise, v.columns);
    release_write(&d, &v);
    door_close_exact(&d);
    names_free(v.names);
    pvg_guarantee_free(promise);
    explicit_bzero(numbers, cells * sizeof *numbers);
    free(numbers);
}

void release_show(const pvg_query *query, const input *in, uint32_t open) {
    if (secrecy_exact)
        show_exact(query, in, open);
    else
        release_answer(query, in, open, NULL, NULL);
}

bool preview_wanted(int count) {
    values_format(format); /* refuses before anything is read */
    if (preview && count > 0) usage_error("--preview reads no input; it needs --order");
    if (preview && input_order() == 0) usage_error("--preview needs --order");
    if (!preview && common > 0) usage_error("--common is for --preview");
    if (!preview && mean_degree > 0) usage_error("--mean-degree is for --preview");
    if (!preview && count == 0) usage_error("missing operand: INPUT");
    return preview;
}

void preview_show(const pvg_query *query, int64_t order) {
    const pvg_preview_config config = {.size = sizeof config,
                                       .order = order,
                                       .common = common,
                                       .mean_degree = mean_degree};
    pvg_preview *lines = NULL;
    must(pvg_query_preview(&lines, query, &config, run_begin("weighing", 1, "")));
    run_done();
    char **names = preview_names(lines);
    table *t = preview_table(lines, names, "number");
    preview_write(lines, t);
    note("%lld of %lld numbers are informative at this budget",
         (long long)pvg_preview_informative(lines), (long long)pvg_preview_count(lines));
    table_free(t);
    names_free(names);
    pvg_preview_free(lines);
}

/* --- release KIND ------------------------------------------------------------------ */

static kind_form *forms;

pvg_query *kind_made(const kind_form *form, const char *more, int64_t order) {
    query_text text;
    pvg_arguments a;
    kind_text(&text, form);
    text_add(&text, "%s", more);
    arguments_read(&a, order);
    pvg_query *query = text_query(&text, &a);
    arguments_free(&a);
    return query;
}

void release_load(input *in, const kind_form *form, const char *path) {
    const char *kind = kind_chosen(form), *columns = kind_given(form, "columns");
    const bool features = kind_has(kind, "reads", "features");
    const bool labels = kind_has(kind, "reads", "labels");
    if (columns) /* told, so that it is not read off the data */
        input_set_columns(strtoll(columns, NULL, 10));
    input_load(in, path,
               (features ? (unsigned)WANT_FEATURES : 0u) |
                   (labels ? (unsigned)WANT_LABELS : 0u));
    if (features && !in->features)
        fail(CODE_FAILED, "%s: not a node-level folder with features.txt", path);
    if (labels && !in->labels)
        fail(CODE_FAILED, "%s: not a node-level folder with labels.txt", path);
}

/* Lists of many graphs have no file format. */
static void refuse_lists(const kind_form *form) {
    const char *kind = kind_chosen(form), *reports = kind_given(form, "reports");
    if (!kind_has(kind, "gives", "lists")) return;
    if (!kind_has(kind, "gives", "graph") ||
        (reports && strcmp(reports, "published") == 0))
        usage_error("the outcome of this method is lists; a set needs one that gives "
                    "graphs: response, lapgraph, blink, or dprr without --reports "
                    "published");
}

void kind_run(const kind_form *form, const char *more, int count, char **operands) {
    input in = {.graph = NULL};
    query_text text;
    pvg_arguments a;
    const char *kind = kind_chosen(form);
    const bool graph = kind_has(kind, "reads", "graph");
    const bool lists = kind_has(kind, "reads", "lists");
    const bool planned = preview_wanted(count);
    kind_text(&text, form); /* what is wrong with options is said before reading */
    text_add(&text, "%s", more);
    if (lists) {
        const char *things = kind_given(form, "things");
        const int64_t many = lists_things(things);
        if (kind_has(kind, "reads", "labels"))
            fail(CODE_FAILED,
                 "hidden groups of persons have no file format; use a binding");
        if (!things) text_add(&text, " things=%lld", (long long)many);
        if (!planned) lists_load(&in, operands[0], many);
    }
    pvg_patterns *patterns =
        kind_has(kind, "takes", "patterns") ? patterns_wanted() : NULL;
    if (!planned && graph) {
        release_load(&in, form, operands[0]);
        if (in.set) refuse_lists(form);
        if (!secrecy_exact) input_require_order(&in);
    }
    /* what is made for one number of nodes gets that of the graph, which is public */
    arguments_read(&a, planned    ? input_order()
                       : in.graph ? pvg_graph_order(in.graph)
                       : in.lists ? pvg_lists_persons(in.lists)
                                  : 0);
    if (lists) lists_arguments(&a);
    a.patterns = patterns;
    pvg_query *query = text_query(&text, &a);
    if (!planned && !graph && !lists) release_load(&in, form, operands[0]);
    if (planned)
        preview_show(query, input_order());
    else
        release_show(query, &in, open_from());
    pvg_query_free(query);
    arguments_free(&a);
    input_free(&in);
}

static void run(int count, char **operands) {
    const char *kind = strchr(talk_name(), ' ') + 1;
    for (kind_form *form = forms;; form++)
        if (strcmp(form->kinds, kind) == 0) {
            kind_run(form, "", count, operands);
            return;
        }
}

static void fill_command(command *c, kind_form *form) {
    static const kind_name own[] = {{"patterns", NULL, 0}, {0}}; /* the program's */
    const char *kind = form->kinds;
    char *name = take(strlen(kind) + 9, 1);
    snprintf(name, strlen(kind) + 9, "release %s", kind);
    const bool patterns = kind_has(kind, "takes", "patterns");
    form->names = own;
    kind_fill(form);
    *c = (command){.name = name,
                   .operands = "[INPUT]",
                   .least = 0,
                   .most = 1,
                   .summary = kind_says(kind),
                   .text = kind_says(kind),
                   .run = run};
    const option_group *all[] = {patterns ? &pattern_options : NULL,
                                 form->count > 0 ? &form->group : NULL,
                                 &form->budget,
                                 &array_options,
                                 kind_has(kind, "reads", "lists") ? &list_options : NULL,
                                 &data_options,
                                 &visible_options,
                                 &ledger_options,
                                 &input_options,
                                 &secrecy_options,
                                 &common_options};
    size_t groups = 0;
    for (size_t i = 0; i < COUNT_OF(all); i++)
        if (all[i]) c->groups[groups++] = all[i];
}

size_t release_commands(const command **out, size_t most) {
    command *made = take(KINDS_MOST, sizeof *made);
    size_t count = 0;
    forms = take(KINDS_MOST, sizeof *forms);
    for (; count < most && count < KINDS_MOST && kind_at((int64_t)count); count++) {
        forms[count].kinds = kind_at((int64_t)count);
        fill_command(&made[count], &forms[count]);
        out[count] = &made[count];
    }
    return count;
}
