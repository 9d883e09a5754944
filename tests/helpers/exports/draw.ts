import { seeded } from '../seeded.ts'

/** Draws that are the same for the same seed. */
export type Draw = {
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(items: readonly T[]) => T
  readonly shuffle: <T>(items: readonly T[]) => T[]
}

/** Begins the draws of a seed. */
export const drawOf = (seed: number): Draw => {
  const random = seeded(seed)
  // The first numbers of neighboring seeds are alike.
  for (let turn = 0; turn < 8; turn += 1) random()
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1))
  return {
    between,
    chance: (probability) => random() < probability,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('Drawn from an empty list')
      return item
    },
    shuffle: (items) => {
      const mixed = [...items]
      for (let index = mixed.length - 1; index > 0; index -= 1) {
        const other = between(0, index)
        const [one, two] = [mixed[index], mixed[other]]
        if (one !== undefined && two !== undefined) [mixed[index], mixed[other]] = [two, one]
      }
      return mixed
    },
  }
}
