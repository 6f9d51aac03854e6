/* From words, arguments and a budget to a query.
 *
 * Every query has a canonical text, options in the order of their table with all values
 * filled in and arrays as digests: equal texts, equal ids. */
#include "base/number.h"
#include "query_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the budget is text, and the noise needs one. As in the tool and in Python. */
static const double delta_default = 1e-6;

/* --- arguments --------------------------------------------------------------------- */

/* Bits of what is set. */
static uint32_t arguments_set(const pvg_arguments *a) {
    return (a->kinds ? PVGI_TAKES_KINDS : 0) | (a->groups ? PVGI_TAKES_GROUPS : 0) |
           (a->priorities ? PVGI_TAKES_PRIORITIES : 0) |
           (a->similarities ? PVGI_TAKES_SIMILARITIES : 0) |
           (a->weights ? PVGI_TAKES_WEIGHTS : 0) |
           (a->low || a->high ? PVGI_TAKES_RANGES : 0) |
           (a->patterns ? PVGI_TAKES_PATTERNS : 0) | (a->layers ? PVGI_TAKES_LAYERS : 0) |
           (a->things ? PVGI_TAKES_THINGS : 0);
}

static const pvgi_rule argument_rules[] = {
    PVGI_ZERO(pvg_arguments, reserved),
    PVGI_FIELD(pvg_arguments, order, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_arguments, weight_rows, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_arguments, weight_columns, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_arguments, ranges, 0, PVG_MECHANISM_DIMENSION_MAX, PVGI_CLOSED,
               "in [0, 2^24]"),
    PVGI_FIELD(pvg_arguments, source_count, 0, PVGI_SOURCES_MAX, PVGI_CLOSED,
               "in [0, 64]"),
    PVGI_FIELD(pvg_arguments, thing_count, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
};
static const pvgi_shape arguments_shape = PVGI_SHAPE(pvg_arguments, argument_rules);

static int32_t read_arguments(pvg_arguments *own, const char *name,
                              const pvg_arguments *arguments) {
    PVGI_TRY(pvgi_config_read(own, &arguments_shape, arguments, name, "arguments"));
    const uint32_t nodes = PVGI_TAKES_KINDS | PVGI_TAKES_GROUPS | PVGI_TAKES_PRIORITIES |
                           PVGI_TAKES_SIMILARITIES;
    PVGI_REQUIRE(!(arguments_set(own) & nodes) || own->order > 0,
                 "%s: arguments->order is needed beside arrays of nodes", name);
    PVGI_REQUIRE((own->weights != NULL) == (own->weight_rows > 0) &&
                     (own->weights != NULL) == (own->weight_columns > 0),
                 "%s: arguments->weights and their sizes do not agree", name);
    PVGI_REQUIRE((own->low != NULL) == (own->high != NULL) &&
                     (own->low != NULL) == (own->ranges > 0),
                 "%s: arguments->low, arguments->high and arguments->ranges do not agree",
                 name);
    PVGI_REQUIRE((own->things != NULL) == (own->thing_count > 0),
                 "%s: arguments->things and arguments->thing_count do not agree", name);
    if (own->source_count > 0 && !own->sources)
        return pvgi_fail_null(name, "arguments->sources");
    for (int64_t i = 0; i < own->source_count; i++)
        PVGI_REQUIRE(own->sources[i], "%s: arguments->sources[%lld] is NULL", name,
                     (long long)i);
    return PVG_OK;
}

/* Those that the kind takes; the others empty. */
static pvg_arguments arguments_for(const pvg_arguments *a, const pvgi_kind *kind,
                                   int64_t order) {
    const uint32_t takes = kind->takes;
    pvg_arguments own = {.size = sizeof own, .order = order};
    if (takes & PVGI_TAKES_KINDS) own.kinds = a->kinds;
    if (takes & PVGI_TAKES_GROUPS) own.groups = a->groups;
    if (takes & PVGI_TAKES_PRIORITIES) own.priorities = a->priorities;
    if (takes & PVGI_TAKES_SIMILARITIES) own.similarities = a->similarities;
    if (takes & PVGI_TAKES_WEIGHTS) {
        own.weights = a->weights;
        own.weight_rows = a->weight_rows;
        own.weight_columns = a->weight_columns;
    }
    if (takes & PVGI_TAKES_RANGES) {
        own.low = a->low;
        own.high = a->high;
        own.ranges = a->ranges;
    }
    if (takes & PVGI_TAKES_PATTERNS) own.patterns = a->patterns;
    if (takes & PVGI_TAKES_LAYERS) own.layers = a->layers;
    if (takes & PVGI_TAKES_THINGS) {
        own.things = a->things;
        own.thing_count = a->thing_count;
    }
    return own;
}

static int32_t check_taken(const char *name, const pvg_arguments *a,
                           const pvgi_query_words *words) {
    static const char *const fields[PVGI_TAKEN] = {
        "kinds",        "groups",   "priorities", "similarities", "weights",
        "low and high", "patterns", "layers",     "things"};
    uint32_t taken = 0;
    for (int64_t i = 0; i < words->count; i++) taken |= words->part[i].kind->takes;
    const uint32_t over = arguments_set(a) & ~taken;
    for (int bit = 0; bit < PVGI_TAKEN; bit++)
        PVGI_REQUIRE(!(over >> bit & 1), "%s: %s takes no %s (arguments)", name,
                     words->part[0].kind->kind, fields[bit]);
    return PVG_OK;
}

/* --- digests of arguments ---------------------------------------------------------- */

static void add_number(pvgi_digest *d, int64_t number) {
    pvgi_rng_digest_add(d, &number, sizeof number);
}

static void add_patterns(pvgi_digest *d, const pvg_patterns *p) {
    add_number(d, p->count);
    for (int64_t i = 0; i < p->count; i++) {
        char graph6[256];
        size_t length = 0;
        if (pvg_patterns_copy_graph6(graph6, sizeof graph6, &length, p, i) == PVG_OK)
            pvgi_rng_digest_add(d, graph6, length);
        add_number(d, (int64_t)length);
    }
}

static void add_layers(pvgi_digest *d, const pvg_layers *l) {
    pvg_layers_config c = l->config;
    const size_t side = (size_t)l->dimension;
    pvgi_rng_digest_add(d, &c, sizeof c);
    add_number(d, l->dimension);
    if (l->weights)
        pvgi_rng_digest_add(d, l->weights,
                            (size_t)c.depth * side * side * sizeof *l->weights);
}

static void end_digest(char out[2 * PVGI_ID_BYTES + 1], pvgi_digest *d) {
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[PVGI_DIGEST_BYTES];
    pvgi_rng_digest_end(bytes, d);
    for (int i = 0; i < PVGI_ID_BYTES; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * PVGI_ID_BYTES] = 0;
}

void pvgi_query_digest_numbers(char out[2 * PVGI_ID_BYTES + 1], const double *numbers,
                               size_t count) {
    pvgi_digest d;
    pvgi_rng_digest_begin(&d);
    pvgi_rng_digest_add(&d, numbers, count * sizeof *numbers);
    end_digest(out, &d);
}

/* Little-endian bytes, as on every machine that the library runs on. */
static void digest_argument(char out[2 * PVGI_ID_BYTES + 1], const pvg_arguments *a,
                            int bit) {
    const size_t order = (size_t)a->order;
    pvgi_digest d;
    pvgi_rng_digest_begin(&d);
    switch ((uint32_t)1 << bit) {
    case PVGI_TAKES_KINDS:
        pvgi_rng_digest_add(&d, a->kinds, order * sizeof *a->kinds);
        break;
    case PVGI_TAKES_GROUPS:
        pvgi_rng_digest_add(&d, a->groups, order * sizeof *a->groups);
        break;
    case PVGI_TAKES_PRIORITIES:
        pvgi_rng_digest_add(&d, a->priorities, order * sizeof *a->priorities);
        break;
    case PVGI_TAKES_SIMILARITIES:
        pvgi_rng_digest_add(&d, a->similarities, order * order * sizeof *a->similarities);
        break;
    case PVGI_TAKES_WEIGHTS:
        add_number(&d, a->weight_columns);
        pvgi_rng_digest_add(&d, a->weights,
                            (size_t)a->weight_rows * (size_t)a->weight_columns *
                                sizeof *a->weights);
        break;
    case PVGI_TAKES_RANGES:
        pvgi_rng_digest_add(&d, a->low, (size_t)a->ranges * sizeof *a->low);
        pvgi_rng_digest_add(&d, a->high, (size_t)a->ranges * sizeof *a->high);
        break;
    case PVGI_TAKES_PATTERNS:
        add_patterns(&d, a->patterns);
        break;
    case PVGI_TAKES_LAYERS:
        add_layers(&d, a->layers);
        break;
    case PVGI_TAKES_THINGS:
        pvgi_rng_digest_add(&d, a->things, (size_t)a->thing_count * sizeof *a->things);
        break;
    }
    end_digest(out, &d);
}

/* Writes digests, and compares those that the text has. */
static int32_t put_arrays(pvgi_text *text, const char *name, const pvg_arguments *a,
                          const pvgi_query_part *part) {
    const uint32_t set = arguments_set(a);
    for (int bit = 0; bit < PVGI_TAKEN; bit++) {
        char digest[2 * PVGI_ID_BYTES + 1];
        const bool told = part->arrays >> bit & 1;
        PVGI_REQUIRE(!told || set >> bit & 1,
                     "%s: %s: the text has %s; the same must be in arguments", name,
                     part->kind->kind, pvgi_query_arrays[bit]);
        if (!(set >> bit & 1)) continue;
        digest_argument(digest, a, bit);
        PVGI_REQUIRE(!told || strcmp(digest, part->digest[bit]) == 0,
                     "%s: %s: arguments differ from %s of the text", name,
                     part->kind->kind, pvgi_query_arrays[bit]);
        pvgi_text_format(text, " %s=#%s", pvgi_query_arrays[bit], digest);
    }
    return PVG_OK;
}

/* --- budget ------------------------------------------------------------------------ */

/* What stands in both is refused; the rest is put together. */
int32_t pvgi_query_merge_target(pvgi_query_budget *b, const char *name,
                                const pvgi_query_words *words, const pvg_target *target,
                                double epsilon) {
    pvg_target given;
    PVGI_TRY(pvgi_config_import(&given, sizeof given, target, "pvg_target"));
    b->target.epsilon = epsilon;
    const struct {
        const char *option;
        bool both;
    } fields[] = {
        {"epsilon", epsilon != 0.0 && given.epsilon != 0.0},
        {"delta", b->target.delta != 0.0 && given.delta != 0.0},
        {"parameter", b->target.parameter != 0.0 && given.parameter != 0.0},
        {"noise", b->target.noise != 0 && given.noise != 0},
        {"allocation", b->target.allocation != 0 && given.allocation != 0},
        {"beta", b->target.beta != 0.0 && given.beta != 0.0},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        PVGI_REQUIRE(!fields[i].both, "%s: %s: %s is in the text and in target", name,
                     words->part[0].kind->kind, fields[i].option);
    const bool in_text = given.epsilon == 0.0 && given.parameter == 0.0;
    const pvg_target text = b->target;
    b->target = given;
    b->target.size = sizeof b->target;
    b->target.epsilon += text.epsilon;
    b->target.delta += text.delta;
    b->target.parameter += text.parameter;
    b->target.beta += text.beta;
    if (text.noise != 0) b->target.noise = text.noise;
    if (text.allocation != 0) b->target.allocation = text.allocation;
    const pvgi_kind *kind = words->part[0].kind;
    const int32_t law = b->target.noise != 0 ? b->target.noise : kind->law;
    uint64_t delta_bit = 1;
    for (const pvgi_option *o = pvgi_query_common; strcmp(o->name, "delta") != 0; o++)
        delta_bit <<= 1;
    const bool told = words->given & delta_bit || given.delta != 0.0;
    if (in_text && !told && b->target.parameter == 0.0 && law != 0 &&
        pvg_noise_curve(law) != PVG_CURVE_PURE)
        b->target.delta = delta_default;
    return PVG_OK;
}

static void put_real(pvgi_text *text, const char *option, double value) {
    char number[PVGI_NUMBER_BYTES];
    if (value == 0.0) return;
    pvgi_number_put(number, value);
    pvgi_text_format(text, " %s=%s", option, number);
}

static void put_budget(pvgi_text *text, const pvgi_query_budget *b,
                       const pvgi_kind *kind) {
    if (b->order > 0) pvgi_text_format(text, " order=%lld", (long long)b->order);
    put_real(text, "epsilon", b->target.epsilon);
    put_real(text, "delta", b->target.delta);
    put_real(text, "parameter", b->target.parameter);
    if (b->target.noise != 0 && b->target.noise != kind->law)
        pvgi_text_format(text, " noise=%s", pvg_noise_name(b->target.noise));
    if (b->target.allocation != 0)
        pvgi_text_format(text, " allocation=%s",
                         pvg_allocation_name(b->target.allocation));
    put_real(text, "beta", b->target.beta);
}

/* --- one part ---------------------------------------------------------------------- */

/* Keeps the text, and names the query by it; the caller's is gone. */
static int32_t finish(pvg_query *query, pvgi_text *text) {
    uint8_t bytes[PVGI_DIGEST_BYTES];
    pvgi_digest d;
    if (text->status == PVG_OK)
        query->text = pvgi_guarantee_text_new(text->data, text->length);
    pvgi_rng_digest_begin(&d);
    if (text->status == PVG_OK) pvgi_rng_digest_add(&d, text->data, text->length);
    pvgi_rng_digest_end(bytes, &d);
    memcpy(query->id, bytes, sizeof query->id);
    pvgi_text_free(text);
    return query->text ? PVG_OK : pvgi_fail_nomem();
}

static int32_t check_part(const char *name, const pvgi_query_part *part,
                          const pvg_arguments *a, const pvgi_query_budget *b) {
    const pvgi_kind *kind = part->kind;
    const bool listed = (kind->takes & PVGI_TAKES_PATTERNS) && a->patterns;
    for (const pvgi_option *o = kind->options; o && o->name; o++) {
        const char *text = NULL;
        if (o->rule.type != PVGI_FIELD_TEXT) continue;
        memcpy(&text, (const char *)part->settings + o->rule.offset, sizeof text);
        PVGI_REQUIRE(!text || !listed, "%s: %s: %s is in the text and in arguments", name,
                     kind->kind, o->name);
        PVGI_REQUIRE(text || listed, "%s: %s needs %s: %s", name, kind->kind, o->name,
                     o->rule.words);
    }
    PVGI_REQUIRE(b->order > 0 || !(kind->can & PVGI_NEEDS_ORDER),
                 "%s: %s needs order, the number of nodes", name, kind->kind);
    PVGI_REQUIRE(b->target.noise == 0 || kind->laws >> b->target.noise & 1,
                 "%s: %s has no noise %s", name, kind->kind,
                 pvg_noise_name(b->target.noise) ? pvg_noise_name(b->target.noise)
                                                 : "of that number");
    return PVG_OK;
}

static int32_t make_part(pvg_query **out, const char *name, pvgi_query_part *part,
                         const pvg_arguments *arguments, const pvgi_query_budget *budget,
                         const pvg_run *run) {
    const pvg_arguments a = arguments_for(arguments, part->kind, budget->order);
    char called[64];
    PVGI_TRY(check_part(name, part, &a, budget));
    pvg_query *query = pvgi_alloc_zero(1, sizeof *query);
    if (!query) return pvgi_fail_nomem();
    atomic_init(&query->users, 1);
    query->kind = part->kind;
    query->reads = part->kind->reads;
    query->budget = *budget;
    pvgi_text text = {0};
    snprintf(called, sizeof called, "%s: %s", name, part->kind->kind);
    int32_t status = part->kind->make(&query->state, called, part->settings, &a,
                                      &query->budget.target, run);
    status = pvgi_query_own_words(status, called, part->kind->options, budget->in_text);
    if (status == PVG_OK) {
        pvgi_text_format(&text, "%s", part->kind->kind);
        pvgi_query_put_options(&text, part->kind->options, part->settings);
        status = put_arrays(&text, name, &a, part);
        put_budget(&text, budget, part->kind);
        if (status == PVG_OK)
            status = finish(query, &text);
        else
            pvgi_text_free(&text);
    }
    if (status == PVG_OK)
        *out = query;
    else
        pvgi_query_drop(query);
    return status;
}

/* --- several ----------------------------------------------------------------------- */

/* Shares are rounded down so that the sum of all does not exceed the budget. */
static int32_t split(double *epsilons, const char *name, const pvgi_query_words *words,
                     double whole) {
    double sum = 0.0;
    int64_t told = 0;
    for (int64_t i = 0; i < words->count; i++) {
        sum += words->part[i].share;
        told += words->part[i].epsilon > 0.0;
    }
    if (words->count > 1 && told == words->count) {
        for (int64_t i = 0; i < words->count; i++) {
            PVGI_REQUIRE(!(words->part[i].given & PVGI_GIVEN_SHARE),
                         "%s: part %lld has epsilon and a share", name, (long long)i + 1);
            epsilons[i] = words->part[i].epsilon;
        }
        return PVG_OK;
    }
    PVGI_REQUIRE(told <= 1, "%s: epsilon stands in some parts: once, or in all of them",
                 name);
    for (int64_t i = 0; i < words->count; i++)
        epsilons[i] = words->count == 1
                          ? whole
                          : whole * (words->part[i].share / sum) * (1.0 - 0x1p-38);
    return PVG_OK;
}

/* The epsilon of the whole that the text has; 0: none, or each part has its own. */
static double whole_epsilon(const pvgi_query_words *words) {
    double found = 0.0;
    int64_t told = 0;
    for (int64_t i = 0; i < words->count; i++)
        if (words->part[i].epsilon > 0.0) {
            found = words->part[i].epsilon;
            told++;
        }
    return words->count > 1 && told == words->count ? 0.0 : found;
}

static int32_t make_parts(pvg_query **parts, const char *name, pvgi_query_words *words,
                          const pvg_arguments *arguments, pvgi_query_budget *budget,
                          const pvg_run *run) {
    double *epsilons = pvgi_alloc_zero((size_t)words->count, sizeof *epsilons);
    if (!epsilons) return pvgi_fail_nomem();
    int32_t status = split(epsilons, name, words, budget->target.epsilon);
    for (int64_t i = 0; i < words->count && status == PVG_OK; i++) {
        pvgi_query_budget own = *budget;
        own.target.epsilon = epsilons[i];
        status = make_part(&parts[i], name, &words->part[i], arguments, &own, run);
    }
    pvgi_free(epsilons);
    return status;
}

static int32_t build(pvg_query **out, const char *name, pvgi_query_words *words,
                     const pvg_arguments *arguments, pvgi_query_budget *budget,
                     const pvg_run *run) {
    for (int64_t i = 0; i < words->count; i++)
        PVGI_REQUIRE(words->count > 1 || !(words->part[i].given & PVGI_GIVEN_SHARE),
                     "%s: %s: share is for parts of a joined query", name,
                     words->part[i].kind->kind);
    pvg_query **parts = pvgi_alloc_zero((size_t)words->count, sizeof *parts);
    if (!parts) return pvgi_fail_nomem();
    int32_t status = make_parts(parts, name, words, arguments, budget, run);
    if (status == PVG_OK && words->count > 1)
        status = pvgi_query_join(out, name, parts, words->count);
    else if (status == PVG_OK)
        *out = pvgi_query_share_handle(parts[0]);
    for (int64_t i = 0; i < words->count; i++) pvgi_query_drop(parts[i]);
    pvgi_free(parts);
    return status;
}

static int32_t add_sources(pvg_query *query, const pvg_arguments *a) {
    for (int64_t i = 0; i < a->source_count; i++)
        PVGI_TRY(pvgi_guarantee_sources_add(&query->sources, &a->sources[i]->guarantee));
    return PVG_OK;
}

int32_t pvgi_query_new(pvg_query **out, const char *name, const char *text,
                       const pvg_arguments *arguments, const pvg_target *target,
                       int64_t order, const pvg_run *run) {
    pvg_arguments a;
    pvgi_query_words words = {0};
    pvg_query *query = NULL;
    int32_t status;
    PVGI_TRY(read_arguments(&a, name, arguments));
    PVGI_TRY_DONE(pvgi_query_read(&words, name, text, pvgi_query_kind));
    PVGI_TRY_DONE(check_taken(name, &a, &words));
    pvgi_query_budget budget = words.budget;
    PVGI_TRY_DONE(
        pvgi_query_merge_target(&budget, name, &words, target, whole_epsilon(&words)));
    budget.in_text = !target || (target->epsilon == 0.0 && target->parameter == 0.0);
    bool needs = false;
    for (int64_t i = 0; i < words.count; i++)
        needs = needs || words.part[i].kind->can & PVGI_NEEDS_ORDER;
    if (budget.order == 0) budget.order = a.order;
    if (budget.order == 0 && needs) budget.order = order;
    if (a.order != 0 && a.order != budget.order) {
        status = pvgi_fail(PVG_E_ARGUMENT,
                           "%s: order is %lld in the text and %lld in arguments", name,
                           (long long)budget.order, (long long)a.order);
        goto done;
    }
    PVGI_TRY_DONE(build(&query, name, &words, &a, &budget, run));
    PVGI_TRY_DONE(add_sources(query, &a));
done:
    pvgi_query_words_drop(&words);
    if (status == PVG_OK)
        *out = query;
    else
        pvgi_query_drop(query);
    return status;
}

int32_t pvgi_query_join(pvg_query **out, const char *name, pvg_query **parts,
                        int64_t count) {
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(parts[i]->kind->can & PVGI_CAN_JOIN && parts[i]->parts == 0,
                     "%s: part %lld, %s, cannot be joined", name, (long long)i + 1,
                     parts[i]->parts > 0 ? "a joined query" : parts[i]->kind->kind);
    pvg_statistic **handles = pvgi_alloc_zero((size_t)count, sizeof *handles);
    pvg_query *query = pvgi_alloc_zero(1, sizeof *query);
    int32_t status = handles && query ? PVG_OK : pvgi_fail_nomem();
    if (query) {
        atomic_init(&query->users, 1);
        query->kind = parts[0]->kind;
        query->part = pvgi_alloc_zero((size_t)count, sizeof *query->part);
        if (!query->part) status = pvgi_fail_nomem();
    }
    if (status != PVG_OK) goto done;
    query->budget = parts[0]->budget;
    query->budget.target.epsilon = 0.0;
    pvgi_text text = {0};
    for (int64_t i = 0; i < count; i++) {
        query->part[i] = pvgi_query_share_handle(parts[i]);
        query->parts = i + 1;
        handles[i] = parts[i]->state;
        query->reads |= parts[i]->reads;
        query->budget.target.epsilon += parts[i]->budget.target.epsilon;
        pvgi_text_format(&text, "%s%s", i > 0 ? " + " : "", parts[i]->text->bytes);
    }
    status =
        pvgi_statistic_joined_new((pvg_statistic **)&query->state, handles, count, name);
    for (int64_t i = 0; i < count && status == PVG_OK; i++)
        status = pvgi_guarantee_sources_join(&query->sources, parts[i]->sources);
    if (status == PVG_OK)
        status = finish(query, &text);
    else
        pvgi_text_free(&text);
done:
    pvgi_free(handles);
    if (status == PVG_OK)
        *out = query;
    else
        pvgi_query_drop(query);
    return status;
}

int32_t pvgi_query_adopt(pvg_query **out, const pvgi_kind *kind, void *state,
                         pvgi_text *text, const pvg_target *target,
                         const pvgi_provenance *sources) {
    pvg_query *query = pvgi_alloc_zero(1, sizeof *query);
    if (!query) {
        kind->own->drop(state);
        pvgi_text_free(text);
        return pvgi_fail_nomem();
    }
    atomic_init(&query->users, 1);
    query->kind = kind;
    query->state = state;
    query->reads = kind->reads;
    query->budget.target = *target;
    put_budget(text, &query->budget, kind);
    int32_t status = finish(query, text);
    if (status == PVG_OK) status = pvgi_guarantee_sources_join(&query->sources, sources);
    if (status == PVG_OK)
        *out = query;
    else
        pvgi_query_drop(query);
    return status;
}

pvg_query *pvgi_query_share_handle(pvg_query *query) {
    atomic_fetch_add_explicit(&query->users, 1, memory_order_relaxed);
    return query;
}

void pvgi_query_drop(pvg_query *query) {
    if (!query) return;
    if (atomic_fetch_sub_explicit(&query->users, 1, memory_order_acq_rel) > 1) return;
    if (query->state) pvgi_query_frame(query)->drop(query->state);
    for (int64_t i = 0; i < query->parts; i++) pvgi_query_drop(query->part[i]);
    pvgi_guarantee_sources_drop(query->sources);
    pvgi_free(query->part);
    pvgi_guarantee_text_drop(query->text);
    pvgi_free(query);
}
