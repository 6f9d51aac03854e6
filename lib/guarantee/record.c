/* Guarantees: what they cost, and how they read as JSON. Numbers are written
 * independently of the locale. */
#include "guarantee_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pvgi_guarantee_assumption(pvg_guarantee *guarantee, const char *format, ...) {
    static const char unsaid[] = "its assumptions could not all be written down";
    if (guarantee->assumptions >= PVGI_ASSUMPTIONS_MAX) {
        guarantee->broken = unsaid;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(guarantee->assumption[guarantee->assumptions++],
                                 PVGI_ASSUMPTION_BYTES, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= PVGI_ASSUMPTION_BYTES) guarantee->broken = unsaid;
}

void pvgi_guarantee_assumptions_join(pvg_guarantee *guarantee,
                                     const pvg_guarantee *part) {
    for (int32_t i = 0; i < part->assumptions; i++) {
        bool there = false;
        for (int32_t j = 0; j < guarantee->assumptions && !there; j++)
            there = strcmp(guarantee->assumption[j], part->assumption[i]) == 0;
        if (!there) pvgi_guarantee_assumption(guarantee, "%s", part->assumption[i]);
    }
}

pvgi_shared_text *pvgi_guarantee_text_new(const char *bytes, size_t length) {
    pvgi_shared_text *made = pvgi_alloc(pvgi_size_add(length, sizeof *made + 1), 1);
    if (!made) {
        pvgi_fail_nomem();
        return NULL;
    }
    atomic_init(&made->users, 1);
    if (bytes) memcpy(made->bytes, bytes, length);
    made->bytes[length] = 0;
    return made;
}

pvgi_shared_text *pvgi_guarantee_text_share(pvgi_shared_text *text) {
    if (text) atomic_fetch_add_explicit(&text->users, 1, memory_order_relaxed);
    return text;
}

void pvgi_guarantee_text_drop(pvgi_shared_text *text) {
    if (text && atomic_fetch_sub_explicit(&text->users, 1, memory_order_acq_rel) == 1)
        pvgi_free(text);
}

static int32_t copy_numbers(uint64_t **out, const uint64_t *numbers, int64_t count) {
    *out = NULL;
    if (!numbers) return PVG_OK;
    *out = pvgi_alloc((size_t)count, sizeof *numbers);
    if (!*out) return pvgi_fail_nomem();
    if (count > 0) memcpy(*out, numbers, (size_t)count * sizeof *numbers);
    return PVG_OK;
}

int32_t pvgi_guarantee_copy(pvg_guarantee *out, const pvg_guarantee *guarantee) {
    pvg_curve *joint = NULL;
    uint64_t *numbers = NULL;
    memset(out, 0, sizeof *out);
    PVGI_TRY(copy_numbers(&numbers, guarantee->numbers, guarantee->objects));
    if (guarantee->joint) {
        const int32_t status = pvg_curve_repeat(&joint, guarantee->joint, 1);
        if (status != PVG_OK) {
            pvgi_free(numbers);
            return status;
        }
    }
    *out = *guarantee;
    out->joint = joint;
    out->numbers = numbers;
    pvgi_guarantee_columns_share(out->told);
    pvgi_guarantee_sources_share(out->sources);
    pvgi_guarantee_text_share(out->text);
    pvgi_guarantee_text_share(out->question);
    return PVG_OK;
}

int32_t pvgi_guarantee_name(pvg_guarantee *out, const uint64_t *numbers, int64_t count) {
    out->objects = count;
    PVGI_TRY(copy_numbers(&out->numbers, numbers, count));
    return numbers ? pvgi_guarantee_count_repeated(&out->repeated, numbers, count)
                   : PVG_OK;
}

bool pvgi_guarantee_same_objects(const pvg_guarantee *a, const pvg_guarantee *b) {
    return a->objects == b->objects &&
           (a->objects == 0 ||
            memcmp(a->numbers, b->numbers, (size_t)a->objects * sizeof *a->numbers) == 0);
}

int32_t pvgi_guarantee_share_payment(pvg_guarantee *to, const pvg_guarantee *from) {
    if (!from->numbers || to->charge != 0) return PVG_OK;
    if (to->numbers && !pvgi_guarantee_same_objects(to, from)) return PVG_OK;
    if (!to->numbers) PVGI_TRY(pvgi_guarantee_name(to, from->numbers, from->objects));
    to->charge = from->charge;
    memcpy(to->book, from->book, sizeof to->book);
    return PVG_OK;
}

static int compare_numbers(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int32_t pvgi_guarantee_count_repeated(int64_t *out, const uint64_t *objects,
                                      int64_t count) {
    *out = 0;
    if (count < 2) return PVG_OK;
    uint64_t *sorted = pvgi_alloc((size_t)count, sizeof *sorted);
    if (!sorted) return pvgi_fail_nomem();
    memcpy(sorted, objects, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_numbers);
    for (int64_t i = 0; i < count; i++)
        *out += (i > 0 && sorted[i] == sorted[i - 1]) ||
                (i + 1 < count && sorted[i] == sorted[i + 1]);
    pvgi_free(sorted);
    return PVG_OK;
}

void pvgi_guarantee_drop(pvg_guarantee *guarantee) {
    pvg_curve_free(guarantee->joint);
    pvgi_free(guarantee->numbers);
    pvgi_guarantee_columns_drop(guarantee->told);
    pvgi_guarantee_sources_drop(guarantee->sources);
    pvgi_guarantee_text_drop(guarantee->text);
    pvgi_guarantee_text_drop(guarantee->question);
    guarantee->told = NULL;
    guarantee->sources = NULL;
    guarantee->joint = NULL;
    guarantee->numbers = NULL;
    guarantee->text = guarantee->question = NULL;
}

/* --- what it costs --------------------------------------------------------------- */

const pvg_curve_term *pvgi_guarantee_terms(const pvg_guarantee *guarantee,
                                           int64_t *count) {
    *count = guarantee->joint ? guarantee->joint->count : guarantee->spent.kind != 0;
    return guarantee->joint ? guarantee->joint->terms : &guarantee->spent;
}

bool pvgi_guarantee_holds(const pvg_guarantee *guarantee) {
    int64_t count;
    const pvg_curve_term *terms = pvgi_guarantee_terms(guarantee, &count);
    if (guarantee->seeded || guarantee->broken) return false;
    if (count == 0 && !guarantee->nothing) return false;
    for (int64_t i = 0; i < count; i++)
        if (terms[i].kind == PVG_CURVE_INFINITE) return false;
    return true;
}

bool pvgi_guarantee_spends(const pvg_guarantee *guarantee) {
    int64_t count;
    pvgi_guarantee_terms(guarantee, &count);
    return count > 0;
}

double pvgi_guarantee_epsilon(const pvg_guarantee *guarantee, double delta) {
    int64_t count;
    const pvg_curve_term *terms = pvgi_guarantee_terms(guarantee, &count);
    if (!pvgi_guarantee_holds(guarantee)) return INFINITY;
    return count > 0 ? pvgi_mechanism_terms_epsilon(terms, count, delta) : 0.0;
}

int32_t pvgi_guarantee_curve(pvg_curve **out, const pvg_guarantee *guarantee) {
    pvg_curve_term term = {.kind = PVG_CURVE_INFINITE};
    if (pvgi_guarantee_holds(guarantee)) {
        if (guarantee->joint) return pvg_curve_repeat(out, guarantee->joint, 1);
        term = guarantee->spent;
    }
    term.size = sizeof term;
    return pvg_curve_new(out, &term);
}

/* What is promised of the inputs must hold for those between two neighbours as well. */
static bool rests_on_a_promise(const pvg_guarantee *g) {
    for (int32_t i = 0; i < g->assumptions; i++)
        if (strstr(g->assumption[i], "promised")) return true;
    return false;
}

int32_t pvgi_guarantee_curve_of(pvg_curve **out, const pvg_guarantee *guarantee,
                                int32_t notion, int64_t steps) {
    pvg_curve *one = NULL;
    if (steps > 1 && rests_on_a_promise(guarantee))
        return pvgi_fail(PVG_E_PRIVACY,
                         "guarantee: a change of %s is %lld of %s, and what lies between "
                         "may break the promise about degrees",
                         pvg_notion_name(notion), (long long)steps,
                         pvg_notion_name(guarantee->notion));
    PVGI_TRY(pvgi_guarantee_curve(&one, guarantee));
    int32_t status = pvg_curve_group(out, one, steps);
    bool lost = false;
    for (int64_t i = 0; status == PVG_OK && i < (*out)->count; i++)
        lost = lost || (*out)->terms[i].kind == PVG_CURVE_INFINITE;
    for (int64_t i = 0; i < one->count; i++)
        lost = lost && one->terms[i].kind != PVG_CURVE_INFINITE;
    pvg_curve_free(one);
    if (!lost) return status;
    pvg_curve_free(*out);
    *out = NULL;
    return pvgi_fail(PVG_E_PRIVACY,
                     "guarantee: a change of %s is %lld of %s, and nothing is proven of "
                     "%lld changes at once",
                     pvg_notion_name(notion), (long long)steps,
                     pvg_notion_name(guarantee->notion), (long long)steps);
}

int32_t pvgi_guarantee_curve_about(pvg_curve **out, const pvg_guarantee *guarantee,
                                   int32_t notion) {
    const int32_t steps = pvgi_guarantee_steps(notion, guarantee->notion);
    if (steps == 0)
        return pvgi_fail(PVG_E_PRIVACY, "guarantee: %s says nothing about %s",
                         pvg_notion_name(guarantee->notion), pvg_notion_name(notion));
    return pvgi_guarantee_curve_of(out, guarantee, notion, steps);
}

int32_t pvgi_guarantee_compose(pvg_curve **out, const pvg_guarantee **guarantees,
                               int64_t count) {
    pvg_curve *sum = NULL;
    int32_t status = PVG_OK;
    const pvg_guarantee *narrow = NULL;
    for (int64_t i = 0; i < count; i++) {
        if (!guarantees[i]->narrowed) continue;
        if (narrow && narrow->about != guarantees[i]->about)
            return pvgi_fail(PVG_E_PRIVACY,
                             "pvg_guarantee_compose: one is about the object %llu alone, "
                             "another about %llu: together they say nothing about either",
                             (unsigned long long)narrow->about,
                             (unsigned long long)guarantees[i]->about);
        narrow = guarantees[i];
    }
    for (int64_t i = 0; i < count && status == PVG_OK; i++) {
        pvg_curve *one = NULL, *both = NULL;
        bool known = !pvgi_guarantee_spends(guarantees[i]);
        for (int64_t j = 0; j < i && !known; j++)
            known = guarantees[i] == guarantees[j] ||
                    pvgi_guarantee_same_draw(guarantees[i], guarantees[j]);
        if (known) continue;
        status = pvgi_guarantee_curve_about(&one, guarantees[i], guarantees[0]->notion);
        if (status == PVG_OK && sum) status = pvg_curve_compose(&both, sum, one);
        if (status == PVG_OK && sum) {
            pvg_curve_free(sum);
            sum = both;
        } else if (status == PVG_OK) {
            sum = one;
            one = NULL;
        }
        pvg_curve_free(one);
    }
    if (status == PVG_OK && !sum)
        status = pvgi_fail(PVG_E_ARGUMENT, "pvg_guarantee_compose: nothing is spent");
    if (status == PVG_OK)
        *out = sum;
    else
        pvg_curve_free(sum);
    return status;
}

/* --- JSON ------------------------------------------------------------------------ */

static void put_field(pvgi_text *text, const char *name, double value) {
    pvgi_text_format(text, ", \"%s\": ", name);
    pvgi_text_json_number(text, value);
}

static void put_string(pvgi_text *text, const char *name, const char *value) {
    pvgi_text_format(text, ", \"%s\": ", name);
    pvgi_text_json_string(text, value);
}

static void put_whole(pvgi_text *text, const char *name, int64_t value) {
    pvgi_text_format(text, ", \"%s\": %lld", name, (long long)value);
}

static const char *kind_word(int32_t kind) {
    const pvgi_curve_row *row = pvgi_mechanism_curve(kind);
    return row ? row->word : "none";
}

int32_t pvgi_guarantee_kind_of(const char *word) {
    if (strcmp(word, "none") == 0) return 0;
    for (int32_t i = 1; pvgi_mechanism_curve(i); i++)
        if (strcmp(kind_word(i), word) == 0) return i;
    return -1;
}

/* Fields of a term that are there, each written by `real` or `whole`. */
static void walk_term(pvgi_text *text, const pvg_curve_term *term,
                      void (*real)(pvgi_text *, const char *, double),
                      void (*whole)(pvgi_text *, const char *, int64_t)) {
    if (term->epsilon > 0.0) real(text, "epsilon", term->epsilon);
    if (term->delta > 0.0) real(text, "delta", term->delta);
    if (term->rho > 0.0) real(text, "rho", term->rho);
    if (term->omega > 0.0) real(text, "omega", term->omega);
    if (term->mu > 0.0) real(text, "mu", term->mu);
    if (term->beta > 0.0) real(text, "beta", term->beta);
    if (term->dimension > 0) whole(text, "dimension", term->dimension);
    if (term->rate > 0.0) real(text, "rate", term->rate);
    if (term->steps > 0) whole(text, "steps", term->steps);
}

static void put_term(pvgi_text *text, const pvg_curve_term *term) {
    pvgi_text_format(text, "{\"kind\": \"%s\"", kind_word(term->kind));
    walk_term(text, term, put_field, put_whole);
    pvgi_text_append(text, "}", 1);
}

static void say_real(pvgi_text *text, const char *name, double value) {
    pvgi_text_format(text, " %s ", name);
    pvgi_text_json_number(text, value);
}

static void say_whole(pvgi_text *text, const char *name, int64_t value) {
    pvgi_text_format(text, " %s %lld", name, (long long)value);
}

void pvgi_guarantee_bounds(pvgi_text *text, const pvg_curve_term *terms, int64_t count) {
    if (count == 0) pvgi_text_format(text, "none");
    for (int64_t i = 0; i < count; i++) {
        pvgi_text_format(text, "%s%s", i > 0 ? "; " : "", kind_word(terms[i].kind));
        walk_term(text, &terms[i], say_real, say_whole);
    }
}

static void put_bounds(pvgi_text *text, const pvg_curve_term *terms, int64_t count) {
    pvgi_text_format(text, ", \"bounds\": \"");
    pvgi_guarantee_bounds(text, terms, count);
    pvgi_text_append(text, "\"", 1);
}

static const pvg_curve_term infinite = {.kind = PVG_CURVE_INFINITE};

/* One term as an object, several as an array. */
static void put_curve(pvgi_text *text, const pvg_guarantee *guarantee) {
    int64_t count;
    const pvg_curve_term *terms = pvgi_guarantee_terms(guarantee, &count);
    pvgi_text_format(text, ", \"curve\": ");
    if (!pvgi_guarantee_holds(guarantee))
        put_term(text, &infinite);
    else if (count <= 1)
        put_term(text, terms);
    for (int64_t i = 0; pvgi_guarantee_holds(guarantee) && count > 1 && i < count; i++) {
        pvgi_text_format(text, i == 0 ? "[" : ", ");
        put_term(text, &terms[i]);
        if (i + 1 == count) pvgi_text_append(text, "]", 1);
    }
    if (pvgi_guarantee_holds(guarantee))
        put_bounds(text, terms, count);
    else
        put_bounds(text, &infinite, 1);
}

/* Where no epsilon holds at this delta (Gaussian noise and delta 0) none is written: the
 * curve says what holds. */
static void put_epsilon(pvgi_text *text, const pvg_guarantee *guarantee, double epsilon) {
    if (pvgi_guarantee_holds(guarantee) && isinf(epsilon)) return;
    put_field(text, "epsilon", epsilon);
}

static void put_also(pvgi_text *text, const pvg_guarantee *guarantee) {
    const pvgi_notion *notion = pvgi_guarantee_notion(guarantee->also_notion);
    if (!notion) return;
    pvgi_text_format(text, ", \"also\": {\"notion\": \"%s\", \"neighbours\": \"%s\"",
                     notion->word, notion->neighbours);
    pvgi_text_format(text, ", \"curve\": ");
    const pvg_curve_term *term =
        pvgi_guarantee_holds(guarantee) ? &guarantee->also : &infinite;
    put_term(text, term);
    put_bounds(text, term, 1);
    put_epsilon(text, guarantee, pvgi_guarantee_also_epsilon(guarantee));
    pvgi_text_append(text, "}", 1);
}

static void put_hex(pvgi_text *text, const char *name, const char *before,
                    const uint8_t *bytes, size_t count) {
    pvgi_text_format(text, ", \"%s\": \"%s", name, before);
    for (size_t i = 0; i < count; i++) pvgi_text_format(text, "%02x", bytes[i]);
    pvgi_text_append(text, "\"", 1);
}

/* Object numbers as text: they have 64 bits, and many readers of JSON only 53. */
static void put_numbers(pvgi_text *text, const pvg_guarantee *guarantee) {
    const bool paid = guarantee->charge != 0;
    if (!paid && !guarantee->numbers) return;
    if (paid)
        pvgi_text_format(text, ", \"paid\": {\"charge\": %lld, \"objects\": [",
                         (long long)guarantee->charge);
    else
        pvgi_text_format(text, ", \"named\": [");
    for (int64_t i = 0; guarantee->numbers && i < guarantee->objects; i++)
        pvgi_text_format(text, "%s\"%llu\"", i > 0 ? ", " : "",
                         (unsigned long long)guarantee->numbers[i]);
    pvgi_text_append(text, "]}", paid ? 2 : 1);
}

/* What it was made from, in words that parse.c knows. */
static void put_reads(pvgi_text *text, const pvg_guarantee *guarantee) {
    bool first = true;
    if (!(guarantee->reads & PVGI_PART_TOLD)) return;
    pvgi_text_format(text, ", \"reads\": [");
    for (int32_t i = 0; i < PVGI_PARTS; i++) {
        if (!(guarantee->reads >> i & 1)) continue;
        pvgi_text_format(text, "%s\"%s\"", first ? "" : ", ", pvgi_guarantee_parts[i]);
        first = false;
    }
    pvgi_text_append(text, "]", 1);
}

/* Ids of the draws behind it. */
static void put_sources(pvgi_text *text, const pvg_guarantee *guarantee) {
    const pvgi_provenance *list = guarantee->sources;
    if (guarantee->narrowed)
        pvgi_text_format(text, ", \"about\": \"%llu\"",
                         (unsigned long long)guarantee->about);
    if (!guarantee->derived) return;
    if (!list) { /* read from a record */
        put_string(text, "sources", guarantee->source_ids);
        return;
    }
    pvgi_text_format(text, ", \"sources\": \"");
    for (int32_t i = 0; i < list->count; i++) {
        if (i > 0) pvgi_text_append(text, " ", 1);
        for (size_t j = 0; j < PVGI_ID_BYTES; j++)
            pvgi_text_format(text, "%02x", list->draw[i].id[j]);
    }
    pvgi_text_append(text, "\"", 1);
}

const char *pvgi_guarantee_composition(const pvg_guarantee *guarantee) {
    return guarantee->derived ? "made from other releases, whose curves are in this one: "
                                "it adds up with what is not among them"
           : !guarantee->separate ? "the release is about one private object; "
                                    "releasing it again adds up"
           : guarantee->rows > 0
               ? "each row is a private object of its own; releasing the same object "
                 "again, or a copy of it, adds up"
               : "each graph is a private object of its own; releasing the same "
                 "object again, or a copy of it, adds up";
}

static void put_draw(pvgi_text *text, const pvg_guarantee *guarantee) {
    if (!guarantee->drawn) return;
    put_string(text, "composition", pvgi_guarantee_composition(guarantee));
    if (guarantee->separate) put_whole(text, "objects", guarantee->objects);
    if (guarantee->repeated > 0) put_whole(text, "repeated", guarantee->repeated);
    put_reads(text, guarantee);
    put_whole(text, "rows", guarantee->rows);
    put_whole(text, "columns", guarantee->columns);
    put_hex(text, "id", "", guarantee->id, sizeof guarantee->id);
    if (*guarantee->day) put_string(text, "day", guarantee->day);
    put_hex(text, "digest", "blake2b-256:", guarantee->digest, sizeof guarantee->digest);
    put_numbers(text, guarantee);
}

void pvgi_guarantee_json(pvgi_text *text, const pvg_guarantee *guarantee) {
    const pvgi_notion *notion = pvgi_guarantee_notion(guarantee->notion);
    pvgi_text_format(text,
                     "{\"schema\": %d, \"notion\": \"%s\", \"neighbours\": \"%s\", "
                     "\"private\": %s",
                     PVGI_SCHEMA, notion->word, notion->neighbours,
                     pvgi_guarantee_holds(guarantee) ? "true" : "false");
    put_epsilon(text, guarantee, pvgi_guarantee_epsilon(guarantee, guarantee->delta));
    put_field(text, "delta", guarantee->delta);
    put_curve(text, guarantee);
    put_also(text, guarantee);
    if (guarantee->broken) put_string(text, "why_not", guarantee->broken);
    put_string(text, "noise", guarantee->noise);
    if (guarantee->allocation) put_string(text, "allocation", guarantee->allocation);
    if (guarantee->sensitivity > 0.0)
        put_field(text, "sensitivity", guarantee->sensitivity);
    if (guarantee->scale > 0.0) put_field(text, "scale", guarantee->scale);
    pvgi_text_format(text, ", \"assumptions\": [");
    for (int32_t i = 0; i < guarantee->assumptions; i++) {
        if (i > 0) pvgi_text_append(text, ", ", 2);
        pvgi_text_json_string(text, guarantee->assumption[i]);
    }
    pvgi_text_format(text, "], \"seeded\": %s", guarantee->seeded ? "true" : "false");
    if (guarantee->order > 0) put_whole(text, "order", guarantee->order);
    put_sources(text, guarantee);
    put_string(text, "claim", guarantee->claim);
    if (guarantee->asked) put_string(text, "query", guarantee->asked);
    if (guarantee->library)
        put_string(text, "library", guarantee->library);
    else
        pvgi_text_format(text, ", \"library\": \"libprivgraph %s\"",
                         pvg_version_string());
    if (guarantee->told) {
        pvgi_text_format(text, ", \"coordinates\": ");
        pvgi_guarantee_columns_json(text, guarantee->told);
    }
    put_draw(text, guarantee);
    pvgi_text_append(text, "}", 1);
}
