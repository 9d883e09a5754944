import type { LiveFollower } from '#shared/api/copier.ts'

/** A follower of which nothing was told yet: off, and nothing known to be open. */
export const idleFollower = (account: string): LiveFollower => ({ account, state: 'off', lock: null, why: null, line: 'up', contracts: [], day: null, latencyMs: null, rejects: 0, hedgedBy: null, asks: [] })
