/* What the commands of pipelines share (learn.c): shares, classes of rows, models. */
#ifndef PVG_TOOL_LEARN_H
#define PVG_TOOL_LEARN_H

#include "tool.h"

/* Rows of learn_forms. */
enum { LEARN_EDGES, LEARN_NODES, LEARN_USERS, LEARN_ROWS };

/* Set by options. */
extern double learn_test_share;
extern bool learn_rows_told, learn_public_features;
extern const char *learn_model_path, *learn_network;
extern int learn_format;
extern const option_group learn_row_options;

#define FORMAT                                                                           \
    {                                                                                    \
        "format", 'f', OPTION_CHOICE, "csv|json|npy", &learn_format,                     \
            "format of the data (default csv; --json is --format json)"                  \
    }
#define NETWORK                                                                          \
    {                                                                                    \
        "network", 0, OPTION_TEXT, "TEXT", &learn_network,                               \
            "network that reads what was drawn, instead of the one of the pipeline"      \
    }
#define TESTED(who)                                                                      \
    {                                                                                    \
        "test-share", 0, OPTION_REAL, "X", &learn_test_share,                            \
            "share of the labelled " who " that only test, by a public coin (default 0)" \
    }

/* Part of each by public coins: of those with a label some are left out for a test. Who
 * has a label is public. */
int32_t *learn_split(const int32_t *labels, int64_t count);
/* Percent of those in a part whose likeliest class is that of their label; parts NULL: of
 * all that have one. */
double learn_hits(const double *p, const int32_t *labels, const int32_t *parts,
                  int64_t order, int64_t wide);
void learn_tell_row(const char *row, double percent);
void learn_check_shares(void);
void learn_load_folder(input *in, const char *path, int64_t columns);
/* A number that was given; 0: it was not, or is none, which the library says. */
int64_t learn_whole_given(const kind_form *form, const char *name);
double learn_real_given(const kind_form *form, const char *name);
pvg_pipeline *learn_make(const query_text *text, const pvg_pipeline_arguments *a,
                         pvg_rng *rng);
void learn_check_visible(const pvg_pipeline *pipeline);
/* Noise goes on with the generator that made the pipeline. */
void learn_open_door(door *d, int form, pvg_rng *rng);
pvg_input learn_input(const door *d, const pvg_graph *graph, const pvg_features *features,
                      const pvg_labels *labels);
/* The likeliest class, then the probabilities, of each row. */
void learn_write_rows(door *d, const pvg_pipeline *pipeline, const double *p);
/* Memory for a row of each. */
double *learn_probabilities(const pvg_pipeline *pipeline);
char *learn_promise_text(const pvg_guarantee *guarantee, bool words);
void learn_save_model(const char *ending, const pvg_model *model);

#endif
