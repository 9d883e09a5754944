import type { Changes } from '../db/rows.ts'

export const noChanges: Changes = { added: 0, changed: 0, removed: 0 }

/** The sum of two counts of changes. */
export const addChanges = (one: Changes, other: Changes): Changes => ({ added: one.added + other.added, changed: one.changed + other.changed, removed: one.removed + other.removed })
