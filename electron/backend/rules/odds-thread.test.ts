// @module-tag slow
import { expect, onTestFinished, test } from 'vitest'
import { zero, type Amount } from '#shared/money/money.ts'
import type { DayFacts } from '#shared/rules/day-facts.ts'
import { oddsOf } from '#shared/rules/odds.ts'
import { noRules } from '#shared/rules/terms.ts'
import { monday } from '#tests/helpers/store.ts'
import { createOddsThreads } from './odds-thread.ts'

const set = { ...noRules('USD'), startingBalance: '50000', profitTarget: '3000', maxLoss: { amount: '2000', trail: 'end-of-day' as const, locksAt: null } }
const days = [700, -500, 300, -450, 120, -80].map((net, index): DayFacts => ({
  tradingDay: `2026-01-${String(5 + index).padStart(2, '0')}`,
  trades: [{ product: 'MES', qty: 1, entryAt: monday, exitAt: monday + 1, net: (net * 10_000) as Amount }],
  adjustment: zero,
}))
const question = (more: { seed?: number; runs?: number } = {}) => ({ set, days: new TextEncoder().encode(JSON.stringify(days)), seed: 7, runs: 500, horizon: 250, ...more })
const stays = new AbortController().signal

const start = () => {
  const threads = createOddsThreads()
  onTestFinished(threads.stop)
  return threads
}

test('a thread answers what the engine itself would, as often as it is asked', async () => {
  const { run } = start()
  const answers = await Promise.all([run(question(), stays), run(question(), stays), run(question({ seed: 8 }), stays)])
  expect(answers[0]).toEqual(oddsOf(set, days, { seed: 7, runs: 500, horizon: 250 }))
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).not.toEqual(answers[0])
  expect(answers[0]?.passed).toBeGreaterThan(0)
})

test('a canceled run ends its thread at once and gives its place to the next', async () => {
  const { run } = start()
  const long = question({ runs: 100_000 })
  const [one, two, waiting] = [new AbortController(), new AbortController(), new AbortController()]
  const [first, second, third] = [run({ ...long, days: long.days.slice() }, one.signal), run({ ...long, days: long.days.slice() }, two.signal), run(question(), waiting.signal)]
  const fourth = run(question(), stays)
  const all = Promise.allSettled([first, second, third])
  waiting.abort(new Error('left while it waited'))
  await expect(third).rejects.toThrow('left while it waited')
  one.abort(new Error('left'))
  two.abort(new Error('left'))
  expect((await all).map((one) => (one.status === 'rejected' ? String(one.reason) : one.status))).toEqual(['Error: left', 'Error: left', 'Error: left while it waited'])
  expect(await fourth).toMatchObject({ runs: 500 })
  await expect(run(question(), AbortSignal.abort(new Error('never came')))).rejects.toThrow('never came')
})

test('what cannot be simulated is an error, and without a target there are no odds', async () => {
  const { run } = start()
  await expect(run({ ...question(), days: new TextEncoder().encode('no days') }, stays)).rejects.toThrow('JSON')
  expect(await run({ ...question(), set: { ...set, profitTarget: null } }, stays)).toBeNull()
})

test('the end of the program ends what runs', async () => {
  const threads = createOddsThreads()
  const running = threads.run(question({ runs: 100_000 }), stays)
  const ended = expect(running).rejects.toThrow('The program ends')
  await threads.stop()
  await ended
})
