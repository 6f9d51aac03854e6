# Private counts of three patterns in a ring, from Julia.
using PrivGraph

graph = Graph(1000, 0:999, [1:999; 0])
embedder = Embedder(Patterns("edge,path3,cycle4"), Target(1.0, 1e-6); truncate = 4)
release = draw(embedder, graph, Rng())
println(values(release))
println(words(release))
