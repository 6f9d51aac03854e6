/* Pages of 'privgraph report': text that is no markup, pictures, and the sections that
 * pages about releases and about models share. */
#ifndef TOOL_REPORT_H
#define TOOL_REPORT_H

#include "tool.h"

/* --- text (report_text.c) ---------------------------------------------------------- */

extern output *report_page;
extern const char report_style[];
void report_put(const char *text);
/* Nothing in it is markup. */
void report_safe(const char *text);
void report_row(const char *name, const char *value);
void report_number(double value);

/* --- pictures (report_picture.c) ---------------------------------------------------- */

/* Numbers with deviations of their noise, or counts; names are those of the record. */
typedef struct {
    int64_t count;
    char (*name)[64];
    double *value, *low, *high; /* dot and error bar; quartiles where there are rows */
    bool intervals;             /* low and high are error bars at 95 percent */
    const char *caption;
} picture;

/* Column by column of the record: name, deviation of its noise (NAN: private). */
typedef struct {
    const jsont *tree, *columns, *tables;
} record;

/* The largest over the tables of all orders. */
double record_deviation(const record *r, const jsont *column, int64_t kind);
const char *record_member(const jsont *tree, const jsont *node, const char *key);
/* Of what FILE holds. */
picture picture_of_file(const record *r, const finding *f, const char *path);
void picture_draw(const picture *p, bool one_scale);
void picture_free(picture *p);

/* --- sections (report_parts.c) -------------------------------------------------------
 * */

/* From <!DOCTYPE to the first line. */
void report_begin(const char *title, const char *about);
void report_columns(const record *r);
/* "Private: epsilon ...", or that it is not. */
void report_mark(const record *r, const pvg_guarantee *g);
void report_hidden(const record *r, const pvg_guarantee *g);
void report_ceiling(const pvg_guarantee *g);
/* A list to check: begin, a line for each, end. */
void report_check_begin(void);
void report_check(const char *assumption);
void report_check_end(void);
/* ledger NULL: that there is none; object NULL: of all. */
void report_ledger(const char *ledger_file, const char *object);
int32_t report_copy_json(char *out, size_t capacity, size_t *length, const void *g);
record report_record(jsont *tree);

/* --- models (report_model.c) ----------------------------------------------------------
 * */

void report_model(const char *path, const char *title, const char *ledger_file,
                  const char *object);

#endif
