import type { Barrier } from '#backend/db/barrier.ts'

let groups = 0

/** A writer whose disk fails once, in the second group of an import, after its first commit. */
export const barrier: Barrier = (name) => {
  if (name !== 'fills-written') return
  groups += 1
  if (groups === 2) throw new Error('The disk is gone')
}
