/* Several draws, one payment: places are set aside, all ledgers pay for all of them, then
 * each place is drawn. What is drawn later may be chosen in view of what came out before,
 * as long as it promises as much: curves of the places were fixed when they were paid.
 *
 * A ledger is charged once, for all of its places together, which are about the same
 * objects. Every ledger is asked before the first one is charged; should a disk fail in
 * between, some have paid and nothing was read. */
#include "release_internal.h"

#include <string.h>

typedef struct {
    pvg_query *query;
    pvg_ledger *ledger;    /* lent until it has paid; NULL: nobody pays */
    uint64_t key[2];       /* of that ledger */
    pvg_guarantee promise; /* of one draw; with objects and payment once it was paid */
    uint64_t *objects;     /* NULL: no names */
    int64_t count;         /* of objects */
    int64_t times, used;
} place;

struct pvg_composition {
    PVGI_HANDLE;
    pvgi_owner owner; /* process that may draw: a forked copy would draw again */
    bool paid;
    int64_t count;
    place *place;
};

static void drop_place(place *p) {
    pvgi_query_drop(p->query);
    pvgi_guarantee_drop(&p->promise);
    pvgi_free(p->objects);
}

void pvgi_release_composition_drop(pvg_composition *composition) {
    for (int64_t i = 0; i < composition->count; i++) drop_place(&composition->place[i]);
    pvgi_free(composition->place);
    pvgi_owner_end(&composition->owner);
    pvgi_free(composition);
}

int32_t pvgi_release_composition_new(pvg_composition **out) {
    *out = pvgi_alloc_zero(1, sizeof **out);
    if (!*out) return pvgi_fail_nomem();
    pvgi_owner_begin(&(*out)->owner);
    return PVG_OK;
}

static int32_t check_owner(const char *name, const pvg_composition *c) {
    if (pvgi_owner_is_here(&c->owner)) return PVG_OK;
    return pvgi_fail(PVG_E_PRIVACY,
                     "%s: the composition belongs to the process that made it; a forked "
                     "copy would draw again what was paid for once",
                     name);
}

/* Draws behind it were paid by the same ledger, or nobody pays. */
static int32_t check_sources(const char *name, const pvg_guarantee *promise,
                             const pvg_ledger *ledger, const uint64_t *objects,
                             int64_t count) {
    pvg_guarantee price = {0};
    if (!promise->sources || !ledger) return PVG_OK;
    PVGI_REQUIRE(count == 1, "%s: sources are for one object, not for a set", name);
    PVGI_TRY(pvgi_guarantee_copy(&price, promise));
    const int32_t status =
        pvgi_guarantee_sources_unpaid(&price, promise->sources, ledger->key, objects[0]);
    const bool unpaid = price.joint != NULL;
    pvgi_guarantee_drop(&price);
    PVGI_TRY(status);
    if (unpaid)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: a release that this was made from was not paid by the "
                         "ledger",
                         name);
    return PVG_OK;
}

/* Of parts only process 0 has a ledger, and places are paid in advance in each. */
static int32_t check_whole(const char *name, const pvg_input *input) {
    PVGI_REQUIRE(!input->parts,
                 "%s: compositions are not for graphs in parts; draw one query after the "
                 "other",
                 name);
    return PVG_OK;
}

static int32_t fill_place(place *p, const char *name, const pvg_query *query,
                          const pvg_input *input, pvg_ledger *ledger) {
    pvgi_private data;
    pvg_input own;
    PVGI_TRY(pvgi_query_input(&data, &own, name, query, input));
    PVGI_TRY(check_whole(name, &own));
    PVGI_TRY(pvgi_release_objects(&p->objects, &p->count, name, &own, ledger));
    PVGI_TRY(pvgi_release_promise(&p->promise, name, query, &own));
    p->promise.reads |= query->reads | PVGI_PART_TOLD;
    /* Kinds realise a pure epsilon by roundings of their own, between 0 and 1e-12 below
     * what was asked for: nearly that is set aside, so that another kind fits. */
    const double asked = query->budget.target.epsilon * (1.0 - 0x1p-46);
    if (p->promise.spent.kind == PVG_CURVE_PURE && asked > p->promise.spent.epsilon &&
        p->promise.spent.rho == 0.0 && p->promise.spent.steps == 0)
        p->promise.spent.epsilon = asked;
    p->query = pvgi_query_share_handle((pvg_query *)(uintptr_t)query);
    if (!ledger) return PVG_OK;
    p->ledger = ledger;
    memcpy(p->key, ledger->key, sizeof p->key);
    PVGI_REQUIRE(pvg_notion_pays(ledger->config.notion, p->promise.notion),
                 "%s: a ledger of %s cannot be charged for %s", name,
                 pvg_notion_name(ledger->config.notion),
                 pvg_notion_name(p->promise.notion));
    return check_sources(name, &p->promise, ledger, p->objects, p->count);
}

/* One charge for all places of a ledger: they are about the same objects. */
static int32_t check_objects(const char *name, const pvg_composition *c,
                             const place *added) {
    for (int64_t i = 0; i < c->count && added->ledger; i++) {
        const place *p = &c->place[i];
        if (p->ledger != added->ledger) continue;
        PVGI_REQUIRE(p->count == added->count &&
                         memcmp(p->objects, added->objects,
                                (size_t)p->count * sizeof *p->objects) == 0,
                     "%s: places of one ledger are about the same objects; use one "
                     "composition for each",
                     name);
    }
    return PVG_OK;
}

int32_t pvgi_release_composition_add(int64_t *at, const char *name, pvg_composition *c,
                                     const pvg_query *query, const pvg_input *input,
                                     int64_t times, pvg_ledger *ledger) {
    place added = {.times = times};
    PVGI_REQUIRE(!c->paid, "%s: the composition is paid", name);
    int32_t status = fill_place(&added, name, query, input, ledger);
    if (status == PVG_OK) status = check_objects(name, c, &added);
    place *larger = NULL;
    if (status == PVG_OK) {
        larger = pvgi_grow(c->place, (size_t)c->count + 1, sizeof *c->place);
        if (!larger) status = pvgi_fail_nomem();
    }
    if (status != PVG_OK) {
        drop_place(&added);
        return status;
    }
    c->place = larger;
    c->place[c->count] = added;
    *at = c->count++;
    return PVG_OK;
}

/* --- what they promise together ---------------------------------------------------- */

/* sum = sum + the place, all its draws. Sources are not in it: they were paid before. */
static int32_t add_place(pvg_curve **sum, const place *p, int32_t notion) {
    pvg_curve *one = NULL, *all = NULL, *both = NULL;
    pvg_guarantee own = p->promise;
    own.joint = NULL;
    if (pvgi_guarantee_holds(&own) && !pvgi_guarantee_spends(&own)) return PVG_OK;
    PVGI_TRY(pvgi_guarantee_curve_about(&one, &own, notion));
    int32_t status = pvg_curve_repeat(&all, one, p->times);
    pvg_curve_free(one);
    PVGI_TRY(status);
    if (!*sum) {
        *sum = all;
        return PVG_OK;
    }
    status = pvg_curve_compose(&both, *sum, all);
    pvg_curve_free(all);
    PVGI_TRY(status);
    pvg_curve_free(*sum);
    *sum = both;
    return PVG_OK;
}

/* Draws behind the queries of all places, each once: they were paid for before, and count
 * all the same. */
static int32_t add_sources(pvg_guarantee *out, const char *name,
                           const pvg_composition *c) {
    pvgi_provenance *list = NULL;
    pvg_guarantee w = {0};
    pvg_curve *sum = NULL;
    int32_t status = PVG_OK;
    for (int64_t i = 0; i < c->count && status == PVG_OK; i++)
        status = pvgi_guarantee_sources_join(&list, c->place[i].promise.sources);
    if (status != PVG_OK || !list) goto done;
    PVGI_TRY_DONE(pvgi_guarantee_about(&w, name, list, out->notion, NULL));
    pvgi_guarantee_assumptions_join(out, &w);
    if (!pvgi_guarantee_holds(&w)) out->broken = w.broken;
    if (w.joint && out->joint) {
        PVGI_TRY_DONE(pvg_curve_compose(&sum, out->joint, w.joint));
        pvg_curve_free(out->joint);
        out->joint = sum;
    } else if (w.joint) {
        out->joint = w.joint;
        w.joint = NULL;
    }
done:
    pvgi_guarantee_drop(&w);
    pvgi_guarantee_sources_drop(list);
    return status;
}

int32_t pvgi_release_composition_guarantee(pvg_guarantee *out, const char *name,
                                           const pvg_composition *c, int32_t notion) {
    int32_t status = PVG_OK;
    *out = (pvg_guarantee){
        .notion = notion, .noise = "that of each part", .claim = "release.composition"};
    for (int64_t i = 0; i < c->count && status == PVG_OK; i++) {
        const pvg_guarantee *promise = &c->place[i].promise;
        pvgi_guarantee_assumptions_join(out, promise);
        if (promise->delta > out->delta) out->delta = promise->delta;
        if ((promise->reads & pvgi_guarantee_hides(notion)) == 0) continue;
        if (!pvg_notion_pays(notion, promise->notion))
            status = pvgi_fail(PVG_E_PRIVACY,
                               "%s: place %lld promises %s, which says nothing about %s",
                               name, (long long)i, pvg_notion_name(promise->notion),
                               pvg_notion_name(notion));
        else
            status = add_place(&out->joint, &c->place[i], notion);
        if (!pvgi_guarantee_holds(promise)) out->broken = promise->broken;
    }
    if (status == PVG_OK) status = add_sources(out, name, c);
    out->nothing = !out->joint;
    if (status != PVG_OK) pvgi_guarantee_drop(out);
    return status;
}

/* --- paying ------------------------------------------------------------------------ */

/* Charges the ledger of place `first` for all of its places. */
static int32_t charge(int64_t *number, const char *name, const pvg_composition *c,
                      int64_t first, bool dry) {
    const place *lead = &c->place[first];
    pvg_guarantee all = {.notion = lead->ledger->config.notion};
    int32_t status = PVG_OK;
    for (int64_t i = first; i < c->count && status == PVG_OK; i++)
        if (c->place[i].ledger == lead->ledger)
            status = add_place(&all.joint, &c->place[i], all.notion);
    all.nothing = !all.joint;
    if (status == PVG_OK && all.joint)
        status = pvgi_ledger_pay(number, name, lead->ledger, lead->objects, lead->count,
                                 &all, dry);
    pvgi_guarantee_drop(&all);
    return status;
}

static bool leads(const pvg_composition *c, int64_t i) {
    for (int64_t k = 0; k < i; k++)
        if (c->place[k].ledger == c->place[i].ledger) return false;
    return c->place[i].ledger != NULL;
}

/* Every promise gets its objects, before anything is paid. */
static int32_t name_objects(pvg_composition *c) {
    for (int64_t i = 0; i < c->count; i++) {
        place *p = &c->place[i];
        if (p->promise.numbers) continue; /* a payment was refused before */
        PVGI_TRY(pvgi_guarantee_name(&p->promise, p->objects, p->count));
        memcpy(p->promise.book, p->key, sizeof p->key);
    }
    return PVG_OK;
}

int32_t pvgi_release_composition_pay(const char *name, pvg_composition *c) {
    PVGI_TRY(check_owner(name, c));
    PVGI_REQUIRE(!c->paid, "%s: the composition is paid", name);
    PVGI_TRY(name_objects(c));
    for (int64_t i = 0; i < c->count; i++)
        if (leads(c, i)) PVGI_TRY(charge(NULL, name, c, i, true));
    for (int64_t i = 0; i < c->count; i++) {
        int64_t number = 0;
        if (!leads(c, i)) continue;
        PVGI_TRY(charge(&number, name, c, i, false));
        const pvg_ledger *payer = c->place[i].ledger;
        for (int64_t k = i; k < c->count; k++)
            if (c->place[k].ledger == payer) c->place[k].promise.charge = number;
    }
    c->paid = true;
    return PVG_OK;
}

/* --- drawing ----------------------------------------------------------------------- */

/* Whether a term loses at most what another one does. rho 0 of a pure term: no better
 * bound than that of its epsilon. */
static bool is_within(const pvg_curve_term *a, const pvg_curve_term *b) {
    const bool rho = a->kind == PVG_CURVE_PURE && b->rho == 0.0
                         ? true
                         : a->rho <= b->rho && (a->rho > 0.0 || b->rho == 0.0);
    return a->kind != 0 && a->kind == b->kind && a->epsilon <= b->epsilon &&
           a->delta <= b->delta && rho && a->omega >= b->omega && a->mu <= b->mu &&
           a->beta <= b->beta && a->dimension <= b->dimension && a->rate <= b->rate &&
           (a->kind == PVG_CURVE_SAMPLED ? a->steps <= b->steps : a->steps == b->steps);
}

/* What another query promises of its own against what was paid for. Draws behind it are
 * compared elsewhere (check_sources), and its record tells what they are worth. */
static int32_t check_promise(const char *name, const place *p, const pvg_query *query,
                             const pvg_input *input) {
    pvg_guarantee own = {0};
    PVGI_TRY(pvgi_release_own_promise(&own, name, query, input, NULL));
    const bool holds = pvgi_guarantee_holds(&own);
    const bool within = is_within(&own.spent, &p->promise.spent) || own.nothing;
    const bool fits = own.notion == p->promise.notion && within &&
                      (holds || !pvgi_guarantee_holds(&p->promise)) &&
                      (query->reads & ~p->query->reads) == 0;
    pvgi_guarantee_drop(&own);
    if (fits) return PVG_OK;
    return pvgi_fail(
        PVG_E_PRIVACY,
        "%s: %s does not promise as much as %s, which the place was paid for", name,
        query->kind->kind, p->query->kind->kind);
}

static int32_t check_same_objects(const char *name, const place *p,
                                  const pvg_input *input) {
    uint64_t *objects = NULL;
    int64_t count;
    PVGI_TRY(pvgi_release_objects(&objects, &count, name, input, NULL));
    const bool same =
        count == p->count && (objects != NULL) == (p->objects != NULL) &&
        (!objects || memcmp(objects, p->objects, (size_t)count * sizeof *objects) == 0);
    pvgi_free(objects);
    if (same) return PVG_OK;
    return pvgi_fail(PVG_E_PRIVACY, "%s: the place was paid for other objects", name);
}

int32_t pvgi_release_composition_draw(pvg_release **out, const char *name,
                                      pvg_composition *c, int64_t at,
                                      const pvg_query *query, const pvg_input *input,
                                      pvg_rng *rng, const pvg_run *run) {
    pvgi_private data;
    pvg_input own;
    pvg_guarantee promise = {0};
    PVGI_TRY(check_owner(name, c));
    PVGI_REQUIRE(c->paid, "%s: the composition is not paid", name);
    PVGI_REQUIRE(at >= 0 && at < c->count, "%s: there is no place %lld", name,
                 (long long)at);
    place *p = &c->place[at];
    if (p->used >= p->times)
        return pvgi_fail(PVG_E_PRIVACY, "%s: place %lld is used up", name, (long long)at);
    const pvg_query *asked = query ? query : p->query;
    PVGI_TRY(pvgi_query_input(&data, &own, name, asked, input));
    PVGI_TRY(check_whole(name, &own));
    PVGI_TRY(check_same_objects(name, p, &own));
    PVGI_TRY(check_promise(name, p, asked, &own));
    PVGI_TRY(pvgi_release_promise(&promise, name, asked, &own));
    int32_t status = PVG_OK;
    if (p->ledger) {
        const pvg_ledger payer = {.key = {p->key[0], p->key[1]}};
        status = check_sources(name, &promise, &payer, p->objects, p->count);
    }
    pvgi_guarantee_drop(&promise);
    bool begun = false;
    if (status == PVG_OK)
        status = pvgi_release_answer_paid(out, name, asked, &data, &own, rng, run,
                                          &p->promise, &begun);
    if (begun) p->used++;
    return status;
}
