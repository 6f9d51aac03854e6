/* Cycles of four vertices in large hosts without merged nodes, in integers.
 *
 * A closed walk of four arcs belongs to the first of its nodes by falling degree, h, as
 * in elim/hubs.h. With f(x) the paths h - y - x among the nodes after h,
 *     c_4 = 4 sum over x of f(x)^2 + 2 (neighbours of h after h)^2,
 * and the sum of squares is the number of paths plus twice what f(x) is before each of
 * them adds one: one pass over the lists, counters of 16 bits where h has fewer than 2^16
 * neighbours after it. Counters are cleared as a whole, or path by path where there are
 * few. Both sums are below 2^62, because a host has less than 2^31 arcs, and exact; a
 * chunk of hubs adds numbers of its own in the order of the hubs.
 * O(sum over edges of the smaller degree). Included by elim/kernel.h. */

enum {
    SQUARE_CHUNKS = 256,
    CLEAR_SHARE = 8 /* counters cleared as a whole for one path */
};

typedef struct {
    _Alignas(64) bool overflow; /* what MULTIPLY and ADD look for; a line of its own */
    uint16_t *narrow;
    uint32_t *wide;
    int64_t work; /* since the last look whether to stop */
} square_hand;

typedef struct {
    VALUE sum;
    bool bad;
} square_sum;

typedef struct {
    join *now;
    pvgi_elim_sorted host;
    int32_t order;
    int32_t chunks, first[SQUARE_CHUNKS + 1];
    square_sum *sums;
    square_hand *hands;
    _Atomic bool stop;
} square_job;

/* sum over x of f(x)^2; counters of one kind are not NULL. */
static inline uint64_t square_paths(const square_job *job, int32_t hub, int32_t count,
                                    uint16_t *restrict narrow, uint32_t *restrict wide,
                                    int64_t *work) {
    const int32_t *start = job->host.start, *column = job->host.column;
    const int32_t *list = column + start[hub];
    uint64_t before = 0, paths = 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t *first = column + start[list[i]], *x = first;
        if (i + 2 * AHEAD < count) __builtin_prefetch(&start[list[i + 2 * AHEAD]]);
        if (i + AHEAD < count) {
            const int32_t *next = column + start[list[i + AHEAD]];
            __builtin_prefetch(next);
            __builtin_prefetch(next + 16);
        }
        for (; *x > hub; x++) before += narrow ? narrow[*x]++ : wide[*x]++;
        paths += (uint64_t)(x - first);
    }
    *work += (int64_t)paths + 4 * count;
    if (paths * CLEAR_SHARE >= (uint64_t)job->order) {
        if (narrow) memset(narrow, 0, (size_t)job->order * sizeof *narrow);
        if (wide) memset(wide, 0, (size_t)job->order * sizeof *wide);
        return paths + 2 * before;
    }
    for (int32_t i = 0; i < count; i++)
        for (const int32_t *x = column + start[list[i]]; *x > hub; x++)
            if (narrow)
                narrow[*x] = 0;
            else
                wide[*x] = 0;
    return paths + 2 * before;
}

/* Closed walks of one hub. */
static VALUE close_squares(square_hand *hand, const square_job *job, int32_t hub) {
    const int32_t *list = job->host.column + job->host.start[hub];
    int32_t count = 0;
    while (list[count] > hub) count++;
    const uint64_t sides = (uint64_t)count * (uint64_t)count;
    const uint64_t squares =
        count < 1 << 16 /* counters of both kinds share memory, and are clear */
            ? square_paths(job, hub, count, hand->narrow, NULL, &hand->work)
            : square_paths(job, hub, count, NULL, hand->wide, &hand->work);
    return ADD(hand, MULTIPLY(hand, (VALUE)squares, (VALUE)4),
               MULTIPLY(hand, (VALUE)sides, (VALUE)2));
}

static int32_t run_squares(void *context, int64_t chunk, uint32_t worker) {
    square_job *job = context;
    square_hand *hand = &job->hands[worker];
    square_sum sum = {0, false};
    for (int32_t hub = job->first[chunk]; hub < job->first[chunk + 1]; hub++) {
        PVGI_TRY(spend_shared(job->now, &job->stop, worker,
                              (double)chunk / (double)job->chunks, &hand->work));
        sum.sum = ADD(hand, sum.sum, close_squares(hand, job, hub));
    }
    sum.bad = hand->overflow;
    hand->overflow = false;
    job->sums[chunk] = sum;
    return PVG_OK;
}

/* As many arcs in each chunk; the first hubs have the longest paths, of which there are
 * about as many for each arc. */
static void cut_squares(square_job *job) {
    const int32_t *start = job->host.start;
    job->chunks = 0;
    job->first[0] = 0;
    for (int32_t hub = 0; hub < job->order; hub++)
        if ((int64_t)(start[hub + 1] - start[job->first[job->chunks]]) * SQUARE_CHUNKS >=
                start[job->order] &&
            job->chunks + 1 < SQUARE_CHUNKS)
            job->first[++job->chunks] = hub + 1;
    if (job->first[job->chunks] < job->order) job->first[++job->chunks] = job->order;
}

static int32_t reserve_counters(square_job *job) {
    pvgi_elim_scratch *scratch = job->now->scratch;
    const int32_t *start = job->host.start;
    const bool wide = job->order > 0 && start[1] - start[0] > 1 << 16; /* the longest */
    const size_t bytes =                                               /* whole lines */
        ((size_t)job->order * (wide ? sizeof(uint32_t) : sizeof(uint16_t)) | 63) + 1;
    const uint32_t hands = pvgi_density_elim_hands(scratch, job->chunks);
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row,
                                    SQUARE_CHUNKS * sizeof *job->sums +
                                        hands * sizeof *job->hands));
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->touched, hands * bytes));
    memset(scratch->touched.data, 0, hands * bytes);
    job->sums = scratch->row.data;
    job->hands = (square_hand *)(job->sums + SQUARE_CHUNKS);
    for (uint32_t i = 0; i < hands; i++) {
        void *own = (char *)scratch->touched.data + i * bytes;
        job->hands[i] = (square_hand){.narrow = own, .wide = wide ? own : NULL};
    }
    return PVG_OK;
}

/* count[4] = hom(C_4, host). */
static int32_t count_squares(join *now, VALUE *count, bool *bad) {
    square_job job = {.now = now, .order = now->order};
    PVGI_TRY(pvgi_density_elim_sort(&job.host, now->scratch));
    cut_squares(&job);
    PVGI_TRY(reserve_counters(&job));
    PVGI_TRY(pvgi_density_elim_fork(now->scratch, job.chunks, run_squares, &job,
                                    now->reached, now->share));
    for (int32_t i = 0; i < job.chunks; i++) {
        bad[4] = bad[4] || job.sums[i].bad;
        count[4] = ADD(now, count[4], job.sums[i].sum);
        note_overflow(now, bad, 4, 4);
    }
    return PVG_OK;
}
