-- As pg_dump writes it, with data for psql.
\restrict k3Yb
SELECT pg_catalog.set_config('search_path', '', false);
\set table public.dumped
CREATE TABLE :table (id integer NOT NULL, name text);
COPY public.dumped (id, name) FROM stdin;
1	O'Hara; \\c
2	Jürgen
\.
\copy public.dumped from 'dumped.csv' with (format csv)
ALTER TABLE ONLY public.dumped ADD CONSTRAINT dumped_pkey PRIMARY KEY (id);
\unrestrict k3Yb
