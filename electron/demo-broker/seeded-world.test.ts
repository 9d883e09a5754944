// @module-tag slow
import { describe, expect, it } from 'vitest'
import { chicagoTime, sessionAt, sessionOpen, weekday } from './calendar.ts'
import { frontMonth, productNamed } from './contracts.ts'
import { keepBooks } from './books.ts'
import { DEFAULT_SEED, seededWorld } from './seeded-world.ts'
import type { Execution, World } from './world.ts'

const ANCHOR = '2026-11-20'
const world = seededWorld(DEFAULT_SEED, ANCHOR)
const END = world.walk.at(-1)?.at ?? 0
const books = keepBooks(world.executions, END)

const byMoment = (fills: readonly Execution[]): Execution[][] => {
  const groups = new Map<string, Execution[]>()
  for (const fill of fills) {
    const key = `${fill.accountId}/${fill.contract.id}/${fill.time}`
    groups.set(key, [...(groups.get(key) ?? []), fill])
  }
  return [...groups.values()]
}

const netBefore = (fill: Execution): number =>
  world.executions
    .filter((each) => each.accountId === fill.accountId && each.contract.id === fill.contract.id && each.bustedAt === null && each.id < fill.id)
    .reduce((net, each) => net + (each.action === 'Buy' ? each.qty : -each.qty), 0)

const serialize = (generated: World): string => JSON.stringify([generated.orders, generated.executions, [...generated.positionIds], generated.walk])

describe('the seeds', () => {
  it('generate the same world for the same seed and anchor, and another for another seed', () => {
    expect(serialize(seededWorld(DEFAULT_SEED, ANCHOR))).toBe(serialize(world))
    expect(serialize(seededWorld(DEFAULT_SEED + 1, ANCHOR))).not.toBe(serialize(world))
  })

  it('keep earlier sessions when the anchor moves', () => {
    const later = seededWorld(DEFAULT_SEED, '2026-11-24')
    const shared = later.sessions.filter((session) => world.sessions.includes(session)).slice(1)
    expect(shared).toHaveLength(9)
    const rows = ({ executions }: World) => executions.filter(({ session }) => shared.includes(session))
    expect(rows(later)).toEqual(rows(world))
  })

  it('hold twelve weekday sessions that end with the anchor', () => {
    expect(world.sessions).toHaveLength(12)
    expect(world.sessions.at(-1)).toBe(ANCHOR)
    expect(world.sessions.every((session) => weekday(session) >= 1 && weekday(session) <= 5)).toBe(true)
  })

  it('give five accounts of two logins 8 to 25 orders in each session', () => {
    expect(world.logins).toHaveLength(2)
    for (const account of world.accounts) {
      for (const session of world.sessions) {
        const orders = world.orders.filter((order) => order.accountId === account.id && order.session === session)
        expect(orders.length, `${account.name} ${session}`).toBeGreaterThanOrEqual(8)
        expect(orders.length, `${account.name} ${session}`).toBeLessThanOrEqual(25)
      }
    }
  })

  it('put every fill into its session, before 15:55 Chicago, after its order', () => {
    const orders = new Map(world.orders.map((order) => [order.id, order]))
    for (const fill of world.executions) {
      expect(sessionAt(fill.time)).toBe(fill.session)
      expect(fill.time).toBeLessThan(sessionOpen(fill.session) + (22 * 60 + 55) * 60_000)
      expect(orders.get(fill.orderId)?.time).toBeLessThan(fill.time)
    }
  })

  it('fill each filled order to its quantity and no canceled one', () => {
    for (const order of world.orders) {
      const filled = world.executions.filter(({ orderId }) => orderId === order.id).reduce((sum, { qty }) => sum + qty, 0)
      expect(filled).toBe(order.outcome === 'Filled' ? order.qty : 0)
    }
    expect(world.orders.some(({ outcome }) => outcome === 'Canceled')).toBe(true)
  })

  it('have unique ids above 2^32 that grow with time', () => {
    const ids = world.executions.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(Math.min(...ids)).toBeGreaterThan(2 ** 32)
    const all = [...ids, ...world.orders.flatMap(({ id, versionId }) => [id, versionId]), ...world.positionIds.values(), ...books.pairs.map(({ id }) => id)]
    expect(new Set(all).size).toBe(all.length)
  })

  it('trade the front month under its one-digit year', () => {
    expect(frontMonth(productNamed('MES'), ANCHOR).name).toBe('MESZ6')
    expect(frontMonth(productNamed('CL'), ANCHOR).name).toBe('CLF7')
    expect(frontMonth(productNamed('MGC'), '2026-12-01').name).toBe('MGCG7')
    expect(new Set(world.executions.map(({ contract }) => contract.product.name)).size).toBeGreaterThanOrEqual(10)
  })
})

describe('edge cases in the seeds', () => {
  it('fill one order in several pieces in the same millisecond', () => {
    const pieces = byMoment(world.executions).filter((group) => group.length > 1 && new Set(group.map(({ orderId }) => orderId)).size === 1)
    expect(pieces.length).toBeGreaterThan(50)
    expect(pieces.some((group) => group.length > 2)).toBe(true)
    expect(pieces.some((group) => new Set(group.map(({ ticks }) => ticks)).size > 1)).toBe(true)
  })

  it('fill two orders of one contract in the same millisecond', () => {
    expect(byMoment(world.executions).some((group) => new Set(group.map(({ orderId }) => orderId)).size > 1)).toBe(true)
  })

  it('scale in: a position grows by a second order', () => {
    expect(world.executions.some((fill) => {
      const net = netBefore(fill)
      return net !== 0 && net > 0 === (fill.action === 'Buy') && !byMoment(world.executions).some((group) => group.includes(fill) && group.length > 1)
    })).toBe(true)
  })

  it('reverse a position with one fill', () => {
    expect(world.executions.some((fill) => {
      const net = netBefore(fill)
      return net !== 0 && net > 0 === (fill.action === 'Sell') && fill.qty > Math.abs(net)
    })).toBe(true)
  })

  it('hold a position over night and close it in the next session', () => {
    const held = books.pairs.filter(({ buy, sell }) => buy.session !== sell.session)
    expect(held.length).toBeGreaterThan(0)
    for (const { buy, sell } of held) expect(world.sessions.indexOf(sell.session) - world.sessions.indexOf(buy.session)).toBe(1)
  })

  it('bust a fill twenty minutes later and never match it', () => {
    const busted = world.executions.filter(({ bustedAt }) => bustedAt !== null)
    expect(busted.length).toBeGreaterThan(0)
    for (const fill of busted) {
      expect(fill.bustedAt).toBe(fill.time + 20 * 60_000)
      expect(books.paired.has(fill.id)).toBe(false)
      const before = keepBooks(world.executions, fill.time + 1)
      expect(before.positions.get(`${fill.session}/${fill.accountId}/${fill.contract.id}`)?.net.qty).toBe(3)
    }
  })

  it('trade in the evening, when the calendar still shows the day before', () => {
    expect(world.executions.some(({ time, session }) => time < chicagoTime(session, 0))).toBe(true)
  })

  it('trade in euros on one account and in dollars on all', () => {
    const currencies = (id: number) => new Set(books.cash.filter(({ accountId }) => accountId === id).map(({ currency }) => currency))
    expect(world.accounts.map(({ id }) => [...currencies(id)].sort())).toEqual([['USD'], ['USD'], ['USD'], ['EUR', 'USD'], ['USD']])
  })

  it('leave out the euros with dollarsOnly, and change nothing else', () => {
    const dollars = seededWorld(DEFAULT_SEED, ANCHOR, true)
    const generated = ({ executions }: typeof world) => executions.filter(({ contract }) => contract.product.currency === 'USD').map(({ accountId, time, qty, ticks }) => [accountId, time, qty, ticks].join())
    expect(generated(dollars)).toEqual(generated(world))
    expect(dollars.executions).toHaveLength(generated(world).length)
    expect(dollars.accounts.flatMap(({ cash }) => cash.map(({ currency }) => currency))).toEqual(['USD', 'USD', 'USD', 'USD', 'USD'])
  })

  it.each([ANCHOR, '2026-11-24', '2026-12-02', '2026-12-09'])('make believable traders up to %s: most end a little ahead, one behind', (anchor) => {
    const generated = seededWorld(DEFAULT_SEED, anchor)
    const { pairs, cash } = keepBooks(generated.executions, Infinity)
    const nets = generated.accounts.map((account) => {
      const net = cash.filter((each) => each.accountId === account.id && each.currency === 'USD').reduce((sum, { gross, fees }) => sum + gross - fees, 0)
      const own = pairs.filter(({ accountId }) => accountId === account.id)
      const rate = own.filter(({ gross }) => gross > 0).length / own.length
      expect(rate, account.name).toBeGreaterThanOrEqual(0.45)
      expect(rate, account.name).toBeLessThanOrEqual(0.6)
      expect(Math.abs(net) / (account.cash[0]?.opening ?? 1), account.name).toBeLessThan(0.4)
      return net
    })
    expect(nets.filter((net) => net > 0).length).toBeGreaterThanOrEqual(3)
    expect(nets[1]).toBeLessThan(0)
  })
})
