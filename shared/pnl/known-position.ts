import type { AccountKey, Fill } from '#shared/fills/fill.ts'

/** A net position that the broker or a platform itself states: long above zero. */
export type KnownPosition = {
  readonly account: AccountKey
  readonly contract: string
  /** UTC ms; all fills at or before it count in. */
  readonly time: number
  readonly net: number
}

/** A fill that is known to exist and could not be read. */
export type MissingFill = {
  readonly account: AccountKey
  /** Null where it may be of any contract. */
  readonly contract: string | null
  /** UTC ms; null where it may have happened at any time. */
  readonly time: number | null
}

/**
 * What matching has to do behind the fills up to `after` (UTC ms): from there on a fill is missing (`contracts` says
 * how many contracts, 0 where that is not known), or the position is known to be `net`.
 */
export type Doubt = { readonly kind: 'missing'; readonly after: number; readonly contracts: number } | { readonly kind: 'known'; readonly after: number; readonly net: number }

/** A moment before every fill. */
export const beforeAll = Number.MIN_SAFE_INTEGER

type Step = Pick<Fill, 'time' | 'side' | 'qty'>

/**
 * Holds the known positions of one account and contract against its fills, which come in the order of time and count
 * (busted ones are left out). Where both agree everywhere and nothing is missing the answer is empty. Where they part,
 * a fill is missing somewhere since the last moment at which they agreed; a missing fill is in doubt until the next
 * known position.
 */
export const positionDoubts = (fills: Iterable<Step>, positions: readonly Omit<KnownPosition, 'account' | 'contract'>[], missing: readonly (number | null)[]): readonly Doubt[] => {
  if (positions.length === 0 && missing.length === 0) return []
  const known = positions.toSorted((one, other) => one.time - other.time)
  const doubts: Doubt[] = missing.map((time) => ({ kind: 'missing', after: time === null ? beforeAll : time - 1, contracts: 0 }))
  const unsettled = missing.map((time) => time ?? beforeAll).sort((one, other) => one - other)
  const steps = fills[Symbol.iterator]()
  let step = steps.next()
  let [held, offset, agreedAt, traded, settled] = [0, 0, beforeAll, false, 0]
  for (const { time, net } of known) {
    while (step.done !== true && step.value.time <= time) {
      held += step.value.side === 'buy' ? step.value.qty : -step.value.qty
      traded = true
      step = steps.next()
    }
    const apart = net - held - offset
    if (apart !== 0 && traded) doubts.push({ kind: 'missing', after: agreedAt, contracts: Math.abs(apart) })
    let verifies = false
    while (settled < unsettled.length && (unsettled[settled] as number) <= time) {
      settled += 1
      verifies = true
    }
    if (apart !== 0 || verifies) doubts.push({ kind: 'known', after: time, net })
    offset = net - held
    agreedAt = time
    traded = false
  }
  steps.return?.()
  // Where both are of one moment the position is known first: what is missing is missing behind it.
  return doubts.sort((one, other) => one.after - other.after || one.kind.localeCompare(other.kind, 'en'))
}
