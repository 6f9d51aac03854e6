/* Balls: breadth-first search along the arcs a row hears. O(arcs of the ball); places are
 * cleared by walking the last ball, so that a search does not cost O(order). */
#include "explain.h"

#include <string.h>

size_t pvgi_learn_ball_bytes(const pvg_dataset *data) {
    return pvgi_size_mul((size_t)data->order, sizeof(int64_t) + sizeof(int32_t));
}

int32_t pvgi_learn_ball_open(pvgi_ball *ball, const pvg_dataset *data) {
    *ball = (pvgi_ball){.data = data};
    ball->nodes = pvgi_alloc((size_t)data->order, sizeof *ball->nodes);
    ball->place = pvgi_alloc_zero((size_t)data->order, sizeof *ball->place);
    return ball->nodes && ball->place ? PVG_OK : pvgi_fail_nomem();
}

void pvgi_learn_ball_close(pvgi_ball *ball) {
    pvgi_free(ball->nodes);
    pvgi_free(ball->place);
    *ball = (pvgi_ball){0};
}

static void take(pvgi_ball *ball, int64_t v) {
    if (ball->place[v]) return;
    ball->nodes[ball->count++] = v;
    ball->place[v] = (int32_t)ball->count;
}

void pvgi_learn_ball_around(pvgi_ball *ball, int64_t v, int64_t hops, int64_t largest) {
    const pvg_dataset *data = ball->data;
    for (int64_t i = 0; i < ball->count; i++) ball->place[ball->nodes[i]] = 0;
    ball->count = 0;
    take(ball, v);
    ball->near = hops == 0 ? 0 : 1;
    if (hops < 0) {
        for (int64_t u = 0; u < data->order; u++) take(ball, u);
        ball->near = ball->count;
        return;
    }
    if (!data->offsets) return;
    for (int64_t hop = 0, from = 0; hop < hops && from < ball->count; hop++) {
        const int64_t to = ball->count;
        for (int64_t i = from; i < to; i++) {
            const int64_t u = ball->nodes[i];
            for (int64_t e = data->offsets[u]; e < data->offsets[u + 1]; e++)
                if (ball->count < largest) take(ball, data->columns[e]);
        }
        from = ball->near = to;
    }
}
