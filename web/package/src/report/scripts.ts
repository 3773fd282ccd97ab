/**
 * Programs that compute results again from a file of results alone, so that nobody has to trust this library.
 * docs/analysis.md explains each step.
 */

/** Python 3 with numpy. */
export const PYTHON = String.raw`# PCA, CCA and ridge again, from results.json alone (numpy only).
# Why each step is as it is: docs/analysis.md.
import json
import sys
import numpy as np

path = sys.argv[1] if len(sys.argv) > 1 else "results.json"
with open(path, encoding="utf-8") as file:
    results = json.load(file)["results"]
def table(m):
    return np.array(m["values"], float).reshape(len(m["rows"]), len(m["columns"]))
def all_of(analysis):
    return [r for r in results if r["analysis"] == analysis]

if not all_of("moments"):
    sys.exit(path + " has no moments: save them with the results, as in toJSON([pca, moments])")
moments = all_of("moments")[0]
names, sources = moments["columns"], moments["sources"]
mean, full = table(moments["mean"])[0], table(moments["scale"])[0]
# A column runs from -1 to 1 between its bounds, or has the units in which all noise is alike.
own = moments.get("coordinates") or moments
scale, bound = table(own["scale"])[0], own["traceBound"]
units = scale / full
unit = np.outer(scale, scale)
cov = table(moments["covariance"]) / unit
noise = moments["noise"]
sd = table(noise["covarianceSd"]) / unit
s, s_diagonal = sd[0, -1], sd[0, 0]
law, freedom = noise["distribution"], noise["freedom"] * noise["releases"]

def edge(d):  # the largest variance that noise alone shows
    reach = 1
    if law == "wishart":
        reach = 1 + np.sqrt(d / freedom) / 2
    elif law == "two-sided-wishart":
        a = 2 * freedom / d
        x = 2 / (a + 2 + np.sqrt(a * a + 8 * a))
        reach = (a * np.sqrt(x) / (1 - x) + 1 / np.sqrt(x)) / (2 * np.sqrt(a))
    return 2 * s * np.sqrt(d) * reach

def eigen(m):  # largest first
    values, vectors = np.linalg.eigh((m + m.T) / 2)
    return values[::-1], vectors[:, ::-1]

def descending(x):  # the nearest values that never rise
    pools = []
    for value in x:
        size = 1
        while pools and pools[-1][0] < value:
            before, count = pools.pop()
            value, size = (before * count + value * size) / (count + size), count + size
        pools.append((value, size))
    return np.repeat(*zip(*pools))

def denoise(m):  # the rotation-invariant estimate, its trace and its shape kept as far as they show
    values, vectors = eigen(m)
    if s == 0:
        return vectors * np.maximum(values, 0) @ vectors.T
    d = len(values)
    skew = np.sqrt(d / freedom) if law == "wishart" else 0
    tail = d / freedom / 2 if law == "two-sided-wishart" else 0
    x = (values[:, None] - values) / s
    g = (x / (x * x + 1) + 1j / (x * x + 1)).mean(axis=1)
    r = d * g / (1 - skew * np.sqrt(d) * g - tail * d * g * g)
    best = descending(values - s * (r * g).imag / g.imag)
    trace = min(max(values.sum(), 0), bound)
    trace *= trace**2 / (trace**2 + d * s_diagonal**2) if trace > 0 else 0
    shape = best - best.mean()
    of_noise = (2 + 3 * skew + 4 * tail) * s * s * (d - 1)
    of_signal = min(shape @ shape - of_noise, trace**2 * (1 - 1 / d))
    w = trace / d + (shape * of_signal / (of_signal + of_noise) if of_signal > 0 else 0 * shape)
    if np.maximum(w, 0).sum() > trace:
        u = np.sort(w)[::-1]
        t = (np.cumsum(u) - trace) / np.arange(1, d + 1)
        w = w - t[u > t][-1]
    return vectors * np.maximum(w, 0) @ vectors.T

def varying(features):  # without the sum of a category's indicators, which cannot vary
    of = np.array([sources[i] for i in features])
    sums = [(of == name) * units[features] for name in dict.fromkeys(of) if (of == name).sum() > 1]
    d = len(features)
    return np.linalg.svd(np.array(sums, float).T)[0][:, len(sums):] if sums else np.eye(d)

def centred(features, weights):  # between bounds, the weights of a category's levels sum to 0
    of, w = np.array([sources[i] for i in features]), weights / units[features, None]
    for name in dict.fromkeys(of):
        if (of == name).sum() > 1:
            w[of == name] -= w[of == name].mean(axis=0)
    return w * units[features, None]

def whitener(block, variance):
    values, vectors = eigen(block)
    kept = variance(values)
    seen = kept > max(1e-14, 1e-12 * values[0])
    return vectors[:, seen] / np.sqrt(kept[seen])

def pca(count):
    both = np.outer(units, units)
    loadings = eigen(cov * both)[1]
    largest = loadings[np.abs(loadings).argmax(axis=0), range(len(names))]
    loadings = loadings * np.where(largest < 0, -1, 1)
    variances = np.maximum(np.einsum("ij,ij->j", loadings, (denoise(cov) * both) @ loadings), 0)
    shares = np.minimum.accumulate(variances) / variances.sum()
    return shares[:count], loadings[:, :count] / full[:, None]

def cca(views, count):
    views = [[names.index(name) for name in view] for view in views]
    bases = [varying(view) for view in views]
    both = np.ix_(sum(views, []), sum(views, []))
    a, b = bases[0].shape[1], bases[1].shape[1]
    basis = np.zeros((len(both[0]), a + b))
    basis[: len(views[0]), :a], basis[len(views[0]) :, a:] = bases
    noisy = basis.T @ cov[both] @ basis
    clean = denoise(noisy)
    parts = [slice(0, a), slice(a, a + b)]

    floor = edge(a + b)
    x, y = [whitener(noisy[v, v], lambda l: np.maximum(l, floor)) for v in parts]
    left, found, right = np.linalg.svd(x.T @ noisy[parts[0], parts[1]] @ y)
    values = []
    for j in range(min(count, len(found))):
        p, q = x @ left[:, j], y @ right[j]
        ratio = 2 * s * s * ((x * x).sum() * (q @ q) + (y * y).sum() * (p @ p)) / found[j] ** 2
        larger = (1 + np.sqrt(1 - ratio)) / 2 if ratio < 1 else 0.5
        kept = [w @ clean[v, v] @ w for w, v in zip((p, q), parts)]
        smaller = np.sqrt(np.prod(np.clip(kept, 0, 1)))
        values.append(min(1, found[j] * larger / np.clip(smaller, 0.5, 1)))

    x, y = [whitener(clean[v, v], lambda l: l + edge(v.stop - v.start) / 2) for v in parts]
    left, _, right = np.linalg.svd(x.T @ clean[parts[0], parts[1]] @ y)
    weights, turn = [], 1
    for k, (w, u) in enumerate(((x, left), (y, right.T))):
        w = w @ u[:, : len(values)]
        covs = clean[parts[k], parts[k]] @ w
        sds = np.sqrt((w * covs).sum(axis=0))
        if k == 0:  # its largest loading is positive, and the other view follows
            deviations = np.sqrt(np.einsum("ij,jk,ik->i", bases[0], clean[:a, :a], bases[0]))
            loadings = bases[0] @ covs / deviations[:, None]
            turn = np.sign(loadings[np.abs(loadings).argmax(axis=0), range(len(values))])
        weights.append(turn * centred(views[k], bases[k] @ w) / scale[views[k], None] / sds)
    return np.minimum.accumulate(values), weights

def ridge(target, predictors, penalty):
    y, of = names.index(target), [names.index(name) for name in predictors]
    basis = varying(of)
    spread = centred(of, basis)
    weigh = spread / units[of, None]  # the penalty is on weights between bounds
    added = 2 * penalty * weigh.T @ weigh
    large, vectors = eigen(basis.T @ cov[np.ix_(of, of)] @ basis + added)
    values = large - np.einsum("ij,ik,kj->j", vectors, added, vectors)
    floor = edge(len(values))
    inverse = 1 / np.where(large > floor, large, 2 * floor)
    if s == 0:
        inverse[values <= max(1e-14, 1e-12 * values[0])] = 0
    w = spread @ vectors @ (inverse * (vectors.T @ basis.T @ cov[of, y]))
    coefficients = w * scale[y] / scale[of]
    return mean[y] - coefficients @ mean[of], coefficients

for r in all_of("pca"):
    shares, weights = pca(r["options"]["components"])
    print("PCA, shares of the variance:", *shares)
for r in all_of("cca"):
    (_, x), (_, y) = r["views"].items()
    values, weights = cca([x["columns"], y["columns"]], len(r["correlations"]))
    print("CCA, canonical correlations:", *values)
    for view, w in zip(r["views"], weights):
        print("weights of", view, *w[:, 0])
for r in all_of("ridge"):
    predictors = [c["column"] for c in r["coefficients"]]
    intercept, coefficients = ridge(r["target"], predictors, r["penalty"])
    if r["r2"]["belowNoiseFloor"]:  # says nothing: the mean for all rows
        intercept, coefficients = mean[names.index(r["target"])], 0 * coefficients
    print("ridge of", r["target"] + ", intercept and coefficients:", intercept, *coefficients)
`;

/** R without packages. */
export const R = String.raw`# PCA, CCA and ridge again, from results.json alone (base R only).
# Why each step is as it is: docs/analysis.md.
read_json <- function(path) {
  text <- paste(readLines(path, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  form <- '"([^"\\\\]|\\\\.)*"|-?[0-9][-+.0-9eE]*|[][{},:]|true|false|null'
  tokens <- regmatches(text, gregexpr(form, text))[[1]]
  at <- 0
  take <- function() tokens[at <<- at + 1]
  string <- function(token) {
    inside <- substr(token, 2, nchar(token) - 1)
    gsub("\u0001", "\\", gsub("\\\"", '"', gsub("\\\\", "\u0001", inside, fixed = TRUE), fixed = TRUE), fixed = TRUE)
  }
  item <- function(token = take()) {
    if (token == "[" || token == "{") {
      end <- if (token == "[") "]" else "}"
      found <- vector("list", 64)
      names <- character()
      n <- 0
      while ((next_token <- take()) != end) {
        if (next_token == ",") next_token <- take()
        if (end == "}") {
          names[n + 1] <- string(next_token)
          take()
          next_token <- take()
        }
        value <- item(next_token)
        n <- n + 1
        if (n > length(found)) found <- c(found, vector("list", n))
        if (!is.null(value)) found[[n]] <- value
      }
      found <- found[seq_len(n)]
      if (end == "}") names(found) <- names
      return(found)
    }
    switch(substr(token, 1, 1), '"' = string(token), t = TRUE, f = FALSE, n = NULL, as.numeric(token))
  }
  item()
}

arguments <- commandArgs(trailingOnly = TRUE)
path <- if (length(arguments) > 0) arguments[1] else "results.json"
results <- read_json(path)$results
all_of <- function(analysis) Filter(function(r) r$analysis == analysis, results)
table_of <- function(m) {
  matrix(as.numeric(unlist(m$values)), length(m$rows), byrow = TRUE)
}

if (length(all_of("moments")) == 0) {
  stop(path, " has no moments: save them with the results, as in toJSON([pca, moments])", call. = FALSE)
}
moments <- all_of("moments")[[1]]
names_of <- unlist(moments$columns)
sources <- unlist(moments$sources)
mean_of <- table_of(moments$mean)[1, ]
full_of <- table_of(moments$scale)[1, ]
# A column runs from -1 to 1 between its bounds, or has the units in which all noise is alike.
own <- if (is.null(moments$coordinates)) moments else moments$coordinates
scale_of <- table_of(own$scale)[1, ]
units <- scale_of / full_of
unit <- outer(scale_of, scale_of)
covariance <- table_of(moments$covariance) / unit
noise <- moments$noise
sd_of <- table_of(noise$covarianceSd) / unit
s <- sd_of[1, ncol(sd_of)]
s_diagonal <- sd_of[1, 1]
law <- noise$distribution
freedom <- noise$freedom * noise$releases

edge <- function(d) { # the largest variance that noise alone shows
  reach <- 1
  if (law == "wishart") reach <- 1 + sqrt(d / freedom) / 2
  if (law == "two-sided-wishart") {
    a <- 2 * freedom / d
    x <- 2 / (a + 2 + sqrt(a * a + 8 * a))
    reach <- (a * sqrt(x) / (1 - x) + 1 / sqrt(x)) / (2 * sqrt(a))
  }
  2 * s * sqrt(d) * reach
}

eigen_of <- function(m) eigen((m + t(m)) / 2, symmetric = TRUE) # largest first
composed <- function(e, w) e$vectors %*% (pmax(w, 0) * t(e$vectors))

descending <- function(x) { # the nearest values that never rise
  means <- sizes <- numeric()
  for (value in x) {
    size <- 1
    while (length(means) > 0 && means[length(means)] < value) {
      k <- length(means)
      value <- (means[k] * sizes[k] + value * size) / (sizes[k] + size)
      size <- sizes[k] + size
      means <- means[-k]
      sizes <- sizes[-k]
    }
    means <- c(means, value)
    sizes <- c(sizes, size)
  }
  rep(means, sizes)
}

denoise <- function(m) { # the rotation-invariant estimate, its trace and its shape kept as far as they show
  e <- eigen_of(m)
  if (s == 0) return(composed(e, e$values))
  d <- length(e$values)
  skew <- if (law == "wishart") sqrt(d / freedom) else 0
  tail <- if (law == "two-sided-wishart") d / freedom / 2 else 0
  x <- outer(e$values, e$values, "-") / s
  g <- complex(real = rowMeans(x / (x * x + 1)), imaginary = rowMeans(1 / (x * x + 1)))
  r <- d * g / (1 - skew * sqrt(d) * g - tail * d * g * g)
  best <- descending(e$values - s * Im(r * g) / Im(g))
  trace <- min(max(sum(e$values), 0), own$traceBound)
  if (trace > 0) trace <- trace^3 / (trace^2 + d * s_diagonal^2)
  shape <- best - mean(best)
  of_noise <- (2 + 3 * skew + 4 * tail) * s * s * (d - 1)
  of_signal <- min(sum(shape^2) - of_noise, trace^2 * (1 - 1 / d))
  w <- trace / d + if (of_signal > 0) shape * of_signal / (of_signal + of_noise) else 0 * shape
  if (sum(pmax(w, 0)) > trace) {
    u <- sort(w, decreasing = TRUE)
    above <- (cumsum(u) - trace) / seq_len(d)
    w <- w - above[max(which(u > above))]
  }
  composed(e, w)
}

varying <- function(features) { # without the sum of a category's indicators, which cannot vary
  of <- sources[features]
  d <- length(features)
  sums <- vapply(unique(of[duplicated(of)]), function(name) (of == name) * units[features], numeric(d))
  if (length(sums) == 0) return(diag(d))
  svd(sums, nu = d)$u[, -seq_len(ncol(sums)), drop = FALSE]
}

centred <- function(features, weights) { # between bounds, the weights of a category's levels sum to 0
  of <- sources[features]
  w <- weights / units[features]
  for (name in unique(of[duplicated(of)])) {
    levels <- w[of == name, , drop = FALSE]
    w[of == name, ] <- sweep(levels, 2, colMeans(levels))
  }
  w * units[features]
}

whitener <- function(block, variance) {
  e <- eigen_of(block)
  kept <- variance(e$values)
  seen <- kept > max(1e-14, 1e-12 * e$values[1])
  e$vectors[, seen, drop = FALSE] %*% diag(1 / sqrt(kept[seen]), sum(seen))
}

signs_of <- function(m) apply(m, 2, function(v) if (v[which.max(abs(v))] < 0) -1 else 1)

pca <- function(count) {
  both <- outer(units, units)
  loadings <- eigen_of(covariance * both)$vectors
  loadings <- loadings %*% diag(signs_of(loadings), ncol(loadings))
  variances <- pmax(colSums(loadings * ((denoise(covariance) * both) %*% loadings)), 0)
  shares <- cummin(variances) / sum(variances)
  list(shares = shares[seq_len(count)], weights = loadings[, seq_len(count), drop = FALSE] / full_of)
}

cca <- function(views, count) {
  views <- lapply(views, match, names_of)
  bases <- lapply(views, varying)
  sizes <- vapply(bases, ncol, 0)
  parts <- list(seq_len(sizes[1]), sizes[1] + seq_len(sizes[2]))
  basis <- matrix(0, length(unlist(views)), sum(sizes))
  rows <- seq_along(views[[1]])
  basis[rows, parts[[1]]] <- bases[[1]]
  basis[-rows, parts[[2]]] <- bases[[2]]
  noisy <- t(basis) %*% covariance[unlist(views), unlist(views)] %*% basis
  clean <- denoise(noisy)
  block <- function(m, v, w) m[parts[[v]], parts[[w]], drop = FALSE]

  floor_of <- edge(sum(sizes))
  x <- lapply(1:2, function(v) whitener(block(noisy, v, v), function(l) pmax(l, floor_of)))
  found <- svd(t(x[[1]]) %*% block(noisy, 1, 2) %*% x[[2]])
  count <- min(count, length(found$d))
  values <- vapply(seq_len(count), function(j) {
    p <- list(x[[1]] %*% found$u[, j], x[[2]] %*% found$v[, j])
    ratio <- 2 * s^2 * (sum(x[[1]]^2) * sum(p[[2]]^2) + sum(x[[2]]^2) * sum(p[[1]]^2)) / found$d[j]^2
    larger <- if (ratio < 1) (1 + sqrt(1 - ratio)) / 2 else 0.5
    kept <- vapply(1:2, function(v) sum(p[[v]] * (block(clean, v, v) %*% p[[v]])), 0)
    smaller <- sqrt(prod(pmin(pmax(kept, 0), 1)))
    min(1, found$d[j] * larger / min(max(smaller, 0.5), 1))
  }, 0)

  x <- lapply(1:2, function(v) whitener(block(clean, v, v), function(l) l + edge(sizes[v]) / 2))
  found <- svd(t(x[[1]]) %*% block(clean, 1, 2) %*% x[[2]])
  directions <- list(x[[1]] %*% found$u, x[[2]] %*% found$v)
  turn <- 1
  weights <- lapply(1:2, function(v) {
    w <- directions[[v]][, seq_len(count), drop = FALSE]
    covariances <- block(clean, v, v) %*% w
    if (v == 1) { # its largest loading is positive, and the other view follows
      deviations <- sqrt(rowSums((bases[[1]] %*% block(clean, 1, 1)) * bases[[1]]))
      turn <<- signs_of(bases[[1]] %*% covariances / deviations)
    }
    each <- turn / sqrt(colSums(w * covariances))
    centred(views[[v]], bases[[v]] %*% w) %*% diag(each, count) / scale_of[views[[v]]]
  })
  list(values = cummin(values), weights = weights)
}

ridge <- function(target, predictors, penalty) {
  y <- match(target, names_of)
  of <- match(predictors, names_of)
  basis <- varying(of)
  spread <- centred(of, basis)
  added <- 2 * penalty * crossprod(spread / units[of]) # on weights between bounds
  e <- eigen_of(t(basis) %*% covariance[of, of] %*% basis + added)
  values <- e$values - colSums(e$vectors * (added %*% e$vectors))
  floor_of <- edge(length(values))
  inverse <- 1 / ifelse(e$values > floor_of, e$values, 2 * floor_of)
  if (s == 0) inverse[values <= max(1e-14, 1e-12 * values[1])] <- 0
  w <- spread %*% e$vectors %*% (inverse * (t(e$vectors) %*% t(basis) %*% covariance[of, y]))
  coefficients <- drop(w) * scale_of[y] / scale_of[of]
  c(mean_of[y] - sum(coefficients * mean_of[of]), coefficients)
}

say <- function(what, values) cat(what, format(values, digits = 15, trim = TRUE), "\n")
for (r in all_of("pca")) say("PCA, shares of the variance:", pca(r$options$components)$shares)
for (r in all_of("cca")) {
  found <- cca(lapply(r$views, function(view) unlist(view$columns)), length(r$correlations))
  say("CCA, canonical correlations:", found$values)
  for (v in 1:2) say(paste("weights of", names(r$views)[v]), found$weights[[v]][, 1])
}
for (r in all_of("ridge")) {
  predictors <- vapply(r$coefficients, function(c) c$column, "")
  fit <- ridge(r$target, predictors, r$penalty)
  if (r$r2$belowNoiseFloor) fit <- c(mean_of[match(r$target, names_of)], 0 * fit[-1]) # says nothing
  say(paste0("ridge of ", r$target, ", intercept and coefficients:"), fit)
}
`;
