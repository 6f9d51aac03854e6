# Private graphs in, publishable things with a true guarantee out.
#
#     using PrivGraph
#     graph = Graph(6, [0, 0, 1], [1, 2, 2])              # nodes count from 0, as in C
#     embedder = Embedder(Patterns("edge,path3"), Target(2.0, 1e-6); truncate = 4)
#     release = draw(embedder, graph, Rng())
#     values(release), words(release)
#
# lib.jl holds every function of the C library under its own name; this file wraps the common ones.
# Handles free themselves. A test compares each ccall with the C header; see bindings/julia/README.md
# for what was not run.
module PrivGraph

export Curve, Embedder, Features, Graph, GraphSet, Labels, Layers, Ledger, Patterns, Perturber,
       PrivGraphError, Propagator, Release, Rng, Statistic, Target, charge_object, degree_diagram, degree_sequence,
       deviations, draw, edges, epsilon, graphs, publishable, joined, json, labels, lists, load_release, order, order_told,
       save, scalars, spectrum, synthesize, synthesis, tallies, triangles, words

const libprivgraph = get(ENV, "PRIVGRAPH_LIBRARY", "libprivgraph.so.0")

include("lib.jl")

"A failed call: its status (PVG_E_*) and the library's message."
struct PrivGraphError <: Exception
    status::Int32
    message::String
end

Base.showerror(io::IO, error::PrivGraphError) = print(io, "privgraph: ", error.message)

function check(status)
    status == PVG_OK && return nothing
    throw(PrivGraphError(status, unsafe_string(pvg_error_message())))
end

# --- handles --------------------------------------------------------------------------

"Owns one handle of the C library."
abstract type Handle end

# ccall keeps the Handle alive and takes its pointer at the last moment.
Base.unsafe_convert(::Type{Ptr{Cvoid}}, handle::Handle) = handle.pointer

# never what is inside: it may be private
Base.show(io::IO, handle::Handle) = print(io, nameof(typeof(handle)))

for (name, free) in ((:Rng, :pvg_rng_free), (:Graph, :pvg_graph_free),
                     (:Features, :pvg_features_free), (:Labels, :pvg_labels_free),
                     (:Patterns, :pvg_patterns_free), (:Embedder, :pvg_embedder_free),
                     (:Layers, :pvg_layers_free), (:Propagator, :pvg_propagator_free),
                     (:Perturber, :pvg_perturber_free), (:Release, :pvg_release_free),
                     (:Curve, :pvg_curve_free), (:Ledger, :pvg_ledger_free),
                     (:GraphSet, :pvg_graphset_free), (:GraphSetBuilder, :pvg_graphset_builder_free),
                     (:Statistic, :pvg_statistic_free))
    @eval mutable struct $name <: Handle
        pointer::Ptr{Cvoid}
        # build(out) calls a constructor of the C library
        function $name(build::Function)
            out = Ref{Ptr{Cvoid}}(C_NULL)
            check(build(out))
            return finalizer(it -> $free(it.pointer), new(out[]))
        end
    end
end

# Text by the (out, capacity, length) convention; asked for again if another thread made it longer
# in between.
function text(copy::Function)
    length = Ref{Csize_t}(0)
    check(copy(C_NULL, 0, length))
    while true
        bytes = Vector{UInt8}(undef, length[] + 1)
        status = copy(bytes, sizeof(bytes), length)
        status == PVG_E_LIMIT && length[] >= sizeof(bytes) && continue
        check(status)
        return String(bytes[1:length[]])
    end
end

# --- random bits, budgets -------------------------------------------------------------

"A secure generator. Only what a secure one made is private."
Rng() = Rng(out -> pvg_rng_new_secure(out))
"A reproducible generator, for tests and public objects."
Rng(seed::Integer) = Rng(out -> pvg_rng_new_seeded(out, seed))

"A budget: epsilon, delta, and a noise law PVG_NOISE_*."
struct Target
    raw::pvg_target
end
Target(epsilon, delta = 0.0; noise = PVG_NOISE_DEFAULT, allow_seeded = false) =
    Target(pvg_target(; epsilon = epsilon, delta = delta, noise = noise,
                      allow_seeded = Int32(allow_seeded)))

"A budget that cannot be overspent; notion: PVG_NOTION_*."
function Ledger(notion::Integer, epsilon::Real, delta::Real = 0.0)
    config = Ref(pvg_ledger_config(; notion = notion, epsilon = epsilon, delta = delta))
    return Ledger(out -> pvg_ledger_new(out, config))
end

"A ledger from its file."
Ledger(path::AbstractString) = Ledger(out -> pvg_ledger_open(out, String(path)))

"The number of a private object from its name."
charge_object(name::AbstractString) = pvg_ledger_object(String(name))

function epsilon(ledger::Ledger, object::Integer, delta::Real)
    value = Ref{Cdouble}(0)
    check(pvg_ledger_spent(value, ledger, object, delta))
    return value[]
end

function epsilon(curve::Curve, delta::Real)
    value = Ref{Cdouble}(0)
    check(pvg_curve_epsilon(value, curve, delta))
    return value[]
end

# --- private data ---------------------------------------------------------------------

"A graph from two vectors of end points; nodes count from 0."
function Graph(order::Integer, sources::AbstractVector, targets::AbstractVector;
               policy::Integer = PVG_EDGES_STRICT)
    length(sources) == length(targets) || throw(DimensionMismatch("sources and targets"))
    from, to = Vector{Int64}(sources), Vector{Int64}(targets)
    return Graph(out -> pvg_graph_from_edges(out, order, from, to, length(from), policy, C_NULL))
end

"""
Reads a graph in any format of the library. order: the nodes of an edge list that does not begin
with "# order N"; without, no release takes the graph.
"""
function Graph(path::AbstractString; order::Integer = 0)
    options = Ref(pvg_io_options(; order = order))
    return Graph(out -> pvg_graph_read(out, String(path), options, C_NULL))
end

order(graph::Graph) = pvg_graph_order(graph)

"Whether the order was told; if not, it was read off the edges and is as private as they are."
order_told(graph::Graph) = pvg_graph_order_told(graph) == 1

Base.length(graph::Graph) = pvg_graph_size(graph)

"The edges as two vectors, each edge once."
function edges(graph::Graph)
    count = length(graph)
    sources, targets = Vector{Int64}(undef, count), Vector{Int64}(undef, count)
    check(pvg_graph_copy_edges(sources, targets, graph))
    return sources, targets
end

"""
All graphs of a set at once: graph i owns nodes starts[i] .. starts[i + 1] - 1 (they count from 0), and edges
join numbers in the whole set.
"""
function GraphSet(starts::AbstractVector, sources::AbstractVector, targets::AbstractVector;
                  policy::Integer = PVG_EDGES_STRICT)
    isempty(starts) && throw(ArgumentError("starts is empty"))
    length(sources) == length(targets) || throw(DimensionMismatch("sources and targets"))
    first, from, to = Vector{Int64}(starts), Vector{Int64}(sources), Vector{Int64}(targets)
    return GraphSet(out -> pvg_graphset_from_edges(out, first, length(first) - 1, from, to, length(from),
                                                   policy, C_NULL, C_NULL, C_NULL))
end

"A set of copies of these graphs."
function GraphSet(members::AbstractVector{Graph})
    builder = GraphSetBuilder(out -> pvg_graphset_builder_new(out, 0))
    for graph in members
        check(pvg_graphset_builder_add(builder, graph, -1, C_NULL, C_NULL))
    end
    return GraphSet(out -> pvg_graphset_builder_finish(out, builder))
end

Base.length(set::GraphSet) = pvg_graphset_count(set)
"A copy of graph number i, from 1."
Base.getindex(set::GraphSet, i::Integer) = Graph(out -> pvg_graphset_get(out, set, i - 1))

"Node features from a matrix with one row per node."
function Features(matrix::AbstractMatrix)
    rows, columns = size(matrix)
    values = vec(Matrix{Float64}(permutedims(matrix))) # row by row, as C wants it
    return Features(out -> pvg_features_from_dense(out, rows, columns, values))
end

"Labels 0, 1, 2, ..., -1 where unknown."
function Labels(values::AbstractVector)
    entries = Vector{Int32}(values)
    return Labels(out -> pvg_labels_from_array(out, entries, length(entries)))
end

"Patterns by name, such as \"edge,path3,cycle4\"."
Patterns(names::AbstractString) = Patterns(out -> pvg_patterns_from_names(out, String(names)))
Base.length(patterns::Patterns) = pvg_patterns_count(patterns)

# --- releases -------------------------------------------------------------------------

"Everything public about a private embedding. Give promise or truncate, or neither."
function Embedder(patterns::Patterns, target::Target; promise::Integer = 0, truncate::Integer = 0)
    promise == 0 || truncate == 0 || throw(ArgumentError("promise and truncate"))
    degrees = promise > 0 ? PVG_DEGREES_PROMISED : truncate > 0 ? PVG_DEGREES_TRUNCATED : PVG_DEGREES_ANY
    config = Ref(pvg_embedder_config(; degrees = degrees, degree_bound = max(promise, truncate)))
    raw = Ref(target.raw)
    return Embedder(out -> pvg_embedder_new(out, patterns, config, raw, C_NULL, C_NULL))
end

"Randomised response on every pair of nodes of a graph."
function Perturber(target::Target)
    raw = Ref(target.raw)
    return Perturber(out -> pvg_perturber_new_response(out, C_NULL, raw))
end

"Message-passing layers; keywords are the fields of pvg_layers_config."
function Layers(depth::Integer; keywords...)
    config = Ref(pvg_layers_config(; depth = depth, keywords...))
    return Layers(out -> pvg_layers_new(out, config, C_NULL, 0))
end

"Private message passing at edge level, for graphs of `order` nodes with `columns` features."
function Propagator(layers::Layers, order::Integer, columns::Integer, target::Target;
                    promise::Integer = 0, truncate::Integer = 0)
    promise == 0 || truncate == 0 || throw(ArgumentError("promise and truncate"))
    degrees = promise > 0 ? PVG_DEGREES_PROMISED : truncate > 0 ? PVG_DEGREES_TRUNCATED : PVG_DEGREES_ANY
    premise = Ref(pvg_premise(; degrees = degrees, order = order, degree_bound = max(promise, truncate)))
    raw = Ref(target.raw)
    return Propagator(out -> pvg_propagator_new(out, layers, premise, columns, C_NULL, raw))
end

"k-ary randomised response on labels. Other methods: Perturber(out -> pvg_perturber_new_...(out, ...))."
function Perturber(classes::Integer, target::Target)
    raw, config = Ref(target.raw), Ref(pvg_labels_config(; classes = classes))
    return Perturber(out -> pvg_perturber_new_labels(out, config, raw))
end

payer(::Nothing) = C_NULL
payer(ledger::Ledger) = ledger

"Draws a release. A ledger, if given, is charged for `object` first."
function draw(embedder::Embedder, graph::Graph, rng::Rng; ledger = nothing, object::Integer = 0,
              threads::Integer = 1)
    run = Ref(pvg_run(; threads = threads))
    return Release(out -> pvg_release_draw_embedding(out, embedder, graph, object, rng,
                                                     payer(ledger), run))
end

function draw(perturber::Perturber, graph::Graph, rng::Rng; ledger = nothing, object::Integer = 0,
              threads::Integer = 1)
    run = Ref(pvg_run(; threads = threads))
    return Release(out -> pvg_release_draw_graph(out, perturber, graph, object, rng, payer(ledger), run))
end

function draw(perturber::Perturber, features::Features, rng::Rng; ledger = nothing,
              object::Integer = 0, threads::Integer = 1)
    run = Ref(pvg_run(; threads = threads))
    return Release(out -> pvg_release_draw_features(out, perturber, features, object, rng,
                                                    payer(ledger), run))
end

function draw(perturber::Perturber, labels::Labels, rng::Rng; ledger = nothing, object::Integer = 0,
              threads::Integer = 1)
    run = Ref(pvg_run(; threads = threads))
    return Release(out -> pvg_release_draw_labels(out, perturber, labels, object, rng, payer(ledger), run))
end

function draw(propagator::Propagator, graph::Graph, features::Features, rng::Rng; ledger = nothing,
              object::Integer = 0, threads::Integer = 1)
    run = Ref(pvg_run(; threads = threads))
    return Release(out -> pvg_release_draw_propagation(out, propagator, graph, features, object, rng,
                                                       payer(ledger), run))
end

# One object for each graph, or none without a ledger.
function payers(set::GraphSet, ledger, objects)
    ledger === nothing && return C_NULL
    length(objects) == length(set) || throw(DimensionMismatch("one object for each graph"))
    return Vector{UInt64}(objects)
end

"Draws for every graph of a set, each with the whole guarantee. A ledger is charged for all `objects` or none."
function draw(embedder::Embedder, set::GraphSet, rng::Rng; ledger = nothing, objects = UInt64[],
              threads::Integer = 1)
    run, numbers = Ref(pvg_run(; threads = threads)), payers(set, ledger, objects)
    return Release(out -> pvg_release_draw_embeddings(out, embedder, set, numbers, rng, payer(ledger), run))
end

function draw(perturber::Perturber, set::GraphSet, rng::Rng; ledger = nothing, objects = UInt64[],
              threads::Integer = 1)
    run, numbers = Ref(pvg_run(; threads = threads)), payers(set, ledger, objects)
    return Release(out -> pvg_release_draw_graphs(out, perturber, set, numbers, rng, payer(ledger), run))
end

# --- statistics -----------------------------------------------------------------------

"""
Edges counted in public cells: (receiver, kind of the sender); kinds count from 0, -1: none. Kinds and priorities
must be known without the edges.
"""
function tallies(kinds::AbstractVector, kind_count::Integer, target::Target; priorities = nothing)
    own, raw = Vector{Int32}(kinds), Ref(target.raw)
    first = priorities === nothing ? Float64[] : Vector{Float64}(priorities)
    isempty(first) || length(first) == length(own) || throw(DimensionMismatch("priorities"))
    config = Ref(pvg_tallies_config(; order = length(own), kinds = kind_count))
    GC.@preserve own first begin
        nodes = Ref(pvg_tallies_nodes(; kinds = pointer(own),
                                      priorities = isempty(first) ? C_NULL : pointer(first)))
        return Statistic(out -> pvg_statistic_new_tallies(out, config, raw, nodes))
    end
end

"The degree distribution of graphs with `order` nodes: levels and ranks."
function degree_diagram(order::Integer, target::Target; levels::Integer = 4, ranks::Integer = 4)
    config, raw = Ref(pvg_degrees_config(; order = order, levels = levels, ranks = ranks)), Ref(target.raw)
    return Statistic(out -> pvg_statistic_new_degrees(out, config, raw, C_NULL))
end

"The number of triangles, by a ladder."
function triangles(order::Integer, target::Target)
    config, raw = Ref(pvg_triangles_config(; order = order)), Ref(target.raw)
    return Statistic(out -> pvg_statistic_new_triangles(out, config, raw))
end

"Single numbers PVG_SCALAR_* under one budget."
function scalars(order::Integer, which::AbstractVector, target::Target)
    own, raw = Vector{Int32}(which), Ref(target.raw)
    config = Ref(pvg_scalars_config(; order = order, count = length(own)))
    return Statistic(out -> pvg_statistic_new_scalars(out, config, raw, own, C_NULL))
end

"All adjacency eigenvalues, from the largest."
function spectrum(order::Integer, target::Target)
    raw = Ref(target.raw)
    return Statistic(out -> pvg_statistic_new_spectrum(out, order, raw))
end

"Several pure statistics as one release."
function joined(parts::AbstractVector{Statistic})
    GC.@preserve parts begin
        raw = [part.pointer for part in parts]
        return Statistic(out -> pvg_statistic_new_joined(out, raw, length(raw)))
    end
end

"What `synthesize` makes a graph from; blocks: public, of each node, from 0."
function synthesis(order::Integer, target::Target; blocks = nothing)
    own, raw = blocks === nothing ? Int32[] : Vector{Int32}(blocks), Ref(target.raw)
    isempty(own) || length(own) == order || throw(DimensionMismatch("blocks"))
    config = Ref(pvg_synthesis_config(; order = order, blocks = isempty(own) ? 0 : maximum(own) + 1))
    return Statistic(out -> pvg_statistic_new_synthesis(out, config, raw, isempty(own) ? C_NULL : own))
end

Base.size(statistic::Statistic) = (pvg_statistic_rows(statistic), pvg_statistic_columns(statistic))

"Standard deviation of the noise of each column, before anything is spent."
function deviations(statistic::Statistic)
    out = Vector{Cdouble}(undef, size(statistic)[2])
    check(pvg_statistic_copy_deviation(out, statistic))
    return out
end

function draw(statistic::Statistic, graph::Graph, rng::Rng; ledger = nothing, object::Integer = 0,
              threads::Integer = 1)
    run = Ref(pvg_run(; threads = threads))
    return Release(out -> pvg_release_draw_statistic(out, statistic, graph, object, rng, payer(ledger), run))
end

# The released numbers as C wants them, row by row.
function flat(statistic::Statistic, release::Release)
    matrix = values(release)
    size(matrix) == size(statistic) || throw(DimensionMismatch("not a release of this statistic"))
    return vec(permutedims(matrix))
end

"A graphical degree sequence of `order` nodes from a released degree diagram. Costs nothing."
function degree_sequence(statistic::Statistic, release::Release, order::Integer)
    numbers, out = flat(statistic, release), Vector{Int64}(undef, order)
    check(pvg_degrees_sequence(out, statistic, numbers, order))
    return out
end

"A random graph with the released degrees, edges between blocks and triangles."
function synthesize(statistic::Statistic, release::Release, rng::Rng)
    numbers = flat(statistic, release)
    return Graph(out -> pvg_synthesis_draw(out, statistic, numbers, C_NULL, rng, C_NULL))
end

# --- what was released -----------------------------------------------------------------

"Writes values and record as one file; reads it."
save(path::AbstractString, release::Release) = check(pvg_release_save(String(path), release))
load_release(path::AbstractString) = Release(out -> pvg_release_load(out, String(path)))

"The released graphs of a set, as copies."
function graphs(release::Release)
    lent = Ref{Ptr{Cvoid}}(C_NULL)
    check(pvg_release_view_graphs(lent, release))
    GC.@preserve release begin
        return [Graph(out -> pvg_graphset_get(out, lent[], i - 1)) for i in 1:pvg_graphset_count(lent[])]
    end
end

"The released numbers, one row per private object or node."
function Base.values(release::Release)
    lent = Ref{Ptr{Cdouble}}(C_NULL)
    check(pvg_release_view(lent, release))
    rows, columns = pvg_release_rows(release), pvg_release_columns(release)
    GC.@preserve release return permutedims(copy(unsafe_wrap(Array, lent[], (columns, rows))))
end

"The edges of a released graph."
function edges(release::Release)
    lent = Ref{Ptr{Cvoid}}(C_NULL)
    check(pvg_release_view_graph(lent, release))
    GC.@preserve release begin
        count = pvg_graph_size(lent[])
        sources, targets = Vector{Int64}(undef, count), Vector{Int64}(undef, count)
        check(pvg_graph_copy_edges(sources, targets, lent[]))
        return sources, targets
    end
end

"The released list of each user."
function lists(release::Release)
    offsets, targets = Ref{Ptr{Int64}}(C_NULL), Ref{Ptr{Int32}}(C_NULL)
    count = Ref{Int64}(0)
    check(pvg_release_view_lists(offsets, targets, count, release))
    GC.@preserve release begin
        ends = unsafe_wrap(Array, offsets[], count[] + 1)
        return [copy(unsafe_wrap(Array, targets[] + 4 * ends[i], ends[i + 1] - ends[i]))
                for i in 1:count[]]
    end
end

"Released labels."
function labels(release::Release)
    lent, count = Ref{Ptr{Int32}}(C_NULL), Ref{Int64}(0)
    check(pvg_release_view_labels(lent, count, release))
    GC.@preserve release return copy(unsafe_wrap(Array, lent[], count[]))
end

"What is promised, lent by the release, perturber or propagator."
promise(release::Release) = pvg_release_guarantee(release)
promise(perturber::Perturber) = pvg_perturber_guarantee(perturber)
promise(statistic::Statistic) = pvg_statistic_guarantee(statistic)

publishable(release::Release) = GC.@preserve release pvg_guarantee_holds(promise(release)) == 1

function epsilon(release::Release, delta::Real)
    value = Ref{Cdouble}(0)
    GC.@preserve release check(pvg_guarantee_epsilon(value, promise(release), delta))
    return value[]
end

"The guarantee record as JSON text, and in plain words."
json(release::Release) =
    GC.@preserve release text((out, capacity, length) ->
        pvg_guarantee_copy_json(out, capacity, length, promise(release)))
words(release::Release) =
    GC.@preserve release text((out, capacity, length) ->
        pvg_guarantee_copy_text(out, capacity, length, promise(release)))

end
