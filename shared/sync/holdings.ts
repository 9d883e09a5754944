import type { AccountKey, Side } from '#shared/fills/fill.ts'
import { compareFillIds } from '#shared/fills/order.ts'
import { sessionOf } from '#shared/market/session.ts'
import type { Ticks } from '#shared/money/price.ts'

/** The broker's position of an account in a contract, and what it traded in one session; positions are signed contracts. */
export type BrokerPosition = {
  readonly account: AccountKey
  readonly contract: string
  /** The session, `YYYY-MM-DD`. */
  readonly tradeDate: string
  /** Its last change, UTC ms. */
  readonly time: number
  readonly net: number
  /** At the end of the session before. */
  readonly carried: number
  readonly bought: number
  readonly sold: number
}

/** A buy and a sell that the broker matched in the session of a position. */
export type BrokerPair = Pick<BrokerPosition, 'account' | 'contract' | 'tradeDate'> & {
  readonly buyFillId: string
  readonly sellFillId: string
  readonly qty: number
  readonly buyPrice: Ticks
  readonly sellPrice: Ticks
}

/** The same according to the journal's fills. */
export type HeldFacts = Pick<BrokerPosition, 'account' | 'contract' | 'tradeDate' | 'bought' | 'sold'> & {
  /** The net of all fills before the session. */
  readonly before: number
  /** The session's first and last fill, UTC ms; null if there is none. */
  readonly first: number | null
  readonly last: number | null
}

/** A lot that was opened before the session and that the broker closed in it, according to its pairs. */
export type CarriedLot = Pick<BrokerPosition, 'account' | 'contract' | 'tradeDate'> & { readonly id: string; readonly side: Side; readonly qty: number; readonly price: Ticks }

/** A difference between the broker's books and the journal's fills; `broker` and `ours` count contracts, for `pairs-differ` pairs. */
export type HoldingTrouble = {
  readonly account: AccountKey
  readonly contract: string
  readonly kind:
    /** The session began with a different position. */
    | 'carried'
    /** The session began with the same position, but it is known only from the broker's pairs, without the fills' own times and fees. */
    | 'carried-from-pairs'
    /** The broker counts more bought or sold than the known fills. */
    | 'fills-missing'
    /** The journal has fills that the broker does not count, or a position that it does not have. */
    | 'position-differs'
    /** The fills agree, but the broker matched them differently. */
    | 'pairs-differ'
  readonly broker: number
  readonly ours: number
}

const keyOf = ({ account, contract }: Pick<BrokerPosition, 'account' | 'contract'>): string => `${account}\n${contract}`

/** The lots that a position carried into its session without a known opening fill, from the pairs that closed them, oldest first. */
export const carriedLots = (positions: readonly BrokerPosition[], pairs: readonly BrokerPair[], isKnown: (account: AccountKey, fillId: string) => boolean): CarriedLot[] => {
  const pairsOf = Map.groupBy(pairs, keyOf)
  return positions.flatMap((position) => {
    const { account, contract, tradeDate, carried } = position
    if (carried === 0) return []
    const side = carried > 0 ? 'buy' : 'sell'
    const lots = new Map<string, CarriedLot>()
    for (const pair of pairsOf.get(keyOf(position)) ?? []) {
      const [id, price] = side === 'buy' ? [pair.buyFillId, pair.buyPrice] : [pair.sellFillId, pair.sellPrice]
      if (pair.tradeDate !== tradeDate || isKnown(account, id)) continue
      lots.set(id, { account, contract, tradeDate, id, side, price, qty: pair.qty + (lots.get(id)?.qty ?? 0) })
    }
    // Anything beyond the carried quantity cannot have been opened before the session: those are missing fills of the session.
    let left = Math.abs(carried)
    const oldestFirst = [...lots.values()].sort((one, other) => compareFillIds(one.id, other.id))
    return oldestFirst.filter(({ qty }) => (left -= qty) >= 0)
  })
}

/** The time of a session's carried positions: before its opening, and before its first fill if a holiday's session begins earlier. UTC ms. */
export const sessionStart = (tradeDate: string, first: number | null): number => Math.min(sessionOf(tradeDate).opens, first ?? Infinity) - 1

/** Compares the broker's position with the journal's fills, and names the differences. */
export const comparePosition = ({ account, contract, net, carried, bought, sold }: BrokerPosition, facts: HeldFacts): HoldingTrouble[] => {
  const troubles: HoldingTrouble[] = []
  if (carried !== facts.before) troubles.push({ account, contract, kind: 'carried', broker: carried, ours: facts.before })
  if (bought > facts.bought || sold > facts.sold) troubles.push({ account, contract, kind: 'fills-missing', broker: bought + sold, ours: facts.bought + facts.sold })
  else if (bought < facts.bought || sold < facts.sold) troubles.push({ account, contract, kind: 'position-differs', broker: net, ours: facts.before + facts.bought - facts.sold })
  return troubles
}

/** A fill pair of the journal, by its fills' ids. */
export type OwnPair = { readonly opening: string; readonly closing: string; readonly qty: number }

/** Counts the broker's pairs of one account, contract and session, and how many of them the journal has with the same quantity. */
export const agreeingPairs = (broker: readonly BrokerPair[], ours: readonly OwnPair[]): { readonly broker: number; readonly ours: number; readonly isSame: boolean } => {
  const own = new Map(ours.map(({ opening, closing, qty }) => [[opening, closing].sort().join(), qty]))
  const wanted = new Map<string, number>()
  for (const { buyFillId, sellFillId, qty } of broker) {
    const key = [buyFillId, sellFillId].sort().join()
    wanted.set(key, qty + (wanted.get(key) ?? 0))
  }
  const agreeing = [...wanted].filter(([key, qty]) => own.get(key) === qty).length
  return { broker: wanted.size, ours: agreeing, isSame: agreeing === wanted.size && own.size === wanted.size }
}
