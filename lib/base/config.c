/* The sized-struct rule, once: uint32_t size first, zero means default, fields only ever
 * appended. Old callers (smaller size) get zeros for new fields; newer callers are
 * accepted as long as the fields this library does not know are zero. */
#include "base_internal.h"

#include <string.h>

/* No struct of ours comes near this; a larger size is an uninitialised struct. */
enum { SIZE_SANE = 4096 };

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
    PVGI_REQUIRE(size >= sizeof size && size <= SIZE_SANE,
                 "%s: size is %u; set it to sizeof(%s)", name, (unsigned)size, name);
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

int32_t pvgi_config_export(void *caller, const void *own, size_t known,
                           const char *name) {
    uint32_t size;
    memcpy(&size, caller, sizeof size);
    PVGI_REQUIRE(size >= sizeof size && size <= SIZE_SANE,
                 "%s: size is %u; set it to sizeof(%s)", name, (unsigned)size, name);
    memset(caller, 0, size);
    memcpy(caller, own, size < known ? size : known);
    memcpy(caller, &size, sizeof size);
    return PVG_OK;
}
