-- The same thousand users every time: an answer can be compared byte for byte.
INSERT INTO users (id, name, email, created_at)
SELECT n,
       'User ' || n,
       'user' || n || '@example.com',
       timestamp '2026-01-01 00:00:00' + n * interval '1 minute'
FROM generate_series(1, 1000) AS n;

ANALYZE users;
