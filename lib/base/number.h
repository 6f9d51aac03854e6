/* base, inside: real numbers as text, the same in every locale. Calls
 * nothing, so that programs beside the library can have a copy (-DPVGI_SHARED=). */
#ifndef PVGI_NUMBER_H
#define PVGI_NUMBER_H

#include "base/base_internal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PVGI_NUMBER_BYTES = 40, PVGI_NUMBER_LONGEST = 400 };

/* The fewest digits that read back to the same bits, nearest to the value among those,
 * as %g would write them; "nan", "inf", "-inf". NUL-terminated; returns the length. */
PVGI_SHARED size_t pvgi_number_put(char out[PVGI_NUMBER_BYTES], double value);

/* Scans a decimal number (nan and inf too where `special`) that ends at or before end.
 * Correctly rounded. Returns where it ends, NULL if there is none, it overflows, or it
 * has more than PVGI_NUMBER_LONGEST characters. */
const char *pvgi_number_scan(double *out, const char *at, const char *end, bool special);

/* Parts of these: significand * 10^exponent, false if that is not found quickly; what
 * undoes the point of the host's locale, of one byte or more. */
bool pvgi_number_from_decimal(double *out, uint64_t significand, int exponent);
size_t pvgi_number_plain_point(char *text);

#endif
