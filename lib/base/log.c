/* Messages for a host that asked for them: one line each, of public things only. Without
 * a hook a message costs one load. Set once, read by any thread: the state goes from
 * FRESH over SETTING to SET, and the hook is read only when it is SET. */
#include "base_internal.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

enum { FRESH, SETTING, SET };
static _Atomic int log_state = FRESH;
static pvg_log log_hook;

bool pvgi_log_set(const pvg_log *wanted) {
    int expected = FRESH;
    if (!atomic_compare_exchange_strong(&log_state, &expected, SETTING)) return false;
    log_hook = *wanted;
    atomic_store_explicit(&log_state, SET, memory_order_release);
    return true;
}

void pvgi_log(int32_t level, const char *format, ...) {
    char line[PVGI_MESSAGE_BYTES];
    va_list arguments;
    if (atomic_load_explicit(&log_state, memory_order_acquire) != SET) return;
    if (level < log_hook.level) return;
    va_start(arguments, format);
    const int written = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (written >= 0) log_hook.write(log_hook.context, level, line);
}
