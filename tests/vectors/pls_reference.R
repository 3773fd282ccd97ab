# Makes pls.json: partial least squares of real tables. Regressions by pls::plsr (SIMPLS) on
# standardised columns; PLS correlation as the singular value decomposition of cor(x, y).
#
# usage: PM_DATA=<folder> Rscript pls_reference.R > pls.json   (needs pls and jsonlite)
#
# The file holds means and covariances (divisor n), and results in original units, no rows.
suppressMessages(library(pls))
folder <- Sys.getenv("PM_DATA", "../../../shared/data")

read <- function(name, columns) {
  table <- read.csv(file.path(folder, name), skip = 1, header = FALSE)
  unname(as.matrix(table[, columns]))
}
tables <- list(
  longley = list(all = unname(as.matrix(longley[, c(1:5, 7, 6)])), targets = 6:7, components = 4),
  wine = list(all = read("wine/wine_data.csv", 1:13), targets = 1, components = 6),
  breast_cancer = list(
    all = read("breast_cancer/breast_cancer.csv", 1:30), targets = c(1, 21, 30), components = 8
  )
)

results <- lapply(tables, function(table) {
  n <- nrow(table$all)
  x <- table$all[, -table$targets, drop = FALSE]
  y <- table$all[, table$targets, drop = FALSE]
  fits <- plsr(scale(y) ~ scale(x), ncomp = table$components, method = "simpls")
  scores <- scores(fits)
  sd_x <- apply(x, 2, sd)
  sd_y <- apply(y, 2, sd)
  coefficients <- drop(coef(fits, ncomp = table$components))
  coefficients <- diag(1 / sd_x) %*% matrix(coefficients, ncol(x)) %*% diag(sd_y, ncol(y))
  fitted <- (x - rep(colMeans(x), each = n)) %*% coefficients
  residuals <- scale(y, scale = FALSE) - fitted
  pairs <- svd(cor(x, y))
  scores_x <- scale(x) %*% pairs$u
  scores_y <- scale(y) %*% pairs$v
  list(
    rows = n,
    mean = unname(colMeans(table$all)),
    covariance = unname(cov(table$all) * (n - 1) / n),
    targets = I(table$targets - 1),
    components = table$components,
    coefficients = unname(coefficients),
    intercepts = I(unname(colMeans(y) - drop(colMeans(x) %*% coefficients))),
    r2 = I(unname(1 - colSums(residuals^2) / colSums(scale(y, scale = FALSE)^2))),
    loadings = unname(cor(x, scores)),
    targetLoadings = unname(cor(y, scores)),
    pairs = list(
      values = I(pairs$d), x = pairs$u, y = pairs$v,
      correlations = I(unname(diag(cor(scores_x, scores_y)))),
      loadings = unname(cor(x, scores_x))
    )
  )
})
cat(jsonlite::toJSON(results, digits = NA, auto_unbox = TRUE), "\n")
