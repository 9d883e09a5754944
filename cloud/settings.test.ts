import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

const production = { FILLBOOK_CLOUD_JWKS_URL: 'https://identity.test/jwks', FILLBOOK_CLOUD_ISSUER: 'https://identity.test', FILLBOOK_CLOUD_AUDIENCE: 'fillbook' }
const development = { FILLBOOK_CLOUD_MODE: 'development' }
const wrongNames = (env: Record<string, string>, port?: string) => {
  const settings = readSettings(env, port)
  return settings.ok ? [] : settings.error.map(({ name }) => name)
}
const read = (env: Record<string, string>, port?: string) => {
  const settings = readSettings(env, port)
  if (!settings.ok) throw new Error(settings.error.map(({ name }) => name).join())
  return settings.value
}

test('production by default, on loopback, with the keys that are named', () => {
  expect(read({ ...production, DATABASE_URL: 'postgres://a:b@db/fillbook' })).toEqual({
    mode: 'production',
    host: '127.0.0.1',
    port: 47_620,
    logLevel: 'info',
    database: { kind: 'server', url: 'postgres://a:b@db/fillbook', poolSize: 10 },
    identity: { jwksUrl: new URL('https://identity.test/jwks'), issuer: 'https://identity.test', audience: 'fillbook', firebase: false, unsigned: false },
    trustedProxies: 0,
    broker: null,
    adminUserId: null,
    subscriberUserId: null,
    developmentSecret: null,
    payments: null,
    storage: { none: 250_000_000, autosync: 2_000_000_000, tradecopier: 10_000_000_000 },
    deletedAccountsFile: null,
  })
  expect(read({ ...development, FILLBOOK_CLOUD_DATA_DIR: '/data' })).toMatchObject({ deletedAccountsFile: '/data/deleted-accounts.txt' })
})

test('development has an issuer of its own and an embedded database; the command line wins', () => {
  const settings = read({ ...development, FILLBOOK_CLOUD_DATA_DIR: '/data', FILLBOOK_CLOUD_PORT: '5000' }, '0')
  expect(settings).toMatchObject({ mode: 'development', port: 0, database: { kind: 'embedded', folder: '/data' }, identity: { jwksUrl: null, issuer: 'fillbook-development', audience: 'fillbook-cloud' } })
})

test('a Firebase project sets keys, issuer and audience; explicit settings win', () => {
  const project = { FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: 'fillbook-test' }
  const keys = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'
  const identity = { jwksUrl: new URL(keys), issuer: 'https://securetoken.google.com/fillbook-test', audience: 'fillbook-test', firebase: true, unsigned: false }
  expect(read(project).identity).toEqual(identity)
  expect(read({ ...development, ...project }).identity).toEqual(identity)
  expect(read({ ...development, ...project, FILLBOOK_CLOUD_FIREBASE_EMULATOR: 'on' }).identity).toEqual({ ...identity, unsigned: true })
  expect(read({ ...project, FILLBOOK_CLOUD_JWKS_URL: 'http://127.0.0.1:9/jwks' }).identity).toEqual({ ...identity, jwksUrl: new URL('http://127.0.0.1:9/jwks') })
  expect(read({ ...project, ...production }).identity).toEqual({ ...read(production).identity, firebase: true })
})

test('an empty variable is none, and the desktop may have its own beside', () => {
  expect(read({ ...production, DATABASE_URL: '', FILLBOOK_CLOUD_URL: 'http://127.0.0.1:47620', FILLBOOK_PORT: '1' }).database.kind).toBe('embedded')
})

test('the brokerage needs both halves; its two forms of the address are tried, or the one that is given', () => {
  const [id, secret] = [{ FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID: 'id' }, { FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET: 'secret' }]
  expect(wrongNames({ ...development, ...id })).toEqual(['FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET'])
  expect(wrongNames({ ...development, ...secret })).toEqual(['FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID'])
  expect(read({ ...development, ...id, ...secret }).broker?.tokenUrls).toHaveLength(2)
  expect(read({ ...development, ...id, ...secret, FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL: 'http://127.0.0.1:9/token' }).broker).toEqual({ clientId: 'id', clientSecret: 'secret', tokenUrls: ['http://127.0.0.1:9/token'] })
})

test('an emulator where the machine is in production is refused beside the mode', () => {
  const env = { ...development, FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: 'fillbook-test', FILLBOOK_CLOUD_FIREBASE_EMULATOR: 'on', NODE_ENV: 'production' }
  expect(wrongNames(env)).toEqual(['FILLBOOK_CLOUD_MODE', 'FILLBOOK_CLOUD_FIREBASE_EMULATOR'])
})

test('the payment provider needs all of it, each plan with a price of its own; its own address holds where none is given', () => {
  const prices = { autosync: 'p0', tradecopier: 'p1', 'tradecopier-mid': 'p2', 'tradecopier-enterprise': 'p3' }
  const earlierPrices = { autosync: [], tradecopier: [], 'tradecopier-mid': [], 'tradecopier-enterprise': [] }
  const all = {
    FILLBOOK_CLOUD_STRIPE_SECRET_KEY: 'sk_test_1', FILLBOOK_CLOUD_STRIPE_WEBHOOK_SECRET: 'whsec_1',
    FILLBOOK_CLOUD_STRIPE_PRICE_AUTOSYNC: 'p0', FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER: 'p1', FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_MID: 'p2', FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_ENTERPRISE: 'p3',
  }
  expect(read({ ...development, ...all }).payments).toEqual({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1', prices, earlierPrices, apiUrl: null })
  expect(read({ ...development, ...all, FILLBOOK_CLOUD_STRIPE_API_URL: 'http://127.0.0.1:9' }).payments?.apiUrl).toEqual(new URL('http://127.0.0.1:9'))
  for (const name of Object.keys(all)) expect(wrongNames({ ...development, ...all, [name]: '' })).toEqual([name])
  expect(wrongNames({ ...development, FILLBOOK_CLOUD_STRIPE_API_URL: 'http://127.0.0.1:9' })).toEqual(Object.keys(all))
  const raised = { ...all, FILLBOOK_CLOUD_STRIPE_PRICE_AUTOSYNC: 'p9, p0' }
  expect(read({ ...development, ...raised }).payments).toMatchObject({ prices: { ...prices, autosync: 'p9' }, earlierPrices: { ...earlierPrices, autosync: ['p0'] } })
  expect(wrongNames({ ...development, ...raised, FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER: 'p8,p0' })).toEqual(['FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER'])
  expect(wrongNames({ ...development, ...all, FILLBOOK_CLOUD_STRIPE_PRICE_AUTOSYNC: 'p0,' })).toEqual(['FILLBOOK_CLOUD_STRIPE_PRICE_AUTOSYNC'])
  expect(wrongNames({ ...development, ...all, FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_MID: 'p1' })).toEqual(['FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_MID'])
})

test.each([
  ['an unknown name', { ...development, FILLBOOK_CLOUD_PROT: '1' }, 'FILLBOOK_CLOUD_PROT'],
  ['a key for pages', { ...development, FILLBOOK_CLOUD_STRIPE_SECRET_KEY: 'pk_test_1' }, 'FILLBOOK_CLOUD_STRIPE_SECRET_KEY'],
  ['a key for messages', { ...development, FILLBOOK_CLOUD_STRIPE_WEBHOOK_SECRET: 'sk_test_1' }, 'FILLBOOK_CLOUD_STRIPE_WEBHOOK_SECRET'],
  ['another database', { ...development, DATABASE_URL: 'mysql://db/x' }, 'DATABASE_URL'],
  ['a port of the system', { ...development, FILLBOOK_CLOUD_PORT: '80' }, 'FILLBOOK_CLOUD_PORT'],
  ['no number', { ...development, FILLBOOK_CLOUD_POOL_SIZE: 'many' }, 'FILLBOOK_CLOUD_POOL_SIZE'],
  ['an unknown mode', { FILLBOOK_CLOUD_MODE: 'test' }, 'FILLBOOK_CLOUD_MODE'],
  ['keys over an open line', { ...production, FILLBOOK_CLOUD_JWKS_URL: 'http://identity.test/jwks' }, 'FILLBOOK_CLOUD_JWKS_URL'],
  ['production without keys', { ...production, FILLBOOK_CLOUD_JWKS_URL: '' }, 'FILLBOOK_CLOUD_JWKS_URL'],
  ['production without an audience', { ...production, FILLBOOK_CLOUD_AUDIENCE: '' }, 'FILLBOOK_CLOUD_AUDIENCE'],
  ['production with the development issuer', { ...production, FILLBOOK_CLOUD_ISSUER: 'fillbook-development' }, 'FILLBOOK_CLOUD_ISSUER'],
  ['an emulator in production', { ...production, FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: 'fillbook-test', FILLBOOK_CLOUD_FIREBASE_EMULATOR: 'on' }, 'FILLBOOK_CLOUD_FIREBASE_EMULATOR'],
  ['an emulator of no project', { ...development, FILLBOOK_CLOUD_FIREBASE_EMULATOR: 'on' }, 'FILLBOOK_CLOUD_FIREBASE_PROJECT_ID'],
  ['a project that is none', { ...development, FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: 'https://fillbook' }, 'FILLBOOK_CLOUD_FIREBASE_PROJECT_ID'],
  ['proxies without end', { ...production, FILLBOOK_CLOUD_TRUSTED_PROXIES: '11' }, 'FILLBOOK_CLOUD_TRUSTED_PROXIES'],
  ['development where the machine is in production', { ...development, NODE_ENV: 'production' }, 'FILLBOOK_CLOUD_MODE'],
  ['development for the whole network', { ...development, FILLBOOK_CLOUD_HOST: '0.0.0.0' }, 'FILLBOOK_CLOUD_HOST'],
])('%s is refused', (_what, env: Record<string, string>, name) => {
  expect(wrongNames(env)).toEqual([name])
})
