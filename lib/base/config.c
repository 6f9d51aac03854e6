/* The sized-struct rule, once: uint32_t size first, zero means default, fields only ever
 * appended. Old callers (smaller size) get zeros for new fields; newer callers are
 * accepted as long as the fields this library does not know are zero. */
#include "base_internal.h"

#include <string.h>

/* No struct of ours comes near this; a larger size is an uninitialised struct. */
enum { SIZE_SANE = 4096 };

/* Structs of every version end on eight bytes (a test holds them to it), so that any
 * other end would cut a field, perhaps a pointer, in half. */
static int32_t check_size(uint32_t size, const char *name) {
    PVGI_REQUIRE(size >= sizeof size && size <= SIZE_SANE && size % 8 == 0,
                 "%s: size is %u; set it to sizeof(%s)", name, (unsigned)size, name);
    return PVG_OK;
}

int32_t pvgi_config_import(void *out, size_t known, const void *caller,
                           const char *name) {
    memset(out, 0, known);
    if (!caller) {
        uint32_t own = (uint32_t)known;
        memcpy(out, &own, sizeof own);
        return PVG_OK;
    }
    uint32_t size;
    memcpy(&size, caller, sizeof size);
    PVGI_TRY(check_size(size, name));
    const unsigned char *bytes = caller;
    for (size_t i = known; i < size; i++)
        if (bytes[i] != 0)
            return pvgi_fail(PVG_E_VERSION,
                             "%s: byte %zu is set, but this library (%s) knows only %zu",
                             name, i, pvg_version_string(), known);
    memcpy(out, caller, size < known ? size : known);
    uint32_t own = (uint32_t)known;
    memcpy(out, &own, sizeof own);
    return PVG_OK;
}

/* The field as a number: what an int64_t beyond 2^53 loses does not matter for limits. */
static double number_at(const void *own, const pvgi_rule *rule) {
    const char *at = (const char *)own + rule->offset;
    int32_t narrow;
    uint32_t whole;
    int64_t wide;
    double real = 0.0;
    switch (rule->type) {
    case PVGI_FIELD_INT32:
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    case PVGI_FIELD_UINT32:
        memcpy(&whole, at, sizeof whole);
        return whole;
    case PVGI_FIELD_INT64:
        memcpy(&wide, at, sizeof wide);
        return (double)wide;
    case PVGI_FIELD_DOUBLE:
        memcpy(&real, at, sizeof real);
        break;
    case PVGI_FIELD_TEXT:
        break;
    }
    return real;
}

bool pvgi_config_allows(const pvgi_rule *rule, double number) {
    const bool low =
        rule->ends & PVGI_OPEN_LOW ? number > rule->low : number >= rule->low;
    const bool high =
        rule->ends & PVGI_OPEN_HIGH ? number < rule->high : number <= rule->high;
    return low && high;
}

int32_t pvgi_config_check_field(const void *own, const pvgi_rule *rule,
                                const char *function, const char *argument) {
    const double x = number_at(own, rule);
    PVGI_REQUIRE(pvgi_config_allows(rule, x), "%s: %s->%s is %.17g, not %s", function,
                 argument, rule->field, x, rule->words);
    return PVG_OK;
}

int32_t pvgi_config_check(const void *own, const pvgi_shape *shape, const char *function,
                          const char *argument) {
    for (size_t i = 0; i < shape->count; i++)
        PVGI_TRY(pvgi_config_check_field(own, &shape->rules[i], function, argument));
    return PVG_OK;
}

int32_t pvgi_config_read(void *out, const pvgi_shape *shape, const void *caller,
                         const char *function, const char *argument) {
    const int32_t status = pvgi_config_import(out, shape->size, caller, shape->name);
    if (status == PVG_OK) return pvgi_config_check(out, shape, function, argument);
    pvgi_message_prefix(function);
    return status;
}

int32_t pvgi_config_export(void *caller, const void *own, size_t known,
                           const char *name) {
    uint32_t size;
    memcpy(&size, caller, sizeof size);
    PVGI_TRY(check_size(size, name));
    memset(caller, 0, size);
    memcpy(caller, own, size < known ? size : known);
    memcpy(caller, &size, sizeof size);
    return PVG_OK;
}
