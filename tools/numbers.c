/* Lists of numbers about a graph, as 'stats' releases and 'preview' plans them. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers with a kind of their own; all other words are scalars of the library. */
static const char *const ladders[][2] = {{"triangles", "triangles"},
                                         {"stars2", "stars leaves=2"},
                                         {"stars3", "stars leaves=3"}};

void numbers_read(number_list *out, const char *list, const char *flag) {
    *out = (number_list){.count = 0};
    if (!*list) usage_error("%s is empty", flag);
    for (const char *at = list; *at;) {
        const int length = (int)strcspn(at, ",");
        int found = -1;
        for (int i = 0; i < LADDERS; i++)
            if ((int)strlen(ladders[i][0]) == length &&
                memcmp(ladders[i][0], at, (size_t)length) == 0)
                found = i;
        if (found >= 0 && out->ladder[found])
            usage_error("%s: %s stands there twice", flag, ladders[found][0]);
        if (found >= 0) out->ladder[found] = true;
        if (found < 0 && out->scalars < NUMBERS_MOST) {
            const bool ends = length == 8 && memcmp(at, "isolated", 8) == 0;
            const bool twice = ends || (length == 6 && memcmp(at, "leaves", 6) == 0);
            out->weight[out->scalars] = twice ? 2.0 : 1.0; /* an edge moves them by two */
        }
        if (found < 0) {
            text_add(&out->list, "%s%.*s", out->scalars > 0 ? "," : "", length, at);
            out->scalars++;
        }
        out->count++;
        at += length + (at[length] == ',');
    }
}

/* Noise of triangles and stars follows what one edge can move, which is far more than one
 * or two: they get as much as this many others. */
static const double ladder_weight = 4.0;

/* The library knows its scalars; a list may also name what has a kind of its own. */
static void must_be_numbers(int32_t status) {
    const char *said =
        status == PVG_OK ? NULL : strstr(pvg_error_message(), "is none of");
    while (said && said > pvg_error_message() && strncmp(said, "list: ", 6) != 0) said--;
    if (said && !strncmp(said, "list: ", 6))
        usage_error("--list: %s, triangles, stars2, stars3", said + 6);
    must(status);
}

/* Every number gets the share of epsilon that it needs. */
pvg_query *numbers_query(const number_list *n, int64_t order, int64_t least_common) {
    pvg_target target = {.size = sizeof target, .allow_seeded = secrecy_seed.given};
    const pvg_arguments a = {.size = sizeof a, .order = order};
    const double epsilon = budget_epsilon();
    pvg_query *parts[1 + LADDERS] = {NULL}, *all = NULL;
    int64_t count = 0;
    query_text text = {.used = 0};
    double scalars = 0.0, all_weights = 0.0;
    for (int64_t i = 0; i < n->scalars && i < NUMBERS_MOST; i++) scalars += n->weight[i];
    all_weights = scalars;
    for (int i = 0; i < LADDERS; i++) all_weights += n->ladder[i] ? ladder_weight : 0.0;
    if (n->scalars > 0) {
        pvg_arguments weighed = a;
        text_add(&text, "scalars list=%s", n->list.text);
        weighed.weights = n->weight;
        weighed.weight_rows = 1;
        weighed.weight_columns = n->scalars;
        target.epsilon = epsilon * (scalars / all_weights);
        must_be_numbers(pvg_query_new(&parts[count++], text.text,
                                      n->scalars <= NUMBERS_MOST ? &weighed : &a, &target,
                                      NULL));
    }
    target.epsilon = epsilon * (ladder_weight / all_weights);
    for (int i = 0; i < LADDERS; i++) {
        if (!n->ladder[i]) continue;
        text = (query_text){.used = 0};
        text_add(&text, "%s", ladders[i][1]);
        if (i == 0 && least_common > 0)
            text_add(&text, " least-common=%lld", (long long)least_common);
        must(pvg_query_new(&parts[count++], text.text, &a, &target, NULL));
    }
    must(pvg_query_join(&all, parts, count));
    for (int64_t i = 0; i < count; i++) pvg_query_free(parts[i]);
    return all;
}

/* --- what a budget can tell -------------------------------------------------------- */

static int32_t copy_preview(char *out, size_t capacity, size_t *length,
                            const void *preview) {
    return pvg_preview_copy_json(out, capacity, length, preview);
}

pvg_preview_line preview_line(const pvg_preview *preview, int64_t index) {
    pvg_preview_line line = {.size = sizeof line};
    must(pvg_preview_copy_line(&line, preview, index));
    return line;
}

typedef struct {
    const pvg_preview *preview;
    int64_t index;
} line_name;

static int32_t copy_name(char *out, size_t capacity, size_t *length, const void *line) {
    const line_name *l = line;
    return pvg_preview_copy_name(out, capacity, length, l->preview, l->index);
}

char *preview_name(const pvg_preview *preview, int64_t index) {
    const line_name line = {preview, index};
    return copied(copy_name, &line);
}

char **preview_names(const pvg_preview *preview) {
    const int64_t count = pvg_preview_count(preview);
    char **names = take((size_t)count + 1, sizeof *names);
    for (int64_t i = 0; i < count; i++) names[i] = preview_name(preview, i);
    return names;
}

table *preview_table(const pvg_preview *preview, char **names, const char *what) {
    static const char *const verdicts[] = {"constant", "hidden", "informative"};
    const char *const keys[][2] = {{what, what},
                                   {"verdict", "verdict"},
                                   {"ratio", "range / noise"},
                                   {"range", "range"},
                                   {"noise", "noise"},
                                   {"epsilon_min", "informative from epsilon"},
                                   {"order_min", "from nodes"}};
    table *t = table_new();
    for (size_t i = 0; i < COUNT_OF(keys); i++) table_column(t, keys[i][0], keys[i][1]);
    for (int64_t i = 0; i < pvg_preview_count(preview); i++) {
        const pvg_preview_line line = preview_line(preview, i);
        table_text(t, names[i]);
        table_text(t, verdicts[line.verdict]);
        table_real(t, line.ratio);
        table_real(t, line.range);
        table_above(t, line.noise);
        table_above(t, line.epsilon_min);
        preview_order_min(t, line.order_min);
    }
    return t;
}

void preview_order_min(table *t, int64_t order_min) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)order_min);
    table_text(t, order_min ? text : NULL);
}

void preview_write(const pvg_preview *preview, const table *t) {
    output *out = output_open(common_output);
    if (common_json) {
        char *text = copied(copy_preview, preview);
        output_text(out, "%s\n", text);
        free(text);
    } else {
        table_print(t, out);
    }
    output_commit_one(out);
}
