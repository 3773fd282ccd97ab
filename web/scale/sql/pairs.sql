-- For a study whose sum lies behind masks (mode `split`): who is not both in `releases`, the masked
-- releases at the analyst, and in `seeds`, the helper's list of `id` and `commitment`, once each and
-- with the same commitment. Of no rows in the result follows that the sum of the releases and the sum
-- of the masks are over the same set. The same text for DuckDB, ClickHouse and Spark.
SELECT
  id,
  sum(release) AS releases,
  sum(seed) AS seeds,
  count(DISTINCT commitment) AS commitments
FROM (
  SELECT id, commitment, 1 AS release, 0 AS seed FROM releases
  UNION ALL
  SELECT id, commitment, 0 AS release, 1 AS seed FROM seeds
) AS both_tables
GROUP BY id
HAVING sum(release) <> 1 OR sum(seed) <> 1 OR count(DISTINCT commitment) <> 1
ORDER BY id;
