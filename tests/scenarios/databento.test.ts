import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startDatabento, type StandInDatabento } from '#tests/helpers/databento.ts'
import { failureOf, fedJournal, missing } from '#tests/helpers/fed-journal.ts'
import { mountSmallDisk } from '#tests/helpers/small-disk.ts'
import { openFeeds, type FeedStage } from '#tests/helpers/price-feeds.ts'
import { temporaryFolder } from '#tests/helpers/store.ts'
import type { SyncJournal } from '#tests/helpers/sync-journal.ts'
import type { VendorDetail } from '#shared/prices/feeds.ts'

const hour = 3_600_000
const second = 1_000_000
const roots = { NQH6: 'NQ 2026-03', MESH6: 'MES 2026-03' } as const

type Stage = { readonly vendor: StandInDatabento; readonly it: SyncJournal; readonly stand: FeedStage; readonly folder: string; readonly fills: readonly { contract: keyof typeof roots; time: number; price: number }[] }

/** The market of the fills: where they are, and flat between. */
const priceAt = (fills: Stage['fills'], symbol: string, at: number): number => fills.find(({ contract, time }) => contract === symbol && Math.floor(time / 1000) === Math.floor(at / 1000))?.price ?? 24_000

/** The journal of four sessions, the newest running, with a key of the stand-in and no other feed. */
const stage = async ({ detail = 'ohlcv-1s', limit = '50.00', folder = join(temporaryFolder(), 'prices') }: { readonly detail?: VendorDetail; readonly limit?: string; readonly folder?: string } = {}): Promise<Stage> => {
  const { it, open } = await fedJournal(4)
  const fills = (it.rows()['fills'] ?? []) as unknown as Stage['fills']
  const vendor = await startDatabento((symbol, at) => priceAt(fills, symbol, at))
  const stand = open({ databentoUrl: vendor.url, folder })
  await stand.feeds.set(it.userId, { feed: 'projectx', on: false })
  expect(await stand.feeds.setDatabento(it.userId, { key: vendor.key, limit, detail })).toMatchObject({ ok: true })
  return { vendor, it, stand, folder, fills }
}
const costOf = async ({ stand, it }: Stage) => {
  const cost = await stand.feeds.cost(it.userId)
  if (!cost.ok) throw new Error(cost.error.code)
  return cost.value
}

test.each(['ohlcv-1s', 'trades'] as const)('the cost of %s is shown before anything is fetched, and the prices cover every fill', { tags: ['long', 'nightly'] }, async (detail) => {
  const at = await stage({ detail })
  const { vendor, it, stand, folder, fills } = at
  const cost = await costOf(at)
  // Databento has data that is a day old: the running session waits.
  expect(cost).toMatchObject({ sessions: 6, of: 6, failure: null, limit: '50.00' })
  expect(vendor.charged()).toBe(0)
  await stand.fetch(cost.amount)
  expect(await failureOf(stand, it, 'databento')).toBeNull()
  expect(vendor.charged()).toBeCloseTo(Number(cost.amount), 2)
  expect(stand.series()).toMatchObject([{ source: detail === 'trades' ? 'databento-trades' : 'databento-bars', grain: detail === 'trades' ? 0 : second }, {}])
  const tapes = { NQH6: stand.tape(roots.NQH6, '0.25'), MESH6: stand.tape(roots.MESH6, '0.25') }
  const old = fills.filter(({ time }) => time < it.timing.now() - 24 * hour)
  expect(old.length).toBe(36)
  for (const { contract, time, price } of old) {
    const near = tapes[contract].filter((one) => Math.abs(one.at / 1000 - time) < 1_500)
    expect(near.some((one) => ('width' in one ? one.low <= price && price <= one.high : one.price === price))).toBe(true)
  }
  expect(await missing(stand, it)).toBe(2)
  // No downloaded file is left behind, and the key is only in the secret store.
  expect(readdirSync(folder).filter((name) => name.endsWith('.csv'))).toEqual([])
  for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).includes(vendor.key)).toBe(false)

  const before = vendor.asked.length
  expect(await costOf(at)).toMatchObject({ sessions: 0, of: 0, amount: '0.00' })
  await stand.fetch('1.00')
  expect(vendor.asked.length).toBe(before)
})

test('no more is spent than allowed, also after a kill, and the newest sessions come first', { tags: ['long', 'nightly'] }, async () => {
  const at = await stage({ limit: '2.00' })
  const { vendor, it, stand } = at
  const cost = await costOf(at)
  expect(cost).toMatchObject({ sessions: 2, of: 6, limit: '2.00' })
  expect(await stand.feeds.fetch(it.userId, { spend: '2.01' })).toMatchObject({ ok: false, error: { code: 'invalid-request' } })
  vendor.fault = ({ call }) => (call === 'range' && vendor.asked.filter((one) => one.call === 'range').length === 2 ? 'silence' : null)
  await stand.feeds.fetch(it.userId, { spend: cost.amount })
  await expect.poll(() => vendor.asked.filter(({ call }) => call === 'range').length, { timeout: 60_000 }).toBe(2)
  const next = await stand.again()
  vendor.fault = null
  const over = next.ended()
  await next.feeds.resume(it.userId)
  await over
  // What was cut off was charged, and counts.
  expect(vendor.charged()).toBeLessThanOrEqual(Number(cost.amount))
  expect(await failureOf(next, it, 'databento')).toMatchObject({ code: 'over-limit', contract: null })
  const ranges = vendor.asked.filter(({ call }) => call === 'range').map(({ to }) => to)
  expect(ranges).toEqual(ranges.toSorted((one, other) => other - one))
})

test.each([
  [401, 'key-refused', null],
  [402, 'payment-needed', null],
  [403, 'no-permission', null],
  [500, 'unreachable', null],
  ['cut', 'unreachable', null],
  ['short', 'unreachable', null],
] as const)('an answer of %j to a download is reported as %s, and nothing is stored', { tags: ['long', 'nightly'] }, async (fault, code, contract) => {
  const { vendor, it, stand } = await stage()
  vendor.fault = ({ call }) => (call === 'range' ? fault : null)
  await stand.fetch('50.00')
  expect(await failureOf(stand, it, 'databento')).toMatchObject({ code, contract })
  expect(stand.series()).toEqual([])
})

test('a symbol unknown to Databento is named, and the others are fetched; a requested pause is kept', { tags: ['long', 'nightly'] }, async () => {
  const at = await stage()
  const { vendor, it, stand } = at
  vendor.symbols.delete('MESH6')
  expect(await costOf(at)).toMatchObject({ sessions: 3, of: 6 })
  let refused = 0
  vendor.fault = ({ call }) => (call === 'range' && (refused += 1) === 1 ? 429 : null)
  await stand.fetch('50.00')
  expect(stand.series().map(({ contract }) => contract)).toEqual(['NQ 2026-03'])
  expect(await failureOf(stand, it, 'databento')).toMatchObject({ code: 'unknown-contract', contract: 'MESH6' })
  expect(it.timing.pauses).toContain(7_000)
})

test('prices of another contract, or of another decade, are not stored', { tags: ['long', 'nightly'] }, async () => {
  const { it, fills } = await stage()
  const other = await startDatabento((symbol, at) => priceAt(fills, symbol, at) - (symbol === 'NQH6' ? 9_000 : 0))
  const foreign = openFeeds(it, { databentoUrl: other.url, secrets: new Map([[`databento-key:${it.userId}`, other.key]]) })
  await foreign.feeds.set(it.userId, { feed: 'projectx', on: false })
  await foreign.feeds.setDatabento(it.userId, { limit: '50.00', detail: 'ohlcv-1s' })
  await foreign.fetch('50.00')
  expect(foreign.series().map(({ contract }) => contract)).toEqual(['MES 2026-03'])
  expect(await failureOf(foreign, it, 'databento')).toMatchObject({ code: 'unlike-fills', contract: 'NQH6' })
})

test('a session whose prices were refused is bought once, and its reason stays visible until the user asks for another resolution', { tags: ['long', 'nightly'] }, async () => {
  const { it, fills } = await stage()
  const other = await startDatabento((symbol, at) => priceAt(fills, symbol, at) - (symbol === 'NQH6' ? 9_000 : 0))
  const foreign = openFeeds(it, { databentoUrl: other.url, secrets: new Map([[`databento-key:${it.userId}`, other.key]]) })
  await foreign.feeds.set(it.userId, { feed: 'projectx', on: false })
  await foreign.feeds.setDatabento(it.userId, { limit: '50.00', detail: 'ohlcv-1s' })
  await foreign.fetch('50.00')
  const charged = other.charged()
  expect(charged).toBeGreaterThan(0)
  for (const _ of [2, 3]) {
    await foreign.fetch('50.00')
    expect(other.charged()).toBe(charged)
    expect(await failureOf(foreign, it, 'databento')).toMatchObject({ code: 'unlike-fills', contract: 'NQH6' })
  }
  await foreign.feeds.setDatabento(it.userId, { limit: '50.00', detail: 'trades' })
  expect(await failureOf(foreign, it, 'databento')).toBeNull()
  await foreign.fetch('50.00')
  expect(other.charged()).toBeGreaterThan(charged)
})

test('on a nearly full disk nothing is bought, and the advice stays until there is room', { tags: ['long', 'nightly'] }, async ({ skip }) => {
  const place = temporaryFolder()
  const unmount = mountSmallDisk(place)
  if (unmount === null) return skip('no disk can be mounted here')
  onTestFinished(unmount)
  const { vendor, it, stand } = await stage({ folder: join(place, 'prices') })
  await stand.fetch('50.00')
  expect(await failureOf(stand, it, 'databento')).toMatchObject({ code: 'disk-full', contract: null })
  expect([vendor.asked, stand.series()]).toEqual([[], []])
  spawnSync('mount', ['-o', 'remount,size=1g', place])
  await stand.fetch('50.00')
  expect([await failureOf(stand, it, 'databento'), stand.series().length]).toEqual([null, 2])
})

test('a request refused before any prices arrived costs nothing of the confirmed amount', { tags: ['long', 'nightly'] }, async () => {
  const at = await stage({ limit: '2.00' })
  const { vendor, stand } = at
  const cost = await costOf(at)
  let asked = 0
  vendor.fault = ({ call }) => (call === 'range' && (asked += 1) === 1 ? 429 : null)
  await stand.fetch(cost.amount)
  expect(vendor.asked.filter(({ call }) => call === 'range')).toHaveLength(1 + cost.sessions)
  expect(vendor.charged()).toBeCloseTo(Number(cost.amount), 2)
  expect(vendor.charged()).toBeLessThanOrEqual(Number(cost.amount))
})

test('a time that Databento does not have yet is reported as such, not as an unknown contract, and older sessions are fetched', { tags: ['long', 'nightly'] }, async () => {
  const at = await stage()
  const { vendor, it, stand } = at
  const newest = Math.max(...at.fills.filter(({ time }) => time < it.timing.now() - 24 * hour).map(({ time }) => time))
  vendor.fault = ({ to }) => (to > newest ? { status: 422, case: 'data_end_after_available_end' } : null)
  expect(await costOf(at)).toMatchObject({ sessions: 4, of: 6, failure: null })
  await stand.fetch('50.00')
  expect(await failureOf(stand, it, 'databento')).toMatchObject({ code: 'not-available' })
  expect(stand.series()).toHaveLength(2)
})

test('without a spending limit or a key, Databento is skipped', { tags: ['long', 'nightly'] }, async () => {
  const { vendor, it, stand } = await stage()
  await stand.fetch(null)
  expect(vendor.asked.filter(({ call }) => call === 'range')).toEqual([])
  expect(vendor.charged()).toBe(0)
  await stand.feeds.setDatabento(it.userId, { key: null, limit: '50.00', detail: 'ohlcv-1s' })
  expect(stand.secrets.size).toBe(0)
  const before = vendor.asked.length
  await stand.fetch('5.00')
  expect(vendor.asked.length).toBe(before)
})
