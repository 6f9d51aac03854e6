/* Lists from text: a line for each entry, with the name of a person in one column and a
 * thing in another. Fields stand between commas, semicolons or tabs, whichever the first
 * line has first; one in double quotes may hold them, and a quote as two.
 *
 * Things have numbers, or names of a public catalogue. Persons have names, and get
 * numbers as they come: no release of lists depends on who has which. By windows of
 * lines; names of persons, and 16 bytes for each entry, are in memory until the end. */
#include "io/io_internal.h"

#include "base/mix.h"
#include "io/scan.h"

#include <string.h>

/* --- names -------------------------------------------------------------------------- */

/* Names in one block, and where each begins; found by hash. */
typedef struct {
    char *text;
    size_t used, text_capacity;
    size_t *starts; /* count + 1 */
    int64_t count, capacity;
    int32_t *slots; /* -1: empty; a power of two of them, at least twice the count */
    size_t slot_count;
} names;

static void names_free(names *n) {
    pvgi_free(n->text);
    pvgi_free(n->starts);
    pvgi_free(n->slots);
}

static uint64_t hash_of(const char *name, size_t bytes) {
    uint64_t h = bytes;
    for (size_t i = 0; i < bytes; i++)
        h = pvgi_mix(h + PVGI_MIX_STEP + (uint64_t)(uint8_t)name[i]);
    return h;
}

/* The slot of a name, or an empty one where it goes. */
static size_t slot_of(const names *n, const char *name, size_t bytes) {
    size_t at = (size_t)hash_of(name, bytes) & (n->slot_count - 1);
    for (;; at = (at + 1) & (n->slot_count - 1)) {
        const int32_t i = n->slots[at];
        if (i < 0) return at;
        if (n->starts[i + 1] - n->starts[i] == bytes &&
            memcmp(n->text + n->starts[i], name, bytes) == 0)
            return at;
    }
}

static int32_t names_rehash(names *n) {
    const size_t many = n->slot_count > 0 ? 2 * n->slot_count : 64;
    int32_t *slots = pvgi_alloc(many, sizeof *slots);
    if (!slots) return pvgi_fail_nomem();
    for (size_t i = 0; i < many; i++) slots[i] = -1;
    pvgi_free(n->slots);
    n->slots = slots;
    n->slot_count = many;
    for (int64_t i = 0; i < n->count; i++)
        slots[slot_of(n, n->text + n->starts[i], n->starts[i + 1] - n->starts[i])] =
            (int32_t)i;
    return PVG_OK;
}

/* A block of twice the size, with what was in it. */
static int32_t widen(void **block, size_t used, size_t *capacity, size_t needed,
                     size_t each) {
    if (needed <= *capacity) return PVG_OK;
    const size_t wider = needed > 2 * *capacity ? needed : 2 * *capacity;
    void *made = pvgi_alloc(wider, each);
    if (!made) return pvgi_fail_nomem();
    if (used > 0) memcpy(made, *block, used * each);
    pvgi_free(*block);
    *block = made;
    *capacity = wider;
    return PVG_OK;
}

static int64_t names_find(const names *n, const char *name, size_t bytes) {
    return n->slot_count > 0 ? n->slots[slot_of(n, name, bytes)] : -1;
}

/* *number: of the name, a new one if it was not there. */
static int32_t names_add(int64_t *number, names *n, const char *name, size_t bytes) {
    if (2 * (size_t)(n->count + 1) > n->slot_count) PVGI_TRY(names_rehash(n));
    const size_t slot = slot_of(n, name, bytes);
    *number = n->slots[slot];
    if (*number >= 0) return PVG_OK;
    if (n->count == PVGI_GRAPH_ORDER_MAX)
        return pvgi_fail(PVG_E_LIMIT, "more than 2^31 - 1 names");
    size_t starts = (size_t)n->capacity;
    PVGI_TRY(widen((void **)&n->text, n->used, &n->text_capacity, n->used + bytes, 1));
    PVGI_TRY(widen((void **)&n->starts, n->count > 0 ? (size_t)n->count + 1 : 0, &starts,
                   (size_t)n->count + 2, sizeof *n->starts));
    n->capacity = (int64_t)starts;
    if (bytes > 0) memcpy(n->text + n->used, name, bytes);
    n->starts[n->count] = n->used;
    n->used += bytes;
    n->starts[n->count + 1] = n->used;
    n->slots[slot] = (int32_t)n->count;
    *number = n->count++;
    return PVG_OK;
}

/* --- lines -------------------------------------------------------------------------- */

typedef struct {
    const pvg_lists_options *o;
    names persons, things;
    char separator; /* 0: not known yet */
    bool header;    /* the next line is one */
    int64_t *owners, *entries;
    size_t count, capacity, entry_capacity;
    char *field; /* a field without its quotes */
    size_t field_capacity;
} reader;

typedef struct {
    const char *text;
    size_t bytes;
} field;

/* The field at *at, moved behind its separator; past the end: *at is end + 1. Quotes that
 * do not end before the line does are PVG_E_FORMAT. */
static int32_t take_field(field *out, reader *r, const pvgi_io_source *source,
                          const char **at, const char *end) {
    const char *p = *at;
    if (p >= end || *p != '"') {
        while (p < end && *p != r->separator) p++;
        *out = (field){*at, (size_t)(p - *at)};
        *at = p + 1;
        return PVG_OK;
    }
    const size_t offset = (size_t)(p - source->data);
    size_t used = 0;
    PVGI_TRY(widen((void **)&r->field, 0, &r->field_capacity, (size_t)(end - p), 1));
    for (p++;; p++) {
        if (p >= end)
            return pvgi_io_fail(source, PVG_E_FORMAT, offset, "a quote does not end");
        if (*p == '"' && (p + 1 >= end || p[1] != '"')) break;
        if (*p == '"') p++;
        r->field[used++] = *p;
    }
    if (++p < end && *p != r->separator)
        return pvgi_io_fail(source, PVG_E_FORMAT, offset, "text follows a quote");
    *out = (field){r->field, used};
    *at = p + 1;
    return PVG_OK;
}

static char separator_of(const char *line, const char *end) {
    bool quoted = false;
    for (const char *p = line; p < end; p++) {
        if (*p == '"') quoted = !quoted;
        if (!quoted && (*p == ',' || *p == ';' || *p == '\t')) return *p;
    }
    return ',';
}

static int32_t person_number(int64_t *out, reader *r, const pvgi_io_source *source,
                             size_t offset, field f) {
    if (f.bytes == 0)
        return pvgi_io_fail(source, PVG_E_FORMAT, offset, "the person has no name");
    PVGI_TRY(names_add(out, &r->persons, f.text, f.bytes));
    if (r->o->persons > 0 && *out >= r->o->persons)
        return pvgi_io_fail(source, PVG_E_FORMAT, offset,
                            "there are more persons than the %lld that were declared",
                            (long long)r->o->persons);
    return PVG_OK;
}

/* -1: not in the catalogue, and that is fine. */
static int32_t thing_number(int64_t *out, reader *r, const pvgi_io_source *source,
                            size_t offset, field f) {
    if (r->o->things > 0) { /* a number */
        uint64_t number = 0;
        bool digits = f.bytes > 0 && f.bytes <= 10;
        for (size_t i = 0; i < f.bytes && digits; i++) {
            digits = f.text[i] >= '0' && f.text[i] <= '9';
            if (digits) number = 10 * number + (uint64_t)(f.text[i] - '0');
        }
        if (!digits || number >= (uint64_t)r->o->things)
            return pvgi_io_fail(source, PVG_E_FORMAT, offset,
                                "the thing is no number below %lld",
                                (long long)r->o->things);
        *out = (int64_t)number;
        return PVG_OK;
    }
    if (!r->o->catalogue) return names_add(out, &r->things, f.text, f.bytes);
    *out = names_find(&r->things, f.text, f.bytes);
    if (*out < 0 && !r->o->drop_unknown)
        return pvgi_io_fail(source, PVG_E_FORMAT, offset,
                            "the thing '%.*s' is not in the catalogue",
                            (int)(f.bytes < 60 ? f.bytes : 60), f.text);
    return PVG_OK;
}

static int32_t read_line(reader *r, const pvgi_io_source *source, const char *line,
                         const char *end) {
    const size_t offset = (size_t)(line - source->data);
    const int32_t second = r->o->person_column == r->o->thing_column;
    const int32_t columns[2] = {r->o->person_column, r->o->thing_column + second};
    const int32_t last = columns[0] > columns[1] ? columns[0] : columns[1];
    int64_t numbers[2] = {-1, -1};
    const char *at = line;
    if (r->separator == 0) r->separator = separator_of(line, end);
    if (r->header) {
        r->header = false;
        return PVG_OK;
    }
    for (int32_t column = 0; column <= last; column++) {
        field f = {NULL, 0};
        if (at > end)
            return pvgi_io_fail(source, PVG_E_FORMAT, offset,
                                "the line has %d columns, not %d", (int)column,
                                (int)last + 1);
        PVGI_TRY(take_field(&f, r, source, &at, end));
        if (column == columns[0])
            PVGI_TRY(person_number(&numbers[0], r, source, offset, f));
        if (column == columns[1])
            PVGI_TRY(thing_number(&numbers[1], r, source, offset, f));
    }
    if (numbers[1] < 0) return PVG_OK;
    PVGI_TRY(widen((void **)&r->owners, r->count, &r->capacity, r->count + 1,
                   sizeof *r->owners));
    PVGI_TRY(widen((void **)&r->entries, r->count, &r->entry_capacity, r->count + 1,
                   sizeof *r->entries));
    r->owners[r->count] = numbers[0];
    r->entries[r->count++] = numbers[1];
    return PVG_OK;
}

static int32_t read_window(reader *r, const pvgi_io_source *source) {
    const char *at = source->data, *end = source->data + source->bytes;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        const char *text_end = stop > at && stop[-1] == '\r' ? stop - 1 : stop;
        if (text_end > at) PVGI_TRY(read_line(r, source, at, text_end));
        at = stop + 1;
    }
    return PVG_OK;
}

/* --- all of it ---------------------------------------------------------------------- */

static int32_t read_catalogue(reader *r) {
    for (const char *at = r->o->catalogue; *at;) {
        size_t length = strcspn(at, "\n");
        const char *next = at + length + (at[length] == '\n');
        int64_t number;
        if (length > 0 && at[length - 1] == '\r') length--;
        const int64_t before = r->things.count;
        if (length > 0) {
            PVGI_TRY(names_add(&number, &r->things, at, length));
            PVGI_REQUIRE(number == before, "options->catalogue has '%.*s' twice",
                         (int)(length < 60 ? length : 60), at);
        }
        at = next;
    }
    PVGI_REQUIRE(r->things.count > 0, "options->catalogue names nothing");
    return PVG_OK;
}

static int32_t finish(pvg_lists **out, const reader *r) {
    const pvg_lists_options *o = r->o;
    const int64_t persons = o->persons > 0 ? o->persons : r->persons.count;
    const int64_t things = o->things > 0 ? o->things : r->things.count;
    PVGI_TRY(pvgi_graph_lists_from_pairs(out, persons, things, r->owners, r->entries,
                                         (int64_t)r->count));
    (*out)->declared =
        (uint8_t)((o->persons > 0 ? PVGI_DECLARED_PERSONS : 0) |
                  (o->things > 0 || o->catalogue ? PVGI_DECLARED_THINGS : 0));
    return PVG_OK;
}

int32_t pvgi_io_lists(pvg_lists **out, pvgi_io_feed *feed, const pvg_lists_options *o) {
    reader r = {.o = o, .header = o->header != 0};
    int32_t status = o->catalogue ? read_catalogue(&r) : PVG_OK;
    while (status == PVG_OK && feed->text.bytes > 0) {
        status = read_window(&r, &feed->text);
        if (status == PVG_OK) status = pvgi_io_feed_next(feed);
    }
    if (status == PVG_OK) status = finish(out, &r);
    names_free(&r.persons);
    names_free(&r.things);
    pvgi_free(r.owners);
    pvgi_free(r.entries);
    pvgi_free(r.field);
    return status;
}
