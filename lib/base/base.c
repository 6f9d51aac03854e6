/* Entry file of base: every exported function of privgraph/base.h (pvg_constant_value is
 * generated from the headers, see include/api.py). */
#include "base_internal.h"

#define STRING_OF(x) #x
#define STRING(x)    STRING_OF(x)

const char *pvg_status_name(int32_t status) {
    static const char *const names[] = {
        "PVG_OK",        "PVG_E_ARGUMENT",   "PVG_E_NOMEM",   "PVG_E_CANCELLED",
        "PVG_E_IO",      "PVG_E_FORMAT",     "PVG_E_LIMIT",   "PVG_E_NUMERIC",
        "PVG_E_PRIVACY", "PVG_E_ENTROPY",    "PVG_E_VERSION", "PVG_E_INTERNAL",
        "PVG_E_BUDGET",  "PVG_E_UNDECLARED", "PVG_E_SEEDED",  "PVG_E_BUSY",
        "PVG_E_MISSING"};
    const int32_t count = (int32_t)(sizeof names / sizeof names[0]);
    if (status > 0 || status <= -count) return "PVG_E_UNKNOWN";
    return names[-status];
}

const char *pvg_error_message(void) {
    return pvgi_message();
}

const char *pvg_version_string(void) {
    return STRING(PRIVGRAPH_VERSION_MAJOR) "." STRING(PRIVGRAPH_VERSION_MINOR) "." STRING(
        PRIVGRAPH_VERSION_PATCH);
}

uint32_t pvg_version_number(void) {
    return PRIVGRAPH_VERSION_MAJOR * 1000000u + PRIVGRAPH_VERSION_MINOR * 1000u +
           PRIVGRAPH_VERSION_PATCH;
}

int32_t pvg_build_info_copy(char *out, size_t capacity, size_t *length) {
    pvgi_text text = {0};
    pvgi_info_describe(&text);
    int32_t status = text.status;
    if (status == PVG_OK)
        status = pvgi_text_copy(out, capacity, length, text.data, text.length,
                                "pvg_build_info_copy");
    pvgi_text_free(&text);
    return status;
}

int32_t pvg_allocator_set(const pvg_allocator *allocator) {
    pvg_allocator wanted;
    if (!allocator) return pvgi_fail_null("pvg_allocator_set", "allocator");
    PVGI_TRY(pvgi_config_import(&wanted, sizeof wanted, allocator, "pvg_allocator"));
    PVGI_REQUIRE(wanted.reserved == 0, "pvg_allocator_set: reserved is not zero");
    PVGI_REQUIRE(wanted.allocate && wanted.release,
                 "pvg_allocator_set: allocate and release must both be set");
    PVGI_REQUIRE(pvgi_memory_set_allocator(&wanted),
                 "pvg_allocator_set: the allocator was set or used before");
    return PVG_OK;
}

int32_t pvg_log_set(const pvg_log *log) {
    pvg_log wanted;
    if (!log) return pvgi_fail_null("pvg_log_set", "log");
    PVGI_TRY(pvgi_config_import(&wanted, sizeof wanted, log, "pvg_log"));
    PVGI_REQUIRE(wanted.level >= 0 && wanted.level <= PVG_LOG_WARNING,
                 "pvg_log_set: log->level is %d, not 0 or one of PVG_LOG_*",
                 (int)wanted.level);
    PVGI_REQUIRE(wanted.write, "pvg_log_set: log->write is NULL");
    PVGI_REQUIRE(pvgi_log_set(&wanted), "pvg_log_set: the log was set before");
    return PVG_OK;
}
