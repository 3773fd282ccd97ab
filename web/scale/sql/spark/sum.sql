-- NOT TESTED: this dialect has not been run. It is the query of ../duckdb/sum.sql for Spark SQL 3.2
-- or later, which reads the words of Parquet files as DECIMAL(20, 0) and adds those up without loss.
--   CREATE TEMPORARY VIEW releases USING parquet OPTIONS (path 'releases/*.parquet');
-- Write the result as JSON lines for `private-moments import`.
WITH
  words AS (
    SELECT level, place, sum(CAST(word AS DECIMAL(28, 0))) % 18446744073709551616 AS word
    FROM releases LATERAL VIEW posexplode(words) AS place, word
    GROUP BY level, place
  ),
  word_sums AS (
    SELECT
      level,
      transform(
        array_sort(collect_list(struct(place, word))),
        item -> CAST(CAST(item.word AS DECIMAL(20, 0)) AS STRING)
      ) AS word_sums
    FROM words
    GROUP BY level
  ),
  counts AS (
    SELECT level, place, sum(CAST(count AS DECIMAL(28, 0))) AS count
    FROM releases LATERAL VIEW posexplode(counts) AS place, count
    GROUP BY level, place
  ),
  count_sums AS (
    SELECT
      level,
      transform(
        array_sort(collect_list(struct(place, count))),
        item -> CAST(item.count AS STRING)
      ) AS count_sums
    FROM counts
    GROUP BY level
  ),
  reaches AS (
    SELECT level, place, max(reach) AS reach
    FROM releases LATERAL VIEW posexplode(reach) AS place, reach
    GROUP BY level, place
  ),
  greatest AS (
    SELECT
      level,
      transform(
        array_sort(collect_list(struct(place, reach))),
        item -> CAST(item.reach AS STRING)
      ) AS greatest_reach
    FROM reaches
    GROUP BY level
  ),
  members AS (
    SELECT
      count(DISTINCT id) AS distinct_ids,
      sha2(concat('["', array_join(array_sort(collect_list(id)), '","'), '"]'), 256) AS members
    FROM releases
  ),
  levels AS (
    SELECT
      level,
      count(*) AS releases,
      min(study) AS first_study,
      max(study) AS last_study,
      min(version) AS first_version,
      max(version) AS last_version,
      count(row_count) AS counted,
      CAST(sum(CAST(row_count AS DECIMAL(28, 0))) AS STRING) AS rows_sum,
      count(largest) AS measured,
      CAST(max(largest) AS STRING) AS largest_of_all,
      min(size(words)) AS shortest,
      max(size(words)) AS longest,
      min(size(counts)) AS fewest_counts,
      max(size(counts)) AS most_counts,
      min(size(reach)) AS fewest_reaches,
      max(size(reach)) AS most_reaches
    FROM releases
    GROUP BY level
  )
SELECT
  levels.*,
  distinct_ids,
  members,
  coalesce(count_sums, array()) AS count_sums,
  coalesce(greatest_reach, array()) AS greatest_reach,
  word_sums
FROM levels
JOIN word_sums USING (level)
LEFT JOIN count_sums USING (level)
LEFT JOIN greatest USING (level)
CROSS JOIN members
ORDER BY level;
