/* A reader of the JSON that records are written in. Each function reads one value where
 * the reader stands and moves behind it, or fails with PVG_E_FORMAT. */
#ifndef PVGI_GUARANTEE_JSON_H
#define PVGI_GUARANTEE_JSON_H

#include "guarantee_internal.h"

typedef struct {
    const char *at, *end;
    char *next; /* where the next text goes; never longer than its JSON */
} pvgi_json;

/* { "name": value, ... }: called to read each value. [ value, ... ]: likewise; count is
 * how many there must be, negative: any number. */
typedef int32_t (*pvgi_json_field)(pvgi_json *in, void *context, const char *name);
typedef int32_t (*pvgi_json_item)(pvgi_json *in, void *context, int64_t index);

int32_t pvgi_guarantee_wrong(const char *what);
void pvgi_guarantee_skip_space(pvgi_json *in);
bool pvgi_guarantee_take(pvgi_json *in, char wanted);
int32_t pvgi_guarantee_read_text(const char **out, pvgi_json *in);
int32_t pvgi_guarantee_read_number(double *out, pvgi_json *in);
int32_t pvgi_guarantee_read_whole(int64_t *out, pvgi_json *in);
int32_t pvgi_guarantee_read_flag(bool *out, pvgi_json *in);
int32_t pvgi_guarantee_read_hex(uint8_t *out, size_t count, const char *before,
                                pvgi_json *in);
int32_t pvgi_guarantee_read_fields(pvgi_json *in, pvgi_json_field field, void *context);
int32_t pvgi_guarantee_read_signed(double *out, pvgi_json *in);
int32_t pvgi_guarantee_read_integer(int64_t *out, pvgi_json *in);
int32_t pvgi_guarantee_read_items(pvgi_json *in, pvgi_json_item item, void *context,
                                  int64_t count);

/* The columns of a record (parse_columns.c). */
int32_t pvgi_guarantee_read_coordinates(pvg_guarantee *g, pvgi_json *in);

#endif
