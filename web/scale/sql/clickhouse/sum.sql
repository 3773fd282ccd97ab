-- Sums the releases of a study exactly modulo 2^64: one row for each clip radius, which
-- `private-moments import` reads as JSON lines. `releases` is the table of tables.sql; where there are
-- several machines, put the name of the Distributed table in its place.
-- What the sums rest on (that no release is there twice, that all are of one study and of one length,
-- how large the largest is) comes with them, and `import` refuses sums that do not hold. Sums of
-- UInt64 wrap around, so they are those modulo 2^64.
SELECT
  level,
  count() AS releases,
  min(study) AS first_study,
  max(study) AS last_study,
  min(version) AS first_version,
  max(version) AS last_version,
  count(row_count) AS counted,
  toString(sum(row_count)) AS rows_sum,
  count(largest) AS measured,
  toString(max(largest)) AS largest_of_all,
  min(length(words)) AS shortest,
  max(length(words)) AS longest,
  min(length(counts)) AS fewest_counts,
  max(length(counts)) AS most_counts,
  min(length(reach)) AS fewest_reaches,
  max(length(reach)) AS most_reaches,
  (SELECT uniqExact(id) FROM releases) AS distinct_ids,
  (
    SELECT lower(hex(SHA256(concat('["', arrayStringConcat(arraySort(groupArray(id)), '","'), '"]'))))
    FROM releases
  ) AS members,
  arrayMap(count -> toString(count), sumForEach(counts)) AS count_sums,
  arrayMap(most -> toString(most), maxForEach(reach)) AS greatest_reach,
  arrayMap(word -> toString(word), sumForEach(words)) AS word_sums
FROM releases
GROUP BY level
ORDER BY level
FORMAT JSONEachRow;
