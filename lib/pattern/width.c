/* Exact treewidth. For k = 0, 1, ... decide whether an elimination order exists that
 * never meets more than k remaining neighbours: remove vertices for which that is safe
 * (remaining neighbours a clique, or a clique but for one of them), then branch,
 * remembering the sets of removed vertices that led nowhere. Up to k = 2 the safe rules
 * alone decide. Worst case 2^order states for k >= 3, of one bit each; a few microseconds
 * for ordinary patterns. Bodlaender and Koster, "Treewidth computations I", and Arnborg
 * and Proskurowski for the rules. */
#include "pattern_internal.h"

#include <string.h>

typedef struct {
    uint32_t adjacency[PVGI_PATTERN_ORDER]; /* after the eliminations so far */
    uint32_t alive;
    int32_t eliminated; /* how many entries of search.elimination are set */
} state;

typedef struct {
    int32_t bound;
    int32_t elimination[PVGI_PATTERN_ORDER];
    uint64_t *dead; /* one bit per set of vertices that are left; NULL: never branch */
} search;

static void eliminate(search *s, state *now, int32_t v) {
    const uint32_t around = now->adjacency[v];
    for (uint32_t left = around; left; left &= left - 1) {
        const int32_t u = pvgi_mask_lowest(left);
        now->adjacency[u] |= around & ~pvgi_mask_of(u);
        now->adjacency[u] &= ~pvgi_mask_of(v);
    }
    now->alive &= ~pvgi_mask_of(v);
    s->elimination[now->eliminated++] = v;
}

/* Vertices of `around` that are not joined to all others of it. Empty: a clique. */
static uint32_t misfits(const state *now, uint32_t around) {
    uint32_t bad = 0;
    for (uint32_t left = around; left; left &= left - 1) {
        const int32_t u = pvgi_mask_lowest(left);
        if ((around & ~now->adjacency[u]) != pvgi_mask_of(u)) bad |= pvgi_mask_of(u);
    }
    return bad;
}

/* A clique, or a clique after removing one vertex. */
static bool nearly_clique(const state *now, uint32_t around) {
    const uint32_t bad = misfits(now, around);
    for (uint32_t left = bad; left; left &= left - 1)
        if (misfits(now, around & ~(left & (0u - left))) == 0) return true;
    return bad == 0;
}

/* Removes all vertices that can be removed without loss; false if some vertex shows that
 * the bound cannot be met. */
static bool reduce(search *s, state *now) {
    for (bool again = true; again;) {
        again = false;
        for (uint32_t left = now->alive; left; left &= left - 1) {
            const int32_t v = pvgi_mask_lowest(left);
            const uint32_t around = now->adjacency[v];
            if (pvgi_mask_count(around) > s->bound) {
                if (misfits(now, around) == 0) return false; /* a clique too large */
            } else if (nearly_clique(now, around)) {
                eliminate(s, now, v);
                again = true;
            }
        }
    }
    return true;
}

/* More edges than any graph of that treewidth has, or no vertex to begin with. */
static bool hopeless(const search *s, const state *now) {
    const int32_t k = s->bound, n = pvgi_mask_count(now->alive);
    int32_t ends = 0, least = PVGI_PATTERN_ORDER;
    for (uint32_t left = now->alive; left; left &= left - 1) {
        const int32_t degree = pvgi_mask_count(now->adjacency[pvgi_mask_lowest(left)]);
        ends += degree;
        if (degree < least) least = degree;
    }
    return least > k || (n > k && ends > 2 * (k * n - k * (k + 1) / 2));
}

static bool solve(search *s, state now, int32_t *eliminated) {
    if (!reduce(s, &now)) return false;
    *eliminated = now.eliminated;
    if (!now.alive) return true;
    if (!s->dead || hopeless(s, &now)) return false;
    if (s->dead[now.alive >> 6] >> (now.alive & 63) & 1) return false;
    for (int32_t degree = 0; degree <= s->bound; degree++)
        for (uint32_t left = now.alive; left; left &= left - 1) {
            const int32_t v = pvgi_mask_lowest(left);
            if (pvgi_mask_count(now.adjacency[v]) != degree) continue;
            state next = now;
            eliminate(s, &next, v);
            if (solve(s, next, eliminated)) return true;
        }
    s->dead[now.alive >> 6] |= (uint64_t)1 << (now.alive & 63);
    return false;
}

/* Smallest width of the component `piece`, at least *width, which is raised to it. */
static int32_t widen(search *s, int32_t *width, int32_t *eliminated,
                     const pvgi_small *graph, uint32_t piece, const char *label) {
    const size_t words = graph->order > 6 ? (size_t)1 << (graph->order - 6) : 1;
    for (s->bound = *width; s->bound <= PVG_PATTERN_WIDTH_MAX; s->bound++) {
        if (s->bound > 2) {
            if (graph->order > PVG_PATTERN_ORDER_MAX_WIDE)
                return pvgi_fail(
                    PVG_E_LIMIT,
                    "%s: %d vertices with treewidth above 2; at most %d then", label,
                    graph->order, PVG_PATTERN_ORDER_MAX_WIDE);
            if (!s->dead) s->dead = pvgi_alloc(words, sizeof *s->dead);
            if (!s->dead) return pvgi_fail_nomem();
            memset(s->dead, 0, words * sizeof *s->dead);
        }
        state start = {.alive = piece, .eliminated = *eliminated};
        memcpy(start.adjacency, graph->adjacency, sizeof start.adjacency);
        if (solve(s, start, eliminated)) {
            *width = s->bound;
            return PVG_OK;
        }
        *eliminated = start.eliminated;
    }
    return pvgi_fail(PVG_E_LIMIT, "%s: treewidth above the limit of %d", label,
                     PVG_PATTERN_WIDTH_MAX);
}

int32_t pvgi_pattern_width(int32_t *width, int32_t elimination[PVGI_PATTERN_ORDER],
                           const pvgi_small *graph, const char *label) {
    search s = {0};
    int32_t found = 0, eliminated = 0, status = PVG_OK;
    uint32_t left = pvgi_mask_first(graph->order);
    while (left && status == PVG_OK) {
        const uint32_t piece = pvgi_pattern_reach(graph, left & (0u - left), left);
        left &= ~piece;
        status = widen(&s, &found, &eliminated, graph, piece, label);
    }
    pvgi_free(s.dead);
    PVGI_TRY(status);
    if (pvgi_pattern_order_width(graph, s.elimination) != found)
        return pvgi_fail(PVG_E_INTERNAL, "%s: the elimination order failed its check",
                         label);
    *width = found;
    memcpy(elimination, s.elimination, sizeof s.elimination);
    return PVG_OK;
}

int32_t pvgi_pattern_order_width(const pvgi_small *graph, const int32_t *elimination) {
    uint32_t earlier = 0;
    int32_t width = 0;
    for (int32_t i = 0; i < graph->order; i++) {
        const int32_t v = elimination[i];
        if (v < 0 || v >= graph->order || (earlier >> v & 1)) return -1;
        /* later vertices that a path through earlier ones reaches */
        const uint32_t inside =
            pvgi_pattern_reach(graph, pvgi_mask_of(v), earlier | pvgi_mask_of(v));
        uint32_t border = 0;
        for (uint32_t left = inside; left; left &= left - 1)
            border |= graph->adjacency[pvgi_mask_lowest(left)];
        earlier |= pvgi_mask_of(v);
        const int32_t count = pvgi_mask_count(border & ~earlier);
        if (count > width) width = count;
    }
    return width;
}
