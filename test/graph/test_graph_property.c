/* Random and exhaustive properties of the module graph, against adjacency matrices. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "graph/graph_internal.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { SMALL = 40 };

/* The oracle: a plain matrix. */
typedef struct {
    int order;
    unsigned char joined[SMALL][SMALL];
} matrix;

static bool same(const pvg_graph *graph, const matrix *expected) {
    const int64_t *offsets;
    const int32_t *columns;
    if (pvg_graph_order(graph) != expected->order) return false;
    if (pvg_graph_view_csr(&offsets, &columns, graph) != PVG_OK || offsets[0] != 0)
        return false;
    int64_t place = 0;
    for (int u = 0; u < expected->order; u++) {
        for (int v = 0; v < expected->order; v++) {
            if (pvg_graph_has_edge(graph, u, v) != expected->joined[u][v]) return false;
            if (!expected->joined[u][v]) continue;
            if (place >= offsets[u + 1] || columns[place++] != v) return false;
        }
        if (place != offsets[u + 1]) return false;
    }
    return pvg_graph_size(graph) * 2 == place;
}

static void join(matrix *m, int64_t u, int64_t v) {
    m->joined[u][v] = m->joined[v][u] = 1;
}

static pvg_graph *from_matrix(const matrix *m) {
    int64_t offsets[SMALL + 1] = {0};
    int32_t columns[SMALL * SMALL];
    int64_t used = 0;
    for (int u = 0; u < m->order; u++) {
        for (int v = 0; v < m->order; v++)
            if (m->joined[u][v]) columns[used++] = v;
        offsets[u + 1] = used;
    }
    pvg_graph *graph;
    PVGT_OK(pvg_graph_from_csr(&graph, m->order, offsets, columns, 0, NULL));
    return graph;
}

static matrix random_matrix(uint64_t *state) {
    matrix m = {.order = 1 + (int)pvgt_below(state, SMALL)};
    const int64_t percent = pvgt_below(state, 101);
    for (int u = 0; u < m.order; u++)
        for (int v = 0; v < u; v++)
            if (pvgt_below(state, 100) < percent) join(&m, u, v);
    return m;
}

/* --- making graphs -------------------------------------------------------------- */

typedef struct {
    int64_t order, count;
    int64_t sources[400], targets[400];
} edge_list;

/* What the header says about a list, by quadratic search. */
static int64_t first_refused(const edge_list *list, uint32_t policy) {
    for (int64_t i = 0; i < list->count; i++)
        if (list->sources[i] == list->targets[i] && !(policy & PVG_EDGES_DROP_LOOPS))
            return i;
    for (int64_t i = 0; i < list->count && !(policy & PVG_EDGES_MERGE); i++)
        for (int64_t j = 0; j < i && list->sources[i] != list->targets[i]; j++)
            if ((list->sources[i] == list->sources[j] &&
                 list->targets[i] == list->targets[j]) ||
                (list->sources[i] == list->targets[j] &&
                 list->targets[i] == list->sources[j]))
                return i;
    return -1;
}

static void check_list(const edge_list *list, uint32_t policy, uint64_t seed) {
    const int64_t refused = first_refused(list, policy);
    pvg_graph *graph;
    const int32_t status = pvg_graph_from_edges(&graph, list->order, list->sources,
                                                list->targets, list->count, policy, NULL);
    pvgi_run run;
    int64_t bad = -2;
    pvg_graph *twin = NULL;
    uint64_t *packed = pvgi_alloc((size_t)list->count, sizeof *packed);
    for (int64_t i = 0; i < list->count; i++)
        packed[i] =
            pvgi_edge_pack((uint64_t)list->sources[i], (uint64_t)list->targets[i]);
    PVGT_OK(pvgi_run_begin(&run, NULL));
    const int32_t twin_status = pvgi_graph_from_packed(&twin, &bad, list->order, packed,
                                                       list->count, policy, &run);
    PVGT_CHECK(status == twin_status && bad == refused, "seed=%llu bad=%lld refused=%lld",
               (unsigned long long)seed, (long long)bad, (long long)refused);
    if (refused >= 0) {
        char part[60];
        snprintf(part, sizeof part, "edge %lld ", (long long)refused);
        PVGT_CHECK(status == PVG_E_ARGUMENT && !graph &&
                       strstr(pvg_error_message(), part),
                   "seed=%llu policy=%u '%s' lacks '%s'", (unsigned long long)seed,
                   (unsigned)policy, pvg_error_message(), part);
        return;
    }
    matrix m = {.order = (int)list->order};
    for (int64_t i = 0; i < list->count; i++)
        if (list->sources[i] != list->targets[i])
            join(&m, list->sources[i], list->targets[i]);
    PVGT_CHECK(status == PVG_OK && same(graph, &m) && same(twin, &m),
               "seed=%llu policy=%u", (unsigned long long)seed, (unsigned)policy);
    pvg_graph_free(graph);
    pvg_graph_free(twin);
}

static void edges_make_the_matrix_or_name_the_first_bad_edge(void) {
    int refusals = 0, successes = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        uint64_t state = seed;
        edge_list list = {.order = 1 + pvgt_below(&state, SMALL)};
        list.count = pvgt_below(&state, seed % 3 ? 12 : 400);
        for (int64_t i = 0; i < list.count; i++) {
            list.sources[i] = pvgt_below(&state, list.order);
            list.targets[i] = pvgt_below(&state, list.order);
        }
        for (uint32_t policy = 0; policy < 4; policy++) {
            check_list(&list, policy, seed);
            if (first_refused(&list, policy) < 0)
                successes++;
            else
                refusals++;
        }
    }
    TEST_ASSERT_TRUE(refusals > 1000 && successes > 1000);
}

static void rows_are_sorted_merged_or_refused(void) {
    for (uint64_t seed = 0; seed < 2000; seed++) {
        uint64_t state = seed;
        matrix m = random_matrix(&state);
        int64_t offsets[SMALL + 1] = {0};
        int32_t columns[4 * SMALL * SMALL];
        int64_t used = 0, loops = 0, repeats = 0, missing = 0;
        const bool wild = seed % 2;
        for (int u = 0; u < m.order; u++) {
            for (int v = m.order; v-- > 0;) {
                if (u == v && wild && pvgt_below(&state, 60) == 0) {
                    columns[used++] = u;
                    loops++;
                }
                if (!m.joined[u][v]) continue;
                /* an edge may lose one of its two entries, or have one twice */
                if (wild && u < v && pvgt_below(&state, 400) == 0) {
                    missing++;
                    continue;
                }
                columns[used++] = v;
                if (wild && pvgt_below(&state, 400) == 0) {
                    columns[used++] = v;
                    repeats++;
                }
            }
            for (int64_t i = used; i-- > offsets[u] + 1;) { /* shuffle the row */
                const int64_t j = offsets[u] + pvgt_below(&state, i - offsets[u] + 1);
                const int32_t keep = columns[i];
                columns[i] = columns[j];
                columns[j] = keep;
            }
            offsets[u + 1] = used;
        }
        for (uint32_t policy = 0; policy < 4; policy++) {
            pvg_graph *graph;
            const int32_t status =
                pvg_graph_from_csr(&graph, m.order, offsets, columns, policy, NULL);
            const bool good = (loops == 0 || (policy & PVG_EDGES_DROP_LOOPS)) &&
                              (repeats + missing == 0 || (policy & PVG_EDGES_MERGE));
            PVGT_CHECK((status == PVG_OK) == good, "seed=%llu policy=%u: %s",
                       (unsigned long long)seed, (unsigned)policy, pvg_error_message());
            if (good)
                PVGT_CHECK(same(graph, &m), "seed=%llu", (unsigned long long)seed);
            else
                TEST_ASSERT_NULL(graph);
            pvg_graph_free(graph);
        }
    }
}

/* --- large graphs: threads and layout ------------------------------------------- */

static int compare_words(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* kind 0: uniform; 1: a hub with almost everything; 2: few edges, many nodes; 3: both
 * directions listed; 4: skewed to small numbers. */
static void large_list(int64_t *sources, int64_t *targets, int64_t order, int64_t count,
                       int kind, uint64_t seed) {
    uint64_t state = seed;
    for (int64_t i = 0; i < count; i++) {
        sources[i] = pvgt_below(&state, order);
        targets[i] = pvgt_below(&state, order);
        if (kind == 1 && i % 16) sources[i] = order / 3;
        if (kind == 3 && i % 2) {
            sources[i] = targets[i - 1];
            targets[i] = sources[i - 1];
        }
        if (kind == 4) targets[i] = pvgt_below(&state, 1 + targets[i]);
    }
}

static void large_graphs_equal_sorting_on_any_number_of_threads(void) {
    static const struct {
        int64_t order, count;
        int kind;
    } cases[] = {{30000, 300000, 0}, {30000, 300000, 1}, {1 << 20, 5000, 2},
                 {5000, 400000, 3},  {70000, 200000, 4}, {2, 200000, 0},
                 {257, 140000, 0},   {100000, 0, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const int64_t order = cases[c].order, count = cases[c].count;
        int64_t *sources = malloc((size_t)count * 8 + 8);
        int64_t *targets = malloc((size_t)count * 8 + 8);
        uint64_t *keys = malloc((size_t)count * 16 + 8);
        large_list(sources, targets, order, count, cases[c].kind, 77 + c);
        int64_t used = 0, kept = 0;
        for (int64_t i = 0; i < count; i++) {
            if (sources[i] == targets[i]) continue;
            keys[used++] = (uint64_t)sources[i] << 32 | (uint64_t)targets[i];
            keys[used++] = (uint64_t)targets[i] << 32 | (uint64_t)sources[i];
        }
        qsort(keys, (size_t)used, sizeof *keys, compare_words);
        for (int64_t i = 0; i < used; i++)
            if (i == 0 || keys[i] != keys[i - 1]) keys[kept++] = keys[i];
        for (uint32_t threads = 1; threads <= 5; threads += threads == 2 ? 3 : 1) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            pvg_graph *graph;
            PVGT_OK(pvg_graph_from_edges(&graph, order, sources, targets, count,
                                         PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS, &run));
            PVGT_CHECK(pvg_graph_size(graph) * 2 == kept, "case %zu threads %u", c,
                       (unsigned)threads);
            int64_t place = 0;
            for (int64_t u = 0; u < order; u++) {
                const int32_t *row;
                int64_t degree;
                PVGT_OK(pvg_graph_view_neighbours(&row, &degree, graph, u));
                for (int64_t i = 0; i < degree; i++, place++)
                    PVGT_CHECK(place < kept &&
                                   keys[place] == ((uint64_t)u << 32 | (uint64_t)row[i]),
                               "case %zu threads %u node %lld", c, (unsigned)threads,
                               (long long)u);
            }
            TEST_ASSERT_EQUAL_INT64(kept, place);
            pvg_graph_free(graph);
        }
        free(sources);
        free(targets);
        free(keys);
    }
}

static void first_bad_edge_is_the_same_on_any_number_of_threads(void) {
    enum { COUNT = 600000, ORDER = 2000000 };
    int64_t *sources = malloc(COUNT * sizeof *sources);
    int64_t *targets = malloc(COUNT * sizeof *targets);
    for (int64_t i = 0; i < COUNT; i++) { /* a path: simple */
        sources[i] = i * 3;
        targets[i] = i * 3 + 1;
    }
    const int64_t first = 400001;
    for (int kind = 0; kind < 3; kind++) {
        for (int64_t i = first; i < COUNT; i += 1777) {
            sources[i] = kind == 0 ? targets[i] : kind == 1 ? targets[i / 2] : -1;
            if (kind == 1) targets[i] = sources[i / 2];
        }
        static const char *const parts[] = {"edge 400001 is a self loop",
                                            "edge 400001 repeats", "edge 400001: an end"};
        for (int repeat = 0; repeat < 4; repeat++) {
            const pvg_run run = {.size = sizeof run, .threads = 1 + (uint32_t)repeat};
            pvg_graph *graph;
            PVGT_FAILS(
                PVG_E_ARGUMENT, parts[kind],
                pvg_graph_from_edges(&graph, ORDER, sources, targets, COUNT, 0, &run));
            TEST_ASSERT_NULL(graph);
        }
        for (int64_t i = first; i < COUNT; i += 1777) {
            sources[i] = i * 3;
            targets[i] = i * 3 + 1;
        }
    }
    free(sources);
    free(targets);
}

static void rows_sort_like_qsort(void) {
    for (uint64_t seed = 0; seed < 600; seed++) {
        uint64_t state = seed;
        int32_t row[700], expected[700];
        const int64_t count = pvgt_below(&state, 700);
        const int64_t bound = (int64_t)1 << (1 + seed % 31);
        for (int64_t i = 0; i < count; i++) row[i] = (int32_t)pvgt_below(&state, bound);
        memcpy(expected, row, sizeof row);
        for (int64_t i = 1; i < count; i++)
            for (int64_t j = i; j > 0 && expected[j - 1] > expected[j]; j--) {
                const int32_t keep = expected[j];
                expected[j] = expected[j - 1];
                expected[j - 1] = keep;
            }
        pvgi_graph_row_sort(row, count);
        PVGT_CHECK(memcmp(row, expected, (size_t)count * sizeof *row) == 0, "seed=%llu",
                   (unsigned long long)seed);
    }
}

/* --- operations ----------------------------------------------------------------- */

static void operations_match_matrices(void) {
    for (uint64_t seed = 0; seed < 1000; seed++) {
        uint64_t state = seed;
        const matrix m = random_matrix(&state);
        pvg_graph *graph = from_matrix(&m), *other;
        int64_t names[SMALL];
        for (int i = 0; i < m.order; i++) names[i] = i;
        for (int i = m.order; i-- > 1;) {
            const int64_t j = pvgt_below(&state, i + 1), keep = names[i];
            names[i] = names[j];
            names[j] = keep;
        }
        const pvg_run run = {.size = sizeof run, .threads = 1 + (uint32_t)(seed % 3)};
        matrix renamed = {.order = m.order};
        for (int u = 0; u < m.order; u++)
            for (int v = 0; v < m.order; v++)
                renamed.joined[names[u]][names[v]] = m.joined[u][v];
        PVGT_OK(pvg_graph_relabel(&other, graph, names, &run));
        PVGT_CHECK(same(other, &renamed), "relabel seed=%llu", (unsigned long long)seed);
        pvg_graph_free(other);

        matrix part = {.order = (int)pvgt_below(&state, m.order + 1)};
        for (int u = 0; u < part.order; u++)
            for (int v = 0; v < part.order; v++)
                part.joined[u][v] = m.joined[names[u]][names[v]];
        PVGT_OK(pvg_graph_induce(&other, graph, names, part.order, &run));
        PVGT_CHECK(same(other, &part), "induce seed=%llu", (unsigned long long)seed);
        pvg_graph_free(other);
        pvg_graph_free(graph);
    }
}

/* By the words of the header: ranks, not limits. */
static int rank_in_row(const matrix *m, int node, int neighbour) {
    int rank = 0;
    for (int v = 0; v < m->order; v++)
        rank +=
            m->joined[node][v] && pvgt_priority(node, v) < pvgt_priority(node, neighbour);
    return rank;
}

static matrix truncated(const matrix *m, int64_t bound) {
    matrix result = {.order = m->order};
    for (int u = 0; u < m->order; u++)
        for (int v = 0; v < m->order; v++)
            result.joined[u][v] = m->joined[u][v] && rank_in_row(m, u, v) < bound &&
                                  rank_in_row(m, v, u) < bound;
    return result;
}

static matrix library_truncated(const matrix *m, int64_t bound) {
    matrix result = {.order = m->order};
    pvg_graph *graph = from_matrix(m), *cut;
    PVGT_OK(pvg_graph_truncate_degree(&cut, graph, bound, NULL));
    for (int u = 0; u < m->order; u++)
        for (int v = 0; v < m->order; v++)
            result.joined[u][v] = (unsigned char)pvg_graph_has_edge(cut, u, v);
    TEST_ASSERT_TRUE(pvg_graph_max_degree_exact(cut) <= bound);
    pvg_graph_free(cut);
    pvg_graph_free(graph);
    return result;
}

/* Adds the edge uv and counts what changes; returns the edges that were removed. */
static int check_stability(const matrix *m, int u, int v, int64_t bound,
                           const matrix *before) {
    matrix more = *m;
    int removed = 0, added = 0;
    join(&more, u, v);
    const matrix after = library_truncated(&more, bound);
    for (int a = 0; a < m->order; a++)
        for (int b = 0; b < a; b++) {
            removed += before->joined[a][b] && !after.joined[a][b];
            added += !before->joined[a][b] && after.joined[a][b];
            if (!before->joined[a][b] && after.joined[a][b])
                PVGT_CHECK((a == u && b == v) || (a == v && b == u),
                           "order %d bound %lld: adding %d-%d added %d-%d", m->order,
                           (long long)bound, u, v, a, b);
        }
    PVGT_CHECK(removed <= 1 + added,
               "order %d bound %lld: adding %d-%d removed %d, added %d", m->order,
               (long long)bound, u, v, removed, added);
    return removed;
}

static void truncation_is_edge_stable_on_all_small_graphs(void) {
    int attained = 0;
    for (int order = 1; order <= 5; order++)
        for (uint32_t bits = 0; bits < (uint32_t)1 << (order * (order - 1) / 2); bits++) {
            matrix m = {.order = order};
            int bit = 0;
            for (int u = 0; u < order; u++)
                for (int v = 0; v < u; v++)
                    if (bits >> bit++ & 1) join(&m, u, v);
            for (int64_t bound = 0; bound <= order; bound++) {
                const matrix before = library_truncated(&m, bound);
                const matrix expected = truncated(&m, bound);
                PVGT_CHECK(memcmp(&before, &expected, sizeof before) == 0,
                           "order %d bits %x bound %lld", order, (unsigned)bits,
                           (long long)bound);
                for (int u = 0; u < order; u++)
                    for (int v = 0; v < u; v++)
                        if (!m.joined[u][v])
                            attained += check_stability(&m, u, v, bound, &before) == 2;
            }
        }
    TEST_ASSERT_TRUE(attained > 0); /* two removals do happen: the bound is tight */
}

/* A graph of a set is cut as it would be alone, with any number of threads. */
static void truncation_of_a_set_is_that_of_its_graphs(void) {
    for (uint64_t seed = 0; seed < 40; seed++) {
        uint64_t state = seed;
        pvg_graphset_builder *builder;
        pvg_graphset *set;
        pvg_graph *all, *one, *alone, *part, *again;
        const pvg_run three = {.size = sizeof three, .threads = 3};
        pvgi_run running;
        PVGT_OK(pvg_graphset_builder_new(&builder, 0));
        for (int i = 0; i < 5; i++) {
            const matrix m = random_matrix(&state);
            pvg_graph *graph = from_matrix(&m);
            PVGT_OK(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
            pvg_graph_free(graph);
        }
        PVGT_OK(pvg_graphset_builder_finish(&set, builder));
        pvg_graphset_builder_free(builder);
        const int64_t bound = pvgt_below(&state, 8);
        const pvg_graph whole = {.order = set->order,
                                 .size = set->offsets[set->order] / 2,
                                 .offsets = set->offsets,
                                 .columns = set->columns};
        PVGT_OK(pvgi_run_begin(&running, &three));
        PVGT_OK(
            pvgi_graph_truncate(&all, &whole, set->starts, set->count, bound, &running));
        for (int64_t i = 0; i < set->count; i++) {
            int64_t nodes[64];
            const int64_t start = set->starts[i], order = set->starts[i + 1] - start;
            for (int64_t v = 0; v < order; v++) nodes[v] = start + v;
            PVGT_OK(pvg_graph_induce(&part, all, nodes, order, NULL));
            PVGT_OK(pvg_graphset_get(&one, set, i));
            PVGT_OK(pvg_graph_truncate_degree(&alone, one, bound, NULL));
            PVGT_OK(pvg_graph_truncate_degree(&again, one, bound, &three));
            const size_t rows = (size_t)(order + 1) * sizeof(int64_t);
            PVGT_CHECK(memcmp(part->offsets, alone->offsets, rows) == 0 &&
                           memcmp(again->offsets, alone->offsets, rows) == 0 &&
                           memcmp(part->columns, alone->columns,
                                  2 * (size_t)alone->size * sizeof(int32_t)) == 0,
                       "seed=%llu graph %d", (unsigned long long)seed, (int)i);
            pvg_graph_free(again);
            pvg_graph_free(part);
            pvg_graph_free(one);
            pvg_graph_free(alone);
        }
        pvg_graph_free(all);
        pvg_graphset_free(set);
    }
}

/* The rule prefers nobody: of a regular graph, nodes of low and of high numbers keep the
 * same share of their edges (the smallest numbers would keep 49 % and 2 %), and more in
 * all. */
static void truncation_does_not_prefer_low_numbers(void) {
    pvg_rng *rng;
    pvg_graph *graph, *cut;
    int64_t low = 0, high = 0;
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, 6000, 20.0 / 6000, rng, NULL));
    PVGT_OK(pvg_graph_truncate_degree(&cut, graph, 10, NULL));
    for (int64_t v = 0; v < 2000; v++) {
        low += pvg_graph_degree(cut, v);
        high += pvg_graph_degree(cut, 4000 + v);
    }
    PVGT_CHECK(fabs((double)low / (double)high - 1.0) < 0.05, "%lld and %lld",
               (long long)low, (long long)high);
    PVGT_CHECK(pvg_graph_size(cut) > 24000, "%lld of 60000 edges",
               (long long)pvg_graph_size(cut));
    pvg_graph_free(cut);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

static void truncation_is_edge_stable_on_random_graphs(void) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint64_t state = seed;
        const matrix m = random_matrix(&state);
        const int64_t bound = pvgt_below(&state, m.order + 1);
        const matrix before = library_truncated(&m, bound),
                     expected = truncated(&m, bound);
        PVGT_CHECK(memcmp(&before, &expected, sizeof before) == 0, "seed=%llu",
                   (unsigned long long)seed);
        for (int trial = 0; trial < 20; trial++) {
            const int u = (int)pvgt_below(&state, m.order);
            const int v = (int)pvgt_below(&state, m.order);
            if (u != v && !m.joined[u][v]) check_stability(&m, u, v, bound, &before);
        }
    }
}

/* --- sets ----------------------------------------------------------------------- */

static void sets_give_back_what_was_added(void) {
    for (uint64_t seed = 0; seed < 100; seed++) {
        uint64_t state = seed;
        enum { GRAPHS = 60 };
        static matrix added[GRAPHS];
        const int64_t count = pvgt_below(&state, GRAPHS + 1);
        const int64_t width = pvgt_below(&state, 3);
        const bool labelled = seed % 2;
        pvg_graphset_builder *builder;
        pvg_graphset *set;
        int32_t node_labels[SMALL];
        int64_t order = 0;
        PVGT_OK(pvg_graphset_builder_new(&builder, width));
        for (int64_t i = 0; i < count; i++) {
            added[i] = random_matrix(&state);
            pvg_graph *graph = from_matrix(&added[i]);
            const double targets[2] = {(double)i, -(double)i};
            for (int v = 0; v < added[i].order; v++)
                node_labels[v] = (int32_t)(order + v);
            PVGT_OK(pvg_graphset_builder_add(builder, graph, (int32_t)i % 7 - 1,
                                             i % 5 ? targets : NULL,
                                             labelled ? node_labels : NULL));
            order += added[i].order;
            pvg_graph_free(graph);
        }
        PVGT_OK(pvg_graphset_builder_finish(&set, builder));
        pvg_graphset_builder_free(builder);
        TEST_ASSERT_EQUAL_INT64(count, pvg_graphset_count(set));
        TEST_ASSERT_EQUAL_INT64(order, pvg_graphset_order(set));
        const int32_t *labels, *given;
        const double *targets;
        PVGT_OK(pvg_graphset_view_labels(&labels, &targets, &given, set));
        TEST_ASSERT_TRUE((given != NULL) == (labelled && count > 0));
        for (int64_t i = 0; i < count; i++) {
            pvg_graph *graph;
            PVGT_OK(pvg_graphset_get(&graph, set, i));
            PVGT_CHECK(same(graph, &added[i]), "seed=%llu graph %lld",
                       (unsigned long long)seed, (long long)i);
            pvg_graph_free(graph);
            TEST_ASSERT_EQUAL_INT32(i % 7 - 1, labels[i]);
            for (int64_t j = 0; j < width; j++) {
                const double value = targets[i * width + j];
                TEST_ASSERT_TRUE(i % 5 ? value == (double)(j ? -i : i) : value != value);
            }
        }
        for (int64_t v = 0; given && v < order; v++) TEST_ASSERT_EQUAL_INT32(v, given[v]);

        /* the same set cut out of one block-diagonal graph */
        const int64_t *starts, *offsets;
        const int32_t *columns;
        PVGT_OK(pvg_graphset_view_csr(&starts, &offsets, &columns, set));
        pvg_graph *whole;
        pvg_graphset *again = NULL;
        PVGT_OK(pvg_graph_from_csr(&whole, order, offsets, columns, 0, NULL));
        PVGT_OK(pvgi_graph_set_from_graph(&again, whole, count, starts, labels, targets,
                                          width, given));
        TEST_ASSERT_EQUAL_INT64(count, pvg_graphset_count(again));
        TEST_ASSERT_TRUE(memcmp(set->columns, again->columns,
                                (size_t)offsets[order] * sizeof *columns) == 0);
        TEST_ASSERT_EQUAL_MEMORY(set->starts, again->starts, (size_t)(count + 1) * 8);
        pvg_graphset_free(again);
        pvg_graphset_free(set);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(edges_make_the_matrix_or_name_the_first_bad_edge);
    RUN_TEST(rows_are_sorted_merged_or_refused);
    RUN_TEST(large_graphs_equal_sorting_on_any_number_of_threads);
    RUN_TEST(first_bad_edge_is_the_same_on_any_number_of_threads);
    RUN_TEST(rows_sort_like_qsort);
    RUN_TEST(operations_match_matrices);
    RUN_TEST(truncation_is_edge_stable_on_all_small_graphs);
    RUN_TEST(truncation_is_edge_stable_on_random_graphs);
    RUN_TEST(truncation_of_a_set_is_that_of_its_graphs);
    RUN_TEST(truncation_does_not_prefer_low_numbers);
    RUN_TEST(sets_give_back_what_was_added);
    return pvgt_end(UNITY_END());
}
