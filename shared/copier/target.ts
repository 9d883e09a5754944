import type { ExactRatio } from '#shared/api/copier.ts'

/** One leader contract that maps to a follower's: the leader's position, the part of it that is not copied (`base`), and the mapping's factor. Signed contracts. */
export type TargetLeg = { readonly leader: number; readonly base: number; readonly factor: ExactRatio }

/** The inputs of a target. Contracts are signed, short below zero. */
export type TargetInputs = {
  /** Nearly always one; two if the leader trades NQ and MNQ and the follower MNQ for both. */
  readonly legs: readonly TargetLeg[]
  readonly ratio: ExactRatio
  /** The most contracts; null: no cap. */
  readonly contractCap: number | null
  /** Whether the follower trades the other side of the leader. */
  readonly invert?: boolean
}

/** A target, and whether the cap limits it. */
export type Target = { readonly target: number; readonly capped: boolean }

/** A contract's attribution after the user answered, signed contracts; see `SavedStance`. */
export type Stance = { readonly held: number; readonly yours: number; readonly base: number }

/** The user's answer about positions open at the start. */
export type StartAnswer = 'adopt' | 'flatten' | 'leave'

/**
 * How many contracts the copier should hold in a follower: ratio × factor × the copied part of the leader's position, computed exactly, rounded
 * toward zero once, and limited by the cap. The user's own contracts never count.
 */
export const targetOf = ({ legs, ratio, contractCap, invert = false }: TargetInputs): Target => {
  const copied = copiedOf(legs, ratio)
  const wanted = invert ? 0 - copied : copied
  if (contractCap === null) return { target: wanted, capped: false }
  const target = Math.max(0 - contractCap, Math.min(contractCap, wanted))
  return { target, capped: target !== wanted }
}

const copiedOf = (legs: readonly TargetLeg[], ratio: ExactRatio): number => {
  const [only] = legs
  if (only === undefined) return 0
  if (legs.length === 1) return divideTowardZero((only.leader - only.base) * ratio.num * only.factor.num, ratio.den * only.factor.den)
  let num = 0n
  let den = 1n
  for (const { leader, base, factor } of legs) {
    num = num * BigInt(factor.den) + BigInt(leader - base) * BigInt(factor.num) * den
    den *= BigInt(factor.den)
  }
  return Number((num * BigInt(ratio.num)) / (den * BigInt(ratio.den)))
}

// Floating-point division may round up to the next whole number; a remainder is exact.
const divideTowardZero = (num: number, den: number): number => (num - (num % den)) / den + 0

/** The uncopied part of the leader's position when the leader holds `leader`: it only shrinks, toward zero. */
export const shrinkBase = (base: number, leader: number): number => (base > 0 ? Math.min(base, Math.max(leader, 0)) : Math.max(base, Math.min(leader, 0)))

/**
 * The deviation after the target moved from `before` to `now`. A target that moves toward the follower reduces it; one that moves away leaves the
 * follower where it is, because nothing is added while it deviates; a reduction is followed; a change of side ends it.
 */
export const shrinkApart = ({ apart, before, now }: { readonly apart: number; readonly before: number; readonly now: number }): number => {
  if (apart === 0 || now === before) return apart
  if (Math.sign(before) * Math.sign(now) < 0) return 0
  const wanted = before + apart
  const towards = Math.sign(now - before) === Math.sign(apart)
  if (towards) return Math.abs(now - before) >= Math.abs(apart) ? 0 : wanted - now
  return Math.abs(now) > Math.abs(before) ? wanted - now : apart
}

/** The position once pending orders (`coming`, signed) fill, as far as they approach the target: the rest is canceled or traded back. */
export const heldWithComing = ({ held, coming, target }: { readonly held: number; readonly coming: number; readonly target: number }): number => {
  const missing = target - held
  return Math.sign(coming) === Math.sign(missing) ? held + Math.sign(coming) * Math.min(Math.abs(coming), Math.abs(missing)) : held
}

/**
 * The deviation after the copier's own exit filled or the user closed some of the copier's contracts: `qty` is signed, above zero for a buy; `held`
 * is the copier's position before, pending orders included. What moves toward the target needs no further trade; the rest becomes the deviation.
 */
export const tradedApart = ({ apart, target, held, qty }: { readonly apart: number; readonly target: number; readonly held: number; readonly qty: number }): number => {
  const missing = target - held
  const helps = missing !== 0 && Math.sign(missing) === Math.sign(qty)
  if (!helps) {
    // A follower held below its target does not add the rest either: a target that shrinks later needs no trade.
    const lacking = missing + apart
    return apart + qty - (Math.sign(lacking) * Math.sign(qty) < 0 ? lacking : 0)
  }
  const after = held + qty - target
  if (Math.sign(after) === Math.sign(qty)) return after
  // The trade brought the follower nearer: the deviation shrinks by as much.
  const kept = Math.sign(apart) === Math.sign(qty) ? apart : Math.max(-Math.abs(after), -Math.abs(apart)) * Math.sign(qty)
  return kept + 0
}

/**
 * The stance of a contract in which an account holds `net` and the leader `leader`. `adopt`: all of it becomes the copier's and moves to the target.
 * `flatten`: it becomes the copier's too, but none of the leader's position is copied, so it closes. `leave`: it is the user's, and only the leader's
 * next trades are copied.
 */
export const startStance = (answer: StartAnswer, leader: number, net: number): Stance => {
  const [held, yours] = answer === 'leave' ? [0, net] : [net, 0]
  return { held, yours, base: answer === 'adopt' ? 0 : leader }
}
