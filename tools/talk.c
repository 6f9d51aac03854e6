/* Talk: messages, the progress bar, signals, and the ways to end. All of it goes to
 * stderr; colour and the bar only to a terminal, colour not if NO_COLOR is set. */
#include "tool.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool talk_quiet;
const char *talk_place = "";

static bool terminal, colour;
static const char *command_name = "";
static volatile sig_atomic_t cancelled; /* the signal, once there was one */

/* --- the bar -------------------------------------------------------------------- */

enum { BAR_CELLS = 24, FIRST_MILLISECONDS = 300 };

static struct {
    const char *what, *unit;
    double total, begun, from, span;
    bool shown;
} bar;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void clear_bar(void) {
    if (bar.shown) fprintf(stderr, "\r\033[K");
    bar.shown = false;
}

/* 950, 9.5k, 95M */
static void short_number(char out[16], double value) {
    static const char units[] = " kMGT";
    size_t i = 0;
    for (; value >= 1000.0 && i + 2 < sizeof units; i++) value /= 1000.0;
    snprintf(out, 16, value < 9.95 && i > 0 ? "%.1f%.*s" : "%.0f%.*s", value, i > 0,
             units + i);
}

static void show_bar(double fraction) {
    const double passed = now() - bar.begun;
    if (!terminal || talk_quiet || passed * 1000.0 < FIRST_MILLISECONDS) return;
    char cells[BAR_CELLS + 1], rate[16], left[32] = "";
    const int full = (int)(fraction * BAR_CELLS);
    for (int i = 0; i < BAR_CELLS; i++) cells[i] = i < full ? '#' : '.';
    cells[BAR_CELLS] = '\0';
    short_number(rate, fraction * bar.total / passed);
    if (fraction > 0.01 || (fraction > 0.0 && passed > 2.0)) {
        const long seconds = (long)(passed * (1.0 - fraction) / fraction + 0.5);
        snprintf(left, sizeof left, "  ETA %ld:%02ld", seconds / 60, seconds % 60);
    }
    fprintf(stderr, "\r%s [%s] %3.0f%%  %s %s/s%s\033[K", bar.what, cells,
            100.0 * fraction, rate, bar.unit, left);
    bar.shown = true;
}

static int32_t on_progress(void *context, double fraction) {
    (void)context;
    show_bar(bar.from + bar.span * fraction);
    return cancelled ? 1 : 0;
}

const pvg_run *run_begin(const char *what, double total, const char *unit) {
    static pvg_run run = {.size = sizeof run, .progress = on_progress};
    check_cancelled();
    clear_bar();
    bar.what = what;
    bar.unit = unit;
    bar.total = total;
    bar.begun = now();
    run_slice(0.0, 1.0);
    run.threads = (uint32_t)common_threads;
    run.time_limit = cost_limit < UINT32_MAX ? (uint32_t)cost_limit : UINT32_MAX;
    return &run;
}

void run_slice(double from, double span) {
    bar.from = from;
    bar.span = span;
}

void run_done(void) {
    clear_bar();
    check_cancelled();
}

/* --- messages ------------------------------------------------------------------- */

/* Names of files and what stands in them may hold bytes that move the cursor, change
 * colours or answer for the user: they are shown, not sent. */
void visible_bytes(FILE *to, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        const unsigned char next = i + 1 < count ? (unsigned char)bytes[i + 1] : 0;
        if (c == 0xC2 && next >= 0x80 && next < 0xA0) /* the same controls in UTF-8 */
            fprintf(to, "\\u%04x", (unsigned)(unsigned char)bytes[++i]);
        else if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F)
            fprintf(to, "\\x%02x", (unsigned)c);
        else
            fputc(c, to);
    }
}

static void say(const char *lead, const char *shade, const char *format, va_list list) {
    clear_bar();
    fflush(stdout);
    fprintf(stderr, "%sprivgraph:%s %s", colour ? shade : "", colour ? "\033[0m" : "",
            lead);
    char *text = NULL;
    const int length = vasprintf(&text, format, list);
    if (length >= 0) {
        visible_bytes(stderr, text, (size_t)length);
        free(text);
    }
    fprintf(stderr, "\n");
}

void note(const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (!talk_quiet) say("", "\033[1m", format, list);
    va_end(list);
}

void tell(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say("", "\033[1m", format, list);
    va_end(list);
}

void warn(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say("warning: ", "\033[1;33m", format, list);
    va_end(list);
}

void fail(int code, const char *format, ...) {
    va_list list;
    va_start(list, format);
    say(code >= CODE_REFUSED && code <= CODE_SEEDED ? "refused: " : "", "\033[1;31m",
        format, list);
    va_end(list);
    output_drop_all();
    exit(code);
}

void usage_error(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say(talk_place, "\033[1;31m", format, list);
    va_end(list);
    fprintf(stderr, "Try 'privgraph%s%s --help'.\n", *command_name ? " " : "",
            command_name);
    output_drop_all();
    exit(CODE_USAGE);
}

void talk_command(const char *name) {
    command_name = name;
}

const char *talk_name(void) {
    return command_name;
}

/* --- the library's messages ----------------------------------------------------- */

/* What a caller of C knows by one name, a user of the tool knows by another. */
static const char *const names[][2] = {
    {"target.epsilon", "--epsilon"},
    {"target.delta", "--delta"},
    {"target.beta", "--beta"},
    {"target.noise", "--noise"},
    {"target.allocation", "--allocation"},
    {"target.allow_seeded", "--seed-not-private"},
    {"config.degree_bound", "--max-degree"},
    {"assumption.degree_bound", "--max-degree"},
    {"assumption.order", "--order"},
    {"config.epsilon", "--epsilon"},
    {"config.delta", "--delta"},
    {"config.objects", "--objects"},
    {"options.order_limit", "--order-limit"},
    {"options.order", "--order"},
    {"feature_columns", "--columns"},
    {"options.format", "--input-format"},
    {"options.extra_columns = 1", "--extra-columns"},
    {"options.extra_columns", "--extra-columns"},
    {"PVG_EDGES_MERGE", "--merge-edges"},
    {"PVG_EDGES_DROP_LOOPS", "--drop-loops"},
    {"run.threads", "--threads"},
    {"promise a bound", "promise a bound (--promise-max-degree)"},
};

/* The message with "config.field" for config->field. */
static const char *with_dots(void) {
    static char text[512];
    const char *from = pvg_error_message();
    size_t used = 0;
    for (; *from && used + 1 < sizeof text; from++) {
        const bool arrow = from[0] == '-' && from[1] == '>';
        text[used++] = arrow ? '.' : *from;
        from += arrow;
    }
    text[used] = '\0';
    return text;
}

/* What to do about lines of an edge list that other tools write. */
static const char *with_hint(char *text, size_t capacity) {
    static const char *const hints[][2] = {
        {":1: expected a node number",
         "; if this is a header, put # before it, or tell two columns by --edge-columns"},
        {"expected the end of the line after two node numbers",
         "; --extra-columns passes over further columns, such as weights; --edge-columns "
         "takes any two"}};
    const size_t used = strlen(text);
    for (size_t i = 0; i < COUNT_OF(hints); i++)
        if (strstr(text, hints[i][0]))
            snprintf(text + used, capacity - used, "%s", hints[i][1]);
    return text;
}

const char *library_message(void) {
    static char text[1024];
    const char *from = with_dots();
    size_t used = 0;
    while (strncmp(from, "pvg_", 4) == 0) { /* names of functions */
        const size_t length = strspn(from, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (from[length] != ':' || from[length + 1] != ' ') break;
        from += length + 2;
    }
    while (*from && used + 64 < sizeof text) {
        size_t i = 0;
        while (i < COUNT_OF(names) &&
               strncmp(from, names[i][0], strlen(names[i][0])) != 0)
            i++;
        if (i < COUNT_OF(names)) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", names[i][1]);
            from += strlen(names[i][0]);
        } else {
            text[used++] = *from++;
        }
    }
    text[used] = '\0';
    return with_hint(text, sizeof text);
}

int code_of_file(void) {
    return errno == ENOENT ? CODE_MISSING : CODE_FAILED;
}

void must(int32_t status) {
    if (status == PVG_OK) return;
    if (status == PVG_E_CANCELLED) check_cancelled();
    static const int codes[][2] = {
        {PVG_E_ARGUMENT, CODE_USAGE},  {PVG_E_PRIVACY, CODE_REFUSED},
        {PVG_E_BUDGET, CODE_BUDGET},   {PVG_E_UNDECLARED, CODE_UNDECLARED},
        {PVG_E_SEEDED, CODE_SEEDED},   {PVG_E_BUSY, CODE_BUSY},
        {PVG_E_MISSING, CODE_MISSING},
    };
    int code = CODE_FAILED;
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        if (codes[i][0] == status) code = codes[i][1];
    fail(code, "%s", library_message());
}

void *take(size_t count, size_t bytes) {
    void *block = calloc(count ? count : 1, bytes);
    if (!block) fail(CODE_FAILED, "out of memory");
    return block;
}

char *text_copy(const char *text) {
    const size_t bytes = strlen(text) + 1;
    char *copy = take(bytes, 1);
    memcpy(copy, text, bytes);
    return copy;
}

/* --- signals -------------------------------------------------------------------- */

/* Ends by the signal, so that a shell sees what happened. Only calls that a signal
 * handler may make. */
static _Noreturn void end_by_signal(int number) {
    static const char text[] = "\r\033[Kprivgraph: cancelled\n";
    const size_t skip = bar.shown ? 0 : 4;
    const ssize_t written = write(STDERR_FILENO, text + skip, sizeof text - 1 - skip);
    (void)written;
    output_drop_all();
    signal(number, SIG_DFL);
    raise(number);
    _exit(128 + number);
}

/* The first signal asks the running call to stop and gives it a second; another one does
 * not wait. Nothing but temporary files has to be cleaned up. */
static void on_signal(int number) {
    if (cancelled) end_by_signal(cancelled);
    cancelled = number;
    alarm(1);
}

static void on_alarm(int number) {
    (void)number;
    end_by_signal(cancelled);
}

void check_cancelled(void) {
    if (cancelled) end_by_signal(cancelled);
}

void talk_start(void) {
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}, old;
    for (size_t i = 0; i < COUNT_OF(caught); i++) {
        sigaction(caught[i], NULL, &old); /* nohup: stays ignored */
        if (old.sa_handler != SIG_IGN) sigaction(caught[i], &action, NULL);
    }
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an ordinary failure to write */
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
    colour = terminal && !(no_color && *no_color);
}
