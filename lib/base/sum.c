/* Sums of doubles without rounding: a number of 70 digits of 32 bits that holds any sum
 * of doubles, rounded once at the end. As integers add up the same in any order, such a
 * sum does not depend on how its terms were shared out, over threads or over processes.
 *
 * Digit k has the weight 2^(32 k - 1088); digits are words of 64 bits, so carries may
 * wait: 2^31 terms may be added before they are carried. About 3 ns per term. */
#include "base_internal.h"

#include <math.h>
#include <string.h>

enum {
    LOWEST = 1088, /* the lowest bit is 2^-1088; the least double is 2^-1074 */
    VALUE = PVGI_SUM_DIGITS - 1,
    ODD = VALUE /* counts terms that are no numbers */
};

void pvgi_sum_add(pvgi_sum *sum, double term) {
    uint64_t bits;
    memcpy(&bits, &term, sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7FF);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent == 0x7FF) {
        sum->digit[ODD]++;
        return;
    }
    if (exponent > 0) mantissa |= UINT64_C(1) << 52;
    const int place = (exponent > 0 ? exponent : 1) - 1075 + LOWEST, k = place / 32;
    const uint64_t low = mantissa << place % 32;
    const int64_t digits[3] = {(int64_t)(low & UINT32_MAX), (int64_t)(low >> 32),
                               place % 32 > 11 ? (int64_t)(mantissa >> (64 - place % 32))
                                               : 0};
    const int64_t sign = bits >> 63 ? -1 : 1;
    for (int i = 0; i < 3; i++) sum->digit[k + i] += sign * digits[i];
}

void pvgi_sum_carry(pvgi_sum *sum) {
    int64_t carry = 0;
    for (int k = 0; k < VALUE - 1; k++) {
        const int64_t digit = sum->digit[k] + carry;
        sum->digit[k] = digit & UINT32_MAX;
        carry = digit >> 32; /* towards minus infinity */
    }
    sum->digit[VALUE - 1] += carry;
}

double pvgi_sum_round(const pvgi_sum *sum) {
    pvgi_sum own = *sum;
    if (own.digit[ODD] != 0) return (double)NAN;
    pvgi_sum_carry(&own);
    const bool negative = own.digit[VALUE - 1] < 0;
    if (negative) {
        for (int k = 0; k < VALUE; k++) own.digit[k] = -own.digit[k];
        pvgi_sum_carry(&own);
    }
    int top = VALUE - 1;
    while (top > 0 && own.digit[top] == 0) top--;
    /* the 65 or more highest bits, what is below condensed into the last: a sum below
     * 2^-1022 has fewer than 53, as all terms are multiples of 2^-1074 */
    const int low = top < 2 ? 0 : top - 2;
    unsigned __int128 head = 0;
    for (int k = top; k >= low; k--) head = head << 32 | (uint64_t)own.digit[k];
    for (int k = 0; k < low; k++)
        if (own.digit[k] != 0) head |= 1;
    const double size = ldexp((double)head, 32 * low - LOWEST);
    return negative ? -size : size;
}
