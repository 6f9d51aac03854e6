/* Cubes in sparse hosts: opposite vertices first, in two loops.
 *
 * With the images g and h of two opposite vertices fixed, the other six form a cycle that
 * alternates between neighbours of g and neighbours b of h. M[b][c] = weight of the nodes
 * next to g, b and c tells all about the former, so
 *     hom(cube, G) = sum over g, h of w_g w_h trace((M W)^3),
 * over the k neighbours of h within two steps of g. A cube can be turned over, so only h
 * of no larger degree than g are visited, and others count twice: k is at most the
 * smaller degree. O(arcs two steps deep + sum over pairs of k^2 common neighbours + k^3 /
 * 2), memory for the arcs two steps from one node and for k^2 numbers; elimination keeps
 * tables over three nodes with a common neighbour. Only sums and products of non-negative
 * numbers. Chunks of g are cut by the graph alone and their sums added in order.
 * Included by elim/kernel.h, which says what VALUE, MULTIPLY and ADD are. */

typedef struct {
    bool overflow; /* what MULTIPLY and ADD look for */
    watcher watch;
    VALUE one, sum;         /* of g, of the chunk */
    vicinity near;          /* of g */
    int32_t *seen, *around; /* last g for which h was visited; places of the k nodes */
    VALUE *spread, *matrix, *line;
} cube_hand;

typedef struct {
    join *now;
    const pvgi_elim_reduced *host;
    int32_t chunks, first[VICINITY_CHUNKS + 1];
    VALUE *sums;
    bool bad[VICINITY_CHUNKS];
    _Atomic bool stop;
    cube_hand *hands;
} cube_job;

/* In dense hosts there are so many pairs with large k that tables are better. */
static bool cubes_pay(const join *now) {
    const pvgi_elim_reduced *host = &now->scratch->reduced;
    return !is_dense(host) && widest_in(host) <= VICINITY_DEGREE_MOST;
}

/* M over the k places around. */
static void fill_cube(cube_hand *hand, const pvgi_elim_reduced *host, int32_t k) {
    VALUE *matrix = hand->matrix;
    for (int32_t i = 0; i < k; i++) {
        const int32_t p = hand->around[i];
        for (int32_t s = hand->near.start[p]; s < hand->near.start[p + 1]; s++)
            hand->spread[hand->near.shared[s]] =
                (VALUE)host->weight[hand->near.shared[s]];
        for (int32_t j = 0; j <= i; j++) {
            const int32_t q = hand->around[j];
            VALUE sum = 0;
            for (int32_t s = hand->near.start[q]; s < hand->near.start[q + 1]; s++)
                sum = ADD(hand, sum, hand->spread[hand->near.shared[s]]);
            matrix[(int64_t)i * k + j] = matrix[(int64_t)j * k + i] = sum;
            hand->watch.products += hand->near.start[q + 1] - hand->near.start[q];
        }
        for (int32_t s = hand->near.start[p]; s < hand->near.start[p + 1]; s++)
            hand->spread[hand->near.shared[s]] = 0;
    }
}

/* trace((M W)^3): i, j <= i, and those with i and j the other way round. */
static VALUE trace_cube(cube_hand *hand, const pvgi_elim_reduced *host, int32_t k) {
    const VALUE *matrix = hand->matrix;
    VALUE total = 0;
    for (int32_t i = 0; i < k; i++) {
        const VALUE *row = matrix + (int64_t)i * k;
        const VALUE own = (VALUE)host->weight[hand->near.node[hand->around[i]]];
        VALUE sum = 0;
        for (int32_t l = 0; l < k; l++)
            hand->line[l] = MULTIPLY(
                hand, row[l], (VALUE)host->weight[hand->near.node[hand->around[l]]]);
        for (int32_t j = 0; j <= i; j++) {
            if (row[j] == 0) continue;
            const VALUE paths =
                dot_lines(&hand->overflow, hand->line, matrix + (int64_t)j * k, k);
            const VALUE closed = MULTIPLY(hand, hand->line[j], paths);
            sum = ADD(hand, sum, j < i ? ADD(hand, closed, closed) : closed);
        }
        hand->watch.products += (int64_t)k * (i + 1);
        total = ADD(hand, total, MULTIPLY(hand, sum, own));
    }
    return total;
}

/* Adds all pairs of g with an h that comes no sooner by degree. */
static int32_t add_cubes(cube_job *job, cube_hand *hand, int32_t g) {
    const pvgi_elim_reduced *host = job->host;
    int32_t status = PVG_OK;
    hand->one = 0;
    find_vicinity(&hand->near, host, g);
    for (int32_t p = 0; p < hand->near.nodes && status == PVG_OK; p++) {
        const int32_t b = hand->near.node[p];
        for (int32_t i = host->start[b]; i < host->start[b + 1]; i++) {
            const int32_t h = host->column[i];
            const int32_t less = degree_in(host, g) - degree_in(host, h);
            if (hand->seen[h] == g || less < 0 || (less == 0 && h < g)) continue;
            int32_t k = 0;
            hand->seen[h] = g;
            for (int32_t j = host->start[h]; j < host->start[h + 1]; j++)
                if (hand->near.place[host->column[j]] >= 0)
                    hand->around[k++] = hand->near.place[host->column[j]];
            hand->watch.products += degree_in(host, h);
            fill_cube(hand, host, k);
            VALUE both =
                MULTIPLY(hand, trace_cube(hand, host, k), (VALUE)host->weight[g]);
            both = MULTIPLY(hand, both, (VALUE)host->weight[h]);
            if (h != g) both = ADD(hand, both, both);
            hand->one = ADD(hand, hand->one, both);
            status = look_out(job->now->scratch, &hand->watch, &job->stop);
            if (status != PVG_OK) break;
        }
    }
    leave_vicinity(&hand->near);
    hand->sum = ADD(hand, hand->sum, hand->one);
    return status;
}

static int32_t run_cubes(void *context, int64_t chunk, uint32_t worker) {
    cube_job *job = context;
    cube_hand own = job->hands[worker]; /* not in the cache lines of another */
    own.watch = begin_watch(job->now->scratch, worker,
                            job->now->reached +
                                job->now->share * (double)chunk / (double)job->chunks);
    for (int32_t g = job->first[chunk]; g < job->first[chunk + 1]; g++)
        PVGI_TRY(add_cubes(job, &own, g));
    job->sums[chunk] = own.sum;
    job->bad[chunk] = own.overflow;
    return end_watch(job->now->scratch, &own.watch, &job->stop);
}

static int32_t count_cubes(VALUE *count, join *now) {
    pvgi_elim_scratch *scratch = now->scratch;
    const size_t order = (size_t)now->order;
    cube_job job = {.now = now, .host = &scratch->reduced};
    job.chunks = cut_vicinities(job.first, job.host, reach_of);
    const size_t widest = (size_t)widest_in(job.host);
    const size_t reach = (size_t)deepest_in(job.host);
    const uint32_t hands = pvgi_density_elim_hands(scratch, job.chunks);
    const size_t numbers = order + widest * (widest + 1), words = 4 * order + 1 + reach;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row,
                                    (VICINITY_CHUNKS + hands * numbers) * sizeof(VALUE)));
    PVGI_TRY(pvgi_density_elim_need(
        scratch, &scratch->touched,
        hands * (sizeof *job.hands + (words + widest) * sizeof(int32_t))));
    job.sums = scratch->row.data;
    job.hands = scratch->touched.data;
    VALUE *value = job.sums + VICINITY_CHUNKS;
    int32_t *word = (int32_t *)(job.hands + hands);
    memset(value, 0, hands * numbers * sizeof *value);
    memset(word, -1, hands * (words + widest) * sizeof *word);
    for (uint32_t i = 0; i < hands; i++, value += numbers, word += words + widest)
        job.hands[i] = (cube_hand){.near = {.node = word,
                                            .place = word + order,
                                            .start = word + 3 * order,
                                            .shared = word + 4 * order + 1},
                                   .seen = word + 2 * order,
                                   .around = word + words,
                                   .spread = value,
                                   .line = value + order,
                                   .matrix = value + order + widest};
    PVGI_TRY(pvgi_density_elim_fork(scratch, job.chunks, run_cubes, &job, now->reached,
                                    now->share));
    for (int32_t i = 0; i < job.chunks; i++) {
        now->overflow = now->overflow || job.bad[i];
        *count = ADD(now, *count, job.sums[i]);
    }
    return PVG_OK;
}
