/* How much stack a call takes: a thread runs it on memory that was painted before. */
#ifndef PVGT_STACK_H
#define PVGT_STACK_H

#include <stddef.h>

/* Bytes below the frame of body's caller that body wrote to, at most 1 MiB. A page that
 * cannot be touched lies below: more than that is a crash and not a wrong answer. */
size_t pvgt_stack_used(void (*body)(void *context), void *context);

#endif
