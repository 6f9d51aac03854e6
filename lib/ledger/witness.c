/* A second file, on other storage, that is told after every charge where the ledger
 * stands, and is asked before the ledger is charged again. It notices what the ledger
 * file cannot know: that it is an older copy of itself, from a backup, a snapshot of the
 * disk or another machine.
 *
 * The ledger is written first, the witness second, and only then does a charge succeed.
 * So the ledger may be one acknowledgement ahead, where a crash came between, which
 * counts a charge that nothing was released for; then its other slot tells what the
 * witness knows. It is never behind, unless it is an older copy: that is refused.
 *
 *   file   "pvgwitn1" zeros; testimonies at 4096 and 8192, written in turn
 *   testimony  sequence:u64 generation:u64 length:u64 chain:u64 key:16 bytes check:u64 */
#include "ledger_internal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char magic[] = "pvgwitn1";

enum { MAGIC = 8, AT = 4096, BYTES = 3 * AT, CHECKED = 32 + PVGI_LEDGER_KEY };

typedef struct {
    uint64_t sequence, generation;
    pvgi_ledger_position position;
    uint8_t key[PVGI_LEDGER_KEY];
} testimony;

static uint8_t *put(uint8_t *at, uint64_t value) {
    for (int i = 0; i < 8; i++) *at++ = (uint8_t)(value >> (8 * i));
    return at;
}

static uint64_t get(const uint8_t **at) {
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) value |= (uint64_t) * (*at)++ << (8 * i);
    return value;
}

static const uint64_t seed = UINT64_C(0x7769746E657373); /* zeros are none */

static void encode(uint8_t block[CHECKED + 8], const testimony *told) {
    uint8_t *at = put(put(block, told->sequence), told->generation);
    at = put(put(at, told->position.length), told->position.chain);
    memcpy(at, told->key, PVGI_LEDGER_KEY);
    put(block + CHECKED, pvgi_ledger_crc(seed, block, CHECKED));
}

static bool decode(testimony *out, const uint8_t *block) {
    const uint8_t *at = block + CHECKED;
    if (get(&at) != pvgi_ledger_crc(seed, block, CHECKED)) return false;
    at = block;
    out->sequence = get(&at);
    out->generation = get(&at);
    out->position.length = get(&at);
    out->position.chain = get(&at);
    memcpy(out->key, at, PVGI_LEDGER_KEY);
    return true;
}

/* The later one that is whole. */
static bool latest(testimony *out, const uint8_t *content, size_t count) {
    testimony t;
    bool any = false;
    if (count != BYTES || memcmp(content, magic, MAGIC) != 0) return false;
    for (size_t i = 1; i <= 2; i++)
        if (decode(&t, content + AT * i) && (!any || t.sequence > out->sequence)) {
            *out = t;
            any = true;
        }
    return any;
}

/* --- writing ---------------------------------------------------------------------- */

static int32_t testify(pvg_ledger *ledger, const testimony *told) {
    uint8_t block[CHECKED + 8];
    encode(block, told);
    PVGI_TRY(pvgi_io_journal_replace(&ledger->witness, block, sizeof block,
                                     AT * (told->sequence % 2 + 1)));
    ledger->testimony = told->sequence;
    return PVG_OK;
}

static testimony stand(const pvg_ledger *ledger, uint64_t sequence) {
    testimony told = {.sequence = sequence,
                      .generation = ledger->identity.generation,
                      .position = pvgi_ledger_stands(ledger)};
    memcpy(told.key, ledger->identity.key, PVGI_LEDGER_KEY);
    return told;
}

/* Charging needs both files. */
int32_t pvgi_ledger_witness_check(const pvg_ledger *ledger) {
    if (!*ledger->identity.witness || ledger->journal.readonly) return PVG_OK;
    if (ledger->witness.file >= 0 && !ledger->witness.broken) return PVG_OK;
    return pvgi_fail(PVG_E_IO, "%.200s: its witness %.200s cannot be told",
                     ledger->journal.path, ledger->identity.witness);
}

int32_t pvgi_ledger_witness_tell(pvg_ledger *ledger) {
    memset(ledger->seen, 0, sizeof ledger->seen);
    ledger->seen[PVGI_LEDGER_SEEN - 1] = pvgi_ledger_stands(ledger);
    if (ledger->witness.file < 0) return PVG_OK;
    const testimony told = stand(ledger, ledger->testimony + 1);
    const int32_t status = testify(ledger, &told);
    /* the file holds what its witness was not told: nothing is built on that */
    if (status != PVG_OK) ledger->journal.broken = true;
    return status;
}

int32_t pvgi_ledger_witness_bytes(uint8_t **out, size_t *count,
                                  const pvg_ledger *ledger) {
    *count = BYTES;
    *out = pvgi_alloc_zero(BYTES, 1);
    if (!*out) return pvgi_fail_nomem();
    memcpy(*out, magic, MAGIC);
    for (uint64_t i = 0; i < 2; i++) {
        const testimony told = stand(ledger, i);
        encode(*out + AT * (i + 1), &told);
    }
    return PVG_OK;
}

/* --- asking ----------------------------------------------------------------------- */

static bool same(const pvgi_ledger_position *a, const pvgi_ledger_position *b) {
    return a->length == b->length && a->chain == b->chain;
}

/* The file goes on from what the witness knows, and is at most one step ahead. */
static bool agrees(const testimony *told, const pvg_ledger *ledger) {
    const pvgi_ledger_identity *own = &ledger->identity;
    bool found = false;
    if (told->generation == own->generation)
        for (int i = 0; i < PVGI_LEDGER_SEEN; i++)
            found = found || same(&told->position, &ledger->seen[i]);
    if (told->generation + 1 == own->generation && ledger->sequence == 1)
        found = same(&told->position, &own->before[0]) ||
                same(&told->position, &own->before[1]);
    return found;
}

static bool ahead(const testimony *told, const pvg_ledger *ledger) {
    const pvgi_ledger_position *last = &ledger->seen[PVGI_LEDGER_SEEN - 1];
    if (told->generation != ledger->identity.generation)
        return told->generation > ledger->identity.generation;
    return told->position.length > last->length ||
           (told->position.length == last->length && told->position.chain != last->chain);
}

static int32_t judge(const testimony *told, const pvg_ledger *ledger, const char *path,
                     pvgi_ledger_purpose purpose) {
    if (memcmp(told->key, ledger->identity.key, PVGI_LEDGER_KEY) != 0)
        return pvgi_fail(PVG_E_PRIVACY, "%.200s: the witness %.200s is another ledger's",
                         ledger->journal.path, path);
    if (agrees(told, ledger)) return PVG_OK;
    if (ahead(told, ledger))
        return pvgi_fail(
            PVG_E_PRIVACY,
            "%.200s: its witness %.200s has seen charges that this file does "
            "not hold: it is an older copy, which takes no charges",
            ledger->journal.path, path);
    if (purpose == PVGI_LEDGER_CLAIM) return PVG_OK;
    return pvgi_fail(PVG_E_PRIVACY,
                     "%.200s: its witness %.200s has not seen its last charges: one of "
                     "the two is from a backup. If the file misses no charge, claim it "
                     "(pvg_ledger_claim, privgraph ledger claim)",
                     ledger->journal.path, path);
}

static int32_t open_witness(pvgi_io_journal *out, uint8_t **content, size_t *count,
                            const pvg_ledger *ledger, const char *path) {
    const pvgi_io_disk *disk = ledger->journal.disk;
    if (!disk) return pvgi_io_journal_open(out, content, count, path, false);
    *content = NULL;
    PVGI_TRY(disk->elsewhere(ledger->journal.context, path, out));
    *count = (size_t)out->bytes;
    *content = pvgi_alloc(*count, 1);
    return *content ? pvgi_io_journal_get(out, *content, *count, 0) : pvgi_fail_nomem();
}

/* Opens one and compares. What a flush that failed left in memory may not be on the disk:
 * it is written again. */
static int32_t consult(pvg_ledger *ledger, const char *path,
                       pvgi_ledger_purpose purpose) {
    pvgi_io_journal journal = {.file = -1, .folder = -1};
    uint8_t *content = NULL;
    size_t count = 0;
    testimony told = {0};
    PVGI_TRY(open_witness(&journal, &content, &count, ledger, path));
    int32_t status =
        latest(&told, content, count)
            ? judge(&told, ledger, path, purpose)
            : pvgi_fail(PVG_E_FORMAT, "%.200s: not a witness, or damaged", path);
    pvgi_free(content);
    if (status != PVG_OK) {
        pvgi_io_journal_close(&journal, true);
        return status;
    }
    ledger->witness = journal;
    return testify(ledger, &told);
}

int32_t pvgi_ledger_witness_open(pvg_ledger *ledger, pvgi_ledger_purpose purpose) {
    const char *path = ledger->identity.witness;
    if (!*path || purpose == PVGI_LEDGER_READ) return PVG_OK;
    const int32_t status = consult(ledger, path, purpose);
    /* whoever claims may say that it is gone, by naming a new one */
    const bool gone =
        status == PVG_E_IO || status == PVG_E_MISSING || status == PVG_E_FORMAT;
    if (purpose == PVGI_LEDGER_CLAIM && gone) return PVG_OK;
    if (gone || status == PVG_E_BUSY)
        pvgi_message_prefix("the ledger's witness is needed");
    /* the ledger itself is there: nobody may take this for a reason to make a new one */
    return status == PVG_E_MISSING ? PVG_E_IO : status;
}

/* Where the path leads, whatever folder the next process is in. */
static int32_t absolute(char out[PVGI_LEDGER_WITNESS_MAX + 1], const char *path) {
    char folder[PATH_MAX + 1], real[PATH_MAX + 1];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = slash ? (size_t)(slash - path) + 1 : 1;
    if (length > PATH_MAX || !*name)
        return pvgi_fail(PVG_E_ARGUMENT, "ledger: witness is not the path of a file");
    memcpy(folder, slash ? path : ".", length);
    folder[length] = '\0';
    if (!realpath(folder, real))
        return pvgi_fail(errno == ENOENT ? PVG_E_MISSING : PVG_E_IO,
                         "%.200s: cannot open the folder of the witness: %s", path,
                         strerror(errno));
    const int needed = snprintf(out, PVGI_LEDGER_WITNESS_MAX + 1, "%s/%s",
                                strcmp(real, "/") ? real : "", name);
    if (needed <= PVGI_LEDGER_WITNESS_MAX) return PVG_OK;
    return pvgi_fail(PVG_E_LIMIT,
                     "ledger: the path of the witness has more than %d bytes",
                     (int)PVGI_LEDGER_WITNESS_MAX);
}

int32_t pvgi_ledger_witness_take(pvg_ledger *ledger, const char *path) {
    char whole[PVGI_LEDGER_WITNESS_MAX + 1];
    uint8_t *content = NULL;
    size_t count = 0;
    PVGI_TRY(absolute(whole, path));
    pvgi_io_journal_close(&ledger->witness, true);
    ledger->testimony = 1;
    PVGI_TRY(pvgi_ledger_witness_bytes(&content, &count, ledger));
    int32_t status =
        pvgi_io_journal_create(&ledger->witness, whole, content, count, NULL);
    pvgi_free(content);
    /* one that is there must know this ledger; another is never written over */
    if (status == PVG_E_IO && access(whole, F_OK) == 0)
        status = consult(ledger, whole, PVGI_LEDGER_CHARGE);
    if (status == PVG_OK) memcpy(ledger->identity.witness, whole, sizeof whole);
    return status;
}
