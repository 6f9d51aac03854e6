/* privgraph.hpp: libprivgraph for C++14 and later, header only.
 *
 * Handles free themselves and move; failures throw privgraph::error, or come back as a
 * status where a function takes std::nothrow. Views are pairs of pointers
 * (privgraph::span) that live as long as the object that lends them; temporaries lend
 * none. Threads may share a handle through its const functions, a seeded rng excepted;
 * none may use it while another moves, assigns or destroys it. The C headers say what
 * each call means:
 *
 *     #include <privgraph.hpp>
 *     auto graph = privgraph::graph::from_edges(6, {{0, 1}, {1, 2}});
 *     auto release = privgraph::release::draw(
 *         "embed patterns=edge,path3 max-degree=4 epsilon=2 delta=1e-6",
 *         privgraph::input(graph));
 *     for (double value : release.values()) ...
 */
#ifndef PRIVGRAPH_HPP
#define PRIVGRAPH_HPP

#include <privgraph.h>

#if !defined(__cpp_exceptions)
#error "privgraph.hpp reports failures by exceptions; without them include privgraph.h"
#endif

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace privgraph {

/* --- failures -------------------------------------------------------------------- */

/* A failed call: its status (PVG_E_*) and the library's message. */
class error : public std::runtime_error {
  public:
    error(int32_t status, const std::string &message)
        : std::runtime_error(message), status_(status) {}
    int32_t status() const noexcept {
        return status_;
    }
    /* True if the library refused because it could not promise what was asked: a
     * privacy_error. */
    bool is_privacy() const noexcept {
        return status_ == PVG_E_PRIVACY || status_ == PVG_E_BUDGET ||
               status_ == PVG_E_UNDECLARED || status_ == PVG_E_SEEDED;
    }

  private:
    int32_t status_;
};

/* No sound guarantee exists for what was asked, and why, where a program can act on it.
 */
struct privacy_error : error {
    using error::error;
};
struct budget_error : privacy_error { /* the ledger's budget would be exceeded */
    using privacy_error::privacy_error;
};
struct undeclared_error : privacy_error { /* what must be public was not told */
    using privacy_error::privacy_error;
};
struct seeded_error : privacy_error { /* noise that somebody could draw again */
    using privacy_error::privacy_error;
};
/* The file is in use by another program: later, perhaps. */
struct busy_error : error {
    using error::error;
};
/* There is no such file. */
struct missing_error : error {
    using error::error;
};

namespace detail {

[[noreturn]] inline void raise(int32_t status, const std::string &message) {
    switch (status) {
    case PVG_E_NOMEM:
        throw std::bad_alloc();
    case PVG_E_PRIVACY:
        throw privacy_error(status, message);
    case PVG_E_BUDGET:
        throw budget_error(status, message);
    case PVG_E_UNDECLARED:
        throw undeclared_error(status, message);
    case PVG_E_SEEDED:
        throw seeded_error(status, message);
    case PVG_E_BUSY:
        throw busy_error(status, message);
    case PVG_E_MISSING:
        throw missing_error(status, message);
    default:
        throw error(status, message);
    }
}

} // namespace detail

inline void check(int32_t status) {
    if (status != PVG_OK) detail::raise(status, pvg_error_message());
}

/* A value or a failure, for programs without exceptions: the constructors and draws that
 * take std::nothrow give one. The message is empty if there is no memory for it. */
template <typename T> class expected {
  public:
    expected(T &&value) : value_(std::move(value)), status_(PVG_OK) {}
    expected(int32_t status, const char *message) noexcept : status_(status) {
        try {
            message_ = message;
        } catch (...) { /* the status says enough */
        }
    }
    explicit operator bool() const noexcept {
        return status_ == PVG_OK;
    }
    int32_t status() const noexcept {
        return status_;
    }
    const std::string &message() const &noexcept {
        return message_;
    }
    std::string message() &&noexcept {
        return std::move(message_);
    }
    T &value() & {
        require();
        return value_;
    }
    T value() && {
        require();
        return std::move(value_);
    }
    T &operator*() & {
        return value();
    }
    T operator*() && {
        return std::move(*this).value();
    }
    T *operator->() & {
        return &value();
    }
    T *operator->() && = delete; /* it would point into a temporary */

  private:
    void require() const {
        if (status_ != PVG_OK) detail::raise(status_, message_);
    }
    T value_{};
    int32_t status_;
    std::string message_;
};

/* --- views ----------------------------------------------------------------------- */

/* Values someone else owns, who must outlive the span. */
template <typename T> class span {
  public:
    span() = default;
    span(const T *data, std::size_t size) : data_(data), size_(size) {}
    span(const std::vector<T> &values) : data_(values.data()), size_(values.size()) {}
    template <std::size_t Count>
    span(const T (&values)[Count]) : data_(values), size_(Count) {}
    /* For the arguments of one call: the list is gone after it. */
    span(std::initializer_list<T> values) {
        data_ = values.begin();
        size_ = values.size();
    }
    const T *data() const noexcept {
        return data_;
    }
    /* NULL for none, as C wants what may be left out. */
    const T *or_null() const noexcept {
        return size_ ? data_ : nullptr;
    }
    std::size_t size() const noexcept {
        return size_;
    }
    bool empty() const noexcept {
        return size_ == 0;
    }
    const T *begin() const noexcept {
        return data_;
    }
    const T *end() const noexcept {
        return data_ + size_;
    }
    const T &operator[](std::size_t index) const {
        return data_[index];
    }

  private:
    const T *data_ = nullptr;
    std::size_t size_ = 0;
};

/* --- handles --------------------------------------------------------------------- */

namespace detail {

template <typename Raw, void (*Free)(Raw *)> struct deleter {
    void operator()(Raw *raw) const noexcept {
        Free(raw);
    }
};

/* Owns one handle; empty after a move. */
template <typename Raw, void (*Free)(Raw *)> class handle {
  public:
    handle() = default;
    using raw_type = Raw;
    Raw *get() const noexcept {
        return raw_.get();
    }
    explicit operator bool() const noexcept {
        return raw_ != nullptr;
    }
    /* Owns a handle that nobody else owns; gives it up. */
    void adopt(Raw *raw) noexcept {
        raw_.reset(raw);
    }
    Raw *disown() noexcept {
        return raw_.release();
    }

    /* Runs a constructor of the C library and owns what it makes, even if build throws
     * afterwards. */
    template <typename Build> void reset_from(Build &&build) {
        struct slot {
            Raw *raw;
            ~slot() {
                Free(raw);
            }
        } made{nullptr};
        check(build(&made.raw));
        raw_.reset(made.raw);
        made.raw = nullptr;
    }

  private:
    std::unique_ptr<Raw, deleter<Raw, Free>> raw_;
};

/* Text by the (out, capacity, length) convention; asked for again if another thread made
 * it longer in between, as a charge to a shared ledger does. */
template <typename Copy> std::string text(Copy &&copy) {
    std::size_t length = 0;
    check(copy(nullptr, std::size_t(0), &length));
    for (;;) {
        std::string out(length + 1, '\0');
        const int32_t status = copy(&out[0], out.size(), &length);
        if (status == PVG_E_LIMIT && length >= out.size()) continue;
        check(status);
        out.resize(length);
        return out;
    }
}

/* Text for C, which would end at a zero byte inside. */
inline const char *c_text(const std::string &text) {
    if (text.find('\0') != std::string::npos)
        throw error(PVG_E_ARGUMENT, "a text has a zero byte inside");
    return text.c_str();
}

/* One number, or as many as a call writes. */
template <typename T, typename Call> T number(Call &&call) {
    T out = T();
    check(call(&out));
    return out;
}
template <typename T, typename Call>
std::vector<T> filled(std::size_t count, Call &&call) {
    std::vector<T> out(count +
                       1); /* one more: the library wants an address even of none */
    check(call(out.data()));
    out.pop_back();
    return out;
}

/* Refuses arrays of other lengths than the library will read. */
inline void need(bool right, const char *message) {
    if (!right) throw error(PVG_E_ARGUMENT, message);
}
inline void need_rows(int64_t rows, span<int64_t> offsets, std::size_t columns) {
    need(rows >= 0 && int64_t(offsets.size()) == rows + 1 &&
             offsets[offsets.size() - 1] == int64_t(columns),
         "offsets are not those of so many rows and columns");
}

template <typename Config> Config sized() {
    Config config{};
    config.size = sizeof config;
    return config;
}

} // namespace detail

/* How a long call runs: threads, scratch memory, progress (return false to cancel). An
 * exception of the progress function cancels the call and is thrown again; a call that
 * takes std::nothrow returns PVG_E_CANCELLED with its text instead. */
class run {
  public:
    run() = default;
    explicit run(uint32_t threads) : threads_(threads) {}
    run &threads(uint32_t threads) {
        return threads_ = threads, *this;
    }
    run &scratch_limit(uint64_t bytes) {
        return scratch_ = bytes, *this;
    }
    /* Seconds: an embedding whose cost is more is refused before anything is paid. */
    run &time_limit(uint32_t seconds) {
        return seconds_ = seconds, *this;
    }
    /* The record of a release does not state the day of the draw. */
    run &undated() {
        return undated_ = 1, *this;
    }
    run &progress(std::function<bool(double)> function) {
        return progress_ = std::move(function), *this;
    }
    /* A pool of the host's instead of threads that the library starts: `start` is given
     * jobs, each to be run once on another thread, at any time. */
    run &pool(std::function<void(std::function<void()>)> start) {
        return pool_ = std::move(start), *this;
    }

    /* Lends the C struct to a call and returns its status. */
    template <typename Call> int32_t call(Call &&function) const {
        pvg_run raw = detail::sized<pvg_run>();
        watcher watching{progress_ ? &progress_ : nullptr, nullptr};
        raw.threads = threads_;
        raw.scratch_limit = scratch_;
        raw.undated = undated_;
        raw.time_limit = seconds_;
        if (progress_) {
            raw.progress = &run::watch;
            raw.progress_context = &watching;
        }
        if (pool_) {
            raw.start = &run::start_job;
            raw.start_context = const_cast<pool_type *>(&pool_);
        }
        const int32_t status = function(&raw);
        if (watching.thrown) std::rethrow_exception(watching.thrown);
        return status;
    }

    /* The same run, but an exception of the progress function only cancels and goes to
     * *thrown. Both must outlive what is made. */
    run quiet(std::exception_ptr *thrown) const {
        run made(threads_);
        made.scratch_ = scratch_;
        made.undated_ = undated_;
        made.seconds_ = seconds_;
        made.pool_ = pool_;
        if (progress_)
            made.progress_ = [this, thrown](double fraction) {
                try {
                    return progress_(fraction);
                } catch (...) {
                    *thrown = std::current_exception();
                    return false;
                }
            };
        return made;
    }

  private:
    struct watcher {
        const std::function<bool(double)> *progress;
        std::exception_ptr thrown;
    };
    static int32_t watch(void *context, double fraction) {
        watcher *watching = static_cast<watcher *>(context);
        try {
            return (*watching->progress)(fraction) ? 0 : 1;
        } catch (...) { /* must not cross C */
            watching->thrown = std::current_exception();
            return 1;
        }
    }
    using pool_type = std::function<void(std::function<void()>)>;
    /* Runs once: when the pool says so, or when the pool has lost it. */
    struct ticket {
        void (*job)(void *);
        void *argument;
        ticket(void (*j)(void *), void *a) : job(j), argument(a) {}
        ticket(const ticket &) = delete;
        ticket &operator=(const ticket &) = delete;
        ~ticket() {
            once();
        }
        void once() {
            if (job) job(argument);
            job = nullptr;
        }
    };
    static int32_t start_job(void *context, void (*job)(void *), void *argument) {
        std::shared_ptr<ticket> one;
        try {
            one = std::make_shared<ticket>(job, argument);
        } catch (...) {
            return 1; /* not taken: fewer hands */
        }
        try {
            (*static_cast<pool_type *>(context))([one] { one->once(); });
        } catch (...) { /* must not cross C; the job is run when the last copy goes */
        }
        return 0;
    }
    uint32_t threads_ = 0;
    uint64_t scratch_ = 0;
    uint32_t undated_ = 0, seconds_ = 0;
    std::function<bool(double)> progress_;
    pool_type pool_;
};

/* Where messages of the library go, PVG_LOG_* and a line: once for the whole process.
 * What `write` throws is dropped. */
inline void log_to(std::function<void(int32_t, const std::string &)> write,
                   int32_t level = 0) {
    using writer = std::function<void(int32_t, const std::string &)>;
    std::unique_ptr<writer> kept(new writer(std::move(write)));
    pvg_log log = detail::sized<pvg_log>();
    log.level = level;
    log.context = kept.get();
    log.write = [](void *context, int32_t at, const char *message) {
        try {
            (*static_cast<writer *>(context))(at, message);
        } catch (...) { /* must not cross C */
        }
    };
    check(pvg_log_set(&log));
    kept.release(); /* as long as the process */
}

namespace detail {

/* A new object from a constructor of the C library, which may take long. */
template <typename T, typename Build> T made(Build &&build) {
    T one;
    one.reset_from(build);
    return one;
}
template <typename T, typename Build> T made(const run &how, Build &&build) {
    T one;
    one.reset_from([&](typename T::raw_type **out) {
        return how.call([&](const pvg_run *raw) { return build(out, raw); });
    });
    return one;
}

/* What an exception of a progress function says. */
template <typename T> expected<T> cancelled(const std::exception_ptr &thrown) noexcept {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::exception &failure) {
        return expected<T>(PVG_E_CANCELLED, failure.what());
    } catch (...) {
        return expected<T>(PVG_E_CANCELLED, "the progress function threw");
    }
}

/* make(how) with every exception turned into a status. */
template <typename T, typename Make>
expected<T> attempt(const run &how, Make &&make) noexcept {
    std::exception_ptr thrown;
    try {
        T made = make(how.quiet(&thrown));
        if (!thrown) return expected<T>(std::move(made));
    } catch (const error &failure) {
        if (!thrown) return expected<T>(failure.status(), failure.what());
    } catch (const std::exception &) { /* bad_alloc, or length_error of a container */
        if (!thrown) return expected<T>(PVG_E_NOMEM, "out of memory");
    }
    return cancelled<T>(thrown);
}

} // namespace detail

/* Any call without exceptions: attempt([&] { return release::draw(query, input, rng); })
 * gives an expected of its result. What a progress function threw is PVG_E_CANCELLED. */
template <typename Make>
auto attempt(Make &&make) noexcept -> expected<decltype(make())> {
    using result = expected<decltype(make())>;
    try {
        return result(make());
    } catch (const error &failure) {
        return result(failure.status(), failure.what());
    } catch (const std::bad_alloc &) {
        return result(PVG_E_NOMEM, "out of memory");
    } catch (const std::exception &failure) {
        return result(PVG_E_CANCELLED, failure.what());
    } catch (...) {
        return result(PVG_E_CANCELLED, "the progress function threw");
    }
}

/* What another object owns and lends: used as a const T, as long as that lives. */
template <typename T> class lent {
  public:
    explicit lent(const typename T::raw_type *raw) noexcept {
        inner_.adopt(const_cast<typename T::raw_type *>(raw));
    }
    lent(lent &&) = default;
    lent &operator=(lent &&) = delete;
    ~lent() {
        inner_.disown();
    }
    const T &operator*() const &noexcept {
        return inner_;
    }
    const T *operator->() const noexcept {
        return &inner_;
    }
    operator const T &() const noexcept {
        return inner_;
    }

  private:
    T inner_;
};

/* The library that is loaded: "0.1.0", as a number, what it was built with (JSON); the
 * name of a status. */
inline std::string version() {
    return pvg_version_string();
}
inline uint32_t version_number() noexcept {
    return pvg_version_number();
}
inline std::string build_info() {
    return detail::text([](char *out, std::size_t capacity, std::size_t *length) {
        return pvg_build_info_copy(out, capacity, length);
    });
}
inline const char *status_name(int32_t status) noexcept {
    return pvg_status_name(status);
}

/* --- random bits ------------------------------------------------------------------- */

/* A source of random bits: secure by default; only what a secure one made is private. */
class rng : public detail::handle<pvg_rng, pvg_rng_free> {
  public:
    rng() {
        reset_from(pvg_rng_new_secure);
    }
    static rng seeded(uint64_t seed) {
        rng made{nothing()};
        made.reset_from([&](pvg_rng **out) { return pvg_rng_new_seeded(out, seed); });
        return made;
    }
    /* Stream number `stream`: of a seeded one a function of seed and number. */
    rng split(uint64_t stream) const {
        rng made{nothing()};
        made.reset_from([&](pvg_rng **out) { return pvg_rng_split(out, get(), stream); });
        return made;
    }
    bool is_secure() const noexcept {
        return pvg_rng_is_secure(get()) == 1;
    }

    /* Exact samplers: count values each. */
    std::vector<uint8_t> bytes(std::size_t count) const {
        return draw<uint8_t>(pvg_rng_draw_bytes, count);
    }
    std::vector<uint64_t> below(std::size_t count, uint64_t bound) const {
        return draw<uint64_t>(pvg_rng_draw_below, count, bound);
    }
    /* 1 with probability numerator / denominator, exp(-numerator / denominator). */
    std::vector<uint8_t> bernoulli(std::size_t count, uint64_t numerator,
                                   uint64_t denominator) const {
        return draw<uint8_t>(pvg_rng_draw_bernoulli, count, numerator, denominator);
    }
    std::vector<uint8_t> bernoulli_exp(std::size_t count, uint64_t numerator,
                                       uint64_t denominator) const {
        return draw<uint8_t>(pvg_rng_draw_bernoulli_exp, count, numerator, denominator);
    }
    std::vector<int64_t> geometric(std::size_t count, int64_t numerator,
                                   int64_t denominator) const {
        return draw<int64_t>(pvg_rng_draw_geometric, count, numerator, denominator);
    }
    std::vector<int64_t> discrete_laplace(std::size_t count, int64_t numerator,
                                          int64_t denominator) const {
        return draw<int64_t>(pvg_rng_draw_discrete_laplace, count, numerator,
                             denominator);
    }
    std::vector<int64_t> discrete_gaussian(std::size_t count, int64_t sigma) const {
        return draw<int64_t>(pvg_rng_draw_discrete_gaussian, count, sigma);
    }
    std::vector<int64_t> rounded_gaussian(std::size_t count, int64_t sigma) const {
        return draw<int64_t>(pvg_rng_draw_rounded_gaussian, count, sigma);
    }
    std::vector<int64_t> rounded_laplace(std::size_t count, int64_t scale) const {
        return draw<int64_t>(pvg_rng_draw_rounded_laplace, count, scale);
    }
    /* Bits with probability threshold / 2^64, 64 to a word, lowest first. */
    std::vector<uint64_t> flips(std::size_t count, uint64_t threshold) const {
        return detail::filled<uint64_t>((count + 63) / 64, [&](uint64_t *out) {
            return pvg_rng_draw_flips(out, int64_t(count), threshold, get());
        });
    }
    /* Of randomised response at epsilon, rounded up. */
    static uint64_t flip_threshold(double epsilon) {
        return detail::number<uint64_t>(
            [&](uint64_t *out) { return pvg_rng_flip_threshold(out, epsilon); });
    }

  private:
    struct nothing {};
    explicit rng(nothing) {}
    template <typename T, typename Draw, typename... Numbers>
    std::vector<T> draw(Draw draw_raw, std::size_t count, Numbers... numbers) const {
        return detail::filled<T>(count, [&](T *out) {
            return draw_raw(out, int64_t(count), numbers..., get());
        });
    }
};

/* --- private data ---------------------------------------------------------------- */

/* How text becomes a graph: the C struct, its size filled in. */
inline pvg_io_options io_options() {
    return detail::sized<pvg_io_options>();
}

/* Of a format PVG_FORMAT_*: the word for it (NULL if there is none), PVG_CAN_*; and what
 * a file is by its name and first bytes. */
inline const char *format_name(int32_t format) noexcept {
    return pvg_format_name(format);
}
inline uint32_t format_can(int32_t format) noexcept {
    return pvg_format_can(format);
}
inline int32_t find_format(const std::string &path, const std::string &data) {
    return detail::number<int32_t>([&](int32_t *out) {
        return pvg_format_find(out, path.c_str(), data.data(), data.size());
    });
}

class graph : public detail::handle<pvg_graph, pvg_graph_free> {
  public:
    graph() = default;
    static graph from_edges(int64_t order,
                            const std::vector<std::pair<int64_t, int64_t>> &edges,
                            uint32_t policy = PVG_EDGES_STRICT, const run &how = run()) {
        std::vector<int64_t> sources, targets;
        for (const auto &edge : edges) {
            sources.push_back(edge.first);
            targets.push_back(edge.second);
        }
        return from_edges(order, span<int64_t>(sources), span<int64_t>(targets), policy,
                          how);
    }
    static graph from_edges(int64_t order, span<int64_t> sources, span<int64_t> targets,
                            uint32_t policy = PVG_EDGES_STRICT, const run &how = run()) {
        detail::need(sources.size() == targets.size(),
                     "graph: sources and targets differ in length");
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_from_edges(out, order, sources.data(), targets.data(),
                                        int64_t(sources.size()), policy, raw);
        });
    }
    /* Two columns of a table of another library: edges and nodes are struct
     * ArrowArrayStream of Arrow's C interface, which the call releases. nodes: the public
     * table of names of nodes, with order 0; left out: ends are numbers below order. */
    static graph from_arrow(void *edges, const std::string &source,
                            const std::string &target, int64_t order,
                            void *nodes = nullptr, uint32_t policy = PVG_EDGES_STRICT,
                            const run &how = run()) {
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_from_arrow(out, edges, source.c_str(), target.c_str(), nodes,
                                        order, policy, raw);
        });
    }
    static expected<graph>
    from_edges(std::nothrow_t, int64_t order,
               const std::vector<std::pair<int64_t, int64_t>> &edges,
               uint32_t policy = PVG_EDGES_STRICT, const run &how = run()) noexcept {
        return detail::attempt<graph>(how, [&](const run &quiet) {
            return from_edges(order, edges, policy, quiet);
        });
    }
    /* offsets: order + 1 entries, the last of which is the number of columns. */
    static graph from_csr(int64_t order, span<int64_t> offsets, span<int32_t> columns,
                          uint32_t policy = PVG_EDGES_STRICT, const run &how = run()) {
        detail::need_rows(order, offsets, columns.size());
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_from_csr(out, order, offsets.data(), columns.data(), policy,
                                      raw);
        });
    }
    static graph read(const std::string &path, const run &how = run()) {
        return read(path, 0, how);
    }
    /* order: the nodes of an edge list that does not state them; else no release takes
     * the graph. */
    static graph read(const std::string &path, int64_t order, const run &how = run()) {
        pvg_io_options options = io_options();
        options.order = order;
        return read(path, options, how);
    }
    static graph read(const std::string &path, pvg_io_options options,
                      const run &how = run()) {
        options.size = sizeof options;
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_read(out, path.c_str(), &options, raw);
        });
    }
    /* Whose edges stay in a csr file. */
    static graph map(const std::string &path, pvg_io_options options = io_options(),
                     const run &how = run()) {
        options.size = sizeof options;
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_map(out, path.c_str(), &options, raw);
        });
    }
    /* From the bytes of a file. */
    static graph parse(const std::string &data, pvg_io_options options = io_options(),
                       const run &how = run()) {
        options.size = sizeof options;
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_parse(out, data.data(), data.size(), &options, raw);
        });
    }
    void write(const std::string &path, pvg_io_options options = io_options()) const {
        options.size = sizeof options;
        check(pvg_graph_write(path.c_str(), get(), &options, nullptr));
    }
    /* A csr file for map, by a sort that needs `memory` bytes (0: 1 GiB). */
    static void pack(const std::string &path, const std::string &source,
                     pvg_io_options options = io_options(), int64_t memory = 0) {
        options.size = sizeof options;
        check(pvg_graph_pack(path.c_str(), source.c_str(), &options, memory, nullptr));
    }
    std::string format(pvg_io_options options = io_options()) const {
        options.size = sizeof options;
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_graph_format(out, capacity, length, get(), &options);
        });
    }
    /* The subgraph on a public list of nodes; the graph with public new names. */
    graph induce(span<int64_t> nodes, const run &how = run()) const {
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_induce(out, get(), nodes.data(), int64_t(nodes.size()), raw);
        });
    }
    graph relabel(span<int64_t> new_name, const run &how = run()) const {
        detail::need(int64_t(new_name.size()) == order(),
                     "relabel: not one name for each node");
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_relabel(out, get(), new_name.data(), raw);
        });
    }
    graph truncate_degree(int64_t bound, const run &how = run()) const {
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_truncate_degree(out, get(), bound, raw);
        });
    }

    /* Public test data. */
    static graph path(int64_t order) {
        return fixed(pvg_graph_new_path, order);
    }
    static graph cycle(int64_t order) {
        return fixed(pvg_graph_new_cycle, order);
    }
    static graph clique(int64_t order) {
        return fixed(pvg_graph_new_clique, order);
    }
    static graph star(int64_t order) {
        return fixed(pvg_graph_new_star, order);
    }
    static graph erdos_renyi(int64_t order, double probability, const rng &random,
                             const run &how = run()) {
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_draw_erdos_renyi(out, order, probability, random.get(), raw);
        });
    }
    /* probabilities: blocks x blocks. */
    static graph blocks(span<int64_t> orders, span<double> probabilities,
                        const rng &random, const run &how = run()) {
        detail::need(probabilities.size() == orders.size() * orders.size(),
                     "blocks: probabilities are not blocks x blocks");
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_draw_blocks(out, orders.data(), probabilities.data(),
                                         int64_t(orders.size()), random.get(), raw);
        });
    }
    static graph preferential(int64_t order, int64_t attach, const rng &random,
                              const run &how = run()) {
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_draw_preferential(out, order, attach, random.get(), raw);
        });
    }
    static graph chung_lu(span<double> weights, const rng &random,
                          const run &how = run()) {
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_draw_chung_lu(out, weights.data(), int64_t(weights.size()),
                                           random.get(), raw);
        });
    }
    static graph tree(int64_t order, const rng &random) {
        return detail::made<graph>([&](pvg_graph **out) {
            return pvg_graph_draw_tree(out, order, random.get());
        });
    }
    static graph ktree(int64_t order, int64_t width, const rng &random) {
        return detail::made<graph>([&](pvg_graph **out) {
            return pvg_graph_draw_ktree(out, order, width, random.get());
        });
    }

    int64_t order() const noexcept {
        return pvg_graph_order(get());
    }
    /* False if the order was read off the edges. */
    bool order_declared() const noexcept {
        return pvg_graph_order_declared(get()) == 1;
    }
    int64_t size() const noexcept {
        return pvg_graph_size(get());
    }
    /* -1 if there is no such node. */
    int64_t degree(int64_t node) const noexcept {
        return pvg_graph_degree(get(), node);
    }
    /* Must not become a public bound. */
    int64_t max_degree_exact() const noexcept {
        return pvg_graph_max_degree_exact(get());
    }
    bool has_edge(int64_t u, int64_t v) const noexcept {
        return pvg_graph_has_edge(get(), u, v) == 1;
    }
    span<int32_t> neighbours(int64_t node) const && = delete;
    span<int32_t> neighbours(int64_t node) const & {
        const int32_t *data = nullptr;
        int64_t count = 0;
        check(pvg_graph_view_neighbours(&data, &count, get(), node));
        return {data, std::size_t(count)};
    }
    /* Compressed rows: where each begins (order + 1), and their entries. */
    std::pair<span<int64_t>, span<int32_t>> csr() const && = delete;
    std::pair<span<int64_t>, span<int32_t>> csr() const & {
        const int64_t *offsets = nullptr;
        const int32_t *columns = nullptr;
        check(pvg_graph_view_csr(&offsets, &columns, get()));
        return {span<int64_t>(offsets, std::size_t(order()) + 1),
                span<int32_t>(columns, 2 * std::size_t(size()))};
    }
    /* Each edge once, as a smaller and a larger node. */
    std::vector<std::pair<int64_t, int64_t>> edges() const {
        const std::size_t count = std::size_t(size());
        std::vector<int64_t> sources(count), targets(count);
        check(pvg_graph_copy_edges(sources.data(), targets.data(), get()));
        std::vector<std::pair<int64_t, int64_t>> out(count);
        for (std::size_t i = 0; i < count; i++) out[i] = {sources[i], targets[i]};
        return out;
    }

  private:
    template <typename New> static graph fixed(New make, int64_t order) {
        return detail::made<graph>([&](pvg_graph **out) { return make(out, order); });
    }
};

/* Graphs in an order, each a private object of its own. */
class graphset : public detail::handle<pvg_graphset, pvg_graphset_free> {
  public:
    graphset() = default;
    explicit graphset(const std::vector<const graph *> &members) {
        detail::handle<pvg_graphset_builder, pvg_graphset_builder_free> builder;
        builder.reset_from(
            [&](pvg_graphset_builder **out) { return pvg_graphset_builder_new(out, 0); });
        for (const graph *one : members)
            check(pvg_graphset_builder_add(builder.get(), one->get(), -1, nullptr,
                                           nullptr));
        reset_from([&](pvg_graphset **out) {
            return pvg_graphset_builder_finish(out, builder.get());
        });
    }
    /* All graphs at once, as in a batch: graph i owns nodes starts[i] .. starts[i+1]-1,
     * and edges join numbers in the whole set. Empty labels: none. */
    static graphset from_edges(span<int64_t> starts, span<int64_t> sources,
                               span<int64_t> targets, uint32_t policy = PVG_EDGES_STRICT,
                               span<int32_t> labels = {}, span<int32_t> node_labels = {},
                               const run &how = run()) {
        fit(starts, labels, node_labels);
        detail::need(sources.size() == targets.size(),
                     "graphset: sources and targets differ in length");
        return detail::made<graphset>(how, [&](pvg_graphset **out, const pvg_run *raw) {
            return pvg_graphset_from_edges(out, starts.data(), int64_t(starts.size()) - 1,
                                           sources.data(), targets.data(),
                                           int64_t(sources.size()), policy,
                                           labels.or_null(), node_labels.or_null(), raw);
        });
    }
    static graphset from_csr(span<int64_t> starts, span<int64_t> offsets,
                             span<int32_t> columns, uint32_t policy = PVG_EDGES_STRICT,
                             span<int32_t> labels = {}, span<int32_t> node_labels = {},
                             const run &how = run()) {
        fit(starts, labels, node_labels);
        detail::need_rows(starts[starts.size() - 1], offsets, columns.size());
        return detail::made<graphset>(how, [&](pvg_graphset **out, const pvg_run *raw) {
            return pvg_graphset_from_csr(out, starts.data(), int64_t(starts.size()) - 1,
                                         offsets.data(), columns.data(), policy,
                                         labels.or_null(), node_labels.or_null(), raw);
        });
    }
    /* graph6 or sparse6 lines. */
    static graphset read(const std::string &path, pvg_io_options options = io_options(),
                         const run &how = run()) {
        options.size = sizeof options;
        return detail::made<graphset>(how, [&](pvg_graphset **out, const pvg_run *raw) {
            return pvg_graphset_read(out, path.c_str(), &options, raw);
        });
    }
    static graphset parse(const std::string &data, pvg_io_options options = io_options(),
                          const run &how = run()) {
        options.size = sizeof options;
        return detail::made<graphset>(how, [&](pvg_graphset **out, const pvg_run *raw) {
            return pvg_graphset_parse(out, data.data(), data.size(), &options, raw);
        });
    }
    void write(const std::string &path, pvg_io_options options = io_options()) const {
        options.size = sizeof options;
        check(pvg_graphset_write(path.c_str(), get(), &options, nullptr));
    }
    /* A TUDataset folder; an empty name: that of the folder. */
    static graphset read_tudataset(const std::string &folder,
                                   const std::string &name = "",
                                   pvg_io_options options = io_options(),
                                   const run &how = run()) {
        options.size = sizeof options;
        return detail::made<graphset>(how, [&](pvg_graphset **out, const pvg_run *raw) {
            return pvg_graphset_read_tudataset(out, folder.c_str(),
                                               name.empty() ? nullptr : name.c_str(),
                                               &options, raw);
        });
    }
    void write_tudataset(const std::string &folder, const std::string &name = "") const {
        check(pvg_graphset_write_tudataset(
            folder.c_str(), name.empty() ? nullptr : name.c_str(), get(), nullptr));
    }
    /* Classes of random graphs with two blocks. */
    static graphset sbm(int64_t order, span<double> zeta, int64_t per_class, double q,
                        const rng &random, const run &how = run()) {
        return detail::made<graphset>(how, [&](pvg_graphset **out, const pvg_run *raw) {
            return pvg_graphset_draw_sbm(out, order, zeta.data(), int64_t(zeta.size()),
                                         per_class, q, random.get(), raw);
        });
    }
    int64_t count() const noexcept {
        return pvg_graphset_count(get());
    }
    /* Nodes of all graphs; real targets of each. */
    int64_t order() const noexcept {
        return pvg_graphset_order(get());
    }
    int64_t target_count() const noexcept {
        return pvg_graphset_target_count(get());
    }
    /* A copy of one graph. */
    graph operator[](int64_t index) const {
        return detail::made<graph>(
            [&](pvg_graph **out) { return pvg_graphset_get(out, get(), index); });
    }
    /* Graphs first .. first + count - 1 as a set of their own; nothing is copied, the
     * sets share their rows. */
    graphset slice(int64_t first, int64_t count) const {
        return detail::made<graphset>([&](pvg_graphset **out) {
            return pvg_graphset_slice(out, get(), first, count);
        });
    }
    /* Where graphs begin, where rows begin, and their entries. */
    struct rows {
        span<int64_t> starts, offsets;
        span<int32_t> columns;
    };
    rows csr() const && = delete;
    rows csr() const & {
        const int64_t *starts = nullptr, *offsets = nullptr;
        const int32_t *columns = nullptr;
        check(pvg_graphset_view_csr(&starts, &offsets, &columns, get()));
        return {{starts, std::size_t(count()) + 1},
                {offsets, std::size_t(order()) + 1},
                {columns, std::size_t(offsets[order()])}};
    }
    /* Class of each graph; targets, row by row; label of each node, empty if none. */
    span<int32_t> labels() const && = delete;
    span<int32_t> labels() const & {
        const int32_t *data = nullptr;
        check(pvg_graphset_view_labels(&data, nullptr, nullptr, get()));
        return {data, std::size_t(count())};
    }
    span<double> targets() const && = delete;
    span<double> targets() const & {
        const double *data = nullptr;
        check(pvg_graphset_view_labels(nullptr, &data, nullptr, get()));
        return {data, data ? std::size_t(count()) * std::size_t(target_count()) : 0};
    }
    span<int32_t> node_labels() const && = delete;
    span<int32_t> node_labels() const & {
        const int32_t *data = nullptr;
        check(pvg_graphset_view_labels(nullptr, nullptr, &data, get()));
        return {data, data ? std::size_t(order()) : 0};
    }

  private:
    static void fit(span<int64_t> starts, span<int32_t> labels,
                    span<int32_t> node_labels) {
        detail::need(!starts.empty() &&
                         (labels.empty() || labels.size() + 1 == starts.size()) &&
                         (node_labels.empty() ||
                          int64_t(node_labels.size()) == starts[starts.size() - 1]),
                     "graphset: not one label for each graph or node");
    }
};

/* A graph under construction, from edges that come in pieces. */
class graph_builder : public detail::handle<pvg_graph_builder, pvg_graph_builder_free> {
  public:
    explicit graph_builder(int64_t order, uint32_t policy = PVG_EDGES_STRICT) {
        reset_from([&](pvg_graph_builder **out) {
            return pvg_graph_builder_new(out, order, policy);
        });
    }
    void add(span<int64_t> sources, span<int64_t> targets) {
        need_pairs(sources.size(), targets.size());
        check(pvg_graph_builder_add(get(), sources.data(), targets.data(),
                                    int64_t(sources.size())));
    }
    void add(span<int32_t> sources, span<int32_t> targets) {
        need_pairs(sources.size(), targets.size());
        check(pvg_graph_builder_add_int32(get(), sources.data(), targets.data(),
                                          int64_t(sources.size())));
    }
    graph finish(const run &how = run()) {
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_graph_builder_finish(out, get(), raw);
        });
    }

  private:
    static void need_pairs(std::size_t sources, std::size_t targets) {
        detail::need(sources == targets, "graph: sources and targets differ in length");
    }
};

/* A set under construction; every graph carries `targets` real numbers. */
class graphset_builder
    : public detail::handle<pvg_graphset_builder, pvg_graphset_builder_free> {
  public:
    explicit graphset_builder(int64_t targets = 0) : targets_(targets) {
        reset_from([&](pvg_graphset_builder **out) {
            return pvg_graphset_builder_new(out, targets);
        });
    }
    /* Appends a copy; label -1 for none. */
    void add(const graph &member, int32_t label = -1, span<double> targets = {},
             span<int32_t> node_labels = {}) {
        detail::need(
            (targets.empty() || int64_t(targets.size()) == targets_) &&
                (node_labels.empty() || int64_t(node_labels.size()) == member.order()),
            "graphset: targets or node labels of another number");
        check(pvg_graphset_builder_add(get(), member.get(), label, targets.or_null(),
                                       node_labels.or_null()));
    }
    graphset finish() {
        return detail::made<graphset>(
            [&](pvg_graphset **out) { return pvg_graphset_builder_finish(out, get()); });
    }

  private:
    int64_t targets_;
};

class features : public detail::handle<pvg_features, pvg_features_free> {
  public:
    features() = default;
    static features from_dense(int64_t rows, int64_t columns, span<double> values) {
        need_cells(rows, columns, values.size());
        return detail::made<features>([&](pvg_features **out) {
            return pvg_features_from_dense(out, rows, columns, values.data());
        });
    }
    static features from_dense(int64_t rows, int64_t columns, span<float> values) {
        need_cells(rows, columns, values.size());
        return detail::made<features>([&](pvg_features **out) {
            return pvg_features_from_dense_float(out, rows, columns, values.data());
        });
    }
    /* From compressed rows; without values all entries are 1. */
    static features from_csr(int64_t columns, span<int64_t> offsets,
                             span<int32_t> indices, span<double> values = {}) {
        const int64_t rows = int64_t(offsets.size()) - 1;
        detail::need_rows(rows, offsets, indices.size());
        detail::need(values.empty() || values.size() == indices.size(),
                     "features: not one value for each index");
        return detail::made<features>([&](pvg_features **out) {
            return pvg_features_from_csr(out, rows, columns, offsets.data(),
                                         indices.data(), values.or_null());
        });
    }
    static features from_csr(int64_t columns, span<int64_t> offsets,
                             span<int32_t> indices, span<float> values) {
        const int64_t rows = int64_t(offsets.size()) - 1;
        detail::need_rows(rows, offsets, indices.size());
        detail::need(values.size() == indices.size(),
                     "features: not one value for each index");
        return detail::made<features>([&](pvg_features **out) {
            return pvg_features_from_csr_float(out, rows, columns, offsets.data(),
                                               indices.data(), values.data());
        });
    }
    int64_t rows() const noexcept {
        return pvg_features_rows(get());
    }
    int64_t columns() const noexcept {
        return pvg_features_columns(get());
    }
    /* False if the number of columns was read off the entries. */
    bool columns_declared() const noexcept {
        return pvg_features_columns_declared(get()) == 1;
    }
    features copy_inferred() const {
        return detail::made<features>(
            [&](pvg_features **out) { return pvg_features_copy_inferred(out, get()); });
    }
    std::vector<double> dense() const {
        return detail::filled<double>(
            std::size_t(rows()) * std::size_t(columns()),
            [&](double *out) { return pvg_features_copy_dense(out, get(), 0, rows()); });
    }
    /* Where rows begin, columns, values. */
    struct sparse {
        span<int64_t> offsets;
        span<int32_t> indices;
        span<double> values;
    };
    sparse csr() const && = delete;
    sparse csr() const & {
        const int64_t *offsets = nullptr;
        const int32_t *indices = nullptr;
        const double *values = nullptr;
        check(pvg_features_view_csr(&offsets, &indices, &values, get()));
        const std::size_t count = std::size_t(offsets[rows()]);
        return {{offsets, std::size_t(rows()) + 1}, {indices, count}, {values, count}};
    }

  private:
    static void need_cells(int64_t rows, int64_t columns, std::size_t values) {
        detail::need(rows >= 0 && columns >= 0 &&
                         uint64_t(rows) * uint64_t(columns) == values,
                     "features: values are not rows x columns");
    }
};

class labels : public detail::handle<pvg_labels, pvg_labels_free> {
  public:
    labels() = default;
    explicit labels(span<int32_t> values) {
        reset_from([&](pvg_labels **out) {
            return pvg_labels_from_array(out, values.data(), int64_t(values.size()));
        });
    }
    /* Largest label + 1. */
    int64_t classes() const noexcept {
        return pvg_labels_classes(get());
    }
    span<int32_t> values() const && = delete;
    span<int32_t> values() const & {
        const int32_t *data = nullptr;
        check(pvg_labels_view(&data, get()));
        return {data, std::size_t(pvg_labels_count(get()))};
    }
};

/* Which things each person has. How many persons there are is public, and which thing has
 * which number: what is inferred (PVG_LISTS_*) no release takes. */
class lists : public detail::handle<pvg_lists, pvg_lists_free> {
  public:
    lists() = default;
    /* Person owners[i] has thing entries[i]. */
    static lists from_pairs(int64_t persons, int64_t things, span<int64_t> owners,
                            span<int64_t> entries, uint32_t inferred = 0) {
        detail::need(owners.size() == entries.size(),
                     "lists: not one owner for each entry");
        return detail::made<lists>([&](pvg_lists **out) {
            return pvg_lists_from_pairs(out, persons, things, owners.data(),
                                        entries.data(), int64_t(owners.size()), inferred);
        });
    }
    static lists from_csr(int64_t persons, int64_t things, span<int64_t> offsets,
                          span<int32_t> columns, uint32_t inferred = 0) {
        detail::need_rows(persons, offsets, columns.size());
        return detail::made<lists>([&](pvg_lists **out) {
            return pvg_lists_from_csr(out, persons, things, offsets.data(),
                                      columns.data(), inferred);
        });
    }
    /* Lists that stay where they are: read(person, out, capacity) writes at most that
     * many things and returns how many, once for each draw. An exception of it ends the
     * draw after it was paid for, with PVG_E_IO. */
    static lists from_source(
        int64_t persons, int64_t things,
        std::function<int64_t(int64_t person, int32_t *out, int64_t capacity)> read,
        uint32_t inferred = 0) {
        std::unique_ptr<source> kept(new source(std::move(read)));
        pvg_lists_source raw = detail::sized<pvg_lists_source>();
        raw.read = &lists::read_one;
        raw.context = kept.get();
        lists made = detail::made<lists>([&](pvg_lists **out) {
            return pvg_lists_from_source(out, persons, things, &raw, inferred);
        });
        made.source_ = std::move(kept);
        return made;
    }
    /* From a file, or text in memory, with a line for each entry. */
    static lists from_file(const std::string &path, pvg_lists_options how_they_stand,
                           const run &how = run()) {
        how_they_stand.size = sizeof how_they_stand;
        const pvg_io_options files = io_options();
        return detail::made<lists>(how, [&](pvg_lists **out, const pvg_run *raw) {
            return pvg_lists_read(out, detail::c_text(path), &how_they_stand, &files,
                                  raw);
        });
    }
    static lists parse(const std::string &data, pvg_lists_options how_they_stand,
                       const run &how = run()) {
        how_they_stand.size = sizeof how_they_stand;
        return detail::made<lists>(how, [&](pvg_lists **out, const pvg_run *raw) {
            return pvg_lists_parse(out, data.data(), data.size(), &how_they_stand, raw);
        });
    }
    int64_t persons() const noexcept {
        return pvg_lists_persons(get());
    }
    int64_t things() const noexcept {
        return pvg_lists_things(get());
    }
    /* Entries: private. */
    int64_t size() const noexcept {
        return pvg_lists_size(get());
    }
    uint32_t inferred() const noexcept {
        return pvg_lists_inferred(get());
    }
    /* Offsets and columns of the rows: private. */
    std::pair<span<int64_t>, span<int32_t>> rows() const && = delete;
    std::pair<span<int64_t>, span<int32_t>> rows() const & {
        const int64_t *offsets = nullptr;
        const int32_t *columns = nullptr;
        check(pvg_lists_view_csr(&offsets, &columns, get()));
        return {{offsets, std::size_t(persons()) + 1}, {columns, std::size_t(size())}};
    }

  private:
    using source = std::function<int64_t(int64_t, int32_t *, int64_t)>;
    static int64_t read_one(void *context, int64_t person, int32_t *out,
                            int64_t capacity) {
        try {
            return (*static_cast<source *>(context))(person, out, capacity);
        } catch (...) { /* must not cross C */
            return -1;
        }
    }
    /* Declared after the handle's base, so it is gone before it; draws are over then. */
    std::unique_ptr<source> source_;
};

/* A graph with what belongs to its nodes; empty handles for what was not asked for. */
struct folder {
    graph edges;
    features rows;
    labels classes;
};

/* Reads edges.txt, features.txt of so many columns (0: as many as its entries say; -1:
 * not read) and labels.txt. */
inline folder read_folder(const std::string &path, int64_t feature_columns,
                          bool with_labels, pvg_io_options options = io_options(),
                          const run &how = run()) {
    folder made;
    pvg_features *x = nullptr;
    pvg_labels *y = nullptr;
    options.size = sizeof options;
    made.edges = detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
        return pvg_graph_read_folder(
            out, feature_columns < 0 ? nullptr : &x, with_labels ? &y : nullptr,
            path.c_str(), feature_columns < 0 ? 0 : feature_columns, &options, raw);
    });
    made.rows.adopt(x);
    made.classes.adopt(y);
    return made;
}

/* Chains with features and labels, PVG_CHAINS_*; numbered path by path without rng. */
inline folder chains(int32_t dataset, const rng *random = nullptr) {
    folder made;
    pvg_features *x = nullptr;
    pvg_labels *y = nullptr;
    made.edges = detail::made<graph>([&](pvg_graph **out) {
        return pvg_graph_draw_chains(out, &x, &y, dataset,
                                     random ? random->get() : nullptr);
    });
    made.rows.adopt(x);
    made.classes.adopt(y);
    return made;
}

/* --- public descriptions --------------------------------------------------------- */

/* A distribution on the patterns of a class. */
class sampler : public detail::handle<pvg_sampler, pvg_sampler_free> {
  public:
    sampler() = default;
    explicit sampler(pvg_sampler_config config) {
        config.size = sizeof config;
        reset_from([&](pvg_sampler **out) { return pvg_sampler_new(out, &config); });
    }
    /* Such as "trees", "treewidth3", "reference2". */
    explicit sampler(const std::string &name) {
        reset_from([&](pvg_sampler **out) {
            return pvg_sampler_from_name(out, name.c_str(), nullptr);
        });
    }
    pvg_sampler_config settings() const {
        pvg_sampler_config out = detail::sized<pvg_sampler_config>();
        check(pvg_sampler_copy_config(&out, get()));
        return out;
    }
};

class patterns : public detail::handle<pvg_patterns, pvg_patterns_free> {
  public:
    patterns() = default;
    /* Such as "edge,path3,cycle4". */
    explicit patterns(const std::string &names) {
        reset_from([&](pvg_patterns **out) {
            return pvg_patterns_from_names(out, names.c_str());
        });
    }
    static patterns from_graph6(const std::string &lines) {
        return detail::made<patterns>([&](pvg_patterns **out) {
            return pvg_patterns_from_graph6(out, lines.data(), lines.size());
        });
    }
    /* For each pattern its vertices and its edges. */
    static patterns from_edges(
        const std::vector<std::pair<int64_t, std::vector<std::pair<int64_t, int64_t>>>>
            &all) {
        std::vector<int64_t> orders, sizes, sources, targets;
        for (const auto &one : all) {
            orders.push_back(one.first);
            sizes.push_back(int64_t(one.second.size()));
            for (const auto &edge : one.second) {
                sources.push_back(edge.first);
                targets.push_back(edge.second);
            }
        }
        /* the library wants addresses even of nothing */
        sources.push_back(0);
        targets.push_back(0);
        return detail::made<patterns>([&](pvg_patterns **out) {
            return pvg_patterns_from_edges(out, orders.data(), sizes.data(),
                                           int64_t(orders.size()), sources.data(),
                                           targets.data());
        });
    }
    /* Draws from a class such as "trees" or "treewidth2"; a seeded generator is fine
     * here. */
    static patterns draw(const std::string &name, int64_t count, const rng &random) {
        return draw(sampler(name), count, random);
    }
    static patterns draw(const sampler &from, int64_t count, const rng &random,
                         const run &how = run()) {
        return detail::made<patterns>(how, [&](pvg_patterns **out, const pvg_run *raw) {
            return pvg_patterns_draw(out, from.get(), count, random.get(), raw);
        });
    }
    /* Those of a class (PVG_CLASS_*) with `order` vertices and the most edges. */
    static patterns largest(int32_t pattern_class, int32_t parameter, int64_t order) {
        return detail::made<patterns>([&](pvg_patterns **out) {
            return pvg_class_patterns(out, pattern_class, parameter, order);
        });
    }
    patterns operator+(const patterns &other) const {
        return detail::made<patterns>([&](pvg_patterns **out) {
            return pvg_patterns_concat(out, get(), other.get());
        });
    }
    patterns select(span<int64_t> indices) const {
        return detail::made<patterns>([&](pvg_patterns **out) {
            return pvg_patterns_select(out, get(), indices.data(),
                                       int64_t(indices.size()));
        });
    }
    /* One of each set of isomorphic patterns, and where each pattern went. */
    std::pair<patterns, std::vector<int64_t>> merge() const {
        std::vector<int64_t> group(std::size_t(count()) + 1);
        patterns merged = detail::made<patterns>([&](pvg_patterns **out) {
            return pvg_patterns_merge(out, group.data(), get());
        });
        group.pop_back();
        return {std::move(merged), std::move(group)};
    }
    int64_t count() const noexcept {
        return pvg_patterns_count(get());
    }

    /* Of one pattern; -1 (kinds, hash: 0) if there is no such one. */
    int64_t order(int64_t index) const noexcept {
        return pvg_patterns_order(get(), index);
    }
    int64_t size(int64_t index) const noexcept {
        return pvg_patterns_size(get(), index);
    }
    int64_t components(int64_t index) const noexcept {
        return pvg_patterns_components(get(), index);
    }
    int64_t isolated(int64_t index) const noexcept {
        return pvg_patterns_isolated(get(), index);
    }
    int64_t treewidth(int64_t index) const noexcept {
        return pvg_patterns_width(get(), index);
    }
    int64_t multiplicity(int64_t index) const noexcept {
        return pvg_patterns_multiplicity(get(), index);
    }
    uint32_t kinds(int64_t index) const noexcept {
        return pvg_patterns_kinds(get(), index);
    }
    uint64_t hash(int64_t index) const noexcept {
        return pvg_patterns_hash(get(), index);
    }
    std::string name(int64_t index) const {
        return text(pvg_patterns_copy_name, index);
    }
    std::string graph6(int64_t index) const {
        return text(pvg_patterns_copy_graph6, index);
    }
    /* The same for isomorphic patterns. */
    std::string canonical(int64_t index) const {
        return text(pvg_patterns_copy_canonical, index);
    }
    std::vector<std::pair<int32_t, int32_t>> edges(int64_t index) const {
        const int32_t *sources = nullptr, *targets = nullptr;
        check(pvg_patterns_view_edges(&sources, &targets, get(), index));
        std::vector<std::pair<int32_t, int32_t>> out;
        for (int64_t i = 0; i < size(index); i++)
            out.emplace_back(sources[i], targets[i]);
        return out;
    }
    span<int32_t> component_of(int64_t index) const && = delete;
    span<int32_t> component_of(int64_t index) const & {
        const int32_t *data = nullptr;
        check(pvg_patterns_view_components(&data, get(), index));
        return {data, std::size_t(order(index))};
    }
    span<int32_t> elimination(int64_t index) const && = delete;
    span<int32_t> elimination(int64_t index) const & {
        const int32_t *data = nullptr;
        check(pvg_patterns_view_elimination(&data, get(), index));
        return {data, std::size_t(order(index))};
    }
    /* -1 if it is no elimination order. */
    int64_t elimination_width(int64_t index, span<int32_t> elimination) const noexcept {
        return int64_t(elimination.size()) == order(index)
                   ? pvg_patterns_elimination_width(get(), index, elimination.data())
                   : -1;
    }
    bool is_isomorphic(int64_t index, const patterns &other, int64_t j) const noexcept {
        return pvg_patterns_isomorphic(get(), index, other.get(), j) == 1;
    }
    bool is_in_class(int64_t index, int32_t pattern_class, int32_t parameter = 0) const {
        return detail::number<int32_t>([&](int32_t *out) {
                   return pvg_patterns_in_class(out, get(), index, pattern_class,
                                                parameter);
               }) == 1;
    }

  private:
    template <typename Copy> std::string text(Copy copy, int64_t index) const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return copy(out, capacity, length, get(), index);
        });
    }
};

/* What is known of PVG_CLASS_*: name, networks of the same power, formula of the most
 * edges; NULL if there is no such class. */
inline const char *class_name(int32_t pattern_class) noexcept {
    return pvg_class_name(pattern_class);
}
inline const char *class_network(int32_t pattern_class) noexcept {
    return pvg_class_network(pattern_class);
}
inline const char *class_formula(int32_t pattern_class) noexcept {
    return pvg_class_formula(pattern_class);
}
inline int64_t class_max_edges(int32_t pattern_class, int32_t parameter, int64_t order) {
    return detail::number<int64_t>([&](int64_t *out) {
        return pvg_class_max_edges(out, pattern_class, parameter, order);
    });
}

/* A budget and a noise law; the C struct with constructors. */
struct target : pvg_target {
    target(double epsilon_, double delta_ = 0.0, int32_t noise_ = PVG_NOISE_DEFAULT)
        : pvg_target(detail::sized<pvg_target>()) {
        epsilon = epsilon_;
        delta = delta_;
        noise = noise_;
    }
    /* Accepts a seeded generator: nothing is private then, and the guarantee says so. */
    target &seeded_is_fine() {
        return allow_seeded = 1, *this;
    }
};

/* Where a degree bound comes from: nowhere, a promise, the library. */
struct degrees {
    int32_t source;
    int64_t bound;
};
inline degrees any_degrees() {
    return {PVG_DEGREES_ANY, 0};
}
inline degrees promised(int64_t bound) {
    return {PVG_DEGREES_PROMISED, bound};
}
inline degrees truncated(int64_t bound) {
    return {PVG_DEGREES_TRUNCATED, bound};
}

/* What is publicly known of a private graph. */
struct assumption : pvg_assumption {
    assumption(int64_t order_, privgraph::degrees from, int64_t least = 0)
        : pvg_assumption(detail::sized<pvg_assumption>()) {
        order = order_;
        degrees = from.source;
        degree_bound = from.bound;
        least_degree = least;
    }
};

/* Message-passing layers, all public. */
class layers : public detail::handle<pvg_layers, pvg_layers_free> {
  public:
    layers() = default;
    /* config.size is filled in; see pvg_layers_config for what zero fields mean. */
    explicit layers(pvg_layers_config config) {
        config.size = sizeof config;
        reset_from(
            [&](pvg_layers **out) { return pvg_layers_new(out, &config, nullptr, 0); });
    }
    /* weights: a public square matrix of `dimension` rows for each layer. */
    layers(pvg_layers_config config, span<double> weights, int64_t dimension) {
        const int64_t depth = config.depth > 0 ? config.depth : 1;
        detail::need(dimension > 0 && double(weights.size()) == double(depth) *
                                                                    double(dimension) *
                                                                    double(dimension),
                     "layers: weights are not a square matrix for each layer");
        config.size = sizeof config;
        reset_from([&](pvg_layers **out) {
            return pvg_layers_new(out, &config, weights.data(), dimension);
        });
    }
    static pvg_layers_config config(int64_t depth) {
        pvg_layers_config made = detail::sized<pvg_layers_config>();
        made.depth = depth;
        return made;
    }
    int64_t depth() const noexcept {
        return pvg_layers_depth(get());
    }
    int64_t dimension() const noexcept {
        return pvg_layers_dimension(get());
    }
    pvg_layers_config settings() const {
        pvg_layers_config out = detail::sized<pvg_layers_config>();
        check(pvg_layers_copy_config(&out, get()));
        return out;
    }
    /* How far weights and activation of a layer move two states apart. */
    double gain(int64_t layer) const {
        return detail::number<double>(
            [&](double *out) { return pvg_layers_gain(out, get(), layer); });
    }
    /* A public bound of the rounding of a layer. */
    double rounding(int64_t layer, int64_t order, int64_t degree_bound,
                    int64_t columns) const {
        return detail::number<double>([&](double *out) {
            return pvg_propagate_rounding(out, get(), layer, order, degree_bound,
                                          columns);
        });
    }
    /* All layers: a row for each node. Must not be published. */
    std::vector<double> propagate_exact(const graph &input, span<double> x,
                                        int64_t columns, const run &how = run()) const {
        return map<double>(pvg_propagate_exact, input, x, columns, how);
    }
    std::vector<double> propagate_exact(const graph &input, const features &x,
                                        const run &how = run()) const {
        return detail::filled<double>(
            std::size_t(input.order()) * std::size_t(x.columns()), [&](double *out) {
                return how.call([&](const pvg_run *raw) {
                    return pvg_propagate_features_exact(out, get(), input.get(), x.get(),
                                                        raw);
                });
            });
    }
    /* The operator alone, once. */
    std::vector<double> apply_exact(const graph &input, span<double> x, int64_t columns,
                                    const run &how = run()) const {
        return map<double>(pvg_propagate_apply_exact, input, x, columns, how);
    }
    std::vector<float> apply_exact(const graph &input, span<float> x, int64_t columns,
                                   const run &how = run()) const {
        return map<float>(pvg_propagate_apply_float_exact, input, x, columns, how);
    }

  private:
    template <typename T, typename Map>
    std::vector<T> map(Map map_raw, const graph &input, span<T> x, int64_t columns,
                       const run &how) const {
        detail::need(columns >= 0 &&
                         uint64_t(input.order()) * uint64_t(columns) == x.size(),
                     "layers: x is not order x columns");
        return detail::filled<T>(x.size(), [&](T *out) {
            return how.call([&](const pvg_run *raw) {
                return map_raw(out, get(), input.get(), x.data(), columns, raw);
            });
        });
    }
};

/* How far one private change moves a density or a layer, from public numbers. */
namespace sensitivity {

namespace inner {
inline void fit(const patterns &list, span<double> errors) {
    detail::need(errors.empty() || int64_t(errors.size()) == list.count(),
                 "sensitivity: not one relative error for each pattern");
}
template <typename Call> std::vector<double> of(int64_t count, Call &&call) {
    return detail::filled<double>(std::size_t(count), call);
}
} // namespace inner

inline std::vector<double> edge(const patterns &list, const assumption &known,
                                span<double> relative_error = {}) {
    inner::fit(list, relative_error);
    return inner::of(list.count(), [&](double *out) {
        return pvg_sensitivity_edge(out, list.get(), &known, relative_error.or_null());
    });
}
/* Largest density of each pattern. */
inline std::vector<double> range(const patterns &list, const assumption &known) {
    return inner::of(list.count(), [&](double *out) {
        return pvg_sensitivity_range(out, list.get(), &known);
    });
}
/* As published, for comparison: they do not always hold. */
inline std::vector<double> edge_published(const patterns &list, const assumption &known) {
    return inner::of(list.count(), [&](double *out) {
        return pvg_sensitivity_edge_published(out, list.get(), &known);
    });
}
/* Private as the graph is. */
inline std::vector<double> smooth_exact(const patterns &list, const assumption &known,
                                        double beta, int64_t max_degree,
                                        span<double> relative_error = {}) {
    inner::fit(list, relative_error);
    return inner::of(list.count(), [&](double *out) {
        return pvg_sensitivity_smooth_exact(out, list.get(), &known,
                                            relative_error.or_null(), beta, max_degree);
    });
}
inline std::vector<double> smooth_published(const patterns &list, const assumption &known,
                                            double beta, int64_t max_degree) {
    return inner::of(list.count(), [&](double *out) {
        return pvg_sensitivity_smooth_published(out, list.get(), &known, beta,
                                                max_degree);
    });
}
/* Of each layer: Lipschitz constant; how far neighbours of a notion
 * (PVG_NOTION_*) move its output. */
inline std::vector<double> lipschitz(const layers &stack, const assumption &known) {
    return inner::of(stack.depth(), [&](double *out) {
        return pvg_sensitivity_lipschitz(out, stack.get(), &known);
    });
}
inline std::vector<double> of_layers(const layers &stack, const assumption &known,
                                     int32_t notion = PVG_NOTION_EDGE) {
    return inner::of(stack.depth(), [&](double *out) {
        return pvg_sensitivity_layers(out, stack.get(), &known, notion);
    });
}
inline std::vector<double> of_layers_published(const layers &stack,
                                               const assumption &known,
                                               int32_t notion = PVG_NOTION_EDGE) {
    return inner::of(stack.depth(), [&](double *out) {
        return pvg_sensitivity_layers_published(out, stack.get(), &known, notion);
    });
}

} // namespace sensitivity

/* A count of up to 128 bits: high 2^64 + low. */
struct wide {
    uint64_t low = 0, high = 0;
    bool operator==(const wide &other) const noexcept {
        return low == other.low && high == other.high;
    }
};

/* Patterns compiled for counting. What ends in _exact must not be published. */
class density : public detail::handle<pvg_density, pvg_density_free> {
  public:
    density() = default;
    explicit density(const patterns &list, bool cycle_eigenvalues = false) {
        pvg_density_config config = detail::sized<pvg_density_config>();
        config.cycle_eigenvalues = cycle_eigenvalues ? 1 : 0;
        reset_from(
            [&](pvg_density **out) { return pvg_density_new(out, list.get(), &config); });
    }
    int64_t pattern_count() const noexcept {
        return pvg_density_pattern_count(get());
    }
    /* Sparse products that the trees need together, and would need one by one. */
    int64_t products() const noexcept {
        return pvg_density_products(get());
    }
    int64_t products_unshared() const noexcept {
        return pvg_density_products_unshared(get());
    }
    const char *engine(int64_t index) const noexcept {
        return pvg_density_engine(get(), index);
    }
    double relative_error(int64_t index, int64_t order, int64_t degree_bound) const {
        return detail::number<double>([&](double *out) {
            return pvg_density_relative_error(out, get(), index, order, degree_bound);
        });
    }
    /* What one graph costs at most: operations, and seconds on this machine. */
    std::pair<double, double> cost(int64_t order, int64_t degree_bound) const {
        double seconds = 0;
        const double operations = detail::number<double>([&](double *out) {
            return pvg_density_cost(out, &seconds, get(), order, degree_bound);
        });
        return {operations, seconds};
    }
    /* A row for each graph. */
    std::vector<double> evaluate_exact(const graphset &set,
                                       const run &how = run()) const {
        return numbers(set.count(), how, [&](double *out, const pvg_run *raw) {
            return pvg_density_evaluate_exact(out, get(), set.get(), raw);
        });
    }
    std::vector<double> evaluate_exact(const graph &input, const run &how = run()) const {
        return numbers(1, how, [&](double *out, const pvg_run *raw) {
            return pvg_density_evaluate_graph_exact(out, get(), input.get(), raw);
        });
    }
    std::vector<wide> count_exact(const graphset &set, const run &how = run()) const {
        return counts(
            set.count(), how, [&](uint64_t *low, uint64_t *high, const pvg_run *raw) {
                return pvg_density_count_exact(low, high, get(), set.get(), raw);
            });
    }
    std::vector<wide> count_exact(const graph &input, const run &how = run()) const {
        return counts(1, how, [&](uint64_t *low, uint64_t *high, const pvg_run *raw) {
            return pvg_density_count_graph_exact(low, high, get(), input.get(), raw);
        });
    }
    /* A row for each node; roots empty: vertex 0 of each pattern. */
    std::vector<double> rooted_exact(const graph &input, span<int32_t> roots = {},
                                     const run &how = run()) const {
        detail::need(roots.empty() || int64_t(roots.size()) == pattern_count(),
                     "density: not one root for each pattern");
        return numbers(input.order(), how, [&](double *out, const pvg_run *raw) {
            return pvg_density_rooted_exact(out, get(), roots.or_null(), input.get(),
                                            raw);
        });
    }
    /* What toggling each pair changes: a row for each pair. */
    std::vector<wide> edge_exact(const graph &input, span<int64_t> sources,
                                 span<int64_t> targets, const run &how = run()) const {
        detail::need(sources.size() == targets.size(),
                     "density: sources and targets differ in length");
        return counts(int64_t(sources.size()), how,
                      [&](uint64_t *low, uint64_t *high, const pvg_run *raw) {
                          return pvg_density_edge_exact(low, high, get(), input.get(),
                                                        sources.data(), targets.data(),
                                                        int64_t(sources.size()), raw);
                      });
    }

  private:
    template <typename Call>
    std::vector<double> numbers(int64_t rows, const run &how, Call &&call) const {
        return detail::filled<double>(
            std::size_t(rows) * std::size_t(pattern_count()), [&](double *out) {
                return how.call([&](const pvg_run *raw) { return call(out, raw); });
            });
    }
    template <typename Call>
    std::vector<wide> counts(int64_t rows, const run &how, Call &&call) const {
        const std::size_t count = std::size_t(rows) * std::size_t(pattern_count());
        std::vector<uint64_t> high(count + 1);
        const std::vector<uint64_t> low =
            detail::filled<uint64_t>(count, [&](uint64_t *out) {
                return how.call(
                    [&](const pvg_run *raw) { return call(out, high.data(), raw); });
            });
        std::vector<wide> out(count);
        for (std::size_t i = 0; i < count; i++) {
            out[i].low = low[i];
            out[i].high = high[i];
        }
        return out;
    }
};

/* --- budgets --------------------------------------------------------------------- */

/* What is known about the privacy of something released. */
class curve : public detail::handle<pvg_curve, pvg_curve_free> {
  public:
    curve() = default;
    /* One term of any kind, PVG_CURVE_*; its size is filled in. */
    explicit curve(pvg_curve_term term) {
        term.size = sizeof term;
        reset_from([&](pvg_curve **out) { return pvg_curve_new(out, &term); });
    }
    static curve pure(double epsilon) {
        pvg_curve_term term = pvg_curve_term();
        term.kind = PVG_CURVE_PURE;
        term.epsilon = epsilon;
        return curve(term);
    }
    static curve gaussian(double mu) {
        pvg_curve_term term = pvg_curve_term();
        term.kind = PVG_CURVE_GDP;
        term.mu = mu;
        return curve(term);
    }
    double epsilon(double delta) const {
        return detail::number<double>(
            [&](double *out) { return pvg_curve_epsilon(out, get(), delta); });
    }
    double delta(double epsilon) const {
        return detail::number<double>(
            [&](double *out) { return pvg_curve_delta(out, get(), epsilon); });
    }
    double renyi(double alpha) const {
        return detail::number<double>(
            [&](double *out) { return pvg_curve_renyi(out, get(), alpha); });
    }
    curve operator+(const curve &other) const {
        return detail::made<curve>(
            [&](pvg_curve **out) { return pvg_curve_compose(out, get(), other.get()); });
    }
    curve repeat(int64_t times) const {
        return detail::made<curve>(
            [&](pvg_curve **out) { return pvg_curve_repeat(out, get(), times); });
    }
    /* for `size` such changes at once */
    curve as_group(int64_t size) const {
        return detail::made<curve>(
            [&](pvg_curve **out) { return pvg_curve_group(out, get(), size); });
    }
    std::vector<pvg_curve_term> terms() const {
        std::vector<pvg_curve_term> out(std::size_t(pvg_curve_count(get())),
                                        detail::sized<pvg_curve_term>());
        for (std::size_t i = 0; i < out.size(); i++)
            check(pvg_curve_copy_term(&out[i], get(), int64_t(i)));
        return out;
    }
    /* The largest parameter of a kind that meets (epsilon, delta). */
    static double solve(pvg_curve_term term, double epsilon, double delta) {
        term.size = sizeof term;
        return detail::number<double>(
            [&](double *out) { return pvg_curve_solve(out, &term, epsilon, delta); });
    }
    /* By the published conversion, for comparison. */
    static double solve_published(pvg_curve_term term, double epsilon, double delta) {
        term.size = sizeof term;
        return detail::number<double>([&](double *out) {
            return pvg_curve_solve_published(out, &term, epsilon, delta);
        });
    }
    static double epsilon_published(pvg_curve_term term, double delta) {
        term.size = sizeof term;
        return detail::number<double>(
            [&](double *out) { return pvg_curve_epsilon_published(out, &term, delta); });
    }
};

/* What a list of releases, fixed beforehand, loses together; composed exactly. */
class pld : public detail::handle<pvg_pld, pvg_pld_free> {
  public:
    pld() = default;
    /* One part of any kind, PVG_LOSS_*; its size is filled in. */
    explicit pld(pvg_pld_part part) {
        part.size = sizeof part;
        reset_from([&](pvg_pld **out) { return pvg_pld_new(out, &part); });
    }
    static pld pure(double epsilon, int64_t times = 1) {
        pvg_pld_part part = pvg_pld_part();
        part.kind = PVG_PLD_PURE;
        part.epsilon = epsilon;
        part.times = times;
        return pld(part);
    }
    static pld gaussian(double mu, int64_t times = 1) {
        pvg_pld_part part = pvg_pld_part();
        part.kind = PVG_PLD_GDP;
        part.mu = mu;
        part.times = times;
        return pld(part);
    }
    /* What a curve states, as a list that was fixed beforehand. */
    static pld of_curve(const curve &from) {
        return detail::made<pld>(
            [&](pvg_pld **out) { return pvg_curve_pld(out, from.get()); });
    }
    pld operator+(const pld &other) const {
        return detail::made<pld>(
            [&](pvg_pld **out) { return pvg_pld_compose(out, get(), other.get()); });
    }
    /* Different parts of the list. */
    int64_t count() const noexcept {
        return pvg_pld_count(get());
    }
    double epsilon(double delta) const {
        return detail::number<double>(
            [&](double *out) { return pvg_pld_epsilon(out, get(), delta, nullptr); });
    }
    double delta(double epsilon) const {
        return detail::number<double>(
            [&](double *out) { return pvg_pld_delta(out, get(), epsilon, nullptr); });
    }
};

/* Of a law PVG_NOISE_*: the word for it (NULL if there is none), what it spends
 * (PVG_CURVE_*), the deviation of its noise. */
inline const char *noise_name(int32_t noise) noexcept {
    return pvg_noise_name(noise);
}
inline int32_t noise_curve(int32_t noise) noexcept {
    return pvg_noise_curve(noise);
}
inline double noise_deviation(int32_t noise, double scale, double sensitivity) noexcept {
    return pvg_noise_deviation(noise, scale, sensitivity);
}

/* The word for PVG_ALLOCATION_*; NULL if there is none. */
inline const char *allocation_name(int32_t allocation) noexcept {
    return pvg_allocation_name(allocation);
}

/* Noise for a vector, calibrated to a budget; all of it public. */
class mechanism : public detail::handle<pvg_mechanism, pvg_mechanism_free> {
  public:
    mechanism() = default;
    /* low and high empty: 0 and 1; weights empty: all 1. */
    mechanism(const target &budget, span<double> sensitivities, span<double> low = {},
              span<double> high = {}, span<double> weights = {}) {
        for (const span<double> *one : {&low, &high, &weights})
            detail::need(one->empty() || one->size() == sensitivities.size(),
                         "mechanism: not one number for each sensitivity");
        reset_from([&](pvg_mechanism **out) {
            return pvg_mechanism_new(out, &budget, sensitivities.data(), low.or_null(),
                                     high.or_null(), weights.or_null(),
                                     int64_t(sensitivities.size()));
        });
    }
    /* For a vector whose private change is bounded as a whole. */
    mechanism(const target &budget, pvg_joint_config config) {
        config.size = sizeof config;
        reset_from([&](pvg_mechanism **out) {
            return pvg_mechanism_new_joint(out, &budget, &config);
        });
    }
    int64_t dimension() const noexcept {
        return pvg_mechanism_dimension(get());
    }
    int32_t noise() const noexcept {
        return pvg_mechanism_noise(get());
    }
    bool allows_seeded() const noexcept {
        return pvg_mechanism_allows_seeded(get()) == 1;
    }
    curve spends() const {
        return detail::made<curve>(
            [&](pvg_curve **out) { return pvg_mechanism_curve(out, get()); });
    }
    /* What it adds to a list: its law, where that tells less than its curve. */
    privgraph::pld pld() const {
        return detail::made<privgraph::pld>(
            [&](pvg_pld **out) { return pvg_mechanism_pld(out, get()); });
    }
    double epsilon(double delta) const {
        return detail::number<double>(
            [&](double *out) { return pvg_mechanism_epsilon(out, get(), delta); });
    }
    std::vector<double> grid() const {
        return detail::filled<double>(std::size_t(dimension()), [&](double *out) {
            return pvg_mechanism_copy_grid(out, get());
        });
    }
    std::vector<double> scales() const {
        return detail::filled<double>(std::size_t(dimension()), [&](double *out) {
            return pvg_mechanism_copy_scale(out, get());
        });
    }
    const char *claim() const noexcept {
        return pvg_mechanism_claim(get());
    }
};

/* The least deviation of Gaussian noise for L2 sensitivity 1. */
inline double gaussian_sigma(double epsilon, double delta) {
    return detail::number<double>(
        [&](double *out) { return pvg_gaussian_sigma(out, epsilon, delta); });
}
/* mu of the last state of a noisy iteration: one Lipschitz constant, or one each. */
inline double contractive_mu(double gamma, span<double> shifts, span<double> scales) {
    detail::need(shifts.size() == scales.size(), "contractive_mu: lengths differ");
    return detail::number<double>([&](double *out) {
        return pvg_contractive_mu(out, gamma, shifts.data(), scales.data(),
                                  int64_t(shifts.size()));
    });
}
inline double contractive_mu(span<double> gammas, span<double> shifts,
                             span<double> scales) {
    detail::need(shifts.size() == gammas.size() && scales.size() == gammas.size(),
                 "contractive_mu: lengths differ");
    return detail::number<double>([&](double *out) {
        return pvg_contractive_mu_layers(out, gammas.data(), shifts.data(), scales.data(),
                                         int64_t(gammas.size()));
    });
}
inline double contractive_shift(span<double> gammas, span<double> shifts) {
    detail::need(shifts.size() == gammas.size(), "contractive_shift: lengths differ");
    return detail::number<double>([&](double *out) {
        return pvg_contractive_shift(out, gammas.data(), shifts.data(),
                                     int64_t(gammas.size()));
    });
}

/* beta for smooth noise, by a smooth sensitivity at a public reference. */
struct smooth_choice {
    double beta = 0.0, rho = 0.0, noise = 0.0;
};
inline smooth_choice choose_smooth(const target &budget, int64_t dimension,
                                   const std::function<double(double)> &reference) {
    struct asked {
        const std::function<double(double)> *reference;
        std::exception_ptr thrown;
        static int32_t ask(void *context, double beta, double *out) {
            asked *own = static_cast<asked *>(context);
            try {
                *out = (*own->reference)(beta);
                return PVG_OK;
            } catch (...) { /* must not cross C */
                own->thrown = std::current_exception();
                return PVG_E_CANCELLED;
            }
        }
    } context{&reference, nullptr};
    smooth_choice found;
    const int32_t status = pvg_smooth_choose(&found.beta, &found.rho, &found.noise,
                                             &budget, dimension, &asked::ask, &context);
    if (context.thrown) std::rethrow_exception(context.thrown);
    check(status);
    return found;
}

class guarantee;

class ledger : public detail::handle<pvg_ledger, pvg_ledger_free> {
  public:
    ledger() = default;
    /* All settings, method and order among them; config.size is filled in. */
    explicit ledger(pvg_ledger_config config) {
        config.size = sizeof config;
        reset_from([&](pvg_ledger **out) { return pvg_ledger_new(out, &config); });
    }
    static ledger create(const std::string &path, pvg_ledger_config config) {
        config.size = sizeof config;
        ledger made;
        made.reset_from([&](pvg_ledger **out) {
            return pvg_ledger_create(out, path.c_str(), &config);
        });
        return made;
    }
    ledger(int32_t notion, double epsilon, double delta = 1e-6) {
        const pvg_ledger_config config = config_of(notion, epsilon, delta);
        reset_from([&](pvg_ledger **out) { return pvg_ledger_new(out, &config); });
    }
    static ledger create(const std::string &path, int32_t notion, double epsilon,
                         double delta = 1e-6) {
        const pvg_ledger_config config = config_of(notion, epsilon, delta);
        ledger made;
        made.reset_from([&](pvg_ledger **out) {
            return pvg_ledger_create(out, path.c_str(), &config);
        });
        return made;
    }
    /* Opens the one in the file, which must have this budget, or makes it there. */
    static ledger open_or_create(const std::string &path, pvg_ledger_config config) {
        config.size = sizeof config;
        ledger made;
        made.reset_from([&](pvg_ledger **out) {
            return pvg_ledger_open_or_create(out, path.c_str(), &config);
        });
        return made;
    }
    static ledger open_or_create(const std::string &path, int32_t notion, double epsilon,
                                 double delta = 1e-6) {
        return open_or_create(path, config_of(notion, epsilon, delta));
    }
    static ledger open(const std::string &path) {
        ledger made;
        made.reset_from(
            [&](pvg_ledger **out) { return pvg_ledger_open(out, path.c_str()); });
        return made;
    }
    /* The random number that the ledger and its file have: high and low half. */
    std::pair<uint64_t, uint64_t> identity() const {
        std::pair<uint64_t, uint64_t> out;
        check(pvg_ledger_copy_identity(&out.first, &out.second, get()));
        return out;
    }
    /* To read it: nothing is written, and a copy will do. */
    static ledger open_readonly(const std::string &path) {
        ledger made;
        made.reset_from([&](pvg_ledger **out) {
            return pvg_ledger_open_readonly(out, path.c_str());
        });
        return made;
    }
    /* Makes a copy the ledger itself: who calls it says that no charge is missing in this
     * file and that no other one will be charged. witness: a new one; empty: as it
     * was. */
    static void claim(const std::string &path, const std::string &witness = "") {
        check(
            pvg_ledger_claim(path.c_str(), witness.empty() ? nullptr : witness.c_str()));
    }
    /* A second file, on other storage, that every charge needs from now on. */
    void add_witness(const std::string &path) {
        check(pvg_ledger_add_witness(get(), path.c_str()));
    }
    /* The number of an object from its name. */
    static uint64_t object(const std::string &name) noexcept {
        return pvg_ledger_object(name.c_str());
    }
    /* Whether a name looks like one of several snapshots: warn who chose it. */
    static bool object_is_snapshot(const std::string &name) noexcept {
        return pvg_ledger_object_is_snapshot(name.c_str()) == 1;
    }
    pvg_ledger_config settings() const {
        pvg_ledger_config out = detail::sized<pvg_ledger_config>();
        check(pvg_ledger_copy_config(&out, get()));
        return out;
    }
    /* Charges each of the objects, all or none; draws with a payment do this themselves.
     */
    void charge(const std::vector<uint64_t> &objects, const guarantee &promise) const;
    /* Whether that charge fits now. */
    bool fits(const std::vector<uint64_t> &objects, const guarantee &promise) const;
    /* The largest parameter one more term could have: mu of GDP, epsilon of PURE, else
     * rho. term gives the kind; its size is filled in. */
    double remaining(uint64_t object, pvg_curve_term term) const {
        double out = 0.0;
        term.size = sizeof term;
        check(pvg_ledger_remaining(&out, get(), object, &term));
        return out;
    }
    /* Objects in the order of their first charge. */
    std::vector<uint64_t> objects() const {
        std::vector<uint64_t> out(std::size_t(pvg_ledger_object_count(get())));
        for (std::size_t i = 0; i < out.size(); i++)
            check(pvg_ledger_object_at(&out[i], get(), int64_t(i)));
        return out;
    }
    /* Charges of an object, and of all (a batch is one). */
    int64_t charges(uint64_t object) const {
        int64_t out = 0;
        check(pvg_ledger_curve(nullptr, &out, get(), object));
        return out;
    }
    int64_t charges() const noexcept {
        return pvg_ledger_charge_count(get());
    }
    /* Their composition; an empty handle if there are none. */
    curve spends(uint64_t object) const {
        int64_t count = 0;
        return detail::made<curve>([&](pvg_curve **out) {
            return pvg_ledger_curve(out, &count, get(), object);
        });
    }
    double spent(uint64_t object, double delta) const {
        double out = 0.0;
        check(pvg_ledger_spent(&out, get(), object, delta));
        return out;
    }
    std::string json() const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_ledger_copy_json(out, capacity, length, get());
        });
    }
    /* Keeps a name, of one object or of a set of `count`, for those who read the file. */
    void name(const std::string &text, int64_t count = 1) {
        check(pvg_ledger_name(get(), text.c_str(), count));
    }
    /* That of an object that was charged; empty if none was kept. */
    std::string name_of(uint64_t object) const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_ledger_copy_name(out, capacity, length, get(), object);
        });
    }
    /* Bytes of an unfinished charge that opening cut off. */
    int64_t torn_bytes() const noexcept {
        return pvg_ledger_torn_bytes(get());
    }
    /* One record for each object in the place of one for each charge. */
    void compact() {
        check(pvg_ledger_compact(get()));
    }
    /* What state a file is in (PVG_LEDGER_*), and what was found, in lines. */
    static std::pair<int32_t, std::string> verify(const std::string &path) {
        int32_t condition = PVG_LEDGER_LOST;
        std::string text =
            detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
                return pvg_ledger_verify(out, capacity, length, &condition, path.c_str());
            });
        return {condition, text};
    }
    /* Repairs a file if no charge is forgotten by it; as it was it is kept as `copy`. */
    static void repair(const std::string &path, const std::string &copy) {
        check(pvg_ledger_repair(path.c_str(), copy.c_str()));
    }

  private:
    static pvg_ledger_config config_of(int32_t notion, double epsilon, double delta) {
        pvg_ledger_config config = detail::sized<pvg_ledger_config>();
        config.notion = notion;
        config.epsilon = epsilon;
        config.delta = delta;
        return config;
    }
};

namespace detail {

/* A ledger that was moved from, or never made, must not mean that nobody pays. */
inline pvg_ledger *opened(const ledger &book) {
    need(bool(book), "ledger: it is empty, and nobody would pay");
    return book.get();
}

} // namespace detail

/* --- guarantees -------------------------------------------------------------------- */

/* Of a notion PVG_NOTION_*: its name, and whether its budget pays for another. */
inline const char *notion_name(int32_t notion) noexcept {
    return pvg_notion_name(notion);
}
inline bool notion_pays(int32_t budget, int32_t notion) noexcept {
    return pvg_notion_pays(budget, notion) != 0;
}

/* Values that are said to be those of a release. */
struct released : pvg_released {
    released() : pvg_released(detail::sized<pvg_released>()) {}
    released(span<double> numbers, int64_t columns_) : released() {
        detail::need(columns_ > 0 && numbers.size() % std::size_t(columns_) == 0,
                     "released: values are not rows of so many columns");
        values = numbers.data();
        columns = columns_;
        rows = int64_t(numbers.size()) / columns_;
    }
    released(span<int64_t> offsets_, span<int32_t> targets_) : released() {
        detail::need(!offsets_.empty() &&
                         offsets_[offsets_.size() - 1] == int64_t(targets_.size()),
                     "released: offsets are not those of the targets");
        offsets = offsets_.data();
        targets = targets_.data();
        users = int64_t(offsets_.size()) - 1;
    }
    explicit released(const privgraph::graph &it) : released() {
        graph = it.get();
    }
    explicit released(const graphset &it) : released() {
        set = it.get();
    }
    explicit released(const privgraph::features &it) : released() {
        features = it.get();
    }
    explicit released(const privgraph::labels &it) : released() {
        labels = it.get();
    }
};

/* What a column of the numbers is. NaN: not told, because it is not one number or
 * private.
 */
struct column {
    std::string name, unit; /* unit: empty if there is nothing to say */
    double low, high;       /* of values before noise */
    double grid;            /* values and noise are multiples of it */
    double scale;           /* of the noise, as its law has it; 0: none */
};

/* What is promised. One that is lent must not outlive what lent it; those made here are
 * owned, and copies share them. */
class guarantee {
  public:
    explicit guarantee(const pvg_guarantee *lent) noexcept : lent_(lent) {}
    /* In the caller's words, for something drawn by other means. */
    static guarantee state(int32_t notion, const curve &spent, const std::string &words) {
        return owned([&](pvg_guarantee **out) {
            return pvg_guarantee_state(out, notion, spent.get(), words.c_str());
        });
    }
    /* From the JSON of a record, which is taken at its word. */
    static guarantee parse(const std::string &json) {
        return owned([&](pvg_guarantee **out) {
            return pvg_guarantee_parse(out, json.data(), json.size());
        });
    }
    /* Runs a function that makes a guarantee, and owns it. */
    template <typename Build> static guarantee owned(Build &&build) {
        detail::handle<pvg_guarantee, pvg_guarantee_free> one;
        one.reset_from(build);
        guarantee made(one.get());
        made.owned_ = std::shared_ptr<const pvg_guarantee>(one.get(), &drop);
        one.disown();
        return made;
    }
    /* What several releases about one object spend together; a draw counts once. */
    static curve compose(const std::vector<guarantee> &all) {
        std::vector<const pvg_guarantee *> raw;
        for (const guarantee &one : all) raw.push_back(one.get());
        return detail::made<curve>([&](pvg_curve **out) {
            return pvg_guarantee_compose(out, raw.data(), int64_t(raw.size()));
        });
    }
    const pvg_guarantee *get() const noexcept {
        return lent_;
    }
    /* Whether the noise came from a seeded generator; rows drawn, 0 before the draw. */
    bool is_seeded() const noexcept {
        return pvg_guarantee_seeded(lent_) == 1;
    }
    int64_t rows() const noexcept {
        return pvg_guarantee_rows(lent_);
    }
    /* Columns that are described; 0 if it is not about numbers. */
    int64_t columns() const noexcept {
        return pvg_guarantee_columns(lent_);
    }
    /* One of them, for objects of `order` nodes (0: where that is the same for all). */
    privgraph::column column(int64_t index, int64_t order = 0) const {
        pvg_column raw = detail::sized<pvg_column>();
        check(pvg_guarantee_copy_column(&raw, lent_, index, order));
        const auto word = [&](decltype(&pvg_guarantee_copy_column_name) copy) {
            return detail::text(
                [&](char *out, std::size_t capacity, std::size_t *length) {
                    return copy(out, capacity, length, lent_, index);
                });
        };
        return {word(pvg_guarantee_copy_column_name),
                word(pvg_guarantee_copy_column_unit),
                raw.low,
                raw.high,
                raw.grid,
                raw.scale};
    }
    /* The query that it answers, as text; empty if it answers none. */
    std::string query() const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_guarantee_copy_query(out, capacity, length, lent_);
        });
    }
    /* What all draws behind it promise together about a notion, and about one object
     * (left out: whichever it is). */
    guarantee about(int32_t notion) const {
        return owned([&](pvg_guarantee **out) {
            return pvg_guarantee_about(out, lent_, notion, nullptr);
        });
    }
    guarantee about(int32_t notion, uint64_t object) const {
        return owned([&](pvg_guarantee **out) {
            return pvg_guarantee_about(out, lent_, notion, &object);
        });
    }
    /* By which a draw is known again: high and low half. */
    std::pair<std::vector<double>, std::vector<double>>
    interval(const std::vector<double> &row, double confidence, int64_t order = 0) const {
        std::pair<std::vector<double>, std::vector<double>> out{
            std::vector<double>(row.size()), std::vector<double>(row.size())};
        check(pvg_guarantee_interval(out.first.data(), out.second.data(), lent_,
                                     row.data(), int64_t(row.size()), order, confidence));
        return out;
    }
    std::pair<uint64_t, uint64_t> id() const {
        std::pair<uint64_t, uint64_t> out;
        check(pvg_guarantee_copy_id(&out.first, &out.second, lent_));
        return out;
    }
    std::string claim() const {
        const char *found = pvg_guarantee_claim(lent_);
        return found ? found : "";
    }
    /* Whether these are the values that were drawn under it, bit by bit. */
    bool verify(const released &values) const {
        return detail::number<int32_t>([&](int32_t *out) {
                   return pvg_release_verify(out, lent_, &values);
               }) == 1;
    }
    bool holds() const noexcept {
        return pvg_guarantee_holds(lent_) == 1;
    }
    int32_t notion() const noexcept {
        return pvg_guarantee_notion(lent_);
    }
    double delta() const noexcept {
        return pvg_guarantee_delta(lent_);
    }
    double epsilon(double delta) const {
        double out = 0.0;
        check(pvg_guarantee_epsilon(&out, lent_, delta));
        return out;
    }
    curve spends() const {
        curve made;
        made.reset_from([&](pvg_curve **out) { return pvg_guarantee_curve(out, lent_); });
        return made;
    }
    /* What so many changes at once still get. */
    curve group(int64_t size) const {
        curve made;
        made.reset_from(
            [&](pvg_curve **out) { return pvg_guarantee_group(out, lent_, size); });
        return made;
    }
    std::string json() const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_guarantee_copy_json(out, capacity, length, lent_);
        });
    }
    std::string words() const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_guarantee_copy_text(out, capacity, length, lent_);
        });
    }

  private:
    static void drop(const pvg_guarantee *one) {
        pvg_guarantee_free(const_cast<pvg_guarantee *>(one));
    }
    const pvg_guarantee *lent_;
    std::shared_ptr<const pvg_guarantee> owned_;
};

inline void ledger::charge(const std::vector<uint64_t> &objects,
                           const guarantee &promise) const {
    check(
        pvg_ledger_charge(get(), objects.data(), int64_t(objects.size()), promise.get()));
}

inline bool ledger::fits(const std::vector<uint64_t> &objects,
                         const guarantee &promise) const {
    int32_t out = 0;
    check(pvg_ledger_fits(&out, get(), objects.data(), int64_t(objects.size()),
                          promise.get()));
    return out == 1;
}

/* --- releases -------------------------------------------------------------------- */

class query;
class input;
class dataset;
class named_input;

/* Something that may be published, with its guarantee. */
class release : public detail::handle<pvg_release, pvg_release_free> {
  public:
    release() = default;
    /* Answers a query; the target of the query says whether a seeded generator will
     * do. */
    static release draw(const query &asked, const input &of, const rng &random,
                        const run &how = run());
    /* The same, paid for by a ledger: the object that pays has a name or number. */
    static release draw(const query &asked, const named_input &of, const rng &random,
                        const ledger &book, const run &how = run());
    static expected<release> draw(std::nothrow_t, const query &asked, const input &of,
                                  const rng &random, const run &how = run()) noexcept;
    static expected<release> draw(std::nothrow_t, const query &asked,
                                  const named_input &of, const rng &random,
                                  const ledger &book, const run &how = run()) noexcept;
    /* The common case: query and budget as text, with a secure generator. */
    static release draw(const std::string &text, const input &of, const run &how = run());
    static release draw(const std::string &text, const named_input &of,
                        const ledger &book, const run &how = run());
    /* Rows of numbers made from releases and public numbers, by the host; words say how.
     * Nothing is paid: the draws behind the sources count once each. */
    static release derive(span<double> values, int64_t columns,
                          const std::vector<const release *> &sources,
                          const std::string &words) {
        detail::need(columns > 0 && values.size() % std::size_t(columns) == 0,
                     "derive: values are not rows of so many columns");
        std::vector<const pvg_release *> raw;
        for (const release *one : sources) raw.push_back(one->get());
        return detail::made<release>([&](pvg_release **out) {
            return pvg_release_derive(
                out, values.data(), int64_t(values.size()) / columns, columns, raw.data(),
                int64_t(raw.size()), detail::c_text(words));
        });
    }
    /* One part of a joined query that was drawn here: the same draw. */
    release select(int64_t part) const {
        return detail::made<release>(
            [&](pvg_release **out) { return pvg_release_select(out, get(), part); });
    }
    /* Layers whose weights are its numbers: depth square matrices, one below the other.
     * A query with them composes this draw with its own. */
    layers layers_of(pvg_layers_config config) const {
        config.size = sizeof config;
        return detail::made<layers>([&](pvg_layers **out) {
            return pvg_layers_from_release(out, &config, get());
        });
    }
    /* PVG_HOLDS_*: what is in it. */
    uint32_t holds() const noexcept {
        return pvg_release_holds(get());
    }
    int64_t rows() const noexcept {
        return pvg_release_rows(get());
    }
    int64_t columns() const noexcept {
        return pvg_release_columns(get());
    }
    /* Numbers, row by row. */
    span<double> values() const && = delete;
    span<double> values() const & {
        const double *data = nullptr;
        check(pvg_release_view(&data, get()));
        return {data, std::size_t(rows()) * std::size_t(columns())};
    }
    span<double> row(int64_t index) const && = delete;
    span<double> row(int64_t index) const & {
        detail::need(index >= 0 && index < rows(), "release: there is no such row");
        return {values().data() + index * columns(), std::size_t(columns())};
    }
    /* Error bars of all numbers, row by row: low and high ends, at that confidence.
     * orders:
     * nodes of the graph of each row, of a set of graphs of different orders. */
    std::pair<std::vector<double>, std::vector<double>>
    interval(double confidence, const std::vector<int64_t> &orders = {}) const {
        const std::size_t cells = std::size_t(rows()) * std::size_t(columns());
        detail::need(orders.empty() || int64_t(orders.size()) == rows(),
                     "release: orders are not one for each row");
        std::pair<std::vector<double>, std::vector<double>> out{
            std::vector<double>(cells), std::vector<double>(cells)};
        check(pvg_release_interval(out.first.data(), out.second.data(), get(),
                                   orders.empty() ? nullptr : orders.data(), confidence));
        return out;
    }
    /* A released graph, the graphs of a set, sparse features (differences to the middle
     * of the range): lent, to be used as any. */
    lent<graph> view_graph() const && = delete;
    lent<graph> view_graph() const & {
        const pvg_graph *found = nullptr;
        check(pvg_release_view_graph(&found, get()));
        return lent<graph>(found);
    }
    lent<graphset> view_graphs() const && = delete;
    lent<graphset> view_graphs() const & {
        const pvg_graphset *found = nullptr;
        check(pvg_release_view_graphs(&found, get()));
        return lent<graphset>(found);
    }
    lent<features> view_features() const && = delete;
    lent<features> view_features() const & {
        const pvg_features *found = nullptr;
        check(pvg_release_view_features(&found, get()));
        return lent<features>(found);
    }
    /* Edges of a released graph, as pairs of a smaller and a larger node. */
    std::vector<std::pair<int64_t, int64_t>> edges() const {
        return view_graph()->edges();
    }
    /* Released lists: where each begins, and their entries. */
    std::pair<span<int64_t>, span<int32_t>> lists() const && = delete;
    std::pair<span<int64_t>, span<int32_t>> lists() const & {
        const int64_t *offsets = nullptr;
        const int32_t *targets = nullptr;
        int64_t count = 0;
        check(pvg_release_view_lists(&offsets, &targets, &count, get()));
        return {span<int64_t>(offsets, std::size_t(count) + 1),
                span<int32_t>(targets, std::size_t(offsets[count]))};
    }
    /* Released list of one user. */
    span<int32_t> list(int64_t user) const && = delete;
    span<int32_t> list(int64_t user) const & {
        const auto all = lists();
        detail::need(user >= 0 && user + 1 < int64_t(all.first.size()),
                     "release: there is no such user");
        const int64_t *at = all.first.data() + user;
        return {all.second.data() + at[0], std::size_t(at[1] - at[0])};
    }
    span<int32_t> labels() const && = delete;
    span<int32_t> labels() const & {
        const int32_t *data = nullptr;
        int64_t count = 0;
        check(pvg_release_view_labels(&data, &count, get()));
        return {data, std::size_t(count)};
    }
    /* One file with values and record, which appears complete or not at all. */
    void save(const std::string &path) const {
        check(pvg_release_save(path.c_str(), get()));
    }
    /* The record is taken at its word. */
    static release load(const std::string &path) {
        return detail::made<release>(
            [&](pvg_release **out) { return pvg_release_load(out, path.c_str()); });
    }
    bool is_loaded() const noexcept {
        return pvg_release_loaded(get()) == 1;
    }
    guarantee promise() const && = delete;
    guarantee promise() const & {
        return guarantee(pvg_release_guarantee(get()));
    }
    /* False for a seeded generator or a published method whose proof does not hold. */
    bool publishable() const noexcept {
        return pvg_guarantee_holds(pvg_release_guarantee(get())) == 1;
    }
    int32_t notion() const noexcept {
        return pvg_guarantee_notion(pvg_release_guarantee(get()));
    }
    double epsilon(double delta) const {
        return promise().epsilon(delta);
    }
    curve spends() const {
        return promise().spends();
    }
    std::string json() const {
        return promise().json();
    }
    std::string words() const {
        return promise().words();
    }
};

/* Noise, range and verdict for each number of a release, before anything is spent. */
class preview : public detail::handle<pvg_preview, pvg_preview_free> {
  public:
    preview() = default;
    int64_t count() const noexcept {
        return pvg_preview_count(get());
    }
    /* Lines that can be learned about; 0: nothing can at this budget. */
    int64_t informative() const noexcept {
        return pvg_preview_informative(get());
    }
    pvg_preview_line line(int64_t index) const {
        pvg_preview_line out = detail::sized<pvg_preview_line>();
        check(pvg_preview_copy_line(&out, get(), index));
        return out;
    }
    /* What it is about: the pattern, or the name of the number. */
    std::string name(int64_t index) const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_preview_copy_name(out, capacity, length, get(), index);
        });
    }
    std::string json() const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_preview_copy_json(out, capacity, length, get());
        });
    }
};

/* A number and the variance of its error. */
struct estimate {
    double value = 0.0, variance = 0.0;
};
struct estimates {
    std::vector<double> values, variances;
};

/* Directions of things that are had together: weights.size() rows of `things` numbers. */
struct directions_of_lists {
    int64_t things = 0;
    std::vector<double> vectors, weights;
};

/* For the owner of a list, on her own device: up to `count` things (places) that go best
 * with her own ones, best first. For her alone: it says what is on her list, and may not
 * be stored centrally, ranked on or scored. */
inline std::vector<int32_t> recommend_own(const directions_of_lists &from,
                                          span<int32_t> own, std::size_t count) {
    detail::need(from.vectors.size() == from.weights.size() * std::size_t(from.things),
                 "recommend_own: vectors are not one row for each weight");
    std::vector<int32_t> out = detail::filled<int32_t>(count, [&](int32_t *places) {
        return pvg_recommend_own(places, nullptr, int64_t(count), from.vectors.data(),
                                 from.weights.data(), int64_t(from.weights.size()),
                                 from.things, own.data(), int64_t(own.size()));
    });
    while (!out.empty() && out.back() < 0) out.pop_back();
    return out;
}

/* --- queries ----------------------------------------------------------------------- */

/* Public arrays and handles of a query; empty: left out. They are lent until the query is
 * made. Known without the private data, or made from `sources`. */
struct arguments {
    int64_t order = 0; /* nodes; 0: as many as kinds, groups or priorities has */
    span<int32_t> kinds, groups;           /* of each node; -1: none */
    span<double> priorities, similarities; /* of each node; of each pair */
    span<double> weights;                  /* rows of weight_columns */
    int64_t weight_columns = 0;
    span<double> low, high; /* one for each column, or one for all */
    span<int32_t> things;   /* of lists, which are looked at; distinct */
    const privgraph::patterns *patterns = nullptr;
    const privgraph::layers *layers = nullptr;
    std::vector<const release *> sources;

    arguments() {} /* not from numbers in braces, which are a target */
    /* Lends the C struct to a call; arrays of other lengths than it says are refused. */
    template <typename Call> int32_t lend(Call &&call) const {
        pvg_arguments raw = detail::sized<pvg_arguments>();
        const std::size_t told = !kinds.empty()    ? kinds.size()
                                 : !groups.empty() ? groups.size()
                                                   : priorities.size();
        raw.order = order != 0 ? order : int64_t(told);
        const uint64_t nodes = raw.order > 0 ? uint64_t(raw.order) : 0;
        detail::need(of(kinds, nodes) && of(groups, nodes) && of(priorities, nodes) &&
                         (similarities.empty() || (nodes < uint64_t(1) << 31 &&
                                                   similarities.size() == nodes * nodes)),
                     "arguments: not one entry for each node or pair");
        detail::need(weights.empty()
                         ? weight_columns == 0
                         : weight_columns > 0 &&
                               weights.size() % std::size_t(weight_columns) == 0,
                     "arguments: weights are not rows of weight_columns");
        detail::need(low.size() == high.size(),
                     "arguments: low and high differ in length");
        raw.kinds = kinds.or_null();
        raw.groups = groups.or_null();
        raw.priorities = priorities.or_null();
        raw.similarities = similarities.or_null();
        raw.weights = weights.or_null();
        raw.weight_columns = weight_columns;
        raw.weight_rows = weights.empty() ? 0 : int64_t(weights.size()) / weight_columns;
        raw.low = low.or_null();
        raw.high = high.or_null();
        raw.ranges = int64_t(low.size());
        raw.things = things.or_null();
        raw.thing_count = int64_t(things.size());
        raw.patterns = patterns ? patterns->get() : nullptr;
        raw.layers = layers ? layers->get() : nullptr;
        std::vector<const pvg_release *> made_from;
        for (const release *one : sources) made_from.push_back(one->get());
        raw.sources = made_from.empty() ? nullptr : made_from.data();
        raw.source_count = int64_t(made_from.size());
        return call(&raw);
    }

  private:
    template <typename T> static bool of(span<T> values, uint64_t count) {
        return values.empty() || values.size() == count;
    }
};

/* What a query is asked of: exactly what it reads. Handles must outlive it, so
 * temporaries are not taken; names and lists are copied. Every function gives a changed
 * copy. */
class input {
  public:
    explicit input(const graph &it) noexcept : graph_(it.get()) {}
    explicit input(const graphset &it) noexcept : set_(it.get()) {}
    explicit input(const features &it) noexcept : features_(it.get()) {}
    explicit input(const labels &it) noexcept : labels_(it.get()) {}
    explicit input(const lists &it) noexcept : lists_(it.get()) {}
    explicit input(const dataset &it) noexcept; /* privgraph-learn.hpp */
    explicit input(const graph &&) = delete;
    explicit input(const graphset &&) = delete;
    explicit input(const features &&) = delete;
    explicit input(const labels &&) = delete;
    explicit input(const lists &&) = delete;
    explicit input(const dataset &&) = delete;
    input with_features(const features &it) const {
        input next(*this);
        next.features_ = it.get();
        return next;
    }
    input with_labels(const labels &it) const {
        input next(*this);
        next.labels_ = it.get();
        return next;
    }
    input with_features(const features &&) const = delete;
    input with_labels(const labels &&) const = delete;
    /* Parts (PVG_DATA_*) that are public, or made from `sources`; of a dataset 0, and
     * what its private parts were made from. */
    input with_open(uint32_t parts,
                    const std::vector<const release *> &sources = {}) const {
        input next(*this);
        next.open_ = parts;
        next.sources_.clear();
        for (const release *one : sources) next.sources_.push_back(one->get());
        return next;
    }
    /* The private object has this name (graph i of a set: NAME:i), or these numbers: one,
     * or one for each graph of a set. What a ledger asks for; it is said last. */
    named_input named(const std::string &name) const;
    named_input numbered(const std::vector<uint64_t> &objects) const;
    /* The C struct, lent as long as this lives. */
    pvg_input lend() const && = delete;
    pvg_input lend() const & {
        pvg_input raw = detail::sized<pvg_input>();
        raw.open = open_;
        raw.graph = graph_;
        raw.set = set_;
        raw.features = features_;
        raw.labels = labels_;
        raw.lists = lists_;
        raw.dataset = dataset_;
        raw.object = name_.empty() ? nullptr : name_.c_str();
        raw.objects = objects_.empty() ? nullptr : objects_.data();
        raw.object_count = int64_t(objects_.size());
        raw.sources = sources_.empty()
                          ? nullptr
                          : const_cast<const pvg_release **>(sources_.data());
        raw.source_count = int64_t(sources_.size());
        return raw;
    }

  private:
    const pvg_graph *graph_ = nullptr;
    const pvg_graphset *set_ = nullptr;
    const pvg_features *features_ = nullptr;
    const pvg_labels *labels_ = nullptr;
    const pvg_lists *lists_ = nullptr;
    const pvg_dataset *dataset_ = nullptr;
    uint32_t open_ = 0;
    std::string name_;
    std::vector<uint64_t> objects_;
    std::vector<const pvg_release *> sources_;
};

/* An input that says which private object it is: no ledger takes another. */
class named_input : public input {
    friend class input;
    explicit named_input(input &&from) : input(std::move(from)) {}
};

inline named_input input::named(const std::string &name) const {
    detail::need(!name.empty(), "input: the name of the object is empty");
    detail::c_text(name);
    input next(*this);
    next.objects_.clear();
    next.name_ = name;
    return named_input(std::move(next));
}

inline named_input input::numbered(const std::vector<uint64_t> &objects) const {
    detail::need(!objects.empty(), "input: there are no numbers of objects");
    input next(*this);
    next.name_.clear();
    next.objects_ = objects;
    return named_input(std::move(next));
}

class query_builder;

/* What is asked of private data: a kind, its options, public arrays and a budget. Public;
 * release::draw answers it. The manual page privgraph-queries(7) lists kinds and options,
 * and so does query::kinds. */
class query : public detail::handle<pvg_query, pvg_query_free> {
  public:
    query() = default;
    /* From text such as "stars leaves=3 epsilon=1"; the budget is there or in
     * `budget`. */
    explicit query(const std::string &text, const arguments &with = arguments(),
                   const run &how = run()) {
        build(text, with, nullptr, how);
    }
    query(const std::string &text, const target &budget,
          const arguments &with = arguments(), const run &how = run()) {
        build(text, with, &budget, how);
    }
    /* Writes the text: query::of("stars").set("leaves", 3).epsilon(1). */
    static query_builder of(const std::string &kind);
    /* Several as one; their epsilons add. */
    static query join(const std::vector<const query *> &parts) {
        std::vector<pvg_query *> raw;
        for (const query *one : parts) raw.push_back(one->get());
        return detail::made<query>([&](pvg_query **out) {
            return pvg_query_join(out, raw.data(), int64_t(raw.size()));
        });
    }
    /* All kinds with their options, as JSON. */
    static std::string kinds() {
        return detail::text([](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_query_copy_kinds(out, capacity, length);
        });
    }

    /* With everything filled in; arrays stand there as digests. */
    std::string text() const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_query_copy_text(out, capacity, length, get());
        });
    }
    /* What it will do on `order` nodes (0: as it says), as JSON. */
    std::string json(int64_t order = 0) const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_query_copy_json(out, capacity, length, get(), order);
        });
    }
    /* Equal for equal queries: high and low half. */
    std::pair<uint64_t, uint64_t> id() const {
        std::pair<uint64_t, uint64_t> out;
        check(pvg_query_copy_id(&out.first, &out.second, get()));
        return out;
    }
    /* Columns of the numbers of one graph; 0 if it gives something else. */
    int64_t columns() const {
        return told("columns");
    }
    /* What one draw promises about objects of these orders; left out: as it says. */
    guarantee promise(span<int64_t> orders = {}) const {
        return guarantee::owned([&](pvg_guarantee **out) {
            return pvg_query_guarantee(out, get(), orders.or_null(),
                                       int64_t(orders.size()));
        });
    }
    /* Range, noise and verdict of each column for so many nodes or users (0: as it says).
     * common: a guess of what two nodes have in common, where noise follows it. brief: no
     * search for what would be enough. */
    privgraph::preview preview(int64_t order = 0, int64_t common = 0, bool brief = false,
                               const run &how = run()) const {
        pvg_preview_config config = detail::sized<pvg_preview_config>();
        config.order = order;
        config.common = common;
        config.brief = brief ? 1 : 0;
        return preview(config, how);
    }
    /* The same, with all that C has: a guess of the mean degree, too. Its size may be 0.
     */
    privgraph::preview preview(pvg_preview_config config, const run &how = run()) const {
        config.size = sizeof config;
        return detail::made<privgraph::preview>(
            how, [&](pvg_preview **out, const pvg_run *raw) {
                return pvg_query_preview(out, get(), &config, raw);
            });
    }
    /* Of embed: what graphs of these orders (none: as the query says) cost at most to
     * count: operations, and seconds on this machine. */
    std::pair<double, double> cost(span<int64_t> orders = {}) const {
        double seconds = 0;
        const double operations = detail::number<double>([&](double *out) {
            return pvg_query_cost(out, &seconds, get(),
                                  orders.size() > 0 ? orders.data() : nullptr,
                                  int64_t(orders.size()));
        });
        return {operations, seconds};
    }
    /* Of the noise of a row: columns x columns numbers. */
    std::vector<double> covariance(int64_t order = 0) const {
        const std::size_t count = std::size_t(columns());
        detail::need(count > 0, "covariance: the query gives no numbers");
        return detail::filled<double>(count * count, [&](double *out) {
            return pvg_query_covariance(out, get(), order);
        });
    }
    /* Of embed, for audits on public graphs: of each row of `values`, how much likelier
     * it is with the exact densities `second` than with `first`, as a logarithm. */
    std::vector<double> compare_exact(span<double> values, span<double> first,
                                      span<double> second, int64_t order) const {
        const std::size_t width = std::size_t(columns());
        detail::need(width > 0 && values.size() % width == 0 && first.size() <= width &&
                         first.size() + 1 >= width && first.size() == second.size(),
                     "compare_exact: values, first or second has another shape");
        return detail::filled<double>(values.size() / width, [&](double *out) {
            return pvg_query_compare_exact(out, values.data(),
                                           int64_t(values.size() / width), first.data(),
                                           second.data(), get(), order);
        });
    }
    /* PVG_DATA_* that it reads. */
    uint32_t reads() const noexcept {
        return pvg_query_reads(get());
    }
    /* Rows and columns of the numbers; 0 if it gives something else. */
    std::pair<int64_t, int64_t> shape(const input &of) const {
        const pvg_input raw = of.lend();
        std::pair<int64_t, int64_t> out;
        check(pvg_query_shape(&out.first, &out.second, get(), &raw));
        return out;
    }
    /* The numbers without noise. Must not be published. */
    std::vector<double> values_exact(const input &of, const run &how = run()) const {
        const pvg_input data = of.lend();
        const std::pair<int64_t, int64_t> cells = shape(of);
        return detail::filled<double>(
            std::size_t(cells.first) * std::size_t(cells.second), [&](double *out) {
                return how.call([&](const pvg_run *raw) {
                    return pvg_query_values_exact(out, get(), &data, raw);
                });
            });
    }

    /* From a release that answers this query; costs nothing. Of a query of degrees: a
     * graphical degree sequence of `order` nodes; sums of powers 0, 1, ... of the
     * degrees; densities of forests. */
    std::vector<int64_t> estimate_sequence(const release &from, int64_t order) const {
        detail::need(order > 0, "estimate_sequence: order is less than 1");
        return detail::filled<int64_t>(std::size_t(order), [&](int64_t *out) {
            return pvg_estimate_sequence(out, get(), from.get(), order);
        });
    }
    std::vector<double> estimate_moments(const release &from, std::size_t count,
                                         int64_t order = 0) const {
        return detail::filled<double>(count, [&](double *out) {
            return pvg_estimate_moments(out, int64_t(count), get(), from.get(), order);
        });
    }
    /* Of a query of capped edges: there are at least so many, with this confidence. Of
     * capped degrees: the noise, and how far they are from the geometric law of the same
     * mean, as shares of nodes. */
    double estimate_least_edges(const release &from, int64_t order = 0,
                                double confidence = 0.95, int64_t row = 0) const {
        double out = 0;
        check(pvg_estimate_least_edges(&out, row, confidence, get(), from.get(), order));
        return out;
    }
    std::pair<double, double> estimate_degree_law(const release &from) const {
        std::pair<double, double> out;
        check(pvg_estimate_degree_law(&out.first, &out.second, get(), from.get()));
        return out;
    }
    /* From a release about lists. Where each number lay before noise, low and high ends:
     * as interval, for sums of rows too. */
    std::pair<std::vector<double>, std::vector<double>>
    estimate_list_intervals(const release &from, double confidence = 0.95) const {
        const std::size_t cells = std::size_t(from.rows()) * std::size_t(from.columns());
        std::pair<std::vector<double>, std::vector<double>> out{
            std::vector<double>(cells + 1), std::vector<double>(cells + 1)};
        check(pvg_estimate_list_intervals(out.first.data(), out.second.data(), confidence,
                                          get(), from.get()));
        out.first.pop_back();
        out.second.pop_back();
        return out;
    }
    /* Of list-top with counts: nearer to the truth, as counts are known to fall. */
    std::vector<double> estimate_list_counts(const release &from) const {
        return detail::filled<double>(std::size_t(from.rows()), [&](double *out) {
            return pvg_estimate_list_counts(out, get(), from.get());
        });
    }
    /* Of list-pairs about so many things: directions in which they are had together, for
     * recommend_own. */
    directions_of_lists estimate_list_directions(const release &from, int64_t things,
                                                 int64_t most,
                                                 const run &how = run()) const {
        detail::need(things > 0 && most > 0, "estimate_list_directions: nothing asked");
        detail::need(from.rows() * from.columns() == things * (things - 1) / 2,
                     "estimate_list_directions: the release has not the pairs of so "
                     "many things");
        directions_of_lists out;
        int64_t found = 0;
        out.things = things;
        out.vectors.resize(std::size_t(most) * std::size_t(things));
        out.weights.resize(std::size_t(most));
        check(how.call([&](const pvg_run *raw) {
            return pvg_estimate_list_directions(out.vectors.data(), out.weights.data(),
                                                &found, most, get(), from.get(), raw);
        }));
        out.vectors.resize(std::size_t(found) * std::size_t(things));
        out.weights.resize(std::size_t(found));
        return out;
    }
    std::vector<double> estimate_densities(const privgraph::patterns &which,
                                           const release &from, int64_t order = 0) const {
        return detail::filled<double>(std::size_t(which.count()), [&](double *out) {
            return pvg_estimate_densities(out, which.get(), get(), from.get(), order);
        });
    }
    /* Of randomised response on pairs: edges, degrees and triangles of the private graph.
     */
    estimate estimate_edges(const release &from) const {
        estimate out;
        check(pvg_estimate_edges(&out.value, &out.variance, get(), from.get()));
        return out;
    }
    estimates estimate_degrees(const release &from) const {
        return each(std::size_t(from.view_graph()->order()),
                    [&](double *values, double *variances) {
                        return pvg_estimate_degrees(values, variances, get(), from.get());
                    });
    }
    estimate estimate_triangles(const release &from, const run &how = run()) const {
        estimate out;
        check(how.call([&](const pvg_run *raw) {
            return pvg_estimate_triangles(&out.value, &out.variance, get(), from.get(),
                                          raw);
        }));
        return out;
    }
    /* Of labels: users in each class, and the chance of each answer (column) given the
     * class (row). */
    estimates estimate_labels(const release &from) const {
        return each(std::size_t(told("classes")), [&](double *values, double *variances) {
            return pvg_estimate_labels(values, variances, get(), from.get());
        });
    }
    std::vector<double> transition() const {
        const std::size_t count = std::size_t(told("classes"));
        return detail::filled<double>(count * count, [&](double *out) {
            return pvg_estimate_transition(out, get());
        });
    }
    /* Of features: variance of a released number whose true value is `value`. */
    double variance(int64_t column, double value) const {
        return detail::number<double>([&](double *out) {
            return pvg_estimate_variance(out, get(), column, value);
        });
    }
    /* Of synthesis: a random graph with the released degrees, edges between blocks and
     * triangles. No edge of it is evidence of an edge. */
    graph synthesize(const release &from, const rng &random, double mixing = 0.0,
                     const run &how = run()) const {
        pvg_wiring_config config = detail::sized<pvg_wiring_config>();
        config.mixing = mixing;
        return detail::made<graph>(how, [&](pvg_graph **out, const pvg_run *raw) {
            return pvg_synthesis_graph(out, get(), from.get(), &config, random.get(),
                                       raw);
        });
    }

  private:
    void build(const std::string &text, const arguments &with, const target *budget,
               const run &how) {
        reset_from([&](pvg_query **out) {
            return with.lend([&](const pvg_arguments *arrays) {
                return how.call([&](const pvg_run *raw) {
                    return pvg_query_new(out, detail::c_text(text), arrays, budget, raw);
                });
            });
        });
    }
    /* A number of json(); 0 if it is not there. Quotes inside its strings are escaped. */
    int64_t told(const char *key) const {
        const std::string all = json(), mark = std::string(",\"") + key + "\":";
        const std::size_t at = all.find(mark);
        return at == std::string::npos ? 0 : std::stoll(all.substr(at + mark.size()));
    }
    template <typename Call> static estimates each(std::size_t count, Call &&call) {
        estimates out{{}, std::vector<double>(count + 1)};
        out.values = detail::filled<double>(
            count, [&](double *values) { return call(values, out.variances.data()); });
        out.variances.pop_back();
        return out;
    }
};

/* Writes the text of a query, option by option; the library says what is wrong with it.
 * Converts to the query. */
class query_builder {
  public:
    explicit query_builder(const std::string &kind) : text_(word(kind)) {}
    query_builder &set(const std::string &option, const std::string &value) {
        detail::need(option.find('=') == std::string::npos,
                     "query: an option has '=' in its name");
        text_ += " " + word(option) + "=" + word(value);
        return *this;
    }
    query_builder &set(const std::string &option, const char *value) {
        return set(option, std::string(value));
    }
    query_builder &set(const std::string &option, bool value) {
        return set(option, std::string(value ? "yes" : "no"));
    }
    query_builder &set(const std::string &option, double value) {
        char digits[40];
        for (int count = 15; count <= 17; count++) {
            std::snprintf(digits, sizeof digits, "%.*g", count, value);
            if (std::strtod(digits, nullptr) == value) break;
        }
        /* a point in every locale */
        std::string plain;
        for (const char *from = digits; *from; from++)
            if (std::strchr("0123456789+-abefinty", *from))
                plain += *from;
            else if (plain.empty() || plain.back() != '.')
                plain += '.';
        return set(option, plain);
    }
    template <typename T>
    typename std::enable_if<std::is_integral<T>::value, query_builder &>::type
    set(const std::string &option, T value) {
        return set(option, std::to_string(value));
    }
    query_builder &epsilon(double value) {
        return set("epsilon", value);
    }
    query_builder &delta(double value) {
        return set("delta", value);
    }
    /* Another part: the two become one joined query. */
    query_builder &join(const query_builder &other) {
        text_ += " + " + other.text_;
        return *this;
    }
    const std::string &text() const &noexcept {
        return text_;
    }
    std::string text() && {
        return std::move(text_);
    }
    query make(const arguments &with = arguments(), const run &how = run()) const {
        return query(text_, with, how);
    }
    query make(const target &budget, const arguments &with = arguments(),
               const run &how = run()) const {
        return query(text_, budget, with, how);
    }
    operator query() const {
        return make();
    }

  private:
    /* One word: what has a space inside would be several options. */
    static std::string word(const std::string &text) {
        for (const char letter : text)
            detail::need(letter > ' ' && letter != 0x7f,
                         "query: a kind, option or value is not one word");
        detail::need(!text.empty(), "query: a kind, option or value is empty");
        return text;
    }
    std::string text_;
};

inline query_builder query::of(const std::string &kind) {
    return query_builder(kind);
}

inline release release::draw(const query &asked, const input &of, const rng &random,
                             const run &how) {
    const pvg_input data = of.lend();
    return detail::made<release>(how, [&](pvg_release **out, const pvg_run *raw) {
        return pvg_release_draw(out, asked.get(), &data, random.get(), nullptr, raw);
    });
}

inline release release::draw(const query &asked, const named_input &of, const rng &random,
                             const ledger &book, const run &how) {
    const pvg_input data = of.lend();
    pvg_ledger *payer = detail::opened(book);
    return detail::made<release>(how, [&](pvg_release **out, const pvg_run *raw) {
        return pvg_release_draw(out, asked.get(), &data, random.get(), payer, raw);
    });
}

inline release release::draw(const std::string &text, const input &of, const run &how) {
    const pvg_input data = of.lend();
    return detail::made<release>(how, [&](pvg_release **out, const pvg_run *raw) {
        return pvg_release_draw_text(out, detail::c_text(text), &data, nullptr, raw);
    });
}

inline release release::draw(const std::string &text, const named_input &of,
                             const ledger &book, const run &how) {
    const pvg_input data = of.lend();
    pvg_ledger *payer = detail::opened(book);
    return detail::made<release>(how, [&](pvg_release **out, const pvg_run *raw) {
        return pvg_release_draw_text(out, detail::c_text(text), &data, payer, raw);
    });
}

inline expected<release> release::draw(std::nothrow_t, const query &asked,
                                       const input &of, const rng &random,
                                       const run &how) noexcept {
    return detail::attempt<release>(
        how, [&](const run &quiet) { return draw(asked, of, random, quiet); });
}

inline expected<release> release::draw(std::nothrow_t, const query &asked,
                                       const named_input &of, const rng &random,
                                       const ledger &book, const run &how) noexcept {
    return detail::attempt<release>(
        how, [&](const run &quiet) { return draw(asked, of, random, book, quiet); });
}

/* Several draws that are paid before the first; later queries may be chosen in view of
 * earlier outcomes. One thread at a time. Its ledgers must outlive pay(). */
class composition : public detail::handle<pvg_composition, pvg_composition_free> {
  public:
    composition() {
        reset_from(pvg_composition_new);
    }
    /* Sets so many draws of that guarantee aside, and says at which place. */
    int64_t add(const query &asked, const input &of, int64_t times = 1) {
        return place(asked, of, times, nullptr);
    }
    int64_t add(const query &asked, const named_input &of, int64_t times,
                const ledger &book) {
        return place(asked, of, times, detail::opened(book));
    }
    int64_t add(const query &asked, const named_input &of, int64_t times,
                const ledger &&book) = delete;
    /* What all of it promises about a notion. */
    guarantee promise(int32_t notion) const {
        return guarantee::owned([&](pvg_guarantee **out) {
            return pvg_composition_guarantee(out, get(), notion);
        });
    }
    /* All ledgers pay or none, once; nothing can be added afterwards. */
    void pay() {
        check(pvg_composition_pay(get()));
    }
    /* Draws at a place: what was added there, or a query that promises as much. */
    release draw(int64_t place, const input &of, const rng &random,
                 const run &how = run()) {
        return drawn(place, nullptr, of, random, how);
    }
    release draw(int64_t place, const query &instead, const input &of, const rng &random,
                 const run &how = run()) {
        detail::need(bool(instead), "composition: the query is empty");
        return drawn(place, instead.get(), of, random, how);
    }

  private:
    int64_t place(const query &asked, const input &of, int64_t times, pvg_ledger *payer) {
        const pvg_input data = of.lend();
        return detail::number<int64_t>([&](int64_t *out) {
            return pvg_composition_add(out, get(), asked.get(), &data, times, payer);
        });
    }
    release drawn(int64_t place, const pvg_query *asked, const input &of,
                  const rng &random, const run &how) {
        const pvg_input data = of.lend();
        return detail::made<release>(how, [&](pvg_release **out, const pvg_run *raw) {
            return pvg_composition_draw(out, get(), place, asked, &data, random.get(),
                                        raw);
        });
    }
};

/* Private data, their name and one budget: all that is released through it is charged
 * first. The same query again is the same draw, and spends nothing. With a path the
 * budget is kept in that file, which is made if it is missing; else it ends with the
 * session. The data must outlive it. One thread at a time. */
class session {
  public:
    using draw = std::shared_ptr<const release>;
    session(const input &of, const std::string &name, double epsilon, double delta = 1e-6,
            const std::string &path = "", int32_t notion = PVG_NOTION_EDGE)
        : of_(of.named(name)), object_(ledger::object(name)) {
        pvg_ledger_config config = detail::sized<pvg_ledger_config>();
        config.notion = notion;
        config.epsilon = epsilon;
        config.delta = delta;
        book_ = path.empty() ? ledger(config) : ledger::open_or_create(path, config);
    }
    /* Answers a query, or reads the draw of before; anew: draws and pays again. */
    draw ask(const query &asked, bool anew = false, const run &how = run()) {
        const auto id = asked.id();
        const auto known = draws_.find(id);
        if (!anew && known != draws_.end()) return known->second;
        return draws_[id] = std::make_shared<const release>(
                   release::draw(asked, of_, rng(), book_, how));
    }
    /* The same for several that are paid before the first is drawn: all or none. */
    std::vector<draw> plan(const std::vector<const query *> &several,
                           const run &how = run()) {
        composition paid;
        std::map<std::pair<uint64_t, uint64_t>, int64_t> places;
        for (const query *one : several)
            if (!draws_.count(one->id()) && !places.count(one->id()))
                places[one->id()] = paid.add(*one, of_, 1, book_);
        if (!places.empty()) paid.pay();
        for (const auto &one : places)
            draws_[one.first] =
                std::make_shared<const release>(paid.draw(one.second, of_, rng(), how));
        std::vector<draw> found;
        for (const query *one : several) found.push_back(draws_[one->id()]);
        return found;
    }
    /* An epsilon that holds for all so far, at the session's delta; of a set that of its
     * first graph. */
    double spent() const {
        return book_.spent(object_, book_.settings().delta);
    }
    /* The largest epsilon of one more pure release. */
    double left() const {
        pvg_curve_term term = detail::sized<pvg_curve_term>();
        term.kind = PVG_CURVE_PURE;
        return book_.remaining(object_, term);
    }
    const ledger &book() const noexcept {
        return book_;
    }

  private:
    named_input of_;
    uint64_t object_;
    ledger book_;
    std::map<std::pair<uint64_t, uint64_t>, draw> draws_;
};

/* Smooths released numbers, a row for each node, along a released graph or lists. */
inline std::vector<double> kprop(const graph &released, span<double> values,
                                 int64_t columns, int64_t rounds,
                                 const run &how = run()) {
    detail::need(columns >= 0 &&
                     uint64_t(released.order()) * uint64_t(columns) == values.size(),
                 "kprop: values are not order x columns");
    return detail::filled<double>(values.size(), [&](double *out) {
        return how.call([&](const pvg_run *raw) {
            return pvg_kprop_graph(out, released.get(), values.data(), columns, rounds,
                                   raw);
        });
    });
}
inline std::vector<double> kprop(span<int64_t> offsets, span<int32_t> targets,
                                 span<double> values, int64_t columns, int64_t rounds,
                                 const run &how = run()) {
    const int64_t users = int64_t(offsets.size()) - 1;
    detail::need_rows(users, offsets, targets.size());
    detail::need(columns >= 0 && uint64_t(users) * uint64_t(columns) == values.size(),
                 "kprop: values are not users x columns");
    return detail::filled<double>(values.size(), [&](double *out) {
        return how.call([&](const pvg_run *raw) {
            return pvg_kprop_lists(out, offsets.data(), targets.data(), users,
                                   values.data(), columns, rounds, raw);
        });
    });
}

} // namespace privgraph

#endif
