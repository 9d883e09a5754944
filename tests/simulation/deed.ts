import { currentVersion, type LiveOrder } from '#demo-broker/orders.ts'
import type { Random } from '#demo-broker/random.ts'
import type { World } from './world.ts'

/** One act of the enemy, the market or the user; returns its description, or null if it has no subject. */
export type Deed = (world: World, random: Random) => string | null | Promise<string | null>

/** A random one; null without any. */
export const one = <T>(random: Random, all: readonly T[]): T | null => all[random.whole(0, Math.max(0, all.length - 1))] ?? null
/** The word for a side. */
export const sideOf = (buys: boolean): string => (buys ? 'buys' : 'sells')
/** All leaders, and all followers. */
export const leaders = (world: World): string[] => world.settings.map(({ draft }) => draft.leader)
export const followers = (world: World): string[] => world.settings.flatMap(({ draft }) => draft.followers.map(({ account }) => account))

/** Contracts in which an account has a position, with the position. */
export const held = (world: World, account: string): { readonly contract: string; readonly net: number }[] =>
  [...world.traded, ...world.traded.map((name) => `M${name}`)].map((contract) => ({ contract, net: world.judge.net(account, contract) })).filter(({ net }) => net !== 0)

/** Followers whose exits work, with one of those exits. */
export const withExits = (world: World): { readonly account: string; readonly order: LiveOrder }[] =>
  followers(world).flatMap((account) => world.judge.working(account).filter(({ id }) => world.judge.isProgram(id)).slice(0, 1).map((order) => ({ account, order })))

/** The trigger prices of an order; of a trailing stop its current one. */
export const triggerOf = (order: LiveOrder): { readonly limit: number | null; readonly stop: number | null } => ({ limit: currentVersion(order).limit, stop: order.trail ?? currentVersion(order).stop })

/** The texts of a broker's rejections. */
export const refusal = { reason: 'MaxOrderQtyLimitReached', text: 'Your maximum order quantity has been met.' }
