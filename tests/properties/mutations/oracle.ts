/** What the oracle knows of a fill; money in 1/10,000 of the currency, prices in ticks. */
export type Fact = {
  readonly id: string
  readonly account: string
  readonly contract: string
  /** UTC ms. */
  readonly time: number
  readonly side: 'buy' | 'sell'
  readonly qty: number
  /** Price in ticks, times the quantity: an order's average need not lie on a tick. */
  readonly sum: number
  /** Worth of one tick of one contract. */
  readonly tickValue: bigint
  /** Of the whole fill. */
  readonly fee: bigint
  /** The exchange's session that it is booked on. */
  readonly day: string
}

/** A quantity that one fill opened and another closed. `gross` and `fees` are in 1/10,000, times `fine`. */
export type OraclePair<F extends Fact = Fact> = { readonly open: F; readonly close: F; readonly qty: number; readonly gross: bigint; readonly fees: bigint; readonly trade: number }

/** Parts of money smaller than any that is compared. */
export const fine = 1_000_000_000n

const share = (value: bigint, part: number, whole: number): bigint => (value * fine * BigInt(part)) / BigInt(whole)

const orderOf = (id: string): bigint => BigInt(id.replace(/\D/g, '') || '0')

/** By time, and within one moment by id. */
export const inOrder = <F extends Fact>(fills: readonly F[]): F[] =>
  [...fills].sort((one, other) => one.time - other.time || (orderOf(one.id) < orderOf(other.id) ? -1 : orderOf(one.id) > orderOf(other.id) ? 1 : 0))

/** First in, first out: each closing takes the oldest open contracts of its account and contract. The fills come in their order. */
export const firstInFirstOut = <F extends Fact>(ordered: readonly F[]): { readonly pairs: readonly OraclePair<F>[]; readonly open: ReadonlyMap<string, number> } => {
  const pairs: OraclePair<F>[] = []
  const queues = new Map<string, { lots: { fill: F; left: number }[]; trade: number }>()
  for (const fill of ordered) {
    const key = `${fill.account} ${fill.contract}`
    const queue = queues.get(key) ?? { lots: [], trade: 0 }
    queues.set(key, queue)
    let left = fill.qty
    for (let oldest = queue.lots[0]; oldest !== undefined && left > 0 && oldest.fill.side !== fill.side; oldest = queue.lots[0]) {
      const qty = Math.min(left, oldest.left)
      const [buy, sell] = fill.side === 'sell' ? [oldest.fill, fill] : [fill, oldest.fill]
      const gross = share(BigInt(sell.sum) * fill.tickValue, qty, sell.qty) - share(BigInt(buy.sum) * fill.tickValue, qty, buy.qty)
      pairs.push({ open: oldest.fill, close: fill, qty, gross, fees: share(buy.fee, qty, buy.qty) + share(sell.fee, qty, sell.qty), trade: queue.trade })
      left -= qty
      oldest.left -= qty
      if (oldest.left === 0) queue.lots.shift()
      if (queue.lots.length === 0) queue.trade += 1
    }
    if (left > 0) queue.lots.push({ fill, left })
  }
  const open = new Map([...queues].map(([key, { lots }]) => [key, lots.reduce((net, { fill, left }) => net + (fill.side === 'buy' ? left : -left), 0)] as const))
  return { pairs, open: new Map([...open].filter(([, net]) => net !== 0)) }
}
