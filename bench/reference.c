/* The reference counter of the benches; see reference.h. */
#include "entries.h" /* sets may come from a bench that looks inside */

#include "bench.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A graph as rows; columns count from base. */
typedef struct {
    int64_t order, base;
    const int64_t *offsets;
    const int32_t *columns;
} rows;

typedef struct {
    int32_t order, edges;
    const int32_t *sources, *targets, *elimination;
    bool joined[PVG_PATTERN_ORDER_MAX][PVG_PATTERN_ORDER_MAX];
} pattern;

static void *need(size_t count, size_t bytes) {
    void *block = calloc(count ? count : 1, bytes);
    if (block) return block;
    fprintf(stderr, "bench: out of memory\n");
    exit(1);
}

static pattern get_pattern(const pvg_patterns *patterns, int64_t index) {
    pattern p = {.order = (int32_t)pvg_patterns_order(patterns, index),
                 .edges = (int32_t)pvg_patterns_size(patterns, index)};
    bench_ok(pvg_patterns_view_edges(&p.sources, &p.targets, patterns, index));
    bench_ok(pvg_patterns_view_elimination(&p.elimination, patterns, index));
    for (int32_t e = 0; e < p.edges; e++)
        p.joined[p.sources[e]][p.targets[e]] = p.joined[p.targets[e]][p.sources[e]] =
            true;
    return p;
}

/* --- forests -------------------------------------------------------------------- */

/* x[v] = maps of the subtree of `vertex` that send it to v; one sparse product per edge.
 */
static void tree_vector(double *x, const pattern *p, int32_t vertex, int32_t parent,
                        bool *seen, const rows *g) {
    double *below = need((size_t)g->order, sizeof *below);
    const int64_t *offsets = g->offsets + g->base;
    seen[vertex] = true;
    for (int64_t v = 0; v < g->order; v++) x[v] = 1.0;
    for (int32_t child = 0; child < p->order; child++) {
        if (child == parent || !p->joined[vertex][child]) continue;
        tree_vector(below, p, child, vertex, seen, g);
        for (int64_t v = 0; v < g->order; v++) {
            double sum = 0.0;
            for (int64_t k = offsets[v]; k < offsets[v + 1]; k++)
                sum += below[g->columns[k] - g->base];
            x[v] *= sum;
        }
    }
    free(below);
}

static double count_forest(const pattern *p, const rows *g) {
    bool seen[PVG_PATTERN_ORDER_MAX] = {false};
    double *x = need((size_t)g->order, sizeof *x), product = 1.0;
    for (int32_t root = 0; root < p->order; root++) {
        if (seen[root]) continue;
        double sum = 0.0;
        tree_vector(x, p, root, -1, seen, g);
        for (int64_t v = 0; v < g->order; v++) sum += x[v];
        product *= sum;
    }
    free(x);
    return product;
}

/* --- other patterns --------------------------------------------------------------- */

enum { SCOPE_MOST = PVG_PATTERN_WIDTH_MAX + 1, FACTORS_MOST = 2 * PVG_PATTERN_ORDER_MAX };

/* A table over the images of `arity` pattern vertices, the last running fastest. */
typedef struct {
    int32_t arity, scope[SCOPE_MOST];
    double *value;
} factor;

static size_t index_of(const factor *f, const int64_t *image, int64_t n) {
    size_t at = 0;
    for (int32_t i = 0; i < f->arity; i++)
        at = at * (size_t)n + (size_t)image[f->scope[i]];
    return at;
}

/* The table over the neighbours of `vertex` in the factors that have it, summed over its
 * image, and with its edges to vertices not yet eliminated. */
static factor eliminate(factor *all, int32_t *count, const pattern *p, int32_t vertex,
                        const bool *gone, const double *matrix, int64_t n) {
    factor used[FACTORS_MOST], made = {0};
    bool in_scope[PVG_PATTERN_ORDER_MAX] = {false};
    int32_t uses = 0, kept = 0;
    for (int32_t i = 0; i < *count; i++) {
        bool has = false;
        for (int32_t j = 0; j < all[i].arity; j++) has = has || all[i].scope[j] == vertex;
        for (int32_t j = 0; has && j < all[i].arity; j++)
            in_scope[all[i].scope[j]] = true;
        if (has)
            used[uses++] = all[i];
        else
            all[kept++] = all[i];
    }
    *count = kept;
    for (int32_t u = 0; u < p->order; u++)
        if (u != vertex && !gone[u] && (in_scope[u] || p->joined[vertex][u]))
            made.scope[made.arity++] = u;
    size_t cells = 1;
    for (int32_t i = 0; i < made.arity; i++) cells *= (size_t)n;
    made.value = need(cells, sizeof *made.value);
    int64_t image[PVG_PATTERN_ORDER_MAX] = {0};
    for (size_t cell = 0; cell < cells; cell++) {
        size_t rest = cell;
        for (int32_t i = made.arity - 1; i >= 0; i--, rest /= (size_t)n)
            image[made.scope[i]] = (int64_t)(rest % (size_t)n);
        double sum = 0.0;
        for (image[vertex] = 0; image[vertex] < n; image[vertex]++) {
            double product = 1.0;
            for (int32_t i = 0; i < made.arity && product != 0.0; i++)
                if (p->joined[vertex][made.scope[i]])
                    product *= matrix[image[vertex] * n + image[made.scope[i]]];
            for (int32_t i = 0; i < uses && product != 0.0; i++)
                product *= used[i].value[index_of(&used[i], image, n)];
            sum += product;
        }
        made.value[cell] = sum;
    }
    for (int32_t i = 0; i < uses; i++) free(used[i].value);
    return made;
}

static double count_general(const pattern *p, const rows *g) {
    const int64_t n = g->order;
    factor all[FACTORS_MOST];
    bool gone[PVG_PATTERN_ORDER_MAX] = {false};
    int32_t count = 0;
    double product = 1.0, *matrix = need((size_t)(n * n), sizeof *matrix);
    for (int64_t v = 0; v < n; v++)
        for (int64_t k = g->offsets[g->base + v]; k < g->offsets[g->base + v + 1]; k++)
            matrix[v * n + g->columns[k] - g->base] = 1.0;
    for (int32_t i = 0; i < p->order; i++) {
        const int32_t vertex = p->elimination[i];
        const factor made = eliminate(all, &count, p, vertex, gone, matrix, n);
        gone[vertex] = true;
        if (made.arity == 0) {
            product *= made.value[0];
            free(made.value);
        } else {
            all[count++] = made;
        }
    }
    free(matrix);
    return product;
}

/* --- densities ------------------------------------------------------------------ */

static void one_row(double *out, const pvg_patterns *patterns, const rows *g) {
    for (int64_t i = 0; i < pvg_patterns_count(patterns); i++) {
        const pattern p = get_pattern(patterns, i);
        out[i] = pvg_patterns_kinds(patterns, i) & PVG_KIND_FOREST ? count_forest(&p, g)
                                                                   : count_general(&p, g);
        for (int32_t k = 0; k < p.order; k++) out[i] /= (double)g->order;
    }
}

void reference_densities(double *out, const pvg_patterns *patterns,
                         const pvg_graphset *set, int64_t first, int64_t last) {
    const int64_t *starts, *offsets;
    const int32_t *columns;
    bench_ok(pvg_graphset_view_csr(&starts, &offsets, &columns, set));
    for (int64_t i = first; i < last; i++) {
        const rows g = {starts[i + 1] - starts[i], starts[i], offsets, columns};
        one_row(out + (i - first) * pvg_patterns_count(patterns), patterns, &g);
    }
}

void reference_forests(double *out, const pvg_patterns *patterns,
                       const pvg_graph *graph) {
    rows g = {.order = pvg_graph_order(graph)};
    bench_ok(pvg_graph_view_csr(&g.offsets, &g.columns, graph));
    one_row(out, patterns, &g);
}
