import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { cloudSettingNames } from '#shared/api/cloud-settings.ts'
import type { CloudSettingName } from '#shared/api/cloud-settings.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { planTypes, type Plan } from '#shared/plans/plan.ts'
import { developmentIssuer } from './dev-issuer.ts'
import type { LogLevel } from './log.ts'
import { cloudSettings, isLoopback, settingNotes, standardFolder } from './settings-schema.ts'
import type { SettingValues } from './settings-schema.ts'
import type { StartProblem } from './start-problem.ts'
import type { DatabasePlace } from './store/database.ts'
import type { StorageLimits } from './store/storage.ts'

/** The cloud's application at the brokerage. */
export type BrokerSettings = {
  readonly clientId: string
  readonly clientSecret: string
  /** Where codes and refresh tokens are exchanged, in the order to try. */
  readonly tokenUrls: readonly string[]
}

/** What the service sells through the payment provider. */
export type PaymentSettings = {
  readonly secretKey: string
  /** The key that signs the provider's webhooks. */
  readonly webhookSecret: string
  /** The provider's id of each plan's monthly price. */
  readonly prices: Readonly<Record<Plan, string>>
  /** Earlier prices, which some users still pay. */
  readonly earlierPrices: Readonly<Record<Plan, readonly string[]>>
  /** The provider's API URL; null for the default. */
  readonly apiUrl: URL | null
}

/** Which tokens are trusted. */
export type TokenSource = {
  /** Where the keys are published; null for the development issuer in this process. */
  readonly jwksUrl: URL | null
  readonly issuer: string
  readonly audience: string
  /** Whether Firebase's own rules apply too. */
  readonly firebase: boolean
  /** Whether to trust unsigned tokens, as from Firebase's Auth emulator; never in production. */
  readonly unsigned: boolean
}

/** The settings of this start. */
export type CloudSettings = {
  readonly mode: 'production' | 'development'
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  readonly logLevel: LogLevel
  readonly database: DatabasePlace
  readonly identity: TokenSource
  /** The secret that the development issuer requires; null if it issues tokens to anyone. */
  readonly developmentSecret: string | null
  /** The number of proxies in front of the service. */
  readonly trustedProxies: number
  readonly broker: BrokerSettings | null
  readonly payments: PaymentSettings | null
  readonly storage: StorageLimits
  /** Where deleted accounts are listed outside the database; null for nowhere. */
  readonly deletedAccountsFile: string | null
  /** Who passes the subscription checks, and who can buy a plan; null for no one. */
  readonly adminUserId: string | null
  readonly subscriberUserId: string | null
}

const prefix = 'FILLBOOK_CLOUD_'
// The desktop's own, which may be set for both.
const desktopNames = [`${prefix}URL`]
const standardTokenUrls = ['https://live.tradovateapi.com/auth/oauthtoken', 'https://live.tradovateapi.com/v1/auth/oauthtoken']

/** Reads and checks every setting; reports all errors at once, without values. `port` from the command line wins. */
export const readSettings = (env: Readonly<Record<string, string | undefined>>, port?: string): Result<CloudSettings, readonly StartProblem[]> => {
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => isOurs(name) && value !== undefined && value !== ''))
  const unknown = Object.keys(given).filter((name) => !(cloudSettingNames as readonly string[]).includes(name))
  const parsed = cloudSettings.safeParse({ ...given, ...(port === undefined ? {} : { FILLBOOK_CLOUD_PORT: port }) })
  const wrong = parsed.success ? [] : [...new Set(parsed.error.issues.map(({ path }) => path[0] as CloudSettingName))]
  const problems = [...unknown.map(unknownName), ...wrong.map(wrongValue), ...(parsed.success ? contradictions(parsed.data, env['NODE_ENV']) : [])]
  if (!parsed.success || problems.length > 0) return err(problems)
  const values = parsed.data
  return ok({
    mode: values.FILLBOOK_CLOUD_MODE,
    host: values.FILLBOOK_CLOUD_HOST,
    port: values.FILLBOOK_CLOUD_PORT,
    logLevel: values.FILLBOOK_CLOUD_LOG_LEVEL,
    database: placeOf(values),
    identity: tokenSourceOf(values),
    developmentSecret: values.FILLBOOK_CLOUD_DEVELOPMENT_SECRET ?? null,
    trustedProxies: values.FILLBOOK_CLOUD_TRUSTED_PROXIES,
    broker: brokerOf(values),
    payments: paymentsOf(values),
    storage: storageOf(values),
    deletedAccountsFile: deletedAccountsFileOf(values),
    adminUserId: values.FILLBOOK_CLOUD_ADMIN_USER_ID ?? null,
    subscriberUserId: values.FILLBOOK_CLOUD_SUBSCRIBER_USER_ID ?? null,
  })
}

const isOurs = (name: string): boolean => name === 'DATABASE_URL' || (name.startsWith(prefix) && !desktopNames.includes(name))

const placeOf = (values: SettingValues): DatabasePlace => {
  if (values.DATABASE_URL !== undefined) return { kind: 'server', url: values.DATABASE_URL, poolSize: values.FILLBOOK_CLOUD_POOL_SIZE }
  return { kind: 'embedded', folder: resolve(values.FILLBOOK_CLOUD_DATA_DIR ?? join(homedir(), standardFolder)) }
}

const deletedAccountsFileOf = (values: SettingValues): string | null => {
  if (values.FILLBOOK_CLOUD_DELETED_ACCOUNTS_FILE !== undefined) return resolve(values.FILLBOOK_CLOUD_DELETED_ACCOUNTS_FILE)
  const place = placeOf(values)
  return place.kind === 'embedded' ? join(place.folder, 'deleted-accounts.txt') : null
}

const firebaseKeys = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

// Explicit settings override those derived from the project.
const tokenSourceOf = (values: SettingValues): TokenSource => {
  const project = values.FILLBOOK_CLOUD_FIREBASE_PROJECT_ID
  const jwksUrl = values.FILLBOOK_CLOUD_JWKS_URL ?? (project === undefined ? undefined : firebaseKeys)
  return {
    jwksUrl: jwksUrl === undefined ? null : new URL(jwksUrl),
    issuer: values.FILLBOOK_CLOUD_ISSUER ?? (project === undefined ? developmentIssuer.issuer : `https://securetoken.google.com/${project}`),
    audience: values.FILLBOOK_CLOUD_AUDIENCE ?? project ?? developmentIssuer.audience,
    firebase: project !== undefined,
    unsigned: values.FILLBOOK_CLOUD_FIREBASE_EMULATOR === 'on',
  }
}

const megabyte = 1_000_000
const storageOf = (values: SettingValues): StorageLimits => {
  const [none = 0, autosync = 0, tradecopier = 0] = values.FILLBOOK_CLOUD_STORAGE_MB.split(',').map((text) => Number(text) * megabyte)
  return { none, autosync, tradecopier }
}

const brokerOf = (values: SettingValues): BrokerSettings | null => {
  const [clientId, clientSecret, tokenUrl] = [values.FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID, values.FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET, values.FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL]
  if (clientId === undefined || clientSecret === undefined) return null
  return { clientId, clientSecret, tokenUrls: tokenUrl === undefined ? standardTokenUrls : [tokenUrl] }
}

const stripePrices = {
  autosync: 'FILLBOOK_CLOUD_STRIPE_PRICE_AUTOSYNC',
  tradecopier: 'FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER',
  'tradecopier-mid': 'FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_MID',
  'tradecopier-enterprise': 'FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_ENTERPRISE',
} as const satisfies Record<Plan, CloudSettingName>

const paymentsOf = (values: SettingValues): PaymentSettings | null => {
  const [secretKey, webhookSecret, apiUrl] = [values.FILLBOOK_CLOUD_STRIPE_SECRET_KEY, values.FILLBOOK_CLOUD_STRIPE_WEBHOOK_SECRET, values.FILLBOOK_CLOUD_STRIPE_API_URL]
  if (secretKey === undefined || webhookSecret === undefined) return null
  const [sold, earlier] = [(plan: Plan): string => pricesOf(values, plan)[0] ?? '', (plan: Plan): readonly string[] => pricesOf(values, plan).slice(1)]
  return { secretKey, webhookSecret, prices: ofEachPlan(sold), earlierPrices: ofEachPlan(earlier), apiUrl: apiUrl === undefined ? null : new URL(apiUrl) }
}

const pricesOf = (values: SettingValues, plan: Plan): readonly string[] => values[stripePrices[plan]]?.split(',').map((id) => id.trim()) ?? []

const ofEachPlan = <T>(of: (plan: Plan) => T): Readonly<Record<Plan, T>> => ({ autosync: of('autosync'), tradecopier: of('tradecopier'), 'tradecopier-mid': of('tradecopier-mid'), 'tradecopier-enterprise': of('tradecopier-enterprise') })

const shortened = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name)

const unknownName = (name: string): StartProblem => ({ name: shortened(name), wanted: 'a setting that exists', remedy: `Unset it. There are ${cloudSettingNames.join(', ')}.` })

const wrongValue = (name: CloudSettingName): StartProblem => ({ name, wanted: settingNotes[name].shape, remedy: 'Correct it or unset it.' })

/** Settings that are valid alone and wrong together: above all, anything that would expose real users to the development issuer. */
const contradictions = (values: SettingValues, nodeEnv: string | undefined): readonly StartProblem[] =>
  [...(values.FILLBOOK_CLOUD_MODE === 'production' ? wrongInProduction(values) : wrongInDevelopment(values, nodeEnv)), ...wrongAboutEmulator(values, nodeEnv), ...wrongAboutBroker(values), ...wrongAboutPayments(values)]

const wrongInProduction = (values: SettingValues): StartProblem[] => {
  const needed = ['FILLBOOK_CLOUD_JWKS_URL', 'FILLBOOK_CLOUD_ISSUER', 'FILLBOOK_CLOUD_AUDIENCE'] as const
  const missing = (values.FILLBOOK_CLOUD_FIREBASE_PROJECT_ID === undefined ? needed.filter((name) => values[name] === undefined) : []).map((name) => ({
    name,
    wanted: settingNotes[name].shape,
    remedy: 'Set it, or FILLBOOK_CLOUD_FIREBASE_PROJECT_ID alone: in production tokens come from an identity provider. To try the cloud without one, set FILLBOOK_CLOUD_MODE=development.',
  }))
  if (values.FILLBOOK_CLOUD_ISSUER !== developmentIssuer.issuer) return missing
  return [...missing, { name: 'FILLBOOK_CLOUD_ISSUER', wanted: "an identity provider's", remedy: 'The development issuer gives anybody a token and is refused in production.' }]
}

const wrongInDevelopment = (values: SettingValues, nodeEnv: string | undefined): StartProblem[] => [
  ...(nodeEnv === 'production' ? [{ name: 'FILLBOOK_CLOUD_MODE', wanted: 'production where NODE_ENV is production', remedy: 'Unset one of the two: in development mode anybody gets a token.' }] : []),
  ...(isLoopback(values.FILLBOOK_CLOUD_HOST) ? [] : [{ name: 'FILLBOOK_CLOUD_HOST', wanted: '127.0.0.1 or localhost in development mode', remedy: 'Unset it: in development mode anybody who reaches the service gets a token.' }]),
]

const wrongAboutEmulator = (values: SettingValues, nodeEnv: string | undefined): StartProblem[] => {
  if (values.FILLBOOK_CLOUD_FIREBASE_EMULATOR === 'off') return []
  const production = values.FILLBOOK_CLOUD_MODE === 'production' || nodeEnv === 'production'
  return [
    ...(production ? [{ name: 'FILLBOOK_CLOUD_FIREBASE_EMULATOR', wanted: 'off in production', remedy: "Unset it: anybody can make an unsigned token. To try the cloud with Firebase's emulator, set FILLBOOK_CLOUD_MODE=development." }] : []),
    ...(values.FILLBOOK_CLOUD_FIREBASE_PROJECT_ID === undefined
      ? [{ name: 'FILLBOOK_CLOUD_FIREBASE_PROJECT_ID', wanted: settingNotes.FILLBOOK_CLOUD_FIREBASE_PROJECT_ID.shape, remedy: "Set it too: the emulator's tokens are for a project. Or unset FILLBOOK_CLOUD_FIREBASE_EMULATOR." }]
      : []),
  ]
}

const wrongAboutBroker = (values: SettingValues): StartProblem[] => {
  const pair = ['FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID', 'FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET'] as const
  const missing = pair.filter((name) => values[name] === undefined)
  return missing.length === 1 ? missing.map((name) => ({ name, wanted: settingNotes[name].shape, remedy: 'Set it too, or unset the other: only both together open the brokerage.' })) : []
}

const wrongAboutPayments = (values: SettingValues): StartProblem[] => {
  const names = ['FILLBOOK_CLOUD_STRIPE_SECRET_KEY', 'FILLBOOK_CLOUD_STRIPE_WEBHOOK_SECRET', ...Object.values(stripePrices)] as const
  const missing = names.filter((name) => values[name] === undefined)
  const some = missing.length < names.length || values.FILLBOOK_CLOUD_STRIPE_API_URL !== undefined
  if (some && missing.length > 0) return missing.map((name) => ({ name, wanted: settingNotes[name].shape, remedy: 'Set it too, or unset all of FILLBOOK_CLOUD_STRIPE_…: only together they sell a subscription.' }))
  const doubled = planTypes.filter((plan, index) => pricesOf(values, plan).some((id) => planTypes.slice(0, index).some((before) => pricesOf(values, before).includes(id))))
  return doubled.map((plan) => stripePrices[plan]).map((name) => ({ name, wanted: 'a price of its own', remedy: 'Name another: its price identifies a plan.' }))
}
