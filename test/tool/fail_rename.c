/* For LD_PRELOAD: the program dies or fails at its n-th rename (KILL_AT_RENAME,
 * FAIL_AT_RENAME). */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

int rename(const char *from, const char *to) {
    static int number;
    const char *kill_at = getenv("KILL_AT_RENAME"), *fail_at = getenv("FAIL_AT_RENAME");
    number++;
    if (kill_at && atoi(kill_at) == number) raise(SIGKILL);
    if (fail_at && atoi(fail_at) == number) {
        errno = EIO;
        return -1;
    }
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}
