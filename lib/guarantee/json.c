/* The values of JSON as records have them: texts with the escapes of
 * pvgi_text_json_string, numbers, objects, arrays. O(length). */
#include "json.h"

#include "io/io_internal.h"

#include <math.h>
#include <string.h>

int32_t pvgi_guarantee_wrong(const char *what) {
    return pvgi_fail(PVG_E_FORMAT, "pvg_guarantee_parse: %s", what);
}

void pvgi_guarantee_skip_space(pvgi_json *in) {
    while (in->at < in->end && strchr(" \t\r\n", *in->at) && *in->at) in->at++;
}

bool pvgi_guarantee_take(pvgi_json *in, char wanted) {
    pvgi_guarantee_skip_space(in);
    if (in->at >= in->end || *in->at != wanted) return false;
    in->at++;
    return true;
}

static int hex_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A string to in->next, NUL-terminated. Escapes are those of pvgi_text_json_string. */
int32_t pvgi_guarantee_read_text(const char **out, pvgi_json *in) {
    if (!pvgi_guarantee_take(in, '"')) return pvgi_guarantee_wrong("a text is missing");
    char *to = in->next;
    *out = to;
    while (in->at < in->end && *in->at != '"') {
        char c = *in->at++;
        if (c == '\0') return pvgi_guarantee_wrong("a text holds a NUL");
        if (c == '\\') {
            if (in->at >= in->end) break;
            c = *in->at++;
            if (c == 'u') {
                if (in->end - in->at < 4 || in->at[0] != '0' || in->at[1] != '0' ||
                    hex_of(in->at[2]) < 0 || hex_of(in->at[2]) > 1 ||
                    hex_of(in->at[3]) < 0)
                    return pvgi_guarantee_wrong("an escape is not one of ours");
                c = (char)(hex_of(in->at[2]) * 16 + hex_of(in->at[3]));
                if (c == '\0') return pvgi_guarantee_wrong("a text holds a NUL");
                in->at += 4;
            } else if (c != '"' && c != '\\') {
                return pvgi_guarantee_wrong("an escape is not one of ours");
            }
        }
        *to++ = c;
    }
    if (!pvgi_guarantee_take(in, '"')) return pvgi_guarantee_wrong("a text has no end");
    *to++ = '\0';
    in->next = to;
    return PVG_OK;
}

int32_t pvgi_guarantee_read_number(double *out, pvgi_json *in) {
    pvgi_guarantee_skip_space(in);
    if (in->at < in->end && *in->at == '"') {
        const char *text;
        PVGI_TRY(pvgi_guarantee_read_text(&text, in));
        if (strcmp(text, "infinity") != 0)
            return pvgi_guarantee_wrong("a number is none");
        *out = INFINITY;
        return PVG_OK;
    }
    const char *after = pvgi_number_scan(out, in->at, in->end, false);
    if (!after || !(*out >= 0.0))
        return pvgi_guarantee_wrong("a number is none, or negative");
    in->at = after;
    return PVG_OK;
}

int32_t pvgi_guarantee_read_whole(int64_t *out, pvgi_json *in) {
    pvgi_guarantee_skip_space(in);
    int64_t value = 0;
    const char *start = in->at;
    while (in->at < in->end && *in->at >= '0' && *in->at <= '9') {
        if (value > (INT64_MAX - 9) / 10)
            return pvgi_guarantee_wrong("a whole number is too large");
        value = value * 10 + (*in->at++ - '0');
    }
    if (in->at == start) return pvgi_guarantee_wrong("a whole number is missing");
    *out = value;
    return PVG_OK;
}

int32_t pvgi_guarantee_read_flag(bool *out, pvgi_json *in) {
    pvgi_guarantee_skip_space(in);
    const size_t left = (size_t)(in->end - in->at);
    *out = left >= 4 && memcmp(in->at, "true", 4) == 0;
    if (!*out && !(left >= 5 && memcmp(in->at, "false", 5) == 0))
        return pvgi_guarantee_wrong("neither true nor false");
    in->at += *out ? 4 : 5;
    return PVG_OK;
}

int32_t pvgi_guarantee_read_hex(uint8_t *out, size_t count, const char *before,
                                pvgi_json *in) {
    const char *text;
    PVGI_TRY(pvgi_guarantee_read_text(&text, in));
    const size_t skip = strlen(before);
    if (strlen(text) != skip + 2 * count || strncmp(text, before, skip) != 0)
        return pvgi_guarantee_wrong("an id or digest has a wrong length");
    for (size_t i = 0; i < count; i++) {
        const int high = hex_of(text[skip + 2 * i]), low = hex_of(text[skip + 2 * i + 1]);
        if (high < 0 || low < 0)
            return pvgi_guarantee_wrong("an id or digest is not hexadecimal");
        out[i] = (uint8_t)(high * 16 + low);
    }
    return PVG_OK;
}

/* More than any object of a record has. */
enum { NAMES_MAX = 48 };

/* { "name": value, ... }; each value is read by `field`, each name stands there once. */
int32_t pvgi_guarantee_read_fields(pvgi_json *in, pvgi_json_field field, void *context) {
    const char *names[NAMES_MAX];
    int count = 0;
    if (!pvgi_guarantee_take(in, '{'))
        return pvgi_guarantee_wrong("an object is missing");
    if (pvgi_guarantee_take(in, '}')) return PVG_OK;
    do {
        const char *name;
        PVGI_TRY(pvgi_guarantee_read_text(&name, in));
        for (int i = 0; i < count; i++)
            if (strcmp(names[i], name) == 0)
                return pvgi_guarantee_wrong("a field stands twice");
        if (count == NAMES_MAX) return pvgi_guarantee_wrong("too many fields");
        names[count++] = name;
        if (!pvgi_guarantee_take(in, ':'))
            return pvgi_guarantee_wrong("a colon is missing");
        PVGI_TRY(field(in, context, name));
    } while (pvgi_guarantee_take(in, ','));
    return pvgi_guarantee_take(in, '}') ? PVG_OK
                                        : pvgi_guarantee_wrong("an object has no end");
}

/* A number of either sign; null: NaN. */
int32_t pvgi_guarantee_read_signed(double *out, pvgi_json *in) {
    pvgi_guarantee_skip_space(in);
    if (in->end - in->at >= 4 && memcmp(in->at, "null", 4) == 0) {
        in->at += 4;
        *out = (double)NAN;
        return PVG_OK;
    }
    if (in->at < in->end && *in->at == '"') {
        const char *text;
        PVGI_TRY(pvgi_guarantee_read_text(&text, in));
        *out = *text == '-' ? -INFINITY : INFINITY;
        return strcmp(text + (*text == '-'), "infinity") == 0
                   ? PVG_OK
                   : pvgi_guarantee_wrong("a number is none");
    }
    const char *after = pvgi_number_scan(out, in->at, in->end, false);
    if (!after || isnan(*out)) return pvgi_guarantee_wrong("a number is none");
    in->at = after;
    return PVG_OK;
}

int32_t pvgi_guarantee_read_integer(int64_t *out, pvgi_json *in) {
    pvgi_guarantee_skip_space(in);
    const bool minus = in->at < in->end && *in->at == '-';
    if (minus) in->at++;
    PVGI_TRY(pvgi_guarantee_read_whole(out, in));
    if (minus) *out = -*out;
    return PVG_OK;
}

/* [ value, ... ]: exactly `count` of them, or any number if it is negative. */
int32_t pvgi_guarantee_read_items(pvgi_json *in, pvgi_json_item item, void *context,
                                  int64_t count) {
    int64_t index = 0;
    if (!pvgi_guarantee_take(in, '[')) return pvgi_guarantee_wrong("an array is missing");
    if (!pvgi_guarantee_take(in, ']')) {
        do {
            if (index == count) return pvgi_guarantee_wrong("an array is too long");
            PVGI_TRY(item(in, context, index++));
        } while (pvgi_guarantee_take(in, ','));
        if (!pvgi_guarantee_take(in, ']'))
            return pvgi_guarantee_wrong("an array has no end");
    }
    return count < 0 || index == count ? PVG_OK
                                       : pvgi_guarantee_wrong("an array is too short");
}
