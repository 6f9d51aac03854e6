/* Answers a query: input, objects and draws behind it, then the door. */
#include "release_internal.h"

#include <stdio.h>
#include <string.h>

/* --- who pays ---------------------------------------------------------------------- */

int32_t pvgi_release_objects(uint64_t **out, int64_t *count, const char *name,
                             const pvg_input *input, pvg_ledger *ledger) {
    const int64_t many = input->set ? input->set->count : 1;
    *out = NULL;
    *count = many;
    if (!input->object && !input->objects) {
        PVGI_REQUIRE(!ledger || many == 0,
                     "%s: a ledger pays for objects that have a name or a number; "
                     "input->object is NULL",
                     name);
        return PVG_OK;
    }
    *out = pvgi_alloc((size_t)many, sizeof **out);
    if (!*out) return pvgi_fail_nomem();
    if (input->objects) {
        memcpy(*out, input->objects, (size_t)many * sizeof **out);
        return PVG_OK;
    }
    const size_t capacity = strlen(input->object) + 32;
    char *text = pvgi_alloc(capacity, 1);
    int32_t status = text ? PVG_OK : pvgi_fail_nomem();
    for (int64_t i = 0; i < many && status == PVG_OK; i++) {
        snprintf(text, capacity, "%s:%lld", input->object, (long long)i);
        (*out)[i] = pvg_ledger_object(text);
    }
    pvgi_free(text);
    if (status == PVG_OK && ledger && many > 0) {
        status = pvg_ledger_name(ledger, input->object, many);
        if (status != PVG_OK) pvgi_message_prefix(name);
    }
    if (status != PVG_OK) {
        pvgi_free(*out);
        *out = NULL;
    }
    return status;
}

/* --- what is promised -------------------------------------------------------------- */

/* Orders of the private objects, for the guarantee. */
static int32_t orders_of(int64_t **out, const pvg_input *input) {
    const int64_t count = input->set ? input->set->count : 1;
    *out = pvgi_alloc((size_t)count, sizeof **out);
    if (!*out) return pvgi_fail_nomem();
    for (int64_t i = 0; i < count; i++)
        (*out)[i] = input->set     ? input->set->starts[i + 1] - input->set->starts[i]
                    : input->graph ? input->graph->order
                    : input->parts ? input->parts->config.order
                    : input->lists ? input->lists->persons
                                   : 0;
    return PVG_OK;
}

int32_t pvgi_release_own_promise(pvg_guarantee *out, const char *name,
                                 const pvg_query *query, const pvg_input *input,
                                 const pvgi_provenance *sources) {
    int64_t *orders = NULL;
    const bool each = input->set || query->kind->frame == PVGI_FRAME_EMBEDDING;
    int32_t status = orders_of(&orders, input);
    if (status == PVG_OK)
        status = pvgi_query_promise(out, name, query, sources, each ? orders : NULL,
                                    each ? (input->set ? input->set->count : 1) : 0);
    pvgi_free(orders);
    return status;
}

int32_t pvgi_release_promise(pvg_guarantee *out, const char *name, const pvg_query *query,
                             const pvg_input *input) {
    pvgi_provenance *sources = NULL;
    PVGI_TRY(pvgi_query_sources(&sources, query, input));
    const int32_t status = pvgi_release_own_promise(out, name, query, input, sources);
    pvgi_guarantee_sources_drop(sources);
    return status;
}

/* What is made from draws before is charged for those that this ledger has not. */
static int32_t with_sources(pvg_guarantee *own, pvg_guarantee *price, pvgi_draw *draw,
                            const char *name, const pvg_query *query,
                            const pvg_input *input, const pvgi_payer *payer) {
    PVGI_TRY(pvgi_release_promise(own, name, query, input));
    draw->guarantee = own;
    if (!own->sources) return PVG_OK;
    PVGI_REQUIRE(payer->count == 1, "%s: sources are for one object, not for a set",
                 name);
    PVGI_TRY(pvgi_guarantee_copy(price, own));
    if (payer->ledger)
        PVGI_TRY(pvgi_guarantee_sources_unpaid(price, own->sources, payer->ledger->key,
                                               payer->objects[0]));
    draw->price = price;
    return PVG_OK;
}

/* A query that was made for a number of nodes is asked of no other. Whose nodes were not
 * declared is refused by the door, without a word about how many there are. */
static int32_t check_order(const char *name, const pvg_query *query,
                           const pvgi_private *data) {
    const int64_t order = query->budget.order;
    const pvg_graphset *set = data->set;
    if (data->lists) return PVG_OK; /* the statistic compares persons and things */
    const uint32_t declared = data->graph   ? data->graph->declared
                              : set         ? set->declared
                              : data->parts ? data->parts->rows.declared
                                            : 0u;
    if (order == 0 || (declared & PVGI_DECLARED_NODES) != PVGI_DECLARED_NODES)
        return PVG_OK;
    for (int64_t i = 0; i < (set ? set->count : 1); i++) {
        const int64_t has = set           ? set->starts[i + 1] - set->starts[i]
                            : data->graph ? data->graph->order
                                          : data->parts->config.order;
        PVGI_REQUIRE(has == order, "%s: graph %lld has %lld nodes, the query is for %lld",
                     name, (long long)i, (long long)has, (long long)order);
    }
    return PVG_OK;
}

/* --- drawing ----------------------------------------------------------------------- */

static int32_t draw_it(pvg_release **out, const char *name, const pvg_query *query,
                       const pvgi_private *data, const pvg_input *input,
                       pvgi_payer *payer) {
    pvg_guarantee own = {0}, price = {0};
    pvgi_query_job job;
    pvgi_draw draw;
    int64_t starts[2];
    int32_t status;
    PVGI_TRY(check_order(name, query, data));
    PVGI_TRY(pvgi_query_frame(query)->begin(&draw, &job, starts, query->state, data));
    draw.question = query->text;
    const bool derived = query->sources || input->source_count > 0 || input->dataset ||
                         (draw.guarantee && draw.guarantee->sources);
    if (derived)
        PVGI_TRY_DONE(with_sources(&own, &price, &draw, name, query, input, payer));
    status = pvgi_release_draw(out, name, &draw, payer);
done:
    pvgi_guarantee_drop(&own);
    pvgi_guarantee_drop(&price);
    return status;
}

/* With the payer's generator, or a secure one of its own. */
static int32_t answer(pvg_release **out, const char *name, const pvg_query *query,
                      const pvgi_private *data, const pvg_input *input,
                      pvgi_payer *payer) {
    pvg_rng *secure = NULL;
    if (!payer->rng) {
        PVGI_TRY(pvg_rng_new_secure(&secure));
        payer->rng = secure;
    }
    const int32_t status = draw_it(out, name, query, data, input, payer);
    if (status == PVG_OK)
        (*out)->query = pvgi_query_share_handle((pvg_query *)(uintptr_t)query);
    pvg_rng_free(secure);
    return status;
}

static int32_t answer_here(pvg_release **out, const char *name, const pvg_query *query,
                           const pvg_input *input, pvg_rng *rng, pvg_ledger *ledger,
                           const pvg_run *run) {
    pvgi_private data;
    pvg_input own;
    uint64_t *objects = NULL;
    pvgi_payer payer = {.ledger = ledger, .rng = rng, .run = run};
    PVGI_TRY(pvgi_query_input(&data, &own, name, query, input));
    if (own.parts) {
        PVGI_REQUIRE(!ledger || own.parts->config.process == 0,
                     "%s: the ledger is that of process 0; it is NULL in the others",
                     name);
        PVGI_TRY(pvgi_query_same(name, query, &own, !rng || rng->secure));
        payer.parts = own.parts;
    }
    PVGI_TRY(pvgi_release_objects(&objects, &payer.count, name, &own, ledger));
    payer.objects = objects;
    const int32_t status = answer(out, name, query, &data, &own, &payer);
    pvgi_free(objects);
    return status;
}

int32_t pvgi_release_answer(pvg_release **out, const char *name, const pvg_query *query,
                            const pvg_input *input, pvg_rng *rng, pvg_ledger *ledger,
                            const pvg_run *run) {
    pvg_input own;
    PVGI_TRY(pvgi_query_input_read(&own, name, input));
    if (!own.parts) return answer_here(out, name, query, input, rng, ledger, run);
    pvg_release *made = NULL;
    pvgi_graph_parts_begin(own.parts);
    int32_t status = answer_here(&made, name, query, input, rng, ledger, run);
    status = pvgi_graph_parts_finish(own.parts, status);
    if (status == PVG_OK)
        *out = made;
    else /* also where another process failed: all have it, or none */
        pvg_release_free(made);
    return status;
}

int32_t pvgi_release_answer_paid(pvg_release **out, const char *name,
                                 const pvg_query *query, const pvgi_private *data,
                                 const pvg_input *input, pvg_rng *rng, const pvg_run *run,
                                 const pvg_guarantee *paid, bool *begun) {
    pvgi_payer payer = {.rng = rng,
                        .run = run,
                        .paid = paid,
                        .begun = begun,
                        .count = input->set ? input->set->count : 1};
    return answer(out, name, query, data, input, &payer);
}

/* Whether noise is at or above the range of everything that could be learned; false where
 * no preview tells. */
static int32_t is_hidden(bool *out, const pvg_query *query, int64_t order,
                         const pvg_run *run) {
    const pvg_preview_config config = {.size = sizeof config, .brief = 1, .order = order};
    pvg_preview *preview = NULL;
    bool moves = false;
    *out = false;
    if (order < 1) return PVG_OK;
    const int32_t status = pvg_query_preview(&preview, query, &config, run);
    if (status != PVG_OK)
        return pvgi_refused(status) || status == PVG_E_ARGUMENT ? PVG_OK : status;
    for (int64_t i = 0; i < preview->count; i++)
        moves = moves || preview->line[i].verdict != PVG_VERDICT_CONSTANT;
    *out = moves && pvg_preview_informative(preview) == 0;
    pvg_preview_free(preview);
    return PVG_OK;
}

int32_t pvgi_release_answer_text(pvg_release **out, const char *name, const char *text,
                                 const pvg_input *input, pvg_ledger *ledger,
                                 const pvg_run *run) {
    pvg_query *query = NULL;
    pvg_input own;
    PVGI_TRY(pvgi_query_input_read(&own, name, input));
    /* only if it was declared: nothing is made, refused or said from private numbers */
    const uint32_t declared = own.graph   ? own.graph->declared
                              : own.set   ? own.set->declared
                              : own.parts ? own.parts->rows.declared
                                          : 0u;
    const bool persons = own.lists && own.lists->declared & PVGI_DECLARED_PERSONS;
    const int64_t order = persons ? own.lists->persons
                          : (declared & PVGI_DECLARED_NODES) != PVGI_DECLARED_NODES ? 0
                          : own.graph          ? own.graph->order
                          : own.parts          ? own.parts->config.order
                          : own.set->count > 0 ? own.set->starts[1] - own.set->starts[0]
                                               : 0;
    bool hidden = false;
    int32_t status = pvgi_query_new(&query, name, text, NULL, NULL, order, run);
    if (status == PVG_OK) status = is_hidden(&hidden, query, order, run);
    if (own.parts) { /* nobody begins a draw that another cannot */
        pvgi_graph_parts_begin(own.parts);
        status = pvgi_graph_parts_finish(own.parts, status);
    }
    if (hidden)
        pvgi_log(PVG_LOG_WARNING,
                 "%s: nothing can be seen: noise is above the public range of everything",
                 name);
    if (status == PVG_OK)
        status = pvgi_release_answer(out, name, query, input, NULL, ledger, run);
    pvgi_query_drop(query);
    return status;
}

/* --- parts and what was made from releases ----------------------------------------- */

int32_t pvgi_release_select(pvg_release **out, const char *name,
                            const pvg_release *release, int64_t part) {
    const pvg_query *query = release->query;
    int64_t first = 0;
    PVGI_REQUIRE(query && query->kind->frame == PVGI_FRAME_NUMBERS &&
                     pvgi_statistic_joined_parts(query->state) > 0,
                 "%s: the release is not of a joined query drawn here", name);
    PVGI_REQUIRE(part >= 0 && part < pvgi_statistic_joined_parts(query->state),
                 "%s: there is no part %lld", name, (long long)part);
    PVGI_REQUIRE(!release->guarantee.separate,
                 "%s: a set has a row for each graph; its columns are parts one after "
                 "the other",
                 name);
    const pvg_statistic *found = pvgi_statistic_joined_part(query->state, part, &first);
    pvg_release *made = pvgi_alloc_zero(1, sizeof *made);
    if (!made) return pvgi_fail_nomem();
    const size_t cells = (size_t)found->rows * (size_t)found->columns;
    made->content.rows = found->rows;
    made->content.columns = found->columns;
    made->content.values = pvgi_alloc(cells, sizeof(double));
    int32_t status = made->content.values
                         ? pvgi_guarantee_copy(&made->guarantee, &release->guarantee)
                         : pvgi_fail_nomem();
    if (status == PVG_OK) {
        memcpy(made->content.values, release->content.values + first,
               cells * sizeof(double));
        pvgi_guarantee_columns_drop(made->guarantee.told);
        made->guarantee.told = pvgi_guarantee_columns_share(found->guarantee.told);
        made->guarantee.rows = found->rows;
        made->guarantee.columns = found->columns;
        pvgi_release_digest(made->guarantee.digest, &made->content);
        *out = made;
    } else {
        pvg_release_free(made);
    }
    return status;
}

/* Numbers that the host made: through the door as everything, though nothing is drawn. */
typedef struct {
    const double *values;
    int64_t rows, columns;
    const pvg_release **sources;
    int64_t count;
    const char *words;
    double *copy;
    pvg_guarantee guarantee;
} derived_job;

static int32_t prepare_derived(void *context, pvgi_run *run, const char *function) {
    derived_job *j = context;
    const size_t cells = pvgi_size_mul((size_t)j->rows, (size_t)j->columns);
    pvgi_provenance *list = NULL;
    int32_t status = PVG_OK;
    (void)run;
    for (int64_t i = 0; i < j->count && status == PVG_OK; i++)
        status = pvgi_guarantee_sources_add(&list, &j->sources[i]->guarantee);
    if (status == PVG_OK)
        status = pvgi_guarantee_about(&j->guarantee, function, list,
                                      j->sources[0]->guarantee.notion, NULL);
    pvgi_guarantee_sources_drop(list);
    PVGI_TRY(status);
    pvgi_guarantee_assumption(&j->guarantee,
                              "the host says that it was made from these releases and "
                              "public numbers alone: %.80s",
                              j->words);
    j->copy = pvgi_alloc(cells, sizeof *j->copy);
    if (!j->copy) return pvgi_fail_nomem();
    if (cells > 0) memcpy(j->copy, j->values, cells * sizeof *j->copy);
    return PVG_OK;
}

static int32_t draw_derived(pvgi_content *out, void *context, const pvgi_stream *call,
                            pvgi_run *run) {
    derived_job *j = context;
    (void)call, (void)run;
    out->rows = j->rows;
    out->columns = j->columns;
    out->values = j->copy;
    j->copy = NULL;
    return PVG_OK;
}

static void drop_derived(void *context) {
    derived_job *j = context;
    pvgi_free(j->copy);
    pvgi_guarantee_drop(&j->guarantee);
}

int32_t pvgi_release_derive(pvg_release **out, const char *name, const double *values,
                            int64_t rows, int64_t columns, const pvg_release **sources,
                            int64_t count, const char *words) {
    static const pvgi_row row = {.kind = "derived",
                                 .prepare = prepare_derived,
                                 .draw = draw_derived,
                                 .drop = drop_derived};
    derived_job job = {.values = values,
                       .rows = rows,
                       .columns = columns,
                       .sources = sources,
                       .count = count,
                       .words = words};
    pvg_rng none = {.secure = true}; /* nothing is drawn */
    const pvgi_draw one = {.row = &row,
                           .job = &job,
                           .guarantee = &job.guarantee,
                           .notion = sources[0]->guarantee.notion,
                           .reads = PVGI_PART_TOLD}; /* nothing hidden by itself */
    return pvgi_release_draw(out, name, &one, &(pvgi_payer){.rng = &none});
}

int32_t pvgi_release_layers(pvg_layers **out, const char *name,
                            const pvg_layers_config *config, const pvg_release *release) {
    const pvgi_content *c = &release->content;
    const int64_t depth = config && config->depth > 0 ? config->depth : 1;
    pvgi_provenance *sources = NULL;
    PVGI_REQUIRE(c->columns >= 1 && c->rows / depth == c->columns && c->rows % depth == 0,
                 "%s: the release has %lld x %lld numbers, not %lld square matrices",
                 name, (long long)c->rows, (long long)c->columns, (long long)depth);
    int32_t status = pvgi_guarantee_sources_add(&sources, &release->guarantee);
    if (status == PVG_OK)
        status = pvgi_query_learnt_layers(out, config, c->values, c->columns, sources);
    pvgi_guarantee_sources_drop(sources);
    return status;
}
