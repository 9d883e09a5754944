import type { TradeUpdates } from '#shared/api/records.ts'

/** The editable fields of a fill pair, in groups that only make sense together: a headline with its picture, an account's id with its name. */
export const editGroups = [
  ['notes'],
  ['tags'],
  ['stop'],
  ['drawings'],
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

/** An editable field. */
export type EditField = (typeof editGroups)[number][number]

/** Values of editable fields. */
export type EditValues = Readonly<Partial<Record<EditField, unknown>>>
