CREATE TABLE failing (id integer);
COPY failing (id) FROM stdin;
one
\.
