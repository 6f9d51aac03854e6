/* Patterns of width 3 and more on large hosts: a window of rows at a time.
 *
 * All tables that hold the vertex removed last begin with it, and their rows for one of
 * its images depend on the same rows of one another and on tables without that vertex.
 * So the latter are made as a whole, and the former for a few images at a time, from the
 * first to the last, and thrown away: hub by hub, with memory for the tuples of one hub.
 * A window has as many arcs two steps deep as the host has nodes (what is cleared for
 * each step), or one row. Threads share windows, each with memory of its own; rows come
 * out as they would in a whole table, so the bits do not depend on windows nor threads.
 * Included by elim/kernel.h. */

typedef struct {
    join *now, *hand; /* of each worker; scratch NULL: has not begun */
    uint32_t hands;
    const pvgi_elim_entry *entry; /* those to be made, ascending */
    int32_t entries, result;
    int32_t *first; /* of each window, and the end */
    int32_t windows;
    VALUE *vector;
    _Atomic bool stop;
    double reached, share;
} stream_job;

/* Small tables are better made as a whole, for all patterns that read them. */
static bool stream_pays(const join *now, const pvgi_elim_pattern *pattern) {
    const pvgi_elim_reduced *host = &now->scratch->reduced;
    const int64_t enough = now->scratch->stream_reach;
    int64_t sum = 0;
    for (int32_t u = 0; u < host->order && pattern->streamed && sum < enough; u++)
        sum += reach_of(host, u);
    return pattern->streamed && sum >= enough;
}

static void cut_windows(stream_job *job) {
    const pvgi_elim_reduced *host = &job->now->scratch->reduced;
    const int64_t least = job->now->scratch->window_reach;
    const int64_t enough = least > 1 && least < host->order ? host->order : least;
    int64_t sum = 0;
    job->windows = 0;
    job->first[0] = 0;
    for (int32_t u = 0; u < host->order; u++) {
        sum += reach_of(host, u);
        if (sum < enough && u + 1 < host->order) continue;
        job->first[++job->windows] = u + 1;
        sum = 0;
    }
}

static void begin_window(stream_job *job, join *hand, uint32_t worker) {
    pvgi_elim_scratch *scratch = job->now->scratch;
    *hand = *job->now;
    hand->whole = scratch;
    hand->stop = job->hands > 1 ? &job->stop : NULL;
    hand->lead = worker == 0 ? scratch->crew : NULL;
    if (worker > 0) hand->scratch = scratch->helper[worker];
}

static int32_t run_window(void *context, int64_t window, uint32_t worker) {
    stream_job *job = context;
    join *hand = &job->hand[worker];
    if (!hand->scratch) begin_window(job, hand, worker);
    pvgi_elim_table *table = hand->scratch->table;
    int32_t status = PVG_OK, done = 0;
    bool empty = false;
    hand->first = job->first[window];
    hand->last = job->first[window + 1];
    for (; done < job->entries && status == PVG_OK && !empty; done++) {
        const int32_t index = job->entry[done].step;
        const double part = (double)window + (double)done / (double)job->entries;
        hand->share = job->share / job->windows / job->entries;
        hand->reached = job->reached + job->share * part / job->windows;
        status = compute(hand, index);
        empty = table[PVGI_ELIM_BASES + index].count == 0;
    }
    VALUE *to = job->vector + hand->first;
    const size_t bytes = (size_t)(hand->last - hand->first) * sizeof *to;
    if (status == PVG_OK && !empty)
        memcpy(to, (const VALUE *)table[job->result].value + hand->first, bytes);
    else
        memset(to, 0, bytes);
    while (done-- > 0) {
        pvgi_elim_table *made = &table[PVGI_ELIM_BASES + job->entry[done].step];
        made->state = PVGI_ELIM_ABSENT;
        pvgi_density_elim_drop(hand->scratch, made);
    }
    return status;
}

/* With `hands` threads. */
static int32_t share_windows(stream_job *job, uint32_t hands) {
    join *now = job->now;
    int32_t status = PVG_OK;
    job->hands = hands;
    job->hand = pvgi_alloc_zero(hands, sizeof *job->hand);
    if (!job->hand) return pvgi_fail_nomem();
    if (hands > 1)
        PVGI_TRY_DONE(pvgi_density_elim_begin_helpers(now->scratch, now->plan, hands));
    if (hands > 1)
        PVGI_TRY_DONE(pvgi_density_elim_fork(now->scratch, job->windows, run_window, job,
                                             job->reached, job->share));
    for (int32_t i = 0; i < job->windows && hands == 1; i++)
        PVGI_TRY_DONE(run_window(job, i, 0));
done:
    for (uint32_t i = 0; i < hands; i++)
        if (job->hand[i].scratch) end_hand(now, &job->hand[i]);
    if (hands > 1) pvgi_density_elim_end_helpers(now->scratch);
    pvgi_free(job->hand);
    return status;
}

/* The result becomes a table like one made as a whole; what only it needs is released. */
static void end_windows(stream_job *job, int32_t buffer) {
    pvgi_elim_scratch *scratch = job->now->scratch;
    pvgi_elim_table *result = &scratch->table[job->result];
    *result = (pvgi_elim_table){.arity = 1,
                                .rows = job->now->order,
                                .state = PVGI_ELIM_THERE,
                                .value = job->vector,
                                .owned = 1,
                                .buffer = {buffer}};
    for (int32_t u = 0; u < job->now->order; u++) result->count += job->vector[u] != 0;
    for (int32_t i = job->entries - 1; i >= 0; i--) {
        const int32_t table = PVGI_ELIM_BASES + job->entry[i].step;
        if (table == job->result || scratch->live[table] == 0)
            release_read(job->now, job->entry[i].step);
    }
}

/* Makes the result of the pattern, whose other tables are there. */
static int32_t run_windows(join *now, const pvgi_elim_pattern *pattern) {
    pvgi_elim_scratch *scratch = now->scratch;
    stream_job job = {.now = now,
                      .result = pattern->result,
                      .reached = now->reached,
                      .share = now->share};
    const size_t steps = (size_t)pattern->steps, order = (size_t)now->order;
    int32_t status = PVG_OK, buffer;
    if (scratch->table[pattern->result].state) return PVG_OK;
    PVGI_TRY(pvgi_density_elim_take(&buffer, scratch, order * sizeof(VALUE)));
    job.vector = scratch->pool[buffer].data;
    pvgi_elim_entry *entry = pvgi_alloc(steps, sizeof *entry);
    job.first = pvgi_alloc(order + 1, sizeof *job.first);
    job.entry = entry;
    if (!entry || !job.first) PVGI_TRY_DONE(pvgi_fail_nomem());
    for (int32_t i = 0; i < pattern->steps; i++) {
        const pvgi_elim_entry one = now->plan->list[pattern->step + i];
        if (one.windowed && !scratch->table[PVGI_ELIM_BASES + one.step].state)
            entry[job.entries++] = one;
    }
    cut_windows(&job);
    const uint32_t hands = pvgi_density_elim_hands(scratch, job.windows);
    status = share_windows(&job, hands);
    if (status == PVG_E_LIMIT && hands > 1) /* memory for one may do */
        status = share_windows(&job, 1);
    if (status == PVG_OK) end_windows(&job, buffer);
done:
    if (status != PVG_OK) scratch->idle[scratch->idles++] = buffer;
    pvgi_free(entry);
    pvgi_free(job.first);
    return status;
}
