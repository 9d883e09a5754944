import type { Fill } from '#shared/fills/fill.ts'
import { mergeFill } from '#shared/fills/merge.ts'
import { compareFills } from '#shared/fills/order.ts'

/** Merges readings of fills, in any order and as often as they come, to each fill once, in the order of matching. */
export const mergeFills = (known: Iterable<Fill>, incoming: Iterable<Fill>): readonly Fill[] => {
  const fills = new Map<string, Fill>()
  for (const readings of [known, incoming]) {
    for (const fill of readings) {
      const key = `${fill.account}/${fill.id}`
      fills.set(key, mergeFill(fills.get(key), fill).fill)
    }
  }
  return [...fills.values()].sort(compareFills)
}
