-- Sums the releases of a study exactly modulo 2^64: one row for each clip radius, which
-- `private-moments import` reads as JSON lines. `releases` is a table or view of what
-- `private-moments export` wrote, e.g.
--   CREATE VIEW releases AS FROM 'releases/*.parquet';
-- What the sums rest on (that no release is there twice, that all are of one study and of one length,
-- how large the largest is) comes with them, and `import` refuses sums that do not hold.
WITH
  -- Sums of 64-bit integers have 128 bits here.
  words AS (
    SELECT level, place, sum(word) % 18446744073709551616 AS word
    FROM (
      SELECT level, generate_subscripts(words, 1) AS place, unnest(words) AS word FROM releases
    )
    GROUP BY level, place
  ),
  word_sums AS (
    SELECT level, list(CAST(word AS VARCHAR) ORDER BY place) AS word_sums
    FROM words
    GROUP BY level
  ),
  counts AS (
    SELECT level, place, sum(count) AS count
    FROM (
      SELECT level, generate_subscripts(counts, 1) AS place, unnest(counts) AS count FROM releases
    )
    GROUP BY level, place
  ),
  count_sums AS (
    SELECT level, list(CAST(count AS VARCHAR) ORDER BY place) AS count_sums
    FROM counts
    GROUP BY level
  ),
  reaches AS (
    SELECT level, place, max(reach) AS reach
    FROM (
      SELECT level, generate_subscripts(reach, 1) AS place, unnest(reach) AS reach FROM releases
    )
    GROUP BY level, place
  ),
  greatest AS (
    SELECT level, list(CAST(reach AS VARCHAR) ORDER BY place) AS greatest_reach
    FROM reaches
    GROUP BY level
  ),
  members AS (
    SELECT
      count(DISTINCT id) AS distinct_ids,
      sha256('["' || string_agg(id, '","' ORDER BY id) || '"]') AS members
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
      CAST(sum(row_count) AS VARCHAR) AS rows_sum,
      count(largest) AS measured,
      CAST(max(largest) AS VARCHAR) AS largest_of_all,
      min(len(words)) AS shortest,
      max(len(words)) AS longest,
      min(len(counts)) AS fewest_counts,
      max(len(counts)) AS most_counts,
      min(len(reach)) AS fewest_reaches,
      max(len(reach)) AS most_reaches
    FROM releases
    GROUP BY level
  )
SELECT
  levels.*,
  distinct_ids,
  members,
  coalesce(count_sums, []) AS count_sums,
  coalesce(greatest_reach, []) AS greatest_reach,
  word_sums
FROM levels
JOIN word_sums USING (level)
LEFT JOIN count_sums USING (level)
LEFT JOIN greatest USING (level)
CROSS JOIN members
ORDER BY level;
