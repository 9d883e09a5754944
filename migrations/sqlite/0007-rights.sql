-- What is known of each profile's rights. subscription, details and the role are what the cloud said last, the first two as JSON;
-- cloud is which one said it, verified_at when by its clock, taken_at when by this computer's, and age how old the answer is
-- known to be: it never shrinks, whatever the clock says. Times are UTC ms, age is ms. Without a cloud only the default is kept.
CREATE TABLE rights (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES profiles (id) ON DELETE CASCADE,
  cloud TEXT,
  subscription TEXT,
  details TEXT,
  admin INTEGER NOT NULL CHECK (admin IN (0, 1)),
  subscriber INTEGER NOT NULL CHECK (subscriber IN (0, 1)),
  verified_at INTEGER NOT NULL,
  taken_at INTEGER NOT NULL,
  age INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
