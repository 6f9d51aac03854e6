/* A graph whose rows are those of a mapped csr file: nothing is copied, and what the
 * kernel has no room for it reads again.
 *
 * All of the file is looked at once, so a damaged one never becomes a graph. Afterwards
 * it must stay what it is. The map is private to us and read only, but shows what others
 * write into the file: so one that others may write or own is refused, and around each
 * call of a host (crossing.c) the file is asked whether it changed. A time of change has
 * the kernel's coarse clock, hence a file that was written just now is waited for. What
 * can not be caught is a file that is cut off while a call reads it: SIGBUS. */
#include "io/csr.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CLOCK_MS = 20, SAID = 64 }; /* ticks are 10 ms at most */

typedef struct {
    void *memory;
    size_t bytes;
    int file;
    struct stat was;
    char head[SAID], tail[PVGI_CSR_TAIL]; /* of the file when it was looked at */
    char *path;
} mapping;

/* --- the file -------------------------------------------------------------------- */

static bool same_time(struct timespec a, struct timespec b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* A new name, other permissions or the end of the last name change st_ctim too: what
 * stands in its place now may be another graph. */
static int32_t same_file(const mapping *m) {
    struct stat now;
    if (fstat(m->file, &now) != 0) return pvgi_io_fail_errno(m->path, "examine", errno);
    if (now.st_size == m->was.st_size && now.st_ino == m->was.st_ino &&
        same_time(now.st_mtim, m->was.st_mtim) && same_time(now.st_ctim, m->was.st_ctim))
        return PVG_OK;
    return pvgi_fail(PVG_E_IO, "%.200s: changed since it was mapped; map it again",
                     m->path);
}

static int32_t same(const void *kept) {
    const mapping *m = kept;
    PVGI_TRY(same_file(m));
    /* file systems that are elsewhere may tell a change late */
    if (memcmp(m->memory, m->head, sizeof m->head) == 0 &&
        memcmp((const char *)m->memory + m->bytes - sizeof m->tail, m->tail,
               sizeof m->tail) == 0)
        return PVG_OK;
    return pvgi_fail(PVG_E_IO, "%.200s: changed since it was mapped; map it again",
                     m->path);
}

static void drop(void *kept) {
    mapping *m = kept;
    if (!m) return;
    if (m->memory) munmap(m->memory, m->bytes);
    if (m->file >= 0) close(m->file);
    pvgi_free(m->path);
    pvgi_free(m);
}

static const pvgi_graph_keeper keeper = {drop, same};

/* Until a change after now has another time than the last one before. */
static void wait_for_clock(const struct stat *info) {
    struct timespec now;
    const struct timespec pause = {0, CLOCK_MS * 1000000L};
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return;
    if (now.tv_sec - info->st_ctim.tv_sec > 1) return;
    (void)nanosleep(&pause, NULL);
}

static int32_t open_file(mapping *m) {
    /* no wait for the writer of a pipe that somebody put there */
    m->file = open(m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (m->file < 0) return pvgi_io_fail_errno(m->path, "open", errno);
    if (fstat(m->file, &m->was) != 0)
        return pvgi_io_fail_errno(m->path, "examine", errno);
    if (S_ISDIR(m->was.st_mode)) return pvgi_io_fail_errno(m->path, "map", EISDIR);
    if (!S_ISREG(m->was.st_mode) || m->was.st_size == 0)
        return pvgi_fail(PVG_E_FORMAT, "%.200s: is not a csr file: it has no size",
                         m->path);
    if (m->was.st_mode & (S_IWGRP | S_IWOTH))
        return pvgi_fail(PVG_E_IO,
                         "%.200s: others may write it, and a mapped file must not change "
                         "(chmod go-w)",
                         m->path);
    /* an owner may write at any time, whatever the mode says now */
    if (m->was.st_uid != 0 && m->was.st_uid != geteuid())
        return pvgi_fail(PVG_E_IO,
                         "%.200s: belongs to another user (%ju), who may write it, and a "
                         "mapped file must not change (map a copy of your own)",
                         m->path, (uintmax_t)m->was.st_uid);
    wait_for_clock(&m->was);
    if (fstat(m->file, &m->was) != 0)
        return pvgi_io_fail_errno(m->path, "examine", errno);
    m->bytes = (size_t)m->was.st_size;
    m->memory = mmap(NULL, m->bytes, PROT_READ, MAP_PRIVATE, m->file, 0);
    if (m->memory == MAP_FAILED) {
        m->memory = NULL;
        return errno == ENOMEM ? pvgi_fail_nomem()
                               : pvgi_io_fail_errno(m->path, "map", errno);
    }
#if defined(MADV_DONTDUMP)
    (void)madvise(m->memory, m->bytes, MADV_DONTDUMP); /* as blocks of our own */
#endif
    return PVG_OK;
}

/* --- the graph ------------------------------------------------------------------- */

static int32_t look_at(pvg_graph *graph, mapping *m, pvgi_io_call *call) {
    pvgi_io_csr_file file;
    PVGI_TRY(pvgi_io_csr_wrap(&file, m->path, m->memory, -1, m->bytes, &call->run));
    const pvgi_io_csr_shape shape = file.shape;
    char *bytes = m->memory;
    graph->order = shape.order;
    graph->size = shape.arcs / 2;
    graph->declared = shape.declared;
    graph->offsets = (int64_t *)(void *)(bytes + PVGI_CSR_HEAD);
    graph->columns = (int32_t *)(void *)(bytes + shape.columns_at);
    int32_t status = pvgi_io_csr_check_order(&file, call);
    if (status == PVG_OK)
        status = pvgi_io_csr_check(&file, graph->offsets, graph->columns, &call->run);
    memcpy(m->head, bytes, sizeof m->head);
    memcpy(m->tail, bytes + m->bytes - sizeof m->tail, sizeof m->tail);
    pvgi_io_csr_close(&file);
    return status == PVG_OK ? same_file(m) : status; /* meanwhile */
}

int32_t pvgi_io_map(pvg_graph **out, pvgi_io_call *call, const char *path) {
    pvg_graph *graph = pvgi_alloc_zero(1, sizeof *graph);
    if (!graph) return pvgi_fail_nomem();
    mapping *m = pvgi_alloc_zero(1, sizeof *m);
    if (m) m->file = -1;
    graph->keeper = &keeper;
    graph->kept = m;
    int32_t status = PVG_OK;
    const size_t length = strlen(path) + 1;
    if (m) m->path = pvgi_alloc(length, 1);
    if (!m || !m->path) {
        status = pvgi_fail_nomem();
    } else {
        memcpy(m->path, path, length);
        status = open_file(m);
    }
    if (status == PVG_OK) status = look_at(graph, m, call);
    if (status == PVG_OK)
        *out = graph;
    else
        pvgi_graph_free(graph);
    return status;
}
