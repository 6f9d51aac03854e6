/* Edge-set LDP entry by entry: each entry u of a list becomes a node s with chance
 * Q(s | u), and the list is sorted, so that nobody can tell which entry became which.
 *
 * Certificate: eps(Q) = max over s of ln(max_u Q(s|u) / min_u Q(s|u)). P(multiset | list)
 * is a sum over arrangements of products of Q; replacing one entry changes one factor of
 * each.
 *
 * Block kernel: the block i of u is left with chance lie_i; then another block is drawn
 * uniformly and a node in it, or a node outside i uniformly (by size). Inside i the node
 * is answered by k-ary response with eps_n. One block: k-ary response over all nodes. All
 * chances are multiples of 2^-64 divided by integers; the certificate is computed from
 * them, O(blocks), and eps_b is found by bisection on it. Similarity kernel: see
 * similarity.c. O(1) for an entry, and sorting. */
#include "slots.h"

#include <math.h>
#include <string.h>

/* --- block kernel ---------------------------------------------------------------- */

/* lie_i for eps_b, in 2^-64: e^eps_b against the other blocks, or nodes outside. */
static void set_lies(pvgi_blocks *b, double epsilon) {
    for (int64_t i = 0; i < b->count; i++) {
        const double inside =
            b->by_size ? (double)(b->starts[i + 1] - b->starts[i]) : 1.0;
        const double outside =
            b->by_size ? (double)b->order - inside : (double)b->count - 1.0;
        const double lie = outside / (exp(epsilon) * inside + outside);
        b->lie[i] = b->count > 1 ? (uint64_t)(lie * 0x1p64) : 0;
    }
}

/* The largest and the smallest over all blocks but one. */
typedef struct {
    long double first, second;
    int64_t at;
} extreme;

static void meet(extreme *e, long double value, int64_t at, long double sign) {
    if (sign * value > sign * e->first) {
        e->second = e->first;
        e->first = value;
        e->at = at;
    } else if (sign * value > sign * e->second) {
        e->second = value;
    }
}

/* Chances to answer the truth, and any other node of the block, once the block stays. */
static void inside_chances(const pvgi_blocks *b, int64_t i, long double *keep,
                           long double *other) {
    const int64_t size = b->starts[i + 1] - b->starts[i];
    const long double node = ldexpl((long double)b->node_lie[i], -64);
    const bool uniform = b->node_lie[i] == 0;
    *keep = uniform ? 1.0L / (long double)size : 1.0L - node;
    *other = size == 1 ? *keep : uniform ? *keep : node / (long double)(size - 1);
}

double pvgi_perturb_blocks_epsilon(const pvgi_blocks *b) {
    extreme most = {0.0L, 0.0L, -1}, least = {INFINITY, INFINITY, -1};
    long double worst = 1.0L;
    for (int64_t i = 0; i < b->count && b->count > 1; i++) {
        const long double lie = ldexpl((long double)b->lie[i], -64);
        const int64_t outside = b->order - (b->starts[i + 1] - b->starts[i]);
        const long double off = lie / (long double)(b->by_size ? outside : b->count - 1);
        meet(&most, off, i, 1.0L);
        meet(&least, off, i, -1.0L);
    }
    for (int64_t j = 0; j < b->count; j++) {
        const int64_t size = b->starts[j + 1] - b->starts[j];
        long double keep, other, high, low;
        inside_chances(b, j, &keep, &other);
        const long double stay = 1.0L - ldexpl((long double)b->lie[j], -64);
        high = stay * fmaxl(keep, other);
        low = stay * fminl(keep, other);
        if (b->count > 1) {
            const long double share = b->by_size ? 1.0L : (long double)size;
            high = fmaxl(high, (most.at == j ? most.second : most.first) / share);
            low = fminl(low, (least.at == j ? least.second : least.first) / share);
        }
        worst = fmaxl(worst, high / low);
    }
    /* a few roundings of long doubles, and that to a double */
    return (double)(logl(worst) * (1.0L + 0x1p-52L) + 0x1p-58L);
}

/* The largest eps_b whose certificate is at most epsilon; false if there is none. */
bool pvgi_perturb_blocks_calibrate(pvgi_blocks *b, double epsilon) {
    double low = 0.0, high = epsilon < 40.0 ? epsilon : 40.0;
    set_lies(b, high);
    if (pvgi_perturb_blocks_epsilon(b) <= epsilon) return true;
    for (int step = 0; step < 60; step++) {
        const double middle = 0.5 * (low + high);
        set_lies(b, middle);
        if (pvgi_perturb_blocks_epsilon(b) <= epsilon)
            low = middle;
        else
            high = middle;
    }
    set_lies(b, low);
    return pvgi_perturb_blocks_epsilon(b) <= epsilon;
}

static int32_t draw_in_block(const pvgi_blocks *b, int32_t node, pvgi_stream *stream) {
    const int64_t i = b->block[node], start = b->starts[i];
    const int64_t size = b->starts[i + 1] - start;
    if (b->count > 1 && pvgi_rng_draw_chance(stream, b->lie[i], 0)) {
        if (b->by_size) {
            const int64_t at =
                (int64_t)pvgi_rng_draw_below(stream, (uint64_t)(b->order - size));
            return b->nodes[at < start ? at : at + size];
        }
        int64_t j = (int64_t)pvgi_rng_draw_below(stream, (uint64_t)b->count - 1);
        if (j >= i) j++;
        const uint64_t width = (uint64_t)(b->starts[j + 1] - b->starts[j]);
        return b->nodes[b->starts[j] + (int64_t)pvgi_rng_draw_below(stream, width)];
    }
    if (size == 1) return node;
    const uint64_t rank = (uint64_t)b->rank[node];
    return b->nodes[start + (int64_t)pvgi_perturb_respond(
                                stream, rank, (uint64_t)size - 1, b->node_lie[i])];
}

void pvgi_perturb_blocks_free(pvgi_blocks *b) {
    pvgi_free(b->block);
    pvgi_free(b->rank);
    pvgi_free(b->nodes);
    pvgi_free(b->starts);
    pvgi_free(b->lie);
    pvgi_free(b->node_lie);
    *b = (pvgi_blocks){0};
}

/* Nodes by block, in the order of block numbers; numbers nobody has are left out. */
int32_t pvgi_perturb_blocks_make(pvgi_blocks *b, const int32_t *blocks, int64_t order,
                                 double node_epsilon, bool by_size) {
    int32_t most = 0;
    for (int64_t v = 0; v < order && blocks; v++)
        most = blocks[v] > most ? blocks[v] : most;
    *b = (pvgi_blocks){.order = order, .by_size = by_size};
    int64_t *names = pvgi_alloc_zero((size_t)most + 1, sizeof *names);
    b->block = pvgi_alloc((size_t)order, sizeof *b->block);
    b->rank = pvgi_alloc((size_t)order, sizeof *b->rank);
    b->nodes = pvgi_alloc((size_t)order, sizeof *b->nodes);
    if (!names || !b->block || !b->rank || !b->nodes) goto no_memory;
    for (int64_t v = 0; v < order; v++) names[blocks ? blocks[v] : 0] = 1;
    for (int32_t i = 0; i <= most; i++) names[i] = names[i] ? b->count++ : -1;
    b->starts = pvgi_alloc_zero((size_t)b->count + 2, sizeof *b->starts);
    b->lie = pvgi_alloc_zero((size_t)b->count, sizeof *b->lie);
    b->node_lie = pvgi_alloc_zero((size_t)b->count, sizeof *b->node_lie);
    if (!b->starts || !b->lie || !b->node_lie) goto no_memory;
    for (int64_t v = 0; v < order; v++) {
        b->block[v] = (int32_t)names[blocks ? blocks[v] : 0];
        b->starts[b->block[v] + 2]++;
    }
    for (int64_t i = 0; i < b->count; i++) b->starts[i + 2] += b->starts[i + 1];
    for (int64_t v = 0; v < order; v++) /* starts[i + 1] walks to where block i ends */
        b->nodes[b->starts[b->block[v] + 1]++] = (int32_t)v;
    for (int64_t at = 0; at < order; at++)
        b->rank[b->nodes[at]] = (int32_t)(at - b->starts[b->block[b->nodes[at]]]);
    for (int64_t i = 0; i < b->count; i++) {
        const int64_t size = b->starts[i + 1] - b->starts[i];
        if (size > 1)
            b->node_lie[i] = pvgi_perturb_lie_threshold(node_epsilon, (uint64_t)size - 1);
    }
    pvgi_free(names);
    return PVG_OK;
no_memory:
    pvgi_free(names);
    pvgi_perturb_blocks_free(b);
    return pvgi_fail_nomem();
}

/* --- lists ----------------------------------------------------------------------- */

typedef struct {
    const pvg_graph *graph;
    const pvgi_slots *s;
} job;

/* Public post-processing of one sorted list: drops repeats and the user, and draws nodes
 * for them that are not in the list. */
static int32_t settle_repeats(pvgi_gather *out, int64_t before, int64_t node,
                              const job *j, pvgi_stream *stream) {
    const int64_t length = out->count - before;
    int32_t *list = out->targets + before;
    int64_t used = 0;
    for (int64_t i = 0; i < length; i++)
        if (list[i] != node && (used == 0 || list[used - 1] != list[i]))
            list[used++] = list[i];
    out->count = before + used;
    const int64_t missing = length - used;
    if (j->s->repeats == PVG_SLOTS_REPEATS_DROP || missing == 0) return PVG_OK;
    int32_t *scratch = pvgi_alloc((size_t)(used + 1 + missing), sizeof *scratch);
    if (!scratch) return pvgi_fail_nomem();
    memcpy(scratch, list, (size_t)used * sizeof *scratch);
    scratch[used] = (int32_t)node;
    pvgi_graph_row_sort(scratch, used + 1);
    int32_t *fresh = scratch + used + 1;
    int32_t status =
        pvgi_perturb_choose(fresh, missing, j->graph->order - used - 1, stream);
    if (status == PVG_OK) {
        pvgi_perturb_pass_over(fresh, missing, scratch, used + 1);
        memcpy(list + used, fresh, (size_t)missing * sizeof *list);
        out->count = before + length;
        pvgi_graph_row_sort(list, length);
    }
    pvgi_free(scratch);
    return status;
}

static int32_t draw_row(pvgi_gather *out, const void *context, int64_t node,
                        pvgi_stream *stream) {
    const job *j = context;
    const int64_t before = out->count;
    int64_t length;
    const int32_t *row = pvgi_perturb_row(
        j->graph, node, j->s->lists == PVG_LISTS_OWNED ? node + 1 : 0, &length);
    if (length == 0) return PVG_OK; /* nor may there be a block */
    for (int64_t i = 0; i < length; i++)
        PVGI_TRY(pvgi_perturb_gather_add(
            out, j->s->table ? pvgi_perturb_similar_draw(j->s, row[i], stream)
                             : draw_in_block(&j->s->blocks, row[i], stream)));
    pvgi_graph_row_sort(out->targets + before, length);
    if (j->s->repeats == PVG_SLOTS_REPEATS_KEEP) return PVG_OK;
    return settle_repeats(out, before, node, j, stream);
}

/* --- the method ------------------------------------------------------------------ */

static int32_t check(const pvg_perturber *perturber, const pvgi_perturb_input *input,
                     const pvgi_run *run, const char *function) {
    const pvgi_slots *s = perturber->state;
    (void)run;
    PVGI_REQUIRE(input->graph->order == s->order,
                 "%s: the perturber is for graphs of %lld nodes", function,
                 (long long)s->order);
    return PVG_OK;
}

static int32_t draw(pvgi_content *out, const pvg_perturber *perturber,
                    const pvgi_perturb_input *input, const pvgi_stream *call,
                    pvgi_run *run) {
    const job j = {input->graph, perturber->state};
    return pvgi_perturb_gather(&out->lists, input->graph->order, draw_row, &j, call, run);
}

static void drop(void *state) {
    pvgi_slots *s = state;
    pvgi_perturb_blocks_free(&s->blocks);
    pvgi_free(s->table);
}

/* Over all nodes. A kernel that prefers blocks or similar nodes tells at most what one
 * answer of two can. */
static pvgi_perturb_number number(const pvg_perturber *perturber, int64_t line,
                                  int64_t order) {
    const pvgi_slots *s = perturber->state;
    const bool uniform = !s->table && s->blocks.count == 1;
    return pvgi_perturb_entry_number(
        pvgi_perturb_lists_budget(s->lists, perturber->guarantee.spent.epsilon),
        uniform ? (double)order - 1.0 : 1.0, line, order);
}

static const pvgi_perturb_method method = {.input = PVG_PERTURBS_GRAPH,
                                           .check = check,
                                           .draw = draw,
                                           .drop = drop,
                                           .number = number,
                                           .one = "an entry",
                                           .all = "users who name a node"};

/* An empty perturber whose guarantee is filled in. */
static int32_t begin(pvg_perturber **out, const pvg_slots_config *config,
                     const pvg_target *target, const char *noise) {
    pvg_guarantee guarantee =
        pvgi_perturb_lists_promise(config->lists, target, noise, "perturb.slots");
    if (config->kernel != PVG_SLOTS_KERNEL_UNIFORM)
        pvgi_guarantee_assumption(
            &guarantee, "the %s are public, or were released and charged for",
            config->kernel == PVG_SLOTS_KERNEL_BLOCKS ? "blocks" : "similarities");
    PVGI_TRY(pvgi_perturb_make(out, &method, target, &guarantee, sizeof(pvgi_slots)));
    pvgi_slots *s = (*out)->state;
    s->lists = config->lists;
    s->repeats = config->repeats;
    s->order = config->order;
    (*out)->order = config->order;
    return PVG_OK;
}

/* Ends it with what the kernel really spends on a list; 0: all it may. */
static int32_t finish(pvg_perturber **out, int32_t status, double certificate) {
    if (status != PVG_OK) {
        pvgi_perturb_free(*out);
        *out = NULL;
    } else if (certificate > 0.0) {
        const pvgi_slots *s = (*out)->state;
        pvgi_perturb_lists_spend(&(*out)->guarantee, s->lists, certificate);
    }
    return status;
}

int32_t pvgi_perturb_slots_new(pvg_perturber **out, const pvg_slots_config *config,
                               const pvg_target *target, const int32_t *blocks,
                               const char *function) {
    const bool uniform = config->kernel == PVG_SLOTS_KERNEL_UNIFORM;
    const double each = pvgi_perturb_lists_budget(config->lists, target->epsilon);
    const double node_epsilon = uniform ? each : config->node_epsilon;
    PVGI_TRY(begin(out, config, target,
                   uniform ? "k-ary randomised response over all nodes, entries sorted"
                           : "randomised response over blocks of nodes, entries sorted"));
    pvgi_blocks *b = &((pvgi_slots *)(*out)->state)->blocks;
    int32_t status = pvgi_perturb_blocks_make(b, uniform ? NULL : blocks, config->order,
                                              node_epsilon, config->by_size != 0);
    if (status == PVG_OK && !pvgi_perturb_blocks_calibrate(b, each) && !uniform)
        status = pvgi_fail(PVG_E_PRIVACY,
                           "%s: no chance to leave a block meets epsilon with "
                           "node-epsilon",
                           function);
    /* k-ary response is rounded to the sound side itself: within the target */
    return finish(out, status,
                  status == PVG_OK && !uniform ? pvgi_perturb_blocks_epsilon(b) : 0.0);
}

int32_t pvgi_perturb_similar_new(pvg_perturber **out, const pvg_slots_config *config,
                                 const pvg_target *target, const double *similarities) {
    double certificate = 0.0;
    PVGI_TRY(
        begin(out, config, target, "nodes drawn by exp(eta similarity), entries sorted"));
    pvgi_slots *s = (*out)->state;
    const int32_t status = pvgi_perturb_similar_make(
        s, &certificate, similarities,
        pvgi_perturb_lists_budget(config->lists, target->epsilon));
    return finish(out, status, certificate);
}
