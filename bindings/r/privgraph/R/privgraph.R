# Thin: what a call means is decided in C. Statuses become conditions, handles external pointers.

# Classes of a condition by its status; the last is the general one.
condition_classes <- function(status) {
  short <- tolower(sub("^PVG_E_", "", status))
  refused <- short %in% c("privacy", "budget", "undeclared", "seeded")
  unique(c(paste0("privgraph_", short), if (refused) "privgraph_privacy", "privgraph_error", "error", "condition"))
}

failed <- function(status, message, call = NULL) {
  stop(structure(class = condition_classes(status), list(message = message, call = call, status = status)))
}

# The value of a .Call, or the condition that its status is.
value_of <- function(answer) {
  if (answer$status != "PVG_OK") failed(answer$status, answer$message)
  answer$value
}

wrong <- function(...) failed("PVG_E_ARGUMENT", paste0(...))

one_text <- function(value, name) {
  if (!is.character(value) || length(value) != 1L || is.na(value) || !nzchar(value)) wrong(name, " is not one text")
  enc2utf8(value)
}

one_number <- function(value, name) {
  if (!is.numeric(value) || length(value) != 1L || is.na(value)) wrong(name, " is not one number")
  as.double(value)
}

# --- graphs -----------------------------------------------------------------------------

graph <- function(edges, nodes = NULL, order = NULL, columns = 1:2, merge = FALSE, threads = 1L) {
  if (!is.null(nodes) && !is.null(order)) wrong("nodes and order are both given")
  if (inherits(edges, "igraph")) {
    if (!requireNamespace("igraph", quietly = TRUE)) wrong("edges is an igraph object, and igraph is not installed")
    named <- "name" %in% igraph::vertex_attr_names(edges)
    # who is a node of an igraph object was read off the data unless somebody says so
    pairs <- igraph::as_edgelist(edges, names = named && !is.null(nodes))
    if (is.null(nodes) && is.null(order)) {
      return(make_graph(pairs[, 1L], pairs[, 2L], igraph::vcount(edges), merge, TRUE, threads))
    }
  } else if (is.data.frame(edges)) {
    pairs <- tryCatch(edges[columns], error = function(e) wrong("columns: ", conditionMessage(e)))
    if (length(pairs) != 2L) wrong("columns does not name two columns")
    pairs <- lapply(pairs, function(end) if (is.factor(end)) as.character(end) else end)
    pairs <- if (nrow(edges)) cbind(pairs[[1L]], pairs[[2L]]) else matrix(0, 0L, 2L)
  } else if (is.matrix(edges) && ncol(edges) == 2L) {
    pairs <- edges
  } else {
    wrong("edges is not a data frame, a matrix of two columns or an igraph object")
  }
  untold <- is.null(nodes) && is.null(order)
  if (!is.null(nodes)) {
    if (anyDuplicated(nodes)) wrong("nodes: '", nodes[anyDuplicated(nodes)], "' is there twice")
    first <- match(pairs[, 1L], nodes)
    second <- match(pairs[, 2L], nodes)
    # which one is a matter of the private edges: only that there is one is said
    if (anyNA(first) || anyNA(second)) wrong("an end of an edge is not in nodes")
    return(make_graph(first, second, length(nodes), merge, FALSE, threads, nodes))
  }
  if (!is.numeric(pairs)) {
    if (!untold) wrong("ends of edges are names: give nodes, the public list of all of them, instead of order")
    seen <- unique(as.vector(pairs))
    return(make_graph(match(pairs[, 1L], seen), match(pairs[, 2L], seen), length(seen), merge, TRUE, threads))
  }
  if (anyNA(pairs) || any(pairs != floor(pairs)) || any(abs(pairs) > 2^53)) wrong("ends of edges are not whole numbers")
  if (untold) order <- if (length(pairs)) max(pairs, 0) else 0
  make_graph(pairs[, 1L], pairs[, 2L], one_number(order, "order"), merge, untold, threads)
}

# from, to: numbers from 1, as R counts.
make_graph <- function(from, to, order, merge, untold, threads, nodes = NULL) {
  handle <- value_of(.Call(C_pvgr_graph, as.double(order), as.double(from) - 1, as.double(to) - 1,
                           isTRUE(merge), untold, as.integer(threads)))
  structure(list(handle = handle, nodes = nodes), class = "privgraph_graph")
}

print.privgraph_graph <- function(x, ...) {
  sizes <- .Call(C_pvgr_graph_sizes, x$handle)
  if (sizes[2L] == 1) cat("<private graph of", sizes[1L], "nodes>\n")
  else cat("<private graph; its nodes were not told, so nothing can be released: graph(..., nodes =) or order =>\n")
  invisible(x)
}

# --- budgets ----------------------------------------------------------------------------

ledger <- function(path = NULL, epsilon = NULL, delta = 1e-6, notion = "edge", objects = NULL) {
  if (is.null(path) && is.null(epsilon)) wrong("epsilon is missing: the budget of a new ledger")
  constant <- paste0("PVG_NOTION_", toupper(gsub("-", "_", one_text(notion, "notion"))))
  handle <- value_of(.Call(C_pvgr_ledger, if (!is.null(path)) one_text(path, "path"), constant,
                           if (is.null(epsilon)) NA_real_ else one_number(epsilon, "epsilon"),
                           one_number(delta, "delta"),
                           if (!is.null(objects)) paste(enc2utf8(objects), collapse = "\n")))
  structure(list(handle = handle, path = path), class = "privgraph_ledger")
}

close_ledger <- function(book) invisible(.Call(C_pvgr_ledger_close, book$handle))

spent <- function(of, object = NULL) {
  if (inherits(of, "privgraph_session")) return(with_book(of, function(book) spent(book, of$object)))
  if (!inherits(of, "privgraph_ledger")) wrong("of is no ledger and no session")
  out <- value_of(.Call(C_pvgr_ledger_spent, of$handle, one_text(object, "object")))
  c(spent = out[1L], epsilon = out[2L], delta = out[3L])
}

print.privgraph_ledger <- function(x, ...) {
  cat("<ledger ", if (is.null(x$path)) "in memory" else x$path, ">\n", sep = "")
  invisible(x)
}

session <- function(graph, object, epsilon = NULL, delta = 1e-6, ledger = NULL, notion = "edge") {
  if (!inherits(graph, "privgraph_graph")) wrong("graph is not made by graph()")
  out <- new.env(parent = emptyenv())
  out$graph <- graph
  out$object <- one_text(object, "object")
  out$path <- ledger
  out$budget <- list(epsilon = epsilon, delta = delta, notion = notion)
  out$draws <- list()
  class(out) <- "privgraph_session"
  if (is.null(ledger)) out$book <- privgraph::ledger(NULL, epsilon, delta, notion, out$object)
  else with_book(out, function(book) NULL)
  out
}

# The ledger of a session: in a file it is open while it is used only.
with_book <- function(of, use) {
  if (!is.null(of$book)) return(use(of$book))
  book <- ledger(of$path, of$budget$epsilon, of$budget$delta, of$budget$notion)
  on.exit(close_ledger(book))
  use(book)
}

print.privgraph_session <- function(x, ...) {
  now <- spent(x)
  cat(sprintf("<session %s: spent %.6g of epsilon %.6g at delta %.6g, %d draws>\n", x$object, now[["spent"]],
              now[["epsilon"]], now[["delta"]], length(x$draws)))
  invisible(x)
}

# --- queries ----------------------------------------------------------------------------

query <- function(kind, ...) {
  options <- list(...)
  if (inherits(kind, "privgraph_query")) return(kind)
  if (length(options) && (is.null(names(options)) || !all(nzchar(names(options))))) {
    wrong("an option has no name: query(\"stars\", leaves = 3, epsilon = 1)")
  }
  words <- vapply(seq_along(options), function(i) {
    value <- options[[i]]
    word <- if (is.logical(value)) c("no", "yes")[value + 1L]
            else if (is.numeric(value)) format(value, digits = 17L, trim = TRUE, scientific = NA)
            else as.character(value)
    word <- paste(word, collapse = ",")
    # a value is one word and never a second option
    if (!nzchar(word) || is.na(word) || grepl("[[:space:]]", word)) wrong(names(options)[i], " is not one word")
    paste0(gsub("_", "-", names(options)[i]), "=", word)
  }, "")
  handle <- value_of(.Call(C_pvgr_query, paste(c(one_text(kind, "kind"), words), collapse = " ")))
  structure(list(handle = handle, text = value_of(.Call(C_pvgr_query_text, handle))), class = "privgraph_query")
}

print.privgraph_query <- function(x, ...) {
  cat("<query ", x$text, ">\n", sep = "")
  invisible(x)
}

kinds <- function() {
  table <- value_of(.Call(C_pvgr_kinds))
  rows <- regmatches(table, gregexpr("\"kind\":\"[^\"]*\",\"says\":\"[^\"]*\"", table))[[1L]]
  parts <- strsplit(sub("^\"kind\":\"", "", sub("\"$", "", rows)), "\",\"says\":\"", fixed = TRUE)
  data.frame(kind = vapply(parts, `[`, "", 1L), says = vapply(parts, `[`, "", 2L), stringsAsFactors = FALSE)
}

# --- releases ---------------------------------------------------------------------------

release <- function(of, kind, ...) UseMethod("release")

release.privgraph_graph <- function(of, kind, ..., object = NULL, ledger = NULL, threads = 1L) {
  if (!is.null(ledger) && !inherits(ledger, "privgraph_ledger")) wrong("ledger is not made by ledger()")
  if (!is.null(ledger) && is.null(object)) wrong("object is missing: the name that the ledger knows the network by")
  asked <- query(kind, ...)
  handle <- value_of(.Call(C_pvgr_draw, asked$handle, of$handle, if (!is.null(object)) one_text(object, "object"),
                           if (!is.null(ledger)) ledger$handle, as.integer(threads)))
  structure(list(handle = handle, query = asked$text, nodes = of$nodes), class = "privgraph_release")
}

release.privgraph_session <- function(of, kind, ..., threads = 1L) {
  asked <- query(kind, ...)
  known <- of$draws[[asked$text]]
  if (!is.null(known)) return(known)
  made <- with_book(of, function(book) {
    release.privgraph_graph(of$graph, asked, object = of$object, ledger = book, threads = threads)
  })
  of$draws[[asked$text]] <- made
  made
}

numbers <- function(of, level = 0.95) {
  held <- value_of(.Call(C_pvgr_release_values, of$handle, one_number(level, "level")))
  if (is.null(held)) wrong("the release holds no numbers: edges() reads a graph")
  names <- value_of(.Call(C_pvgr_release_names, of$handle))
  shaped <- function(values) matrix(values, nrow = held$rows, byrow = TRUE, dimnames = list(NULL, names))
  list(values = shaped(held$values), low = shaped(held$low), high = shaped(held$high))
}

as.data.frame.privgraph_release <- function(x, row.names = NULL, optional = FALSE, ..., level = 0.95) {
  held <- numbers(x, level)
  data.frame(row = rep(seq_len(nrow(held$values)), times = ncol(held$values)),
             column = rep(colnames(held$values), each = nrow(held$values)), value = as.vector(held$values),
             low = as.vector(held$low), high = as.vector(held$high), stringsAsFactors = FALSE)
}

confint.privgraph_release <- function(object, parm, level = 0.95, ...) {
  frame <- as.data.frame.privgraph_release(object, level = level)
  if (!missing(parm)) frame <- frame[frame$column %in% parm, ]
  rows <- if (max(frame$row, 0) > 1) paste(frame$row, frame$column) else frame$column
  sides <- paste(format(100 * c((1 - level) / 2, 1 - (1 - level) / 2), trim = TRUE, digits = 3), "%")
  matrix(c(frame$low, frame$high), ncol = 2L, dimnames = list(rows, sides))
}

guarantee <- function(of, json = FALSE) {
  if (!inherits(of, "privgraph_release")) wrong("of is no release")
  value_of(.Call(C_pvgr_release_promise, of$handle, isTRUE(json)))
}

edges <- function(of) {
  if (!inherits(of, "privgraph_release")) wrong("of is no release")
  ends <- matrix(value_of(.Call(C_pvgr_release_edges, of$handle)), ncol = 2L)
  if (is.null(of$nodes)) data.frame(from = ends[, 1L], to = ends[, 2L])
  else data.frame(from = of$nodes[ends[, 1L]], to = of$nodes[ends[, 2L]])
}

print.privgraph_release <- function(x, ...) {
  cat("<release ", x$query, ">\n", sep = "")
  frame <- tryCatch(as.data.frame(x), privgraph_argument = function(e) NULL)
  if (!is.null(frame)) print(head(frame[-1L], 10L), row.names = FALSE)
  invisible(x)
}
