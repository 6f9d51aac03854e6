/* Which file is the ledger. Compaction, repair and a claim put a new file in the place
 * of the old one. Whoever still reaches the old one (a link made meanwhile, a mount of
 * the file, a descriptor that was kept) would find a budget that nobody has told of
 * later charges, so the old one is marked before, and takes none. A copy is another
 * file of the machine with the same bytes: the file names the one it is
 * (pvgi_io_place), so that a copy, or a backup that was put back, is noticed wherever
 * the file system tells files apart. What no file can know is left to a witness
 * (witness.c): a copy of the whole disk, old bytes written over the file itself. */
#include "ledger_internal.h"

#include <string.h>

static uint8_t *put(uint8_t *at, uint64_t value) {
    for (int i = 0; i < 8; i++) *at++ = (uint8_t)(value >> (8 * i));
    return at;
}

static uint64_t get(const uint8_t **at) {
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) value |= (uint64_t) * (*at)++ << (8 * i);
    return value;
}

/* Not 0, so that zeros are no identity. */
static const uint64_t identity_seed = UINT64_C(0x6964656E74697479);

enum { CHECKED = PVGI_LEDGER_IDENTITY - 8 };

static void encode(uint8_t *block, const pvgi_ledger_identity *identity) {
    memset(block, 0, PVGI_LEDGER_IDENTITY);
    memcpy(block, identity->key, PVGI_LEDGER_KEY);
    uint8_t *at = put(block + PVGI_LEDGER_KEY, identity->generation);
    at = put(put(at, identity->place.number), identity->place.born);
    for (int i = 0; i < 2; i++)
        at = put(put(at, identity->before[i].length), identity->before[i].chain);
    memcpy(at, identity->witness, strlen(identity->witness));
    put(block + CHECKED, pvgi_ledger_crc(identity_seed, block, CHECKED));
}

static bool decode(pvgi_ledger_identity *out, const uint8_t *block) {
    const uint8_t *at = block + CHECKED;
    if (get(&at) != pvgi_ledger_crc(identity_seed, block, CHECKED)) return false;
    memcpy(out->key, block, PVGI_LEDGER_KEY);
    at = block + PVGI_LEDGER_KEY;
    out->generation = get(&at);
    out->place.number = get(&at);
    out->place.born = get(&at);
    for (int i = 0; i < 2; i++) {
        out->before[i].length = get(&at);
        out->before[i].chain = get(&at);
    }
    memcpy(out->witness, at, PVGI_LEDGER_WITNESS_MAX);
    out->witness[PVGI_LEDGER_WITNESS_MAX] = '\0';
    return out->generation > 0;
}

int32_t pvgi_ledger_identity_new(pvgi_ledger_identity *out) {
    uint8_t key[PVGI_KEY_BYTES];
    *out = (pvgi_ledger_identity){.generation = 1};
    PVGI_TRY(pvgi_rng_entropy_key(key));
    memcpy(out->key, key, sizeof out->key);
    return PVG_OK;
}

void pvgi_ledger_identity_put(uint8_t *content, const pvgi_ledger_identity *identity) {
    for (size_t i = 1; i <= 2; i++)
        encode(content + PVGI_LEDGER_IDENTITY_AT * i, identity);
}

bool pvgi_ledger_identity_get(pvgi_ledger_identity *out, const uint8_t *content) {
    return decode(out, content + PVGI_LEDGER_IDENTITY_AT) ||
           decode(out, content + PVGI_LEDGER_IDENTITY_AT * 2);
}

int pvgi_ledger_identity_whole(const uint8_t *content) {
    pvgi_ledger_identity unused;
    return decode(&unused, content + PVGI_LEDGER_IDENTITY_AT) +
           decode(&unused, content + PVGI_LEDGER_IDENTITY_AT * 2);
}

void pvgi_ledger_stamp(uint8_t *content, const pvgi_io_place *place) {
    pvgi_ledger_identity identity;
    if (!pvgi_ledger_identity_get(&identity, content)) return;
    identity.place = *place;
    pvgi_ledger_identity_put(content, &identity);
}

pvgi_ledger_position pvgi_ledger_stands(const pvg_ledger *ledger) {
    return (pvgi_ledger_position){ledger->journal.bytes, ledger->chain};
}

int32_t pvgi_ledger_identity_next(pvgi_ledger_identity *out, const pvg_ledger *ledger) {
    if (ledger->version < 3) {
        PVGI_TRY(pvgi_ledger_identity_new(out));
    } else {
        *out = ledger->identity;
        out->generation++;
    }
    out->before[0] = out->before[1] = pvgi_ledger_stands(ledger);
    return PVG_OK;
}

/* --- looking ---------------------------------------------------------------------- */

bool pvgi_ledger_is_superseded(const uint8_t *content, size_t count) {
    return count > PVGI_LEDGER_MAGIC &&
           memcmp(content, pvgi_ledger_magic, PVGI_LEDGER_MAGIC - 1) == 0 &&
           content[PVGI_LEDGER_MAGIC - 1] == PVGI_LEDGER_SUPERSEDED;
}

int32_t pvgi_ledger_fail_superseded(const char *path) {
    return pvgi_fail(PVG_E_PRIVACY,
                     "%.200s: superseded: a compaction or repair has put another file in "
                     "the place of this one, which takes no more charges; use the name "
                     "that the ledger had then",
                     path);
}

int32_t pvgi_ledger_check_place(const pvg_ledger *ledger) {
    pvgi_io_place here;
    if (ledger->version < 3) return PVG_OK;
    PVGI_TRY(pvgi_io_journal_place(&here, &ledger->journal));
    const pvgi_io_place *told = &ledger->identity.place;
    if (here.number == told->number && here.born == told->born) return PVG_OK;
    return pvgi_fail(
        PVG_E_PRIVACY,
        "%.200s: a copy, a backup or moved to another disk: what was charged "
        "to the original since is not known here. If this is the only one "
        "left and no charge is missing, claim it (pvg_ledger_claim, "
        "privgraph ledger claim)",
        ledger->journal.path);
}

int32_t pvgi_ledger_check_current(pvg_ledger *ledger) {
    uint8_t magic[PVGI_LEDGER_MAGIC + 1] = {0};
    uint8_t found[PVGI_LEDGER_SLOT], wanted[PVGI_LEDGER_SLOT];
    if (ledger->journal.broken || ledger->journal.readonly)
        return PVG_OK; /* said there */
    PVGI_TRY(pvgi_io_journal_get(&ledger->journal, magic, PVGI_LEDGER_MAGIC, 0));
    if (pvgi_ledger_is_superseded(magic, sizeof magic)) {
        ledger->journal.broken = true;
        return pvgi_ledger_fail_superseded(ledger->journal.path);
    }
    if (ledger->version < 2) return PVG_OK;
    pvgi_ledger_encode_slot(wanted, ledger->sequence, ledger->journal.bytes,
                            ledger->chain);
    PVGI_TRY(pvgi_io_journal_get(&ledger->journal, found, sizeof found,
                                 PVGI_LEDGER_SLOT_AT * (ledger->sequence % 2 + 1)));
    if (memcmp(found, wanted, sizeof found) == 0) return PVG_OK;
    ledger->journal.broken = true;
    return pvgi_fail(PVG_E_IO,
                     "%.200s: changed by someone else since it was opened; nothing is "
                     "written to it any more",
                     ledger->journal.path);
}

/* --- exchanging ------------------------------------------------------------------- */

int32_t pvgi_ledger_exchange(pvgi_io_journal *journal, uint8_t *content, size_t count,
                             bool with_place) {
    return pvgi_io_journal_exchange(
        journal, &(pvgi_io_successor){.content = content,
                                      .count = count,
                                      .stamp = with_place ? pvgi_ledger_stamp : NULL,
                                      .mark_at = PVGI_LEDGER_MAGIC - 1,
                                      .mark = PVGI_LEDGER_SUPERSEDED});
}

static int32_t renew(pvg_ledger *ledger, uint8_t *content, size_t count) {
    PVGI_TRY(pvgi_io_journal_get(&ledger->journal, content, count, 0));
    content[PVGI_LEDGER_MAGIC - 1] = '3';
    pvgi_ledger_identity_put(content, &ledger->identity);
    for (uint64_t i = 0; i < 2; i++)
        pvgi_ledger_encode_slot(content + PVGI_LEDGER_SLOT_AT * (i + 1), i, count,
                                ledger->chain);
    PVGI_TRY(pvgi_ledger_exchange(&ledger->journal, content, count, true));
    pvgi_ledger_identity_get(&ledger->identity, content);
    ledger->version = 3;
    ledger->sequence = 1;
    return PVG_OK;
}

int32_t pvgi_ledger_renew(pvg_ledger *ledger, const char *witness) {
    pvgi_ledger_identity next;
    if (ledger->version == 1) PVGI_TRY(pvgi_ledger_compact(ledger));
    const size_t count = (size_t)ledger->journal.bytes;
    const pvgi_ledger_identity old = ledger->identity;
    PVGI_TRY(pvgi_ledger_identity_next(&next, ledger));
    if (*old.witness && ledger->witness.file < 0 && !witness)
        return pvgi_fail(PVG_E_IO,
                         "%.200s: its witness %.200s cannot be used; name a new one",
                         ledger->journal.path, old.witness);
    uint8_t *content = pvgi_alloc(count, 1);
    if (!content) return pvgi_fail_nomem();
    ledger->identity = next;
    ledger->identity.generation--; /* what a new witness is told first */
    int32_t status = witness ? pvgi_ledger_witness_take(ledger, witness) : PVG_OK;
    ledger->identity.generation++;
    if (status == PVG_OK) status = renew(ledger, content, count);
    pvgi_free(content);
    if (status == PVG_OK) return pvgi_ledger_witness_tell(ledger);
    ledger->identity = old;
    if (witness) ledger->journal.broken = true; /* which of two is told is open */
    return status;
}
