/* Queries as text: part { "+" part }, part = kind { option=value }. Values are numbers,
 * words and lists with commas; no quotes, nesting or expressions. */
#include "base/number.h"
#include "query_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MOST = 1 << 16, PARTS_MOST = 64 };

const char *const pvgi_query_arrays[PVGI_TAKEN] = {
    "kinds-of", "groups-of",   "priorities", "similarities", "weights",
    "ranges",   "patterns-of", "layers-of",  "things-of"};

/* --- values ------------------------------------------------------------------------ */

void pvgi_query_put_value(pvgi_text *text, const pvgi_option *option, double value) {
    char number[PVGI_NUMBER_BYTES];
    if (option->choices) {
        const char *at = option->choices;
        for (int32_t i = 0; i < (int32_t)value; i++) at += strcspn(at, "|") + 1;
        pvgi_text_append(text, at, strcspn(at, "|"));
    } else if (option->word && value == option->special) {
        pvgi_text_append(text, option->word, strlen(option->word));
    } else if (option->rule.type == PVGI_FIELD_INT64 && value < 0x1p62 &&
               value > -0x1p62) {
        pvgi_text_format(text, "%lld", (long long)value);
    } else {
        pvgi_text_append(text, number, pvgi_number_put(number, value));
    }
}

static double value_at(const void *settings, const pvgi_option *option) {
    const char *at = (const char *)settings + option->rule.offset;
    int32_t narrow;
    int64_t wide;
    double real = 0.0;
    if (option->rule.type == PVGI_FIELD_INT32) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    if (option->rule.type == PVGI_FIELD_INT64) {
        memcpy(&wide, at, sizeof wide);
        return (double)wide;
    }
    memcpy(&real, at, sizeof real);
    return real;
}

static void set_value(void *settings, const pvgi_option *option, double value) {
    char *at = (char *)settings + option->rule.offset;
    if (option->rule.type == PVGI_FIELD_INT32) {
        const int32_t narrow = (int32_t)value; /* whole, and within the limits */
        memcpy(at, &narrow, sizeof narrow);
    } else if (option->rule.type == PVGI_FIELD_INT64) {
        const int64_t wide = (int64_t)value;
        memcpy(at, &wide, sizeof wide);
    } else
        memcpy(at, &value, sizeof value);
}

static const char *text_at(const void *settings, const pvgi_option *option) {
    const char *found;
    memcpy(&found, (const char *)settings + option->rule.offset, sizeof found);
    return found;
}

void pvgi_query_put_options(pvgi_text *text, const pvgi_option *options,
                            const void *settings) {
    for (const pvgi_option *o = options; o && o->name; o++) {
        if (o->rule.type == PVGI_FIELD_TEXT) {
            if (text_at(settings, o))
                pvgi_text_format(text, " %s=%s", o->name, text_at(settings, o));
            continue;
        }
        pvgi_text_format(text, " %s=", o->name);
        pvgi_query_put_value(text, o, value_at(settings, o));
    }
}

/* --- reading ----------------------------------------------------------------------- */

/* Where the reader is, for messages. */
typedef struct {
    const char *name;      /* of the function */
    const char *copy;      /* the whole text */
    const pvgi_kind *kind; /* of the part; NULL: none yet */
    pvgi_kind_at kind_at;
} place;

static long long at_character(const place *p, const char *at) {
    return (long long)(at - p->copy) + 1;
}

/* What a message begins with. */
static const char *kind_word(const place *p) {
    return p->kind ? p->kind->kind : "query";
}

/* Number of the word among choices, -1: none. */
static int32_t choice_of(const char *choices, const char *word) {
    int32_t number = 0;
    for (const char *at = choices; *at; number++) {
        const size_t length = strcspn(at, "|");
        if (strlen(word) == length && strncmp(word, at, length) == 0) return number;
        at += length + (at[length] == '|');
    }
    return -1;
}

static int32_t refuse_value(const place *p, const pvgi_option *o, const char *word) {
    const char *choices = o->choices ? o->choices : o->rule.words;
    return pvgi_fail(PVG_E_ARGUMENT, "%s: %s: %s is %.40s, not %s%s%s%s", p->name,
                     kind_word(p), o->name, word, o->choices ? "one of " : "", choices,
                     o->word ? ", or " : "", o->word ? o->word : "");
}

static int32_t read_value(void *settings, const place *p, const pvgi_option *o,
                          char *word) {
    double value = 0.0;
    const char *end = word + strlen(word);
    PVGI_REQUIRE(*word, "%s: %s: %s has no value", p->name, kind_word(p), o->name);
    if (o->rule.type == PVGI_FIELD_TEXT) {
        const char *kept = word;
        memcpy((char *)settings + o->rule.offset, &kept, sizeof kept);
        return PVG_OK;
    }
    if (o->choices) {
        const int32_t number = choice_of(o->choices, word);
        if (number < 0) return refuse_value(p, o, word);
        value = number;
    } else if (o->word && strcmp(word, o->word) == 0) {
        value = o->special;
    } else {
        const bool whole = o->rule.type != PVGI_FIELD_DOUBLE;
        if (pvgi_number_scan(&value, word, end, false) != end ||
            !pvgi_config_allows(&o->rule, value) ||
            (whole && !(fabs(value) <= 0x1p53 && value == (double)(int64_t)value)))
            return refuse_value(p, o, word);
    }
    set_value(settings, o, value);
    return PVG_OK;
}

static const pvgi_option *find_option(const pvgi_option *options, const char *word,
                                      uint64_t *bit) {
    *bit = 1;
    for (const pvgi_option *o = options; o && o->name; o++, *bit <<= 1)
        if (strcmp(o->name, word) == 0) return o;
    return NULL;
}

static void list_names(pvgi_text *text, const pvgi_option *options) {
    for (const pvgi_option *o = options; o && o->name; o++)
        pvgi_text_format(text, "%s%s", text->length > 0 ? ", " : "", o->name);
}

static int32_t unknown_option(const place *p, const char *word) {
    pvgi_text known = {0};
    list_names(&known, p->kind->options);
    list_names(&known, pvgi_query_common);
    pvgi_fail(PVG_E_ARGUMENT,
              "%s: %s has no option '%.40s' (character %lld); it has %.300s", p->name,
              kind_word(p), word, at_character(p, word), known.data ? known.data : "");
    pvgi_text_free(&known);
    return PVG_E_ARGUMENT;
}

static int32_t unknown_kind(const place *p, const char *word) {
    pvgi_text known = {0};
    const pvgi_kind *kind;
    for (int64_t i = 0; (kind = p->kind_at(i)) != NULL; i++)
        pvgi_text_format(&known, "%s%s", i > 0 ? ", " : "", kind->kind);
    pvgi_fail(PVG_E_ARGUMENT, "%s: '%.40s' (character %lld) is no kind; there are %.300s",
              p->name, word, at_character(p, word), known.data ? known.data : "");
    pvgi_text_free(&known);
    return PVG_E_ARGUMENT;
}

/* "weights=#0123...": of an array that must be given again. */
static int32_t read_digest(pvgi_query_part *part, const place *p, const char *option,
                           const char *word) {
    int bit = 0;
    while (bit < PVGI_TAKEN && strcmp(pvgi_query_arrays[bit], option) != 0) bit++;
    if (bit == 8 || !(p->kind->takes >> bit & 1)) return unknown_option(p, option);
    PVGI_REQUIRE(word[0] == '#' && strlen(word) == 2 * PVGI_ID_BYTES + 1 &&
                     strspn(word + 1, "0123456789abcdef") == 2 * PVGI_ID_BYTES,
                 "%s: %s: %s is no digest of an array; arrays are arguments", p->name,
                 kind_word(p), option);
    PVGI_REQUIRE(!(part->arrays >> bit & 1), "%s: %s: %s is given twice", p->name,
                 kind_word(p), option);
    part->arrays |= 1u << bit;
    memcpy(part->digest[bit], word + 1, 2 * PVGI_ID_BYTES + 1);
    return PVG_OK;
}

static int32_t read_option(pvgi_query_words *out, pvgi_query_part *part, const place *p,
                           char *token) {
    uint64_t bit;
    char *value = strchr(token, '=');
    PVGI_REQUIRE(value, "%s: %s: '%.40s' (character %lld) is no option=value", p->name,
                 kind_word(p), token, at_character(p, token));
    *value++ = 0;
    const pvgi_option *o = find_option(part->kind->options, token, &bit);
    uint64_t *given = &part->given;
    void *settings = part->settings;
    if (!o) {
        o = find_option(pvgi_query_common, token, &bit);
        given = &out->given;
        settings = &out->budget;
    }
    if (!o) return read_digest(part, p, token, value);
    if (strcmp(o->name, "share") == 0 || strcmp(o->name, "epsilon") == 0) {
        bit = o->name[0] == 's' ? PVGI_GIVEN_SHARE : PVGI_GIVEN_EPSILON;
        given = &part->given; /* each part may have its own */
    }
    const bool common = given == &out->given;
    const bool before = *given & bit;
    PVGI_REQUIRE(!before || (common && !(out->here & bit)), "%s: %s: %s is given twice",
                 p->name, kind_word(p), o->name);
    *given |= bit;
    if (common) out->here |= bit;
    const double told = before ? value_at(settings, o) : 0.0;
    PVGI_TRY(read_value(settings, p, o, value));
    PVGI_REQUIRE(!before || told == value_at(settings, o),
                 "%s: %s: %s is another one than in the parts before", p->name,
                 kind_word(p), o->name);
    return PVG_OK;
}

static int32_t begin_part(pvgi_query_words *out, place *p, const char *word) {
    if (out->count == PARTS_MOST)
        return pvgi_fail(PVG_E_LIMIT, "%s: more than %d parts", p->name, PARTS_MOST);
    for (int64_t i = 0; (p->kind = p->kind_at(i)) != NULL; i++)
        if (strcmp(p->kind->kind, word) == 0) break;
    if (!p->kind) return unknown_kind(p, word);
    pvgi_query_part *part = &out->part[out->count];
    *part = (pvgi_query_part){.kind = p->kind, .share = 1.0};
    part->settings = pvgi_alloc_zero(p->kind->bytes, 1);
    if (!part->settings) return pvgi_fail_nomem();
    out->count++;
    out->here = 0;
    for (const pvgi_option *o = p->kind->options; o && o->name; o++)
        if (o->rule.type != PVGI_FIELD_TEXT) set_value(part->settings, o, o->preset);
    return PVG_OK;
}

static int32_t read_token(pvgi_query_words *out, place *p, char *token) {
    if (strcmp(token, "+") == 0) {
        PVGI_REQUIRE(p->kind, "%s: '+' (character %lld) has no part before it", p->name,
                     at_character(p, token));
        p->kind = NULL;
        return PVG_OK;
    }
    if (!p->kind) return begin_part(out, p, token);
    pvgi_query_part *part = &out->part[out->count - 1];
    const uint64_t before = part->given;
    PVGI_TRY(read_option(out, part, p, token));
    if ((part->given ^ before) & PVGI_GIVEN_SHARE) part->share = out->budget.share;
    if ((part->given ^ before) & PVGI_GIVEN_EPSILON)
        part->epsilon = out->budget.target.epsilon;
    return PVG_OK;
}

int32_t pvgi_query_read(pvgi_query_words *out, const char *name, const char *text,
                        pvgi_kind_at kind_at) {
    static const char spaces[] = " \t\r\n";
    const size_t length = strlen(text);
    *out = (pvgi_query_words){0};
    if (length > TEXT_MOST)
        return pvgi_fail(PVG_E_LIMIT, "%s: text has more than %d bytes", name, TEXT_MOST);
    out->copy = pvgi_alloc(length + 1, 1);
    out->part = pvgi_alloc_zero(PARTS_MOST, sizeof *out->part);
    if (!out->copy || !out->part) return pvgi_fail_nomem();
    memcpy(out->copy, text, length + 1);
    place p = {.name = name, .copy = out->copy, .kind_at = kind_at};
    for (char *at = out->copy + strspn(out->copy, spaces); *at;) {
        char *end = at + strcspn(at, spaces);
        char *next = end + strspn(end, spaces);
        for (const char *c = at; c < end; c++)
            PVGI_REQUIRE(*c > ' ' && *c < 127,
                         "%s: character %lld is not printable ASCII", name,
                         at_character(&p, c));
        *end = 0;
        PVGI_TRY(read_token(out, &p, at));
        at = next;
    }
    PVGI_REQUIRE(out->count > 0 && p.kind, "%s: text %s", name,
                 out->count > 0 ? "ends with '+'" : "is empty");
    return PVG_OK;
}

void pvgi_query_words_drop(pvgi_query_words *words) {
    for (int64_t i = 0; words->part && i < words->count; i++)
        pvgi_free(words->part[i].settings);
    pvgi_free(words->part);
    pvgi_free(words->copy);
}

/* --- messages ----------------------------------------------------------------------- */

/* The word of a text for a field of a struct: that of the option, or with dashes. */
static int put_field(char *out, size_t bytes, const pvgi_option *options,
                     const char *field, int length) {
    for (const pvgi_option *o = options; o && o->name; o++) {
        const char *dot = strrchr(o->rule.field, '.'),
                   *own = dot ? dot + 1 : o->rule.field;
        if (strlen(own) == (size_t)length && memcmp(own, field, (size_t)length) == 0)
            return snprintf(out, bytes, "%s", o->name);
    }
    for (int i = 0; i < length && (size_t)i < bytes; i++)
        out[i] = field[i] == '_' ? '-' : field[i];
    return length;
}

/* PVG_ROWS_NORMALISED: normalised. */
static int put_constant(char *out, const char *name, int length) {
    int from = (int)strlen("PVG_"), used = 0;
    while (from < length && name[from++] != '_') {
    }
    for (; from < length; from++)
        out[used++] = name[from] == '_' ? '-' : (char)(name[from] | 0x20);
    return used;
}

int32_t pvgi_query_own_words(int32_t status, const char *called,
                             const pvgi_option *options, bool target) {
    static const char *const structs[] = {"config->", "assumption->", "target->"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                  "0123456789";
    char old[PVGI_MESSAGE_BYTES], now[2 * PVGI_MESSAGE_BYTES] = {0};
    const size_t begins = strlen(called);
    size_t used = 0;
    if (status == PVG_OK || status == PVG_E_NOMEM) return status;
    pvgi_message_save(old);
    const char *at = old;
    if (strncmp(at, called, begins) == 0) at += begins;
    while (*at && used < PVGI_MESSAGE_BYTES) {
        const int word = (int)strspn(at, letters);
        size_t skip = 0;
        for (int i = 0; i < (target ? 3 : 2); i++)
            if (strncmp(at, structs[i], strlen(structs[i])) == 0)
                skip = strlen(structs[i]);
        if (skip > 0) {
            at += skip;
            const int length = (int)strspn(at, letters);
            used += (size_t)put_field(now + used, sizeof now - used, options, at, length);
            at += length;
        } else if (strncmp(at, "pvg_", 4) == 0 && strncmp(at + word, ": ", 2) == 0) {
            at += word + 2; /* an inner function */
        } else if (word > 4 && strncmp(at, "PVG_", 4) == 0 && at[word] != '*' &&
                   memchr(at + 4, '_', (size_t)word - 4)) {
            used += (size_t)put_constant(now + used, at, word);
            at += word;
        } else {
            const int length = word > 0 ? word : 1;
            memcpy(now + used, at, (size_t)length);
            used += (size_t)length;
            at += length;
        }
    }
    return pvgi_fail(status, "%s%s%s", called, now[0] == ':' ? "" : ": ", now);
}
