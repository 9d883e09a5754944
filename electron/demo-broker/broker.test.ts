// @module-tag slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { grantsFile, startDemoBroker } from './broker.ts'
import { chicagoTime } from './calendar.ts'

test('a damaged logins file is recreated', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-logins-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'logins.json')
  for (const content of ['', '{"sessions":[{"id"', '[]', '\0\0']) {
    writeFileSync(path, content)
    expect(grantsFile(path).load()).toBeNull()
  }
})

test('the tape continues after the walk: a trade days later is on it at its time and price', async () => {
  const broker = await startDemoBroker({ anchor: '2026-11-20', dollarsOnly: true })
  onTestFinished(() => broker.stop())
  const account = broker.logins.flatMap(({ accounts }) => accounts)[0]?.id ?? 0
  const tradeAt = (minute: number, action: 'Buy' | 'Sell') => {
    broker.clock.set(chicagoTime('2026-11-25', minute))
    return broker.trade({ account, product: 'MNQ', action, qty: 1 })
  }
  const { contract, refused } = tradeAt(10 * 60, 'Buy')
  expect(refused).toBeNull()
  const early = await broker.tapes(chicagoTime('2026-11-25', 0))
  const first = early.printsOf(contract, '2026-11-25')
  expect(first.at.at(-1)).toBe(chicagoTime('2026-11-25', 600) * 1000)
  tradeAt(10 * 60 + 20, 'Sell')

  const tapes = await broker.tapes(chicagoTime('2026-11-25', 0))
  expect(tapes.sessionsOf(contract, [{ from: chicagoTime('2026-11-25', 600) * 1000, to: chicagoTime('2026-11-25', 620) * 1000 }])).toEqual(['2026-11-25'])
  const { at, price } = tapes.printsOf(contract, '2026-11-25')
  const fills = broker.inside.books.world.executions.filter(({ session }) => session === '2026-11-25')
  expect(fills.map(({ time, ticks }) => price[at.indexOf(time * 1000)] === ticks)).toEqual([true, true])
  expect(at.filter((moment) => moment > chicagoTime('2026-11-25', 600) * 1000).length).toBeGreaterThan(50)
  // What was on it before is on it still.
  expect(at.subarray(0, first.at.length - 1)).toEqual(first.at.subarray(0, -1))
})
