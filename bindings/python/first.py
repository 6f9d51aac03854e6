"""The first release: how many edges and components a private graph has, with a budget."""
import privgraph as pg

# Who knows whom: private. That there are 1000 people: public.
graph = pg.Graph.cycle(1000)
query = pg.Query("scalars", list=["edges", "components"], order=1000, epsilon=1.0)
ledger = pg.Ledger(epsilon=1.0, notion="edge")

noise = query.deviations()
release = query.draw(graph, object="people", ledger=ledger)
(edges, components), = release.values
print(f"{edges:g} edges +- {noise[0]:.1f}, {components:g} components +- {noise[1]:.1f}")
print(release.text, end="")

# The budget is spent: the library says no.
try:
    query.draw(graph, object="people", ledger=ledger)
except pg.PrivacyError as refused:
    print("again:", refused)
else:
    raise SystemExit("the budget was spent twice")
