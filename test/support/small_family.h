/* All graphs of an order, their largest degrees and the densities of nine patterns in
 * them, also truncated at each degree: define ORDER_MAX (6 at most) and GRAPHS_MAX, then
 * include. */
#ifndef PVGT_SMALL_FAMILY_H
#define PVGT_SMALL_FAMILY_H

#include "support.h"

enum { COUNT = 9 };
/* edge, path3, triangle, cycle4, star4, path4, clique4, two edges, an edge beside a
 * triangle: connected or not, trees and cycles. */
static const char graph6[] = "A_\nBo\nBw\nCl\nCs\nCh\nC~\nCK\nD`K\n";

typedef struct {
    int64_t order;
    int pairs, graphs;
    int degree[GRAPHS_MAX];                      /* the largest */
    double exact[ORDER_MAX][GRAPHS_MAX * COUNT]; /* densities; [D]: truncated at D */
} family;

static pvg_patterns *patterns;

static pvg_graph *graph_of(int64_t order, uint32_t code) {
    int64_t from[15], to[15], count = 0;
    pvg_graph *graph = NULL;
    int bit = 0;
    for (int64_t v = 1; v < order; v++)
        for (int64_t u = 0; u < v; u++, bit++)
            if (code >> bit & 1) from[count] = u, to[count++] = v;
    PVGT_OK(pvg_graph_from_edges(&graph, order, from, to, count, 0, NULL));
    return graph;
}

static void make_family(family *f, int64_t order) {
    pvg_density *density = NULL;
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    f->order = order;
    f->pairs = (int)(order * (order - 1) / 2);
    f->graphs = 1 << f->pairs;
    for (int bound = 0; bound < order; bound++) {
        pvg_graphset_builder *builder = NULL;
        pvg_graphset *set = NULL;
        PVGT_OK(pvg_graphset_builder_new(&builder, 0));
        for (int g = 0; g < f->graphs; g++) {
            pvg_graph *graph = graph_of(order, (uint32_t)g), *cut = NULL;
            if (bound == 0) {
                f->degree[g] = 0;
                for (int64_t v = 0; v < order; v++) {
                    const int64_t d = pvg_graph_degree(graph, v);
                    if (d > f->degree[g]) f->degree[g] = (int)d;
                }
            } else {
                PVGT_OK(pvg_graph_truncate_degree(&cut, graph, bound, NULL));
            }
            PVGT_OK(pvg_graphset_builder_add(builder, cut ? cut : graph, -1, NULL, NULL));
            pvg_graph_free(graph);
            pvg_graph_free(cut);
        }
        PVGT_OK(pvg_graphset_builder_finish(&set, builder));
        PVGT_OK(pvg_density_evaluate_exact(f->exact[bound], density, set, NULL));
        pvg_graphset_free(set);
        pvg_graphset_builder_free(builder);
    }
    pvg_density_free(density);
}

#endif
