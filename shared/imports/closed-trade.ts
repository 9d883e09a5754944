import type { Ticks } from '#shared/money/price.ts'
import type { PairReading } from './reading.ts'

/** A closed trade of a platform that names no fills. */
export type ClosedTrade = Omit<PairReading, 'says' | 'buy' | 'sell' | 'closing'> & {
  readonly direction: 'long' | 'short'
  /** Its own key in its account. */
  readonly key: string
  readonly entry: Leg
  readonly exit: Leg
}

type Leg = { /** UTC ms. */ readonly time: number; readonly price: Ticks }

/** The ids of both legs of a closed trade: made of its key, since its platform names no fills. */
export const legIds = (key: string): readonly [entry: string, exit: string] => [`${plain(key)}~in`, `${plain(key)}~out`]

// A slash separates the ids in a fill pair's id.
const plain = (key: string): string => key.replaceAll(/[/~\s]/g, '.')

/** The pair that a closed trade is. */
export const pairOfTrade = ({ direction, key, entry, exit, ...trade }: ClosedTrade): PairReading => {
  const [entryId, exitId] = legIds(key)
  const [opening, closing] = [{ fillId: entryId, ...entry }, { fillId: exitId, ...exit }]
  const isLong = direction === 'long'
  return { says: 'pair', ...trade, buy: isLong ? opening : closing, sell: isLong ? closing : opening, closing: isLong ? 'sell' : 'buy' }
}
