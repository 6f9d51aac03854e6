/* A dot plot on a logarithmic axis, as SVG that is readable on light and dark pages. */
#include "tool_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEFT = 170, WIDTH = 720, RIGHT = 30, TOP = 64, ROW = 22, BOTTOM = 56 };

#define GOOD "#1b7f4d"
#define BAD  "#b3402a"

typedef struct {
    int low, high; /* powers of ten */
} axis;

static bool drawable(double value) {
    return value > 0.0 && isfinite(value);
}

static axis axis_of(const plot *p) {
    double least = p->threshold, most = p->threshold;
    for (int64_t i = 0; i < p->count; i++) {
        if (!drawable(p->rows[i].value)) continue;
        least = fmin(least, p->rows[i].value);
        most = fmax(most, p->rows[i].value);
    }
    axis a = {(int)floor(log10(least)), (int)ceil(log10(most))};
    if (a.low == a.high) a.high++;
    return a;
}

static double place(axis a, double value) {
    const double share = (log10(value) - a.low) / (a.high - a.low);
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static void put_text(output *out, double x, double y, const char *anchor,
                     const char *style, const char *text) {
    output_text(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor,
                style);
    for (; *text; text++) {
        if (*text == '<')
            output_text(out, "&lt;");
        else if (*text == '>')
            output_text(out, "&gt;");
        else if (*text == '&')
            output_text(out, "&amp;");
        else
            output_bytes(out, text, 1);
    }
    output_text(out, "</text>\n");
}

static void put_axis(output *out, const plot *p, axis a, int bottom) {
    char text[32];
    /* at most about eight marks */
    const int step = (a.high - a.low + 7) / 8;
    for (int power = a.low; power <= a.high; power += step) {
        const double x = place(a, pow(10.0, power));
        output_text(
            out, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ccc\"/>\n",
            x, TOP - 8, x, bottom);
        if (power >= -3 && power <= 4)
            snprintf(text, sizeof text, "%g", pow(10.0, power));
        else
            snprintf(text, sizeof text, "1e%d", power);
        put_text(out, x, bottom + 16, "middle", "", text);
    }
    const double x = place(a, p->threshold);
    output_text(out,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#444\" "
                "stroke-dasharray=\"4 3\"/>\n",
                x, TOP - 8, x, bottom);
    put_text(out, (LEFT + WIDTH - RIGHT) / 2.0, bottom + 38, "middle", "", p->axis);
}

static void put_row(output *out, const plot_row *row, axis a, double threshold,
                    double y) {
    char text[48];
    put_text(out, LEFT - 12, y + 4, "end", " font-family=\"monospace\"", row->name);
    if (!drawable(row->value)) {
        put_text(out, LEFT + 4, y + 4, "start", " fill=\"#666\"", "none");
        return;
    }
    const char *shade = row->good ? GOOD : BAD;
    const double x = place(a, row->value), from = place(a, threshold);
    output_text(out,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                "stroke-width=\"2\"/>\n",
                from, y, x, y, shade);
    output_text(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"><title>", x, y,
                shade);
    snprintf(text, sizeof text, "%.4g", row->value);
    output_text(out, "%s</title></circle>\n", text);
}

void plot_svg(output *out, const plot *p) {
    const axis a = axis_of(p);
    const int bottom = TOP + (int)p->count * ROW;
    output_text(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                WIDTH, bottom + BOTTOM, WIDTH, bottom + BOTTOM);
    put_text(out, 16, 24, "start", " font-size=\"15\" font-weight=\"bold\"", p->title);
    output_text(out, "<circle cx=\"22\" cy=\"41\" r=\"5\" fill=\"" GOOD "\"/>\n");
    put_text(out, 32, 45, "start", "", p->good_says);
    output_text(out, "<circle cx=\"%d\" cy=\"41\" r=\"5\" fill=\"" BAD "\"/>\n",
                WIDTH / 2);
    put_text(out, WIDTH / 2.0 + 10, 45, "start", "", p->bad_says);
    put_axis(out, p, a, bottom);
    for (int64_t i = 0; i < p->count; i++)
        put_row(out, &p->rows[i], a, p->threshold, TOP + (double)i * ROW + ROW / 2.0);
    output_text(out, "</svg>\n");
}
