/* Ledger files on a disk that loses power. Sectors that were not synced reach the disk in
 * any order, whole, in part or not at all; writes are short, fail, or find no room;
 * flushes fail; a file that took the place of another has it after a crash or not.
 * Seeded: a failure names its schedule, and PVG_DISK_SEED replays it. After every crash
 * the file opens, with all charges that were acknowledged and at most the one that was on
 * its way. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "ledger_help.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { SECTOR = 512, ROOM = 1 << 18 };

typedef struct disk disk;

typedef struct {
    disk *on;
    uint8_t durable[ROOM], cached[ROOM]; /* on the disk; as the system shows it */
    bool dirty[ROOM / SECTOR];
    uint64_t durable_bytes, bytes;
    bool was_named;
} file;

enum { WITNESS = 2 };

struct disk {
    file files[3];               /* the ledger's, one beside it, and the witness */
    int named, durable_name;     /* where the name leads: as shown, and on the disk */
    bool beside, durable_beside; /* the other one has a name beside it */
    uint64_t state;              /* of the generator */
    int64_t calls, death;        /* power fails in call number `death` */
    int64_t failure;             /* call number `failure` fails */
    bool dead, faults, lies, renamed;
    bool compacts;  /* now and then in the place of a charge */
    bool witnessed; /* the ledger has a witness */
};

static file *shown(disk *d) {
    return &d->files[d->named];
}

static int64_t chance(disk *d, int64_t bound) {
    return pvgt_below(&d->state, bound);
}

static bool dies(disk *d) {
    if (!d->dead && ++d->calls == d->death) d->dead = true;
    if (d->dead) errno = EIO;
    return d->dead;
}

/* One chance in `rarity`, and in the call that a test chose. */
static bool fails(disk *d, int64_t rarity) {
    errno = EIO;
    return d->calls == d->failure || (d->faults && chance(d, rarity) == 0);
}

static int64_t sim_read(void *context, uint8_t *content, size_t count, uint64_t at) {
    const file *f = context;
    const size_t left = at < f->bytes ? (size_t)(f->bytes - at) : 0;
    const size_t got = count < left ? count : left;
    memcpy(content, f->cached + at, got);
    return (int64_t)got;
}

static int64_t sim_write(void *context, const uint8_t *content, size_t count,
                         uint64_t at) {
    file *f = context;
    disk *d = f->on;
    const bool dead = dies(d);
    if (dead && d->calls != d->death) return -1;
    if (fails(d, 12)) {
        const int errors[] = {EIO, ENOSPC, EINTR};
        errno = errors[chance(d, d->calls == d->failure ? 2 : 3)];
        return -1;
    }
    size_t written = count;
    if (dead || (d->faults && chance(d, 6) == 0))
        written = 1 + (size_t)chance(d, (int64_t)count); /* short */
    TEST_ASSERT_TRUE(at + written <= ROOM);
    memcpy(f->cached + at, content, written);
    for (uint64_t s = at / SECTOR; s <= (at + written - 1) / SECTOR; s++)
        f->dirty[s] = true;
    if (at + written > f->bytes) f->bytes = at + written;
    if (!dead) return (int64_t)written;
    d->calls++; /* the process never hears of it */
    errno = EIO;
    return -1;
}

static void persist(file *f) {
    memcpy(f->durable, f->cached, ROOM);
    memset(f->dirty, 0, sizeof f->dirty);
    f->durable_bytes = f->bytes;
}

static int sim_sync(void *context) {
    file *f = context;
    disk *d = f->on;
    if (dies(d)) return -1;
    if (fails(d, 15)) {
        /* as Linux does: the pages are clean now, and not on the disk */
        for (int s = 0; s < ROOM / SECTOR; s++)
            if (f->dirty[s] && chance(d, 2)) {
                memcpy(f->durable + s * SECTOR, f->cached + s * SECTOR, SECTOR);
                if (f->durable_bytes < f->bytes) f->durable_bytes = f->bytes;
            }
        memset(f->dirty, 0, sizeof f->dirty);
        errno = EIO;
        return -1;
    }
    if (!d->lies) {
        /* only dirty sectors are written: what a failed flush forgot stays forgotten */
        for (int s = 0; s < ROOM / SECTOR; s++)
            if (f->dirty[s])
                memcpy(f->durable + s * SECTOR, f->cached + s * SECTOR, SECTOR);
        memset(f->dirty, 0, sizeof f->dirty);
        f->durable_bytes = f->bytes;
    }
    return 0;
}

static int sim_cut(void *context, uint64_t bytes) {
    file *f = context;
    disk *d = f->on;
    if (dies(d)) return -1;
    if (fails(d, 20)) return -1;
    memset(f->cached + bytes, 0, ROOM - bytes);
    for (uint64_t s = bytes / SECTOR; s < ROOM / SECTOR; s++) f->dirty[s] = true;
    f->bytes = bytes;
    return 0;
}

static int sim_size(void *context, uint64_t *bytes) {
    *bytes = ((file *)context)->bytes;
    return 0;
}

static int sim_named(void *context) {
    file *f = context;
    return !f->on->renamed && (shown(f->on) == f || f == &f->on->files[WITNESS]);
}

static int sim_place(void *context, pvgi_io_place *place) {
    const file *f = context;
    *place = (pvgi_io_place){(uint64_t)(f - f->on->files) + 1, 1};
    return 0;
}

static int sim_beside(void *context, void **other) {
    file *f = context;
    disk *d = f->on;
    if (dies(d) || fails(d, 10)) return -1;
    file *g = &d->files[f == &d->files[0]];
    /* an empty file, but for a name that never reached the disk: that is still the old
     * one's, and its sectors are not for others */
    TEST_ASSERT_TRUE(&d->files[d->durable_name] != g);
    memset(g, 0, sizeof *g);
    g->on = d;
    d->beside = true;
    *other = g;
    return 0;
}

static int sim_find_beside(void *context, void **other) {
    file *f = context;
    disk *d = f->on;
    if (dies(d)) return -1;
    errno = ENOENT;
    *other = &d->files[f == &d->files[0]];
    return d->beside ? 0 : -1;
}

static int sim_take_name(void *context, void *other) {
    file *f = context, *g = other;
    disk *d = f->on;
    const bool dead = dies(d);
    if (dead && d->calls != d->death) return -1;
    if (!dead && fails(d, 8) && chance(d, 2)) return -1;
    const bool told = !dead && d->calls != d->failure;
    d->named = (int)(g - d->files); /* done, even where the answer is lost on the way */
    d->beside = false;
    g->was_named = true;
    if (dead) d->calls++;
    errno = EIO;
    return told ? 0 : -1;
}

static void sim_forget(void *context, void *other) {
    (void)other;
    ((file *)context)->on->beside = false;
}

static int sim_sync_names(void *context) {
    disk *d = ((file *)context)->on;
    if (dies(d) || fails(d, 8)) return -1;
    d->durable_beside = d->beside;
    d->durable_name = d->named; /* lies are about content only: two files are enough */
    return 0;
}

static int32_t sim_elsewhere(void *context, const char *path, pvgi_io_journal *out);

static const pvgi_io_disk simulated = {
    .read = sim_read,
    .place = sim_place,
    .find_beside = sim_find_beside,
    .elsewhere = sim_elsewhere,
    .write = sim_write,
    .sync = sim_sync,
    .cut = sim_cut,
    .size = sim_size,
    .named = sim_named,
    .beside = sim_beside,
    .take_name = sim_take_name,
    .forget = sim_forget,
    .sync_names = sim_sync_names,
};

static pvgi_io_journal journal_of_file(file *f) {
    char *name = pvgi_alloc(5, 1);
    memcpy(name, "disk", 5);
    return (pvgi_io_journal){.file = 0,
                             .folder = -1,
                             .bytes = f->bytes,
                             .path = name,
                             .disk = &simulated,
                             .context = f};
}

static pvgi_io_journal journal_of(disk *d) {
    return journal_of_file(shown(d));
}

static int32_t sim_elsewhere(void *context, const char *path, pvgi_io_journal *out) {
    TEST_ASSERT_EQUAL_STRING("witness", path);
    *out = journal_of_file(&((file *)context)->on->files[WITNESS]);
    return PVG_OK;
}

/* What the power failure left of a file: each unsynced sector old, new, or new up to some
 * byte; the length old or new. */
static void crash_file(disk *d, file *f) {
    const uint64_t grown = chance(d, 4) ? f->bytes : f->durable_bytes;
    const int kind = (int)chance(d, 4);
    for (int s = 0; s < ROOM / SECTOR; s++) {
        if (!f->dirty[s]) continue;
        const int64_t fate = kind == 0 ? 1 : chance(d, 3);
        const size_t part = fate == 0   ? 0
                            : fate == 1 ? SECTOR
                                        : (size_t)chance(d, SECTOR);
        memcpy(f->durable + s * SECTOR, f->cached + s * SECTOR, part);
    }
    f->durable_bytes = grown;
    memset(f->durable + grown, 0, ROOM - grown);
    memcpy(f->cached, f->durable, ROOM);
    memset(f->dirty, 0, sizeof f->dirty);
    f->bytes = grown;
}

/* ... and of the name: one that was not synced is the old one or the new one. */
static void crash(disk *d) {
    for (int i = 0; i < 3; i++)
        if (d->files[i].bytes > 0 || d->files[i].durable_bytes > 0)
            crash_file(d, &d->files[i]);
    if ((d->named != d->durable_name || d->beside != d->durable_beside) && chance(d, 2)) {
        d->named = d->durable_name;
        d->beside = d->durable_beside;
    }
    d->durable_name = d->named;
    d->durable_beside = d->beside;
    d->dead = false;
    d->calls = 0;
    d->death = 0;
}

static void fill_file(file *f, uint8_t *content, size_t count) {
    memcpy(f->cached, content, count);
    f->bytes = count;
    persist(f);
    pvgi_free(content);
}

static pvg_ledger *begin(disk *d, uint64_t seed, bool witnessed) {
    const pvg_ledger_config config = budget(1000, 0, 0);
    pvg_ledger *ledger = NULL;
    uint8_t *content = NULL;
    size_t count = 0;
    memset(d, 0, sizeof *d);
    d->state = seed;
    d->witnessed = witnessed;
    for (int i = 0; i < 3; i++) d->files[i].on = d;
    PVGT_OK(pvgi_ledger_make(&ledger, &config));
    PVGT_OK(pvgi_ledger_identity_new(&ledger->identity));
    sim_place(&d->files[0], &ledger->identity.place);
    if (witnessed) memcpy(ledger->identity.witness, "witness", sizeof "witness");
    PVGT_OK(pvgi_ledger_begin_bytes(&content, &count, &ledger->chain, 3, &ledger->config,
                                    &ledger->identity));
    ledger->sequence = 1;
    fill_file(shown(d), content, count);
    shown(d)->was_named = true;
    ledger->journal = journal_of(d);
    if (!witnessed) return ledger;
    PVGT_OK(pvgi_ledger_witness_bytes(&content, &count, ledger));
    fill_file(&d->files[WITNESS], content, count);
    PVGT_OK(sim_elsewhere(shown(d), "witness", &ledger->witness));
    ledger->testimony = 1;
    return ledger;
}

static int32_t open_again(pvg_ledger **out, disk *d) {
    static uint8_t read[ROOM];
    pvgi_io_journal journal = journal_of(d);
    memcpy(read, shown(d)->cached, ROOM);
    const int32_t status = pvgi_ledger_adopt(out, &journal, read, shown(d)->bytes, "disk",
                                             PVGI_LEDGER_CHARGE);
    if (status != PVG_OK) pvgi_io_journal_close(&journal, false);
    return status;
}

/* Charges until something fails; counts what was told. */
static int charge_some(pvg_ledger *ledger, disk *d, int64_t *told, int tries) {
    uint64_t objects[120];
    int32_t status = PVG_OK;
    pvg_curve *small = pure(0x1p-10);
    for (int i = 0; i < tries; i++) {
        if (d->compacts && chance(d, 5) == 0) {
            status = pvgi_ledger_compact(ledger);
            if (status != PVG_OK && (ledger->journal.broken || d->dead)) break;
            continue;
        }
        const int64_t count = chance(d, 3) ? 1 : 1 + chance(d, 119);
        objects[0] = 7;
        for (int64_t k = 1; k < count; k++) objects[k] = pvgt_random(&d->state);
        status = charge_curve(ledger, objects, count, PVG_NOTION_EDGE, small);
        if (status == PVG_OK)
            ++*told;
        else if (ledger->journal.broken || d->dead)
            break;
    }
    pvg_curve_free(small);
    return status;
}

/* Whoever still reaches the file whose place was taken (a link, a mount) finds its
 * mark. */
static void check_superseded(const disk *d, uint64_t seed) {
    const file *old = &d->files[!d->named];
    if (!old->was_named || d->beside) return;
    PVGT_CHECK(pvgi_ledger_is_superseded(old->cached, old->bytes),
               "seed %llu: the file before takes charges", (unsigned long long)seed);
}

static void schedule(uint64_t seed, bool faults, bool lies, bool compacts,
                     bool witnessed) {
    static disk d;
    int64_t told = 0, held = 0;
    pvg_ledger *ledger = begin(&d, seed, witnessed);
    d.compacts = compacts;
    for (int round = 0; round < 4; round++) {
        d.faults = faults;
        d.lies = lies;
        d.calls = 0;
        d.death = 1 + chance(&d, 40);
        charge_some(ledger, &d, &told, 12);
        pvg_ledger_free(ledger);
        ledger = NULL;
        /* either the power fails, or only the program ends and opens the file again */
        d.faults = false;
        d.lies = false;
        const bool power = d.dead || chance(&d, 2);
        if (power) crash(&d);
        d.death = 0;
        int32_t status = open_again(&ledger, &d);
        if (lies) {
            PVGT_CHECK(status == PVG_OK || status == PVG_E_FORMAT, "seed %llu",
                       (unsigned long long)seed);
            pvg_ledger_free(ledger);
            return;
        }
        PVGT_CHECK(status == PVG_OK, "seed %llu round %d: %s", (unsigned long long)seed,
                   round, pvg_error_message());
        held = pvg_ledger_charge_count(ledger);
        PVGT_CHECK(held >= told && held <= told + 1, "seed %llu round %d: %lld of %lld",
                   (unsigned long long)seed, round, (long long)held, (long long)told);
        TEST_ASSERT_EQUAL_DOUBLE((double)held * 0x1p-10, spent(ledger, 7, 0));
        check_superseded(&d, seed);
        told = held;
    }
    pvg_ledger_free(ledger);
}

static void every_crash_image_opens(void) {
    const char *only = getenv("PVG_DISK_SEED");
    const uint64_t schedules = pvgt_soak() ? 1000000 : (uint64_t)pvgt_turns(1500);
    const uint64_t begin_at = only ? strtoull(only, NULL, 10) : 1;
    for (uint64_t seed = begin_at; seed < (only ? begin_at + 1 : schedules); seed++) {
        schedule(seed, false, false, false, seed % 2);
        schedule(seed, true, false, false, seed % 2);
        if (seed % 12 > 1 && !only) continue; /* many objects make long files */
        schedule(seed, false, false, true, seed % 2);
        schedule(seed, true, false, true, seed % 2);
    }
}

/* A disk that lies about flushes can lose charges; it can never make the reader take
 * something else for them. */
static void lies_are_refused_or_a_beginning(void) {
    for (uint64_t seed = 1; seed < 300; seed++)
        schedule(seed, true, true, seed % 9 == 0, false);
}

/* What was acknowledged is never mistaken for a torn end: every byte of it counts, and so
 * does its length. */
static void acknowledged_damage_is_refused(void) {
    static disk d;
    int64_t told = 0;
    pvg_ledger *ledger = begin(&d, 3, false);
    charge_some(ledger, &d, &told, 5);
    file *f = shown(&d);
    const uint64_t bytes = f->bytes;
    pvg_ledger_free(ledger);
    static uint8_t whole[ROOM];
    memcpy(whole, f->cached, ROOM);
    for (uint64_t at = PVGI_LEDGER_BEGIN; at < bytes; at++) {
        const uint8_t old = f->cached[at];
        f->cached[at] ^= (uint8_t)(1 + at % 255);
        PVGT_FAILS(PVG_E_FORMAT, "disk: ", open_again(&ledger, &d));
        f->cached[at] = old;
    }
    for (f->bytes = bytes - 1; f->bytes > PVGI_LEDGER_BEGIN; f->bytes -= 7)
        PVGT_FAILS(PVG_E_FORMAT, "disk: ", open_again(&ledger, &d));
    f->bytes = bytes;
    /* zeros at the end, as a lost sector leaves them */
    memset(f->cached + bytes - 40, 0, 40);
    PVGT_FAILS(PVG_E_FORMAT, "disk: the record", open_again(&ledger, &d));
    memcpy(f->cached, whole, ROOM);
    /* one acknowledgement may be lost, not both */
    const uint64_t slot = PVGI_LEDGER_SLOT_AT;
    f->cached[slot] ^= 1;
    PVGT_OK(open_again(&ledger, &d));
    TEST_ASSERT_EQUAL_INT64(told, pvg_ledger_charge_count(ledger));
    pvg_ledger_free(ledger);
    memcpy(f->cached, whole, ROOM);
    f->cached[slot] ^= 1;
    f->cached[2 * slot + 9] ^= 1;
    PVGT_FAILS(PVG_E_FORMAT, "both acknowledgements", open_again(&ledger, &d));
}

/* Compaction with the power failing in each of its calls in turn, or only that call: what
 * was told before is there afterwards, neither more nor less, whichever file the name
 * leads to; so is what the next process is told, though the power fails then. */
static void every_step_of_an_exchange(bool power, bool witnessed) {
    static disk d;
    int64_t step = 1;
    for (bool within = true; within; step++) {
        for (uint64_t seed = 1; seed <= 12; seed++) {
            int64_t told = 0;
            pvg_ledger *ledger = begin(&d, 1000 * seed + (uint64_t)step, witnessed);
            charge_some(ledger, &d, &told, 6);
            TEST_ASSERT_EQUAL_INT64(6, told);
            d.calls = 0;
            *(power ? &d.death : &d.failure) = step;
            const int32_t status = pvgi_ledger_compact(ledger);
            within = d.calls >= step;
            TEST_ASSERT_EQUAL_INT32(within ? PVG_E_IO : PVG_OK, status);
            d.failure = 0;
            /* without a power failure the process goes on, if it may */
            charge_some(ledger, &d, &told, 2);
            pvg_ledger_free(ledger);
            ledger = NULL;
            for (int round = 0; round < 3; round++) {
                if (d.dead || round > 0 || chance(&d, 2)) crash(&d);
                PVGT_CHECK(open_again(&ledger, &d) == PVG_OK, "step %lld seed %llu: %s",
                           (long long)step, (unsigned long long)seed,
                           pvg_error_message());
                const int64_t held = pvg_ledger_charge_count(ledger);
                PVGT_CHECK(held == told, "step %lld seed %llu round %d: %lld of %lld",
                           (long long)step, (unsigned long long)seed, round,
                           (long long)held, (long long)told);
                TEST_ASSERT_EQUAL_DOUBLE((double)held * 0x1p-10, spent(ledger, 7, 0));
                check_superseded(&d, seed);
                charge_some(ledger, &d, &told, 2);
                if (round == 1) PVGT_OK(pvgi_ledger_compact(ledger));
                pvg_ledger_free(ledger);
                ledger = NULL;
            }
        }
    }
    /* a file, its bytes, the disk, its own name; the mark, the disk; the name, the
     * disk; to the witness, its disk */
    TEST_ASSERT_EQUAL_INT64(8 + 2 * witnessed + 1, step - 1);
}

static void power_fails_in_an_exchange(void) {
    every_step_of_an_exchange(true, false);
    every_step_of_an_exchange(true, true);
}

static void a_call_fails_in_an_exchange(void) {
    every_step_of_an_exchange(false, false);
    every_step_of_an_exchange(false, true);
}

/* A charge with the process ending in each of its calls: what was told is there, at most
 * one charge more, and the ledger goes on, though its witness may be one step behind. */
static void a_charge_ends_between_file_and_witness(void) {
    static disk d;
    for (int64_t step = 1; step <= 6; step++)
        for (uint64_t seed = 1; seed <= 40; seed++) {
            int64_t told = 0;
            pvg_ledger *ledger = begin(&d, 100 * seed + (uint64_t)step, true);
            charge_some(ledger, &d, &told, 3);
            d.calls = 0;
            d.death = step;
            TEST_ASSERT_EQUAL_INT32(PVG_E_IO, charge(ledger, 7, pure(0x1p-10)));
            pvg_ledger_free(ledger);
            ledger = NULL;
            if (seed % 2) {
                crash(&d);
            } else { /* the process only; what it wrote is there */
                d.dead = false;
                d.calls = d.death = 0;
            }
            PVGT_CHECK(open_again(&ledger, &d) == PVG_OK, "step %lld seed %llu: %s",
                       (long long)step, (unsigned long long)seed, pvg_error_message());
            const int64_t held = pvg_ledger_charge_count(ledger);
            TEST_ASSERT_TRUE(held == told || held == told + 1);
            if (step >= 5)
                TEST_ASSERT_EQUAL_INT64(told + 1, held); /* file, not witness */
            TEST_ASSERT_EQUAL_DOUBLE((double)held * 0x1p-10, spent(ledger, 7, 0));
            told = held;
            charge_some(ledger, &d, &told, 2);
            pvg_ledger_free(ledger);
            ledger = NULL;
            PVGT_OK(open_again(&ledger, &d));
            TEST_ASSERT_EQUAL_INT64(told, pvg_ledger_charge_count(ledger));
            pvg_ledger_free(ledger);
        }
}

/* The witness's disk failed to flush: what the system shows of it may not be there. The
 * power fails in each call of the next opening: it opens after that. */
static void a_flush_of_the_witness_fails(void) {
    static disk d;
    bool within = true;
    for (int64_t step = 1; within; step++)
        for (uint64_t seed = 1; seed <= 60; seed++) {
            int64_t told = 0;
            pvg_ledger *ledger = begin(&d, 500 * seed + (uint64_t)step, true);
            charge_some(ledger, &d, &told, 3);
            d.calls = 0;
            d.failure = 6; /* record, disk, slot, disk, witness, disk */
            TEST_ASSERT_EQUAL_INT32(PVG_E_IO, charge(ledger, 7, pure(0x1p-10)));
            pvg_ledger_free(ledger);
            ledger = NULL;
            d.failure = 0;
            d.calls = 0;
            d.death = step;
            const int32_t status = open_again(&ledger, &d);
            within = d.dead;
            TEST_ASSERT_EQUAL_INT32(within ? PVG_E_IO : PVG_OK, status);
            pvg_ledger_free(ledger);
            ledger = NULL;
            crash(&d);
            PVGT_CHECK(open_again(&ledger, &d) == PVG_OK, "step %lld seed %llu: %s",
                       (long long)step, (unsigned long long)seed, pvg_error_message());
            TEST_ASSERT_EQUAL_INT64(told + 1, pvg_ledger_charge_count(ledger));
            pvg_ledger_free(ledger);
        }
}

/* A backup of the file's bytes is put back, in the file itself, which cannot notice: the
 * witness does, whatever happened in between. */
static void a_backup_put_back_is_refused_by_the_witness(void) {
    static disk d;
    static file backup;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        int64_t told = 0;
        pvg_ledger *ledger = begin(&d, seed, true);
        charge_some(ledger, &d, &told, 1 + (int)(seed % 4));
        memcpy(&backup, shown(&d), sizeof backup);
        const int64_t before = told;
        const bool compacted = seed % 5 == 0;
        if (compacted) PVGT_OK(pvgi_ledger_compact(ledger));
        charge_some(ledger, &d, &told, (int)(seed % 3));
        pvg_ledger_free(ledger);
        ledger = NULL;
        file *now = shown(&d);
        memcpy(now->cached, backup.cached, ROOM);
        now->bytes = backup.bytes;
        persist(now);
        if (compacted) { /* the backup says it is in the file before */
            pvgi_ledger_identity identity;
            TEST_ASSERT_TRUE(pvgi_ledger_identity_get(&identity, now->cached));
            sim_place(now, &identity.place);
            pvgi_ledger_identity_put(now->cached, &identity);
        }
        if (told == before && !compacted)
            PVGT_OK(open_again(&ledger, &d));
        else
            PVGT_FAILS(PVG_E_PRIVACY, "older copy", open_again(&ledger, &d));
        pvg_ledger_free(ledger);
        ledger = NULL;
    }
}

/* The witness is from a backup, or another ledger's: nothing is charged either. */
static void a_witness_that_does_not_know_is_refused(void) {
    static disk d;
    static file backup;
    int64_t told = 0;
    pvg_ledger *ledger = begin(&d, 9, true);
    memcpy(&backup, &d.files[WITNESS], sizeof backup);
    charge_some(ledger, &d, &told, 3);
    pvg_ledger_free(ledger);
    ledger = NULL;
    static file last;
    memcpy(&last, &d.files[WITNESS], sizeof last);
    memcpy(d.files[WITNESS].cached, backup.cached, ROOM);
    PVGT_FAILS(PVG_E_PRIVACY, "has not seen", open_again(&ledger, &d));
    memcpy(d.files[WITNESS].cached, last.cached, ROOM);
    PVGT_OK(open_again(&ledger, &d));
    pvg_ledger_free(ledger);
    ledger = NULL;
    /* each byte of what it says last: the other testimony is one step behind, which is
     * what a crash leaves; both damaged: refused */
    for (size_t i = 0; i < 56; i++) {
        memcpy(d.files[WITNESS].cached, last.cached, ROOM);
        d.files[WITNESS].cached[4096 + i] ^= 1;
        d.files[WITNESS].cached[8192 + i] ^= 1;
        PVGT_FAILS(PVG_E_FORMAT, "not a witness, or damaged", open_again(&ledger, &d));
    }
    memcpy(d.files[WITNESS].cached, last.cached, ROOM);
    static disk other;
    pvg_ledger *stranger = begin(&other, 10, true);
    pvg_ledger_free(stranger);
    memcpy(d.files[WITNESS].cached, other.files[WITNESS].cached, ROOM);
    PVGT_FAILS(PVG_E_PRIVACY, "another ledger's", open_again(&ledger, &d));
}

/* The name went while the record was written: not acknowledged, nothing more is. */
static void a_name_lost_on_the_way(void) {
    static disk d;
    int64_t told = 0;
    pvg_ledger *ledger = begin(&d, 5, false);
    charge_some(ledger, &d, &told, 2);
    d.renamed = true;
    PVGT_FAILS(PVG_E_IO, "replaced, renamed or removed", charge(ledger, 7, pure(0.5)));
    TEST_ASSERT_TRUE(ledger->journal.broken);
    TEST_ASSERT_EQUAL_INT64(told, pvg_ledger_charge_count(ledger));
    pvg_ledger_free(ledger);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(every_crash_image_opens);
    RUN_TEST(lies_are_refused_or_a_beginning);
    RUN_TEST(acknowledged_damage_is_refused);
    RUN_TEST(power_fails_in_an_exchange);
    RUN_TEST(a_call_fails_in_an_exchange);
    RUN_TEST(a_charge_ends_between_file_and_witness);
    RUN_TEST(a_flush_of_the_witness_fails);
    RUN_TEST(a_backup_put_back_is_refused_by_the_witness);
    RUN_TEST(a_witness_that_does_not_know_is_refused);
    RUN_TEST(a_name_lost_on_the_way);
    return pvgt_end(UNITY_END());
}
