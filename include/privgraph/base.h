/* base: status codes, messages, version, memory, threads. Include <privgraph.h>. */
#ifndef PRIVGRAPH_BASE_H
#define PRIVGRAPH_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PRIVGRAPH_API __attribute__((visibility("default")))
#else
#define PRIVGRAPH_API
#endif

#define PRIVGRAPH_VERSION_MAJOR 0
#define PRIVGRAPH_VERSION_MINOR 1
#define PRIVGRAPH_VERSION_PATCH 0

/* What the type of a parameter, result or field does not say, for programs that read
 * these headers (include/api.py in the source); nothing for the compiler.
 *   PVG_OPT       may be NULL; every pvg_run may
 *   PVG_LEN(n)    an array of n entries, (n, m) one of n rows and m columns, in terms of
 *                 the other arguments; the word `order` beside a pvg_graph *graph is
 *                 pvg_graph_order(graph)
 *   PVG_ENUM(X)   one of PVG_X_*
 *   PVG_FLAGS(X)  PVG_X_* combined with |
 *   PVG_BOOL      0 or 1
 * Without: a pvg_x ** receives a new handle, a const pvg_x ** or const T ** lends, a
 * T * receives one value, a const char * is NUL-terminated, an int32_t result is a
 * status. */
#define PVG_OPT
#define PVG_LEN(...)
#define PVG_ENUM(X)
#define PVG_FLAGS(X)
#define PVG_BOOL

#ifdef __cplusplus
extern "C" {
#endif

/* Status of every call that can fail. New codes may be appended; a caller treats any
 * negative value it does not know as a failure. */
enum {
    PVG_OK = 0,
    PVG_E_ARGUMENT = -1,  /* an argument is malformed; the message names it */
    PVG_E_NOMEM = -2,     /* the allocator returned NULL; nothing was changed */
    PVG_E_CANCELLED = -3, /* the progress callback asked to stop */
    PVG_E_IO = -4,        /* the operating system refused a file operation */
    PVG_E_FORMAT = -5,    /* a file is malformed; the message names file, line, reason */
    PVG_E_LIMIT = -6,     /* well formed, but larger than a stated limit */
    PVG_E_NUMERIC = -7,   /* a computation left the range of its numbers */
    PVG_E_PRIVACY = -8,   /* well formed, but no sound guarantee exists for it */
    PVG_E_ENTROPY = -9,   /* the operating system gave no random key; nothing released */
    PVG_E_VERSION = -10,  /* a config struct sets fields this library does not know */
    PVG_E_INTERNAL = -11, /* a broken invariant of the library: please report */
    /* Refusals of privacy that a service can act on, and files. */
    PVG_E_BUDGET = -12, /* the budget of a ledger would be exceeded: nothing was paid */
    PVG_E_UNDECLARED =
        -13,            /* what must be public was read off private data or not told */
    PVG_E_SEEDED = -14, /* noise of a seeded generator where only true noise will do */
    PVG_E_BUSY = -15,   /* another program or handle has the file: try again later */
    PVG_E_MISSING = -16 /* there is no such file or folder */
};

/* Short constant name of a status ("PVG_E_NOMEM"), "PVG_E_UNKNOWN" if there is none.
 * Since 0.1. */
PRIVGRAPH_API const char *pvg_status_name(int32_t status);

/* Why the last failed call of this thread failed; "" if none failed yet. The text belongs
 * to the thread and changes with its next failing call. It names arguments, positions and
 * limits, never a statistic of private data. But PVG_E_FORMAT quotes up to 20 characters
 * of the line that is malformed, and says which line: treat messages about private files
 * as private. Since 0.1. */
PRIVGRAPH_API const char *pvg_error_message(void);

/* Value of any constant of these headers by its name, for bindings without a C
 * preprocessor: pvg_constant_value(&v, "PVG_E_LIMIT"). PVG_E_ARGUMENT if there is no such
 * constant. Since 0.1. */
PRIVGRAPH_API int32_t pvg_constant_value(int64_t *out, const char *name);

/* Run-time version: "0.1.0", and major*1000000 + minor*1000 + patch. Since 0.1. */
PRIVGRAPH_API const char *pvg_version_string(void);
PRIVGRAPH_API uint32_t pvg_version_number(void);

/* Writes a JSON object about this build and machine (version, compiler, libsodium, kind
 * of BLAS and which one was found once one was needed, CPU features) as NUL-terminated
 * text. *length receives the length without the NUL. With out = NULL only the length is
 * told. PVG_E_LIMIT if capacity is too small (then *length is set and out untouched).
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_build_info_copy(char *out, size_t capacity, size_t *length);

/* Memory hooks. Both must be safe to call from several threads at once. allocate returns
 * NULL on failure (the library then returns PVG_E_NOMEM) and memory aligned as malloc's.
 * The library overwrites every block with zeros before it releases it. */
typedef struct pvg_allocator {
    uint32_t size; /* sizeof(pvg_allocator) */
    uint32_t reserved;
    void *context;
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *block);
} pvg_allocator;

/* Sets the allocator of the whole process. Allowed once, and only before the library has
 * allocated anything; PVG_E_ARGUMENT afterwards. Since 0.1. */
PRIVGRAPH_API int32_t pvg_allocator_set(const pvg_allocator *allocator);

/* Where the library says what a host may want to write down: see pvg_log_set. */
enum {
    PVG_LOG_INFO = 1,   /* what was done: an object was charged */
    PVG_LOG_WARNING = 2 /* what is allowed but rarely wanted: a seeded draw */
};

typedef struct pvg_log {
    uint32_t size;               /* sizeof(pvg_log) */
    PVG_ENUM(LOG) int32_t level; /* the least that is wanted; 0: all */
    void *context;
    /* One line without its end. Called from the thread that is in the library or from one
     * that works for it, several at once perhaps; it must not call the library. */
    void (*write)(void *context, int32_t level, const char *message);
} pvg_log;

/* Sets where messages go, for the whole process; without it there are none. Allowed once
 * (PVG_E_ARGUMENT afterwards). Messages are made of names of functions, settings and
 * public counts, never of anything that depends on private data; docs/guide/c.md lists
 * all of them. Failures are not among them: they go to the caller. Since 0.1. */
PRIVGRAPH_API int32_t pvg_log_set(const pvg_log *log);

/* How a long call runs. Pass NULL for all defaults. Results are bit-identical for every
 * number of threads. */
typedef struct pvg_run {
    uint32_t size;    /* sizeof(pvg_run) */
    uint32_t threads; /* 0 or 1: the calling thread only; at most PVG_THREADS_MAX */
    /* Bytes of temporary memory the call may use beyond its result; 0: no limit. A call
     * that would need more returns PVG_E_LIMIT before it allocates. A release compares it
     * with a bound from public numbers instead, before anything is paid. */
    uint64_t scratch_limit;
    /* Called from the calling thread only, at most ten times a second, with the fraction
     * done in [0, 1]. Non-zero cancels: the call returns PVG_E_CANCELLED, outputs
     * untouched. It must not call back into the library with the objects in use. */
    int32_t (*progress)(void *context, double fraction);
    void *progress_context;
    uint32_t undated; /* 1: the record of a release does not state the day of the draw.
                        * That of a seeded generator never does. */
    /* Seconds that counting patterns may take at most; 0: no limit. A draw of an
     * embedding that pvg_query_cost bounds by more is refused (PVG_E_LIMIT) before
     * anything is read or paid. */
    uint32_t time_limit;
    /* A pool of the host's that lends threads - 1 workers, instead of threads that the
     * library starts. Called from the calling thread: to have another thread run
     * job(argument), once, at any time, and return 0; or to return another number: then
     * fewer workers do the same work. The calling thread works too and waits for no job
     * that has not begun, so calls may be made from threads of the pool. A job that comes
     * late, even after the call, returns at once; each one taken must be run before the
     * library is unloaded. It needs PVG_STACK_MAX bytes of stack and leaves the mode of
     * floating-point and the error message of its thread as they were. */
    int32_t (*start)(void *context, void (*job)(void *argument), void *argument);
    void *start_context;
} pvg_run;

enum { PVG_THREADS_MAX = 256 };

/* Bytes of stack that a call needs at most, on the calling thread, beside what BLAS and
 * LAPACK take where they are called, and what the host's own callbacks take. Threads that
 * the library starts have a stack of their own (1 MiB), take no signals, and end before
 * the call does; pvg_run.start has others do their work. */
enum { PVG_STACK_MAX = 49152 };

/* --- notions of privacy ----------------------------------------------------------- */

/* What is hidden: in which way two inputs may differ and still look alike. A ledger adds
 * up charges of its own notion only, and those that pvg_notion_pays names. What was
 * charged elsewhere is not in its sum, although it may tell about the same edges:
 * docs/privacy/threat-models.md says what a release of one notion costs in another. */
enum pvg_notion {
    PVG_NOTION_EDGE = 1,          /* one undirected edge, central */
    PVG_NOTION_EDGE_DIRECTED = 2, /* one directed edge, central */
    PVG_NOTION_EDGE_LDP = 3,      /* one entry of a user's own neighbour list, local */
    /* one entry of a user's list replaced by another candidate, local; the length of the
     * list is public */
    PVG_NOTION_EDGE_SET_LDP = 4,
    PVG_NOTION_RELATIONSHIP = 5, /* one edge, when the reports of both ends are seen */
    PVG_NOTION_NODE = 6,         /* a node with other edges and features, central */
    PVG_NOTION_FEATURE_LDP = 7,  /* the features of a user, local */
    PVG_NOTION_LABEL_LDP = 8,    /* the label of a user, local */
    PVG_NOTION_SWITCH = 9, /* two edges exchange ends, {a,b},{c,d} or {a,d},{c,b}, when
                            * the lists of all four are seen; degrees are public */
    /* a node without edges and with features of zero, central; weaker than NODE */
    PVG_NOTION_NODE_REMOVED = 10,
    PVG_NOTION_PERSON = 11, /* another list of a person, and another group, central */
    /* an empty list of a person, central; weaker than PERSON */
    PVG_NOTION_PERSON_ABSENT = 12
};

#ifdef __cplusplus
}
#endif

#endif
