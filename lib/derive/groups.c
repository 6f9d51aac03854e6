/* Groups of nodes of like degree that spend a share of their stubs on one another.
 *
 * The affinity blocks of BTER (Kolda, Pinar, Plantenga, Seshadhri 2014), but with an edge
 * using up two stubs, so that degrees stay as they are, and with full groups of few stubs
 * instead of thin ones of all: the same triangles from fewer edges, and nodes of small
 * degree keep stubs for hubs. Groups have no node in common, so no pair comes up twice
 * and triangles are counted group by group, as they are filled: O(pairs of a group +
 * triangles in it), far less than a whole wiring. */
#include "loom.h"

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

/* A number of mean 0 and deviation 1, about normal. */
static double spread(pvgi_stream *stream) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) sum += pvgi_rng_draw_unit(stream) - 0.5;
    return 2.0 * sum;
}

static void fill_keys(keyed *all, pvgi_loom *j) {
    const pvgi_wiring *w = j->w;
    for (int64_t v = 0; v < w->order; v++) {
        const double k = (double)j->inside[v];
        all[j->members[w->block[v]]++] =
            (keyed){k > 0.0 ? log(k) + j->mixing * spread(&j->stream) : -1e9, (int32_t)v};
    }
    for (int64_t a = w->blocks; a > 0; a--) j->members[a] = j->members[a - 1];
    j->members[0] = 0;
}

int32_t pvgi_derive_sort(pvgi_loom *j) {
    const pvgi_wiring *w = j->w;
    keyed *all = pvgi_alloc((size_t)w->order, sizeof *all);
    if (!all) return pvgi_fail_nomem();
    j->share = -1.0;
    pvgi_rng_stream_open_chunk(&j->stream, j->call, 2);
    fill_keys(all, j);
    pvgi_rng_stream_close(&j->stream);
    for (int64_t a = 0; a < w->blocks; a++)
        qsort(all + j->members[a], (size_t)(j->members[a + 1] - j->members[a]),
              sizeof *all, ascending);
    for (int64_t v = 0; v < w->order; v++) j->sorted[v] = all[v].node;
    pvgi_free(all);
    return PVG_OK;
}

/* Triangles that node i closes: its list of earlier members against theirs. If it is
 * joined to the first few and no others, these are the edges among them. */
static int64_t closed_by(pvgi_loom *j, int64_t i) {
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

/* Joins all pairs of one group as long as both have stubs to spend. */
static int64_t fill_group(pvgi_loom *j, const int32_t *nodes, int64_t count) {
    int64_t found = 0, many = 0;
    for (int64_t i = 0; i < count; i++) {
        const int32_t u = nodes[i];
        j->places[i] = many;
        for (int64_t k = 0; k < i && j->quota[u] > 0; k++) {
            const int32_t v = nodes[k];
            if (j->quota[v] == 0) continue;
            j->dealt[many++] = (int32_t)k;
            j->set.pairs[j->set.made++] = pvgi_pairs_key(u, v);
            j->quota[u]--;
            j->quota[v]--;
            j->unused[u]--;
            j->unused[v]--;
        }
        j->places[i + 1] = many;
        found += closed_by(j, i);
    }
    return found;
}

/* Groups from the node with the most stubs down: it and about as many as it has stubs.
 * Nodes with one stub inside are left out: they are in no triangle. */
static int64_t group_block(pvgi_loom *j, int64_t a) {
    const int64_t begin = j->members[a];
    int64_t last = j->members[a + 1], found = 0;
    while (last > begin) {
        /* members from the middle of what the group would be decide its size */
        int64_t size = j->quota[j->sorted[last - 1]] + 1;
        for (int round = 0; round < 2; round++) {
            int64_t middle = last - 1 - size / 2;
            if (middle < begin) middle = begin;
            size = j->quota[j->sorted[middle]] + 1;
        }
        if (size < 3) {
            last--;
            continue;
        }
        const int64_t first = last - size < begin ? begin : last - size;
        found += fill_group(j, j->sorted + first, last - first);
        last = first;
    }
    return found;
}

void pvgi_derive_group(pvgi_loom *j, double share) {
    const pvgi_wiring *w = j->w;
    int64_t found = 0;
    if (share == j->share) return; /* they are there */
    j->share = share;
    j->set.made = 0;
    memcpy(j->unused, j->inside, (size_t)w->order * sizeof *j->unused);
    for (int64_t v = 0; v < w->order; v++)
        j->quota[v] = (int32_t)(share * (double)j->inside[v] + (double)j->dither[v]);
    if (share <= 0.0) memset(j->quota, 0, (size_t)w->order * sizeof *j->quota);
    for (int64_t a = 0; a < w->blocks; a++) {
        j->grouped[a] = j->set.made;
        found += group_block(j, a);
        j->grouped[a + 1] = j->set.made;
    }
    j->within = (double)found;
}
