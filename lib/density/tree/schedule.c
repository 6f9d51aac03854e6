/* Trees, the schedule: turns the subtrees of a plan into steps over columns.
 *
 * Subtrees whose children are ready are spread together in panels, those at the bottom of
 * the longest chain first. Products of columns are hash-consed prefix by prefix, so that
 * degree * degree * x is formed once; in large graphs, where a column is memory, once in
 * each phase. A root is summed as soon as its columns are there, four together; after
 * that, linear scan gives columns that are never alive at the same time the same slot.
 * Everything is linear in the size of the plan. */
#include "density/density_internal.h"

#include <string.h>

enum { LEVELS = PVGI_PATTERN_ORDER + 1, ROOTS_TOGETHER = 4, NOBODY = -1 };

/* Items are the subtrees 0..types-1 and then the roots. Virtual columns: 0 the degrees,
 * 1 + i the spread subtree i, then the products. */
typedef struct {
    pvgi_tree_program *program;
    const pvgi_tree_code *types, *roots;
    int64_t type_count, root_count;
    pvgi_map number;     /* code -> subtree */
    pvgi_map products;   /* pair of columns -> column */
    int32_t *waiting;    /* item -> children not spread yet */
    int64_t *user_start; /* subtree -> its place in users */
    int32_t *users;      /* items that have the subtree as a child */
    int32_t *level;      /* subtree -> longest chain of users above it */
    int32_t *next;       /* item -> next in its queue */
    int32_t first[LEVELS + 1], last[LEVELS + 1]; /* queues; the last one is of roots */
    int64_t ready, ready_roots, spread, panels, columns;
} schedule;

static pvgi_tree_code item_code(const schedule *s, int64_t item) {
    return item < s->type_count ? s->types[item] : s->roots[item - s->type_count];
}

/* The distinct children that are no leaves; returns how many. Equal codes are neighbours.
 */
static int32_t inner_children(int32_t child[PVGI_PATTERN_ORDER], const schedule *s,
                              int64_t item) {
    pvgi_tree_code code[PVGI_PATTERN_ORDER];
    const int32_t all = pvgi_density_tree_children(code, item_code(s, item));
    int32_t count = 0;
    for (int32_t i = 0; i < all; i++)
        if (code[i] != PVGI_TREE_LEAF && (i == 0 || code[i] != code[i - 1]))
            child[count++] = pvgi_density_map_get(&s->number, code[i]);
    return count;
}

/* --- who waits for whom --------------------------------------------------------- */

static int32_t allocate(schedule *s) {
    const size_t types = (size_t)s->type_count, items = types + (size_t)s->root_count;
    s->waiting = pvgi_alloc_zero(items, sizeof *s->waiting);
    s->user_start = pvgi_alloc_zero(types + 2, sizeof *s->user_start);
    s->level = pvgi_alloc_zero(types, sizeof *s->level);
    s->next = pvgi_alloc(items, sizeof *s->next);
    if (!s->waiting || !s->user_start || !s->level || !s->next) return pvgi_fail_nomem();
    for (int64_t i = 0; i < s->type_count; i++)
        PVGI_TRY(pvgi_density_map_put(&s->number, s->types[i], (int32_t)i));
    for (int32_t i = 0; i <= LEVELS; i++) s->first[i] = s->last[i] = NOBODY;
    return PVG_OK;
}

/* Counting sort of (child, user) pairs by child. */
static int32_t list_users(schedule *s) {
    const int64_t items = s->type_count + s->root_count;
    int32_t child[PVGI_PATTERN_ORDER];
    int64_t *start = s->user_start + 1; /* becomes user_start when filled */
    for (int64_t i = 0; i < items; i++) {
        s->waiting[i] = inner_children(child, s, i);
        for (int32_t j = 0; j < s->waiting[i]; j++) start[child[j] + 1]++;
    }
    for (int64_t i = 0; i < s->type_count; i++) start[i + 1] += start[i];
    s->users = pvgi_alloc((size_t)start[s->type_count], sizeof *s->users);
    if (!s->users) return pvgi_fail_nomem();
    for (int64_t i = 0; i < items; i++) {
        const int32_t count = inner_children(child, s, i);
        for (int32_t j = 0; j < count; j++) s->users[start[child[j]]++] = (int32_t)i;
    }
    return PVG_OK;
}

/* Roots wait in order; of the subtrees of one level the youngest goes first, whose
 * columns are just there and need not be kept for long. */
static void push(schedule *s, int64_t item) {
    const int32_t queue = item < s->type_count ? s->level[item] : LEVELS;
    const bool first = s->first[queue] == NOBODY, young = queue < LEVELS && !first;
    s->next[item] = young ? s->first[queue] : NOBODY;
    if (first || young)
        s->first[queue] = (int32_t)item;
    else
        s->next[s->last[queue]] = (int32_t)item;
    if (!young) s->last[queue] = (int32_t)item;
    if (queue == LEVELS)
        s->ready_roots++;
    else
        s->ready++;
}

static int32_t pop(schedule *s, int32_t queue) {
    const int32_t item = s->first[queue];
    s->first[queue] = s->next[item];
    if (queue == LEVELS)
        s->ready_roots--;
    else
        s->ready--;
    return item;
}

static void find_levels(schedule *s) {
    for (int64_t i = s->type_count - 1; i >= 0; i--) { /* users have larger numbers */
        for (int64_t k = s->user_start[i]; k < s->user_start[i + 1]; k++) {
            const int32_t user = s->users[k];
            const int32_t level = user < s->type_count ? s->level[user] + 1 : 0;
            if (level > s->level[i]) s->level[i] = level;
        }
    }
    for (int64_t i = 0; i < s->type_count + s->root_count; i++)
        if (s->waiting[i] == 0) push(s, i);
}

/* --- steps ---------------------------------------------------------------------- */

static int32_t add_step(schedule *s, const pvgi_tree_step *step) {
    pvgi_tree_program *program = s->program;
    if (program->steps == program->capacity) {
        const int64_t capacity = program->capacity ? 2 * program->capacity : 32;
        pvgi_tree_step *grown = pvgi_grow(program->step, (size_t)capacity, sizeof *grown);
        if (!grown) return pvgi_fail_nomem();
        program->step = grown;
        program->capacity = capacity;
    }
    program->step[program->steps++] = *step;
    return PVG_OK;
}

static pvgi_tree_step new_step(int32_t kind, int32_t width) {
    pvgi_tree_step step = {.kind = kind, .width = width};
    for (int32_t j = 0; j < PVGI_PANEL; j++) {
        step.a[j] = step.b[j] = PVGI_COLUMN_ONES;
        step.to[j] = PVGI_COLUMN_NONE;
    }
    return step;
}

/* The column a * b, multiplied now if it never was. */
static int32_t multiply(int32_t *out, schedule *s, int32_t a, int32_t b) {
    const uint64_t key = (uint64_t)(uint32_t)(a + 1) << 32 | (uint32_t)(b + 1);
    *out = pvgi_density_map_get(&s->products, key);
    if (*out >= 0) return PVG_OK;
    *out = (int32_t)s->columns++;
    PVGI_TRY(pvgi_density_map_put(&s->products, key, *out));
    pvgi_tree_step step = new_step(PVGI_TREE_MULTIPLY, 1);
    step.a[0] = a;
    step.b[0] = b;
    step.to[0] = *out;
    return add_step(s, &step);
}

/* x of an item as the product of two columns. */
static int32_t factor(int32_t *a, int32_t *b, schedule *s, int64_t item) {
    pvgi_tree_code code[PVGI_PATTERN_ORDER];
    int32_t column[PVGI_PATTERN_ORDER] = {0};
    const int32_t count = pvgi_density_tree_children(code, item_code(s, item));
    for (int32_t i = 0; i < count; i++) { /* small subtrees first: the shared ones */
        const pvgi_tree_code child = code[count - 1 - i];
        column[i] =
            child == PVGI_TREE_LEAF ? 0 : 1 + pvgi_density_map_get(&s->number, child);
    }
    *a = column[0];
    *b = PVGI_COLUMN_ONES;
    for (int32_t i = 1; i + 1 < count; i++) PVGI_TRY(multiply(a, s, *a, column[i]));
    if (count > 1) *b = column[count - 1];
    return PVG_OK;
}

/* The panel of so many columns. */
static int32_t width_of(int32_t columns) {
    int32_t width = 1;
    while (width < columns) width *= 2;
    return width;
}

static int32_t emit_panel(schedule *s, int32_t most) {
    pvgi_tree_step load = new_step(PVGI_TREE_LOAD, PVGI_PANEL);
    pvgi_tree_step spread = new_step(PVGI_TREE_SPREAD, PVGI_PANEL);
    int32_t level = LEVELS - 1, taken[PVGI_PANEL], count = 0;
    for (; count < most && s->ready > 0; count++) {
        while (s->first[level] == NOBODY) level--;
        taken[count] = pop(s, level);
        PVGI_TRY(factor(&load.a[count], &load.b[count], s, taken[count]));
        spread.to[count] = 1 + taken[count];
    }
    load.width = spread.width = width_of(count);
    int32_t *widest = &s->program->widest[s->panels++ % 2];
    if (load.width > *widest) *widest = load.width;
    PVGI_TRY(add_step(s, &load));
    PVGI_TRY(add_step(s, &spread));
    for (int32_t j = 0; j < count; j++)
        for (int64_t k = s->user_start[taken[j]]; k < s->user_start[taken[j] + 1]; k++)
            if (--s->waiting[s->users[k]] == 0) push(s, s->users[k]);
    s->spread += count;
    return PVG_OK;
}

static int32_t emit_roots(schedule *s, bool all) {
    while (s->ready_roots >= (all ? 1 : ROOTS_TOGETHER)) {
        pvgi_tree_step step = new_step(PVGI_TREE_ROOTS, ROOTS_TOGETHER);
        for (int32_t j = 0; j < ROOTS_TOGETHER && s->ready_roots > 0; j++) {
            const int32_t item = pop(s, LEVELS);
            PVGI_TRY(factor(&step.a[j], &step.b[j], s, item));
            step.to[j] = (int32_t)(item - s->type_count);
        }
        PVGI_TRY(add_step(s, &step));
    }
    return PVG_OK;
}

static int32_t emit(schedule *s, bool wide) {
    s->columns = 1 + s->type_count;
    PVGI_TRY(emit_roots(s, wide || s->type_count == 0));
    while (s->spread < s->type_count) {
        /* five or six columns now would leave a panel of eight half empty, while most of
         * the time the rest can go with a later one; in a large graph a pass over the
         * arcs costs more than the columns it carries */
        const int64_t left = s->type_count - s->spread;
        const bool eight = s->ready >= PVGI_PANEL - 1 ||
                           (s->ready > PVGI_PANEL / 2 && (wide || s->ready == left));
        PVGI_TRY(emit_panel(s, eight ? PVGI_PANEL : PVGI_PANEL / 2));
        if (wide) pvgi_density_map_free(&s->products); /* made anew rather than kept */
        PVGI_TRY(emit_roots(s, wide || s->spread == s->type_count));
    }
    return PVG_OK;
}

/* --- slots ---------------------------------------------------------------------- */

/* Slots that a phase gives back at its end, numbered from PASSING on until it is known
 * how many others there are. */
enum { PASSING = 1 << 24 };

typedef struct {
    int32_t *free; /* stack */
    int32_t free_count, count;
} stack;

typedef struct {
    int64_t *last_use;   /* column -> step */
    int64_t *last_phase; /* column -> phase of that step */
    int32_t *slot;       /* column -> slot */
    bool wide;
    stack kept, passing;
} slots;

static bool begins_phase(const pvgi_tree_step *step) {
    return step->kind == PVGI_TREE_SPREAD;
}

static void note_use(slots *all, int32_t column, int64_t step, int64_t phase) {
    if (column < 0) return;
    all->last_use[column] = step;
    all->last_phase[column] = phase;
}

static void note_uses(slots *all, const pvgi_tree_program *program) {
    int64_t phase = 0;
    for (int64_t i = 0; i < program->steps; i++) {
        const pvgi_tree_step *step = &program->step[i];
        phase += begins_phase(step);
        for (int32_t j = 0; j < PVGI_PANEL; j++) {
            note_use(all, step->a[j], i, phase);
            note_use(all, step->b[j], i, phase);
        }
    }
}

static void give_back(slots *all, int32_t slot) {
    if (slot >= PASSING)
        all->passing.free[all->passing.free_count++] = slot;
    else
        all->kept.free[all->kept.free_count++] = slot;
}

static int32_t take(stack *s, int32_t first) {
    return s->free_count ? s->free[--s->free_count] : first + s->count++;
}

/* Replaces an input column by its slot, which is free after its last use. */
static void use(slots *all, int32_t *column, int64_t step) {
    if (*column < 0) return;
    const int32_t slot = all->slot[*column];
    if (all->last_use[*column] == step && slot != PASSING) {
        give_back(all, slot);
        all->last_use[*column] = -1; /* a second use in this step frees nothing */
    }
    *column = slot;
}

/* Column 0, the degrees: slot 0, or, in a wide program, made anew in each phase. */
static void assign_slots(slots *all, pvgi_tree_program *program) {
    all->slot[0] = all->wide ? take(&all->passing, PASSING) : take(&all->kept, 0);
    int64_t phase = 0;
    for (int64_t i = 0; i < program->steps; i++) {
        pvgi_tree_step *step = &program->step[i];
        phase += begins_phase(step);
        for (int32_t j = 0; j < PVGI_PANEL; j++) {
            use(all, &step->a[j], i);
            use(all, &step->b[j], i);
        }
        if (step->kind == PVGI_TREE_ROOTS) continue; /* to[] are results */
        for (int32_t j = 0; j < PVGI_PANEL; j++) {
            const int32_t column = step->to[j];
            if (column < 0) continue;
            const bool passes = all->wide && all->last_phase[column] == phase;
            step->to[j] = all->slot[column] =
                passes ? take(&all->passing, PASSING) : take(&all->kept, 0);
        }
    }
    program->slots = all->kept.count;
    program->passing = all->passing.count;
}

static void renumber(int32_t slot[PVGI_PANEL], int32_t kept) {
    for (int32_t j = 0; j < PVGI_PANEL; j++)
        if (slot[j] >= PASSING) slot[j] += kept - PASSING;
}

static int32_t give_slots(pvgi_tree_program *program, int64_t columns, bool wide) {
    slots all = {.wide = wide};
    int32_t status = PVG_OK;
    all.last_use = pvgi_alloc_zero((size_t)columns, sizeof *all.last_use);
    all.last_phase = pvgi_alloc_zero((size_t)columns, sizeof *all.last_phase);
    all.slot = pvgi_alloc((size_t)columns, sizeof *all.slot);
    all.kept.free = pvgi_alloc((size_t)columns, sizeof *all.kept.free);
    all.passing.free = pvgi_alloc((size_t)columns, sizeof *all.passing.free);
    if (all.last_use && all.last_phase && all.slot && all.kept.free && all.passing.free) {
        note_uses(&all, program);
        assign_slots(&all, program);
        for (int64_t i = 0; i < program->steps; i++) {
            pvgi_tree_step *step = &program->step[i];
            renumber(step->a, program->slots);
            renumber(step->b, program->slots);
            if (step->kind != PVGI_TREE_ROOTS) renumber(step->to, program->slots);
        }
    } else {
        status = pvgi_fail_nomem();
    }
    pvgi_free(all.last_use);
    pvgi_free(all.last_phase);
    pvgi_free(all.slot);
    pvgi_free(all.kept.free);
    pvgi_free(all.passing.free);
    return status;
}

int32_t pvgi_density_tree_schedule(pvgi_tree_program *out, const pvgi_tree_code *types,
                                   int64_t type_count, const pvgi_tree_code *roots,
                                   int64_t root_count, bool wide) {
    schedule s = {.program = out,
                  .types = types,
                  .type_count = type_count,
                  .roots = roots,
                  .root_count = root_count};
    int32_t status = PVG_OK;
    PVGI_TRY_DONE(allocate(&s));
    PVGI_TRY_DONE(list_users(&s));
    find_levels(&s);
    PVGI_TRY_DONE(emit(&s, wide));
    PVGI_TRY_DONE(give_slots(out, s.columns, wide));
done:
    pvgi_density_map_free(&s.number);
    pvgi_density_map_free(&s.products);
    pvgi_free(s.waiting);
    pvgi_free(s.user_start);
    pvgi_free(s.users);
    pvgi_free(s.level);
    pvgi_free(s.next);
    return status;
}
