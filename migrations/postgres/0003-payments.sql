-- beside: 2
-- As which customers of the payment provider a user is known, the present one first (there is one, but where it was made
-- anew), and the ticket of what is kept of them: only a higher one writes.
CREATE TABLE payers (
  user_id text COLLATE "C" PRIMARY KEY,
  customers text[] NOT NULL,
  ticket bigint NOT NULL DEFAULT 0
);

-- A ticket is taken before the provider is asked, so that of two answers the one with the higher ticket is not the older.
-- No session may keep numbers in store: a later ticket must be a higher one.
CREATE SEQUENCE payment_tickets CACHE 1;

-- Messages of the provider that were dealt with. They name no user.
CREATE TABLE payment_events (
  id text COLLATE "C" PRIMARY KEY,
  received_at timestamptz NOT NULL
);
CREATE INDEX payment_events_by_time ON payment_events (received_at);
