# Makes rotation.json: rotated components and factors of four real tables by R's stats and psych.
#
# usage: PM_DATA=<folder> Rscript rotation_reference.R > rotation.json
#
# The tables are those of the same names in analysis_reference.json, which has their moments. The
# file holds results, no rows. Matrices are lists of rows. Components are of the covariance of
# columns scaled to run from -1 to 1; `principal` and the factors are of the correlations. R's
# varimax stops early by default; here it runs until nothing changes, and promax begins there.
suppressMessages(library(psych))

folder <- Sys.getenv("PM_DATA", "../../../shared/data")
table_of <- function(name, columns) {
  as.matrix(read.csv(file.path(folder, name))[, columns])
}
# The first line of these two is a size, not a header, and later lines have fewer cells.
lines_of <- function(name, columns) {
  as.matrix(read.csv(file.path(folder, name), header = FALSE, skip = 1)[, columns])
}
tables <- list(
  wine = list(rows = lines_of("wine/wine_data.csv", 1:13), components = 4, factors = 3),
  breast_cancer = list(rows = lines_of("breast_cancer/breast_cancer.csv", c(1:10, 21:30)),
                       components = 3, factors = 0),
  diabetes = list(rows = as.matrix(read.table(file.path(folder, "diabetes/diabetes_data_raw.csv.gz"))),
                  components = 4, factors = 3),
  mmreg = list(rows = table_of("mmreg/mmreg.csv", 1:8), components = 3, factors = 2)
)

turn <- function(loadings) varimax(loadings, normalize = TRUE, eps = 1e-15)
bend <- function(loadings) {
  first <- turn(loadings)
  second <- promax(unclass(first$loadings), m = 4)
  inverse <- solve(second$rotmat)
  list(loadings = unclass(second$loadings), phi = inverse %*% t(inverse))
}
matrix_json <- function(x) {
  rows <- apply(unname(as.matrix(x)), 1, function(row) {
    paste0("[", paste(sprintf("%.15g", row), collapse = ", "), "]")
  })
  paste0("[", paste(rows, collapse = ", "), "]")
}
vector_json <- function(x) paste0("[", paste(sprintf("%.15g", x), collapse = ", "), "]")
object_json <- function(fields) {
  paste0("{", paste0('"', names(fields), '": ', unlist(fields), collapse = ",\n"), "}")
}

# Least squares in the uniquenesses alone, by nlminb, until nothing changes.
least_squares <- function(correlations, factors) {
  rest <- function(u) {
    found <- eigen(correlations - diag(u), symmetric = TRUE)
    found$values[seq_len(factors)] <- 0
    found
  }
  value <- function(u) sum(rest(u)$values^2) / 2
  slope <- function(u) {
    found <- rest(u)
    -as.vector(found$vectors^2 %*% found$values)
  }
  start <- (1 - 0.5 * factors / nrow(correlations)) / diag(solve(correlations))
  best <- nlminb(start, value, slope, lower = 0.005, upper = 1,
                 control = list(rel.tol = 1e-15, x.tol = 1e-14, eval.max = 20000, iter.max = 20000))
  found <- eigen(correlations - diag(best$par), symmetric = TRUE)
  k <- seq_len(factors)
  list(uniquenesses = best$par,
       loadings = sweep(found$vectors[, k], 2, sqrt(found$values[k]), "*"))
}

answers <- function(rows, components, factors) {
  low <- apply(rows, 2, min)
  high <- apply(rows, 2, max)
  scaled <- sweep(sweep(rows, 2, (low + high) / 2), 2, (high - low) / 2, "/")
  covariance <- cov(scaled)
  k <- seq_len(components)
  found <- eigen(covariance, symmetric = TRUE)
  structure <- sweep(found$vectors[, k], 2, sqrt(found$values[k]), "*") / sqrt(diag(covariance))
  bent <- bend(structure)
  correlations <- cor(rows)
  fields <- list(
    structure = matrix_json(structure),
    varimax = matrix_json(unclass(turn(structure)$loadings)),
    promax = matrix_json(bent$loadings),
    phi = matrix_json(bent$phi),
    principal = matrix_json(unclass(
      principal(correlations, components, rotate = "varimax", eps = 1e-15)$loadings))
  )
  if (factors > 0) {
    least <- least_squares(correlations, factors)
    oblique <- bend(least$loadings)
    known <- fa(correlations, factors, n.obs = nrow(rows), rotate = "none", fm = "minres")
    likely <- factanal(covmat = correlations, n.obs = nrow(rows), factors = factors, rotation = "none")
    fields <- c(fields, list(
      uniquenesses = vector_json(least$uniquenesses),
      factors = matrix_json(least$loadings),
      factors_varimax = matrix_json(unclass(turn(least$loadings)$loadings)),
      factors_promax = matrix_json(oblique$loadings),
      factors_phi = matrix_json(oblique$phi),
      minres = matrix_json(unclass(known$loadings)),
      factanal = matrix_json(unclass(likely$loadings))
    ))
  }
  object_json(fields)
}
results <- lapply(tables, function(table) {
  answers(table$rows, table$components, table$factors)
})
cat(object_json(results), "\n", sep = "")
