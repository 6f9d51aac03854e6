/* The door: the one order in which anything leaves.
 *
 *   declared   numbers that must be public were declared, not read off private data
 *   generator  secure, or seeded where the target allows it (then nothing is private)
 *   prepare    every check, limit and public-sized block, from public values only
 *   attach     the guarantee, for the release and for a model that keeps it
 *   stream     the noise key of the call
 *   pay        the ledger, all objects or none; of processes that draw together all have
 *              come this far, the first one pays, and the others learn of it
 *   draw       private values are read for the first time
 *   finish     what only the draw can tell
 *
 * So whatever is refused for public reasons costs nothing. What can still fail after
 * paying is in docs/guarantees.md ("What can fail after paying"). */
#include "release_internal.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Sizes that outcomes show: those of what the notion hides must have been declared. Of
 * parts that are read and not hidden the guarantee says that they are public. Edges count
 * always: every guarantee has the set of nodes as public. */
static int32_t check_declared(const char *function, const pvgi_draw *draw) {
    const uint32_t hidden =
        draw->reads & (pvgi_guarantee_hides(draw->notion) | PVGI_PART_EDGES);
    if (!(draw->reads & PVGI_PART_TOLD))
        return pvgi_fail(PVG_E_INTERNAL, "%s: a draw that does not say what it reads",
                         function);
    if ((hidden & PVGI_PART_EDGES) &&
        (draw->declared & PVGI_DECLARED_NODES) != PVGI_DECLARED_NODES)
        return pvgi_fail(PVG_E_UNDECLARED,
                         "%s: the nodes, or their number, were read off the private "
                         "edges; tell them: options.order or a first line \"# order N\" "
                         "for a file, a public list (nodes=) for a graph with names",
                         function);
    if ((hidden & PVGI_PART_FEATURES) && !(draw->declared & PVGI_DECLARED_COLUMNS))
        return pvgi_fail(PVG_E_UNDECLARED,
                         "%s: the number of columns was read off the private features; "
                         "give it when reading (feature_columns)",
                         function);
    if ((hidden & PVGI_PART_LISTS) && !(draw->declared & PVGI_DECLARED_PERSONS))
        return pvgi_fail(PVG_E_UNDECLARED,
                         "%s: the number of persons was read off their entries; declare "
                         "it when the lists are made",
                         function);
    if ((hidden & PVGI_PART_LISTS) && !(draw->declared & PVGI_DECLARED_THINGS))
        return pvgi_fail(PVG_E_UNDECLARED,
                         "%s: the things, or their number, were read off the entries; "
                         "declare them when the lists are made: a number, or a public "
                         "catalogue",
                         function);
    if ((hidden & PVGI_PART_LABELS) && !(draw->declared & PVGI_DECLARED_LABELS))
        return pvgi_fail(PVG_E_UNDECLARED, "%s: whose labels these are was not declared",
                         function);
    return PVG_OK;
}

/* Before anything is prepared: is this a call that may be made at all? */
static int32_t check(const char *function, const pvgi_draw *draw,
                     const pvgi_payer *payer) {
    PVGI_TRY(check_declared(function, draw));
    if (!payer->rng) return pvgi_fail_null(function, "rng");
    if (!payer->rng->secure && !draw->allow_seeded)
        return pvgi_fail(PVG_E_SEEDED,
                         "%s: a seeded generator protects nobody; set allow_seeded in "
                         "the target if this is a test",
                         function);
    if (!payer->rng->secure)
        pvgi_log(PVG_LOG_WARNING, "%s: a seeded generator: nothing is private", function);
    if (payer->ledger && !payer->objects && payer->count > 0)
        return pvgi_fail_null(function, "objects");
    return PVG_OK;
}

static int32_t attach(pvg_guarantee *out, const pvgi_draw *draw,
                      const pvgi_payer *payer) {
    PVGI_TRY(pvgi_guarantee_copy(out, draw->guarantee));
    out->drawn = true;
    out->reads |= draw->reads;
    out->seeded = !payer->rng->secure;
    out->separate = draw->separate;
    if (draw->question) {
        pvgi_guarantee_text_drop(out->question);
        out->question = pvgi_guarantee_text_share(draw->question);
        out->asked = draw->question->bytes;
    }
    PVGI_TRY(pvgi_guarantee_name(out, payer->objects, payer->count));
    if (payer->paid) return pvgi_guarantee_share_payment(out, payer->paid);
    if (payer->ledger) memcpy(out->book, payer->ledger->key, sizeof out->book);
    return PVG_OK;
}

/* The id has a stream of its own below that of the call, which no row uses; a seeded
 * generator gives the same again. The day is that of UTC, none if the clock tells one
 * that no reader takes. Never inlined: its stream is
 * not to lie on the stack while the row draws. */
static __attribute__((noinline)) void
name_draw(pvg_guarantee *out, const pvgi_stream *call, const pvgi_run *run) {
    pvgi_stream own;
    pvgi_rng_stream_open_chunk(&own, call, UINT64_MAX);
    pvgi_rng_stream_bytes(&own, out->id, sizeof out->id);
    pvgi_rng_stream_close(&own);
    const time_t now = time(NULL);
    struct tm day;
    if (!out->seeded && !run->config.undated && gmtime_r(&now, &day) &&
        day.tm_year >= 0 && day.tm_year <= 9999 - 1900)
        strftime(out->day, sizeof out->day, "%Y-%m-%d", &day);
}

/* What process 0 tells the others of the draw. */
typedef struct {
    uint8_t id[PVGI_ID_BYTES];
    char day[16];
    int64_t charge;
    uint64_t book[2];
} shared_record;

/* All processes are about to draw. Seeded ones must have the same stream. */
static int32_t meet(const pvg_guarantee *g, const char *function,
                    const pvgi_payer *payer) {
    uint64_t words[2] = {0};
    char what[96];
    if (!payer->parts) return PVG_OK;
    if (g->seeded) memcpy(words, g->id, sizeof words);
    snprintf(what, sizeof what, "%s: the seed of the generator", function);
    return pvgi_graph_parts_same(payer->parts, words, 2, what);
}

/* After paying: the record of process 0 is that of all, who have the same objects. */
static int32_t learn_record(pvg_guarantee *g, const pvgi_payer *payer) {
    if (!payer->parts) return PVG_OK;
    shared_record told = {.charge = g->charge};
    memcpy(told.id, g->id, sizeof told.id);
    memcpy(told.day, g->day, sizeof told.day);
    memcpy(told.book, g->book, sizeof told.book);
    PVGI_TRY(pvgi_graph_parts_share(payer->parts, &told, sizeof told));
    memcpy(g->id, told.id, sizeof told.id);
    memcpy(g->day, told.day, sizeof told.day);
    memcpy(g->book, told.book, sizeof told.book);
    g->charge = told.charge;
    return PVG_OK;
}

static int32_t pass(pvg_release *release, const char *function, const pvgi_draw *draw,
                    const pvgi_payer *payer, pvgi_run *run) {
    pvgi_stream call;
    PVGI_TRY(draw->row->prepare(draw->job, run, function));
    /* it was compared with public bounds; what a private graph takes would tell edges */
    run->config.scratch_limit = 0;
    PVGI_TRY(attach(&release->guarantee, draw, payer));
    PVGI_TRY(pvgi_rng_stream_open(&call, payer->rng));
    int32_t status = PVG_OK;
    name_draw(&release->guarantee, &call, run);
    if (draw->row->record) status = draw->row->record(draw->job, &release->guarantee);
    if (status == PVG_OK) status = meet(&release->guarantee, function, payer);
    /* what does not hold has no price: the ledger refuses it as it is */
    const bool priced = draw->price && pvg_guarantee_holds(&release->guarantee);
    if (status == PVG_OK && payer->ledger)
        status = pvgi_ledger_pay(&release->guarantee.charge, function, payer->ledger,
                                 payer->objects, payer->count,
                                 priced ? draw->price : &release->guarantee, false);
    if (status == PVG_OK) status = learn_record(&release->guarantee, payer);
    if (status == PVG_OK) {
        if (payer->begun) *payer->begun = true;
        status = draw->row->draw(&release->content, draw->job, &call, run);
    }
    pvgi_rng_stream_close(&call);
    if (status != PVG_OK) return status;
    release->scattered = draw->scattered;
    release->guarantee.rows = release->content.rows;
    release->guarantee.columns = release->content.columns;
    pvgi_graph_content_declare(&release->content);
    pvgi_release_digest(release->guarantee.digest, &release->content);
    if (release->content.model)
        release->content.model_kind->finish(release->content.model, &release->guarantee);
    return PVG_OK;
}

int32_t pvgi_release_draw(pvg_release **out, const char *function, const pvgi_draw *draw,
                          const pvgi_payer *payer) {
    pvgi_run run;
    PVGI_TRY(check(function, draw, payer));
    PVGI_TRY(pvgi_run_begin(&run, payer->run));
    pvg_release *release = pvgi_alloc_zero(1, sizeof *release);
    if (!release) return pvgi_fail_nomem();
    const int32_t status = pass(release, function, draw, payer, &run);
    if (draw->row->drop) draw->row->drop(draw->job);
    if (status == PVG_OK)
        *out = release;
    else
        pvg_release_free(release);
    return status;
}
