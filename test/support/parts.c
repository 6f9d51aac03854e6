/* Threads that stand for processes: see parts.h. */
#include "parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATIENCE = 60 };

/* All processes meet. A test that hangs would tell nothing: it ends instead. */
static void meet(pvgt_engine *e) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    pthread_mutex_lock(&e->lock);
    const long turn = e->turn;
    if (++e->waiting == e->processes) {
        e->waiting = 0;
        e->turn++;
        pthread_cond_broadcast(&e->turned);
    }
    while (e->turn == turn)
        if (pthread_cond_timedwait(&e->turned, &e->lock, &until) != 0) {
            fprintf(stderr, "a process waits for one that has left\n");
            abort();
        }
    pthread_mutex_unlock(&e->lock);
}

/* Whether this is the call that fails. */
static bool fails_now(pvgt_process *p) {
    return ++p->calls == p->engine->fails_at && p->number == p->engine->fails;
}

static const pvgt_process *owner_of(const pvgt_engine *e, int64_t node) {
    int32_t i = 0;
    while (node >= e->cuts[i + 1]) i++;
    return &e->process[i];
}

static void same(const pvgt_process *p, uint64_t size, int32_t how) {
    for (int32_t i = 0; i < p->engine->processes; i++)
        if (p->engine->process[i].size != size || p->engine->process[i].how != how) {
            fprintf(stderr, "processes %d and %d are in different exchanges\n",
                    (int)p->number, (int)i);
            abort();
        }
}

static int32_t borrow(void *context, void *table, uint64_t row_bytes) {
    pvgt_process *p = context;
    const bool fails = fails_now(p);
    if (p->engine->slow) nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
    p->lent = table;
    p->size = row_bytes;
    p->how = -1;
    meet(p->engine);
    if (p->engine->broken) return 1;
    same(p, row_bytes, -1);
    for (int64_t i = 0; i < p->config.borrowed && !fails; i++) {
        const pvgt_process *from = owner_of(p->engine, p->borrows[i]);
        const int64_t row = p->borrows[i] - p->engine->cuts[from->number];
        memcpy((char *)table + (uint64_t)(p->config.own + i) * row_bytes,
               (const char *)from->lent + (uint64_t)row * row_bytes, row_bytes);
        p->spoken += (int64_t)row_bytes;
    }
    meet(p->engine);
    return fails;
}

static int32_t combine(void *context, int64_t *values, int64_t count, int32_t how) {
    pvgt_process *p = context;
    if (fails_now(p)) p->engine->broken = true;
    p->lent = values;
    p->size = (uint64_t)count;
    p->how = how;
    meet(p->engine);
    if (p->engine->broken) return 1;
    same(p, (uint64_t)count, how);
    int64_t *sum = malloc((size_t)count * sizeof *sum + 1);
    for (int64_t k = 0; k < count; k++) {
        sum[k] = how == PVG_COMBINE_SUM ? 0 : INT64_MIN;
        for (int32_t i = 0; i < p->engine->processes; i++) {
            const int64_t x = ((const int64_t *)p->engine->process[i].lent)[k];
            if (how == PVG_COMBINE_SUM) {
                if (__builtin_add_overflow(sum[k], x, &sum[k])) abort();
            } else if (x > sum[k]) {
                sum[k] = x;
            }
        }
    }
    meet(p->engine);
    memcpy(values, sum, (size_t)count * sizeof *sum);
    free(sum);
    return 0;
}

static int32_t share(void *context, void *bytes, uint64_t length) {
    pvgt_process *p = context;
    if (fails_now(p)) p->engine->broken = true;
    p->lent = bytes;
    p->size = length;
    p->how = -2;
    meet(p->engine);
    if (p->engine->broken) return 1;
    same(p, length, -2);
    if (p->number > 0) memcpy(bytes, p->engine->process[0].lent, length);
    meet(p->engine);
    return 0;
}

/* --- cutting ------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void cut_one(pvgt_process *p, const int64_t *offsets, const int32_t *columns) {
    const int64_t first = p->engine->cuts[p->number];
    const int64_t own = p->engine->cuts[p->number + 1] - first;
    const int64_t arcs = offsets[first + own] - offsets[first];
    const int32_t *lists = columns + offsets[first];
    int64_t borrowed = 0;
    p->offsets = malloc((size_t)(own + 1) * sizeof *p->offsets);
    p->columns = malloc((size_t)arcs * sizeof *p->columns + 1);
    p->borrows = malloc((size_t)arcs * sizeof *p->borrows + 1);
    for (int64_t i = 0; i <= own; i++)
        p->offsets[i] = offsets[first + i] - offsets[first];
    for (int64_t k = 0; k < arcs; k++)
        if (lists[k] < first || lists[k] >= first + own)
            p->borrows[borrowed++] = lists[k];
    qsort(p->borrows, (size_t)borrowed, sizeof *p->borrows, ascending);
    int64_t kept = 0;
    for (int64_t i = 0; i < borrowed; i++)
        if (i == 0 || p->borrows[i] != p->borrows[i - 1])
            p->borrows[kept++] = p->borrows[i];
    for (int64_t k = 0; k < arcs; k++) {
        const int64_t v = lists[k];
        const bool here = v >= first && v < first + own;
        const int64_t *at =
            here ? NULL
                 : bsearch(&v, p->borrows, (size_t)kept, sizeof *p->borrows, ascending);
        p->columns[k] = (int32_t)(here ? v - first : own + (at - p->borrows));
    }
    p->config = (pvg_parts_config){.size = sizeof p->config,
                                   .declared = 1,
                                   .process = p->number,
                                   .processes = p->engine->processes,
                                   .order = p->engine->order,
                                   .first = first,
                                   .own = own,
                                   .borrowed = kept,
                                   .offsets = p->offsets,
                                   .neighbours = p->columns,
                                   .borrows = p->borrows,
                                   .context = p,
                                   .borrow = borrow,
                                   .combine = combine,
                                   .share = share};
}

void pvgt_parts_cut(pvgt_engine *e, const pvg_graph *graph, int32_t processes,
                    const int64_t *cuts) {
    const int64_t *offsets;
    const int32_t *columns;
    PVGT_OK(pvg_graph_view_csr(&offsets, &columns, graph));
    *e = (pvgt_engine){
        .processes = processes, .order = pvg_graph_order(graph), .fails = -1};
    memcpy(e->cuts, cuts, (size_t)(processes + 1) * sizeof *cuts);
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->turned, NULL);
    for (int32_t i = 0; i < processes; i++) {
        e->process[i].engine = e;
        e->process[i].number = i;
        cut_one(&e->process[i], offsets, columns);
    }
}

void pvgt_parts_random(pvgt_engine *e, const pvg_graph *graph, int32_t processes,
                       uint64_t *state) {
    const int64_t order = pvg_graph_order(graph);
    int64_t cuts[PVGT_PROCESSES + 1] = {0};
    for (int32_t i = 1; i < processes; i++)
        cuts[i] = pvgt_below(state, order / PVG_PARTS_ROWS + 1) * PVG_PARTS_ROWS;
    qsort(cuts, (size_t)processes, sizeof *cuts, ascending);
    cuts[processes] = order;
    pvgt_parts_cut(e, graph, processes, cuts);
}

void pvgt_parts_drop(pvgt_engine *e) {
    for (int32_t i = 0; i < e->processes; i++) {
        free(e->process[i].offsets);
        free(e->process[i].columns);
        free(e->process[i].borrows);
    }
    pthread_mutex_destroy(&e->lock);
    pthread_cond_destroy(&e->turned);
}

/* --- running ------------------------------------------------------------------------ */

typedef struct {
    pvgt_process *process;
    pvgt_process_body body;
    void *context;
} thread;

static void *run(void *argument) {
    const thread *t = argument;
    t->body(t->context, t->process);
    return NULL;
}

void pvgt_parts_run(pvgt_engine *e, pvgt_process_body body, void *context) {
    thread threads[PVGT_PROCESSES];
    pthread_t hands[PVGT_PROCESSES];
    e->broken = false;
    for (int32_t i = 0; i < e->processes; i++) {
        e->process[i].calls = 0;
        e->process[i].status = PVG_OK;
        e->process[i].message[0] = '\0';
        threads[i] = (thread){&e->process[i], body, context};
    }
    for (int32_t i = 0; i < e->processes; i++)
        if (pthread_create(&hands[i], NULL, run, &threads[i]) != 0) abort();
    for (int32_t i = 0; i < e->processes; i++) pthread_join(hands[i], NULL);
}

int32_t pvgt_parts_note(pvgt_process *process, int32_t status) {
    if (status != PVG_OK && process->status == PVG_OK) {
        process->status = status;
        snprintf(process->message, sizeof process->message, "%s", pvg_error_message());
    }
    return status;
}
