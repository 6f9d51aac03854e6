# Private counts of three patterns in a ring, from Julia.
using PrivGraph

graph = Graph(1000, 0:999, [1:999; 0])
query = Query("embed patterns=edge,path3,cycle4 max-degree=4"; target = Target(1.0, 1e-6))
ledger = Ledger(PrivGraph.PVG_NOTION_EDGE, 1.0, 1e-6)
release = draw(query, Input(graph; object = "people"), Rng(); ledger = ledger)
println(columns(release), values(release))
println(words(release))
