/* Exact treewidth. For k = 0, 1, ... decide whether an elimination order exists that
 * never meets more than k remaining neighbours. First vertices go for which that is safe
 * (remaining neighbours a clique, or a clique but for one of them); up to k = 2 this
 * alone decides. What is left, and has no minor of least degree above k, is searched: a
 * connected set C with at most k neighbours N can be eliminated if some v in C can go
 * last, that is, if every component of C - v, whose neighbours lie in N + v, has at most
 * k of them and can be eliminated in turn. One byte per set of vertices at most;
 * microseconds for ordinary patterns, milliseconds for the worst. Arnborg, Corneil and
 * Proskurowski 1987; Bodlaender and Koster 2010, 2011. */
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
    pvgi_small core; /* what is searched, with its own names */
    uint8_t *last; /* for each set of core vertices: which goes last, plus one, or DEAD */
} search;

enum { DEAD = 255 };

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

/* Contracts a vertex of least degree into the neighbour it shares fewest neighbours with,
 * again and again: every graph on the way is a minor, and its least degree a lower bound.
 */
static bool hopeless(const search *s, state now) {
    while (now.alive) {
        int32_t v = 0, least = PVGI_PATTERN_ORDER;
        for (uint32_t left = now.alive; left; left &= left - 1) {
            const int32_t x = pvgi_mask_lowest(left);
            const int32_t degree = pvgi_mask_count(now.adjacency[x]);
            if (degree >= least) continue;
            least = degree;
            v = x;
        }
        if (least > s->bound) return true;
        if (pvgi_mask_count(now.alive) <= s->bound + 1) return false;
        const uint32_t around = now.adjacency[v];
        int32_t into = v, common = PVGI_PATTERN_ORDER;
        for (uint32_t left = around; left; left &= left - 1) {
            const int32_t u = pvgi_mask_lowest(left);
            const int32_t shared = pvgi_mask_count(now.adjacency[u] & around);
            if (shared >= common) continue;
            common = shared;
            into = u;
        }
        for (uint32_t left = around; left; left &= left - 1) {
            const int32_t u = pvgi_mask_lowest(left);
            now.adjacency[u] &= ~pvgi_mask_of(v);
            if (u == into) continue;
            now.adjacency[u] |= pvgi_mask_of(into);
            now.adjacency[into] |= pvgi_mask_of(u);
        }
        now.alive &= ~pvgi_mask_of(v);
    }
    return false;
}

/* --- the core ------------------------------------------------------------------------
 */

static uint32_t neighbours(const pvgi_small *graph, uint32_t set) {
    uint32_t around = 0;
    for (uint32_t left = set; left; left &= left - 1)
        around |= graph->adjacency[pvgi_mask_lowest(left)];
    return around & ~set;
}

static bool feasible(search *s, uint32_t set, uint32_t around);

/* v can go last of set: looks at all components before it goes down into one. */
static bool may_go_last(search *s, uint32_t set, int32_t v) {
    const uint32_t rest = set & ~pvgi_mask_of(v);
    uint32_t part[PVGI_PATTERN_ORDER], around[PVGI_PATTERN_ORDER];
    int32_t parts = 0;
    for (uint32_t left = rest; left; left &= ~part[parts++]) {
        part[parts] = pvgi_pattern_reach(&s->core, left & (0u - left), left);
        around[parts] = neighbours(&s->core, part[parts]);
        if (pvgi_mask_count(around[parts]) > s->bound || s->last[part[parts]] == DEAD)
            return false;
    }
    for (int32_t i = 0; i < parts; i++)
        if (!feasible(s, part[i], around[i])) return false;
    return true;
}

static bool fits(const search *s, uint32_t set, uint32_t around) {
    return pvgi_mask_count(set) + pvgi_mask_count(around) <= s->bound + 1;
}

/* The set with its neighbours, these made a clique, has a minor that shows it is no use.
 */
static bool set_is_hopeless(const search *s, uint32_t set, uint32_t around) {
    state now = {.alive = set | around};
    for (uint32_t left = now.alive; left; left &= left - 1) {
        const int32_t v = pvgi_mask_lowest(left);
        now.adjacency[v] = s->core.adjacency[v] & now.alive;
        if (around >> v & 1) now.adjacency[v] |= around & ~pvgi_mask_of(v);
    }
    return hopeless(s, now);
}

/* Vertices worth trying as the last of set. One that is joined to all neighbours of the
 * set lies in a common bag with them, and that bag may as well be the root: then no other
 * is needed. */
static uint32_t candidates(const search *s, uint32_t set, uint32_t around) {
    for (uint32_t left = set; left; left &= left - 1)
        if ((around & ~s->core.adjacency[pvgi_mask_lowest(left)]) == 0)
            return left & (0u - left);
    return set;
}

static bool feasible(search *s, uint32_t set, uint32_t around) {
    if (fits(s, set, around)) return true;
    if (s->last[set]) return s->last[set] != DEAD;
    s->last[set] = DEAD;
    if (set_is_hopeless(s, set, around)) return false;
    for (uint32_t left = candidates(s, set, around); left; left &= left - 1) {
        const int32_t v = pvgi_mask_lowest(left);
        if (!may_go_last(s, set, v)) continue;
        s->last[set] = (uint8_t)(v + 1);
        return true;
    }
    return false;
}

/* Writes the order that feasible found, in the names of the graph. */
static void write_order(search *s, int32_t *eliminated, uint32_t set,
                        const int32_t *name) {
    uint32_t rest = set;
    if (!fits(s, set, neighbours(&s->core, set))) rest &= ~pvgi_mask_of(s->last[set] - 1);
    while (rest != set && rest) {
        const uint32_t part = pvgi_pattern_reach(&s->core, rest & (0u - rest), rest);
        write_order(s, eliminated, part, name);
        rest &= ~part;
        set &= ~part;
    }
    for (; set; set &= set - 1)
        s->elimination[(*eliminated)++] = name[pvgi_mask_lowest(set)];
}

/* Searches what the safe rules left. *found tells the outcome. */
static int32_t search_core(search *s, bool *found, state *now) {
    pvgi_small left = {.order = PVGI_PATTERN_ORDER};
    int32_t name[PVGI_PATTERN_ORDER];
    memcpy(left.adjacency, now->adjacency, sizeof left.adjacency);
    pvgi_pattern_induce(&s->core, name, &left, now->alive);
    const size_t sets = (size_t)1 << s->core.order;
    s->last = pvgi_alloc_zero(sets, sizeof *s->last);
    if (!s->last) return pvgi_fail_nomem();
    *found = feasible(s, (uint32_t)(sets - 1), 0);
    if (*found) write_order(s, &now->eliminated, (uint32_t)(sets - 1), name);
    pvgi_free(s->last);
    return PVG_OK;
}

/* --- all ------------------------------------------------------------------------------
 */

/* Raises *width to the smallest width of the component `piece`, if that is larger. */
static int32_t widen(search *s, int32_t *width, int32_t *eliminated,
                     const pvgi_small *graph, uint32_t piece, const char *label) {
    for (s->bound = *width; s->bound <= PVG_PATTERN_WIDTH_MAX; s->bound++) {
        state now = {.alive = piece, .eliminated = *eliminated};
        memcpy(now.adjacency, graph->adjacency, sizeof now.adjacency);
        if (s->bound > 2 && graph->order > PVG_PATTERN_ORDER_MAX_WIDE)
            return pvgi_fail(PVG_E_LIMIT,
                             "%s: %d vertices with treewidth above 2; at most %d then",
                             label, graph->order, PVG_PATTERN_ORDER_MAX_WIDE);
        bool found = reduce(s, &now) && !now.alive;
        if (!found && s->bound > 2 && now.alive && !hopeless(s, now))
            PVGI_TRY(search_core(s, &found, &now));
        if (!found) continue;
        *eliminated = now.eliminated;
        *width = s->bound;
        return PVG_OK;
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
