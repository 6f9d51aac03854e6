/* One graph in several processes: checks, and what processes say to each other.
 *
 * Before every exchange all processes agree that they are well. One that fails leaves
 * its work and says so at the end of the call (finish); the others meet it where they
 * wanted to exchange something, and fail with its message. So nobody waits for one that
 * has left, and what a call made is kept by all processes or by none. */
#include "graph_internal.h"

#include "base/mix.h"

#include <string.h>

enum { WORDS = PVGI_MESSAGE_BYTES / 8 };

/* --- what processes say to each other ---------------------------------------------- */

static int32_t combine(const pvg_parts *parts, int64_t *values, int64_t count,
                       int32_t how) {
    const pvg_parts_config *c = &parts->config;
    if (c->combine(c->context, values, count, how) == 0) return PVG_OK;
    return pvgi_fail(PVG_E_IO, "parts: combine failed in process %d", (int)c->process);
}

/* The message of process `from` reaches all, as the words of a sum. */
static int32_t tell(char message[PVGI_MESSAGE_BYTES], const pvg_parts *parts,
                    int64_t from) {
    int64_t words[2 * WORDS] = {0};
    if (parts->config.process == from) {
        uint32_t halves[2 * WORDS];
        pvgi_message_save(message);
        memcpy(halves, message, sizeof halves);
        for (int i = 0; i < 2 * WORDS; i++) words[i] = halves[i];
    }
    PVGI_TRY(combine(parts, words, 2 * WORDS, PVG_COMBINE_SUM));
    for (int i = 0; i < 2 * WORDS; i++) {
        const uint32_t half = (uint32_t)words[i];
        memcpy(message + 4 * i, &half, sizeof half);
    }
    message[PVGI_MESSAGE_BYTES - 1] = '\0';
    return PVG_OK;
}

/* The failure of one process, if there is one, is that of all. Once it is told nobody may
 * ask again: the others have left. */
static int32_t agree(const pvg_parts *parts, int32_t status) {
    const int64_t processes = parts->config.processes;
    char message[PVGI_MESSAGE_BYTES];
    /* that of the first process that failed: its number from behind, and its status */
    int64_t worst = status == PVG_OK
                        ? 0
                        : (processes - parts->config.process) * 256 - (int64_t)status;
    const int32_t asked = combine(parts, &worst, 1, PVG_COMBINE_MAX);
    if (asked != PVG_OK) return status == PVG_OK ? asked : status;
    if (worst == 0) return PVG_OK;
    const int64_t from = processes - worst / 256;
    const int32_t theirs = -(int32_t)(worst % 256);
    ((pvg_parts *)(uintptr_t)parts)->told = true;
    const int32_t heard = tell(message, parts, from);
    if (status != PVG_OK) return status; /* its own message stands */
    if (heard != PVG_OK) return heard;
    return pvgi_fail(theirs, "process %lld: %.400s", (long long)from, message);
}

void pvgi_graph_parts_begin(const pvg_parts *parts) {
    ((pvg_parts *)(uintptr_t)parts)->told = false;
}

int32_t pvgi_graph_parts_finish(const pvg_parts *parts, int32_t status) {
    return parts->told ? status : agree(parts, status);
}

int32_t pvgi_graph_parts_borrow(const pvg_parts *parts, void *table, size_t row_bytes) {
    const pvg_parts_config *c = &parts->config;
    PVGI_TRY(agree(parts, PVG_OK));
    if (c->borrow(c->context, table, row_bytes) == 0) return PVG_OK;
    return pvgi_fail(PVG_E_IO, "parts: borrow failed in process %d", (int)c->process);
}

int32_t pvgi_graph_parts_combine(const pvg_parts *parts, int64_t *values, int64_t count,
                                 int32_t how) {
    PVGI_TRY(agree(parts, PVG_OK));
    return combine(parts, values, count, how);
}

int32_t pvgi_graph_parts_share(const pvg_parts *parts, void *bytes, size_t length) {
    const pvg_parts_config *c = &parts->config;
    PVGI_TRY(agree(parts, PVG_OK));
    if (c->share(c->context, bytes, length) == 0) return PVG_OK;
    return pvgi_fail(PVG_E_IO, "parts: share failed in process %d", (int)c->process);
}

int32_t pvgi_graph_parts_same(const pvg_parts *parts, const uint64_t *words,
                              int64_t count, const char *what) {
    enum { MOST = 16 };
    int64_t both[4 * MOST];
    if (count > MOST)
        return pvgi_fail(PVG_E_INTERNAL, "parts: too many words to compare");
    for (int64_t i = 0; i < 2 * count; i++) {
        const int64_t half = (int64_t)(words[i / 2] >> 32 * (i % 2) & UINT32_MAX);
        both[2 * i] = half;
        both[2 * i + 1] = -half;
    }
    PVGI_TRY(pvgi_graph_parts_combine(parts, both, 4 * count, PVG_COMBINE_MAX));
    for (int64_t i = 0; i < 2 * count; i++)
        if (both[2 * i] != -both[2 * i + 1])
            return pvgi_fail(PVG_E_ARGUMENT, "%s: not the same in all processes", what);
    return PVG_OK;
}

int64_t pvgi_graph_parts_number(const pvg_parts *parts, int64_t local) {
    const pvg_parts_config *c = &parts->config;
    return local < c->own ? c->first + local : c->borrows[local - c->own];
}

/* --- checks ------------------------------------------------------------------------ */

static int32_t check_shape(const char *name, const pvg_parts_config *c) {
    PVGI_REQUIRE(c->order >= 0, "%s: order is negative", name);
    if (c->order > PVGI_GRAPH_ORDER_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: order is more than 2^31 - 1", name);
    PVGI_REQUIRE(c->first >= 0 && c->own >= 0 && c->own <= c->order &&
                     c->first <= c->order - c->own,
                 "%s: nodes %lld .. %lld are not of 0 .. %lld", name, (long long)c->first,
                 (long long)(c->first + c->own - 1), (long long)(c->order - 1));
    PVGI_REQUIRE(c->own == 0 || c->first % PVG_PARTS_ROWS == 0,
                 "%s: first is %lld, no multiple of %d", name, (long long)c->first,
                 (int)PVG_PARTS_ROWS);
    PVGI_REQUIRE(c->borrowed >= 0 && c->borrowed <= c->order - c->own,
                 "%s: borrowed is %lld of %lld nodes", name, (long long)c->borrowed,
                 (long long)c->order);
    if (c->own == 0 && c->borrowed == 0) return PVG_OK;
    if (!c->offsets) return pvgi_fail_null(name, "offsets");
    if (c->borrowed > 0 && !c->borrows) return pvgi_fail_null(name, "borrows");
    return PVG_OK;
}

static int32_t check_borrows(const char *name, const pvg_parts_config *c) {
    for (int64_t i = 0; i < c->borrowed; i++) {
        const int64_t v = c->borrows[i];
        PVGI_REQUIRE(v >= 0 && v < c->order && (v < c->first || v >= c->first + c->own),
                     "%s: borrows[%lld] is %lld, no node of another process", name,
                     (long long)i, (long long)v);
        PVGI_REQUIRE(i == 0 || c->borrows[i - 1] < v,
                     "%s: borrows[%lld] is not ascending", name, (long long)i);
    }
    return PVG_OK;
}

static int32_t check_list(const char *name, const pvg_parts *parts, int64_t u) {
    const pvg_parts_config *c = &parts->config;
    int64_t before = -1;
    for (int64_t i = c->offsets[u]; i < c->offsets[u + 1]; i++) {
        const int32_t local = c->neighbours[i];
        PVGI_REQUIRE(local >= 0 && local < c->own + c->borrowed,
                     "%s: neighbours[%lld] is %d, no local number", name, (long long)i,
                     (int)local);
        PVGI_REQUIRE(local != u, "%s: neighbours[%lld] is a loop", name, (long long)i);
        const int64_t v = pvgi_graph_parts_number(parts, local);
        PVGI_REQUIRE(v > before,
                     "%s: neighbours[%lld] is not ascending in the numbers of the whole",
                     name, (long long)i);
        before = v;
    }
    return PVG_OK;
}

/* Edges of the lists, those to larger numbers counted against those to smaller ones:
 * zero over all processes if every edge stands in both lists. Two words modulo 2^32. */
static void balance(int64_t out[2], const pvg_parts *parts) {
    const pvg_parts_config *c = &parts->config;
    uint64_t sum = 0, other = 0;
    for (int64_t i = 0; i < c->own; i++) {
        const uint64_t u = (uint64_t)(c->first + i);
        for (int64_t k = c->offsets[i]; k < c->offsets[i + 1]; k++) {
            const uint64_t v = (uint64_t)pvgi_graph_parts_number(parts, c->neighbours[k]);
            const uint64_t low = u < v ? u : v, high = u < v ? v : u;
            const uint64_t word =
                pvgi_mix(pvgi_mix(low + PVGI_MIX_STEP) + high * PVGI_MIX_STEP);
            sum += u < v ? word & UINT32_MAX : -(word & UINT32_MAX);
            other += u < v ? word >> 32 : -(word >> 32);
        }
    }
    out[0] = (int64_t)(sum & UINT32_MAX);
    out[1] = (int64_t)(other & UINT32_MAX);
}

static int32_t check_part(const char *name, const pvg_parts *parts) {
    const pvg_parts_config *c = &parts->config;
    PVGI_TRY(check_shape(name, c));
    PVGI_TRY(check_borrows(name, c));
    if (c->own == 0) return PVG_OK;
    PVGI_TRY(pvgi_graph_offsets_check("offsets", c->offsets, c->own));
    if (c->offsets[c->own] > 0 && !c->neighbours)
        return pvgi_fail_null(name, "neighbours");
    for (int64_t u = 0; u < c->own; u++) PVGI_TRY(check_list(name, parts, u));
    return PVG_OK;
}

/* Parts follow one another, and edges are told by both ends. */
static int32_t check_sums(const char *name, const pvg_parts_config *c,
                          const int64_t *sums) {
    const int64_t *balanced = sums + c->processes;
    int64_t before = 0, all = 0;
    for (int32_t i = 0; i < c->processes; i++) {
        if (i < c->process) before += sums[i];
        all += sums[i];
    }
    PVGI_REQUIRE(all == c->order, "%s: parts have %lld nodes, order is %lld", name,
                 (long long)all, (long long)c->order);
    PVGI_REQUIRE(c->own == 0 || before == c->first,
                 "%s: first is %lld, parts before it have %lld nodes", name,
                 (long long)c->first, (long long)before);
    PVGI_REQUIRE(((balanced[0] | balanced[1]) & UINT32_MAX) == 0,
                 "%s: an edge stands in the list of one end only", name);
    return PVG_OK;
}

static int32_t check(const char *name, const pvg_parts *parts) {
    const pvg_parts_config *c = &parts->config;
    const uint64_t shape[] = {(uint64_t)c->order, (uint64_t)c->processes,
                              (uint64_t)c->declared};
    const int64_t many = (int64_t)c->processes + 2;
    PVGI_TRY(check_part(name, parts));
    PVGI_TRY(pvgi_graph_parts_same(parts, shape, 3,
                                   "pvg_parts_new: order, processes and declared"));
    int64_t *sums = pvgi_alloc_zero((size_t)many, sizeof *sums);
    if (!sums) return pvgi_fail_nomem();
    sums[c->process] = c->own;
    balance(sums + c->processes, parts);
    int32_t status = pvgi_graph_parts_combine(parts, sums, many, PVG_COMBINE_SUM);
    if (status == PVG_OK) status = check_sums(name, c, sums);
    pvgi_free(sums);
    return status;
}

int32_t pvgi_graph_parts_new(pvg_parts **out, const char *name,
                             const pvg_parts_config *config) {
    static const int64_t none[1] = {0};
    pvg_parts own = {.config = *config};
    pvg_parts_config *c = &own.config;
    if (c->own == 0) c->offsets = none;
    pvg_parts *parts = pvgi_alloc(1, sizeof *parts);
    int32_t status = parts ? check(name, &own) : pvgi_fail_nomem();
    status = pvgi_graph_parts_finish(&own, status);
    if (status != PVG_OK) {
        pvgi_free(parts);
        return status;
    }
    *parts = own;
    parts->rows = (pvg_graph){.order = c->own,
                              .size = c->offsets[c->own] / 2,
                              .offsets = (int64_t *)(uintptr_t)c->offsets,
                              .columns = (int32_t *)(uintptr_t)c->neighbours,
                              .declared = c->declared ? PVGI_DECLARED_NODES : 0};
    *out = parts;
    return PVG_OK;
}

void pvgi_graph_parts_free(pvg_parts *parts) {
    pvgi_free(parts);
}
