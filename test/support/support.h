/* What all tests share: assertions on statuses, a failing allocator, reproducible
 * numbers. */
#ifndef PVGT_SUPPORT_H
#define PVGT_SUPPORT_H

#include <privgraph.h>
#include <stdbool.h>
#include <stdio.h>
#include <unity.h>

/* Every test program starts with it: installs the counting allocator. */
void pvgt_begin(void);
/* ... and ends with it: fails the program if a block was leaked. Returns main's result.
 */
int pvgt_end(int unity_result);
/* Blocks allocated and not released. */
long pvgt_live_blocks(void);
/* Most bytes the library held at once since `begin = pvgt_peak_begin()`, beyond those it
 * held then. */
size_t pvgt_peak_begin(void);
size_t pvgt_peak_bytes(size_t begin);

/* A call that must succeed; on failure prints the library's message. */
#define PVGT_OK(call)                                                                    \
    do {                                                                                 \
        int32_t pvgt_status = (call);                                                    \
        if (pvgt_status != PVG_OK) {                                                     \
            char pvgt_text[700];                                                         \
            snprintf(pvgt_text, sizeof pvgt_text, "%s -> %s: %s", #call,                 \
                     pvg_status_name(pvgt_status), pvg_error_message());                 \
            TEST_FAIL_MESSAGE(pvgt_text);                                                \
        }                                                                                \
    } while (0)

/* A call that must fail with the status and a message that contains part. */
#define PVGT_FAILS(expected, part, call)                                                 \
    pvgt_expect_failure((expected), (part), (call), #call, __LINE__)
void pvgt_expect_failure(int32_t expected, const char *part, int32_t status,
                         const char *call, int line);

/* Prints the inputs of a failing property: PVGT_CHECK(x == y, "n=%d seed=%u", n, seed).
 */
#define PVGT_CHECK(condition, ...)                                                       \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            char pvgt_text[700];                                                         \
            int pvgt_used = snprintf(pvgt_text, sizeof pvgt_text, "%s; ", #condition);   \
            if (pvgt_used > 0 && pvgt_used < (int)sizeof pvgt_text)                      \
                snprintf(pvgt_text + pvgt_used, sizeof pvgt_text - (size_t)pvgt_used,    \
                         __VA_ARGS__);                                                   \
            TEST_FAIL_MESSAGE(pvgt_text);                                                \
        }                                                                                \
    } while (0)

/* Walks allocation failures. body returns the status of the call under test and must
 * release what it made; it is run with the 1st, 2nd, 3rd ... allocation failing until one
 * run sees no failure. Every failing run must return PVG_E_NOMEM and leave no block
 * behind. At least `at_least` allocations must have been seen. */
typedef int32_t (*pvgt_oom_body)(void *context);
void pvgt_oom_walk(const char *name, pvgt_oom_body body, void *context, long at_least);

/* Reproducible numbers for test inputs, independent of the library (splitmix64). */
uint64_t pvgt_random(uint64_t *state);
/* Uniform-ish in [0, bound). */
int64_t pvgt_below(uint64_t *state, int64_t bound);
/* Of a pair of nodes, by the words of the proof of degree truncation. */
uint64_t pvgt_priority(int64_t u, int64_t v);

/* Path of ../shared/data (or $PVG_SHARED_DATA), or NULL when absent: then the test prints
 * a clear line and skips. */
const char *pvgt_shared_data(void);
/* A perturber's number of classes. */
#define PVGT_LABELS(count)                                                               \
    (&(const pvg_labels_config){.size = sizeof(pvg_labels_config), .classes = (count)})

/* True when ./dev soak runs the statistics. */
bool pvgt_soak(void);
/* Turns of a random test: a third of them where sanitizers make each of them long. */
static inline int32_t pvgt_turns(int32_t turns) {
#ifdef __SANITIZE_ADDRESS__
    return pvgt_soak() ? turns : (turns + 2) / 3;
#else
    return turns;
#endif
}

#endif
