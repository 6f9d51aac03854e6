/* Records of a ledger file as bytes: numbers little-endian, doubles as their bits, so
 * that what is read is what was written. The checksum is CRC-64 (reflected ECMA-182
 * polynomial), which notices every damage within 64 neighbouring bits and any other but
 * one in 2^64. It guards against accidents, not against forgery. */
#include "ledger_internal.h"

#include <string.h>

const char pvgi_ledger_magic[PVGI_LEDGER_MAGIC + 1] = "pvgledg1";

enum {
    CONFIG_BYTES = 32,
    CHARGE_BYTES = 24,
    TERM_BYTES = 64,
    NAME_BYTES = 8,
    TOTAL_BYTES = 8,
    STATE_BYTES = 8 * (13 + PVGI_LEDGER_MIXED_ORDERS),
    STATE_TERMS_MAX = 1 << 20
};

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
    const size_t text = config->objects ? strlen(config->objects) : 0;
    const size_t length = CONFIG_BYTES + text;
    uint8_t *record = new_record(bytes, length);
    if (!record) return pvgi_fail_nomem();
    uint8_t *at = record + PVGI_LEDGER_HEAD;
    at = put(at, (uint32_t)config->notion, 4);
    at = put(at, (uint32_t)config->method, 4);
    at = put_double(at, config->epsilon);
    at = put_double(at, config->delta);
    at = put_double(at, config->order);
    if (text > 0) memcpy(at, config->objects, text);
    *chain = pvgi_ledger_seal(record, (uint32_t)length, PVGI_RECORD_CONFIG, *chain);
    *out = record;
    return PVG_OK;
}

static uint8_t *put_term(uint8_t *at, const pvg_curve_term *term) {
    const bool sampled = term->kind == PVG_CURVE_SAMPLED; /* borrows a place */
    at = put(at, (uint32_t)term->kind, 8);
    at = put_double(at, sampled ? term->rate : term->epsilon);
    at = put_double(at, term->delta);
    at = put_double(at, term->rho);
    at = put_double(at, term->omega);
    at = put_double(at, term->mu);
    at = put_double(at, term->beta);
    const bool smooth = term->kind == PVG_CURVE_SMOOTH; /* no other has a dimension */
    return put(at, (uint64_t)(smooth ? term->dimension : term->steps), 8);
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

int32_t pvgi_ledger_encode_name(uint8_t **out, size_t *bytes, uint64_t *chain,
                                const pvgi_ledger_label *label) {
    uint8_t *record = new_record(bytes, NAME_BYTES + label->bytes);
    if (!record) return pvgi_fail_nomem();
    uint8_t *at = put(record + PVGI_LEDGER_HEAD, (uint64_t)label->count, 8);
    memcpy(at, label->text, label->bytes);
    *chain = pvgi_ledger_seal(record, (uint32_t)(NAME_BYTES + label->bytes),
                              PVGI_RECORD_NAME, *chain);
    *out = record;
    return PVG_OK;
}

int32_t pvgi_ledger_encode_total(uint8_t **out, size_t *bytes, uint64_t *chain,
                                 int64_t charges) {
    uint8_t *record = new_record(bytes, TOTAL_BYTES);
    if (!record) return pvgi_fail_nomem();
    put(record + PVGI_LEDGER_HEAD, (uint64_t)charges, 8);
    *chain = pvgi_ledger_seal(record, TOTAL_BYTES, PVGI_RECORD_TOTAL, *chain);
    *out = record;
    return PVG_OK;
}

/* All sums as they are: what follows is added to the same bits as before. */
int32_t pvgi_ledger_encode_state(uint8_t **out, size_t *bytes, uint64_t *chain,
                                 const pvgi_ledger_entry *entry) {
    const pvgi_ledger_state *state = &entry->state;
    const pvg_curve *curve = state->curve;
    if (curve->count > STATE_TERMS_MAX)
        return pvgi_fail(PVG_E_LIMIT,
                         "ledger: an object has %lld terms, which is more "
                         "than a compacted file holds",
                         (long long)curve->count);
    const size_t length = STATE_BYTES + (size_t)curve->count * TERM_BYTES;
    uint8_t *record = new_record(bytes, length);
    if (!record) return pvgi_fail_nomem();
    uint8_t *at = record + PVGI_LEDGER_HEAD;
    at = put(at, entry->object, 8);
    at = put(at, (uint64_t)state->charges, 8);
    at = put(at, (uint64_t)curve->count, 4);
    at = put(at, (uint32_t)state->rule.method | (uint32_t)state->rule.tilt << 16, 4);
    at = put(at, state->kinds, 4);
    at = put(at, state->first.kinds, 4);
    at = put_double(at, state->rule.order);
    at = put_double(at, state->epsilon);
    at = put_double(at, state->delta);
    at = put_double(at, state->mu2);
    at = put_double(at, state->gaussian);
    at = put_double(at, state->renyi);
    at = put_double(at, state->first.epsilon);
    at = put_double(at, state->first.gaussian);
    at = put(at, 0, 8);
    for (int i = 0; i < PVGI_LEDGER_MIXED_ORDERS; i++)
        at = put_double(at, state->clock[i]);
    for (int64_t i = 0; i < curve->count; i++) at = put_term(at, &curve->terms[i]);
    *chain = pvgi_ledger_seal(record, (uint32_t)length, PVGI_RECORD_STATE, *chain);
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

int32_t pvgi_ledger_decode_config(pvg_ledger_config *out, const char **objects,
                                  size_t *length, const uint8_t *payload, size_t bytes) {
    *out = (pvg_ledger_config){.size = sizeof *out};
    *length = 0;
    if (bytes < CONFIG_BYTES)
        return pvgi_fail(PVG_E_FORMAT, "the configuration has a wrong length");
    out->notion = (int32_t)get(&payload, 4);
    out->method = (int32_t)get(&payload, 4);
    out->epsilon = get_double(&payload);
    out->delta = get_double(&payload);
    out->order = get_double(&payload);
    *objects = (const char *)payload;
    *length = bytes - CONFIG_BYTES;
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
    *(kind == PVG_CURVE_SMOOTH ? &term.dimension : &term.steps) = (int64_t)get(at, 8);
    if (kind == PVG_CURVE_SAMPLED) {
        term.rate = term.epsilon;
        term.epsilon = 0.0;
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

static bool is_rule(uint64_t method, uint64_t tilt, double order) {
    const bool ordered = method == PVG_METHOD_RENYI || method == PVG_METHOD_MIXED;
    return method >= PVG_METHOD_BASIC && method <= PVG_METHOD_MIXED &&
           tilt <= (method == PVG_METHOD_MIXED ? PVGI_LEDGER_TILT_MAX : 0) &&
           (ordered ? isfinite(order) && order > 1.0 : order == 0.0);
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
    if (!is_rule(method, tilt, out->first.order))
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

int32_t pvgi_ledger_decode_name(const char **text, size_t *length, int64_t *count,
                                const uint8_t *payload, size_t bytes) {
    if (bytes <= NAME_BYTES || bytes > NAME_BYTES + PVGI_LEDGER_NAME_MAX)
        return pvgi_fail(PVG_E_FORMAT, "a name has a wrong length");
    const uint64_t objects = get(&payload, 8);
    if (objects < 1 || objects > PVG_LEDGER_BATCH_MAX)
        return pvgi_fail(PVG_E_FORMAT, "a name stands for no valid number of objects");
    *count = (int64_t)objects;
    *text = (const char *)payload;
    *length = bytes - NAME_BYTES;
    for (size_t i = 0; i < *length; i++)
        if (payload[i] < 0x20 || payload[i] == 0x7F)
            return pvgi_fail(PVG_E_FORMAT, "a name has a control character");
    return PVG_OK;
}

int32_t pvgi_ledger_decode_total(int64_t *charges, const uint8_t *payload, size_t bytes) {
    const uint64_t total = bytes == TOTAL_BYTES ? get(&payload, 8) : 0;
    if (*charges != 0 || total < 1 || total > INT64_MAX)
        return pvgi_fail(PVG_E_FORMAT, "the number of charges is not valid");
    *charges = (int64_t)total;
    return PVG_OK;
}

/* A sum that could have been made by adding. */
static bool get_sum(double *out, const uint8_t **at) {
    *out = get_double(at);
    return *out >= 0.0; /* not a number: false. Infinite: of an order that is no use */
}

int32_t pvgi_ledger_decode_state(pvgi_ledger_entry *out, const uint8_t *payload,
                                 size_t bytes) {
    pvgi_ledger_state *state = &out->state;
    *out = (pvgi_ledger_entry){0};
    if (bytes < STATE_BYTES) return pvgi_fail(PVG_E_FORMAT, "a state is too short");
    out->object = get(&payload, 8);
    const uint64_t charges = get(&payload, 8), terms = get(&payload, 4);
    const uint64_t rule = get(&payload, 4);
    state->kinds = (unsigned)get(&payload, 4);
    state->first.kinds = (unsigned)get(&payload, 4);
    state->charges = (int64_t)charges;
    state->rule = (pvgi_ledger_rule){.method = (int32_t)(rule & 0xFFFF),
                                     .tilt = (int32_t)(rule >> 16),
                                     .order = get_double(&payload)};
    bool valid = charges >= 1 && charges <= INT64_MAX && terms >= 1 &&
                 terms <= STATE_TERMS_MAX && bytes == STATE_BYTES + terms * TERM_BYTES &&
                 is_rule(rule & 0xFFFF, rule >> 16, state->rule.order) &&
                 (state->kinds | state->first.kinds) >> (PVG_CURVE_SAMPLED + 1) == 0;
    double *const sums[] = {&state->epsilon,       &state->delta, &state->mu2,
                            &state->gaussian,      &state->renyi, &state->first.epsilon,
                            &state->first.gaussian};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        valid = get_sum(sums[i], &payload) && valid;
    get(&payload, 8);
    for (int i = 0; i < PVGI_LEDGER_MIXED_ORDERS; i++)
        valid = get_sum(&state->clock[i], &payload) && valid;
    if (!valid) return pvgi_fail(PVG_E_FORMAT, "a state is not valid");
    int32_t status = PVG_OK;
    for (uint64_t i = 0; i < terms && status == PVG_OK; i++)
        status = add_term(&state->curve, &payload);
    if (status == PVG_OK) return PVG_OK;
    pvg_curve_free(state->curve);
    state->curve = NULL;
    return status == PVG_E_NOMEM
               ? status
               : pvgi_fail(PVG_E_FORMAT, "a state has a term that is not valid");
}
