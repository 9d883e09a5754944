import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBudget, type CallKind } from './budget.ts'

const callKinds: readonly CallKind[] = ['reduce', 'enter', 'tighten', 'exit', 'poll']

const hour = 3_600_000

describe('a budget', () => {
  it.each<[CallKind, number]>([
    ['reduce', 100], ['enter', 95], ['tighten', 85], ['exit', 70], ['poll', 40],
  ])('lets %s use %i of a hundred calls, and no more', (kind, most) => {
    const budget = createBudget(100)
    budget.count(0, most - 1)
    expect([budget.ask(kind, 1), budget.ask(kind, 2)]).toEqual([{ ok: true }, { ok: false, why: 'budget', waitMs: hour - 2 }])
    expect([budget.used(2), budget.ask(kind, hour - 1).ok, budget.ask(kind, hour).ok]).toEqual([most, false, true])
  })

  it('waits until enough calls have left the hour', () => {
    const budget = createBudget(10)
    for (let at = 0; at < 9; at += 1) budget.count(at * 1000)
    // Three of nine calls must expire before another is allowed.
    expect(budget.waitFor('exit', 10_000)).toBe(2000 + hour - 10_000)
    expect(budget.waitFor('reduce', 10_000)).toBe(0)
  })

  it('counts calls made without asking, even beyond its limit', () => {
    const budget = createBudget(10)
    budget.count(0, 25)
    expect([budget.used(0), budget.waitFor('reduce', 0), budget.used(hour)]).toEqual([10, hour, 0])
  })

  it('takes back a call that was not made', () => {
    const budget = createBudget(1)
    expect([budget.ask('reduce', 0).ok, budget.ask('reduce', 1).ok]).toEqual([true, false])
    budget.giveBack()
    expect([budget.used(1), budget.ask('reduce', 1).ok, budget.used(1)]).toEqual([0, true, 1])
  })

  it('allows only one reduction every five seconds while the broker refuses', () => {
    const budget = createBudget(100)
    budget.block(0, 60_000)
    expect(budget.ask('enter', 10)).toEqual({ ok: false, why: 'rate-limited', waitMs: 59_990 })
    expect(budget.ask('reduce', 10)).toEqual({ ok: false, why: 'rate-limited', waitMs: 4990 })
    expect([budget.ask('reduce', 5000).ok, budget.ask('reduce', 9999).ok, budget.ask('reduce', 10_000).ok]).toEqual([true, false, true])
    budget.answered(0)
    expect(budget.ask('reduce', 10_001).ok).toBe(false)
    budget.answered(10_000)
    expect([budget.ask('reduce', 10_001).ok, budget.ask('reduce', 10_002).ok, budget.ask('enter', 10_002).ok]).toEqual([true, true, false])
    expect(budget.ask('enter', 60_000).ok).toBe(true)
  })

  it('ends an advisory refusal for all calls once the broker accepts one', () => {
    const budget = createBudget(100)
    budget.block(0, hour, true)
    expect([budget.waitFor('enter', 0), budget.waitFor('reduce', 0), budget.waitFor('exit', 0)]).toEqual([5000, 5000, hour])
    expect(budget.ask('reduce', 5000).ok).toBe(true)
    budget.answered(5000)
    for (const kind of callKinds) expect(budget.waitFor(kind, 5001)).toBe(0)
  })

  it('lets one entry probe an advisory refusal and doubles the wait after each further refusal', () => {
    const budget = createBudget(100)
    budget.block(0, hour, true)
    expect([budget.ask('enter', 4999).ok, budget.ask('enter', 5000).ok, budget.ask('enter', 5001).ok]).toEqual([false, true, false])
    budget.block(5010, hour, true)
    expect(budget.waitFor('enter', 5010)).toBe(10_000)
    budget.block(8000, 7_200_000)
    expect(budget.waitFor('enter', 8000)).toBe(7_200_000)
  })

  it('lets a poll probe an advisory refusal without using up the entry’s attempt', () => {
    const budget = createBudget(100)
    budget.block(0, hour, true)
    expect([budget.ask('poll', 4999).ok, budget.ask('poll', 5000).ok, budget.ask('poll', 5001).ok, budget.ask('poll', 10_000).ok]).toEqual([false, true, false, true])
    expect(budget.ask('enter', 10_001).ok).toBe(true)
    budget.block(10_010, hour)
    expect(budget.ask('poll', 20_000).ok).toBe(false)
  })

  it('keeps the longer of two refusals', () => {
    const budget = createBudget(100)
    budget.block(0, 60_000)
    budget.block(10, 1000)
    expect([budget.ask('enter', 59_999).ok, budget.ask('enter', 60_000).ok]).toEqual([false, true])
  })

  it('ends a refusal shorter than five seconds for all at once', () => {
    const budget = createBudget(100)
    budget.block(0, 2000)
    expect([budget.ask('reduce', 1999).ok, budget.ask('reduce', 2000).ok, budget.ask('enter', 2000).ok]).toEqual([false, true, true])
  })

  it('never exceeds its limit in any hour, nor lets a kind use another kind’s reserve', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ kind: fc.constantFrom(...callKinds), after: fc.integer({ min: 0, max: hour / 8 }) }), { maxLength: 200 }), (asked) => {
        const budget = createBudget(20)
        const most: Record<CallKind, number> = { reduce: 20, enter: 19, tighten: 17, exit: 14, poll: 8 }
        const went: number[] = []
        let now = 0
        for (const { kind, after } of asked) {
          now += after
          const used = went.filter((at) => at > now - hour).length
          const wait = budget.waitFor(kind, now)
          const leave = budget.ask(kind, now)
          expect(leave.ok).toBe(used < most[kind])
          expect(leave.ok ? 0 : leave.waitMs).toBe(wait)
          if (leave.ok) went.push(now)
          else expect(went.filter((at) => at > now + wait - hour).length).toBeLessThan(most[kind])
        }
      }),
    )
  })
})
