// @module-tag slow
import { strFromU8, unzipSync } from 'fflate'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '#backend/log.ts'
import { readSettings, type Settings } from '#backend/settings.ts'
import { monday, openStore, user } from '#tests/helpers/store.ts'
import { readLogTail } from './diagnostics.ts'
import { supportBundle, type BundleParts, type SupportFacts } from './support-bundle.ts'

// Words that no code and no other text of a bundle has.
const planted = {
  email: 'Quirina.Vexler@wombatmail.example', name: 'Quirina Vexler', firebaseUid: 'fbUidZebra', login: 'QVexlogin', brokerUser: '88771234',
  account: 'Yodel-Zörn 50K', accountId: '66554433', token: 'tok3nKumquatABCDEFGH', secret: 'clientSecretPapaya', note: 'revenge walrus after lunch', tag: 'walrustag', label: 'Pelican Funding', systemUser: 'qvexuser', folder: 'Quokka Ledger',
  cloudHost: 'ostrich.example', zone: 'Pacific/Chatham',
}
/** The smallest pieces of it that must not be seen, folded as they are looked for. */
const traces = ['quirina', 'vexler', 'wombat', 'fbuidzebra', 'qvexlogin', '88771234', 'yodel', 'zörn', 'zorn', '66554433', 'kumquat', 'papaya', 'walrus', 'pelican', 'qvexuser', 'quokka', 'ostrich', 'chatham']

const settingsWith = (env: Record<string, string>): Settings => {
  const read = readSettings({ env, dataDir: `/srv/${planted.folder}/data` })
  if (!read.ok) throw new Error('The settings are wrong')
  return read.value
}

const journalFacts = (): NonNullable<SupportFacts> => {
  const { write, writer, read } = openStore()
  const { database } = writer
  database.prepare('UPDATE profiles SET email = ?, display_name = ?, firebase_uid = ?, firebase_user = ?').run(planted.email, planted.name, planted.firebaseUid, JSON.stringify({ displayName: planted.name, email: planted.email }))
  database.prepare('UPDATE logins SET name = ?, broker_user_id = ?').run(planted.login, planted.brokerUser)
  database.prepare("UPDATE accounts SET name = ?, broker_account_id = ? WHERE key = 'tradovate:demo:700101'").run(planted.account, planted.accountId)
  write.setDayNote({ ...user, at: monday, tradingDay: '2026-01-05', notes: planted.note, tags: [planted.tag] })
  database.prepare("INSERT INTO finances (user_id, id, type, date, name, amount, balance, currency, platform, stamp) SELECT id, 'f1', 'expense', '2026-01-05', ?, 1000, 1000, 'USD', 'Tradovate', '' FROM profiles").run(planted.label)
  return read.supportFacts()
}

/** A log as the program writes it, and worse: with lines that passed its own cleaning by. */
const writtenLog = async (): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-bundle-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { log, close } = await openLog(folder, 'debug')
  const forms = (text: string): readonly string[] => [text, text.toUpperCase(), text.toLowerCase(), encodeURIComponent(text), encodeURIComponent(encodeURIComponent(text)), encodeURIComponent(text).toLowerCase(), text.replaceAll(' ', '+'), text.normalize('NFD')]
  const people = [planted.email, planted.name, planted.firebaseUid, planted.login, planted.brokerUser, planted.account, planted.accountId, planted.systemUser, planted.label]
  log.info({ port: 47_615, version: '0.1.0' }, 'Fillbook started')
  for (const text of people.flatMap(forms)) {
    log.warn({ error: new Error(`${text} has no fills`), [text]: 1 }, `Something about ${text} happened`)
    log.debug({ method: 'GET', path: `/api/accounts/${text}/trades`, status: 200, ms: 3, said: `about ${text}`, anything: { else: [text] } }, 'request')
  }
  log.error({ error: new Error(`ENOENT: no such file, open '/Users/${planted.systemUser}/${planted.folder}/x'`) }, `In C:\\Users\\${planted.systemUser}\\x and file:///home/${planted.systemUser}/y of /srv/${planted.folder}/data/journal.db`)
  log.warn({ said: `Cannot reach https://${planted.cloudHost}/latest.yml`, error: new Error(`getaddrinfo ENOTFOUND ${planted.cloudHost}`) }, 'updates')
  log.error({ error: new SyntaxError(`Unexpected token 'r', ..."note": "${planted.note}"... is not valid JSON`), note: planted.note, tags: [planted.tag], why: encodeURIComponent(planted.note) }, 'A request failed')
  await close()
  const past = JSON.stringify({ level: 50, time: '2026-11-21T10:00:00.000Z', msg: `Authorization: Bearer ${planted.token}, ?code=${planted.token}, client_secret=${planted.secret}`, token: planted.token, value: planted.secret, port: 1 })
  writeFileSync(join(folder, 'other.1.log'), `${past}\nno entry of a log, by ${planted.name} with ${planted.token}\n`)
  return readLogTail(folder, { lines: 10_000, bytes: 10_000_000 })
}

const env = {
  FILLBOOK_CLOUD_URL: `https://${planted.cloudHost}`, FILLBOOK_TRADOVATE_CLIENT_ID: planted.login, FILLBOOK_TRADOVATE_CLIENT_SECRET: planted.secret, FILLBOOK_TIMEZONE: planted.zone,
  FILLBOOK_TRADOVATE_REDIRECT_URI: `https://${planted.cloudHost}/oauth/callback`, FILLBOOK_LOG_LEVEL: 'debug', HOME: `/Users/${planted.systemUser}`,
}
const partsWith = (facts: SupportFacts, logLines: readonly string[]): BundleParts => ({
  at: monday, about: { fillbook: '0.1.0', platform: 'darwin' }, settings: settingsWith(env), env, facts, logLines, person: { home: `/Users/${planted.systemUser}`, userName: planted.systemUser, dataDir: `/srv/${planted.folder}/data` },
})

/** A bundle's whole text, file names included, raw as well as decoded and case-folded. */
const allOf = (bundle: Uint8Array): { readonly files: Record<string, string>; readonly folded: string } => {
  const files = Object.fromEntries(Object.entries(unzipSync(bundle)).map(([name, bytes]) => [name, strFromU8(bytes)]))
  const text = Object.entries(files).flat().join('\n')
  const decoded = text.replace(/%25/g, '%').replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => { try { return decodeURIComponent(bytes) } catch { return bytes } })
  const plain = `${text}\n${decoded}\n${Buffer.from(bundle).toString('latin1')}`.toLowerCase()
  return { files, folded: `${plain}\n${plain.normalize('NFC')}\n${plain.normalize('NFD').replace(/\p{M}/gu, '')}` }
}
const seen = (folded: string): string[] => traces.filter((trace) => folded.includes(trace))

test('no personal data planted in journal, log, settings or paths is in the bundle, in any case or encoding', async () => {
  const logLines = await writtenLog()
  const written = seen(logLines.join('\n').toLowerCase())
  expect(traces.filter((trace) => !written.includes(trace))).toEqual(['zorn', 'chatham'])
  const { folded } = allOf(await supportBundle(partsWith(journalFacts(), logLines)))
  expect(seen(folded)).toEqual([])
})

test('nor is it in a bundle without the journal', async () => {
  // What the log calls by no field of its own can only be known from the journal; such lines are not written without it.
  const logLines = (await writtenLog()).filter((line) => !/Something about|"said":"about|other\.1/.test(line))
  const { files, folded } = allOf(await supportBundle(partsWith(null, logLines)))
  expect(seen(folded)).toEqual([])
  expect(JSON.parse(files['journal.json'] ?? '')).toBeNull()
})

test('the bundle contains what support needs', async () => {
  const facts = journalFacts()
  const { files } = allOf(await supportBundle(partsWith(facts, await writtenLog())))
  expect(Object.keys(files).toSorted()).toEqual(['about.json', 'journal.json', 'log.ndjson', 'settings.json'])
  expect(JSON.parse(files['about.json'] ?? '')).toEqual({ fillbook: '0.1.0', platform: 'darwin', leftOutOfLog: 1 })
  expect(JSON.parse(files['journal.json'] ?? '')).toEqual({ schemaVersion: facts.schemaVersion, rows: facts.rows, runs: facts.runs })
  expect(JSON.parse(files['settings.json'] ?? '')).toEqual({
    inEnvironment: Object.keys(env).filter((name) => name !== 'HOME').toSorted(), port: 47_615, logLevel: 'debug', demoOffered: true, demoAccess: 'open', secrets: 'auto',
    set: { cloud: true, firebase: false, firebaseEmulator: false, google: false, tradovateClient: true, tradovateRedirect: true },
  })
  const entries = (files['log.ndjson'] ?? '').trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(entries.find(({ msg }) => msg === 'Fillbook started')).toMatchObject({ port: 47_615, version: '0.1.0' })
  expect(entries.filter(({ msg }) => msg === 'request')[0]).toMatchObject({ method: 'GET', status: 200, ms: 3 })
  expect(JSON.stringify(entries)).toContain('at writtenLog')
})
