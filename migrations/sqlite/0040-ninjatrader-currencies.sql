-- Contracts that the table lacks had NinjaTrader's point values in dollars, though NinjaTrader names no currency. They are
-- unknown now, until the user or a file says what a point is worth, and their trades are computed again.
CREATE TEMP TABLE doubtful AS
  SELECT user_id, contract FROM specs WHERE source = 'broker' AND currency = 'USD' AND EXISTS (
    SELECT 1 FROM contracts WHERE contracts.user_id = specs.user_id AND contracts.broker_contract_id = 'ninjatrader:' || specs.contract);
UPDATE specs SET source = 'unknown' WHERE (user_id, contract) IN (SELECT user_id, contract FROM doubtful);
-- Another broker that names one is asked for its figures again.
DELETE FROM contracts WHERE (user_id, contract) IN (SELECT user_id, contract FROM doubtful) AND broker_contract_id <> 'ninjatrader:' || contract;
INSERT OR IGNORE INTO stale_batches (user_id, account, contract, local_date, at)
  SELECT user_id, account, contract, local_date, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM batches WHERE (user_id, contract) IN (SELECT user_id, contract FROM doubtful);
-- A file may prove the point value.
INSERT OR IGNORE INTO imports_unsettled (user_id, at) SELECT DISTINCT user_id, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM doubtful;
INSERT OR REPLACE INTO outbox (user_id, entity, entity_id, noted_at)
  SELECT user_id, 'spec', contract, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM doubtful;
DROP TABLE doubtful;
