/* Groups of nodes of like degree that spend a share of their stubs on one another.
 *
 * The affinity blocks of BTER (Kolda, Pinar, Plantenga, Seshadhri 2014), but with an edge
 * using up two stubs, so that degrees stay as they are, and with full groups of few stubs
 * instead of thin ones of all: the same triangles from fewer edges, and nodes of small
 * degree keep stubs for hubs. A group begins with the node of the most stubs that is in
 * none yet; the others are of the blocks that this node's block has edges to, in
 * proportion to these, and no two blocks are joined more often than was released. Groups
 * have no node in common, so no pair comes up twice and triangles are counted group by
 * group, as they are filled: O(pairs of a group + triangles in it), far less than a whole
 * wiring. */
#include "configuration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double key;
    int32_t node;
} keyed;

static int ascending(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

static int by_rank(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* A number of mean 0 and deviation 1, about normal. */
static double spread(pvgi_stream *stream) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) sum += pvgi_rng_draw_unit(stream) - 0.5;
    return 2.0 * sum;
}

int32_t pvgi_derive_sort(pvgi_configuration *j) {
    const pvgi_wiring *w = j->w;
    keyed *all = pvgi_alloc((size_t)w->order, sizeof *all);
    if (!all) return pvgi_fail_nomem();
    j->share = -1.0;
    pvgi_rng_stream_open_chunk(&j->stream, j->call, 2);
    for (int64_t v = 0; v < w->order; v++) {
        const double k = (double)w->degrees[v];
        all[v] =
            (keyed){k > 0.0 ? log(k) + j->mixing * spread(&j->stream) : -1e9, (int32_t)v};
    }
    pvgi_rng_stream_close(&j->stream);
    qsort(all, (size_t)w->order, sizeof *all, ascending);
    for (int64_t i = 0; i < w->order; i++) {
        const int32_t v = all[i].node;
        j->ranked[i] = v;
        j->rank[v] = (int32_t)i;
        j->sorted[j->members[w->block[v]]++] = v;
    }
    for (int64_t a = w->blocks; a > 0; a--) j->members[a] = j->members[a - 1];
    j->members[0] = 0;
    pvgi_free(all);
    return PVG_OK;
}

/* Triangles that node i closes: its list of earlier members against theirs. If it is
 * joined to the first few and no others, these are the edges among them. */
static int64_t closed_by(pvgi_configuration *j, int64_t i) {
    const int32_t *links = j->dealt;
    const int64_t many = j->places[i + 1] - j->places[i];
    int64_t found = 0;
    if (many == 0 || links[j->places[i + 1] - 1] == many - 1) return j->places[many];
    for (int64_t p = j->places[i]; p < j->places[i + 1]; p++) j->marks[links[p]] = 1;
    for (int64_t p = j->places[i]; p < j->places[i + 1]; p++) {
        const int32_t k = links[p];
        for (int64_t q = j->places[k]; q < j->places[k + 1]; q++)
            found += j->marks[links[q]];
    }
    for (int64_t p = j->places[i]; p < j->places[i + 1]; p++) j->marks[links[p]] = 0;
    return found;
}

/* One edge less to be made between the blocks of u and v; whether there was one. */
static bool take(pvgi_configuration *j, int32_t u, int32_t v) {
    const pvgi_wiring *w = j->w;
    const int64_t a = w->block[u], b = w->block[v];
    int64_t *open = &j->open[a * w->blocks + b];
    if (*open == 0) return false;
    --*open;
    if (a != b) j->open[b * w->blocks + a]--;
    return true;
}

/* Joins all pairs of one group, given by ranks, as long as both have stubs to spend. */
static int64_t fill_group(pvgi_configuration *j, const int32_t *ranks, int64_t count) {
    int64_t found = 0, many = 0;
    for (int64_t i = 0; i < count; i++) {
        const int32_t u = j->ranked[ranks[i]];
        j->places[i] = many;
        for (int64_t k = 0; k < i && j->quota[u] > 0; k++) {
            const int32_t v = j->ranked[ranks[k]];
            if (j->quota[v] == 0 || !take(j, u, v)) continue;
            j->dealt[many++] = (int32_t)k;
            j->set.pairs[j->set.made++] = pvgi_pairs_key(u, v);
            j->quota[u]--;
            j->quota[v]--;
            j->unused[u]--;
            j->unused[v]--;
        }
        j->places[i + 1] = many;
        found += closed_by(j, i);
        j->done += i;
        if (pvgi_loom_stopped(j)) return found;
    }
    return found;
}

/* The block at that place among all stubs of block a, by where they lead. */
static int64_t block_at(const pvgi_configuration *j, int64_t a, int64_t place) {
    const int64_t *flow = j->flows + a * j->w->blocks; /* up to and with each block */
    int64_t low = 0, high = j->w->blocks - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (flow[middle] <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The group of a node, which is the last of its block that is in none: ranks, ascending;
 * how many. last: of each block, where those begin that are in one. */
static int64_t gather_group(pvgi_configuration *j, int32_t seed, int64_t size,
                            int64_t *last) {
    const int64_t a = j->w->block[seed], blocks = j->w->blocks;
    const int64_t all = j->flows[a * blocks + blocks - 1];
    int64_t many = 0;
    j->team[many++] = j->rank[seed];
    last[a]--;
    for (int64_t i = 1; i < size && all > 0; i++) {
        /* evenly spaced, the seed's own block first: sums of shares over groups of one
         * block are as released but for rounding, which the dither spreads */
        const double at = ((double)i - (double)j->dither[seed]) / (double)(size - 1);
        const int64_t b =
            blocks == 1 ? 0 : block_at(j, a, (int64_t)(at * (double)all * 0.999999));
        if (last[b] > j->members[b]) j->team[many++] = j->rank[j->sorted[--last[b]]];
    }
    qsort(j->team, (size_t)many, sizeof *j->team, by_rank);
    return many;
}

/* Groups from the node with the most stubs down: it and about as many as it has stubs.
 * Nodes with one stub to spend are left out: they are in no triangle. */
static int64_t group_all(pvgi_configuration *j) {
    const pvgi_wiring *w = j->w;
    int64_t *last = j->last, found = 0;
    for (int64_t a = 0; a < w->blocks; a++) last[a] = j->members[a + 1];
    for (int64_t at = w->order - 1; at >= 0; at--) {
        const int32_t v = j->ranked[at];
        const int64_t a = w->block[v];
        if (j->status != PVG_OK) break;
        if (last[a] == j->members[a] || j->sorted[last[a] - 1] != v) continue; /* taken */
        /* members from the middle of what the group would be decide its size */
        int64_t size = j->quota[v] + 1;
        for (int round = 0; round < 2; round++) {
            const int64_t middle = at - size / 2;
            size = j->quota[j->ranked[middle < 0 ? 0 : middle]] + 1;
        }
        if (size < 3)
            last[a]--;
        else
            found += fill_group(j, j->team, gather_group(j, v, size, last));
    }
    return found;
}

void pvgi_derive_group(pvgi_configuration *j, double share) {
    const pvgi_wiring *w = j->w;
    if (share == j->share) return; /* they are there */
    j->share = share;
    j->set.made = 0;
    memcpy(j->open, w->between, (size_t)(w->blocks * w->blocks) * sizeof *j->open);
    for (int64_t v = 0; v < w->order; v++) {
        j->unused[v] = (int32_t)w->degrees[v];
        j->quota[v] = (int32_t)(share * (double)w->degrees[v] + (double)j->dither[v]);
    }
    if (share <= 0.0) memset(j->quota, 0, (size_t)w->order * sizeof *j->quota);
    j->within = (double)group_all(j);
    j->grouped = j->set.made;
}
