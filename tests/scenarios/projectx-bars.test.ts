import { expect, test } from 'vitest'
import { failureOf, fedJournal as stage, missing } from '#tests/helpers/fed-journal.ts'
import type { FeedStage } from '#tests/helpers/price-feeds.ts'
import { standInContracts } from '#tests/helpers/projectx-broker.ts'
import type { SyncJournal } from '#tests/helpers/sync-journal.ts'

const [nasdaq, micro] = standInContracts
const bars = '/api/History/retrieveBars'
const hour = 3_600_000
const second = 1_000_000

/** Each fill of the journal lies in a stored bar of its own time. */
const expectFillsInside = ({ tape }: FeedStage, { rows }: SyncJournal, width: number): void => {
  const own = { NQH6: tape('NQ 2026-03', '0.25'), MESH6: tape('MES 2026-03', '0.25') }
  const fills = rows()['fills'] ?? []
  expect(fills.length).toBeGreaterThan(10)
  for (const { contract, time, price } of fills as unknown as { contract: keyof typeof own; time: number; price: number }[]) {
    const bar = own[contract].find((one) => 'width' in one && one.at <= time * 1000 && time * 1000 < one.at + one.width)
    expect(bar).toMatchObject({ width })
    if (bar === undefined || !('width' in bar)) throw new Error('No bar')
    expect([bar.low <= price, price <= bar.high]).toEqual([true, true])
  }
}

test('one-second bars for trades come newest first, cover every fill, and are not requested again', { tags: ['long', 'nightly'] }, async () => {
  const { broker, it, open, days } = await stage()
  const stand = open()
  expect(await missing(stand, it)).toBe(6)
  await stand.fetch()
  expect(await missing(stand, it)).toBe(0)
  expect(stand.series()).toMatchObject([{ contract: 'MES 2026-03', source: 'projectx-bars', grain: second }, { contract: 'NQ 2026-03', source: 'projectx-bars', grain: second }])
  expectFillsInside(stand, it, second)
  const asked = broker.seen.filter(({ path }) => path === bars).map(({ fields }) => String(fields['startTime']).slice(0, 10))
  expect(asked).toEqual(asked.toSorted().toReversed())
  expect(new Set(asked)).toEqual(new Set(days))
  expect(broker.seen.filter(({ path }) => path === bars).map(({ fields }) => fields['includePartialBar'])).toEqual(asked.map(() => false))
  // Only the hour of the trades and a margin, not the session.
  expect(stand.tape('NQ 2026-03', '0.25').length).toBeLessThan(days.length * 90 * 60)
  expect(stand.reported.filter((one) => one?.done === 6)).toHaveLength(1)

  const before = broker.asked(bars)
  await stand.fetch()
  expect(broker.asked(bars)).toBe(before)
  expect(broker.refusedByLimit()).toBe(0)
})

test('beyond the reach of seconds, minutes are stored, and older bars are not requested in seconds', { tags: ['long', 'nightly'] }, async () => {
  const { broker, it, open } = await stage(4)
  broker.barsSince.second = it.timing.now() + hour
  const stand = open()
  await stand.fetch()
  expect(stand.series()).toMatchObject([{ source: 'projectx-bars', grain: 60 * second }, { source: 'projectx-bars', grain: 60 * second }])
  expectFillsInside(stand, it, 60 * second)
  const units = (id: string) => broker.seen.filter(({ path, fields }) => path === bars && fields['contractId'] === id).map(({ fields }) => fields['unit'])
  expect(units(nasdaq.id)).toEqual([1, 2, 2, 2, 2])
})

test('the rate limit for bars is kept, and a refusal by it is waited out', { tags: ['long', 'nightly'] }, async () => {
  const { broker, it, open } = await stage(36)
  let refused = 0
  broker.fault = ({ path }, answer) => (path === bars && broker.asked(bars) === 20 && (refused += 1) < 9 ? { status: 429, headers: { 'retry-after': '45' }, text: '' } : answer())
  const stand = open()
  const begun = it.timing.now()
  await stand.fetch()
  expect(await missing(stand, it)).toBe(0)
  expect(broker.refusedByLimit()).toBe(0)
  expect(it.timing.now() - begun).toBeGreaterThan(45_000)
  expect(await failureOf(stand, it)).toBeNull()
})

test('a lasting rate limit ends the fetch, which says so and later resumes where it stopped', { tags: ['long', 'nightly'] }, async () => {
  const { broker, it, open } = await stage()
  broker.fault = ({ path }, answer) => (path === bars && broker.asked(bars) > 2 ? { status: 429, headers: { 'retry-after': '3600' }, text: '' } : answer())
  const stand = open()
  await stand.fetch()
  expect(await failureOf(stand, it)).toMatchObject({ code: 'rate-limited', contract: null })
  expect(await missing(stand, it)).toBe(4)
  broker.fault = null
  const before = broker.asked(bars)
  await stand.fetch()
  expect(broker.asked(bars) - before).toBe(4)
  expect([await missing(stand, it), await failureOf(stand, it)]).toEqual([0, null])
})

test('a contract without bars is requested once a day, and the others arrive', { tags: ['long', 'nightly'] }, async () => {
  const { broker, it, open } = await stage()
  broker.withoutBars.add(micro.id)
  const stand = open()
  await stand.fetch()
  expect(stand.series().map(({ contract }) => contract)).toEqual(['NQ 2026-03'])
  expect(await missing(stand, it)).toBe(3)
  const before = broker.asked(bars)
  await stand.fetch()
  expect(broker.asked(bars)).toBe(before)
  it.timing.pass(25 * hour)
  await stand.fetch()
  expect(broker.asked(bars)).toBeGreaterThan(before)
})

test('a token that expires meanwhile is renewed, and a missing login is named', { tags: ['long', 'nightly'] }, async () => {
  const { broker, it, open } = await stage()
  broker.fault = ({ path }, answer) => {
    if (path === bars && broker.asked(bars) === 3) broker.endTokens()
    return answer()
  }
  const stand = open()
  const logins = broker.asked('/api/Auth/loginKey')
  await stand.fetch()
  expect(await missing(stand, it)).toBe(0)
  expect(broker.asked('/api/Auth/loginKey')).toBe(logins + 1)

  const other = open()
  broker.endTokens()
  broker.fault = ({ path }, answer) => (path === '/api/Auth/loginKey' ? { json: { success: false, errorCode: 3, errorMessage: null } } : answer())
  await other.fetch()
  expect(await failureOf(other, it)).toMatchObject({ code: 'login-needed' })
})

test('bars that contradict the fills are not stored', { tags: ['long', 'nightly'] }, async () => {
  const { broker, it, open } = await stage()
  broker.fault = ({ path, fields }, answer) => {
    const served = answer() as { json: { bars?: Record<'o' | 'h' | 'l' | 'c', number>[] } }
    if (path !== bars || fields['contractId'] !== nasdaq.id) return served
    return { json: { ...served.json, bars: served.json.bars?.map((row) => ({ ...row, o: row.o + 250, h: row.h + 250, l: row.l + 250, c: row.c + 250 })) } }
  }
  const stand = open()
  await stand.fetch()
  expect(stand.series().map(({ contract }) => contract)).toEqual(['MES 2026-03'])
  expect(await failureOf(stand, it)).toMatchObject({ code: 'unlike-fills', contract: 'NQH6' })
})

test('rows that are no bars are skipped, and an answer of only such rows is unreadable', { tags: ['long', 'nightly'] }, async () => {
  const { broker, it, open } = await stage(1)
  const spoiled = [{ l: 1e9 }, { h: 'high' }, { t: 'yesterday' }, { o: 6_000.13, l: 6_000.13 }]
  broker.fault = ({ path }, answer) => {
    const served = answer() as { json: { bars?: object[] } }
    return path === bars ? { json: { ...served.json, bars: served.json.bars?.map((row, index) => (index < 400 ? { ...row, ...spoiled[index % 4] } : row)) } } : served
  }
  const stand = open()
  await stand.fetch()
  expect(stand.tape('NQ 2026-03', '0.25').length).toBeGreaterThan(1000)

  const other = open()
  broker.fault = ({ path }, answer) => {
    const served = answer() as { json: { bars?: object[] } }
    return path === bars ? { json: { ...served.json, bars: served.json.bars?.map((row) => ({ ...row, l: 1e9 })) } } : served
  }
  await other.fetch()
  expect(await failureOf(other, it)).toMatchObject({ code: 'unreadable' })
  expect(other.series()).toEqual([])
})

test('a fetch stops on request, and resumes after a restart without requesting bars again', { tags: ['long', 'nightly'] }, async () => {
  const { broker, it, open } = await stage()
  const ended: { close: (() => Promise<unknown>) | null } = { close: null }
  const stand = open({ hear: (progress) => { if (progress?.done === 1) void ended.close?.() } })
  ended.close = () => stand.feeds.stopFetch(it.userId)
  await stand.fetch()
  const left = await missing(stand, it)
  expect(left).toBeGreaterThan(2)
  // It was stopped: nothing resumes unasked.
  const idle = await stand.again()
  await idle.feeds.resume(it.userId)
  expect(idle.reported).toEqual([])

  // Killed in between, it resumes.
  let next: FeedStage | null = null
  const opened = Promise.withResolvers<FeedStage>()
  const other = await stand.again()
  ended.close = () => {
    ended.close = null
    return other.again().then((one) => { opened.resolve(one) })
  }
  void other.feeds.fetch(it.userId, { spend: null })
  // The same progress stops the second fetch.
  next = await opened.promise
  const stillMissing = await missing(next, it)
  expect(stillMissing).toBeGreaterThan(0)
  const before = broker.asked(bars)
  const over = next.ended()
  await next.feeds.resume(it.userId)
  await over
  expect(await missing(next, it)).toBe(0)
  expect(broker.asked(bars) - before).toBeLessThanOrEqual(stillMissing)
})
