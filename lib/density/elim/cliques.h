/* Cliques by sets of bits, all sizes of a plan in one pass.
 *
 * Nodes are numbered by falling degree, so that no node has more neighbours before it
 * than c, the root of the arcs; or, where large cliques make up for the time, by falling
 * core: then c is the degeneracy of the host. A clique is found once, at its last node u:
 * the neighbours before u are at most c places, the edges among them are rows of c bits,
 * and a clique grows by intersecting rows, c / 64 words at a time. hom(K_k) is k! times
 * the sum over cliques of the product of the weights (nodes merged into one are not
 * joined, so a clique takes at most one of them). O(n c^(k-1) / 64) at worst; for
 * triangles alone marks do, O(sum over arcs of the list before their end).
 *
 * Products of two sums of weights are below 2^62 and taken in integers; above, sums are
 * nested, so that a term passes through at most n additions per node of the clique.
 * Included by elim/kernel.h, which says what VALUE, MULTIPLY and ADD are. */

#define TRIANGLES_START int32_t
#include "density/triangles.h"
#undef TRIANGLES_START

enum { CLIQUE_CHUNKS = 256, CLIQUE_SIZES = PVGI_ELIM_LEVELS + 1 };

/* Numbering by core is done by one thread: cliques of so many nodes, in hosts of fewer
 * arcs, or so many neighbours before a node, are worth it. */
enum { CORE_SIZE = 6, CORE_ARCS = 1 << 20, CORE_WIDTH = 4096 };

/* A hand writes to lines of its own: threads that share one wait for each other. */
enum { CLIQUE_LINE = 64 };

typedef struct {
    _Alignas(CLIQUE_LINE) bool overflow; /* what MULTIPLY and ADD look for */
    bool unit;                           /* all weights at hand are 1 */
    int32_t *place;      /* of the neighbours before u, from 1 on; 0: none */
    const int32_t *node; /* at each place, from 0 on */
    uint8_t *mark;       /* of the neighbours before u, for triangles */
    uint64_t *row;       /* words for each place */
    uint64_t *set;       /* candidates, words per depth */
    int64_t work;        /* since the last look whether to stop */
    uint32_t worker;
    double part;    /* of the host that is done where the chunk begins */
    int32_t status; /* not PVG_OK: all is to stop */
} clique_hand;

typedef struct {
    VALUE sum[CLIQUE_SIZES];
    bool bad[CLIQUE_SIZES];
} clique_sum;

typedef struct {
    join *now;
    pvgi_elim_sorted host;
    int32_t order, largest, least; /* sizes asked for */
    uint32_t wanted;               /* bits of these */
    bool unit;                     /* no merged nodes */
    int32_t chunks, first[CLIQUE_CHUNKS + 1];
    size_t words; /* of a row */
    pvgi_elim_edges edges;
    clique_sum *sums;
    clique_hand *hands;
    _Atomic bool stop;
} clique_job;

static void note_clique(clique_hand *hand, bool *bad, int32_t from, int32_t to) {
    if (!hand->overflow) return;
    for (int32_t k = from; k <= to; k++) bad[k] = true;
    hand->overflow = false;
}

static uint64_t weight_at(const clique_hand *hand, const clique_job *job, int32_t place) {
    return hand->unit ? 1 : (uint64_t)job->host.weight[hand->node[place]];
}

/* Sum of the weights in a, or in what a and b have in common. */
static uint64_t weigh(const clique_hand *hand, const clique_job *job, const uint64_t *a,
                      const uint64_t *b, int32_t words) {
    uint64_t sum = 0;
    if (hand->unit) {
        for (int32_t i = 0; i < words; i++)
            sum += (uint64_t)__builtin_popcountll(b ? a[i] & b[i] : a[i]);
        return sum;
    }
    for (int32_t i = 0; i < words; i++)
        for (uint64_t left = b ? a[i] & b[i] : a[i]; left; left &= left - 1)
            sum += weight_at(hand, job, 64 * i + __builtin_ctzll(left));
    return sum;
}

/* sum[k] = sum over cliques of k - found candidates of the product of their weights, for
 * found < k <= largest, if k is wanted: what a clique of `found` nodes grows to. Places
 * before a place only are in its row. */
static void grow_clique(clique_hand *hand, clique_job *job, VALUE *sum, bool *bad,
                        int32_t found, const uint64_t *set, int32_t words) {
    const int32_t largest = job->largest;
    sum[found + 1] = 0;
    if (job->wanted >> (found + 1) & 1)
        sum[found + 1] = (VALUE)weigh(hand, job, set, NULL, words);
    for (int32_t k = found + 2; k <= largest; k++) sum[k] = 0;
    if (found + 1 == largest) return;
    /* each candidate with all others, word by word */
    hand->work += words * (found + 2 == largest ? 8 * words : 1);
    hand->status =
        hand->status != PVG_OK
            ? hand->status
            : spend_shared(job->now, &job->stop, hand->worker, hand->part, &hand->work);
    if (hand->status != PVG_OK) return;
    uint64_t pairs = 0, *next = hand->set + (size_t)found * job->words;
    if (found + 2 == largest && hand->unit) {
        sum[largest] = (VALUE)job->edges(set, words, hand->row, job->words);
        return;
    }
    for (int32_t i = 0; i < words; i++)
        for (uint64_t left = set[i]; left; left &= left - 1) {
            const int32_t x = 64 * i + __builtin_ctzll(left);
            const uint64_t *row = hand->row + (size_t)x * job->words;
            const uint64_t weight = weight_at(hand, job, x);
            if (found + 2 == largest) {
                pairs += weight * weigh(hand, job, set, row, i + 1);
                continue;
            }
            uint64_t any = 0;
            for (int32_t j = 0; j <= i; j++) any |= next[j] = set[j] & row[j];
            if (!any) continue;
            VALUE below[CLIQUE_SIZES];
            grow_clique(hand, job, below, bad, found + 1, next, i + 1);
            if (hand->status != PVG_OK) return;
            for (int32_t k = found + 2; k <= largest; k++) {
                sum[k] = ADD(hand, sum[k], MULTIPLY(hand, below[k], (VALUE)weight));
                note_clique(hand, bad, k, k);
            }
        }
    if (found + 2 == largest) sum[largest] = (VALUE)pairs;
}

/* The neighbours before u and the edges among them. */
static int32_t open_places(clique_hand *hand, const clique_job *job, int32_t u) {
    const int32_t *start = job->host.start, *column = job->host.column;
    const int32_t count = start[u + 1] - start[u], words = (count + 63) / 64;
    hand->node = column + start[u];
    hand->unit = true;
    for (int32_t i = 0; i < count; i++) {
        hand->place[hand->node[i]] = i + 1;
        hand->unit = hand->unit && job->host.weight[hand->node[i]] == 1;
    }
    for (int32_t i = 0; i < count; i++) {
        uint64_t *row = hand->row + (size_t)i * job->words;
        const int32_t v = hand->node[i];
        memset(row, 0, (size_t)words * sizeof *row);
        for (int32_t j = start[v]; j < start[v + 1]; j++) {
            const int32_t place = hand->place[column[j]];
            if (place > 0) row[(place - 1) / 64] |= (uint64_t)1 << ((place - 1) % 64);
        }
    }
    return words;
}

static void close_places(clique_hand *hand, int32_t count) {
    for (int32_t i = 0; i < count; i++) hand->place[hand->node[i]] = 0;
}

/* Pairs of neighbours before u that are joined, by weight. */
static uint64_t close_triangles(clique_hand *hand, const clique_job *job, int32_t u) {
    const int32_t *start = job->host.start, *column = job->host.column;
    const int32_t *weight = job->host.weight, count = start[u + 1] - start[u];
    const int32_t *node = column + start[u];
    uint64_t pairs = 0;
    if (job->unit) return mark_triangles(hand->mark, start, column, u, start[job->order]);
    for (int32_t i = 0; i < count; i++) hand->place[node[i]] = weight[node[i]];
    for (int32_t i = 0; i < count; i++) {
        uint64_t common = 0;
        for (int32_t j = start[node[i]]; j < start[node[i] + 1]; j++)
            common += (uint64_t)hand->place[column[j]];
        pairs += common * (uint64_t)weight[node[i]];
    }
    for (int32_t i = 0; i < count; i++) hand->place[node[i]] = 0;
    return pairs;
}

static void add_node(clique_hand *hand, clique_job *job, int32_t u, clique_sum *to) {
    const int32_t count = job->host.start[u + 1] - job->host.start[u];
    VALUE grown[CLIQUE_SIZES] = {0};
    if (count + 1 < job->least) return; /* it is the last node of none */
    if (job->largest == 3) {
        grown[3] = (VALUE)close_triangles(hand, job, u);
        hand->work += 8 * count;
    } else {
        const int32_t words = open_places(hand, job, u);
        uint64_t *all = hand->set;
        memset(all, 0xff, (size_t)words * sizeof *all);
        if (count % 64) all[words - 1] >>= 64 - count % 64;
        grow_clique(hand, job, grown, to->bad, 1, all, words);
        close_places(hand, count);
    }
    for (int32_t k = 3; k <= job->largest; k++) {
        const VALUE more = MULTIPLY(hand, grown[k], (VALUE)job->host.weight[u]);
        to->sum[k] = ADD(hand, to->sum[k], more);
        note_clique(hand, to->bad, k, k);
    }
}

static int32_t run_cliques(void *context, int64_t chunk, uint32_t worker) {
    clique_job *job = context;
    clique_sum *sum = &job->sums[chunk];
    clique_hand *hand = &job->hands[worker];
    memset(sum, 0, sizeof *sum);
    hand->worker = worker;
    hand->part = (double)chunk / (double)job->chunks;
    if (!job->now->scratch->crew) PVGI_TRY(report(job->now, hand->part));
    for (int32_t u = job->first[chunk]; u < job->first[chunk + 1]; u++) {
        add_node(hand, job, u, sum);
        if (hand->status == PVG_OK)
            hand->status =
                spend_shared(job->now, &job->stop, worker, hand->part, &hand->work);
        PVGI_TRY(hand->status);
    }
    return PVG_OK;
}

/* About as much work in each chunk. */
static void cut_nodes(clique_job *job) {
    const int32_t *start = job->host.start;
    double all = 0;
    for (int32_t pass = 0; pass < 2; pass++) {
        double sum = 0;
        job->chunks = 0;
        job->first[0] = 0;
        for (int32_t u = 0; u < job->order; u++) {
            const double count = start[u + 1] - start[u];
            sum += 8 + count;
            for (int32_t i = start[u]; i < start[u + 1] && job->largest > 3; i++)
                sum += start[job->host.column[i] + 1] - start[job->host.column[i]];
            for (int32_t k = 4; k <= job->largest; k++) sum += count * count;
            if (pass == 0 || sum * CLIQUE_CHUNKS < all ||
                job->chunks + 1 == CLIQUE_CHUNKS)
                continue;
            job->first[++job->chunks] = u + 1;
            sum = 0;
        }
        all = sum;
    }
    if (job->first[job->chunks] < job->order) job->first[++job->chunks] = job->order;
}

static int32_t reserve_hands(clique_job *job) {
    pvgi_elim_scratch *scratch = job->now->scratch;
    const size_t nodes = (size_t)job->order, width = (size_t)job->host.width;
    const uint32_t hands = pvgi_density_elim_hands(scratch, job->chunks);
    job->words = (width + 63) / 64;
    const bool marks = job->largest == 3 && job->unit;
    const size_t bits = job->largest > 3 /* words of a hand, whole lines */
                            ? (job->words * (width + (size_t)job->largest) | 7) + 1
                            : 0;
    const size_t place_bytes =
        (nodes * (marks ? sizeof(uint8_t) : sizeof(int32_t)) | (CLIQUE_LINE - 1)) + 1;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row,
                                    CLIQUE_CHUNKS * sizeof *job->sums +
                                        hands * (sizeof *job->hands + bits * 8)));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->touched, hands * place_bytes));
    job->sums = scratch->row.data;
    job->hands = (clique_hand *)(job->sums + CLIQUE_CHUNKS);
    uint64_t *words = (uint64_t *)(job->hands + hands);
    uint8_t *places = scratch->touched.data;
    memset(places, 0, hands * place_bytes);
    memset(words, 0, hands * bits * sizeof *words);
    for (uint32_t i = 0; i < hands; i++, words += bits, places += place_bytes)
        job->hands[i] = (clique_hand){.mark = places,
                                      .place = marks ? NULL : (int32_t *)(void *)places,
                                      .row = words,
                                      .set = words + job->words * width};
    return PVG_OK;
}

static int32_t number_nodes(clique_job *job) {
    pvgi_elim_scratch *scratch = job->now->scratch;
    bool cores = job->largest >= CORE_SIZE && scratch->reduced.arcs < CORE_ARCS;
    if (!cores) {
        PVGI_TRY(pvgi_density_elim_orient(&job->host, scratch, job->largest > 3));
        cores = job->largest > 3 && job->host.width > CORE_WIDTH;
    }
    return cores ? pvgi_density_elim_sort_cores(&job->host, scratch) : PVG_OK;
}

/* Where arcs in cliques were listed for other patterns, these alone are looked at. */
static int32_t open_cliques(clique_job *job) {
    pvgi_elim_reduced *host = &job->now->scratch->reduced;
    const pvgi_elim_reduced whole = *host;
    if (job->now->plan->general && host->clique >= 3) {
        const pvgi_elim_table *arcs =
            &job->now->scratch
                 ->table[job->least > 3 && host->clique > 3 ? PVGI_ELIM_EDGE4
                                                            : PVGI_ELIM_EDGE3];
        host->start = arcs->start;
        host->column = arcs->column[1];
        host->arcs = (int32_t)arcs->count;
    }
    const int32_t status = number_nodes(job);
    *host = whole;
    return status;
}

/* count[k] = hom(K_k, host) for 3 <= k <= largest, if k is in the plan. */
static int32_t count_cliques(join *now, VALUE *count, bool *bad, int32_t largest) {
    clique_job job = {
        .now = now, .order = now->order, .largest = largest, .least = largest};
    for (int64_t i = 0; i < now->plan->count; i++) {
        const pvgi_elim_pattern *pattern = &now->plan->pattern[i];
        if (pattern->kind != PVGI_ELIM_CLIQUE) continue;
        job.wanted |= (uint32_t)1 << pattern->order;
        if (pattern->order < job.least) job.least = pattern->order;
    }
    for (int32_t k = 0; k <= largest; k++) count[k] = 0, bad[k] = false;
    job.edges = pvgi_density_elim_edges(pvgi_cpu_level());
    job.unit = true;
    for (int32_t u = 0; u < now->order; u++)
        job.unit = job.unit && now->scratch->reduced.weight[u] == 1;
    PVGI_TRY(open_cliques(&job));
    cut_nodes(&job);
    PVGI_TRY(reserve_hands(&job));
    PVGI_TRY(pvgi_density_elim_fork(now->scratch, job.chunks, run_cliques, &job,
                                    now->reached, now->share));
    for (int32_t i = 0; i < job.chunks; i++)
        for (int32_t k = 3; k <= largest; k++) {
            bad[k] = bad[k] || job.sums[i].bad[k];
            count[k] = ADD(now, count[k], job.sums[i].sum[k]);
            note_overflow(now, bad, k, k);
        }
    VALUE factorial = 2;
    for (int32_t k = 3; k <= largest; k++) {
        factorial = factorial * (VALUE)k;
        count[k] = MULTIPLY(now, count[k], factorial);
        note_overflow(now, bad, k, k);
    }
    return PVG_OK;
}
