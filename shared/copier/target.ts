import type { ExactRatio } from '#shared/api/copier.ts'

/** One of the leader's contracts that leads to a follower's: what the leader holds, what of it is not copied, and the mapping's factor. Signed contracts. */
export type TargetLeg = { readonly leader: number; readonly base: number; readonly factor: ExactRatio }

/** All that a target is made of. Contracts are signed, short below zero. */
export type TargetParts = {
  /** Nearly always one; two where the leader trades both NQ and MNQ and the follower MNQ for either. */
  readonly legs: readonly TargetLeg[]
  readonly ratio: ExactRatio
  /** The most contracts; null: no cap. */
  readonly contractCap: number | null
  /** Whether the follower trades the other side of the leader. */
  readonly invert?: boolean
}

/** A target, and whether the cap holds it below what the ratio says. */
export type Target = { readonly target: number; readonly capped: boolean }

/** What becomes of a contract once its user answered, signed contracts; see `KeptStance`. */
export type Stance = { readonly held: number; readonly yours: number; readonly base: number }

/** A follower's answer to positions that were open at the start. */
export type StartAnswer = 'adopt' | 'flatten' | 'leave'

/**
 * How many contracts the copier should hold in a follower: ratio × factor × what is copied of the leader's position, rounded toward zero once,
 * exact in between, and no more than the cap. What is the user's own counts nowhere.
 */
export const targetOf = ({ legs, ratio, contractCap, invert = false }: TargetParts): Target => {
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

// A double's own division may round up to the next whole number; a remainder is exact.
const divideTowardZero = (num: number, den: number): number => (num - (num % den)) / den + 0

/** The part of the leader's position that is not copied, once the leader holds `leader`: it only shrinks, toward zero. */
export const shrinkBase = (base: number, leader: number): number => (base > 0 ? Math.min(base, Math.max(leader, 0)) : Math.max(base, Math.min(leader, 0)))

/**
 * The deviation that stands once the target went from `before` to `now`. A target that comes to meet the follower takes it away; a target
 * that grows away from it leaves the follower where it is, for nothing is added while it stands apart; a reduction is followed; a change of
 * side ends it.
 */
export const shrinkApart = ({ apart, before, now }: { readonly apart: number; readonly before: number; readonly now: number }): number => {
  if (apart === 0 || now === before) return apart
  if (Math.sign(before) * Math.sign(now) < 0) return 0
  const wanted = before + apart
  const towards = Math.sign(now - before) === Math.sign(apart)
  if (towards) return Math.abs(now - before) >= Math.abs(apart) ? 0 : wanted - now
  return Math.abs(now) > Math.abs(before) ? wanted - now : apart
}

/** What is held once orders under way (`coming`, signed) fill, as far as they bring it to the target: what goes elsewhere is cancelled, or made good. */
export const heldWithComing = ({ held, coming, target }: { readonly held: number; readonly coming: number; readonly target: number }): number => {
  const missing = target - held
  return Math.sign(coming) === Math.sign(missing) ? held + Math.sign(coming) * Math.min(Math.abs(coming), Math.abs(missing)) : held
}

/**
 * The deviation after the copier's own exit filled, or somebody's hand closed what the copier held: `qty` contracts, signed, above zero for a
 * buy; `held` is what the copier held before, with its orders under way. What brings it nearer to the target counts as done, the rest stands apart.
 */
export const tradedApart = ({ apart, target, held, qty }: { readonly apart: number; readonly target: number; readonly held: number; readonly qty: number }): number => {
  const missing = target - held
  const helps = missing !== 0 && Math.sign(missing) === Math.sign(qty)
  if (!helps) {
    // What it lacked besides, being held below its target, is not added either: a target that shrinks later asks for nothing.
    const lacking = missing + apart
    return apart + qty - (Math.sign(lacking) * Math.sign(qty) < 0 ? lacking : 0)
  }
  const after = held + qty - target
  if (Math.sign(after) === Math.sign(qty)) return after
  // It brought the follower nearer: what it traded need not be traded any more, and as much of a deviation is gone.
  const stands = Math.sign(apart) === Math.sign(qty) ? apart : Math.max(-Math.abs(after), -Math.abs(apart)) * Math.sign(qty)
  return stands + 0
}

/**
 * What becomes of a contract of which an account holds `net` and the leader `leader`. `adopt`: all of it is the copier's from here on, and comes
 * to the target. `flatten`: so it is, nothing of the leader's is copied, and it is closed. `leave`: it is the user's, and only what the leader does next is copied.
 */
export const startStance = (answer: StartAnswer, leader: number, net: number): Stance => {
  const [held, yours] = answer === 'leave' ? [0, net] : [net, 0]
  return { held, yours, base: answer === 'adopt' ? 0 : leader }
}
