/* The thread-local message of the last failure. */
#define PVGI_DEFINES_FAIL
#include "base/present.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[PVGI_MESSAGE_BYTES];

int32_t pvgi_fail(int32_t status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (written < 0) message[0] = '\0';
    return status;
}

int32_t pvgi_fail_nomem(void) {
    return pvgi_fail(PVG_E_NOMEM, "out of memory");
}

int32_t pvgi_fail_null(const char *function, const char *argument) {
    return pvgi_fail(PVG_E_ARGUMENT, "%s: %s is NULL", function, argument);
}

int32_t pvgi_present(const char *function, const char *names,
                     const void *const *arguments, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t length = strcspn(names, ",");
        if (!arguments[i])
            return pvgi_fail(PVG_E_ARGUMENT, "%s: %.*s is NULL", function, (int)length,
                             names);
        names += length + strspn(names + length, ", ");
    }
    return PVG_OK;
}

void pvgi_message_save(char out[PVGI_MESSAGE_BYTES]) {
    memcpy(out, message, sizeof message);
}

void pvgi_message_restore(const char saved[PVGI_MESSAGE_BYTES]) {
    memcpy(message, saved, sizeof message);
    message[sizeof message - 1] = '\0';
}

void pvgi_message_prefix(const char *prefix) {
    char old[PVGI_MESSAGE_BYTES];
    pvgi_message_save(old);
    /* Cut the prefix, not the reason, where both do not fit. */
    int capacity = (int)(sizeof message - strlen(old) - 3);
    if (capacity < 0) capacity = 0;
    if (snprintf(message, sizeof message, "%.*s: %s", capacity, prefix, old) < 0)
        message[0] = '\0';
}

const char *pvgi_message(void) {
    return message;
}
