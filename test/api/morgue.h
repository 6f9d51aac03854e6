/* Handles in places where they do not belong, living and dead: an allocator that keeps
 * what was released, so that a freed handle can be looked at. */
#ifndef PVGT_MORGUE_H
#define PVGT_MORGUE_H

#include "zoo.h"

#include <stddef.h>

typedef struct pvgt_stranger {
    void *handle;
    const char *type; /* "pvg_graph" */
    int dead;
} pvgt_stranger;

#define PVGT_ONE(T) +1
enum { PVGT_STRANGERS = 0 PVGT_ANIMALS(PVGT_ONE) };
#undef PVGT_ONE

/* Everything in the zoo; how many there are. */
size_t pvgt_strangers(pvgt_stranger *out, const pvgt_zoo *zoo);

void pvgt_morgue_begin(void);
/* Buries the dead; fails if a block was never released. */
int pvgt_morgue_end(int result);

#endif
