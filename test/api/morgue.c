/* See morgue.h. Blocks hang in a list; released ones stay in it until the end. */
#include "morgue.h"

#include <stdio.h>
#include <stdlib.h>

typedef union block {
    struct {
        union block *next;
        int released;
    } is;
    max_align_t align;
} block;

static block *all;

static void *take(void *context, size_t bytes) {
    (void)context;
    block *one = malloc(sizeof *one + bytes);
    if (!one) return NULL;
    one->is.next = all;
    one->is.released = 0;
    all = one;
    return one + 1;
}

static void keep(void *context, void *memory) {
    (void)context;
    ((block *)memory - 1)->is.released = 1;
}

void pvgt_morgue_begin(void) {
    const pvg_allocator keeping = {sizeof keeping, 0, NULL, take, keep};
    if (pvg_allocator_set(&keeping) != PVG_OK) abort();
}

int pvgt_morgue_end(int result) {
    int lost = 0;
    while (all) {
        block *next = all->is.next;
        lost += !all->is.released;
        free(all);
        all = next;
    }
    if (lost) fprintf(stderr, "morgue: %d blocks were never released\n", lost);
    return lost ? 1 : result;
}

size_t pvgt_strangers(pvgt_stranger *out, const pvgt_zoo *zoo) {
    size_t count = 0;
#define PVGT_PUT(T) out[count++] = (pvgt_stranger){zoo->T, #T, 0};
    PVGT_ANIMALS(PVGT_PUT)
#undef PVGT_PUT
    return count;
}
