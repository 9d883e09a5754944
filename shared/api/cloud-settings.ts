/** The environment variables of the cloud service, in the order of the README. The desktop leaves them alone: somebody may run both from one terminal. */
export const cloudSettingNames = [
  'DATABASE_URL',
  'FILLBOOK_CLOUD_DATA_DIR',
  'FILLBOOK_CLOUD_POOL_SIZE',
  'FILLBOOK_CLOUD_MODE',
  'FILLBOOK_CLOUD_HOST',
  'FILLBOOK_CLOUD_PORT',
  'FILLBOOK_CLOUD_LOG_LEVEL',
  'FILLBOOK_CLOUD_JWKS_URL',
  'FILLBOOK_CLOUD_ISSUER',
  'FILLBOOK_CLOUD_AUDIENCE',
  'FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID',
  'FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET',
  'FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL',
] as const

/** The name of a setting of the cloud. */
export type CloudSettingName = (typeof cloudSettingNames)[number]
