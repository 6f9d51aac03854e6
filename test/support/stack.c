/* The stack of a thread is painted with a byte, the call runs, and the lowest byte that
 * lost its paint tells how deep it went. */
#include "stack.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BYTES = 1 << 20, GUARD = 1 << 16, PAINT = 0xA5 };

typedef struct {
    void (*body)(void *context);
    void *context;
    uint8_t *low, *top; /* painted: low up to top, a little below this thread's frame */
} trial;

static void *run(void *argument) {
    trial *t = argument;
    t->top = (uint8_t *)__builtin_frame_address(0) - 256;
    memset(t->low, PAINT, (size_t)(t->top - t->low));
    t->body(t->context);
    return NULL;
}

size_t pvgt_stack_used(void (*body)(void *context), void *context) {
    uint8_t *memory = mmap(NULL, GUARD + BYTES, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    trial t = {.body = body, .context = context, .low = memory + GUARD};
    pthread_attr_t attributes;
    pthread_t thread;
    if (memory == MAP_FAILED || mprotect(memory, GUARD, PROT_NONE) ||
        pthread_attr_init(&attributes) ||
        pthread_attr_setstack(&attributes, t.low, BYTES) ||
        pthread_create(&thread, &attributes, run, &t))
        abort();
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    const uint8_t *at = t.low;
    while (at < t.top && *at == PAINT) at++;
    const size_t used = (size_t)(t.top - at);
    munmap(memory, GUARD + BYTES);
    return used;
}
