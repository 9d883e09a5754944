import { currentVersion, type LiveOrder } from '#demo-broker/orders.ts'
import type { Random } from '#demo-broker/random.ts'
import type { World } from './world.ts'

/** One thing that the enemy, the market or the user does; gives its words, or null where there is nothing to do it to. */
export type Deed = (world: World, random: Random) => string | null | Promise<string | null>

/** One of them by chance; null where there is none. */
export const one = <T>(random: Random, all: readonly T[]): T | null => all[random.whole(0, Math.max(0, all.length - 1))] ?? null
/** The word for a side. */
export const sideOf = (buys: boolean): string => (buys ? 'buys' : 'sells')
/** All leaders, and all followers. */
export const leaders = (world: World): string[] => world.settings.map(({ draft }) => draft.leader)
export const followers = (world: World): string[] => world.settings.flatMap(({ draft }) => draft.followers.map(({ account }) => account))

/** Contracts in which an account holds something, with what it holds. */
export const held = (world: World, account: string): { readonly contract: string; readonly net: number }[] =>
  [...world.traded, ...world.traded.map((name) => `M${name}`)].map((contract) => ({ contract, net: world.judge.net(account, contract) })).filter(({ net }) => net !== 0)

/** Followers whose exits work, with one of those exits. */
export const withExits = (world: World): { readonly account: string; readonly order: LiveOrder }[] =>
  followers(world).flatMap((account) => world.judge.working(account).filter(({ id }) => world.judge.isProgram(id)).slice(0, 1).map((order) => ({ account, order })))

/** The prices that an order waits for; of a trailing stop where it has come to. */
export const triggerOf = (order: LiveOrder): { readonly limit: number | null; readonly stop: number | null } => ({ limit: currentVersion(order).limit, stop: order.trail ?? currentVersion(order).stop })

/** What a broker says that refuses an order. */
export const refusal = { reason: 'MaxOrderQtyLimitReached', text: 'Your maximum order quantity has been met.' }
