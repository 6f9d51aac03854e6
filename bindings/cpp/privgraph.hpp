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
 *     auto embedder = privgraph::embedder(privgraph::patterns("edge,path3"),
 *                                         privgraph::truncated(4), {2.0, 1e-6});
 *     auto release = embedder.draw(graph, privgraph::rng());
 *     for (double value : release.values()) ...
 */
#ifndef PRIVGRAPH_HPP
#define PRIVGRAPH_HPP

#include <privgraph.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
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
    /* True if the library refused because it could not promise what was asked. */
    bool is_privacy() const noexcept {
        return status_ == PVG_E_PRIVACY;
    }

  private:
    int32_t status_;
};

inline void check(int32_t status) {
    if (status == PVG_E_NOMEM) throw std::bad_alloc();
    if (status != PVG_OK) throw error(status, pvg_error_message());
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
        if (status_ != PVG_OK) throw error(status_, message_);
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
    const T *data() const noexcept {
        return data_;
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
    Raw *get() const noexcept {
        return raw_.get();
    }
    explicit operator bool() const noexcept {
        return raw_ != nullptr;
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
    run &progress(std::function<bool(double)> function) {
        return progress_ = std::move(function), *this;
    }

    /* Lends the C struct to a call and returns its status. */
    template <typename Call> int32_t call(Call &&function) const {
        pvg_run raw = detail::sized<pvg_run>();
        watcher watching{progress_ ? &progress_ : nullptr, nullptr};
        raw.threads = threads_;
        raw.scratch_limit = scratch_;
        if (progress_) {
            raw.progress = &run::watch;
            raw.progress_context = &watching;
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
    uint32_t threads_ = 0;
    uint64_t scratch_ = 0;
    std::function<bool(double)> progress_;
};

namespace detail {

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
    bool is_secure() const noexcept {
        return pvg_rng_is_secure(get()) == 1;
    }

  private:
    struct nothing {};
    explicit rng(nothing) {}
};
/* --- private data ---------------------------------------------------------------- */

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
        if (sources.size() != targets.size())
            throw error(PVG_E_ARGUMENT, "graph: sources and targets differ in length");
        graph made;
        made.reset_from([&](pvg_graph **out) {
            return how.call([&](const pvg_run *raw) {
                return pvg_graph_from_edges(out, order, sources.data(), targets.data(),
                                            int64_t(sources.size()), policy, raw);
            });
        });
        return made;
    }
    static expected<graph>
    from_edges(std::nothrow_t, int64_t order,
               const std::vector<std::pair<int64_t, int64_t>> &edges,
               uint32_t policy = PVG_EDGES_STRICT, const run &how = run()) noexcept {
        return detail::attempt<graph>(how, [&](const run &quiet) {
            return from_edges(order, edges, policy, quiet);
        });
    }
    static graph read(const std::string &path, const run &how = run()) {
        return read(path, 0, how);
    }
    /* order: the nodes of an edge list that does not state them; else no release takes
     * the graph. */
    static graph read(const std::string &path, int64_t order, const run &how = run()) {
        pvg_io_options options = {};
        options.size = sizeof options;
        options.order = order;
        graph made;
        made.reset_from([&](pvg_graph **out) {
            return how.call([&](const pvg_run *raw) {
                return pvg_graph_read(out, path.c_str(), &options, raw);
            });
        });
        return made;
    }
    void write(const std::string &path) const {
        check(pvg_graph_write(path.c_str(), get(), nullptr, nullptr));
    }
    int64_t order() const noexcept {
        return pvg_graph_order(get());
    }
    /* False if the order was read off the edges. */
    bool order_told() const noexcept {
        return pvg_graph_order_told(get()) == 1;
    }
    int64_t size() const noexcept {
        return pvg_graph_size(get());
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
    int64_t count() const noexcept {
        return pvg_graphset_count(get());
    }
};

class features : public detail::handle<pvg_features, pvg_features_free> {
  public:
    features() = default;
    static features from_dense(int64_t rows, int64_t columns, span<double> values) {
        if (rows < 0 || columns < 0 ||
            uint64_t(rows) * uint64_t(columns) != values.size())
            throw error(PVG_E_ARGUMENT, "features: values are not rows x columns");
        features made;
        made.reset_from([&](pvg_features **out) {
            return pvg_features_from_dense(out, rows, columns, values.data());
        });
        return made;
    }
    int64_t rows() const noexcept {
        return pvg_features_rows(get());
    }
    int64_t columns() const noexcept {
        return pvg_features_columns(get());
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
    span<int32_t> values() const && = delete;
    span<int32_t> values() const & {
        const int32_t *data = nullptr;
        check(pvg_labels_view(&data, get()));
        return {data, std::size_t(pvg_labels_count(get()))};
    }
};

/* --- public descriptions --------------------------------------------------------- */

class patterns : public detail::handle<pvg_patterns, pvg_patterns_free> {
  public:
    patterns() = default;
    /* Such as "edge,path3,cycle4". */
    explicit patterns(const std::string &names) {
        reset_from([&](pvg_patterns **out) {
            return pvg_patterns_from_names(out, names.c_str());
        });
    }
    /* Draws from a class such as "trees" or "treewidth2"; a seeded generator is fine
     * here. */
    static patterns draw(const std::string &sampler, int64_t count, const rng &random) {
        detail::handle<pvg_sampler, pvg_sampler_free> from;
        from.reset_from([&](pvg_sampler **out) {
            return pvg_sampler_from_name(out, sampler.c_str(), nullptr);
        });
        patterns made;
        made.reset_from([&](pvg_patterns **out) {
            return pvg_patterns_draw(out, from.get(), count, random.get(), nullptr);
        });
        return made;
    }
    int64_t count() const noexcept {
        return pvg_patterns_count(get());
    }
    std::string name(int64_t index) const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_patterns_copy_name(out, capacity, length, get(), index);
        });
    }
};

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

/* --- budgets --------------------------------------------------------------------- */

class curve : public detail::handle<pvg_curve, pvg_curve_free> {
  public:
    curve() = default;
    double epsilon(double delta) const {
        double out = 0.0;
        check(pvg_curve_epsilon(&out, get(), delta));
        return out;
    }
    curve operator+(const curve &other) const {
        curve both;
        both.reset_from(
            [&](pvg_curve **out) { return pvg_curve_compose(out, get(), other.get()); });
        return both;
    }
};

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
    ledger(int32_t notion, double epsilon, double delta = 0.0) {
        const pvg_ledger_config config = config_of(notion, epsilon, delta);
        reset_from([&](pvg_ledger **out) { return pvg_ledger_new(out, &config); });
    }
    static ledger create(const std::string &path, int32_t notion, double epsilon,
                         double delta = 0.0) {
        const pvg_ledger_config config = config_of(notion, epsilon, delta);
        ledger made;
        made.reset_from([&](pvg_ledger **out) {
            return pvg_ledger_create(out, path.c_str(), &config);
        });
        return made;
    }
    static ledger open(const std::string &path) {
        ledger made;
        made.reset_from(
            [&](pvg_ledger **out) { return pvg_ledger_open(out, path.c_str()); });
        return made;
    }
    /* The number of an object from its name. */
    static uint64_t object(const std::string &name) noexcept {
        return pvg_ledger_object(name.c_str());
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

  private:
    static pvg_ledger_config config_of(int32_t notion, double epsilon, double delta) {
        pvg_ledger_config config = detail::sized<pvg_ledger_config>();
        config.notion = notion;
        config.epsilon = epsilon;
        config.delta = delta;
        return config;
    }
};

/* Who pays for a release. */
struct payment {
    const ledger *from = nullptr;
    uint64_t object = 0;
    pvg_ledger *raw() const noexcept {
        return from ? from->get() : nullptr;
    }
};

/* The same for every graph of a set: one object each. */
struct payments {
    const ledger *from = nullptr;
    std::vector<uint64_t> objects;
    pvg_ledger *raw() const noexcept {
        return from ? from->get() : nullptr;
    }
    /* NULL without a ledger; checked against the number of graphs with one. */
    const uint64_t *of(int64_t count) const {
        if (!from) return nullptr;
        if (int64_t(objects.size()) != count)
            throw error(PVG_E_ARGUMENT, "payments: not one object for each graph");
        return objects.data();
    }
};

/* --- guarantees -------------------------------------------------------------------- */

/* What is promised: lent, so it must not outlive what lent it. */
class guarantee {
  public:
    explicit guarantee(const pvg_guarantee *lent) noexcept : lent_(lent) {}
    const pvg_guarantee *get() const noexcept {
        return lent_;
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
    const pvg_guarantee *lent_;
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

/* Something that may be published, with its guarantee. */
class release : public detail::handle<pvg_release, pvg_release_free> {
  public:
    release() = default;
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
        if (index < 0 || index >= rows())
            throw error(PVG_E_ARGUMENT, "release: there is no such row");
        return {values().data() + index * columns(), std::size_t(columns())};
    }
    /* A released graph, lent. */
    const pvg_graph *view_graph() const && = delete;
    const pvg_graph *view_graph() const & {
        const pvg_graph *lent = nullptr;
        check(pvg_release_view_graph(&lent, get()));
        return lent;
    }
    /* Copies of the released graphs of a set, in its order. */
    std::vector<graph> graphs() const {
        const pvg_graphset *lent = nullptr;
        check(pvg_release_view_graphs(&lent, get()));
        std::vector<graph> out(std::size_t(pvg_graphset_count(lent)));
        for (std::size_t i = 0; i < out.size(); i++)
            out[i].reset_from(
                [&](pvg_graph **one) { return pvg_graphset_get(one, lent, int64_t(i)); });
        return out;
    }
    /* Released sparse features, lent: differences to the middle of the range. */
    const pvg_features *view_features() const && = delete;
    const pvg_features *view_features() const & {
        const pvg_features *lent = nullptr;
        check(pvg_release_view_features(&lent, get()));
        return lent;
    }
    /* Edges of a released graph, as pairs of a smaller and a larger node. */
    std::vector<std::pair<int64_t, int64_t>> edges() const {
        const pvg_graph *lent = nullptr;
        check(pvg_release_view_graph(&lent, get()));
        const std::size_t size = std::size_t(pvg_graph_size(lent));
        std::vector<int64_t> sources(size), targets(size);
        check(pvg_graph_copy_edges(sources.data(), targets.data(), lent));
        std::vector<std::pair<int64_t, int64_t>> out(size);
        for (std::size_t i = 0; i < size; i++) out[i] = {sources[i], targets[i]};
        return out;
    }
    /* Released list of one user. */
    span<int32_t> list(int64_t user) const && = delete;
    span<int32_t> list(int64_t user) const & {
        const int64_t *offsets = nullptr;
        const int32_t *targets = nullptr;
        int64_t count = 0;
        check(pvg_release_view_lists(&offsets, &targets, &count, get()));
        if (user < 0 || user >= count)
            throw error(PVG_E_ARGUMENT, "release: there is no such user");
        return {targets + offsets[user], std::size_t(offsets[user + 1] - offsets[user])};
    }
    span<int32_t> labels() const && = delete;
    span<int32_t> labels() const & {
        const int32_t *data = nullptr;
        int64_t count = 0;
        check(pvg_release_view_labels(&data, &count, get()));
        return {data, std::size_t(count)};
    }
    guarantee promise() const && = delete;
    guarantee promise() const & {
        return guarantee(pvg_release_guarantee(get()));
    }
    bool is_private() const noexcept {
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

/* Everything public about a private embedding. */
class embedder : public detail::handle<pvg_embedder, pvg_embedder_free> {
  public:
    embedder() = default;
    embedder(const patterns &which, degrees bound, const target &budget) {
        pvg_embedder_config config = detail::sized<pvg_embedder_config>();
        config.degrees = bound.source;
        config.degree_bound = bound.bound;
        reset_from([&](pvg_embedder **out) {
            return pvg_embedder_new(out, which.get(), &config, &budget, nullptr);
        });
    }
    release draw(const graph &input, const rng &random, payment from = {},
                 const run &how = run()) const {
        release made;
        made.reset_from([&](pvg_release **out) {
            return how.call([&](const pvg_run *raw) {
                return pvg_release_draw_embedding(out, get(), input.get(), from.object,
                                                  random.get(), from.raw(), raw);
            });
        });
        return made;
    }
    /* One row per graph, each with the whole guarantee. */
    release draw(const graphset &input, const rng &random, const payments &from = {},
                 const run &how = run()) const {
        release made;
        made.reset_from([&](pvg_release **out) {
            return how.call([&](const pvg_run *raw) {
                return pvg_release_draw_embeddings(
                    out, get(), input.get(), from.of(pvg_graphset_count(input.get())),
                    random.get(), from.raw(), raw);
            });
        });
        return made;
    }
    expected<release> draw(std::nothrow_t, const graph &input, const rng &random,
                           payment from = {}, const run &how = run()) const noexcept {
        return detail::attempt<release>(
            how, [&](const run &quiet) { return draw(input, random, from, quiet); });
    }
};

/* A number and the variance of its error. */
struct estimate {
    double value = 0.0, variance = 0.0;
};

/* A mechanism whose output looks like its input. The functions below make each kind; the
 * C struct of settings may be left out, and its size is filled in. */
class perturber : public detail::handle<pvg_perturber, pvg_perturber_free> {
  public:
    perturber() = default;
    template <typename Build> explicit perturber(Build &&build) {
        reset_from(build);
    }
    static perturber response(const target &budget, pvg_response_config config = {}) {
        return with(pvg_perturber_new_response, config, budget);
    }
    static perturber lapgraph(const target &budget, pvg_lapgraph_config config = {}) {
        return with(pvg_perturber_new_lapgraph, config, budget);
    }
    static perturber dprr(const target &budget, pvg_dprr_config config = {}) {
        return with(pvg_perturber_new_dprr, config, budget);
    }
    static perturber subset(const target &budget, pvg_lists_config config = {}) {
        return with(pvg_perturber_new_subset, config, budget);
    }
    static perturber blink(const target &budget, pvg_blink_config config = {}) {
        return with(pvg_perturber_new_blink, config, budget);
    }
    static perturber labels_of(const target &budget, pvg_labels_config config) {
        return with(pvg_perturber_new_labels, config, budget);
    }
    /* blocks: one for each of config.order nodes; similarities: order x order. */
    static perturber slots(const target &budget, pvg_slots_config config,
                           const std::vector<int32_t> &blocks = {},
                           const std::vector<double> &similarities = {}) {
        const uint64_t order = config.order > 0 ? uint64_t(config.order) : 0;
        if ((!blocks.empty() && blocks.size() != order) ||
            (!similarities.empty() && similarities.size() / (order ? order : 1) != order))
            throw error(PVG_E_ARGUMENT, "slots: not one entry for each node");
        config.size = sizeof config;
        return perturber([&](pvg_perturber **out) {
            return pvg_perturber_new_slots(
                out, &config, &budget, blocks.empty() ? nullptr : blocks.data(),
                similarities.empty() ? nullptr : similarities.data());
        });
    }
    /* low and high: config.ranges entries each. */
    static perturber features_of(const target &budget, pvg_features_config config,
                                 const std::vector<double> &low,
                                 const std::vector<double> &high) {
        if (int64_t(low.size()) != config.ranges || int64_t(high.size()) != config.ranges)
            throw error(PVG_E_ARGUMENT, "features: low and high are not config.ranges");
        config.size = sizeof config;
        return perturber([&](pvg_perturber **out) {
            return pvg_perturber_new_features(out, &config, &budget, low.data(),
                                              high.data());
        });
    }
    /* As published, for comparison: its epsilon is infinite. */
    static perturber graphprivatizer(const target &budget, const features &noisy,
                                     pvg_graphprivatizer_config config = {}) {
        config.size = sizeof config;
        return perturber([&](pvg_perturber **out) {
            return pvg_perturber_new_graphprivatizer(out, &config, &budget, noisy.get());
        });
    }
    /* Of the private graph, from one that this perturber released. Costs nothing. */
    estimate edges(const pvg_graph *released) const {
        estimate out;
        check(pvg_perturber_estimate_edges(&out.value, &out.variance, get(), released));
        return out;
    }
    estimate triangles(const pvg_graph *released, const run &how = run()) const {
        estimate out;
        check(how.call([&](const pvg_run *raw) {
            return pvg_perturber_estimate_triangles(&out.value, &out.variance, get(),
                                                    released, raw);
        }));
        return out;
    }
    std::vector<double> degrees_of(const pvg_graph *released) const {
        std::vector<double> out(std::size_t(pvg_graph_order(released)));
        check(pvg_perturber_estimate_degrees(out.data(), nullptr, get(), released));
        return out;
    }
    guarantee promise() const && = delete;
    guarantee promise() const & {
        return guarantee(pvg_perturber_guarantee(get()));
    }
    double epsilon(double delta = 0.0) const {
        return promise().epsilon(delta);
    }
    release draw(const graph &input, const rng &random, payment from = {},
                 const run &how = run()) const {
        return apply(pvg_release_draw_graph, input.get(), random, from, how);
    }
    /* Every graph of a set, each with the whole guarantee. */
    release draw(const graphset &input, const rng &random, const payments &from = {},
                 const run &how = run()) const {
        release made;
        made.reset_from([&](pvg_release **out) {
            return how.call([&](const pvg_run *raw) {
                return pvg_release_draw_graphs(out, get(), input.get(),
                                               from.of(pvg_graphset_count(input.get())),
                                               random.get(), from.raw(), raw);
            });
        });
        return made;
    }
    release draw(const features &input, const rng &random, payment from = {},
                 const run &how = run()) const {
        return apply(pvg_release_draw_features, input.get(), random, from, how);
    }
    release draw(const labels &input, const rng &random, payment from = {},
                 const run &how = run()) const {
        return apply(pvg_release_draw_labels, input.get(), random, from, how);
    }

  private:
    template <typename New, typename Config>
    static perturber with(New make, Config config, const target &budget) {
        config.size = sizeof config;
        return perturber(
            [&](pvg_perturber **out) { return make(out, &config, &budget); });
    }
    template <typename Draw, typename Input>
    release apply(Draw draw_raw, const Input *input, const rng &random, payment from,
                  const run &how) const {
        release made;
        made.reset_from([&](pvg_release **out) {
            return how.call([&](const pvg_run *raw) {
                return draw_raw(out, get(), input, from.object, random.get(), from.raw(),
                                raw);
            });
        });
        return made;
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
    static pvg_layers_config config(int64_t depth) {
        pvg_layers_config made = detail::sized<pvg_layers_config>();
        made.depth = depth;
        return made;
    }
};

/* Private message passing at edge level, by whichever method needs less noise. */
class propagator : public detail::handle<pvg_propagator, pvg_propagator_free> {
  public:
    propagator() = default;
    propagator(const layers &stack, int64_t order, degrees bound, int64_t columns,
               const target &budget) {
        pvg_premise premise = detail::sized<pvg_premise>();
        premise.order = order;
        premise.degrees = bound.source;
        premise.degree_bound = bound.bound;
        reset_from([&](pvg_propagator **out) {
            return pvg_propagator_new(out, stack.get(), &premise, columns, nullptr,
                                      &budget);
        });
    }
    /* What a release will be, before any budget is spent. */
    pvg_propagation_preview preview() const {
        pvg_propagation_preview out = detail::sized<pvg_propagation_preview>();
        check(pvg_propagator_preview(&out, get()));
        return out;
    }
    release draw(const graph &input, const features &rows, const rng &random,
                 payment from = {}, const run &how = run()) const {
        release made;
        made.reset_from([&](pvg_release **out) {
            return how.call([&](const pvg_run *raw) {
                return pvg_release_draw_propagation(out, get(), input.get(), rows.get(),
                                                    from.object, random.get(), from.raw(),
                                                    raw);
            });
        });
        return made;
    }
};

/* Numbers about a graph that one edge moves little. Made by any pvg_statistic_new_*
 * function: statistic s([&](pvg_statistic **out) { return pvg_statistic_new_tallies(out,
 * &config, &t, &nodes); }); */
class statistic : public detail::handle<pvg_statistic, pvg_statistic_free> {
  public:
    statistic() = default;
    template <typename Build> explicit statistic(Build &&build) {
        reset_from(build);
    }
    int64_t rows() const noexcept {
        return pvg_statistic_rows(get());
    }
    int64_t columns() const noexcept {
        return pvg_statistic_columns(get());
    }
    guarantee promise() const && = delete;
    guarantee promise() const & {
        return guarantee(pvg_statistic_guarantee(get()));
    }
    /* Standard deviation of the noise of each column. */
    std::vector<double> deviations() const {
        std::vector<double> out(static_cast<std::size_t>(columns()));
        check(pvg_statistic_copy_deviation(out.data(), get()));
        return out;
    }
    release draw(const graph &input, const rng &random, payment from = {},
                 const run &how = run()) const {
        release made;
        made.reset_from([&](pvg_release **out) {
            return how.call([&](const pvg_run *raw) {
                return pvg_release_draw_statistic(out, get(), input.get(), from.object,
                                                  random.get(), from.raw(), raw);
            });
        });
        return made;
    }
};

/* Class probabilities of every node, row by row, and the release they were read from. */
struct classification {
    std::vector<double> probabilities;
    release source;
};

/* Classes of nodes from public priors and labels (-1: unknown) and private edges, by
 * tallies. prior: a row of class probabilities for each node, made without the edges.
 * config: classes is set from prior; checks and transition as in C. */
inline classification classify(const graph &input, const std::vector<double> &prior,
                               const std::vector<int32_t> &labels, const target &budget,
                               const rng &random, payment from = {},
                               pvg_posterior_config config = pvg_posterior_config(),
                               const run &how = run()) {
    const auto order = static_cast<std::size_t>(pvg_graph_order(input.get()));
    if (order == 0 || labels.size() != order || prior.size() % order != 0)
        throw std::invalid_argument("classify: prior and labels are not of this graph");
    classification made;
    config.size = sizeof config;
    config.classes = static_cast<int64_t>(prior.size() / order);
    made.probabilities.resize(prior.size());
    made.source.reset_from([&](pvg_release **out) {
        return how.call([&](const pvg_run *raw) {
            return pvg_classify_nodes(made.probabilities.data(), out, nullptr,
                                      input.get(), prior.data(), labels.data(), &config,
                                      0.0, &budget, from.object, random.get(), from.raw(),
                                      raw);
        });
    });
    return made;
}

} // namespace privgraph

#endif
