/* pattern: the laws of the samplers. Seeds are fixed, so a verdict does not change from
 * run to run; thresholds are about five standard deviations. ./dev soak draws more. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "pattern/pattern_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_patterns *drawn(const pvg_sampler_config *config, int64_t count,
                           uint64_t seed) {
    pvg_sampler *sampler = NULL;
    pvg_rng *rng = NULL;
    pvg_patterns *list = NULL;
    PVGT_OK(pvg_sampler_new(&sampler, config));
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvg_patterns_draw(&list, sampler, count, rng, NULL));
    pvg_rng_free(rng);
    pvg_sampler_free(sampler);
    return list;
}

static int64_t effort(int64_t count) {
    return pvgt_soak() ? 20 * count : count;
}

/* Pearson's statistic against the law, compared with mean + 5 deviations. Cells expecting
 * fewer than five are put together. */
static void check_law(const char *name, const int64_t *seen, const double *law, int cells,
                      int64_t total) {
    double statistic = 0.0, rest_law = 0.0, rest_seen = 0.0;
    int used = 0;
    for (int i = 0; i < cells; i++) {
        const double expected = law[i] * (double)total;
        if (expected < 5.0) {
            rest_law += expected;
            rest_seen += (double)seen[i];
            continue;
        }
        const double off = (double)seen[i] - expected;
        statistic += off * off / expected;
        used++;
    }
    if (rest_law >= 5.0) {
        statistic += (rest_seen - rest_law) * (rest_seen - rest_law) / rest_law;
        used++;
    } else {
        PVGT_CHECK(rest_seen <= rest_law + 5 * sqrt(rest_law) + 5,
                   "%s: %g rare values, %g due", name, rest_seen, rest_law);
    }
    const double freedom = used - 1;
    PVGT_CHECK(statistic < freedom + 5 * sqrt(2 * freedom) + 10,
               "%s: chi2 %g, %g degrees", name, statistic, freedom);
}

/* --- uniform trees -------------------------------------------------------------- */

static void labelled_trees_are_uniform(int32_t n, int32_t trees, int64_t count) {
    const pvg_sampler_config config = {
        .size = sizeof config, .order_min = n, .order_max = n};
    pvg_patterns *list = drawn(&config, count, 100 + (uint64_t)n);
    int64_t *seen = calloc((size_t)1 << (n * (n - 1) / 2), sizeof *seen);
    int64_t found[128] = {0};
    double law[128];
    int different = 0;
    TEST_ASSERT_NOT_NULL(seen);
    for (int64_t i = 0; i < count; i++) {
        const int32_t *u, *v;
        uint32_t code = 0;
        PVGT_OK(pvg_patterns_view_edges(&u, &v, list, i));
        for (int64_t e = 0; e < pvg_patterns_size(list, i); e++)
            code |= 1u << (v[e] * (v[e] - 1) / 2 + u[e]);
        seen[code]++;
    }
    for (uint32_t code = 0; code < 1u << (n * (n - 1) / 2); code++)
        if (seen[code]) {
            TEST_ASSERT_LESS_THAN(trees, different);
            found[different++] = seen[code];
        }
    TEST_ASSERT_EQUAL_INT(trees, different);
    for (int i = 0; i < trees; i++) law[i] = 1.0 / trees;
    check_law("labelled trees", found, law, trees, count);
    free(seen);
    pvg_patterns_free(list);
}

static void trees_are_uniform(void) {
    labelled_trees_are_uniform(3, 3, effort(3000));
    labelled_trees_are_uniform(4, 16, effort(8000));
    labelled_trees_are_uniform(5, 125, effort(25000));
}

/* --- size laws ------------------------------------------------------------------ */

static void check_orders(const char *name, pvg_sampler_config config,
                         const double *weight) {
    double law[PVGI_PATTERN_ORDER + 1] = {0}, sum = 0.0;
    int64_t seen[PVGI_PATTERN_ORDER + 1] = {0};
    const int64_t count = effort(20000);
    config.size = sizeof config;
    pvg_patterns *list = drawn(&config, count, 7);
    for (int64_t i = 0; i < count; i++) seen[pvg_patterns_order(list, i)]++;
    for (int i = 0; i <= PVGI_PATTERN_ORDER; i++) sum += weight[i];
    for (int i = 0; i <= PVGI_PATTERN_ORDER; i++) law[i] = weight[i] / sum;
    check_law(name, seen, law, PVGI_PATTERN_ORDER + 1, count);
    pvg_patterns_free(list);
}

static void orders_follow_their_laws(void) {
    double weight[PVGI_PATTERN_ORDER + 1];
    for (int n = 0; n <= 32; n++) weight[n] = n < 2 ? 0.0 : pow(0.01, (n - 2) / 15.0);
    check_orders("geometric", (pvg_sampler_config){0}, weight);
    for (int n = 0; n <= 32; n++)
        weight[n] = n < 3 || n > 9 ? 0.0 : pow(0.01, (n - 3) / 18.0);
    check_orders(
        "geometric, cut",
        (pvg_sampler_config){.order_min = 3, .order_typical = 20, .order_max = 9},
        weight);
    for (int n = 0; n <= 32; n++)
        weight[n] = n < 2 ? 0.0 : exp((n - 2) * log(5.0) - lgamma(n - 1.0));
    check_orders("Poisson",
                 (pvg_sampler_config){.size_law = PVG_SIZE_POISSON, .order_typical = 12},
                 weight);
    for (int n = 0; n <= 32; n++) weight[n] = n >= 4 && n <= 11 ? 1.0 : 0.0;
    check_orders("uniform",
                 (pvg_sampler_config){
                     .size_law = PVG_SIZE_UNIFORM, .order_min = 4, .order_typical = 11},
                 weight);
    /* rejecting disconnected patterns keeps the law of the order */
    for (int n = 0; n <= 32; n++)
        weight[n] = n < 2 || n > 20 ? 0.0 : pow(0.01, (n - 2) / 15.0);
    check_orders("all graphs", (pvg_sampler_config){.pattern_class = PVG_CLASS_ALL},
                 weight);
}

/* --- the reference law ---------------------------------------------------------- */

static void reference_widths(int32_t most, const double *published) {
    const double mean = (1.0 + log(16.0)) / 16.0;
    const int64_t count = effort(20000);
    double law[PVG_PATTERN_WIDTH_MAX + 1] = {0};
    int64_t seen[PVG_PATTERN_WIDTH_MAX + 1] = {0};
    /* P(N = n) = 0.01^((n - 1) / 16) (1 - 0.01^(1 / 16)), cut at the library's limit */
    double sum = 0.0;
    const int limit = most <= 2 ? 32 : 20;
    for (int n = 1; n <= limit; n++) sum += pow(0.01, (n - 1) / 16.0);
    for (int n = 1; n <= limit; n++) {
        const double order = pow(0.01, (n - 1) / 16.0) / sum;
        const int starts = most > 1 ? most - 1 : 1;
        for (int start = 1; start <= starts; start++)
            for (int extra = 0; extra < 30; extra++) {
                int k = start + extra < most ? start + extra : most;
                k = k < n - 1 ? k : n - 1;
                law[k] +=
                    order / starts * exp(extra * log(mean) - mean - lgamma(extra + 1.0));
            }
    }
    pvg_sampler_config config = {.size = sizeof config,
                                 .pattern_class = PVG_CLASS_TREEWIDTH,
                                 .parameter = most,
                                 .reference_law = 1};
    PVGT_OK(pvgi_pattern_sampler_fill_in("test", &config));
    pvgi_pattern_source source = {0};
    PVGT_OK(pvg_rng_new_seeded(&source.rng, 90 + (uint64_t)most));
    for (int64_t i = 0; i < count; i++) {
        int32_t order = 0, width = -1;
        PVGT_OK(pvgi_pattern_draw_numbers(&order, &width, &config, &source));
        seen[width]++;
    }
    pvg_rng_free(source.rng);
    check_law("reference width", seen, law, PVG_PATTERN_WIDTH_MAX + 1, count);
    for (int k = 0; k <= most; k++) /* the published shares have two digits */
        PVGT_CHECK(fabs((double)seen[k] / (double)count - published[k]) < 0.015,
                   "K=%d width %d: %g, published %g", most, k,
                   (double)seen[k] / (double)count, published[k]);
}

static void reference_law_has_the_published_shares(void) {
    reference_widths(1, (const double[]){.25, .75});
    reference_widths(2, (const double[]){.25, .64, .12});
    reference_widths(3, (const double[]){.25, .41, .29, .05});
}

/* Of fifty patterns the reference code gives 11, 15, 17 different ones, because it resets
 * its seed; independent draws give about twice as many. Kept edges: nine in ten. */
static void reference_law_draws_independently(void) {
    static const int64_t stuck[] = {0, 11, 15, 17};
    int64_t kept = 0, all = 0;
    for (int32_t most = 1; most <= 3; most++) {
        pvg_sampler_config config = {.size = sizeof config,
                                     .pattern_class = PVG_CLASS_TREEWIDTH,
                                     .parameter = most,
                                     .reference_law = 1,
                                     .allow_disconnected = 1};
        int64_t different = 0;
        for (uint64_t seed = 0; seed < 40; seed++) {
            pvg_patterns *list = drawn(&config, 50, seed), *merged = NULL;
            PVGT_OK(pvg_patterns_merge(&merged, NULL, list));
            different += pvg_patterns_count(merged);
            for (int64_t i = 0; i < 50 && most == 1; i++) {
                kept += pvg_patterns_size(list, i);
                all += pvg_patterns_order(list, i) - 1;
            }
            pvg_patterns_free(merged);
            pvg_patterns_free(list);
        }
        PVGT_CHECK(different > 40 * (stuck[most] + 4), "K=%d: %g different patterns",
                   most, (double)different / 40);
    }
    const double share = (double)kept / (double)all;
    PVGT_CHECK(fabs(share - 0.9) < 5 * sqrt(0.09 / (double)all), "kept %g", share);
}

/* The k-tree of the published code, written down a second time: bags as plain lists,
 * along a uniform tree of bags made by the random walk of Aldous and Broder. */
static pvgi_small published_ktree(int32_t n, int32_t k, uint64_t *state) {
    pvgi_small out = {.order = n};
    int32_t bags = n - k, parent[PVGI_PATTERN_ORDER],
            at = (int32_t)pvgt_below(state, bags);
    uint32_t visited = pvgi_mask_of(at);
    pvgi_small tree = {.order = bags};
    while (visited != pvgi_mask_first(bags)) {
        const int32_t next = (at + 1 + (int32_t)pvgt_below(state, bags - 1)) % bags;
        if (!(visited >> next & 1)) pvgi_pattern_join(&tree, at, next);
        visited |= pvgi_mask_of(next);
        at = next;
    }
    int32_t queue[PVGI_PATTERN_ORDER] = {0}, head = 0, tail = 1, fresh = k + 1;
    int32_t bag[PVGI_PATTERN_ORDER][8];
    for (int32_t i = 0; i <= k; i++) {
        bag[0][i] = i;
        for (int32_t j = 0; j < i; j++) pvgi_pattern_join(&out, i, j);
    }
    parent[0] = -1;
    while (head < tail) {
        const int32_t b = queue[head++];
        for (int32_t c = 0; c < bags; c++) {
            if (!(tree.adjacency[b] >> c & 1) || c == parent[b]) continue;
            const int64_t gone = pvgt_below(state, k);
            memcpy(bag[c], bag[b], sizeof bag[c]);
            for (int64_t i = gone; i < k; i++) bag[c][i] = bag[c][i + 1];
            for (int32_t i = 0; i < k; i++) pvgi_pattern_join(&out, fresh, bag[c][i]);
            bag[c][k] = fresh++;
            parent[c] = b;
            queue[tail++] = c;
        }
    }
    return out;
}

/* Two samples of kinds of k-trees: the library's, and the one above. */
static void reference_ktrees(int32_t n, int32_t k, int64_t count) {
    uint64_t state = 17, kind[200];
    int64_t ours[200] = {0}, theirs[200] = {0};
    int kinds = 0;
    const pvg_sampler_config config = {.size = sizeof config,
                                       .pattern_class = PVG_CLASS_TREEWIDTH,
                                       .parameter = k,
                                       .width_min = k,
                                       .reference_law = 1,
                                       .order_min = n,
                                       .order_max = n,
                                       .keep = 1.0};
    pvg_patterns *list = drawn(&config, count, 23);
    for (int64_t i = 0; i < 2 * count; i++) {
        uint64_t hash;
        if (i < count) {
            hash = pvg_patterns_hash(list, i);
        } else {
            const pvgi_small graph = published_ktree(n, k, &state);
            pvgi_small form;
            pvgi_pattern_canonical(&form, &graph);
            hash = pvgi_pattern_hash(&form);
        }
        int at = 0;
        while (at < kinds && kind[at] != hash) at++;
        TEST_ASSERT_LESS_THAN(200, at);
        if (at == kinds) kind[kinds++] = hash;
        ++*(i < count ? &ours[at] : &theirs[at]);
    }
    pvg_patterns_free(list);
    double statistic = 0.0;
    for (int i = 0; i < kinds; i++) {
        const double off = (double)(ours[i] - theirs[i]);
        statistic += off * off / (double)(ours[i] + theirs[i]);
    }
    PVGT_CHECK(kinds > 1 && statistic < kinds + 5 * sqrt(2.0 * kinds) + 10,
               "order %d width %d: chi2 %g, %d kinds", n, k, statistic, kinds);
}

static void reference_law_has_the_published_ktrees(void) {
    reference_ktrees(6, 1, effort(5000));
    reference_ktrees(7, 2, effort(5000));
    reference_ktrees(8, 3, effort(5000));
}

/* --- full support, and membership of every draw --------------------------------- */

typedef struct {
    int32_t pattern_class, parameter, reference;
} class_case;
static const class_case all_cases[] = {
    {PVG_CLASS_TREES, 0, 0},        {PVG_CLASS_FAN_CACTUS, 0, 0},
    {PVG_CLASS_FAN_CACTUS, 4, 0},   {PVG_CLASS_PARALLEL_TREES, 0, 0},
    {PVG_CLASS_APEX_FORESTS, 1, 0}, {PVG_CLASS_APEX_FORESTS, 2, 0},
    {PVG_CLASS_APEX_FORESTS, 5, 0}, {PVG_CLASS_TREEWIDTH, 1, 0},
    {PVG_CLASS_TREEWIDTH, 2, 0},    {PVG_CLASS_TREEWIDTH, 3, 0},
    {PVG_CLASS_TREEWIDTH, 6, 0},    {PVG_CLASS_TREEWIDTH, 1, 1},
    {PVG_CLASS_TREEWIDTH, 2, 1},    {PVG_CLASS_TREEWIDTH, 3, 1},
    {PVG_CLASS_ALL, 0, 0},
};
enum { CASES = sizeof all_cases / sizeof all_cases[0] };

static void check_members(const pvg_patterns *list, const class_case *c, int32_t pieces) {
    for (int64_t i = 0; i < pvg_patterns_count(list); i++) {
        int32_t member = 0;
        char text[128];
        size_t length;
        PVGT_OK(pvg_patterns_copy_graph6(text, sizeof text, &length, list, i));
        PVGT_OK(pvg_patterns_in_class(&member, list, i, c->pattern_class, c->parameter));
        PVGT_CHECK(member, "%s not in %s %d", text, pvg_class_name(c->pattern_class),
                   c->parameter);
        PVGT_CHECK(pieces || pvg_patterns_components(list, i) == 1, "%s in pieces", text);
    }
}

/* All graphs on n vertices, one of each kind. */
static pvg_patterns *all_graphs(int32_t n) {
    pvgi_pattern_builder builder = {0};
    pvg_patterns *list = NULL, *merged = NULL;
    for (uint32_t code = 0; code < 1u << (n * (n - 1) / 2); code++) {
        pvgi_small graph = {.order = n};
        pvgi_pattern pattern;
        for (int32_t v = 1, bit = 0; v < n; v++)
            for (int32_t u = 0; u < v; u++, bit++)
                if (code >> bit & 1) pvgi_pattern_join(&graph, u, v);
        PVGT_OK(pvgi_pattern_examine(&pattern, &graph, "graph"));
        PVGT_OK(pvgi_pattern_list_add(&builder, &pattern));
    }
    PVGT_OK(pvgi_pattern_list_finish(&list, &builder));
    PVGT_OK(pvg_patterns_merge(&merged, NULL, list));
    pvg_patterns_free(list);
    return merged;
}

static void check_support(const class_case *c, int32_t n, int32_t pieces,
                          const pvg_patterns *graphs) {
    pvg_sampler_config config = {.size = sizeof config,
                                 .pattern_class = c->pattern_class,
                                 .parameter = c->parameter,
                                 .reference_law = c->reference,
                                 .order_min = n,
                                 .order_max = n,
                                 .allow_disconnected = pieces,
                                 .graph_order =
                                     c->pattern_class == PVG_CLASS_ALL ? 2 : 0};
    /* in pieces: once mostly sparse ones, once mostly dense ones, else some are rare */
    if (pieces) config.keep = 0.4;
    pvg_patterns *sparse = drawn(&config, effort(3000), 40 + (uint64_t)n);
    if (pieces) config.keep = 0.85;
    pvg_patterns *dense = drawn(&config, effort(3000), 50 + (uint64_t)n);
    pvg_patterns *list = NULL, *merged = NULL;
    PVGT_OK(pvg_patterns_concat(&list, sparse, dense));
    pvg_patterns_free(sparse);
    pvg_patterns_free(dense);
    check_members(list, c, pieces);
    PVGT_OK(pvg_patterns_merge(&merged, NULL, list));
    for (int64_t i = 0; i < pvg_patterns_count(graphs); i++) {
        int32_t member = 0, found = 0;
        char text[64];
        size_t length;
        PVGT_OK(
            pvg_patterns_in_class(&member, graphs, i, c->pattern_class, c->parameter));
        if (!pieces && pvg_patterns_components(graphs, i) > 1) member = 0;
        for (int64_t j = 0; j < pvg_patterns_count(merged) && !found; j++)
            found = pvg_patterns_isomorphic(graphs, i, merged, j);
        PVGT_OK(pvg_patterns_copy_canonical(text, sizeof text, &length, graphs, i));
        PVGT_CHECK(found == member,
                   "%s in %s %d reference %d pieces %d: member %d, drawn %d", text,
                   pvg_class_name(c->pattern_class), c->parameter, c->reference, pieces,
                   member, found);
    }
    pvg_patterns_free(merged);
    pvg_patterns_free(list);
}

static void every_small_member_is_drawn(void) {
    for (int32_t n = 1; n <= 5; n++) {
        pvg_patterns *graphs = all_graphs(n);
        for (int32_t i = 0; i < CASES; i++)
            for (int32_t pieces = 0; pieces <= 1; pieces++)
                check_support(&all_cases[i], n, pieces, graphs);
        pvg_patterns_free(graphs);
    }
}

static void every_draw_is_a_member(void) {
    for (int32_t i = 0; i < CASES; i++)
        for (int32_t pieces = 0; pieces <= 1; pieces++) {
            const pvg_sampler_config config = {.size = sizeof config,
                                               .pattern_class =
                                                   all_cases[i].pattern_class,
                                               .parameter = all_cases[i].parameter,
                                               .reference_law = all_cases[i].reference,
                                               .allow_disconnected = pieces};
            pvg_patterns *list = drawn(&config, effort(1500), 60 + (uint64_t)i);
            check_members(list, &all_cases[i], pieces);
            pvg_patterns_free(list);
        }
}

/* Width of ALL: P(k) from the Poisson law with mean (1 + ln n) / n, before N cuts it. */
static void widths_of_all_graphs_are_rare_for_large_graphs(void) {
    const int64_t count = effort(20000);
    pvg_sampler_config config = {.size = sizeof config,
                                 .pattern_class = PVG_CLASS_ALL,
                                 .order_min = 20,
                                 .graph_order = 1000};
    const double mean = (1.0 + log(1000.0)) / 1000.0;
    int64_t wide = 0;
    PVGT_OK(pvgi_pattern_sampler_fill_in("test", &config));
    pvgi_pattern_source source = {0};
    PVGT_OK(pvg_rng_new_seeded(&source.rng, 5));
    for (int64_t i = 0; i < count; i++) {
        int32_t order = 0, width = 0;
        PVGT_OK(pvgi_pattern_draw_numbers(&order, &width, &config, &source));
        TEST_ASSERT_TRUE(width >= 1 && width <= PVG_PATTERN_WIDTH_MAX);
        wide += width > 1;
    }
    pvg_rng_free(source.rng);
    const double due = (1.0 - exp(-mean)) * (double)count;
    PVGT_CHECK(fabs((double)wide - due) < 5 * sqrt(due), "%lld wide, %g due",
               (long long)wide, due);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(trees_are_uniform);
    RUN_TEST(orders_follow_their_laws);
    RUN_TEST(reference_law_has_the_published_shares);
    RUN_TEST(reference_law_has_the_published_ktrees);
    RUN_TEST(reference_law_draws_independently);
    RUN_TEST(every_small_member_is_drawn);
    RUN_TEST(every_draw_is_a_member);
    RUN_TEST(widths_of_all_graphs_are_rare_for_large_graphs);
    return pvgt_end(UNITY_END());
}
