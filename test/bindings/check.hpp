/* What the tests of privgraph.hpp share: conditions, and calls that must fail. */
#ifndef PVGT_CHECK_HPP
#define PVGT_CHECK_HPP

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <privgraph.hpp>

static int checks;
#define CHECK(condition)                                                                 \
    do {                                                                                 \
        checks++;                                                                        \
        if (!(condition)) {                                                              \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                  \
            std::exit(1);                                                                \
        }                                                                                \
    } while (0)

template <typename Call> static privgraph::error failure_of(Call &&call) {
    try {
        call();
    } catch (const privgraph::error &found) {
        return found;
    }
    std::printf("a call that should fail did not\n");
    std::exit(1);
}

#endif
