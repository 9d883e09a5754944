// @module-tag slow
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBook, type Book, type PastFill } from './book.ts'
import { isEnded, type Fact, type FillFact, type OrderFact, type PositionFact, type VersionFact } from './facts.ts'

const nq = 4401
const today = '2026-03-03'
const tomorrow = '2026-03-04'
// 10:00 in Chicago on 3 March.
const morning = Date.UTC(2026, 2, 3, 16)

const order = (id: number, changes: Partial<OrderFact> = {}): Fact => ({ kind: 'order', id, accountId: 7, contractId: nq, side: 'buy', status: 'Working', ocoId: null, time: morning, ...changes })
const version = (id: number, orderId: number, qty: number, changes: Partial<VersionFact> = {}): Fact => ({ kind: 'version', id, orderId, qty, type: 'Market', price: null, stopPrice: null, pegDifference: null, timeInForce: 'Day', ...changes })
const fill = (id: number, orderId: number, qty: number, changes: Partial<FillFact> = {}): Fact => ({ kind: 'fill', id, orderId, contractId: nq, side: 'buy', qty, price: 21_000, session: today, time: morning + id, active: true, ...changes })
const row = (bought: number, sold: number, changes: Partial<PositionFact> = {}): Fact => {
  const before = changes.before ?? 0
  return { kind: 'position', id: 900, accountId: 7, contractId: nq, session: today, net: before + bought - sold, before, bought, sold, netPrice: null, time: morning, ...changes }
}
const bookOf = (...facts: readonly Fact[]): Book => {
  const book = createBook(7)
  for (const fact of facts) book.take(fact)
  return book
}

describe('a position', () => {
  it.each<[string, Fact[], number, boolean]>([
    ['is flat without facts', [], 0, true],
    ['is the sum of its fills', [fill(1, 50, 2), fill(2, 51, 1, { side: 'sell' })], 1, true],
    ['counts a fill once, however often it arrives', [fill(1, 50, 2), fill(1, 50, 2)], 2, true],
    ['starts from the carried-over position', [row(0, 0, { before: -3 }), fill(1, 50, 2)], -1, true],
    ['is not settled while the row includes a fill still to come', [fill(1, 50, 2), row(3, 0)], 2, false],
    ['is not settled either if the missing fill is a sale', [fill(1, 50, 2), row(2, 1)], 2, false],
    ['is settled if fills are ahead of the row', [row(2, 0), fill(1, 50, 2), fill(2, 50, 1)], 3, true],
    ['goes by the newest row, not the last to arrive', [row(3, 0, { time: morning + 9 }), row(1, 0, { time: morning + 1 }), fill(1, 50, 1)], 1, false],
    ['orders rows with the same time by contracts traded', [row(3, 0), row(1, 0), fill(1, 50, 1)], 1, false],
    ['ignores a busted fill', [fill(1, 50, 2), fill(2, 50, 1), fill(2, 50, 1, { active: false })], 2, true],
    ['ignores it if the bust arrived first too', [fill(2, 50, 1, { active: false }), fill(2, 50, 1)], 0, true],
    ['is settled after a bust that the row still counts, if the net agrees', [fill(1, 50, 2), fill(1, 50, 2, { active: false }), row(2, 2)], 0, true],
    ['is settled after a bust by a row of the same time that includes it', [fill(1, 50, 2), row(2, 0), fill(1, 50, 2, { active: false }), row(0, 0)], 0, true],
    ['is settled after a bust by a row with the previous fill’s time', [fill(1, 50, 2), row(2, 0), fill(2, 51, 1), row(3, 0, { time: morning + 9 }), fill(2, 51, 1, { active: false }), row(2, 0, { time: morning + 1 })], 2, true],
    ['is not settled after a bust by an older row of the same time with other fills', [row(3, 0), fill(1, 50, 2), fill(1, 50, 2, { active: false }), row(1, 0)], 0, false],
    ['is not settled after a bust until the row includes it', [row(2, 0), fill(1, 50, 2, { active: false })], 0, false],
    ['ignores another account’s row', [row(3, 0, { accountId: 8 })], 0, true],
    ['takes fills of a new session before its row arrives', [row(0, 0, { before: 1 }), fill(1, 50, 2), fill(2, 51, 1, { session: tomorrow })], 4, true],
    ['starts from the new row’s balance of earlier sessions', [fill(1, 50, 2), row(1, 0, { before: 2, session: tomorrow, time: morning + 5 }), fill(2, 51, 1, { session: tomorrow }), fill(3, 50, 1)], 3, true],
    ['ignores a row of an earlier session', [row(0, 0, { before: 2, session: tomorrow }), row(9, 0, { time: morning + 99 })], 2, true],
  ])('%s', (_name, facts, net, settled) => {
    const book = bookOf(...facts)
    expect([book.net(nq), book.settled(nq)]).toEqual([net, settled])
  })

  it('carries over the session roll, and yesterday’s fills received again change nothing', () => {
    const book = bookOf(row(0, 0, { before: 1 }), fill(1, 50, 2))
    book.sessionRoll(tomorrow)
    for (const fact of [fill(1, 50, 2), row(2, 0, { before: 1 })]) book.take(fact)
    expect([book.net(nq), book.settled(nq)]).toEqual([3, true])
    book.take(fill(2, 52, 1, { session: tomorrow, side: 'sell' }))
    book.sessionRoll('2026-03-05')
    for (const fact of [fill(1, 50, 2), row(2, 0, { before: 1 })]) book.take(fact)
    expect([book.net(nq), book.row(nq)]).toEqual([2, null])
    for (const fact of [row(0, 1, { before: 3, session: tomorrow, id: 901 }), fill(2, 52, 1, { session: tomorrow, side: 'sell' })]) book.take(fact)
    expect([book.net(nq), book.settled(nq)]).toEqual([2, true])
  })

  it('continues when the broker dates its session differently from the calendar', () => {
    const book = bookOf(row(0, 0, { before: 1 }), fill(1, 50, 2))
    book.sessionRoll(tomorrow, new Set([nq]))
    book.take(fill(2, 52, 1))
    expect(book.net(nq)).toBe(4)
  })

  it('is flat after the roll when the broker no longer lists it, unless a row arrived since', () => {
    const closed = bookOf(row(0, 0, { before: 1 }), fill(1, 50, 2))
    expect(closed.sessionRoll(tomorrow, new Set([nq]))).toEqual([])
    expect(closed.sessionRoll(tomorrow, new Set())).toEqual([nq])
    for (const fact of [fill(1, 50, 2)]) closed.take(fact)
    expect([closed.net(nq), closed.settled(nq)]).toEqual([0, true])
    closed.take(row(0, 0, { before: 3, session: tomorrow }))
    expect(closed.net(nq)).toBe(3)
    const traded = bookOf(fill(1, 50, 2), fill(2, 51, 1, { session: tomorrow }))
    expect(traded.sessionRoll(tomorrow, new Set())).toEqual([])
    expect(traded.net(nq)).toBe(3)
  })

  it('is what its session carried over when a bust leaves no row of it, until lists are certain to have that', () => {
    const carried = row(1, 0, { before: 2, session: tomorrow })
    const busted = [fill(1, 50, 1, { session: tomorrow }), fill(1, 50, 1, { session: tomorrow, active: false })]
    const book = bookOf(carried, ...busted)
    expect([book.net(nq), book.settled(nq)]).toEqual([2, false])
    book.sessionRoll(today, new Set())
    expect([book.net(nq), book.settled(nq)]).toEqual([2, true])
    book.sessionRoll(tomorrow, new Set())
    expect([book.net(nq), book.settled(nq)]).toEqual([0, true])
    const flat = bookOf(row(1, 0, { session: tomorrow }), ...busted)
    flat.sessionRoll(today, new Set())
    expect([flat.net(nq), flat.settled(nq)]).toEqual([0, true])
  })

  it('is corrected by its row when a list was read before its first fill and received after it', () => {
    const book = bookOf(fill(1, 50, 2))
    book.sessionRoll(tomorrow, new Set())
    book.take(row(2, 0))
    expect([book.net(nq), book.settled(nq)]).toEqual([2, true])
  })
})

describe('an order', () => {
  const take = (...facts: readonly Fact[]) => {
    const book = bookOf(...facts)
    const { filled, left, final } = book.order(50) ?? { filled: null, left: null, final: null }
    return { filled, left, final, working: book.working(nq).length }
  }

  it.each<[string, Fact[], ReturnType<typeof take>]>([
    ['is in flight with all of its contracts', [order(50), version(60, 50, 3)], { filled: 0, left: 3, final: false, working: 1 }],
    ['is in flight with what has not filled', [version(60, 50, 3), fill(1, 50, 2), order(50)], { filled: 2, left: 1, final: false, working: 1 }],
    ['goes by the version with the highest id', [order(50), version(61, 50, 5), version(60, 50, 3)], { filled: 0, left: 5, final: false, working: 1 }],
    ['of unknown quantity is reported as such', [order(50)], { filled: 0, left: null, final: false, working: 1 }],
    ['that filled waits for its missing fills', [order(50, { status: 'Filled' }), version(60, 50, 3, { type: 'Stop' }), fill(1, 50, 1)], { filled: 1, left: 2, final: false, working: 0 }],
    ['that filled is final with its last fill', [order(50, { status: 'Filled' }), version(60, 50, 3), fill(1, 50, 3)], { filled: 3, left: 0, final: true, working: 0 }],
    ['that was canceled has its fills read again', [order(50), version(60, 50, 3), order(50, { status: 'Canceled' })], { filled: 0, left: 0, final: false, working: 0 }],
    ['does not work again if an earlier state arrives late', [order(50, { status: 'Canceled' }), version(60, 50, 3), order(50)], { filled: 0, left: 0, final: false, working: 0 }],
    ['that was rejected is final at once', [order(50, { status: 'Rejected' }), version(60, 50, 3)], { filled: 0, left: 0, final: true, working: 0 }],
    ['whose fill was busted does not wait for another', [order(50, { status: 'Filled' }), version(60, 50, 3), fill(1, 50, 2), fill(2, 50, 1, { active: false })], { filled: 2, left: 0, final: true, working: 0 }],
    ['of another account is ignored', [order(50, { accountId: 8 })], { filled: null, left: null, final: null, working: 0 }],
  ])('%s', (_name, facts, state) => {
    expect(take(...facts)).toEqual(state)
  })

  it('is final once its fills were read after it ended, and a fill received only then still counts', () => {
    const book = bookOf(order(50), version(60, 50, 3))
    expect(book.fillsRead(50)).toEqual([])
    book.take(order(50, { status: 'Canceled' }))
    expect(book.order(50)?.final).toBe(false)
    book.take(fill(1, 50, 1))
    book.fillsRead(50)
    expect([book.order(50)?.final, book.net(nq)]).toEqual([true, 1])
  })

  it('is found by its clOrdId and keeps the broker’s reject reason', () => {
    const report: Fact = { kind: 'report', id: 81, commandId: 70, rejectReason: 'MaxPosLimitReached', text: 'Too many' }
    const command: Fact = { kind: 'command', id: 70, orderId: 50, type: 'New', clOrdId: 'fb-1' }
    for (const facts of [[report, command, order(50)], [order(50), command, report]]) {
      const book = bookOf(...facts)
      expect([book.orderOf('fb-1'), book.clOrdIdOf(50), book.lastReport(50)?.rejectReason]).toEqual([50, 'fb-1', 'MaxPosLimitReached'])
    }
    // A modify under another clOrdId does not take the order over.
    const moved = bookOf(order(50), command, { ...command, id: 71, type: 'Modify', clOrdId: 'theirs' })
    expect([moved.clOrdIdOf(50), moved.orderOf('theirs')]).toEqual(['fb-1', 50])
    const silent = bookOf(order(50), command, { ...report, id: 82, rejectReason: null, text: null } as Fact)
    expect(silent.lastReport(50)).toBeNull()
  })

  it('is dropped at the session roll once final, and kept while it works', () => {
    const book = bookOf(order(50, { status: 'Filled' }), version(60, 50, 1), fill(1, 50, 1), order(51), version(61, 51, 2, { type: 'Stop' }), { kind: 'command', id: 70, orderId: 50, type: 'New', clOrdId: 'fb-1' })
    book.sessionRoll(tomorrow)
    expect(book.orderOf('fb-1')).toBe(50)
    book.take(row(0, 0, { before: 1, session: tomorrow }))
    book.sessionRoll(tomorrow)
    expect([book.order(50), book.orderOf('fb-1'), book.order(51)?.left, book.net(nq)]).toEqual([null, null, 2, 1])
  })
})

type Life = { readonly side: 'buy' | 'sell'; readonly fills: readonly number[]; readonly rest: number; readonly gap: number }
const lives = fc.array(
  fc.record<Life>({ side: fc.constantFrom('buy', 'sell'), fills: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }), rest: fc.nat(2), gap: fc.nat(1) }),
  { minLength: 1, maxLength: 8 },
)

// The facts a broker sends for these orders in time order, with the net after each fill.
const historyOf = (orders: readonly Life[], before: number) => {
  const facts: Fact[] = [row(0, 0, { before })]
  const nets = [before]
  let [bought, sold, time, id] = [0, 0, morning, 100]
  for (const [index, { side, fills, rest, gap }] of orders.entries()) {
    const orderId = 10 + index
    const qty = fills.reduce((sum, each) => sum + each, 0) + rest
    if (qty === 0) continue
    facts.push(order(orderId, { side, status: 'PendingNew', time }), version(1000 + index, orderId, qty), order(orderId, { side, time }))
    for (const each of fills) {
      id += 1
      time += gap
      if (side === 'buy') bought += each
      else sold += each
      nets.push(before + bought - sold)
      facts.push(fill(id, orderId, each, { side, time }), row(bought, sold, { before, time }))
    }
    facts.push(order(orderId, { side, status: rest === 0 ? 'Filled' : 'Canceled', time }))
  }
  return { facts, nets }
}

const summary = (book: Book) => ({
  net: book.net(nq),
  settled: book.settled(nq),
  working: book.working(nq).map(({ id }) => id),
  orders: Array.from({ length: 8 }, (_, index) => {
    const known = book.order(10 + index)
    return known === null ? null : [known.filled, known.left, known.final, known.status !== null && isEnded(known.status)]
  }),
})

describe('the laws of the book', () => {
  it('does not depend on the order of facts or on duplicates', () => {
    fc.assert(
      fc.property(lives, fc.integer({ min: -3, max: 3 }), fc.infiniteStream(fc.nat()), (orders, before, dice) => {
        const { facts, nets } = historyOf(orders, before)
        const shuffled = [...facts, ...facts.filter(() => (dice.next().value ?? 0) % 3 === 0)].map((fact) => ({ fact, at: dice.next().value ?? 0 })).toSorted((one, other) => one.at - other.at)
        const straight = bookOf(...facts)
        expect(summary(bookOf(...shuffled.map(({ fact }) => fact)))).toEqual(summary(straight))
        expect(summary(straight)).toMatchObject({ net: nets.at(-1), settled: true, working: [] })
      }),
      { numRuns: 300 },
    )
  })

  it('never calls a net settled that is behind the broker’s rows', () => {
    fc.assert(
      fc.property(lives, fc.integer({ min: -3, max: 3 }), fc.infiniteStream(fc.nat()), (orders, before, dice) => {
        const { facts, nets } = historyOf(orders, before)
        const fills = facts.filter(({ kind }) => kind === 'fill')
        // Rows come in any order and repeat; fills come in order, but late.
        const rows = facts.filter(({ kind }) => kind === 'position').flatMap((fact, index) => [{ fact, index }, { fact, index }]).map((each) => ({ ...each, at: dice.next().value ?? 0 })).toSorted((one, other) => one.at - other.at)
        const book = createBook(7)
        let [known, newest] = [0, -1]
        let nextRow = 0
        while (known < fills.length || nextRow < rows.length) {
          const next = rows[nextRow]
          const takesRow = next !== undefined && (newest < 0 || known === fills.length || (dice.next().value ?? 0) % 2 === 0)
          if (takesRow) {
            book.take(next.fact)
            newest = Math.max(newest, next.index)
            nextRow += 1
          } else {
            book.take(fills[known] as Fact)
            known += 1
          }
          if (book.settled(nq)) expect(book.net(nq)).toBe(nets[Math.max(known, newest)])
          else expect(newest).toBeGreaterThan(known)
        }
        expect(book.settled(nq)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

it('an account’s cash is its balance in its own currency', () => {
  const book = createBook(7)
  const cash = (currencyId: number, amount: number, session = '2026-03-02') => book.take({ kind: 'cash', accountId: 7, session, currencyId, amount, startOfDay: null, realized: null })
  cash(2, 25_000)
  expect(book.cash()?.amount).toBe(25_000)
  cash(1, 500_000)
  cash(2, 26_000, '2026-03-03')
  expect(book.cash()).toMatchObject({ currencyId: 1, amount: 500_000 })
  cash(1, 510_000, '2026-03-03')
  cash(1, 500_000, '2026-03-02')
  expect(book.cash()).toMatchObject({ currencyId: 1, amount: 510_000, session: '2026-03-03' })
})

describe('an order from before the listed session', () => {
  const past = (id: number, qty: number, active = true): PastFill => ({ id, orderId: 50, qty, active, time: morning + id })
  it.each<[string, readonly PastFill[], readonly Fact[], number, number]>([
    ['counts what it filled before, though no fill is listed', [past(1, 2)], [], 2, 2],
    ['counts a fill once that is listed again', [past(1, 2)], [fill(1, 50, 2)], 2, 2],
    ['counts the fills of the session besides', [past(1, 2)], [fill(2, 50, 1, { session: tomorrow })], 3, 1],
    ['counts no fill that was busted, and expects it no more', [past(1, 2), past(2, 1, false)], [], 2, 1],
    ['counts a fill no more that is busted since', [past(1, 2)], [fill(1, 50, 2, { active: false })], 0, 2],
  ])('%s', (_name, fills, facts, filled, left) => {
    const book = createBook(7)
    book.remember(fills)
    for (const fact of [order(50), version(51, 50, 4, { type: 'Limit', timeInForce: 'GTC' }), row(0, 0, { before: 2, session: tomorrow }), ...facts]) book.take(fact)
    book.remember(fills)
    expect([book.order(50), book.net(nq)]).toMatchObject([{ filled, left }, 2 + facts.reduce((sum, fact) => sum + (fact.kind === 'fill' && fact.session === tomorrow ? fact.qty : 0), 0)])
  })

  it('leaves positions alone: a fill that is listed again still counts there', () => {
    const book = createBook(7)
    book.remember([past(1, 2)])
    expect(book.net(nq)).toBe(0)
    for (const fact of [order(50), version(51, 50, 4), row(2, 0), fill(1, 50, 2)]) book.take(fact)
    expect([book.net(nq), book.settled(nq)]).toEqual([2, true])
  })

  it('lists what its fills are until it ends, and no order of the day', () => {
    const lasting = (timeInForce: string | null, type = 'Limit', status: OrderFact['status'] = 'Working') =>
      bookOf(order(50, { status }), version(51, 50, 4, { type, timeInForce }), fill(1, 50, 2)).lasting().map(({ id, qty }) => [id, qty])
    expect([lasting('GTC'), lasting('GTD'), lasting(null), lasting('Day'), lasting('GTC', 'Market'), lasting('GTC', 'Limit', 'Canceled')]).toEqual([[[1, 2]], [[1, 2]], [[1, 2]], [], [], []])
  })
})
