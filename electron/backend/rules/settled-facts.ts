import type { OpenNow } from '#shared/copier/live-positions.ts'
import type { AccountNow } from '../copier/engine/positions.ts'

/** What an account's rules are reckoned by. */
type Told = Pick<AccountNow, 'cash' | 'dayRealised' | 'between' | 'positions'> & { readonly open: OpenNow | null }

/** What counts of an account; times are UTC ms. */
export type Settled = {
  readonly told: Told
  /** Cash and positions as they were told last, and since when. */
  readonly text: string
  readonly changedAt: number
  /** Since when they change again and again; null where they are still, so that what was told last counts. */
  readonly movingSince: number | null
}

/** So long cash and positions have to stay as they are, ms. */
export const stillMs = 1_000
const longestMs = 3_000

/**
 * Takes what was told of an account at `at`. A broker tells a fill, its position and the cash one after another: in between, what was just
 * closed would count twice or not at all. So what was before counts until both have been still, for three seconds at most.
 */
export const settle = (before: Settled | undefined, told: Told, at: number): Settled => {
  const text = JSON.stringify([told.cash, told.positions.map(({ contract, net }) => [contract, net])])
  const changedAt = before === undefined ? -Infinity : before.text === text ? before.changedAt : at
  const isStill = at - changedAt >= stillMs
  const movingSince = isStill ? null : (before?.movingSince ?? at)
  const counts = movingSince === null || at - movingSince >= longestMs
  return { text, changedAt, movingSince, told: counts || before === undefined ? told : before.told }
}
