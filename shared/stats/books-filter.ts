import { calendarDay, identifier } from '#shared/api/fields.ts'
import { firm, type Finance } from '#shared/api/records.ts'

/** An earning or an expense among the finances, which hold accounts too. */
export type BookEntry = Finance & { readonly type: 'earning' | 'expense' }

/** The earnings and expenses among finances, in their order. */
export const entriesOf = (finances: readonly Finance[]): BookEntry[] => finances.filter((finance): finance is BookEntry => finance.type === 'earning' || finance.type === 'expense')

/** Every way in which money comes or goes: `type/category`. */
export const bookKinds = [
  ...(['earning/payout', 'earning/refund', 'earning/other'] as const),
  ...(['expense/evaluation', 'expense/reset', 'expense/activation', 'expense/subscription', 'expense/data', 'expense/other'] as const),
] as const
export type BookKind = (typeof bookKinds)[number]

/** Stands in a filter for entries that have no firm, or no account. */
export const nothing = 'none'

/** Firms that a filter can name, and entries without one. */
export const bookFirms = [...firm.options, nothing] as const
export type BookFirm = (typeof bookFirms)[number]

/** Which earnings and expenses are looked at: those that meet every condition. An empty list, and null, is no condition. */
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

/** The parameters of a URL that say such a filter; all others are somebody else's. */
export const booksParameters = ['from', 'to', 'firm', 'account', 'kind'] as const

/** Reads a filter from a URL's parameters. What is unknown or broken is left out: any address shows something. */
export const readBooksFilter = (parameters: { readonly getAll: (name: string) => readonly string[] }): BooksFilter => {
  const read = (name: (typeof booksParameters)[number], isSayable: (value: string) => boolean): string[] => [...new Set(parameters.getAll(name))].filter(isSayable)
  const isDay = (value: string): boolean => calendarDay.safeParse(value).success
  return {
    from: read('from', isDay)[0] ?? null,
    to: read('to', isDay)[0] ?? null,
    firms: bookFirms.filter((one) => parameters.getAll('firm').includes(one)),
    accounts: read('account', (value) => identifier.safeParse(value).success),
    kinds: bookKinds.filter((one) => parameters.getAll('kind').includes(one)),
  }
}

/** A filter as names and values for `new URLSearchParams`, which `readBooksFilter` reads back. */
export const writeBooksFilter = ({ from, to, firms, accounts, kinds }: BooksFilter): [name: string, value: string][] => [
  ...(from === null ? [] : [['from', from] satisfies [string, string]]),
  ...(to === null ? [] : [['to', to] satisfies [string, string]]),
  ...firms.map((value): [string, string] => ['firm', value]),
  ...accounts.map((value): [string, string] => ['account', value]),
  ...kinds.map((value): [string, string] => ['kind', value]),
]
