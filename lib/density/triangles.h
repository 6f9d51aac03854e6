/* Triangles at their last node, for hosts whose places are 32 or 64 bits wide. Included
 * with TRIANGLES_START, the type of those.
 *
 * Node u lists the neighbours before it in an order by falling degree: it marks them, and
 * every one of them looks its own list up. O(sum over arcs of the list before their end),
 * at most m^1.5. Marks are bytes: most are of nodes with many neighbours, the first, and
 * stay in the cache. Lists are all over the memory: those of the next neighbours, of u or
 * of the nodes after it, are asked for in time. */

static uint64_t mark_triangles(uint8_t *mark, const TRIANGLES_START *start,
                               const int32_t *column, int32_t u, TRIANGLES_START all) {
    enum { LISTS_AHEAD = 8 };
    const TRIANGLES_START end = start[u + 1];
    uint64_t pairs = 0;
    for (TRIANGLES_START i = start[u]; i < end; i++) mark[column[i]] = 1;
    for (TRIANGLES_START i = start[u]; i < end; i++) {
        const int32_t *at = column + start[column[i]];
        const int32_t *last = column + start[column[i] + 1];
        uint32_t even = 0, odd = 0;
        if (i + 2 * LISTS_AHEAD < all) {
            const int32_t *next = column + start[column[i + LISTS_AHEAD]];
            __builtin_prefetch(&start[column[i + 2 * LISTS_AHEAD]]);
            __builtin_prefetch(next);
            __builtin_prefetch(next + 16);
        }
        for (; last - at >= 2; at += 2) {
            even += mark[at[0]];
            odd += mark[at[1]];
        }
        if (at < last) even += mark[*at];
        pairs += even + odd;
    }
    for (TRIANGLES_START i = start[u]; i < end; i++) mark[column[i]] = 0;
    return pairs;
}
