/* pattern: treewidth, canonical form and class membership against brute force. The
 * oracles below work on plain 0/1 matrices and share nothing with the library. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "pattern/pattern_internal.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { N = PVGI_PATTERN_ORDER };

/* --- making graphs -------------------------------------------------------------- */

/* Graph number `code` of order n: bit i of the code is the i-th pair. */
static pvgi_small numbered(int32_t n, uint64_t code) {
    pvgi_small graph = {.order = n};
    for (int32_t v = 1; v < n; v++)
        for (int32_t u = 0; u < v; u++, code >>= 1)
            if (code & 1) pvgi_pattern_join(&graph, u, v);
    return graph;
}

static void shuffle(int32_t *order, int32_t n, uint64_t *state) {
    for (int32_t i = 0; i < n; i++) order[i] = i;
    for (int32_t i = n - 1; i > 0; i--) {
        const int32_t j = (int32_t)pvgt_below(state, i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static pvgi_small renamed(const pvgi_small *graph, const int32_t *name) {
    pvgi_small out = {.order = graph->order};
    for (int32_t u = 0; u < graph->order; u++)
        for (int32_t v = 0; v < u; v++)
            if (graph->adjacency[u] >> v & 1) pvgi_pattern_join(&out, name[u], name[v]);
    return out;
}

/* A random partial k-tree, each edge kept with probability keep in 16. */
static pvgi_small partial_ktree(int32_t n, int32_t k, int64_t keep, uint64_t *state) {
    pvgi_small full = {.order = n}, out = {.order = n};
    int32_t cliques[64][8], count = 1;
    if (k > n - 1) k = n - 1;
    for (int32_t i = 0; i < k; i++) cliques[0][i] = i;
    for (int32_t u = 0; u < k; u++)
        for (int32_t v = 0; v < u; v++) pvgi_pattern_join(&full, u, v);
    for (int32_t v = k; v < n; v++) {
        const int32_t base = (int32_t)pvgt_below(state, count);
        for (int32_t i = 0; i < k; i++) pvgi_pattern_join(&full, v, cliques[base][i]);
        if (count == 64 || k == 0) continue;
        memcpy(cliques[count], cliques[base], sizeof cliques[0]);
        cliques[count++][pvgt_below(state, k)] = v;
    }
    for (int32_t u = 0; u < n; u++)
        for (int32_t v = 0; v < u; v++)
            if ((full.adjacency[u] >> v & 1) && pvgt_below(state, 16) < keep)
                pvgi_pattern_join(&out, u, v);
    return out;
}

static const char *shown(const pvgi_small *graph) {
    static char text[4][PVGI_GRAPH6_BYTES];
    static int turn;
    turn = (turn + 1) % 4;
    pvgi_pattern_to_graph6(text[turn], graph);
    return text[turn];
}

/* --- treewidth ------------------------------------------------------------------ */

/* Smallest width over all elimination orders: dynamic programme over sets, whole table.
 */
static int32_t width_oracle(const pvgi_small *graph) {
    const int32_t n = graph->order;
    int8_t *best = calloc((size_t)1 << n, 1);
    TEST_ASSERT_NOT_NULL(best);
    for (uint32_t set = 1; set < (uint32_t)1 << n; set++) {
        best[set] = 127;
        for (int32_t v = 0; v < n; v++) {
            if (!(set >> v & 1)) continue;
            /* v is the last of set to go: what it meets outside, through the others */
            const uint32_t before = set & ~((uint32_t)1 << v);
            uint32_t seen = (uint32_t)1 << v, grown = 0;
            while (seen != grown) {
                grown = seen;
                for (int32_t u = 0; u < n; u++)
                    if ((grown >> u & 1) && (u == v || (before >> u & 1)))
                        seen |= graph->adjacency[u];
            }
            const int8_t met = (int8_t)__builtin_popcount(seen & ~set);
            const int8_t here = best[before] > met ? best[before] : met;
            if (here < best[set]) best[set] = here;
        }
    }
    const int32_t width = best[((uint32_t)1 << n) - 1];
    free(best);
    return width;
}

static void check_width(const pvgi_small *graph, int32_t expected) {
    int32_t width = -1, elimination[N];
    const int32_t status = pvgi_pattern_width(&width, elimination, graph, "test");
    PVGT_CHECK(status == PVG_OK && width == expected, "%s: status %d width %d, not %d",
               shown(graph), status, width, expected);
    PVGT_CHECK(pvgi_pattern_order_width(graph, elimination) == expected, "%s",
               shown(graph));
}

static void width_of_all_graphs_up_to_6(void) {
    for (int32_t n = 1; n <= 6; n++)
        for (uint64_t code = 0; code < (uint64_t)1 << (n * (n - 1) / 2); code++) {
            const pvgi_small graph = numbered(n, code);
            check_width(&graph, width_oracle(&graph));
        }
}

static void width_of_random_graphs(void) {
    uint64_t state = 11;
    for (int32_t round = 0; round < 200; round++) {
        const int32_t n = 7 + (int32_t)pvgt_below(&state, 5);
        const int32_t k = 1 + (int32_t)pvgt_below(&state, 6);
        const pvgi_small graph = partial_ktree(n, k, 8 + pvgt_below(&state, 9), &state);
        check_width(&graph, width_oracle(&graph));
    }
}

/* Any density, so that the search is needed; too wide ones must be refused. */
static void width_of_random_cores(void) {
    uint64_t state = 13;
    int32_t refused = 0, searched = 0;
    for (int32_t round = 0; round < 200; round++) {
        const int32_t n = 8 + (int32_t)pvgt_below(&state, 4);
        const int64_t density = 3 + pvgt_below(&state, 13); /* in 16 */
        pvgi_small graph = {.order = n};
        for (int32_t u = 0; u < n; u++)
            for (int32_t v = 0; v < u; v++)
                if (pvgt_below(&state, 16) < density) pvgi_pattern_join(&graph, u, v);
        const int32_t expected = width_oracle(&graph);
        if (expected <= PVG_PATTERN_WIDTH_MAX) {
            check_width(&graph, expected);
            searched += expected > 2;
            continue;
        }
        int32_t width = 99, elimination[N] = {0};
        PVGT_FAILS(PVG_E_LIMIT, "test: treewidth above the limit of 6",
                   pvgi_pattern_width(&width, elimination, &graph, "test"));
        TEST_ASSERT_EQUAL_INT32(99, width);
        refused++;
    }
    TEST_ASSERT_GREATER_THAN(5, refused);
    TEST_ASSERT_GREATER_THAN(80, searched);
}

/* Full k-trees have width k exactly, whatever their size. */
static void width_of_ktrees(void) {
    uint64_t state = 12;
    for (int32_t k = 1; k <= 6; k++)
        for (int32_t n = k + 1; n <= (k <= 2 ? 32 : 20); n++) {
            const pvgi_small graph = partial_ktree(n, k, 16, &state);
            check_width(&graph, k);
        }
}

/* --- canonical form ------------------------------------------------------------- */

/* Smallest code over all renamings: equal exactly for isomorphic graphs. */
static uint64_t smallest_code(const pvgi_small *graph) {
    const int32_t n = graph->order;
    int32_t name[8], used = 0, level = 0;
    uint64_t best = UINT64_MAX;
    for (int32_t i = 0; i < 8; i++) name[i] = -1;
    while (level >= 0) {
        if (level == n) {
            uint64_t code = 0;
            for (int32_t v = 1, bit = 0; v < n; v++)
                for (int32_t u = 0; u < v; u++, bit++)
                    code |= (uint64_t)(graph->adjacency[name[v]] >> name[u] & 1) << bit;
            if (code < best) best = code;
            level--;
            continue;
        }
        if (name[level] >= 0) used &= ~(1 << name[level]);
        do name[level]++;
        while (name[level] < n && (used >> name[level] & 1));
        if (name[level] == n) {
            name[level--] = -1;
        } else {
            used |= 1 << name[level];
            level++;
        }
    }
    return best;
}

static void check_relabellings(const pvgi_small *graph, int32_t rounds, uint64_t *state) {
    pvgi_small form, other;
    pvgi_pattern_canonical(&form, graph);
    for (int32_t round = 0; round < rounds; round++) {
        int32_t name[N];
        shuffle(name, graph->order, state);
        const pvgi_small moved = renamed(graph, name);
        pvgi_pattern_canonical(&other, &moved);
        PVGT_CHECK(pvgi_pattern_equal(&form, &other), "%s and %s", shown(graph),
                   shown(&moved));
    }
}

/* 7 vertices: pairs of graphs, against the oracle; relabellings of larger ones. */
static void canonical_of_random_graphs(void) {
    uint64_t state = 21;
    for (int32_t round = 0; round < 300; round++) {
        pvgi_small a = numbered(7, pvgt_random(&state) & ((1u << 21) - 1)), b = a, fa, fb;
        const int32_t u = (int32_t)pvgt_below(&state, 7), v = (u + 1) % 7,
                      w = (u + 2 + (int32_t)pvgt_below(&state, 5)) % 7;
        b.adjacency[u] ^= pvgi_mask_of(v); /* near misses */
        b.adjacency[v] ^= pvgi_mask_of(u);
        b.adjacency[u] ^= pvgi_mask_of(w);
        b.adjacency[w] ^= pvgi_mask_of(u);
        pvgi_pattern_canonical(&fa, &a);
        pvgi_pattern_canonical(&fb, &b);
        PVGT_CHECK(pvgi_pattern_equal(&fa, &fb) ==
                       (smallest_code(&a) == smallest_code(&b)),
                   "%s and %s", shown(&a), shown(&b));
    }
    for (int32_t round = 0; round < 400; round++) {
        const int32_t n = 8 + (int32_t)pvgt_below(&state, 25);
        const int32_t k = (int32_t)pvgt_below(&state, n > 20 ? 3 : 7);
        const pvgi_small graph = partial_ktree(n, k, 6 + pvgt_below(&state, 11), &state);
        check_relabellings(&graph, 10, &state);
    }
}

/* Graphs with many symmetries: without pruning these would never end. */
static void canonical_of_symmetric_graphs(void) {
    uint64_t state = 31;
    pvgi_small graph;
    /* prisms, 3-regular rings of cells, petal graphs, cubes, bicliques, unions of cycles
     */
    for (int32_t half = 3; half <= 10; half++) {
        graph = (pvgi_small){.order = 2 * half};
        for (int32_t i = 0; i < half; i++) {
            pvgi_pattern_join(&graph, i, (i + 1) % half);
            pvgi_pattern_join(&graph, half + i, half + (i + 1) % half);
            pvgi_pattern_join(&graph, i, half + i);
        }
        check_relabellings(&graph, 20, &state);
        graph = (pvgi_small){.order = 2 * half + 1}; /* triangles at one vertex */
        for (int32_t i = 0; i < half; i++) {
            pvgi_pattern_join(&graph, 0, 2 * i + 1);
            pvgi_pattern_join(&graph, 0, 2 * i + 2);
            pvgi_pattern_join(&graph, 2 * i + 1, 2 * i + 2);
        }
        check_relabellings(&graph, 20, &state);
    }
    for (int32_t dimension = 2; dimension <= 4; dimension++) {
        graph = (pvgi_small){.order = 1 << dimension};
        for (int32_t v = 0; v < graph.order; v++)
            for (int32_t i = 0; i < dimension; i++)
                pvgi_pattern_join(&graph, v, v ^ (1 << i));
        check_relabellings(&graph, 20, &state);
    }
    for (int32_t side = 1; side <= 6; side++) {
        graph = (pvgi_small){.order = 32};
        for (int32_t u = 0; u < side; u++)
            for (int32_t v = side; v < 32; v++) pvgi_pattern_join(&graph, u, v);
        check_relabellings(&graph, 5, &state);
    }
    graph = (pvgi_small){.order = 30}; /* ten triangles */
    for (int32_t v = 0; v < 30; v++)
        pvgi_pattern_join(&graph, v, v - v % 3 + (v + 1) % 3);
    check_relabellings(&graph, 20, &state);
}

/* Regular graphs, where refinement says nothing at first: circulants, random ones, and
 * the two strongly regular graphs on 16 vertices that look alike to 2-WL. */
static void canonical_of_regular_graphs(void) {
    uint64_t state = 41;
    pvgi_small graph, rook = {.order = 16}, shrikhande = {.order = 16};
    for (int32_t n = 6; n <= 20; n++)
        for (uint32_t jumps = 1; jumps < 1u << (n / 2); jumps += n < 12 ? 1 : 7) {
            graph = (pvgi_small){.order = n};
            for (int32_t v = 0; v < n; v++)
                for (int32_t jump = 1; jump <= n / 2; jump++)
                    if (jumps >> (jump - 1) & 1)
                        pvgi_pattern_join(&graph, v, (v + jump) % n);
            check_relabellings(&graph, 3, &state);
        }
    for (int32_t round = 0; round < 300; round++) {
        const int32_t n = 8 + 2 * (int32_t)pvgt_below(&state, 7);
        const int32_t degree = 3 + (int32_t)pvgt_below(&state, 2);
        graph = (pvgi_small){.order = n};
        for (int32_t tries = 0; tries < 2000; tries++) {
            const int32_t u = (int32_t)pvgt_below(&state, n);
            const int32_t v = (u + 1 + (int32_t)pvgt_below(&state, n - 1)) % n;
            if (pvgi_mask_count(graph.adjacency[u]) < degree &&
                pvgi_mask_count(graph.adjacency[v]) < degree)
                pvgi_pattern_join(&graph, u, v);
        }
        check_relabellings(&graph, 10, &state);
    }
    for (int32_t u = 0; u < 16; u++)
        for (int32_t v = 0; v < u; v++) {
            const int32_t row = (u / 4 - v / 4 + 4) % 4, column = (u % 4 - v % 4 + 4) % 4;
            if (row == 0 || column == 0) pvgi_pattern_join(&rook, u, v);
            if ((row == 0 && column % 2 == 1) || (column == 0 && row % 2 == 1) ||
                (row == column && row % 2 == 1))
                pvgi_pattern_join(&shrikhande, u, v);
        }
    check_relabellings(&rook, 30, &state);
    check_relabellings(&shrikhande, 30, &state);
    pvgi_small a, b;
    pvgi_pattern_canonical(&a, &rook);
    pvgi_pattern_canonical(&b, &shrikhande);
    TEST_ASSERT_EQUAL_INT32(48, pvgi_pattern_size(&shrikhande));
    TEST_ASSERT_FALSE(pvgi_pattern_equal(&a, &b));
}

/* Complements of unions of cycles: connected, regular, and singling out one vertex says
 * nothing about the other cycles, so that the search must go down more than one
 * inequivalent branch. */
static void canonical_of_complements(void) {
    static const int32_t cycles[][7] = {
        {3, 3, 3, 6}, {6, 3, 3, 3},    {3, 3, 6, 6}, {4, 4, 4, 8},       {3, 3, 6, 8},
        {5, 5, 3, 3}, {3, 3, 4, 4, 5}, {4, 5, 4, 5}, {3, 3, 3, 3, 4, 4}, {3, 4, 5, 6},
    };
    uint64_t state = 51;
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++) {
        pvgi_small graph = {0};
        for (int32_t j = 0; cycles[i][j]; j++) {
            for (int32_t v = 0; v < cycles[i][j]; v++)
                pvgi_pattern_join(&graph, graph.order + v,
                                  graph.order + (v + 1) % cycles[i][j]);
            graph.order += cycles[i][j];
        }
        for (int32_t v = 0; v < graph.order; v++)
            graph.adjacency[v] ^= pvgi_mask_first(graph.order) & ~pvgi_mask_of(v);
        check_relabellings(&graph, 200, &state);
    }
}

/* Two famous pairs that colour refinement cannot tell apart. */
static void canonical_tells_look_alikes_apart(void) {
    pvg_patterns *list = NULL;
    int64_t orders[] = {6, 6}, sizes[] = {6, 6};
    int64_t sources[] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5};
    int64_t targets[] = {1, 2, 3, 4, 5, 0, 1, 2, 0, 4, 5, 3};
    PVGT_OK(pvg_patterns_from_edges(&list, orders, sizes, 2, sources, targets));
    TEST_ASSERT_EQUAL_INT32(0, pvg_patterns_isomorphic(list, 0, list, 1));
    TEST_ASSERT_TRUE(pvg_patterns_hash(list, 0) != pvg_patterns_hash(list, 1));
    pvg_patterns_free(list);
    /* decalin and bicyclopentyl: ten atoms each */
    int64_t orders2[] = {10, 10}, sizes2[] = {11, 11};
    int64_t sources2[] = {0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9,
                          0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0};
    int64_t targets2[] = {1, 2, 3, 4, 5, 0, 6, 7, 8, 9, 0,
                          1, 2, 3, 4, 0, 6, 7, 8, 9, 5, 5};
    PVGT_OK(pvg_patterns_from_edges(&list, orders2, sizes2, 2, sources2, targets2));
    TEST_ASSERT_EQUAL_INT32(0, pvg_patterns_isomorphic(list, 0, list, 1));
    pvg_patterns_free(list);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(width_of_all_graphs_up_to_6);
    RUN_TEST(width_of_random_graphs);
    RUN_TEST(width_of_random_cores);
    RUN_TEST(width_of_ktrees);
    RUN_TEST(canonical_of_random_graphs);
    RUN_TEST(canonical_of_symmetric_graphs);
    RUN_TEST(canonical_of_regular_graphs);
    RUN_TEST(canonical_of_complements);
    RUN_TEST(canonical_tells_look_alikes_apart);
    return pvgt_end(UNITY_END());
}
