/* The two steps around a node, one node after another: what elim/cubes.h and elim/grids.h
 * share. Each has memory for the arcs two steps from one node, so no degree may be above
 * 2048; chunks of nodes are cut by the graph alone.
 * Included where VALUE, MULTIPLY and ADD are known, CELL (what rows are made of) and
 * WIDEN(j, a), a cell as a VALUE. */

enum {
    VICINITY_CHUNKS = 256,
    VICINITY_DEGREE_MOST = 2048, /* of a host: its square in numbers for each hand */
    VICINITY_LOOK = 1 << 22,     /* products between two looks whether to stop */
    VICINITY_SPEED = 6 /* additions of rows in the time that an entry of n^4 takes */
};

/* When to look whether the call is to stop. */
typedef struct {
    pvgi_run *lead;
    int64_t products; /* since the last look */
    double fraction;  /* of the host that is done where the chunk begins */
} watcher;

/* The nodes within two steps of one node g, and what leads to each: arcs (o, c) of
 * neighbours o of g by number, in the order of rows, or the neighbours themselves. */
typedef struct {
    bool numbered, half; /* half: only neighbours that come before g */
    int32_t nodes, *node, *place, *start, *shared;
} vicinity;

static inline int32_t degree_in(const pvgi_elim_reduced *host, int32_t u) {
    return host->start[u + 1] - host->start[u];
}

/* Arcs within two steps of u. */
static inline int64_t reach_of(const pvgi_elim_reduced *host, int32_t u) {
    int64_t sum = 0;
    for (int32_t i = host->start[u]; i < host->start[u + 1]; i++)
        sum += 1 + host->start[host->column[i] + 1] - host->start[host->column[i]];
    return sum;
}

/* By degree, then by number. */
static inline bool comes_before(const pvgi_elim_reduced *host, int32_t u, int32_t v) {
    const int32_t less = degree_in(host, v) - degree_in(host, u);
    return less > 0 || (less == 0 && u < v);
}

static inline int32_t widest_in(const pvgi_elim_reduced *host) {
    int32_t widest = 0;
    for (int32_t u = 0; u < host->order; u++)
        if (degree_in(host, u) > widest) widest = degree_in(host, u);
    return widest;
}

/* Arcs two steps deep from one node, at most. */
static inline int64_t deepest_in(const pvgi_elim_reduced *host) {
    int64_t deepest = 0;
    for (int32_t u = 0; u < host->order; u++) {
        const int64_t reach = reach_of(host, u);
        if (reach > deepest) deepest = reach;
    }
    return deepest;
}

/* Whether most pairs of nodes are two steps apart and steps may be matrix products. */
static inline bool is_dense(const pvgi_elim_reduced *host) {
    const double n = host->order, arcs = host->arcs;
    return 2 * arcs * arcs >= n * n * n && n >= PVGI_DENSE_ORDER_LEAST;
}

/* In dense hosts tables over three vertices are made by matrix products, of n^4 entries
 * in all. In elim/grids.h a column of a 3 x n grid costs the sum over arcs (g, o) of d_o
 * times walks of three arcs, of which there are about r_g r_o / arcs, r_u arcs being two
 * steps from u. Grids of 3 x 3 have no such column, and tables over four vertices are far
 * larger. */
static inline bool grids_pay(const pvgi_elim_reduced *host, int32_t columns) {
    const double n = host->order;
    double cost = 0;
    if (widest_in(host) > VICINITY_DEGREE_MOST) return false;
    if (columns <= 3 || !is_dense(host)) return true;
    for (int32_t o = 0; o < host->order; o++) {
        double around = 0;
        for (int32_t i = host->start[o]; i < host->start[o + 1]; i++)
            around += (double)reach_of(host, host->column[i]);
        cost += degree_in(host, o) * around * (double)reach_of(host, o) / host->arcs;
    }
    return cost < VICINITY_SPEED * n * n * n * n;
}

/* About as much in each of at most VICINITY_CHUNKS chunks; returns how many there are. */
static inline int32_t
cut_vicinities(int32_t first[VICINITY_CHUNKS + 1], const pvgi_elim_reduced *host,
               int64_t (*cost)(const pvgi_elim_reduced *host, int32_t u)) {
    double all = 0, sum = 0;
    int32_t chunks = 0;
    first[0] = 0;
    for (int32_t u = 0; u < host->order; u++) all += (double)cost(host, u);
    for (int32_t u = 0; u < host->order; u++) {
        sum += (double)cost(host, u);
        if (sum * VICINITY_CHUNKS < all || chunks == VICINITY_CHUNKS - 1) continue;
        first[++chunks] = u + 1;
        sum = 0;
    }
    if (first[chunks] < host->order) first[++chunks] = host->order;
    return chunks;
}

static inline void find_vicinity(vicinity *near, const pvgi_elim_reduced *host,
                                 int32_t g) {
    int32_t *start = near->start + 1; /* counts go one further, to become beginnings */
    near->nodes = 0;
    for (int32_t i = host->start[g]; i < host->start[g + 1]; i++) {
        const int32_t o = host->column[i];
        if (near->half && !comes_before(host, o, g)) continue;
        for (int32_t j = host->start[o]; j < host->start[o + 1]; j++) {
            const int32_t c = host->column[j];
            if (near->place[c] < 0) {
                start[near->nodes] = 0;
                near->place[c] = near->nodes;
                near->node[near->nodes++] = c;
            }
            start[near->place[c]]++;
        }
    }
    int32_t before = 0, arc = 0;
    for (int32_t p = 0; p < near->nodes; p++) {
        const int32_t count = start[p];
        start[p] = before;
        before += count;
    }
    for (int32_t i = host->start[g]; i < host->start[g + 1]; i++) {
        const int32_t o = host->column[i];
        if (near->half && !comes_before(host, o, g)) continue;
        for (int32_t j = host->start[o]; j < host->start[o + 1]; j++, arc++)
            near->shared[start[near->place[host->column[j]]]++] =
                near->numbered ? arc : o;
    }
    near->start[0] = 0;
}

/* places are -1 again. */
static inline void leave_vicinity(vicinity *near) {
    for (int32_t p = 0; p < near->nodes; p++) near->place[near->node[p]] = -1;
}

/* sum over l of a[l] b[l], in four sums that do not wait for one another. */
static inline VALUE dot_lines(bool *overflow, const CELL *a, const CELL *b, int32_t k) {
    struct {
        bool overflow;
    } note = {false};
    VALUE sum[4] = {0};
    int32_t l = 0;
    for (; l + 4 <= k; l += 4)
        for (int32_t c = 0; c < 4; c++)
            sum[c] = ADD(&note, sum[c],
                         MULTIPLY(&note, WIDEN(&note, a[l + c]), WIDEN(&note, b[l + c])));
    for (; l < k; l++)
        sum[0] =
            ADD(&note, sum[0], MULTIPLY(&note, WIDEN(&note, a[l]), WIDEN(&note, b[l])));
    const VALUE all = ADD(&note, ADD(&note, sum[0], sum[1]), ADD(&note, sum[2], sum[3]));
    if (note.overflow) *overflow = true;
    return all;
}

/* For a chunk of the worker: the first look comes at once. */
static inline watcher begin_watch(const pvgi_elim_scratch *scratch, uint32_t worker,
                                  double fraction) {
    return (watcher){worker == 0 ? scratch->crew : NULL, VICINITY_LOOK, fraction};
}

/* Looks whether the call is to stop, if it is time to. */
static inline int32_t look_out(pvgi_elim_scratch *scratch, watcher *watch,
                               _Atomic bool *stop) {
    if (watch->products < VICINITY_LOOK) return PVG_OK;
    watch->products = 0;
    if (!scratch->crew) return pvgi_density_elim_report(scratch, watch->fraction);
    return pvgi_density_elim_look(watch->lead, stop);
}

/* At the end of a chunk, so that hands in the midst of others are told: the run asks the
 * caller again between chunks, but tells only those who want a new one. */
static inline int32_t end_watch(pvgi_elim_scratch *scratch, watcher *watch,
                                _Atomic bool *stop) {
    watch->products = VICINITY_LOOK;
    return look_out(scratch, watch, stop);
}
