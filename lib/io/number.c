/* Real numbers as text, the same in every locale of the host.
 *
 * Reading: a significand below 2^53 times or divided by 10^k, k <= 22, is one correctly
 * rounded operation on exact doubles (Clinger); everything else goes to strtod_l in the C
 * locale. Writing: the first of 15, 16, 17 digits that reads back to the same bits. */
#include "io/io_internal.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { POWER_MAX = 22, DIGITS_MAX = 19, EXPONENT_CAP = 100000 };

static bool is_digit(const char *p, const char *end) {
    return p < end && *p >= '0' && *p <= '9';
}

/* The parts of a decimal number as far as the fast path needs them. */
typedef struct {
    bool negative;
    uint64_t significand;
    int digits; /* significant ones, more than DIGITS_MAX: significand is useless */
    int exponent;
} decimal;

static const char *scan_digit_run(decimal *d, const char *p, const char *end,
                                  int exponent_step) {
    for (; is_digit(p, end); p++) {
        if (d->significand == 0 && *p == '0') {
            d->exponent += exponent_step;
            continue;
        }
        if (++d->digits <= DIGITS_MAX)
            d->significand = d->significand * 10 + (uint64_t)(*p - '0');
        d->exponent += exponent_step;
    }
    return p;
}

/* [+-] digits [. digits] [e [+-] digits], a digit before or after the point. */
static const char *scan_decimal(decimal *d, const char *p, const char *end) {
    *d = (decimal){0};
    if (p < end && (*p == '-' || *p == '+')) d->negative = *p++ == '-';
    const char *start = p;
    p = scan_digit_run(d, p, end, 0);
    bool any = p > start;
    if (p < end && *p == '.') {
        start = p + 1;
        p = scan_digit_run(d, start, end, -1);
        any = any || p > start;
    }
    if (!any) return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *q = p + 1;
        const bool minus = q < end && *q == '-';
        if (q < end && (*q == '-' || *q == '+')) q++;
        if (!is_digit(q, end)) return NULL;
        int exponent = 0;
        for (; is_digit(q, end); q++)
            if (exponent < EXPONENT_CAP) exponent = exponent * 10 + (*q - '0');
        d->exponent += minus ? -exponent : exponent;
        p = q;
    }
    return p;
}

static const char *scan_special(double *out, const char *p, const char *end) {
    static const struct {
        const char *text;
        double value;
    } names[] = {{"nan", NAN},
                 {"-nan", NAN},
                 {"inf", INFINITY},
                 {"+inf", INFINITY},
                 {"-inf", -INFINITY}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i].text);
        if ((size_t)(end - p) < length || strncasecmp(p, names[i].text, length) != 0)
            continue;
        *out = names[i].value;
        return p + length;
    }
    return NULL;
}

/* The token is known to be a decimal number; false if it does not fit a double. */
static bool convert_slowly(double *out, const char *at, size_t length) {
    char text[PVGI_IO_DOUBLE_LONGEST + 1];
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return false;
    memcpy(text, at, length);
    text[length] = '\0';
    *out = strtod_l(text, NULL, plain);
    freelocale(plain);
    return isfinite(*out);
}

const char *pvgi_io_scan_double(double *out, const char *at, const char *end,
                                bool special) {
    decimal d;
    if (end - at > PVGI_IO_DOUBLE_LONGEST + 1) end = at + PVGI_IO_DOUBLE_LONGEST + 1;
    const char *stop = scan_decimal(&d, at, end);
    if (!stop) return special ? scan_special(out, at, end) : NULL;
    const size_t length = (size_t)(stop - at);
    if (d.digits <= DIGITS_MAX && d.significand <= (uint64_t)1 << 53 &&
        d.exponent >= -POWER_MAX && d.exponent <= POWER_MAX) {
        double value = (double)d.significand;
        if (d.exponent < 0)
            value /= powers[-d.exponent];
        else
            value *= powers[d.exponent];
        *out = d.negative ? -value : value;
        return stop;
    }
    if (length > PVGI_IO_DOUBLE_LONGEST || !convert_slowly(out, at, length)) return NULL;
    return stop;
}

/* snprintf writes the decimal point of the host's locale, of one byte or more. */
size_t pvgi_io_plain_point(char *text) {
    char *to = text;
    bool in_point = false;
    for (const char *from = text; *from; from++) {
        const bool plain = strchr("0123456789+-e", *from) != NULL;
        if (plain)
            *to++ = *from;
        else if (!in_point)
            *to++ = '.';
        in_point = !plain;
    }
    *to = '\0';
    return (size_t)(to - text);
}

size_t pvgi_io_put_double(char out[PVGI_IO_DOUBLE_BYTES], double value) {
    if (!isfinite(value)) {
        const char *name = isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
        const size_t length = strlen(name);
        memcpy(out, name, length + 1);
        return length;
    }
    for (int digits = 15;; digits++) {
        char text[64];
        double back;
        snprintf(text, sizeof text, "%.*g", digits, value);
        const size_t length = pvgi_io_plain_point(text);
        const bool same = pvgi_io_scan_double(&back, text, text + length, false) &&
                          back == value && !signbit(back) == !signbit(value);
        if (same || digits == 17) {
            memcpy(out, text, length + 1);
            return length;
        }
    }
}
