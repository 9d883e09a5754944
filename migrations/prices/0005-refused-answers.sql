-- What was paid for and not stored is noted with why, so that it is not bought again by itself.
ALTER TABLE `answered` ADD `failure` text;
ALTER TABLE `answered` ADD `failed_contract` text;
