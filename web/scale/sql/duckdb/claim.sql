-- For the helper of a session of mode `split`: the seeds of one set of releases, once and for all.
-- Sums of masks over two sets that differ in one participant would give away that participant's
-- release. So a set is written down before its seeds are read: `answered` has one row for a session, ever,
-- as its primary key demands. The same set may be asked for again; another fails, and so do a set with
-- a release without its seed, one named twice, and one of too few. Keep the database in a file that only
-- the helper writes, and never delete from `answered`. It needs
--   CREATE TABLE session (id VARCHAR, least UBIGINT);        -- one row: `id` and `least` of the session
--   CREATE TABLE seeds (id VARCHAR PRIMARY KEY, commitment VARCHAR, seed BLOB);
--   CREATE TABLE releases (id VARCHAR, commitment VARCHAR);  -- what the analyst asks for
CREATE TABLE IF NOT EXISTS answered (
  session VARCHAR PRIMARY KEY,
  members VARCHAR NOT NULL,
  releases UBIGINT NOT NULL
);
INSERT INTO answered
WITH asked AS (
  SELECT
    (SELECT id FROM session) AS session,
    sha256('["' || string_agg(id, '","' ORDER BY id) || '"]') AS members,
    count(*) AS releases,
    count(DISTINCT id) AS distinct_ids,
    count(*) FILTER (
      WHERE EXISTS (
        FROM seeds WHERE seeds.id = releases.id AND seeds.commitment = releases.commitment
      )
    ) AS paired
  FROM releases
)
SELECT
  CASE
    WHEN paired < releases THEN error('a release has no seed here: see pairs.sql')
    WHEN distinct_ids < releases THEN error('a release is asked for twice')
    WHEN releases < (SELECT least FROM session) THEN error('fewer releases than may be summed')
    ELSE session
  END AS session,
  members,
  releases
FROM asked
WHERE NOT EXISTS (
  FROM answered WHERE answered.session = asked.session AND answered.members = asked.members
);
SELECT seeds.id, seeds.seed, answered.members
FROM seeds
JOIN releases ON releases.id = seeds.id AND releases.commitment = seeds.commitment
JOIN answered ON answered.session = (SELECT id FROM session)
  AND answered.members = (
    SELECT sha256('["' || string_agg(id, '","' ORDER BY id) || '"]') FROM releases
  )
ORDER BY seeds.id;
