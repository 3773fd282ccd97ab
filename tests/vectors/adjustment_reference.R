# Partial CCA and partial PCA by R's own lm, cancor and prcomp, on the covariance of real rows:
#   Rscript tests/vectors/adjustment_reference.R DATA > tests/vectors/adjustment.json
# DATA is the folder of data sets. Two sets: mmreg (three psychological scales and three tests, adjusted for
# writing and for sex) and diabetes (three measures of the body and four of the blood, adjusted for age, sex and
# glucose). Variates have variance 1 with the number of rows as divisor.
folder <- commandArgs(trailingOnly = TRUE)[1]
numbers <- function(x) paste0("[", paste(format(as.vector(x), digits = 17, trim = TRUE), collapse = ","), "]")
matrix_of <- function(x) paste0("[", paste(apply(as.matrix(x), 1, numbers), collapse = ","), "]")

case_of <- function(name, rows, x, y, adjust) {
  rows <- as.matrix(rows)
  n <- nrow(rows)
  covariance <- cov(rows) * (n - 1) / n
  fit <- lm(rows[, c(x, y)] ~ rows[, adjust])
  residuals <- fit$residuals
  of_x <- residuals[, seq_along(x)]
  of_y <- residuals[, length(x) + seq_along(y)]
  pairs <- cancor(of_x, of_y)
  k <- length(pairs$cor)
  weights <- pairs$xcoef[, 1:k] * sqrt(n)
  weights <- weights %*% diag(sign(apply(cor(of_x, of_x %*% weights), 2, function(v) v[which.max(abs(v))])))
  components <- prcomp(residuals)
  sprintf(
    '{"name":"%s","rows":%d,"covariance":%s,"x":%s,"y":%s,"adjust":%s,"coefficients":%s,"correlations":%s,"weights":%s,"variances":%s}',
    name, n, matrix_of(covariance), numbers(x - 1), numbers(y - 1), numbers(adjust - 1),
    matrix_of(t(fit$coefficients[-1, , drop = FALSE])), numbers(pairs$cor), matrix_of(weights),
    numbers(components$sdev^2 * (n - 1) / n)
  )
}

mmreg <- read.csv(file.path(folder, "mmreg", "mmreg.csv"))
diabetes <- read.csv(gzfile(file.path(folder, "diabetes", "diabetes_data_raw.csv.gz")), header = FALSE, sep = "")
# To numbers of order 1, as of scaled units.
diabetes <- sweep(diabetes, 2, apply(diabetes, 2, max), "/")
mmreg[, 4:7] <- mmreg[, 4:7] / 40
cases <- c(
  case_of("mmreg", mmreg, c(1, 2, 3), c(4, 6, 7), c(5, 8)),
  case_of("diabetes", diabetes, c(3, 4, 7), c(5, 6, 8, 9), c(1, 2, 10))
)
cat(sprintf('{"source":"%s","cases":[\n%s\n]}\n', R.version.string, paste(cases, collapse = ",\n")))
