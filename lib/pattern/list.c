/* Lists of patterns: examining one graph, and making lists from edges, text and other
 * lists. */
#include "pattern_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_BYTES = 48 };

/* --- one pattern ---------------------------------------------------------------- */

static uint32_t find_kinds(const pvgi_pattern *pattern) {
    const int32_t n = pattern->graph.order, m = pattern->size, k = pattern->width;
    int32_t least = n, most = 0;
    for (int32_t v = 0; v < n; v++) {
        const int32_t degree = pvgi_mask_count(pattern->graph.adjacency[v]);
        if (degree < least) least = degree;
        if (degree > most) most = degree;
    }
    const bool connected = pattern->components == 1, tree = connected && m == n - 1;
    uint32_t kinds = 0;
    if (connected) kinds |= PVG_KIND_CONNECTED;
    if (m == n - pattern->components) kinds |= PVG_KIND_FOREST;
    if (tree) kinds |= PVG_KIND_TREE;
    if (tree && most <= 2) kinds |= PVG_KIND_PATH;
    if (tree && n >= 2 && most == n - 1) kinds |= PVG_KIND_STAR;
    if (connected && n >= 3 && least == 2 && most == 2) kinds |= PVG_KIND_CYCLE;
    if (m == n * (n - 1) / 2) kinds |= PVG_KIND_CLIQUE;
    if (connected && m == k * n - k * (k + 1) / 2) kinds |= PVG_KIND_KTREE;
    return kinds;
}

int32_t pvgi_pattern_examine(pvgi_pattern *out, const pvgi_small *graph,
                             const char *label) {
    memset(out, 0, sizeof *out);
    out->graph = *graph;
    out->size = pvgi_pattern_size(graph);
    out->multiplicity = 1;
    out->components = pvgi_pattern_components(out->component, graph);
    for (int32_t v = 0; v < graph->order; v++) out->isolated += graph->adjacency[v] == 0;
    PVGI_TRY(pvgi_pattern_width(&out->width, out->elimination, graph, label));
    out->kinds = find_kinds(out);
    pvgi_pattern_canonical(&out->canonical, graph);
    out->hash = pvgi_pattern_hash(&out->canonical);
    return PVG_OK;
}

/* --- the builder ---------------------------------------------------------------- */

int32_t pvgi_pattern_list_add(pvgi_pattern_builder *builder,
                              const pvgi_pattern *pattern) {
    if (builder->count >= PVG_PATTERN_COUNT_MAX)
        return pvgi_fail(PVG_E_LIMIT, "patterns: more than %d in a list",
                         PVG_PATTERN_COUNT_MAX);
    if (builder->count == builder->capacity) {
        const int64_t capacity = builder->capacity ? 2 * builder->capacity : 16;
        pvgi_pattern *grown =
            pvgi_grow(builder->pattern, (size_t)capacity, sizeof *grown);
        if (!grown) return pvgi_fail_nomem();
        builder->pattern = grown;
        builder->capacity = capacity;
    }
    builder->pattern[builder->count++] = *pattern;
    return PVG_OK;
}

static void drop(pvgi_pattern_builder *builder) {
    pvgi_free(builder->pattern);
    memset(builder, 0, sizeof *builder);
}

static void list_edges(pvg_patterns *list) {
    int64_t edge = 0;
    for (int64_t i = 0; i < list->count; i++) {
        const pvgi_small *graph = &list->pattern[i].graph;
        list->pattern[i].first_edge = edge;
        for (int32_t u = 0; u < graph->order; u++)
            for (uint32_t up = graph->adjacency[u] & ~pvgi_mask_first(u + 1); up;
                 up &= up - 1, edge++) {
                list->sources[edge] = u;
                list->targets[edge] = pvgi_mask_lowest(up);
            }
    }
}

int32_t pvgi_pattern_list_finish(pvg_patterns **out, pvgi_pattern_builder *builder) {
    int64_t edges = 0;
    for (int64_t i = 0; i < builder->count; i++) edges += builder->pattern[i].size;
    pvg_patterns *list = pvgi_alloc_zero(1, sizeof *list);
    int32_t *sources = pvgi_alloc((size_t)edges, sizeof *sources);
    int32_t *targets = pvgi_alloc((size_t)edges, sizeof *targets);
    if (!list || !sources || !targets) {
        pvgi_free(list);
        pvgi_free(sources);
        pvgi_free(targets);
        drop(builder);
        return pvgi_fail_nomem();
    }
    list->count = builder->count;
    list->pattern = builder->pattern;
    list->sources = sources;
    list->targets = targets;
    memset(builder, 0, sizeof *builder);
    list_edges(list);
    *out = list;
    return PVG_OK;
}

/* Examines a graph and adds it; ends a failed list. */
static int32_t add_graph(pvgi_pattern_builder *builder, const pvgi_small *graph,
                         const char *label) {
    pvgi_pattern pattern;
    PVGI_TRY(pvgi_pattern_examine(&pattern, graph, label));
    return pvgi_pattern_list_add(builder, &pattern);
}

int32_t pvgi_pattern_list_close(pvg_patterns **out, pvgi_pattern_builder *builder,
                                int32_t status) {
    if (status == PVG_OK) return pvgi_pattern_list_finish(out, builder);
    drop(builder);
    return status;
}

/* --- from edges ----------------------------------------------------------------- */

static int32_t read_edges(pvgi_small *graph, int64_t order, const int64_t *sources,
                          const int64_t *targets, int64_t count, const char *label) {
    memset(graph, 0, sizeof *graph);
    if (order < 1) return pvgi_fail(PVG_E_ARGUMENT, "%s: no vertices", label);
    if (order > PVG_PATTERN_ORDER_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: more than %d vertices", label,
                         PVG_PATTERN_ORDER_MAX);
    graph->order = (int32_t)order;
    for (int64_t i = 0; i < count; i++) {
        const int64_t u = sources[i], v = targets[i];
        if (u < 0 || u >= order || v < 0 || v >= order)
            return pvgi_fail(PVG_E_ARGUMENT, "%s: edge %lld names no vertex", label,
                             (long long)i);
        if (u == v)
            return pvgi_fail(PVG_E_ARGUMENT, "%s: edge %lld is a loop", label,
                             (long long)i);
        if (graph->adjacency[u] >> v & 1)
            return pvgi_fail(PVG_E_ARGUMENT, "%s: edge %lld is repeated", label,
                             (long long)i);
        pvgi_pattern_join(graph, (int32_t)u, (int32_t)v);
    }
    return PVG_OK;
}

int32_t pvgi_pattern_list_parse_edges(pvg_patterns **out, const int64_t *orders,
                                      const int64_t *sizes, int64_t count,
                                      const int64_t *sources, const int64_t *targets) {
    pvgi_pattern_builder builder = {0};
    int32_t status = PVG_OK;
    for (int64_t i = 0, edge = 0; i < count && status == PVG_OK; i++) {
        pvgi_small graph;
        char label[LABEL_BYTES];
        snprintf(label, sizeof label, "pattern %lld", (long long)i);
        if (sizes[i] < 0) {
            status = pvgi_fail(PVG_E_ARGUMENT, "%s: negative number of edges", label);
            break;
        }
        status = read_edges(&graph, orders[i], sizes[i] ? sources + edge : NULL,
                            sizes[i] ? targets + edge : NULL, sizes[i], label);
        if (status == PVG_OK) status = add_graph(&builder, &graph, label);
        edge += sizes[i];
    }
    return pvgi_pattern_list_close(out, &builder, status);
}

/* --- from text ------------------------------------------------------------------ */

int32_t pvgi_pattern_list_parse_graph6(pvg_patterns **out, const char *text,
                                       size_t bytes) {
    static const char header[] = ">>graph6<<";
    pvgi_pattern_builder builder = {0};
    int32_t status = PVG_OK;
    size_t at = 0;
    if (bytes >= sizeof header - 1 && memcmp(text, header, sizeof header - 1) == 0)
        at = sizeof header - 1;
    for (long long line = 1; at < bytes && status == PVG_OK; line++) {
        const char *end = memchr(text + at, '\n', bytes - at);
        const size_t next = end ? (size_t)(end - text) + 1 : bytes;
        size_t length = next - at - (end ? 1 : 0);
        if (length > 0 && text[at + length - 1] == '\r') length--;
        if (length > 0) {
            pvgi_small graph;
            char label[LABEL_BYTES];
            snprintf(label, sizeof label, "graph6 line %lld", line);
            status = pvgi_pattern_from_graph6(&graph, text + at, length, label);
            if (status == PVG_OK) status = add_graph(&builder, &graph, label);
        }
        at = next;
    }
    return pvgi_pattern_list_close(out, &builder, status);
}

int32_t pvgi_pattern_list_parse_names(pvg_patterns **out, const char *names) {
    pvgi_pattern_builder builder = {0};
    int32_t status = PVG_OK;
    /* an empty text is an empty list; otherwise every item must be a name */
    bool more = names[strspn(names, " \t\r\n")] != 0;
    while (more && status == PVG_OK) {
        names += strspn(names, " \t\r\n");
        const size_t item = strcspn(names, ",");
        size_t length = item;
        while (length > 0 && strchr(" \t\r\n", names[length - 1])) length--;
        pvgi_small graph;
        char label[LABEL_BYTES];
        snprintf(label, sizeof label, "pattern '%.*s'", length > 32 ? 32 : (int)length,
                 names);
        status = pvgi_pattern_from_name(&graph, names, length);
        if (status == PVG_OK) status = add_graph(&builder, &graph, label);
        more = names[item] == ',';
        names += item + 1;
    }
    return pvgi_pattern_list_close(out, &builder, status);
}

/* --- from other lists ----------------------------------------------------------- */

int32_t pvgi_pattern_list_append(pvgi_pattern_builder *builder, const pvg_patterns *from,
                                 const int64_t *indices, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        PVGI_TRY(
            pvgi_pattern_list_add(builder, &from->pattern[indices ? indices[i] : i]));
    return PVG_OK;
}

typedef struct {
    const pvgi_pattern *pattern;
    int64_t index;
} ranked;

/* Isomorphic patterns become neighbours, the first of the list first. */
static int by_canonical(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->pattern->hash != y->pattern->hash)
        return x->pattern->hash < y->pattern->hash ? -1 : 1;
    const int order =
        memcmp(&x->pattern->canonical, &y->pattern->canonical, sizeof(pvgi_small));
    if (order != 0) return order;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* first[i] = index of the first pattern isomorphic to pattern i. */
static int32_t find_first(int64_t *first, const pvg_patterns *patterns) {
    ranked *rank = pvgi_alloc((size_t)patterns->count, sizeof *rank);
    if (!rank) return pvgi_fail_nomem();
    for (int64_t i = 0; i < patterns->count; i++)
        rank[i] = (ranked){&patterns->pattern[i], i};
    qsort(rank, (size_t)patterns->count, sizeof *rank, by_canonical);
    for (int64_t i = 0; i < patterns->count; i++) {
        const bool same = i > 0 && pvgi_pattern_equal(&rank[i - 1].pattern->canonical,
                                                      &rank[i].pattern->canonical);
        first[rank[i].index] = same ? first[rank[i - 1].index] : rank[i].index;
    }
    pvgi_free(rank);
    return PVG_OK;
}

int32_t pvgi_pattern_list_merge_equal(pvg_patterns **out, int64_t *group,
                                      const pvg_patterns *patterns) {
    pvgi_pattern_builder builder = {0};
    int64_t *place = pvgi_alloc((size_t)patterns->count, sizeof *place);
    if (!place) return pvgi_fail_nomem();
    int32_t status = find_first(place, patterns);
    for (int64_t i = 0; i < patterns->count && status == PVG_OK; i++) {
        if (place[i] == i) {
            status = pvgi_pattern_list_add(&builder, &patterns->pattern[i]);
            place[i] = builder.count - 1;
        } else {
            place[i] = place[place[i]]; /* the first one's place is known by now */
            /* Pattern 0 is its own first, so one was added before this line is reached.
             * NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
            builder.pattern[place[i]].multiplicity += patterns->pattern[i].multiplicity;
        }
    }
    status = pvgi_pattern_list_close(out, &builder, status);
    if (status == PVG_OK && group)
        memcpy(group, place, (size_t)patterns->count * sizeof *place);
    pvgi_free(place);
    return status;
}
