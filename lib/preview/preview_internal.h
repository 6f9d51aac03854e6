/* preview, inside: lines for a list (lines.c), for any number (probe.c); what was
 * measured (advice.c). */
#ifndef PVGI_PREVIEW_H
#define PVGI_PREVIEW_H

#include "base/base_internal.h"
#include "mechanism/mechanism_internal.h"
#include "pattern/pattern_internal.h"
#include "privgraph/preview.h"

enum { PVGI_PREVIEW_LABEL = 48 };
struct pvg_preview {
    PVGI_HANDLE;
    pvg_target target; /* epsilon and delta of it are read */
    int64_t order, degree_bound, count;
    pvg_preview_line *line;
    char (*name)[PVGI_GRAPH6_BYTES];   /* of patterns, or NULL */
    char (*label)[PVGI_PREVIEW_LABEL]; /* of the numbers of a statistic, or NULL */
};
/* Verdict and ratio from range, sensitivity and noise. */
void pvgi_preview_judge(pvg_preview_line *line);
/* One with `count` empty lines and labels, to be filled by whoever knows them. */
int32_t pvgi_preview_new(pvg_preview **out, int64_t count);

/* What is known of one number before anything is drawn. */
typedef struct {
    double range;  /* largest |value| in graphs of that order, from above; 0: constant */
    double change; /* how far one edge (or user) moves it, at most */
    double noise;  /* standard deviation */
} pvgi_preview_point;

/* A number whose noise is known for any order and budget (probe.c). */
typedef struct {
    /* times: the native parameter (scales divided, epsilon multiplied) times this. */
    void (*at)(pvgi_preview_point *out, const void *context, int64_t column,
               int64_t order, double times);
    const void *context;
    int64_t column, order;
    bool fixed;           /* there is no other order to ask about */
    bool brief;           /* nothing is searched for */
    pvg_curve_term spent; /* by all of the release */
    double delta;
} pvgi_preview_probe;
pvgi_preview_point pvgi_preview_ask(const pvgi_preview_probe *probe, int64_t order,
                                    double times);
/* The whole line. */
void pvgi_preview_fill(pvg_preview_line *out, const pvgi_preview_probe *probe);
/* One with `count` lines to fill, order and budget set from the probe. */
int32_t pvgi_preview_begin(pvg_preview **out, const pvgi_preview_probe *probe,
                           int64_t count, const char *function);

/* What will be released together, and by whom. */
typedef struct {
    const char *function; /* for messages */
    const pvg_patterns *patterns;
    const pvg_target *target; /* epsilon and delta; not smooth; noise filled in */
    int64_t count, order, degree_bound;
    /* With `order` nodes, of each coordinate in the unit it is released in: how far one
     * change moves it (0: a constant), its largest value and the scale of its noise (0
     * for constants): ratio 0: that the release draws; else the real number at that
     * native parameter (sqrt(2 rho) of zCDP), to which it is inversely proportional. */
    int32_t (*measure)(const void *context, int64_t order, double *sensitivities,
                       double *ranges, double *scales, double ratio);
    const void *context;
    bool brief; /* nothing is searched for */
} pvgi_preview_question;

int32_t pvgi_preview_build(pvg_preview **out, const pvgi_preview_question *question,
                           pvgi_run *run);
void pvgi_preview_drop(pvg_preview *preview);
void pvgi_preview_describe(pvgi_text *text, const pvg_preview *preview);

/* What was measured (advice.c). */
bool pvgi_preview_advice_known(const char *task);
void pvgi_preview_advice_describe(pvgi_text *text, const pvg_advice_config *c);

#endif
