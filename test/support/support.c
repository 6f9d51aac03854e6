/* The counting and failing allocator, test numbers and assertions; see support.h. */
#include "support.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static _Atomic long live, allocations, fail_at;
static _Atomic size_t live_bytes, peak_bytes;

/* As an int32_t and as a double positive, so that a forgotten number looks like one;
 * bytes of a block that are looked at. */
enum { FILL = 0x25, SEEN = 4096 };
static atomic_long unwiped;

/* What comes back holds nothing: neither data nor where and how long they were. */
static bool is_wiped(const unsigned char *block, size_t bytes) {
    const uint64_t filled = FILL * UINT64_C(0x0101010101010101);
    if (bytes > SEEN) bytes = SEEN;
    for (size_t i = 0; i < bytes; i += sizeof filled) {
        uint64_t word;
        if (i + sizeof word <= bytes) { /* nearly all are words of one kind */
            memcpy(&word, block + i, sizeof word);
            if (word == 0 || word == filled) continue;
        }
        for (size_t k = i; k < bytes && k < i + sizeof word; k++)
            if (block[k] != 0 && block[k] != FILL) return false;
    }
    return true;
}

static void *counting_allocate(void *context, size_t bytes) {
    (void)context;
    const long number = atomic_fetch_add(&allocations, 1) + 1;
    if (number == atomic_load(&fail_at)) return NULL;
    void *block = malloc(bytes);
    if (block) {
        const size_t size = malloc_usable_size(block);
        memset(block, FILL, size < SEEN ? size : SEEN); /* no test may rely on zeros */
        atomic_fetch_add(&live, 1);
        const size_t now = atomic_fetch_add(&live_bytes, size) + size;
        size_t peak = atomic_load(&peak_bytes);
        while (now > peak && !atomic_compare_exchange_weak(&peak_bytes, &peak, now)) {
        }
    }
    return block;
}

static void counting_release(void *context, void *block) {
    (void)context;
    if (block) {
        if (!is_wiped(block, malloc_usable_size(block))) atomic_fetch_add(&unwiped, 1);
        atomic_fetch_sub(&live, 1);
        atomic_fetch_sub(&live_bytes, malloc_usable_size(block));
    }
    free(block);
}

void pvgt_begin(void) {
    const pvg_allocator counting = {sizeof counting, 0, NULL, counting_allocate,
                                    counting_release};
    if (pvg_allocator_set(&counting) != PVG_OK) {
        fprintf(stderr, "support: %s\n", pvg_error_message());
        exit(1);
    }
}

int pvgt_end(int unity_result) {
    if (atomic_load(&unwiped) > 0)
        fprintf(stderr, "support: %ld blocks came back unwiped\n", atomic_load(&unwiped));
    if (pvgt_live_blocks() == 0) return unity_result + (atomic_load(&unwiped) > 0);
    fprintf(stderr, "support: %ld blocks leaked\n", pvgt_live_blocks());
    return 1;
}

long pvgt_live_blocks(void) {
    return atomic_load(&live);
}

size_t pvgt_peak_begin(void) {
    const size_t now = atomic_load(&live_bytes);
    atomic_store(&peak_bytes, now);
    return now;
}

size_t pvgt_peak_bytes(size_t begin) {
    return atomic_load(&peak_bytes) - begin;
}

void pvgt_expect_failure(int32_t expected, const char *part, int32_t status,
                         const char *call, int line) {
    char text[1200];
    if (status == expected && strstr(pvg_error_message(), part)) return;
    snprintf(text, sizeof text, "line %d: %s -> %s \"%s\"; expected %s with \"%s\"", line,
             call, pvg_status_name(status), pvg_error_message(),
             pvg_status_name(expected), part);
    TEST_FAIL_MESSAGE(text);
}

void pvgt_oom_walk(const char *name, pvgt_oom_body body, void *context, long at_least) {
    /* sanitized, a third of the later ones: the plain run sees them all */
    const long stride = pvgt_turns(3) < 3 ? 3 : 1;
    for (long number = 1;; number += number > 60 ? stride : 1) {
        const long live_before = pvgt_live_blocks();
        atomic_store(&allocations, 0);
        atomic_store(&fail_at, number);
        const int32_t status = body(context);
        const bool reached = atomic_load(&allocations) >= number;
        atomic_store(&fail_at, 0);
        PVGT_CHECK(pvgt_live_blocks() == live_before, "%s: leak at allocation %ld", name,
                   number);
        if (!reached) {
            PVGT_CHECK(status == PVG_OK, "%s: %s without a failing allocation", name,
                       pvg_error_message());
            PVGT_CHECK(number - 1 >= at_least, "%s: only %ld allocations seen", name,
                       number - 1);
            return;
        }
        PVGT_CHECK(status == PVG_E_NOMEM, "%s: %s at allocation %ld", name,
                   pvg_status_name(status), number);
    }
}

uint64_t pvgt_random(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

int64_t pvgt_below(uint64_t *state, int64_t bound) {
    return (int64_t)(pvgt_random(state) % (uint64_t)bound);
}

uint64_t pvgt_priority(int64_t u, int64_t v) {
    uint64_t state = (uint64_t)(u < v ? u : v) << 32 | (uint64_t)(u < v ? v : u);
    return pvgt_random(&state);
}

const char *pvgt_shared_data(void) {
    static char path[4096];
    struct stat info;
    const char *set = getenv("PVG_SHARED_DATA");
    snprintf(path, sizeof path, "%s", set ? set : PVGT_SOURCE_ROOT "/../shared/data");
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return path;
    printf("SKIP: no ../shared/data beside the project (set PVG_SHARED_DATA to use "
           "another)\n");
    return NULL;
}

bool pvgt_soak(void) {
    return getenv("PVG_SOAK") != NULL;
}
