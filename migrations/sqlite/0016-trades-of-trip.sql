-- The pairs of a trip are asked for by the trip, without a walk over all that its account traded.
CREATE INDEX trades_of_trip ON trades (user_id, trip_id) WHERE trip_id IS NOT NULL;
