"""The first release: how many edges and components a private graph has, with a budget."""
import privgraph as pg

# Who knows whom: private. That there are 1000 people: public.
graph = pg.Graph.cycle(1000)

with pg.Session(graph, object="people", epsilon=1.0) as session:
    release = session.release("scalars", list="edges,components", epsilon=1.0)
    (edges, components), = release.values
    print(f"{edges:g} edges +- {release.noise[0]:.1f}, {components:g} components +- {release.noise[1]:.1f}")
    print(release.text, end="")
    print(session)

    # The budget is spent: the library says no.
    try:
        session.release("triangles", epsilon=0.5)
    except pg.PrivacyError as refused:
        print("again:", refused)
    else:
        raise SystemExit("the budget was spent twice")
