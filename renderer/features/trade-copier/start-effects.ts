import type { LiveFollower } from '#shared/api/copier.ts'

/** An order that an answer sends at the market. */
export type StartOrder = { readonly side: 'buy' | 'sell'; readonly qty: number; readonly contract: string }

/** The effect of each answer to the start question, in contracts. `adopt` is null while a target is unknown; `leave` is what stays the user's own. */
export type StartEffects = { readonly adopt: readonly StartOrder[] | null; readonly flatten: readonly StartOrder[]; readonly leave: readonly { readonly qty: number; readonly contract: string }[] }

const orderOf = (contract: string, change: number): StartOrder[] => (change === 0 ? [] : [{ side: change > 0 ? 'buy' : 'sell', qty: Math.abs(change), contract }])

/** What each answer does with the positions in question. */
export const startEffects = ({ asks, contracts }: Pick<LiveFollower, 'asks' | 'contracts'>): StartEffects => {
  const targets = new Map(contracts.map(({ contract, target }) => [contract, target]))
  const known = asks.every(({ contract }) => targets.has(contract))
  return {
    adopt: known ? asks.flatMap(({ contract, follower }) => orderOf(contract, (targets.get(contract) ?? 0) - follower)) : null,
    flatten: asks.flatMap(({ contract, follower }) => orderOf(contract, 0 - follower)),
    leave: asks.flatMap(({ contract, follower }) => (follower === 0 ? [] : [{ qty: Math.abs(follower), contract }])),
  }
}
