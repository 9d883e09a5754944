import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { amountOf } from '#shared/money/money.ts'
import { createSeenSessions, unseen } from './seen-sessions.ts'
import { noMoney } from '#shared/copier/session-money.ts'
import type { SessionExtremes } from './rows.ts'

const [user, day] = ['user-1', '2026-11-18']

/** A journal that remembers what was written, and fails while `fails` is set. */
const start = (kept: SessionExtremes[] = []) => {
  const it = { written: [] as SessionExtremes[][], fails: false, warned: 0, loads: 0 }
  const seen = createSeenSessions(
    {
      read: { sessionExtremes: () => ((it.loads += 1), it.fails ? Promise.reject(new Error('away')) : Promise.resolve(kept)) },
      write: { saveExtremes: ({ extremes }) => (it.fails ? Promise.reject(new Error('away')) : Promise.resolve(void it.written.push([...extremes]))) },
    },
    { warn: () => void (it.warned += 1) },
  )
  const at = async (peak: number, account = 'one', tradingDay = day): Promise<void> => {
    const list = await seen.of(user, tradingDay)
    list.set(account, { extremes: { ...unseen(account, tradingDay), peak: amountOf(peak) }, session: null, money: noMoney, settled: undefined })
    seen.keep(user)
  }
  return { it, seen, at }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('many peaks of a second are written once, all accounts together', async () => {
  const { it, at } = start()
  for (let step = 0; step < 500; step += 1) await at(step * 1_0000, step % 2 === 0 ? 'one' : 'two')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(it.written.map((rows) => rows.map(({ account, peak }) => [account, peak]))).toEqual([[['one', 498_0000], ['two', 499_0000]]])
  await at(499_0000, 'two')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(it.written).toHaveLength(1)
})

test('a change below 1.00 waits for more, or for the end', async () => {
  const { it, seen, at } = start([{ ...unseen('one', day), peak: amountOf(100_0000) }])
  await at(100_9999)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(it.written).toEqual([])
  await at(101_0000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(it.written.map(([row]) => row?.peak)).toEqual([101_0000])
  await at(101_0001)
  await seen.stop()
  expect(it.written.map(([row]) => row?.peak)).toEqual([101_0000, 101_0001])
})

test('another session gets its own row, whatever it begins with', async () => {
  const { it, at } = start()
  await at(100_0000)
  await vi.advanceTimersByTimeAsync(1_000)
  await at(100_0000, 'one', '2026-11-19')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(it.written.map(([row]) => row?.tradingDay)).toEqual([day, '2026-11-19'])
})

test('a failed write is repeated with the next one, and a failed read is retried', async () => {
  const { it, seen, at } = start()
  it.fails = true
  await expect(seen.of(user, day)).rejects.toThrow('away')
  it.fails = false
  await at(100_0000)
  it.fails = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect([it.written.length, it.warned]).toEqual([0, 1])
  it.fails = false
  seen.keep(user)
  await vi.advanceTimersByTimeAsync(1_000)
  expect([it.written.length, it.loads]).toEqual([1, 2])
})
