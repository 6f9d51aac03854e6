/* Patterns by name ("cycle6"): one table of words, each with its range and its maker. */
#include "pattern_internal.h"

#include <stdio.h>
#include <string.h>

static void make_empty(pvgi_small *out, int32_t k, int32_t l) {
    (void)l;
    out->order = k;
}

static void make_path(pvgi_small *out, int32_t k, int32_t l) {
    (void)l;
    out->order = k;
    for (int32_t v = 1; v < k; v++) pvgi_pattern_join(out, v - 1, v);
}

static void make_cycle(pvgi_small *out, int32_t k, int32_t l) {
    make_path(out, k, l);
    pvgi_pattern_join(out, 0, k - 1);
}

static void make_biclique(pvgi_small *out, int32_t k, int32_t l) {
    out->order = k + l;
    for (int32_t u = 0; u < k; u++)
        for (int32_t v = k; v < k + l; v++) pvgi_pattern_join(out, u, v);
}

static void make_star(pvgi_small *out, int32_t k, int32_t l) {
    (void)l;
    make_biclique(out, 1, k);
}

static void make_clique(pvgi_small *out, int32_t k, int32_t l) {
    (void)l;
    out->order = k;
    for (int32_t u = 0; u < k; u++)
        for (int32_t v = 0; v < u; v++) pvgi_pattern_join(out, u, v);
}

static void make_wheel(pvgi_small *out, int32_t k, int32_t l) {
    make_star(out, k, l);
    for (int32_t v = 1; v <= k; v++) pvgi_pattern_join(out, v, v % k + 1);
}

static void make_grid(pvgi_small *out, int32_t k, int32_t l) {
    out->order = k * l;
    for (int32_t v = 0; v < k * l; v++) {
        if (v % l > 0) pvgi_pattern_join(out, v - 1, v);
        if (v >= l) pvgi_pattern_join(out, v - l, v);
    }
}

static void make_cube(pvgi_small *out, int32_t k, int32_t l) {
    (void)l;
    out->order = 1 << k;
    for (int32_t v = 0; v < 1 << k; v++)
        for (int32_t i = 0; i < k; i++)
            if (v >> i & 1) pvgi_pattern_join(out, v ^ 1 << i, v);
}

/* How many vertices numbers k and l stand for (l: 0 if there is one only). */
static int64_t sum_of(int64_t k, int64_t l) {
    return k + l;
}
static int64_t centre_and(int64_t k, int64_t l) {
    return k + l + 1;
}
static int64_t product_of(int64_t k, int64_t l) {
    return k * l;
}
static int64_t power_of_two(int64_t k, int64_t l) {
    return k < 32 ? (INT64_C(1) << k) + l : INT64_MAX;
}

/* numbers: how many follow the word; fixed: the number if none does. */
static const struct {
    const char *word;
    int32_t numbers, fixed, least;
    int64_t (*order)(int64_t k, int64_t l);
    void (*make)(pvgi_small *out, int32_t k, int32_t l);
} words[] = {
    {"biclique", 2, 0, 1, sum_of, make_biclique},
    {"clique", 1, 0, 1, sum_of, make_clique},
    {"cube", 1, 0, 1, power_of_two, make_cube},
    {"cycle", 1, 0, 3, sum_of, make_cycle},
    {"edge", 0, 2, 2, sum_of, make_path},
    {"empty", 1, 0, 1, sum_of, make_empty},
    {"grid", 2, 0, 1, product_of, make_grid},
    {"path", 1, 0, 1, sum_of, make_path},
    {"star", 1, 0, 1, centre_and, make_star},
    {"triangle", 0, 3, 3, sum_of, make_cycle},
    {"vertex", 0, 1, 1, sum_of, make_path},
    {"wheel", 1, 0, 3, centre_and, make_wheel},
};

/* Reads digits; -1 if there are none; stops counting well above every limit. */
static int32_t read_number(const char *text, size_t bytes, size_t *at) {
    int32_t value = -1;
    for (; *at < bytes && text[*at] >= '0' && text[*at] <= '9'; (*at)++) {
        value = (value < 0 ? 0 : value) * 10 + (text[*at] - '0');
        if (value > 1000000) value = 1000000;
    }
    return value;
}

int32_t pvgi_pattern_from_name(pvgi_small *out, const char *name, size_t bytes) {
    const int shown = bytes > 32 ? 32 : (int)bytes;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t at = strlen(words[i].word);
        if (at > bytes || memcmp(name, words[i].word, at) != 0) continue;
        int32_t k = words[i].fixed, l = 0;
        bool good = true;
        if (words[i].numbers > 0) {
            k = read_number(name, bytes, &at);
            good = k >= words[i].least;
        }
        if (words[i].numbers > 1) {
            good = good && at < bytes && name[at] == 'x';
            at++;
            l = good ? read_number(name, bytes, &at) : 0;
            good = good && l >= words[i].least;
        }
        if (!good || at != bytes) break;
        if (words[i].order(k, l) > PVG_PATTERN_ORDER_MAX)
            return pvgi_fail(PVG_E_LIMIT, "pattern '%.*s': more than %d vertices", shown,
                             name, PVG_PATTERN_ORDER_MAX);
        words[i].make(out, k, l);
        return PVG_OK;
    }
    return pvgi_fail(PVG_E_FORMAT, "'%.*s' names no pattern", shown, name);
}

size_t pvgi_pattern_name(char out[PVGI_GRAPH6_BYTES], const pvgi_pattern *pattern) {
    static const struct {
        uint32_t kind;
        int32_t order; /* 0: any */
        const char *word;
        int32_t number; /* order + number is printed; -99: none */
    } names[] = {
        {PVG_KIND_TREE, 1, "vertex", -99}, {PVG_KIND_TREE, 2, "edge", -99},
        {PVG_KIND_PATH, 0, "path", 0},     {PVG_KIND_CYCLE, 3, "triangle", -99},
        {PVG_KIND_CYCLE, 0, "cycle", 0},   {PVG_KIND_CLIQUE, 0, "clique", 0},
        {PVG_KIND_STAR, 0, "star", -1},
    };
    const int32_t order = pattern->graph.order;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!(pattern->kinds & names[i].kind)) continue;
        if (names[i].order != 0 && names[i].order != order) continue;
        const int length = names[i].number == -99
                               ? snprintf(out, PVGI_GRAPH6_BYTES, "%s", names[i].word)
                               : snprintf(out, PVGI_GRAPH6_BYTES, "%s%d", names[i].word,
                                          order + names[i].number);
        return (size_t)length;
    }
    return pvgi_pattern_to_graph6(out, &pattern->canonical);
}
