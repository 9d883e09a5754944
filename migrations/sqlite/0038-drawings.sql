-- What the user drew in a trade's chart: a JSON list, beside the other fields that they write on a trade.
ALTER TABLE trade_edits ADD COLUMN drawings TEXT NOT NULL DEFAULT '[]';
ALTER TABLE shown_notes ADD COLUMN drawings TEXT NOT NULL DEFAULT '[]';
