import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { cloudSettingNames } from '#shared/api/cloud-settings.ts'
import type { CloudSettingName } from '#shared/api/cloud-settings.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { developmentIssuer } from './dev-issuer.ts'
import type { LogLevel } from './log.ts'
import { cloudSettings, isLoopback, settingNotes, standardFolder } from './settings-schema.ts'
import type { SettingValues } from './settings-schema.ts'
import type { StartProblem } from './start-problem.ts'
import type { DatabasePlace } from './store/database.ts'

/** The application that the cloud is at the brokerage. */
export type BrokerSettings = {
  readonly clientId: string
  readonly clientSecret: string
  /** Where codes and refresh tokens are exchanged, in the order in which they are tried. */
  readonly tokenUrls: readonly string[]
}

/** Whose tokens are believed. */
export type TokenSource = {
  /** Where the keys are published; null for the development issuer in this process. */
  readonly jwksUrl: URL | null
  readonly issuer: string
  readonly audience: string
}

/** What holds for this start. */
export type CloudSettings = {
  readonly mode: 'production' | 'development'
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  readonly logLevel: LogLevel
  readonly database: DatabasePlace
  readonly identity: TokenSource
  readonly broker: BrokerSettings | null
}

const prefix = 'FILLBOOK_CLOUD_'
// The desktop's own, which somebody may have set for both.
const desktopNames = [`${prefix}URL`]
const standardTokenUrls = ['https://live.tradovateapi.com/auth/oauthtoken', 'https://live.tradovateapi.com/v1/auth/oauthtoken']

/** Reads and checks every setting; all that is wrong is told at once, and no value is shown. `port` is what the command line says; it wins. */
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
    broker: brokerOf(values),
  })
}

const isOurs = (name: string): boolean => name === 'DATABASE_URL' || (name.startsWith(prefix) && !desktopNames.includes(name))

const placeOf = (values: SettingValues): DatabasePlace => {
  if (values.DATABASE_URL !== undefined) return { kind: 'server', url: values.DATABASE_URL, poolSize: values.FILLBOOK_CLOUD_POOL_SIZE }
  return { kind: 'embedded', folder: resolve(values.FILLBOOK_CLOUD_DATA_DIR ?? join(homedir(), standardFolder)) }
}

const tokenSourceOf = (values: SettingValues): TokenSource => ({
  jwksUrl: values.FILLBOOK_CLOUD_JWKS_URL === undefined ? null : new URL(values.FILLBOOK_CLOUD_JWKS_URL),
  issuer: values.FILLBOOK_CLOUD_ISSUER ?? developmentIssuer.issuer,
  audience: values.FILLBOOK_CLOUD_AUDIENCE ?? developmentIssuer.audience,
})

const brokerOf = (values: SettingValues): BrokerSettings | null => {
  const [clientId, clientSecret, tokenUrl] = [values.FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID, values.FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET, values.FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL]
  if (clientId === undefined || clientSecret === undefined) return null
  return { clientId, clientSecret, tokenUrls: tokenUrl === undefined ? standardTokenUrls : [tokenUrl] }
}

const shortened = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name)

const unknownName = (name: string): StartProblem => ({ name: shortened(name), wanted: 'a setting that exists', remedy: `Unset it. There are ${cloudSettingNames.join(', ')}.` })

const wrongValue = (name: CloudSettingName): StartProblem => ({ name, wanted: settingNotes[name].shape, remedy: 'Correct it or unset it.' })

/** What is right by itself and wrong together: above all, whatever would let the development issuer near real users. */
const contradictions = (values: SettingValues, nodeEnv: string | undefined): readonly StartProblem[] =>
  [...(values.FILLBOOK_CLOUD_MODE === 'production' ? wrongInProduction(values) : wrongInDevelopment(values, nodeEnv)), ...wrongAboutBroker(values)]

const wrongInProduction = (values: SettingValues): StartProblem[] => {
  const needed = ['FILLBOOK_CLOUD_JWKS_URL', 'FILLBOOK_CLOUD_ISSUER', 'FILLBOOK_CLOUD_AUDIENCE'] as const
  const missing = needed.filter((name) => values[name] === undefined).map((name) => ({ name, wanted: settingNotes[name].shape, remedy: 'Set it: in production tokens come from an identity provider. To try the cloud without one, set FILLBOOK_CLOUD_MODE=development.' }))
  if (values.FILLBOOK_CLOUD_ISSUER !== developmentIssuer.issuer) return missing
  return [...missing, { name: 'FILLBOOK_CLOUD_ISSUER', wanted: "an identity provider's", remedy: 'The development issuer gives anybody a token and is refused in production.' }]
}

const wrongInDevelopment = (values: SettingValues, nodeEnv: string | undefined): StartProblem[] => [
  ...(nodeEnv === 'production' ? [{ name: 'FILLBOOK_CLOUD_MODE', wanted: 'production where NODE_ENV is production', remedy: 'Unset one of the two: in development mode anybody gets a token.' }] : []),
  ...(isLoopback(values.FILLBOOK_CLOUD_HOST) ? [] : [{ name: 'FILLBOOK_CLOUD_HOST', wanted: '127.0.0.1 or localhost in development mode', remedy: 'Unset it: in development mode anybody who reaches the service gets a token.' }]),
]

const wrongAboutBroker = (values: SettingValues): StartProblem[] => {
  const pair = ['FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID', 'FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET'] as const
  const missing = pair.filter((name) => values[name] === undefined)
  return missing.length === 1 ? missing.map((name) => ({ name, wanted: settingNotes[name].shape, remedy: 'Set it too, or unset the other: only both together open the brokerage.' })) : []
}
