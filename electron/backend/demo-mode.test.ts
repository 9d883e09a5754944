// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SyncReceipt } from '#shared/api/sync.ts'
import type { RunRequest } from './sync/sync.ts'
import { startDemoMode } from './demo-mode.ts'
import { writeMemory } from './demo-walk.ts'

const nothing = () => undefined
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
const none = { added: 0, changed: 0, removed: 0 }
const receipt: SyncReceipt = {
  runId: 'r', trigger: 'manual', startedAt: '2026-11-20T21:00:00.000Z', endedAt: '2026-11-20T21:00:01.000Z', outcome: 'complete', logins: 1, accounts: 1,
  fills: { received: 0, added: 0, changed: 0, unchanged: 0, refused: 0 }, batches: 0, pairs: none, trades: none, outbox: 0, refused: [], refusedTotal: 0, holdings: [], troubles: [],
}
const monday = Date.UTC(2026, 10, 23, 16)

/** A demo whose walk has `left` stops to sync; `wall` is the computer's clock, UTC ms. */
const demoWith = async (left: number, wall = { now: monday }) => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-demo-'))
  const start = () => startDemoMode({ folder, cloudEntry: 'none', now: () => wall.now, log })
  const first = await start()
  const stops = first.broker.walk
  await first.stop()
  writeMemory(join(folder, 'walk.json'), { anchor: '2026-11-20', walked: stops.length - left, port: 0 })
  const demo = await start()
  onTestFinished(async () => {
    await demo.stop()
    rmSync(folder, { recursive: true })
  })
  const { clock } = demo.broker
  /** Syncs once; the market's time at each run. */
  const sync = async (outcome: SyncReceipt['outcome'] = 'complete', trigger: SyncReceipt['trigger'] = 'manual'): Promise<number[]> => {
    const seen: number[] = []
    const run = demo.walk((_request: RunRequest) => {
      seen.push(clock.now())
      return Promise.resolve({ ...receipt, outcome })
    }, () => Promise.resolve())
    await run({ trigger } as RunRequest, nothing)
    return seen
  }
  return { demo, clock, sync, wall, stops: stops.map(({ at }) => at) }
}

test('during the walk the market is at its stops, whatever the computer’s clock says', async () => {
  const { clock, sync, wall, stops } = await demoWith(1)
  const [before = 0, last = 0] = stops.slice(-2)
  expect(clock.now()).toBe(before)
  wall.now += 3_600_000
  expect(await sync('failed')).toEqual([last])
  expect(await sync()).toEqual([last])
})

test('after the walk the market goes by the computer’s clock, at each sync, each trade, and each start', async () => {
  const { demo, clock, sync, wall } = await demoWith(0)
  expect(clock.now()).toBe(monday)
  wall.now += 60_000
  expect(await sync()).toEqual([monday + 60_000])
  wall.now += 60_000
  const account = demo.broker.logins.flatMap(({ accounts }) => accounts)[0]?.id ?? 0
  expect(demo.trade({ account: `tradovate:demo:${account}`, product: 'MNQ', side: 'buy', qty: 1 }).refused).toBeNull()
  expect(demo.broker.inside.books.world.executions.at(-1)?.time).toBe(monday + 120_000)
})

test.each([
  ['Saturday', Date.UTC(2026, 10, 28, 16), Date.UTC(2026, 10, 27, 21, 59)],
  ['Sunday before the open', Date.UTC(2026, 10, 29, 22, 59), Date.UTC(2026, 10, 27, 21, 59)],
  ['Sunday after the open', Date.UTC(2026, 10, 29, 23, 1), Date.UTC(2026, 10, 29, 23, 1)],
  ['the hour between two sessions', Date.UTC(2026, 10, 24, 22, 30), Date.UTC(2026, 10, 24, 21, 59)],
])('on %s the demo can be traded, in its last open minute where exchanges are closed', async (_, now, at) => {
  const { demo } = await demoWith(0, { now })
  const account = demo.broker.logins.flatMap(({ accounts }) => accounts)[0]?.id ?? 0
  expect(demo.trade({ account: `tradovate:demo:${account}`, product: 'MNQ', side: 'buy', qty: 1 }).refused).toBeNull()
  expect(demo.broker.inside.books.world.executions.at(-1)?.time).toBe(at)
})

test('after the walk the market never goes back, though the computer’s clock does', async () => {
  const { clock, sync, wall } = await demoWith(0)
  wall.now += 120_000
  await sync()
  wall.now = monday
  expect(await sync()).toEqual([monday + 120_000])
  expect(clock.now()).toBe(monday + 120_000)
})

test('a connection after the walk goes through every session, the first one too, and the next sync is of now', async () => {
  const { demo, sync, stops } = await demoWith(0)
  expect(await sync('complete', 'connect')).toEqual(stops)
  expect(demo.stopsLeft()).toBe(0)
  expect(await sync()).toEqual([monday])
})
