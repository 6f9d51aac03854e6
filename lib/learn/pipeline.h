/* Pipelines, inside: what the kinds have in common. */
#ifndef PVGI_PIPELINE_H
#define PVGI_PIPELINE_H

#include "learn_internal.h"
#include "query/query_internal.h"

enum { PVGI_DRAWS = 3 }; /* places of releases */

/* Settings begin with the number of classes, which is public; 0: as in the labels. */
typedef struct {
    int64_t classes, hidden, directions, averages, hops, rounds;
    double contraction, mean_weight, residual, first_share, strength, held_out;
    int32_t method;
} pvgi_edges_settings;

typedef struct {
    int64_t classes, columns, rounds, target_rounds, averages;
    double list_epsilon, feature_epsilon, label_epsilon, low, high, held_out;
} pvgi_users_settings;

typedef struct {
    int64_t classes, columns, hidden, directions, hops, degree_bound, steps;
    double batch, rate, clip, encoder_share, states_share, head_share;
    int32_t method;
} pvgi_nodes_settings;

typedef struct {
    int64_t classes, hidden, averages;
    double held_out;
} pvgi_rows_settings;

/* Of those with a public label, or who tell theirs, some choose: who they are is public.
 */
#define PVGI_OPTION_HELD_OUT(type, who)                                                  \
    PVGI_OPTION(type, held_out, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)", "held-out", .2,       \
                "share of the labelled " who                                             \
                ", by a public coin, where nobody else does; nobody if these are "       \
                "fewer than 20")
enum { PVGI_CHECKS_LEAST = 20 }; /* that it takes to choose */

/* Fields of pvg_pipeline_arguments, as bits. */
enum {
    PVGI_GIVEN_LABELS = 1,
    PVGI_GIVEN_CHECKS = 2,
    PVGI_GIVEN_PARTS = 4,
    PVGI_GIVEN_PRIOR = 8,
    PVGI_GIVEN_TRANSITION = 16,
    PVGI_GIVEN_FEATURES = 32,
    PVGI_GIVEN_GRAPH = 64,
    PVGI_GIVEN_NETWORK = 128,
    PVGI_GIVENS = 8
};

/* What was read: rows of probabilities, order x classes each. */
typedef struct {
    double *rows, *without;
    pvg_model *model; /* NULL: none, or nobody asks for it */
    bool keep_model;
} pvgi_reading;

/* One kind: all that is particular to it. */
typedef struct {
    pvgi_kind row;  /* words and options, for text, help and JSON */
    uint32_t takes; /* PVGI_GIVEN_* */
    /* Checks arguments and settings and keeps what it needs, from public values only. */
    int32_t (*make)(pvg_pipeline *p, const char *name,
                    const pvg_pipeline_arguments *arguments, pvg_rng *rng, pvgi_run *run);
    /* *out stays NULL where nothing is drawn, or nothing public is known. */
    int32_t (*preview)(pvg_preview **out, const pvg_pipeline *p, int place,
                       const pvg_run *run);
    /* Everything is paid before the first draw; what was drawn stays in out. */
    int32_t (*draw)(pvg_release *out[PVGI_DRAWS], const pvg_pipeline *p, const char *name,
                    const pvg_input *input, pvg_rng *rng,
                    pvg_ledger *const ledgers[PVGI_DRAWS], pvgi_run *run);
    /* NULL: what it reads is private, see read_exact. */
    int32_t (*read)(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                    const pvg_release *const seen[PVGI_DRAWS], pvg_rng *rng,
                    pvgi_run *run);
    int32_t (*read_exact)(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                          const pvg_model *encoder, const pvg_release *states,
                          const pvg_model *head, const pvg_input *input, pvgi_run *run);
    int32_t (*exact)(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                     const pvg_input *input, pvg_rng *rng, pvgi_run *run);
    bool several; /* each place has a notion, and a ledger, of its own */
} pvgi_pipeline_kind;

struct pvg_pipeline {
    PVGI_HANDLE;
    const pvgi_pipeline_kind *kind;
    union {
        int64_t classes;
        pvgi_edges_settings edges;
        pvgi_users_settings users;
        pvgi_nodes_settings nodes;
        pvgi_rows_settings rows;
    } settings;
    pvg_target target;
    bool in_text; /* the budget is: a delta that is needed has a default */
    int64_t order, classes;
    int64_t records; /* nodes whose part is to train */
    char *text;      /* canonical */
    /* own copies of what is public; NULL: not given */
    int32_t *labels, *checks, *parts;
    double *prior, *transition;
    char *network; /* text */
    pvg_features *features;
    pvg_graph *graph;
    pvgi_provenance *sources;    /* draws that these were made from */
    pvg_query *asks[PVGI_DRAWS]; /* of nodes: what is drawn; NULL: made when it is */
};

/* For kinds (pipeline.c). */
/* Labels, checks, transition; the number of classes where it is not told. */
int32_t pvgi_learn_pipeline_copy_labels(pvg_pipeline *p, const char *name,
                                        const pvg_pipeline_arguments *a);
int32_t pvgi_learn_pipeline_copy_parts(pvg_pipeline *p, const char *name,
                                       const pvg_pipeline_arguments *a);
/* Some labels become checks, or some who train validate, unless somebody does. */
int32_t pvgi_learn_pipeline_hold_out(pvg_pipeline *p, double share);
/* The network that reads what was drawn, if one is given: of so many columns; `rows`:
 * there is no graph for it. Refused here, before anything is paid. */
int32_t pvgi_learn_pipeline_copy_network(pvg_pipeline *p, const char *name,
                                         const pvg_pipeline_arguments *a, int64_t columns,
                                         bool rows);
/* A budget is there; `both`: an epsilon and a delta. */
int32_t pvgi_learn_pipeline_check_budget(pvg_pipeline *p, const char *name, bool both);
/* " option=value"; nothing for 0. */
void pvgi_learn_pipeline_put_real(pvgi_text *text, const char *option, double value);
/* A release is there and answers this query. what: its argument. */
int32_t pvgi_learn_pipeline_answers(const char *name, const char *what,
                                    const pvg_release *release, const pvg_query *query);
/* Names what a query rests on: the sources of the pipeline and the draw before it, or
 * NULL. A query that cannot be told is freed. */
int32_t pvgi_learn_pipeline_rest_on(pvg_query **query, const pvg_pipeline *p,
                                    const pvg_release *first);
/* For calls that make a run of their own: steps of parts are no progress of the whole. */
pvg_run pvgi_learn_pipeline_plain(const pvgi_run *run);

/* For the entry file. */
int32_t pvgi_learn_pipeline_new(pvg_pipeline **out, const char *name, const char *text,
                                const pvg_pipeline_arguments *arguments,
                                const pvg_target *target, pvg_rng *rng, pvgi_run *run);
void pvgi_learn_pipeline_free(pvg_pipeline *pipeline);
void pvgi_learn_pipeline_describe(pvgi_text *text);
int32_t pvgi_learn_pipeline_draw(pvg_release *out[PVGI_DRAWS], const pvg_pipeline *p,
                                 const char *name, const pvg_input *input, pvg_rng *rng,
                                 pvg_ledger *const ledgers[PVGI_DRAWS], pvgi_run *run);
/* What is read: releases; or models and states, with private features as input; or input
 * alone, without noise. */
typedef struct {
    const pvg_release *seen[PVGI_DRAWS]; /* [1] of models: states */
    const pvg_model *encoder, *head;
    const pvg_input *input;
} pvgi_seen;
int32_t pvgi_learn_pipeline_read(double *out, double *without, pvg_model **model,
                                 const pvg_pipeline *p, const char *name,
                                 const pvgi_seen *seen, pvg_rng *rng, pvgi_run *run);

#endif
