/* Lists of numbers about a graph, as 'stats' releases and 'tradeoff' plans them. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of a list; the last are not scalars of the library, but ladders. */
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
             {"triangles", 0},
             {"stars2", 0},
             {"stars3", 0}};
enum { LADDERS = 3 }; /* the last words */

static const char *ladder_word(int which) {
    return known[COUNT_OF(known) - LADDERS + (size_t)which].word;
}

void numbers_read(number_list *out, const char *list, const char *flag) {
    const char *at = list;
    _Static_assert(COUNT_OF(known) <= NUMBERS_MAX, "room for all words");
    *out = (number_list){0};
    while (*at) {
        const size_t length = strcspn(at, ",");
        int found = -1;
        for (size_t i = 0; i < COUNT_OF(known); i++)
            if (strlen(known[i].word) == length && !strncmp(known[i].word, at, length))
                found = (int)i;
        if (found < 0)
            usage_error("%s: there is no number '%.*s'", flag, (int)length, at);
        for (int64_t i = 0; i < out->count; i++)
            if (!strcmp(out->word[i], known[found].word))
                usage_error("%s: %s stands there twice", flag, known[found].word);
        out->word[out->count++] = known[found].word;
        if (known[found].scalar)
            out->scalar[out->scalars++] = known[found].scalar;
        else
            out->ladder[found - (int)COUNT_OF(known) + LADDERS] = true;
        at += length + (at[length] == ',');
    }
    if (out->count == 0) usage_error("%s is empty", flag);
}

/* Every number gets the same share of epsilon. */
pvg_statistic *numbers_statistic(const number_list *n, int64_t order, int64_t floor) {
    pvg_target target, own;
    pvg_statistic *parts[1 + LADDERS], *all = NULL;
    int64_t count = 0;
    plain_target(&target);
    own = target;
    if (n->scalars > 0) {
        const pvg_scalars_config config = {
            .size = sizeof config, .order = order, .count = n->scalars};
        own.epsilon = target.epsilon * ((double)n->scalars / (double)n->count);
        must(pvg_statistic_new_scalars(&parts[count++], &config, &own, n->scalar, NULL));
    }
    own.epsilon = target.epsilon / (double)n->count;
    if (n->ladder[0]) {
        const pvg_triangles_config config = {
            .size = sizeof config, .order = order, .floor = floor};
        must(pvg_statistic_new_triangles(&parts[count++], &config, &own));
    }
    for (int leaves = 2; leaves <= 3; leaves++)
        if (n->ladder[leaves - 1]) {
            const pvg_stars_config config = {
                .size = sizeof config, .leaves = leaves, .order = order};
            must(pvg_statistic_new_stars(&parts[count++], &config, &own));
        }
    must(pvg_statistic_new_joined(&all, parts, count));
    for (int64_t i = 0; i < count; i++) pvg_statistic_free(parts[i]);
    return all;
}

/* --- what a budget can tell -------------------------------------------------------- */

static int32_t copy_tradeoff(char *out, size_t capacity, size_t *length,
                             const void *tradeoff) {
    return pvg_tradeoff_copy_json(out, capacity, length, tradeoff);
}

pvg_tradeoff_line tradeoff_line(const pvg_tradeoff *tradeoff, int64_t index) {
    pvg_tradeoff_line line = {.size = sizeof line};
    must(pvg_tradeoff_copy_line(&line, tradeoff, index));
    return line;
}

table *tradeoff_table(const pvg_tradeoff *tradeoff, char **names, const char *what) {
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
    for (int64_t i = 0; i < pvg_tradeoff_count(tradeoff); i++) {
        const pvg_tradeoff_line line = tradeoff_line(tradeoff, i);
        table_text(t, names[i]);
        table_text(t, verdicts[line.verdict]);
        table_real(t, line.ratio);
        table_real(t, line.range);
        table_above(t, line.noise);
        table_above(t, line.epsilon_min);
        tradeoff_order_min(t, line.order_min);
    }
    return t;
}

void tradeoff_order_min(table *t, int64_t order_min) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)order_min);
    table_text(t, order_min ? text : NULL);
}

void tradeoff_write(const pvg_tradeoff *tradeoff, const table *t) {
    output *out = output_open(common_output);
    if (common_json) {
        char *text = copied(copy_tradeoff, tradeoff);
        output_text(out, "%s\n", text);
        free(text);
    } else {
        table_print(t, out);
    }
    output_commit_one(out);
}

void numbers_preview(const number_list *n, int64_t order, int64_t floor, int64_t common) {
    pvg_tradeoff *tradeoff = NULL;
    pvg_statistic *statistic = numbers_statistic(n, order, floor);
    char **names = numbers_names(n);
    must(pvg_statistic_tradeoff(&tradeoff, statistic, order, common));
    table *t = tradeoff_table(tradeoff, names, "number");
    tradeoff_write(tradeoff, t);
    note("%lld of %lld numbers are informative at this budget",
         (long long)pvg_tradeoff_informative(tradeoff), (long long)n->count);
    if (n->ladder[0])
        note(common > 0 ? "noise on triangles if no two nodes have more than %lld "
                          "neighbours in common"
                        : "noise on triangles is that of the worst graph; --common N "
                          "tells it for graphs where no two nodes share more than N",
             (long long)common);
    table_free(t);
    names_free(names);
    pvg_tradeoff_free(tradeoff);
    pvg_statistic_free(statistic);
}

char **numbers_names(const number_list *n) {
    char **names = take((size_t)n->count + 1, sizeof *names);
    int64_t at = 0;
    for (size_t k = 0; k < COUNT_OF(n->scalar) && (int64_t)k < n->scalars; k++)
        for (size_t i = 0; i < COUNT_OF(known); i++)
            if (known[i].scalar == n->scalar[k]) names[at++] = text_copy(known[i].word);
    for (int k = 0; k < LADDERS; k++)
        if (n->ladder[k]) names[at++] = text_copy(ladder_word(k));
    return names;
}
