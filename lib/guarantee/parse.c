/* A guarantee from its record: the JSON that record.c writes, and nothing else. Unknown
 * or repeated fields are refused: one of them may be a reservation. What can be computed
 * again (whether it holds, epsilon and the line of bounds from the curve, neighbours from
 * the notion, repeated objects, ...) is, and must agree: numbers on both sides, up to
 * what mathematical libraries differ in. So who lowers one number has no record.
 * O(length). */
#include "json.h"

#include <math.h>
#include <string.h>

/* What is read, and what is stated and must agree. */
typedef struct {
    const char *neighbours, *bounds; /* NULL: not there */
    double epsilon;                  /* NaN: none */
} stated;

typedef struct {
    pvg_guarantee *g;
    uint64_t seen; /* bits of the fields */
    bool holds;
    stated first, also;
    const char *composition;
    int64_t objects, numbers; /* objects as counted, and as named */
} record;

static bool is_near(double a, double b) {
    return a == b || fabs(a - b) <= 0x1p-30 * b;
}

/* --- nested values ---------------------------------------------------------------- */

static int32_t term_field(pvgi_json *in, void *context, const char *name) {
    pvg_curve_term *term = context;
    if (strcmp(name, "kind") == 0) {
        const char *word;
        PVGI_TRY(pvgi_guarantee_read_text(&word, in));
        term->kind = pvgi_guarantee_kind_of(word);
        return term->kind >= 0 ? PVG_OK
                               : pvgi_guarantee_wrong("a curve has no known kind");
    }
    if (strcmp(name, "epsilon") == 0)
        return pvgi_guarantee_read_number(&term->epsilon, in);
    if (strcmp(name, "delta") == 0) return pvgi_guarantee_read_number(&term->delta, in);
    if (strcmp(name, "rho") == 0) return pvgi_guarantee_read_number(&term->rho, in);
    if (strcmp(name, "omega") == 0) return pvgi_guarantee_read_number(&term->omega, in);
    if (strcmp(name, "mu") == 0) return pvgi_guarantee_read_number(&term->mu, in);
    if (strcmp(name, "beta") == 0) return pvgi_guarantee_read_number(&term->beta, in);
    if (strcmp(name, "dimension") == 0)
        return pvgi_guarantee_read_whole(&term->dimension, in);
    if (strcmp(name, "rate") == 0) return pvgi_guarantee_read_number(&term->rate, in);
    if (strcmp(name, "steps") == 0) return pvgi_guarantee_read_whole(&term->steps, in);
    return pvgi_guarantee_wrong("a curve has an unknown field");
}

static int32_t read_term(pvg_curve_term *out, pvgi_json *in) {
    const pvg_curve_term none = {.size = sizeof none};
    pvg_curve *trial = NULL;
    *out = (pvg_curve_term){.size = sizeof *out, .kind = -1};
    PVGI_TRY(pvgi_guarantee_read_fields(in, term_field, out));
    if (out->kind == 0)
        return memcmp(out, &none, sizeof none) == 0
                   ? PVG_OK
                   : pvgi_guarantee_wrong("a curve of kind none has numbers");
    if (out->kind < 0) return pvgi_guarantee_wrong("a curve has no kind");
    const int32_t status = pvg_curve_new(&trial, out);
    pvg_curve_free(trial);
    return status == PVG_OK || status == PVG_E_NOMEM
               ? status
               : pvgi_guarantee_wrong("a term of the curve is not valid");
}

static int32_t read_curve(pvg_guarantee *g, pvgi_json *in) {
    if (!pvgi_guarantee_take(in, '[')) {
        PVGI_TRY(read_term(&g->spent, in));
        g->nothing = g->spent.kind == 0;
        return PVG_OK;
    }
    do {
        pvg_curve_term term;
        pvg_curve *one = NULL, *both = NULL;
        PVGI_TRY(read_term(&term, in));
        if (term.kind == 0) return pvgi_guarantee_wrong("a term of the curve is none");
        PVGI_TRY(pvg_curve_new(&one, &term));
        if (g->joint) {
            const int32_t status = pvg_curve_compose(&both, g->joint, one);
            pvg_curve_free(one);
            if (status == PVG_E_NOMEM) return status;
            if (status != PVG_OK)
                return pvgi_guarantee_wrong("terms of the curve do not add up");
            pvg_curve_free(g->joint);
            one = both;
        }
        g->joint = one;
    } while (pvgi_guarantee_take(in, ','));
    return pvgi_guarantee_take(in, ']') ? PVG_OK
                                        : pvgi_guarantee_wrong("the curve has no end");
}

static int32_t read_notion(int32_t *out, pvgi_json *in) {
    const char *word;
    PVGI_TRY(pvgi_guarantee_read_text(&word, in));
    for (int32_t i = 1; pvgi_guarantee_notion(i); i++)
        if (strcmp(pvgi_guarantee_notion(i)->word, word) == 0) {
            *out = i;
            return PVG_OK;
        }
    return pvgi_guarantee_wrong("there is no such notion");
}

static int32_t also_field(pvgi_json *in, void *context, const char *name) {
    record *r = context;
    if (strcmp(name, "notion") == 0) return read_notion(&r->g->also_notion, in);
    if (strcmp(name, "neighbours") == 0)
        return pvgi_guarantee_read_text(&r->also.neighbours, in);
    if (strcmp(name, "curve") == 0) return read_term(&r->g->also, in);
    if (strcmp(name, "bounds") == 0) return pvgi_guarantee_read_text(&r->also.bounds, in);
    if (strcmp(name, "epsilon") == 0)
        return pvgi_guarantee_read_number(&r->also.epsilon, in);
    return pvgi_guarantee_wrong("the second statement has an unknown field");
}

static int32_t read_assumptions(pvg_guarantee *g, pvgi_json *in) {
    if (!pvgi_guarantee_take(in, '['))
        return pvgi_guarantee_wrong("assumptions are missing");
    if (pvgi_guarantee_take(in, ']')) return PVG_OK;
    do {
        const char *text;
        PVGI_TRY(pvgi_guarantee_read_text(&text, in));
        if (g->assumptions >= PVGI_ASSUMPTIONS_MAX ||
            strlen(text) >= PVGI_ASSUMPTION_BYTES)
            return pvgi_guarantee_wrong("assumptions are too many or too long");
        pvgi_guarantee_assumption(g, "%s", text);
    } while (pvgi_guarantee_take(in, ','));
    return pvgi_guarantee_take(in, ']') ? PVG_OK
                                        : pvgi_guarantee_wrong("assumptions have no end");
}

static int32_t read_object(uint64_t *out, pvgi_json *in) {
    const char *text;
    PVGI_TRY(pvgi_guarantee_read_text(&text, in));
    uint64_t value = 0;
    if (!*text) return pvgi_guarantee_wrong("the number of an object is none");
    for (; *text; text++) {
        const uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || value > (UINT64_MAX - digit) / 10)
            return pvgi_guarantee_wrong("the number of an object is none");
        value = value * 10 + digit;
    }
    *out = value;
    return PVG_OK;
}

/* Numbers of objects; *count of them. */
static int32_t read_numbers(pvg_guarantee *g, int64_t *count, pvgi_json *in) {
    if (g->numbers) return pvgi_guarantee_wrong("objects are named twice");
    if (!pvgi_guarantee_take(in, '[')) return pvgi_guarantee_wrong("objects are no list");
    /* each takes at least three characters */
    g->numbers = pvgi_alloc((size_t)(in->end - in->at) / 3 + 1, sizeof *g->numbers);
    if (!g->numbers) return pvgi_fail_nomem();
    if (pvgi_guarantee_take(in, ']')) return PVG_OK;
    do PVGI_TRY(read_object(&g->numbers[(*count)++], in));
    while (pvgi_guarantee_take(in, ','));
    return pvgi_guarantee_take(in, ']') ? PVG_OK
                                        : pvgi_guarantee_wrong("objects have no end");
}

/* --- the record ------------------------------------------------------------------- */

typedef enum {
    SCHEMA,
    NOTION,
    NEIGHBOURS,
    PRIVATE,
    EPSILON,
    DELTA,
    CURVE,
    BOUNDS,
    ALSO,
    WHY_NOT,
    NOISE,
    ALLOCATION,
    SENSITIVITY,
    SCALE,
    ASSUMPTIONS,
    SEEDED,
    ORDER,
    CLAIM,
    LIBRARY,
    COMPOSITION,
    OBJECTS,
    REPEATED,
    ROWS,
    COLUMNS,
    ID,
    DAY,
    DIGEST,
    PAID,
    NAMED,
    COORDINATES,
    READS,
    ABOUT,
    SOURCES,
    QUERY,
    FIELDS
} field_kind;
static const char *const names[FIELDS] = {
    "schema",      "notion",      "neighbours",  "private",  "epsilon", "delta",
    "curve",       "bounds",      "also",        "why_not",  "noise",   "allocation",
    "sensitivity", "scale",       "assumptions", "seeded",   "order",   "claim",
    "library",     "composition", "objects",     "repeated", "rows",    "columns",
    "id",          "day",         "digest",      "paid",     "named",   "coordinates",
    "reads",       "about",       "sources",     "query"};
/* Always there; and there if something was drawn. */
static const uint64_t needed = 1u << SCHEMA | 1u << NOTION | 1u << NEIGHBOURS |
                               1u << PRIVATE | 1u << DELTA | 1u << CURVE | 1u << BOUNDS |
                               1u << NOISE | 1u << ASSUMPTIONS | 1u << SEEDED |
                               1u << CLAIM | 1u << LIBRARY;
static const uint64_t of_draws =
    1u << COMPOSITION | 1u << ROWS | 1u << COLUMNS | 1u << ID | 1u << DIGEST;

static int32_t paid_field(pvgi_json *in, void *context, const char *name) {
    record *r = context;
    if (strcmp(name, "charge") == 0) return pvgi_guarantee_read_whole(&r->g->charge, in);
    if (strcmp(name, "objects") != 0) return pvgi_guarantee_wrong("paid: unknown field");
    return read_numbers(r->g, &r->numbers, in);
}

static int32_t read_reads(pvg_guarantee *g, pvgi_json *in) {
    g->reads = PVGI_PART_TOLD;
    if (!pvgi_guarantee_take(in, '[')) return pvgi_guarantee_wrong("reads is no list");
    if (pvgi_guarantee_take(in, ']')) return PVG_OK;
    do {
        const char *text;
        int32_t part = 0;
        PVGI_TRY(pvgi_guarantee_read_text(&text, in));
        while (part < PVGI_PARTS && strcmp(pvgi_guarantee_parts[part], text) != 0) part++;
        if (part == PVGI_PARTS || (g->reads >> part & 1))
            return pvgi_guarantee_wrong("reads: a part is unknown or stands twice");
        g->reads |= UINT32_C(1) << part;
    } while (pvgi_guarantee_take(in, ','));
    return pvgi_guarantee_take(in, ']') ? PVG_OK
                                        : pvgi_guarantee_wrong("reads has no end");
}

/* Kept as they are: hexadecimal ids with spaces between. */
static int32_t read_sources(pvg_guarantee *g, pvgi_json *in) {
    PVGI_TRY(pvgi_guarantee_read_text(&g->source_ids, in));
    const size_t length = strlen(g->source_ids), each = 2 * PVGI_ID_BYTES + 1;
    bool good = length % each == each - 1 && length / each < PVGI_SOURCES_MAX;
    for (size_t i = 0; i < length; i++)
        good = good &&
               (i % each == each - 1 ? g->source_ids[i] == ' '
                                     : g->source_ids[i] != ' ' &&
                                           strchr("0123456789abcdef", g->source_ids[i]));
    if (!good) return pvgi_guarantee_wrong("sources are no ids");
    g->derived = true;
    return PVG_OK;
}

static int32_t read_day(pvg_guarantee *g, pvgi_json *in) {
    const char *text;
    PVGI_TRY(pvgi_guarantee_read_text(&text, in));
    if (strlen(text) != 10 || strspn(text, "0123456789-") != 10)
        return pvgi_guarantee_wrong("the day is none");
    memcpy(g->day, text, 11);
    return PVG_OK;
}

static int32_t read_schema(pvgi_json *in) {
    int64_t schema = 0;
    PVGI_TRY(pvgi_guarantee_read_whole(&schema, in));
    if (schema != PVGI_SCHEMA)
        return pvgi_fail(PVG_E_VERSION,
                         "pvg_guarantee_parse: schema %lld, this library reads %d",
                         (long long)schema, PVGI_SCHEMA);
    return PVG_OK;
}

static int32_t read_field(pvgi_json *in, record *r, field_kind field) {
    pvg_guarantee *g = r->g;
    switch (field) {
    case SCHEMA:
        return read_schema(in);
    case NOTION:
        return read_notion(&g->notion, in);
    case NEIGHBOURS:
        return pvgi_guarantee_read_text(&r->first.neighbours, in);
    case PRIVATE:
        return pvgi_guarantee_read_flag(&r->holds, in);
    case EPSILON:
        return pvgi_guarantee_read_number(&r->first.epsilon, in);
    case DELTA:
        return pvgi_guarantee_read_number(&g->delta, in);
    case CURVE:
        return read_curve(g, in);
    case BOUNDS:
        return pvgi_guarantee_read_text(&r->first.bounds, in);
    case ALSO:
        return pvgi_guarantee_read_fields(in, also_field, r);
    case WHY_NOT:
        return pvgi_guarantee_read_text(&g->broken, in);
    case NOISE:
        return pvgi_guarantee_read_text(&g->noise, in);
    case ALLOCATION:
        return pvgi_guarantee_read_text(&g->allocation, in);
    case SENSITIVITY:
        return pvgi_guarantee_read_number(&g->sensitivity, in);
    case SCALE:
        return pvgi_guarantee_read_number(&g->scale, in);
    case ASSUMPTIONS:
        return read_assumptions(g, in);
    case SEEDED:
        return pvgi_guarantee_read_flag(&g->seeded, in);
    case ORDER:
        return pvgi_guarantee_read_whole(&g->order, in);
    case CLAIM:
        return pvgi_guarantee_read_text(&g->claim, in);
    case LIBRARY:
        return pvgi_guarantee_read_text(&g->library, in);
    case COMPOSITION:
        return pvgi_guarantee_read_text(&r->composition, in);
    case OBJECTS:
        g->separate = true;
        return pvgi_guarantee_read_whole(&r->objects, in);
    case REPEATED:
        return pvgi_guarantee_read_whole(&g->repeated, in);
    case ROWS:
        return pvgi_guarantee_read_whole(&g->rows, in);
    case COLUMNS:
        return pvgi_guarantee_read_whole(&g->columns, in);
    case ID:
        g->drawn = true;
        return pvgi_guarantee_read_hex(g->id, sizeof g->id, "", in);
    case DAY:
        return read_day(g, in);
    case DIGEST:
        return pvgi_guarantee_read_hex(g->digest, sizeof g->digest, "blake2b-256:", in);
    case PAID:
        return pvgi_guarantee_read_fields(in, paid_field, r);
    case NAMED:
        return read_numbers(g, &r->numbers, in);
    case COORDINATES:
        return pvgi_guarantee_read_coordinates(g, in);
    case READS:
        return read_reads(g, in);
    case ABOUT:
        g->narrowed = true;
        return read_object(&g->about, in);
    case SOURCES:
        return read_sources(g, in);
    case QUERY:
        return pvgi_guarantee_read_text(&g->asked, in);
    case FIELDS:
        break;
    }
    return pvgi_guarantee_wrong("an unknown field");
}

static int32_t record_field(pvgi_json *in, void *context, const char *name) {
    record *r = context;
    int field = 0;
    while (field < FIELDS && strcmp(names[field], name) != 0) field++;
    if (field == FIELDS) return pvgi_guarantee_wrong("a field is unknown");
    r->seen |= UINT64_C(1) << field;
    return read_field(in, r, field);
}

/* Neighbours, bounds and epsilon, as the notion and the curve have them. */
static int32_t check_statement(const stated *s, const pvg_guarantee *g, int32_t notion,
                               const pvg_curve_term *terms, int64_t count,
                               double epsilon) {
    const bool none = pvgi_guarantee_holds(g) && isinf(epsilon);
    pvgi_text bounds = {0};
    if (!s->neighbours || !s->bounds) return pvgi_guarantee_wrong("a field is missing");
    if (strcmp(s->neighbours, pvgi_guarantee_notion(notion)->neighbours) != 0)
        return pvgi_guarantee_wrong("neighbours are not those of the notion");
    pvgi_guarantee_bounds(&bounds, terms, count);
    int32_t status = bounds.status;
    if (status == PVG_OK && strcmp(s->bounds, bounds.data) != 0)
        status = pvgi_guarantee_wrong("bounds are not those of the curve");
    pvgi_text_free(&bounds);
    PVGI_TRY(status);
    if (none != isnan(s->epsilon) || (!none && !is_near(s->epsilon, epsilon)))
        return pvgi_guarantee_wrong("epsilon does not follow from the curve");
    return PVG_OK;
}

/* Fields may stand in any order: whether they agree is known when all are read. */
static int32_t check_objects(const record *r) {
    pvg_guarantee *g = r->g;
    const bool paid = r->seen >> PAID & 1;
    if (paid && (g->charge < 1 || !g->numbers))
        return pvgi_guarantee_wrong("paid: something is missing");
    if (g->numbers && g->separate && r->objects != r->numbers)
        return pvgi_guarantee_wrong("not one number for each object");
    g->objects = g->numbers ? r->numbers : r->objects;
    return PVG_OK;
}

static int32_t check_draw(const record *r) {
    const pvg_guarantee *g = r->g;
    int64_t repeated = 0;
    PVGI_TRY(check_objects(r));
    if (!g->drawn) return PVG_OK;
    if (strcmp(r->composition, pvgi_guarantee_composition(g)) != 0)
        return pvgi_guarantee_wrong("composition does not follow from the rest");
    if (g->numbers)
        PVGI_TRY(pvgi_guarantee_count_repeated(&repeated, g->numbers, g->objects));
    if (g->repeated != repeated)
        return pvgi_guarantee_wrong("repeated objects are not those that are named");
    return PVG_OK;
}

static int32_t check(const record *r) {
    const pvg_guarantee *g = r->g;
    int64_t count;
    const pvg_curve_term *terms = pvgi_guarantee_terms(g, &count);
    if ((r->seen & needed) != needed ||
        (g->drawn ? (r->seen & of_draws) != of_draws : (r->seen & of_draws) != 0) ||
        ((r->seen >> ALSO & 1) && (g->also_notion == 0 || g->also.kind == 0)))
        return pvgi_guarantee_wrong("a field is missing");
    if (!(g->delta < 1.0)) return pvgi_guarantee_wrong("delta is not in [0, 1)");
    if (g->told && g->drawn && g->columns > 0 && g->told->columns != g->columns)
        return pvgi_guarantee_wrong("not every column is told");
    if ((g->reads & PVGI_PART_TOLD) && pvgi_guarantee_spends(g) &&
        !(g->reads & pvgi_guarantee_hides(g->notion)))
        return pvgi_guarantee_wrong("it spends, but read nothing that its notion hides");
    if (g->narrowed && !g->derived)
        return pvgi_guarantee_wrong("about one object only, but made from nothing");
    if (pvgi_guarantee_holds(g) != r->holds)
        return pvgi_guarantee_wrong("whether it holds does not follow from the rest");
    if (!r->holds && !(count == 1 && terms->kind == PVG_CURVE_INFINITE))
        return pvgi_guarantee_wrong("there is a curve where nothing holds");
    PVGI_TRY(check_statement(&r->first, g, g->notion, terms, count,
                             pvgi_guarantee_epsilon(g, g->delta)));
    if (g->also_notion)
        PVGI_TRY(check_statement(&r->also, g, g->also_notion, &g->also, 1,
                                 pvgi_guarantee_also_epsilon(g)));
    return check_draw(r);
}

int32_t pvgi_guarantee_parse(pvg_guarantee *out, const char *json, size_t length) {
    memset(out, 0, sizeof *out);
    out->text = pvgi_guarantee_text_new(NULL, length);
    if (!out->text) return PVG_E_NOMEM;
    pvgi_json in = {.at = json, .end = json + length, .next = out->text->bytes};
    record r = {.g = out, .first.epsilon = (double)NAN, .also.epsilon = (double)NAN};
    PVGI_TRY(pvgi_guarantee_read_fields(&in, record_field, &r));
    pvgi_guarantee_skip_space(&in);
    if (in.at != in.end)
        return pvgi_guarantee_wrong("something stands behind the record");
    return check(&r);
}
