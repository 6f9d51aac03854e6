/* What a query is asked of: is everything there that it reads, nothing else, and is what
 * the notion does not hide open? And which draws were made before: those behind open
 * parts and behind the query's own arguments. */
#include "query_internal.h"

#include "base/mix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const pvgi_rule rules[] = {
    PVGI_FIELD(pvg_input, open, 0, PVGI_PART_ALL, PVGI_CLOSED, "PVG_DATA_* combined"),
    PVGI_FIELD(pvg_input, object_count, 0, PVG_LEDGER_BATCH_MAX, PVGI_CLOSED,
               "a number of objects"),
    PVGI_FIELD(pvg_input, source_count, 0, PVGI_SOURCES_MAX, PVGI_CLOSED, "in [0, 64]"),
};
static const pvgi_shape shape = PVGI_SHAPE(pvg_input, rules);

_Static_assert((int)PVG_DATA_GRAPH == (int)PVGI_PART_EDGES &&
                   (int)PVG_DATA_FEATURES == (int)PVGI_PART_FEATURES &&
                   (int)PVG_DATA_LABELS == (int)PVGI_PART_LABELS &&
                   (int)PVG_DATA_LISTS == (int)PVGI_PART_LISTS,
               "parts have the same bits outside and inside");

static const char *const parts[PVGI_PARTS] = {"graph", "features", "labels", "lists"};

/* A dataset has all that is read, and knows what of it is private. */
static int32_t check_dataset(const char *name, const pvg_query *query,
                             const pvg_input *in) {
    const char *kind = query->kind->kind;
    PVGI_REQUIRE(in->dataset, "%s: %s reads a dataset; input->dataset is NULL", name,
                 kind);
    PVGI_REQUIRE(!in->graph && !in->set && !in->features && !in->labels && !in->lists &&
                     !in->parts,
                 "%s: %s reads input->dataset; another part is given beside it", name,
                 kind);
    PVGI_REQUIRE(in->open == 0,
                 "%s: input->open is set; a dataset knows which of its parts are public",
                 name);
    return pvgi_query_frame(query)->fits(name, query->state, in->dataset);
}

/* Exactly what is read is there. */
static int32_t check_parts(const char *name, const pvg_query *query,
                           const pvg_input *in) {
    const bool there[PVGI_PARTS] = {in->graph || in->set || in->parts,
                                    in->features != NULL, in->labels != NULL,
                                    in->lists != NULL};
    const char *kind = query->kind->kind;
    PVGI_REQUIRE(!in->dataset, "%s: %s reads no dataset; input->dataset is given", name,
                 kind);
    for (int i = 0; i < PVGI_PARTS; i++) {
        const bool read = query->reads >> i & 1;
        PVGI_REQUIRE(!read || there[i], "%s: %s reads the %s; input->%s is NULL", name,
                     kind, parts[i], parts[i]);
        PVGI_REQUIRE(read || !there[i], "%s: %s does not read the %s; input->%s is given",
                     name, kind, parts[i], parts[i]);
    }
    PVGI_REQUIRE(!in->set || !in->graph, "%s: input->graph and input->set are both given",
                 name);
    PVGI_REQUIRE(!in->parts || (!in->graph && !in->set),
                 "%s: input->parts and another graph are both given", name);
    PVGI_REQUIRE(!in->parts || query->kind->can & PVGI_CAN_PARTS,
                 "%s: %s is not for graphs in parts; give a graph in one process", name,
                 kind);
    PVGI_REQUIRE(
        !in->parts || query->parts == 0,
        "%s: joined queries are not for graphs in parts; ask one after the other", name);
    PVGI_REQUIRE(!in->set || query->kind->can & PVGI_CAN_SETS,
                 "%s: %s is not for sets; give one graph after the other", name, kind);
    return PVG_OK;
}

/* What is read is hidden by the notion, or open: nothing is assumed. */
static int32_t check_open(const char *name, const pvg_query *query, uint32_t open) {
    uint32_t hidden = pvgi_guarantee_hides(pvgi_query_notion(query)) & query->reads;
    if (query->kind->can & PVGI_READS_OPEN) hidden &= ~(uint32_t)PVGI_PART_FEATURES;
    for (int i = 0; i < PVGI_PARTS; i++) {
        const bool is_open = open >> i & 1, hides = hidden >> i & 1;
        PVGI_REQUIRE(!is_open || query->reads >> i & 1,
                     "%s: input->open names the %s, which %s does not read", name,
                     parts[i], query->kind->kind);
        PVGI_REQUIRE(!is_open || !hides, "%s: input->open names the %s, which %s hides",
                     name, parts[i], query->kind->kind);
        if (query->reads >> i & 1 && !hides && !is_open)
            return pvgi_fail(PVG_E_UNDECLARED,
                             "%s: %s reads the %s and does not hide them (%s): say that "
                             "they are public, or made from releases, in input->open",
                             name, query->kind->kind, parts[i],
                             pvg_notion_name(pvgi_query_notion(query)));
    }
    return PVG_OK;
}

int32_t pvgi_query_input_read(pvg_input *own, const char *name, const pvg_input *input) {
    if (!input) return pvgi_fail_null(name, "input");
    return pvgi_config_read(own, &shape, input, name, "input");
}

int32_t pvgi_query_input(pvgi_private *out, pvg_input *own, const char *name,
                         const pvg_query *query, const pvg_input *input) {
    PVGI_TRY(pvgi_query_input_read(own, name, input));
    const bool whole = pvgi_query_frame(query)->fits != NULL;
    if (whole) {
        PVGI_TRY(check_dataset(name, query, own));
    } else {
        PVGI_TRY(check_parts(name, query, own));
        PVGI_TRY(check_open(name, query, own->open));
    }
    PVGI_REQUIRE(!own->object || !own->objects,
                 "%s: input->object and input->objects are both given", name);
    PVGI_REQUIRE((own->objects != NULL) == (own->object_count > 0),
                 "%s: input->objects and input->object_count do not agree", name);
    const int64_t count = own->set ? own->set->count : 1;
    PVGI_REQUIRE(!own->objects || own->object_count == count,
                 "%s: input->object_count is %lld for %lld graphs", name,
                 (long long)own->object_count, (long long)count);
    if (own->source_count > 0 && !own->sources)
        return pvgi_fail_null(name, "input->sources");
    for (int64_t i = 0; i < own->source_count; i++)
        PVGI_REQUIRE(own->sources[i], "%s: input->sources[%lld] is NULL", name,
                     (long long)i);
    PVGI_REQUIRE(own->source_count == 0 || own->open != 0 || whole,
                 "%s: input->sources belong to open parts, and none is", name);
    *out = (pvgi_private){own->graph, own->set,   own->features, own->labels,
                          own->lists, own->parts, own->dataset};
    return PVG_OK;
}

int32_t pvgi_query_same(const char *name, const pvg_query *query, const pvg_input *input,
                        uint64_t word) {
    uint64_t words[8] = {0};
    char what[128];
    memcpy(words, query->id, PVGI_ID_BYTES);
    words[2] = input->open;
    words[3] = (uint64_t)input->source_count;
    words[4] = input->object    ? pvg_ledger_object(input->object)
               : input->objects ? input->objects[0]
                                : 0;
    words[5] = input->object ? 1 : input->objects ? 2 : 0;
    words[6] = word;
    for (int64_t i = 0; i < input->source_count; i++) { /* which draws, in which order */
        uint64_t id[2];
        memcpy(id, input->sources[i]->guarantee.id, sizeof id);
        words[7] = pvgi_mix(words[7] + id[0]) ^ id[1];
    }
    snprintf(what, sizeof what, "%s: query, object, open parts, sources or generator",
             name);
    return pvgi_graph_parts_same(input->parts, words, 8, what);
}

int32_t pvgi_query_sources(pvgi_provenance **out, const pvg_query *query,
                           const pvg_input *input) {
    pvgi_provenance *list = NULL;
    int32_t status = pvgi_guarantee_sources_join(&list, query->sources);
    if (status == PVG_OK && input->dataset)
        status = pvgi_guarantee_sources_join(
            &list, pvgi_query_frame(query)->behind(input->dataset));
    for (int64_t i = 0; i < input->source_count && status == PVG_OK; i++)
        status = pvgi_guarantee_sources_add(&list, &input->sources[i]->guarantee);
    if (status == PVG_OK)
        *out = list;
    else
        pvgi_guarantee_sources_drop(list);
    return status;
}

int32_t pvgi_query_join_sources(pvg_guarantee *g, const char *name,
                                pvgi_provenance *list) {
    pvgi_provenance *all = NULL;
    pvg_curve *own = NULL, *other = NULL;
    pvg_guarantee w = {0};
    int32_t status;
    if (!list) return PVG_OK;
    PVGI_TRY_DONE(pvgi_guarantee_sources_join(&all, g->sources));
    PVGI_TRY_DONE(pvgi_guarantee_sources_join(&all, list));
    PVGI_TRY_DONE(pvgi_guarantee_about(&w, name, all, g->notion, NULL));
    pvg_curve_free(g->joint); /* that of the sources that it had */
    g->joint = NULL;
    g->also_notion = 0; /* sources have no such statement */
    pvgi_guarantee_assumptions_join(g, &w);
    if (!pvgi_guarantee_holds(&w))
        g->broken = "a release it was made from promises nothing";
    pvgi_guarantee_sources_drop(g->sources);
    g->sources = pvgi_guarantee_sources_share(w.sources);
    g->derived = w.derived;
    if (!pvgi_guarantee_spends(&w)) goto done;
    PVGI_TRY_DONE(pvgi_guarantee_curve(&own, g));
    PVGI_TRY_DONE(pvgi_guarantee_curve(&other, &w));
    status = pvg_curve_compose(&g->joint, own, other);
done:
    pvg_curve_free(own);
    pvg_curve_free(other);
    pvgi_guarantee_drop(&w);
    pvgi_guarantee_sources_drop(all);
    return status;
}

int32_t pvgi_query_promise(pvg_guarantee *out, const char *name, const pvg_query *query,
                           const pvgi_provenance *sources, const int64_t *orders,
                           int64_t count) {
    *out = (pvg_guarantee){0};
    PVGI_TRY(pvgi_query_frame(query)->promise(out, query->state, orders, count));
    const int32_t status =
        pvgi_query_join_sources(out, name, (pvgi_provenance *)(uintptr_t)sources);
    if (status != PVG_OK) pvgi_guarantee_drop(out);
    return status;
}

/* --- what was answered -------------------------------------------------------------- */

int32_t pvgi_query_answers(const char *name, const pvg_query *query,
                           const pvg_release *release) {
    if (!query) return pvgi_fail_null(name, "query");
    if (!release) return pvgi_fail_null(name, "release");
    const char *asked = release->guarantee.asked;
    PVGI_REQUIRE(asked && strcmp(asked, query->text->bytes) == 0,
                 "%s: the release answers another query", name);
    return PVG_OK;
}

int32_t pvgi_query_read_numbers(const pvg_statistic **statistic, const double **values,
                                const char *name, const pvg_query *query,
                                const pvg_release *release) {
    PVGI_TRY(pvgi_query_answers(name, query, release));
    PVGI_REQUIRE(query->kind->frame == PVGI_FRAME_NUMBERS && release->content.values,
                 "%s: the query does not give numbers", name);
    PVGI_REQUIRE(!release->guarantee.separate,
                 "%s: the release is about a set; it must be about one graph", name);
    /* a file says what it likes: nothing may be read beyond its numbers */
    const pvg_statistic *asked = query->state;
    const pvgi_content *c = &release->content;
    PVGI_REQUIRE(c->rows == asked->rows && c->columns == asked->columns,
                 "%s: the release has %lld x %lld numbers, the query gives %lld x %lld",
                 name, (long long)c->rows, (long long)c->columns, (long long)asked->rows,
                 (long long)asked->columns);
    for (int64_t i = 0; i < c->rows * c->columns; i++)
        PVGI_REQUIRE(isfinite(c->values[i]),
                     "%s: number %lld of the release is not finite", name, (long long)i);
    *statistic = asked;
    *values = c->values;
    return PVG_OK;
}
