/* The sets, and the ways to embed them that molecules.c reports or chooses from. */
#ifndef MOLECULES_PLANS_H
#define MOLECULES_PLANS_H

#include <privgraph.h>
#include <stdint.h>

typedef struct {
    const char *folder;
    int64_t degree_bound; /* promised */
    int64_t k;            /* neighbours */
} set_info;

static const set_info sets[] = {
    {"molhiv", 10, 1000}, {"molbace", 6, 120}, {"molbbbp", 6, 120}};

enum { NOISE_LIBRARY, NOISE_PUBLISHED, NOISE_NONE };
enum { LEARN_PLAIN, LEARN_WEIGHED };

/* One way to embed and learn. */
typedef struct {
    const char *title;
    const char *patterns; /* names, or TREE_LIST; NULL: node count alone */
    const char *scaling;  /* NULL: range */
    int32_t allocation;
    int noise, learn;
    int64_t truncate;  /* 0: the promised degree bound of the set */
    int32_t law;       /* PVG_NOISE_*; 0: Gaussian */
    int use_reference; /* weights from the public reference set */
} plan;

/* The preset of docs/guide/embeddings.md: one number per graph, pure epsilon. */
static const plan preset = {.title = "preset",
                            .patterns = "edge",
                            .scaling = "per-node",
                            .law = PVG_NOISE_LAPLACE,
                            .learn = LEARN_WEIGHED};

/* Zero: optimal allocation, the library's noise, the plain learner. */
static const plan reported[] = {
    {.title = "node count alone", .noise = NOISE_NONE},
    {.title = "published noise",
     .patterns = "50 trees",
     .noise = NOISE_PUBLISHED,
     .scaling = "density"},
    {.title = "isotropic",
     .patterns = "50 trees",
     .scaling = "density",
     .allocation = PVG_ALLOCATION_ISOTROPIC},
    {.title = "proportional",
     .patterns = "50 trees",
     .scaling = "density",
     .allocation = PVG_ALLOCATION_PROPORTIONAL},
    {.title = "optimal", .patterns = "50 trees", .scaling = "density"},
    {.title = "no noise (NOT PRIVATE)",
     .patterns = "50 trees",
     .scaling = "density",
     .noise = NOISE_NONE},
};

/* What --choose compares. */
static const plan candidates[] = {
    {.title = "node count alone", .noise = NOISE_NONE},
    {.title = "50 trees, range units, plain", .patterns = "50 trees"},
    {.title = "50 trees, per node, plain", .patterns = "50 trees", .scaling = "per-node"},
    {.title = "50 trees, density, weighed",
     .patterns = "50 trees",
     .scaling = "density",
     .learn = LEARN_WEIGHED},
    {.title = "50 trees, per node, reference, weighed",
     .patterns = "50 trees",
     .scaling = "per-node",
     .learn = LEARN_WEIGHED,
     .use_reference = 1},
    {.title = "edge, density, plain", .patterns = "edge", .scaling = "density"},
    {.title = "edge, density, weighed",
     .patterns = "edge",
     .scaling = "density",
     .learn = LEARN_WEIGHED},
    {.title = "edge, per node, plain", .patterns = "edge", .scaling = "per-node"},
    {.title = "edge, per node, weighed",
     .patterns = "edge",
     .scaling = "per-node",
     .learn = LEARN_WEIGHED},
    {.title = "path3, per node, weighed",
     .patterns = "path3",
     .scaling = "per-node",
     .learn = LEARN_WEIGHED},
    {.title = "edge path3, per node, plain",
     .patterns = "edge,path3",
     .scaling = "per-node"},
    {.title = "edge path3, reference, weighed",
     .patterns = "edge,path3",
     .scaling = "per-node",
     .learn = LEARN_WEIGHED,
     .use_reference = 1},
    {.title = "edge path3 star3 path4, reference, weighed",
     .patterns = "edge,path3,star3,path4",
     .scaling = "per-node",
     .learn = LEARN_WEIGHED,
     .use_reference = 1},
    {.title = "edge cycle5 cycle6, reference, weighed",
     .patterns = "edge,cycle5,cycle6",
     .scaling = "per-node",
     .learn = LEARN_WEIGHED,
     .use_reference = 1},
    {.title = "edge, Laplace, density, plain",
     .patterns = "edge",
     .scaling = "density",
     .law = PVG_NOISE_LAPLACE},
    {.title = "edge, Laplace, per node, plain",
     .patterns = "edge",
     .scaling = "per-node",
     .law = PVG_NOISE_LAPLACE},
    {.title = "edge, Laplace, per node, weighed",
     .patterns = "edge",
     .scaling = "per-node",
     .law = PVG_NOISE_LAPLACE,
     .learn = LEARN_WEIGHED},
    {.title = "path3, Laplace, per node, weighed",
     .patterns = "path3",
     .scaling = "per-node",
     .law = PVG_NOISE_LAPLACE,
     .learn = LEARN_WEIGHED},
    {.title = "path3, Laplace, degrees cut to 4, weighed",
     .patterns = "path3",
     .scaling = "per-node",
     .law = PVG_NOISE_LAPLACE,
     .truncate = 4,
     .learn = LEARN_WEIGHED},
    {.title = "edge path3, Laplace, reference, weighed",
     .patterns = "edge,path3",
     .scaling = "per-node",
     .law = PVG_NOISE_LAPLACE,
     .learn = LEARN_WEIGHED,
     .use_reference = 1},
    {.title = "edge, no noise (NOT PRIVATE)",
     .patterns = "edge",
     .scaling = "per-node",
     .noise = NOISE_NONE,
     .learn = LEARN_WEIGHED},
    {.title = "edge path3, no noise (NOT PRIVATE)",
     .patterns = "edge,path3",
     .scaling = "per-node",
     .noise = NOISE_NONE,
     .learn = LEARN_WEIGHED},
};

#endif
