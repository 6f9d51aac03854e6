/* The first-edge bound: how many homomorphisms F -> G can use one given edge uv of a
 * graph with degrees at most D.
 *
 * Order the edges of F; attribute a homomorphism to the first edge e_j that it maps on uv
 * (2 ways round). Place the other vertices one by one, each next to a placed one: at most
 *   D - (q-1)  choices if its placed neighbours contain a q-clique (their images are q
 * distinct mutually adjacent nodes, and the common neighbours lie in N(w_1) less q-1 of
 * them) D - 1      choices if it is joined to an end of e_j by an earlier edge (which
 * avoids uv) so hom_uv <= 2 sum_j prod_x (D - offset_j(x)). Every edge order and
 * placement is valid; several are tried and the smallest sum taken. Offsets do not depend
 * on D: the sum grows with D. Cost O(e m) clique searches per order. */
#include "sensitivity_internal.h"

#include <string.h>

typedef struct {
    int32_t u, v;
} edge;

/* Largest clique inside a vertex mask; small because widths are at most 6. */
static int32_t clique_in(const pvgi_small *graph, uint32_t within) {
    int32_t best = 0;
    while (within) {
        const int32_t v = pvgi_mask_lowest(within);
        within &= within - 1; /* cliques with v as their lowest vertex */
        const int32_t size = 1 + clique_in(graph, within & graph->adjacency[v]);
        if (size > best) best = size;
        if (best > pvgi_mask_count(within)) break;
    }
    return best;
}

/* Places all vertices outside `placed`, largest offset first; early[a] is the mask of
 * vertices joined to end a by an earlier edge. */
static void place(pvgi_bound_product *out, const pvgi_small *graph, uint32_t placed,
                  uint32_t early) {
    memset(out, 0, sizeof *out);
    const uint32_t all = pvgi_mask_first(graph->order);
    while (placed != all) {
        int32_t best = -1, best_offset = -1, best_clique = -1;
        for (int32_t x = 0; x < graph->order; x++) {
            const uint32_t neighbours = graph->adjacency[x] & placed;
            if ((placed & pvgi_mask_of(x)) || !neighbours) continue;
            const int32_t clique = clique_in(graph, neighbours);
            int32_t offset = clique - 1;
            if ((early & pvgi_mask_of(x)) && offset < 1) offset = 1;
            if (offset > best_offset || (offset == best_offset && clique > best_clique))
                best = x, best_offset = offset, best_clique = clique;
        }
        if (best < 0) return; /* joined to none placed: anywhere, a factor of 1 */
        placed |= pvgi_mask_of(best);
        out->power[best_offset < PVGI_OFFSETS ? best_offset : PVGI_OFFSETS - 1]++;
    }
}

/* Edges in the order in which a search from root meets them. */
static int32_t search_order(edge *out, const pvgi_small *graph, int32_t root,
                            bool depth_first) {
    int32_t queue[PVGI_PATTERN_ORDER], count = 0, head = 0, tail = 0;
    uint32_t seen = pvgi_mask_of(root), done = 0, from[PVGI_PATTERN_ORDER];
    memcpy(from, graph->adjacency, sizeof from);
    queue[tail++] = root;
    while (head < tail) {
        const int32_t v = depth_first ? queue[tail - 1] : queue[head];
        const uint32_t left = from[v] & ~done;
        if (!left) {
            done |= pvgi_mask_of(v);
            if (depth_first)
                tail--;
            else
                head++;
            continue;
        }
        const int32_t w = pvgi_mask_lowest(left);
        from[v] &= ~pvgi_mask_of(w);
        from[w] &= ~pvgi_mask_of(v);
        out[count++] = (edge){v, w};
        if (!(seen & pvgi_mask_of(w))) {
            seen |= pvgi_mask_of(w);
            queue[tail++] = w;
        }
    }
    return count;
}

/* Equal products are counted, in the order of their powers: equal sums are equal bytes.
 */
static void add_term(pvgi_bound_sum *sum, const pvgi_bound_product *product) {
    int32_t i = 0, order = 1;
    while (i < sum->terms &&
           (order = memcmp(&sum->term[i].product, product, sizeof *product)) < 0)
        i++;
    if (i < sum->terms && order == 0) {
        sum->term[i].times++;
        return;
    }
    memmove(sum->term + i + 1, sum->term + i,
            (size_t)(sum->terms - i) * sizeof sum->term[0]);
    sum->term[i] = (pvgi_bound_term){*product, 1};
    sum->terms++;
}

bool pvgi_sensitivity_first_edge(pvgi_bound_sum *out, const pvgi_small *component,
                                 int32_t which) {
    edge edges[PVGI_TERMS];
    if (which >= 4 * component->order) return false;
    const int32_t count = search_order(edges, component, which / 4, which & 1);
    if (which & 2)
        for (int32_t i = 0; i < count / 2; i++) {
            const edge swap = edges[i];
            edges[i] = edges[count - 1 - i];
            edges[count - 1 - i] = swap;
        }
    uint32_t before[PVGI_PATTERN_ORDER] = {0}; /* neighbours by edges already passed */
    out->terms = 0;
    for (int32_t j = 0; j < count; j++) {
        const int32_t u = edges[j].u, v = edges[j].v;
        pvgi_bound_product product;
        place(&product, component, pvgi_mask_of(u) | pvgi_mask_of(v),
              before[u] | before[v]);
        add_term(out, &product);
        before[u] |= pvgi_mask_of(v);
        before[v] |= pvgi_mask_of(u);
    }
    return true;
}

void pvgi_sensitivity_component_range(pvgi_bound_product *out,
                                      const pvgi_small *component) {
    /* the order of placement is greedy from every vertex; the product with the largest
     * offsets in all is kept (any is valid) */
    int32_t best = -1;
    for (int32_t root = 0; root < component->order; root++) {
        pvgi_bound_product product;
        place(&product, component, pvgi_mask_of(root), 0);
        int32_t total = 0;
        for (int32_t c = 0; c < PVGI_OFFSETS; c++) total += c * product.power[c];
        if (total > best) {
            best = total;
            *out = product;
        }
    }
}
