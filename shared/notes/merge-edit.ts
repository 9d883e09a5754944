import { mostDrawings } from '#shared/api/drawings.ts'
import { type FillPairRecord, mostTags } from '#shared/api/records.ts'
import { editGroups, type EditField, type EditValues } from './edit-groups.ts'

const ownGroups: ReadonlySet<string> = new Set(['notes', 'tags', 'stop', 'drawings', 'screenshot', 'screenshot2'])

/** The values of a fill pair to compare an edit with; the commission counts only if the user entered it, because any other is computed. */
export const editValuesOf = (pair: FillPairRecord): Readonly<Record<EditField, unknown>> => ({
  ...(Object.fromEntries(editGroups.flat().map((field) => [field, pair[field]])) as Record<EditField, unknown>),
  commission: pair.feeSource === 'entered' ? pair.commission : null,
  drawings: pair.drawings ?? [],
})

/** Whether two values are the same. */
export const sameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The current items, plus those added to `base`, minus those removed from it: two users who tag one pair, or draw in its chart, never undo each other. */
export const mergedList = <Item>(base: readonly Item[], mine: readonly Item[], now: readonly Item[]): readonly Item[] => {
  const has = (items: readonly Item[], item: Item): boolean => items.some((one) => sameValue(one, item))
  return [...now.filter((item) => has(mine, item) || !has(base, item)), ...mine.filter((item) => !has(base, item) && !has(now, item))]
}

/** Fields that are lists, with the most that they hold. */
const lists = { tags: mostTags, drawings: mostDrawings } as const
const isList = (field: EditField): field is keyof typeof lists => field in lists

/** The result of an edit: the values to write, and the fields that someone else changed to another value since `base`. */
export type MergedEdit = { readonly write: EditValues; readonly conflicts: readonly EditField[] }

/**
 * Merges an edit into a fill pair's current values `now`. `base` is what the client saw in the fields of `updates`: a group
 * whose value is still that, or already the new one, takes the edit; any other is a conflict. Tags and drawings merge
 * as long as the pair has room for them. The facts of a trade entered by hand belong together: if one of
 * them is a conflict, all changed ones are.
 */
export const mergeEdit = (base: EditValues, updates: EditValues, now: EditValues): MergedEdit => {
  const groups = editGroups.map((group) => ({ group, changed: group.filter((field) => updates[field] !== undefined) })).filter(({ changed }) => changed.length > 0)
  const merged = (field: keyof typeof lists): readonly unknown[] => mergedList(...([base[field], updates[field], now[field]] as [unknown[], unknown[], unknown[]]))
  const isFact = ({ group: [first] }: (typeof groups)[number]): boolean => !ownGroups.has(first)
  const alone = groups.filter(({ group: [first], changed }) => (isList(first) ? merged(first).length <= lists[first] : changed.every((field) => sameValue(now[field], updates[field])) || changed.every((field) => sameValue(now[field], base[field]))))
  const fits = groups.every((one) => !isFact(one) || alone.includes(one)) ? alone : alone.filter((one) => !isFact(one))
  const write = fits.flatMap(({ changed }) => changed).map((field) => [field, isList(field) ? merged(field) : updates[field]] as const)
  return { write: Object.fromEntries(write), conflicts: groups.filter((one) => !fits.includes(one)).flatMap(({ changed }) => changed) }
}
