/* Labels by k-ary randomised response: pure epsilon per user. Each chunk of users draws
 * from its own stream. O(users). */
#include "perturb_internal.h"

#include <math.h>
#include <string.h>

enum { LABELS_PER_CHUNK = 4096 };

typedef struct {
    int64_t classes;
    uint64_t threshold;
    bool refuse;
} state;

typedef struct {
    const state *s;
    const pvg_labels *in;
    const pvgi_stream *call;
    int32_t *out;
} job;

static int32_t check(const pvg_perturber *perturber, const pvgi_perturb_input *input,
                     const pvgi_run *run, const char *function) {
    const state *s = perturber->state;
    (void)run;
    PVGI_REQUIRE(!s->refuse || input->labels->classes <= s->classes,
                 "%s: a label is not below the number of classes, %lld", function,
                 (long long)s->classes);
    return PVG_OK;
}

static int32_t respond(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t first = chunk * LABELS_PER_CHUNK;
    int64_t last = first + LABELS_PER_CHUNK;
    if (last > j->in->count) last = j->in->count;
    (void)worker;
    pvgi_stream stream;
    pvgi_rng_stream_open_chunk(&stream, j->call, (uint64_t)chunk);
    const int64_t top = j->s->classes - 1;
    for (int64_t i = first; i < last; i++) {
        const int64_t label = j->in->values[i] < top ? j->in->values[i] : top;
        j->out[i] = label < 0
                        ? -1
                        : (int32_t)pvgi_perturb_respond(&stream, (uint64_t)label,
                                                        (uint64_t)top, j->s->threshold);
    }
    pvgi_rng_stream_close(&stream);
    return PVG_OK;
}

static int32_t make(pvgi_content *out, void **scratch, const pvg_perturber *perturber,
                    const pvgi_perturb_input *input, pvgi_run *run) {
    (void)scratch, (void)perturber, (void)run;
    return pvgi_graph_labels_new(&out->labels, input->labels->count);
}

static int32_t draw(pvgi_content *out, const pvg_perturber *perturber,
                    const pvgi_perturb_input *input, const pvgi_stream *call,
                    pvgi_run *run) {
    const int64_t count = input->labels->count;
    job j = {perturber->state, input->labels, call, out->labels->values};
    PVGI_TRY(pvgi_run_chunks(run, (count + LABELS_PER_CHUNK - 1) / LABELS_PER_CHUNK,
                             respond, &j));
    for (int64_t i = 0; i < count; i++)
        if (j.out[i] >= out->labels->classes) out->labels->classes = j.out[i] + 1;
    return PVG_OK;
}

static pvgi_perturb_number number(const pvg_perturber *perturber, int64_t line,
                                  int64_t order) {
    const state *s = perturber->state;
    const double count = line % 2 ? (double)order : 1.0;
    return (pvgi_perturb_number){PVGI_ANSWER_KARY, perturber->guarantee.spent.epsilon,
                                 (double)s->classes - 1.0, count, count};
}

static const pvgi_perturb_method method = {.input = PVG_PERTURBS_LABELS,
                                           .check = check,
                                           .make = make,
                                           .draw = draw,
                                           .number = number,
                                           .one = "a user's class",
                                           .all = "users of a class"};

int32_t pvgi_perturb_labels_new(pvg_perturber **out, const pvg_labels_config *config,
                                const pvg_target *target) {
    pvg_guarantee guarantee = {.notion = PVG_NOTION_LABEL_LDP,
                               .spent = pvgi_perturb_pure(target->epsilon),
                               .noise = "k-ary randomised response",
                               .claim = "perturb.labels"};
    pvgi_guarantee_assumption(
        &guarantee, "%lld public classes; labels beyond them are %s",
        (long long)config->classes,
        config->refuse ? "refused, which is not charged" : "taken for the last one");
    pvgi_guarantee_assumption(&guarantee, "which users have a label is public");
    PVGI_TRY(pvgi_perturb_make(out, &method, target, &guarantee, sizeof(state)));
    state *s = (*out)->state;
    s->classes = config->classes;
    s->refuse = config->refuse;
    s->threshold =
        pvgi_perturb_lie_threshold(target->epsilon, (uint64_t)config->classes - 1);
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_guarantee_columns_add(
        c, &(pvgi_column){.count = 1, .name = "class", .noise = guarantee.noise});
    pvgi_guarantee_columns_table(c, 0);
    pvgi_guarantee_columns_measure(
        c, 0, (pvgi_measure){0.0, (double)(config->classes - 1), 1.0, (double)NAN});
    const int32_t status = pvgi_guarantee_columns_close(&(*out)->guarantee, c);
    if (status != PVG_OK) {
        pvgi_perturb_free(*out);
        *out = NULL;
    }
    return status;
}

int64_t pvgi_perturb_labels_classes(const pvg_perturber *perturber) {
    return perturber->method == &method ? ((const state *)perturber->state)->classes : 0;
}

/* Chances as drawn: `keep` of the truth, `other` of each other class, and their
 * difference, which would cancel in doubles. */
typedef struct {
    double keep, other, difference;
} chances;

static chances chances_of(const state *s) {
    const double others = (double)(s->classes - 1);
    if (s->threshold == 0)
        return (chances){1.0 / (double)s->classes, 1.0 / (double)s->classes, 0.0};
    const unsigned __int128 all = (unsigned __int128)(s->classes - 1) << 64;
    const unsigned __int128 lies = (unsigned __int128)s->threshold * (uint64_t)s->classes;
    return (chances){ldexp((double)(0 - s->threshold), -64),
                     ldexp((double)s->threshold, -64) / others,
                     ldexp((double)(all - lies), -64) / others};
}

void pvgi_perturb_labels_transition(double *out, const pvg_perturber *perturber) {
    const state *s = perturber->state;
    const chances p = chances_of(s);
    for (int64_t truth = 0; truth < s->classes; truth++)
        for (int64_t answer = 0; answer < s->classes; answer++)
            out[truth * s->classes + answer] = truth == answer ? p.keep : p.other;
}

/* With N users, n of them in the class: the number of answers has mean n keep + (N - n)
 * other and variance n keep (1 - keep) + (N - n) other (1 - other). */
int32_t pvgi_perturb_labels_histogram(double *estimates, double *variances,
                                      const pvg_perturber *perturber,
                                      const int32_t *released, int64_t count) {
    const state *s = perturber->state;
    const chances p = chances_of(s);
    double users = 0.0;
    if (!(p.difference > 0.0))
        return pvgi_fail(PVG_E_NUMERIC, "pvg_estimate_labels: answers are "
                                        "uniform, epsilon is below 2^-20");
    memset(estimates, 0, (size_t)s->classes * sizeof *estimates);
    for (int64_t i = 0; i < count; i++)
        if (released[i] >= 0) {
            estimates[released[i]] += 1.0;
            users += 1.0;
        }
    for (int64_t c = 0; c < s->classes; c++) {
        estimates[c] = (estimates[c] - users * p.other) / p.difference;
        if (!variances) continue;
        const double n = estimates[c] < 0.0     ? 0.0
                         : estimates[c] < users ? estimates[c]
                                                : users;
        variances[c] =
            (n * p.keep * (1.0 - p.keep) + (users - n) * p.other * (1.0 - p.other)) /
            (p.difference * p.difference);
    }
    return PVG_OK;
}
