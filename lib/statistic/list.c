/* What kinds that read lists of persons and things share.
 *
 * Every number that they release is a sum over persons of g(her list), so only
 * g(x) - g(y) must be bounded, for any two lists x, y (replaced) or for y empty (absent).
 * Proofs: docs/privacy/proofs/statistic.md, lists. */
#include "statistic_internal.h"

#include <math.h>

int32_t pvgi_statistic_check_lists(const pvg_statistic *statistic,
                                   const pvgi_list_input *input, const char *function) {
    PVGI_REQUIRE(statistic->things == input->lists->things,
                 "%s: the lists have %lld things, the query is for %lld", function,
                 (long long)input->lists->things, (long long)statistic->things);
    PVGI_REQUIRE(!input->labels || input->labels->count == input->lists->persons,
                 "%s: there are groups of %lld persons and lists of %lld", function,
                 (long long)(input->labels ? input->labels->count : 0),
                 (long long)input->lists->persons);
    return PVG_OK;
}

int32_t pvgi_statistic_list_begin(pvg_statistic **out, pvg_target *own, const char *name,
                                  const pvgi_statistic_kind *kind,
                                  const pvgi_list_settings *settings, int64_t order,
                                  const pvg_target *target, uint32_t laws, int32_t law,
                                  size_t bytes) {
    const pvg_guarantee guarantee = {.notion = settings->absent ? PVG_NOTION_PERSON_ABSENT
                                                                : PVG_NOTION_PERSON,
                                     .order = order};
    pvg_target plain;
    PVGI_REQUIRE(settings->things >= 1,
                 "%s: things must be given: how many there are, a public number", name);
    PVGI_TRY(pvgi_mechanism_read_plain(&plain, name, target, laws, "statistic"));
    if (plain.noise == PVG_NOISE_DEFAULT) plain.noise = law;
    PVGI_TRY(pvgi_mechanism_import_target(own, name, &plain));
    PVGI_TRY(pvgi_statistic_make(out, kind, own, &guarantee, bytes));
    (*out)->order = order;
    (*out)->things = settings->things;
    return PVG_OK;
}

int32_t pvgi_statistic_list_law(pvgi_joint *out, const char *name,
                                const pvgi_list_change *change, int64_t dimension,
                                const pvg_target *target) {
    const pvg_joint_config joint = {.size = sizeof joint,
                                    .dimension = dimension,
                                    .l1 = change->l1,
                                    .l2 = change->l2,
                                    .grid = ldexp(1.0, change->grid)};
    return pvgi_mechanism_joint(out, name, &joint, target);
}

void pvgi_statistic_list_promise(pvg_statistic *statistic, const pvgi_joint *law,
                                 const pvg_curve_term *spent, double delta,
                                 double sensitivity, const char *claim) {
    pvg_guarantee *g = &statistic->guarantee;
    g->spent = *spent;
    g->delta = delta;
    g->noise = pvgi_statistic_noise_word(law->noise);
    g->sensitivity = sensitivity;
    g->scale = law->scale;
    g->claim = claim;
    pvgi_guarantee_assumption(g,
                              "how many persons there are is public, and the things with "
                              "their numbers: the same in every world, not made from "
                              "entries");
    pvgi_guarantee_assumption(g, "all entries of a person are in one list");
    pvgi_guarantee_assumption(g, "options were chosen without looking at entries");
}

void pvgi_statistic_list_finish(double *out, int64_t *values, int64_t count,
                                const pvgi_joint *law, const pvgi_stream *call) {
    enum { CHUNK = 4096 };
    int64_t noise[CHUNK];
    for (int64_t first = 0; call && first < count; first += CHUNK) {
        const int64_t many = count - first < CHUNK ? count - first : CHUNK;
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, (uint64_t)(first / CHUNK) + 1);
        pvgi_mechanism_joint_noise(noise, many, law, &stream);
        pvgi_rng_stream_close(&stream);
        for (int64_t i = 0; i < many; i++) values[first + i] += noise[i];
    }
    for (int64_t i = 0; i < count; i++) out[i] = ldexp((double)values[i], law->grid);
    pvgi_wipe(noise, sizeof noise);
}

int32_t pvgi_statistic_list_places(int32_t **out, const char *name, const int32_t *things,
                                   int64_t count, int64_t all) {
    int32_t *place = pvgi_alloc((size_t)all, sizeof *place);
    if (!place) return pvgi_fail_nomem();
    for (int64_t t = 0; t < all; t++) place[t] = things ? -1 : (int32_t)t;
    for (int64_t i = 0; i < count && things; i++) {
        const bool fits = things[i] >= 0 && things[i] < all && place[things[i]] < 0;
        if (!fits) {
            pvgi_free(place);
            return pvgi_fail(PVG_E_ARGUMENT,
                             "%s: arguments->things[%lld] is no thing, or stands twice",
                             name, (long long)i);
        }
        place[things[i]] = (int32_t)i;
    }
    *out = place;
    return PVG_OK;
}

int64_t pvgi_statistic_root(uint64_t q) {
    int64_t v = (int64_t)sqrt((double)q);
    while (v > 0 && (uint64_t)v * (uint64_t)v > q) v--;
    while ((uint64_t)(v + 1) * (uint64_t)(v + 1) <= q) v++;
    return v;
}
