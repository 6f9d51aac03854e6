/* derive, inside: a set of edges to which edges are added one by one.
 *
 * A list in the order they were made, lower node first, and an open hash table of what is
 * in it (linear probing, at most two thirds full). The caller makes room for both. */
#ifndef PVGI_DERIVE_PAIRS_H
#define PVGI_DERIVE_PAIRS_H

#include "graph/graph_internal.h"

#include <stdbool.h>

typedef struct pvgi_pairs {
    uint64_t *pairs;
    int64_t made;
    uint64_t *slots;   /* pairs + 1; 0: free */
    uint64_t capacity; /* of slots, the caller's */
} pvgi_pairs;

static inline uint64_t pvgi_pairs_key(int32_t u, int32_t v) {
    return u < v ? pvgi_edge_pack((uint64_t)u, (uint64_t)v)
                 : pvgi_edge_pack((uint64_t)v, (uint64_t)u);
}

/* Slots for so many pairs. */
static inline uint64_t pvgi_pairs_capacity(int64_t pairs) {
    return (uint64_t)(pairs + pairs / 2 + 16);
}

static inline uint64_t pvgi_pairs_home(const pvgi_pairs *s, uint64_t key) {
    const unsigned __int128 place =
        (unsigned __int128)(key * UINT64_C(0x9E3779B97F4A7C15)) * s->capacity;
    return (uint64_t)(place >> 64);
}

static inline uint64_t pvgi_pairs_after(const pvgi_pairs *s, uint64_t slot) {
    return slot + 1 < s->capacity ? slot + 1 : 0;
}

static inline uint64_t pvgi_pairs_slot(const pvgi_pairs *s, uint64_t key) {
    uint64_t slot = pvgi_pairs_home(s, key);
    while (s->slots[slot] != 0 && s->slots[slot] != key + 1)
        slot = pvgi_pairs_after(s, slot);
    return slot;
}

static inline bool pvgi_pairs_has(const pvgi_pairs *s, int32_t u, int32_t v) {
    return s->slots[pvgi_pairs_slot(s, pvgi_pairs_key(u, v))] != 0;
}

/* Whether the edge is new and no loop; then it is made. */
static inline bool pvgi_pairs_join(pvgi_pairs *s, int32_t u, int32_t v) {
    if (u == v) return false;
    const uint64_t key = pvgi_pairs_key(u, v), slot = pvgi_pairs_slot(s, key);
    if (s->slots[slot] != 0) return false;
    s->slots[slot] = key + 1;
    s->pairs[s->made++] = key;
    return true;
}

/* Takes a key out: what follows in its run moves up. */
static inline void pvgi_pairs_forget(pvgi_pairs *s, uint64_t key) {
    uint64_t hole = pvgi_pairs_slot(s, key), slot = hole;
    for (;;) {
        slot = pvgi_pairs_after(s, slot);
        if (s->slots[slot] == 0) break;
        const uint64_t home = pvgi_pairs_home(s, s->slots[slot] - 1);
        /* how far back around the table */
        const uint64_t from_home = slot >= home ? slot - home : slot + s->capacity - home;
        const uint64_t from_hole = slot >= hole ? slot - hole : slot + s->capacity - hole;
        if (from_home >= from_hole) {
            s->slots[hole] = s->slots[slot];
            hole = slot;
        }
    }
    s->slots[hole] = 0;
}

/* u - v, which is not in the set, in place of edge number `at`. */
static inline void pvgi_pairs_replace(pvgi_pairs *s, int64_t at, int32_t u, int32_t v) {
    const uint64_t key = pvgi_pairs_key(u, v);
    pvgi_pairs_forget(s, s->pairs[at]);
    s->slots[pvgi_pairs_slot(s, key)] = key + 1;
    s->pairs[at] = key;
}

#endif
