import { follower, liveGroup, stance } from '#tests/helpers/copier-live.ts'
import { describe, expect, test } from 'vitest'
import { byTrouble, groupsByTrouble, ownReasonsOf, reasonsOf, standingOf, tally, waitsForUser } from './standing.ts'

describe('how a follower stands', () => {
  test('armed with nothing open it is in step, on its way it works', () => {
    expect(standingOf(follower('a'))).toBe('in-step')
    expect(standingOf(follower('a', { contracts: [stance()] }))).toBe('in-step')
    expect(standingOf(follower('a', { contracts: [stance({ inFlight: 1, difference: 0 })] }))).toBe('working')
    expect(standingOf(follower('a', { contracts: [stance({ difference: -1 })] }))).toBe('working')
    expect(standingOf(follower('a', { contracts: [stance({ why: 'reading' })] }))).toBe('working')
    expect(standingOf(follower('a', { line: 'connecting' }))).toBe('working')
  })
  test('an open question comes before all but a lock', () => {
    const asks = [{ contract: 'NQZ6', leader: 1, follower: 0 }]
    expect(standingOf(follower('a', { asks }))).toBe('asks')
    expect(standingOf(follower('a', { asks, state: 'out-of-step' }))).toBe('asks')
    expect(standingOf(follower('a', { asks, state: 'locked' }))).toBe('locked')
    expect(standingOf(follower('a', { asks, state: 'off' }))).toBe('off')
  })
})

describe('trouble comes first', () => {
  const rows = [
    follower('off', { state: 'off' }),
    follower('fine'),
    follower('working', { contracts: [stance({ inFlight: 2 })] }),
    follower('locked', { state: 'locked', lock: 'rejects' }),
    follower('apart', { state: 'out-of-step' }),
    follower('asks', { asks: [{ contract: 'ESZ6', leader: 1, follower: 1 }] }),
  ]
  test('and who works keeps the place of who is in step', () => {
    expect(byTrouble(rows).map(({ account }) => account)).toEqual(['asks', 'apart', 'locked', 'fine', 'working', 'off'])
  })
  test('the tally leaves out what nobody is', () => {
    expect(tally(rows.slice(0, 3))).toEqual([{ standing: 'working', count: 1 }, { standing: 'in-step', count: 1 }, { standing: 'off', count: 1 }])
  })
  test('a troubled group goes before one without', () => {
    const live = (...followers: typeof rows) => ({ live: liveGroup('g', followers) })
    const [calm, troubled] = [live(follower('fine')), live(follower('apart', { state: 'out-of-step' }))]
    expect(groupsByTrouble([{ live: null }, calm, troubled])).toEqual([troubled, { live: null }, calm])
  })
})

describe('the reasons of a follower', () => {
  test('are told once, each with its contracts', () => {
    const contracts = [stance({ why: 'cap' }), stance({ contract: 'MESZ6', why: 'cap' }), stance({ contract: 'MCLZ6', why: 'by-hand' }), stance({ contract: 'MGCZ6' })]
    expect(reasonsOf(follower('a', { why: 'by-hand', contracts }))).toEqual([{ why: 'cap', contracts: ['MNQZ6', 'MESZ6'] }, { why: 'by-hand', contracts: ['MCLZ6'] }])
    expect(waitsForUser(follower('a', { contracts }))).toBe(true)
  })
  test('without a contract the follower itself has one', () => {
    expect(reasonsOf(follower('a', { why: 'line-down' }))).toEqual([{ why: 'line-down', contracts: [] }])
    expect(reasonsOf(follower('a'))).toEqual([])
    expect(waitsForUser(follower('a', { why: 'line-down' }))).toBe(false)
  })
})

test('what the group says for all is not said again of each follower', () => {
  const paused = follower('a', { why: 'paused', contracts: [stance({ why: 'paused' }), stance({ contract: 'ESZ6', why: 'cap' })] })
  expect(ownReasonsOf(paused)).toEqual([{ why: 'cap', contracts: ['ESZ6'] }])
  expect(ownReasonsOf(follower('b', { why: 'leader-down', contracts: [] }))).toEqual([])
})
