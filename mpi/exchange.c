/* What processes say to each other: statuses, sums, borrowed rows. Rows of one owner
 * follow one another among the borrowed ones, so they are received where they are
 * wanted; those that are lent are packed. One message to each partner. */
#include "mpi_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 512, AT_ONCE = 1 << 24 };

static _Thread_local char message[WORDS];

const char *pvg_mpi_error_message(void) {
    return message;
}

int32_t pvgm_fail(int32_t status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return status;
}

int32_t pvgm_agree(MPI_Comm comm, int32_t status) {
    struct {
        int failed, rank;
    } mine, first;
    int32_t theirs = status;
    MPI_Comm_rank(comm, &mine.rank);
    mine.failed = status == PVG_OK; /* the least comes first */
    MPI_Allreduce(&mine, &first, 1, MPI_2INT, MPI_MINLOC, comm);
    if (first.failed) return PVG_OK;
    char words[WORDS];
    memcpy(words, message, sizeof words);
    MPI_Bcast(words, WORDS, MPI_CHAR, first.rank, comm);
    MPI_Bcast(&theirs, 1, MPI_INT32_T, first.rank, comm);
    words[WORDS - 1] = '\0';
    if (strncmp(words, "process ", 8) == 0)
        memcpy(message, words, sizeof words);
    else
        snprintf(message, sizeof message, "process %d: %.480s", first.rank, words);
    return theirs;
}

int32_t pvgm_same(MPI_Comm comm, const uint64_t *words, int count, const char *what) {
    uint64_t low[16], high[16];
    MPI_Allreduce(words, low, count, MPI_UINT64_T, MPI_MIN, comm);
    MPI_Allreduce(words, high, count, MPI_UINT64_T, MPI_MAX, comm);
    if (memcmp(low, high, (size_t)count * sizeof *low) == 0) return PVG_OK;
    return pvgm_fail(PVG_E_ARGUMENT, "%s: not the same in all processes", what);
}

int32_t pvgm_combine(void *context, int64_t *values, int64_t count, int32_t how) {
    const pvg_mpi_graph *g = context;
    for (int64_t at = 0; at < count; at += AT_ONCE) {
        const int64_t left = count - at;
        MPI_Allreduce(MPI_IN_PLACE, values + at, (int)(left < AT_ONCE ? left : AT_ONCE),
                      MPI_INT64_T, how == PVG_COMBINE_MAX ? MPI_MAX : MPI_SUM, g->comm);
    }
    return 0;
}

int32_t pvgm_share(void *context, void *bytes, uint64_t length) {
    const pvg_mpi_graph *g = context;
    for (uint64_t at = 0; at < length; at += AT_ONCE) {
        const uint64_t left = length - at;
        MPI_Bcast((char *)bytes + at, (int)(left < AT_ONCE ? left : AT_ONCE), MPI_BYTE, 0,
                  g->comm);
    }
    return 0;
}

static bool make_room(pvg_mpi_graph *g, size_t row_bytes) {
    const size_t bytes = (size_t)g->lent * row_bytes;
    if (bytes <= g->buffer_bytes) return true;
    char *buffer = malloc(bytes);
    if (!buffer) return false;
    free(g->buffer);
    g->buffer = buffer;
    g->buffer_bytes = bytes;
    return true;
}

/* A process that has no room still takes part: the others wait for its rows. */
int32_t pvgm_borrow(void *context, void *table, uint64_t row_bytes) {
    pvg_mpi_graph *g = context;
    char *borrowed = (char *)table + (size_t)g->own * row_bytes;
    int failed = !make_room(g, row_bytes), any, used = 0;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, g->comm);
    if (any) return failed ? 1 : 2;
    MPI_Datatype row;
    MPI_Type_contiguous((int)row_bytes, MPI_BYTE, &row);
    MPI_Type_commit(&row);
    for (int r = 0; r < g->ranks; r++) {
        const int64_t count = g->asks[r + 1] - g->asks[r];
        if (count > 0)
            MPI_Irecv(borrowed + (size_t)g->asks[r] * row_bytes, (int)count, row, r, 0,
                      g->comm, &g->requests[used++]);
    }
    for (int r = 0; r < g->ranks; r++) {
        const int64_t count = g->gives[r + 1] - g->gives[r];
        char *to = g->buffer + (size_t)g->gives[r] * row_bytes;
        for (int64_t i = g->gives[r]; i < g->gives[r + 1]; i++)
            memcpy(g->buffer + (size_t)i * row_bytes,
                   (const char *)table + (size_t)g->rows[i] * row_bytes, row_bytes);
        if (count == 0) continue;
        MPI_Isend(to, (int)count, row, r, 0, g->comm, &g->requests[used++]);
        g->messages++;
        g->bytes += count * (int64_t)row_bytes;
    }
    MPI_Waitall(used, g->requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&row);
    g->exchanges++;
    return 0;
}
