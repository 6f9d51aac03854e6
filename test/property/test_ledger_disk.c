/* Ledger files on a disk that loses power. Sectors that were not synced reach the disk in
 * any order, whole, in part or not at all; writes are short, fail, or find no room;
 * flushes fail. Seeded: a failure names its schedule, and PVG_DISK_SEED replays it. After
 * every crash the file opens, with all charges that were acknowledged and at most the one
 * that was on its way. */
#include "desks.h" /* from inside: handles here may never have left the library */

#include "ledger_help.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { SECTOR = 512, ROOM = 1 << 18 };

typedef struct {
    uint8_t durable[ROOM], cached[ROOM]; /* on the disk; as the system shows it */
    bool dirty[ROOM / SECTOR];
    uint64_t durable_bytes, bytes;
    uint64_t state;       /* of the generator */
    int64_t calls, death; /* power fails in call number `death` */
    bool dead, faults, lies, renamed;
} disk;

static int64_t chance(disk *d, int64_t bound) {
    return pvgt_below(&d->state, bound);
}

static bool dies(disk *d) {
    if (!d->dead && ++d->calls == d->death) d->dead = true;
    if (d->dead) errno = EIO;
    return d->dead;
}

static int64_t sim_write(void *context, const uint8_t *content, size_t count,
                         uint64_t at) {
    disk *d = context;
    const bool dead = dies(d);
    if (dead && d->calls != d->death) return -1;
    if (d->faults && chance(d, 12) == 0) {
        const int errors[] = {EIO, ENOSPC, EINTR};
        errno = errors[chance(d, 3)];
        return -1;
    }
    size_t written = count;
    if (dead || (d->faults && chance(d, 6) == 0))
        written = 1 + (size_t)chance(d, (int64_t)count); /* short */
    TEST_ASSERT_TRUE(at + written <= ROOM);
    memcpy(d->cached + at, content, written);
    for (uint64_t s = at / SECTOR; s <= (at + written - 1) / SECTOR; s++)
        d->dirty[s] = true;
    if (at + written > d->bytes) d->bytes = at + written;
    if (!dead) return (int64_t)written;
    d->calls++; /* the process never hears of it */
    errno = EIO;
    return -1;
}

static void persist(disk *d) {
    memcpy(d->durable, d->cached, ROOM);
    memset(d->dirty, 0, sizeof d->dirty);
    d->durable_bytes = d->bytes;
}

static int sim_sync(void *context) {
    disk *d = context;
    if (dies(d)) return -1;
    if (d->faults && chance(d, 15) == 0) {
        /* as Linux does: the pages are clean now, and not on the disk */
        for (int s = 0; s < ROOM / SECTOR; s++)
            if (d->dirty[s] && chance(d, 2)) {
                memcpy(d->durable + s * SECTOR, d->cached + s * SECTOR, SECTOR);
                if (d->durable_bytes < d->bytes) d->durable_bytes = d->bytes;
            }
        memset(d->dirty, 0, sizeof d->dirty);
        errno = EIO;
        return -1;
    }
    if (!d->lies) {
        /* only dirty sectors are written: what a failed flush forgot stays forgotten */
        for (int s = 0; s < ROOM / SECTOR; s++)
            if (d->dirty[s])
                memcpy(d->durable + s * SECTOR, d->cached + s * SECTOR, SECTOR);
        memset(d->dirty, 0, sizeof d->dirty);
        d->durable_bytes = d->bytes;
    }
    return 0;
}

static int sim_cut(void *context, uint64_t bytes) {
    disk *d = context;
    if (dies(d)) return -1;
    if (d->faults && chance(d, 20) == 0) {
        errno = EIO;
        return -1;
    }
    memset(d->cached + bytes, 0, ROOM - bytes);
    for (uint64_t s = bytes / SECTOR; s < ROOM / SECTOR; s++) d->dirty[s] = true;
    d->bytes = bytes;
    return 0;
}

static int sim_size(void *context, uint64_t *bytes) {
    disk *d = context;
    *bytes = d->bytes;
    return 0;
}

static int sim_named(void *context) {
    return !((disk *)context)->renamed;
}

static const pvgi_io_disk simulated = {sim_write, sim_sync, sim_cut, sim_size, sim_named};

static pvgi_io_journal journal_of(disk *d) {
    char *name = pvgi_alloc(5, 1);
    memcpy(name, "disk", 5);
    return (pvgi_io_journal){.file = 0,
                             .folder = -1,
                             .bytes = d->bytes,
                             .path = name,
                             .disk = &simulated,
                             .context = d};
}

/* What the power failure left: each unsynced sector old, new, or new up to some byte; the
 * length old or new. */
static void crash(disk *d) {
    const uint64_t grown = chance(d, 4) ? d->bytes : d->durable_bytes;
    const int kind = (int)chance(d, 4);
    for (int s = 0; s < ROOM / SECTOR; s++) {
        if (!d->dirty[s]) continue;
        const int64_t fate = kind == 0 ? 1 : chance(d, 3);
        const size_t part = fate == 0   ? 0
                            : fate == 1 ? SECTOR
                                        : (size_t)chance(d, SECTOR);
        memcpy(d->durable + s * SECTOR, d->cached + s * SECTOR, part);
    }
    d->durable_bytes = grown;
    memset(d->durable + grown, 0, ROOM - grown);
    memcpy(d->cached, d->durable, ROOM);
    memset(d->dirty, 0, sizeof d->dirty);
    d->bytes = grown;
    d->dead = false;
    d->calls = 0;
    d->death = 0;
}

static pvg_ledger *begin(disk *d, uint64_t seed) {
    const pvg_ledger_config config = budget(1000, 0, 0);
    pvg_ledger *ledger = NULL;
    uint8_t *content = NULL;
    size_t count = 0;
    memset(d, 0, sizeof *d);
    d->state = seed;
    PVGT_OK(pvgi_ledger_make(&ledger, &config));
    PVGT_OK(
        pvgi_ledger_begin_bytes(&content, &count, &ledger->chain, 2, &ledger->config));
    ledger->sequence = 1;
    memcpy(d->cached, content, count);
    d->bytes = count;
    persist(d);
    pvgi_free(content);
    ledger->journal = journal_of(d);
    return ledger;
}

static int32_t open_again(pvg_ledger **out, disk *d) {
    static uint8_t read[ROOM];
    pvgi_io_journal journal = journal_of(d);
    memcpy(read, d->cached, ROOM);
    const int32_t status = pvgi_ledger_adopt(out, &journal, read, d->bytes, "disk");
    if (status != PVG_OK) pvgi_io_journal_close(&journal, false);
    return status;
}

/* Charges until something fails; counts what was told. */
static int charge_some(pvg_ledger *ledger, disk *d, int64_t *told, int tries) {
    uint64_t objects[120];
    int32_t status = PVG_OK;
    pvg_curve *small = pure(0x1p-10);
    for (int i = 0; i < tries; i++) {
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

static void schedule(uint64_t seed, bool faults, bool lies) {
    static disk d;
    int64_t told = 0, held = 0;
    pvg_ledger *ledger = begin(&d, seed);
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
        told = held;
    }
    pvg_ledger_free(ledger);
}

static void every_crash_image_opens(void) {
    const char *only = getenv("PVG_DISK_SEED");
    const uint64_t schedules = pvgt_soak() ? 1000000 : 1500;
    const uint64_t begin_at = only ? strtoull(only, NULL, 10) : 1;
    for (uint64_t seed = begin_at; seed < (only ? begin_at + 1 : schedules); seed++) {
        schedule(seed, false, false);
        schedule(seed, true, false);
    }
}

/* A disk that lies about flushes can lose charges; it can never make the reader take
 * something else for them. */
static void lies_are_refused_or_a_beginning(void) {
    for (uint64_t seed = 1; seed < 300; seed++) schedule(seed, true, true);
}

/* What was acknowledged is never mistaken for a torn end: every byte of it counts, and so
 * does its length. */
static void acknowledged_damage_is_refused(void) {
    static disk d;
    int64_t told = 0;
    pvg_ledger *ledger = begin(&d, 3);
    charge_some(ledger, &d, &told, 5);
    const uint64_t bytes = d.bytes;
    pvg_ledger_free(ledger);
    static uint8_t whole[ROOM];
    memcpy(whole, d.cached, ROOM);
    for (uint64_t at = PVGI_LEDGER_BEGIN; at < bytes; at++) {
        const uint8_t old = d.cached[at];
        d.cached[at] ^= (uint8_t)(1 + at % 255);
        PVGT_FAILS(PVG_E_FORMAT, "disk: ", open_again(&ledger, &d));
        d.cached[at] = old;
    }
    for (d.bytes = bytes - 1; d.bytes > PVGI_LEDGER_BEGIN; d.bytes -= 7)
        PVGT_FAILS(PVG_E_FORMAT, "disk: ", open_again(&ledger, &d));
    d.bytes = bytes;
    /* zeros at the end, as a lost sector leaves them */
    memset(d.cached + bytes - 40, 0, 40);
    PVGT_FAILS(PVG_E_FORMAT, "disk: the record", open_again(&ledger, &d));
    memcpy(d.cached, whole, ROOM);
    /* one acknowledgement may be lost, not both */
    const uint64_t slot = PVGI_LEDGER_SLOT_AT;
    d.cached[slot] ^= 1;
    PVGT_OK(open_again(&ledger, &d));
    TEST_ASSERT_EQUAL_INT64(told, pvg_ledger_charge_count(ledger));
    pvg_ledger_free(ledger);
    memcpy(d.cached, whole, ROOM);
    d.cached[slot] ^= 1;
    d.cached[2 * slot + 9] ^= 1;
    PVGT_FAILS(PVG_E_FORMAT, "both acknowledgements", open_again(&ledger, &d));
}

/* The name went while the record was written: not acknowledged, nothing more is. */
static void a_name_lost_on_the_way(void) {
    static disk d;
    int64_t told = 0;
    pvg_ledger *ledger = begin(&d, 5);
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
    RUN_TEST(a_name_lost_on_the_way);
    return pvgt_end(UNITY_END());
}
