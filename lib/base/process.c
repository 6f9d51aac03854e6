/* Tells a process from the copies that fork makes of it. Process numbers alone will not
 * do: a child in a namespace of its own may have its parent's, and numbers come back
 * after a while. A page that the kernel hands to children filled with zeros does. */
#include "base_internal.h"

#include <sys/mman.h>
#include <unistd.h>

static size_t page_bytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

void pvgi_owner_begin(pvgi_owner *owner) {
    *owner = (pvgi_owner){.number = getpid()};
#if defined(MADV_WIPEONFORK)
    const int rights = PROT_READ | PROT_WRITE;
    void *page = mmap(NULL, page_bytes(), rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return; /* the number is what is left */
    if (madvise(page, page_bytes(), MADV_WIPEONFORK) != 0) {
        munmap(page, page_bytes());
        return;
    }
    owner->page = page;
    owner->page[0] = 1;
#endif
}

bool pvgi_owner_is_here(const pvgi_owner *owner) {
    return owner->number == getpid() && (!owner->page || owner->page[0] == 1);
}

void pvgi_owner_end(pvgi_owner *owner) {
    if (owner->page) munmap(owner->page, page_bytes());
    *owner = (pvgi_owner){0};
}
