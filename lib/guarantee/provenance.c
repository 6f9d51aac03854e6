/* Provenance: which draws something was made from, and what they promise together.
 *
 * A draw is known by its id, and knows what it read and whom it is about: the objects it
 * was given a name or number for, or any if it was given none. Nobody states that again
 * later. So
 * whatever is made from releases (data sets, models, layers, predictions) is
 * post-processing of its list of draws, and promises about a notion and an object, each
 * draw once:
 *
 *   1. it read nothing that the notion hides       free, its assumptions stay
 *   2. its objects are known, `object` is none     free
 *   3. the notion does not pay for that of the draw   nothing can be said
 *   4. else                                        its curve is composed
 *
 * Without an object rule 2 never applies. A default can so only count too much. */
#include "guarantee_internal.h"

#include <string.h>

/* --- lists ------------------------------------------------------------------------ */

pvgi_provenance *pvgi_guarantee_sources_share(pvgi_provenance *list) {
    if (list) atomic_fetch_add_explicit(&list->users, 1, memory_order_relaxed);
    return list;
}

void pvgi_guarantee_sources_drop(pvgi_provenance *list) {
    if (!list || atomic_fetch_sub_explicit(&list->users, 1, memory_order_acq_rel) != 1)
        return;
    for (int32_t i = 0; i < list->count; i++) pvgi_guarantee_drop(&list->draw[i]);
    pvgi_free(list->draw);
    pvgi_free(list);
}

/* Fields beyond those of a kind are zero, so terms that say the same are the same. */
static bool is_same_term(const pvg_curve_term *a, const pvg_curve_term *b) {
    return a->kind == b->kind && a->epsilon == b->epsilon && a->delta == b->delta &&
           a->rho == b->rho && a->omega == b->omega && a->mu == b->mu &&
           a->beta == b->beta && a->dimension == b->dimension && a->rate == b->rate &&
           a->steps == b->steps;
}

/* One id, and the same said of it: a record that was read may say another thing of a draw
 * that is here, and then both count. */
bool pvgi_guarantee_same_draw(const pvg_guarantee *a, const pvg_guarantee *b) {
    static const uint8_t none[PVGI_ID_BYTES] = {0};
    int64_t count, other;
    const pvg_curve_term *x = pvgi_guarantee_terms(a, &count);
    const pvg_curve_term *y = pvgi_guarantee_terms(b, &other);
    if (memcmp(a->id, none, PVGI_ID_BYTES) == 0 ||
        memcmp(a->id, b->id, PVGI_ID_BYTES) != 0 || a->notion != b->notion ||
        count != other || a->reads != b->reads)
        return false;
    if (a->numbers && b->numbers && !pvgi_guarantee_same_objects(a, b)) return false;
    for (int64_t i = 0; i < count; i++)
        if (!is_same_term(&x[i], &y[i])) return false;
    return true;
}

/* Whom a draw is about; what was made from others is about theirs as well. */
static bool knows_objects(const pvg_guarantee *draw) {
    return draw->objects > 0 && draw->numbers && !draw->derived;
}

static bool has_object(const pvg_guarantee *draw, uint64_t object) {
    for (int64_t i = 0; draw->numbers && i < draw->objects; i++)
        if (draw->numbers[i] == object) return true;
    return false;
}

/* The same draw may have come by a way that forgot its objects; forgetting widens. */
static void forget_objects(pvg_guarantee *draw) {
    pvgi_free(draw->numbers);
    draw->numbers = NULL;
    draw->charge = 0;
    if (!draw->separate) draw->objects = 0;
}

bool pvgi_guarantee_may_be_about(const pvg_guarantee *draw, const uint64_t *object) {
    return !object || !knows_objects(draw) || has_object(draw, *object);
}

/* Memory for one more. */
static int32_t reserve(pvgi_provenance **list) {
    pvgi_provenance *l = *list;
    if (!l) {
        l = pvgi_alloc_zero(1, sizeof *l);
        if (!l) return pvgi_fail_nomem();
        atomic_init(&l->users, 1);
        *list = l;
    }
    if (l->count == PVGI_SOURCES_MAX)
        return pvgi_fail(PVG_E_LIMIT, "more than %d draws went into it",
                         (int)PVGI_SOURCES_MAX);
    pvg_guarantee *larger = pvgi_grow(l->draw, (size_t)l->count + 1, sizeof *larger);
    if (!larger) return pvgi_fail_nomem();
    l->draw = larger;
    return PVG_OK;
}

static int32_t add_one(pvgi_provenance **list, const pvg_guarantee *draw) {
    pvgi_provenance *l = *list;
    for (int32_t i = 0; l && i < l->count; i++)
        if (pvgi_guarantee_same_draw(&l->draw[i], draw)) {
            if (!draw->numbers && l->draw[i].numbers) forget_objects(&l->draw[i]);
            return PVG_OK;
        }
    PVGI_TRY(reserve(list));
    l = *list;
    PVGI_TRY(pvgi_guarantee_copy(&l->draw[l->count], draw));
    l->count++;
    return PVG_OK;
}

/* What a release made from others drew of its own, without them. */
static int32_t add_own(pvgi_provenance **list, const pvg_guarantee *guarantee) {
    pvg_guarantee own;
    if (guarantee->spent.kind == 0) return PVG_OK; /* it drew nothing */
    PVGI_TRY(pvgi_guarantee_copy(&own, guarantee));
    pvg_curve_free(own.joint);
    own.joint = NULL;
    pvgi_guarantee_sources_drop(own.sources);
    own.sources = NULL;
    own.derived = false;
    const int32_t status = add_one(list, &own);
    pvgi_guarantee_drop(&own);
    return status;
}

int32_t pvgi_guarantee_sources_add(pvgi_provenance **list,
                                   const pvg_guarantee *guarantee) {
    if (!guarantee->sources) return add_one(list, guarantee);
    PVGI_TRY(pvgi_guarantee_sources_join(list, guarantee->sources));
    return add_own(list, guarantee);
}

int32_t pvgi_guarantee_sources_join(pvgi_provenance **list, const pvgi_provenance *more) {
    for (int32_t i = 0; more && i < more->count; i++)
        PVGI_TRY(add_one(list, &more->draw[i]));
    return PVG_OK;
}

static uint32_t parts_read(const pvg_guarantee *draw) {
    return draw->reads & PVGI_PART_TOLD ? draw->reads & PVGI_PART_ALL : PVGI_PART_ALL;
}

/* PVGI_PART_* that any of them read. */
static uint32_t all_parts_read(const pvgi_provenance *list) {
    uint32_t parts = PVGI_PART_TOLD;
    for (int32_t i = 0; list && i < list->count; i++) parts |= parts_read(&list->draw[i]);
    return parts;
}

/* --- what they promise ------------------------------------------------------------ */

static int32_t add_curve(pvg_guarantee *out, const pvg_guarantee *more) {
    pvg_curve *curve = NULL, *sum = NULL;
    PVGI_TRY(pvgi_guarantee_curve_about(&curve, more, out->notion));
    if (!out->joint) {
        out->joint = curve;
        return PVG_OK;
    }
    const int32_t status = pvg_curve_compose(&sum, out->joint, curve);
    pvg_curve_free(curve);
    if (status != PVG_OK) return status;
    pvg_curve_free(out->joint);
    out->joint = sum;
    return PVG_OK;
}

/* Rule 3, and what else makes a draw say nothing about the notion or the object. */
static int32_t check_draw(const pvg_guarantee *draw, const char *function, int32_t notion,
                          const uint64_t *object) {
    if (draw->separate && draw->repeated > 0)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: a release it was made from has an object twice", function);
    if (draw->narrowed && !(object && *object == draw->about))
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: a release it was made from says something about the object "
                         "%llu only",
                         function, (unsigned long long)draw->about);
    if (!pvg_notion_pays(notion, draw->notion))
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: a part released under %s says nothing about %s", function,
                         pvg_notion_name(draw->notion), pvg_notion_name(notion));
    return PVG_OK;
}

static int32_t count_draw(pvg_guarantee *out, const pvg_guarantee *draw) {
    if (!pvgi_guarantee_holds(draw))
        out->broken = "a release it was made from promises nothing";
    if (draw->delta > out->delta) out->delta = draw->delta;
    pvgi_guarantee_assumptions_join(out, draw);
    if (pvgi_guarantee_spends(draw) || !pvgi_guarantee_holds(draw))
        return add_curve(out, draw);
    return PVG_OK;
}

static int32_t count_draws(pvg_guarantee *out, const char *function,
                           const pvgi_provenance *list, const uint64_t *object) {
    const uint32_t hidden = pvgi_guarantee_hides(out->notion);
    bool loaded = false, named = !object;
    for (int32_t i = 0; i < list->count; i++) {
        const pvg_guarantee *draw = &list->draw[i];
        const bool other = !pvgi_guarantee_may_be_about(draw, object);
        named = named || !other;
        if ((parts_read(draw) & hidden) == 0) {
            pvgi_guarantee_assumptions_join(out, draw);
        } else if (other) {
            out->narrowed = true;
        } else {
            PVGI_TRY(check_draw(draw, function, out->notion, object));
            PVGI_TRY(count_draw(out, draw));
            loaded = loaded || draw->loaded;
        }
    }
    PVGI_REQUIRE(named, "%s: no draw it was made from is about the object %llu", function,
                 (unsigned long long)*object);
    if (out->narrowed) {
        out->about = *object;
        pvgi_guarantee_assumption(out,
                                  "draws about other objects tell nothing about this "
                                  "one: different names are different objects");
    }
    if (loaded)
        pvgi_guarantee_assumption(out,
                                  "records that were read from files are those of the "
                                  "draws");
    return PVG_OK;
}

int32_t pvgi_guarantee_about(pvg_guarantee *out, const char *function,
                             pvgi_provenance *list, int32_t notion,
                             const uint64_t *object) {
    *out = (pvg_guarantee){.notion = notion,
                           .noise = "that of the releases it was made from",
                           .claim = "learn.postprocessing",
                           .reads = all_parts_read(list),
                           .derived = list && list->count > 0};
    out->sources = pvgi_guarantee_sources_share(list);
    const int32_t status =
        out->derived ? count_draws(out, function, list, object) : PVG_OK;
    out->nothing = !out->joint; /* every draw was looked at */
    if (status != PVG_OK) pvgi_guarantee_drop(out);
    return status;
}

/* --- what a ledger has not been charged for --------------------------------------- */

static bool has_paid(const pvg_guarantee *draw, const uint64_t key[2], uint64_t object) {
    return draw->charge != 0 && memcmp(draw->book, key, sizeof draw->book) == 0 &&
           has_object(draw, object);
}

int32_t pvgi_guarantee_sources_unpaid(pvg_guarantee *own, const pvgi_provenance *list,
                                      const uint64_t key[2], uint64_t object) {
    const uint32_t hidden = pvgi_guarantee_hides(own->notion);
    pvg_curve_free(own->joint);
    own->joint = NULL;
    for (int32_t i = 0; list && i < list->count; i++) {
        const pvg_guarantee *draw = &list->draw[i];
        if ((parts_read(draw) & hidden) == 0 || has_paid(draw, key, object) ||
            !(pvgi_guarantee_spends(draw) || !pvgi_guarantee_holds(draw)))
            continue;
        if (!own->joint && own->spent.kind != 0) {
            pvg_guarantee alone = *own;
            PVGI_TRY(add_curve(own, &alone));
        }
        PVGI_TRY(add_curve(own, draw));
    }
    return PVG_OK;
}
