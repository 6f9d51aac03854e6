/* One query about many private objects, asked in several processes: paid for once,
 * before any of them draws, and afterwards one release of all rows.
 *
 * What is paid is what one draw about all objects would be: each row is about an object
 * of its own, so the guarantee is that of the row that spends most. Draws are taken for
 * rows of it if they answer the same query, about these very objects in this order, each
 * drawn once, and promise no less. */
#include "release_internal.h"

#include <math.h>
#include <string.h>

int32_t pvgi_release_pay(pvg_guarantee **out, const char *name, const pvg_query *query,
                         const int64_t *orders, const uint64_t *objects, int64_t count,
                         pvg_ledger *ledger) {
    const int64_t own = query->budget.order;
    int64_t repeated = 0;
    PVGI_REQUIRE(query->kind->can & PVGI_CAN_SETS && pvgi_query_frame(query)->exact,
                 "%s: %s does not give a row of numbers for each graph of a set", name,
                 query->kind->kind);
    PVGI_REQUIRE(!query->sources,
                 "%s: the query was made from releases, which are about "
                 "one object",
                 name);
    for (int64_t i = 0; i < count; i++) {
        PVGI_REQUIRE(orders[i] >= 0 && orders[i] <= PVGI_GRAPH_ORDER_MAX,
                     "%s: orders[%lld] is not in [0, 2^31)", name, (long long)i);
        PVGI_REQUIRE(own == 0 || orders[i] == own,
                     "%s: orders[%lld] is %lld, the query is for %lld nodes", name,
                     (long long)i, (long long)orders[i], (long long)own);
    }
    PVGI_TRY(pvgi_guarantee_count_repeated(&repeated, objects, count));
    PVGI_REQUIRE(repeated == 0, "%s: two of the objects are the same one", name);
    pvg_guarantee *made = pvgi_alloc_zero(1, sizeof *made);
    if (!made) return pvgi_fail_nomem();
    int32_t status = pvgi_query_promise(made, name, query, NULL, orders, count);
    if (status == PVG_OK) {
        made->separate = true;
        made->question = pvgi_guarantee_text_share(query->text);
        made->asked = query->text->bytes;
        status = pvgi_guarantee_name(made, objects, count);
    }
    if (status == PVG_OK && ledger) {
        memcpy(made->book, ledger->key, sizeof made->book);
        status =
            pvgi_ledger_pay(&made->charge, name, ledger, objects, count, made, false);
    }
    if (status == PVG_OK)
        *out = made;
    else
        pvg_guarantee_free(made);
    return status;
}

/* --- is this a draw that was paid for? ---------------------------------------------- */

/* At most what the whole spends: numbers of a curve of one kind. */
static bool covers(const pvg_guarantee *whole, const pvg_guarantee *part) {
    const pvg_curve_term *a = &whole->spent, *b = &part->spent;
    if (part->joint || whole->joint || part->broken || part->sources || part->derived ||
        part->narrowed)
        return false;
    if (part->notion != whole->notion || part->also_notion != whole->also_notion ||
        part->delta != whole->delta)
        return false;
    if (part->nothing) return true;
    return !whole->nothing && a->kind == b->kind && b->epsilon <= a->epsilon &&
           b->delta <= a->delta && b->rho <= a->rho && b->omega == a->omega &&
           b->mu <= a->mu && b->beta == a->beta && b->dimension <= a->dimension &&
           b->rate == a->rate && b->steps == a->steps;
}

static int32_t check_part(const char *name, const pvg_guarantee *paid,
                          const pvg_release *const *parts, int64_t i, int64_t first) {
    const pvg_release *part = parts[i];
    const pvg_guarantee *g = &part->guarantee;
    const long long at = (long long)i;
    PVGI_REQUIRE(part->content.values && g->separate && g->drawn &&
                     part->content.rows == g->objects,
                 "%s: parts[%lld] has no row of numbers for each of several objects",
                 name, at);
    PVGI_REQUIRE(g->asked && strcmp(g->asked, paid->asked) == 0,
                 "%s: parts[%lld] answers another query", name, at);
    PVGI_REQUIRE(part->content.columns == parts[0]->content.columns &&
                     g->reads == parts[0]->guarantee.reads,
                 "%s: parts[%lld] has other columns than parts[0]", name, at);
    if (g->charge != 0)
        return pvgi_fail(PVG_E_PRIVACY, "%s: parts[%lld] was paid for already", name, at);
    if (!g->numbers || g->objects > paid->objects - first ||
        memcmp(g->numbers, paid->numbers + first,
               (size_t)g->objects * sizeof *g->numbers) != 0)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: parts[%lld] is not about the objects that were paid for, "
                         "from number %lld on",
                         name, at, (long long)first);
    if (!covers(paid, g))
        return pvgi_fail(PVG_E_PRIVACY, "%s: parts[%lld] promises less than was paid for",
                         name, at);
    return PVG_OK;
}

/* --- the rows of all ---------------------------------------------------------------- */

/* A draw of its own for whoever composes it; the same for the same parts. */
static void name_it(pvg_guarantee *g, const pvg_release *const *parts, int64_t count) {
    uint8_t all[PVGI_DIGEST_BYTES];
    pvgi_digest digest;
    pvgi_rng_digest_begin(&digest);
    for (int64_t i = 0; i < count; i++) {
        const pvg_guarantee *part = &parts[i]->guarantee;
        pvgi_rng_digest_add(&digest, part->id, sizeof part->id);
        if (strcmp(part->day, g->day) > 0) memcpy(g->day, part->day, sizeof g->day);
        g->seeded = g->seeded || part->seeded;
    }
    pvgi_rng_digest_end(all, &digest);
    memcpy(g->id, all, sizeof g->id);
}

static int32_t fill(pvg_release *made, const pvg_guarantee *paid,
                    const pvg_release *const *parts, int64_t count) {
    pvg_guarantee *g = &made->guarantee;
    pvgi_content *c = &made->content;
    PVGI_TRY(pvgi_guarantee_copy(g, paid));
    c->rows = paid->objects;
    c->columns = parts[0]->content.columns;
    c->values =
        pvgi_alloc(pvgi_size_mul((size_t)c->rows, (size_t)c->columns), sizeof *c->values);
    if (!c->values) return pvgi_fail_nomem();
    double *to = c->values;
    for (int64_t i = 0; i < count; i++) {
        const size_t cells = (size_t)parts[i]->content.rows * (size_t)c->columns;
        if (cells > 0) memcpy(to, parts[i]->content.values, cells * sizeof *to);
        to += cells;
    }
    g->drawn = true;
    g->rows = c->rows;
    g->columns = c->columns;
    g->reads = parts[0]->guarantee.reads;
    name_it(g, parts, count);
    pvgi_release_digest(g->digest, c);
    return PVG_OK;
}

int32_t pvgi_release_stack(pvg_release **out, const char *name, const pvg_guarantee *paid,
                           const pvg_release *const *parts, int64_t count) {
    int64_t first = 0;
    PVGI_REQUIRE(paid->separate && paid->asked && paid->numbers && !paid->drawn,
                 "%s: paid is not what pvg_release_pay made", name);
    for (int64_t i = 0; i < count; i++) {
        PVGI_TRY(check_part(name, paid, parts, i, first));
        first += parts[i]->guarantee.objects;
    }
    PVGI_REQUIRE(count > 0 && first == paid->objects,
                 "%s: parts are about %lld objects, %lld were paid for", name,
                 (long long)first, (long long)paid->objects);
    pvg_release *made = pvgi_alloc_zero(1, sizeof *made);
    if (!made) return pvgi_fail_nomem();
    const int32_t status = fill(made, paid, parts, count);
    if (status != PVG_OK) {
        pvg_release_free(made);
        return status;
    }
    /* once: other draws of the same rows would be a second release for one payment */
    ((pvg_guarantee *)(uintptr_t)paid)->drawn = true;
    *out = made;
    return PVG_OK;
}
