/* Arguments that must be there. */
#ifndef PVGI_PRESENT_H
#define PVGI_PRESENT_H

#include "base/base_internal.h"

/* PVGI_PRESENT(name, graph, labels) leaves the function for the first that is NULL:
 * "pvg_x: labels is NULL". Arguments are plain names, as they are in the message. */
#define PVGI_PRESENT(function, ...)                                                      \
    PVGI_TRY(pvgi_present(function, #__VA_ARGS__, (const void *const[]){__VA_ARGS__},    \
                          sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *)))

/* names: "graph, labels". */
PVGI_SHARED int32_t pvgi_present(const char *function, const char *names,
                                 const void *const *arguments, size_t count);

#endif
