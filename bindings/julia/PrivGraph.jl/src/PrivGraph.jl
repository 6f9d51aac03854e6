# Private graphs in, publishable things with a true guarantee out.
#
#     using PrivGraph
#     graph = Graph(6, [0, 0, 1], [1, 2, 2])              # nodes count from 0, as in C
#     query = Query("embed patterns=edge,path3 max-degree=4 epsilon=2 delta=1e-6")
#     release = draw(query, Input(graph), Rng())
#     values(release), words(release)
#
# lib.jl holds every function of the C library under its own name; this file wraps the common ones.
# Handles free themselves. A test compares each ccall with the C header; see bindings/julia/README.md
# for what was not run.
module PrivGraph

export Composition, Curve, Features, Graph, GraphSet, Input, Labels, Layers, Ledger, Patterns, PrivGraphError,
       Query, Release, Rng, Target, add!, charge_object, columns, degree_sequence, draw, edges, epsilon, graphs,
       joined, json, kinds, labels, lists, load_release, order, order_declared, pay!, publishable, save, select,
       synthesize, words

const libprivgraph = get(ENV, "PRIVGRAPH_LIBRARY", "libprivgraph.so.0")
# Networks, learning, attacks and audits: beside the other, and opened by the first call that needs it.
const libprivgraph_learn = joinpath(dirname(libprivgraph), "libprivgraph-learn.so.0")

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
                     (:Patterns, :pvg_patterns_free), (:Layers, :pvg_layers_free),
                     (:Query, :pvg_query_free), (:Release, :pvg_release_free),
                     (:Guarantee, :pvg_guarantee_free), (:Composition, :pvg_composition_free),
                     (:Curve, :pvg_curve_free), (:Ledger, :pvg_ledger_free),
                     (:GraphSet, :pvg_graphset_free), (:GraphSetBuilder, :pvg_graphset_builder_free))
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

"The ledger in a file, which must have this budget, or a new one there."
function Ledger(path::AbstractString, notion::Integer, epsilon::Real, delta::Real = 1e-6)
    config = Ref(pvg_ledger_config(; notion = notion, epsilon = epsilon, delta = delta))
    return Ledger(out -> pvg_ledger_open_or_create(out, String(path), config))
end

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

"Whether the order was declared; if not, it was read off the edges and is as private as they are."
order_declared(graph::Graph) = pvg_graph_order_declared(graph) == 1

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

"Message-passing layers; keywords are the fields of pvg_layers_config."
function Layers(depth::Integer; keywords...)
    config = Ref(pvg_layers_config(; depth = depth, keywords...))
    return Layers(out -> pvg_layers_new(out, config, C_NULL, 0))
end

# --- queries --------------------------------------------------------------------------

address(::Nothing) = C_NULL
address(handle::Handle) = handle.pointer
address(values::Vector) = isempty(values) ? C_NULL : pointer(values)

own(::Type{T}, values) where {T} = values === nothing ? T[] : Vector{T}(vec(collect(values)))

"""
What is asked of private data, from text such as "stars leaves=3 epsilon=1"; privgraph-queries(7) lists kinds and
options, and so does `kinds()`. The budget is in the text or in `target`: so for text from strangers. Arrays and
handles are public, or made from `sources`; weights: a row for each node, or one.
"""
function Query(text::AbstractString; target = nothing, order::Integer = 0, kinds = nothing, groups = nothing,
               priorities = nothing, similarities = nothing, weights = nothing, low = nothing, high = nothing,
               patterns = nothing, layers = nothing, sources = Release[])
    sorts, blocks, first = own(Int32, kinds), own(Int32, groups), own(Float64, priorities)
    order = order != 0 ? order : maximum(length, (sorts, blocks, first))
    alike = own(Float64, similarities === nothing ? nothing : permutedims(similarities))
    rows = weights === nothing ? zeros(0, 0) :
           weights isa AbstractVector ? permutedims(Vector{Float64}(weights)) : Matrix{Float64}(weights)
    cells, bottom, top = vec(permutedims(rows)), own(Float64, low), own(Float64, high)
    all(it -> isempty(it) || length(it) == order, (sorts, blocks, first)) &&
        (isempty(alike) || length(alike) == order * order) || throw(DimensionMismatch("not one entry for each node"))
    length(bottom) == length(top) || throw(DimensionMismatch("low and high"))
    raw = target === nothing ? C_NULL : Ref(target.raw)
    GC.@preserve sorts blocks first alike cells bottom top patterns layers sources begin
        drawn = Ptr{Cvoid}[it.pointer for it in sources]
        GC.@preserve drawn begin
            arrays = Ref(pvg_arguments(; order = order, kinds = address(sorts), groups = address(blocks),
                                       priorities = address(first), similarities = address(alike),
                                       weight_rows = size(rows, 1), weight_columns = size(rows, 2),
                                       weights = address(cells), ranges = length(bottom), low = address(bottom),
                                       high = address(top), patterns = address(patterns),
                                       layers = address(layers), sources = address(drawn),
                                       source_count = length(drawn)))
            return Query(out -> pvg_query_new(out, String(text), arrays, raw, C_NULL))
        end
    end
end

"Several queries as one; their epsilons add."
function joined(parts::AbstractVector{Query})
    GC.@preserve parts begin
        raw = [part.pointer for part in parts]
        return Query(out -> pvg_query_join(out, raw, length(raw)))
    end
end

"All kinds with their options, as JSON text."
kinds() = text((out, capacity, length) -> pvg_query_copy_kinds(out, capacity, length))

"The query with everything filled in."
words(query::Query) = text((out, capacity, length) -> pvg_query_copy_text(out, capacity, length, query))

"What it will do on `order` nodes (0: as it says), as JSON text."
json(query::Query, order::Integer = 0) =
    text((out, capacity, length) -> pvg_query_copy_json(out, capacity, length, query, order))

"What one draw promises about objects of these orders; left out: as the query says."
function promise(query::Query, orders = Int64[])
    own = Vector{Int64}(orders)
    return Guarantee(out -> pvg_query_guarantee(out, query, isempty(own) ? C_NULL : own, length(own)))
end

"""
What a query is asked of: exactly what it reads. open: PVG_DATA_* that are public, or made from `sources`. object: the
name of the private object (graph i of a set: NAME:i), or its number, or those of the graphs of a set; a ledger asks
for it.
"""
struct Input
    graph::Union{Nothing,Graph,GraphSet}
    features::Union{Nothing,Features}
    labels::Union{Nothing,Labels}
    open::UInt32
    name::String
    objects::Vector{UInt64}
    sources::Vector{Release}
end

function Input(graph = nothing; features = nothing, labels = nothing, open::Integer = 0, object = nothing,
               sources = Release[])
    name = object isa AbstractString ? String(object) : ""
    object isa AbstractString && (isempty(name) || '\0' in name) &&
        throw(ArgumentError("the name of the object is empty or has a zero byte inside"))
    objects = object === nothing || object isa AbstractString ? UInt64[] : UInt64[object...]
    return Input(graph, features, labels, UInt32(open), name, objects, Vector{Release}(sources))
end
Input(features::Features; keywords...) = Input(; features = features, keywords...)
Input(labels::Labels; keywords...) = Input(; labels = labels, keywords...)

# Lends the C struct to a call.
function lend(call::Function, input::Input)
    graph, features, labels, name, objects = input.graph, input.features, input.labels, input.name, input.objects
    sources = input.sources
    GC.@preserve graph features labels name objects sources begin
        drawn = Ptr{Cvoid}[it.pointer for it in sources]
        GC.@preserve drawn begin
            return call(Ref(pvg_input(; open = input.open, graph = graph isa Graph ? graph.pointer : C_NULL,
                                      set = graph isa GraphSet ? graph.pointer : C_NULL,
                                      features = address(features), labels = address(labels),
                                      object = isempty(name) ? C_NULL : pointer(name),
                                      objects = address(objects), object_count = length(objects),
                                      sources = address(drawn), source_count = length(drawn))))
        end
    end
end

# Nobody pays for an object without a name.
payer(::Nothing, ::Input) = C_NULL
function payer(ledger::Ledger, input::Input)
    isempty(input.name) && isempty(input.objects) && throw(ArgumentError("a ledger pays for an object with a name"))
    return ledger
end

"Answers a query. A ledger, if given, is charged for the object of the input first."
function draw(query::Query, input::Input, rng::Rng; ledger = nothing, threads::Integer = 1)
    run = Ref(pvg_run(; threads = threads))
    return lend(input) do raw
        Release(out -> pvg_release_draw(out, query, raw, rng, payer(ledger, input), run))
    end
end

"Several draws that are paid before the first. Its ledgers must outlive `pay!`."
Composition() = Composition(out -> pvg_composition_new(out))

"Sets so many draws aside, and says at which place."
function add!(composition::Composition, query::Query, input::Input; times::Integer = 1, ledger = nothing)
    place = Ref{Int64}(0)
    lend(input) do raw
        check(pvg_composition_add(place, composition, query, raw, times, payer(ledger, input)))
    end
    return place[]
end

"All ledgers pay or none, once; nothing can be added afterwards."
pay!(composition::Composition) = check(pvg_composition_pay(composition))

"Draws at a place what was added there, or instead of it a query that promises as much."
function draw(composition::Composition, place::Integer, input::Input, rng::Rng; instead = nothing,
              threads::Integer = 1)
    run = Ref(pvg_run(; threads = threads))
    other = instead === nothing ? C_NULL : instead
    return lend(input) do raw
        Release(out -> pvg_composition_draw(out, composition, place, other, raw, rng, run))
    end
end

"A graphical degree sequence of `order` nodes from a release that answers a query of degrees. Costs nothing."
function degree_sequence(query::Query, release::Release, order::Integer)
    out = Vector{Int64}(undef, order)
    check(pvg_estimate_sequence(out, query, release, order))
    return out
end

"A random graph with the degrees, edges between blocks and triangles of a release that answers a query of synthesis."
synthesize(query::Query, release::Release, rng::Rng) =
    Graph(out -> pvg_synthesis_graph(out, query, release, C_NULL, rng, C_NULL))

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

"One part of a joined query that was drawn here, from 1: the same draw."
select(release::Release, part::Integer) = Release(out -> pvg_release_select(out, release, part - 1))

"What is promised, lent by the release."
promise(release::Release) = pvg_release_guarantee(release)

"The names of the columns."
columns(release::Release) = GC.@preserve release [
    text((out, capacity, length) -> pvg_guarantee_copy_column_name(out, capacity, length, promise(release), i - 1))
    for i in 1:pvg_guarantee_columns(promise(release))]

function epsilon(query::Query, delta::Real, orders = Int64[])
    value = Ref{Cdouble}(0)
    check(pvg_guarantee_epsilon(value, promise(query, orders), delta))
    return value[]
end

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
