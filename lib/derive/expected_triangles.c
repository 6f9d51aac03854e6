/* How many triangles are not inside groups, before anything is wired.
 *
 * Stubs that are left will be paired at random: nodes u, v are joined with chance
 * f(x) = 1 - e^-x, x = stubs of u that lead to v's block times those of v that lead to
 * u's over all of these. Triangles of three such edges from wedges u - w - v drawn by two
 * stubs of w; of two such edges and one of a group from edges u - v of groups and a stub
 * of u. A partner is drawn by stubs, so a wedge u - w is met x / f(x) times too often.
 * SAMPLES of each: a guess within some percent, that saves wirings; whether it is right
 * shows when triangles are counted. */
#include "configuration.h"

#include <math.h>

enum { SAMPLES_LEAST = 256, SAMPLES_MOST = 4096, EDGES_PER_SAMPLE = 32 };

/* Stubs left, by block. */
typedef struct {
    pvgi_configuration *j;
    double *left;
} stubs_left;

static double left_of(const pvgi_configuration *j, int32_t v) {
    return (double)j->unused[v];
}

/* How often u and v are paired, on average. */
static double paired(const stubs_left *s, int32_t u, int32_t v) {
    const pvgi_configuration *j = s->j;
    const int64_t a = j->w->block[u], b = j->w->block[v];
    const double edges = (double)j->open[a * j->w->blocks + b] * (a == b ? 2.0 : 1.0);
    return left_of(j, u) * left_of(j, v) * edges / fmax(s->left[a] * s->left[b], 1.0);
}

/* Chance of one or more for every one expected. */
static double once(double x) {
    return x > 1e-6 ? -expm1(-x) / x : 1.0;
}

static int64_t below(pvgi_configuration *j, int64_t bound) {
    return (int64_t)pvgi_rng_draw_below(&j->stream, (uint64_t)bound);
}

/* Whose stub has that number, in block a. */
static int32_t owner_of(const pvgi_configuration *j, int64_t a, int64_t stub) {
    int64_t low = j->members[a], high = j->members[a + 1] - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (j->ends[middle] <= stub)
            low = middle + 1;
        else
            high = middle;
    }
    return j->listed[low];
}

/* A stub of block a that is not spent; -1 if none was found. */
static int32_t draw_stub(pvgi_configuration *j, int64_t a) {
    const int64_t all = j->starts[a + 1] - j->starts[a];
    for (int i = 0; i < 32 && all > 0; i++) {
        const int32_t v = owner_of(j, a, j->starts[a] + below(j, all));
        if (below(j, j->w->degrees[v]) < j->unused[v]) return v;
    }
    return -1;
}

/* Who is at the other end of one of u's stubs; -1: nobody. */
static int32_t draw_partner(const stubs_left *s, int32_t u) {
    pvgi_configuration *j = s->j;
    const int64_t blocks = j->w->blocks, a = j->w->block[u];
    if (j->unused[u] == 0 || s->left[a] < 1.0) return -1;
    int64_t place = below(j, (int64_t)s->left[a]), b = 0;
    for (; b < blocks; b++) {
        const int64_t many = j->open[a * blocks + b] * (a == b ? 2 : 1);
        if (place < many) break;
        place -= many;
    }
    return b < blocks ? draw_stub(j, b) : -1;
}

/* Three random edges. Centres by squares of their stubs, evenly spaced over the sum. */
static double three_random(const stubs_left *s, int64_t samples) {
    pvgi_configuration *j = s->j;
    double total = 0.0, seen = 0.0, found = 0.0;
    for (int64_t v = 0; v < j->w->order; v++) {
        const double k = left_of(j, (int32_t)v);
        total += k * (k - 1.0);
    }
    if (total <= 0.0) return 0.0;
    const double step = total / (double)samples;
    double next = step * pvgi_rng_draw_unit(&j->stream);
    for (int64_t v = 0; v < j->w->order; v++) {
        const int32_t centre = (int32_t)v;
        const double k = left_of(j, centre);
        seen += k * (k - 1.0);
        for (; next < seen; next += step) {
            const int32_t x = draw_partner(s, centre), y = draw_partner(s, centre);
            if (x < 0 || y < 0 || x == y || x == centre || y == centre) continue;
            found += -expm1(-paired(s, x, y)) * once(paired(s, x, centre)) *
                     once(paired(s, y, centre));
        }
    }
    return total * found / (6.0 * (double)samples);
}

/* Two random edges over an edge of a group. */
static double two_random(const stubs_left *s, int64_t samples) {
    pvgi_configuration *j = s->j;
    const int64_t edges = j->set.made;
    double found = 0.0;
    for (int64_t i = 0; i < samples && edges > 0; i++) {
        const uint64_t edge = j->set.pairs[below(j, edges)];
        const int32_t u = pvgi_pairs_low(edge), v = pvgi_pairs_high(edge);
        const int32_t x = draw_partner(s, u);
        if (x < 0 || x == u || x == v) continue;
        found += left_of(j, u) * once(paired(s, u, x)) * -expm1(-paired(s, v, x));
    }
    return (double)edges * found / (double)samples;
}

double pvgi_derive_expected_triangles(pvgi_configuration *j) {
    const pvgi_wiring *w = j->w;
    int64_t samples = j->edges / EDGES_PER_SAMPLE;
    if (samples < SAMPLES_LEAST) samples = SAMPLES_LEAST;
    if (samples > SAMPLES_MOST) samples = SAMPLES_MOST;
    stubs_left s = {.j = j, .left = j->left};
    for (int64_t a = 0; a < w->blocks; a++) j->left[a] = 0.0;
    for (int64_t v = 0; v < w->order; v++) j->left[w->block[v]] += (double)j->unused[v];
    pvgi_rng_stream_open_chunk(&j->stream, j->call, 3);
    const double found = three_random(&s, samples) + two_random(&s, samples);
    pvgi_rng_stream_close(&j->stream);
    return found;
}
