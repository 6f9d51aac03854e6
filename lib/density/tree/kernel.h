/* Trees, the inner loops: panels of 4 or 8 columns, one row per node, so that a neighbour
 * costs one or two vector loads whatever the column; columns elsewhere, so that products
 * run along nodes. 4 x 4 transposes in registers lead from one form to the other.
 *
 * Written once with vectors of four numbers, and compiled once per instruction set: every
 * path does the same additions in the same order. A lane of a panel is a column; in sums
 * over nodes lane i holds the nodes that are i modulo 4.
 *
 * The file that includes this defines
 *   ELEMENT   type of a number of 8 bytes, in memory that is declared as doubles
 *   INTEGERS  whether that is an integer
 *   SELECT    name of the function at the end */
#include "density/density_internal.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

typedef ELEMENT quad __attribute__((vector_size(32), may_alias));
typedef ELEMENT pair __attribute__((vector_size(16), may_alias));
typedef ELEMENT element __attribute__((may_alias));

#define LANES(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#define AT(pointer)      (*(const quad *)(pointer))
#define PUT(pointer)     (*(quad *)(pointer))

/* Rows r0..r3 become columns. */
#define TRANSPOSE(r0, r1, r2, r3)                                                        \
    do {                                                                                 \
        const quad low01 = LANES(r0, r1, 0, 4, 2, 6),                                    \
                   high01 = LANES(r0, r1, 1, 5, 3, 7);                                   \
        const quad low23 = LANES(r2, r3, 0, 4, 2, 6),                                    \
                   high23 = LANES(r2, r3, 1, 5, 3, 7);                                   \
        (r0) = LANES(low01, low23, 0, 1, 4, 5);                                          \
        (r1) = LANES(high01, high23, 0, 1, 4, 5);                                        \
        (r2) = LANES(low01, low23, 2, 3, 6, 7);                                          \
        (r3) = LANES(high01, high23, 2, 3, 6, 7);                                        \
    } while (0)

enum {
    AHEAD = 24, /* neighbours to prefetch in a large graph */
    SLACK = 8   /* entries of zeros that any slice may have */
};

INLINE void multiply_body(double *to, const double *a, const double *b, int64_t nodes) {
    int64_t i = 0;
    for (; i + 8 <= nodes; i += 8) {
        PUT(to + i) = AT(a + i) * AT(b + i);
        PUT(to + i + 4) = AT(a + i + 4) * AT(b + i + 4);
    }
    if (i < nodes) PUT(to + i) = AT(a + i) * AT(b + i);
}

/* Panels with one or two columns use no more of their rows. */
INLINE void load_one(double *rows, const double *a, const double *b, int64_t nodes) {
    element *row = (element *)rows;
    for (int64_t i = 0; i < nodes; i += 4, row += 16) {
        const quad x = AT(a + i) * AT(b + i);
        for (int32_t j = 0; j < 4; j++) row[4 * j] = x[j];
    }
}

INLINE void load_two(double *rows, const double *const *a, const double *const *b,
                     int64_t nodes) {
    const double *a0 = a[0], *a1 = a[1], *b0 = b[0], *b1 = b[1];
    for (int64_t i = 0; i < nodes; i += 4, rows += 16) {
        const quad x0 = AT(a0 + i) * AT(b0 + i), x1 = AT(a1 + i) * AT(b1 + i);
        *(pair *)rows = LANES(x0, x1, 0, 4);
        *(pair *)(rows + 4) = LANES(x0, x1, 1, 5);
        *(pair *)(rows + 8) = LANES(x0, x1, 2, 6);
        *(pair *)(rows + 12) = LANES(x0, x1, 3, 7);
    }
}

INLINE void load_body(double *rows, const int64_t stride, const int64_t half,
                      const int32_t width, const double *const *a, const double *const *b,
                      int64_t nodes) {
    for (int32_t h = 0; h < width; h += 4) {
        const double *a0 = a[h], *a1 = a[h + 1], *a2 = a[h + 2], *a3 = a[h + 3];
        const double *b0 = b[h], *b1 = b[h + 1], *b2 = b[h + 2], *b3 = b[h + 3];
        double *row = h == 0 ? rows : rows + half;
        for (int64_t i = 0; i < nodes; i += 4, row += 4 * stride) {
            quad x0 = AT(a0 + i) * AT(b0 + i), x1 = AT(a1 + i) * AT(b1 + i);
            quad x2 = AT(a2 + i) * AT(b2 + i), x3 = AT(a3 + i) * AT(b3 + i);
            TRANSPOSE(x0, x1, x2, x3);
            PUT(row) = x0;
            PUT(row + stride) = x1;
            PUT(row + 2 * stride) = x2;
            PUT(row + 3 * stride) = x3;
        }
    }
}

/* --- cutting a block ------------------------------------------------------------ */

typedef int32_t four __attribute__((vector_size(16), aligned(4), may_alias));
typedef int64_t long_four __attribute__((vector_size(32), aligned(8), may_alias));

/* Degrees of four nodes. */
INLINE void put_degrees(double *degrees, const int64_t *offsets) {
    const long_four degree =
        *(const long_four *)(offsets + 1) - *(const long_four *)offsets;
    if (INTEGERS) {
        *(long_four *)degrees = degree;
    } else { /* as the low bits of 2^52 + degree; a graph has fewer than 2^31 nodes */
        typedef double doubles __attribute__((vector_size(32), may_alias));
        const doubles shift = {0x1p52, 0x1p52, 0x1p52, 0x1p52};
        *(doubles *)degrees = (doubles)((long_four)shift | degree) - shift;
    }
}

/* Four lists of at most PVGI_SHORT entries, filled up with the row of zeros. whole: as
 * many columns may be read from each offset on. */
INLINE void cut_short(uint32_t *to, const int64_t *offsets, const int32_t *columns,
                      const int32_t base, const int32_t zero, const bool whole) {
    static const four real[PVGI_SHORT + 1] = {
        {0}, {-1}, {-1, -1}, {-1, -1, -1}, {-1, -1, -1, -1}}; /* by degree */
    for (int32_t j = 0; j < 4; j++) {
        const int64_t degree = offsets[j + 1] - offsets[j];
        four list = {0};
        if (whole)
            list = *(const four *)(columns + offsets[j]);
        else
            for (int64_t k = 0; k < degree; k++) list[k] = columns[offsets[j] + k];
        const four mask = real[degree];
        *(four *)(to + PVGI_SHORT * j) =
            ((4 * (list - base)) & mask) | (4 * zero & ~mask);
    }
}

/* Four lists of `length` entries, entry k of list j at 4 k + j. */
INLINE void cut_even(uint32_t *to, const int64_t *offsets, const int32_t *columns,
                     const int32_t base, const int32_t zero, int64_t length) {
    for (int64_t j = 0; j < 4; j++) {
        const int32_t *list = columns + offsets[j];
        const int64_t degree = offsets[j + 1] - offsets[j];
        int64_t k = 0;
        for (; k < degree; k++) to[4 * k + j] = 4 * (uint32_t)(list[k] - base);
        for (; k < length; k++) to[4 * k + j] = 4 * (uint32_t)zero;
    }
}

INLINE int64_t longest(const int64_t *offsets) {
    const int64_t a = offsets[1] - offsets[0], b = offsets[2] - offsets[1];
    const int64_t c = offsets[3] - offsets[2], d = offsets[4] - offsets[3];
    const int64_t ab = a > b ? a : b, cd = c > d ? c : d;
    return ab > cd ? ab : cd;
}

INLINE void cut_body(double *degrees, pvgi_tree_cut *cut) {
    const int64_t end = cut->end - PVGI_SHORT, order = cut->order, padded = cut->padded;
    const int64_t *from = cut->offsets;
    const int32_t *columns = cut->columns, base = (int32_t)cut->base;
    const int32_t zero = (int32_t)padded;
    uint32_t *entries = cut->entries;
    uint32_t *even = cut->entries + PVGI_SHORT * padded;
    int64_t count[PVGI_CLASSES] = {0}, near[5];
    for (int64_t i = 0; i < padded; i += 4, from += 4, entries += 4 * PVGI_SHORT) {
        const int64_t *offsets = from;
        if (i + 4 > order) { /* nodes beyond the last have no neighbours */
            for (int64_t j = 0; j < 5; j++) near[j] = from[i + j < order ? j : order - i];
            offsets = near;
        }
        int64_t most = longest(offsets);
        put_degrees(degrees + i, offsets);
        if (most <= PVGI_SHORT) {
            if (offsets[3] <= end)
                cut_short(entries, offsets, columns, base, zero, true);
            else
                cut_short(entries, offsets, columns, base, zero, false);
        } else if (most < PVGI_LONG &&
                   4 * most <= 2 * (offsets[4] - offsets[0]) + SLACK) {
            cut->even[i / 4] = (int32_t)(even - cut->entries);
            cut_even(even, offsets, columns, base, zero, most);
            even += 4 * most;
        } else {
            most = PVGI_LONG;
        }
        cut->list[most][count[most]++] = (int32_t)i;
    }
    memcpy(cut->count, count, sizeof count);
}

/* --- sums over neighbours ------------------------------------------------------- */

/* Row of entry k of a list; entries count from `base`. */
#define ROW(k) (rows + (int64_t)(list[k] - base) * stride)

/* out[0..width) = sum of the rows of a list. `soon` entries from the start of the list on
 * may be prefetched. */
INLINE void sum_list(double *out, const double *rows, const int64_t stride,
                     const int64_t half, const int32_t width, const int32_t *list,
                     const int64_t base, int64_t length, int64_t soon) {
    quad low0 = {0}, low1 = {0}, low2 = {0}, low3 = {0};
    quad high0 = {0}, high1 = {0}, high2 = {0}, high3 = {0};
    int64_t k = 0;
    if (length >= PVGI_LONG)
        for (; k + 4 <= length; k += 4) {
            if (k + AHEAD + 4 <= soon) {
                __builtin_prefetch(ROW(k + AHEAD));
                __builtin_prefetch(ROW(k + AHEAD + 1));
                __builtin_prefetch(ROW(k + AHEAD + 2));
                __builtin_prefetch(ROW(k + AHEAD + 3));
            }
            low0 += AT(ROW(k));
            low1 += AT(ROW(k + 1));
            low2 += AT(ROW(k + 2));
            low3 += AT(ROW(k + 3));
            if (width == 8) {
                high0 += AT(ROW(k) + half);
                high1 += AT(ROW(k + 1) + half);
                high2 += AT(ROW(k + 2) + half);
                high3 += AT(ROW(k + 3) + half);
            }
        }
    for (; k < length; k++) {
        if (k + AHEAD < soon) __builtin_prefetch(ROW(k + AHEAD));
        low0 += AT(ROW(k));
        if (width == 8) high0 += AT(ROW(k) + half);
    }
    PUT(out) = (low0 + low1) + (low2 + low3);
    if (width == 8) PUT(out + 4) = (high0 + high1) + (high2 + high3);
}

/* Writes four finished rows as columns at position i. */
INLINE void put_columns(double *const *to, int64_t i, const double *sums,
                        const int32_t width) {
    for (int32_t h = 0; h < width; h += 4) {
        quad x0 = AT(sums + h), x1 = AT(sums + width + h);
        quad x2 = AT(sums + 2 * width + h), x3 = AT(sums + 3 * width + h);
        TRANSPOSE(x0, x1, x2, x3);
        PUT(to[h] + i) = x0;
        PUT(to[h + 1] + i) = x1;
        PUT(to[h + 2] + i) = x2;
        PUT(to[h + 3] + i) = x3;
    }
}

/* Nodes node .. node + 3 of a host, whose sums go to position i. end: of what may be
 * prefetched. */
INLINE void spread_lists(double *const *to, int64_t i, const double *rows,
                         const int64_t stride, const int64_t half, const int32_t width,
                         const pvgi_host *host, int64_t node, int64_t end) {
    const int64_t *offsets = host->offsets + host->base;
    double sums[4 * PVGI_PANEL] __attribute__((aligned(32)));
    for (int64_t j = 0; j < 4; j++) {
        const bool real = node + j < host->order;
        const int64_t start = real ? offsets[node + j] : 0;
        sum_list(sums + j * width, rows, stride, half, width, host->columns + start,
                 host->base, real ? offsets[node + j + 1] - start : 0, end - start);
    }
    put_columns(to, i, sums, width);
}

/* The rows of entry k of the four lists of a slice. */
#define ROWS(k)                                                                          \
    const double *r0 = rows + list[next * (k)], *r1 = rows + list[next * (k) + apart],   \
                 *r2 = rows + list[next * (k) + 2 * apart],                              \
                 *r3 = rows + list[next * (k) + 3 * apart]

/* Four lists of the same length, all sums in registers. Entry k of list j is at
 * next k + apart j. */
INLINE void spread_four(double *const *to, int64_t i, const double *rows,
                        const int64_t half, const int32_t width, const uint32_t *list,
                        const int32_t length, const int32_t next, const int32_t apart) {
    quad low0 = {0}, low1 = {0}, low2 = {0}, low3 = {0};
    quad high0 = {0}, high1 = {0}, high2 = {0}, high3 = {0};
    for (int32_t k = 0; k < length; k++) {
        ROWS(k);
        low0 += AT(r0);
        low1 += AT(r1);
        low2 += AT(r2);
        low3 += AT(r3);
        if (width == 8) {
            high0 += AT(r0 + half);
            high1 += AT(r1 + half);
            high2 += AT(r2 + half);
            high3 += AT(r3 + half);
        }
    }
    TRANSPOSE(low0, low1, low2, low3);
    PUT(to[0] + i) = low0;
    PUT(to[1] + i) = low1;
    PUT(to[2] + i) = low2;
    PUT(to[3] + i) = low3;
    if (width == 8) {
        TRANSPOSE(high0, high1, high2, high3);
        PUT(to[4] + i) = high0;
        PUT(to[5] + i) = high1;
        PUT(to[6] + i) = high2;
        PUT(to[7] + i) = high3;
    }
}

INLINE void spread_one(double *to, const double *rows, const uint32_t *list,
                       const int32_t length) {
    enum { next = 1, apart = PVGI_SHORT };
    quad sum = {0};
    for (int32_t k = 0; k < length; k++) {
        ROWS(k);
        sum += (quad){*(const element *)r0, *(const element *)r1, *(const element *)r2,
                      *(const element *)r3};
    }
    PUT(to) = sum;
}

INLINE void spread_two(double *to0, double *to1, const double *rows, const uint32_t *list,
                       const int32_t length) {
    enum { next = 1, apart = PVGI_SHORT };
    pair x0 = {0}, x1 = {0}, x2 = {0}, x3 = {0};
    for (int32_t k = 0; k < length; k++) {
        ROWS(k);
        x0 += *(const pair *)r0;
        x1 += *(const pair *)r1;
        x2 += *(const pair *)r2;
        x3 += *(const pair *)r3;
    }
    const quad a = LANES(x0, x2, 0, 1, 2, 3), b = LANES(x1, x3, 0, 1, 2, 3);
    PUT(to0) = LANES(a, b, 0, 4, 2, 6);
    PUT(to1) = LANES(a, b, 1, 5, 3, 7);
}

/* Slices whose lists have `length` entries, all sums in registers. */
INLINE void spread_short(double *const *to, const double *rows, const int64_t half,
                         const int32_t width, const pvgi_tree_cut *cut,
                         const int32_t length) {
    const int32_t *nodes = cut->list[length];
    const int64_t count = cut->count[length];
    for (int64_t s = 0; s < count; s++) {
        const int64_t i = nodes[s];
        const uint32_t *list = cut->entries + PVGI_SHORT * i;
        if (width == 1) {
            spread_one(to[0] + i, rows, list, length);
            continue;
        }
        if (width == 2) {
            spread_two(to[0] + i, to[1] + i, rows, list, length);
            continue;
        }
        spread_four(to, i, rows, half, width, list, length, 1, PVGI_SHORT);
    }
}

INLINE void spread_body(double *const *to, const double *rows, const int64_t half,
                        const int32_t width, const pvgi_tree_cut *cut) {
    const pvgi_host host = {cut->order, cut->base, cut->offsets - cut->base,
                            cut->columns};
    const int32_t wide = width == 8 ? 8 : 4; /* not worth paths of their own */
    spread_short(to, rows, half, width, cut, 0);
    spread_short(to, rows, half, width, cut, 1);
    spread_short(to, rows, half, width, cut, 2);
    spread_short(to, rows, half, width, cut, 3);
    spread_short(to, rows, half, width, cut, 4);
    for (int32_t length = PVGI_SHORT + 1; length < PVGI_LONG; length++)
        for (int64_t s = 0; s < cut->count[length]; s++) {
            const int64_t i = cut->list[length][s];
            spread_four(to, i, rows, half, wide, cut->entries + cut->even[i / 4], length,
                        4, 1);
        }
    for (int64_t s = 0; s < cut->count[PVGI_LONG]; s++) {
        const int64_t i = cut->list[PVGI_LONG][s];
        spread_lists(to, i, rows, 4, half, wide, &host, i, 0);
    }
}

INLINE void spread_rows_body(double *const *to, const double *rows, const int32_t width,
                             const pvgi_host *host, int64_t first, int64_t nodes) {
    const int64_t *offsets = host->offsets + host->base;
    const int64_t end =
        offsets[first + nodes < host->order ? first + nodes : host->order];
    for (int64_t i = 0; i < nodes; i += 4)
        spread_lists(to, i, rows, width, 4, width, host, first + i, end);
}

/* --- sums over nodes ------------------------------------------------------------ */

/* Where a graph begins has nothing to do with where vectors do. */
typedef ELEMENT loose __attribute__((vector_size(32), aligned(8), may_alias));
#define PAIR(x, y) (*(const loose *)((x) + i) * *(const loose *)((y) + i))

INLINE void sum_body(double *sums, int64_t stride, const int32_t *to,
                     const double *const *a, const double *const *b,
                     const pvgi_segment *segments, int64_t count) {
    static const long_four real[5] = {
        {0}, {-1}, {-1, -1}, {-1, -1, -1}, {-1, -1, -1, -1}};
    const double *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3];
    const double *b0 = b[0], *b1 = b[1], *b2 = b[2], *b3 = b[3];
    for (int64_t s = 0; s < count; s++, sums += stride) {
        const int64_t nodes = segments[s].nodes;
        const int64_t last = segments[s].start + (nodes > 0 ? (nodes - 1) & ~3 : 0);
        quad x0 = {0}, x1 = {0}, x2 = {0}, x3 = {0};
        int64_t i = segments[s].start;
        const long_four mask = real[nodes - (last - i)]; /* what is left for the end */
        for (; i < last; i += 4) {
            x0 += PAIR(a0, b0);
            x1 += PAIR(a1, b1);
            x2 += PAIR(a2, b2);
            x3 += PAIR(a3, b3);
        }
        x0 += (quad)((long_four)PAIR(a0, b0) & mask);
        x1 += (quad)((long_four)PAIR(a1, b1) & mask);
        x2 += (quad)((long_four)PAIR(a2, b2) & mask);
        x3 += (quad)((long_four)PAIR(a3, b3) & mask);
        TRANSPOSE(x0, x1, x2, x3);
        const quad total = (x0 + x1) + (x2 + x3);
        for (int32_t j = 0; j < 4; j++)
            if (to[j] >= 0) ((element *)sums)[to[j]] = total[j];
    }
}

/* --- one set of functions per instruction set ----------------------------------- */

/* NOLINTBEGIN(bugprone-macro-parentheses): target is an attribute */
#define KERNELS(name, target)                                                            \
    target static void multiply_##name(double *to, const double *a, const double *b,     \
                                       int64_t nodes) {                                  \
        multiply_body(to, a, b, nodes);                                                  \
    }                                                                                    \
    target static void load_##name(double *rows, int64_t stride, int64_t half,           \
                                   int32_t width, const double *const *a,                \
                                   const double *const *b, int64_t nodes) {              \
        if (width == 1)                                                                  \
            load_one(rows, a[0], b[0], nodes);                                           \
        else if (width == 2)                                                             \
            load_two(rows, a, b, nodes);                                                 \
        else                                                                             \
            load_body(rows, stride, half, width, a, b, nodes);                           \
    }                                                                                    \
    target static void cut_##name(double *degrees, pvgi_tree_cut *cut) {                 \
        cut_body(degrees, cut);                                                          \
    }                                                                                    \
    target static void spread_##name(double *const *to, const double *rows,              \
                                     int64_t half, int32_t width,                        \
                                     const pvgi_tree_cut *cut) {                         \
        if (width == 8)                                                                  \
            spread_body(to, rows, half, 8, cut);                                         \
        else if (width == 4)                                                             \
            spread_body(to, rows, half, 4, cut);                                         \
        else if (width == 2)                                                             \
            spread_body(to, rows, half, 2, cut);                                         \
        else                                                                             \
            spread_body(to, rows, half, 1, cut);                                         \
    }                                                                                    \
    target static void spread_rows_##name(double *const *to, const double *rows,         \
                                          int32_t width, const pvgi_host *host,          \
                                          int64_t first, int64_t nodes) {                \
        if (width == 8)                                                                  \
            spread_rows_body(to, rows, 8, host, first, nodes);                           \
        else                                                                             \
            spread_rows_body(to, rows, 4, host, first, nodes);                           \
    }                                                                                    \
    target static void sum_##name(double *sums, int64_t stride, const int32_t *to,       \
                                  const double *const *a, const double *const *b,        \
                                  const pvgi_segment *segments, int64_t count) {         \
        sum_body(sums, stride, to, a, b, segments, count);                               \
    }                                                                                    \
    static const pvgi_tree_kernels kernels_##name = {multiply_##name,    load_##name,    \
                                                     cut_##name,         spread_##name,  \
                                                     spread_rows_##name, sum_##name};

/* NOLINTEND(bugprone-macro-parentheses) */

KERNELS(portable, )
#if defined(__x86_64__) && defined(__GNUC__)
KERNELS(avx2, __attribute__((target("avx2"))))
#endif

const pvgi_tree_kernels *SELECT(pvgi_cpu level) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (level >= PVGI_CPU_AVX2) return &kernels_avx2;
#else
    (void)level;
#endif
    return &kernels_portable;
}
