/* Inline scanner for text whose every line ends in '\n': the newline stops each loop, so
 * no loop compares with the end. Eight digits are taken at a time (three
 * multiplications), where the machine is little-endian and the text is long enough. */
#ifndef PVGI_IO_SCAN_H
#define PVGI_IO_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static inline const char *skip_blanks(const char *p) {
    while (is_blank(*p)) p++;
    return p;
}

/* Blanks with at most one comma or semicolon among them. */
static inline const char *skip_separator(const char *p) {
    p = skip_blanks(p);
    if (*p == ',' || *p == ';') p = skip_blanks(p + 1);
    return p;
}

static inline const char *skip_line(const char *p, const char *end) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return newline ? newline + 1 : end;
}

/* Digits one by one; more than a uint64_t holds gives UINT64_MAX. */
static inline const char *scan_digits(uint64_t *value, const char *p) {
    uint64_t v = *value;
    unsigned digit;
    while ((digit = (unsigned)((unsigned char)*p - '0')) <= 9) {
        if (__builtin_mul_overflow(v, (uint64_t)10, &v) ||
            __builtin_add_overflow(v, (uint64_t)digit, &v)) {
            while ((unsigned)((unsigned char)*p - '0') <= 9) p++;
            *value = UINT64_MAX;
            return p;
        }
        p++;
    }
    *value = v;
    return p;
}

/* An unsigned decimal number at p, in text that ends at end with '\n'. Returns where it
 * ends, p itself if there is no digit. */
static inline const char *scan_number(uint64_t *value, const char *p, const char *end) {
    *value = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (end - p >= 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        word ^= 0x3030303030303030u; /* digits become 0..9 */
        const uint64_t others =
            ((word + 0x7676767676767676u) | word) & 0x8080808080808080u;
        const unsigned digits = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
        if (digits == 0) return p;
        word <<= 64 - 8 * digits; /* zeros in front, what follows is shifted out */
        word = (word * 10 + (word >> 8)) & 0x00FF00FF00FF00FFu;
        word = (word * 100 + (word >> 16)) & 0x0000FFFF0000FFFFu;
        word = (word * 10000 + (word >> 32)) & 0x00000000FFFFFFFFu;
        *value = word;
        if (digits < 8) return p + digits;
        return scan_digits(value, p + 8);
    }
#endif
    (void)end;
    return scan_digits(value, p);
}

/* Writes a number, returns where it ends. Counting the digits first (without branches)
 * lets them be written in place, two at a time from the end. */
static inline char *put_number(char *out, uint32_t value) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324252627"
                                "28293031323334353637383940414243444546474849505152535455"
                                "56575859606162636465666768697071727374757677787980818283"
                                "84858687888990919293949596979899";
    const int digits = 1 + (value >= 10) + (value >= 100) + (value >= 1000) +
                       (value >= 10000) + (value >= 100000) + (value >= 1000000) +
                       (value >= 10000000) + (value >= 100000000) + (value >= 1000000000);
    char *p = out + digits;
    while (value >= 100) {
        p -= 2;
        memcpy(p, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10)
        memcpy(out, pairs + 2 * value, 2);
    else
        *out = (char)('0' + value);
    return out + digits;
}

#endif
