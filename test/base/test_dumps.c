/* Where private data lie when a process crashes or is swapped out, read off the kernel's
 * own list of mappings (docs/guide/c.md, core dumps and swap): the library's allocator
 * keeps large blocks out of dumps and gives their pages back as they were; with the
 * host's allocator of that page every block is locked and out of dumps. An allocator is
 * set once in a process: each case has its own, so none begins with pvgt_begin. */
#include "support.h"

#include <inttypes.h>
#include <malloc.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void setUp(void) {}
void tearDown(void) {}

/* Whether the mapping of a place has the kernel's flag: "dd" not dumped, "lo" locked. */
static bool has_flag(const void *place, const char *flag) {
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512], wanted[8];
    bool inside = false, found = false;
    TEST_ASSERT_NOT_NULL(maps);
    snprintf(wanted, sizeof wanted, " %s ", flag);
    while (fgets(line, sizeof line, maps)) {
        uintptr_t start, end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &start, &end) == 2)
            inside = (uintptr_t)place >= start && (uintptr_t)place < end;
        else if (inside && strncmp(line, "VmFlags:", 8) == 0)
            found = strstr(line, wanted) != NULL;
    }
    fclose(maps);
    return found;
}

static const int32_t *rows_of(pvg_graph **graph, int64_t order) {
    const int64_t *offsets;
    const int32_t *columns;
    PVGT_OK(pvg_graph_new_cycle(graph, order));
    PVGT_OK(pvg_graph_view_csr(&offsets, &columns, *graph));
    return columns;
}

enum { MANY = 300000, FEW = 50 }; /* nodes: blocks of 2.4 MB, of 400 bytes */

/* The second time malloc takes large blocks from its heap, whose pages stay. */
static int own_allocator(void) {
    pvg_graph *small[2];
    bool good = true;
    for (int turn = 0; turn < 2; turn++) {
        pvg_graph *large;
        if (turn == 1) {
            mallopt(M_MMAP_THRESHOLD, 1 << 25);
            mallopt(M_TRIM_THRESHOLD, 1 << 30);
        }
        const int32_t *far = rows_of(&large, MANY), *near = rows_of(&small[turn], FEW);
        good = good && has_flag(far, "dd") && has_flag(far + 2 * MANY - 1, "dd") &&
               !has_flag(far, "lo") && !has_flag(near, "dd");
        pvg_graph_free(large);
        good = good && !has_flag(far, "dd"); /* gone, or somebody else's */
    }
    pvg_graph_free(small[0]);
    pvg_graph_free(small[1]);
    return good;
}

static void *lock(void *context, size_t bytes) {
    (void)context;
    return sodium_malloc(bytes);
}

static void unlock(void *context, void *block) {
    (void)context;
    sodium_free(block);
}

static int locked_allocator(void) {
    const pvg_allocator locked = {sizeof locked, 0, NULL, lock, unlock};
    void *page = aligned_alloc(4096, 4096);
    /* a container may forbid it, and sanitizers answer without doing it */
    const bool may_lock = page && mlock(page, 4096) == 0 && has_flag(page, "lo");
    pvg_graph *large, *small;
    if (sodium_init() < 0) return 0;
    PVGT_OK(pvg_allocator_set(&locked));
    const int32_t *far = rows_of(&large, MANY), *near = rows_of(&small, FEW);
    bool good = has_flag(far, "dd") && has_flag(near, "dd");
    if (may_lock) good = good && has_flag(near, "lo");
    pvg_graph_free(large);
    pvg_graph_free(small);
    free(page);
    return good;
}

static void in_a_process(int (*body)(void)) {
    int status;
    const pid_t child = fork();
    if (child == 0) _exit(body() ? 0 : 1);
    TEST_ASSERT_TRUE(child > 0 && waitpid(child, &status, 0) == child);
    TEST_ASSERT_TRUE(WIFEXITED(status));
    TEST_ASSERT_EQUAL_INT(0, WEXITSTATUS(status));
}

static void large_blocks_are_left_out_of_dumps(void) {
    in_a_process(own_allocator);
}

static void a_host_may_lock_all_of_it(void) {
    in_a_process(locked_allocator);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(large_blocks_are_left_out_of_dumps);
    RUN_TEST(a_host_may_lock_all_of_it);
    return UNITY_END();
}
