-- For the helper of a session of mode `split`: the seeds of one set of releases, once and for all.
-- Sums of masks over two sets that differ in one participant would give away that participant's
-- release. So a set is written down in `answered` before its seeds are read. The same set may be asked for
-- again; another fails, and so do a set with a release without its seed (pairs.sql names it), one named
-- twice, and one of too few. ClickHouse has no unique keys: of two sets claimed at the same time both may
-- be written down, and then the seeds of neither are given, ever. On one machine, to which only the helper
-- writes; never delete from `answered`. It needs
--   CREATE TABLE session (id String, least UInt64) ENGINE = Log;         -- one row: `id` and `least`
--   CREATE TABLE seeds (id String, commitment String, seed String) ENGINE = Log;
--   CREATE TABLE releases (id String, commitment String) ENGINE = Log;   -- what the analyst asks for
CREATE TABLE IF NOT EXISTS answered (
  session String,
  members String,
  releases UInt64
) ENGINE = MergeTree ORDER BY session;
INSERT INTO answered
SELECT session, members, releases
FROM (
  SELECT
    (SELECT id FROM session) AS session,
    lower(hex(SHA256(concat('["', arrayStringConcat(arraySort(groupArray(id)), '","'), '"]')))) AS members,
    count() AS releases,
    countIf((id, commitment) NOT IN (SELECT id, commitment FROM seeds)) AS unpaired,
    count() - uniqExact(id) AS repeated
  FROM releases
)
WHERE throwIf(unpaired > 0) = 0
  AND throwIf(repeated > 0) = 0
  AND throwIf(releases < (SELECT least FROM session)) = 0
  -- Another set of this session was claimed: there is only ever one.
  AND throwIf(
    members NOT IN (SELECT members FROM answered WHERE session = (SELECT id FROM session))
    AND (SELECT count() FROM answered WHERE session = (SELECT id FROM session)) > 0
  ) = 0;
SELECT id, seed
FROM seeds
WHERE (id, commitment) IN (SELECT id, commitment FROM releases)
  AND throwIf(
    (SELECT uniqExact(members) FROM answered WHERE session = (SELECT id FROM session)) != 1
    OR (
      SELECT lower(hex(SHA256(concat('["', arrayStringConcat(arraySort(groupArray(id)), '","'), '"]'))))
      FROM releases
    ) NOT IN (SELECT members FROM answered WHERE session = (SELECT id FROM session))
  ) = 0
ORDER BY id
FORMAT JSONEachRow;
