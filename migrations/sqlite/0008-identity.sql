-- Users of an identity provider. Their tokens are where secrets are kept, never here.

-- firebase_uid is the provider's id of the user; firebase_user is what it last said of the user, as JSON in the API's shape. Such a profile has an e-mail in its own column only where it was a profile of this computer before.
ALTER TABLE profiles ADD COLUMN firebase_uid TEXT;
ALTER TABLE profiles ADD COLUMN firebase_user TEXT CHECK ((firebase_user IS NULL) = (firebase_uid IS NULL));
CREATE UNIQUE INDEX profiles_by_firebase_uid ON profiles (firebase_uid);

-- Why the provider ended the sign-in of this browser, until somebody signs in.
ALTER TABLE sessions ADD COLUMN ended_because TEXT CHECK (ended_because IN ('user-disabled', 'user-token-expired'));
