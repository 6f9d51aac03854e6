/* Cliques by ordered intersection, all sizes of a plan in one pass.
 *
 * Every edge is directed from the node of smaller degree to that of larger, ties by
 * number, so that no node has more than sqrt(2 edges) arcs out; a clique is then found
 * once, along its order, by intersecting lists of arcs out; hom(K_k) is k! times the sum
 * over cliques of the product of the weights (nodes merged into one are not joined, so a
 * clique takes at most one of them). O(edges^(k/2)) at worst.
 * Included by elim/kernel.h, which says what VALUE, MULTIPLY and ADD are. */

typedef struct {
    join *now;
    const int32_t *start, *column; /* arcs out, ascending */
    int32_t *room;                 /* candidates, `width` per depth */
    int32_t width, largest;
    bool *bad;
    int32_t status; /* of the last report */
    double done;    /* nodes that are finished */
} clique_search;

/* sum[k] = sum over cliques of k - found candidates of the product of their weights, for
 * found < k <= largest: what a clique of `found` nodes grows to. Sums are nested, so that
 * a term passes through at most n additions per node of the clique. */
static void extend_clique(clique_search *search, VALUE *sum, int32_t found,
                          const int32_t *candidate, int32_t candidates) {
    join *now = search->now;
    const int32_t *weight = now->scratch->reduced.weight;
    for (int32_t k = found + 1; k <= search->largest; k++) sum[k] = 0;
    for (int32_t i = 0; i < candidates; i++)
        sum[found + 1] = ADD(now, sum[found + 1], (VALUE)weight[candidate[i]]);
    note_overflow(now, search->bad, found + 1, search->largest);
    if (found + 1 == search->largest || candidates < 2) return;
    int32_t *next = search->room + (size_t)found * (size_t)search->width;
    VALUE below[PVGI_ELIM_LEVELS + 1];
    for (int32_t i = 0; i < candidates; i++) {
        const int32_t x = candidate[i];
        if (found == 1 && i % 16 == 0)
            search->status = report(now, search->done / now->order);
        if (search->status != PVG_OK) return;
        const int32_t common = pvgi_density_elim_intersect(
            next, INT32_MAX, candidate, candidate + candidates,
            search->column + search->start[x], search->column + search->start[x + 1]);
        if (common == 0) continue;
        extend_clique(search, below, found + 1, next, common);
        for (int32_t k = found + 2; k <= search->largest && below[k] != 0; k++) {
            sum[k] = ADD(now, sum[k], MULTIPLY(now, below[k], (VALUE)weight[x]));
            note_overflow(now, search->bad, k, k);
        }
    }
}

/* count[k] = hom(K_k, host) for 3 <= k <= largest. */
static int32_t count_cliques(join *now, VALUE *count, bool *bad, int32_t largest) {
    const pvgi_elim_reduced *host = &now->scratch->reduced;
    pvgi_elim_scratch *scratch = now->scratch;
    const size_t nodes = (size_t)host->order + 1;
    for (int32_t k = 0; k <= largest; k++) count[k] = 0, bad[k] = false;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row, nodes * 4));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->touched,
                                    ((size_t)host->arcs / 2 + 1) * 4));
    int32_t *start = scratch->row.data, *column = scratch->touched.data;
    int32_t arcs = 0, width = 0;
    for (int32_t u = 0; u < host->order; u++) {
        const int32_t degree = host->start[u + 1] - host->start[u];
        start[u] = arcs;
        for (int32_t i = host->start[u]; i < host->start[u + 1]; i++) {
            const int32_t v = host->column[i],
                          other = host->start[v + 1] - host->start[v];
            if (other > degree || (other == degree && v > u)) column[arcs++] = v;
        }
        if (arcs - start[u] > width) width = arcs - start[u];
    }
    start[host->order] = arcs;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->slot,
                                    (size_t)largest * (size_t)width * 4 + 4));
    clique_search search = {now, start,  column, scratch->slot.data, width, largest,
                            bad, PVG_OK, 0};
    VALUE below[PVGI_ELIM_LEVELS + 1];
    for (int32_t u = 0; u < host->order; u++) {
        search.done = u;
        extend_clique(&search, below, 1, column + start[u], start[u + 1] - start[u]);
        PVGI_TRY(search.status);
        for (int32_t k = 2; k <= largest; k++) {
            const VALUE more = MULTIPLY(now, below[k], (VALUE)host->weight[u]);
            count[k] = ADD(now, count[k], more);
            note_overflow(now, bad, k, k);
        }
    }
    VALUE factorial = 1;
    for (int32_t k = 1; k <= largest; k++) {
        factorial = factorial * (VALUE)k;
        count[k] = MULTIPLY(now, count[k], factorial);
        note_overflow(now, bad, k, k);
    }
    return PVG_OK;
}
