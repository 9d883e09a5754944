import { mostTags, type Trade, type TradeUpdates } from '#shared/api/records.ts'

/** The fields of a trade that an edit can change, in the groups that only mean something together: a headline goes with its picture, an account's id with its name. */
export const editGroups = [
  ['notes'],
  ['tags'],
  ['stop'],
  ['screenshot', 'screenshotHeadline'],
  ['screenshot2', 'screenshot2Headline'],
  ['symbol'],
  ['account', 'accountId'],
  ['side'],
  ['qty'],
  ['entryPrice'],
  ['exitPrice'],
  ['entryTime'],
  ['exitTime'],
  ['commission'],
] as const satisfies readonly (readonly (keyof TradeUpdates)[])[]

/** A field that an edit can change. */
export type EditField = (typeof editGroups)[number][number]

/** Values of such fields. */
export type EditValues = Readonly<Partial<Record<EditField, unknown>>>

const ownGroups: ReadonlySet<string> = new Set(['notes', 'tags', 'stop', 'screenshot', 'screenshot2'])

/** The values of a trade that an edit is compared with; the commission counts only where the user entered it, since any other follows from the rest. */
export const editValuesOf = (trade: Trade): Readonly<Record<EditField, unknown>> => ({
  ...(Object.fromEntries(editGroups.flat().map((field) => [field, trade[field]])) as Record<EditField, unknown>),
  commission: trade.feeSource === 'entered' ? trade.commission : null,
})

/** Whether two values are the same. */
export const sameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Tags as they are now, with what was added to `base` and without what was taken from it: two who tag one trade never undo each other. */
export const mergedTags = (base: readonly string[], mine: readonly string[], now: readonly string[]): readonly string[] => [
  ...now.filter((tag) => mine.includes(tag) || !base.includes(tag)),
  ...mine.filter((tag) => !base.includes(tag) && !now.includes(tag)),
]

/** What becomes of an edit: the values to write, and the fields that somebody else changed to something else since `base`. */
export type MergedEdit = { readonly write: EditValues; readonly conflicts: readonly EditField[] }

/**
 * Merges an edit into what a trade says `now`. `base` is what its writer saw in the fields of `updates`: a group that
 * still says so, or says already what is wanted, takes the edit, any other is a conflict. Tags merge as long as a trade has
 * room for them. Facts of a trade by hand make one trade, so that where one of them is a conflict, all that change are.
 */
export const mergeEdit = (base: EditValues, updates: EditValues, now: EditValues): MergedEdit => {
  const groups = editGroups.map((group) => ({ group, changed: group.filter((field) => updates[field] !== undefined) })).filter(({ changed }) => changed.length > 0)
  const tags = updates.tags === undefined ? [] : mergedTags(...([base.tags, updates.tags, now.tags] as [string[], string[], string[]]))
  const isFact = ({ group: [first] }: (typeof groups)[number]): boolean => !ownGroups.has(first)
  const alone = groups.filter(({ group, changed }) => (group[0] === 'tags' ? tags.length <= mostTags : changed.every((field) => sameValue(now[field], updates[field])) || changed.every((field) => sameValue(now[field], base[field]))))
  const fits = groups.every((one) => !isFact(one) || alone.includes(one)) ? alone : alone.filter((one) => !isFact(one))
  const write = fits.flatMap(({ changed }) => changed).map((field) => [field, field === 'tags' ? tags : updates[field]] as const)
  return { write: Object.fromEntries(write), conflicts: groups.filter((one) => !fits.includes(one)).flatMap(({ changed }) => changed) }
}
