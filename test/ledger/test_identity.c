/* Which file is the ledger: links, copies, backups, files whose place was taken, owners,
 * and the witness. */
#include "ledger_folder.h"
#include "ledger_help.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, SKIPPED = 77 };

static char other[sizeof path + 16];

static void create(double epsilon) {
    const pvg_ledger_config config = budget(epsilon, 0, 0);
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_create(&ledger, path, &config));
    PVGT_OK(charge(ledger, 1, pure(epsilon / 2)));
    pvg_ledger_free(ledger);
    snprintf(other, sizeof other, "%s.other", path);
}

/* Opens, charges, closes. */
static int32_t spend(const char *name, double epsilon) {
    pvg_ledger *ledger = NULL;
    int32_t status = pvg_ledger_open(&ledger, name);
    if (status == PVG_OK) status = charge(ledger, 1, pure(epsilon));
    pvg_ledger_free(ledger);
    return status;
}

static int32_t compact(const char *name) {
    pvg_ledger *ledger = NULL;
    int32_t status = pvg_ledger_open(&ledger, name);
    if (status == PVG_OK) status = pvg_ledger_compact(ledger);
    pvg_ledger_free(ledger);
    return status;
}

static double held(const char *name) {
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_open_readonly(&ledger, name));
    const double value = spent(ledger, 1, 0);
    pvg_ledger_free(ledger);
    return value;
}

/* Into the file that is there, if one is. */
static void copy_file(const char *from, const char *to) {
    static uint8_t bytes[1 << 17];
    FILE *in = fopen(from, "rb");
    TEST_ASSERT_NOT_NULL(in);
    const size_t count = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    FILE *out = fopen(to, "wb");
    TEST_ASSERT_NOT_NULL(out);
    TEST_ASSERT_EQUAL_size_t(count, fwrite(bytes, 1, count, out));
    fclose(out);
}

static void damage(const char *name, long at) {
    FILE *file = fopen(name, "r+b");
    TEST_ASSERT_NOT_NULL(file);
    TEST_ASSERT_EQUAL_INT(0, fseek(file, at, SEEK_SET));
    const int byte = fgetc(file);
    TEST_ASSERT_EQUAL_INT(0, fseek(file, at, SEEK_SET));
    fputc(byte ^ 4, file);
    fclose(file);
}

/* --- calls that end the process, or let somebody in ------------------------------- */

static int calls_left = -1;
static bool link_late; /* somebody makes a link while the name is taken */
static void next_call(void) {
    if (calls_left == 0) kill(getpid(), SIGKILL);
    if (calls_left > 0) calls_left--;
}

/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_fsync(int file);
int __wrap_fsync(int file);
int __wrap_fsync(int file) {
    next_call();
    return __real_fsync(file);
}

int __real_fdatasync(int file);
int __wrap_fdatasync(int file);
int __wrap_fdatasync(int file) {
    next_call();
    return __real_fdatasync(file);
}

ssize_t __real_pwrite64(int file, const void *from, size_t bytes, int64_t at);
ssize_t __wrap_pwrite64(int file, const void *from, size_t bytes, int64_t at);
ssize_t __wrap_pwrite64(int file, const void *from, size_t bytes, int64_t at) {
    next_call();
    return __real_pwrite64(file, from, bytes, at);
}

static bool rename_fails;
int __real_renameat(int from, const char *old, int to, const char *name);
int __wrap_renameat(int from, const char *old, int to, const char *name);
int __wrap_renameat(int from, const char *old, int to, const char *name) {
    next_call();
    if (link_late) TEST_ASSERT_EQUAL_INT(0, link(path, other));
    if (!rename_fails) return __real_renameat(from, old, to, name);
    errno = EPERM;
    return -1;
}

int __real_unlinkat(int at, const char *name, int flags);
int __wrap_unlinkat(int at, const char *name, int flags);
int __wrap_unlinkat(int at, const char *name, int flags) {
    next_call();
    return __real_unlinkat(at, name, flags);
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* --- links ------------------------------------------------------------------------ */

/* Half is spent. Whatever name is compacted or repaired, the other half is spent once. */
static void a_symbolic_link_is_the_ledger(void) {
    for (int how = 0; how < 2; how++) {
        char kept[sizeof path + 16];
        struct stat info;
        create(1);
        snprintf(kept, sizeof kept, "%s.damaged", path);
        TEST_ASSERT_EQUAL_INT(0, symlink("ledger", other));
        if (how == 0) {
            PVGT_OK(compact(other));
        } else {
            damage(path, PVGI_LEDGER_BEGIN + 70);
            PVGT_FAILS(PVG_E_FORMAT, "damaged", spend(path, 0.5));
            PVGT_OK(pvg_ledger_repair(other, kept));
            unlink(kept);
        }
        TEST_ASSERT_EQUAL_INT(0, lstat(other, &info));
        TEST_ASSERT_TRUE(S_ISLNK(info.st_mode));
        TEST_ASSERT_EQUAL_DOUBLE(0.5, held(path));
        PVGT_OK(spend(path, 0.25));
        PVGT_OK(spend(other, 0.25));
        PVGT_FAILS(PVG_E_BUDGET, "exceeds", spend(path, 0.125));
        PVGT_FAILS(PVG_E_BUDGET, "exceeds", spend(other, 0.125));
        unlink(path);
        unlink(other);
    }
}

static void hard_links_are_not_exchanged(void) {
    char kept[sizeof path + 16];
    create(1);
    snprintf(kept, sizeof kept, "%s.damaged", path);
    TEST_ASSERT_EQUAL_INT(0, link(path, other));
    PVGT_FAILS(PVG_E_IO, "has 2 names", compact(other));
    PVGT_FAILS(PVG_E_IO, "has 2 names", compact(path));
    PVGT_OK(spend(other, 0.25));
    PVGT_OK(spend(path, 0.25));
    PVGT_FAILS(PVG_E_BUDGET, "exceeds", spend(other, 0.125));
    damage(path, PVGI_LEDGER_BEGIN + 70);
    PVGT_FAILS(PVG_E_IO, "has 2 names", pvg_ledger_repair(other, kept));
    TEST_ASSERT_EQUAL_INT(-1, access(kept, F_OK));
    TEST_ASSERT_EQUAL_INT(0, unlink(other));
    PVGT_OK(pvg_ledger_repair(path, kept));
    TEST_ASSERT_EQUAL_INT(0, unlink(kept));
    TEST_ASSERT_EQUAL_DOUBLE(1, held(path));
}

/* The link was made between the look and the exchange: it leads to the old file, which
 * says so. */
static void a_link_that_comes_late_is_superseded(void) {
    int32_t condition = -1;
    char text[200];
    size_t length;
    create(1);
    link_late = true;
    PVGT_OK(compact(path));
    link_late = false;
    PVGT_FAILS(PVG_E_PRIVACY, "superseded", spend(other, 0.5));
    pvg_ledger *ledger = NULL;
    PVGT_FAILS(PVG_E_PRIVACY, "superseded", pvg_ledger_open_readonly(&ledger, other));
    PVGT_FAILS(PVG_E_PRIVACY, "superseded", pvg_ledger_claim(other, NULL));
    PVGT_FAILS(PVG_E_PRIVACY, "superseded", pvg_ledger_repair(other, "unused"));
    PVGT_OK(pvg_ledger_verify(text, sizeof text, &length, &condition, other));
    TEST_ASSERT_EQUAL_INT32(PVG_LEDGER_SUPERSEDED, condition);
    PVGT_OK(spend(path, 0.5));
    unlink(other);
}

/* A mount of the file itself under another name. */
static int mounted(void) {
    FILE *file = fopen(other, "wb");
    if (!file) return 1;
    fclose(file);
    if (unshare(CLONE_NEWNS) != 0) return SKIPPED;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return SKIPPED;
    if (mount(path, other, NULL, MS_BIND, NULL) != 0) return SKIPPED;
    if (compact(path) != PVG_OK) return 2;
    if (spend(other, 0.25) != PVG_E_PRIVACY) return 3;
    if (!strstr(pvg_error_message(), "superseded")) return 4;
    /* the name itself cannot be taken while it is mounted: nothing is changed */
    if (umount(other) != 0 || mount(path, other, NULL, MS_BIND, NULL) != 0) return 5;
    if (compact(other) != PVG_E_IO) return 6;
    if (spend(other, 0.25) != PVG_OK || spend(path, 0.25) != PVG_OK) return 7;
    return spend(path, 0.125) == PVG_E_BUDGET ? 0 : 8;
}

static int in_child(int (*run)(void)) {
    int status = -1;
    const pid_t child = fork();
    if (child == 0) _exit(run());
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
    TEST_ASSERT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_mounted_file_is_superseded(void) {
    create(1);
    const int code = in_child(mounted);
    unlink(other);
    if (code == SKIPPED) TEST_IGNORE_MESSAGE("mounting is not allowed here");
    TEST_ASSERT_EQUAL_INT(0, code);
}

/* Killed before each call of an exchange: the next process finds the ledger, with all
 * that was charged, and nothing beside it; a link made in the last moment takes nothing
 * that the ledger takes too. */
static void a_killed_exchange_forks_nothing(void) {
    bool survived = false;
    for (int calls = 0; !survived; calls++) {
        int status = 0;
        TEST_ASSERT_TRUE(calls < 40);
        create(1);
        const pid_t child = fork();
        if (child == 0) {
            pvg_ledger *mine = NULL;
            if (pvg_ledger_open(&mine, path) != PVG_OK) _exit(1);
            link_late = true;
            calls_left = calls;
            const int32_t done = pvg_ledger_compact(mine);
            calls_left = -1;
            _exit(done == PVG_OK ? 0 : 2);
        }
        TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
        survived = WIFEXITED(status);
        if (survived) TEST_ASSERT_EQUAL_INT(0, WEXITSTATUS(status));
        PVGT_OK(spend(path, 0.25));
        const bool linked = access(other, F_OK) == 0;
        if (linked) {
            int32_t late = spend(other, 0.25);
            TEST_ASSERT_EQUAL_INT32(PVG_E_PRIVACY, late);
            unlink(other);
        }
        TEST_ASSERT_EQUAL_DOUBLE(0.75, held(path));
        PVGT_OK(spend(path, 0.25));
        PVGT_FAILS(PVG_E_BUDGET, "exceeds", spend(path, 0.125));
        TEST_ASSERT_EQUAL_INT(0, unlink(path));
        TEST_ASSERT_EQUAL_INT(0, rmdir(folder)); /* nothing else is in it */
        TEST_ASSERT_EQUAL_INT(0, mkdir(folder, 0700));
    }
}

/* The name cannot be taken (a folder with the sticky bit): all is as before. */
static void an_exchange_that_fails_changes_nothing(void) {
    pvg_ledger *ledger = NULL;
    create(1);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    rename_fails = true;
    PVGT_FAILS(PVG_E_IO, "cannot replace", pvg_ledger_compact(ledger));
    rename_fails = false;
    PVGT_OK(charge(ledger, 1, pure(0.25)));
    pvg_ledger_free(ledger);
    TEST_ASSERT_EQUAL_DOUBLE(0.75, held(path));
    PVGT_OK(compact(path));
    TEST_ASSERT_EQUAL_INT(0, unlink(path));
    TEST_ASSERT_EQUAL_INT(0, rmdir(folder));
    TEST_ASSERT_EQUAL_INT(0, mkdir(folder, 0700));
}

/* --- copies ----------------------------------------------------------------------- */

static bool files_are_told_apart(void) {
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_open(&ledger, path));
    const bool known = ledger->identity.place.born != 0;
    pvg_ledger_free(ledger);
    return known;
}

static void a_copy_takes_no_charges(void) {
    char kept[sizeof path + 16], text[300];
    size_t length;
    int32_t condition = -1;
    create(1);
    snprintf(kept, sizeof kept, "%s.damaged", path);
    if (!files_are_told_apart())
        TEST_IGNORE_MESSAGE("this file system does not tell files apart");
    copy_file(path, other);
    PVGT_FAILS(PVG_E_PRIVACY, "a copy", spend(other, 0.5));
    PVGT_FAILS(PVG_E_PRIVACY, "a copy", compact(other));
    TEST_ASSERT_EQUAL_DOUBLE(0.5, held(other));
    PVGT_OK(pvg_ledger_verify(text, sizeof text, &length, &condition, other));
    TEST_ASSERT_EQUAL_INT32(PVG_LEDGER_WHOLE, condition);
    TEST_ASSERT_NOT_NULL(strstr(text, "a copy"));
    /* repair does not make it the ledger */
    damage(other, PVGI_LEDGER_BEGIN + 70);
    PVGT_OK(pvg_ledger_repair(other, kept));
    PVGT_FAILS(PVG_E_FORMAT, "damaged", spend(kept, 0.5));
    unlink(kept);
    PVGT_FAILS(PVG_E_PRIVACY, "a copy", spend(other, 0.5));
    /* what was charged meanwhile: the backup is put back, and refused */
    PVGT_OK(spend(path, 0.25));
    TEST_ASSERT_EQUAL_INT(0, rename(other, path));
    PVGT_FAILS(PVG_E_PRIVACY, "a copy", spend(path, 0.5));
    /* somebody says that nothing is missing */
    PVGT_OK(pvg_ledger_claim(path, NULL));
    PVGT_OK(spend(path, 0.5));
    PVGT_FAILS(PVG_E_BUDGET, "exceeds", spend(path, 0.125));
}

/* A new name is no new file. */
static void a_renamed_ledger_goes_on(void) {
    create(1);
    TEST_ASSERT_EQUAL_INT(0, rename(path, other));
    PVGT_OK(spend(other, 0.25));
    PVGT_OK(compact(other));
    TEST_ASSERT_EQUAL_INT(0, rename(other, path));
    PVGT_OK(spend(path, 0.25));
}

/* Old bytes of the same length, written over the file of an open ledger. */
static void an_open_handle_looks_before_it_charges(void) {
    pvg_ledger *ledger = NULL;
    create(1);
    for (int how = 0; how < 2; how++) {
        PVGT_OK(pvg_ledger_open(&ledger, path));
        const long slot = PVGI_LEDGER_SLOT_AT * (long)(ledger->sequence % 2 + 1);
        const long at = how == 0 ? slot + 3 : PVGI_LEDGER_MAGIC - 1;
        const uint8_t byte = how == 0 ? 9 : PVGI_LEDGER_SUPERSEDED;
        uint8_t old = 0;
        const int file = open(path, O_RDWR);
        TEST_ASSERT_EQUAL_INT(1, pread(file, &old, 1, at));
        TEST_ASSERT_EQUAL_INT(1, pwrite(file, &byte, 1, at));
        PVGT_FAILS(how ? PVG_E_PRIVACY : PVG_E_IO, how ? "superseded" : "changed by",
                   charge(ledger, 1, pure(0.25)));
        PVGT_FAILS(PVG_E_IO, "open the file again", charge(ledger, 1, pure(0.25)));
        TEST_ASSERT_EQUAL_INT(1, pwrite(file, &old, 1, at));
        close(file);
        pvg_ledger_free(ledger);
        TEST_ASSERT_EQUAL_DOUBLE(0.5, held(path));
    }
}

/* Which ledger it is stands there twice: one place may be damaged and is put right. */
static void a_damaged_identity_is_refused_or_repaired(void) {
    char kept[sizeof path + 16], text[300];
    size_t length;
    int32_t condition = -1;
    create(1);
    snprintf(kept, sizeof kept, "%s.damaged", path);
    for (long at = 0; at < PVGI_LEDGER_IDENTITY; at += 41) {
        damage(path, PVGI_LEDGER_IDENTITY_AT + at);
        PVGT_OK(pvg_ledger_verify(text, sizeof text, &length, &condition, path));
        TEST_ASSERT_EQUAL_INT32(PVG_LEDGER_REPAIRABLE, condition);
        PVGT_OK(pvg_ledger_repair(path, kept));
        TEST_ASSERT_EQUAL_INT(0, unlink(kept));
        PVGT_OK(spend(path, 0x1p-10));
    }
    damage(path, PVGI_LEDGER_IDENTITY_AT + 5);
    damage(path, 2 * PVGI_LEDGER_IDENTITY_AT + 5);
    PVGT_FAILS(PVG_E_FORMAT, "which ledger", spend(path, 0x1p-10));
    PVGT_FAILS(PVG_E_FORMAT, "forgetting", pvg_ledger_repair(path, kept));
}

/* --- owners and readers ----------------------------------------------------------- */

static void compaction_keeps_the_owner(void) {
    struct stat before, after;
    if (geteuid() != 0) TEST_IGNORE_MESSAGE("needs root");
    create(1);
    TEST_ASSERT_EQUAL_INT(0, chown(path, NOBODY, NOBODY));
    TEST_ASSERT_EQUAL_INT(0, chmod(path, 0640));
    TEST_ASSERT_EQUAL_INT(0, stat(path, &before));
    PVGT_OK(compact(path));
    TEST_ASSERT_EQUAL_INT(0, stat(path, &after));
    TEST_ASSERT_NOT_EQUAL(before.st_ino, after.st_ino);
    TEST_ASSERT_EQUAL_UINT(NOBODY, after.st_uid);
    TEST_ASSERT_EQUAL_UINT(NOBODY, after.st_gid);
    TEST_ASSERT_EQUAL_UINT(0640, after.st_mode & 07777);
}

/* Somebody who may write the file, but not give a new one to its owner. */
static int cannot_give(void) {
    if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0) return SKIPPED;
    if (compact(path) != PVG_E_IO) return 1;
    return spend(path, 0.25) == PVG_OK ? 0 : 2;
}

static void an_owner_that_cannot_be_kept_is_refused(void) {
    if (geteuid() != 0) TEST_IGNORE_MESSAGE("needs root");
    create(1);
    TEST_ASSERT_EQUAL_INT(0, chmod(folder, 0777));
    TEST_ASSERT_EQUAL_INT(0, chmod(path, 0666));
    TEST_ASSERT_EQUAL_INT(0, in_child(cannot_give));
    TEST_ASSERT_EQUAL_DOUBLE(0.75, held(path));
    TEST_ASSERT_EQUAL_INT(0, unlink(path));
    TEST_ASSERT_EQUAL_INT(0, rmdir(folder)); /* nothing else is in it */
    TEST_ASSERT_EQUAL_INT(0, mkdir(folder, 0700));
}

/* Who may only read can read, several at once; nothing is written. */
static int only_reads(void) {
    pvg_ledger *first = NULL, *second = NULL;
    char text[300];
    size_t length;
    int32_t condition = -1;
    if (geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) return SKIPPED;
    if (pvg_ledger_open(&first, path) != PVG_E_IO) return 1;
    if (pvg_ledger_open_readonly(&first, path) != PVG_OK) return 2;
    if (pvg_ledger_open_readonly(&second, path) != PVG_OK) return 3;
    if (pvg_ledger_verify(text, sizeof text, &length, &condition, path) != PVG_OK)
        return 4;
    if (charge(first, 1, pure(0.25)) != PVG_E_ARGUMENT) return 5;
    if (pvg_ledger_compact(first) != PVG_E_ARGUMENT) return 6;
    if (pvg_ledger_add_witness(first, "w") == PVG_OK) return 7;
    if (spent(second, 1, 0) != 0.5) return 8;
    pvg_ledger_free(first);
    pvg_ledger_free(second);
    return 0;
}

static void readers_need_no_right_to_write(void) {
    struct stat before, after;
    create(1);
    TEST_ASSERT_EQUAL_INT(0, chmod(path, 0444));
    TEST_ASSERT_EQUAL_INT(0, chmod(folder, 0555));
    TEST_ASSERT_EQUAL_INT(0, stat(path, &before));
    const int code = in_child(only_reads);
    TEST_ASSERT_EQUAL_INT(0, chmod(folder, 0755));
    TEST_ASSERT_EQUAL_INT(0, stat(path, &after));
    TEST_ASSERT_EQUAL_INT(0, code);
    TEST_ASSERT_EQUAL_INT64(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    /* a reader and one who charges are not there at the same time */
    pvg_ledger *reader = NULL, *ledger = NULL;
    TEST_ASSERT_EQUAL_INT(0, chmod(path, 0600));
    PVGT_OK(pvg_ledger_open_readonly(&reader, path));
    PVGT_FAILS(PVG_E_BUSY, "in use", pvg_ledger_open(&ledger, path));
    pvg_ledger_free(reader);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    PVGT_FAILS(PVG_E_BUSY, "in use", pvg_ledger_open_readonly(&reader, path));
    pvg_ledger_free(ledger);
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL", pvg_ledger_open_readonly(NULL, path));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL", pvg_ledger_open_readonly(&ledger, NULL));
}

/* --- the witness ------------------------------------------------------------------ */

static char witness[sizeof path + 16];

static void create_with_witness(void) {
    pvg_ledger *ledger = NULL;
    create(1);
    snprintf(witness, sizeof witness, "%s.witness", path);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    PVGT_OK(pvg_ledger_add_witness(ledger, witness));
    PVGT_OK(charge(ledger, 1, pure(0.125)));
    PVGT_OK(pvg_ledger_compact(ledger));
    PVGT_OK(charge(ledger, 1, pure(0.125)));
    pvg_ledger_free(ledger);
}

static void old_bytes_are_refused_by_the_witness(void) {
    create_with_witness();
    copy_file(path, other);
    PVGT_OK(spend(path, 0.125));
    copy_file(other, path); /* the same file: it cannot notice */
    PVGT_FAILS(PVG_E_PRIVACY, "older copy", spend(path, 0.25));
    PVGT_FAILS(PVG_E_PRIVACY, "older copy", pvg_ledger_claim(path, NULL));
    TEST_ASSERT_EQUAL_DOUBLE(0.75, held(path)); /* reading asks no witness */
    unlink(other);
    unlink(witness);
}

static void charging_needs_both(void) {
    pvg_ledger *ledger = NULL;
    char elsewhere[sizeof witness + 16];
    create_with_witness();
    snprintf(elsewhere, sizeof elsewhere, "%s.kept", witness);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    PVGT_FAILS(PVG_E_BUSY, "in use", pvg_ledger_claim(path, NULL));
    /* it goes while the ledger is open: not charged as far as anybody is told, and the
     * file counts it */
    TEST_ASSERT_EQUAL_INT(0, rename(witness, elsewhere));
    PVGT_FAILS(PVG_E_IO, "witness", charge(ledger, 1, pure(0.125)));
    PVGT_FAILS(PVG_E_IO, "", charge(ledger, 1, pure(0.125)));
    pvg_ledger_free(ledger);
    PVGT_FAILS(PVG_E_IO, "witness", spend(path, 0.125));
    /* its ledger is not missing: no reason to make a new one */
    const pvg_ledger_config same = budget(1, 0, 0);
    PVGT_FAILS(PVG_E_IO, "witness", pvg_ledger_open_or_create(&ledger, path, &same));
    TEST_ASSERT_EQUAL_INT(0, rename(elsewhere, witness));
    PVGT_OK(spend(path, 0.0625));
    TEST_ASSERT_EQUAL_DOUBLE(0.9375, held(path)); /* with the one that failed */
    /* in use: the ledger of that witness is open somewhere, and nobody takes its place */
    copy_file(path, other);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    PVGT_FAILS(PVG_E_BUSY, "witness", pvg_ledger_claim(other, NULL));
    PVGT_FAILS(PVG_E_BUSY, "witness", pvg_ledger_claim(other, elsewhere));
    pvg_ledger_free(ledger);
    unlink(other);
    /* lost for good: named anew, by whoever says that nothing is missing */
    TEST_ASSERT_EQUAL_INT(0, unlink(witness));
    PVGT_FAILS(PVG_E_IO, "name a new one", pvg_ledger_claim(path, NULL));
    PVGT_OK(pvg_ledger_claim(path, elsewhere));
    PVGT_OK(spend(path, 0.0625));
    PVGT_FAILS(PVG_E_BUDGET, "exceeds", spend(path, 0.0625));
    /* moved: the same one under another name */
    TEST_ASSERT_EQUAL_INT(0, rename(elsewhere, witness));
    PVGT_OK(pvg_ledger_claim(path, witness));
    PVGT_FAILS(PVG_E_BUDGET, "exceeds", spend(path, 0.0625));
    unlink(witness);
}

static void a_witness_is_never_written_over(void) {
    pvg_ledger *ledger = NULL, *memory = fresh(1, 0, 0);
    create(1);
    FILE *file = fopen(other, "wb");
    TEST_ASSERT_NOT_NULL(file);
    fputs("something else", file);
    fclose(file);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    PVGT_FAILS(PVG_E_FORMAT, "not a witness", pvg_ledger_add_witness(ledger, other));
    pvg_ledger_free(ledger);
    PVGT_OK(pvg_ledger_open(&ledger, path)); /* has none */
    PVGT_FAILS(PVG_E_BUSY, "in use", pvg_ledger_add_witness(ledger, path));
    pvg_ledger_free(ledger);
    PVGT_OK(spend(path, 0.25));
    PVGT_OK(pvg_ledger_open(&ledger, path));
    PVGT_FAILS(PVG_E_MISSING, "folder", pvg_ledger_add_witness(ledger, "/nonexistent/x"));
    PVGT_FAILS(PVG_E_ARGUMENT, "no file", pvg_ledger_add_witness(memory, other));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL", pvg_ledger_add_witness(ledger, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL", pvg_ledger_add_witness(NULL, other));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL", pvg_ledger_claim(NULL, NULL));
    pvg_ledger_free(ledger);
    pvg_ledger_free(memory);
    unlink(other);
}

/* Killed in each call of a charge with a witness, of taking one, and of compacting: what
 * was told counts, at most one more does, and the ledger goes on. */
static void a_kill_between_file_and_witness(void) {
    for (int what = 0; what < 3; what++) {
        bool survived = false;
        for (int calls = 0; !survived; calls++) {
            int status = 0;
            TEST_ASSERT_TRUE(calls < 60);
            create_with_witness();
            snprintf(other, sizeof other, "%s.second", path);
            const pid_t child = fork();
            if (child == 0) {
                pvg_ledger *mine = NULL;
                if (pvg_ledger_open(&mine, path) != PVG_OK) _exit(1);
                calls_left = calls;
                const int32_t done = what == 0   ? charge(mine, 1, pure(0.125))
                                     : what == 1 ? pvg_ledger_compact(mine)
                                                 : pvg_ledger_add_witness(mine, other);
                calls_left = -1;
                _exit(done == PVG_OK ? 0 : 2);
            }
            TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
            survived = WIFEXITED(status);
            if (survived) TEST_ASSERT_EQUAL_INT(0, WEXITSTATUS(status));
            PVGT_CHECK(spend(path, 0.0625) == PVG_OK, "what %d calls %d: %s", what, calls,
                       pvg_error_message());
            const double now = held(path);
            TEST_ASSERT_TRUE(now == 0.8125 || (what == 0 && now == 0.9375));
            if (survived) TEST_ASSERT_EQUAL_DOUBLE(what ? 0.8125 : 0.9375, now);
            TEST_ASSERT_EQUAL_INT(0, unlink(path));
            unlink(witness);
            unlink(other);
            TEST_ASSERT_EQUAL_INT(0, rmdir(folder)); /* nothing else is in it */
            TEST_ASSERT_EQUAL_INT(0, mkdir(folder, 0700));
        }
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(a_symbolic_link_is_the_ledger);
    RUN_TEST(hard_links_are_not_exchanged);
    RUN_TEST(a_link_that_comes_late_is_superseded);
    RUN_TEST(a_mounted_file_is_superseded);
    RUN_TEST(a_killed_exchange_forks_nothing);
    RUN_TEST(an_exchange_that_fails_changes_nothing);
    RUN_TEST(a_copy_takes_no_charges);
    RUN_TEST(a_renamed_ledger_goes_on);
    RUN_TEST(an_open_handle_looks_before_it_charges);
    RUN_TEST(a_damaged_identity_is_refused_or_repaired);
    RUN_TEST(compaction_keeps_the_owner);
    RUN_TEST(an_owner_that_cannot_be_kept_is_refused);
    RUN_TEST(readers_need_no_right_to_write);
    RUN_TEST(old_bytes_are_refused_by_the_witness);
    RUN_TEST(charging_needs_both);
    RUN_TEST(a_witness_is_never_written_over);
    RUN_TEST(a_kill_between_file_and_witness);
    return pvgt_end(UNITY_END());
}
