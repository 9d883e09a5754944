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
    identity: { jwksUrl: new URL('https://identity.test/jwks'), issuer: 'https://identity.test', audience: 'fillbook' },
    broker: null,
  })
})

test('development has an issuer of its own and an embedded database; the command line wins', () => {
  const settings = read({ ...development, FILLBOOK_CLOUD_DATA_DIR: '/data', FILLBOOK_CLOUD_PORT: '5000' }, '0')
  expect(settings).toMatchObject({ mode: 'development', port: 0, database: { kind: 'embedded', folder: '/data' }, identity: { jwksUrl: null, issuer: 'fillbook-development', audience: 'fillbook-cloud' } })
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

test.each([
  ['an unknown name', { ...development, FILLBOOK_CLOUD_PROT: '1' }, 'FILLBOOK_CLOUD_PROT'],
  ['another database', { ...development, DATABASE_URL: 'mysql://db/x' }, 'DATABASE_URL'],
  ['a port of the system', { ...development, FILLBOOK_CLOUD_PORT: '80' }, 'FILLBOOK_CLOUD_PORT'],
  ['no number', { ...development, FILLBOOK_CLOUD_POOL_SIZE: 'many' }, 'FILLBOOK_CLOUD_POOL_SIZE'],
  ['an unknown mode', { FILLBOOK_CLOUD_MODE: 'test' }, 'FILLBOOK_CLOUD_MODE'],
  ['keys over an open line', { ...production, FILLBOOK_CLOUD_JWKS_URL: 'http://identity.test/jwks' }, 'FILLBOOK_CLOUD_JWKS_URL'],
  ['production without keys', { ...production, FILLBOOK_CLOUD_JWKS_URL: '' }, 'FILLBOOK_CLOUD_JWKS_URL'],
  ['production without an audience', { ...production, FILLBOOK_CLOUD_AUDIENCE: '' }, 'FILLBOOK_CLOUD_AUDIENCE'],
  ['production with the development issuer', { ...production, FILLBOOK_CLOUD_ISSUER: 'fillbook-development' }, 'FILLBOOK_CLOUD_ISSUER'],
  ['development where the machine is in production', { ...development, NODE_ENV: 'production' }, 'FILLBOOK_CLOUD_MODE'],
  ['development for the whole network', { ...development, FILLBOOK_CLOUD_HOST: '0.0.0.0' }, 'FILLBOOK_CLOUD_HOST'],
])('%s is refused', (_what, env: Record<string, string>, name) => {
  expect(wrongNames(env)).toEqual([name])
})
