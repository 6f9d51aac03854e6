/* Records of a ledger file as bytes: numbers little-endian, doubles as their bits, so
 * that what is read is what was written. The checksum is CRC-64 (reflected ECMA-182
 * polynomial), which notices every damage within 64 neighbouring bits and any other but
 * one in 2^64. It guards against accidents, not against forgery. */
#include "ledger_internal.h"

#include <string.h>

const char pvgi_ledger_magic[PVGI_LEDGER_MAGIC + 1] = "pvgledg1";

enum { CONFIG_BYTES = 32, CHARGE_BYTES = 24, TERM_BYTES = 64 };

uint64_t pvgi_ledger_crc(uint64_t seed, const uint8_t *bytes, size_t count) {
    uint64_t crc = ~seed;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (UINT64_C(0xC96C5795D7870F42) & (0 - (crc & 1)));
    }
    return ~crc;
}

/* --- numbers -------------------------------------------------------------------- */

static uint8_t *put(uint8_t *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) *at++ = (uint8_t)(value >> (8 * i));
    return at;
}

static uint8_t *put_double(uint8_t *at, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put(at, bits, 8);
}

static uint64_t get(const uint8_t **at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t) * (*at)++ << (8 * i);
    return value;
}

static double get_double(const uint8_t **at) {
    const uint64_t bits = get(at, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* --- writing -------------------------------------------------------------------- */

uint64_t pvgi_ledger_seal(uint8_t *record, uint32_t length, uint32_t kind,
                          uint64_t chain) {
    put(put(record, length, 4), kind, 4);
    const uint64_t head = pvgi_ledger_crc(chain, record, 8);
    put(record + 8, head, 8);
    const uint64_t check = pvgi_ledger_crc(head, record + PVGI_LEDGER_HEAD, length);
    uint8_t *tail = put(record + PVGI_LEDGER_HEAD + length, check, 8);
    *tail = PVGI_LEDGER_END;
    return check;
}

static uint8_t *new_record(size_t *bytes, size_t length) {
    *bytes = pvgi_size_add(length, PVGI_LEDGER_HEAD + PVGI_LEDGER_TAIL);
    return pvgi_alloc(*bytes, 1);
}

int32_t pvgi_ledger_encode_config(uint8_t **out, size_t *bytes, uint64_t *chain,
                                  const pvg_ledger_config *config) {
    uint8_t *record = new_record(bytes, CONFIG_BYTES);
    if (!record) return pvgi_fail_nomem();
    uint8_t *at = record + PVGI_LEDGER_HEAD;
    at = put(at, (uint32_t)config->notion, 4);
    at = put(at, (uint32_t)config->method, 4);
    at = put_double(at, config->epsilon);
    at = put_double(at, config->delta);
    put_double(at, config->order);
    *chain = pvgi_ledger_seal(record, CONFIG_BYTES, PVGI_RECORD_CONFIG, *chain);
    *out = record;
    return PVG_OK;
}

static uint8_t *put_term(uint8_t *at, const pvg_curve_term *term) {
    const bool sampled = term->kind == PVG_CURVE_SAMPLED; /* borrows two places */
    at = put(at, (uint32_t)term->kind, 8);
    at = put_double(at, sampled ? term->rate : term->epsilon);
    at = put_double(at, term->delta);
    at = put_double(at, term->rho);
    at = put_double(at, term->omega);
    at = put_double(at, term->mu);
    at = put_double(at, term->beta);
    return put(at, (uint64_t)(sampled ? term->steps : term->dimension), 8);
}

int32_t pvgi_ledger_encode_charge(uint8_t **out, size_t *bytes, uint64_t *chain,
                                  const uint64_t *objects, int64_t count,
                                  const pvg_curve *curve, const pvgi_ledger_rule *first) {
    const size_t length =
        CHARGE_BYTES + (size_t)curve->count * TERM_BYTES + (size_t)count * 8;
    uint8_t *record = new_record(bytes, length);
    if (!record) return pvgi_fail_nomem();
    uint8_t *at = record + PVGI_LEDGER_HEAD;
    at = put(at, (uint64_t)curve->count, 4);
    at = put(at, (uint32_t)first->method | (uint32_t)first->tilt << 16, 4);
    at = put_double(at, first->order);
    at = put(at, (uint64_t)count, 8);
    for (int64_t i = 0; i < curve->count; i++) at = put_term(at, &curve->terms[i]);
    for (int64_t i = 0; i < count; i++) at = put(at, objects[i], 8);
    *chain = pvgi_ledger_seal(record, (uint32_t)length, PVGI_RECORD_CHARGE, *chain);
    *out = record;
    return PVG_OK;
}

/* Not 0, so that zeros are no slot; not the sequence, which would cancel. */
static const uint64_t slot_seed = UINT64_C(0x736C6F7473);

void pvgi_ledger_encode_slot(uint8_t slot[PVGI_LEDGER_SLOT], uint64_t sequence,
                             uint64_t length, uint64_t chain) {
    put(put(put(slot, sequence, 8), length, 8), chain, 8);
    put(slot + 24, pvgi_ledger_crc(slot_seed, slot, 24), 8);
}

bool pvgi_ledger_decode_slot(const uint8_t slot[PVGI_LEDGER_SLOT], uint64_t *sequence,
                             uint64_t *length, uint64_t *chain) {
    const uint8_t *at = slot;
    *sequence = get(&at, 8);
    *length = get(&at, 8);
    *chain = get(&at, 8);
    return get(&at, 8) == pvgi_ledger_crc(slot_seed, slot, 24);
}

/* --- reading -------------------------------------------------------------------- */

int32_t pvgi_ledger_decode_config(pvg_ledger_config *out, const uint8_t *payload,
                                  size_t bytes) {
    *out = (pvg_ledger_config){.size = sizeof *out};
    if (bytes != CONFIG_BYTES)
        return pvgi_fail(PVG_E_FORMAT, "the configuration has a wrong length");
    out->notion = (int32_t)get(&payload, 4);
    out->method = (int32_t)get(&payload, 4);
    out->epsilon = get_double(&payload);
    out->delta = get_double(&payload);
    out->order = get_double(&payload);
    return pvgi_ledger_check_config("file", out) == PVG_OK
               ? PVG_OK
               : pvgi_fail(PVG_E_FORMAT, "the configuration is not a valid one");
}

/* One more term of a curve that is built up by composition. */
static int32_t add_term(pvg_curve **curve, const uint8_t **at) {
    pvg_curve_term term = {.size = sizeof term};
    pvg_curve *one = NULL, *sum = NULL;
    const uint64_t kind = get(at, 8);
    term.epsilon = get_double(at);
    term.delta = get_double(at);
    term.rho = get_double(at);
    term.omega = get_double(at);
    term.mu = get_double(at);
    term.beta = get_double(at);
    term.dimension = (int64_t)get(at, 8);
    if (kind == PVG_CURVE_SAMPLED) {
        term.rate = term.epsilon;
        term.steps = term.dimension;
        term.epsilon = 0.0;
        term.dimension = 0;
    }
    if (kind > PVG_CURVE_SAMPLED) return pvgi_fail(PVG_E_FORMAT, "a term has no kind");
    term.kind = (int32_t)kind;
    PVGI_TRY(pvg_curve_new(&one, &term));
    if (*curve == NULL) {
        *curve = one;
        return PVG_OK;
    }
    const int32_t status = pvg_curve_compose(&sum, *curve, one);
    pvg_curve_free(one);
    if (status != PVG_OK) return status;
    pvg_curve_free(*curve);
    *curve = sum;
    return PVG_OK;
}

int32_t pvgi_ledger_decode_charge(pvgi_ledger_charge_record *out, const uint8_t *payload,
                                  size_t bytes) {
    *out = (pvgi_ledger_charge_record){0};
    if (bytes < CHARGE_BYTES) return pvgi_fail(PVG_E_FORMAT, "a charge is too short");
    const uint64_t terms = get(&payload, 4), rule = get(&payload, 4);
    const uint64_t method = rule & 0xFFFF, tilt = rule >> 16;
    out->first.order = get_double(&payload);
    const uint64_t objects = get(&payload, 8);
    out->first.method = (int32_t)method;
    out->first.tilt = (int32_t)tilt;
    if (terms < 1 || terms > PVG_LEDGER_TERMS_MAX || objects < 1 ||
        objects > PVG_LEDGER_BATCH_MAX ||
        bytes != CHARGE_BYTES + terms * TERM_BYTES + objects * 8)
        return pvgi_fail(PVG_E_FORMAT, "a charge has a wrong length");
    const bool ordered = method == PVG_METHOD_RENYI || method == PVG_METHOD_MIXED;
    if (method < PVG_METHOD_BASIC || method > PVG_METHOD_MIXED ||
        tilt > (method == PVG_METHOD_MIXED ? PVGI_LEDGER_TILT_MAX : 0) ||
        (ordered ? !(isfinite(out->first.order) && out->first.order > 1.0)
                 : out->first.order != 0.0))
        return pvgi_fail(PVG_E_FORMAT, "a charge has no valid method");
    out->count = (int64_t)objects;
    out->objects = pvgi_alloc((size_t)objects, sizeof *out->objects);
    int32_t status = out->objects ? PVG_OK : pvgi_fail_nomem();
    for (uint64_t i = 0; i < terms && status == PVG_OK; i++)
        status = add_term(&out->curve, &payload);
    for (uint64_t i = 0; i < objects && status == PVG_OK; i++)
        out->objects[i] = get(&payload, 8);
    if (status != PVG_OK) {
        pvgi_free(out->objects);
        pvg_curve_free(out->curve);
        *out = (pvgi_ledger_charge_record){0};
    }
    return status == PVG_OK || status == PVG_E_NOMEM
               ? status
               : pvgi_fail(PVG_E_FORMAT, "a charge has a term that is not valid");
}
