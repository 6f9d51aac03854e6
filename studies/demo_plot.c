/* The plot of the demonstration: two panels of curves with error bars, as SVG. The budget
 * runs along a logarithmic axis; exact values stand apart at its right end. */
#include "demo.h"

#include <math.h>

enum {
    WIDTH = 920,
    HEIGHT = 440,
    PANEL_WIDTH = 370,
    PANEL_HEIGHT = 250,
    TOP = 84,
    LEFT = 62,
    STEP = 460,    /* from one panel to the next */
    EXACT_GAP = 52 /* width kept for "no noise" */
};

typedef struct {
    FILE *file;
    double left; /* of the panel */
    const double *epsilons;
    int points;
} canvas;

static double x_of(const canvas *c, int point) {
    const double low = log(c->epsilons[0]), high = log(c->epsilons[c->points - 2]);
    const double span = PANEL_WIDTH - EXACT_GAP - 24;
    if (point == c->points - 1) return c->left + PANEL_WIDTH - EXACT_GAP / 2.0;
    return c->left + 12 +
           span * (high > low ? (log(c->epsilons[point]) - low) / (high - low) : 0.5);
}

static double y_of(double share) {
    const double clipped = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    return TOP + PANEL_HEIGHT * (1.0 - clipped);
}

static void line(const canvas *c, const char *class_name, double x, double y, double to_x,
                 double to_y) {
    fprintf(c->file,
            "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
            class_name, x, y, to_x, to_y);
}

static void text(const canvas *c, const char *class_name, double x, double y,
                 const char *words) {
    fprintf(c->file, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class_name, x, y);
    for (; *words; words++) switch (*words) {
        case '<':
            fputs("&lt;", c->file);
            break;
        case '&':
            fputs("&amp;", c->file);
            break;
        default:
            fputc(*words, c->file);
        }
    fputs("</text>\n", c->file);
}

static void axes(const canvas *c, const plot_panel *panel) {
    char label[32];
    const double right = c->left + PANEL_WIDTH, bottom = TOP + PANEL_HEIGHT;
    text(c, "panel", c->left, TOP - 12, panel->title);
    for (int i = 0; i <= 5; i++) {
        snprintf(label, sizeof label, "%d %%", 20 * i);
        line(c, "grid", c->left, y_of(0.2 * i), right, y_of(0.2 * i));
        text(c, "y", c->left - 7, y_of(0.2 * i) + 4, label);
    }
    for (int i = 0; i < c->points; i++) {
        snprintf(label, sizeof label, "%g", c->epsilons[i]);
        line(c, "axis", x_of(c, i), bottom, x_of(c, i), bottom + 4);
        text(c, "x", x_of(c, i), bottom + 18, i == c->points - 1 ? "no noise" : label);
    }
    line(c, "axis", c->left, bottom, right, bottom);
    line(c, "apart", right - EXACT_GAP, TOP, right - EXACT_GAP, bottom);
    text(c, "x", c->left + (PANEL_WIDTH - EXACT_GAP) / 2.0, bottom + 36, panel->unit);
    text(c, "x", x_of(c, c->points - 1), bottom + 34, "not private");
    line(c, "chance", c->left, y_of(panel->chance), right, y_of(panel->chance));
    text(c, "small", right, y_of(panel->chance) + (panel->chance < 0.1 ? -5 : 13),
         "guessing");
}

/* Curves are moved sideways a little, so that bars do not hide each other. */
static void curve(const canvas *c, const plot_series *series, double shift) {
    fprintf(c->file, "<g stroke=\"%s\" fill=\"%s\">\n<polyline class=\"%s\" points=\"",
            series->colour, series->hollow ? "#fff" : series->colour,
            series->hollow ? "dashed" : "solid");
    for (int i = 0; i < c->points - 1; i++)
        fprintf(c->file, "%s%.1f,%.1f", i ? " " : "", x_of(c, i) + shift,
                y_of(series->points[i].mean));
    fputs("\"/>\n", c->file);
    for (int i = 0; i < c->points; i++) {
        const estimate *point = &series->points[i];
        const double x = x_of(c, i) + shift, bar = 2.0 * point->deviation;
        if (bar > 0.0)
            line(c, "bar", x, y_of(point->mean - bar), x, y_of(point->mean + bar));
        fprintf(c->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\"/>\n", x,
                y_of(point->mean));
    }
    fputs("</g>\n", c->file);
}

static void legend(const canvas *c, const plot_panel *panel) {
    const double top = TOP + PANEL_HEIGHT + 58;
    for (int i = 0; i < panel->series_count; i++) {
        const plot_series *series = &panel->series[i];
        const int row = i / 2;
        const double x = c->left + (i % 2) * (PANEL_WIDTH / 2.0), y = top + 18.0 * row;
        fprintf(c->file, "<g stroke=\"%s\" fill=\"%s\">", series->colour,
                series->hollow ? "#fff" : series->colour);
        line(c, series->hollow ? "dashed" : "solid", x, y - 4, x + 26, y - 4);
        fprintf(c->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\"/></g>\n", x + 13,
                y - 4);
        text(c, "key", x + 33, y, series->name);
    }
}

static void opening(FILE *file, const char *title) {
    fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
        "height=\"%d\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" "
        "role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">%s</title>\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT, title);
    fputs("<style>\n"
          "text { fill: #222; stroke: none; }\n"
          ".title { font-size: 16px; font-weight: bold; }\n"
          ".panel { font-size: 13px; font-weight: bold; }\n"
          ".small { font-size: 11px; fill: #666; text-anchor: end; }\n"
          ".note { fill: #555; }\n"
          ".x { text-anchor: middle; }\n"
          ".y { text-anchor: end; }\n"
          ".grid { stroke: #e6e6e6; }\n"
          ".axis { stroke: #444; }\n"
          ".apart { stroke: #999; stroke-dasharray: 2 3; }\n"
          ".chance { stroke: #888; stroke-dasharray: 6 4; }\n"
          ".solid { fill: none; stroke-width: 1.8; }\n"
          ".dashed { fill: none; stroke-width: 1.4; stroke-dasharray: 4 3; }\n"
          ".bar { stroke-width: 1.2; }\n"
          "circle { stroke-width: 1.4; }\n"
          "</style>\n",
          file);
    fprintf(file, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH, HEIGHT);
}

int plot_write(FILE *file, const char *title, const char *note,
               const plot_panel panels[2], const double *epsilons, int points) {
    canvas c = {file, LEFT, epsilons, points};
    opening(file, title);
    text(&c, "title", LEFT, 28, title);
    text(&c, "note", LEFT, 48, note);
    for (int i = 0; i < 2; i++) {
        const plot_panel *panel = &panels[i];
        c.left = LEFT + STEP * i;
        axes(&c, panel);
        for (int k = 0; k < panel->series_count; k++)
            curve(&c, &panel->series[k], 3.0 * (k - (panel->series_count - 1) / 2.0));
        legend(&c, panel);
    }
    fputs("</svg>\n", file);
    return !ferror(file);
}
