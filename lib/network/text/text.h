/* Networks from text: what is read so far, and the steps of reading (network/text.c). */
#ifndef PVGI_NETWORK_TEXT_TEXT_H
#define PVGI_NETWORK_TEXT_TEXT_H

#include "network/network_internal.h"

enum { PVGI_TEXT_WORD_BYTES = 32, PVGI_TEXT_WORDS = 512 };

typedef struct {
    char text[PVGI_TEXT_WORD_BYTES];
    int32_t place; /* first character, from 1 */
} pvgi_text_word;

typedef struct {
    pvgi_program *p;
    pvgi_text_word *words;
    int32_t count, at;
    int32_t stage_start;
    int32_t current;   /* tensor, -1: the features */
    int64_t columns;   /* of it */
    int32_t domain;    /* of it */
    double input_drop; /* of features that were not read yet */
    int32_t pending;   /* operator of kprop rounds not made yet */
    int64_t pending_rounds;
    bool keep_stages;                     /* jk occurs: every stage must exist */
    int32_t stages[PVGI_PROGRAM_OUTPUTS]; /* outputs of maps so far */
    int32_t stage_count;
} pvgi_text_reader;

/* --- words (text/words.c) ---------------------------------------------------------- */

/* What is wrong with the word at that place, or at the next one. */
int32_t pvgi_network_text_wrong_word(const pvgi_text_reader *r, int32_t at,
                                     const char *reason);
#define WRONG(r, ...) pvgi_network_text_wrong_word(r, (r)->at, __VA_ARGS__)

int32_t pvgi_network_text_split_words(pvgi_text_reader *r, const char *text);
const char *pvgi_network_text_peek(const pvgi_text_reader *r);
bool pvgi_network_text_stage_ends(const pvgi_text_reader *r);
bool pvgi_network_text_take(pvgi_text_reader *r, const char *name);
int32_t pvgi_network_text_take_probability(double *out, pvgi_text_reader *r);
int32_t pvgi_network_text_take_whole(int64_t *out, pvgi_text_reader *r, int64_t most,
                                     const char *reason);
int32_t pvgi_network_text_take_width(int64_t *out, pvgi_text_reader *r);
int32_t pvgi_network_text_take_setting(double *out, pvgi_text_reader *r, const char *name,
                                       double least, double most);

/* --- tensors and operations (text/build.c) ------------------------------------------ */

int32_t pvgi_network_text_add_tensor(int32_t *out, pvgi_program *p, int32_t domain,
                                     int64_t columns);
int32_t pvgi_network_text_add_param(int32_t *out, pvgi_program *p, int64_t rows,
                                    int64_t columns, pvgi_init init);
int32_t pvgi_network_text_add_op(pvgi_op **out, pvgi_program *p, pvgi_op_kind kind);
int32_t pvgi_network_text_map_to(int32_t *tensor, pvgi_op **op, pvgi_program *p,
                                 pvgi_op_kind kind, int32_t in, int64_t columns);
int32_t pvgi_network_text_find_operator(int32_t *out, pvgi_program *p,
                                        pvgi_weights weights, double tau);
int32_t pvgi_network_text_aggregate(int32_t *tensor, pvgi_program *p, int32_t operation);
int32_t pvgi_network_text_make_pending(pvgi_text_reader *r);
int32_t pvgi_network_text_linear(int32_t *tensor, pvgi_text_reader *r, int64_t width);
int32_t pvgi_network_text_add_bias(pvgi_program *p, int32_t tensor);
int32_t pvgi_network_text_activate(pvgi_program *p, int32_t tensor, pvgi_act act);
int32_t pvgi_network_text_add_to(int32_t *tensor, pvgi_program *p, int32_t other,
                                 double factor);
void pvgi_network_text_move_to(pvgi_text_reader *r, int32_t tensor);
int32_t pvgi_network_text_nodes_only(const pvgi_text_reader *r, int32_t at);

/* --- stages that make new columns (text/maps.c) ------------------------------------- */

/* The map whose name is next. */
int32_t pvgi_network_text_read_map(pvgi_text_reader *r);
int32_t pvgi_network_text_read_drop(pvgi_text_reader *r);
int32_t pvgi_network_text_scale_rows(int32_t *tensor, pvgi_program *p, int32_t rule);

#endif
