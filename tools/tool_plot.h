/* plot: one row per name, a dot on a logarithmic axis, as SVG. */
#ifndef PRIVGRAPH_TOOL_PLOT_H
#define PRIVGRAPH_TOOL_PLOT_H

#include "tool.h"

typedef struct {
    const char *name;
    double value; /* > 0 and finite: a dot; else a note at the left end */
    bool good;
} plot_row;

typedef struct {
    const char *title, *axis, *good_says, *bad_says;
    double threshold; /* a vertical line */
    const plot_row *rows;
    int64_t count;
} plot;

void plot_svg(output *out, const plot *p);

#endif
