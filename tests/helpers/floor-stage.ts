import { createFaults, orderFaults, type FaultInput } from '#tests/demo-broker/faults.ts'
import type { FloorEvent } from '#demo-broker/rows.ts'
import type { OrderRequest } from '#demo-broker/order-requests.ts'
import { openMarket, type Market } from '#demo-broker/market.ts'
import { handOn, stateOfFloor, type Hand } from '#tests/demo-broker/hand.ts'
import { floorWorld } from '#tests/demo-broker/floor-world.ts'

/** The session of the stage, a Thursday. */
export const ANCHOR = '2026-11-19'
/** The contract whose price is 25,000 at first. */
export const NQ = 'NQZ6'
/** The two logins of the stage. */
export const [AVA, BEN] = [9101, 9102]
/** Two accounts of the first login, and one of the second. */
export const [FIRST, SECOND, BENS] = [730_001, 730_002, 730_003]
/** Both as they trade. */
export const ava = { userId: AVA, environment: 'demo' } as const
export const ben = { userId: BEN, environment: 'demo' } as const

/** A market with a listener. */
export type Stage = Market & {
  readonly hand: Hand
  readonly events: FloorEvent[]
  /** Changes pushed since the last call, as `order Working`. */
  readonly pushed: () => string[]
  readonly faults: ReturnType<typeof createFaults>
  /** Runs delayed work. */
  readonly wait: () => void
}

/** Opens a market of simulated accounts, with faults and positions where they are given; nothing is listening on a port. */
export const open = (given: { readonly faults?: readonly FaultInput[]; readonly positions?: Parameters<typeof floorWorld>[1]['openPositions'] } = {}): Stage => {
  const faults = createFaults()
  faults.set(given.faults ?? [])
  let putOff: (() => void)[] = []
  const world = floorWorld(ANCHOR, { kind: 'floor', logins: [{ name: 'ava', live: 0, demo: 2 }, { name: 'ben', live: 0, demo: 1 }], openPositions: given.positions ?? [] })
  const market = openMarket(world, { begin: undefined, hooks: orderFaults({ faults, later: (_, act) => void putOff.push(act) }), wallNow: Date.now })
  const hand = handOn(market)
  const events: FloorEvent[] = []
  let asked = 0
  market.floor.listen((event) => events.push(event))
  hand.setPrice(NQ, 25_000)
  return {
    ...market, faults, hand, events,
    pushed: () => {
      const fresh = events.slice(asked).map(({ entityType, entity }) => [entityType, entity['ordStatus'] ?? entity['commandStatus'] ?? entity['execType']].filter((part) => part !== undefined).join(' '))
      asked = events.length
      return fresh
    },
    wait: () => {
      const due = putOff
      putOff = []
      for (const act of due) act()
    },
  }
}

/** An order to buy one contract at the market on the first account, by default. */
export const order = (given: Partial<OrderRequest> = {}): OrderRequest =>
  ({ accountId: FIRST, accountSpec: `DEMO${FIRST}`, action: 'Buy', symbol: NQ, orderQty: 1, orderType: 'Market', timeInForce: 'Day', isAutomated: false, ...given })

/** What an account holds of each contract, and how its orders stand: `Filled 2`. */
export const stateOf = (market: Market, accountId: number = FIRST) => {
  const account = stateOfFloor(market).find((each) => each.accountId === accountId)
  return { net: account?.positions.map(({ net }) => net), orders: account?.orders.map(({ status, filled }) => `${status} ${filled}`) }
}

/** The rows that a login sees. */
export const rowsOf = ({ views }: Market, entity: string, userId: number = AVA) => views.of(userId, 'demo')?.rows(entity) ?? []

/** The id of an order that was taken; throws where it was not. */
export const placed = (answer: object): number => {
  if (!('orderId' in answer)) throw new Error(JSON.stringify(answer))
  return Number(answer.orderId)
}
