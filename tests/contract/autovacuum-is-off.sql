-- Fails where it is on.
DO $$ BEGIN
  IF current_setting('autovacuum') <> 'off' THEN RAISE EXCEPTION 'autovacuum is on'; END IF;
END $$;
