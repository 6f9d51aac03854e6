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

enum {
    CUBE_DEGREE_MOST = 2048, /* of a host: k^2 numbers for each hand */
    CUBE_LOOK = 1 << 22      /* products between two looks whether to stop */
};

typedef struct {
    bool overflow; /* what MULTIPLY and ADD look for */
    pvgi_run *lead;
    int64_t products; /* since the last look */
    VALUE one, sum;   /* of g, of the chunk */
    /* nodes within two steps of g, and for each the neighbours it shares with g */
    int32_t nodes, *node, *place, *start, *shared;
    int32_t *seen, *around; /* last g for which h was visited; places of the k nodes */
    VALUE *spread, *matrix, *line;
} cube_hand;

typedef struct {
    join *now;
    const pvgi_elim_reduced *host;
    int32_t chunks, first[HUB_CHUNKS + 1], widest;
    int64_t reach; /* arcs two steps deep from one node, at most */
    VALUE *sums;
    bool bad[HUB_CHUNKS];
    _Atomic bool stop;
    cube_hand *hands;
} cube_job;

static int32_t degree_in(const pvgi_elim_reduced *host, int32_t u) {
    return host->start[u + 1] - host->start[u];
}

/* Dense hosts have so many pairs with large k that tables are better. */
static bool cubes_pay(const join *now) {
    const pvgi_elim_reduced *host = &now->scratch->reduced;
    const double n = host->order, arcs = host->arcs;
    if (2 * arcs * arcs >= n * n * n && n >= PVGI_DENSE_ORDER_LEAST) return false;
    for (int32_t u = 0; u < host->order; u++)
        if (degree_in(host, u) > CUBE_DEGREE_MOST) return false;
    return true;
}

/* The nodes within two steps of g, and what each shares with g. */
static void find_shared(cube_hand *hand, const pvgi_elim_reduced *host, int32_t g) {
    int32_t *start = hand->start + 1; /* counts go one further, to become beginnings */
    hand->nodes = 0;
    for (int32_t i = host->start[g]; i < host->start[g + 1]; i++) {
        const int32_t o = host->column[i];
        for (int32_t j = host->start[o]; j < host->start[o + 1]; j++) {
            const int32_t b = host->column[j];
            if (hand->place[b] < 0) {
                start[hand->nodes] = 0;
                hand->place[b] = hand->nodes;
                hand->node[hand->nodes++] = b;
            }
            start[hand->place[b]]++;
        }
    }
    int32_t before = 0;
    for (int32_t p = 0; p < hand->nodes; p++) {
        const int32_t count = start[p];
        start[p] = before;
        before += count;
    }
    for (int32_t i = host->start[g]; i < host->start[g + 1]; i++) {
        const int32_t o = host->column[i];
        for (int32_t j = host->start[o]; j < host->start[o + 1]; j++)
            hand->shared[start[hand->place[host->column[j]]]++] = o;
    }
    hand->start[0] = 0;
}

/* M over the k places around. */
static void fill_cube(cube_hand *hand, const pvgi_elim_reduced *host, int32_t k) {
    VALUE *matrix = hand->matrix;
    for (int32_t i = 0; i < k; i++) {
        const int32_t p = hand->around[i];
        for (int32_t s = hand->start[p]; s < hand->start[p + 1]; s++)
            hand->spread[hand->shared[s]] = (VALUE)host->weight[hand->shared[s]];
        for (int32_t j = 0; j <= i; j++) {
            const int32_t q = hand->around[j];
            VALUE sum = 0;
            for (int32_t s = hand->start[q]; s < hand->start[q + 1]; s++)
                sum = ADD(hand, sum, hand->spread[hand->shared[s]]);
            matrix[(int64_t)i * k + j] = matrix[(int64_t)j * k + i] = sum;
            hand->products += hand->start[q + 1] - hand->start[q];
        }
        for (int32_t s = hand->start[p]; s < hand->start[p + 1]; s++)
            hand->spread[hand->shared[s]] = 0;
    }
}

/* sum over l of a[l] b[l], in four sums that do not wait for one another. */
static VALUE dot_lines(cube_hand *hand, const VALUE *a, const VALUE *b, int32_t k) {
    VALUE sum[4] = {0};
    int32_t l = 0;
    for (; l + 4 <= k; l += 4)
        for (int32_t c = 0; c < 4; c++)
            sum[c] = ADD(hand, sum[c], MULTIPLY(hand, a[l + c], b[l + c]));
    for (; l < k; l++) sum[0] = ADD(hand, sum[0], MULTIPLY(hand, a[l], b[l]));
    return ADD(hand, ADD(hand, sum[0], sum[1]), ADD(hand, sum[2], sum[3]));
}

/* trace((M W)^3): i, j <= i, and those with i and j the other way round. */
static VALUE trace_cube(cube_hand *hand, const pvgi_elim_reduced *host, int32_t k) {
    const VALUE *matrix = hand->matrix;
    VALUE total = 0;
    for (int32_t i = 0; i < k; i++) {
        const VALUE *row = matrix + (int64_t)i * k;
        const VALUE own = (VALUE)host->weight[hand->node[hand->around[i]]];
        VALUE sum = 0;
        for (int32_t l = 0; l < k; l++)
            hand->line[l] =
                MULTIPLY(hand, row[l], (VALUE)host->weight[hand->node[hand->around[l]]]);
        for (int32_t j = 0; j <= i; j++) {
            if (row[j] == 0) continue;
            const VALUE paths = dot_lines(hand, hand->line, matrix + (int64_t)j * k, k);
            const VALUE closed = MULTIPLY(hand, hand->line[j], paths);
            sum = ADD(hand, sum, j < i ? ADD(hand, closed, closed) : closed);
        }
        hand->products += (int64_t)k * (i + 1);
        total = ADD(hand, total, MULTIPLY(hand, sum, own));
    }
    return total;
}

static int32_t look_at_cubes(cube_job *job, cube_hand *hand, int64_t chunk) {
    if (hand->products < CUBE_LOOK) return PVG_OK;
    hand->products = 0;
    if (!job->now->scratch->crew)
        return report(job->now, (double)chunk / (double)job->chunks);
    return pvgi_density_elim_look(hand->lead, &job->stop);
}

/* Adds all pairs of g with an h that comes no sooner by degree. */
static int32_t add_cubes(cube_job *job, cube_hand *hand, int64_t chunk, int32_t g) {
    const pvgi_elim_reduced *host = job->host;
    int32_t status = PVG_OK;
    hand->one = 0;
    find_shared(hand, host, g);
    for (int32_t p = 0; p < hand->nodes && status == PVG_OK; p++) {
        const int32_t b = hand->node[p];
        for (int32_t i = host->start[b]; i < host->start[b + 1]; i++) {
            const int32_t h = host->column[i];
            const int32_t less = degree_in(host, g) - degree_in(host, h);
            if (hand->seen[h] == g || less < 0 || (less == 0 && h < g)) continue;
            int32_t k = 0;
            hand->seen[h] = g;
            for (int32_t j = host->start[h]; j < host->start[h + 1]; j++)
                if (hand->place[host->column[j]] >= 0)
                    hand->around[k++] = hand->place[host->column[j]];
            hand->products += degree_in(host, h);
            fill_cube(hand, host, k);
            VALUE both =
                MULTIPLY(hand, trace_cube(hand, host, k), (VALUE)host->weight[g]);
            both = MULTIPLY(hand, both, (VALUE)host->weight[h]);
            if (h != g) both = ADD(hand, both, both);
            hand->one = ADD(hand, hand->one, both);
            status = look_at_cubes(job, hand, chunk);
            if (status != PVG_OK) break;
        }
    }
    for (int32_t p = 0; p < hand->nodes; p++) hand->place[hand->node[p]] = -1;
    hand->sum = ADD(hand, hand->sum, hand->one);
    return status;
}

static int32_t run_cubes(void *context, int64_t chunk, uint32_t worker) {
    cube_job *job = context;
    cube_hand own = job->hands[worker]; /* not in the cache lines of another */
    own.lead = worker == 0 ? job->now->scratch->crew : NULL;
    own.products = CUBE_LOOK;
    for (int32_t g = job->first[chunk]; g < job->first[chunk + 1]; g++)
        PVGI_TRY(add_cubes(job, &own, chunk, g));
    job->sums[chunk] = own.sum;
    job->bad[chunk] = own.overflow;
    return PVG_OK;
}

/* About as many arcs two steps deep in each chunk. */
static void cut_cubes(cube_job *job) {
    double all = 0, sum = 0;
    job->first[0] = 0;
    for (int32_t g = 0; g < job->host->order; g++) {
        const int64_t reach = reach_of(job->host, g);
        if (degree_in(job->host, g) > job->widest) job->widest = degree_in(job->host, g);
        if (reach > job->reach) job->reach = reach;
        all += (double)reach;
    }
    for (int32_t g = 0; g < job->host->order; g++) {
        sum += (double)reach_of(job->host, g);
        if (sum * HUB_CHUNKS < all || job->chunks == HUB_CHUNKS - 1) continue;
        job->first[++job->chunks] = g + 1;
        sum = 0;
    }
    if (job->first[job->chunks] < job->host->order)
        job->first[++job->chunks] = job->host->order;
}

static int32_t count_cubes(VALUE *count, join *now) {
    pvgi_elim_scratch *scratch = now->scratch;
    const size_t order = (size_t)now->order;
    cube_job job = {.now = now, .host = &scratch->reduced};
    cut_cubes(&job);
    const size_t widest = (size_t)job.widest, reach = (size_t)job.reach;
    const uint32_t hands = pvgi_density_elim_hands(scratch, job.chunks);
    const size_t numbers = order + widest * (widest + 1), words = 4 * order + 1 + reach;
    PVGI_TRY(pvgi_density_elim_need(scratch, &scratch->row,
                                    (HUB_CHUNKS + hands * numbers) * sizeof(VALUE)));
    PVGI_TRY(pvgi_density_elim_need(
        scratch, &scratch->touched,
        hands * (sizeof *job.hands + (words + widest) * sizeof(int32_t))));
    job.sums = scratch->row.data;
    job.hands = scratch->touched.data;
    VALUE *value = job.sums + HUB_CHUNKS;
    int32_t *word = (int32_t *)(job.hands + hands);
    memset(value, 0, hands * numbers * sizeof *value);
    memset(word, -1, hands * (words + widest) * sizeof *word);
    for (uint32_t i = 0; i < hands; i++, value += numbers, word += words + widest)
        job.hands[i] = (cube_hand){.node = word,
                                   .place = word + order,
                                   .seen = word + 2 * order,
                                   .start = word + 3 * order,
                                   .shared = word + 4 * order + 1,
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
