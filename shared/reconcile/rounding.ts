import type { Amount } from '#shared/money/money.ts'

const halfCent = 50
const cent = 100

/** How far a broker's sum of whole cents may lie from the exact sum of these figures: half a cent for each that is no whole cent. */
export const roundingRoom = (figures: Iterable<Amount>): number => {
  let room = 0
  for (const figure of figures) if (figure % cent !== 0) room += halfCent
  return room
}
