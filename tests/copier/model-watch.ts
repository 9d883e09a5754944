import type { FloorEvent } from '#demo-broker/rows.ts'
import { priceOf } from '#demo-broker/contracts.ts'
import type { FollowerRule } from '#shared/api/copier.ts'
import { tradedContracts, type Band, type ModelWorld, type Seat } from './model-world.ts'

/** An order as the brokerage reported it. */
export type SeenOrder = {
  readonly id: number
  readonly accountId: number
  readonly contract: string
  readonly side: 1 | -1
  status: string
  type: string
  qty: number
  filled: number
  price: number | null
  /** Null for a hand's. */
  clOrdId: string | null
  /** The number of order events, up to the newest one of this order. */
  changed: number
}

/** The brokerage's side of what happens, kept from its own events; a copier that does what it must not is found out at the event. */
export type Watch = {
  readonly net: (seat: Seat, contract: string) => number
  /** Working orders of an account, oldest first. */
  readonly working: (seat: Seat) => SeenOrder[]
  readonly ordersOf: (seat: Seat) => SeenOrder[]
  /** Where a follower should stand in its contract. */
  readonly target: (band: Band, rule: FollowerRule, leaderContract: string) => { readonly contract: string; readonly target: number }
  /** Places what a hand trades, which may bring an account anywhere. */
  readonly byHand: (seat: Seat, contract: string, qty: number, place: () => void) => void
  /** From now on a follower's position has to stay between its current size and its targets. */
  readonly inStep: (seat: Seat, contract: string) => void
  /** What went wrong so far. */
  readonly faults: () => readonly string[]
}

/** Where the copier may bring a contract, and as many contracts as hands and exits may have put it beside that. */
type Range = { lo: number; hi: number; beside: number }

/** Product of a contract's name. */
export const productOf = (contract: string): string => contract.slice(0, -2)

/** Ratio × factor × leader, rounded toward zero, within the cap. */
export const scaled = (rule: FollowerRule, leaderContract: string, leader: number): number => {
  const factor = rule.mappings.find(({ from }) => from === productOf(leaderContract))?.factor ?? { num: 1, den: 1 }
  const size = Math.floor((Math.abs(leader) * rule.ratio.num * factor.num) / (rule.ratio.den * factor.den))
  return Math.sign(leader) * Math.min(size, rule.contractCap ?? size) + 0
}

/** The contract that follows a leader's. */
export const followed = (rule: FollowerRule, leaderContract: string): string => {
  const to = rule.mappings.find(({ from }) => from === productOf(leaderContract))?.to
  return to === undefined ? leaderContract : `${to}${leaderContract.slice(-2)}`
}

/** Watches a world from its beginning. */
export const watchFloor = (world: Pick<ModelWorld, 'floor' | 'bands' | 'seats'>): Watch => {
  const contracts = new Map(tradedContracts.map((contract) => [contract.id, contract]))
  const nets = new Map<string, number>()
  const orders = new Map<number, SeenOrder>()
  const versions = new Map<number, { id: number; type: string; qty: number; price: number | null }>()
  const ranges = new Map<string, Range>()
  const clOrdIds = new Map<string, number>()
  const senders = new Map<number, string | null>()
  const faults: string[] = []
  const followers = new Map<number, { readonly band: Band; readonly rule: FollowerRule }>()
  for (const band of world.bands) for (const { seat, rule } of band.followers) followers.set(seat.id, { band, rule })
  const leaders = new Map(world.bands.map((band) => [band.leader.id, band]))
  let hand = false
  let changes = 0

  const keyOf = (accountId: number, contract: string): string => `${accountId}/${contract}`
  const netOf = (accountId: number, contract: string): number => nets.get(keyOf(accountId, contract)) ?? 0
  const rangeOf = (accountId: number, contract: string): Range => {
    const key = keyOf(accountId, contract)
    const range = ranges.get(key) ?? { lo: 0, hi: 0, beside: 0 }
    ranges.set(key, range)
    return range
  }
  const widen = (range: Range, to: number): void => {
    range.lo = Math.min(range.lo, to)
    range.hi = Math.max(range.hi, to)
  }
  const blame = (what: string): void => void faults.push(what)

  const sent = (row: FloorEvent['entity'], orderId: number): void => {
    const clOrdId = typeof row['clOrdId'] === 'string' ? row['clOrdId'] : null
    const isNew = row['commandType'] === 'New'
    if (isNew) senders.set(orderId, clOrdId)
    if (hand || clOrdId === null) return
    if (row['isAutomated'] !== true) blame(`order ${orderId} (${clOrdId}) is not marked as automated`)
    if (!isNew) return
    const before = clOrdIds.get(clOrdId)
    if (before !== undefined && before !== orderId) blame(`orders ${before} and ${orderId} are both ${clOrdId}`)
    clOrdIds.set(clOrdId, orderId)
  }

  const moved = (accountId: number, contract: string, net: number): void => {
    nets.set(keyOf(accountId, contract), net)
    const band = leaders.get(accountId)
    if (band !== undefined) {
      for (const { seat, rule } of band.followers) widen(rangeOf(seat.id, followed(rule, contract)), scaled(rule, contract, net))
    }
    if (!followers.has(accountId)) return
    const { lo, hi, beside } = rangeOf(accountId, contract)
    if (net < Math.min(lo, 0) - beside || net > Math.max(hi, 0) + beside) blame(`account ${accountId} went to ${net} ${contract}, outside of ${lo} to ${hi} by more than ${beside}`)
  }

  const heard = ({ entityType, entity: row }: FloorEvent): void => {
    const number = (field: string): number => Number(row[field])
    const contract = contracts.get(number('contractId'))
    switch (entityType) {
      case 'command':
        return sent(row, number('orderId'))
      case 'order': {
        const known = orders.get(row.id)
        if (known !== undefined) Object.assign(known, { status: String(row['ordStatus']), changed: (changes += 1) })
        else {
          const version = versions.get(row.id)
          const clOrdId = senders.get(row.id) ?? null
          if (!hand && clOrdId === null && followers.has(number('accountId'))) blame(`order ${row.id} of ${number('accountId')} came from nobody`)
          orders.set(row.id, { id: row.id, accountId: number('accountId'), contract: contract?.name ?? '', side: row['action'] === 'Buy' ? 1 : -1, status: String(row['ordStatus']), type: version?.type ?? '', qty: version?.qty ?? 0, price: version?.price ?? null, filled: 0, clOrdId, changed: (changes += 1) })
        }
        return
      }
      case 'orderVersion': {
        const price = row['stopPrice'] ?? row['price']
        const version = { id: row.id, type: String(row['orderType']), qty: number('orderQty'), price: typeof price === 'number' ? price : null }
        const order = orders.get(number('orderId'))
        versions.set(number('orderId'), version)
        if (order !== undefined) Object.assign(order, { type: version.type, qty: version.qty, price: version.price })
        return
      }
      case 'fill': {
        const order = orders.get(number('orderId'))
        if (order === undefined) return
        Object.assign(order, { filled: order.filled + number('qty'), changed: (changes += 1) })
        // A close leaves its exits at work until it has filled, and one that fills meanwhile goes beyond flat until that is closed.
        if (order.clOrdId !== null && order.type !== 'Market') rangeOf(order.accountId, order.contract).beside += number('qty')
        return
      }
      case 'position':
        if (contract !== undefined) moved(number('accountId'), contract.name, number('netPos'))
    }
  }
  world.floor.listen(heard)

  return {
    net: ({ id }, contract) => netOf(id, contract),
    working: ({ id }) => [...orders.values()].filter((order) => order.accountId === id && ['Working', 'PendingNew', 'Suspended'].includes(order.status)),
    ordersOf: ({ id }) => [...orders.values()].filter(({ accountId }) => accountId === id),
    target: (band, rule, leaderContract) => ({ contract: followed(rule, leaderContract), target: scaled(rule, leaderContract, netOf(band.leader.id, leaderContract)) }),
    byHand: ({ id }, contract, qty, place) => {
      rangeOf(id, contract).beside += qty
      hand = true
      place()
      hand = false
    },
    inStep: ({ id }, contract) => {
      const net = netOf(id, contract)
      ranges.set(keyOf(id, contract), { lo: net, hi: net, beside: 0 })
      const known = followers.get(id)
      if (known === undefined) return
      for (const from of known.band.contracts) {
        if (followed(known.rule, from) === contract) widen(rangeOf(id, contract), scaled(known.rule, from, netOf(known.band.leader.id, from)))
      }
    },
    faults: () => faults,
  }
}

/** A price of a contract as the wire has it. */
export const wirePrice = (contract: string, ticks: number): number => {
  const found = tradedContracts.find(({ name }) => name === contract)
  return found === undefined ? 0 : priceOf(found.product, ticks)
}
