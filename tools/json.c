/* JSON written piece by piece; commas and brackets take care of themselves. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_string(output *out, const char *text) {
    output_bytes(out, "\"", 1);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '\n')
            output_bytes(out, "\\n", 2);
        else if (c < 0x20)
            output_text(out, "\\u%04x", c);
        else {
            if (c == '"' || c == '\\') output_bytes(out, "\\", 1);
            output_bytes(out, text, 1);
        }
    }
    output_bytes(out, "\"", 1);
}

/* Comma and key before a value. Arrays of plain numbers stay on one line. */
static void lead(json *j, const char *key) {
    if (j->filled[j->depth]) output_text(j->out, key ? ",\n" : ", ");
    if (!j->filled[j->depth] && j->depth > 0 && key) output_text(j->out, "\n");
    j->filled[j->depth] = true;
    if (!key) return;
    output_text(j->out, "%*s", 2 * j->depth, "");
    put_string(j->out, key);
    output_text(j->out, ": ");
}

void json_begin(json *j, const char *key, char bracket) {
    lead(j, key);
    output_bytes(j->out, &bracket, 1);
    j->depth++;
    j->filled[j->depth] = false;
}

void json_end(json *j, char bracket) {
    const bool lines = bracket == '}' && j->filled[j->depth];
    j->depth--;
    if (lines) output_text(j->out, "\n%*s", 2 * j->depth, "");
    output_bytes(j->out, &bracket, 1);
    if (j->depth == 0) output_text(j->out, "\n");
}

void json_text(json *j, const char *key, const char *value) {
    lead(j, key);
    if (value)
        put_string(j->out, value);
    else
        output_text(j->out, "null");
}

void json_real(json *j, const char *key, double value) {
    char digits[PVGI_NUMBER_BYTES];
    if (!isfinite(value)) {
        json_text(j, key, isnan(value) ? "nan" : value > 0 ? "infinity" : "-infinity");
        return;
    }
    pvgi_number_put(digits, value);
    json_raw(j, key, digits);
}

void json_whole(json *j, const char *key, int64_t value) {
    lead(j, key);
    output_text(j->out, "%lld", (long long)value);
}

void json_bool(json *j, const char *key, bool value) {
    json_raw(j, key, value ? "true" : "false");
}

void json_raw(json *j, const char *key, const char *text) {
    lead(j, key);
    output_bytes(j->out, text, strlen(text));
}

char *copied(copy_function copy, const void *object) {
    size_t length = 0;
    must(copy(NULL, 0, &length, object));
    char *text = take(length + 1, 1);
    must(copy(text, length + 1, &length, object));
    return text;
}
