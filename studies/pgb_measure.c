/* What PGB (arXiv 2408.02928) asks of a graph: its fifteen queries, exactly, in seconds.
 *
 * usage: pgb_measure < GRAPHS > NUMBERS
 *
 * A graph is a line `order edges` and one line `u v` per edge, nodes 0 .. order - 1. For
 * each, one line of numbers (nodes with edges do not matter: isolated nodes are nodes),
 * then `degrees`, `distances`, `top` and `community` lines, each with its count:
 *   numbers: nodes edges triangles mean_degree variance diameter mean_path
 *            global_clustering mean_clustering modularity assortativity
 *   degrees: nodes of degree 0, 1, ...
 *   distances: ordered pairs at distance 0, 1, ... (0: every node with itself)
 *   top: the largest 1 percent of eigenvector centrality, falling
 *   community: of each node, by Louvain's method
 * All pairs by breadth-first search from 64 nodes at a time, one bit each. No library of
 * ours is used, so that this is an oracle for what the library counts. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t order, edges;
    int64_t *offsets;
    int32_t *columns;
} graph;

static void *room(size_t count, size_t size) {
    void *block = calloc(count > 0 ? count : 1, size);
    if (!block) {
        fputs("pgb_measure: no memory\n", stderr);
        exit(1);
    }
    return block;
}

static int by_number(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int falling(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static int read_graph(graph *g) {
    if (scanf("%" SCNd64 " %" SCNd64, &g->order, &g->edges) != 2) return 0;
    int32_t *ends = room((size_t)g->edges * 2, sizeof *ends);
    g->offsets = room((size_t)g->order + 2, sizeof *g->offsets);
    g->columns = room((size_t)g->edges * 2, sizeof *g->columns);
    for (int64_t i = 0; i < 2 * g->edges; i++) {
        if (scanf("%" SCNd32, &ends[i]) != 1 || ends[i] < 0 || ends[i] >= g->order) {
            fputs("pgb_measure: not a graph\n", stderr);
            exit(1);
        }
        g->offsets[ends[i] + 2]++;
    }
    for (int64_t v = 0; v < g->order; v++) g->offsets[v + 2] += g->offsets[v + 1];
    for (int64_t i = 0; i < 2 * g->edges; i++)
        g->columns[g->offsets[ends[i] + 1]++] = ends[i ^ 1];
    for (int64_t v = 0; v < g->order; v++)
        qsort(g->columns + g->offsets[v], (size_t)(g->offsets[v + 1] - g->offsets[v]),
              sizeof *g->columns, by_number);
    free(ends);
    return 1;
}

static int64_t degree(const graph *g, int64_t v) {
    return g->offsets[v + 1] - g->offsets[v];
}

/* Triangles at each node, from the marks of its neighbours. */
static int64_t count_triangles(int64_t *at, const graph *g) {
    uint8_t *mark = room((size_t)g->order, 1);
    int64_t all = 0;
    for (int64_t v = 0; v < g->order; v++) {
        int64_t found = 0;
        for (int64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
            mark[g->columns[i]] = 1;
        for (int64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
            for (int64_t k = g->offsets[g->columns[i]]; k < g->offsets[g->columns[i] + 1];
                 k++)
                found += mark[g->columns[k]];
        for (int64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
            mark[g->columns[i]] = 0;
        at[v] = found / 2;
        all += at[v];
    }
    free(mark);
    return all / 3;
}

/* --- distances -------------------------------------------------------------------- */

/* counts: order entries, of ordered pairs. The largest distance. */
static int64_t count_distances(int64_t *counts, const graph *g) {
    const size_t n = (size_t)g->order;
    uint64_t *seen = room(n, 8), *now = room(n, 8), *next = room(n, 8);
    int64_t most = 0;
    for (int64_t first = 0; first < g->order; first += 64) {
        memset(seen, 0, n * 8);
        memset(now, 0, n * 8);
        for (int64_t s = first; s < first + 64 && s < g->order; s++)
            seen[s] = now[s] = UINT64_C(1) << (s - first);
        for (int64_t d = 0;; d++) {
            int64_t found = 0;
            for (int64_t v = 0; v < g->order; v++) found += __builtin_popcountll(now[v]);
            if (found == 0) break;
            counts[d] += found;
            if (d > most) most = d;
            memset(next, 0, n * 8);
            for (int64_t v = 0; v < g->order; v++)
                if (now[v])
                    for (int64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
                        next[g->columns[i]] |= now[v];
            for (int64_t v = 0; v < g->order; v++) {
                now[v] = next[v] & ~seen[v];
                seen[v] |= now[v];
            }
        }
    }
    free(seen);
    free(now);
    free(next);
    return most;
}

/* --- communities ------------------------------------------------------------------ */

static uint64_t state = 1;
static uint64_t draw(void) { /* xorshift: the order of nodes, no privacy in it */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* A weighted graph of communities; loops count twice. */
typedef struct {
    int64_t order;
    int64_t *offsets;
    int32_t *columns;
    double *weights, *strength;
} net;

static double modularity_of(const net *w, const int32_t *community, double all) {
    double *total = room((size_t)w->order, sizeof *total), inside = 0.0, sum = 0.0;
    for (int64_t v = 0; v < w->order; v++) {
        total[community[v]] += w->strength[v];
        for (int64_t i = w->offsets[v]; i < w->offsets[v + 1]; i++)
            if (community[w->columns[i]] == community[v]) inside += w->weights[i];
    }
    for (int64_t v = 0; v < w->order; v++) sum += total[v] * total[v];
    free(total);
    return all > 0.0 ? inside / all - sum / (all * all) : 0.0;
}

/* Moves nodes until nothing is gained; whether any moved. */
static int move_nodes(int32_t *community, const net *w, double all) {
    const size_t n = (size_t)w->order;
    double *total = room(n, sizeof *total), *near = room(n, sizeof *near);
    int32_t *touched = room(n, sizeof *touched), *order = room(n, sizeof *order);
    int moved = 0;
    for (int64_t v = 0; v < w->order; v++) {
        community[v] = order[v] = (int32_t)v;
        total[v] = w->strength[v];
    }
    for (int64_t v = w->order - 1; v > 0; v--) {
        const int64_t k = (int64_t)(draw() % (uint64_t)(v + 1));
        const int32_t x = order[v];
        order[v] = order[k];
        order[k] = x;
    }
    for (int pass = 0, changed = 1; changed && pass < 100; pass++) {
        changed = 0;
        for (int64_t p = 0; p < w->order; p++) {
            const int32_t v = order[p], own = community[v];
            int64_t many = 0;
            for (int64_t i = w->offsets[v]; i < w->offsets[v + 1]; i++) {
                if (w->columns[i] == v) continue;
                const int32_t c = community[w->columns[i]];
                if (near[c] == 0.0) touched[many++] = c;
                near[c] += w->weights[i];
            }
            total[own] -= w->strength[v];
            int32_t best = own;
            double most = near[own] - total[own] * w->strength[v] / all;
            for (int64_t i = 0; i < many; i++) {
                const int32_t c = touched[i];
                const double gain = near[c] - total[c] * w->strength[v] / all;
                if (gain > most + 1e-9) {
                    most = gain;
                    best = c;
                }
            }
            for (int64_t i = 0; i < many; i++) near[touched[i]] = 0.0;
            total[best] += w->strength[v];
            if (best != own) {
                community[v] = best;
                changed = moved = 1;
            }
        }
    }
    free(total);
    free(near);
    free(touched);
    free(order);
    return moved;
}

/* Communities become nodes. label: what each is from now on. */
static net contract(int32_t *label, const net *w) {
    const size_t n = (size_t)w->order;
    int32_t *number = room(n, sizeof *number), *list = room(n, sizeof *list);
    int64_t *starts = room(n + 2, sizeof *starts);
    net out = {0};
    for (size_t v = 0; v < n; v++) number[v] = -1;
    for (size_t v = 0; v < n; v++) {
        if (number[label[v]] < 0) number[label[v]] = (int32_t)out.order++;
        label[v] = number[label[v]];
        starts[label[v] + 2]++;
    }
    for (int64_t c = 0; c < out.order; c++) starts[c + 2] += starts[c + 1];
    for (size_t v = 0; v < n; v++) list[starts[label[v] + 1]++] = (int32_t)v;
    const size_t arcs = (size_t)w->offsets[n], m = (size_t)out.order;
    double *near = room(m, sizeof *near);
    out.offsets = room(m + 1, sizeof *out.offsets);
    out.strength = room(m, sizeof *out.strength);
    out.columns = room(arcs, sizeof *out.columns);
    out.weights = room(arcs, sizeof *out.weights);
    for (int64_t c = 0, many = 0; c < out.order; c++) {
        const int64_t first = many;
        for (int64_t k = starts[c]; k < starts[c + 1]; k++) {
            const int32_t v = list[k];
            out.strength[c] += w->strength[v];
            for (int64_t i = w->offsets[v]; i < w->offsets[v + 1]; i++) {
                const int32_t d = label[w->columns[i]];
                if (near[d] == 0.0) out.columns[many++] = d;
                near[d] += w->weights[i];
            }
        }
        for (int64_t i = first; i < many; i++) {
            out.weights[i] = near[out.columns[i]];
            near[out.columns[i]] = 0.0;
        }
        out.offsets[c + 1] = many;
    }
    free(number);
    free(list);
    free(starts);
    free(near);
    return out;
}

static void drop(net *w) {
    free(w->offsets);
    free(w->columns);
    free(w->weights);
    free(w->strength);
}

static double find_communities(int32_t *community, const graph *g) {
    const size_t n = (size_t)g->order, arcs = (size_t)g->offsets[n];
    net w = {.order = g->order,
             .offsets = room(n + 1, sizeof *w.offsets),
             .columns = room(arcs, sizeof *w.columns),
             .weights = room(arcs, sizeof *w.weights),
             .strength = room(n, sizeof *w.strength)};
    double all = (double)arcs, found = 0.0;
    memcpy(w.offsets, g->offsets, (n + 1) * sizeof *w.offsets);
    memcpy(w.columns, g->columns, arcs * sizeof *w.columns);
    for (size_t i = 0; i < arcs; i++) w.weights[i] = 1.0;
    for (size_t v = 0; v < n; v++) {
        w.strength[v] = (double)degree(g, (int64_t)v);
        community[v] = (int32_t)v;
    }
    state = 88172645463325252u;
    for (int level = 0; level < 50 && all > 0.0; level++) {
        int32_t *label = room((size_t)w.order, sizeof *label);
        const int moved = move_nodes(label, &w, all);
        found = modularity_of(&w, label, all);
        net next = contract(label, &w);
        for (size_t v = 0; v < n; v++) community[v] = label[community[v]];
        drop(&w);
        w = next;
        free(label);
        if (!moved) break;
    }
    drop(&w);
    return found;
}

/* --- one graph -------------------------------------------------------------------- */

static void centrality(double *x, const graph *g) {
    const size_t n = (size_t)g->order;
    double *y = room(n, sizeof *y);
    for (size_t v = 0; v < n; v++) x[v] = 1.0 / sqrt((double)n);
    for (int step = 0; step < 2000; step++) {
        double norm = 0.0, change = 0.0;
        for (size_t v = 0; v < n; v++) {
            y[v] = x[v]; /* A + I: no oscillation on bipartite graphs */
            for (int64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
                y[v] += x[g->columns[i]];
            norm += y[v] * y[v];
        }
        for (size_t v = 0; v < n; v++) {
            y[v] /= sqrt(norm);
            change += fabs(y[v] - x[v]);
            x[v] = y[v];
        }
        if (change < 1e-8 * (double)n) break;
    }
    free(y);
}

static double assortativity(const graph *g) {
    double sum = 0.0, squares = 0.0, products = 0.0;
    const double arcs = (double)g->offsets[g->order];
    for (int64_t v = 0; v < g->order; v++) {
        const double d = (double)degree(g, v);
        sum += d * d;
        squares += d * d * d;
        for (int64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
            products += d * (double)degree(g, g->columns[i]);
    }
    const double mean = sum / arcs, variance = squares / arcs - mean * mean;
    return variance > 0.0 ? (products / arcs - mean * mean) / variance : 0.0;
}

static void list_counts(const char *name, const int64_t *counts, int64_t many) {
    printf("%s %" PRId64, name, many);
    for (int64_t i = 0; i < many; i++) printf(" %" PRId64, counts[i]);
    putchar('\n');
}

static void measure(const graph *g) {
    const size_t n = (size_t)g->order;
    int64_t *at = room(n, sizeof *at), *distances = room(n + 1, sizeof *distances);
    int64_t *degrees = room(n + 1, sizeof *degrees), largest = 0, pairs = 0;
    int32_t *community = room(n, sizeof *community);
    double *central = room(n, sizeof *central), local = 0.0, wedges = 0.0, squares = 0.0;
    double steps = 0.0;
    const int64_t triangles = count_triangles(at, g);
    for (int64_t v = 0; v < g->order; v++) {
        const double d = (double)degree(g, v);
        degrees[degree(g, v)]++;
        if (degree(g, v) > largest) largest = degree(g, v);
        wedges += d * (d - 1.0) / 2.0;
        squares += d * d;
        if (d > 1.0) local += (double)at[v] / (d * (d - 1.0) / 2.0);
    }
    const double mean = 2.0 * (double)g->edges / (double)n;
    const int64_t diameter = count_distances(distances, g);
    for (int64_t d = 1; d <= diameter; d++) {
        pairs += distances[d];
        steps += (double)d * (double)distances[d];
    }
    const double modularity = find_communities(community, g);
    centrality(central, g);
    qsort(central, n, sizeof *central, falling);
    printf("numbers %" PRId64 " %" PRId64 " %" PRId64 " %.17g %.17g %" PRId64
           " %.17g %.17g %.17g %.17g %.17g\n",
           g->order, g->edges, triangles, mean, squares / (double)n - mean * mean,
           diameter, pairs > 0 ? steps / (double)pairs : 0.0,
           wedges > 0.0 ? 3.0 * (double)triangles / wedges : 0.0, local / (double)n,
           modularity, assortativity(g));
    list_counts("degrees", degrees, largest + 1);
    list_counts("distances", distances, diameter + 1);
    const int64_t top = g->order / 100 > 0 ? g->order / 100 : 1;
    printf("top %" PRId64, top);
    for (int64_t i = 0; i < top; i++) printf(" %.9g", central[i]);
    printf("\ncommunity %" PRId64, g->order);
    for (size_t v = 0; v < n; v++) printf(" %" PRId32, community[v]);
    putchar('\n');
    free(at);
    free(distances);
    free(degrees);
    free(community);
    free(central);
}

int main(void) {
    graph g;
    while (read_graph(&g)) {
        measure(&g);
        fflush(stdout);
        free(g.offsets);
        free(g.columns);
    }
    return 0;
}
