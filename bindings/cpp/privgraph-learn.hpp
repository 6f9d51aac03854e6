/* privgraph-learn.hpp: libprivgraph-learn for C++14 and later, header only: read-outs and
 * pipelines, networks, audits. It includes privgraph.hpp, whose rules hold here as well. */
#ifndef PRIVGRAPH_LEARN_HPP
#define PRIVGRAPH_LEARN_HPP

#include <privgraph.hpp>

#include <array>
#include <privgraph-learn.h>

namespace privgraph {

/* --- learning --------------------------------------------------------------------- */

/* The features in `columns` directions that hold most of their squares. */
inline std::vector<double> project(const features &rows, int64_t columns,
                                   const run &how = run()) {
    detail::need(columns >= 0, "project: columns is negative");
    return detail::filled<double>(
        std::size_t(rows.rows()) * std::size_t(columns), [&](double *out) {
            return how.call([&](const pvg_run *raw) {
                return pvg_directions_project(out, rows.get(), columns, raw);
            });
        });
}

/* Multinomial logistic regression. */
class logistic : public detail::handle<pvg_logistic, pvg_logistic_free> {
  public:
    logistic() = default;
    /* x: a row of `columns` numbers for each label; -1: not used. */
    logistic(pvg_logistic_config config, span<double> x, int64_t columns,
             span<int32_t> labels, const run &how = run()) {
        detail::need(columns >= 0 && labels.size() * uint64_t(columns) == x.size(),
                     "logistic: x is not a row for each label");
        config.size = sizeof config;
        reset_from([&](pvg_logistic **out) {
            return how.call([&](const pvg_run *raw) {
                return pvg_logistic_fit(out, &config, x.data(), labels.data(),
                                        int64_t(labels.size()), columns, raw);
            });
        });
    }
    int64_t columns() const noexcept {
        return pvg_logistic_columns(get());
    }
    int64_t classes() const noexcept {
        return pvg_logistic_classes(get());
    }
    /* (columns + 1) x classes: weights, then the constant. */
    std::vector<double> weights() const {
        return detail::filled<double>(
            std::size_t(columns() + 1) * std::size_t(classes()),
            [&](double *out) { return pvg_logistic_copy_weights(out, get()); });
    }
    std::vector<double> predict(span<double> x, const run &how = run()) const {
        const std::size_t width = std::size_t(columns() > 0 ? columns() : 1);
        detail::need(x.size() % width == 0, "logistic: x is not rows of so many columns");
        const std::size_t rows = x.size() / width;
        return detail::filled<double>(rows * std::size_t(classes()), [&](double *out) {
            return how.call([&](const pvg_run *raw) {
                return pvg_logistic_predict(out, get(), x.data(), int64_t(rows), raw);
            });
        });
    }
};

/* Priorities and kinds of nodes for edge histograms, from class probabilities that were
 * made without the edges and public labels (-1: unknown). */
struct histogram_cells {
    std::vector<double> priorities;
    std::vector<int32_t> kinds;
    histogram_cells(span<double> prior, span<int32_t> labels)
        : priorities(labels.size()), kinds(labels.size()) {
        detail::need(!labels.empty() && prior.size() % labels.size() == 0,
                     "histogram_cells: prior is not a row for each node");
        check(pvg_histogram_cells(priorities.data(), kinds.data(), prior.data(),
                                  labels.data(), int64_t(labels.size()),
                                  int64_t(prior.size() / labels.size())));
    }
};

/* Settings of the read-out; zero and empty: defaults. */
struct posterior {
    int32_t rounds = 0;
    double strength = 0.0;
    span<int32_t> checks;    /* class of each node, -1 where unknown */
    span<double> transition; /* classes x classes */
    pvg_posterior_config raw(std::size_t order, std::size_t classes) const {
        detail::need((checks.empty() || checks.size() == order) &&
                         (transition.empty() || transition.size() == classes * classes),
                     "posterior: checks or transition of another size");
        pvg_posterior_config config = detail::sized<pvg_posterior_config>();
        config.rounds = rounds;
        config.strength = strength;
        config.classes = int64_t(classes);
        config.checks = checks.or_null();
        config.transition = transition.or_null();
        return config;
    }
};

/* Class probabilities of every node from a release that answers a query of
 * edge-histogram. */
inline std::vector<double> read_out(const query &asked, const release &from,
                                    span<double> prior, span<int32_t> labels,
                                    const posterior &settings = posterior(),
                                    const run &how = run()) {
    const std::size_t order = std::size_t(from.rows());
    detail::need(order > 0 && labels.size() == order && prior.size() % order == 0,
                 "read_out: prior or labels are not those of the release");
    const pvg_posterior_config config = settings.raw(order, prior.size() / order);
    return detail::filled<double>(prior.size(), [&](double *out) {
        return how.call([&](const pvg_run *raw) {
            return pvg_estimate_classes(out, asked.get(), from.get(), prior.data(),
                                        labels.data(), &config, raw);
        });
    });
}

/* The same averaged with what a network says that is trained on the checked nodes;
 * settings.checks is needed. */
inline std::vector<double> read_out_mixed(const query &asked, const release &from,
                                          span<double> prior, span<int32_t> labels,
                                          const posterior &settings, const rng &random,
                                          int64_t averages = 0, const run &how = run()) {
    const std::size_t order = std::size_t(from.rows());
    detail::need(order > 0 && labels.size() == order && prior.size() % order == 0,
                 "read_out: prior or labels are not those of the release");
    const pvg_posterior_config config = settings.raw(order, prior.size() / order);
    return detail::filled<double>(prior.size(), [&](double *out) {
        return how.call([&](const pvg_run *raw) {
            return pvg_estimate_classes_mixed(out, asked.get(), from.get(), prior.data(),
                                              labels.data(), &config, averages,
                                              random.get(), raw);
        });
    });
}

/* --- networks --------------------------------------------------------------------- */

class model;

/* Nodes or graphs with features, labels and a split; knows where its parts came from. */
class dataset : public detail::handle<pvg_dataset, pvg_dataset_free> {
  public:
    dataset() = default;
    /* Rows of a prediction; nodes; arcs (two for each edge). */
    int64_t rows() const noexcept {
        return pvg_dataset_rows(get());
    }
    int64_t order() const noexcept {
        return pvg_dataset_order(get());
    }
    int64_t arcs_exact() const noexcept {
        return pvg_dataset_arcs_exact(get());
    }
    bool holds_secrets() const noexcept {
        return pvg_dataset_holds_secrets(get()) == 1;
    }
};

inline input::input(const dataset &it) noexcept : dataset_(it.get()) {}

/* Each part says whether it is public, released or private (with the number of its object
 * in a ledger). */
class dataset_builder
    : public detail::handle<pvg_dataset_builder, pvg_dataset_builder_free> {
  public:
    explicit dataset_builder(int64_t order) {
        reset_from([&](pvg_dataset_builder **out) {
            return pvg_dataset_builder_new(out, order);
        });
    }
    dataset_builder &add_public(const graph &part) {
        return done(pvg_dataset_builder_add_public_graph(get(), part.get()));
    }
    dataset_builder &add_public(const features &part) {
        return done(pvg_dataset_builder_add_public_features(get(), part.get()));
    }
    dataset_builder &add_public(const labels &part) {
        return done(pvg_dataset_builder_add_public_labels(get(), part.get()));
    }
    dataset_builder &add_public(const graphset &part) {
        return done(pvg_dataset_builder_add_public_graphset(get(), part.get()));
    }
    /* Windows of `size` consecutive nodes; links: nodes x size numbers, or empty. */
    dataset_builder &add_public_windows(int64_t size, bool pairs,
                                        span<double> links = {}) {
        return done(pvg_dataset_builder_add_public_windows(
            get(), size, pairs, links.or_null(), int64_t(links.size())));
    }
    dataset_builder &add_private_windows(int64_t size, bool pairs, span<double> links) {
        return done(pvg_dataset_builder_add_private_windows(
            get(), size, pairs, links.or_null(), int64_t(links.size())));
    }
    /* Of the arcs of the graph, row by row; meaning: PVG_ARCS_*. */
    dataset_builder &set_arc_weights(span<double> weights, int32_t meaning) {
        return done(pvg_dataset_builder_set_arc_weights(
            get(), weights.data(), int64_t(weights.size()), meaning));
    }
    /* role: PVG_ROLE_*. The draws behind it know whom they are about. */
    dataset_builder &add_released(const release &part, int32_t role) {
        return done(pvg_dataset_builder_add_released(get(), part.get(), role));
    }
    dataset_builder &add_private(const graph &part) {
        return done(pvg_dataset_builder_add_private_graph(get(), part.get()));
    }
    dataset_builder &add_private(const features &part) {
        return done(pvg_dataset_builder_add_private_features(get(), part.get()));
    }
    dataset_builder &add_private(const labels &part) {
        return done(pvg_dataset_builder_add_private_labels(get(), part.get()));
    }
    /* Parts were made with a model: what it has seen counts for all that is learnt. */
    dataset_builder &add_seen(const model &made_with);
    /* PVG_PART_* of each node or graph. */
    dataset_builder &split(span<int32_t> parts) {
        return done(
            pvg_dataset_builder_set_split(get(), parts.data(), int64_t(parts.size())));
    }
    dataset finish() {
        return detail::made<dataset>(
            [&](pvg_dataset **out) { return pvg_dataset_builder_finish(out, get()); });
    }

  private:
    dataset_builder &done(int32_t status) {
        check(status);
        return *this;
    }
};

/* How a network is trained: the C struct, whose pointers are set from the spans. */
struct training : pvg_training_config {
    span<double> weights_of_classes; /* one each */
    span<double> transition_of;      /* classes x classes */
    training() : pvg_training_config(detail::sized<pvg_training_config>()) {}
    pvg_training_config raw(int64_t classes) const {
        const uint64_t count = uint64_t(classes);
        detail::need((weights_of_classes.empty() || weights_of_classes.size() == count) &&
                         (transition_of.empty() || transition_of.size() == count * count),
                     "training: class weights or transition of another size");
        pvg_training_config config = *this;
        config.size = sizeof config;
        config.class_weights = weights_of_classes.or_null();
        config.transition = transition_of.or_null();
        return config;
    }
};

/* A network without weights, such as "gcn 64 relu | drop .5 | gcn classes". */
class network : public detail::handle<pvg_network, pvg_network_free> {
  public:
    network() = default;
    network(const std::string &text, int64_t inputs, int64_t classes) {
        reset_from([&](pvg_network **out) {
            return pvg_network_from_text(out, text.c_str(), inputs, classes);
        });
    }
    int64_t inputs() const noexcept {
        return pvg_network_inputs(get());
    }
    int64_t classes() const noexcept {
        return pvg_network_classes(get());
    }
    int64_t parameters() const noexcept {
        return pvg_network_parameters(get());
    }
    std::string text() const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_network_copy_text(out, capacity, length, get());
        });
    }
    /* Bytes a training will hold beside the dataset. */
    uint64_t memory_exact(const dataset &data, const training &how = training()) const {
        const pvg_training_config config = how.raw(classes());
        return detail::number<uint64_t>([&](uint64_t *out) {
            return pvg_network_memory_exact(out, get(), data.get(), &config);
        });
    }
};

/* On the rows of a part; NaN without rows. */
struct score {
    double accuracy = 0.0, loss = 0.0;
};

/* A network, weights, and what they have seen. */
class model : public detail::handle<pvg_model, pvg_model_free> {
  public:
    model() = default;
    /* Trains, from the weights of `start` if there is one. */
    model(const network &shape, const dataset &data, const rng &random,
          const training &settings = training(), const model *start = nullptr,
          const run &how = run()) {
        const pvg_training_config config = settings.raw(shape.classes());
        reset_from([&](pvg_model **out) {
            return how.call([&](const pvg_run *raw) {
                return pvg_model_train(out, shape.get(), data.get(), &config,
                                       start ? start->get() : nullptr, random.get(), raw);
            });
        });
    }
    int64_t inputs() const noexcept {
        return pvg_model_inputs(get());
    }
    int64_t parameters() const noexcept {
        return pvg_model_parameters(get());
    }
    int64_t members() const noexcept {
        return pvg_model_members(get());
    }
    double temperature_exact() const noexcept {
        return pvg_model_temperature_exact(get());
    }
    /* Columns of a prediction, PVG_PREDICT_*. */
    int64_t columns(int32_t kind) const noexcept {
        return pvg_model_columns(get(), kind);
    }
    /* Refused if anything private is in model or dataset. object: what the guarantee is
     * about; nullptr: whichever it is, so that all draws count. */
    release predict(const dataset &data, int32_t kind, int32_t notion,
                    const uint64_t *object = nullptr, const run &how = run()) const {
        return detail::made<release>(how, [&](pvg_release **out, const pvg_run *raw) {
            return pvg_model_predict(out, get(), data.get(), kind, notion, object, raw);
        });
    }
    /* part: PVG_PART_*. */
    score score_on(const dataset &data, int32_t part, const run &how = run()) const {
        score out;
        check(how.call([&](const pvg_run *raw) {
            return pvg_model_score(&out.accuracy, &out.loss, get(), data.get(), part,
                                   raw);
        }));
        return out;
    }
    /* What the weights promise about a notion and an object; nullptr: whichever it is. */
    guarantee promise(int32_t notion, const uint64_t *object = nullptr) const {
        return guarantee::owned([&](pvg_guarantee **out) {
            return pvg_model_promise(out, get(), notion, object);
        });
    }
    /* The record of the private training that made the weights, and of nothing else
     * (`training` are settings here). */
    guarantee training_guarantee() const {
        return guarantee::owned(
            [&](pvg_guarantee **out) { return pvg_model_training(out, get()); });
    }
    /* Not to be published if anything private is in model or dataset. */
    std::vector<double> predict_exact(const dataset &data, int32_t kind,
                                      const run &how = run()) const {
        return detail::filled<double>(
            std::size_t(data.rows()) * std::size_t(columns(kind)), [&](double *out) {
                return how.call([&](const pvg_run *raw) {
                    return pvg_model_predict_exact(out, get(), data.get(), kind, raw);
                });
            });
    }
    score score_exact(const dataset &data, int32_t part, const run &how = run()) const {
        score out;
        check(how.call([&](const pvg_run *raw) {
            return pvg_model_score_exact(&out.accuracy, &out.loss, get(), data.get(),
                                         part, raw);
        }));
        return out;
    }
    /* Of one logit: to every feature (order x inputs), to a factor of every arc. */
    struct gradient {
        std::vector<double> features, arcs;
    };
    gradient gradient_exact(const dataset &data, int64_t row, int64_t column,
                            const run &how = run()) const {
        gradient out{
            std::vector<double>(std::size_t(data.order()) * std::size_t(inputs())),
            std::vector<double>(std::size_t(data.arcs_exact()))};
        check(how.call([&](const pvg_run *raw) {
            return pvg_model_gradient_exact(out.features.data(),
                                            out.arcs.empty() ? nullptr : out.arcs.data(),
                                            get(), data.get(), row, column, raw);
        }));
        return out;
    }
    /* Why it says what it says: a row of inputs() numbers for each node, PVG_EXPLAINER_*.
     * Not to be published: explanations give edges away. random for GNN_EXPLAINER. */
    std::vector<double> explain_exact(int32_t explainer, const dataset &data,
                                      span<int64_t> nodes, pvg_explain_config config = {},
                                      const rng *random = nullptr,
                                      const run &how = run()) const {
        config.size = sizeof config;
        return detail::filled<double>(
            nodes.size() * std::size_t(inputs()), [&](double *out) {
                return how.call([&](const pvg_run *raw) {
                    return pvg_explain_exact(out, explainer, get(), data.get(),
                                             nodes.data(), int64_t(nodes.size()), &config,
                                             random ? random->get() : nullptr, raw);
                });
            });
    }
    /* GNNExplainer: masks of features, of arcs (nodes x data.arcs_exact()), and of each
     * node how far two starts agree. */
    struct masks {
        std::vector<double> features, arcs, agreement;
    };
    masks explain_masks_exact(const dataset &data, span<int64_t> nodes, const rng &random,
                              pvg_explain_config config = {},
                              const run &how = run()) const {
        const std::size_t rows = nodes.size();
        masks out{std::vector<double>(rows * std::size_t(inputs())),
                  std::vector<double>(rows * std::size_t(data.arcs_exact())),
                  std::vector<double>(rows)};
        config.size = sizeof config;
        check(how.call([&](const pvg_run *raw) {
            return pvg_explain_masks_exact(
                out.features.data(), out.arcs.data(), out.agreement.data(), get(),
                data.get(), nodes.data(), int64_t(rows), &config, random.get(), raw);
        }));
        return out;
    }
    /* Layers whose weights are its square maps; they carry the draws behind it, which a
     * query of message-passing composes with its own curve. */
    layers layers_of(pvg_layers_config config) const {
        config.size = sizeof config;
        return detail::made<layers>(
            [&](pvg_layers **out) { return pvg_layers_from_model(out, &config, get()); });
    }
    /* Network, weights and the records of what was seen, as one file; refused if anything
     * private was seen, which save_exact writes and says. */
    void save(const std::string &path) const {
        check(pvg_model_save(path.c_str(), get()));
    }
    void save_exact(const std::string &path) const {
        check(pvg_model_save_exact(path.c_str(), get()));
    }
    /* The records are taken at their word. */
    static model load(const std::string &path) {
        return detail::made<model>(
            [&](pvg_model **out) { return pvg_model_load(out, path.c_str()); });
    }
    bool is_loaded() const noexcept {
        return pvg_model_loaded(get()) == 1;
    }
    /* Whether it saw private parts other than through a mechanism. */
    bool holds_secrets() const noexcept {
        return pvg_model_holds_secrets(get()) == 1;
    }
    std::string seen_json() const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_model_copy_seen_json(out, capacity, length, get());
        });
    }
    std::vector<double> weights_exact(int64_t member = 0) const {
        return detail::filled<double>(std::size_t(parameters()), [&](double *out) {
            return pvg_model_copy_weights_exact(out, get(), member);
        });
    }
    /* Rows of epoch, training loss, validation loss, validation accuracy. */
    std::vector<double> history_exact() const {
        int64_t count = 0;
        check(pvg_model_copy_history_exact(nullptr, &count, get()));
        return detail::filled<double>(4 * std::size_t(count), [&](double *out) {
            return pvg_model_copy_history_exact(out, &count, get());
        });
    }
};

inline dataset_builder &dataset_builder::add_seen(const model &made_with) {
    return done(pvg_dataset_builder_add_seen(get(), made_with.get()));
}

/* A query for a private training by DP-SGD, to be asked of datasets with so many training
 * rows; view_model lends what a release of it holds. Pointers of config are set from the
 * spans. start: a model to go on from. */
inline query training_query(const network &shape, int64_t records,
                            pvg_dpsgd_config config, const target &budget,
                            span<double> class_weights = {}, span<double> transition = {},
                            const model *start = nullptr) {
    const uint64_t count = uint64_t(shape.classes());
    detail::need((class_weights.empty() || class_weights.size() == count) &&
                     (transition.empty() || transition.size() == count * count),
                 "training_query: class weights or transition of another size");
    config.size = sizeof config;
    config.class_weights = class_weights.or_null();
    config.transition = transition.or_null();
    return detail::made<query>([&](pvg_query **out) {
        return pvg_query_new_training(out, shape.get(), records, &config,
                                      start ? start->get() : nullptr, &budget);
    });
}

/* The model of such a release, which must outlive it. */
lent<model> view_model(const release &&) = delete;
inline lent<model> view_model(const release &from) {
    const pvg_model *found = nullptr;
    check(pvg_release_view_model(&found, from.get()));
    return lent<model>(found);
}

/* --- pipelines -------------------------------------------------------------------- */

/* What is public about a pipeline; which of them a kind takes its table says. Lent for
 * the call. rows: features; edges: a graph that is public. */
struct pipeline_arguments {
    int64_t order = 0; /* 0: as many as labels or parts */
    span<int32_t> labels, checks, parts;
    span<double> prior, transition;
    const features *rows = nullptr;
    const graph *edges = nullptr;
    std::vector<const release *> sources;
    std::string network; /* that reads; empty: the usual one */
};

/* Class probabilities, row by row; without: of the encoder, or of labels, alone; network:
 * an empty handle where the kind leaves none. */
struct reading {
    std::vector<double> probabilities, without;
    model network;
};

/* Classes from what is hidden: a kind ("edges", "users", "nodes", "rows"), its options,
 * public arrays and a budget. It draws once, and reads as often as one likes. */
class pipeline : public detail::handle<pvg_pipeline, pvg_pipeline_free> {
  public:
    pipeline() = default;
    /* From text such as "edges method=sums epsilon=1 delta=1e-6". random: weights and
     * dropout, which nothing private rests on. */
    pipeline(const std::string &text, const pipeline_arguments &with, const rng &random,
             const run &how = run()) {
        build(text, with, nullptr, random, how);
    }
    pipeline(const std::string &text, const pipeline_arguments &with,
             const target &budget, const rng &random, const run &how = run()) {
        build(text, with, &budget, random, how);
    }
    /* All kinds with their options, as JSON. */
    static std::string kinds() {
        return detail::text([](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_pipeline_copy_kinds(out, capacity, length);
        });
    }
    std::string text() const {
        return detail::text([&](char *out, std::size_t capacity, std::size_t *length) {
            return pvg_pipeline_copy_text(out, capacity, length, get());
        });
    }
    int64_t order() const noexcept {
        return pvg_pipeline_order(get());
    }
    int64_t classes() const noexcept {
        return pvg_pipeline_classes(get());
    }
    /* Labels that are sent or train, and those that choose, -1 elsewhere. */
    std::pair<span<int32_t>, span<int32_t>> labels() const && = delete;
    std::pair<span<int32_t>, span<int32_t>> labels() const & {
        const int32_t *sent = nullptr, *checks = nullptr;
        check(pvg_pipeline_view_labels(&sent, &checks, get()));
        const std::size_t count = std::size_t(order());
        return {{sent, count}, {checks, checks ? count : 0}};
    }
    /* What public features say about each node: the row "no edges". */
    span<double> prior() const && = delete;
    span<double> prior() const & {
        const double *found = nullptr;
        check(pvg_pipeline_view_prior(&found, get()));
        return {found, cells()};
    }
    /* Range against noise at a place, before anything is paid; empty: nothing is drawn
     * there, or it is a network. */
    preview preview_at(int64_t place = 0, const run &how = run()) const {
        pvg_preview *found = nullptr;
        preview out;
        check(how.call([&](const pvg_run *raw) {
            return pvg_pipeline_preview(&found, get(), place, raw);
        }));
        out.adopt(found);
        return out;
    }
    /* Draws; empty handles where nothing is drawn. Edges and nodes have one budget, paid
     * by `book`. */
    std::array<release, 3> draw(const input &of, const rng &random,
                                const run &how = run()) const {
        return draw_by(of, random, {}, how);
    }
    std::array<release, 3> draw(const named_input &of, const rng &random,
                                const ledger &book, const run &how = run()) const {
        return draw_by(of, random, {&book, nullptr, nullptr}, how);
    }
    /* Of users: each place has a notion, and a ledger, of its own, or NULL. */
    std::array<release, 3> draw(const named_input &of, const rng &random,
                                const std::array<const ledger *, 3> &books,
                                const run &how = run()) const {
        return draw_by(of, random, books, how);
    }
    /* Reads what was drawn, now or before, by this pipeline or one that asks the same.
     * Nothing is paid. */
    reading read(const std::array<release, 3> &drawn, const rng &random,
                 const run &how = run()) const {
        return read_by(
            [&](double *out, double *without, pvg_model **model, const pvg_run *raw) {
                return pvg_pipeline_read(out, without, model, get(), drawn[0].get(),
                                         drawn[1].get(), drawn[2].get(), random.get(),
                                         raw);
            },
            how);
    }
    /* Of rows: any release of numbers. */
    reading read(const release &rows, const rng &random, const run &how = run()) const {
        return read_by(
            [&](double *out, double *without, pvg_model **model, const pvg_run *raw) {
                return pvg_pipeline_read(out, without, model, get(), rows.get(), nullptr,
                                         nullptr, random.get(), raw);
            },
            how);
    }
    /* Of hidden nodes: row v is made from v's own features, for v alone. Not to be
     * published. */
    reading read_exact(const model &encoder, const features &rows,
                       const release *states = nullptr, const model *head = nullptr,
                       const run &how = run()) const {
        const input own(rows);
        const pvg_input lent_input = own.lend();
        return read_by(
            [&](double *out, double *without, pvg_model **, const pvg_run *raw) {
                return pvg_pipeline_read_exact(
                    out, without, get(), encoder.get(), states ? states->get() : nullptr,
                    head ? head->get() : nullptr, &lent_input, raw);
            },
            how);
    }
    /* Without noise: what it could do at most. Not to be published. */
    reading exact(const input &of, const rng &random, const run &how = run()) const {
        const pvg_input lent_input = of.lend();
        return read_by(
            [&](double *out, double *without, pvg_model **, const pvg_run *raw) {
                return pvg_pipeline_exact(out, without, get(), &lent_input, random.get(),
                                          raw);
            },
            how);
    }

  private:
    std::size_t cells() const noexcept {
        return std::size_t(order()) * std::size_t(classes());
    }
    void build(const std::string &text, const pipeline_arguments &with,
               const target *budget, const rng &random, const run &how) {
        pvg_pipeline_arguments raw = detail::sized<pvg_pipeline_arguments>();
        std::vector<const pvg_release *> sources;
        const std::size_t order = with.order > 0         ? std::size_t(with.order)
                                  : !with.labels.empty() ? with.labels.size()
                                                         : with.parts.size();
        const auto fits = [&](std::size_t count) { return count == 0 || count == order; };
        detail::need(fits(with.labels.size()) && fits(with.checks.size()) &&
                         fits(with.parts.size()),
                     "pipeline: labels, checks or parts are not one for each node");
        detail::need(with.prior.empty() || (order > 0 && with.prior.size() % order == 0),
                     "pipeline: prior is not a row for each node");
        std::string whole = text;
        if (!with.prior.empty()) /* the library reads as many as there are classes */
            whole += " classes=" + std::to_string(with.prior.size() / order);
        if (!with.transition.empty()) {
            std::size_t side = 0;
            while (side * side < with.transition.size()) side++;
            detail::need(side * side == with.transition.size(),
                         "pipeline: transition is not classes x classes");
            if (with.prior.empty()) whole += " classes=" + std::to_string(side);
            detail::need(with.prior.empty() || side * order == with.prior.size(),
                         "pipeline: transition and prior are of other classes");
        }
        for (const release *one : with.sources) sources.push_back(one->get());
        raw.order = int64_t(order);
        raw.labels = with.labels.or_null();
        raw.checks = with.checks.or_null();
        raw.parts = with.parts.or_null();
        raw.prior = with.prior.or_null();
        raw.transition = with.transition.or_null();
        raw.features = with.rows ? with.rows->get() : nullptr;
        raw.graph = with.edges ? with.edges->get() : nullptr;
        raw.sources = sources.data();
        raw.source_count = int64_t(sources.size());
        raw.network = with.network.empty() ? nullptr : detail::c_text(with.network);
        pvg_pipeline *made = nullptr;
        check(how.call([&](const pvg_run *running) {
            return pvg_pipeline_new(&made, detail::c_text(whole), &raw, budget,
                                    random.get(), running);
        }));
        adopt(made);
    }
    std::array<release, 3> draw_by(const input &of, const rng &random,
                                   const std::array<const ledger *, 3> &books,
                                   const run &how) const {
        const auto raw_of = [](const ledger *one) {
            return one ? detail::opened(*one) : nullptr;
        };
        const pvg_input lent_input = of.lend();
        pvg_release *drawn[3] = {nullptr, nullptr, nullptr};
        std::array<release, 3> made;
        check(how.call([&](const pvg_run *raw) {
            const int32_t status = pvg_pipeline_draw(
                &drawn[0], &drawn[1], &drawn[2], get(), &lent_input, random.get(),
                raw_of(books[0]), raw_of(books[1]), raw_of(books[2]), raw);
            for (std::size_t i = 0; i < 3; i++) made[i].adopt(drawn[i]);
            return status; /* after a failure what was drawn is given up */
        }));
        return made;
    }
    template <typename Read> reading read_by(Read &&read, const run &how) const {
        reading made;
        pvg_model *network = nullptr;
        made.without.resize(cells() + 1);
        made.probabilities = detail::filled<double>(cells(), [&](double *out) {
            return how.call([&](const pvg_run *raw) {
                return read(out, made.without.data(), &network, raw);
            });
        });
        made.network.adopt(network);
        made.without.pop_back();
        return made;
    }
};

/* --- audits ----------------------------------------------------------------------- */

/* What a release leaks, measured on public test graphs. */
namespace audit {

/* Scores of two worlds that differ in one edge. */
inline pvg_audit_verdict scores(span<double> first, span<double> second, double delta,
                                double confidence) {
    detail::need(first.size() == second.size(),
                 "audit: the worlds were not played equally often");
    pvg_audit_verdict out = detail::sized<pvg_audit_verdict>();
    check(pvg_audit_scores(&out, first.data(), second.data(), int64_t(first.size()),
                           delta, confidence));
    return out;
}

/* Plays the game: play(world, run) gives a score; what it throws comes out. */
inline pvg_audit_verdict game(const std::function<double(int32_t, int64_t)> &play,
                              int64_t runs, double delta, double confidence,
                              const run &how = run()) {
    struct played {
        const std::function<double(int32_t, int64_t)> *play;
        std::exception_ptr thrown;
        static int32_t one(void *context, int32_t world, int64_t number, double *score) {
            played *own = static_cast<played *>(context);
            try {
                *score = (*own->play)(world, number);
                return 0;
            } catch (...) { /* must not cross C */
                own->thrown = std::current_exception();
                return 1;
            }
        }
    } context{&play, nullptr};
    pvg_audit_verdict out = detail::sized<pvg_audit_verdict>();
    const int32_t status = how.call([&](const pvg_run *raw) {
        return pvg_audit_game(&out, &played::one, &context, runs, delta, confidence, raw);
    });
    if (context.thrown) std::rethrow_exception(context.thrown);
    check(status);
    return out;
}

/* The largest AUC and separation that Gaussian DP with this mu permits. */
inline std::pair<double, double> ceiling(double mu) {
    std::pair<double, double> out;
    check(pvg_audit_ceiling(&out.first, &out.second, mu));
    return out;
}

/* How often the vector of the same row is among the nearest `top` known ones. */
inline double reidentify(span<double> released, span<double> known, int64_t columns,
                         int64_t top, const run &how = run()) {
    detail::need(columns > 0 && released.size() == known.size() &&
                     released.size() % std::size_t(columns) == 0,
                 "audit: matrices of other shapes");
    return detail::number<double>([&](double *out) {
        return how.call([&](const pvg_run *raw) {
            return pvg_audit_reidentify(out, released.data(), known.data(),
                                        int64_t(released.size()) / columns, columns, top,
                                        raw);
        });
    });
}

/* One-sided Clopper-Pearson bounds after so many hits. */
inline std::pair<double, double> interval(int64_t hits, int64_t trials,
                                          double confidence) {
    std::pair<double, double> out;
    check(pvg_audit_interval(&out.first, &out.second, hits, trials, confidence));
    return out;
}

/* The largest AUC and share of true positives at a rate of false ones that epsilon and
 * delta, mu, or a promise permit. */
inline std::pair<double, double> ceiling_pure(double epsilon, double delta,
                                              double false_positive = .01) {
    std::pair<double, double> out;
    check(
        pvg_audit_ceiling_pure(&out.first, &out.second, epsilon, delta, false_positive));
    return out;
}
/* The largest expected accuracy of a prediction from what is epsilon-DP for a person's
 * data; posterior: rows of chances given everything but her own data. */
inline double prediction_ceiling(const std::vector<double> &posterior,
                                 std::size_t classes, double epsilon) {
    double out = 0;
    detail::need(classes > 0 && posterior.size() % classes == 0,
                 "prediction_ceiling: posterior is not made of rows of classes");
    check(pvg_audit_prediction_ceiling(&out, posterior.data(),
                                       int64_t(posterior.size() / classes),
                                       int64_t(classes), epsilon));
    return out;
}
inline std::pair<double, double> ceiling_gdp(double mu, double false_positive = .01) {
    std::pair<double, double> out;
    check(pvg_audit_ceiling_gdp(&out.first, &out.second, mu, false_positive));
    return out;
}
inline std::pair<double, double> ceiling_of(const guarantee &promise,
                                            double false_positive = .01) {
    std::pair<double, double> out;
    check(pvg_audit_ceiling_guarantee(&out.first, &out.second, promise.get(),
                                      false_positive));
    return out;
}

/* A number with an interval. */
struct area {
    double auc = 0.0, low = 0.0, high = 0.0;
};
inline area auc(span<double> positives, span<double> negatives, double confidence = .95) {
    area out;
    check(pvg_audit_auc(&out.auc, &out.low, &out.high, positives.data(),
                        int64_t(positives.size()), negatives.data(),
                        int64_t(negatives.size()), confidence));
    return out;
}

/* LiRA's score of one observation. */
inline double likelihood(double observed, span<double> with_it, span<double> without_it) {
    return detail::number<double>([&](double *out) {
        return pvg_audit_likelihood(out, observed, with_it.data(),
                                    int64_t(with_it.size()), without_it.data(),
                                    int64_t(without_it.size()));
    });
}

/* What is asked, and what controls may know. raw: the other settings. */
struct asking {
    pvg_attack_config raw = {};
    span<int32_t> asked;                      /* of each node, 1: may be asked about */
    span<double> posteriors, positions, rows; /* of each node as many numbers */
    const features *public_features = nullptr;
    const graph *known = nullptr;
    const query *made_by = nullptr; /* of links_release: answers count by its rates */
    pvg_attack_config settled(int64_t order) const {
        const auto columns = [&](span<double> matrix) {
            detail::need(order > 0 && matrix.size() % std::size_t(order) == 0,
                         "audit: a control has another number of rows");
            return int64_t(matrix.size()) / order;
        };
        detail::need(asked.empty() || int64_t(asked.size()) == order,
                     "audit: asked has another number of nodes");
        detail::need(positions.empty() || int64_t(positions.size()) == order,
                     "audit: positions has another number of nodes");
        pvg_attack_config out = raw;
        out.size = sizeof out;
        out.asked = asked.or_null();
        out.positions = positions.or_null();
        out.posteriors = posteriors.or_null();
        out.posterior_columns = posteriors.empty() ? 0 : columns(posteriors);
        out.rows = rows.or_null();
        out.row_columns = rows.empty() ? 0 : columns(rows);
        out.features = public_features ? public_features->get() : nullptr;
        out.known = known ? known->get() : nullptr;
        if (made_by) out.query = made_by->get();
        return out;
    }
};

/* Questions with answers, scores, and scores of controls. */
class attack : public detail::handle<pvg_attack, pvg_attack_free> {
  public:
    attack() = default;
    using score =
        std::function<void(span<int64_t> first, span<int64_t> second, double *scores)>;
    /* Any score: writes a number for each pair; what it throws comes out. */
    static attack links(const score &judge, const graph &truth, const rng &random,
                        const asking &what = asking(), const run &how = run()) {
        struct judged {
            const score *judge;
            std::exception_ptr thrown;
            static int32_t all(void *context, double *scores, const int64_t *first,
                               const int64_t *second, int64_t count) {
                judged *own = static_cast<judged *>(context);
                try {
                    (*own->judge)({first, std::size_t(count)},
                                  {second, std::size_t(count)}, scores);
                    return 0;
                } catch (...) { /* must not cross C */
                    own->thrown = std::current_exception();
                    return 1;
                }
            }
        } context{&judge, nullptr};
        const pvg_attack_config config = what.settled(truth.order());
        pvg_attack *raw_attack = nullptr;
        const int32_t status = how.call([&](const pvg_run *raw) {
            return pvg_attack_links_custom(&raw_attack, &judged::all, &context,
                                           truth.get(), &config, random.get(), raw);
        });
        if (context.thrown) std::rethrow_exception(context.thrown);
        return detail::made<attack>([&](pvg_attack **out) {
            *out = raw_attack;
            return status;
        });
    }
    /* Similarity of rows, as many numbers for each node: of explanations, of features. */
    static attack links_rows(span<double> rows, const graph &truth, const rng &random,
                             const asking &what = asking(), const run &how = run()) {
        const int64_t columns = columns_of(rows, truth);
        return make(
            truth, what, how,
            [&](pvg_attack **out, const pvg_attack_config *config, const pvg_run *raw) {
                return pvg_attack_links_rows(out, rows.data(), columns, truth.get(),
                                             config, random.get(), raw);
            });
    }
    static attack links_posteriors(span<double> rows, const graph &truth,
                                   const rng &random, const asking &what = asking(),
                                   const run &how = run()) {
        const int64_t columns = columns_of(rows, truth);
        return make(
            truth, what, how,
            [&](pvg_attack **out, const pvg_attack_config *config, const pvg_run *raw) {
                return pvg_attack_links_posteriors(out, rows.data(), columns, truth.get(),
                                                   config, random.get(), raw);
            });
    }
    /* LinkTeller. Refused for private parts. */
    static attack links_influence(const model &target, const dataset &data,
                                  const graph &truth, const rng &random,
                                  const asking &what = asking(), const run &how = run()) {
        return make(
            truth, what, how,
            [&](pvg_attack **out, const pvg_attack_config *config, const pvg_run *raw) {
                return pvg_attack_links_influence(out, target.get(), data.get(),
                                                  truth.get(), config, random.get(), raw);
            });
    }
    /* As private as model and dataset are. */
    static attack links_influence_exact(const model &target, const dataset &data,
                                        const graph &truth, const rng &random,
                                        const asking &what = asking(),
                                        const run &how = run()) {
        return make(
            truth, what, how,
            [&](pvg_attack **out, const pvg_attack_config *config, const pvg_run *raw) {
                return pvg_attack_links_influence_exact(out, target.get(), data.get(),
                                                        truth.get(), config, random.get(),
                                                        raw);
            });
    }
    /* Matched filter on released sums of messages, as many numbers for each node. */
    static attack links_states(const release &states, span<double> messages,
                               const graph &truth, const rng &random,
                               const asking &what = asking(), const run &how = run()) {
        const int64_t columns = columns_of(messages, truth);
        return make(
            truth, what, how,
            [&](pvg_attack **out, const pvg_attack_config *config, const pvg_run *raw) {
                return pvg_attack_links_states(out, states.get(), messages.data(),
                                               columns, truth.get(), config, random.get(),
                                               raw);
            });
    }
    /* Reading a released graph or lists. */
    static attack links_release(const release &read, const graph &truth,
                                const rng &random, const asking &what = asking(),
                                const run &how = run()) {
        return make(
            truth, what, how,
            [&](pvg_attack **out, const pvg_attack_config *config, const pvg_run *raw) {
                return pvg_attack_links_release(out, read.get(), truth.get(), config,
                                                random.get(), raw);
            });
    }
    /* A network that judges pairs, trained on those of the nodes marked in known. */
    static attack links_learned(span<double> rows, span<int32_t> known,
                                const graph &truth, const rng &random,
                                const asking &what = asking(), const run &how = run()) {
        const int64_t columns = columns_of(rows, truth);
        detail::need(int64_t(known.size()) == truth.order(),
                     "audit: known has another number of nodes");
        return make(
            truth, what, how,
            [&](pvg_attack **out, const pvg_attack_config *config, const pvg_run *raw) {
                return pvg_attack_links_learned(out, rows.data(), columns, known.data(),
                                                truth.get(), config, random.get(), raw);
            });
    }
    /* Was a node among those of the training? settings NULL: as in the C header. */
    static attack membership(const network &shape, const dataset &data, const rng &random,
                             const training *settings = nullptr,
                             const asking &what = asking(), const run &how = run()) {
        return members(pvg_attack_membership, shape, data, random, settings, what, how);
    }
    static attack membership_exact(const network &shape, const dataset &data,
                                   const rng &random, const training *settings = nullptr,
                                   const asking &what = asking(),
                                   const run &how = run()) {
        return members(pvg_attack_membership_exact, shape, data, random, settings, what,
                       how);
    }
    /* Single values: a number for each entry of truth. */
    static attack values(span<double> scores, const features &truth, const rng &random,
                         const asking &what = asking(), const run &how = run()) {
        detail::need(int64_t(scores.size()) == truth.rows() * truth.columns(),
                     "audit: scores and truth have other shapes");
        const pvg_attack_config config = what.settled(truth.rows());
        return detail::made<attack>(how, [&](pvg_attack **out, const pvg_run *raw) {
            return pvg_attack_values(out, scores.data(), truth.get(), &config,
                                     random.get(), raw);
        });
    }

    int64_t count() const noexcept {
        return pvg_attack_count(get());
    }
    /* negatives: PVG_NEGATIVES_*. */
    pvg_attack_report report(int32_t negatives) const {
        pvg_attack_report out = detail::sized<pvg_attack_report>();
        check(pvg_attack_copy_report(&out, get(), negatives));
        return out;
    }
    /* control: PVG_CONTROL_*; NONE: of the attack itself. */
    area auc_of(int32_t control, int32_t negatives) const {
        area out;
        check(pvg_attack_copy_auc(&out.auc, &out.low, &out.high, get(), control,
                                  negatives));
        return out;
    }
    /* Lent: nodes of the questions and which kind they are. */
    struct asked {
        span<int64_t> first, second;
        span<int32_t> kinds;
    };
    asked questions() const {
        const int64_t *first = nullptr, *second = nullptr;
        const int32_t *kinds = nullptr;
        check(pvg_attack_view_questions(&first, &second, &kinds, get()));
        const std::size_t n = std::size_t(count());
        return {{first, n}, {second, n}, {kinds, n}};
    }
    span<double> scores_of(int32_t control = PVG_CONTROL_NONE) const {
        const double *out = nullptr;
        check(pvg_attack_view_scores(&out, get(), control));
        return {out, std::size_t(count())};
    }

  private:
    static int64_t columns_of(span<double> rows, const graph &truth) {
        detail::need(truth.order() > 0 && rows.size() % std::size_t(truth.order()) == 0,
                     "audit: as many numbers for each node of the truth");
        return int64_t(rows.size()) / truth.order();
    }
    template <typename Build>
    static attack make(const graph &truth, const asking &what, const run &how,
                       Build &&build) {
        const pvg_attack_config config = what.settled(truth.order());
        return detail::made<attack>(how, [&](pvg_attack **out, const pvg_run *raw) {
            return build(out, &config, raw);
        });
    }
    template <typename Call>
    static attack members(Call &&call, const network &shape, const dataset &data,
                          const rng &random, const training *settings, const asking &what,
                          const run &how) {
        const pvg_attack_config config = what.settled(data.order());
        const pvg_training_config trained =
            settings ? settings->raw(shape.classes()) : pvg_training_config{};
        return detail::made<attack>(how, [&](pvg_attack **out, const pvg_run *raw) {
            return call(out, shape.get(), data.get(), settings ? &trained : nullptr,
                        &config, random.get(), raw);
        });
    }
};

/* A graph reconstructed from a row of numbers per node, by an attacker who knows the
 * edges among the other half of the nodes (PrivX), with controls that never see the
 * rows. */
class reconstruction
    : public detail::handle<pvg_reconstruction, pvg_reconstruction_free> {
  public:
    reconstruction() = default;
    /* rows, and features unless empty: as many numbers for each node of the truth. */
    reconstruction(span<double> rows, span<double> features, const graph &truth,
                   const rng &random, pvg_reconstruct_config config = {},
                   const run &how = run()) {
        const uint64_t order = uint64_t(truth.order());
        detail::need(order > 0 && rows.size() % order == 0 &&
                         features.size() % order == 0,
                     "reconstruction: not as many numbers for each node");
        config.size = sizeof config;
        reset_from([&](pvg_reconstruction **out) {
            return how.call([&](const pvg_run *raw) {
                return pvg_attack_reconstruct(out, rows.data(),
                                              int64_t(rows.size() / order),
                                              features.size() ? features.data() : nullptr,
                                              int64_t(features.size() / order),
                                              truth.get(), &config, random.get(), raw);
            });
        });
    }
    pvg_reconstruct_report report(int32_t score = PVG_RECONSTRUCT_ATTACK) const {
        pvg_reconstruct_report out{};
        out.size = sizeof out;
        check(pvg_reconstruction_copy_report(&out, get(), score));
        return out;
    }
    int64_t count() const {
        return pvg_reconstruction_count(get());
    }
    struct pairs_view {
        span<int64_t> first, second;
        span<int32_t> truth;
    };
    /* Lent: nodes of every pair, 1 where there is an edge. */
    pairs_view pairs() const {
        const int64_t *first = nullptr, *second = nullptr;
        const int32_t *truth = nullptr;
        check(pvg_reconstruction_view_pairs(&first, &second, &truth, get()));
        const std::size_t size = std::size_t(count());
        return {span<int64_t>(first, size), span<int64_t>(second, size),
                span<int32_t>(truth, size)};
    }
    span<double> scores(int32_t score = PVG_RECONSTRUCT_ATTACK) const {
        const double *out = nullptr;
        check(pvg_reconstruction_view_scores(&out, get(), score));
        return span<double>(out, std::size_t(count()));
    }
};

} // namespace audit

} // namespace privgraph

#endif
