import type { AccountKey, Side } from '#shared/fills/fill.ts'
import { compareFillIds } from '#shared/fills/order.ts'
import { sessionOf } from '#shared/market/session.ts'
import type { Ticks } from '#shared/money/price.ts'

/** What the broker says that an account holds of a contract, and what it traded of it in one session; contracts are signed where they are a position. */
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

/** What the journal's fills say of the same. */
export type HeldFacts = Pick<BrokerPosition, 'account' | 'contract' | 'tradeDate' | 'bought' | 'sold'> & {
  /** The net of all fills before the session. */
  readonly before: number
  /** The first and the last fill of the session, UTC ms; null where there is none. */
  readonly first: number | null
  readonly last: number | null
}

/** A lot that was opened before the session and that the broker closed in it, as far as its pairs say. */
export type CarriedLot = Pick<BrokerPosition, 'account' | 'contract' | 'tradeDate'> & { readonly id: string; readonly side: Side; readonly qty: number; readonly price: Ticks }

/** Where the broker's books and the journal's fills part; `broker` and `ours` count contracts, of `pairs-differ` pairs. */
export type HoldingTrouble = {
  readonly account: AccountKey
  readonly contract: string
  readonly kind:
    /** The position that the session began with is not ours. */
    | 'carried'
    /** It is, but only as the broker's pairs tell it: without the fill's own time and fee. */
    | 'carried-from-pairs'
    /** The broker counts more bought or sold than the fills that are known. */
    | 'fills-missing'
    /** Fills are known that the broker does not count, or a position that it does not have. */
    | 'position-differs'
    /** The fills agree, and the broker matched them otherwise. */
    | 'pairs-differ'
  readonly broker: number
  readonly ours: number
}

const keyOf = ({ account, contract }: Pick<BrokerPosition, 'account' | 'contract'>): string => `${account}\n${contract}`

/** The lots that a position carried into its session and that no known fill opened, from the pairs that closed them, the oldest first. */
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
    // More than was carried can't have been opened before the session: those are fills of the session that are missing.
    let left = Math.abs(carried)
    const oldestFirst = [...lots.values()].sort((one, other) => compareFillIds(one.id, other.id))
    return oldestFirst.filter(({ qty }) => (left -= qty) >= 0)
  })
}

/** The moment at which a session's carried positions are known: before its opening, and before its first fill where a holiday's session begins earlier. UTC ms. */
export const sessionStart = (tradeDate: string, first: number | null): number => Math.min(sessionOf(tradeDate).opens, first ?? Infinity) - 1

/** Holds the broker's position against the journal's fills, and names where they part. */
export const holdAgainst = ({ account, contract, net, carried, bought, sold }: BrokerPosition, facts: HeldFacts): HoldingTrouble[] => {
  const troubles: HoldingTrouble[] = []
  if (carried !== facts.before) troubles.push({ account, contract, kind: 'carried', broker: carried, ours: facts.before })
  if (bought > facts.bought || sold > facts.sold) troubles.push({ account, contract, kind: 'fills-missing', broker: bought + sold, ours: facts.bought + facts.sold })
  else if (bought < facts.bought || sold < facts.sold) troubles.push({ account, contract, kind: 'position-differs', broker: net, ours: facts.before + facts.bought - facts.sold })
  return troubles
}

/** A pair of the journal, by its fills' ids. */
export type OwnPair = { readonly opening: string; readonly closing: string; readonly qty: number }

/** Counts the broker's pairs of one account, contract and session, and those of them that the journal has with the same quantity. */
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
