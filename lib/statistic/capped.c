/* Edges kept by the greedy cap: a number that a whole node moves by at most the cap.
 *
 * All pairs of nodes have a public order, by a keyed permutation of the pair. The edges
 * are walked in it, and one is kept if both its ends have kept fewer than `cap` so far.
 * If a node loses all its edges, at most `cap` fewer are kept, and never more: so two
 * graphs that differ in one node, whatever its edges are, differ by at most `cap`
 * (docs/privacy/proofs/statistic.md, capped edges). That rests on the order being the
 * same in both worlds: it may depend on the key and the numbers of the nodes only.
 * O(edges) time, 16 bytes for each edge, taken after paying. */
#include "base/mix.h"
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGIT = 11, DIGITS = 6 }; /* of 64 bits */

typedef struct {
    int64_t cap;
    uint64_t key;
    pvgi_joint law;
} state;

typedef struct {
    int64_t cap, key; /* 0: not given */
} settings;

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    (void)statistic, (void)run;
    return pvgi_room_bytes((size_t)order, sizeof(int64_t));
}

/* Ascending, by digits from the lowest; *words may become *spare. */
static int32_t sort(uint64_t **words, uint64_t **spare, int64_t count, pvgi_run *run) {
    enum { BUCKETS = 1 << DIGIT };
    int64_t places[BUCKETS];
    for (int pass = 0; pass < DIGITS; pass++) {
        const int shift = pass * DIGIT;
        const uint64_t *from = *words;
        uint64_t *to = *spare;
        int64_t sum = 0;
        memset(places, 0, sizeof places);
        for (int64_t i = 0; i < count; i++) places[from[i] >> shift & (BUCKETS - 1)]++;
        for (int b = 0; b < BUCKETS; b++) {
            const int64_t many = places[b];
            places[b] = sum;
            sum += many;
        }
        for (int64_t i = 0; i < count; i++)
            to[places[from[i] >> shift & (BUCKETS - 1)]++] = from[i];
        *spare = *words;
        *words = to;
        PVGI_TRY(pvgi_run_report(run, (double)(pass + 1) / (DIGITS + 1)));
    }
    return PVG_OK;
}

static int64_t walk(const uint64_t *words, int64_t count, uint64_t key, int64_t cap,
                    int64_t *kept) {
    int64_t edges = 0;
    for (int64_t i = 0; i < count; i++) {
        const uint64_t pair = pvgi_unmix(words[i]) ^ key;
        const uint32_t u = (uint32_t)(pair >> 32), v = (uint32_t)pair;
        if (kept[u] >= cap || kept[v] >= cap) continue;
        kept[u]++;
        kept[v]++;
        edges++;
    }
    return edges;
}

static int32_t count_kept(int64_t *out, const state *s, const pvg_graph *graph,
                          pvgi_room *room, pvgi_run *run) {
    int64_t *kept = pvgi_statistic_take_zero(room, (size_t)graph->order, sizeof *kept);
    uint64_t *words = pvgi_alloc((size_t)graph->size, sizeof *words);
    uint64_t *spare = pvgi_alloc((size_t)graph->size, sizeof *spare);
    int32_t status = words && spare ? PVG_OK : pvgi_fail_nomem();
    if (!kept) status = PVG_E_INTERNAL;
    int64_t count = 0;
    for (int64_t u = 0; u < graph->order && status == PVG_OK; u++)
        for (int64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++)
            if (graph->columns[i] > u)
                words[count++] =
                    pvgi_mix(((uint64_t)u << 32 | (uint32_t)graph->columns[i]) ^ s->key);
    if (status == PVG_OK) status = sort(&words, &spare, count, run);
    if (status == PVG_OK) *out = walk(words, count, s->key, s->cap, kept);
    pvgi_free(words);
    pvgi_free(spare);
    return status;
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_room *room, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    int64_t edges = 0, noise = 0;
    PVGI_TRY(count_kept(&edges, s, graph, room, run));
    if (call) {
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, 0);
        pvgi_mechanism_joint_noise(&noise, 1, &s->law, &stream);
        pvgi_rng_stream_close(&stream);
    }
    *out = (double)(edges + noise);
    return PVG_OK;
}

static void deviation(double *out, const pvg_statistic *statistic) {
    *out = pvgi_mechanism_joint_deviation(&((const state *)statistic->state)->law);
}

/* At most cap / 2 edges for each node. */
static double most(const state *s, double order) {
    const double degree = order - 1.0 < (double)s->cap ? order - 1.0 : (double)s->cap;
    return 0.5 * order * degree;
}

static void plan(pvgi_tradeoff_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, int64_t common, double times) {
    const state *s = statistic->state;
    (void)column, (void)common;
    *out =
        (pvgi_tradeoff_point){.range = most(s, (double)order),
                              .change = (double)s->cap,
                              .noise = pvgi_mechanism_joint_deviation_at(&s->law, times)};
}

static void label(char out[PVGI_TRADEOFF_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    (void)statistic, (void)column;
    snprintf(out, PVGI_TRADEOFF_LABEL, "capped-edges");
}

static const pvgi_statistic_kind kind = {.word = "capped-edges",
                                         .bytes = bytes,
                                         .draw = draw,
                                         .deviation = deviation,
                                         .plan = plan,
                                         .label = label};

static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double n = statistic->order > 0 ? (double)statistic->order : (double)INFINITY;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = 1,
                          .name = "capped-edges",
                          .unit = "edges that are kept",
                          .noise = pvgi_statistic_noise_word(s->law.noise)});
    pvgi_guarantee_columns_law(c, &s->law, 0.0, most(s, n));
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

static void promise(pvg_guarantee *g, const state *s, const pvg_target *target,
                    int64_t order) {
    g->notion = PVG_NOTION_NODE;
    g->spent = s->law.spent;
    g->delta = target->delta;
    g->noise = pvgi_statistic_noise_word(s->law.noise);
    g->sensitivity = (double)s->cap;
    g->scale = s->law.scale;
    g->order = order;
    g->claim = "release.capped-edges";
    pvgi_guarantee_premise(g, PVGI_PREMISE_NODES);
    pvgi_guarantee_premise(g, "cap and key were chosen without looking at edges");
}

static int32_t make(void **out, const char *name, void *settings_block,
                    const struct pvg_arguments *arguments, const pvg_target *target,
                    const pvg_run *run) {
    const settings *c = settings_block;
    const pvg_joint_config joint = {.size = sizeof joint,
                                    .dimension = 1,
                                    .l1 = (double)c->cap,
                                    .l2 = (double)c->cap,
                                    .grid = 1.0};
    const pvg_guarantee empty = {0};
    pvg_statistic *made;
    pvg_target own;
    (void)arguments, (void)run;
    PVGI_TRY(pvgi_statistic_target(&own, name, target,
                                   1u << PVG_NOISE_LAPLACE | 1u << PVG_NOISE_GAUSSIAN |
                                       1u << PVG_NOISE_DISCRETE_GAUSSIAN));
    PVGI_REQUIRE(c->cap >= 1, "%s: cap must be given: the most edges kept of a node",
                 name);
    PVGI_TRY(pvgi_statistic_make(&made, &kind, &own, &empty, sizeof(state)));
    state *s = made->state;
    s->cap = c->cap;
    s->key = pvgi_mix((uint64_t)c->key);
    made->rows = made->columns = 1;
    int32_t status = pvgi_mechanism_joint(&s->law, name, &joint, &own);
    PVGI_TRY(pvgi_statistic_kept(made, status));
    promise(&made->guarantee, s, &own, 0);
    status = describe(made);
    PVGI_TRY(pvgi_statistic_kept(made, status));
    *out = made;
    return PVG_OK;
}

static const pvgi_option options[] = {
    PVGI_OPTION(settings, cap, 1, INT32_MAX, PVGI_CLOSED,
                "in [1, 2^31): it must be given", "cap", 0,
                "most edges that are kept of a node; noise grows with it"),
    PVGI_OPTION(settings, key, 0, 0x1p53, PVGI_CLOSED, "in [0, 2^53]", "key", 0,
                "of the public order in which edges are walked"),
    PVGI_OPTION_END};

const pvgi_kind pvgi_statistic_kind_capped = {
    .kind = "capped-edges",
    .says = "How many edges a greedy cap on degrees keeps: hides a whole node",
    .claim = "release.capped-edges",
    .frame = PVGI_FRAME_NUMBERS,
    .reads = PVGI_PART_EDGES,
    .notions = 1u << PVG_NOTION_NODE,
    .laws = 1u << PVG_NOISE_LAPLACE | 1u << PVG_NOISE_GAUSSIAN |
            1u << PVG_NOISE_DISCRETE_GAUSSIAN,
    .law = PVG_NOISE_LAPLACE,
    .gives = 1, /* numbers */
    .can = PVGI_CAN_SETS,
    .options = options,
    .bytes = sizeof(settings),
    .make = make};
