import type { AccountKey, Fill } from '#shared/fills/fill.ts'

/** A net position stated by the broker or a platform: long above zero. */
export type KnownPosition = {
  readonly account: AccountKey
  readonly contract: string
  /** UTC ms; includes all fills at or before it. */
  readonly time: number
  readonly net: number
}

/** A fill that is known to exist and could not be read. */
export type MissingFill = {
  readonly account: AccountKey
  /** Null if it may be any contract. */
  readonly contract: string | null
  /** UTC ms; null if unknown. */
  readonly time: number | null
}

/**
 * What happens after the fills up to `after` (UTC ms): a fill is missing (`contracts`, 0 if unknown), or the position is known to be `net`.
 */
export type Doubt = { readonly kind: 'missing'; readonly after: number; readonly contracts: number } | { readonly kind: 'known'; readonly after: number; readonly net: number }

/** A moment before every fill. */
export const beforeAll = Number.MIN_SAFE_INTEGER

type Step = Pick<Fill, 'time' | 'side' | 'qty'>

/**
 * Compares the known positions of one account and contract with its fills, which come in time order without busted ones. Empty if all agree and
 * nothing is missing. If they disagree, a fill is missing somewhere since they last agreed; after a missing fill the position is in doubt until the
 * next known one.
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
  // At the same moment the known position comes first, the missing fill after it.
  return doubts.sort((one, other) => one.after - other.after || one.kind.localeCompare(other.kind, 'en'))
}
