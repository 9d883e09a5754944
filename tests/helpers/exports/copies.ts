import { drawOf } from './draw.ts'
import type { TrueAccount, World } from './world.ts'

/** The leader's world once more in other accounts: each copy of a fill comes some milliseconds later, under ids of its own. */
export const withCopies = (world: World, names: readonly string[]): World => {
  const draw = drawOf(world.seed)
  const leader = world.accounts[0]
  if (leader === undefined) throw new Error('No leader')
  const copiesOf = (name: string, index: number): World => {
    const account: TrueAccount = { ...leader, name, id: String(Number(leader.id) + 100 + index) }
    const own = String(index + 7)
    const orders = world.orders.map((order) => ({ ...order, account, id: own + order.id.slice(1) }))
    const late = draw.between(0, 3)
    const orderOf = new Map(world.orders.map((order, at) => [order, orders[at] ?? order]))
    const fills = world.fills.map((fill) => ({ ...fill, account, id: own + fill.id.slice(1), time: fill.time + late, order: orderOf.get(fill.order) ?? fill.order }))
    return { ...world, accounts: [account], orders, fills }
  }
  const worlds = [world, ...names.map(copiesOf)]
  return { ...world, accounts: worlds.flatMap(({ accounts }) => accounts), orders: worlds.flatMap(({ orders }) => orders), fills: worlds.flatMap(({ fills }) => fills) }
}
