-- A column that is none.
INSERT INTO users
  (id,   nmae) VALUES (9999, 'x');
