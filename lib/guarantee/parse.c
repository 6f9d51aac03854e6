/* A guarantee from its record: the JSON that record.c writes, and nothing else. Unknown
 * or repeated fields are refused: one of them may be a reservation. What can be computed
 * again (whether it holds, epsilon from the curve) is, and must agree. O(length). */
#include "guarantee_internal.h"
#include "io/io_internal.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *at, *end;
    char *room;    /* where the next text goes; never longer than its JSON */
    uint64_t seen; /* bits of the fields of the record */
    /* what is stated and must agree */
    bool stated_holds;
    double stated_epsilon; /* NaN: none */
} reader;

static int32_t wrong(const char *what) {
    return pvgi_fail(PVG_E_FORMAT, "pvg_guarantee_parse: %s", what);
}

static void skip_space(reader *in) {
    while (in->at < in->end && strchr(" \t\r\n", *in->at) && *in->at) in->at++;
}

static bool take(reader *in, char wanted) {
    skip_space(in);
    if (in->at >= in->end || *in->at != wanted) return false;
    in->at++;
    return true;
}

static int hex_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A string into the room, NUL-terminated. Escapes are those of pvgi_text_json_string. */
static int32_t read_text(const char **out, reader *in) {
    if (!take(in, '"')) return wrong("a text is missing");
    char *to = in->room;
    *out = to;
    while (in->at < in->end && *in->at != '"') {
        char c = *in->at++;
        if (c == '\0') return wrong("a text holds a NUL");
        if (c == '\\') {
            if (in->at >= in->end) break;
            c = *in->at++;
            if (c == 'u') {
                if (in->end - in->at < 4 || in->at[0] != '0' || in->at[1] != '0' ||
                    hex_of(in->at[2]) < 0 || hex_of(in->at[2]) > 1 ||
                    hex_of(in->at[3]) < 0)
                    return wrong("an escape is not one of ours");
                c = (char)(hex_of(in->at[2]) * 16 + hex_of(in->at[3]));
                if (c == '\0') return wrong("a text holds a NUL");
                in->at += 4;
            } else if (c != '"' && c != '\\') {
                return wrong("an escape is not one of ours");
            }
        }
        *to++ = c;
    }
    if (!take(in, '"')) return wrong("a text has no end");
    *to++ = '\0';
    in->room = to;
    return PVG_OK;
}

static int32_t read_number(double *out, reader *in) {
    skip_space(in);
    if (in->at < in->end && *in->at == '"') {
        const char *text;
        PVGI_TRY(read_text(&text, in));
        if (strcmp(text, "infinity") != 0) return wrong("a number is none");
        *out = INFINITY;
        return PVG_OK;
    }
    const char *after = pvgi_io_scan_double(out, in->at, in->end, false);
    if (!after || !(*out >= 0.0)) return wrong("a number is none, or negative");
    in->at = after;
    return PVG_OK;
}

static int32_t read_whole(int64_t *out, reader *in) {
    skip_space(in);
    int64_t value = 0;
    const char *start = in->at;
    while (in->at < in->end && *in->at >= '0' && *in->at <= '9') {
        if (value > (INT64_MAX - 9) / 10) return wrong("a whole number is too large");
        value = value * 10 + (*in->at++ - '0');
    }
    if (in->at == start) return wrong("a whole number is missing");
    *out = value;
    return PVG_OK;
}

static int32_t read_flag(bool *out, reader *in) {
    skip_space(in);
    const size_t left = (size_t)(in->end - in->at);
    *out = left >= 4 && memcmp(in->at, "true", 4) == 0;
    if (!*out && !(left >= 5 && memcmp(in->at, "false", 5) == 0))
        return wrong("neither true nor false");
    in->at += *out ? 4 : 5;
    return PVG_OK;
}

static int32_t read_hex(uint8_t *out, size_t count, const char *before, reader *in) {
    const char *text;
    PVGI_TRY(read_text(&text, in));
    const size_t skip = strlen(before);
    if (strlen(text) != skip + 2 * count || strncmp(text, before, skip) != 0)
        return wrong("an id or digest has a wrong length");
    for (size_t i = 0; i < count; i++) {
        const int high = hex_of(text[skip + 2 * i]), low = hex_of(text[skip + 2 * i + 1]);
        if (high < 0 || low < 0) return wrong("an id or digest is not hexadecimal");
        out[i] = (uint8_t)(high * 16 + low);
    }
    return PVG_OK;
}

/* --- nested values ---------------------------------------------------------------- */

typedef int32_t (*field_fn)(reader *in, void *context, const char *name);

/* { "name": value, ... }; each value is read by `field`. */
static int32_t read_fields(reader *in, field_fn field, void *context) {
    if (!take(in, '{')) return wrong("an object is missing");
    if (take(in, '}')) return PVG_OK;
    do {
        const char *name;
        PVGI_TRY(read_text(&name, in));
        if (!take(in, ':')) return wrong("a colon is missing");
        PVGI_TRY(field(in, context, name));
    } while (take(in, ','));
    return take(in, '}') ? PVG_OK : wrong("an object has no end");
}

static int32_t term_field(reader *in, void *context, const char *name) {
    pvg_curve_term *term = context;
    if (strcmp(name, "kind") == 0) {
        const char *word;
        PVGI_TRY(read_text(&word, in));
        term->kind = pvgi_guarantee_kind_of(word);
        return term->kind >= 0 ? PVG_OK : wrong("a curve has no known kind");
    }
    if (strcmp(name, "epsilon") == 0) return read_number(&term->epsilon, in);
    if (strcmp(name, "delta") == 0) return read_number(&term->delta, in);
    if (strcmp(name, "rho") == 0) return read_number(&term->rho, in);
    if (strcmp(name, "omega") == 0) return read_number(&term->omega, in);
    if (strcmp(name, "mu") == 0) return read_number(&term->mu, in);
    if (strcmp(name, "beta") == 0) return read_number(&term->beta, in);
    if (strcmp(name, "dimension") == 0) return read_whole(&term->dimension, in);
    if (strcmp(name, "rate") == 0) return read_number(&term->rate, in);
    if (strcmp(name, "steps") == 0) return read_whole(&term->steps, in);
    return wrong("a curve has an unknown field");
}

static int32_t read_term(pvg_curve_term *out, reader *in) {
    pvg_curve *trial = NULL;
    *out = (pvg_curve_term){.size = sizeof *out, .kind = -1};
    PVGI_TRY(read_fields(in, term_field, out));
    if (out->kind == 0) return PVG_OK;
    if (out->kind < 0) return wrong("a curve has no kind");
    const int32_t status = pvg_curve_new(&trial, out);
    pvg_curve_free(trial);
    return status == PVG_OK || status == PVG_E_NOMEM
               ? status
               : wrong("a term of the curve is not valid");
}

static int32_t read_curve(pvg_guarantee *g, reader *in) {
    if (!take(in, '[')) return read_term(&g->spent, in);
    do {
        pvg_curve_term term;
        pvg_curve *one = NULL, *both = NULL;
        PVGI_TRY(read_term(&term, in));
        if (term.kind == 0) return wrong("a term of the curve is none");
        PVGI_TRY(pvg_curve_new(&one, &term));
        if (g->joint) {
            const int32_t status = pvg_curve_compose(&both, g->joint, one);
            pvg_curve_free(one);
            if (status == PVG_E_NOMEM) return status;
            if (status != PVG_OK) return wrong("terms of the curve do not add up");
            pvg_curve_free(g->joint);
            one = both;
        }
        g->joint = one;
    } while (take(in, ','));
    return take(in, ']') ? PVG_OK : wrong("the curve has no end");
}

static int32_t read_notion(int32_t *out, reader *in) {
    const char *word;
    PVGI_TRY(read_text(&word, in));
    for (int32_t i = 1; pvgi_guarantee_notion(i); i++)
        if (strcmp(pvgi_guarantee_notion(i)->word, word) == 0) {
            *out = i;
            return PVG_OK;
        }
    return wrong("there is no such notion");
}

static int32_t also_field(reader *in, void *context, const char *name) {
    pvg_guarantee *g = context;
    const char *words;
    double ignored;
    if (strcmp(name, "notion") == 0) return read_notion(&g->also_notion, in);
    if (strcmp(name, "neighbours") == 0) return read_text(&words, in);
    if (strcmp(name, "curve") == 0) return read_term(&g->also, in);
    if (strcmp(name, "epsilon") == 0) return read_number(&ignored, in);
    return wrong("the second statement has an unknown field");
}

static int32_t read_premises(pvg_guarantee *g, reader *in) {
    if (!take(in, '[')) return wrong("assumptions are missing");
    if (take(in, ']')) return PVG_OK;
    do {
        const char *text;
        PVGI_TRY(read_text(&text, in));
        if (g->premises >= PVGI_PREMISES_MAX || strlen(text) >= PVGI_PREMISE_BYTES)
            return wrong("assumptions are too many or too long");
        pvgi_guarantee_premise(g, "%s", text);
    } while (take(in, ','));
    return take(in, ']') ? PVG_OK : wrong("assumptions have no end");
}

static int32_t read_object(uint64_t *out, reader *in) {
    const char *text;
    PVGI_TRY(read_text(&text, in));
    uint64_t value = 0;
    if (!*text) return wrong("the number of an object is none");
    for (; *text; text++) {
        const uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || value > (UINT64_MAX - digit) / 10)
            return wrong("the number of an object is none");
        value = value * 10 + digit;
    }
    *out = value;
    return PVG_OK;
}

typedef struct {
    pvg_guarantee *g;
    int64_t count;
} payment;

static int32_t paid_field(reader *in, void *context, const char *name) {
    payment *p = context;
    if (strcmp(name, "charge") == 0) return read_whole(&p->g->charge, in);
    if (strcmp(name, "objects") != 0 || p->g->paid) return wrong("paid: unknown field");
    if (!take(in, '[')) return wrong("objects that paid are missing");
    /* each takes at least three characters */
    p->g->paid = pvgi_alloc((size_t)(in->end - in->at) / 3 + 1, sizeof *p->g->paid);
    if (!p->g->paid) return pvgi_fail_nomem();
    if (take(in, ']')) return PVG_OK;
    do PVGI_TRY(read_object(&p->g->paid[p->count++], in));
    while (take(in, ','));
    return take(in, ']') ? PVG_OK : wrong("objects that paid have no end");
}

static int32_t read_paid(pvg_guarantee *g, reader *in) {
    payment p = {g, 0};
    PVGI_TRY(read_fields(in, paid_field, &p));
    if (g->charge < 1 || !g->paid || (g->separate && g->objects != p.count))
        return wrong("paid: something is missing, or not one object for each row");
    g->objects = p.count;
    return PVG_OK;
}

/* Any JSON value of numbers, texts, arrays and objects, not too deep. */
static int32_t skip_value(reader *in, int depth) {
    const char *text;
    double number;
    skip_space(in);
    if (depth == 0 || in->at >= in->end) return wrong("coordinates are too deep");
    if (*in->at == '"') return read_text(&text, in);
    if (*in->at != '{' && *in->at != '[') {
        const char *after = pvgi_io_scan_double(&number, in->at, in->end, false);
        if (!after) return wrong("coordinates hold no value");
        in->at = after;
        return PVG_OK;
    }
    const bool named = *in->at++ == '{';
    if (take(in, named ? '}' : ']')) return PVG_OK;
    do {
        if (named) {
            PVGI_TRY(read_text(&text, in));
            if (!take(in, ':')) return wrong("a colon is missing");
        }
        PVGI_TRY(skip_value(in, depth - 1));
    } while (take(in, ','));
    return take(in, named ? '}' : ']') ? PVG_OK : wrong("coordinates have no end");
}

/* Kept as they stand. */
static int32_t read_coordinates(pvg_guarantee *g, reader *in) {
    skip_space(in);
    const char *start = in->at;
    PVGI_TRY(skip_value(in, 6));
    const size_t length = (size_t)(in->at - start);
    g->coordinates = pvgi_alloc(length + 1, 1);
    if (!g->coordinates) return pvgi_fail_nomem();
    memcpy(g->coordinates, start, length);
    g->coordinates[length] = '\0';
    return PVG_OK;
}

/* --- the record ------------------------------------------------------------------- */

enum {
    SCHEMA,
    NOTION,
    NEIGHBOURS,
    PRIVATE,
    EPSILON,
    DELTA,
    CURVE,
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
    COORDINATES,
    FIELDS
};
static const char *const names[FIELDS] = {
    "schema",      "notion",      "neighbours", "private",    "epsilon",    "delta",
    "curve",       "also",        "why_not",    "noise",      "allocation", "sensitivity",
    "scale",       "assumptions", "seeded",     "order",      "claim",      "library",
    "composition", "objects",     "repeated",   "rows",       "columns",    "id",
    "day",         "digest",      "paid",       "coordinates"};
/* Always there; and there if something was drawn. */
static const uint64_t needed = 1u << SCHEMA | 1u << NOTION | 1u << PRIVATE | 1u << DELTA |
                               1u << CURVE | 1u << NOISE | 1u << ASSUMPTIONS |
                               1u << SEEDED | 1u << CLAIM | 1u << LIBRARY;
static const uint64_t of_draws =
    1u << COMPOSITION | 1u << ROWS | 1u << COLUMNS | 1u << ID | 1u << DIGEST;

static int32_t read_day(pvg_guarantee *g, reader *in) {
    const char *text;
    PVGI_TRY(read_text(&text, in));
    if (strlen(text) != 10 || strspn(text, "0123456789-") != 10)
        return wrong("the day is none");
    memcpy(g->day, text, 11);
    return PVG_OK;
}

static int32_t read_schema(reader *in) {
    int64_t schema = 0;
    PVGI_TRY(read_whole(&schema, in));
    if (schema != PVGI_SCHEMA)
        return pvgi_fail(PVG_E_VERSION,
                         "pvg_guarantee_parse: schema %lld, this library reads %d",
                         (long long)schema, PVGI_SCHEMA);
    return PVG_OK;
}

static int32_t read_field(reader *in, pvg_guarantee *g, int field) {
    const char *words;
    switch (field) {
    case SCHEMA:
        return read_schema(in);
    case NOTION:
        return read_notion(&g->notion, in);
    case NEIGHBOURS:
        return read_text(&words, in);
    case PRIVATE:
        return read_flag(&in->stated_holds, in);
    case EPSILON:
        return read_number(&in->stated_epsilon, in);
    case DELTA:
        return read_number(&g->delta, in);
    case CURVE:
        return read_curve(g, in);
    case ALSO:
        return read_fields(in, also_field, g);
    case WHY_NOT:
        return read_text(&g->broken, in);
    case NOISE:
        return read_text(&g->noise, in);
    case ALLOCATION:
        return read_text(&g->allocation, in);
    case SENSITIVITY:
        return read_number(&g->sensitivity, in);
    case SCALE:
        return read_number(&g->scale, in);
    case ASSUMPTIONS:
        return read_premises(g, in);
    case SEEDED:
        return read_flag(&g->seeded, in);
    case ORDER:
        return read_whole(&g->order, in);
    case CLAIM:
        return read_text(&g->claim, in);
    case LIBRARY:
        return read_text(&g->library, in);
    case COMPOSITION:
        return read_text(&words, in);
    case OBJECTS:
        g->separate = true;
        return read_whole(&g->objects, in);
    case REPEATED:
        return read_whole(&g->repeated, in);
    case ROWS:
        return read_whole(&g->rows, in);
    case COLUMNS:
        return read_whole(&g->columns, in);
    case ID:
        g->drawn = true;
        return read_hex(g->id, sizeof g->id, "", in);
    case DAY:
        return read_day(g, in);
    case DIGEST:
        return read_hex(g->digest, sizeof g->digest, "blake2b-256:", in);
    case PAID:
        return read_paid(g, in);
    case COORDINATES:
        return read_coordinates(g, in);
    default:
        return wrong("an unknown field");
    }
}

static int32_t record_field(reader *in, void *context, const char *name) {
    int field = 0;
    while (field < FIELDS && strcmp(names[field], name) != 0) field++;
    if (field == FIELDS || (in->seen >> field & 1))
        return wrong("a field is unknown or stands twice");
    in->seen |= UINT64_C(1) << field;
    return read_field(in, context, field);
}

static int32_t check(const reader *in, const pvg_guarantee *g) {
    if ((in->seen & needed) != needed ||
        (g->drawn ? (in->seen & of_draws) != of_draws : (in->seen & of_draws) != 0) ||
        (g->also_notion && g->also.kind == 0))
        return wrong("a field is missing");
    if (!(g->delta < 1.0)) return wrong("delta is not in [0, 1)");
    if (pvgi_guarantee_holds(g) != in->stated_holds)
        return wrong("whether it holds does not follow from the rest");
    const double epsilon = pvgi_guarantee_epsilon(g, g->delta);
    const bool none = pvgi_guarantee_holds(g) && isinf(epsilon);
    if (none != isnan(in->stated_epsilon) ||
        (!none && !(in->stated_epsilon >= epsilon * (1.0 - 0x1p-30))))
        return wrong("epsilon does not follow from the curve");
    return PVG_OK;
}

int32_t pvgi_guarantee_parse(pvg_guarantee *out, const char *json, size_t length) {
    memset(out, 0, sizeof *out);
    out->text = pvgi_alloc(pvgi_size_add(length, 1), 1);
    if (!out->text) return pvgi_fail_nomem();
    reader in = {.at = json,
                 .end = json + length,
                 .room = out->text,
                 .stated_epsilon = (double)NAN};
    PVGI_TRY(read_fields(&in, record_field, out));
    skip_space(&in);
    if (in.at != in.end) return wrong("something stands behind the record");
    return check(&in, out);
}
