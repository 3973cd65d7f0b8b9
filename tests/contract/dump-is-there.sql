-- A session of its own: the search path that the dump emptied is back.
DO $$
DECLARE found text;
BEGIN
  SELECT string_agg(name, ' | ' ORDER BY id) INTO found FROM dumped;
  IF found IS DISTINCT FROM 'O''Hara; \c | Jürgen | a, b' THEN
    RAISE EXCEPTION 'the dump holds: %', found;
  END IF;
END $$;
