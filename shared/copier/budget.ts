/**
 * What a call to the broker is for, the most urgent first: `reduce` brings a position or an order down, gives a position its only stop, or asks
 * what became of an order; `enter` adds; `tighten` places a further stop or brings one nearer; `exit` moves any other exit; `poll` only looks.
 */
export type CallKind = 'reduce' | 'enter' | 'tighten' | 'exit' | 'poll'

/** Whether a call may be made. An allowed call is counted; a refused one may be retried after `waitMs`. */
export type CallAllowance = { readonly ok: true } | { readonly ok: false; readonly why: 'budget' | 'rate-limited'; readonly waitMs: number }

const hour = 3_600_000
const retryReduction = 5000
const retryEntry = 5000

// The share of the hourly limit, in percent, that each kind reserves for more urgent ones.
const leaves: Record<CallKind, number> = { reduce: 0, enter: 5, tighten: 15, exit: 30, poll: 60 }

/** The calls of one login over a rolling hour. Times are milliseconds of one clock that does not run backwards. */
export type Budget = ReturnType<typeof createBudget>

/** An unused budget of `limit` calls an hour. Every method is O(1) amortized. */
export const createBudget = (limit: number) => {
  // A ring buffer of the last `limit` call times: older ones never matter.
  const moments = new Float64Array(limit)
  let first = 0
  let size = 0
  let blockedUntil = -Infinity
  let reduceFrom = -Infinity
  let blockedAt = -Infinity
  // For advisory refusals: when the next entry may probe, and its wait after a further refusal.
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
    // This many of the oldest calls must expire first.
    return over >= size ? hour : (moments[(first + over) % limit] ?? 0) + hour - now
  }

  return {
    limit,
    ask: (kind: CallKind, now: number): CallAllowance => {
      const blocked = blockedFor(kind, now)
      if (blocked > 0) return { ok: false, why: 'rate-limited', waitMs: blocked }
      const full = fullFor(kind, now)
      if (full > 0) return { ok: false, why: 'budget', waitMs: full }
      // One probe at a time: the others wait for its answer.
      if (blockedUntil > now && Number.isFinite(reduceFrom)) reduceFrom = now + retryReduction
      if (blockedUntil > now && kind === 'enter' && enterFrom !== null) enterFrom = now + enterWait
      if (blockedUntil > now && kind === 'poll' && pollFrom !== null) pollFrom = now + enterWait
      add(now)
      return { ok: true }
    },
    /** Returns the newest allowed call, which was not made. */
    giveBack: (): void => {
      size = Math.max(0, size - 1)
    },
    /** Counts a call made without asking, such as the line's own. */
    count: (now: number, calls = 1): void => {
      expire(now)
      for (let index = 0; index < calls; index += 1) add(now)
    },
    /**
     * The broker refused calls for `waitMs`. Until then only reductions go, one every five seconds. If that wait is only our default (`isAdvice`),
     * because the broker named none, an entry probes after five seconds too and doubles its wait after each further refusal. A poll probes as well:
     * without it the day's loss would go unnoticed.
     */
    block: (now: number, waitMs: number, isAdvice = false): void => {
      // A wait the broker itself named holds regardless of any advisory one.
      const isStated = blockedUntil > now && enterFrom === null
      if (blockedUntil <= now) enterWait = retryEntry
      else if (isAdvice && enterFrom !== null && now - blockedAt >= enterWait) enterWait = Math.min(hour, enterWait * 2)
      enterFrom = isAdvice && !isStated ? now + enterWait : null
      pollFrom = enterFrom
      blockedUntil = Math.max(blockedUntil, now + waitMs)
      blockedAt = now
      reduceFrom = now + retryReduction
    },
    /** The broker accepted a call sent at `sentAt`. If that was after its refusal, reductions need not wait any longer, and an advisory refusal ends for all calls. */
    answered: (sentAt: number): void => {
      // Other calls of the same burst may have been accepted.
      if (sentAt <= blockedAt) return
      reduceFrom = -Infinity
      if (enterFrom !== null) blockedUntil = -Infinity
    },
    /** Calls of the past hour. */
    used: (now: number): number => {
      expire(now)
      return size
    },
    /** Milliseconds until a call of this kind may go; 0 if it may now. Counts nothing. */
    waitFor: (kind: CallKind, now: number): number => Math.max(blockedFor(kind, now), fullFor(kind, now)),
  }
}
