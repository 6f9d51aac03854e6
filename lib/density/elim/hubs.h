/* Cycles hub by hub: hom(C_m, G) = trace of A^m, all lengths of a plan in one pass.
 *
 * Nodes are removed by falling degree. A closed walk belongs to the first node h removed
 * among those it passes; it lies in what is left when h is about to go, and is a cyclic
 * sequence of walks from h to h that meet h only at their ends. With g_j the number of
 * these of j arcs, G = w g (w nodes with the same neighbours go at once, and each may be
 * where a walk comes back to) and det(I - zA) = prod over h of (1 - G(z)),
 *     trace of A^m = sum over h of [z^m] z G'(z) / (1 - G(z)),
 *     c_m = m G_m + sum over 2 <= j <= m - 2 of G_j c_(m-j).
 * Half walks suffice: f_a[v] walks of a arcs leave h for v without coming back, so
 * g_(a+b) = sum over v of w_v f_a[v] f_b[v]. Hubs go while their reach is all of the
 * graph, and afterwards no reach is large: O(sum over h of the arcs within m / 2 steps of
 * h in what is left), against the arcs within m / 2 steps in the whole graph for plain
 * closed walks. Only sums and products of non-negative numbers, none above the result.
 *
 * Hubs are cut into chunks by the graph alone; sums of chunks are added in order, so the
 * bits do not depend on who counts them.
 * Included by elim/kernel.h, which says what VALUE, MULTIPLY and ADD are. */

enum { HUB_CHUNKS = 256, HUB_LENGTHS = PVGI_PATTERN_ORDER + 1 };

/* A vector with the list of its non-zero entries. */
typedef struct {
    VALUE *value;
    int32_t *node, nodes;
} reached;

typedef struct {
    bool overflow; /* what MULTIPLY and ADD look for */
    reached walks, longer;
} hub_hand;

typedef struct {
    VALUE sum[HUB_LENGTHS];
    bool bad[HUB_LENGTHS];
} hub_sum;

typedef struct {
    join *now;
    const int32_t *start, *column, *weight; /* by falling degree; lists descend to -1 */
    int32_t order, longest;
    int32_t chunks, first[HUB_CHUNKS + 1];
    hub_sum *sums; /* of chunks */
    hub_hand *hands;
    _Atomic bool stop;
} hub_job;

/* Lengths whose count did not fit are marked, so that only their patterns fail. */
static void note_hub(hub_hand *hand, bool *bad, int32_t from, int32_t to) {
    if (!hand->overflow) return;
    for (int32_t m = from; m <= to; m++) bad[m] = true;
    hand->overflow = false;
}

static void clear_reached(reached *from) {
    for (int32_t i = 0; i < from->nodes; i++) from->value[from->node[i]] = 0;
    from->nodes = 0;
}

/* sum over v of w_v a[v]^2. */
static VALUE square_reached(hub_hand *hand, const hub_job *job, const reached *a) {
    VALUE sum = 0;
    for (int32_t i = 0; i < a->nodes; i++) {
        const int32_t v = a->node[i];
        const VALUE product = MULTIPLY(hand, a->value[v], a->value[v]);
        sum = ADD(hand, sum, MULTIPLY(hand, product, (VALUE)job->weight[v]));
    }
    return sum;
}

/* sum over v of w_v a[v] b[v]; what a reaches, b need not. */
static VALUE dot_reached(hub_hand *hand, const hub_job *job, const reached *a,
                         const reached *b) {
    VALUE sum = 0;
    for (int32_t i = 0; i < a->nodes; i++) {
        const int32_t v = a->node[i];
        if (b->value[v] == 0) continue;
        const VALUE product = MULTIPLY(hand, a->value[v], b->value[v]);
        sum = ADD(hand, sum, MULTIPLY(hand, product, (VALUE)job->weight[v]));
    }
    return sum;
}

/* out = one arc more than in, among the nodes that go after hub. Which nodes are new is
 * hard to tell ahead: no branch asks, one entry more is written than counts. */
static void walk_on(hub_hand *hand, const hub_job *job, reached *out, const reached *in,
                    int32_t hub) {
    VALUE *restrict value = out->value;
    int32_t *restrict node = out->node, nodes = out->nodes;
    for (int32_t i = 0; i < in->nodes; i++) {
        const int32_t y = in->node[i];
        const VALUE more = MULTIPLY(hand, in->value[y], (VALUE)job->weight[y]);
        for (const int32_t *x = job->column + job->start[y]; *x > hub; x++) {
            node[nodes] = *x;
            nodes += value[*x] == 0;
            value[*x] = ADD(hand, value[*x], more);
        }
    }
    out->nodes = nodes;
}

/* The same where only its product with `in` is wanted: nothing is written. */
static VALUE walk_back(hub_hand *hand, const hub_job *job, const reached *in,
                       int32_t hub) {
    VALUE sum = 0;
    for (int32_t i = 0; i < in->nodes; i++) {
        const int32_t y = in->node[i];
        VALUE around = 0;
        for (const int32_t *x = job->column + job->start[y]; *x > hub; x++)
            around =
                ADD(hand, around, MULTIPLY(hand, in->value[*x], (VALUE)job->weight[*x]));
        const VALUE product = MULTIPLY(hand, in->value[y], (VALUE)job->weight[y]);
        sum = ADD(hand, sum, MULTIPLY(hand, product, around));
    }
    return sum;
}

/* first[j] = w_hub g_j, 2 <= j <= longest; false: there is none. */
static bool return_to(hub_hand *hand, const hub_job *job, int32_t hub, VALUE *first,
                      bool *bad) {
    reached *walks = &hand->walks, *longer = &hand->longer;
    const VALUE weight = (VALUE)job->weight[hub];
    for (const int32_t *x = job->column + job->start[hub]; *x > hub; x++) {
        walks->node[walks->nodes++] = *x;
        walks->value[*x] = 1;
    }
    if (walks->nodes == 0) return false;
    for (int32_t arcs = 1; 2 * arcs <= job->longest; arcs++) {
        first[2 * arcs] = MULTIPLY(hand, square_reached(hand, job, walks), weight);
        note_hub(hand, bad, 2 * arcs, job->longest);
        if (2 * arcs == job->longest) break;
        VALUE sum;
        if (2 * arcs + 1 == job->longest) {
            sum = walk_back(hand, job, walks, hub);
        } else {
            clear_reached(longer);
            walk_on(hand, job, longer, walks, hub);
            note_hub(hand, bad, 2 * arcs + 2, job->longest);
            sum = dot_reached(hand, job, walks, longer);
        }
        first[2 * arcs + 1] = MULTIPLY(hand, sum, weight);
        note_hub(hand, bad, 2 * arcs + 1, job->longest);
        const reached kept = *walks;
        *walks = *longer;
        *longer = kept;
    }
    clear_reached(walks);
    clear_reached(longer);
    return true;
}

/* Adds the closed walks of one hub. */
static void add_hub(hub_hand *hand, const hub_job *job, int32_t hub, hub_sum *to) {
    VALUE first[HUB_LENGTHS], closed[HUB_LENGTHS];
    if (!return_to(hand, job, hub, first, to->bad)) return;
    for (int32_t m = 2; m <= job->longest; m++) {
        closed[m] = MULTIPLY(hand, first[m], (VALUE)m);
        for (int32_t j = 2; j + 2 <= m; j++)
            closed[m] = ADD(hand, closed[m], MULTIPLY(hand, first[j], closed[m - j]));
        to->sum[m] = ADD(hand, to->sum[m], closed[m]);
        note_hub(hand, to->bad, m, job->longest);
    }
}

static int32_t run_hubs(void *context, int64_t chunk, uint32_t worker) {
    hub_job *job = context;
    hub_hand *hand = &job->hands[worker];
    hub_sum *sum = &job->sums[chunk];
    memset(sum, 0, sizeof *sum);
    for (int32_t hub = job->first[chunk]; hub < job->first[chunk + 1]; hub++) {
        int64_t work = PVGI_ELIM_LOOK; /* a hub may reach every arc, again and again */
        PVGI_TRY(spend_shared(job->now, &job->stop, worker,
                              (double)chunk / (double)job->chunks, &work));
        add_hub(hand, job, hub, sum);
    }
    return PVG_OK;
}

/* About as much work in each chunk, as far as two steps tell. */
static void cut_hubs(hub_job *job) {
    double all = 0, sum = 0;
    for (int32_t pass = 0; pass < 2; pass++) {
        job->chunks = 0;
        job->first[0] = 0;
        sum = 0;
        for (int32_t hub = 0; hub < job->order; hub++) {
            sum += 8;
            for (const int32_t *x = job->column + job->start[hub]; *x > hub; x++)
                sum += 2 + job->start[*x + 1] - job->start[*x];
            if (pass == 0 || sum * HUB_CHUNKS < all || job->chunks == HUB_CHUNKS - 1)
                continue;
            job->first[++job->chunks] = hub + 1;
            sum = 0;
        }
        all = sum;
    }
    if (job->first[job->chunks] < job->order) job->first[++job->chunks] = job->order;
}

/* Adds the sums of chunks, in order. */
static void add_hub_sums(join *now, VALUE *count, bool *bad, const hub_sum *sums,
                         int32_t chunks, int32_t longest) {
    for (int32_t i = 0; i < chunks; i++)
        for (int32_t m = 3; m <= longest; m++) {
            bad[m] = bad[m] || sums[i].bad[m];
            count[m] = ADD(now, count[m], sums[i].sum[m]);
            note_overflow(now, bad, m, m);
        }
}

/* count[m] = hom(C_m, host) for 3 <= m <= longest. */
static int32_t count_by_hubs(join *now, VALUE *count, bool *bad, int32_t longest) {
    pvgi_elim_scratch *scratch = now->scratch;
    const size_t nodes = (size_t)now->order;
    pvgi_elim_sorted host;
    PVGI_TRY(pvgi_density_elim_sort(&host, scratch));
    hub_job job = {.now = now,
                   .start = host.start,
                   .column = host.column,
                   .weight = host.weight,
                   .order = now->order,
                   .longest = longest};
    cut_hubs(&job);
    const uint32_t hands = pvgi_density_elim_hands(scratch, job.chunks);
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row,
                                    2 * nodes * sizeof(VALUE) * hands +
                                        HUB_CHUNKS * sizeof *job.sums));
    PVGI_TRY(pvgi_density_elim_need(
        scratch, &scratch->touched,
        hands * (2 * (nodes + 1) * sizeof(int32_t) + sizeof *job.hands)));
    job.sums = scratch->row.data;
    job.hands = scratch->touched.data;
    VALUE *values = (VALUE *)(job.sums + HUB_CHUNKS);
    int32_t *lists = (int32_t *)(job.hands + hands);
    memset(values, 0, 2 * nodes * hands * sizeof *values);
    for (uint32_t i = 0; i < hands; i++, values += 2 * nodes, lists += 2 * nodes + 2)
        job.hands[i] =
            (hub_hand){false, {values, lists, 0}, {values + nodes, lists + nodes + 1, 0}};
    PVGI_TRY(pvgi_density_elim_fork(scratch, job.chunks, run_hubs, &job, now->reached,
                                    now->share));
    add_hub_sums(now, count, bad, job.sums, job.chunks, longest);
    return PVG_OK;
}
