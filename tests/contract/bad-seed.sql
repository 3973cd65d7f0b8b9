INSERT INTO items (name) VALUES ('one');
INSERT INTO items (nmae) VALUES ('two');
