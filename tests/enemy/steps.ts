import { seeded } from '../helpers/seeded.ts'
import type { Side } from './market.ts'
import type { Fault, Host } from './world.ts'

/** How the rows of a new order's fills are disturbed; numbers count syncs. */
export type Trick = {
  /** Nothing at the broker knows of them before. */
  readonly late?: number
  /** The list leaves them out before; the position has them. */
  readonly listedLate?: number
  /** Only the reports have them. */
  readonly unlisted?: true
  readonly orderLate?: number
  readonly feeLate?: { readonly syncs: number; readonly before: 'none' | 'zero' | 'part' }
  readonly spoilt?: { readonly syncs: number; readonly field: 'price' | 'action' | 'qty' | 'timestamp' }
}

/** What a user writes on a fill pair, or does with it. */
export type Edit = 'note' | 'tag' | 'stop' | 'remove' | 'restore'

/** One thing that happens, to the market, at the broker or in the journal. `pick` from 0 to 1 chooses among what is there then. */
export type Step =
  | { readonly do: 'order'; readonly account: number; readonly contract: number; readonly side: Side; readonly qty: number; readonly pieces: number; /** From where the contract's price begins. */ readonly ticks: number; /** Seconds after what was before. */ readonly wait: number; readonly trick: Trick }
  | { readonly do: 'pass'; readonly hours: number }
  /** On to the next session. */
  | { readonly do: 'roll' }
  | { readonly do: 'bust' | 'correct' | 'replace' | 'retime'; readonly pick: number; readonly by: number }
  | { readonly do: Edit; readonly pick: number }
  | { readonly do: 'connect' }
  | { readonly do: 'sync'; /** Whether in the last minutes of the session. */ readonly atClose: boolean; readonly faults: readonly Fault[]; /** Which fills the list leaves out. */ readonly hide: readonly number[]; readonly shuffled: boolean; /** Positions are as they were so many seconds ago. */ readonly lag: number | null }
  | { readonly do: 'history' }

/** A drawn walk: the market's beginning, the accounts and what happens. */
export type Walk = { readonly seed: number; /** The first session, `YYYY-MM-DD`. */ readonly from: string; readonly accounts: readonly Host[]; readonly steps: readonly Step[] }

const paths = ['/account/list', '/cashBalance/list', '/fill/list', '/order/list', '/order/items', '/order/item', '/fillFee/list', '/fillFee/ldeps', '/fillPair/list', '/position/list', '/contract/items', '/contractMaturity/items', '/product/items', '/currency/list', '/reports/requestReport']
const kinds: readonly Fault['kind'][] = ['error', 'cut', 'half', 'denied']
const days = ['2026-02-26', '2026-03-05', '2026-05-13', '2026-07-30', '2026-10-29']

/** Draws the walk of a seed; `honest` leaves every trick out. */
export const drawWalk = (seed: number, honest = false): Walk => {
  const random = seeded(seed * 2_654_435 + 12_345)
  // The first numbers of neighboring seeds are neighbors.
  for (let skip = 0; skip < 8; skip += 1) random()
  const below = (count: number): number => Math.floor(random() * count)
  const of = <T>(values: readonly T[]): T => values[below(values.length)] as T
  const odds = (share: number): boolean => random() < share

  const trick = (): Trick => {
    if (honest || !odds(0.4)) return {}
    const syncs = 1 + below(2)
    switch (below(6)) {
      case 0: return { late: syncs }
      case 1: return { listedLate: syncs }
      case 2: return { unlisted: true }
      case 3: return { orderLate: syncs }
      case 4: return { feeLate: { syncs, before: of(['none', 'zero', 'part']) } }
      default: return { spoilt: { syncs, field: of(['price', 'action', 'qty', 'timestamp']) } }
    }
  }
  const accounts: Host[] = odds(0.3) ? ['demo', 'live'] : odds(0.4) ? ['demo', 'demo'] : ['demo']
  const busy = 1 + below(2)
  const order = (): Step => {
    const qty = 1 + below(4)
    return { do: 'order', account: below(accounts.length), contract: odds(0.7) ? 0 : 1 + below(busy + 1), side: odds(0.5) ? 'Buy' : 'Sell', qty, pieces: 1 + below(Math.min(qty, 3)), ticks: below(60) - 30, wait: 1 + below(900), trick: trick() }
  }
  const sync = (atClose = false): Step => {
    const faults = honest || !odds(0.25) ? [] : [{ path: of(paths), kind: of(kinds), times: odds(0.5) ? 1 : 99 }]
    const hide = honest || !odds(0.2) ? [] : Array.from({ length: 1 + below(3) }, random)
    return { do: 'sync', atClose, faults, hide, shuffled: !honest && odds(0.3), lag: honest || !odds(0.1) ? null : below(3_000) }
  }
  const edit = (): Step => ({ do: of(['note', 'note', 'tag', 'stop', 'remove', 'restore'] as const), pick: random() })
  const change = (): Step => ({ do: of(['bust', 'correct', 'replace', 'retime'] as const), pick: random(), by: 1 + below(20) })

  const steps: Step[] = []
  // What was held before the first connection.
  if (odds(0.5)) {
    for (let count = 1 + below(3); count > 0; count -= 1) steps.push({ ...order(), trick: {} } as Step)
    if (odds(0.7)) steps.push({ do: 'roll' })
  }
  for (let count = below(3); count > 0; count -= 1) steps.push(order())
  steps.push({ do: 'connect' })
  for (let session = 1 + below(3); session > 0; session -= 1) {
    for (let round = 1 + below(3); round > 0; round -= 1) {
      for (let count = 1 + below(4); count > 0; count -= 1) steps.push(order())
      if (odds(0.2)) steps.push({ do: 'pass', hours: 1 + below(4) })
      if (!honest && odds(0.3)) steps.push(change())
      steps.push(sync())
      if (odds(0.6)) steps.push(edit())
      if (odds(0.3)) steps.push(edit())
    }
    if (odds(0.6)) steps.push(sync(true))
    if (!honest && odds(0.1)) steps.push({ do: 'history' })
    steps.push({ do: 'roll' })
  }
  return { seed, from: of(days), accounts, steps }
}
