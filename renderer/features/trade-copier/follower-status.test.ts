import { follower, liveGroup, stance } from '#tests/helpers/copier-live.ts'
import { describe, expect, test } from 'vitest'
import { byTrouble, groupsByTrouble, notMirroredOf, ownReasonsOf, pendingOf, protectionOf, reasonsOf, statusOf, tally, waitsForUser } from './follower-status.ts'

describe('the state of a follower', () => {
  const refused = { working: 0, waiting: 1, refused: 'Price is out of range' }
  test('armed and at its target it is in sync, with anything under way it is pending', () => {
    expect(statusOf(follower('a'))).toBe('in-sync')
    expect(statusOf(follower('a', { contracts: [stance()] }))).toBe('in-sync')
    expect(statusOf(follower('a', { contracts: [stance({ inFlight: 1, difference: 0 })] }))).toBe('pending')
    expect(statusOf(follower('a', { contracts: [stance({ difference: -1 })] }))).toBe('pending')
    expect(statusOf(follower('a', { contracts: [stance({ why: 'reading' })] }))).toBe('pending')
    expect(statusOf(follower('a', { line: 'connecting' }))).toBe('pending')
  })
  test('an order on its way to the target is pending, not out of sync', () => {
    expect(statusOf(follower('a', { state: 'out-of-step', contracts: [stance({ inFlight: 1, why: 'order-working' })] }))).toBe('pending')
    expect(statusOf(follower('a', { state: 'out-of-step', contracts: [stance({ inFlight: 1, why: 'order-working' }), stance({ difference: 2 })] }))).toBe('out-of-sync')
    expect(statusOf(follower('a', { state: 'out-of-step', contracts: [stance({ why: 'order-unknown' })] }))).toBe('out-of-sync')
    expect(statusOf(follower('a', { state: 'out-of-step' }))).toBe('out-of-sync')
    expect(statusOf(follower('a', { state: 'out-of-step', line: 'down', contracts: [stance({ inFlight: 1 })] }))).toBe('out-of-sync')
  })
  test('nothing refused, pending, unknown or not mirrored is in sync, whatever the state says', () => {
    const wrong = [stance({ exits: refused }), stance({ exits: { ...refused, refused: null } }), stance({ unprotected: true }), stance({ why: 'exit-refused' }), stance({ why: 'order-unknown' }), stance({ why: 'hedge' }), stance({ difference: 1, why: 'cap' }), stance({ notMirrored: [{ type: 'TrailingStop', why: 'type' }] })]
    expect(wrong.map((one) => statusOf(follower('a', { contracts: [one] })))).toEqual(['out-of-sync', 'pending', 'unprotected', 'pending', 'pending', 'pending', 'pending', 'out-of-sync'])
    expect(statusOf(follower('a', { contracts: [stance({ notMirrored: [{ type: 'Stop', why: 'invert' }] })] }))).toBe('in-sync')
  })
  test('the user’s own trades, a limit, or a product that is not copied leave a follower in sync', () => {
    for (const why of ['yours', 'cap', 'max-position', 'product-not-copied'] as const) expect(statusOf(follower('a', { contracts: [stance({ why, yours: 2 })] }))).toBe('in-sync')
  })
  test('unprotected comes before everything but off', () => {
    const contracts = [stance({ unprotected: true, exits: refused })]
    const undecided = [{ contract: 'NQZ6', leader: 1, follower: 0 }]
    for (const state of ['armed', 'out-of-step', 'unprotected', 'locked'] as const) expect(statusOf(follower('a', { state, contracts, undecided }))).toBe('unprotected')
    expect(statusOf(follower('a', { state: 'unprotected' }))).toBe('unprotected')
    expect(statusOf(follower('a', { state: 'off', contracts }))).toBe('off')
  })
  test('an open question comes before all but a lock', () => {
    const undecided = [{ contract: 'NQZ6', leader: 1, follower: 0 }]
    expect(statusOf(follower('a', { undecided }))).toBe('asks')
    expect(statusOf(follower('a', { undecided, state: 'out-of-step' }))).toBe('asks')
    expect(statusOf(follower('a', { undecided, state: 'locked' }))).toBe('locked')
    expect(statusOf(follower('a', { undecided, state: 'off' }))).toBe('off')
  })
})

describe('trouble comes first', () => {
  const rows = [
    follower('off', { state: 'off' }),
    follower('fine'),
    follower('pending', { contracts: [stance({ inFlight: 2 })] }),
    follower('locked', { state: 'locked', lock: 'rejects' }),
    follower('apart', { state: 'out-of-step' }),
    follower('asks', { undecided: [{ contract: 'ESZ6', leader: 1, follower: 1 }] }),
    follower('bare', { state: 'unprotected' }),
  ]
  test('and a pending follower keeps its place among those in sync', () => {
    expect(byTrouble(rows).map(({ account }) => account)).toEqual(['bare', 'asks', 'apart', 'locked', 'fine', 'pending', 'off'])
  })
  test('the tally leaves out states that nobody is in', () => {
    expect(tally(rows.slice(0, 3))).toEqual([{ status: 'pending', count: 1 }, { status: 'in-sync', count: 1 }, { status: 'off', count: 1 }])
  })
  test('a group with trouble or with exits left behind goes before one without', () => {
    const live = (...followers: typeof rows) => ({ live: liveGroup('g', followers) })
    const [calm, troubled] = [live(follower('fine')), live(follower('apart', { state: 'out-of-step' }))]
    expect(groupsByTrouble([{ live: null }, calm, troubled])).toEqual([troubled, { live: null }, calm])
    const left = { live: liveGroup('g', [follower('off', { state: 'off' })], { state: 'off', left: [{ account: 'off', contract: 'NQZ6', side: 'sell', qty: 2, type: 'Stop', price: '21590.00' }] }) }
    expect(groupsByTrouble([calm, left])).toEqual([left, calm])
  })
})

describe('the reasons of a follower', () => {
  test('are named once, each with its contracts', () => {
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

test('what the group says for all is not repeated at each follower', () => {
  const paused = follower('a', { why: 'paused', contracts: [stance({ why: 'paused' }), stance({ contract: 'ESZ6', why: 'cap' })] })
  expect(ownReasonsOf(paused)).toEqual([{ why: 'cap', contracts: ['ESZ6'] }])
  expect(ownReasonsOf(follower('b', { why: 'leader-down', contracts: [] }))).toEqual([])
})

test('pending orders and exits are counted under their cause, and only the budget’s are said to wait for calls', () => {
  const exits = { working: 0, waiting: 1, refused: null }
  expect(pendingOf([follower('a', { contracts: [stance({ exits: { ...exits, refused: 'Price is out of range' } })] })])).toEqual([{ cause: 'other', pending: { reduce: 0, enter: 0, exits: 1 } }])
  const waits = [stance({ why: 'budget', target: 20, actual: 10, difference: 10, exits }), stance({ why: 'budget', target: 0, actual: 10, difference: -10 }), stance({ why: 'rate-limited', target: 0, actual: 10, difference: -10 })]
  expect(pendingOf([follower('a', { contracts: waits })])).toEqual([
    { cause: 'budget', pending: { reduce: 1, enter: 1, exits: 1 } },
    { cause: 'rate-limited', pending: { reduce: 1, enter: 0, exits: 0 } },
  ])
  expect(pendingOf([follower('a', { contracts: [stance({ difference: 2 })] })])).toEqual([])
})

test('refused exits are named with the broker’s words, and not once more as a reason', () => {
  const bare = stance({ why: 'exit-refused', unprotected: true, exits: { working: 0, waiting: 1, refused: 'Price is out of range' } })
  const target = stance({ contract: 'ESZ6', exits: { working: 1, waiting: 1, refused: 'Too many orders' } })
  const one = follower('a', { state: 'unprotected', contracts: [bare, target, stance({ contract: 'CLZ6' })] })
  expect(protectionOf(one)).toEqual([{ contract: 'MNQZ6', bare: true, refused: 'Price is out of range' }, { contract: 'ESZ6', bare: false, refused: 'Too many orders' }])
  expect(ownReasonsOf(one)).toEqual([])
})

test('orders that are not mirrored are named once by type and cause, those of an inverted follower not at all', () => {
  const trailing = { type: 'TrailingStop', why: 'type' } as const
  const contracts = [stance({ notMirrored: [trailing, trailing, { type: 'Stop', why: 'invert' }] }), stance({ contract: 'MESZ6', notMirrored: [trailing, { type: 'Stop', why: 'other-prices' }] })]
  expect(notMirroredOf(follower('a', { contracts }))).toEqual([{ ...trailing, contracts: ['MNQZ6', 'MESZ6'] }, { type: 'Stop', why: 'other-prices', contracts: ['MESZ6'] }])
})
