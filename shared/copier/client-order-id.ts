/** What an order follows: the leader's fill, or the number of a repair, an exit or a flattening. */
export type OrderCause = { readonly kind: 'fill'; readonly id: number } | { readonly kind: 'event'; readonly seq: number }

/** What an order's own id says. `group` is the group's mark, as `groupMark` gives it. */
export type ClientOrderId = { readonly group: string; readonly cause: OrderCause; readonly accountId: number; readonly attempt: number }

// A fill's number may itself begin with an r: both kinds have a letter in front.
const pattern = /^fb-([0-9a-z]{8})-([fr])([0-9a-z]{1,11})-([0-9a-z]{1,11})-(\d{1,6})$/

/** The eight letters and figures that stand for a group in its orders' ids: its own id's last, for the first may be those of a time. */
export const groupMark = (groupId: string): string => groupId.toLowerCase().replaceAll(/[^0-9a-z]/g, '').slice(-8).padStart(8, '0')

const marks = new Map<string, string>()
const markOf = (groupId: string): string => {
  const known = marks.get(groupId) ?? groupMark(groupId)
  marks.set(groupId, known)
  return known
}

/** The id of an order, at most 64 characters: the same for the same group, cause, account and attempt, and no other. */
export const clientOrderId = ({ groupId, cause, accountId, attempt }: { readonly groupId: string; readonly cause: OrderCause; readonly accountId: number; readonly attempt: number }): string => {
  const from = cause.kind === 'fill' ? `f${base36(cause.id)}` : `r${base36(cause.seq)}`
  return `fb-${markOf(groupId)}-${from}-${base36(accountId)}-${whole(attempt)}`
}

/** What an id says; null where it is not one of ours. */
export const readClientOrderId = (clOrdId: string): ClientOrderId | null => {
  const match = pattern.exec(clOrdId)
  if (match === null) return null
  const [, group = '', event = '', from = '', account = '', attempt = ''] = match
  const number = parseInt(from, 36)
  const accountId = parseInt(account, 36)
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(accountId)) return null
  return { group, cause: event === 'r' ? { kind: 'event', seq: number } : { kind: 'fill', id: number }, accountId, attempt: Number(attempt) }
}

/** Whether an order carries an id that only the copier gives. */
export const isOurs = (clOrdId: string | null): boolean => clOrdId !== null && pattern.test(clOrdId)

const whole = (value: number): number => {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`Not a whole number: ${value}`)
  return value
}
const base36 = (value: number): string => whole(value).toString(36)
