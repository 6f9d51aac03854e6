/* Disks whose locks fail, come late or do nothing, as some on networks: who cannot be
 * kept out must not be charged against. */
#include "ledger_folder.h"
#include "ledger_help.h"

#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

enum { HONEST = 0, DOES_NOTHING = -1 }; /* else: the error of every lock */
static int lock_answer, interrupted, asked;

/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_flock(int file, int kind);
int __wrap_flock(int file, int kind);
int __wrap_flock(int file, int kind) {
    asked++;
    if (kind == LOCK_UN || lock_answer == HONEST) {
        if (kind == LOCK_UN || interrupted == 0) return __real_flock(file, kind);
        interrupted--;
        errno = EINTR;
        return -1;
    }
    if (lock_answer == DOES_NOTHING) return 0;
    errno = lock_answer;
    return -1;
}
/* NOLINTEND(bugprone-reserved-identifier) */

static const int failures[] = {ENOLCK, EOPNOTSUPP, EINVAL, EIO, ENOSYS, ESTALE, EBADF};
enum { FAILURES = sizeof failures / sizeof *failures };

static void create_ledger(void) {
    const pvg_ledger_config config = budget(1, 0, 0);
    pvg_ledger *ledger = NULL;
    lock_answer = HONEST;
    PVGT_OK(pvg_ledger_create(&ledger, path, &config));
    PVGT_OK(charge(ledger, 1, pure(0.25)));
    pvg_ledger_free(ledger);
}

/* Bytes of the file; -1: there is none. */
static int64_t size_of_file(void) {
    struct stat info;
    return stat(path, &info) == 0 ? (int64_t)info.st_size : -1;
}

static void locks_that_fail_are_refused(void) {
    const pvg_ledger_config config = budget(1, 0, 0);
    for (int i = 0; i < FAILURES; i++) {
        pvg_ledger *ledger = NULL;
        lock_answer = failures[i];
        TEST_ASSERT_EQUAL_INT32(PVG_E_IO, pvg_ledger_create(&ledger, path, &config));
        TEST_ASSERT_NULL(ledger);
        TEST_ASSERT_EQUAL_INT64(-1, size_of_file());
    }
    create_ledger();
    const int64_t bytes = size_of_file();
    for (int i = 0; i < FAILURES; i++) {
        pvg_ledger *ledger = NULL;
        lock_answer = failures[i];
        TEST_ASSERT_EQUAL_INT32(PVG_E_IO, pvg_ledger_open(&ledger, path));
        TEST_ASSERT_NULL(ledger);
        TEST_ASSERT_NOT_NULL(strstr(pvg_error_message(), "cannot lock"));
        TEST_ASSERT_EQUAL_INT32(PVG_E_IO, pvg_ledger_open_readonly(&ledger, path));
        TEST_ASSERT_EQUAL_INT64(bytes, size_of_file());
    }
    lock_answer = HONEST;
}

/* The locks begin to fail while a ledger is open: compaction needs a new one. */
static void a_lock_that_fails_in_an_exchange(void) {
    pvg_ledger *ledger = NULL;
    create_ledger();
    PVGT_OK(pvg_ledger_open(&ledger, path));
    for (int i = 0; i < FAILURES; i++) {
        lock_answer = failures[i];
        TEST_ASSERT_EQUAL_INT32(PVG_E_IO, pvg_ledger_compact(ledger));
    }
    lock_answer = HONEST;
    PVGT_OK(charge(ledger, 1, pure(0.25)));
    TEST_ASSERT_EQUAL_INT32(PVG_E_BUDGET, charge(ledger, 1, pure(0.75)));
    pvg_ledger_free(ledger);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    TEST_ASSERT_EQUAL_DOUBLE(0.5, spent(ledger, 1, 0));
    pvg_ledger_free(ledger);
}

static void locks_that_are_interrupted_are_asked_again(void) {
    pvg_ledger *ledger = NULL;
    create_ledger();
    interrupted = 5;
    asked = 0;
    PVGT_OK(pvg_ledger_open(&ledger, path));
    TEST_ASSERT_GREATER_OR_EQUAL_INT(6, asked);
    TEST_ASSERT_EQUAL_INT(0, interrupted);
    pvg_ledger_free(ledger);
}

/* A lock that keeps nobody out is noticed before anything is charged. */
static void locks_that_do_nothing_are_noticed(void) {
    const pvg_ledger_config config = budget(1, 0, 0);
    pvg_ledger *ledger = NULL;
    lock_answer = DOES_NOTHING;
    TEST_ASSERT_EQUAL_INT32(PVG_E_IO, pvg_ledger_create(&ledger, path, &config));
    TEST_ASSERT_NULL(ledger);
    TEST_ASSERT_EQUAL_INT64(-1, size_of_file());
    create_ledger();
    lock_answer = DOES_NOTHING;
    TEST_ASSERT_EQUAL_INT32(PVG_E_IO, pvg_ledger_open(&ledger, path));
    TEST_ASSERT_NULL(ledger);
    TEST_ASSERT_NOT_NULL(strstr(pvg_error_message(), "locks of its disk do nothing"));
    /* who only reads takes nothing from anybody */
    PVGT_OK(pvg_ledger_open_readonly(&ledger, path));
    TEST_ASSERT_EQUAL_DOUBLE(0.25, spent(ledger, 1, 0));
    pvg_ledger_free(ledger);
    lock_answer = HONEST;
}

/* Locks that were good when the ledger was opened and do nothing since (a disk mounted
 * anew): handles that charge by turns. Whoever comes second finds bytes that are not its
 * own, and the sum of what was acknowledged is in the file. */
static void handles_side_by_side_lose_nothing(void) {
    uint64_t state = 7;
    for (int round = 0; round < 200; round++) {
        pvg_ledger *ledger[3] = {0};
        int acknowledged = 1; /* quarters */
        unlink(path);
        create_ledger();
        for (int i = 0; i < 3; i++) {
            PVGT_OK(pvg_ledger_open(&ledger[i], path));
            /* as if each had a machine of its own */
            TEST_ASSERT_EQUAL_INT(0, __real_flock(ledger[i]->journal.file, LOCK_UN));
        }
        for (int turn = 0; turn < 12; turn++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
            const int who = (int)(state >> 33) % 3;
            acknowledged += charge(ledger[who], 1, pure(0.25)) == PVG_OK;
        }
        for (int i = 0; i < 3; i++) pvg_ledger_free(ledger[i]);
        PVGT_CHECK(acknowledged <= 4, "round %d: %d quarters of 4", round, acknowledged);
        PVGT_OK(pvg_ledger_open(&ledger[0], path));
        TEST_ASSERT_EQUAL_DOUBLE(0.25 * acknowledged, spent(ledger[0], 1, 0));
        pvg_ledger_free(ledger[0]);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(locks_that_fail_are_refused);
    RUN_TEST(a_lock_that_fails_in_an_exchange);
    RUN_TEST(locks_that_are_interrupted_are_asked_again);
    RUN_TEST(locks_that_do_nothing_are_noticed);
    RUN_TEST(handles_side_by_side_lose_nothing);
    return UNITY_END();
}
