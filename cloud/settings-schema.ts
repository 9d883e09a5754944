import { z } from 'zod'
import type { CloudSettingName } from '#shared/api/cloud-settings.ts'
import { logLevels } from './log.ts'

/** What docs/settings.md and error messages say about a setting. */
type SettingNotes = {
  /** The expected format, to complete 'must be …'. */
  readonly shape: string
  /** The default; empty if there is none. */
  readonly standard: string
  readonly purpose: string
}

const standardPort = 47_620
/** The embedded database's folder in its user's home folder. */
export const standardFolder = '.fillbook-cloud'

const text = z.string().trim().min(1)
const whole = text.transform(Number).pipe(z.number().int())
/** Whether only programs on the same computer can reach this host. */
export const isLoopback = (host: string): boolean => ['127.0.0.1', 'localhost', '[::1]', '::1'].includes(host)
const safeUrl = text.refine((given) => {
  const url = URL.parse(given)
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))
})
const safeShape = 'an https:// address (http:// only on 127.0.0.1 or localhost)'
const priceIds = text.max(2_000).regex(/^[^\s,]+(?:\s*,\s*[^\s,]+)*$/)
const priceShape = 'the id of a monthly price, and behind it, after commas, those that some still pay'
const databaseUrl = text.refine((given) => ['postgres:', 'postgresql:'].includes(URL.parse(given)?.protocol ?? ''))

/** Every setting of the cloud, with defaults. */
export const cloudSettings = z.object({
  DATABASE_URL: databaseUrl.optional(),
  FILLBOOK_CLOUD_DATA_DIR: text.optional(),
  FILLBOOK_CLOUD_POOL_SIZE: whole.pipe(z.number().min(1).max(1_000)).default(10),
  FILLBOOK_CLOUD_MODE: z.enum(['production', 'development']).default('production'),
  FILLBOOK_CLOUD_DEVELOPMENT_SECRET: text.max(255).optional(),
  FILLBOOK_CLOUD_HOST: text.default('127.0.0.1'),
  FILLBOOK_CLOUD_PORT: whole.pipe(z.number().refine((port) => port === 0 || (port >= 1_024 && port <= 65_535))).default(standardPort),
  FILLBOOK_CLOUD_LOG_LEVEL: z.enum(logLevels).default('info'),
  FILLBOOK_CLOUD_JWKS_URL: safeUrl.optional(),
  FILLBOOK_CLOUD_ISSUER: text.max(500).optional(),
  FILLBOOK_CLOUD_AUDIENCE: text.max(500).optional(),
  FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: text.regex(/^[a-z0-9-]+$/).max(100).optional(),
  FILLBOOK_CLOUD_FIREBASE_EMULATOR: z.enum(['on', 'off']).default('off'),
  FILLBOOK_CLOUD_ADMIN_USER_ID: text.max(255).optional(),
  FILLBOOK_CLOUD_SUBSCRIBER_USER_ID: text.max(255).optional(),
  FILLBOOK_CLOUD_TRUSTED_PROXIES: whole.pipe(z.number().min(0).max(10)).default(0),
  FILLBOOK_CLOUD_STORAGE_MB: text.regex(/^[1-9]\d{0,6}(?:\s*,\s*[1-9]\d{0,6}){2}$/).default('250, 2000, 10000'),
  FILLBOOK_CLOUD_DELETED_ACCOUNTS_FILE: text.optional(),
  FILLBOOK_CLOUD_STRIPE_SECRET_KEY: text.max(500).regex(/^[sr]k_\S+$/).optional(),
  FILLBOOK_CLOUD_STRIPE_WEBHOOK_SECRET: text.max(500).regex(/^whsec_\S+$/).optional(),
  FILLBOOK_CLOUD_STRIPE_PRICE_AUTOSYNC: priceIds.optional(),
  FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER: priceIds.optional(),
  FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_MID: priceIds.optional(),
  FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_ENTERPRISE: priceIds.optional(),
  FILLBOOK_CLOUD_STRIPE_API_URL: safeUrl.optional(),
  FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID: text.max(300).optional(),
  FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET: text.max(8_192).optional(),
  FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL: safeUrl.optional(),
} satisfies Record<CloudSettingName, z.core.$ZodType>)

/** All settings after validation. */
export type SettingValues = z.output<typeof cloudSettings>

/** The notes on each setting. */
export const settingNotes: Record<CloudSettingName, SettingNotes> = {
  DATABASE_URL: {
    shape: 'the address of a PostgreSQL database, postgres://user:password@host:5432/name',
    standard: 'an embedded database in `FILLBOOK_CLOUD_DATA_DIR`',
    purpose: 'The database of all journals. Several instances may share one behind a load balancer; the embedded database is for a first try.',
  },
  FILLBOOK_CLOUD_DATA_DIR: { shape: 'the path of a folder', standard: `\`${standardFolder}\` in your own folder`, purpose: 'The folder of the embedded database; unused with `DATABASE_URL`.' },
  FILLBOOK_CLOUD_POOL_SIZE: { shape: 'how many connections to PostgreSQL are opened at most, from 1 to 1000', standard: '10', purpose: 'How many calls of one instance use the database at the same time.' },
  FILLBOOK_CLOUD_MODE: { shape: 'production or development', standard: 'production', purpose: 'In development, a built-in issuer gives anybody on this computer a token; production refuses it.' },
  FILLBOOK_CLOUD_DEVELOPMENT_SECRET: { shape: 'any text', standard: '', purpose: "In development, the built-in issuer gives tokens only to callers with this secret. The demo's own cloud has a new one at each start." },
  FILLBOOK_CLOUD_HOST: { shape: 'the address to listen on, like 127.0.0.1', standard: '127.0.0.1', purpose: 'The address on which the service listens; TLS belongs to the proxy in front of it.' },
  FILLBOOK_CLOUD_PORT: { shape: 'a whole number from 1024 to 65535, or 0 for any free port', standard: String(standardPort), purpose: 'The port; `--port` wins.' },
  FILLBOOK_CLOUD_LOG_LEVEL: { shape: `one of ${logLevels.join(', ')}`, standard: 'info', purpose: 'The detail of the log on stderr: JSON lines, never content of a journal.' },
  FILLBOOK_CLOUD_JWKS_URL: { shape: safeShape, standard: 'in development the key of the built-in issuer', purpose: 'The published keys that verify tokens.' },
  FILLBOOK_CLOUD_ISSUER: { shape: "the 'iss' of the tokens that are believed", standard: 'in development the built-in issuer', purpose: 'The issuer of accepted tokens.' },
  FILLBOOK_CLOUD_AUDIENCE: { shape: "the 'aud' of the tokens that are believed", standard: 'in development `fillbook-cloud`', purpose: 'The audience of accepted tokens.' },
  FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: { shape: 'the id of a Firebase project', standard: '', purpose: 'Accepts the tokens of this project, in place of key set, issuer, and audience.' },
  FILLBOOK_CLOUD_FIREBASE_EMULATOR: { shape: 'on or off', standard: 'off', purpose: "Also accepts the unsigned tokens of Firebase's Auth emulator for that project; production refuses it." },
  FILLBOOK_CLOUD_ADMIN_USER_ID: { shape: 'the id of a user', standard: '', purpose: 'The one user who passes the subscription checks without a subscription.' },
  FILLBOOK_CLOUD_SUBSCRIBER_USER_ID: { shape: 'the id of a user', standard: '', purpose: "The one user whose subscribe buttons work; everybody else sees 'Coming Soon'." },
  FILLBOOK_CLOUD_TRUSTED_PROXIES: { shape: 'how many proxies stand before the service, from 0 to 10', standard: '0', purpose: "Decides which forwarded address counts as the caller's; calls without a user are limited by address." },
  FILLBOOK_CLOUD_STORAGE_MB: { shape: 'three numbers of megabytes from 1 to 9999999, with commas between them', standard: '250, 2000, 10000', purpose: 'The storage of each user: without a plan, with AutoSync, with a Trade Copier plan. A cloud that sells no plans gives everybody the first.' },
  FILLBOOK_CLOUD_DELETED_ACCOUNTS_FILE: {
    shape: 'the path of a file',
    standard: '`deleted-accounts.txt` in `FILLBOOK_CLOUD_DATA_DIR`; with `DATABASE_URL` none',
    purpose: 'The list of deleted accounts, outside the database: each start deletes again what a dump brought back. Instances share one file; keep it on another disk than the dumps.',
  },
  FILLBOOK_CLOUD_STRIPE_SECRET_KEY: { shape: 'a secret key of Stripe, sk_… or rk_…', standard: '', purpose: 'Together with the webhook secret and the four prices, sells subscriptions.' },
  FILLBOOK_CLOUD_STRIPE_WEBHOOK_SECRET: { shape: 'the signing secret of the endpoint `/api/stripe/webhook`, whsec_…', standard: '', purpose: 'Verifies the messages of Stripe.' },
  FILLBOOK_CLOUD_STRIPE_PRICE_AUTOSYNC: { shape: priceShape, standard: '', purpose: 'AutoSync, 12 euro a month.' },
  FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER: { shape: priceShape, standard: '', purpose: 'Trade Copier I, 29 euro a month.' },
  FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_MID: { shape: priceShape, standard: '', purpose: 'Trade Copier II, 49 euro a month.' },
  FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_ENTERPRISE: { shape: priceShape, standard: '', purpose: 'Trade Copier III, 79 euro a month.' },
  FILLBOOK_CLOUD_STRIPE_API_URL: { shape: safeShape, standard: '`https://api.stripe.com`', purpose: 'The address of Stripe; tests use another.' },
  FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID: { shape: 'the client id of your application at the brokerage', standard: '', purpose: 'Together with the secret, users connect accounts through this application and need none of their own.' },
  FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET: { shape: 'the client secret of your application at the brokerage', standard: '', purpose: 'Stays in the cloud; tokens pass through and are never stored.' },
  FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL: { shape: safeShape, standard: '`https://live.tradovateapi.com/auth/oauthtoken`, then the same below `/v1`', purpose: 'Exchanges codes and refresh tokens.' },
}
