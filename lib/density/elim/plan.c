/* Compiling components of width 2 and more into steps that all of them share.
 *
 * The elimination order fixes which tables exist: removing v makes one table over the
 * vertices v was linked to, read by exactly one later removal. Within a step the images
 * are chosen vertex after vertex ("levels"), each along a table that holds an earlier
 * one, so that only tuples which occur are visited. Reading and writing order agree:
 * orders are fixed from the last removal back to the first, each reader telling its
 * tables in which order it wants their scope. Steps are then made from the first removal
 * on and looked up by their description: hash-consing over all patterns. */
#include "elim_internal.h"

#include <string.h>

enum { N = PVGI_PATTERN_ORDER };

/* The removal of one vertex. */
typedef struct {
    int32_t vertex, id; /* id: table made, -1 if none yet */
    uint32_t scope;     /* vertices of its table */
    uint32_t tables;    /* earlier removals whose tables it reads */
    bool direct;
    int8_t out[PVGI_ELIM_ARITY]; /* vertices of the scope as the reader wants them */
    int8_t sequence[PVGI_ELIM_LEVELS]; /* vertices by level */
} removal;

typedef struct {
    pvgi_elim_plan *plan;
    const pvgi_small *graph;
    int8_t edge[N][N]; /* base table of an edge */
    int32_t order;
    bool rooted;
    removal step[N];
    int32_t list_first;
} compiler;

/* The table that the described step makes; notes the step in the pattern's list. first:
 * the first vertex of the table. */
static int32_t intern(int32_t *table, compiler *state, pvgi_elim_description *wanted,
                      int32_t first) {
    pvgi_elim_plan *plan = state->plan;
    int32_t index;
    PVGI_TRY(pvgi_density_elim_intern(&index, plan, wanted));
    *table = PVGI_ELIM_BASES + index;
    const bool windowed = first == state->step[state->order - 1].vertex;
    for (int32_t i = state->list_first; i < plan->lists; i++) {
        if (plan->list[i].step != index) continue;
        plan->list[i].windowed = plan->list[i].windowed && windowed;
        return PVG_OK;
    }
    PVGI_TRY(pvgi_density_elim_list_capacity(plan));
    plan->list[plan->lists++] = (pvgi_elim_entry){index, windowed};
    return PVG_OK;
}

/* --- from an elimination order to removals ----------------------------------------- */

static void find_scopes(compiler *state, const int32_t *elimination) {
    uint32_t alive = pvgi_mask_first(state->order), waiting = 0;
    for (int32_t i = 0; i < state->order; i++) {
        removal *now = &state->step[i];
        *now = (removal){.vertex = elimination[i], .id = -1};
        uint32_t scope = state->graph->adjacency[now->vertex];
        for (uint32_t t = waiting; t; t &= t - 1) {
            const int32_t j = pvgi_mask_lowest(t);
            if (!(state->step[j].scope >> now->vertex & 1)) continue;
            now->tables |= pvgi_mask_of(j);
            scope |= state->step[j].scope;
        }
        waiting = (waiting & ~now->tables) | pvgi_mask_of(i);
        alive &= ~pvgi_mask_of(now->vertex);
        now->scope = scope & alive;
    }
}

/* Tables the removal reads that hold x and a vertex of `chosen`. */
static int32_t links(const compiler *state, const removal *now, int32_t x,
                     uint32_t chosen) {
    int32_t count = pvgi_mask_count(state->graph->adjacency[x] & chosen);
    for (uint32_t t = now->tables; t; t &= t - 1) {
        const uint32_t scope = state->step[pvgi_mask_lowest(t)].scope;
        if ((scope >> x & 1) && (scope & chosen)) count++;
    }
    return count;
}

/* Levels in the reader's order with the removed vertex last, if every vertex on the way
 * is linked to an earlier one; else any order in which it is, most links first. */
static void choose_levels(const compiler *state, removal *now) {
    const int32_t arity = pvgi_mask_count(now->scope);
    uint32_t chosen = pvgi_mask_of(now->out[0]);
    now->sequence[0] = now->out[0];
    now->direct = true;
    for (int32_t i = 1; i < arity; i++) {
        if (links(state, now, now->out[i], chosen) == 0) now->direct = false;
        now->sequence[i] = now->out[i];
        chosen |= pvgi_mask_of(now->out[i]);
    }
    now->sequence[arity] = (int8_t)now->vertex;
    if (now->direct) return;
    chosen = pvgi_mask_of(now->out[0]);
    const uint32_t members = now->scope | pvgi_mask_of(now->vertex);
    for (int32_t i = 1; i <= arity; i++) {
        int32_t best = 0;
        for (uint32_t rest = members & ~chosen; rest; rest &= rest - 1) {
            const int32_t x = pvgi_mask_lowest(rest);
            const int32_t met = links(state, now, x, chosen);
            if (met > best) best = met, now->sequence[i] = (int8_t)x;
        }
        chosen |= pvgi_mask_of(now->sequence[i]);
    }
}

static void fix_orders(compiler *state) {
    for (int32_t i = state->order - 1; i >= 0; i--) {
        removal *now = &state->step[i];
        const int32_t arity = pvgi_mask_count(now->scope);
        if (arity == 0) continue;
        if (arity == 1) now->out[0] = (int8_t)pvgi_mask_lowest(now->scope);
        choose_levels(state, now);
        for (uint32_t t = now->tables; t; t &= t - 1) {
            removal *read = &state->step[pvgi_mask_lowest(t)];
            int32_t next = 0;
            for (int32_t level = 0; level <= arity; level++)
                if (read->scope >> now->sequence[level] & 1)
                    read->out[next++] = now->sequence[level];
        }
    }
}

/* --- from removals to steps -------------------------------------------------------- */

/* The product of the vectors over the removed vertex; the table of it, or -1 for none. */
static int32_t make_weight(int32_t *table, compiler *state, const removal *now,
                           bool weighted) {
    pvgi_elim_description wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.step = (pvgi_elim_step){
        .arity = 1, .levels = 1, .summed = -1, .direct = 1, .weight = -1};
    int32_t *count = &wanted.step.factors;
    if (weighted)
        wanted.factor[(*count)++] =
            (pvgi_elim_factor){.table = PVGI_ELIM_WEIGHT, .arity = 1};
    for (uint32_t t = now->tables; t; t &= t - 1) {
        const removal *read = &state->step[pvgi_mask_lowest(t)];
        if (pvgi_mask_count(read->scope) == 1)
            wanted.factor[(*count)++] = (pvgi_elim_factor){.table = read->id, .arity = 1};
    }
    *table = *count == 0 ? -1 : wanted.factor[0].table;
    return *count <= 1 ? PVG_OK : intern(table, state, &wanted, now->vertex);
}

/* The product of two tables over the same pair. */
static int32_t make_product(int32_t *table, compiler *state, int32_t a, int32_t b,
                            int32_t first) {
    pvgi_elim_description wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.step = (pvgi_elim_step){.arity = 2,
                                   .levels = 2,
                                   .summed = -1,
                                   .direct = 1,
                                   .out = {0, 1},
                                   .weight = -1,
                                   .factors = 2};
    wanted.factor[0] = (pvgi_elim_factor){.table = a, .arity = 2, .level = {0, 1}};
    wanted.factor[1] = (pvgi_elim_factor){.table = b, .arity = 2, .level = {0, 1}};
    return intern(table, state, &wanted, first);
}

/* Adds a factor over the vertices of scope, in the order of the levels. */
static void add_factor(pvgi_elim_description *wanted, const removal *now, int32_t table,
                       uint32_t scope) {
    pvgi_elim_factor *factor = &wanted->factor[wanted->step.factors++];
    *factor = (pvgi_elim_factor){.table = table};
    for (int32_t level = 0; level < wanted->step.levels; level++)
        if (scope >> now->sequence[level] & 1)
            factor->level[factor->arity++] = (int8_t)level;
}

/* Edges among the vertices of the step. Those inside a table are in its support already;
 * those not at the removed vertex keep out tuples that would be dropped later. */
static void add_edges(pvgi_elim_description *wanted, const compiler *state,
                      const removal *now) {
    for (int32_t i = 0; i < wanted->step.levels; i++)
        for (int32_t j = 0; j < i; j++) {
            const int32_t u = now->sequence[i], v = now->sequence[j];
            const uint32_t both = pvgi_mask_of(u) | pvgi_mask_of(v);
            if (!(state->graph->adjacency[u] >> v & 1)) continue;
            bool covered = false;
            for (uint32_t t = now->tables; t && !covered; t &= t - 1)
                covered = (state->step[pvgi_mask_lowest(t)].scope & both) == both;
            if (!covered) add_factor(wanted, now, state->edge[u][v], both);
        }
}

/* If the last factor added is over the same pair as another, puts their product in the
 * place of both. */
static int32_t merge_last(compiler *state, const removal *now,
                          pvgi_elim_description *wanted) {
    const int32_t last = wanted->step.factors - 1;
    const pvgi_elim_factor *added = &wanted->factor[last];
    for (int32_t i = 0; i < last && added->arity == 2; i++) {
        pvgi_elim_factor *other = &wanted->factor[i];
        if (other->arity != 2 || other->level[0] != added->level[0] ||
            other->level[1] != added->level[1])
            continue;
        PVGI_TRY(make_product(&other->table, state, other->table, added->table,
                              now->sequence[other->level[0]]));
        wanted->step.factors--;
        return PVG_OK;
    }
    return PVG_OK;
}

static int32_t make_step(compiler *state, removal *now) {
    pvgi_elim_description wanted;
    memset(&wanted, 0, sizeof wanted);
    pvgi_elim_step *step = &wanted.step;
    step->arity = (int8_t)pvgi_mask_count(now->scope);
    step->levels = (int8_t)(step->arity + 1);
    step->direct = now->direct;
    for (int8_t level = 0; level < step->levels; level++) {
        if (now->sequence[level] == now->vertex) step->summed = level;
        for (int32_t i = 0; i < step->arity; i++)
            if (now->out[i] == now->sequence[level]) step->out[i] = level;
    }
    PVGI_TRY(make_weight(&step->weight, state, now, true));
    for (uint32_t t = now->tables; t; t &= t - 1) {
        const removal *read = &state->step[pvgi_mask_lowest(t)];
        if (pvgi_mask_count(read->scope) < 2) continue;
        add_factor(&wanted, now, read->id, read->scope);
        PVGI_TRY(merge_last(state, now, &wanted));
    }
    add_edges(&wanted, state, now);
    return intern(&now->id, state, &wanted, now->out[0]);
}

static void find_edges(compiler *state) {
    const uint32_t *adjacency = state->graph->adjacency;
    for (int32_t u = 0; u < state->order; u++)
        for (int32_t v = 0; v < state->order; v++) {
            const uint32_t common = adjacency[u] & adjacency[v];
            if (!(adjacency[u] >> v & 1)) continue;
            state->edge[u][v] = common ? PVGI_ELIM_EDGE3 : PVGI_ELIM_EDGE;
            for (uint32_t a = common; a; a &= a - 1)
                if (adjacency[pvgi_mask_lowest(a)] & common)
                    state->edge[u][v] = PVGI_ELIM_EDGE4;
        }
}

static bool is_bipartite(const pvgi_small *graph) {
    uint32_t side[2] = {1, 0};
    for (int32_t turn = 0; turn < graph->order; turn++)
        for (int32_t v = 0; v < graph->order; v++)
            for (int32_t s = 0; s < 2; s++)
                if (side[s] >> v & 1) side[1 - s] |= graph->adjacency[v];
    return (side[0] & side[1]) == 0;
}

/* Whether it is a cube: four and four vertices joined but for a perfect matching. */
static bool is_cube(const pvgi_small *graph) {
    bool cubic = graph->order == 8;
    for (int32_t v = 0; v < graph->order; v++)
        cubic = cubic && pvgi_mask_count(graph->adjacency[v]) == 3;
    return cubic && is_bipartite(graph);
}

/* What elim/grids.inc calls it: n if it is a grid of 3 x n, -4 if it is one of 4 x 4. */
static int32_t grid_of(const pvgi_small *graph) {
    const int32_t rows = graph->order == 16 ? 4 : 3, columns = graph->order / rows;
    if (columns < 3 || graph->order != rows * columns ||
        pvgi_pattern_size(graph) != 2 * graph->order - rows - columns)
        return 0;
    pvgi_small grid = {.order = graph->order}, canonical[2];
    for (int32_t v = 0; v < grid.order; v++) {
        if (v % rows > 0) pvgi_pattern_join(&grid, v - 1, v);
        if (v >= rows) pvgi_pattern_join(&grid, v - rows, v);
    }
    pvgi_pattern_canonical(&canonical[0], graph);
    pvgi_pattern_canonical(&canonical[1], &grid);
    if (!pvgi_pattern_equal(&canonical[0], &canonical[1])) return 0;
    return rows == 4 ? -4 : columns;
}

/* The entry of the pattern's list that makes the table; NULL for those every host has. */
static pvgi_elim_entry *entry_of(const pvgi_elim_pattern *pattern,
                                 const pvgi_elim_plan *plan, int32_t table) {
    for (int32_t i = 0; i < pattern->steps; i++)
        if (plan->list[pattern->step + i].step == table - PVGI_ELIM_BASES)
            return &plan->list[pattern->step + i];
    return NULL;
}

/* A table that is needed as a whole needs all of what it is made from. */
static void find_windows(pvgi_elim_pattern *pattern, const pvgi_elim_plan *plan) {
    for (int32_t i = pattern->steps - 1; i >= 0; i--) {
        const pvgi_elim_entry *entry = &plan->list[pattern->step + i];
        const pvgi_elim_step *step = &plan->step[entry->step];
        if (entry->windowed) {
            if (step->arity > 2) pattern->streamed = true;
            continue;
        }
        for (int32_t f = 0; f <= step->factors; f++) {
            pvgi_elim_entry *read = entry_of(
                pattern, plan,
                f < step->factors ? plan->factor[step->factor + f].table : step->weight);
            if (read) read->windowed = false;
        }
    }
}

static int32_t compile_steps(pvgi_elim_pattern *pattern, compiler *state, int32_t root) {
    int32_t elimination[N];
    pvgi_elim_plan *plan = state->plan;
    PVGI_TRY(pvgi_density_elim_order(elimination, state->graph, state->edge, root));
    find_scopes(state, elimination);
    fix_orders(state);
    state->list_first = pattern->step = plan->lists;
    for (int32_t i = 0; i + 1 < state->order; i++)
        PVGI_TRY(make_step(state, &state->step[i]));
    const removal *last = &state->step[state->order - 1];
    PVGI_TRY(make_weight(&pattern->result, state, last, !state->rooted));
    pvgi_density_elim_count_use(plan, pattern->result);
    pattern->steps = plan->lists - pattern->step;
    find_windows(pattern, plan);
    plan->general = true;
    return PVG_OK;
}

static pvgi_elim_kind kind_of(const pvgi_small *graph) {
    const int32_t size = pvgi_pattern_size(graph), order = graph->order;
    bool cycle = size == order;
    for (int32_t v = 0; v < order; v++)
        if (pvgi_mask_count(graph->adjacency[v]) != 2) cycle = false;
    if (size == order * (order - 1) / 2) return PVGI_ELIM_CLIQUE; /* also triangles */
    return cycle ? PVGI_ELIM_CYCLE : PVGI_ELIM_GENERAL;
}

static int32_t compile_one(pvgi_elim_plan *plan, pvgi_elim_pattern *pattern,
                           const pvgi_small *graph, int32_t root) {
    compiler state;
    memset(&state, 0, sizeof state);
    state.plan = plan;
    state.graph = graph;
    state.order = graph->order;
    state.rooted = root >= 0;
    find_edges(&state);
    pattern->order = graph->order;
    pattern->bipartite = is_bipartite(graph);
    pattern->cube = is_cube(graph);
    pattern->grid = grid_of(graph);
    pattern->clique = 2;
    for (int32_t u = 0; u < graph->order; u++)
        for (int32_t v = 0; v < graph->order; v++)
            if ((graph->adjacency[u] >> v & 1) && pattern->clique < 2 + state.edge[u][v])
                pattern->clique = 2 + state.edge[u][v];
    if (plan->clique < pattern->clique) plan->clique = pattern->clique;
    if (plan->clique_least > pattern->clique) plan->clique_least = pattern->clique;
    pattern->kind = plan->rooted ? PVGI_ELIM_GENERAL : kind_of(graph);
    if (pattern->kind == PVGI_ELIM_CYCLE && plan->cycle_longest < graph->order)
        plan->cycle_longest = graph->order;
    if (pattern->kind == PVGI_ELIM_CLIQUE && plan->clique_largest < graph->order)
        plan->clique_largest = graph->order;
    if (pattern->kind != PVGI_ELIM_GENERAL) return PVG_OK;
    PVGI_TRY(compile_steps(pattern, &state, root));
    int32_t width = 0;
    for (int32_t i = 0; i < pattern->steps; i++) {
        const pvgi_elim_step *step = &plan->step[plan->list[pattern->step + i].step];
        if (step->arity > width) width = step->arity;
    }
    return plan->rooted ? PVG_OK
                        : pvgi_density_elim_fixed_new(&pattern->fixed, graph, width);
}

int32_t pvgi_density_elim_plan_new(pvgi_elim_plan **out,
                                   const pvgi_small *const *components,
                                   const int32_t *roots, int64_t count) {
    *out = NULL;
    pvgi_elim_plan *plan = pvgi_alloc_zero(1, sizeof *plan);
    if (!plan) return pvgi_fail_nomem();
    int32_t status = PVG_OK;
    plan->count = count;
    plan->rooted = roots != NULL;
    plan->clique_least = 4;
    plan->pattern = pvgi_alloc_zero((size_t)count, sizeof *plan->pattern);
    plan->graph = pvgi_alloc((size_t)count, sizeof *plan->graph);
    if (!plan->pattern || !plan->graph) PVGI_TRY_DONE(pvgi_fail_nomem());
    for (int64_t i = 0; i < count; i++) {
        plan->graph[i] = *components[i];
        PVGI_TRY_DONE(
            compile_one(plan, &plan->pattern[i], &plan->graph[i], roots ? roots[i] : -1));
    }
    pvgi_density_elim_find_passed(plan);
done:
    if (status != PVG_OK)
        pvgi_density_elim_free(plan);
    else
        *out = plan;
    return status;
}

void pvgi_density_elim_free(pvgi_elim_plan *plan) {
    if (!plan) return;
    for (int64_t i = 0; plan->pattern && i < plan->count; i++)
        pvgi_free(plan->pattern[i].fixed);
    pvgi_free(plan->pattern);
    pvgi_free(plan->graph);
    pvgi_free(plan->step);
    pvgi_free(plan->factor);
    pvgi_free(plan->probe);
    pvgi_free(plan->begin);
    pvgi_free(plan->list);
    pvgi_free(plan->bucket);
    pvgi_free(plan);
}
