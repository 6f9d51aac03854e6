/* The greedy cap: which edges are walked in which order, and how many are kept.
 *
 * All pairs of nodes have a public order, by a keyed permutation of the pair: there are
 * no ties, and where an edge stood in a file does not matter. An edge is kept if both its
 * ends have kept fewer than the cap so far. Edges of different cells (classes of their
 * ends) are walked apart, each cell with counts of its own.
 *
 * Sixteen caps are walked at once, their counts side by side in one cache line of each
 * node: a walk waits for memory, not for arithmetic. */
#include "base/mix.h"
#include "statistic_internal.h"

#include <string.h>

enum { DIGIT = 11, LOW = 31, PASSES = 3, LANES = 16, AHEAD = 16 };

/* Ascending. Three digits from the top sort nearly all; what is left is moved by a few
 * places. *words may become *spare. */
static int32_t sort(uint64_t **words, uint64_t **spare, int64_t count, pvgi_run *run) {
    enum { BUCKETS = 1 << DIGIT };
    int64_t places[PASSES][BUCKETS];
    memset(places, 0, sizeof places);
    for (int64_t i = 0; i < count; i++)
        for (int pass = 0; pass < PASSES; pass++)
            places[pass][(*words)[i] >> (LOW + pass * DIGIT) & (BUCKETS - 1)]++;
    for (int pass = 0; pass < PASSES; pass++) {
        const int shift = LOW + pass * DIGIT;
        const uint64_t *from = *words;
        uint64_t *to = *spare;
        int64_t *place = places[pass], sum = 0;
        for (int b = 0; b < BUCKETS; b++) {
            const int64_t many = place[b];
            place[b] = sum;
            sum += many;
        }
        for (int64_t i = 0; i < count; i++)
            to[place[from[i] >> shift & (BUCKETS - 1)]++] = from[i];
        *spare = *words;
        *words = to;
        PVGI_TRY(pvgi_run_report(run, 0.5 * (double)(pass + 1) / PASSES));
    }
    uint64_t *w = *words;
    for (int64_t i = 1; i < count; i++) {
        const uint64_t word = w[i];
        int64_t j = i;
        for (; j > 0 && w[j - 1] > word; j--) w[j] = w[j - 1];
        w[j] = word;
    }
    return PVG_OK;
}

void pvgi_statistic_cap_drop(pvgi_cap *cap) {
    pvgi_free(cap->words);
    pvgi_free(cap->spare);
    *cap = (pvgi_cap){0};
}

int32_t pvgi_statistic_cap_order(pvgi_cap *out, const pvg_graph *graph, uint64_t key,
                                 pvgi_run *run) {
    *out = (pvgi_cap){.key = key};
    out->words = pvgi_alloc((size_t)graph->size, sizeof *out->words);
    out->spare = pvgi_alloc((size_t)graph->size, sizeof *out->spare);
    if (!out->words || !out->spare) return pvgi_fail_nomem();
    for (int64_t u = 0; u < graph->order; u++) {
        const int64_t degree = graph->offsets[u + 1] - graph->offsets[u];
        if (degree > out->degree) out->degree = degree;
        for (int64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++)
            if (graph->columns[i] > u)
                out->words[out->count++] =
                    pvgi_mix(((uint64_t)u << 32 | (uint32_t)graph->columns[i]) ^ key);
    }
    return sort(&out->words, &out->spare, out->count, run);
}

static inline void ends_of(uint32_t *u, uint32_t *v, uint64_t word, uint64_t key) {
    const uint64_t pair = pvgi_unmix(word) ^ key;
    *u = (uint32_t)(pair >> 32);
    *v = (uint32_t)pair;
}

/* --- cells ------------------------------------------------------------------------- */

int64_t pvgi_statistic_cap_rows(pvgi_cap_cells cells, int64_t classes) {
    return cells == PVGI_CAP_ALL      ? 1
           : cells == PVGI_CAP_WITHIN ? 2
                                      : classes * (classes + 1) / 2;
}

int64_t pvgi_statistic_cap_touched(pvgi_cap_cells cells, int64_t classes) {
    return cells == PVGI_CAP_ALL ? 1 : cells == PVGI_CAP_WITHIN ? 2 : classes;
}

double pvgi_statistic_cap_usual(double degree, double most) {
    const double usual = 6.0 * degree > 1.0 ? 6.0 * degree : 1.0;
    return degree > 0.0 ? (usual < most ? usual : most) : 0.0;
}

/* Blocks a <= b stand row by row: 0-0, 0-1, ..., 1-1, 1-2, .... */
int64_t pvgi_statistic_cap_cell(pvgi_cap_cells cells, int64_t classes, int32_t a,
                                int32_t b) {
    if (cells == PVGI_CAP_ALL) return 0;
    if (cells == PVGI_CAP_WITHIN) return a == b ? 0 : 1;
    const int64_t low = a < b ? a : b, high = a < b ? b : a;
    return low * classes - low * (low - 1) / 2 + high - low;
}

void pvgi_statistic_cap_split(pvgi_cap *cap, int64_t *starts, pvgi_cap_cells cells,
                              int64_t classes, const int32_t *group) {
    const int64_t rows = pvgi_statistic_cap_rows(cells, classes);
    uint32_t u, v;
    memset(starts, 0, (size_t)(rows + 1) * sizeof *starts);
    if (cells == PVGI_CAP_ALL) {
        starts[1] = cap->count;
        return;
    }
    for (int64_t i = 0; i < cap->count; i++) {
        ends_of(&u, &v, cap->words[i], cap->key);
        starts[pvgi_statistic_cap_cell(cells, classes, group[u], group[v]) + 1]++;
    }
    for (int64_t r = 0; r < rows; r++) starts[r + 1] += starts[r];
    /* places move forward: starts[r] becomes starts[r + 1], then all move back */
    for (int64_t i = 0; i < cap->count; i++) {
        ends_of(&u, &v, cap->words[i], cap->key);
        cap->spare[starts[pvgi_statistic_cap_cell(cells, classes, group[u],
                                                  group[v])]++] = cap->words[i];
    }
    memmove(starts + 1, starts, (size_t)rows * sizeof *starts);
    starts[0] = 0;
    uint64_t *other = cap->words;
    cap->words = cap->spare;
    cap->spare = other;
}

/* --- walks ------------------------------------------------------------------------- */

size_t pvgi_statistic_cap_bytes(int64_t order) {
    return pvgi_scratch_bytes((size_t)order, LANES * sizeof(int32_t));
}

/* One step of all lanes. */
static inline void step(int32_t *restrict a, int32_t *restrict b,
                        const int32_t *restrict most, int32_t *restrict sums) {
    for (int l = 0; l < LANES; l++) {
        const int32_t kept = (a[l] < most[l]) & (b[l] < most[l]);
        a[l] += kept;
        b[l] += kept;
        sums[l] += kept;
    }
}

static int32_t walk(int64_t out[LANES], const pvgi_cap *cap, int64_t first, int64_t end,
                    const int32_t most[LANES], int32_t *counts, pvgi_run *run) {
    for (int l = 0; l < LANES; l++) out[l] = 0;
    while (first < end) { /* sums of a part fit into 32 bits */
        const int64_t stop = end - first > 1 << 18 ? first + (1 << 18) : end;
        int32_t sums[LANES] = {0};
        for (int64_t i = first; i < stop; i++) {
            uint32_t u, v;
            if (i + AHEAD < end) {
                ends_of(&u, &v, cap->words[i + AHEAD], cap->key);
                __builtin_prefetch(counts + (size_t)u * LANES, 1);
                __builtin_prefetch(counts + (size_t)v * LANES, 1);
            }
            ends_of(&u, &v, cap->words[i], cap->key);
            step(counts + (size_t)u * LANES, counts + (size_t)v * LANES, most, sums);
        }
        for (int l = 0; l < LANES; l++) out[l] += sums[l];
        first = stop;
        PVGI_TRY(pvgi_run_report(run, 0.0));
    }
    return PVG_OK;
}

/* Counts back to zero: of few edges, their ends alone. */
static void clear(const pvgi_cap *cap, int64_t first, int64_t end, int64_t order,
                  int32_t *counts) {
    if (end - first > order / 4) {
        memset(counts, 0, (size_t)order * LANES * sizeof *counts);
        return;
    }
    for (int64_t i = first; i < end; i++) {
        uint32_t u, v;
        ends_of(&u, &v, cap->words[i], cap->key);
        memset(counts + (size_t)u * LANES, 0, LANES * sizeof *counts);
        memset(counts + (size_t)v * LANES, 0, LANES * sizeof *counts);
    }
}

int32_t pvgi_statistic_cap_kept(int64_t *out, const pvgi_cap *cap, int64_t first,
                                int64_t end, const int64_t *caps, int64_t count,
                                int64_t order, int32_t *counts, pvgi_run *run) {
    int64_t needed = 0;
    /* from the largest degree on nothing is lost */
    while (needed < count && caps[needed] < cap->degree) needed++;
    for (int64_t i = needed; i < count; i++) out[i] = end - first;
    for (int64_t i = 0; i < needed; i += LANES) {
        int32_t most[LANES] = {0};
        int64_t kept[LANES];
        const int64_t many = needed - i < LANES ? needed - i : LANES;
        for (int64_t l = 0; l < many; l++) most[l] = (int32_t)caps[i + l];
        PVGI_TRY(walk(kept, cap, first, end, most, counts, run));
        clear(cap, first, end, order, counts);
        memcpy(out + i, kept, (size_t)many * sizeof *out);
        PVGI_TRY(pvgi_run_report(run, 0.5 + 0.5 * (double)i / (double)needed));
    }
    return PVG_OK;
}

void pvgi_statistic_cap_degrees(int32_t *kept, const pvgi_cap *cap, int64_t most,
                                int64_t order) {
    memset(kept, 0, (size_t)order * sizeof *kept);
    for (int64_t i = 0; i < cap->count; i++) {
        uint32_t u, v;
        ends_of(&u, &v, cap->words[i], cap->key);
        if (kept[u] >= most || kept[v] >= most) continue;
        kept[u]++;
        kept[v]++;
    }
}

/* --- candidates -------------------------------------------------------------------- */

int64_t pvgi_statistic_cap_list(int64_t out[PVGI_PICK_MAX], int64_t most) {
    int64_t count = 0;
    if (most < 1) most = 1;
    for (int64_t cap = 2; cap < most; cap += cap / 2) out[count++] = cap;
    out[count++] = most;
    return count;
}
