/* Processes that hold a graph together, as threads of one program: an engine for
 * pvg_parts that notices who waits for nobody, and fails when it is told to. */
#ifndef PVGT_PARTS_H
#define PVGT_PARTS_H

#include "support.h"

#include <pthread.h>

enum { PVGT_PROCESSES = 8 };

typedef struct pvgt_engine pvgt_engine;

/* One process. */
typedef struct {
    pvgt_engine *engine;
    int32_t number;
    pvg_parts_config config; /* as its graph says; a test may change it before it runs */
    int64_t *offsets, *borrows;
    int32_t *columns;
    void *lent; /* what it has brought to the exchange */
    uint64_t size;
    int32_t how;
    long calls;     /* of its functions */
    int64_t spoken; /* bytes that it borrowed */
    int32_t status; /* for bodies */
    char message[512];
} pvgt_process;

struct pvgt_engine {
    int32_t processes;
    int64_t order, cuts[PVGT_PROCESSES + 1];
    pvgt_process process[PVGT_PROCESSES];
    pthread_mutex_t lock;
    pthread_cond_t turned;
    int32_t waiting;
    long turn;
    int32_t fails; /* this process, at its call number fails_at; -1: none */
    long fails_at;
    bool broken; /* from then on */
    bool slow;   /* rows take a while to come */
};

/* Cuts a graph at cuts[0] = 0 <= ... <= cuts[processes] = order. */
void pvgt_parts_cut(pvgt_engine *engine, const pvg_graph *graph, int32_t processes,
                    const int64_t *cuts);
/* Cuts at random multiples of PVG_PARTS_ROWS: parts may be empty. */
void pvgt_parts_random(pvgt_engine *engine, const pvg_graph *graph, int32_t processes,
                       uint64_t *state);
void pvgt_parts_drop(pvgt_engine *engine);

/* Runs body in as many threads. It must not use assertions: what went wrong goes into
 * status and message of the process. */
typedef void (*pvgt_process_body)(void *context, pvgt_process *process);
void pvgt_parts_run(pvgt_engine *engine, pvgt_process_body body, void *context);
/* Keeps a status and the message of the library. */
int32_t pvgt_parts_note(pvgt_process *process, int32_t status);

#endif
