import { expect, onTestFinished, test } from 'vitest'
import type { MirrorState } from '#shared/api/mirror-state.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import { unreachable } from '../cloud/failure.ts'
import type { RefusedPicture } from './deps.ts'
import { startLoop, type LoopDeps } from './loop.ts'
import type { MirrorPosition } from './rows.ts'

type Turn = Result<null, CloudFailure>
const start = Date.UTC(2026, 0, 5, 15)
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
const away = err(unreachable('network'))
const no: Turn = err({ kind: 'refused', status: 403, code: null })

/** A loop whose turns end as the test says, on a clock that goes on when the test says. */
const watch = async (known: Partial<MirrorPosition> = {}) => {
  let now = start
  let waiting = 0
  const refused = new Map<string, RefusedPicture>()
  const sleeps: { readonly ms: number; readonly over: () => void }[] = []
  const turns: { readonly end: (outcome: Turn) => void; readonly reports: Parameters<LoopDeps['turn']>[0] }[] = []
  const published: MirrorState[] = []
  let changes = 0
  const stopping = new AbortController()
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const give = (): void => reject(new Error('woken'))
      if (signal?.aborted) return give()
      signal?.addEventListener('abort', give)
      sleeps.push({ ms, over: () => ((now += ms), resolve()) })
    })
  const loop = startLoop({
    turn: (reports) => new Promise((end) => turns.push({ end, reports })),
    position: () => Promise.resolve({ cloudUser: null, journal: null, cursor: 0, proof: null, waiting, waitingSince: waiting === 0 ? null : start, setAside: 0, lastSentAt: null, empty: false, ...known }),
    refused,
    timing: { now: () => now, sleep, random: () => 1 },
    signal: stopping.signal,
    log: quiet,
    publish: (state) => void published.push(state),
    changed: () => void (changes += 1),
  })
  onTestFinished(async () => {
    stopping.abort()
    turns.at(-1)?.end(ok(null))
    await loop.ended
  })
  await settled()
  return {
    loop, published, turns, stopping, refused,
    changes: () => changes,
    wait: (records: number) => void (waiting = records),
    pass: (ms: number) => void (now += ms),
    /** Ends the turn that is under way. */
    end: async (outcome: Turn) => {
      turns.at(-1)?.end(outcome)
      await settled()
    },
    /** The rest that is being taken, in milliseconds. */
    rest: () => sleeps.at(-1)?.ms,
    /** Lets it be over. */
    over: async () => {
      sleeps.at(-1)?.over()
      await settled()
    },
  }
}

test('it begins at once, then looks every minute', async () => {
  const it = await watch()
  expect(it.turns).toHaveLength(1)
  await it.end(ok(null))
  expect([it.rest(), (await it.loop.state()).state]).toEqual([60_000, 'up-to-date'])
  await it.over()
  expect(it.turns).toHaveLength(2)
  await it.end(ok(null))
  expect(it.published.map(({ state }) => state)).toEqual(['up-to-date'])
})

test('a pause that the cloud asks for is kept, up to a limit', async () => {
  const it = await watch()
  const busy = (retryAfterMs: number): Turn => err({ ...unreachable('server', 429), retryAfterMs } as CloudFailure)
  await it.end(busy(42_000))
  expect([it.rest(), (await it.loop.state()).state]).toEqual([42_000, 'offline'])
  await it.over()
  await it.end(busy(10))
  expect(it.rest()).toBe(2_000)
  await it.over()
  await it.end(busy(86_400_000))
  expect(it.rest()).toBe(600_000)
})

test('a change of the journal is sent soon, and changes close together are sent in one turn', async () => {
  const it = await watch()
  await it.end(ok(null))
  it.wait(1)
  it.loop.poke()
  it.loop.poke()
  await settled()
  expect([it.turns.length, it.rest(), it.published.at(-1)]).toEqual([1, 300, expect.objectContaining({ state: 'sending', waiting: 1, waitingSince: '2026-01-05T15:00:00.000Z' })])
  it.loop.poke()
  await it.over()
  expect(it.turns).toHaveLength(2)
})

test('a change while a turn is under way is not lost', async () => {
  const it = await watch()
  it.loop.poke()
  await it.end(ok(null))
  expect(it.rest()).toBe(300)
  await it.over()
  expect(it.turns).toHaveLength(2)
})

test('a cloud that is away is tried again with pauses that double up to five minutes, for ever', async () => {
  const it = await watch()
  it.wait(5)
  const rests: (number | undefined)[] = []
  for (let tries = 0; tries < 14; tries += 1) {
    await it.end(away)
    rests.push(it.rest())
    await it.over()
  }
  expect(rests).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300, 300].map((seconds) => seconds * 1_000))
  expect(it.turns).toHaveLength(15)
  await it.end(ok(null))
  it.wait(0)
  await it.over()
  await it.end(away)
  expect(it.rest()).toBe(1_000)
})

test('offline shows since when changes wait and the next retry; a change does not speed it up, the user can', async () => {
  const it = await watch()
  it.wait(2)
  await it.end(away)
  expect(it.published.at(-1)).toEqual({ state: 'offline', waiting: 2, waitingSince: '2026-01-05T15:00:00.000Z', setAside: 0, lastSentAt: null, storage: null, nextTryAt: '2026-01-05T15:00:01.000Z', restoring: null, comparing: null, pictures: null })
  it.wait(3)
  it.loop.poke()
  await settled()
  expect([it.turns.length, it.published.at(-1)?.waiting]).toEqual([1, 3])
  it.loop.now()
  await settled()
  expect(it.turns).toHaveLength(2)
})

test('full cloud storage is reported with its size, and tried less often', async () => {
  const it = await watch()
  it.turns.at(-1)?.reports.stored({ bytes: 250_000_001, limit: 250_000_000 })
  await it.end(err({ kind: 'refused', status: 413, code: 'storage-full' }))
  expect([it.rest(), it.published.at(-1)]).toEqual([60_000, expect.objectContaining({ state: 'full', storage: { bytes: 250_000_001, limit: 250_000_000 } })])
})

test('a cloud with a full disk does not count as unreachable', async () => {
  const it = await watch()
  await it.end(err({ kind: 'unreachable', cause: 'server', status: 507, code: 'disk-full' }))
  expect(it.published.at(-1)?.state).toBe('no-room')
})

test('a refusing cloud is reported as such, and tried less often', async () => {
  const it = await watch()
  await it.end(no)
  expect([it.rest(), it.published.at(-1)?.state]).toEqual([60_000, 'refused'])
  await it.over()
  await it.end(no)
  expect(it.rest()).toBe(120_000)
})

test('batches that get through end the pauses, but an answer alone does not', async () => {
  const it = await watch()
  for (const rest of [1_000, 2_000]) {
    await it.end(away)
    expect(it.rest()).toBe(rest)
    await it.over()
  }
  it.turns.at(-1)?.reports.moved()
  await settled()
  expect(it.published.at(-1)).toMatchObject({ state: 'sending', nextTryAt: null })
  await it.end(away)
  expect(it.rest()).toBe(1_000)
})

test('a restore publishes its progress and its end', async () => {
  const it = await watch()
  const { reports } = it.turns[0] ?? {}
  reports?.restoring({ done: 0, total: 9 })
  await settled()
  expect(it.published.at(-1)).toMatchObject({ state: 'restoring', restoring: { done: 0, total: 9 } })
  it.pass(1_000)
  reports?.restoring({ done: 4, total: 9 })
  await settled()
  expect(it.published.at(-1)).toMatchObject({ restoring: { done: 4, total: 9 } })
  reports?.restoring(null)
  await it.end(ok(null))
  expect(it.published.at(-1)).toMatchObject({ state: 'up-to-date', restoring: null })
})

test('a restore that the network breaks off stays one, and is offline meanwhile', async () => {
  const it = await watch()
  it.turns[0]?.reports.restoring({ done: 4, total: 9 })
  await it.end(away)
  expect(it.published.at(-1)).toMatchObject({ state: 'offline', restoring: { done: 4, total: 9 }, nextTryAt: '2026-01-05T15:00:01.000Z' })
  await it.over()
  it.turns[1]?.reports.moved()
  await settled()
  expect(it.published.at(-1)).toMatchObject({ state: 'restoring', restoring: { done: 4, total: 9 }, nextTryAt: null })
})

test.each(['restoring', 'comparing'] as const)('work interrupted while %s, and void since the cloud is another, ends with the next successful turn', async (what) => {
  const it = await watch()
  it.turns.at(-1)?.reports[what]({ done: 1, total: 2 })
  await it.end(away)
  expect(await it.loop.state()).toMatchObject({ state: 'offline', [what]: { done: 1, total: 2 } })
  it.loop.now()
  await settled()
  await it.end(ok(null))
  expect(await it.loop.state()).toMatchObject({ state: 'up-to-date', [what]: null })
})

test('a restore that an earlier start left unfinished is known without the cloud, but not its progress', async () => {
  const it = await watch({ journal: '0f8fad5b-d9cb-469f-a165-70867728950e' })
  await it.end(away)
  expect(it.published.at(-1)).toMatchObject({ state: 'offline', restoring: { done: 0, total: 0 } })
})

test('the screens are notified of some of many pages, and always of the last one', async () => {
  const it = await watch()
  const { reports } = it.turns[0] ?? {}
  for (let page = 0; page < 10; page += 1) reports?.changed()
  expect(it.changes()).toBe(1)
  await it.end(ok(null))
  expect(it.changes()).toBe(2)
})

test('a bug is logged and tried again like a cloud that is away; a stop ends it', async () => {
  const it = await watch()
  it.turns[0]?.end(Promise.reject(new Error('a bug')) as never)
  await settled()
  expect([it.rest(), it.published.at(-1)?.state]).toEqual([1_000, 'offline'])
  it.stopping.abort()
  await it.loop.ended
  expect(it.turns).toHaveLength(1)
})

test('pictures that are refused keep the mirror from being up to date, and say how large they are and why', async () => {
  const it = await watch()
  it.refused.set('a.png', { bytes: 2_000_000, status: 413, failures: 1, nextTryAt: Date.UTC(2026, 0, 5, 15, 2) })
  it.refused.set('b.png', { bytes: 1_500_000, status: 413, failures: 2, nextTryAt: Date.UTC(2026, 0, 5, 15, 1) })
  await it.end(ok(null))
  expect(it.published.at(-1)).toMatchObject({ state: 'pictures-waiting', pictures: { waiting: 2, bytes: 2_000_000, status: 413, nextTryAt: '2026-01-05T15:01:00.000Z' } })
  it.refused.clear()
  await it.over()
  await it.end(ok(null))
  expect(it.published.at(-1)).toMatchObject({ state: 'up-to-date', pictures: null })
})
