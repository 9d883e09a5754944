/**
 * @module-tag long
 * @module-tag nightly
 */

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backupRoutes } from '#shared/api/backups.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { casesOf } from '../helpers/cases.ts'
import { startCloud, type RunningCloud } from '../helpers/cloud.ts'
import { comeTo, holdTheSame, startComputer, until, upToDate, type Computer } from '../helpers/computer.ts'
import { startPostgres, type PostgresServer } from '../helpers/postgres.ts'
import { programFile } from '../helpers/program.ts'
import { openProxy, type Proxy } from '../helpers/proxy.ts'
import type { BackupsOrder } from './backups-order.ts'

let server: PostgresServer
let cloud: RunningCloud

beforeAll(async () => {
  server = await startPostgres()
  cloud = await startCloud({ databaseUrl: await server.newDatabase() })
})
afterAll(async () => {
  await cloud.stop()
  await server.stop()
})

/** A computer on a line of its own, which can be away. */
type Place = { readonly computer: Computer; readonly line: Proxy }

const place = async (email: string): Promise<Place> => {
  const line = await openProxy(cloud.url)
  return { line, computer: await startComputer({ email, cloudUrl: line.url }) }
}
const away = ({ line }: Place): void => {
  line.decide = () => 'cut'
}
/** Syncs a computer: it pulls everything from the cloud, and pushes its outbox. */
const speak = async ({ line, computer }: Place): Promise<void> => {
  line.decide = () => 'through'
  await computer.mirrorNow()
  await upToDate(computer)
}

/** Waits until all hold the same and every outbox is empty. */
const allEqual = async (...places: readonly Place[]): Promise<void> => {
  const [first, ...others] = places.map(({ computer }) => computer)
  if (first !== undefined) for (const other of others) await holdTheSame(first, other)
}

const day = '2026-11-02'
const sayOfDay = async ({ browser }: Computer, fields: { notes?: string; tags?: string[] }): Promise<void> => void (await browser.call(ownDataRoutes.setDayNote, { body: { tradingDay: day, ...fields } }))
const restore = async ({ browser }: Computer, name: string, whole = false): Promise<string> => {
  const restored = await browser.call(backupRoutes.restoreBackup, { body: { name, whole } })
  return restored.when === 'now' ? restored.kept : ''
}
const makeBackup = async ({ browser }: Computer): Promise<string> => (await browser.call(backupRoutes.makeBackup)).name

/** All that the user sees, as text. */
const seen = async (one: Computer): Promise<Record<string, unknown>> => {
  const { days } = await one.browser.call(ownDataRoutes.dayNotes)
  const { finances } = await one.browser.call(recordRoutes.getFinances, { query: { userId: one.userId } })
  const trades = await one.trades()
  return {
    ...Object.fromEntries(trades.map(({ id, notes, tags, stop, screenshotHeadline }) => [id, [notes, tags.join(), stop, screenshotHeadline].join('|')])),
    day: days.map(({ notes, tags }) => `${notes}|${tags.join()}`).join(),
    finances: finances.map(({ id, amount, note }) => `${id} ${String(amount)} ${note ?? ''}`.trimEnd()).toSorted().join(),
  }
}

const permutations = <T>(items: readonly T[]): T[][] => (items.length <= 1 ? [[...items]] : items.flatMap((item, index) => permutations(items.filter((_, at) => at !== index)).map((rest) => [item, ...rest])))

type Name = 'restorer' | 'second' | 'third' | 'fresh'
// A fresh computer joins at each turn of the three; one that syncs before all others gets what the cloud had.
const orders: readonly (readonly Name[])[] = [
  ...permutations(['restorer', 'second'] as const),
  ...permutations(['restorer', 'second', 'third'] as const).map((order, index) => order.toSpliced(index % 4, 0, 'fresh' as never)).filter((_, index) => index % casesOf({ nightly: 1, long: 2, inCi: 6 }) === 0),
]

test.each(orders.map((order) => [order.join(', '), order] as const))('additions since a backup survive its restore on every computer, whichever syncs first: %s', async (spoken, order) => {
  const email = `${spoken.replaceAll(', ', '-')}@example.com`
  const restorer = await place(email)
  const { computer: first } = restorer
  for (const id of ['t1', 't2', 't3']) await first.enter(id)
  await first.annotate('t1', { notes: 'then', tags: ['then'] })
  await sayOfDay(first, { notes: 'then' })
  await first.addFinance('f1', 100)
  const backup = await makeBackup(first)
  await speak(restorer)
  const others = new Map<Name, Place>()
  for (const name of ['second', 'third'] as const) if (order.includes(name)) others.set(name, await place(email))
  const second = others.get('second')?.computer
  const third = others.get('third')?.computer
  await allEqual(restorer, ...others.values())

  // Heard by all before the restore.
  await second?.annotate('t2', { notes: 'of the second', stop: '6690.25' })
  await second?.annotate('t1', { screenshotHeadline: 'added' })
  await second?.enter('t4')
  await allEqual(restorer, ...others.values())
  await first.annotate('t1', { notes: 'since', tags: [] })
  await first.remove('t3')
  await allEqual(restorer, ...others.values())

  // Unheard: everybody is away.
  for (const one of [restorer, ...others.values()]) away(one)
  await first.enter('unsent')
  await first.annotate('unsent', { notes: 'not yet sent' })
  await first.addFinance('f2', 7)
  await second?.annotate('t2', { tags: ['unheard'] })
  await second?.annotate('t1', { stop: '6680.00', notes: 'unheard' })
  await second?.enter('t5')
  await sayOfDay(third ?? first, { tags: ['since'] })
  await restore(first, backup)
  await second?.annotate('t4', { notes: 'after' })

  const all = new Map<Name, Place>([['restorer', restorer], ...others])
  for (const name of order) {
    const one = all.get(name) ?? (await place(email))
    all.set(name, one)
    await speak(one)
  }
  if (!all.has('fresh')) all.set('fresh', await place(email))
  const computers = [...all.values()].map(({ computer }) => computer)
  await comeTo('all at rest', computers, () => true)
  for (const one of computers) await holdTheSame(first, one)
  expect(await seen(first)).toEqual({
    t1: 'then|then|6680.00|added', t2: 'of the second|unheard|6690.25|', t3: '|||', t4: 'after|||', t5: '|||', unsent: 'not yet sent|||',
    day: 'then|since', finances: 'f1 100,f2 7',
  })
})

test('after four whole restores that removed a trade from every journal, the backup from before the first brings it back on two, three and a fresh computer', async () => {
  const email = 'four@example.com'
  const [one, two, three] = [await place(email), await place(email), await place(email)]
  const places = [one, two, three]
  const { computer: first } = one
  const empty = await makeBackup(first)
  await first.enter('t1')
  await first.annotate('t1', { notes: 'the only one' })
  await allEqual(...places)
  const kept: string[] = []
  for (let restores = 0; restores < 4; restores += 1) {
    kept.push(await restore(first, empty, true))
    await comeTo('nothing is in view', places.map(({ computer }) => computer), async () => (await Promise.all(places.map(({ computer }) => computer.trades()))).every((trades) => trades.length === 0))
    await first.enter(`other-${String(restores)}`)
  }
  const left = readdirSync(join(first.dataDir, 'backups'))
  expect(kept.filter((name) => !left.includes(name))).toEqual([])
  away(two)
  await two.computer.enter('meanwhile')
  await restore(first, kept[0] ?? '')
  for (const each of [three, one, two]) await speak(each)
  const fresh = await place(email)
  const computers = [...places, fresh].map(({ computer }) => computer)
  await comeTo('all at rest', computers, () => true)
  for (const computer of computers) await holdTheSame(first, computer)
  expect(await seen(fresh.computer)).toMatchObject({ t1: 'the only one|||', 'other-3': '|||', meanwhile: '|||' })
})

test.each(['journal-restored', 'restore-committed'] as const)('unsent additions survive a restore that is killed at %s while another computer writes, and reach it and a fresh one', async (killAt) => {
  const email = `killed-${killAt}@example.com`
  const [one, two] = [await place(email), await place(email)]
  await one.computer.enter('t1')
  await one.computer.annotate('t1', { notes: 'then' })
  const backup = await makeBackup(one.computer)
  await allEqual(one, two)
  for (const each of [one, two]) away(each)
  await one.computer.annotate('t1', { notes: 'since', tags: ['unsent'] })
  await one.computer.enter('unsent')
  await two.computer.enter('meanwhile')
  await two.computer.annotate('t1', { stop: '6690.25' })
  const { dataDir, userId } = one.computer
  await one.computer.stop()
  const order: BackupsOrder = { folder: dataDir, work: 'restore', backup, userId, killAt }
  expect(spawnSync(process.execPath, [programFile('tests/scenarios/backups-child.ts')], { env: { ...process.env, BACKUPS_ORDER: JSON.stringify(order) } }).signal).toBe('SIGKILL')
  const again = await startComputer({ email, cloudUrl: cloud.url, dataDir })
  await upToDate(again)
  await speak(two)
  const fresh = (await place(email)).computer
  const computers = [again, two.computer, fresh]
  await comeTo('all at rest', computers, () => true)
  for (const computer of computers) await holdTheSame(again, computer)
  const t1 = killAt === 'journal-restored' ? 'since' : 'then'
  expect(await seen(fresh)).toMatchObject({ t1: `${t1}|unsent|6690.25|`, unsent: '|||', meanwhile: '|||' })
  await until('nothing waits', async () => (await again.mirror()).waiting === 0)
})
