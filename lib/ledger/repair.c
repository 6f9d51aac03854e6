/* Damaged ledger files: what is wrong with one, and repairs that forget no charge.
 *
 * A record whose bytes are damaged in one place can be put right: the checksum is linear,
 * so an error e with m bytes behind it changes it by a known amount, and all places and
 * values are tried. Two different single bytes explain the same checksum once in 2^64;
 * if ever two do, nothing is repaired. Damaged acknowledgements are written anew where
 * every byte of the file belongs to a whole record. What is damaged in more places may
 * have held any charge to any object, so nothing can be promised any more, and the file
 * is left alone. Cost: 255 comparisons for each byte of a damaged record. */
#include "ledger_internal.h"

#include <string.h>

typedef struct {
    uint8_t *bytes;
    size_t count;
    uint64_t chain;
    size_t end;      /* of what was acknowledged, version 2 on */
    int64_t charges; /* whole ones so far */
    int repaired;
    pvgi_text *text; /* a line for each thing that is found */
} patient;

static uint64_t number(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static void put(uint8_t *bytes, uint64_t value) {
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

/* --- one damaged byte ----------------------------------------------------------- */

/* What an error in the checksum's state becomes one byte later. */
static uint64_t later(uint64_t error) {
    return ~pvgi_ledger_crc(~error, &(uint8_t){0}, 1);
}

/* Bytes in which two checksums differ. */
static int bytes_apart(uint64_t a, uint64_t b) {
    int apart = 0;
    for (uint64_t x = a ^ b; x; x >>= 8) apart += (x & 0xFF) != 0;
    return apart;
}

/* Puts right `count` bytes and the checksum behind them, if one wrong byte explains it.
 */
static bool correct(uint8_t *bytes, size_t count, uint64_t seed) {
    const uint64_t found = pvgi_ledger_crc(seed, bytes, count);
    const uint64_t told = number(bytes + count, 8);
    uint64_t basis[8];
    size_t place = 0;
    uint8_t error = 0;
    int explanations = bytes_apart(found, told) == 1;
    const bool check_is_wrong = explanations == 1;
    for (int bit = 0; bit < 8; bit++) basis[bit] = later(UINT64_C(1) << bit);
    for (size_t behind = 0; behind < count; behind++) {
        uint64_t change = 0;
        for (unsigned i = 1; i < 256; i++) { /* a Gray code: one bit at a time */
            change ^= basis[__builtin_ctz(i)];
            if (change != (found ^ told)) continue;
            explanations++;
            place = count - 1 - behind;
            error = (uint8_t)(i ^ i >> 1);
        }
        for (int bit = 0; bit < 8; bit++) basis[bit] = later(basis[bit]);
    }
    if (explanations != 1) return false;
    if (check_is_wrong)
        put(bytes + count, found);
    else
        bytes[place] ^= error;
    return true;
}

/* --- records -------------------------------------------------------------------- */

static void tell(patient *p, size_t at, const char *what) {
    pvgi_text_format(p->text, "byte %zu: %s\n", at, what);
}

/* Length of the record at `at`, put right where that is possible; 0 if it is not whole.
 */
static size_t examine(patient *p, size_t at) {
    uint8_t *head = p->bytes + at;
    const size_t left = p->count - at;
    if (left < PVGI_LEDGER_HEAD + PVGI_LEDGER_TAIL) return 0;
    int wrong = 0;
    if (pvgi_ledger_crc(p->chain, head, 8) != number(head + 8, 8)) {
        if (!correct(head, 8, p->chain)) return 0;
        wrong++;
    }
    const uint64_t check = number(head + 8, 8);
    const uint64_t length = number(head, 4);
    if (length > left - PVGI_LEDGER_HEAD - PVGI_LEDGER_TAIL) return 0;
    uint8_t *payload = head + PVGI_LEDGER_HEAD;
    if (pvgi_ledger_crc(check, payload, length) != number(payload + length, 8)) {
        if (wrong || !correct(payload, length, check)) return 0;
        wrong++;
    }
    if (payload[length + 8] != PVGI_LEDGER_END) {
        if (wrong) return 0;
        payload[length + 8] = PVGI_LEDGER_END;
        wrong++;
    }
    if (wrong) {
        tell(p, at, "one byte of this record is damaged; its checksum tells which");
        p->repaired++;
    }
    p->chain = number(payload + length, 8);
    if (number(head + 4, 4) == PVGI_RECORD_CHARGE) p->charges++;
    if (number(head + 4, 4) == PVGI_RECORD_TOTAL && length >= 8)
        p->charges = (int64_t)number(payload, 8);
    return (size_t)PVGI_LEDGER_HEAD + length + PVGI_LEDGER_TAIL;
}

/* True if nothing but an unfinished write can stand from `at` on: zeros, or a head whose
 * record goes beyond the end. Version 1, which does not say what was acknowledged. */
static bool unfinished(const patient *p, size_t at) {
    const size_t left = p->count - at;
    size_t data = p->count;
    while (data > at && p->bytes[data - 1] == 0) data--;
    if (left < PVGI_LEDGER_HEAD || data < at + PVGI_LEDGER_HEAD) return true;
    if (pvgi_ledger_crc(p->chain, p->bytes + at, 8) != number(p->bytes + at + 8, 8))
        return false;
    const size_t mark = PVGI_LEDGER_HEAD + (size_t)number(p->bytes + at, 4) + 8;
    return left <= mark || data <= at + mark;
}

static int32_t lost(patient *p, size_t at) {
    tell(p, at,
         "damaged in more than one place: whatever was charged here and behind is "
         "unknown");
    pvgi_text_format(p->text,
                     "%lld charges before it are whole. Nothing more may be released "
                     "about any object of this ledger: a backup is the only way back\n",
                     (long long)p->charges);
    return PVG_LEDGER_LOST;
}

static int32_t walk_1(patient *p, size_t at) {
    while (at < p->count) {
        if (unfinished(p, at)) {
            tell(p, at, "the end of a charge that was never finished; opening drops it");
            return PVG_LEDGER_TORN;
        }
        const size_t length = examine(p, at);
        if (length == 0) return lost(p, at);
        at += length;
    }
    return PVG_LEDGER_WHOLE;
}

/* --- acknowledgements ----------------------------------------------------------- */

/* Of the two slots, those that are whole; the later one's length. */
static int read_slots(patient *p, uint64_t *told) {
    uint64_t latest = 0;
    int whole = 0;
    for (size_t i = 1; i <= 2; i++) {
        uint64_t sequence, length, chain;
        const size_t at = PVGI_LEDGER_SLOT_AT * i;
        if (!pvgi_ledger_decode_slot(p->bytes + at, &sequence, &length, &chain)) {
            tell(p, at, "this acknowledgement is damaged");
            continue;
        }
        if (whole++ == 0 || sequence > latest) {
            latest = sequence;
            *told = length;
        }
    }
    return whole;
}

static int32_t walk_2(patient *p, size_t at) {
    uint64_t told = 0;
    const int slots = read_slots(p, &told);
    if (slots > 0 && told > p->count) {
        pvgi_text_format(p->text,
                         "the file has %zu bytes, but %llu were acknowledged: its end is "
                         "missing\n",
                         p->count, (unsigned long long)told);
        return lost(p, p->count);
    }
    while (at < (slots > 0 ? told : p->count)) {
        const size_t length = examine(p, at);
        if (length == 0) return lost(p, at);
        at += length;
    }
    p->end = at;
    if (slots == 0 || p->repaired > 0) {
        for (uint64_t i = 0; i < 2; i++)
            pvgi_ledger_encode_slot(p->bytes + PVGI_LEDGER_SLOT_AT * (i + 1), i, at,
                                    p->chain);
        if (slots == 0)
            tell(p, PVGI_LEDGER_SLOT_AT,
                 "both are, but every record is whole: all of them count");
        p->repaired += slots == 0;
    }
    if (at == p->count) return slots == 1 ? PVG_LEDGER_TORN : PVG_LEDGER_WHOLE;
    tell(p, at, "a charge that was never acknowledged; opening keeps it if it is whole");
    return PVG_LEDGER_TORN;
}

/* --- files ---------------------------------------------------------------------- */

/* Which ledger it is stands there twice. */
static bool repair_identity(patient *p, int whole) {
    pvgi_ledger_identity identity;
    if (whole == 2) return true;
    if (whole == 0) {
        tell(p, PVGI_LEDGER_IDENTITY_AT,
             "what says which ledger this is is damaged in both places");
        return false;
    }
    pvgi_ledger_identity_get(&identity, p->bytes);
    pvgi_ledger_identity_put(p->bytes, &identity);
    tell(p, PVGI_LEDGER_IDENTITY_AT,
         "what says which ledger this is is damaged; it stands there twice");
    p->repaired++;
    return true;
}

/* What the bytes are, and in the same place what they should be. */
static int32_t diagnose(patient *p) {
    const size_t magic = PVGI_LEDGER_MAGIC - 1;
    int wrong = 0;
    for (size_t i = 0; i < magic && i < p->count; i++)
        wrong += p->bytes[i] != (uint8_t)pvgi_ledger_magic[i];
    if (p->count < PVGI_LEDGER_MAGIC || wrong > 1) {
        pvgi_text_format(p->text, "not a ledger\n");
        return PVG_LEDGER_LOST;
    }
    if (wrong) {
        memcpy(p->bytes, pvgi_ledger_magic, magic);
        tell(p, 0, "the mark of ledger files is damaged");
        p->repaired++;
    }
    if (p->bytes[magic] == PVGI_LEDGER_SUPERSEDED) {
        pvgi_text_format(p->text, "superseded: another file has taken the place of this "
                                  "one, which takes no more charges\n");
        return PVG_LEDGER_SUPERSEDED;
    }
    const bool second = p->bytes[magic] != '1' && p->count > PVGI_LEDGER_BEGIN;
    const int identities = second ? pvgi_ledger_identity_whole(p->bytes) : 0;
    if (second && p->bytes[magic] != '2' && p->bytes[magic] != '3') {
        p->bytes[magic] = identities > 0 ? '3' : '2';
        tell(p, magic, "the version is damaged");
        p->repaired++;
    }
    if (p->bytes[magic] == '3' && !repair_identity(p, identities)) return PVG_LEDGER_LOST;
    const int32_t condition =
        second ? walk_2(p, PVGI_LEDGER_BEGIN) : walk_1(p, PVGI_LEDGER_MAGIC);
    return p->repaired > 0 && condition != PVG_LEDGER_LOST ? PVG_LEDGER_REPAIRABLE
                                                           : condition;
}

/* Whether what was put right is a ledger. */
static int32_t check_repaired(const patient *p, const char *path, int32_t *condition) {
    pvgi_ledger_tail tail;
    pvg_ledger *ledger = NULL;
    if (*condition == PVG_LEDGER_LOST || *condition == PVG_LEDGER_SUPERSEDED)
        return PVG_OK;
    const int32_t status = pvgi_ledger_replay(&ledger, &tail, p->bytes, p->count, path);
    pvgi_ledger_drop(ledger);
    if (status != PVG_E_FORMAT) return status;
    pvgi_text_format(p->text, "%s\n", pvg_error_message());
    *condition = PVG_LEDGER_LOST;
    return PVG_OK;
}

/* What is open for repairing. */
typedef struct {
    pvgi_io_journal journal;
    uint8_t *content; /* as it is on the disk */
    patient patient;  /* as it should be */
    int32_t condition;
} bed;

static int32_t open_bed(bed *b, const char *path, bool readonly) {
    patient *p = &b->patient;
    PVGI_TRY(pvgi_io_journal_open(&b->journal, &b->content, &p->count, path, readonly));
    p->bytes = pvgi_alloc(p->count, 1);
    if (!p->bytes) return pvgi_fail_nomem();
    memcpy(p->bytes, b->content, p->count);
    b->condition = diagnose(p);
    return check_repaired(p, path, &b->condition);
}

static void close_bed(bed *b) {
    pvgi_io_journal_close(&b->journal, true);
    pvgi_free(b->content);
    pvgi_free(b->patient.bytes);
}

/* Whether the file is the one that its identity names; true where it has none. */
static int32_t stands_here(bool *out, const bed *b) {
    pvgi_ledger_identity identity;
    pvgi_io_place here;
    *out = true;
    if (b->patient.count <= PVGI_LEDGER_BEGIN ||
        b->patient.bytes[PVGI_LEDGER_MAGIC - 1] != '3' ||
        !pvgi_ledger_identity_get(&identity, b->patient.bytes))
        return PVG_OK;
    PVGI_TRY(pvgi_io_journal_place(&here, &b->journal));
    *out = here.number == identity.place.number && here.born == identity.place.born;
    return PVG_OK;
}

int32_t pvgi_ledger_verify(int32_t *condition, pvgi_text *text, const char *path) {
    bed b = {.journal = {.file = -1, .folder = -1}, .patient = {.text = text}};
    bool here = true;
    int32_t status = open_bed(&b, path, true);
    if (status == PVG_OK) status = stands_here(&here, &b);
    if (status == PVG_OK && b.condition == PVG_LEDGER_WHOLE)
        pvgi_text_format(text, "whole: %lld charges\n", (long long)b.patient.charges);
    if (status == PVG_OK && !here)
        pvgi_text_format(text, "a copy, a backup or moved to another disk: it takes no "
                               "charges until it is claimed\n");
    close_bed(&b);
    if (status == PVG_OK) *condition = b.condition;
    return status == PVG_OK ? text->status : status;
}

/* The file that takes the place of the damaged one: of the next generation, and a copy if
 * that was one. */
static void begin_generation(bed *b) {
    patient *p = &b->patient;
    pvgi_ledger_identity identity;
    if (p->count <= PVGI_LEDGER_BEGIN || p->bytes[PVGI_LEDGER_MAGIC - 1] != '3' ||
        !pvgi_ledger_identity_get(&identity, p->bytes))
        return;
    identity.generation++;
    for (size_t i = 0; i < 2; i++) {
        uint64_t sequence;
        pvgi_ledger_position at = {p->end, p->chain};
        pvgi_ledger_decode_slot(b->content + PVGI_LEDGER_SLOT_AT * (i + 1), &sequence,
                                &at.length, &at.chain);
        identity.before[i] = at;
    }
    pvgi_ledger_identity_put(p->bytes, &identity);
    for (uint64_t i = 0; i < 2; i++)
        pvgi_ledger_encode_slot(p->bytes + PVGI_LEDGER_SLOT_AT * (i + 1), i, p->end,
                                p->chain);
}

static int32_t repair(bed *b, const char *copy) {
    pvgi_io_journal kept = {.file = -1, .folder = -1};
    bool here = true;
    PVGI_TRY(stands_here(&here, b));
    PVGI_TRY(pvgi_io_journal_one_name(&b->journal));
    PVGI_TRY(pvgi_io_journal_create(&kept, copy, b->content, b->patient.count, NULL));
    pvgi_io_journal_close(&kept, true);
    begin_generation(b);
    return pvgi_ledger_exchange(&b->journal, b->patient.bytes, b->patient.count, here);
}

int32_t pvgi_ledger_repair(const char *path, const char *copy) {
    pvgi_text text = {0};
    bed b = {.journal = {.file = -1, .folder = -1}, .patient = {.text = &text}};
    int32_t status = open_bed(&b, path, false);
    if (status == PVG_OK && b.condition == PVG_LEDGER_LOST)
        status = pvgi_fail(
            PVG_E_FORMAT, "%.200s: cannot be repaired without forgetting a charge", path);
    if (status == PVG_OK && b.condition == PVG_LEDGER_SUPERSEDED)
        status = pvgi_ledger_fail_superseded(path);
    if (status == PVG_OK && b.condition == PVG_LEDGER_REPAIRABLE)
        status = repair(&b, copy);
    close_bed(&b);
    pvgi_text_free(&text);
    return status;
}
