-- What a restore brought back stands against older news of other computers until the cloud was told of it.

-- restored_to is the number of the outbox up to which names were noted by the last restore, null before any.
ALTER TABLE mirrors ADD COLUMN restored_to INTEGER;
