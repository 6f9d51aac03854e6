/* A disk that is really full: a small file system of its own, and somebody else's file
 * that takes and gives room between any two operations. What was acknowledged is there
 * afterwards, what was not is counted at most as tried, and nobody is locked out. */
#include "ledger_folder.h"
#include "ledger_help.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OBJECTS = 3, OTHERS = 150, STEPS = 400, PAGE = 4096, SKIPPED = 77 };

static char ballast[sizeof path + 16], inodes[sizeof path + 32];

/* What the disk holds for each object: between these two. */
static double least[OBJECTS], most[OBJECTS];
static int refused, charged, compacted, kept, opened, unopened;

/* Somebody takes all but so many pages, or names; -1: gives all of it back. */
static void leave(int pages, int names) {
    unlink(ballast);
    for (int i = 0; i < 64; i++) {
        snprintf(inodes, sizeof inodes, "%s.name%d", path, i);
        unlink(inodes);
    }
    if (pages < 0) return;
    static const char page[PAGE];
    const int file = open(ballast, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    while (write(file, page, PAGE) == PAGE) {
    }
    struct stat info;
    (void)fstat(file, &info);
    const off_t rest = info.st_size - (off_t)pages * PAGE;
    if (ftruncate(file, rest > 0 ? rest : 0) != 0) _exit(2);
    close(file);
    for (int i = 0; names == 0 && i < 64; i++) {
        snprintf(inodes, sizeof inodes, "%s.name%d", path, i);
        const int one = open(inodes, O_WRONLY | O_CREAT, 0600);
        if (one < 0) break;
        close(one);
    }
}

static int check(pvg_ledger *ledger, bool settled) {
    for (uint64_t i = 0; i < OBJECTS; i++) {
        double value = -1;
        if (pvg_ledger_spent(&value, ledger, i + 1, 0) != PVG_OK) return 10;
        if (value < least[i]) return 11; /* lost */
        if (value > most[i]) return 12;
        if (settled) least[i] = most[i] = value;
    }
    return 0;
}

static int step(pvg_ledger **ledger, uint64_t *seed) {
    const double price = 0x1p-4;
    const int what = (int)pvgt_below(seed, 8);
    if (what == 0) { /* reopen, full as the disk is */
        pvg_ledger_free(*ledger);
        *ledger = NULL;
        opened++;
        if (pvg_ledger_open(ledger, path) != PVG_OK) {
            unopened++;
            leave(-1, 1);
            if (pvg_ledger_open(ledger, path) != PVG_OK) return 20; /* locked out */
        }
        return check(*ledger, true);
    }
    if (what == 1) {
        if (pvg_ledger_compact(*ledger) == PVG_OK)
            compacted++;
        else
            kept++;
        return check(*ledger, false);
    }
    uint64_t objects[OBJECTS + OTHERS]; /* a record is longer than a quarter of a page */
    int64_t count = 0;
    for (uint64_t i = 0; i < OBJECTS; i++)
        if (count == 0 || pvgt_below(seed, 2)) objects[count++] = i + 1;
    const int64_t ours = count;
    for (uint64_t i = 0; i < OTHERS; i++) objects[count++] = 100 + i;
    pvg_curve *curve = pure(price);
    const int32_t status = charge_curve(*ledger, objects, count, PVG_NOTION_EDGE, curve);
    pvg_curve_free(curve);
    if (status != PVG_OK && status != PVG_E_IO) return 30;
    if (status == PVG_OK)
        charged++;
    else
        refused++;
    for (int64_t i = 0; i < ours; i++) {
        most[objects[i] - 1] += price;
        if (status == PVG_OK) least[objects[i] - 1] += price;
    }
    return check(*ledger, false);
}

static int fill_and_free(uint64_t seed) {
    if (unshare(CLONE_NEWNS) != 0) return SKIPPED;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return SKIPPED;
    if (mount("tmpfs", folder, "tmpfs", 0, "size=512k,nr_inodes=8") != 0) return SKIPPED;
    snprintf(ballast, sizeof ballast, "%s.ballast", path);
    const pvg_ledger_config config = budget(1000, 0, 0);
    pvg_ledger *ledger = NULL;
    for (int pages = 0; pages < 8; pages++) { /* a beginning takes four */
        leave(pages, 1);
        if (pvg_ledger_create(&ledger, path, &config) == PVG_OK) break;
        if (access(path, F_OK) == 0) return 3;
    }
    if (!ledger) return 4;
    int problem = 0;
    for (int i = 0; i < STEPS && !problem; i++) {
        if (pvgt_below(&seed, 3) == 0)
            leave((int)pvgt_below(&seed, 8) - 1, (int)pvgt_below(&seed, 3));
        problem = step(&ledger, &seed);
    }
    pvg_ledger_free(ledger);
    leave(-1, 1);
    if (!problem && pvg_ledger_open(&ledger, path) != PVG_OK) problem = 5;
    if (!problem) problem = check(ledger, true);
    if (!problem && charge(ledger, 1, pure(1)) != PVG_OK) problem = 6;
    pvg_ledger_free(ledger);
    printf("%d charged, %d refused; %d compacted, %d not; %d opened, %d not at once\n",
           charged, refused, compacted, kept, opened, unopened);
    fflush(stdout);
    if (!problem && (refused < 5 || charged < 20 || kept < 2 || compacted < 2)) return 7;
    return problem;
}

static void a_disk_runs_full(void) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        int status = -1;
        const pid_t child = fork();
        if (child == 0) _exit(fill_and_free(seed));
        TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
        TEST_ASSERT_TRUE(WIFEXITED(status));
        if (WEXITSTATUS(status) == SKIPPED)
            TEST_IGNORE_MESSAGE("file systems cannot be mounted here");
        PVGT_CHECK(WEXITSTATUS(status) == 0, "seed %d: %d", (int)seed,
                   WEXITSTATUS(status));
    }
}

/* A quarter of an hour: a million charges, each on a real disk before it counts. */
static void a_million_charges(void) {
    enum { THINGS = 1000, MILLION = 1000000 };
    const pvg_ledger_config config = budget(1, 0, 0);
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_create(&ledger, path, &config));
    for (uint64_t i = 0; i < MILLION; i++)
        PVGT_OK(charge(ledger, 1 + i % THINGS, pure(0x1p-10)));
    pvg_ledger_free(ledger);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    for (uint64_t i = 0; i < THINGS; i++)
        TEST_ASSERT_EQUAL_DOUBLE(1000 * 0x1p-10, spent(ledger, 1 + i, 0));
    pvg_ledger_free(ledger);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(a_disk_runs_full);
    if (pvgt_soak()) RUN_TEST(a_million_charges);
    return pvgt_end(UNITY_END());
}
