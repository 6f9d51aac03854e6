/* Triangles under a cap: what is found lies within the gap below the linear program,
 * which an exact simplex of its own solves; on all graphs of up to five nodes (six with
 * PVG_SOAK) a replaced node moves the program by at most the cap and what is found by at
 * most cap and gap; the binary tree that breaks counting one after the other does not
 * break it. The draw has the law of a cap and its count. */
#include "statistic/statistic_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { MOST = 6, TRIPLES = 20 };

static int largest(void) {
    return getenv("PVG_SOAK") ? 6 : 5;
}

static int bit_of(int n, int u, int v) {
    return u * (2 * n - u - 1) / 2 + v - u - 1;
}

static pvg_graph *graph_of(int n, uint32_t mask) {
    int64_t from[MOST * MOST], to[MOST * MOST], count = 0;
    pvg_graph *graph = NULL;
    for (int u = 0; u < n; u++)
        for (int v = u + 1; v < n; v++)
            if (mask >> bit_of(n, u, v) & 1) from[count] = u, to[count++] = v;
    PVGT_OK(pvg_graph_from_edges(&graph, n, from, to, count, PVG_EDGES_STRICT, NULL));
    return graph;
}

static uint32_t pairs_of(int n, int node) {
    uint32_t mask = 0;
    for (int u = 0; u < n; u++)
        if (u != node) mask |= 1u << bit_of(n, u < node ? u : node, u < node ? node : u);
    return mask;
}

/* --- an exact simplex --------------------------------------------------------------- */

typedef struct {
    int64_t up, down; /* down > 0 */
} fraction;

static int64_t gcd(int64_t a, int64_t b) {
    while (b) {
        const int64_t r = a % b;
        a = b, b = r;
    }
    return a < 0 ? -a : a;
}

static fraction made(__int128 up, __int128 down) {
    __int128 a = up < 0 ? -up : up, b = down;
    while (b) {
        const __int128 r = a % b;
        a = b, b = r;
    }
    if (a == 0) a = 1;
    up /= a, down /= a;
    TEST_ASSERT_TRUE(down > 0 && down < INT64_MAX && up < INT64_MAX && up > -INT64_MAX);
    return (fraction){(int64_t)up, (int64_t)down};
}

/* a - b c */
static fraction less(fraction a, fraction b, fraction c) {
    const int64_t p = gcd(b.up, c.down), q = gcd(c.up, b.down);
    const fraction m = {(b.up / (p ? p : 1)) * (c.up / (q ? q : 1)),
                        (b.down / (q ? q : 1)) * (c.down / (p ? p : 1))};
    return made((__int128)a.up * m.down - (__int128)m.up * a.down,
                (__int128)a.down * m.down);
}

/* The program of all triangles of a graph: rows are nodes (cap) and triangles (1), all
 * starting from slacks; Bland's rule. */
static fraction program(int n, uint32_t mask, int64_t cap) {
    fraction table[MOST + TRIPLES + 1][TRIPLES + MOST + TRIPLES + 1];
    int base[MOST + TRIPLES], triangles = 0, corner[TRIPLES][3];
    for (int u = 0; u < n; u++)
        for (int v = u + 1; v < n; v++)
            for (int w = v + 1; w < n; w++)
                if (mask >> bit_of(n, u, v) & mask >> bit_of(n, u, w) &
                    mask >> bit_of(n, v, w) & 1) {
                    corner[triangles][0] = u, corner[triangles][1] = v;
                    corner[triangles++][2] = w;
                }
    const int rows = n + triangles, columns = triangles + rows;
    for (int r = 0; r <= rows; r++)
        for (int c = 0; c <= columns; c++) table[r][c] = (fraction){0, 1};
    for (int t = 0; t < triangles; t++) {
        for (int i = 0; i < 3; i++) table[corner[t][i]][t].up = 1;
        table[n + t][t].up = 1;
        table[rows][t].up = -1;
    }
    for (int r = 0; r < rows; r++) {
        table[r][triangles + r].up = 1;
        table[r][columns].up = r < n ? cap : 1;
        base[r] = triangles + r;
    }
    for (;;) {
        int enter = 0, leave = -1;
        while (enter < columns && table[rows][enter].up >= 0) enter++;
        if (enter == columns) return table[rows][columns];
        for (int r = 0; r < rows; r++) {
            if (table[r][enter].up <= 0) continue;
            if (leave < 0) {
                leave = r;
                continue;
            }
            const fraction a = table[r][columns], b = table[r][enter],
                           x = table[leave][columns], y = table[leave][enter];
            const __int128 mine = (__int128)a.up * b.down * x.down * y.up,
                           best = (__int128)x.up * y.down * a.down * b.up;
            if (mine < best || (mine == best && base[r] < base[leave])) leave = r;
        }
        const fraction pivot = table[leave][enter];
        for (int c = 0; c <= columns; c++)
            table[leave][c] = made((__int128)table[leave][c].up * pivot.down,
                                   (__int128)table[leave][c].down * pivot.up);
        for (int r = 0; r <= rows; r++) {
            if (r == leave || table[r][enter].up == 0) continue;
            const fraction factor = table[r][enter];
            for (int c = 0; c <= columns; c++)
                if (table[leave][c].up != 0)
                    table[r][c] = less(table[r][c], factor, table[leave][c]);
        }
        base[leave] = enter;
    }
}

/* --- all small graphs --------------------------------------------------------------- */

static int64_t packed(const pvg_graph *graph, int64_t cap, int64_t gap) {
    int64_t out = -1;
    void *block = malloc(pvgi_statistic_packed_bytes(pvg_graph_order(graph)));
    pvgi_run run;
    PVGT_OK(pvgi_run_begin(&run, NULL));
    PVGT_OK(pvgi_statistic_triangles_packed(&out, graph, &cap, &gap, 1, block, &run));
    free(block);
    return out;
}

/* One of each class of graphs that differ by the order of their nodes, by the least mask:
 * the program is the same for all of them. */
static uint32_t least_of(int n, uint32_t mask) {
    int order[MOST];
    uint32_t best = UINT32_MAX;
    for (int i = 0; i < n; i++) order[i] = i;
    for (;;) {
        uint32_t other = 0;
        for (int u = 0; u < n; u++)
            for (int v = u + 1; v < n; v++)
                if (mask >> bit_of(n, u, v) & 1) {
                    const int a = order[u], b = order[v];
                    other |= 1u << bit_of(n, a < b ? a : b, a < b ? b : a);
                }
        if (other < best) best = other;
        int i = n - 2;
        while (i >= 0 && order[i] > order[i + 1]) i--;
        if (i < 0) return best;
        int j = n - 1;
        while (order[j] < order[i]) j--;
        int t = order[i];
        order[i] = order[j], order[j] = t;
        for (int a = i + 1, b = n - 1; a < b; a++, b--)
            t = order[a], order[a] = order[b], order[b] = t;
    }
}

static fraction exact[1 << (MOST * (MOST - 1) / 2)];
static int64_t found[1 << (MOST * (MOST - 1) / 2)];

static void a_node_moves_it_by_cap_and_gap(void) {
    static uint32_t least[1 << (MOST * (MOST - 1) / 2)];
    for (int n = 3; n <= largest(); n++) {
        const uint32_t graphs = 1u << (n * (n - 1) / 2);
        for (uint32_t mask = 0; mask < graphs; mask++) least[mask] = least_of(n, mask);
        for (int64_t cap = 1; cap < (n - 1) * (n - 2) / 2; cap++) {
            const int64_t gap = 2;
            double most = 0.0;
            int64_t far = 0;
            for (uint32_t mask = 0; mask < graphs; mask++) {
                pvg_graph *graph = graph_of(n, mask);
                exact[mask] =
                    least[mask] == mask ? program(n, mask, cap) : exact[least[mask]];
                found[mask] = packed(graph, cap, gap);
                const double f = (double)exact[mask].up / (double)exact[mask].down;
                PVGT_CHECK((double)found[mask] <= f + 1e-12 &&
                               (double)found[mask] >= f - (double)gap - 1e-12,
                           "n=%d graph %x cap %d: %d, program %g", n, mask, (int)cap,
                           (int)found[mask], f);
                pvg_graph_free(graph);
            }
            for (int node = 0; node < n; node++) {
                const uint32_t own = pairs_of(n, node);
                for (uint32_t rest = 0; rest < graphs; rest++) {
                    if (rest & own) continue;
                    double low = INFINITY, high = 0.0;
                    int64_t least_found = INT64_MAX, most_found = 0;
                    for (uint32_t part = own;; part = (part - 1) & own) {
                        const fraction f = exact[rest | part];
                        low = fmin(low, (double)f.up / (double)f.down);
                        high = fmax(high, (double)f.up / (double)f.down);
                        const int64_t v = found[rest | part];
                        least_found = v < least_found ? v : least_found;
                        most_found = v > most_found ? v : most_found;
                        if (part == 0) break;
                    }
                    most = fmax(most, high - low);
                    if (most_found - least_found > far) far = most_found - least_found;
                }
            }
            PVGT_CHECK(most <= (double)cap + 1e-12 && most > (double)cap - 1e-12,
                       "n=%d cap %d: the program moved by %g", n, (int)cap, most);
            PVGT_CHECK(far <= cap + gap, "n=%d cap %d: moved by %d", n, (int)cap,
                       (int)far);
        }
    }
}

/* --- a chain that turns over -------------------------------------------------------- */

/* A tree of triangles, each node of one the root of a triangle with two new nodes:
 * parents first, as whoever numbers the nodes might have it. Kept one after the other
 * with one triangle at each node, levels 0, 2, 4, ... are kept; without node 0, which has
 * a triangle of its own at the top, levels 1, 3, 5, .... */
enum { LEVELS = 11, TREE = (1 << (LEVELS + 1)) - 1 };

static pvg_graph *tree_of(bool top) {
    static int64_t from[3 * TREE], to[3 * TREE];
    int64_t count = 0;
    pvg_graph *graph = NULL;
    for (int64_t v = 0; 2 * v + 2 < TREE; v++) {
        if (v == 0 && !top) continue;
        from[count] = v, to[count++] = 2 * v + 1;
        from[count] = v, to[count++] = 2 * v + 2;
        from[count] = 2 * v + 1, to[count++] = 2 * v + 2;
    }
    PVGT_OK(pvg_graph_from_edges(&graph, TREE, from, to, count, PVG_EDGES_STRICT, NULL));
    return graph;
}

static void a_tree_does_not_turn_over(void) {
    static int taken[TREE];
    int64_t kept[2], given[2];
    for (int top = 0; top < 2; top++) {
        memset(taken, 0, sizeof taken);
        kept[top] = 0;
        for (int64_t v = top ? 0 : 1; 2 * v + 2 < TREE; v++)
            if (!taken[v] && !taken[2 * v + 1] && !taken[2 * v + 2]) {
                taken[v] = taken[2 * v + 1] = taken[2 * v + 2] = 1;
                kept[top]++;
            }
        pvg_graph *graph = tree_of(top);
        given[top] = packed(graph, 1, 2);
        pvg_graph_free(graph);
    }
    /* one node, (n + 1) / 6 triangles */
    PVGT_CHECK(llabs(kept[1] - kept[0]) > 600, "%d and %d", (int)kept[0], (int)kept[1]);
    PVGT_CHECK(llabs(given[1] - given[0]) <= 3, "%d and %d", (int)given[0],
               (int)given[1]);
    PVGT_CHECK(given[1] > 1000, "%d", (int)given[1]); /* 2/3 of a node each */
}

/* Many small graphs side by side: the program is the sum of theirs, and what is a little
 * wrong in each adds up. */
static void side_by_side(void) {
    enum { COPIES = 60 };
    static int64_t from[COPIES * 15], to[COPIES * 15];
    uint64_t seed = 17;
    for (int64_t cap = 1; cap <= 9; cap++)
        for (int dense = 1; dense < 4; dense++) {
            int64_t count = 0;
            double f = 0.0;
            pvg_graph *graph = NULL;
            for (int c = 0; c < COPIES; c++) {
                uint32_t mask = 0x7fff;
                for (int i = 0; i < 4 - dense; i++) {
                    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
                    mask &= (uint32_t)(seed >> 33) | (uint32_t)(seed >> 18);
                }
                const fraction own = program(6, mask, cap);
                f += (double)own.up / (double)own.down;
                for (int u = 0; u < 6; u++)
                    for (int v = u + 1; v < 6; v++)
                        if (mask >> bit_of(6, u, v) & 1)
                            from[count] = 6 * c + u, to[count++] = 6 * c + v;
            }
            PVGT_OK(pvg_graph_from_edges(&graph, 6 * COPIES, from, to, count,
                                         PVG_EDGES_STRICT, NULL));
            for (int64_t gap = 2; gap <= 50; gap *= 5) {
                const double v = (double)packed(graph, cap, gap);
                PVGT_CHECK(v <= f + 1e-9 && v >= f - (double)gap - 1e-9,
                           "cap %d gap %d: %g, program %g", (int)cap, (int)gap, v, f);
            }
            pvg_graph_free(graph);
        }
}

/* --- larger graphs ------------------------------------------------------------------ */

/* The gap is public: whatever the graph, what is found for a smaller gap is no more than
 * this gap away; more is found under a larger cap, and all of it under the largest. */
static void larger_graphs(void) {
    enum { NODES = 120 };
    uint64_t seed = 3;
    for (int round = 0; round < 12; round++) {
        static int64_t from[NODES * NODES], to[NODES * NODES];
        int64_t count = 0, triangles, last = 0;
        pvg_graph *graph = NULL;
        const int hub = round % 3 == 0;
        for (int u = 0; u < NODES; u++)
            for (int v = u + 1; v < NODES; v++) {
                seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
                if ((hub && u == 0) || (seed >> 33) % 100 < 4u + 3u * (unsigned)round)
                    from[count] = u, to[count++] = v;
            }
        PVGT_OK(
            pvg_graph_from_edges(&graph, NODES, from, to, count, PVG_EDGES_STRICT, NULL));
        pvgi_run run;
        PVGT_OK(pvgi_run_begin(&run, NULL));
        PVGT_OK(pvgi_statistic_common_exact(NULL, &triangles, graph, &run));
        for (int64_t cap = 2; cap < 8000; cap *= 3) {
            const int64_t wide = packed(graph, cap, 2 + cap / 2),
                          narrow = packed(graph, cap, 2);
            PVGT_CHECK(llabs(wide - narrow) <= 2 + cap / 2 && narrow >= last - 2 &&
                           3 * narrow <= cap * NODES && narrow <= triangles,
                       "round %d cap %d: %d and %d", round, (int)cap, (int)wide,
                       (int)narrow);
            last = narrow;
        }
        TEST_ASSERT_EQUAL_INT64(triangles, last);
        pvg_graph_free(graph);
    }
}

/* --- the draw ---------------------------------------------------------------------- */

/* Caps are public; what a node changes is charged in full, and nothing for a cap that no
 * node reaches. */
static void caps_and_what_they_cost(void) {
    int64_t caps[PVGI_PICK_MAX], change[PVGI_PICK_MAX];
    for (int64_t order = 3; order < 3000000000 / 2; order += order / 3 + 1) {
        const int64_t count = pvgi_statistic_triangle_caps(caps, change, order, 0);
        TEST_ASSERT_TRUE(count >= 1 && count <= PVGI_PICK_MAX);
        for (int64_t i = 0; i < count; i++) {
            const bool all =
                (double)caps[i] >= 0.5 * (double)(order - 1) * (double)(order - 2);
            PVGT_CHECK(all ? change[i] == caps[i] : change[i] >= caps[i] + 2,
                       "order %lld: %lld, %lld", (long long)order, (long long)caps[i],
                       (long long)change[i]);
            TEST_ASSERT_TRUE(i == 0 || caps[i] > caps[i - 1]);
            TEST_ASSERT_TRUE(change[i] < 1 << 20); /* weights go down to 1 */
        }
    }
    TEST_ASSERT_EQUAL_INT64(1, pvgi_statistic_triangle_caps(caps, change, 1000, 5));
    TEST_ASSERT_TRUE(caps[0] == 5 && change[0] == 5 + 4); /* root of 1000, over 8 */
}

/* Seven nodes, all joined: 35 triangles, 15 at each node. Caps 8, 12 and 15 give at most
 * 18, 28 and 35. Draws are compared with the law, with what is found as it is. */
static void the_draw_has_its_law(void) {
    enum { DRAWS = 20000, WIDE = 140, LOW = -50 };
    int64_t from[21], to[21], count = 0, caps[PVGI_PICK_MAX], change[PVGI_PICK_MAX],
                              value[PVGI_PICK_MAX];
    static double chance[3][WIDE], wrong[3][WIDE], seen[3][WIDE];
    const double epsilon = 3.0;
    pvg_graph *graph = NULL;
    for (int u = 0; u < 7; u++)
        for (int v = u + 1; v < 7; v++) from[count] = u, to[count++] = v;
    PVGT_OK(pvg_graph_from_edges(&graph, 7, from, to, count, PVG_EDGES_STRICT, NULL));
    const int64_t many = pvgi_statistic_triangle_caps(caps, change, 7, 0);
    TEST_ASSERT_EQUAL_INT64(3, many);
    for (int i = 0; i < 3; i++)
        value[i] = caps[i] < 15 ? packed(graph, caps[i], change[i] - caps[i]) : 35;
    TEST_ASSERT_TRUE(value[0] >= 16 && value[0] <= 18 && value[1] >= 25);
    double all = 0.0, other = 0.0;
    for (int i = 0; i < 3; i++) {
        double score = 0.0;
        for (int j = 0; j < 3; j++)
            score = fmax(score, (double)(value[j] - value[i] +
                                         (int64_t)((double)change[i] / epsilon) -
                                         (int64_t)((double)change[j] / epsilon)) /
                                    (double)(change[i] + change[j]));
        const double weight = floor(0x1p40 / (double)(change[i] * change[i]));
        for (int k = 0; k < WIDE; k++) {
            const double off = fabs((double)(k + LOW - value[i]));
            all += chance[i][k] =
                weight * exp(-0.5 * epsilon * fmax(score, off / (double)change[i]));
            /* as if the gap were free */
            other += wrong[i][k] =
                weight * exp(-0.5 * epsilon * fmax(score, off / (double)caps[i]));
        }
    }
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    const pvg_input in = {.size = sizeof in, .graph = graph};
    pvg_query *query = NULL;
    pvg_rng *rng = NULL;
    PVGT_OK(
        pvg_query_new(&query, "capped-triangles order=7 epsilon=3", NULL, &target, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    memset(seen, 0, sizeof seen);
    double below = 0.0;
    for (int d = 0; d < DRAWS; d++) {
        pvg_release *release = NULL;
        const double *got;
        PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&got, release));
        int i = 0;
        while (got[0] != (double)caps[i]) i++;
        const double k = fmin(fmax(got[1] - LOW, 0.0), WIDE - 1);
        seen[i][(int)k]++;
        double least = -1.0;
        PVGT_OK(pvg_estimate_least_edges(&least, 0, 0.9, query, release, 0));
        below += least > 35.0;
        pvg_release_free(release);
    }
    /* what is certain with nine chances of ten; not for nothing */
    PVGT_CHECK(below < 0.1 * DRAWS && below > 0.0, "%g", below);
    /* cells of five values; of about eighty, chi^2 above 150 once in 10^5 */
    double sum = 0.0, far = 0.0, cells = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < WIDE; k += 5) {
            double mean = 0.0, guess = 0.0, here = 0.0;
            for (int l = k; l < k + 5; l++) {
                mean += DRAWS * chance[i][l] / all;
                guess += DRAWS * wrong[i][l] / other;
                here += seen[i][l];
            }
            if (mean < 5.0) continue;
            cells++;
            sum += (here - mean) * (here - mean) / mean;
            far += (here - guess) * (here - guess) / fmax(guess, 1.0);
        }
    PVGT_CHECK(sum < cells + 5.0 * sqrt(2.0 * cells) + 10.0, "%g of %g cells", sum,
               cells);
    PVGT_CHECK(far > 2.0 * cells + 100.0, "%g of %g cells", far, cells);
    pvg_rng_free(rng);
    pvg_query_free(query);
    pvg_graph_free(graph);
}

static void a_node_is_hidden(void) {
    pvg_query *query = NULL;
    pvg_guarantee *guarantee = NULL;
    PVGT_OK(
        pvg_query_new(&query, "capped-triangles order=50 epsilon=1", NULL, NULL, NULL));
    PVGT_OK(pvg_query_guarantee(&guarantee, query, NULL, 0));
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_NODE, pvg_guarantee_notion(guarantee));
    pvg_guarantee_free(guarantee);
    pvg_query_free(query);
    query = NULL;
    PVGT_FAILS(
        PVG_E_ARGUMENT, "not at least 3",
        pvg_query_new(&query, "capped-triangles order=2 epsilon=1", NULL, NULL, NULL));
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(a_node_moves_it_by_cap_and_gap);
    RUN_TEST(a_tree_does_not_turn_over);
    RUN_TEST(side_by_side);
    RUN_TEST(larger_graphs);
    RUN_TEST(caps_and_what_they_cost);
    RUN_TEST(the_draw_has_its_law);
    RUN_TEST(a_node_is_hidden);
    return pvgt_end(UNITY_END());
}
