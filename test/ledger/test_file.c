/* ledger in files: locks, forks, threads, a full disk, a killed process. */
#include "ledger_folder.h"
#include "ledger_help.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- files ---------------------------------------------------------------------- */

static pvg_ledger *create(double epsilon, double delta) {
    const pvg_ledger_config config = budget(epsilon, delta, 0);
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_create(&ledger, path, &config));
    return ledger;
}

static void a_file_keeps_the_ledger(void) {
    pvg_ledger *ledger = create(2, 1e-6), *again = NULL;
    PVGT_OK(charge(ledger, 1, pure(0.1)));
    PVGT_OK(charge(ledger, 2, gdp(0.3)));
    PVGT_OK(charge(ledger, 1, zcdp(0.01)));
    PVGT_OK(
        charge(ledger, 3,
               curve_of((pvg_curve_term){
                   .kind = PVG_CURVE_SAMPLED, .rate = 0.01, .mu = 0.4, .steps = 100})));
    const uint64_t batch[] = {2, 3, 2};
    pvg_curve *small = gdp(0.1);
    PVGT_OK(charge_curve(ledger, batch, 3, PVG_NOTION_EDGE, small));
    pvg_curve_free(small);
    double before[4], after[4];
    char json[2][1000];
    size_t length;
    for (uint64_t i = 0; i < 4; i++) before[i] = spent(ledger, i, 1e-7);
    PVGT_OK(pvg_ledger_copy_json(json[0], sizeof json[0], &length, ledger));
    PVGT_FAILS(PVG_E_BUSY, "in use", pvg_ledger_open(&again, path));
    TEST_ASSERT_NULL(again);
    PVGT_FAILS(PVG_E_IO, "cannot create",
               pvg_ledger_create(&again, path,
                                 &(pvg_ledger_config){.size = sizeof(pvg_ledger_config),
                                                      .notion = 1,
                                                      .epsilon = 1}));
    pvg_ledger_free(ledger);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    for (uint64_t i = 0; i < 4; i++) after[i] = spent(ledger, i, 1e-7);
    TEST_ASSERT_EQUAL_MEMORY(before, after, sizeof before);
    PVGT_OK(pvg_ledger_copy_json(json[1], sizeof json[1], &length, ledger));
    TEST_ASSERT_EQUAL_STRING(json[0], json[1]);
    PVGT_FAILS(PVG_E_BUDGET, "exceeds", charge(ledger, 1, pure(1.999)));
    pvg_ledger_free(ledger);
    unlink(path);
    PVGT_FAILS(PVG_E_MISSING, "cannot open", pvg_ledger_open(&ledger, path));
    PVGT_FAILS(PVG_E_MISSING, "cannot open", pvg_ledger_open(&ledger, "/nonexistent/x"));
    PVGT_FAILS(PVG_E_IO, "", pvg_ledger_open(&ledger, folder));
    PVGT_FAILS(PVG_E_ARGUMENT, "path is NULL", pvg_ledger_open(&ledger, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_ledger_open(NULL, path));
    PVGT_FAILS(PVG_E_ARGUMENT, "path is NULL", pvg_ledger_create(&ledger, NULL, NULL));
    TEST_ASSERT_NULL(ledger);
}

/* The disk refuses: nothing is charged, and when it has room again all goes on. */
static void a_full_disk_charges_nothing(void) {
    pvg_ledger *ledger = create(2, 1e-6);
    struct rlimit old, small;
    PVGT_OK(charge(ledger, 1, pure(0.5)));
    TEST_ASSERT_EQUAL_INT(0, getrlimit(RLIMIT_FSIZE, &old));
    small = old;
    small.rlim_cur = ledger->journal.bytes + 20; /* room for part of a record */
    signal(SIGXFSZ, SIG_IGN);
    TEST_ASSERT_EQUAL_INT(0, setrlimit(RLIMIT_FSIZE, &small));
    const int32_t status = charge(ledger, 1, pure(0.5));
    TEST_ASSERT_EQUAL_INT(0, setrlimit(RLIMIT_FSIZE, &old));
    signal(SIGXFSZ, SIG_DFL);
    TEST_ASSERT_EQUAL_INT32(PVG_E_IO, status);
    TEST_ASSERT_FALSE(ledger->journal.broken);
    TEST_ASSERT_EQUAL_DOUBLE(0.5, spent(ledger, 1, 0));
    PVGT_OK(charge(ledger, 1, pure(0.25)));
    pvg_ledger_free(ledger);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    TEST_ASSERT_EQUAL_DOUBLE(0.75, spent(ledger, 1, 0));
    /* what is unknown on the disk stops everything */
    ledger->journal.broken = true;
    PVGT_FAILS(PVG_E_IO, "open the file again", charge(ledger, 1, pure(0.25)));
    TEST_ASSERT_EQUAL_DOUBLE(0.75, spent(ledger, 1, 0));
    pvg_ledger_free(ledger);
}

/* What a service asks for when it starts: whichever of the two it is. */
static void opened_or_created(void) {
    static const struct {
        const char *what;
        pvg_ledger_config config;
    } others[] = {
        {"notion", {.notion = PVG_NOTION_NODE, .epsilon = 2, .delta = 1e-6}},
        {"epsilon", {.notion = PVG_NOTION_EDGE, .epsilon = 3, .delta = 1e-6}},
        {"epsilon", {.notion = PVG_NOTION_EDGE, .epsilon = 1, .delta = 1e-6}},
        {"delta", {.notion = PVG_NOTION_EDGE, .epsilon = 2, .delta = 1e-5}},
        {"method", {.notion = PVG_NOTION_EDGE, .epsilon = 2, .delta = 1e-6, .method = 1}},
        {"order",
         {.notion = PVG_NOTION_EDGE,
          .epsilon = 2,
          .delta = 1e-6,
          .method = PVG_METHOD_RENYI,
          .order = 3}},
        {"objects",
         {.notion = PVG_NOTION_EDGE, .epsilon = 2, .delta = 1e-6, .objects = "foes"}},
    };
    pvg_ledger_config config = budget(2, 1e-6, PVG_METHOD_RENYI);
    pvg_ledger *ledger = NULL, *again = NULL;
    config.order = 2;
    config.objects = "friends\nmutag*3";
    PVGT_OK(pvg_ledger_open_or_create(&ledger, path, &config));
    PVGT_OK(charge(ledger, pvg_ledger_object("friends"), pure(0.5)));
    PVGT_FAILS(PVG_E_BUSY, "in use", pvg_ledger_open_or_create(&again, path, &config));
    TEST_ASSERT_NULL(again);
    pvg_ledger_free(ledger);
    /* the same in other words, and less said: what was charged is there */
    config.objects = "mutag*3\nfriends\n";
    for (int said = 3; said >= 0; said--) {
        if (said < 3) config.objects = NULL;
        if (said < 2) config.order = 0;
        if (said < 1) config.method = PVG_METHOD_DEFAULT;
        PVGT_OK(pvg_ledger_open_or_create(&ledger, path, &config));
        TEST_ASSERT_EQUAL_INT64(1, pvg_ledger_charge_count(ledger));
        PVGT_FAILS(PVG_E_PRIVACY, "none of the", charge(ledger, 77, pure(0.125)));
        pvg_ledger_free(ledger);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char text[64];
        pvg_ledger_config other = others[i].config;
        other.size = sizeof other;
        snprintf(text, sizeof text, "config->%s is not that of", others[i].what);
        ledger = NULL;
        PVGT_FAILS(PVG_E_ARGUMENT, text,
                   pvg_ledger_open_or_create(&ledger, path, &other));
        TEST_ASSERT_NULL(ledger);
    }
    PVGT_OK(pvg_ledger_open(&ledger, path)); /* no failure keeps the lock */
    pvg_ledger_free(ledger);
    config.epsilon = -1;
    PVGT_FAILS(PVG_E_ARGUMENT, "epsilon",
               pvg_ledger_open_or_create(&ledger, path, &config));
    config.epsilon = 2;
    PVGT_FAILS(PVG_E_MISSING, "cannot create",
               pvg_ledger_open_or_create(&ledger, "/nonexistent/x", &config));
    PVGT_FAILS(PVG_E_ARGUMENT, "path is NULL",
               pvg_ledger_open_or_create(&ledger, NULL, &config));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_ledger_open_or_create(NULL, path, &config));
    PVGT_FAILS(PVG_E_ARGUMENT, "config is NULL",
               pvg_ledger_open_or_create(&ledger, path, NULL));
}

/* A link to nowhere is no file and no free name. */
static void nothing_is_made_behind_a_link(void) {
    const pvg_ledger_config config = budget(2, 1e-6, 0);
    pvg_ledger *ledger = NULL;
    TEST_ASSERT_EQUAL_INT(0, symlink("nowhere", path));
    PVGT_FAILS(PVG_E_IO, "cannot create: File exists",
               pvg_ledger_open_or_create(&ledger, path, &config));
    TEST_ASSERT_NULL(ledger);
    unlink(path);
}

/* Both open or create the same path at once, again and again: one budget comes of it. */
static void two_processes_begin_one_ledger(void) {
    enum { ROUNDS = 20 };
    const pvg_ledger_config config = budget(1, 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        pid_t children[2];
        pvg_ledger *ledger = NULL;
        unlink(path);
        for (int i = 0; i < 2; i++) {
            children[i] = fork();
            if (children[i] == 0) {
                int32_t status;
                while ((status = pvg_ledger_open_or_create(&ledger, path, &config)) ==
                       PVG_E_BUSY)
                    sched_yield();
                if (status == PVG_OK) status = charge(ledger, 1, pure(0.5));
                _exit(status == PVG_OK ? 0 : -status);
            }
        }
        for (int i = 0; i < 2; i++) {
            int code = -1;
            TEST_ASSERT_EQUAL_INT(children[i], waitpid(children[i], &code, 0));
            TEST_ASSERT_TRUE(WIFEXITED(code));
            TEST_ASSERT_EQUAL_INT(0, WEXITSTATUS(code));
        }
        PVGT_OK(pvg_ledger_open(&ledger, path));
        TEST_ASSERT_EQUAL_INT64(2, pvg_ledger_charge_count(ledger));
        PVGT_FAILS(PVG_E_BUDGET, "exceeds", charge(ledger, 1, pure(0.5)));
        pvg_ledger_free(ledger);
    }
}

/* --- processes and threads ------------------------------------------------------ */

/* In the child: the handle refuses, the file is locked. */
static int fork_child(pvg_ledger *ledger, pvg_ledger *memory) {
    pvg_ledger *other = NULL;
    double value;
    if (charge(ledger, 1, pure(0.1)) != PVG_E_PRIVACY) return 1;
    if (!strstr(pvg_error_message(), "forked")) return 2;
    if (charge(memory, 1, pure(0.1)) != PVG_E_PRIVACY) return 3;
    if (pvg_ledger_spent(&value, ledger, 1, 0) != PVG_E_PRIVACY) return 4;
    if (pvg_ledger_open(&other, path) != PVG_E_BUSY) return 5;
    pvg_ledger_free(ledger);
    pvg_ledger_free(memory);
    return 0;
}

static void a_forked_process_cannot_spend(void) {
    pvg_ledger *ledger = create(1, 0), *memory = fresh(1, 0, 0), *other = NULL;
    const pid_t child = fork();
    if (child == 0) _exit(fork_child(ledger, memory));
    int status = -1;
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
    TEST_ASSERT_TRUE(WIFEXITED(status));
    TEST_ASSERT_EQUAL_INT(0, WEXITSTATUS(status));
    /* the child's end has not released the parent's lock */
    PVGT_FAILS(PVG_E_BUSY, "in use", pvg_ledger_open(&other, path));
    PVGT_OK(charge(ledger, 1, pure(1)));
    pvg_ledger_free(ledger);
    pvg_ledger_free(memory);
}

/* In namespaces of their own, parent and child have the same process number. Exit codes:
 * 0 the child was refused, 77 namespaces are not allowed here, others: failures. */
static int same_number(void) {
    if (unshare(CLONE_NEWPID) != 0) return 77;
    int status = -1;
    const pid_t parent = fork();
    if (parent == 0) {
        const pid_t number = getpid();
        pvg_ledger *ledger = create(1, 0), *memory = fresh(1, 0, 0);
        if (unshare(CLONE_NEWPID) != 0) _exit(77);
        const pid_t child = fork();
        if (child == 0) _exit(getpid() != number ? 10 : fork_child(ledger, memory));
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) _exit(11);
        if (WEXITSTATUS(status) != 0) _exit(WEXITSTATUS(status));
        _exit(charge(ledger, 1, pure(1)) == PVG_OK ? 0 : 12);
    }
    if (parent < 0) return 77;
    if (waitpid(parent, &status, 0) != parent || !WIFEXITED(status)) return 13;
    return WEXITSTATUS(status);
}

static void a_copy_with_the_same_number_cannot_spend(void) {
    int status = -1;
    const pid_t child = fork();
    if (child == 0) _exit(same_number());
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
    TEST_ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        TEST_IGNORE_MESSAGE("process namespaces are not allowed here");
    TEST_ASSERT_EQUAL_INT(0, WEXITSTATUS(status));
}

/* Someone else wrote to the file: its end is not where this process left it. */
static void a_changed_file_is_not_written(void) {
    pvg_ledger *ledger = create(1, 0);
    PVGT_OK(charge(ledger, 1, pure(0.25)));
    FILE *file = fopen(path, "ab");
    TEST_ASSERT_NOT_NULL(file);
    TEST_ASSERT_EQUAL_INT('x', fputc('x', file));
    TEST_ASSERT_EQUAL_INT(0, fclose(file));
    PVGT_FAILS(PVG_E_IO, "changed by someone else", charge(ledger, 1, pure(0.25)));
    PVGT_FAILS(PVG_E_IO, "open the file again", charge(ledger, 1, pure(0.25)));
    TEST_ASSERT_EQUAL_DOUBLE(0.25, spent(ledger, 1, 0));
    pvg_ledger_free(ledger);
}

static void copy_file(const char *from, const char *to) {
    uint8_t bytes[65536];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    TEST_ASSERT_NOT_NULL(in);
    TEST_ASSERT_NOT_NULL(out);
    const size_t count = fread(bytes, 1, sizeof bytes, in);
    TEST_ASSERT_EQUAL_size_t(count, fwrite(bytes, 1, count, out));
    fclose(in);
    fclose(out);
}

/* The file was replaced by a copy, renamed or removed: what the old handle would still
 * charge would be forgotten with it. Two eighths, six on the old handle, six on the new
 * one would be 14 of 8. */
static void a_replaced_file_takes_no_charges(void) {
    char other[sizeof path + 8];
    snprintf(other, sizeof other, "%s.new", path);
    for (int how = 0; how < 3; how++) {
        pvg_ledger *ledger = create(1, 0), *again = NULL;
        for (int i = 0; i < 2; i++) PVGT_OK(charge(ledger, 1, pure(0.125)));
        if (how == 0) copy_file(path, other);
        TEST_ASSERT_EQUAL_INT(0, how == 0   ? rename(other, path)
                                 : how == 1 ? unlink(path)
                                            : rename(path, other));
        PVGT_FAILS(PVG_E_IO, "replaced, renamed or removed",
                   charge(ledger, 1, pure(0.125)));
        PVGT_FAILS(PVG_E_IO, "open the file again", charge(ledger, 1, pure(0.125)));
        TEST_ASSERT_EQUAL_DOUBLE(0.25, spent(ledger, 1, 0));
        if (how == 0) {
            if (ledger->identity.place.born != 0)
                PVGT_FAILS(PVG_E_PRIVACY, "a copy", pvg_ledger_open(&again, path));
            PVGT_OK(pvg_ledger_claim(path, NULL));
            PVGT_OK(pvg_ledger_open(&again, path));
            TEST_ASSERT_EQUAL_DOUBLE(0.25, spent(again, 1, 0));
            for (int i = 0; i < 6; i++) PVGT_OK(charge(again, 1, pure(0.125)));
            PVGT_FAILS(PVG_E_BUDGET, "exceeds", charge(again, 1, pure(0.125)));
            pvg_ledger_free(again);
        }
        pvg_ledger_free(ledger);
        unlink(path);
        unlink(other);
    }
}

/* A service that has closed its standard files gets their numbers for the next ones, and
 * what anybody prints then goes there. 0: nothing of ours is reached. */
static int print_over_it(void) {
    const char text[] = "what a host prints, and long enough to cover the beginning\n";
    const pvg_ledger_config config = budget(1, 0, 0);
    for (int step = 0; step < 4; step++) {
        for (int file = 0; file <= 2; file++) close(file);
        pvg_ledger *ledger = NULL;
        const int32_t status = step == 0 ? pvg_ledger_create(&ledger, path, &config)
                                         : pvg_ledger_open(&ledger, path);
        if (status != PVG_OK) return 10 + step;
        if (ledger->journal.file <= 2) return 20 + step;
        if (step == 2 && pvg_ledger_compact(ledger) != PVG_OK) return 30;
        if (ledger->journal.file <= 2) return 31;
        for (int file = 0; file <= 2; file++)
            if (write(file, text, sizeof text) > 0) return 40 + file;
        for (int file = 0; file <= 2; file++) open("/dev/null", O_RDWR); /* late */
        if (charge(ledger, 1, pure(0.125)) != PVG_OK) return 50 + step;
        pvg_ledger_free(ledger);
    }
    /* and no number above them is left */
    struct rlimit few = {3, 3};
    for (int file = 0; file <= 2; file++) close(file);
    pvg_ledger *ledger = NULL;
    if (setrlimit(RLIMIT_NOFILE, &few) != 0) return 60;
    if (pvg_ledger_open(&ledger, path) != PVG_E_IO) return 61;
    unlink(path);
    return pvg_ledger_create(&ledger, path, &config) == PVG_E_IO ? 0 : 62;
}

static void what_is_printed_goes_elsewhere(void) {
    pvg_ledger *ledger = create(1, 0);
    pvg_ledger_free(ledger);
    unlink(path);
    int status = -1;
    const pid_t child = fork();
    if (child == 0) _exit(print_over_it());
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
    TEST_ASSERT_TRUE(WIFEXITED(status));
    TEST_ASSERT_EQUAL_INT(0, WEXITSTATUS(status));
    TEST_ASSERT_EQUAL_INT(0, rmdir(folder)); /* nothing was left */
    TEST_ASSERT_EQUAL_INT(0, mkdir(folder, 0700));
}

/* A child that lives on does not keep the file locked. */
static void a_forked_child_keeps_no_lock(void) {
    pvg_ledger *ledger = create(1, 0);
    int ends[2];
    TEST_ASSERT_EQUAL_INT(0, pipe(ends));
    const pid_t child = fork();
    if (child == 0) {
        uint8_t byte;
        close(ends[1]);
        _exit(read(ends[0], &byte, 1) == 0 ? 0 : 1);
    }
    close(ends[0]);
    PVGT_OK(charge(ledger, 1, pure(0.5)));
    pvg_ledger_free(ledger);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    pvg_ledger_free(ledger);
    close(ends[1]);
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, NULL, 0));
}

/* Names as long as the file system has them; nothing else is left in the folder. */
static void long_names_and_no_leftovers(void) {
    char name[256], whole[sizeof folder + sizeof name];
    memset(name, 'x', sizeof name);
    name[250] = '\0';
    snprintf(whole, sizeof whole, "%s/%s", folder, name);
    const pvg_ledger_config config = budget(1, 0, 0);
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_create(&ledger, whole, &config));
    PVGT_OK(charge(ledger, 1, pure(0.5)));
    pvg_ledger_free(ledger);
    TEST_ASSERT_EQUAL_INT(0, unlink(whole));
    TEST_ASSERT_EQUAL_INT(0, rmdir(folder));
    TEST_ASSERT_EQUAL_INT(0, mkdir(folder, 0700));
}

/* Calls of the system on the way of a ledger to its name. The process may be killed
 * before any of them, and the file system may have no files without names. */
static int calls_left = -1;
static bool names_only;
static void next_call(void) {
    if (calls_left == 0) kill(getpid(), SIGKILL);
    if (calls_left > 0) calls_left--;
}

/* The disk says no when the name is to be flushed; only folders are flushed this way. */
static bool names_fail;
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_fsync(int file);
int __wrap_fsync(int file);
int __wrap_fsync(int file) {
    next_call();
    if (!names_fail) return __real_fsync(file);
    errno = EIO;
    return -1;
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

int __real_openat64(int at, const char *name, int flags, ...);
int __wrap_openat64(int at, const char *name, int flags, int mode);
int __wrap_openat64(int at, const char *name, int flags, int mode) {
    next_call();
    if (!names_only || (flags & O_TMPFILE) != O_TMPFILE)
        return __real_openat64(at, name, flags, mode);
    errno = EOPNOTSUPP;
    return -1;
}

int __real_linkat(int from, const char *old, int to, const char *name, int flags);
int __wrap_linkat(int from, const char *old, int to, const char *name, int flags);
int __wrap_linkat(int from, const char *old, int to, const char *name, int flags) {
    next_call();
    return __real_linkat(from, old, to, name, flags);
}

int __real_unlinkat(int at, const char *name, int flags);
int __wrap_unlinkat(int at, const char *name, int flags);
int __wrap_unlinkat(int at, const char *name, int flags) {
    next_call();
    return __real_unlinkat(at, name, flags);
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* Removes all files of the folder; how many there were beside the ledger. */
static int sweep(void) {
    int others = 0;
    DIR *opened = opendir(folder);
    TEST_ASSERT_NOT_NULL(opened);
    for (const struct dirent *entry; (entry = readdir(opened));) {
        char name[sizeof folder + 300];
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' && entry->d_name[1] != 'p') continue;
        others += strcmp(name, path) != 0;
        TEST_ASSERT_EQUAL_INT(0, unlink(name));
    }
    closedir(opened);
    return others;
}

/* Killed before each call of the system: the ledger is there whole, or it is not there
 * and can be created, whatever else was left; and nothing is, if files need no names. */
static void a_killed_creation_hinders_nothing(void) {
    const pvg_ledger_config config = budget(1, 0, 0);
    for (int named = 0; named < 2; named++) {
        int there = 0, absent = 0, survived = 0;
        for (int calls = 0; !survived; calls++) {
            int status = 0;
            TEST_ASSERT_TRUE(calls < 30);
            const pid_t child = fork();
            if (child == 0) {
                pvg_ledger *mine = NULL;
                names_only = named == 1;
                calls_left = calls;
                const int32_t made = pvg_ledger_create(&mine, path, &config);
                calls_left = -1;
                _exit(made == PVG_OK ? 0 : 1);
            }
            TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
            survived = WIFEXITED(status);
            if (survived) TEST_ASSERT_EQUAL_INT(0, WEXITSTATUS(status));
            pvg_ledger *ledger = NULL;
            if (access(path, F_OK) == 0) {
                there++;
                PVGT_OK(pvg_ledger_open(&ledger, path));
            } else {
                absent++;
                ledger = create(1, 0);
            }
            PVGT_OK(charge(ledger, 1, pure(0.5)));
            TEST_ASSERT_EQUAL_DOUBLE(0.5, spent(ledger, 1, 0));
            pvg_ledger_free(ledger);
            const int others = sweep();
            TEST_ASSERT_TRUE(others == 0 || (named == 1 && others == 1 && !survived));
        }
        TEST_ASSERT_TRUE(there >= 2 && absent >= 3);
    }
}

/* A ledger whose name may not be on the disk: creating reports that and leaves none,
 * opening refuses. */
static void a_name_that_is_not_on_the_disk(void) {
    const pvg_ledger_config config = budget(1, 0, 0);
    pvg_ledger *ledger = NULL;
    names_fail = true;
    const int32_t status = pvg_ledger_create(&ledger, path, &config);
    names_fail = false;
    TEST_ASSERT_EQUAL_INT32(PVG_E_IO, status);
    TEST_ASSERT_EQUAL_INT(-1, access(path, F_OK));
    ledger = create(1, 0);
    pvg_ledger_free(ledger);
    ledger = NULL;
    names_fail = true;
    const int32_t opened = pvg_ledger_open(&ledger, path);
    names_fail = false;
    TEST_ASSERT_EQUAL_INT32(PVG_E_IO, opened);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    pvg_ledger_free(ledger);
}

/* What a compaction leaves that was killed before its file got the name. */
static void a_killed_exchange_leaves_nothing(void) {
    char name[sizeof folder + 64];
    struct stat info;
    pvg_ledger *ledger = create(1, 0);
    PVGT_OK(charge(ledger, 1, pure(0.5)));
    pvg_ledger_free(ledger);
    TEST_ASSERT_EQUAL_INT(0, stat(path, &info));
    snprintf(name, sizeof name, "%s/.privgraph-%llx.tmp", folder,
             (unsigned long long)info.st_ino);
    FILE *file = fopen(name, "wb");
    TEST_ASSERT_NOT_NULL(file);
    fclose(file);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    TEST_ASSERT_EQUAL_INT(-1, access(name, F_OK));
    PVGT_OK(pvg_ledger_compact(ledger));
    TEST_ASSERT_EQUAL_DOUBLE(0.5, spent(ledger, 1, 0));
    pvg_ledger_free(ledger);
    TEST_ASSERT_EQUAL_INT(0, unlink(path));
    TEST_ASSERT_EQUAL_INT(0, rmdir(folder)); /* nothing else is in it */
    TEST_ASSERT_EQUAL_INT(0, mkdir(folder, 0700));
}

/* Forty thousand numbers that met in one place of the old table. */
static void chosen_numbers_do_not_slow_it_down(void) {
    enum { COUNT = 40000 };
    uint64_t *objects = malloc(COUNT * sizeof *objects);
    pvg_ledger *ledger = fresh(1, 0, 0);
    pvg_curve *small = pure(0x1p-10);
    /* inverse of x ^= x >> 32; x *= C; x ^= x >> 32 at multiples of 2^20 */
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t x = i << 20;
        x ^= x >> 32;
        x *= UINT64_C(0xCFEE444D8B59A89B);
        x ^= x >> 32;
        objects[i] = x;
    }
    const clock_t begin = clock();
    PVGT_OK(charge_curve(ledger, objects, COUNT, PVG_NOTION_EDGE, small));
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    PVGT_CHECK(seconds < 1, "%g seconds", seconds);
    pvg_curve_free(small);
    pvg_ledger_free(ledger);
    free(objects);
}

/* A process is killed while it charges: what it was told is there afterwards. */
static void a_killed_process_loses_nothing(void) {
    pvg_ledger *ledger = create(1000, 0);
    int64_t told = 0;
    pvg_ledger_free(ledger);
    for (int round = 0; round < 8; round++) {
        int ends[2];
        uint8_t byte;
        TEST_ASSERT_EQUAL_INT(0, pipe(ends));
        const pid_t child = fork();
        if (child == 0) {
            if (pvg_ledger_open(&ledger, path) != PVG_OK) _exit(1);
            while (charge(ledger, 1, pure(0x1p-10)) == PVG_OK)
                if (write(ends[1], "x", 1) != 1) _exit(1);
            _exit(1);
        }
        close(ends[1]);
        for (int i = 0; i < 3 + 5 * round; i++) told += read(ends[0], &byte, 1) == 1;
        kill(child, SIGKILL);
        while (read(ends[0], &byte, 1) == 1) told++;
        waitpid(child, NULL, 0);
        close(ends[0]);
        PVGT_OK(pvg_ledger_open(&ledger, path));
        const int64_t kept = pvg_ledger_charge_count(ledger);
        PVGT_CHECK(kept >= told && kept <= told + round + 1, "kept %lld told %lld",
                   (long long)kept, (long long)told);
        TEST_ASSERT_EQUAL_DOUBLE((double)kept * 0x1p-10, spent(ledger, 1, 0));
        pvg_ledger_free(ledger);
    }
}

enum { THREADS = 4, TRIES = 400 };
typedef struct {
    pvg_ledger *ledger;
    int64_t accepted;
} spender;

static void *spend(void *context) {
    spender *s = context;
    pvg_curve_term term = {
        .size = sizeof term, .kind = PVG_CURVE_PURE, .epsilon = 0x1p-8};
    const uint64_t objects[] = {1, 2};
    pvg_curve *curve = NULL;
    if (pvg_curve_new(&curve, &term) != PVG_OK) return NULL;
    for (int i = 0; i < TRIES; i++) {
        double value;
        s->accepted +=
            charge_curve(s->ledger, objects, 2, PVG_NOTION_EDGE, curve) == PVG_OK;
        if (pvg_ledger_spent(&value, s->ledger, 2, 0) != PVG_OK || value > 4) break;
    }
    pvg_curve_free(curve);
    return NULL;
}

static void threads_cannot_overspend(void) {
    for (int in_file = 0; in_file < 2; in_file++) {
        pvg_ledger *ledger = in_file ? create(in_file ? 0.5 : 4, 0) : fresh(4, 0, 0);
        pthread_t thread[THREADS];
        spender s[THREADS];
        int64_t accepted = 0;
        for (int i = 0; i < THREADS; i++) {
            s[i] = (spender){ledger, 0};
            TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread[i], NULL, spend, &s[i]));
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(thread[i], NULL);
            accepted += s[i].accepted;
        }
        TEST_ASSERT_EQUAL_INT64(in_file ? 128 : 1024, accepted);
        TEST_ASSERT_EQUAL_DOUBLE(in_file ? 0.5 : 4.0, spent(ledger, 1, 0));
        pvg_ledger_free(ledger);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(a_file_keeps_the_ledger);
    RUN_TEST(opened_or_created);
    RUN_TEST(nothing_is_made_behind_a_link);
    RUN_TEST(two_processes_begin_one_ledger);
    RUN_TEST(a_full_disk_charges_nothing);
    RUN_TEST(a_forked_process_cannot_spend);
    RUN_TEST(a_copy_with_the_same_number_cannot_spend);
    RUN_TEST(a_changed_file_is_not_written);
    RUN_TEST(a_replaced_file_takes_no_charges);
    RUN_TEST(what_is_printed_goes_elsewhere);
    RUN_TEST(a_forked_child_keeps_no_lock);
    RUN_TEST(long_names_and_no_leftovers);
    RUN_TEST(a_name_that_is_not_on_the_disk);
    RUN_TEST(a_killed_creation_hinders_nothing);
    RUN_TEST(a_killed_exchange_leaves_nothing);
    RUN_TEST(chosen_numbers_do_not_slow_it_down);
    RUN_TEST(a_killed_process_loses_nothing);
    RUN_TEST(threads_cannot_overspend);
    return pvgt_end(UNITY_END());
}
