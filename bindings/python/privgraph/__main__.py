"""python -m privgraph: the program."""
from .program import main

main()
