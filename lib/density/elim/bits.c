/* Edges among sets of bits: the inner loop of counting cliques (elim/cliques.inc).
 *
 * sum over x in set of |set and row x|, a row being the places before x that are joined
 * to x: the edges inside the set, each once. words / 2 intersections of words per member.
 * The same source with and without the instruction that counts bits. */
#include "elim_internal.h"

static inline __attribute__((always_inline)) uint64_t
edges_inside(const uint64_t *set, int32_t words, const uint64_t *rows, size_t stride) {
    uint64_t sum = 0;
    if (words == 1) {
        for (uint64_t left = set[0]; left; left &= left - 1)
            sum += (uint64_t)__builtin_popcountll(
                set[0] & rows[(size_t)__builtin_ctzll(left) * stride]);
        return sum;
    }
    for (int32_t i = 0; i < words; i++)
        for (uint64_t left = set[i]; left; left &= left - 1) {
            const int32_t x = 64 * i + __builtin_ctzll(left);
            const uint64_t *row = rows + (size_t)x * stride;
            for (int32_t j = 0; j <= i; j++)
                sum += (uint64_t)__builtin_popcountll(set[j] & row[j]);
        }
    return sum;
}

static uint64_t edges_portable(const uint64_t *set, int32_t words, const uint64_t *rows,
                               size_t stride) {
    return edges_inside(set, words, rows, stride);
}

#if defined(__x86_64__)
__attribute__((target("popcnt,bmi"))) static uint64_t
edges_avx2(const uint64_t *set, int32_t words, const uint64_t *rows, size_t stride) {
    return edges_inside(set, words, rows, stride);
}
#endif

pvgi_elim_edges pvgi_density_elim_edges(pvgi_cpu level) {
#if defined(__x86_64__)
    if (level >= PVGI_CPU_AVX2) return edges_avx2; /* such processors have both */
#endif
    (void)level;
    return edges_portable;
}
