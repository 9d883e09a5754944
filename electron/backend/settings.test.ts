import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { problemsText } from './start-problem.ts'
import { readSettings, standardDataDir } from './settings.ts'
import type { SettingSources } from './settings.ts'

let folder: string
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'fillbook-settings-')) })
afterEach(() => { rmSync(folder, { recursive: true }) })

const inFile = (content: unknown): void => writeFileSync(join(folder, 'settings.json'), typeof content === 'string' ? content : JSON.stringify(content))
const good = (sources: Partial<SettingSources> = {}) => {
  const read = readSettings({ env: {}, dataDir: folder, ...sources })
  if (!read.ok) throw new Error(problemsText(read.error))
  return read.value
}
const wrong = (sources: Partial<SettingSources>) => {
  const read = readSettings({ env: {}, dataDir: folder, ...sources })
  if (read.ok) throw new Error('these settings should be refused')
  return read.error
}

test('nothing set: the defaults, with the fixed port and the real brokerage', () => {
  expect(good()).toMatchObject({
    dataDir: folder,
    port: 47_615,
    logLevel: 'info',
    demoOffered: true,
    secrets: 'auto',
    copierCallsPerHour: 5_000,
    tradovate: { clientId: null, clientSecret: null, redirectUri: null, liveUrl: 'https://live.tradovateapi.com/v1', demoUrl: 'https://demo.tradovateapi.com/v1' },
  })
})

test('the command line wins over the environment, and that over the file', () => {
  inFile({ FILLBOOK_PORT: 5001, FILLBOOK_DEMO: 'off', FILLBOOK_LOG_LEVEL: 'debug' })
  expect(good()).toMatchObject({ port: 5001, demoOffered: false, logLevel: 'debug' })
  expect(good({ env: { FILLBOOK_PORT: '5002' } })).toMatchObject({ port: 5002, demoOffered: false })
  expect(good({ env: { FILLBOOK_PORT: '5002' }, port: '5003' }).port).toBe(5003)
})

test('the port is known to others where it is set, or a brokerage or a cloud leads back to it', () => {
  expect(good().portKnown).toBe(false)
  expect(good({ port: '0' }).portKnown).toBe(true)
  for (const [name, value] of [['FILLBOOK_PORT', '47615'], ['FILLBOOK_TRADOVATE_CLIENT_ID', 'id'], ['FILLBOOK_CLOUD_URL', 'https://cloud.example']] as const) expect(good({ env: { [name]: value } }).portKnown).toBe(true)
  expect(good({ packedCloudUrl: 'https://cloud.example' }).portKnown).toBe(true)
  inFile({ FILLBOOK_PORT: 47615 })
  expect(good().portKnown).toBe(true)
})

test.skipIf(process.platform === 'win32')('a file that others may write is not believed', () => {
  inFile({ FILLBOOK_CLOUD_URL: 'https://strange.example' })
  const file = join(folder, 'settings.json')
  chmodSync(file, 0o666)
  expect(wrong({})).toEqual([{ name: file, wanted: 'owned by you, and writable by you alone', remedy: expect.stringContaining('Another user of this computer') as string }])
})

test('an empty variable counts as not set', () => {
  expect(good({ env: { FILLBOOK_PORT: '', FILLBOOK_TIMEZONE: '' } }).port).toBe(47_615)
})

describe('what is wrong is named with the shape wanted', () => {
  test.each([
    ['FILLBOOK_PORT', 'ninety', 'a whole number from 1024'],
    ['FILLBOOK_PORT', '80', 'a whole number from 1024'],
    ['FILLBOOK_PORT', '5000.5', 'a whole number from 1024'],
    ['FILLBOOK_COPIER_CALLS_PER_HOUR', '99', 'a whole number from 100'],
    ['FILLBOOK_COPIER_CALLS_PER_HOUR', '100001', 'a whole number from 100'],
    ['FILLBOOK_LOG_LEVEL', 'loud', 'one of debug'],
    ['FILLBOOK_TIMEZONE', 'Mars/Olympus', 'the name of a time zone'],
    ['FILLBOOK_DEMO', 'maybe', 'on or off'],
    ['FILLBOOK_SECRETS', 'pocket', 'one of auto'],
    ['FILLBOOK_DEMO_ACCESS', 'wide', 'one of open'],
    ['FILLBOOK_FIREBASE_AUTH_DOMAIN', 'https://auth.example.com/', 'the name of a host'],
    ['FILLBOOK_TRADOVATE_LIVE_URL', 'http://live.example.com', 'an https:// address'],
    ['FILLBOOK_TRADOVATE_AUTHORIZE_URL', 'not a url', 'an https:// address'],
    ['FILLBOOK_TRADOVATE_REDIRECT_URI', 'file:///etc/passwd', 'an https:// address'],
  ])('%s=%s', (name, value, wanted) => {
    const problems = wrong({ env: { [name]: value } })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ name, wanted: expect.stringContaining(wanted) as string })
    expect(problems[0]?.remedy).not.toBe('')
  })

  test('plain http is fine on loopback, where a test brokerage lives', () => {
    expect(good({ env: { FILLBOOK_TRADOVATE_LIVE_URL: 'http://127.0.0.1:9000/v1' } }).tradovate.liveUrl).toBe('http://127.0.0.1:9000/v1')
  })

  test('all problems at once, each once', () => {
    expect(wrong({ env: { FILLBOOK_PORT: 'x', FILLBOOK_DEMO: 'x', FILLBOOK_PRT: '1' } }).map(({ name }) => name).toSorted()).toEqual(['FILLBOOK_DEMO', 'FILLBOOK_PORT', 'FILLBOOK_PRT'])
  })
})

test('an unknown name is refused with the nearest that exists', () => {
  expect(wrong({ env: { FILLBOOK_TRADOVATE_CLIENTID: 'abc' } })[0]?.remedy).toContain('FILLBOOK_TRADOVATE_CLIENT_ID')
  inFile({ FILLBOOK_LOGLEVEL: 'info' })
  expect(wrong({})[0]).toMatchObject({ name: 'FILLBOOK_LOGLEVEL', remedy: expect.stringContaining('FILLBOOK_LOG_LEVEL') as string })
})

test('an empty data folder is none, and never the one in which the program was started', () => {
  for (const dataDir of ['', '  ']) expect(wrong({ dataDir })).toMatchObject([{ name: '--data-dir', wanted: 'a folder' }])
})

test('a program that was packed with a cloud belongs to it, whatever is set', () => {
  const packedCloudUrl = 'https://cloud.example'
  expect(good({ packedCloudUrl }).cloudUrl).toBe(packedCloudUrl)
  expect(good({ packedCloudUrl, env: { FILLBOOK_CLOUD_URL: '' } }).cloudUrl).toBe(packedCloudUrl)
  expect(good({ packedCloudUrl, env: { FILLBOOK_CLOUD_URL: packedCloudUrl } }).cloudUrl).toBe(packedCloudUrl)
  expect(wrong({ packedCloudUrl, env: { FILLBOOK_CLOUD_URL: 'http://127.0.0.1:47620' } })).toMatchObject([{ name: 'FILLBOOK_CLOUD_URL', wanted: 'unset' }])
  inFile({ FILLBOOK_CLOUD_URL: 'https://elsewhere.example' })
  expect(wrong({ packedCloudUrl })).toMatchObject([{ name: 'FILLBOOK_CLOUD_URL' }])
})

test("the cloud's settings may stand beside in the environment, but not in the file, and a slip is no setting of it", () => {
  expect(good({ env: { FILLBOOK_CLOUD_MODE: 'development', FILLBOOK_CLOUD_PORT: '47620', FILLBOOK_CLOUD_URL: 'http://127.0.0.1:47620' } }).cloudUrl).toBe('http://127.0.0.1:47620')
  expect(wrong({ env: { FILLBOOK_CLOUD_URI: 'http://127.0.0.1:47620' } })).toMatchObject([{ name: 'FILLBOOK_CLOUD_URI', remedy: 'Remove it from the environment. Was FILLBOOK_CLOUD_URL meant?' }])
  inFile({ FILLBOOK_CLOUD_MODE: 'development' })
  expect(wrong({})[0]?.name).toBe('FILLBOOK_CLOUD_MODE')
})

test('a secret in the file is refused, and its value appears nowhere', () => {
  inFile({ FILLBOOK_TRADOVATE_CLIENT_SECRET: 'hunter2-hunter2' })
  const block = problemsText(wrong({}))
  expect(block).toContain('FILLBOOK_TRADOVATE_CLIENT_SECRET')
  expect(block).toContain('environment')
  expect(block).not.toContain('hunter2')
})

test('the settings that decide where the file is are refused in it', () => {
  inFile({ FILLBOOK_DATA_DIR: '/elsewhere' })
  expect(wrong({})[0]?.name).toBe('FILLBOOK_DATA_DIR')
})

test('a file that is no JSON, holds no object, or was named and is missing, is refused by its path', () => {
  inFile('{ not json')
  expect(wrong({})[0]).toMatchObject({ name: join(folder, 'settings.json'), wanted: 'readable JSON' })
  inFile([1, 2])
  expect(wrong({})[0]?.wanted).toContain('a JSON object')
  const missing = join(folder, 'other.json')
  expect(wrong({ env: { FILLBOOK_SETTINGS_FILE: missing } })[0]).toMatchObject({ name: missing })
})

test('the data folder is where each system keeps such things', () => {
  expect(standardDataDir('linux', '/home/ann', {})).toBe('/home/ann/.local/share/Fillbook')
  expect(standardDataDir('linux', '/home/ann', { XDG_DATA_HOME: '/data' })).toBe('/data/Fillbook')
  expect(standardDataDir('darwin', '/Users/ann', {})).toBe('/Users/ann/Library/Application Support/Fillbook')
  expect(standardDataDir('win32', '/Users/ann', { APPDATA: '/roaming' })).toContain('roaming')
})

test('Firebase needs its project and a key, Google comes with it, and nothing set is profiles on this computer', () => {
  expect(good().firebase).toBeNull()
  expect(good({ env: { FILLBOOK_GOOGLE_CLIENT_ID: 'desktop' } }).firebase).toBeNull()
  const env = { FILLBOOK_FIREBASE_API_KEY: 'key', FILLBOOK_FIREBASE_PROJECT_ID: 'fillbook-app' }
  expect(good({ env }).firebase).toEqual({ projectId: 'fillbook-app', apiKey: 'key', authDomain: 'fillbook-app.firebaseapp.com', emulatorUrl: null, tokenSyncPath: null, google: null })
  expect(good({ env: { ...env, FILLBOOK_GOOGLE_CLIENT_ID: 'desktop' } }).firebase?.google).toMatchObject({ clientId: 'desktop', clientSecret: null, tokenUrl: 'https://oauth2.googleapis.com/token' })
  expect(wrong({ env: { FILLBOOK_FIREBASE_API_KEY: 'a-key-to-hide' } })).toMatchObject([{ name: 'FILLBOOK_FIREBASE_PROJECT_ID' }])
  expect(JSON.stringify(wrong({ env: { FILLBOOK_FIREBASE_API_KEY: 'a-key-to-hide' } }))).not.toContain('a-key-to-hide')
  expect(wrong({ env: { FILLBOOK_FIREBASE_PROJECT_ID: 'fillbook-app' } })).toMatchObject([{ name: 'FILLBOOK_FIREBASE_API_KEY' }])
})

test('the Auth emulator takes any key, needs the project, is on this computer, and is refused in production', () => {
  const env = { FILLBOOK_FIREBASE_PROJECT_ID: 'demo-fillbook', FILLBOOK_FIREBASE_EMULATOR_URL: 'http://127.0.0.1:9099' }
  expect(good({ env }).firebase).toMatchObject({ apiKey: 'emulator', emulatorUrl: 'http://127.0.0.1:9099' })
  expect(wrong({ env: { FILLBOOK_FIREBASE_EMULATOR_URL: 'http://127.0.0.1:9099' } })).toMatchObject([{ name: 'FILLBOOK_FIREBASE_PROJECT_ID' }])
  expect(wrong({ env: { ...env, FILLBOOK_FIREBASE_EMULATOR_URL: 'http://emulator.example:9099' } })).toMatchObject([{ name: 'FILLBOOK_FIREBASE_EMULATOR_URL' }])
  expect(wrong({ env: { ...env, NODE_ENV: 'production' } })).toMatchObject([{ name: 'FILLBOOK_FIREBASE_EMULATOR_URL', wanted: 'unset where NODE_ENV is production' }])
})
