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
    LONG_LIST = 16, /* from here on, four sums side by side hide the adder's latency */
    AHEAD = 24      /* neighbours to prefetch in a large graph */
};

INLINE void multiply_body(double *to, const double *a, const double *b, int64_t nodes) {
    for (int64_t i = 0; i < nodes; i += 4) PUT(to + i) = AT(a + i) * AT(b + i);
}

INLINE void load_body(double *rows, const int32_t width, const double *const *a,
                      const double *const *b, int64_t nodes) {
    for (int32_t h = 0; h < width; h += 4) {
        const double *a0 = a[h], *a1 = a[h + 1], *a2 = a[h + 2], *a3 = a[h + 3];
        const double *b0 = b[h], *b1 = b[h + 1], *b2 = b[h + 2], *b3 = b[h + 3];
        double *row = rows + h;
        for (int64_t i = 0; i < nodes; i += 4, row += 4 * width) {
            quad x0 = AT(a0 + i) * AT(b0 + i), x1 = AT(a1 + i) * AT(b1 + i);
            quad x2 = AT(a2 + i) * AT(b2 + i), x3 = AT(a3 + i) * AT(b3 + i);
            TRANSPOSE(x0, x1, x2, x3);
            PUT(row) = x0;
            PUT(row + width) = x1;
            PUT(row + 2 * width) = x2;
            PUT(row + 3 * width) = x3;
        }
    }
}

/* --- sums over neighbours ------------------------------------------------------- */

/* Row of entry k of a list; entries count from `base`. */
#define ROW(k) (rows + (size_t)(uint32_t)(list[k] - base) * (size_t)width)

/* out[0..width) = sum of the rows of a list. `soon` entries from the start of the list on
 * may be prefetched. */
INLINE void sum_list(double *out, const double *rows, const int32_t width,
                     const int32_t *list, const int32_t base, int64_t length,
                     int64_t soon) {
    quad low0 = {0}, low1 = {0}, low2 = {0}, low3 = {0};
    quad high0 = {0}, high1 = {0}, high2 = {0}, high3 = {0};
    int64_t k = 0;
    if (length >= LONG_LIST)
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
                high0 += AT(ROW(k) + 4);
                high1 += AT(ROW(k + 1) + 4);
                high2 += AT(ROW(k + 2) + 4);
                high3 += AT(ROW(k + 3) + 4);
            }
        }
    for (; k < length; k++) {
        if (k + AHEAD < soon) __builtin_prefetch(ROW(k + AHEAD));
        low0 += AT(ROW(k));
        if (width == 8) high0 += AT(ROW(k) + 4);
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

/* Four lists of the same length, all sums in registers. Entry k of list j is at
 * next k + apart j. */
INLINE void spread_even(double *const *to, const double *rows, const int32_t width,
                        const pvgi_slice *slice, const int32_t *entries,
                        const int32_t next, const int32_t apart) {
    enum { base = 0 };
    const int32_t *list = entries + slice->first;
    quad low0 = {0}, low1 = {0}, low2 = {0}, low3 = {0};
    quad high0 = {0}, high1 = {0}, high2 = {0}, high3 = {0};
    for (int32_t k = 0; k < slice->width; k++, list += next) {
        const double *r0 = ROW(0), *r1 = ROW(apart);
        const double *r2 = ROW(2 * apart), *r3 = ROW(3 * apart);
        low0 += AT(r0);
        low1 += AT(r1);
        low2 += AT(r2);
        low3 += AT(r3);
        if (width == 8) {
            high0 += AT(r0 + 4);
            high1 += AT(r1 + 4);
            high2 += AT(r2 + 4);
            high3 += AT(r3 + 4);
        }
    }
    const int64_t i = slice->node;
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

INLINE void spread_body(double *const *to, const double *rows, const int32_t width,
                        const pvgi_slice *slices, int64_t count, const int32_t *entries) {
    for (int64_t s = 0; s < count; s++) {
        const pvgi_slice *slice = &slices[s];
        if (slice->width > 4) {
            spread_even(to, rows, width, slice, entries, 4, 1);
            continue;
        }
        if (slice->width >= 0) {
            spread_even(to, rows, width, slice, entries, 1, 4);
            continue;
        }
        double sums[4 * PVGI_PANEL] __attribute__((aligned(32)));
        const int32_t *length = entries + slice->first, *list = length + 4;
        for (int32_t j = 0; j < 4; list += length[j++])
            sum_list(sums + j * width, rows, width, list, 0, length[j], 0);
        put_columns(to, slice->node, sums, width);
    }
}

INLINE void spread_rows_body(double *const *to, const double *rows, const int32_t width,
                             const pvgi_host *host, int64_t first, int64_t nodes) {
    const int64_t *offsets = host->offsets + host->base;
    const int64_t end =
        offsets[first + nodes < host->order ? first + nodes : host->order];
    const int32_t base = (int32_t)host->base;
    for (int64_t i = 0; i < nodes; i += 4) {
        double sums[4 * PVGI_PANEL] __attribute__((aligned(32)));
        for (int64_t j = 0; j < 4; j++) {
            const int64_t node = first + i + j;
            const bool real = node < host->order;
            const int64_t start = real ? offsets[node] : 0;
            sum_list(sums + j * width, rows, width, host->columns + start, base,
                     real ? offsets[node + 1] - start : 0, end - start);
        }
        put_columns(to, i, sums, width);
    }
}

/* --- sums over nodes ------------------------------------------------------------ */

INLINE void sum_body(double *sums, int64_t stride, const int32_t *to,
                     const double *const *a, const double *const *b,
                     const pvgi_segment *segments, int64_t count) {
    const double *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3];
    const double *b0 = b[0], *b1 = b[1], *b2 = b[2], *b3 = b[3];
    for (int64_t s = 0; s < count; s++, sums += stride) {
        const int64_t start = segments[s].start, end = start + segments[s].padded;
        quad x0 = {0}, x1 = {0}, x2 = {0}, x3 = {0};
        for (int64_t i = start; i < end; i += 4) {
            x0 += AT(a0 + i) * AT(b0 + i);
            x1 += AT(a1 + i) * AT(b1 + i);
            x2 += AT(a2 + i) * AT(b2 + i);
            x3 += AT(a3 + i) * AT(b3 + i);
        }
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
    target static void load_##name(double *rows, int32_t width, const double *const *a,  \
                                   const double *const *b, int64_t nodes) {              \
        if (width == 8)                                                                  \
            load_body(rows, 8, a, b, nodes);                                             \
        else                                                                             \
            load_body(rows, 4, a, b, nodes);                                             \
    }                                                                                    \
    target static void spread_##name(double *const *to, const double *rows,              \
                                     int32_t width, const pvgi_slice *slices,            \
                                     int64_t count, const int32_t *entries) {            \
        if (width == 8)                                                                  \
            spread_body(to, rows, 8, slices, count, entries);                            \
        else                                                                             \
            spread_body(to, rows, 4, slices, count, entries);                            \
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
    static const pvgi_tree_kernels kernels_##name = {                                    \
        multiply_##name,    load_##name, spread_##name,                                  \
        spread_rows_##name, sum_##name,  INTEGERS};

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
