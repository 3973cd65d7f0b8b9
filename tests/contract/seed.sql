INSERT INTO items (name) SELECT 'seed ' || n FROM generate_series(1, 4) AS n;
INSERT INTO items (name) VALUES (clock_timestamp()::text);
