/* The only allocator of the library. Every block carries its size in a header line, so
 * that it can be wiped when it is released; data start on a 64-byte line for vector
 * loads.
 *
 *   | raw ... | header (raw pointer, bytes) | data, 64-byte aligned ... |
 *
 * Large blocks are left out of core dumps, which would carry a private graph to wherever
 * crashes are collected. They have pages of their own; small ones share theirs with the
 * host's. docs/guide/c.md says what a host does about those, and about swap. */
#include "base_internal.h"

#include <malloc.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Each block that is left out is a mapping of its own, of which a process may have 65530:
 * that many megabytes. */
enum { LINE = 64, LARGE_BYTES = 16 << 20, APART_BYTES = 1 << 20 };

typedef struct {
    void *raw;
    size_t bytes;
} header;

/* Panels and tables of many megabytes are read at random: with small pages most reads
 * would also miss the translation cache. A hint, hence no error. */
static void ask_for_large_pages(void *block, size_t bytes) {
#if defined(MADV_HUGEPAGE)
    const uintptr_t page = (uintptr_t)2 << 20;
    const uintptr_t start = ((uintptr_t)block + page - 1) & ~(page - 1);
    const uintptr_t end = ((uintptr_t)block + bytes) & ~(page - 1);
    if (start < end) (void)madvise((void *)start, end - start, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

static size_t page_bytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* In whole pages, which are left out of dumps; a hint again. */
static void *allocate_apart(size_t bytes) {
    const size_t page = page_bytes();
    const size_t whole = pvgi_size_add(bytes, page - 1) / page * page;
    void *block = aligned_alloc(page, whole);
#if defined(MADV_DONTDUMP)
    if (block) (void)madvise(block, whole, MADV_DONTDUMP);
#endif
    return block;
}

static void *default_allocate(void *context, size_t bytes) {
    (void)context;
    void *block = bytes >= APART_BYTES ? allocate_apart(bytes) : malloc(bytes);
    if (block && bytes >= LARGE_BYTES) ask_for_large_pages(block, bytes);
    return block;
}

/* The next owner of the pages is not ours. */
static void default_release(void *context, void *block) {
    (void)context;
#if defined(MADV_DODUMP)
    const size_t page = page_bytes(), bytes = malloc_usable_size(block);
    if (bytes >= APART_BYTES && (uintptr_t)block % page == 0)
        (void)madvise(block, bytes / page * page, MADV_DODUMP);
#endif
    free(block);
}

/* FRESH -> SETTING -> LOCKED by the host, FRESH -> LOCKED by the first allocation:
 * two blocks can never belong to different allocators. */
enum { FRESH, SETTING, LOCKED };
static _Atomic int allocator_state = FRESH;
static pvg_allocator allocator = {sizeof(pvg_allocator), 0, NULL, default_allocate,
                                  default_release};

bool pvgi_memory_set_allocator(const pvg_allocator *wanted) {
    int expected = FRESH;
    if (!atomic_compare_exchange_strong(&allocator_state, &expected, SETTING))
        return false;
    allocator = *wanted;
    atomic_store(&allocator_state, LOCKED);
    return true;
}

static void lock_allocator(void) {
    int expected = FRESH;
    if (atomic_load_explicit(&allocator_state, memory_order_acquire) == LOCKED) return;
    if (atomic_compare_exchange_strong(&allocator_state, &expected, LOCKED)) return;
    while (atomic_load(&allocator_state) != LOCKED) {
        /* another thread is inside pvgi_memory_set_allocator: a few instructions */
    }
}

size_t pvgi_size_mul(size_t a, size_t b) {
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

size_t pvgi_size_add(size_t a, size_t b) {
    size_t sum;
    return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

void *pvgi_alloc(size_t count, size_t bytes) {
    const size_t data_bytes = pvgi_size_mul(count, bytes);
    const size_t total = pvgi_size_add(data_bytes, sizeof(header) + LINE);
    if (total >= (size_t)PTRDIFF_MAX) return NULL;
    lock_allocator();
    void *raw = allocator.allocate(allocator.context, total);
    if (!raw) return NULL;
    const uintptr_t line =
        ((uintptr_t)raw + sizeof(header) + LINE - 1) & ~(uintptr_t)(LINE - 1);
    header *head = (header *)line - 1;
    head->raw = raw;
    head->bytes = data_bytes;
    return (void *)line;
}

void *pvgi_alloc_zero(size_t count, size_t bytes) {
    void *block = pvgi_alloc(count, bytes);
    if (block) memset(block, 0, count * bytes);
    return block;
}

void *pvgi_grow(void *block, size_t count, size_t bytes) {
    void *larger = pvgi_alloc(count, bytes);
    if (!larger || !block) return larger;
    const size_t old_bytes = ((header *)block - 1)->bytes;
    const size_t new_bytes = count * bytes;
    memcpy(larger, block, old_bytes < new_bytes ? old_bytes : new_bytes);
    pvgi_free(block);
    return larger;
}

void pvgi_free(void *block) {
    if (!block) return;
    header *head = (header *)block - 1;
    void *raw = head->raw;
    /* the size of a block tells of what was in it, too */
    pvgi_wipe(head, sizeof *head + head->bytes);
    allocator.release(allocator.context, raw);
}

void pvgi_memory_trim(void) {
#if defined(__GLIBC__)
    if (allocator.release == default_release) (void)malloc_trim(0);
#endif
}

void pvgi_wipe(void *block, size_t bytes) {
    if (bytes) sodium_memzero(block, bytes);
}
