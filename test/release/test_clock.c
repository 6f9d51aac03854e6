/* Clocks that jump: nothing that is promised, paid or kept rests on what time it is. The
 * day in a record is one that a reader takes, or none. */
#include "door_world.h"

#include <limits.h>
#include <string.h>
#include <time.h>

static time_t told;          /* by time(); */
static int64_t step, moment; /* of the monotonic clock, in ns: it may stand or run back */

/* NOLINTBEGIN(bugprone-reserved-identifier) */
time_t __wrap_time(time_t *out);
time_t __wrap_time(time_t *out) {
    if (out) *out = told;
    return told;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out) {
    (void)clock;
    moment += step;
    out->tv_sec = (time_t)(moment / 1000000000);
    out->tv_nsec = (long)(moment % 1000000000);
    return 0;
}
/* NOLINTEND(bugprone-reserved-identifier) */

static const time_t days[] = {0,
                              -1,
                              951782400,
                              INT32_MAX,
                              UINT32_MAX,
                              253402300799, /* the last of year 9999 */
                              253402300800,
                              -62167219201,
                              -30641760000,
                              -65339827200,
                              INT64_MAX,
                              INT64_MIN,
                              -5,
                              1 << 20};
enum { DAYS = sizeof days / sizeof *days };

static int32_t go_on(void *context, double share) {
    (void)context;
    (void)share;
    return 0;
}

static void records_have_a_day_or_none(void) {
    world w = make_world();
    const pvg_ledger_config config = {.size = sizeof config,
                                      .notion = notion_of(EMBEDDING),
                                      .epsilon = 1e3,
                                      .delta = 1e-3};
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_new(&ledger, &config));
    const pvg_guarantee *guarantee;
    double before = 0;
    for (int i = 0; i < DAYS; i++) {
        pvg_release *release = NULL;
        pvg_guarantee *parsed = NULL;
        char json[8192];
        size_t length;
        told = days[i];
        PVGT_OK(draw(&release, &w, EMBEDDING, 0, ledger, NULL));
        guarantee = pvg_release_guarantee(release);
        PVGT_OK(pvg_guarantee_copy_json(json, sizeof json, &length, guarantee));
        PVGT_CHECK(pvg_guarantee_parse(&parsed, json, length) == PVG_OK,
                   "a record of time %lld is not read: %s", (long long)told,
                   pvg_error_message());
        double now = -1;
        PVGT_OK(pvg_ledger_spent(&now, ledger, 1, 1e-3));
        PVGT_CHECK(now > before, "a draw at %lld was free", (long long)told);
        before = now;
        pvg_guarantee_free(parsed);
        pvg_release_free(release);
    }
    pvg_ledger_free(ledger);
    free_world(&w);
}

/* Progress is told by a clock that stands, runs back, or leaps; the calls end. */
static void progress_by_any_clock(void) {
    static const int64_t steps[] = {0, -1000000, 1, INT64_C(1) << 40,
                                    -(INT64_C(1) << 40)};
    world w = make_world();
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const pvg_run run = {.size = sizeof run, .threads = 2, .progress = go_on};
        pvg_release *release = NULL;
        told = 951782400;
        moment = INT64_C(1) << 61;
        step = steps[i];
        PVGT_OK(draw(&release, &w, EMBEDDING, 0, NULL, &run));
        pvg_release_free(release);
    }
    free_world(&w);
}

void setUp(void) {}
void tearDown(void) {}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(records_have_a_day_or_none);
    RUN_TEST(progress_by_any_clock);
    return UNITY_END();
}
