/* Shortest decimals and back, in 128-bit integers.
 *
 * Writing v = m 2^e. With k such that N = v 10^k has 17 digits before the point and
 * 0 <= k <= 22, N = m 5^k 2^(e + k) is exact: m 5^k < 2^53 2^52. What reads back to v are
 * the numbers within half a unit of m, 5^k 2^(e + k - 1) to both sides of N, ends
 * included if m is even (ties go there). That is more than one integer wide, because
 * 10^16 > 2^53. The fewest digits are those of the multiple of the largest 10^j in it,
 * and the nearest one of these is what %.*g rounds to. Powers of two (whose lower
 * neighbour is nearer), and values outside [1e-5, 1e15), go through snprintf.
 *
 * Reading w 10^k, w < 2^64, -27 <= k <= 22: w * 5^k, or w 2^64 / 5^-k with its remainder
 * as a sticky bit, rounded once to 53 bits; everything else goes to strtod_l in the C
 * locale. */
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef unsigned __int128 wide;

static const uint64_t fives[28] = {1,
                                   5,
                                   25,
                                   125,
                                   625,
                                   3125,
                                   15625,
                                   78125,
                                   390625,
                                   1953125,
                                   9765625,
                                   48828125,
                                   244140625,
                                   1220703125,
                                   6103515625,
                                   30517578125,
                                   152587890625,
                                   762939453125,
                                   3814697265625,
                                   19073486328125,
                                   95367431640625,
                                   476837158203125,
                                   2384185791015625,
                                   11920928955078125,
                                   59604644775390625,
                                   298023223876953125,
                                   1490116119384765625,
                                   7450580596923828125};

/* --- writing -------------------------------------------------------------------- */

size_t pvgi_number_plain_point(char *text) {
    char *to = text;
    bool in_point = false;
    for (const char *from = text; *from; from++) {
        const bool plain = strchr("0123456789+-e", *from) != NULL;
        if (plain || !in_point) *to++ = plain ? *from : '.';
        in_point = !plain;
    }
    *to = '\0';
    return (size_t)(to - text);
}

/* The first of 15, 16, 17 digits that reads back. */
static size_t put_slowly(char out[PVGI_NUMBER_BYTES], double value) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, PVGI_NUMBER_BYTES, "%.*g", digits, value);
        if (strtod(out, NULL) == value) break;
    }
    return pvgi_number_plain_point(out);
}

static char *copy(char *to, const char *from, const char *end) {
    while (from < end) *to++ = *from++;
    return to;
}

/* `count` digits of which the first stands for 10^power, -5 <= power < 17. */
static char *lay_out(char *to, const char *digits, int count, int power) {
    const char *end = digits + count;
    if (power < -4) {
        *to++ = digits[0];
        if (count > 1) *to++ = '.';
        to = copy(to, digits + 1, end);
        memcpy(to, "e-05", 4); /* NOLINT(bugprone-not-null-terminated-result) */
        return to + 4;
    }
    if (power < 0) {
        memcpy(to, "0.000", 5); /* NOLINT(bugprone-not-null-terminated-result) */
        return copy(to + 1 - power, digits, end);
    }
    const char *point = digits + (power + 1 < count ? power + 1 : count);
    to = copy(to, digits, point);
    for (int i = count; i <= power; i++) *to++ = '0';
    if (point < end) *to++ = '.';
    return copy(to, point, end);
}

/* The shortest digits of m 2^e in [1e-5, 1e15), m in (2^52, 2^53); *power as above. */
static int shortest(char digits[20], int *power, uint64_t m, int e) {
    /* floor(log10 2^(e + 52)): right, or one too small; then N has 18 digits */
    *power = ((e + 52) * 78913) >> 18;
    for (;; ++*power) {
        const int k = 16 - *power, left = e + k;
        /* all in units of 2^-bits: 1 / 2^(1 - left), or 1/2 */
        const int bits = left > 0 ? 1 : 1 - left, up_by = left > 0 ? left : 0;
        const wide half = (wide)fives[k] << up_by;
        const wide middle = (wide)m * 2 * half, low = middle - half, high = middle + half;
        const wide part = ((wide)1 << bits) - 1;
        const bool closed = (m & 1) == 0;
        const uint64_t least = (uint64_t)(low >> bits) + ((low & part) != 0 || !closed),
                       most = (uint64_t)(high >> bits) - ((high & part) == 0 && !closed);
        const uint64_t whole = (uint64_t)(middle >> bits);
        const wide behind_point = middle & part, point_half = (wide)1 << (bits - 1);
        const bool rest = behind_point != 0, over = behind_point > point_half,
                   tie = behind_point == point_half;
        if (whole >= UINT64_C(100000000000000000)) continue;
        uint64_t ten = 1;
        while (most / (10 * ten) * (10 * ten) >= least) ten *= 10;
        uint64_t number = whole / ten;
        const uint64_t behind = whole - number * ten;
        bool up = ten == 1            ? over || (tie && (number & 1))
                  : 2 * behind != ten ? 2 * behind > ten
                                      : rest || (number & 1);
        if ((number + 1) * ten > most) up = false;
        if (number * ten < least) up = true;
        number += up;
        int count = 0;
        char reversed[20];
        for (; number; number /= 10) reversed[count++] = (char)('0' + number % 10);
        int zeros = 0, length = count;
        while (zeros < count && reversed[zeros] == '0') zeros++;
        for (int i = 0; i < count - zeros; i++) digits[i] = reversed[count - 1 - i];
        for (uint64_t t = ten; t > 1; t /= 10) length++;
        *power += length - 17; /* rounding up may have made one digit more */
        return count - zeros;
    }
}

size_t pvgi_number_put(char out[PVGI_NUMBER_BYTES], double value) {
    uint64_t bits;
    char digits[20], *to = out;
    int power;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    const double size = fabs(value);
    if (value == 0.0 || !isfinite(value)) {
        const char *name = value == 0.0   ? bits >> 63 ? "-0" : "0"
                           : isnan(value) ? "nan"
                           : value > 0.0  ? "inf"
                                          : "-inf";
        memcpy(out, name, strlen(name) + 1);
        return strlen(name);
    }
    if (!(size >= 1e-5 && size < 1e15) || fraction == 0) return put_slowly(out, value);
    if (bits >> 63) *to++ = '-';
    const int e = (int)(bits >> 52 & 0x7FF) - 1075;
    const int count = shortest(digits, &power, fraction | UINT64_C(1) << 52, e);
    to = lay_out(to, digits, count, power);
    *to = '\0';
    return (size_t)(to - out);
}

/* --- reading -------------------------------------------------------------------- */

static int bits_of(wide x) {
    const uint64_t high = (uint64_t)(x >> 64);
    return high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)x);
}

bool pvgi_number_from_decimal(double *out, uint64_t significand, int exponent) {
    if (significand == 0) {
        *out = 0.0;
        return true;
    }
    if (exponent < -27 || exponent > 27) return false;
    wide x;
    int scale = exponent; /* value = x 2^scale, but for the sticky bit */
    bool sticky = false;
    if (exponent >= 0) {
        x = (wide)significand * fives[exponent];
    } else {
        const int shift = __builtin_clzll(significand);
        const wide numerator = (wide)(significand << shift) << 64;
        x = numerator / fives[-exponent];
        sticky = x * fives[-exponent] != numerator;
        scale -= shift + 64;
    }
    const int drop = bits_of(x) - 53;
    if (drop <= 0) { /* exact: with a sticky bit there are more than 53 bits */
        *out = ldexp((double)(uint64_t)x, scale);
        return true;
    }
    const wide rest = x & (((wide)1 << drop) - 1), half = (wide)1 << (drop - 1);
    uint64_t kept = (uint64_t)(x >> drop);
    if (rest > half || (rest == half && (sticky || (kept & 1)))) kept++;
    *out = ldexp((double)kept, scale + drop);
    return true;
}

enum { DIGITS_MAX = 19, EXPONENT_CAP = 100000 };

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
    char text[PVGI_NUMBER_LONGEST + 1];
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return false;
    memcpy(text, at, length);
    text[length] = '\0';
    *out = strtod_l(text, NULL, plain);
    freelocale(plain);
    return isfinite(*out);
}

const char *pvgi_number_scan(double *out, const char *at, const char *end, bool special) {
    decimal d;
    if (end - at > PVGI_NUMBER_LONGEST + 1) end = at + PVGI_NUMBER_LONGEST + 1;
    const char *stop = scan_decimal(&d, at, end);
    if (!stop) return special ? scan_special(out, at, end) : NULL;
    const size_t length = (size_t)(stop - at);
    if (d.digits <= DIGITS_MAX &&
        pvgi_number_from_decimal(out, d.significand, d.exponent)) {
        if (d.negative) *out = -*out;
        return stop;
    }
    if (length > PVGI_NUMBER_LONGEST || !convert_slowly(out, at, length)) return NULL;
    return stop;
}
