/* Text results: a growing buffer inside, (out, capacity, length) outside. */
#include "base_internal.h"
#include "number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int32_t pvgi_text_copy(char *out, size_t capacity, size_t *length, const char *text,
                       size_t text_length, const char *function) {
    if (!length) return pvgi_fail_null(function, "length");
    *length = text_length;
    if (!out) return PVG_OK;
    if (capacity <= text_length)
        return pvgi_fail(PVG_E_LIMIT, "%s: capacity %zu is too small, %zu needed",
                         function, capacity, text_length + 1);
    memcpy(out, text, text_length);
    out[text_length] = '\0';
    return PVG_OK;
}

/* Room for count more bytes and the NUL; doubling keeps appends amortised O(1). */
static bool reserve(pvgi_text *text, size_t count) {
    if (text->status != PVG_OK) return false;
    const size_t needed = pvgi_size_add(text->length, pvgi_size_add(count, 1));
    if (needed <= text->capacity) return true;
    size_t capacity = pvgi_size_mul(text->capacity, 2);
    if (capacity < needed || capacity == SIZE_MAX) capacity = needed;
    if (capacity < 256) capacity = 256;
    char *larger = pvgi_grow(text->data, capacity, 1);
    if (!larger) {
        text->status = pvgi_fail_nomem();
        return false;
    }
    text->data = larger;
    text->capacity = capacity;
    return true;
}

void pvgi_text_append(pvgi_text *text, const char *bytes, size_t count) {
    if (!reserve(text, count)) return;
    if (count) memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void pvgi_text_format(pvgi_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int count = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (count < 0)
        text->status = pvgi_fail(PVG_E_INTERNAL, "text: a format failed");
    else if (reserve(text, (size_t)count)) {
        vsnprintf(text->data + text->length, (size_t)count + 1, format, again);
        text->length += (size_t)count;
    }
    va_end(again);
}

void pvgi_text_json_string(pvgi_text *text, const char *value) {
    pvgi_text_append(text, "\"", 1);
    for (const char *c = value; *c; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte == '"' || byte == '\\')
            pvgi_text_format(text, "\\%c", byte);
        else if (byte < 0x20)
            pvgi_text_format(text, "\\u%04x", byte);
        else
            pvgi_text_append(text, c, 1);
    }
    pvgi_text_append(text, "\"", 1);
}

void pvgi_text_json_number(pvgi_text *text, double value) {
    char digits[PVGI_NUMBER_BYTES];
    if (!isfinite(value)) {
        pvgi_text_json_string(text, isnan(value) ? "nan"
                                    : value > 0  ? "infinity"
                                                 : "-infinity");
        return;
    }
    pvgi_text_append(text, digits, pvgi_number_put(digits, value));
}

void pvgi_text_free(pvgi_text *text) {
    pvgi_free(text->data);
    memset(text, 0, sizeof *text);
}
