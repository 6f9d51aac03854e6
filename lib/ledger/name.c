/* Names of objects. NAME and NAME:0 are one object: a file with one graph and a set that
 * begins with it are the same network, also when the set grows later. And an object is
 * the network, not its snapshot: a name that ends in a date or a number is suspicious. */
#include "ledger_internal.h"

#include <string.h>
#include <strings.h>

size_t pvgi_ledger_name_bytes(const char *name) {
    size_t count = strlen(name);
    while (count > 2 && name[count - 1] == '0' && name[count - 2] == ':') count -= 2;
    return count;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Without ":17", the place in a set, which is not a date. */
static size_t bytes_before_place(const char *name) {
    size_t count = strlen(name), place = count;
    while (place > 0 && is_digit(name[place - 1])) place--;
    return place < count && place > 1 && name[place - 1] == ':' ? place - 1 : count;
}

static bool ends_in_month(const char *name, size_t count) {
    static const char *const months[] = {"january",   "february", "march",    "april",
                                         "may",       "june",     "july",     "august",
                                         "september", "october",  "november", "december"};
    size_t start = count;
    while (start > 0 && is_letter(name[start - 1])) start--;
    const size_t length = count - start;
    for (size_t i = 0; i < sizeof months / sizeof months[0]; i++)
        if ((length == 3 || length == strlen(months[i])) &&
            strncasecmp(name + start, months[i], length) == 0)
            return true;
    return false;
}

bool pvgi_ledger_name_is_snapshot(const char *name) {
    const size_t count = bytes_before_place(name);
    return count > 0 && (is_digit(name[count - 1]) || ends_in_month(name, count));
}
