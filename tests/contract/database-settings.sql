ALTER ROLE ALL SET statement_timeout = '1s';
CREATE SCHEMA "my store";
ALTER TABLE items SET SCHEMA "my store";
ALTER DATABASE bench SET search_path = "my store", public;
ALTER ROLE app IN DATABASE bench SET statement_timeout = '7s';
REVOKE CONNECT ON DATABASE bench FROM public;
GRANT CONNECT ON DATABASE bench TO app;
