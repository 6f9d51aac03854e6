/* A ledger and its file: beginning one, writing records and acknowledging them, and
 * opening one with the repair a crash asks for (replay.c). Cost of a record: two writes
 * and two waits for the disk. */
#include "ledger_internal.h"

#include <string.h>

int32_t pvgi_ledger_begin_bytes(uint8_t **out, size_t *count, uint64_t *chain,
                                int32_t version, const pvg_ledger_config *config,
                                const pvgi_ledger_identity *identity) {
    const bool old = version == 1;
    const size_t begin = old ? PVGI_LEDGER_MAGIC : PVGI_LEDGER_BEGIN;
    uint8_t *record = NULL;
    size_t bytes = 0;
    *chain = 0;
    PVGI_TRY(pvgi_ledger_encode_config(&record, &bytes, chain, config));
    uint8_t *content = pvgi_alloc_zero(begin + bytes, 1);
    if (content) {
        memcpy(content, pvgi_ledger_magic, PVGI_LEDGER_MAGIC);
        content[PVGI_LEDGER_MAGIC - 1] = (uint8_t)('0' + version);
        if (version == 3) pvgi_ledger_identity_put(content, identity);
        memcpy(content + begin, record, bytes);
        for (uint64_t i = 0; i < 2 && !old; i++)
            pvgi_ledger_encode_slot(content + PVGI_LEDGER_SLOT_AT * (i + 1), i,
                                    begin + bytes, *chain);
        *count = begin + bytes;
    }
    pvgi_free(record);
    *out = content;
    return content ? PVG_OK : pvgi_fail_nomem();
}

int32_t pvgi_ledger_begin_file(pvg_ledger *ledger, const char *path) {
    uint8_t *content = NULL;
    size_t count = 0;
    PVGI_TRY(pvgi_ledger_identity_new(&ledger->identity));
    PVGI_TRY(pvgi_ledger_begin_bytes(&content, &count, &ledger->chain, ledger->version,
                                     &ledger->config, &ledger->identity));
    ledger->sequence = 1;
    const bool named = ledger->version >= 3; /* files before say not which they are */
    const int32_t status = pvgi_io_journal_create(&ledger->journal, path, content, count,
                                                  named ? pvgi_ledger_stamp : NULL);
    if (status == PVG_OK && named) pvgi_ledger_identity_get(&ledger->identity, content);
    pvgi_free(content);
    return status;
}

/* --- writing -------------------------------------------------------------------- */

/* All that is on the disk counts from now on. */
static int32_t acknowledge(pvg_ledger *ledger, uint64_t chain) {
    uint8_t slot[PVGI_LEDGER_SLOT];
    if (ledger->version == 1) return PVG_OK;
    const uint64_t sequence = ledger->sequence + 1;
    pvgi_ledger_encode_slot(slot, sequence, ledger->journal.bytes, chain);
    PVGI_TRY(pvgi_io_journal_replace(&ledger->journal, slot, sizeof slot,
                                     PVGI_LEDGER_SLOT_AT * (sequence % 2 + 1)));
    ledger->sequence = sequence;
    return PVG_OK;
}

int32_t pvgi_ledger_write(pvg_ledger *ledger, const uint8_t *record, size_t bytes,
                          uint64_t chain) {
    PVGI_TRY(pvgi_ledger_check_current(ledger));
    PVGI_TRY(pvgi_ledger_witness_check(ledger));
    PVGI_TRY(pvgi_io_journal_append(&ledger->journal, record, bytes));
    PVGI_TRY(acknowledge(ledger, chain));
    ledger->chain = chain;
    return pvgi_ledger_witness_tell(ledger);
}

/* --- opening -------------------------------------------------------------------- */

/* Version 1: cuts off an unfinished record; writes the end mark that is missing. */
static int32_t repair_end(pvgi_io_journal *journal, const pvgi_ledger_tail *tail) {
    const uint8_t mark = PVGI_LEDGER_END;
    if (journal->bytes > tail->good) PVGI_TRY(pvgi_io_journal_cut(journal, tail->good));
    return tail->unsealed ? pvgi_io_journal_append(journal, &mark, 1) : PVG_OK;
}

/* Version 2: what was never acknowledged is cut off; a record that is whole counts. After
 * a flush that failed the system may show what the disk does not have: so that nothing is
 * built on that, the acknowledgement and such a record are written again. */
static int32_t repair_tail(pvg_ledger *ledger, const pvgi_ledger_tail *tail,
                           const uint8_t *content) {
    pvgi_io_journal *journal = &ledger->journal;
    const size_t slot = PVGI_LEDGER_SLOT_AT * (size_t)(ledger->sequence % 2 + 1);
    PVGI_TRY(pvgi_io_journal_replace(journal, content + slot, PVGI_LEDGER_SLOT, slot));
    if (journal->bytes > tail->acknowledged)
        PVGI_TRY(pvgi_io_journal_cut(journal, tail->acknowledged));
    if (tail->good == tail->acknowledged) return PVG_OK;
    PVGI_TRY(pvgi_io_journal_append(journal, content + tail->acknowledged,
                                    tail->good - tail->acknowledged));
    return acknowledge(ledger, ledger->chain);
}

/* It is the one that the marked file was to be replaced by. */
static int32_t check_successor(const uint8_t *old, const pvg_ledger *ledger,
                               const char *path) {
    pvgi_ledger_identity was;
    if (old[PVGI_LEDGER_MAGIC - 1] != PVGI_LEDGER_SUPERSEDED || ledger->version < 3 ||
        !pvgi_ledger_identity_get(&was, old))
        return PVG_OK; /* older versions have none */
    if (was.generation + 1 == ledger->identity.generation &&
        memcmp(was.key, ledger->identity.key, sizeof was.key) == 0)
        return PVG_OK;
    return pvgi_ledger_fail_superseded(path);
}

/* What a crash left of an exchange: the file has its mark, and the one that is to take
 * its place stands beside it, whole. */
static int32_t finish_exchange(pvgi_io_journal *journal, uint8_t **content, size_t *count,
                               const uint8_t *old, const char *path) {
    pvgi_ledger_tail tail;
    pvgi_io_journal other;
    pvg_ledger *ledger = NULL;
    const size_t old_count = *count;
    PVGI_TRY(pvgi_io_journal_beside(&other, content, count, journal));
    if (other.file < 0) return pvgi_ledger_fail_superseded(path);
    int32_t status = pvgi_ledger_replay(&ledger, &tail, *content, *count, path);
    if (status == PVG_OK && old_count > PVGI_LEDGER_BEGIN)
        status = check_successor(old, ledger, path);
    pvgi_ledger_drop(ledger);
    /* after a flush that failed the mark may be in memory only */
    const uint8_t mark = PVGI_LEDGER_SUPERSEDED;
    if (status == PVG_OK)
        status = pvgi_io_journal_replace(journal, &mark, 1, PVGI_LEDGER_MAGIC - 1);
    return pvgi_io_journal_succeed(journal, &other, status);
}

static int32_t finish_open(pvg_ledger *ledger, const pvgi_ledger_tail *tail,
                           const uint8_t *content) {
    PVGI_TRY(pvgi_io_journal_finish_exchange(&ledger->journal));
    PVGI_TRY(ledger->version == 1 ? repair_end(&ledger->journal, tail)
                                  : repair_tail(ledger, tail, content));
    return pvgi_ledger_witness_tell(ledger);
}

static int32_t adopt(pvg_ledger *ledger, const pvgi_ledger_tail *tail,
                     const uint8_t *content, pvgi_ledger_purpose purpose) {
    ledger->torn = ledger->journal.bytes - tail->good;
    ledger->seen[0] = tail->told[0];
    ledger->seen[1] = tail->told[1];
    ledger->seen[2] = (pvgi_ledger_position){tail->good, ledger->chain};
    if (purpose == PVGI_LEDGER_READ) return PVG_OK;
    if (purpose == PVGI_LEDGER_CHARGE) PVGI_TRY(pvgi_ledger_check_place(ledger));
    PVGI_TRY(pvgi_ledger_witness_open(ledger, purpose));
    if (ledger->torn > 0)
        pvgi_log(PVG_LOG_WARNING, "pvg_ledger_open: an unfinished end was cut off");
    return finish_open(ledger, tail, content);
}

int32_t pvgi_ledger_adopt(pvg_ledger **out, pvgi_io_journal *journal,
                          const uint8_t *content, size_t count, const char *path,
                          pvgi_ledger_purpose purpose) {
    pvgi_ledger_tail tail;
    pvg_ledger *ledger = NULL;
    uint8_t *newer = NULL;
    int32_t status = PVG_OK;
    if (pvgi_ledger_is_superseded(content, count)) {
        if (purpose == PVGI_LEDGER_READ) return pvgi_ledger_fail_superseded(path);
        status = finish_exchange(journal, &newer, &count, content, path);
        content = newer;
    }
    if (status == PVG_OK)
        status = pvgi_ledger_replay(&ledger, &tail, content, count, path);
    if (status == PVG_OK) {
        ledger->journal = *journal;
        status = adopt(ledger, &tail, content, purpose);
        *journal = ledger->journal;
        if (status != PVG_OK) {
            ledger->journal = (pvgi_io_journal){.file = -1, .folder = -1};
            pvgi_ledger_drop(ledger);
            ledger = NULL;
        }
    }
    pvgi_free(newer);
    *out = ledger;
    return status;
}

int32_t pvgi_ledger_open_file(pvg_ledger **out, const char *path,
                              pvgi_ledger_purpose purpose) {
    pvgi_io_journal journal;
    uint8_t *content = NULL;
    size_t count = 0;
    PVGI_TRY(pvgi_io_journal_open(&journal, &content, &count, path,
                                  purpose == PVGI_LEDGER_READ));
    const int32_t status =
        pvgi_ledger_adopt(out, &journal, content, count, path, purpose);
    pvgi_free(content);
    if (status != PVG_OK) pvgi_io_journal_close(&journal, true);
    return status;
}

/* --- opening or beginning --------------------------------------------------------- */

int32_t pvgi_ledger_create(pvg_ledger **out, const char *path,
                           const pvg_ledger_config *config) {
    pvg_ledger *ledger = NULL;
    PVGI_TRY(pvgi_ledger_make(&ledger, config));
    const int32_t status = pvgi_ledger_begin_file(ledger, path);
    if (status == PVG_OK)
        *out = ledger;
    else
        pvgi_ledger_drop(ledger);
    return status;
}

/* What differs between the ledger that is there and the one that was asked for; NULL:
 * nothing. Who names no method or objects takes those of the file: every method keeps the
 * budget, and objects only refuse more. */
static const char *difference(const pvg_ledger *there, const pvg_ledger *asked) {
    const pvg_ledger_config *a = &there->config, *b = &asked->config;
    if (a->notion != b->notion) return "notion";
    if (a->epsilon != b->epsilon) return "epsilon";
    if (a->delta != b->delta) return "delta";
    if (b->method != PVG_METHOD_DEFAULT && a->method != b->method) return "method";
    if (b->order != 0.0 && a->order != b->order) return "order";
    if (b->objects &&
        (there->declared_count != asked->declared_count ||
         memcmp(there->declared, asked->declared,
                (size_t)asked->declared_count * sizeof *asked->declared) != 0))
        return "objects";
    return NULL;
}

static int32_t check_same(const char *name, const char *path, const pvg_ledger *there,
                          const pvg_ledger_config *config) {
    pvg_ledger *asked = NULL;
    PVGI_TRY(pvgi_ledger_make(&asked, config));
    const char *other = difference(there, asked);
    pvgi_ledger_drop(asked);
    if (!other) return PVG_OK;
    return pvgi_fail(PVG_E_ARGUMENT, "%s: config->%s is not that of the ledger in %.200s",
                     name, other, path);
}

int32_t pvgi_ledger_open_or_begin(pvg_ledger **out, const char *name, const char *path,
                                  const pvg_ledger_config *config) {
    char message[PVGI_MESSAGE_BYTES];
    pvg_ledger *ledger = NULL;
    int32_t status = pvgi_ledger_open_file(&ledger, path, PVGI_LEDGER_CHARGE);
    if (status == PVG_E_MISSING) {
        const int32_t made = pvgi_ledger_create(out, path, config);
        if (made != PVG_E_IO) return made;
        /* another process may have been quicker */
        pvgi_message_save(message);
        status = pvgi_ledger_open_file(&ledger, path, PVGI_LEDGER_CHARGE);
        if (status == PVG_E_MISSING) {
            pvgi_message_restore(message);
            return made;
        }
    }
    if (status == PVG_OK) status = check_same(name, path, ledger, config);
    if (status == PVG_OK)
        *out = ledger;
    else
        pvgi_ledger_drop(ledger);
    return status;
}
