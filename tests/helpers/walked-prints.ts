import type { Ticks } from '#shared/money/price.ts'
import type { Print } from '#shared/prices/tape.ts'

/** A moment in µs at which a walk is at a price in whole ticks. */
export type Waypoint = { readonly at: number; readonly price: number }

/** Prints that wander from one waypoint to the next and meet each, `each` µs apart on average; the same for the same waypoints. */
export const walkedPrints = (waypoints: readonly Waypoint[], each: number): readonly Print[] => {
  let seed = 1
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const prints: Print[] = []
  for (const [index, to] of waypoints.entries()) {
    const from = waypoints[index - 1]
    if (from !== undefined) {
      const count = Math.max(1, Math.floor((to.at - from.at) / each))
      let price = from.price
      for (let step = 1; step < count; step += 1) {
        // The rest of the way, spread over the rest of the steps, and a little noise.
        price += (to.price - price) / (count - step) + (random() - 0.5) * 3
        prints.push({ at: from.at + Math.floor(((to.at - from.at) * step) / count), price: Math.round(price) as Ticks, size: 1 + Math.floor(random() * 5) })
      }
    }
    prints.push({ at: to.at, price: to.price as Ticks, size: 1 })
  }
  return prints
}
