/* The Arrow C data and stream interfaces: three structs, which every producer has and
 * which are all that is needed to take its columns as they are. */
#ifndef PVGI_ARROW_H
#define PVGI_ARROW_H

#include "graph/graph_internal.h"

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/* Streams stay the caller's, who drops them. nodes: NULL if ends are numbers. */
int32_t pvgi_graph_from_arrow(pvg_graph **out, struct ArrowArrayStream *edges,
                              const char *source, const char *target,
                              struct ArrowArrayStream *nodes, int64_t order,
                              uint32_t policy, pvgi_run *run);
void pvgi_graph_arrow_drop(struct ArrowArrayStream *stream);

#endif
