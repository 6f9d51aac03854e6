/* audit: what a release leaks, measured. Include <privgraph-learn.h>.
 *
 * An audit can refute a guarantee, never prove one: its epsilon is a lower bound that
 * holds with the stated confidence. Audits run on public test graphs; on a private graph
 * their results are private too. */
#ifndef PRIVGRAPH_AUDIT_H
#define PRIVGRAPH_AUDIT_H

#include "base.h"
#include "graph.h"
#include "network.h"
#include "release.h"
#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a distinguishing game found. */
typedef struct pvg_audit_verdict {
    uint32_t size; /* sizeof(pvg_audit_verdict), set by the caller */
    uint32_t reserved;
    double epsilon_lower; /* the true epsilon at delta is at least this, with confidence;
                           * 0 if nothing was found */
    double auc;           /* probability that a score of the second world is the larger */
    double separation;    /* d': difference of means in pooled standard deviations */
    double true_positive; /* rates of the event used, on the runs held out */
    double false_positive;
    double confidence, delta; /* as asked */
    int64_t runs;             /* in each world */
} pvg_audit_verdict;

/* Judges scores of two worlds that differ in one edge: `runs` numbers each, the larger
 * the more the second world is suspected. The event (a threshold and a side) is chosen on
 * the first half of the runs; Clopper-Pearson bounds on the other half give the lower
 * bound ln((P(event) - delta) / P'(event)). confidence in (0, 1), say 1 - 1e-9. Scores
 * may be infinite, not NaN. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_scores(pvg_audit_verdict *out,
                                       PVG_LEN(runs) const double *first,
                                       PVG_LEN(runs) const double *second, int64_t runs,
                                       double delta, double confidence);

/* One run of the game in a world (0: the edge is absent, 1: present): writes the score
 * and returns 0, or non-zero to give up (PVG_E_CANCELLED). */
typedef int32_t (*pvg_audit_play)(void *context, int32_t world, int64_t run,
                                  double *score);

/* Plays the game: calls play `runs` times for each world, from the calling thread, and
 * judges the scores. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_game(pvg_audit_verdict *out, pvg_audit_play play,
                                     void *context, int64_t runs, double delta,
                                     double confidence, const pvg_run *run);

/* Largest AUC and d' that a mechanism with Gaussian-DP parameter mu permits, to print
 * beside a verdict: AUC = Phi(mu / sqrt 2), d' = mu. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_ceiling(double *auc, double *separation, double mu);

/* The same for epsilon and delta: AUC <= 1 - (1 - delta)^2 / (1 + e^epsilon) and, at a
 * rate of false positives f, true positives <= min(1, delta + e^epsilon f, 1 - e^-epsilon
 * (1 - delta - f)). Attained; epsilon may be infinite. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_ceiling_pure(double *auc, double *true_positive,
                                             double epsilon, double delta,
                                             double false_positive);
/* And for mu: Phi(mu / sqrt 2), Phi(mu + Phi^-1(f)). Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_ceiling_gdp(double *auc, double *true_positive, double mu,
                                            double false_positive);

/* And for what is promised, from its whole curve, from above. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_ceiling_guarantee(double *auc, double *true_positive,
                                                  const pvg_guarantee *guarantee,
                                                  double false_positive);

/* The largest expected accuracy of any prediction of a class that is read off something
 * epsilon-DP for the person's data: the mean over rows of max over k of (sum of the k
 * largest entries) e^epsilon / (e^epsilon + k - 1). posterior: of each person (row) the
 * chances of her classes given all public data *and everybody else's private data*: from
 * features alone it is no bound. Rows add up to 1 within 10^-6. From above. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_prediction_ceiling(double *out,
                                                   PVG_LEN(rows, classes)
                                                       const double *posterior,
                                                   int64_t rows, int64_t classes,
                                                   double epsilon);

/* Re-identification: for each of `rows` released vectors, is the vector of the same row
 * among the nearest `top` of the known ones (Euclidean distance; ties count against the
 * attacker)? *share receives the fraction found. Matrices are row-major, rows x columns.
 * Uses run->threads. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_reidentify(double *share,
                                           PVG_LEN(rows, columns) const double *released,
                                           PVG_LEN(rows, columns) const double *known,
                                           int64_t rows, int64_t columns, int64_t top,
                                           const pvg_run *run);

/* One-sided Clopper-Pearson bounds on a probability after `hits` of `trials`: each holds
 * with the given confidence. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_interval(double *lower, double *upper, int64_t hits,
                                         int64_t trials, double confidence);

/* Area under the curve of true over false positives: the chance that a positive has the
 * larger score; ties count half. [low, high] covers it with the confidence if questions
 * are independent (DeLong; where there is no spread at all, by Clopper and Pearson on
 * pairs of questions). Scores may be infinite, not NaN. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_auc(double *auc, double *low, double *high,
                                    PVG_LEN(positive_count) const double *positives,
                                    int64_t positive_count,
                                    PVG_LEN(negative_count) const double *negatives,
                                    int64_t negative_count, double confidence);

/* LiRA (Carlini et al. 2022): how much likelier an observation is under a normal law
 * fitted to what models with a record gave than under one fitted to models without it,
 * as a logarithm. Numbers are logits of the probability of the true class. A score for
 * pvg_audit_scores; at least 2 numbers of each. Since 0.1. */
PRIVGRAPH_API int32_t pvg_audit_likelihood(double *score, double observed,
                                           PVG_LEN(with_count) const double *with_it,
                                           int64_t with_count,
                                           PVG_LEN(without_count)
                                               const double *without_it,
                                           int64_t without_count);

/* --- attacks ----------------------------------------------------------------------- */

/* An attack is a list of questions with their answers ("is {u, v} an edge?"), a score for
 * each, the larger the more it is suspected, and the scores of controls, which know less:
 * what an attack does not add to the best of them it did not take from what it attacked.
 * Questions of one seed are the same for every attack on one graph. Immutable.
 *
 * An AUC over pairs also collects what is inferred from classes and degrees: it may be
 * above the ceiling of a guarantee and refutes nothing. Epsilon is bounded from below by
 * pvg_audit_game alone. A low AUC proves nothing either: it is about this attack. */
typedef struct pvg_attack pvg_attack;

/* Which questions have the answer no. For links all three are asked always: against
 * uniform pairs a score only has to tell how far apart two nodes are. */
enum pvg_negatives {
    PVG_NEGATIVES_NONE = -1,   /* the answer is yes */
    PVG_NEGATIVES_UNIFORM = 0, /* pairs of nodes without an edge, uniformly */
    PVG_NEGATIVES_TWO_HOP = 1, /* a uniform node and a uniform one at distance 2 of it */
    /* two nodes without an edge whose degrees are those of the ends of an edge (of the
     * nearest ranks where fewer than 16 nodes have such a degree) */
    PVG_NEGATIVES_DEGREE = 2
};

/* Scores that know less than the attack. */
enum pvg_control {
    PVG_CONTROL_NONE = -1,    /* the attack itself */
    PVG_CONTROL_FEATURES = 0, /* cosine of public features */
    PVG_CONTROL_POSTERIORS =
        1,                     /* centred cosine of posteriors of a model without edges */
    PVG_CONTROL_DEGREES = 2,   /* product of degrees */
    PVG_CONTROL_POSITION = 3,  /* nodes near each other in an order */
    PVG_CONTROL_MEMORISER = 4, /* edges the attacker knew before */
    PVG_CONTROL_ROWS = 5,      /* cosine of rows of the caller */
    PVG_CONTROL_THRESHOLD = 6, /* members: the probability of the true class */
    PVG_CONTROL_SHARES = 7,    /* values: how frequent a class or entry is */
    PVG_CONTROL_CHANCE = 8     /* learned: the same network on random rows */
};

/* How two rows are compared. Distances count with a minus. */
enum pvg_metric {
    PVG_METRIC_DEFAULT = 0, /* COSINE for rows, CENTRED for posteriors */
    PVG_METRIC_COSINE = 1,
    PVG_METRIC_CENTRED = 2, /* cosine after the mean over the asked nodes is taken off */
    PVG_METRIC_CORRELATION = 3,
    PVG_METRIC_DOT = 4,
    PVG_METRIC_EUCLIDEAN = 5,
    PVG_METRIC_CITY_BLOCK = 6,
    PVG_METRIC_CHEBYSHEV = 7,
    PVG_METRIC_BRAY_CURTIS = 8,
    PVG_METRIC_CANBERRA = 9
};

/* What a learned attack looks at. */
enum pvg_pairs {
    /* average, product, |difference| and its square of the rows and of their entropies;
     * eight distances (He et al., Attack-3) */
    PVG_PAIRS_DISTANCES = 0,
    /* cosine of rows and of features; |difference| and product in 32 random directions */
    PVG_PAIRS_DIRECTIONS = 1
};

/* What is asked, and what controls may know: everything in it is public. */
typedef struct pvg_attack_config {
    uint32_t size;                   /* sizeof(pvg_attack_config) */
    PVG_ENUM(METRIC) int32_t metric; /* PVG_METRIC_* */
    int64_t positives;               /* edges, or members; 0: 1000, or all */
    int64_t negatives;               /* of each kind; 0: as many */
    int64_t draws;                   /* of the bootstrap over nodes; 0: 200 */
    double confidence;               /* of every interval; 0: .95 */
    const int32_t *asked;         /* of each node, 1: may be asked about; NULL: all may */
    const pvg_features *features; /* for FEATURES; NULL: none, or those of a dataset */
    const double *posteriors;     /* for POSTERIORS, order x posterior_columns, or NULL */
    int64_t posterior_columns;
    const double *positions; /* for POSITION, a number of each node, or NULL */
    const pvg_graph *known;  /* for MEMORISER, or NULL */
    const double *rows;      /* for ROWS, order x row_columns, or NULL */
    int64_t row_columns;
    /* Influence: relative step h, 0: .001; 1: of probabilities, else of logits; 1: whole
     * forward passes instead of balls, as one without the model would do */
    double step;
    PVG_BOOL int32_t probabilities;
    PVG_BOOL int32_t black_box;
    /* Members: of each class; 0: 90, or a third of the smallest class. 1: members are
     * queried on the graph of the training, as published, which is wrong */
    int64_t per_class;
    PVG_BOOL int32_t published;
    PVG_ENUM(PAIRS) int32_t pairs; /* what a learned attack looks at: PVG_PAIRS_* */
    /* Reading a release: the query that it answers, as everybody knows it, or NULL. With
     * one of DPRR, answers are weighed by the rates at which their node keeps them */
    const pvg_query *query;
} pvg_attack_config;

/* What came out against one kind of negatives. Intervals are from a bootstrap over nodes:
 * questions share them. NaN where there is no such question. */
typedef struct pvg_attack_report {
    uint32_t size;                         /* sizeof(pvg_attack_report), by the caller */
    PVG_ENUM(NEGATIVES) int32_t negatives; /* as asked */
    int64_t positive_count, negative_count;
    double auc, auc_low, auc_high;
    double pairs_low, pairs_high; /* as if questions were independent: pvg_audit_auc */
    /* average precision at the prevalence of the graph: edges / pairs that may be asked
     * */
    double precision_mean, prevalence;
    /* at 1 % of false positives, with Clopper-Pearson bounds */
    double true_positive, true_positive_low, true_positive_high;
    PVG_ENUM(CONTROL) int32_t control; /* the best one; NONE if there is no control */
    /* 1: the score is the same for all questions: there is no interface to attack, or
     * the model is dead */
    PVG_BOOL int32_t silent;
    double control_auc;
    /* AUC less that of the best control, an interval of the difference on the same
     * questions and draws */
    double excess, excess_low, excess_high;
    /* 1: the model that is attacked, or the rows, say the same about every node: nothing
     * was learnt, and .5 is no sign of privacy */
    PVG_BOOL int32_t dead;
} pvg_attack_report;

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_attack_free(pvg_attack *attack);

/* Fills out->... for out->size and a kind of negatives. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_copy_report(pvg_attack_report *out,
                                             const pvg_attack *attack,
                                             PVG_ENUM(NEGATIVES) int32_t negatives);

/* AUC of a control, or of the attack (PVG_CONTROL_NONE), with its interval. All NaN if
 * there is no such control. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_copy_auc(double *auc, double *low, double *high,
                                          const pvg_attack *attack,
                                          PVG_ENUM(CONTROL) int32_t control,
                                          PVG_ENUM(NEGATIVES) int32_t negatives);

/* Questions: how many; 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_attack_count(const pvg_attack *attack);

/* Lends the questions: nodes first[i] and second[i] (the same one if the question is
 * about a node; a class or column if it is about a value of a node), and of which kind it
 * is, PVG_NEGATIVES_*. Any may be NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_view_questions(
    PVG_OPT PVG_LEN(pvg_attack_count(attack)) const int64_t **first,
    PVG_OPT PVG_LEN(pvg_attack_count(attack)) const int64_t **second,
    PVG_OPT PVG_ENUM(NEGATIVES) PVG_LEN(pvg_attack_count(attack)) const int32_t **kinds,
    const pvg_attack *attack);

/* Lends the scores of the attack (PVG_CONTROL_NONE) or of a control; PVG_E_ARGUMENT if it
 * has no such control. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_view_scores(PVG_LEN(pvg_attack_count(attack))
                                                 const double **scores,
                                             const pvg_attack *attack,
                                             PVG_ENUM(CONTROL) int32_t control);

/* --- attacks on links --------------------------------------------------------------- */

/* All take a public test graph as the truth: on a private one everything in the result is
 * private. The order of the truth is the number of rows. The generator draws the
 * questions and the bootstrap. config NULL: defaults. */

/* Any score: called once, from the calling thread, for all questions; writes a number
 * that is not NaN for each. Non-zero gives up (PVG_E_CANCELLED). Since 0.1. */
typedef int32_t (*pvg_attack_score)(void *context, double *scores, const int64_t *first,
                                    const int64_t *second, int64_t count);
PRIVGRAPH_API int32_t pvg_attack_links_custom(pvg_attack **out, pvg_attack_score score,
                                              PVG_OPT void *context,
                                              const pvg_graph *truth,
                                              PVG_OPT const pvg_attack_config *config,
                                              pvg_rng *rng, const pvg_run *run);

/* Similarity of rows, order x columns: of explanations (ExplainSim), of features
 * (FeatureSim), of embeddings of nodes. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_links_rows(pvg_attack **out,
                                            PVG_LEN(order, columns) const double *rows,
                                            int64_t columns, const pvg_graph *truth,
                                            PVG_OPT const pvg_attack_config *config,
                                            pvg_rng *rng, const pvg_run *run);

/* Similarity of posteriors (He et al., LSA2): the same with the centred cosine. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_attack_links_posteriors(pvg_attack **out,
                                                  PVG_LEN(order, columns)
                                                      const double *rows,
                                                  int64_t columns, const pvg_graph *truth,
                                                  PVG_OPT const pvg_attack_config *config,
                                                  pvg_rng *rng, const pvg_run *run);

/* LinkTeller: I(v -> u) + I(u -> v), I(v -> u) = |f(X, row v times 1 + h)_u - f(X)_u| / h
 * of a model's output f, evaluated in doubles. The dataset is what the model is asked on:
 * its graph may be a released one, its features are the control. Only the ball around an
 * asked node is computed again, with the same bits as a whole forward pass. Beyond the
 * depth of the model influence is 0, so that against UNIFORM any weights do well; a model
 * that reads cached states has no interface at all (report->silent), whatever epsilon.
 * PVG_E_PRIVACY for private parts. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_links_influence(pvg_attack **out, const pvg_model *model,
                                                 const pvg_dataset *dataset,
                                                 const pvg_graph *truth,
                                                 PVG_OPT const pvg_attack_config *config,
                                                 pvg_rng *rng, const pvg_run *run);
/* The same for any model and dataset: the result is as private as they are. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_links_influence_exact(
    pvg_attack **out, const pvg_model *model, const pvg_dataset *dataset,
    const pvg_graph *truth, PVG_OPT const pvg_attack_config *config, pvg_rng *rng,
    const pvg_run *run);

/* Matched filter on released states S, of which the first `columns` columns are sums of
 * messages x (public, order x columns) over neighbours: <S_u, x_v> + <S_v, x_u>. Without
 * rows in the config, the control ROWS is <x_u, x_v>, which no edge is in. In the game
 * about one edge, pvg_audit_game, it meets the ceiling of Gaussian noise. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_links_states(pvg_attack **out,
                                              const pvg_release *release,
                                              PVG_LEN(order, columns)
                                                  const double *messages,
                                              int64_t columns, const pvg_graph *truth,
                                              PVG_OPT const pvg_attack_config *config,
                                              pvg_rng *rng, const pvg_run *run);

/* Reading a released graph or released lists: how often a pair stands there, or, where
 * config->query (or perturber) is one of DPRR, the logarithm of the odds that it is an
 * edge, with lengths of lists as what tells how many edges a node has and keeps. What a
 * model that was trained on a release gives away beyond this it did not take from the
 * private graph. PVG_E_ARGUMENT if the release holds neither. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_links_release(pvg_attack **out,
                                               const pvg_release *release,
                                               const pvg_graph *truth,
                                               PVG_OPT const pvg_attack_config *config,
                                               pvg_rng *rng, const pvg_run *run);

/* A network that judges pairs of rows, order x columns (config->pairs). known: of each
 * node, 1 if the attacker knows its edges to other known nodes; it learns from these and
 * is asked about the others only. Without rows in the config, the control ROWS is the
 * cosine; the memoriser knows none of the pairs; CHANCE is a network that was trained in
 * the same way with random rows, and has all that is not in the rows. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_links_learned(
    pvg_attack **out, PVG_LEN(order, columns) const double *rows, int64_t columns,
    PVG_LEN(order) const int32_t *known, const pvg_graph *truth,
    PVG_OPT const pvg_attack_config *config, pvg_rng *rng, const pvg_run *run);

/* --- other attacks ------------------------------------------------------------------ */

/* G-MIA, corrected: was a node among those a network was trained on? Target and shadow
 * are trained on the graphs that config->per_class nodes of each class induce (training
 * NULL: Adam .005 without decay, 120 epochs); members and as many others are queried on
 * the same graph, that of the dataset. Needs a graph whose arcs go both ways, features
 * and labels. The control is the probability of the true class. Reports have UNIFORM
 * negatives only. Node-level epsilon cannot be read off the AUC. PVG_E_PRIVACY for
 * private parts. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_membership(pvg_attack **out, const pvg_network *network,
                                            const pvg_dataset *dataset,
                                            PVG_OPT const pvg_training_config *training,
                                            PVG_OPT const pvg_attack_config *config,
                                            pvg_rng *rng, const pvg_run *run);
/* The same for any dataset: the result is as private as it is. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_membership_exact(
    pvg_attack **out, const pvg_network *network, const pvg_dataset *dataset,
    PVG_OPT const pvg_training_config *training, PVG_OPT const pvg_attack_config *config,
    pvg_rng *rng, const pvg_run *run);

/* Single values: is an entry of the truth there? scores: rows x columns of it, the larger
 * the more it is suspected; reported features, or probabilities of classes with labels as
 * one-hot rows. UNIFORM: entries that are not there; DEGREE: such in the same column;
 * TWO_HOP: none. The control is how frequent a column is. Since 0.1. */
PRIVGRAPH_API int32_t pvg_attack_values(
    pvg_attack **out,
    PVG_LEN(pvg_features_rows(truth), pvg_features_columns(truth)) const double *scores,
    const pvg_features *truth, PVG_OPT const pvg_attack_config *config, pvg_rng *rng,
    const pvg_run *run);
/* --- reconstruction of graphs ------------------------------------------------------- */

/* PrivX, with protocols that cannot fool their user: a graph is cut into two halves
 * without a common node; the attacker knows the edges of one and scores all pairs of
 * windows of the other, from a row of numbers per node (explanations, embeddings,
 * features). Windows are connected sets of nodes, shuffled, because their order alone
 * tells edges. Several cuts; AUC of each window over all its pairs. Immutable. */
typedef struct pvg_reconstruction pvg_reconstruction;

/* Who scores. Those from POSITION on are controls: they never see the rows. */
enum pvg_reconstruct {
    PVG_RECONSTRUCT_ATTACK = 0,    /* what did best on nodes the attacker held out */
    PVG_RECONSTRUCT_COSINE = 1,    /* of the rows; nothing is learnt */
    PVG_RECONSTRUCT_TWIN = 2,      /* the network of diffusion in one step */
    PVG_RECONSTRUCT_DIFFUSION = 3, /* two-state diffusion over the bits of a window */
    PVG_RECONSTRUCT_POSITION = 4,  /* how often known windows have an edge at a place */
    PVG_RECONSTRUCT_DENSITY = 5,   /* the same number for all pairs */
    PVG_RECONSTRUCT_FEATURES = 6,  /* cosine of public features */
    PVG_RECONSTRUCT_FEATURES_TWIN = 7, /* the twin on public features (PrivF) */
    PVG_RECONSTRUCT_MEMORISER = 8,     /* edges of known windows; there can be none */
    PVG_RECONSTRUCT_CHANCE = 9         /* the twin on random rows: what it over-fits */
};

typedef struct pvg_reconstruct_config {
    uint32_t size;              /* sizeof(pvg_reconstruct_config) */
    PVG_BOOL int32_t diffusion; /* 1: DIFFUSION too */
    /* 1: windows keep the order of their search: to see what that alone tells */
    PVG_BOOL int32_t ordered;
    int32_t reserved;
    int64_t window;     /* nodes of a window, 3 to 128; 0: 20 */
    int64_t windows;    /* of the known half; 0: 400 */
    int64_t tests;      /* of the other half, and of the nodes held out; 0: 40 */
    int64_t cuts;       /* 0: 5 */
    int64_t directions; /* random and public, in which rows are seen; 0: 32 */
    int64_t hidden;     /* columns inside the network; 0: 32 */
    int64_t steps;      /* 0: 350 */
    int64_t batch;      /* windows in a step; 0: 16 */
    int64_t rounds;     /* of sampling by DIFFUSION; 0: 12 */
    int64_t samples;    /* of which predictions are averaged; 0: 4 */
    double rate;        /* of AdamW; 0: .002 */
    double decay;       /* 0: 1e-4 */
    double sigma;       /* of Gaussian noise in each direction of a row of length 1 */
    double confidence;  /* of intervals; 0: .95 */
} pvg_reconstruct_config;

/* What one of them found. */
typedef struct pvg_reconstruct_report {
    uint32_t size; /* sizeof(pvg_reconstruct_report), by the caller */
    PVG_ENUM(RECONSTRUCT) int32_t score; /* as asked */
    int64_t windows, cuts;               /* windows with an AUC; cuts */
    double auc, auc_low, auc_high;       /* mean over windows; interval over cuts */
    double precision_mean, prevalence;   /* of edges in windows, mean; share of edges */
    /* AUC on the attacker's own nodes held out; share of the cuts in which it was chosen
     * for that. NaN and 0 for controls */
    double held_out, chosen;
    PVG_ENUM(RECONSTRUCT) int32_t control; /* the best control */
    int32_t reserved;
    double control_auc;
    double excess, excess_low, excess_high; /* over it, on the same windows */
    /* Of the noise, infinite without: for a row of the half that is attacked, when the
     * others stay. One edge may move all of these rows (the model was trained with it),
     * and the second is for that. Neither is a guarantee of the rows as such. */
    double mu_row, mu_edge;
} pvg_reconstruct_report;

/* Runs it. rows: a row of `columns` numbers for each node of the truth, a public test
 * graph; on a private one everything in the result is private. features, if not NULL: the
 * same for controls. Rows are centred on the known half, seen in random directions, made
 * to length 1, and given noise; features get no noise. PVG_E_ARGUMENT if a region has no
 * connected nodes for a window. A seeded generator gives the same numbers for every
 * number of threads; uses run->threads. O(cuts steps batch window^2 hidden^2). Since 0.1.
 */
PRIVGRAPH_API int32_t pvg_attack_reconstruct(
    pvg_reconstruction **out, PVG_LEN(order, columns) const double *rows, int64_t columns,
    PVG_OPT PVG_LEN(order, feature_columns) const double *features,
    int64_t feature_columns, const pvg_graph *truth,
    PVG_OPT const pvg_reconstruct_config *config, pvg_rng *rng, const pvg_run *run);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_reconstruction_free(pvg_reconstruction *reconstruction);

/* Fills out->... for out->size; all NaN if this one was not asked for. Since 0.1. */
PRIVGRAPH_API int32_t pvg_reconstruction_copy_report(
    pvg_reconstruct_report *out, const pvg_reconstruction *reconstruction,
    PVG_ENUM(RECONSTRUCT) int32_t score);

/* Pairs of all windows that were attacked: how many; 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_reconstruction_count(const pvg_reconstruction *reconstruction);

/* Lends them: nodes first[i] and second[i], 1 where there is an edge. Cut by cut, window
 * by window, each with window (window - 1) / 2 pairs. Any may be NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_reconstruction_view_pairs(
    PVG_OPT PVG_LEN(pvg_reconstruction_count(reconstruction)) const int64_t **first,
    PVG_OPT PVG_LEN(pvg_reconstruction_count(reconstruction)) const int64_t **second,
    PVG_OPT PVG_LEN(pvg_reconstruction_count(reconstruction)) const int32_t **truth,
    const pvg_reconstruction *reconstruction);

/* Lends the scores of all pairs; PVG_E_ARGUMENT if this one was not asked for. Since 0.1.
 */
PRIVGRAPH_API int32_t pvg_reconstruction_view_scores(
    PVG_LEN(pvg_reconstruction_count(reconstruction)) const double **scores,
    const pvg_reconstruction *reconstruction, PVG_ENUM(RECONSTRUCT) int32_t score);

#ifdef __cplusplus
}
#endif

#endif
