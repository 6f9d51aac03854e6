/* How much noise deep message passing needs: three ways to account for K layers, as a
 * table (CSV) and a picture (SVG), from public numbers alone. No graph is looked at and
 * no budget is spent.
 *
 *   composition   every state could be seen: variance grows like K
 *   convergent    only the last state is seen, layers contract: noise stays bounded
 *   output        exact layers, one draw at the end
 *
 * usage: depth_curve [FILE.csv [FILE.svg]]   (the table goes to stdout without) */
#include <math.h>
#include <privgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 40, METHODS = 3, CONSTANTS = 2 };
static const double constants[CONSTANTS] = {0.9, 0.6};
static const char *const methods[METHODS] = {"hops", "perturbed", "output"};
static const char *const names[METHODS] = {"composition", "convergent", "output"};

/* Noise for a sensitivity of 1 per layer: of each draw, and what all of it makes in a
 * number of the last state if every layer passes on as much as it may. */
typedef struct {
    double draw[CONSTANTS][METHODS][DEPTH], last[CONSTANTS][METHODS][DEPTH];
} curves;

static int fail(void) {
    fprintf(stderr, "depth_curve: %s\n", pvg_error_message());
    return 1;
}

/* One point: layers of the symmetric operator, whose edge sensitivity is C sqrt(2). */
static int measure(double *draw, double *last, double contraction, const char *method,
                   int64_t depth) {
    char text[256], plan[1 << 16];
    size_t length;
    pvg_query *query = NULL;
    snprintf(text, sizeof text,
             "message-passing columns=16 order=1000 layers=%lld contraction=%.17g "
             "method=%s epsilon=1 delta=1e-5",
             (long long)depth, contraction, method);
    int status = pvg_query_new(&query, text, NULL, NULL, NULL) != PVG_OK ||
                 pvg_query_copy_json(plan, sizeof plan, &length, query, 0) != PVG_OK;
    const char *scale = status == 0 ? strstr(plan, "\"scale\":") : NULL;
    if (scale) {
        double gain = 0; /* sum of C^(2j): what layers may pass on */
        for (int64_t k = 0; k < depth; k++) gain = gain * contraction * contraction + 1;
        const double unit = contraction * sqrt(2);
        *draw = strtod(scale + strlen("\"scale\":"), NULL) / unit;
        *last = *draw * (strcmp(method, "output") == 0 ? 1 : sqrt(gain));
    } else
        status = fail();
    pvg_query_free(query);
    return status;
}

static int write_table(FILE *file, const curves *c) {
    fprintf(file, "contraction,depth,account,noise_of_a_draw,noise_of_the_last_state\n");
    for (int g = 0; g < CONSTANTS; g++)
        for (int k = 0; k < DEPTH; k++)
            for (int m = 0; m < METHODS; m++)
                fprintf(file, "%g,%d,%s,%.6f,%.6f\n", constants[g], k + 1, names[m],
                        c->draw[g][m][k], c->last[g][m][k]);
    return ferror(file) != 0;
}

/* --- picture ------------------------------------------------------------------------ */

enum { LEFT = 52, TOP = 76, WIDTH = 300, HEIGHT = 250, STEP = 460 };

typedef struct {
    FILE *file;
    double left, top; /* of the values: the largest */
} panel;

static double x_of(const panel *p, int depth) {
    return p->left + WIDTH * (depth - 1.0) / (DEPTH - 1.0);
}

static double y_of(const panel *p, double noise) {
    return TOP + HEIGHT * (1 - noise / p->top);
}

static void axes(const panel *p, const char *title, int step) {
    fprintf(p->file, "<text class=\"title\" x=\"%.0f\" y=\"%d\">%s</text>\n", p->left,
            TOP - 14, title);
    for (int v = 0; v <= (int)p->top; v += step)
        fprintf(p->file,
                "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                "<text class=\"y\" x=\"%.1f\" y=\"%.1f\">%d</text>\n",
                p->left, p->left + WIDTH, y_of(p, v), y_of(p, v), p->left - 7,
                y_of(p, v) + 4, v);
    for (int k = 10; k <= DEPTH; k += 10)
        fprintf(p->file, "<text class=\"x\" x=\"%.1f\" y=\"%d\">%d</text>\n", x_of(p, k),
                TOP + HEIGHT + 18, k);
    fprintf(p->file,
            "<text class=\"x\" x=\"%.1f\" y=\"%d\">1</text>"
            "<text class=\"x\" x=\"%.1f\" y=\"%d\">layers</text>\n",
            x_of(p, 1), TOP + HEIGHT + 18, p->left + WIDTH / 2.0, TOP + HEIGHT + 36);
}

/* label NULL: none. nudge moves it off its neighbour. */
static void draw_line(const panel *p, const char *class_name, const double *noise,
                      const char *label, double nudge) {
    fprintf(p->file, "<polyline class=\"%s\" points=\"", class_name);
    for (int k = 0; k < DEPTH; k++)
        fprintf(p->file, "%.1f,%.1f ", x_of(p, k + 1), y_of(p, noise[k]));
    fprintf(p->file, "\"/>\n");
    if (label)
        fprintf(p->file, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                p->left + WIDTH + 6, y_of(p, noise[DEPTH - 1]) + 4 + nudge, label);
}

static int write_picture(FILE *file, const curves *c) {
    fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 380\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<style>.title{font-weight:600}"
        ".grid{stroke:#ddd}.x{text-anchor:middle;fill:#444}.y{text-anchor:end;"
        "fill:#444}.label{fill:#222;font-size:12px}polyline{fill:none;"
        "stroke-width:2}.all{stroke:#555}.nine{stroke:#0b62a4}.six{stroke:#c2570c}"
        ".sum{stroke-dasharray:6 4}</style>\n"
        "<rect width=\"960\" height=\"380\" fill=\"#fff\"/>\n"
        "<text x=\"52\" y=\"28\" font-size=\"15\" font-weight=\"600\">Noise for K "
        "layers at epsilon 1, delta 1e-5, per unit of a layer's sensitivity</text>\n");
    const panel draw = {file, LEFT, 25}, last = {file, LEFT + STEP, 60};
    axes(&draw, "of each draw", 5);
    draw_line(&draw, "all", c->draw[0][0], "composition", 0);
    draw_line(&draw, "nine", c->draw[0][1], "convergent, C 0.9", 0);
    draw_line(&draw, "six", c->draw[1][1], "convergent, C 0.6", 0);
    axes(&last, "in a number of the last state", 10);
    draw_line(&last, "nine sum", c->last[0][0], "composition, C 0.9", 0);
    draw_line(&last, "nine", c->last[0][1], "convergent", -8);
    draw_line(&last, "nine", c->last[0][2], "= output, C 0.9", 7);
    draw_line(&last, "six sum", c->last[1][0], "composition, C 0.6", 0);
    draw_line(&last, "six", c->last[1][1], "convergent", -8);
    draw_line(&last, "six", c->last[1][2], "= output, C 0.6", 7);
    fprintf(file, "</svg>\n");
    return ferror(file) != 0;
}

static int to_file(const char *path, const curves *c,
                   int (*writer)(FILE *, const curves *)) {
    FILE *file = fopen(path, "w");
    int status = !file || writer(file, c);
    if (file && fclose(file) != 0) status = 1;
    if (status) fprintf(stderr, "depth_curve: cannot write %s\n", path);
    return status;
}

int main(int count, char **words) {
    static curves c;
    for (int g = 0; g < CONSTANTS; g++)
        for (int m = 0; m < METHODS; m++)
            for (int k = 0; k < DEPTH; k++)
                if (measure(&c.draw[g][m][k], &c.last[g][m][k], constants[g], methods[m],
                            k + 1))
                    return 1;
    if (count < 2) return write_table(stdout, &c);
    if (to_file(words[1], &c, write_table)) return 1;
    return count > 2 ? to_file(words[2], &c, write_picture) : 0;
}
