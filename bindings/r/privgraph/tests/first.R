# The package against the library: data in, intervals out, refusals as conditions.
library(privgraph)

class_of <- function(code) tryCatch({ code; "none" }, privgraph_error = function(e) class(e)[1L])
status_of <- function(code) tryCatch({ code; "none" }, privgraph_error = function(e) e$status)

# graphs: names and numbers, frames and matrices are one graph
people <- sprintf("p%d", 1:200)
frame <- data.frame(weight = 1, a = factor(people), b = people[c(2:200, 1)])
named <- graph(frame, nodes = people, columns = c("a", "b"))
plain <- graph(cbind(1:200, c(2:200, 1)), order = 200)
stopifnot(grepl("200 nodes", capture.output(print(named))), grepl("200 nodes", capture.output(print(plain))))

# exact up to noise of next to nothing: both are the ring of 200 nodes
for (net in list(named, plain)) {
  out <- as.data.frame(release(net, "scalars", list = "edges,components", epsilon = 1e6))
  stopifnot(out$column == c("edges", "components"), abs(out$value - c(200, 1)) < 0.1, out$low <= out$value,
            out$value <= out$high)
}

# intervals hold as often as they say, and are wider where more is asked
hits <- 0
for (i in 1:400) {
  bars <- confint(release(plain, "scalars", list = "edges", epsilon = 1), level = 0.9)
  hits <- hits + (bars[1L, 1L] <= 200 && 200 <= bars[1L, 2L])
}
stopifnot(hits > 330, hits < 395)
one <- release(plain, "scalars", list = "edges", epsilon = 1)
stopifnot(diff(confint(one, level = 0.99)[1L, ]) > diff(confint(one, level = 0.5)[1L, ]))

# what was not told is refused
for (untold in list(graph(frame, columns = c("a", "b")), graph(cbind(1:200, c(2:200, 1)))))
  stopifnot(class_of(release(untold, "triangles", epsilon = 1)) == "privgraph_undeclared")
stopifnot(!grepl("[0-9]", capture.output(print(graph(frame, columns = c("a", "b"))))))

# a session: remembers, adds up, refuses, and keeps its budget in a file
path <- tempfile()
s <- session(named, object = "friends", epsilon = 1, ledger = path)
first <- release(s, "stars", leaves = 2, epsilon = 0.75)
again <- release(s, "stars", epsilon = 0.75, leaves = 2)
stopifnot(identical(as.data.frame(first), as.data.frame(again)), abs(spent(s)[["spent"]] - 0.75) < 1e-3)
stopifnot(class_of(release(s, "triangles", epsilon = 0.5)) == "privgraph_budget")
refusal <- tryCatch(release(s, "triangles", epsilon = 0.5), privgraph_privacy = identity)
stopifnot(refusal$status == "PVG_E_BUDGET", grepl("friends", conditionMessage(refusal)))
later <- session(plain, object = "friends", epsilon = 1, ledger = path)
stopifnot(abs(spent(later)[["spent"]] - 0.75) < 1e-3, grepl("spent 0.7[45]", capture.output(print(later))))
stopifnot(status_of(session(plain, object = "friends", epsilon = 2, ledger = path)) == "PVG_E_ARGUMENT")

# ledgers: one at a time, and only for the names they were made for
book <- ledger(path)
stopifnot(class_of(ledger(path)) == "privgraph_busy", class_of(release(s, "triangles", epsilon = 0.1)) == "privgraph_busy")
privgraph:::close_ledger(book)
stopifnot(inherits(try(spent(book, "friends"), silent = TRUE), "try-error"))
stopifnot(class_of(ledger(tempfile())) == "privgraph_missing")
memory <- ledger(epsilon = 1, delta = 0, objects = "friends")
stopifnot(class_of(release(plain, "triangles", epsilon = 0.5, object = "foes", ledger = memory)) == "privgraph_privacy")
invisible(release(plain, "triangles", epsilon = 0.5, object = "friends", ledger = memory))
stopifnot(abs(spent(memory, "friends")[["spent"]] - 0.5) < 1e-3)

# a graph that may be published, with the names
noisy <- edges(release(named, "response", epsilon = 12))
stopifnot(names(noisy) == c("from", "to"), noisy$from %in% people, nrow(noisy) > 100, nrow(noisy) < 1000)

# queries: options are checked in C, and a value is never a second option
stopifnot(grepl("leaves=3", query("stars", leaves = 3, epsilon = 1)$text), nrow(kinds()) > 10, "triangles" %in% kinds()$kind)
for (bad in list(quote(query("stars", leafs = 3, epsilon = 1)), quote(query("stras", epsilon = 1)),
                 quote(query("stars", 3)), quote(query("stars", leaves = "3 epsilon=9", epsilon = 1)),
                 quote(query(c("stars", "triangles"))), quote(query("stars", epsilon = -1)),
                 quote(graph(frame, columns = 1)), quote(graph(cbind(1, 2), order = 1)), quote(graph(cbind(1, 2.5), order = 3)),
                 quote(graph(cbind("a", "b"), nodes = "a")), quote(graph(cbind("a", "b"), nodes = c("a", "b", "a"))),
                 quote(graph(cbind("a", "b"), order = 2)), quote(graph(1:3)), quote(ledger()),
                 quote(session(1, "x", epsilon = 1)), quote(session(plain, "", epsilon = 1)),
                 quote(release(plain, "triangles", epsilon = 1, ledger = memory)), quote(confint(one, level = 2))))
  if (class_of(eval(bad)) != "privgraph_argument") stop("not refused: ", deparse(bad))

stopifnot(grepl("edge", guarantee(one)), grepl("\"epsilon\"", guarantee(one, json = TRUE)))

# handles do not outlive the process
kept <- tempfile()
saveRDS(plain, kept)
stopifnot(inherits(try(release(readRDS(kept), "triangles", epsilon = 1), silent = TRUE), "try-error"))

if (requireNamespace("igraph", quietly = TRUE)) {
  ring <- igraph::make_ring(200)
  out <- as.data.frame(release(graph(ring, order = 200), "scalars", list = "edges", epsilon = 1e6))
  stopifnot(abs(out$value - 200) < 0.1)
  stopifnot(class_of(release(graph(ring), "triangles", epsilon = 1)) == "privgraph_undeclared")
} else {
  cat("igraph is not here: igraph objects were not tried\n")
}
cat("privgraph: all checks passed\n")
