/** Why an order was sent: a leader's fill, or the sequence number of a repair, exit, or flatten. */
export type OrderCause = { readonly kind: 'fill'; readonly id: number } | { readonly kind: 'event'; readonly seq: number }

/** The parts of a client order id. `group` is a `groupMark`. */
export type ClientOrderId = { readonly group: string; readonly cause: OrderCause; readonly accountId: number; readonly attempt: number }

// A base-36 fill id may itself begin with an r, so both kinds get a letter prefix.
const pattern = /^fb-([0-9a-z]{8})-([fr])([0-9a-z]{1,11})-([0-9a-z]{1,11})-(\d{1,6})$/

/** A group's eight-character mark in its orders' ids: the end of its own id, since the start may be a timestamp that groups share. */
export const groupMark = (groupId: string): string => groupId.toLowerCase().replaceAll(/[^0-9a-z]/g, '').slice(-8).padStart(8, '0')

const marks = new Map<string, string>()
const markOf = (groupId: string): string => {
  const known = marks.get(groupId) ?? groupMark(groupId)
  marks.set(groupId, known)
  return known
}

/** An order's id, at most 64 characters: deterministic and unique for group, cause, account, and attempt. */
export const clientOrderId = ({ groupId, cause, accountId, attempt }: { readonly groupId: string; readonly cause: OrderCause; readonly accountId: number; readonly attempt: number }): string => {
  const from = cause.kind === 'fill' ? `f${base36(cause.id)}` : `r${base36(cause.seq)}`
  return `fb-${markOf(groupId)}-${from}-${base36(accountId)}-${whole(attempt)}`
}

/** Parses an id; null if the copier did not make it. */
export const readClientOrderId = (clOrdId: string): ClientOrderId | null => {
  const match = pattern.exec(clOrdId)
  if (match === null) return null
  const [, group = '', event = '', from = '', account = '', attempt = ''] = match
  const number = parseInt(from, 36)
  const accountId = parseInt(account, 36)
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(accountId)) return null
  return { group, cause: event === 'r' ? { kind: 'event', seq: number } : { kind: 'fill', id: number }, accountId, attempt: Number(attempt) }
}

/** Whether the copier made this id. */
export const isOurs = (clOrdId: string | null): boolean => clOrdId !== null && pattern.test(clOrdId)

const whole = (value: number): number => {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`Not a whole number: ${value}`)
  return value
}
const base36 = (value: number): string => whole(value).toString(36)
