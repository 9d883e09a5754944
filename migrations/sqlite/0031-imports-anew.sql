-- Days that were equal beside contradicting fills, orders or fees, and notes of rows without an account: what already stands is put together once more, by rules that see them.
INSERT OR IGNORE INTO imports_unsettled (user_id, at) SELECT user_id, max(at) FROM imports WHERE state = 'standing' GROUP BY user_id;
