import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Backend } from '#backend/host.ts'
import { backupRoutes } from '#shared/api/backups.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { problem } from '#shared/api/problems.ts'
import type { Route } from '#shared/api/route.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { openBrowser, type Browser } from '#tests/helpers/browser.ts'
import { casesOf } from '#tests/helpers/cases.ts'
import { until } from '#tests/helpers/until.ts'
import { known, makeDamageStage, startOn, tradesIn, type DamageStage } from './damaged-stage.ts'

const pageBytes = 4_096

let stage: DamageStage
beforeAll(async () => {
  stage = await makeDamageStage()
})
afterAll(() => { stage.remove() })

type Damage = { readonly how: 'flip' | 'zero' | 'rubbish' | 'cut' | 'swap'; readonly page: number; readonly at: number; readonly bit: number }
const damage: fc.Arbitrary<Damage> = fc.record({ how: fc.constantFrom('flip', 'zero', 'rubbish', 'cut', 'swap'), page: fc.nat(1_000), at: fc.nat(pageBytes - 1), bit: fc.nat(7) })

/** The journal's bytes with one page of it flipped in a bit, emptied, overwritten or put in another's place, or all behind a byte of it cut off. */
const damaged = ({ how, page, at, bit }: Damage): Buffer => {
  const bytes = Buffer.from(stage.whole)
  const pages = bytes.length / pageBytes
  const pageAt = (place: number): Buffer => bytes.subarray((place % pages) * pageBytes).subarray(0, pageBytes)
  const own = pageAt(page)
  if (how === 'flip') own[at] = (own[at] ?? 0) ^ (1 << bit)
  if (how === 'zero') own.fill(0)
  if (how === 'rubbish') own.fill(createHash('sha256').update(`${String(page)} ${String(at)}`).digest())
  if (how === 'swap') own.set(pageAt(page + 1 + (at % (pages - 1))))
  return how === 'cut' ? bytes.subarray(0, (page % pages) * pageBytes + at) : bytes
}

const copiesIn = (dataDir: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(join(dataDir, 'backups')).map((name) => [name, createHash('sha256').update(readFileSync(join(dataDir, 'backups', name))).digest('hex')]))

/** What a call comes to: `done`, or the code of its refusal. */
const outcomeOf = async (browser: Browser, { method, path }: Pick<Route, 'method' | 'path'>, body: unknown = {}, query = ''): Promise<string> => {
  const answer = await browser.send(`${path}${query}`, { method, headers: { 'content-type': 'application/json' }, ...(method === 'POST' ? { body: JSON.stringify(body) } : {}) })
  return answer.status < 300 ? 'done' : problem.parse(JSON.parse(answer.body)).code
}

/** Signs in to a program that did start and uses it; where the journal is found damaged, asks a backup into its place. */
const useIt = async ({ launchUrl }: Backend): Promise<'sound' | 'asked-back'> => {
  const { userId } = stage
  const browser = await openBrowser(await launchUrl('anybody'))
  expect(await outcomeOf(browser, sessionRoutes.signIn, known)).toBe('done')
  const looks = [() => outcomeOf(browser, recordRoutes.getTrades, {}, `?userId=${userId}`), () => outcomeOf(browser, statisticsRoutes.statistics, {}, '?unit=trades'), () => outcomeOf(browser, importRoutes.imports), () => outcomeOf(browser, brokerageRoutes.connectedAccounts)]
  const early = await Promise.all(looks.map((look) => look()))
  const { health } = await until(async () => {
    const found = await browser.call(backupRoutes.journalHealth)
    return found.health === 'checking' ? null : found
  }, 'the check')
  if (health === 'sound') {
    // SQLite finds no fault: a cell may say something else, which only its reader can find.
    for (const outcome of early) expect(['done', 'internal']).toContain(outcome)
    return 'sound'
  }
  for (const outcome of early) expect(['done', 'internal', 'journal-damaged']).toContain(outcome)
  expect(await outcomeOf(browser, recordRoutes.addFinance, { userId, finance: { id: 'x', type: 'expense', amount: 1, balance: 0 } })).toBe('journal-damaged')
  const { backups: [backup] } = await browser.call(backupRoutes.backups)
  expect(await browser.call(backupRoutes.restoreBackup, { body: { name: backup?.name ?? '' } })).toMatchObject({ when: 'next-start' })
  return 'asked-back'
}

/** One journal that is damaged so: the program starts, or names the fault and the backup to restore; either restore gives every trade. Returns the outcome. */
const live = async (how: Damage): Promise<'refused' | 'sound' | 'restored'> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fillbook-fuzz-'))
  const broken: string[] = []
  try {
    cpSync(stage.made, dataDir, { recursive: true })
    const copies = copiesIn(dataDir)
    const [copy = ''] = Object.keys(copies)
    const [journal, backup] = [join(dataDir, 'journal.db'), join(dataDir, 'backups', copy)]
    const bytes = damaged(how)
    writeFileSync(journal, bytes)
    const started = await startOn(dataDir, (part) => void broken.push(part))
    if (!started.ok) {
      const [{ name, wanted, remedy } = { name: '', wanted: '', remedy: '' }] = started.error
      expect([name, started.error.length]).toEqual([journal, 1])
      // If only the version in the file header differs, that is reported.
      expect(['an undamaged journal', 'a journal that this version of Fillbook knows', 'a journal made by a released version of Fillbook']).toContain(wanted)
      expect(remedy).toContain(wanted === 'an undamaged journal' ? backup : join(dataDir, 'backups'))
      expect(readFileSync(journal).equals(bytes)).toBe(true)
      copyFileSync(backup, journal)
    }
    const used = started.ok ? await useIt(started.value).finally(started.value.stop) : 'refused'
    expect([broken, copiesIn(dataDir)]).toEqual([[], copies])
    if (used === 'sound') return 'sound'
    const again = await startOn(dataDir, (part) => void broken.push(part))
    if (!again.ok) throw new Error(JSON.stringify(again.error))
    expect(await tradesIn(again.value, stage.userId).finally(again.value.stop)).toEqual(stage.trades)
    if (used === 'asked-back') expect(readdirSync(dataDir).some((name) => name.startsWith('journal-damaged-'))).toBe(true)
    expect(copiesIn(dataDir)).toEqual(copies)
    return used === 'refused' ? 'refused' : 'restored'
  } catch (error) {
    throw new Error(`${JSON.stringify(how)}: ${error instanceof Error ? (error.stack ?? '') : String(error)}`, { cause: error })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

// The check comes two seconds after a start: meanwhile others start.
const atOnce = 8
const liveAll = async (all: readonly Damage[]): Promise<ReadonlySet<string>> => {
  const came = new Set<string>()
  for (let from = 0; from < all.length; from += atOnce) for (const outcome of await Promise.all(all.slice(from, from + atOnce).map(live))) came.add(outcome)
  return came
}

describe('a journal with a damaged page', () => {
  test('starts, or names the fault and the backup to restore; no copy is lost, and every restore gives all trades', { tags: 'long' }, async () => {
    // One without its header, and three random ones.
    expect(await liveAll([{ how: 'zero', page: 0, at: 0, bit: 0 }, ...fc.sample(damage, 3)])).toContain('refused')
  })
  const stride = casesOf({ nightly: 5, long: 20, inCi: 60 })
  test(`and so for one in ${String(stride)} of its pages`, { tags: ['long', 'nightly'] }, async () => {
    const every = fc.sample(damage, Math.floor(stage.whole.length / pageBytes / stride)).map((one, index) => ({ ...one, page: stride * index + (one.page % stride) }))
    // The first pages are the tables of those who sign in.
    const first = fc.sample(damage, 8).map((one, index) => ({ ...one, page: 1 + index }))
    expect([...(await liveAll([...first, ...every]))].toSorted()).toEqual(['refused', 'restored', 'sound'])
  })
})
