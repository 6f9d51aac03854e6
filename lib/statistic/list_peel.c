/* The K things of largest count, in order, by K rounds of the exponential mechanism
 * without replacement: each round chooses among those that are left with weight
 * e^(r count). One draw of Gumbel noise of scale 1 / r on every count, the K largest in
 * order, has the same law; this one is made of integers.
 *
 * A round: with the largest count m that is left, thing i is d_i = m - count_i away and
 * has weight e^(-r d_i). It lies in slice b = floor(r d_i), all beyond the last slice in
 * that one. A slice is proposed with chance in proportion to members e^-b, a member of it
 * uniformly, and kept with chance e^-(r d_i - b), which is a fraction and decided exactly
 * (pvgi_rng_draw_bernoulli_exp). Outside the last slice that is at least 1/e. e^-b is
 * known to 2^-237, members are below 2^31: the choice of a slice is off by less than
 * 2^-190, which is the only thing that is not exact.
 *
 * Things are held in descending order of their counts, so that a slice is a range that
 * bisection finds. Taking one out moves those before it. */
#include "statistic_internal.h"

#include <string.h>

enum { SLICES = 40 }; /* 2^31 e^-39 < 2^-25: the last one is hardly ever proposed */

typedef unsigned __int128 wide;

/* By digits from the lowest, so that things of equal counts stay in order. */
void pvgi_statistic_list_sort(int32_t *order, int32_t *spare, const int64_t *counts,
                              int64_t things) {
    enum { DIGIT = 11, BUCKETS = 1 << DIGIT };
    int64_t places[BUCKETS], most = 0;
    for (int64_t t = 0; t < things; t++) {
        order[t] = (int32_t)t;
        if (counts[t] > most) most = counts[t];
    }
    for (int shift = 0; shift < 63 && most >> shift > 0; shift += DIGIT) {
        int64_t sum = 0;
        memset(places, 0, sizeof places);
        for (int64_t i = 0; i < things; i++)
            places[counts[order[i]] >> shift & (BUCKETS - 1)]++;
        for (int b = BUCKETS - 1; b >= 0; b--) {
            const int64_t many = places[b];
            places[b] = sum;
            sum += many;
        }
        for (int64_t i = 0; i < things; i++)
            spare[places[counts[order[i]] >> shift & (BUCKETS - 1)]++] = order[i];
        memcpy(order, spare, (size_t)things * sizeof *order);
    }
    pvgi_wipe(places, sizeof places);
}

typedef struct {
    const int64_t *counts;
    const int32_t *order; /* those that are left, descending */
    int64_t left;
    int64_t numerator, denominator;
    pvgi_fixed weight[SLICES]; /* e^-b */
    int64_t ends[SLICES];      /* of slices, in order */
    pvgi_fixed sums[SLICES];   /* of members times weights, up to here */
} race;

/* First place whose distance is at least b / r. */
static int64_t slice_end(const race *r, int64_t b) {
    const int64_t most = r->counts[r->order[0]];
    int64_t low = 0, high = r->left;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const wide away = (wide)(most - r->counts[r->order[middle]]);
        if (away * (wide)r->denominator >= (wide)b * (wide)r->numerator)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Slices and their weights, for what is left. */
static void cut(race *r) {
    pvgi_fixed sum = {{0}};
    for (int64_t b = 0; b < SLICES; b++) {
        r->ends[b] = b + 1 < SLICES ? slice_end(r, b + 1) : r->left;
        const int64_t members = r->ends[b] - (b > 0 ? r->ends[b - 1] : 0);
        const pvgi_fixed many = {{(uint64_t)members}};
        const pvgi_fixed part = pvgi_rng_fixed_mul(&many, &r->weight[b]);
        sum = pvgi_rng_fixed_add(&sum, &part);
        r->sums[b] = sum;
    }
}

/* A slice, in proportion to its members times e^-b. */
static int64_t draw_slice(const race *r, pvgi_stream *stream) {
    uint64_t mask = 1;
    while (mask < r->sums[SLICES - 1].limb[0]) mask = mask << 1 | 1;
    for (;;) {
        pvgi_fixed u;
        for (int i = 0; i < PVGI_FIXED_LIMBS; i++)
            u.limb[i] = pvgi_rng_stream_word(stream);
        u.limb[0] &= mask;
        for (int64_t b = 0; b < SLICES; b++)
            if (pvgi_rng_fixed_compare(&u, &r->sums[b], 64 * (PVGI_FIXED_LIMBS - 1)) < 0)
                return b;
    }
}

/* The place of the one that is chosen. */
static int64_t draw_place(race *r, int64_t *trials, pvgi_stream *stream) {
    cut(r);
    for (;;) {
        const int64_t b = draw_slice(r, stream);
        const int64_t first = b > 0 ? r->ends[b - 1] : 0;
        const int64_t place =
            first + (int64_t)pvgi_rng_draw_below(stream, (uint64_t)(r->ends[b] - first));
        wide rest = (wide)(r->counts[r->order[0]] - r->counts[r->order[place]]) *
                        (wide)r->denominator -
                    (wide)b * (wide)r->numerator;
        bool keep = true;
        if (trials) ++*trials;
        /* in parts of at most 1: all must be kept */
        for (; keep && rest > (wide)r->numerator; rest -= (wide)r->numerator)
            keep = pvgi_rng_draw_bernoulli_exp(stream, 1, 1);
        if (keep &&
            pvgi_rng_draw_bernoulli_exp(stream, (uint64_t)rest, (uint64_t)r->numerator))
            return place;
    }
}

void pvgi_statistic_peel(int32_t *out, int64_t rounds, const int64_t *counts,
                         int64_t things, int64_t numerator, int64_t denominator,
                         int32_t *scratch, int64_t *trials, pvgi_stream *stream) {
    race r = {.counts = counts,
              .left = things,
              .numerator = numerator,
              .denominator = denominator};
    pvgi_statistic_list_sort(scratch, scratch + things, counts, things);
    const pvgi_fixed one = {{1}}, inverse = pvgi_rng_fixed_exp_neg(&one);
    r.weight[0] = one; /* each further product adds less to the error than it takes off */
    for (int64_t b = 1; b < SLICES; b++)
        r.weight[b] = pvgi_rng_fixed_mul(&r.weight[b - 1], &inverse);
    for (int64_t k = 0; k < rounds; k++, scratch++, r.left--) {
        r.order = scratch;
        const int64_t place = draw_place(&r, trials, stream);
        out[k] = scratch[place];
        memmove(scratch + 1, scratch, (size_t)place * sizeof *scratch);
    }
}
