import type { OpenNow } from '#shared/copier/live-positions.ts'
import type { AccountNow } from '../brokers/live.ts'

/** The live facts for an account's rules. */
type LiveFacts = Pick<AccountNow, 'cash' | 'dayRealized' | 'between' | 'positions'> & { readonly open: OpenNow | null }

/** An account's facts that count; times are UTC ms. */
export type Settled = {
  readonly facts: LiveFacts
  /** The latest cash and positions, and since when. */
  readonly text: string
  readonly changedAt: number
  /** Since when they have kept changing; null if they are still, so that the latest count. */
  readonly movingSince: number | null
}

/** How long cash and positions must stay unchanged, ms. */
export const stillMs = 1_000
const longestMs = 3_000

/**
 * Takes an account's live facts at `at` (UTC ms). A broker sends a fill, its position and the cash one after another:
 * in between, a trade just closed would count twice or not at all. So the previous facts count until both have been
 * still, for three seconds at most.
 */
export const settle = (before: Settled | undefined, live: LiveFacts, at: number): Settled => {
  const text = JSON.stringify([live.cash, live.positions.map(({ contract, net }) => [contract, net])])
  const changedAt = before === undefined ? -Infinity : before.text === text ? before.changedAt : at
  const isStill = at - changedAt >= stillMs
  const movingSince = isStill ? null : (before?.movingSince ?? at)
  const counts = movingSince === null || at - movingSince >= longestMs
  return { text, changedAt, movingSince, facts: counts || before === undefined ? live : before.facts }
}
