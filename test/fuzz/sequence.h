/* The machine behind the calls that test/api/calls.py writes: bytes become arguments,
 * made objects live in pools and are used, replaced and freed by later calls. All arrays
 * and structs are blocks of exactly the length the headers state, so that
 * AddressSanitizer sees who reads on. */
#ifndef PVGF_SEQUENCE_H
#define PVGF_SEQUENCE_H

#include "fuzz.h"
#include "zoo.h"

enum pvgf_animal {
#define PVGF_NAME(T) PVGF_##T,
    PVGT_ANIMALS(PVGF_NAME)
#undef PVGF_NAME
        PVGF_ANIMALS
};

/* Most entries of an array; entries where the header gives a length in words. */
enum { PVGF_LARGEST = 4096, PVGF_PLENTY = 65536 };

typedef struct pvgf_source {
    const uint8_t *data;
    size_t left;
} pvgf_source;

uint8_t pvgf_byte(pvgf_source *in);
int64_t pvgf_int(pvgf_source *in);
/* How often something is repeated: few, none or nonsense, never hours. */
int64_t pvgf_times(pvgf_source *in);
double pvgf_double(pvgf_source *in);
int64_t pvgf_of(pvgf_source *in, const int64_t *values, size_t count);
int64_t pvgf_flags(pvgf_source *in, const int64_t *values, size_t count);
const char *pvgf_text(pvgf_source *in, int is_path);
/* A file's content: *bytes is its length. */
const char *pvgf_content(pvgf_source *in, size_t *bytes);

/* A block until the call is over; NULL if count is no length, which skips the call. */
void *pvgf_block(double count, size_t width);
/* The same, filled; tame: only with small numbers. */
void *pvgf_ints(pvgf_source *in, double count, size_t width, int tame);
void *pvgf_doubles(pvgf_source *in, double count);
int64_t pvgf_at(const int64_t *array, double count, double index);
/* The struct as it is passed: of its own size, or an odd one; `seen` becomes what the
 * library may see of it. */
void *pvgf_offer(pvgf_source *in, void *seen, size_t bytes, int out);
const pvg_run *pvgf_run(pvgf_source *in);

void *pvgf_pick(pvgf_source *in, int animal, int or_null);
void pvgf_put(pvgf_source *in, int animal, void *made);
void pvgf_drop(pvgf_source *in, int animal);

/* What callbacks answer. */
extern int32_t pvgf_answer;
/* Around each call. `made` is what it wrote to an out pointer that began as PVGF_POISON.
 * */
#define PVGF_POISON ((void *)(uintptr_t)0x2525252525252525u)
void pvgf_before(const char *name, const pvg_ledger *ledger);
void pvgf_after(int32_t status, const pvg_ledger *ledger);
void pvgf_made(int32_t status, const void *made);
/* Reads what was lent. */
void pvgf_touch(const void *lent, double count, size_t width);
void pvgf_keep_text(const char *text, size_t length);

typedef struct pvgf_call {
    const char *name;
    void (*call)(pvgf_source *in);
} pvgf_call_row;
extern const pvgf_call_row pvgf_calls[];
extern const size_t pvgf_call_count;

#endif
