/* A step whose rows threads share.
 *
 * Rows of a table do not depend on each other. Chunks of rows, cut by the arcs of the
 * host alone, are joined into tables of their own, in memory of the thread that makes
 * them, and put together in order: the same entries, hence the same bits, as one thread
 * would write. Costs the table once more in memory; where a scratch limit does not allow
 * that, the calling thread does the step alone. Rows that are matrix products (dense.h)
 * are shared likewise, each thread with matrices of its own. Included by elim/kernel.h.
 */

enum {
    SHARE_CHUNKS = 64,
    SHARE_ARCS = 4096,
    SHARE_TUPLES = 1 << 17, /* a few hundred microseconds, ten times a thread's start */
    SHARE_ROWS = 64,        /* of a product: walks */
    SHARE_BLOCK = 32        /* of one that is a step, so that few are waited for */
};

typedef struct {
    pvgi_elim_table table;
    int64_t entries[PVGI_ELIM_ARITY];
    pvgi_elim_scratch *owner; /* of its buffers; NULL: nothing made */
} share_part;

typedef struct {
    join *hand; /* of each worker; scratch NULL: has not begun */
    uint32_t hands;
    bool dense, lines; /* lines: one loop over entries */
    _Atomic bool stop;
    _Atomic bool failed; /* a thread that waited for a stage begins the next regardless */
    share_part part[SHARE_CHUNKS];
    int64_t at[SHARE_CHUNKS][PVGI_ELIM_ARITY]; /* where the entries of a part go */
    int32_t first[SHARE_CHUNKS + 1], chunks;
    join *now;
} share_job;

static int32_t begin_hand(share_job *job, uint32_t worker) {
    join *hand = &job->hand[worker];
    pvgi_elim_scratch *own = job->now->scratch->helper[worker];
    *hand = *job->now;
    hand->scratch = own;
    hand->rows = job->now->out->start;
    hand->stop = &job->stop;
    hand->lead = worker == 0 ? job->now->scratch->crew : NULL;
    bool dense = job->dense;
    if (job->lines) return PVG_OK;
    PVGI_TRY(open_work(hand));
    PVGI_TRY(open_dense(hand, &dense));
    if (dense == job->dense) return PVG_OK;
    return pvgi_fail(PVG_E_LIMIT, "density: no memory for matrices of all threads");
}

static void end_hand(join *now, join *hand) {
    pvgi_elim_scratch *own = hand->scratch, *all = now->scratch;
    now->overflow = now->overflow || hand->overflow;
    own->dense_busy = false;
    if (own == all) return;
    all->products += own->products;
    all->rounded += own->rounded;
    own->products = own->rounded = 0;
}

/* Rows first .. last - 1 of a step that is one loop over entries. */
static int32_t line_rows(join *now, int32_t first, int32_t last) {
    if (now->step->shape == PVGI_ELIM_PRODUCT) return multiply_rows(now, first, last);
    if (now->step->shape == PVGI_ELIM_ROWS)
        sum_rows(now, first, last);
    else
        multiply_vectors(now, first, last);
    return PVG_OK;
}

static int32_t make_part(share_job *job, int64_t chunk, uint32_t worker) {
    join *hand = &job->hand[worker];
    share_part *part = &job->part[chunk];
    const int32_t first = job->first[chunk], last = job->first[chunk + 1];
    if (!hand->scratch) PVGI_TRY(begin_hand(job, worker));
    hand->out = &part->table;
    if (job->now->out->arity == 1) { /* writes to the vector itself */
        part->table = (pvgi_elim_table){.value = job->now->out->value};
        return line_rows(hand, first, last);
    }
    part->owner = hand->scratch;
    PVGI_TRY(open_table(hand));
    part->table.symmetric = job->dense;
    int32_t status;
    if (job->lines)
        status = line_rows(hand, first, last);
    else
        status =
            job->dense ? dense_rows(hand, first, last) : sparse_rows(hand, first, last);
    memcpy(part->entries, hand->entries, sizeof part->entries);
    return status;
}

static int32_t share_rows(void *context, int64_t chunk, uint32_t worker) {
    share_job *job = context;
    const int32_t status = make_part(job, chunk, worker);
    if (status != PVG_OK) atomic_store(&job->failed, true);
    return status;
}

/* As many arcs in each chunk, as far as rows allow. */
static void cut_rows(share_job *job) {
    const pvgi_elim_reduced *host = &job->now->scratch->reduced;
    const bool blocks = job->dense && job->now->step->arity == 2;
    job->chunks = 0;
    job->first[0] = 0;
    for (int32_t u = 0; u < host->order; u++)
        if (blocks ? (u + 1) % SHARE_BLOCK == 0
                   : (int64_t)host->start[u + 1] * SHARE_CHUNKS >=
                             (int64_t)host->arcs * (job->chunks + 1) &&
                         job->chunks + 1 < SHARE_CHUNKS)
            job->first[++job->chunks] = u + 1;
    if (job->first[job->chunks] < host->order) job->first[++job->chunks] = host->order;
}

/* Copies a part to its place; what leads below moves by what comes before it. */
static int32_t put_part(void *context, int64_t chunk, uint32_t worker) {
    const share_job *job = context;
    const share_part *part = &job->part[chunk];
    const int64_t *at = job->at[chunk];
    pvgi_elim_table *out = job->now->out;
    (void)worker;
    if (atomic_load(&job->failed)) return PVG_OK; /* which has been told */
    for (int32_t u = job->first[chunk]; u < job->first[chunk + 1]; u++)
        out->start[u] += (int32_t)at[1];
    for (int32_t level = 1; level < out->arity; level++) {
        const int64_t count = part->entries[level];
        if (count == 0) continue;
        memcpy(out->column[level] + at[level], part->table.column[level],
               (size_t)count * sizeof *out->column[level]);
        if (level + 1 == out->arity)
            memcpy((VALUE *)out->value + at[level], part->table.value,
                   (size_t)count * sizeof(VALUE));
        else
            for (int64_t i = 0; i < count; i++)
                out->child[level][at[level] + i] =
                    part->table.child[level][i] + (int32_t)at[level + 1];
    }
    return PVG_OK;
}

/* Makes room for all parts, once they are there. */
static int32_t add_places(share_job *job) {
    join *now = job->now;
    for (int32_t i = 0; i < job->chunks && now->out->arity == 1; i++)
        now->out->count += job->part[i].table.count;
    if (now->out->arity == 1) return PVG_OK;
    for (int32_t level = 1; level < now->out->arity; level++) {
        int64_t sum = 0;
        for (int32_t i = 0; i < job->chunks; i++) {
            job->at[i][level] = sum;
            sum += job->part[i].entries[level];
        }
        PVGI_TRY(make_room(now, level, sum + 1));
        now->entries[level] = sum;
    }
    now->out->symmetric = job->dense;
    for (int32_t i = 0; i < job->chunks; i++) {
        const pvgi_elim_table *part = &job->part[i].table;
        now->out->large = now->out->large || part->large;
        now->out->symmetric = now->out->symmetric && part->symmetric;
    }
    now->out->start[now->order] = (int32_t)now->entries[1];
    return PVG_OK;
}

static int32_t make_places(void *context, int64_t chunk, uint32_t worker) {
    share_job *job = context;
    (void)chunk;
    (void)worker;
    if (atomic_load(&job->failed)) return PVG_OK;
    const int32_t status = add_places(job);
    if (status != PVG_OK) atomic_store(&job->failed, true);
    return status;
}

/* Tuples that a step visits, about: were the entries of its tables drawn at random, or
 * those of a table over three vertices and more. */
static double tuples_of(const join *now) {
    const double n = now->order;
    double tuples = 1, most = 0;
    for (int32_t i = 0; i < now->step->levels; i++) tuples *= n;
    for (int32_t f = 0; f < now->step->factors; f++) {
        const pvgi_elim_table *table = now->factor[f];
        const double count = (double)table->count;
        tuples *= count;
        for (int32_t i = 0; i < table->arity; i++) tuples /= n;
        if (table->arity > 2 && count > most) most = count;
    }
    return tuples > most ? tuples : most;
}

/* Whether threads should share the step: there are some, and it is long enough. */
static bool share_pays(const join *now) {
    return pvgi_density_elim_hands(now->scratch, SHARE_CHUNKS) > 1 && !now->rows &&
           !now->whole &&
           (now->scratch->reduced.arcs >= SHARE_ARCS || tuples_of(now) >= SHARE_TUPLES);
}

/* The same for a loop over entries. */
static bool share_lines(const join *now) {
    int64_t entries = 0;
    for (int32_t f = 0; f < now->step->factors; f++) entries += now->factor[f]->count;
    return entries >= SHARE_TUPLES && share_pays(now);
}

/* *done: the table is there; else nothing has changed. */
static int32_t run_shared(join *now, bool lines, bool dense, bool *done) {
    pvgi_elim_scratch *scratch = now->scratch;
    int32_t status;
    *done = false;
    share_job *job = pvgi_alloc_zero(1, sizeof *job);
    if (!job) return pvgi_fail_nomem();
    job->now = now;
    job->lines = lines;
    job->dense = dense;
    cut_rows(job);
    job->hands = pvgi_density_elim_hands(scratch, job->chunks);
    job->hand = pvgi_alloc_zero(job->hands, sizeof *job->hand);
    if (!job->hand) PVGI_TRY_DONE(pvgi_fail_nomem());
    PVGI_TRY_DONE(pvgi_density_elim_begin_helpers(scratch, now->plan, job->hands));
    const bool vector = now->step->arity == 1; /* is there as soon as it is written */
    const pvgi_stage stages[] = {{share_rows, job->chunks, 0.9, NULL},
                                 {make_places, 1, 0.02, NULL},
                                 {put_part, vector ? 0 : job->chunks, 0.08, NULL}};
    PVGI_TRY_DONE(
        pvgi_density_elim_fork_stages(scratch, stages, 3, job, now->reached, now->share));
    *done = true;
done:
    for (int32_t i = 0; i < job->chunks; i++)
        if (job->part[i].owner)
            pvgi_density_elim_drop(job->part[i].owner, &job->part[i].table);
    for (uint32_t i = 0; job->hand && i < job->hands; i++)
        if (job->hand[i].scratch) end_hand(now, &job->hand[i]);
    pvgi_density_elim_end_helpers(scratch);
    pvgi_free(job->hand);
    pvgi_free(job);
    if (status != PVG_E_LIMIT) return status;
    for (int32_t level = 1; level < now->out->arity; level++) now->entries[level] = 0;
    now->overflow = false;
    return PVG_OK;
}

/* A step that is one loop over entries. */
static int32_t run_lines(join *now) {
    bool done;
    if (share_lines(now)) {
        PVGI_TRY(run_shared(now, true, false, &done));
        if (done) return PVG_OK;
    }
    PVGI_TRY(line_rows(now, now->first, now->last));
    if (now->out->arity == 2) now->out->start[now->last] = (int32_t)now->entries[1];
    return PVG_OK;
}
