/* base, inside: what every other module uses. No module is earlier than this one. */
#ifndef PVGI_BASE_H
#define PVGI_BASE_H

/* Meson says so first; here for builds without it. */
#if !defined(__SIZEOF_INT128__) || !defined(__SIZEOF_POINTER__) || __SIZEOF_POINTER__ != 8
#error "libprivgraph needs a 64-bit target with __int128"
#endif

#include "privgraph/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What libprivgraph-learn calls besides public functions: exported under a version
 * that is a hash of the headers of lib/, so that only the learning library of the same
 * build finds it (lib/map.py). meta_modules compares the marks with what is called. */
#ifndef PVGI_SHARED
#define PVGI_SHARED __attribute__((visibility("default")))
#endif

#define PVGI_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* --- failure (error.c) ---------------------------------------------------------- */

/* Records the message of this thread and returns status, so that
 * `return pvgi_fail(PVG_E_ARGUMENT, "graph: order %lld is negative", n);` reads well.
 * Never pass a statistic of private data. */
PVGI_SHARED int32_t pvgi_fail(int32_t status, const char *format, ...) PVGI_PRINTF(2, 3);
/* The two failures that are the same everywhere. */
PVGI_SHARED int32_t pvgi_fail_nomem(void);
PVGI_SHARED int32_t pvgi_fail_null(const char *function, const char *argument);
const char *pvgi_message(void);
/* Copies / restores the message, to carry a worker thread's failure to the caller. */
enum { PVGI_MESSAGE_BYTES = 512 };
void pvgi_message_save(char out[PVGI_MESSAGE_BYTES]);
void pvgi_message_restore(const char message[PVGI_MESSAGE_BYTES]);
/* Replaces the message by "prefix: message". */
PVGI_SHARED void pvgi_message_prefix(const char *prefix);

/* The static analyser reads one file at a time and would follow paths on which a failure
 * returns PVG_OK. */
#if defined(__clang_analyzer__) && !defined(PVGI_DEFINES_FAIL)
#define pvgi_fail(status, ...) ((void)pvgi_fail(status, __VA_ARGS__), (status))
#define pvgi_fail_nomem()      ((void)pvgi_fail_nomem(), PVG_E_NOMEM)
#define pvgi_fail_null(function, argument)                                               \
    ((void)pvgi_fail_null(function, argument), PVG_E_ARGUMENT)
#endif

/* Whether a status is a refusal for privacy's sake, of whichever code. */
static inline bool pvgi_refused(int32_t status) {
    return status == PVG_E_PRIVACY || status == PVG_E_BUDGET ||
           status == PVG_E_UNDECLARED || status == PVG_E_SEEDED;
}

/* Evaluates an expression that returns a status; leaves the function if it failed. */
#define PVGI_TRY(expression)                                                             \
    do {                                                                                 \
        int32_t pvgi_try_status = (expression);                                          \
        if (pvgi_try_status != PVG_OK) return pvgi_try_status;                           \
    } while (0)

/* Same, for functions that clean up at a label `done:` and return `status`. */
#define PVGI_TRY_DONE(expression)                                                        \
    do {                                                                                 \
        status = (expression);                                                           \
        if (status != PVG_OK) goto done;                                                 \
    } while (0)

/* Argument check of an entry file: PVGI_REQUIRE(out != NULL, "pvg_x: out is NULL"). */
#define PVGI_REQUIRE(condition, ...)                                                     \
    do {                                                                                 \
        if (!(condition)) return pvgi_fail(PVG_E_ARGUMENT, __VA_ARGS__);                 \
    } while (0)

/* --- messages for the host (log.c) ------------------------------------------------ */

/* A line of level PVG_LOG_* to the host's hook, if there is one. Names of functions,
 * settings and public counts only: never a value, a name or a size of private data, nor
 * whether something happened that private data decide. Listed in docs/guide/c.md, as
 * test/meta/logged.py checks. */
void pvgi_log(int32_t level, const char *format, ...) PVGI_PRINTF(2, 3);
/* What pvg_log_set does after its checks; false if there is a hook already. */
bool pvgi_log_set(const pvg_log *wanted);

/* --- the border (border.c) -------------------------------------------------------- */

/* First statement of what hosts call to compute (crossing.c): the library's numbers,
 * and with them its guarantees, are those of rounding to nearest with subnormals, and
 * nothing traps, whatever mode the host is in. That comes back when the function
 * returns. Threads that are started inside inherit it. A few cycles where nothing has
 * to change. */
#define PVGI_BORDER                                                                      \
    const pvgi_border pvgi_at_border                                                     \
        __attribute__((cleanup(pvgi_border_leave), unused)) = pvgi_border_enter()

typedef struct {
    uint64_t mode; /* of the host */
    bool changed;
} pvgi_border;

PVGI_SHARED pvgi_border pvgi_border_enter(void);
PVGI_SHARED void pvgi_border_leave(const pvgi_border *host);

/* First member of every handle: the word by which the border knows what it is. Written
 * and read in crossing.c alone, which include/border.py makes from the headers: by then a
 * handle has left the library at least once. Wiped with the rest when it is freed. */
#define PVGI_HANDLE uint64_t handle

/* --- memory (memory.c) ---------------------------------------------------------- */

/* 64-byte aligned, uninitialised / zeroed; NULL on failure or overflow. count * bytes is
 * checked. A zero-size request returns a valid block. */
PVGI_SHARED void *pvgi_alloc(size_t count, size_t bytes);
PVGI_SHARED void *pvgi_alloc_zero(size_t count, size_t bytes);
/* Grows (never shrinks) a block, keeping its content; the old block is wiped. On failure
 * the old block stays and NULL is returned. */
void *pvgi_grow(void *block, size_t count, size_t bytes);
/* Overwrites the whole block with zeros, then releases it. NULL is fine. Everything the
 * library frees goes through here, so no private value outlives its handle. */
PVGI_SHARED void pvgi_free(void *block);
/* Gives pages of blocks that were freed back to the system, where an allocator would keep
 * many small ones for later. Walks through all of them: for who has freed megabytes. */
void pvgi_memory_trim(void);
/* Overwrites memory in a way the compiler cannot remove. */
void pvgi_wipe(void *block, size_t bytes);
/* What pvg_allocator_set does after its checks; false if it is too late. */
bool pvgi_memory_set_allocator(const pvg_allocator *wanted);
/* a * b, a + b without overflow; SIZE_MAX where they do not fit, which no allocation and
 * no scratch limit accepts. */
PVGI_SHARED size_t pvgi_size_mul(size_t a, size_t b);
PVGI_SHARED size_t pvgi_size_add(size_t a, size_t b);

/* --- config structs (config.c) -------------------------------------------------- */

/* The one implementation of the sized-struct rule. known is the size of the struct in
 * this library. Copies the caller's struct (NULL: all zero) into out, zero-filling fields
 * the caller does not have; PVG_E_VERSION if it sets bytes this library does not know. */
PVGI_SHARED int32_t pvgi_config_import(void *out, size_t known, const void *caller,
                                       const char *name);
/* What a field of a config may be: a number from low to high. */
typedef struct {
    const char *field, *words; /* "keep", "in [0, 1)": for messages */
    size_t offset;
    enum {
        PVGI_FIELD_INT32,
        PVGI_FIELD_UINT32,
        PVGI_FIELD_INT64,
        PVGI_FIELD_DOUBLE,
        PVGI_FIELD_TEXT /* const char *, of options only: no limits */
    } type;
    double low, high;
    enum { PVGI_CLOSED, PVGI_OPEN_LOW, PVGI_OPEN_HIGH, PVGI_OPEN } ends;
} pvgi_rule;
#define PVGI_FIELD_TYPE(type, name)                                                      \
    _Generic(((type *)0)->name, int32_t                                                  \
             : PVGI_FIELD_INT32, uint32_t                                                \
             : PVGI_FIELD_UINT32, int64_t                                                \
             : PVGI_FIELD_INT64, double                                                  \
             : PVGI_FIELD_DOUBLE, const char *                                           \
             : PVGI_FIELD_TEXT)
#define PVGI_FIELD(type, name, low, high, ends, words)                                   \
    {                                                                                    \
        "" #name, words, offsetof(type, name), PVGI_FIELD_TYPE(type, name), low, high,   \
            ends                                                                         \
    }
#define PVGI_BOOL(type, name) PVGI_FIELD(type, name, 0, 1, PVGI_CLOSED, "0 or 1")
#define PVGI_ZERO(type, name) PVGI_FIELD(type, name, 0, 0, PVGI_CLOSED, "0")
/* Constants from 0 to the last one. */
#define PVGI_ENUM(type, name, last, prefix)                                              \
    PVGI_FIELD(type, name, 0, last, PVGI_CLOSED, "one of " prefix "_*")
/* Not negative, finite. */
#define PVGI_COUNT(type, name)                                                           \
    PVGI_FIELD(type, name, 0, 0x1p1000, PVGI_CLOSED, "a number of at least 0")
/* A struct and its rules. */
typedef struct {
    size_t size;
    const char *name;
    const pvgi_rule *rules;
    size_t count;
} pvgi_shape;
#define PVGI_SHAPE(type, rules)                                                          \
    { sizeof(type), #type, rules, sizeof(rules) / sizeof((rules)[0]) }
/* Imports and checks; messages name the function, the argument and the field. */
PVGI_SHARED int32_t pvgi_config_read(void *out, const pvgi_shape *shape,
                                     const void *caller, const char *function,
                                     const char *argument);
/* The rules alone, on what is imported. */
int32_t pvgi_config_check(const void *own, const pvgi_shape *shape, const char *function,
                          const char *argument);
/* One of them. */
PVGI_SHARED int32_t pvgi_config_check_field(const void *own, const pvgi_rule *rule,
                                            const char *function, const char *argument);
/* One rule: whether the number may stand there. */
bool pvgi_config_allows(const pvgi_rule *rule, double number);
/* The way back: fills as much of the caller's struct as its size field says, zeros beyond
 * what this library knows; the size field stays. */
PVGI_SHARED int32_t pvgi_config_export(void *caller, const void *own, size_t known,
                                       const char *name);

/* --- text into caller memory (text.c) ------------------------------------------- */

/* The one implementation of the (out, capacity, length) convention of base.h. */
PVGI_SHARED int32_t pvgi_text_copy(char *out, size_t capacity, size_t *length,
                                   const char *text, size_t text_length,
                                   const char *function);
/* A growing NUL-terminated text; status remembers the first failure, so that a sequence
 * of appends is checked once at the end. */
typedef struct {
    char *data;
    size_t length, capacity;
    int32_t status;
} pvgi_text;
PVGI_SHARED void pvgi_text_append(pvgi_text *text, const char *bytes, size_t count);
PVGI_SHARED void pvgi_text_format(pvgi_text *text, const char *format, ...)
    PVGI_PRINTF(2, 3);
/* Appends a JSON string literal with quotes and escapes. */
PVGI_SHARED void pvgi_text_json_string(pvgi_text *text, const char *value);
/* Appends a JSON number that reads back as the same bits, whatever the host's locale;
 * "infinity", "-infinity" and "nan" in quotes. */
PVGI_SHARED void pvgi_text_json_number(pvgi_text *text, double value);
PVGI_SHARED void pvgi_text_free(pvgi_text *text);

/* --- running (run.c) ------------------------------------------------------------ */

/* A validated pvg_run plus what a call needs while it runs. */
typedef struct {
    pvg_run config;
    double whole_start, whole_share; /* part of the whole call this run covers */
    double phase_start, phase_share; /* part of that the current phase covers */
    double reached; /* last fraction of the whole call reported: never goes back */
    uint64_t last_report_ms;
    bool cancelled;
} pvgi_run;

/* Imports the caller's struct (NULL is fine). */
PVGI_SHARED int32_t pvgi_run_begin(pvgi_run *run, const pvg_run *caller);
/* PVG_E_LIMIT if bytes of scratch exceed the caller's limit; call before allocating. */
PVGI_SHARED int32_t pvgi_run_reserve(const pvgi_run *run, size_t bytes);
/* The next work covers [start, start + share] of the whole call's progress. */
PVGI_SHARED void pvgi_run_phase(pvgi_run *run, double start, double share);
/* Narrows the current phase to [start, start + share] of itself; leave: back to what it
 * was. */
typedef struct {
    double start, share;
} pvgi_phase;
PVGI_SHARED pvgi_phase pvgi_run_enter(pvgi_run *run, double start, double share);
PVGI_SHARED void pvgi_run_leave(pvgi_run *run, pvgi_phase before);
/* The same threads and limit, but nothing of it is progress of the whole. */
PVGI_SHARED pvgi_run pvgi_run_quiet(const pvgi_run *run);
/* A part of a call as a run of its own, which covers [start, start + share] of the
 * current phase, while `bytes` of the scratch are in use beside it (and were reserved).
 * join: carries back what it learned. */
PVGI_SHARED pvgi_run pvgi_run_part(const pvgi_run *run, size_t bytes, double start,
                                   double share);
PVGI_SHARED void pvgi_run_join(pvgi_run *run, const pvgi_run *part);
/* Calling thread only: reports the fraction of the current phase if it is time to;
 * PVG_E_CANCELLED if the host asked to stop. */
PVGI_SHARED int32_t pvgi_run_report(pvgi_run *run, double fraction);

/* One chunk of a fork-join. worker is in [0, threads): index for per-thread scratch; a
 * result must depend on chunk only. */
typedef int32_t (*pvgi_chunk_fn)(void *context, int64_t chunk, uint32_t worker);
/* Runs chunks 0..chunks-1 on the calling thread and run->config.threads - 1 others, each
 * chunk once. What a chunk is must not depend on the number of threads, hence results do
 * not. Returns PVG_OK, PVG_E_CANCELLED, or the failure of the lowest failing chunk, with
 * its message. Threads that cannot be started are done without. With a host's pool
 * (pvg_run.start) its threads are the others. */
PVGI_SHARED int32_t pvgi_run_chunks(pvgi_run *run, int64_t chunks, pvgi_chunk_fn function,
                                    void *context);
/* Rounds of stages: chunks of a stage start when all of the stage before it are finished,
 * and a round when the one before it is. A stage numbers its chunks through all rounds.
 * Stages without chunks are left out. Otherwise as pvgi_run_chunks; threads are started
 * once. */
typedef struct {
    pvgi_chunk_fn function;
    int64_t chunks; /* in a round */
    double share;   /* of a round's time, for progress */
    void *context;  /* NULL: that of the call */
} pvgi_stage;
PVGI_SHARED int32_t pvgi_run_stages(pvgi_run *run, const pvgi_stage *stages,
                                    int32_t stage_count, int64_t rounds, void *context);
/* Number of workers pvgi_run_chunks can use: for sizing per-worker scratch. */
PVGI_SHARED uint32_t pvgi_run_workers(const pvgi_run *run, int64_t chunks);

/* --- sums without rounding (sum.c) ------------------------------------------------- */

enum { PVGI_SUM_DIGITS = 70 };
/* Zeros: nothing. Sums are added digit by digit, once they are carried. */
typedef struct {
    int64_t digit[PVGI_SUM_DIGITS];
} pvgi_sum;
/* At most 2^31 terms before its digits are carried. */
void pvgi_sum_add(pvgi_sum *sum, double term);
/* Digits into [0, 2^32), all but the highest: then 2^30 sums may be added. */
void pvgi_sum_carry(pvgi_sum *sum);
/* The nearest double, ties to even; not a number if a term was none. */
double pvgi_sum_round(const pvgi_sum *sum);

/* --- pace (pace.c) --------------------------------------------------------------- */

/* Seconds of a product of two numbers inside a product of matrices, on this machine. */
double pvgi_pace(void);

/* --- process (process.c) -------------------------------------------------------- */

/* The process that began it, and no copy of that process made by fork. */
typedef struct {
    int64_t number;
    uint8_t *page; /* zeros in a copy; NULL where the kernel cannot do that */
} pvgi_owner;
void pvgi_owner_begin(pvgi_owner *owner);
bool pvgi_owner_is_here(const pvgi_owner *owner);
/* In any process. */
void pvgi_owner_end(pvgi_owner *owner);

/* --- build and machine (info.c, cpu.c) ------------------------------------------ */

/* Appends the JSON object of pvg_build_info_copy. */
void pvgi_info_describe(pvgi_text *text);

typedef enum { PVGI_CPU_PORTABLE = 0, PVGI_CPU_AVX2 = 1 } pvgi_cpu;
/* Best instruction set of this machine that the library has code for. */
PVGI_SHARED pvgi_cpu pvgi_cpu_level(void);

/* --- numbers that are public ------------------------------------------------------ */

/* Sizes that somebody declared, so that they are the same in every world, and that were
 * not read off private data: constructors set these bits, zero is refused. */
enum {
    PVGI_DECLARED_ORDER = 1,   /* how many nodes there are */
    PVGI_DECLARED_NUMBERS = 2, /* which number each of them has */
    PVGI_DECLARED_NODES = 3,
    PVGI_DECLARED_COLUMNS = 4,  /* of features */
    PVGI_DECLARED_LABELS = 8,   /* whose they are */
    PVGI_DECLARED_PERSONS = 16, /* of lists: how many */
    PVGI_DECLARED_THINGS = 32   /* of lists: how many, and the number of each */
};

#endif
