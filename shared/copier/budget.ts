/**
 * What a call to the broker is for, the most urgent first: `reduce` brings a position or an order down, gives a position its only stop, or asks
 * what became of an order; `enter` adds; `tighten` places a further stop or brings one nearer; `exit` moves any other exit; `poll` only looks.
 */
export type CallKind = 'reduce' | 'enter' | 'tighten' | 'exit' | 'poll'

/** Every kind, the most urgent first. */
export const callKinds = ['reduce', 'enter', 'tighten', 'exit', 'poll'] as const satisfies CallKind[]

/** Whether a call may go. It is counted once it may; otherwise it may be asked again after the wait (ms). */
export type CallLeave = { readonly ok: true } | { readonly ok: false; readonly why: 'budget' | 'rate-limited'; readonly waitMs: number }

/** The calls of one login over a rolling hour. Times are milliseconds of one clock that does not run backwards. */
export type Budget = {
  readonly limit: number
  readonly ask: (kind: CallKind, now: number) => CallLeave
  /** Counts a call that was made without asking, as the line itself makes them. */
  readonly count: (now: number, calls?: number) => void
  /**
   * The broker refused for the next `waitMs`: nothing goes until then but reductions, which try again each five seconds. Where that is only general
   * advice (`isAdvice`), of a broker that did not say for how long, an entry tries after five seconds too, after each further refusal twice as late,
   * and so does whoever only looks: the loss of a day is not found out otherwise.
   */
  readonly block: (now: number, waitMs: number, isAdvice?: boolean) => void
  /** The broker took a call that was made at `sentAt`: where that was after its refusal, further reductions need not wait, and nothing does where only advice held it. */
  readonly answered: (sentAt: number) => void
  /** Calls of the past hour. */
  readonly used: (now: number) => number
  /** How long (ms) until a call of this kind may go; 0 where it may now. Counts nothing. */
  readonly waitFor: (kind: CallKind, now: number) => number
}

const hour = 3_600_000
const retryReduction = 5000
const retryEntry = 5000

// What each kind leaves of the hour's calls to the more urgent ones, in hundredths.
const leaves: Record<CallKind, number> = { reduce: 0, enter: 5, tighten: 15, exit: 30, poll: 60 }

/** A budget of `limit` calls an hour, of which none are used. Every question takes the same short time, however many calls were made. */
export const createBudget = (limit: number): Budget => {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`Not a number of calls: ${limit}`)
  // The moments of the last `limit` calls, in a circle: one more than that is never allowed, so older ones say nothing.
  const moments = new Float64Array(limit)
  let first = 0
  let size = 0
  let blockedUntil = -Infinity
  let reduceFrom = -Infinity
  let blockedAt = -Infinity
  // By advice alone: when the next entry may try, and how long it waits after a further refusal.
  let enterFrom: number | null = null
  let pollFrom: number | null = null
  let enterWait = retryEntry
  const most = (kind: CallKind): number => Math.max(kind === 'poll' ? 0 : 1, Math.floor((limit * (100 - leaves[kind])) / 100))

  const expire = (now: number): void => {
    while (size > 0 && (moments[first] ?? 0) <= now - hour) {
      first = (first + 1) % limit
      size -= 1
    }
  }
  const add = (now: number): void => {
    if (size === limit) {
      first = (first + 1) % limit
      size -= 1
    }
    moments[(first + size) % limit] = now
    size += 1
  }
  const blockedFor = (kind: CallKind, now: number): number => {
    const from = kind === 'reduce' ? reduceFrom : kind === 'enter' ? (enterFrom ?? blockedUntil) : kind === 'poll' ? (pollFrom ?? blockedUntil) : blockedUntil
    return Math.max(0, Math.min(from, blockedUntil) - now)
  }
  const fullFor = (kind: CallKind, now: number): number => {
    expire(now)
    const over = size - most(kind)
    if (over < 0) return 0
    // So many of the oldest have to leave the hour before there is room.
    return over >= size ? hour : (moments[(first + over) % limit] ?? 0) + hour - now
  }

  return {
    limit,
    ask: (kind, now) => {
      const blocked = blockedFor(kind, now)
      if (blocked > 0) return { ok: false, why: 'rate-limited', waitMs: blocked }
      const full = fullFor(kind, now)
      if (full > 0) return { ok: false, why: 'budget', waitMs: full }
      // One tries; until its answer came the others wait.
      if (blockedUntil > now && Number.isFinite(reduceFrom)) reduceFrom = now + retryReduction
      if (blockedUntil > now && kind === 'enter' && enterFrom !== null) enterFrom = now + enterWait
      if (blockedUntil > now && kind === 'poll' && pollFrom !== null) pollFrom = now + enterWait
      add(now)
      return { ok: true }
    },
    count: (now, calls = 1) => {
      expire(now)
      for (let index = 0; index < calls; index += 1) add(now)
    },
    block: (now, waitMs, isAdvice = false) => {
      // What the broker itself said stands beside any advice.
      const isStated = blockedUntil > now && enterFrom === null
      if (blockedUntil <= now) enterWait = retryEntry
      else if (isAdvice && enterFrom !== null && now - blockedAt >= enterWait) enterWait = Math.min(hour, enterWait * 2)
      enterFrom = isAdvice && !isStated ? now + enterWait : null
      pollFrom = enterFrom
      blockedUntil = Math.max(blockedUntil, now + waitMs)
      blockedAt = now
      reduceFrom = now + retryReduction
    },
    answered: (sentAt) => {
      // Of a burst some calls may be taken beside the one that was refused.
      if (sentAt <= blockedAt) return
      reduceFrom = -Infinity
      if (enterFrom !== null) blockedUntil = -Infinity
    },
    used: (now) => {
      expire(now)
      return size
    },
    waitFor: (kind, now) => Math.max(blockedFor(kind, now), fullFor(kind, now)),
  }
}
