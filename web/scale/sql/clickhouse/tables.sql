-- A table for the rows that `private-moments export --format native` writes. On several machines:
-- this on each, and one table over them all, through which rows may also be inserted (a cluster
-- `releases` stands in the servers' configuration):
--   CREATE TABLE all_releases AS releases
--   ENGINE = Distributed(releases, currentDatabase(), releases, cityHash64(id));
-- One row is large, 41 kB for 100 features: a granule of 8192 of them would have to be in memory
-- whenever parts are merged.
CREATE TABLE releases (
  study String,
  version String,
  id String,
  level UInt8,
  row_count Nullable(Int64),
  counts Array(Int64),
  reach Array(Int64),
  commitment String,
  largest Nullable(Int64),
  words Array(UInt64)
) ENGINE = MergeTree ORDER BY id SETTINGS index_granularity = 64;
