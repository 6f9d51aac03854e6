/* The steps of a plan: looked up by their description, so that equal steps of different
 * patterns are one (hash-consing); kept with what a run needs to know of each: which
 * tables meet at which level, and which loops fit its shape. Constant expected time. */
#include "elim_internal.h"

#include <string.h>

enum { PASSED_USES = 2 }; /* rows are made again for each reader */

/* --- growing arrays of the plan ---------------------------------------------------- */

static int32_t room_for(void **array, int32_t *capacity, int32_t wanted, size_t bytes) {
    if (wanted <= *capacity) return PVG_OK;
    const int32_t larger = wanted < 64 ? 64 : wanted + wanted / 2;
    void *grown = pvgi_grow(*array, (size_t)larger, bytes);
    if (!grown) return pvgi_fail_nomem();
    *array = grown;
    *capacity = larger;
    return PVG_OK;
}

#define ROOM_FOR(plan, array, capacity, wanted)                                          \
    room_for((void **)&(plan)->array, &(plan)->capacity, (wanted), sizeof *(plan)->array)

/* --- hash-consing ------------------------------------------------------------------ */

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const pvgi_elim_step *step, const pvgi_elim_factor *factor) {
    uint64_t hash = mix((uint64_t)step->arity, (uint64_t)step->summed + 1);
    hash = mix(hash, (uint64_t)step->weight + 1);
    for (int32_t i = 0; i < step->arity; i++) hash = mix(hash, (uint64_t)step->out[i]);
    for (int32_t i = 0; i < step->factors; i++) {
        hash = mix(hash, (uint64_t)factor[i].table);
        for (int32_t j = 0; j < factor[i].arity; j++)
            hash = mix(hash, (uint64_t)factor[i].level[j]);
    }
    return hash;
}

static int compare_factors(const pvgi_elim_factor *a, const pvgi_elim_factor *b) {
    if (a->table != b->table) return a->table < b->table ? -1 : 1;
    return memcmp(a->level, b->level, sizeof a->level);
}

static bool is_same(const pvgi_elim_plan *plan, const pvgi_elim_step *a,
                    const pvgi_elim_description *b) {
    if (a->arity != b->step.arity || a->summed != b->step.summed ||
        a->weight != b->step.weight || a->factors != b->step.factors ||
        a->direct != b->step.direct || memcmp(a->out, b->step.out, sizeof a->out) != 0)
        return false;
    for (int32_t i = 0; i < a->factors; i++)
        if (compare_factors(&plan->factor[a->factor + i], &b->factor[i]) != 0)
            return false;
    return true;
}

/* The slot of the step with this description, or the free slot where it belongs. */
static int32_t *slot_of(const pvgi_elim_plan *plan, const pvgi_elim_description *wanted) {
    uint64_t at = hash_of(&wanted->step, wanted->factor);
    for (;; at++) {
        int32_t *slot = &plan->bucket[at & (uint64_t)(plan->buckets - 1)];
        if (*slot < 0 || is_same(plan, &plan->step[*slot], wanted)) return slot;
    }
}

static int32_t grow_buckets(pvgi_elim_plan *plan) {
    if (2 * (plan->steps + 1) <= plan->buckets) return PVG_OK;
    const int32_t larger = plan->buckets ? 2 * plan->buckets : 256;
    int32_t *bucket = pvgi_alloc((size_t)larger, sizeof *bucket);
    if (!bucket) return pvgi_fail_nomem();
    for (int32_t i = 0; i < larger; i++) bucket[i] = -1;
    pvgi_free(plan->bucket);
    plan->bucket = bucket;
    plan->buckets = larger;
    for (int32_t i = 0; i < plan->steps; i++) {
        uint64_t at = hash_of(&plan->step[i], plan->factor + plan->step[i].factor);
        while (bucket[at & (uint64_t)(larger - 1)] >= 0) at++;
        bucket[at & (uint64_t)(larger - 1)] = i;
    }
    return PVG_OK;
}

/* --- adding a step ----------------------------------------------------------------- */

void pvgi_density_elim_count_use(pvgi_elim_plan *plan, int32_t table) {
    if (table >= PVGI_ELIM_BASES) plan->step[table - PVGI_ELIM_BASES].uses++;
}

/* Sorts the factors of each level into those that continue and those that begin. */
static void add_probes(pvgi_elim_plan *plan, pvgi_elim_step *step,
                       const pvgi_elim_factor *factor) {
    for (int32_t level = 0; level <= PVGI_ELIM_LEVELS; level++) {
        step->probe[level] = plan->probes;
        step->begin[level] = plan->begins;
        for (int32_t i = 0; i < step->factors && level < step->levels; i++)
            for (int32_t j = 0; j < factor[i].arity; j++) {
                if (factor[i].level[j] != level) continue;
                if (j == 0)
                    plan->begin[plan->begins++] = (uint8_t)i;
                else
                    plan->probe[plan->probes++] = (pvgi_elim_probe){
                        (uint8_t)i, (uint8_t)j, (uint8_t)(j + 1 == factor[i].arity)};
            }
    }
}

/* Steps over pairs have loops of their own. */
static void find_shape(pvgi_elim_step *step, const pvgi_elim_factor *factor) {
    bool pairs = true;
    memset(step->pick, -1, sizeof step->pick);
    for (int32_t i = 0; i < step->factors; i++) {
        const int32_t levels = factor[i].level[0] + factor[i].level[1];
        if (factor[i].arity != 2)
            pairs = false;
        else if (levels <= 3)
            step->pick[levels - 1] = (int8_t)i;
    }
    step->shape = PVGI_ELIM_JOIN;
    if (step->summed < 0)
        step->shape = step->arity == 1 ? PVGI_ELIM_VECTORS : PVGI_ELIM_PRODUCT;
    else if (pairs && step->arity == 1 && step->factors == 1)
        step->shape = PVGI_ELIM_ROWS;
    else if (pairs && step->arity == 2 && step->factors == 2 && step->summed == 1 &&
             step->pick[0] >= 0 && step->pick[2] >= 0)
        step->shape = PVGI_ELIM_CHAIN;
    else if (pairs && step->arity == 2 && step->factors == 3 && step->summed == 2)
        step->shape = PVGI_ELIM_CLOSED;
}

/* A step that leaves a table over two vertices x, y is the product of a matrix over x and
 * the removed vertex v and one over y and v, masked by those over x and y; one over three
 * is such a product for every image of the first. Only a table that holds all of x, y and
 * v stands against it. */
static void find_axes(pvgi_elim_step *step, const pvgi_elim_factor *factor) {
    step->dense = step->summed >= 0 && (step->arity == 2 || step->arity == 3);
    if (!step->dense) return;
    memset(step->axis, PVGI_ELIM_AXIS_SLICE, sizeof step->axis);
    step->axis[step->out[step->arity - 2]] = PVGI_ELIM_AXIS_X;
    step->axis[step->out[step->arity - 1]] = PVGI_ELIM_AXIS_Y;
    step->axis[step->summed] = PVGI_ELIM_AXIS_V;
    for (int32_t i = 0; i < step->factors; i++) {
        int32_t axes = 0;
        for (int32_t j = 0; j < factor[i].arity; j++)
            axes += step->axis[factor[i].level[j]] != PVGI_ELIM_AXIS_SLICE;
        if (axes == PVGI_ELIM_AXES) step->dense = 0;
    }
}

static int32_t add_step(pvgi_elim_plan *plan, const pvgi_elim_description *wanted) {
    const int32_t most = wanted->step.factors * PVGI_ELIM_ARITY;
    PVGI_TRY(ROOM_FOR(plan, step, step_capacity, plan->steps + 1));
    PVGI_TRY(
        ROOM_FOR(plan, factor, factor_capacity, plan->factors + wanted->step.factors));
    PVGI_TRY(ROOM_FOR(plan, probe, probe_capacity, plan->probes + most));
    PVGI_TRY(ROOM_FOR(plan, begin, begin_capacity, plan->begins + most));
    pvgi_elim_step *step = &plan->step[plan->steps];
    *step = wanted->step;
    step->factor = plan->factors;
    memcpy(plan->factor + plan->factors, wanted->factor,
           (size_t)step->factors * sizeof *wanted->factor);
    plan->factors += step->factors;
    add_probes(plan, step, wanted->factor);
    find_shape(step, wanted->factor);
    find_axes(step, wanted->factor);
    for (int32_t i = 0; i < step->factors; i++)
        pvgi_density_elim_count_use(plan, wanted->factor[i].table);
    pvgi_density_elim_count_use(plan, step->weight);
    plan->steps++;
    return PVG_OK;
}

int32_t pvgi_density_elim_intern(int32_t *index, pvgi_elim_plan *plan,
                                 pvgi_elim_description *wanted) {
    pvgi_elim_factor *factor = wanted->factor;
    for (int32_t i = 1; i < wanted->step.factors; i++) /* few: insertion sort */
        for (int32_t j = i; j > 0 && compare_factors(&factor[j], &factor[j - 1]) < 0;
             j--) {
            const pvgi_elim_factor kept = factor[j];
            factor[j] = factor[j - 1];
            factor[j - 1] = kept;
        }
    PVGI_TRY(grow_buckets(plan));
    int32_t *slot = slot_of(plan, wanted);
    if (*slot < 0) {
        PVGI_TRY(add_step(plan, wanted));
        *slot = plan->steps - 1;
    }
    *index = *slot;
    return PVG_OK;
}

/* Whether the reader can take factor f row by row; only one factor is, since the other
 * place asks for arcs of the host beside it. */
static bool may_pass(const pvgi_elim_plan *plan, const pvgi_elim_step *reader,
                     int32_t f) {
    const pvgi_elim_factor *factor = plan->factor + reader->factor;
    const pvgi_elim_step *step = &plan->step[factor[f].table - PVGI_ELIM_BASES];
    if (reader->shape == PVGI_ELIM_PRODUCT)
        return reader->passed && step->shape == PVGI_ELIM_CHAIN;
    if (reader->shape != PVGI_ELIM_CLOSED || f == reader->pick[0]) return false;
    return f == reader->pick[1] || (factor[reader->pick[0]].table < PVGI_ELIM_WEIGHT &&
                                    factor[reader->pick[1]].table < PVGI_ELIM_WEIGHT);
}

/* Whether the step is the chain of the two tables. */
static bool is_chain_of(const pvgi_elim_plan *plan, int32_t table, int32_t a, int32_t b,
                        int32_t weight) {
    if (table < PVGI_ELIM_BASES) return false;
    const pvgi_elim_step *step = &plan->step[table - PVGI_ELIM_BASES];
    const pvgi_elim_factor *factor = plan->factor + step->factor;
    return step->shape == PVGI_ELIM_CHAIN && step->weight == weight &&
           factor[step->pick[0]].table == a && factor[step->pick[2]].table == b;
}

/* Finds whether the sum of the rows of a closed step can be had from a chain that is
 * passed to it: elim/pass.inc. */
static void find_folded(pvgi_elim_plan *plan, const pvgi_elim_step *reader) {
    const int32_t table = plan->factor[reader->factor].table;
    if (reader->shape != PVGI_ELIM_ROWS || table < PVGI_ELIM_BASES) return;
    pvgi_elim_step *step = &plan->step[table - PVGI_ELIM_BASES];
    if (step->shape != PVGI_ELIM_CLOSED || step->uses != 1) return;
    const pvgi_elim_factor *factor = plan->factor + step->factor;
    const int32_t mask = factor[step->pick[0]].table, other = factor[step->pick[2]].table;
    const int32_t from = factor[step->pick[1]].table;
    if (from < PVGI_ELIM_BASES || !plan->step[from - PVGI_ELIM_BASES].passed) return;
    const pvgi_elim_step *source = &plan->step[from - PVGI_ELIM_BASES];
    if (is_chain_of(plan, from, mask, other, reader->weight))
        step->folded = mask == PVGI_ELIM_EDGE && other == PVGI_ELIM_EDGE &&
                               step->weight == PVGI_ELIM_WEIGHT &&
                               reader->weight == PVGI_ELIM_WEIGHT
                           ? PVGI_ELIM_FOLD_SQUARES
                           : PVGI_ELIM_FOLD_FIRST;
    if (source->shape != PVGI_ELIM_PRODUCT) return;
    for (int32_t k = 1; k >= 0; k--)
        if (is_chain_of(plan, plan->factor[source->factor + k].table, mask, other,
                        reader->weight))
            step->folded = k == 0 ? PVGI_ELIM_FOLD_FIRST : PVGI_ELIM_FOLD_SECOND;
}

void pvgi_density_elim_find_passed(pvgi_elim_plan *plan) {
    bool changed = true;
    for (int32_t i = 0; i < plan->steps; i++) {
        pvgi_elim_step *step = &plan->step[i];
        step->folded = PVGI_ELIM_FOLD_NOT;
        step->passed = step->arity == 2 &&
                       (step->shape == PVGI_ELIM_CHAIN
                            ? step->uses <= PASSED_USES
                            : step->shape == PVGI_ELIM_PRODUCT && step->uses == 1);
    }
    for (int64_t i = 0; i < plan->count; i++)
        for (int32_t k = 0; k < plan->pattern[i].steps && plan->pattern[i].streamed; k++)
            plan->step[plan->list[plan->pattern[i].step + k].step].passed = false;
    while (changed) {
        changed = false;
        for (int32_t i = 0; i < plan->steps; i++)
            for (int32_t f = 0; f < plan->step[i].factors; f++) {
                const int32_t table = plan->factor[plan->step[i].factor + f].table;
                if (table < PVGI_ELIM_BASES) continue;
                pvgi_elim_step *step = &plan->step[table - PVGI_ELIM_BASES];
                if (!step->passed || may_pass(plan, &plan->step[i], f)) continue;
                step->passed = false;
                changed = true;
            }
    }
    for (int32_t i = 0; i < plan->steps; i++) find_folded(plan, &plan->step[i]);
}

int32_t pvgi_density_elim_list_capacity(pvgi_elim_plan *plan) {
    return ROOM_FOR(plan, list, list_capacity, plan->lists + 1);
}
