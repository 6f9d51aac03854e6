/* pattern: canonical forms of all graphs up to six vertices, and membership in classes
 * against constructions and brute force. The oracles build
 * every member of a class step by step, as its definition says, and note its kind up to
 * isomorphism; the library decides by taking graphs apart. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "pattern/pattern_internal.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* Orders 1..MOST; a graph is its code: bit i is the i-th pair, column by column. */
enum { MOST = 6, CODES = 1 << (MOST * (MOST - 1) / 2) };

static int32_t pair(int32_t u, int32_t v) {
    return u < v ? v * (v - 1) / 2 + u : u * (u - 1) / 2 + v;
}

/* smallest[n][code]: the smallest code of an isomorphic graph, the kind of the graph. */
static uint16_t *smallest[MOST + 1];

/* All graphs a renaming makes of the codes not met yet, over all renamings. */
static void find_kinds(int32_t n) {
    const uint32_t codes = 1u << (n * (n - 1) / 2);
    uint8_t *done = calloc(codes, 1);
    smallest[n] = calloc(codes, sizeof *smallest[n]);
    TEST_ASSERT_TRUE(done && smallest[n]);
    for (uint32_t code = 0; code < codes; code++) {
        if (done[code]) continue;
        int32_t name[MOST] = {0, 1, 2, 3, 4, 5}, count[MOST] = {0};
        for (int32_t level = 0; level <= n;) {
            uint32_t moved = 0;
            for (int32_t v = 1; v < n; v++)
                for (int32_t u = 0; u < v; u++)
                    if (code >> pair(u, v) & 1) moved |= 1u << pair(name[u], name[v]);
            done[moved] = 1;
            smallest[n][moved] = (uint16_t)code;
            /* next permutation: Heap's method */
            for (level = 0; level < n && count[level] >= level; level++) count[level] = 0;
            if (level >= n) break;
            const int32_t other = level % 2 ? count[level] : 0, kept = name[other];
            name[other] = name[level];
            name[level] = kept;
            count[level]++;
        }
    }
    free(done);
}

static pvgi_pattern examined(int32_t n, uint32_t code) {
    pvgi_small graph = {.order = n};
    pvgi_pattern pattern;
    for (int32_t v = 1; v < n; v++)
        for (int32_t u = 0; u < v; u++)
            if (code >> pair(u, v) & 1) pvgi_pattern_join(&graph, u, v);
    PVGT_OK(pvgi_pattern_examine(&pattern, &graph, "graph"));
    return pattern;
}

/* built[n][kind]: the oracle built it. Compares with the library on all connected graphs.
 */
static uint8_t built[MOST + 1][CODES];

static void compare(int32_t pattern_class, int32_t parameter) {
    for (int32_t n = 1; n <= MOST; n++)
        for (uint32_t code = 0; code < 1u << (n * (n - 1) / 2); code++) {
            if (code != smallest[n][code] && code % 7 != 0) continue; /* some renamings */
            const pvgi_pattern pattern = examined(n, code);
            if (pattern.components > 1) continue;
            const bool member = pvgi_pattern_in_class(&pattern, pattern_class, parameter);
            PVGT_CHECK(member == built[n][smallest[n][code]],
                       "order %d code %u in %s %d: says %d", n, code,
                       pvg_class_name(pattern_class), parameter, member);
        }
}

/* Isomorphic graphs, and only they, have the same canonical form, which is one of them.
 */
static void canonical_forms_of_all_graphs(void) {
    static const int32_t kinds[] = {0, 1, 2, 4, 11, 34, 156};
    static pvgi_small form[CODES];
    for (int32_t n = 1; n <= MOST; n++) {
        int32_t found = 0;
        for (uint32_t code = 0; code < 1u << (n * (n - 1) / 2); code++) {
            const uint32_t kind = smallest[n][code]; /* at most code, so met before */
            const pvgi_small canonical = examined(n, code).canonical;
            uint32_t moved = 0;
            for (int32_t v = 1; v < n; v++)
                for (int32_t u = 0; u < v; u++)
                    moved |= (canonical.adjacency[v] >> u & 1) << pair(u, v);
            PVGT_CHECK(smallest[n][moved] == kind, "order %d code %u became %u", n, code,
                       moved);
            if (kind == code) {
                form[code] = canonical;
                found++;
            }
            PVGT_CHECK(pvgi_pattern_equal(&form[kind], &canonical),
                       "order %d codes %u and %u", n, code, kind);
        }
        TEST_ASSERT_EQUAL_INT32(kinds[n], found);
    }
}

/* --- fan-cactus graphs: hang pendant edges and fans on any vertex ----------------------
 */

static void grow_fan_cactus(int32_t n, uint32_t code, int32_t largest) {
    if (built[n][smallest[n][code]]) return;
    built[n][smallest[n][code]] = 1;
    for (int32_t centre = 0; centre < n; centre++)
        for (int32_t path = 1; n + path <= MOST; path++) {
            if (path > 1 && largest > 0 && path + 1 > largest) break;
            for (uint32_t inner = 0; inner < 1u << path; inner++) {
                uint32_t grown = code;
                for (int32_t i = 0; i < path; i++) {
                    if (i > 0) grown |= 1u << pair(n + i - 1, n + i);
                    if (i == 0 || i == path - 1 || (inner >> i & 1))
                        grown |= 1u << pair(centre, n + i);
                }
                grow_fan_cactus(n + path, grown, largest);
            }
        }
}

static void fan_cactus_graphs(void) {
    for (int32_t largest = 0; largest <= 6; largest++) {
        if (largest == 1 || largest == 2) continue;
        memset(built, 0, sizeof built);
        grow_fan_cactus(1, 0, largest);
        compare(PVG_CLASS_FAN_CACTUS, largest);
    }
}

/* --- parallel trees: replace edges of a growing skeleton by paths ----------------------
 */

static void grow_parallel_tree(int32_t n, uint32_t code, uint32_t skeleton);

/* Adds paths between u and v, the lengths non-increasing, then continues the skeleton. */
static void add_paths(int32_t n, uint32_t code, uint32_t skeleton, int32_t u, int32_t v,
                      int32_t longest, bool any) {
    if (any) grow_parallel_tree(n, code, skeleton | 1u << v);
    for (int32_t inner = 0; inner <= longest && n + inner <= MOST; inner++) {
        uint32_t grown = code;
        if (inner == 0) {
            if (code >> pair(u, v) & 1) continue;
            grown |= 1u << pair(u, v);
        }
        for (int32_t i = 0; i < inner; i++)
            grown |= 1u << pair(i == 0 ? u : n + i - 1, n + i);
        if (inner > 0) grown |= 1u << pair(n + inner - 1, v);
        add_paths(n + inner, grown, skeleton, u, v, inner, true);
    }
}

static void grow_parallel_tree(int32_t n, uint32_t code, uint32_t skeleton) {
    built[n][smallest[n][code]] = 1;
    for (int32_t u = 0; u < n && n < MOST; u++)
        if (skeleton >> u & 1) add_paths(n + 1, code, skeleton, u, n, MOST, false);
}

static void parallel_trees(void) {
    memset(built, 0, sizeof built);
    grow_parallel_tree(1, 0, 1);
    compare(PVG_CLASS_PARALLEL_TREES, 0);
}

/* --- forests after removal: all sets of vertices ---------------------------------------
 */

/* Union-find over the edges outside `removed`. */
static bool forest_without(int32_t n, uint32_t code, uint32_t removed) {
    int32_t root[MOST];
    for (int32_t v = 0; v < n; v++) root[v] = v;
    for (int32_t v = 1; v < n; v++)
        for (int32_t u = 0; u < v; u++) {
            if (!(code >> pair(u, v) & 1) || (removed >> u & 1) || (removed >> v & 1))
                continue;
            const int32_t from = root[u], to = root[v];
            if (from == to) return false;
            for (int32_t x = 0; x < n; x++)
                if (root[x] == from) root[x] = to;
        }
    return true;
}

static void apex_forests(void) {
    for (int32_t n = 1; n <= MOST; n++)
        for (uint32_t code = 0; code < 1u << (n * (n - 1) / 2); code++) {
            if (code != smallest[n][code] && code % 7 != 0) continue;
            int32_t need = n;
            for (uint32_t removed = 0; removed < 1u << n; removed++)
                if (__builtin_popcount(removed) < need &&
                    forest_without(n, code, removed))
                    need = __builtin_popcount(removed);
            const pvgi_pattern pattern = examined(n, code);
            for (int32_t k = 0; k <= 5; k++)
                PVGT_CHECK(pvgi_pattern_in_class(&pattern, PVG_CLASS_APEX_FORESTS, k) ==
                               (need <= k),
                           "order %d code %u, %d removed: %d needed", n, code, k, need);
        }
}

/* Many cycles that meet nowhere: one vertex each. */
static void apex_forests_of_many_cycles(void) {
    for (int32_t cycles = 1; cycles <= 10; cycles++) {
        pvgi_small graph = {.order = 3 * cycles};
        pvgi_pattern pattern;
        for (int32_t v = 0; v < graph.order; v++)
            pvgi_pattern_join(&graph, v, v - v % 3 + (v + 1) % 3);
        PVGT_OK(pvgi_pattern_examine(&pattern, &graph, "triangles"));
        TEST_ASSERT_FALSE(
            pvgi_pattern_in_class(&pattern, PVG_CLASS_APEX_FORESTS, cycles - 1));
        TEST_ASSERT_TRUE(pvgi_pattern_in_class(&pattern, PVG_CLASS_APEX_FORESTS, cycles));
    }
}

/* --- pieces: a union belongs if its pieces do
 * ------------------------------------------- */

static void unions_belong_if_their_pieces_do(void) {
    static const int32_t classes[] = {PVG_CLASS_TREES, PVG_CLASS_FAN_CACTUS,
                                      PVG_CLASS_PARALLEL_TREES};
    for (uint32_t a = 0; a < 1u << 6; a += 3)
        for (uint32_t b = 0; b < 1u << 10; b += 7) {
            const pvgi_pattern first = examined(4, a), second = examined(5, b);
            pvgi_small graph = {.order = 9};
            pvgi_pattern both;
            for (int32_t v = 0; v < 4; v++) graph.adjacency[v] = first.graph.adjacency[v];
            for (int32_t v = 0; v < 5; v++)
                graph.adjacency[4 + v] = second.graph.adjacency[v] << 4;
            PVGT_OK(pvgi_pattern_examine(&both, &graph, "union"));
            for (int32_t i = 0; i < 3; i++)
                PVGT_CHECK(pvgi_pattern_in_class(&both, classes[i], 0) ==
                               (pvgi_pattern_in_class(&first, classes[i], 0) &&
                                pvgi_pattern_in_class(&second, classes[i], 0)),
                           "%u and %u in %s", a, b, pvg_class_name(classes[i]));
        }
}

/* Every class below the other, as docs/guide/patterns.md draws them. */
static void classes_contain_each_other(void) {
    for (int32_t n = 1; n <= MOST; n++)
        for (uint32_t code = 0; code < 1u << (n * (n - 1) / 2); code++) {
            if (code != smallest[n][code]) continue;
            const pvgi_pattern p = examined(n, code);
            const bool tree = pvgi_pattern_in_class(&p, PVG_CLASS_TREES, 0);
            const bool fan = pvgi_pattern_in_class(&p, PVG_CLASS_FAN_CACTUS, 0);
            const bool parallel = pvgi_pattern_in_class(&p, PVG_CLASS_PARALLEL_TREES, 0);
            const bool cycle = pvgi_pattern_in_class(&p, PVG_CLASS_CYCLES, 0);
            PVGT_CHECK(!tree || (fan && parallel), "order %d code %u", n, code);
            PVGT_CHECK(!cycle || (fan && parallel && !tree), "order %d code %u", n, code);
            PVGT_CHECK(!(fan || parallel) || p.width <= 2, "order %d code %u", n, code);
            PVGT_CHECK(tree == pvgi_pattern_in_class(&p, PVG_CLASS_APEX_FORESTS, 0) &&
                           tree == (p.width <= 1),
                       "order %d code %u", n, code);
            if (fan || parallel)
                PVGT_CHECK(n < 2 || p.size <= 2 * n - 3, "order %d code %u", n, code);
            for (int32_t k = 0; k < 6; k++)
                PVGT_CHECK(!pvgi_pattern_in_class(&p, PVG_CLASS_APEX_FORESTS, k) ||
                               p.width <= k + 1,
                           "order %d code %u k %d", n, code, k);
        }
}

int main(void) {
    pvgt_begin();
    for (int32_t n = 1; n <= MOST; n++) find_kinds(n);
    UNITY_BEGIN();
    RUN_TEST(canonical_forms_of_all_graphs);
    RUN_TEST(fan_cactus_graphs);
    RUN_TEST(parallel_trees);
    RUN_TEST(apex_forests);
    RUN_TEST(apex_forests_of_many_cycles);
    RUN_TEST(unions_belong_if_their_pieces_do);
    RUN_TEST(classes_contain_each_other);
    const int result = UNITY_END();
    for (int32_t n = 1; n <= MOST; n++) free(smallest[n]);
    return pvgt_end(result);
}
