# Makes lda.json: linear discriminants of real tables by MASS::lda.
#
# usage: PM_DATA=<folder> Rscript lda_reference.R > lda.json   (needs MASS and jsonlite)
#
# The file holds means and covariances (divisor n) of features and class indicators, and results, no
# rows. `scaling` makes the pooled covariance within classes (divisor n - g) the identity.
suppressMessages(library(MASS))
folder <- Sys.getenv("PM_DATA", "../../../shared/data")

read <- function(name, columns) {
  table <- read.csv(file.path(folder, name), skip = 1, header = FALSE)
  list(x = as.matrix(table[, columns]), class = factor(table[, ncol(table)]))
}

tables <- list(
  iris = read("iris/iris.csv", 1:4),
  wine = read("wine/wine_data.csv", 1:13),
  breast_cancer = read("breast_cancer/breast_cancer.csv", 1:10)
)

results <- lapply(tables, function(table) {
  indicators <- model.matrix(~ class - 1, data.frame(class = table$class))
  all <- cbind(table$x, indicators)
  n <- nrow(all)
  fit <- lda(table$x, table$class)
  list(
    rows = n,
    features = ncol(table$x),
    mean = unname(colMeans(all)),
    covariance = unname(cov(all) * (n - 1) / n),
    shares = unname(as.vector(fit$prior)),
    means = unname(fit$means),
    scaling = unname(fit$scaling),
    # The ratio of variances between and within, with their degrees of freedom.
    svd = I(unname(fit$svd))
  )
})
cat(jsonlite::toJSON(results, digits = NA, auto_unbox = TRUE), "\n")
