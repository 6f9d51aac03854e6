/* What all fuzz targets share. An input is one byte of options, then text; '0' is the
 * defaults with a limit of 5000 nodes, so that the corpus stays readable. */
#ifndef PVGF_FUZZ_H
#define PVGF_FUZZ_H

#include "io/io_internal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An invariant; unlike assert it is never compiled out. */
#define PVGF_CHECK(condition)                                                            \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition,          \
                    pvg_error_message());                                                \
            abort();                                                                     \
        }                                                                                \
    } while (0)

/* A call from the options byte: bits 0-1 policy, 2 index base and extra columns, 3 two
 * threads, 4-6 chunk size. Bit 7 alone is the default limit on nodes, only so because
 * graphs of a million nodes are slow. */
void pvgf_call(pvgi_io_call *call, uint8_t byte, int32_t format);
/* The same call in one chunk and one thread: results and messages must not differ. */
void pvgf_plain_call(pvgi_io_call *call, uint8_t byte, int32_t format);

bool pvgf_same_graph(const pvg_graph *a, const pvg_graph *b);
/* The graph survives writing and reading in every format. */
void pvgf_check_round_trips(const pvg_graph *graph);
/* A whole target for a format of one graph. */
int pvgf_run_format(int32_t format, const uint8_t *data, size_t size);

#endif
