/* release KIND: answers a query. Kinds, their options and their help come from the
 * library's table when the program starts (pvg_query_copy_kinds): a new kind is a command
 * at once. What is written follows what the release holds. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MOST = 40, KINDS_MOST = 64, TEXT_MOST = 4096 };

/* What options of a kind were given; NULL: not. Flags are text as well. */
static const char *given[OPTIONS_MOST];
static bool flag[OPTIONS_MOST];

/* The command that runs, and its kind. */
typedef struct {
    command self;
    char name[64];
    option options[OPTIONS_MOST + 1], budget[OPTIONS_MOST + 1];
    option_group kind_group, budget_group;
    int count; /* options of the kind; those of the budget follow in `given` */
    bool takes_kinds, takes_groups, takes_priorities, takes_weights, takes_similarities,
        takes_patterns, takes_features, takes_labels;
    bool reads_features, reads_labels, reads_graph;
    const char *kind;
} kind_command;

static kind_command *kinds;
static size_t kind_count;
static jsont *tree; /* owns all texts */

/* --- arrays and data --------------------------------------------------------------- */

static const char *kinds_path, *groups_path, *priorities_path, *weights_path,
    *similarities_path, *open_parts;
static bool preview;
static int64_t common;
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

static const option data_list[] = {
    {"preview", 0, OPTION_FLAG, NULL, &preview,
     "noise against range of each number for --order nodes; reads and spends nothing"},
    {"common", 0, OPTION_WHOLE, "N", &common,
     "with --preview: neighbours that two nodes have in common, where noise follows it"},
    {"format", 'f', OPTION_CHOICE, "csv|json|npy", &format,
     "format of numbers (default csv; --json is --format json)"},
    {"graph-format", 0, OPTION_CHOICE, output_format_words, &graph_to,
     "format of graphs (default: by the name of --output)"},
    {0},
};
static const option_group data_options = {"Data", data_list};

static double *column_from(const char *path, int64_t *count) {
    int64_t width = 0;
    double *numbers = values_read(path, count, &width);
    if (width != 1) fail(CODE_FAILED, "%s: not one number per line", path);
    return numbers;
}

static int32_t *whole_column(const char *path, int64_t *order) {
    int64_t count = 0;
    double *numbers = column_from(path, &count);
    int32_t *out = take((size_t)count, sizeof *out);
    for (int64_t i = 0; i < count; i++) {
        if (!(numbers[i] >= -1.0 && numbers[i] <= 2147483646.0) ||
            numbers[i] != rint(numbers[i]))
            fail(CODE_FAILED, "%s:%lld: no whole number of at least -1", path,
                 (long long)i + 1);
        out[i] = (int32_t)numbers[i];
    }
    free(numbers);
    if (*order > 0 && *order != count)
        fail(CODE_FAILED, "%s: %lld lines for %lld nodes", path, (long long)count,
             (long long)*order);
    *order = count;
    return out;
}

static pvg_arguments arguments_from(const kind_command *k) {
    pvg_arguments a = {.size = sizeof a};
    int64_t count = 0;
    if (kinds_path) a.kinds = whole_column(kinds_path, &a.order);
    if (groups_path) a.groups = whole_column(groups_path, &a.order);
    if (priorities_path) {
        a.priorities = column_from(priorities_path, &count);
        if (a.order > 0 && a.order != count)
            fail(CODE_FAILED, "%s: %lld lines for %lld nodes", priorities_path,
                 (long long)count, (long long)a.order);
        a.order = count;
    }
    if (weights_path)
        a.weights = values_read(weights_path, &a.weight_rows, &a.weight_columns);
    if (similarities_path) {
        int64_t rows = 0, columns = 0;
        a.similarities = values_read(similarities_path, &rows, &columns);
        if (rows != columns) fail(CODE_FAILED, "%s: not square", similarities_path);
        a.order = rows;
    }
    if (k->takes_patterns) a.patterns = patterns_wanted();
    return a;
}

static void free_arguments(pvg_arguments *a) {
    free((void *)(uintptr_t)a->kinds);
    free((void *)(uintptr_t)a->groups);
    free((void *)(uintptr_t)a->priorities);
    free((void *)(uintptr_t)a->weights);
    free((void *)(uintptr_t)a->similarities);
    pvg_patterns_free((pvg_patterns *)(uintptr_t)a->patterns);
}

/* --- the query --------------------------------------------------------------------- */

static pvg_query *query_from(const kind_command *k, const pvg_arguments *a,
                             int64_t order) {
    char text[TEXT_MOST];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", k->kind);
    pvg_query *query = NULL;
    const pvg_target target = {.size = sizeof target, .allow_seeded = secrecy_seed.given};
    for (int i = 0; i < OPTIONS_MOST; i++) {
        const option *o = i < k->count ? &k->options[i] : &k->budget[i - k->count];
        const char *value = given[i] ? given[i] : flag[i] ? "yes" : NULL;
        if (i >= k->count && !o->kind) break;
        if (!value) continue;
        if (strcspn(value, " \t\r\n+=") != strlen(value))
            usage_error("--%s: '%s' has a blank, '+' or '=' in it", o->name, value);
        used +=
            (size_t)snprintf(text + used, sizeof text - used, " %s=%s", o->name, value);
        if (used >= sizeof text) usage_error("too many options");
    }
    /* what is made for one number of nodes gets that of the graph, which is public */
    if (order > 0 && a->order == 0) {
        pvg_arguments own = *a;
        own.order = order;
        must(pvg_query_new(&query, text, &own, &target, run_begin("preparing", 1, "")));
    } else {
        must(pvg_query_new(&query, text, a, &target, run_begin("preparing", 1, "")));
    }
    run_done();
    return query;
}

static uint32_t open_from(void) {
    uint32_t open = 0;
    for (const char *at = open_parts ? open_parts : ""; *at;) {
        const size_t length = strcspn(at, ",");
        if (length == 8 && strncmp(at, "features", 8) == 0)
            open |= PVG_DATA_FEATURES;
        else if (length == 6 && strncmp(at, "labels", 6) == 0)
            open |= PVG_DATA_LABELS;
        else if (length == 5 && strncmp(at, "graph", 5) == 0)
            open |= PVG_DATA_GRAPH;
        else
            usage_error("--open: '%.*s' is none of graph, features, labels", (int)length,
                        at);
        at += length + (at[length] == ',');
    }
    return open;
}

/* --- what comes out ---------------------------------------------------------------- */

typedef struct {
    const pvg_guarantee *guarantee;
    int64_t index;
} column_name;

static int32_t copy_column(char *out, size_t capacity, size_t *length,
                           const void *context) {
    const column_name *c = context;
    return pvg_guarantee_copy_column_name(out, capacity, length, c->guarantee, c->index);
}

char **release_columns(const pvg_release *release) {
    const pvg_guarantee *guarantee = pvg_release_guarantee(release);
    const int64_t columns = pvg_release_columns(release);
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

static void put_numbers(door *d, const pvg_release *release) {
    values v = {.rows = pvg_release_rows(release),
                .columns = pvg_release_columns(release),
                .names = release_columns(release),
                .guarantee = d->guarantee};
    must(pvg_release_view(&v.numbers, release));
    values_write(d->data, &v, values_format(format));
    names_free(v.names);
}

static void put_labels(output *out, json *j, const pvg_release *release) {
    const int32_t *labels = NULL;
    int64_t count = 0;
    must(pvg_release_view_labels(&labels, &count, release));
    if (j) json_begin(j, "labels", '[');
    for (int64_t i = 0; i < count; i++)
        if (j)
            json_whole(j, NULL, labels[i]);
        else
            output_text(out, "%d\n", (int)labels[i]);
    if (j) json_end(j, ']');
}

static void put_lists(output *out, json *j, const pvg_release *release) {
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

static void put_graphs(output *out, json *j, const pvg_release *release, int to) {
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

static void put(door *d, const pvg_release *release, int to) {
    const uint32_t holds = pvg_release_holds(release);
    if (holds & PVG_HOLDS_NUMBERS) {
        put_numbers(d, release);
        return;
    }
    json own = {.out = d->data}, *j = common_json ? &own : NULL;
    if (j) {
        json_begin(j, NULL, '{');
        json_raw(j, "guarantee", d->guarantee);
    }
    if (holds & PVG_HOLDS_LABELS)
        put_labels(d->data, j, release);
    else if (holds & PVG_HOLDS_LISTS)
        put_lists(d->data, j, release);
    else if (holds & (PVG_HOLDS_GRAPH | PVG_HOLDS_GRAPHS))
        put_graphs(d->data, j, release, to);
    else
        fail(CODE_FAILED, "what this releases has no file format; use --release FILE");
    if (j) json_end(j, '}');
}

/* --- running ----------------------------------------------------------------------- */

static int32_t ask(pvg_tradeoff **out, const void *query, int64_t order) {
    const pvg_preview_config config = {
        .size = sizeof config, .order = order, .common = common};
    return pvg_query_preview(out, query, &config, NULL);
}

/* Of noise that is private there is no preview. */
static bool has_preview(const pvg_query *query, int64_t order) {
    pvg_tradeoff *trial = NULL;
    const int32_t status = ask(&trial, query, order);
    pvg_tradeoff_free(trial);
    if (status != PVG_OK && status != PVG_E_PRIVACY) must(status);
    return status == PVG_OK;
}

static void show_preview(const pvg_query *query) {
    pvg_tradeoff *lines = NULL;
    must(ask(&lines, query, input_order()));
    const int64_t count = pvg_tradeoff_count(lines);
    char **names = take((size_t)count + 1, sizeof *names);
    for (int64_t i = 0; i < count; i++) {
        size_t length = 0;
        pvg_tradeoff_copy_name(NULL, 0, &length, lines, i);
        names[i] = take(length + 1, 1);
        must(pvg_tradeoff_copy_name(names[i], length + 1, &length, lines, i));
    }
    table *t = tradeoff_table(lines, names, "number");
    tradeoff_write(lines, t);
    table_free(t);
    names_free(names);
    pvg_tradeoff_free(lines);
}

static void answer(const pvg_query *query, const kind_command *k, const input *in) {
    door d;
    pvg_release *release = NULL;
    const bool graphs = k->reads_graph;
    const int64_t count = graphs && in->set ? pvg_graphset_count(in->set) : 1;
    const int64_t order = in->graph && graphs ? pvg_graph_order(in->graph) : 0;
    const int to =
        common_json ? PVG_FORMAT_AUTO : graph_format(common_output, graph_to, in->set);
    if (graphs && (in->set ? count > 0 : order > 0) &&
        has_preview(query, in->set ? 1000 : order))
        visible_check_input(ask, query, in, NULL);
    door_open(&d, values_format(format), count, in->set != NULL);
    const pvg_input data = {.size = sizeof data,
                            .open = open_from(),
                            .graph = graphs ? in->graph : NULL,
                            .set = graphs ? in->set : NULL,
                            .features = k->reads_features ? in->features : NULL,
                            .labels = k->reads_labels ? in->labels : NULL,
                            .objects = d.ledger ? d.objects : NULL,
                            .object_count = d.ledger ? count : 0};
    must(pvg_release_draw(&release, query, &data, d.rng, d.ledger,
                          run_begin("drawing", (double)count, "graphs")));
    run_done();
    door_pass(&d, release);
    put(&d, release, to);
    door_close(&d, release);
    pvg_release_free(release);
}

static void run_kind(const kind_command *k, int count, char **operands) {
    input in = {0};
    values_format(format); /* refuses before anything is read */
    if (preview && count > 0) usage_error("--preview reads no input; it needs --order");
    if (preview && input_order() == 0) usage_error("--preview needs --order");
    if (!preview && count == 0) usage_error("missing operand: INPUT");
    pvg_arguments a = arguments_from(k);
    if (preview) {
        pvg_query *query = query_from(k, &a, input_order());
        show_preview(query);
        pvg_query_free(query);
        free_arguments(&a);
        return;
    }
    for (int i = 0; i < k->count; i++) /* told, so that it is not read off the data */
        if (strcmp(k->options[i].name, "columns") == 0 && given[i])
            input_set_columns(strtoll(given[i], NULL, 10));
    input_load(&in, operands[0],
               (k->reads_features ? (unsigned)WANT_FEATURES : 0u) |
                   (k->reads_labels ? (unsigned)WANT_LABELS : 0u));
    if (k->reads_graph) input_require_order(&in);
    pvg_query *query =
        query_from(k, &a, k->reads_graph && in.graph ? pvg_graph_order(in.graph) : 0);
    answer(query, k, &in);
    pvg_query_free(query);
    free_arguments(&a);
    input_free(&in);
}

static void run(int count, char **operands) {
    for (size_t i = 0; i < kind_count; i++)
        if (strcmp(kinds[i].name, talk_name()) == 0) {
            run_kind(&kinds[i], count, operands);
            return;
        }
}

/* --- commands from the table ------------------------------------------------------- */

static int64_t many(const jsont *list) {
    int64_t count = 0;
    while (list && json_at(tree, list, count)) count++;
    return count;
}

static bool has_word(const jsont *list, const char *word) {
    for (int64_t i = 0; list && i < many(list); i++)
        if (strcmp(json_at(tree, list, i)->text, word) == 0) return true;
    return false;
}

static const char *text_of(const jsont *node, const char *key) {
    const jsont *found = json_get(tree, node, key);
    return found ? found->text : NULL;
}

/* Words with bars between, or a letter for a number; kept for ever. */
static const char *value_of(const jsont *node) {
    const jsont *choices = json_get(tree, node, "choices");
    const char *type = text_of(node, "type");
    const bool whole = strcmp(type, "whole") == 0, real = strcmp(type, "real") == 0;
    const char *words = text_of(node, "values");
    if (!choices)
        return whole ? "N" : !real ? "TEXT" : strcmp(words, "a number") == 0 ? "Y" : "X";
    size_t bytes = 1;
    for (int64_t i = 0; i < many(choices); i++)
        bytes += strlen(json_at(tree, choices, i)->text) + 1;
    char *all = take(bytes, 1);
    for (int64_t i = 0; i < many(choices); i++) {
        if (i > 0) strcat(all, "|");
        strcat(all, json_at(tree, choices, i)->text);
    }
    return all;
}

/* "help; needed values (default ...)". */
static const char *help_of(const jsont *node) {
    const char *help = text_of(node, "help"), *preset = text_of(node, "default");
    const size_t bytes = strlen(help) + (preset ? strlen(preset) : 0) + 32;
    char *all = take(bytes, 1);
    const bool plain =
        strcmp(text_of(node, "type"), "flag") == 0 || !preset || strcmp(preset, "0") == 0;
    snprintf(all, bytes, plain ? "%s" : "%s (default %s)", help, preset);
    return all;
}

/* Options of the budget that have a meaning for the noise of a kind. */
static bool has_meaning(const char *name, const jsont *laws) {
    const bool several = many(laws) > 1;
    if (strcmp(name, "order") == 0 || strcmp(name, "share") == 0) return false;
    if (strcmp(name, "delta") == 0 || strcmp(name, "noise") == 0) return several;
    if (strcmp(name, "allocation") == 0 || strcmp(name, "beta") == 0)
        return has_word(laws, "smooth");
    return true;
}

/* laws: of the budget; NULL: options of the kind. */
static int add_options(option *to, const jsont *list, int first, const jsont *laws) {
    int used = 0;
    for (int64_t i = 0; list && i < many(list); i++) {
        const jsont *node = json_at(tree, list, i);
        const char *name = text_of(node, "name");
        if (laws && !has_meaning(name, laws)) continue;
        if (!laws && strcmp(name, "patterns") == 0) continue; /* the program's own */
        if (first + used == OPTIONS_MOST) break;
        const bool is_flag = strcmp(text_of(node, "type"), "flag") == 0;
        to[used] = (option){.name = name,
                            .letter = strcmp(name, "epsilon") == 0         ? 'e'
                                      : laws && strcmp(name, "delta") == 0 ? 'd'
                                                                           : 0,
                            .kind = is_flag ? OPTION_FLAG : OPTION_GIVEN,
                            .value = is_flag ? NULL : value_of(node),
                            .target = is_flag ? (void *)&flag[first + used]
                                              : (void *)&given[first + used],
                            .help = help_of(node)};
        used++;
    }
    return used;
}

static void add_kind(kind_command *k, const jsont *node, const jsont *budget) {
    const jsont *reads = json_get(tree, node, "reads");
    const jsont *takes = json_get(tree, node, "takes");
    k->kind = text_of(node, "kind");
    snprintf(k->name, sizeof k->name, "release %s", k->kind);
    k->reads_graph = has_word(reads, "graph");
    k->reads_features = has_word(reads, "features");
    k->reads_labels = has_word(reads, "labels");
    k->takes_patterns = has_word(takes, "patterns");
    k->count = add_options(k->options, json_get(tree, node, "options"), 0, NULL);
    add_options(k->budget, json_get(tree, budget, "options"), k->count,
                json_get(tree, node, "noise"));
    k->kind_group = (option_group){"Options of the kind", k->options};
    k->budget_group = (option_group){"Budget", k->budget};
    k->self = (command){.name = k->name,
                        .operands = "[INPUT]",
                        .least = 0,
                        .most = 1,
                        .summary = text_of(node, "says"),
                        .text = text_of(node, "says"),
                        .run = run};
    const option_group *all[] = {k->takes_patterns ? &pattern_options : NULL,
                                 k->count > 0 ? &k->kind_group : NULL,
                                 &k->budget_group,
                                 many(takes) > 0     ? &array_options
                                 : k->reads_features ? &array_options
                                                     : NULL,
                                 &data_options,
                                 &visible_options,
                                 &ledger_options,
                                 &input_options,
                                 &seed_options,
                                 &common_options};
    size_t groups = 0;
    for (size_t i = 0; i < COUNT_OF(all); i++)
        if (all[i]) k->self.groups[groups++] = all[i];
}

static int32_t copy_kinds(char *out, size_t capacity, size_t *length, const void *none) {
    (void)none;
    return pvg_query_copy_kinds(out, capacity, length);
}

void release_dump_kinds(void) {
    char *text = copied(copy_kinds, NULL);
    fputs(text, stdout);
    free(text);
}

size_t release_commands(const command **out, size_t most) {
    char *text = copied(copy_kinds, NULL);
    tree = json_read(text);
    free(text);
    const jsont *list = json_get(tree, tree, "kinds");
    const jsont *budget = json_get(tree, tree, "common");
    kinds = take(KINDS_MOST, sizeof *kinds);
    for (int64_t i = 0;
         list && i < many(list) && kind_count < KINDS_MOST && kind_count < most; i++) {
        add_kind(&kinds[kind_count], json_at(tree, list, i), budget);
        out[kind_count] = &kinds[kind_count].self;
        kind_count++;
    }
    return kind_count;
}
