import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { developmentIssuer } from './dev-issuer.ts'
import { logLevels } from './log.ts'
import type { LogLevel } from './log.ts'
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
const standardPort = 47_620
const standardFolder = '.fillbook-cloud'
// The desktop's own, which somebody may have set for both.
const desktopNames = [`${prefix}URL`]
const standardTokenUrls = ['https://live.tradovateapi.com/auth/oauthtoken', 'https://live.tradovateapi.com/v1/auth/oauthtoken']

const text = z.string().trim().min(1)
const whole = text.transform(Number).pipe(z.number().int())
const isLoopback = (host: string): boolean => ['127.0.0.1', 'localhost', '[::1]', '::1'].includes(host)
const safeUrl = text.refine((given) => {
  const url = URL.parse(given)
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))
})
const safeShape = 'an https:// address (http:// only on 127.0.0.1 or localhost)'
const databaseUrl = text.refine((given) => ['postgres:', 'postgresql:'].includes(URL.parse(given)?.protocol ?? ''))

// Each setting with the shape that a problem names.
const schema = z.object({
  DATABASE_URL: databaseUrl.optional(),
  FILLBOOK_CLOUD_DATA_DIR: text.optional(),
  FILLBOOK_CLOUD_POOL_SIZE: whole.pipe(z.number().min(1).max(1_000)).default(10),
  FILLBOOK_CLOUD_MODE: z.enum(['production', 'development']).default('production'),
  FILLBOOK_CLOUD_HOST: text.default('127.0.0.1'),
  FILLBOOK_CLOUD_PORT: whole.pipe(z.number().refine((port) => port === 0 || (port >= 1_024 && port <= 65_535))).default(standardPort),
  FILLBOOK_CLOUD_LOG_LEVEL: z.enum(logLevels).default('info'),
  FILLBOOK_CLOUD_JWKS_URL: safeUrl.optional(),
  FILLBOOK_CLOUD_ISSUER: text.max(500).optional(),
  FILLBOOK_CLOUD_AUDIENCE: text.max(500).optional(),
  FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID: text.max(300).optional(),
  FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET: text.max(8_192).optional(),
  FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL: safeUrl.optional(),
})
type Values = z.output<typeof schema>
type Name = keyof Values

const shapes: Record<Name, string> = {
  DATABASE_URL: 'the address of a PostgreSQL database, postgres://user:password@host:5432/name',
  FILLBOOK_CLOUD_DATA_DIR: 'the path of a folder',
  FILLBOOK_CLOUD_POOL_SIZE: 'how many connections to PostgreSQL are opened at most, from 1 to 1000',
  FILLBOOK_CLOUD_MODE: 'production or development',
  FILLBOOK_CLOUD_HOST: 'the address to listen on, like 127.0.0.1',
  FILLBOOK_CLOUD_PORT: 'a whole number from 1024 to 65535, or 0 for any free port',
  FILLBOOK_CLOUD_LOG_LEVEL: `one of ${logLevels.join(', ')}`,
  FILLBOOK_CLOUD_JWKS_URL: safeShape,
  FILLBOOK_CLOUD_ISSUER: "the 'iss' of the tokens that are believed",
  FILLBOOK_CLOUD_AUDIENCE: "the 'aud' of the tokens that are believed",
  FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID: 'the client id of your application at the brokerage',
  FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET: 'the client secret of your application at the brokerage',
  FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL: safeShape,
}
const names = Object.keys(shapes) as Name[]

/** Reads and checks every setting; all that is wrong is told at once, and no value is shown. `port` is what the command line says; it wins. */
export const readSettings = (env: Readonly<Record<string, string | undefined>>, port?: string): Result<CloudSettings, readonly StartProblem[]> => {
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => isOurs(name) && value !== undefined && value !== ''))
  const unknown = Object.keys(given).filter((name) => !(names as readonly string[]).includes(name))
  const parsed = schema.safeParse({ ...given, ...(port === undefined ? {} : { FILLBOOK_CLOUD_PORT: port }) })
  const wrong = parsed.success ? [] : [...new Set(parsed.error.issues.map(({ path }) => path[0] as Name))]
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

const placeOf = (values: Values): DatabasePlace => {
  if (values.DATABASE_URL !== undefined) return { kind: 'server', url: values.DATABASE_URL, poolSize: values.FILLBOOK_CLOUD_POOL_SIZE }
  return { kind: 'embedded', folder: resolve(values.FILLBOOK_CLOUD_DATA_DIR ?? join(homedir(), standardFolder)) }
}

const tokenSourceOf = (values: Values): TokenSource => ({
  jwksUrl: values.FILLBOOK_CLOUD_JWKS_URL === undefined ? null : new URL(values.FILLBOOK_CLOUD_JWKS_URL),
  issuer: values.FILLBOOK_CLOUD_ISSUER ?? developmentIssuer.issuer,
  audience: values.FILLBOOK_CLOUD_AUDIENCE ?? developmentIssuer.audience,
})

const brokerOf = (values: Values): BrokerSettings | null => {
  const [clientId, clientSecret, tokenUrl] = [values.FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID, values.FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET, values.FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL]
  if (clientId === undefined || clientSecret === undefined) return null
  return { clientId, clientSecret, tokenUrls: tokenUrl === undefined ? standardTokenUrls : [tokenUrl] }
}

const shortened = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name)

const unknownName = (name: string): StartProblem => ({ name: shortened(name), wanted: 'a setting that exists', remedy: `Unset it. There are ${names.join(', ')}.` })

const wrongValue = (name: Name): StartProblem => ({ name, wanted: shapes[name], remedy: 'Correct it or unset it.' })

/** What is right by itself and wrong together: above all, whatever would let the development issuer near real users. */
const contradictions = (values: Values, nodeEnv: string | undefined): readonly StartProblem[] =>
  [...(values.FILLBOOK_CLOUD_MODE === 'production' ? wrongInProduction(values) : wrongInDevelopment(values, nodeEnv)), ...wrongAboutBroker(values)]

const wrongInProduction = (values: Values): StartProblem[] => {
  const needed = ['FILLBOOK_CLOUD_JWKS_URL', 'FILLBOOK_CLOUD_ISSUER', 'FILLBOOK_CLOUD_AUDIENCE'] as const
  const missing = needed.filter((name) => values[name] === undefined).map((name) => ({ name, wanted: shapes[name], remedy: 'Set it: in production tokens come from an identity provider. To try the cloud without one, set FILLBOOK_CLOUD_MODE=development.' }))
  if (values.FILLBOOK_CLOUD_ISSUER !== developmentIssuer.issuer) return missing
  return [...missing, { name: 'FILLBOOK_CLOUD_ISSUER', wanted: "an identity provider's", remedy: 'The development issuer gives anybody a token and is refused in production.' }]
}

const wrongInDevelopment = (values: Values, nodeEnv: string | undefined): StartProblem[] => [
  ...(nodeEnv === 'production' ? [{ name: 'FILLBOOK_CLOUD_MODE', wanted: 'production where NODE_ENV is production', remedy: 'Unset one of the two: in development mode anybody gets a token.' }] : []),
  ...(isLoopback(values.FILLBOOK_CLOUD_HOST) ? [] : [{ name: 'FILLBOOK_CLOUD_HOST', wanted: '127.0.0.1 or localhost in development mode', remedy: 'Unset it: in development mode anybody who reaches the service gets a token.' }]),
]

const wrongAboutBroker = (values: Values): StartProblem[] => {
  const pair = ['FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID', 'FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET'] as const
  const missing = pair.filter((name) => values[name] === undefined)
  return missing.length === 1 ? missing.map((name) => ({ name, wanted: shapes[name], remedy: 'Set it too, or unset the other: only both together open the brokerage.' })) : []
}
