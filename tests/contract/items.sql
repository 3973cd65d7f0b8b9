CREATE TABLE items (id serial PRIMARY KEY, name text NOT NULL);
