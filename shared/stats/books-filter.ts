import { calendarDay, identifier } from '#shared/api/fields.ts'
import { firm, type Finance } from '#shared/api/records.ts'

/** An earning or expense; `Finance` also includes accounts. */
export type BookEntry = Finance & { readonly type: 'earning' | 'expense' }

/** The earnings and expenses among finances, in order. */
export const entriesOf = (finances: readonly Finance[]): BookEntry[] => finances.filter((finance): finance is BookEntry => finance.type === 'earning' || finance.type === 'expense')

/** All kinds of entries: `type/category`. */
export const bookKinds = [
  ...(['earning/payout', 'earning/refund', 'earning/other'] as const),
  ...(['expense/evaluation', 'expense/reset', 'expense/activation', 'expense/subscription', 'expense/data', 'expense/other'] as const),
] as const
export type BookKind = (typeof bookKinds)[number]

/** The filter value for entries without a firm or account. */
export const nothing = 'none'

/** The firms that a filter can name, and `nothing`. */
export const bookFirms = [...firm.options, nothing] as const
export type BookFirm = (typeof bookFirms)[number]

/** Selects the earnings and expenses that meet every condition. An empty list or null is no condition. */
export type BooksFilter = {
  /** First and last day, `YYYY-MM-DD`, both included. */
  readonly from: string | null
  readonly to: string | null
  readonly firms: readonly BookFirm[]
  /** Ids of accounts, or `nothing`. */
  readonly accounts: readonly string[]
  readonly kinds: readonly BookKind[]
}

/** No condition at all. */
export const everyEntry: BooksFilter = { from: null, to: null, firms: [], accounts: [], kinds: [] }

/** Whether an entry meets every condition. */
export const matchesBooks = ({ from, to, firms, accounts, kinds }: BooksFilter, entry: Pick<BookEntry, 'type' | 'category' | 'date' | 'firm' | 'account'>): boolean =>
  (from === null || entry.date >= from) &&
  (to === null || entry.date <= to) &&
  (firms.length === 0 || firms.includes(entry.firm ?? nothing)) &&
  (accounts.length === 0 || accounts.includes(entry.account ?? nothing)) &&
  (kinds.length === 0 || (kinds as readonly string[]).includes(`${entry.type}/${entry.category}`))

/** The URL parameters of this filter; it ignores all others. */
export const booksParameters = ['from', 'to', 'firm', 'account', 'kind'] as const

/** Reads a filter from URL parameters. Ignores unknown and invalid values, so any URL shows something. */
export const readBooksFilter = (parameters: { readonly getAll: (name: string) => readonly string[] }): BooksFilter => {
  const read = (name: (typeof booksParameters)[number], isValid: (value: string) => boolean): string[] => [...new Set(parameters.getAll(name))].filter(isValid)
  const isDay = (value: string): boolean => calendarDay.safeParse(value).success
  return {
    from: read('from', isDay)[0] ?? null,
    to: read('to', isDay)[0] ?? null,
    firms: bookFirms.filter((one) => parameters.getAll('firm').includes(one)),
    accounts: read('account', (value) => identifier.safeParse(value).success),
    kinds: bookKinds.filter((one) => parameters.getAll('kind').includes(one)),
  }
}

/** The URL parameters of a filter, for `new URLSearchParams`; `readBooksFilter` reads them. */
export const writeBooksFilter = ({ from, to, firms, accounts, kinds }: BooksFilter): [name: string, value: string][] => [
  ...(from === null ? [] : [['from', from] satisfies [string, string]]),
  ...(to === null ? [] : [['to', to] satisfies [string, string]]),
  ...firms.map((value): [string, string] => ['firm', value]),
  ...accounts.map((value): [string, string] => ['account', value]),
  ...kinds.map((value): [string, string] => ['kind', value]),
]
