/* A host that loads a library and calls one function of it: prints the threads it had
 * before, the seconds of loading and of the first call, and the threads after. A process
 * of its own, because a library is loaded once.
 *
 * usage: load_probe LIBRARY FUNCTION */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int threads(void) {
    char line[128];
    int count = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Threads: %d", &count) == 1) break;
    if (file) fclose(file);
    return count;
}

int main(int count, char **words) {
    void (*call)(void);
    if (count != 3) return 2;
    const int before = threads();
    const double begin = now();
    void *library = dlopen(words[1], RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    void *found = dlsym(library, words[2]);
    if (!found) return 1;
    memcpy(&call, &found, sizeof call);
    call();
    const double seconds = now() - begin;
    printf("%d %.9f %d\n", before, seconds, threads());
    return 0;
}
