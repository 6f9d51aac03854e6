/* From counts of components to densities of patterns: t(F, G) = product of the counts of
 * the components of F, over n^m with m vertices in them. Patterns that are alike, which
 * samplers draw again and again, are divided once; those of one component, nearly all of
 * them, four together. Every quotient is rounded once, wherever it stands. */
#include "density_internal.h"

#include <string.h>

static bool are_alike(const pvg_density *density, int64_t i, int64_t j) {
    const pvgi_term *a = &density->term[i], *b = &density->term[j];
    return a->order == b->order && a->parts == b->parts &&
           (a->parts == 0 || memcmp(density->part + a->first, density->part + b->first,
                                    (size_t)a->parts * sizeof *density->part) == 0);
}

/* like[i]: the first pattern that i is like. */
static int32_t find_alike(int64_t *like, const pvg_density *density, pvgi_map *found) {
    for (int64_t i = 0; i < density->count; i++) {
        const pvgi_term *term = &density->term[i];
        uint64_t key = (uint64_t)term->order + 1;
        for (int32_t k = 0; k < term->parts; k++)
            key = (key ^ (uint64_t)density->part[term->first + k]) * 0x9E3779B97F4A7C15u;
        key |= 1;
        const int32_t first = pvgi_density_map_get(found, key);
        like[i] = first >= 0 && are_alike(density, i, first) ? first : i;
        if (first < 0 && i <= INT32_MAX)
            PVGI_TRY(pvgi_density_map_put(found, key, (int32_t)i));
    }
    return PVG_OK;
}

/* The quotients, those of one component first, whose list is filled up to a multiple of
 * four. quotient[i] is set where like[i] is i, then copied. */
static void list_quotients(pvg_density *density, const int64_t *like) {
    int64_t found = 0;
    for (int32_t one = 1; one >= 0; one--) {
        for (int64_t i = 0; i < density->count; i++) {
            const pvgi_term *term = &density->term[i];
            if (like[i] != i || (term->parts == 1) != (one == 1)) continue;
            if (one) {
                density->one_part[found] = density->part[term->first];
                density->one_order[found] = term->order;
            }
            density->quotient[i] = (int32_t)found;
            density->divided[found++] = i;
        }
        if (one) density->quotients_of_one = found;
    }
    density->quotients = found;
    for (int64_t i = density->quotients_of_one; i % 4 != 0; i++)
        density->one_part[i] = density->one_order[i] = 0;
    for (int64_t i = 0; i < density->count; i++)
        density->quotient[i] = density->quotient[like[i]];
}

int32_t pvgi_density_combine_compile(pvg_density *density) {
    const size_t count = (size_t)density->count;
    int32_t status = PVG_OK;
    pvgi_map found = {0};
    int64_t *like = pvgi_alloc(count, sizeof *like);
    density->quotient = pvgi_alloc(count, sizeof *density->quotient);
    density->divided = pvgi_alloc(count, sizeof *density->divided);
    density->one_part = pvgi_alloc(count + 3, sizeof *density->one_part);
    density->one_order = pvgi_alloc(count + 3, sizeof *density->one_order);
    if (!like || !density->quotient || !density->divided || !density->one_part ||
        !density->one_order)
        PVGI_TRY_DONE(pvgi_fail_nomem());
    PVGI_TRY_DONE(find_alike(like, density, &found));
    list_quotients(density, like);
done:
    pvgi_density_map_free(&found);
    pvgi_free(like);
    return status;
}

typedef double quad __attribute__((vector_size(32), aligned(8)));

#define FOUR(from, at)                                                                   \
    (quad) {                                                                             \
        (from)[(at)[0]], (from)[(at)[1]], (from)[(at)[2]], (from)[(at)[3]]               \
    }

static inline __attribute__((always_inline)) void
combine_body(double *out, const pvg_density *density, const double *values,
             const double *power, double *scratch) {
    const int32_t *part = density->one_part, *order = density->one_order;
    const int32_t *which = density->quotient;
    const int64_t ones = density->quotients_of_one, count = density->count;
    int64_t k = 0;
    for (; k < ones; k += 4)
        *(quad *)(scratch + k) = FOUR(values, part + k) / FOUR(power, order + k);
    for (k = ones; k < density->quotients; k++) {
        const pvgi_term *term = &density->term[density->divided[k]];
        const int32_t *parts = term->parts > 0 ? density->part + term->first : NULL;
        double product = 1.0;
        for (int32_t j = 0; j < term->parts; j++) product *= values[parts[j]];
        scratch[k] = product / power[term->order];
    }
    for (k = 0; k + 4 <= count; k += 4) *(quad *)(out + k) = FOUR(scratch, which + k);
    for (; k < count; k++) out[k] = scratch[which[k]];
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void
combine_avx2(double *out, const pvg_density *density, const double *values,
             const double *power, double *scratch) {
    combine_body(out, density, values, power, scratch);
}
#endif

size_t pvgi_density_combine_scratch(const pvg_density *density) {
    return (size_t)density->quotients + 3; /* quotients of one part go four by four */
}

void pvgi_density_combine(double *out, const pvg_density *density, const double *values,
                          const double *power, double *scratch, pvgi_cpu level) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (level >= PVGI_CPU_AVX2) {
        combine_avx2(out, density, values, power, scratch);
        return;
    }
#else
    (void)level;
#endif
    combine_body(out, density, values, power, scratch);
}
