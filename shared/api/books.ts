import { z } from 'zod'
import { bookFirms, bookKinds, type BooksFilter, type booksParameters } from '#shared/stats/books-filter.ts'
import { calendarDay, identifier } from './fields.ts'
import { several } from './statistics.ts'

/** Where earnings and expenses are had as CSV, by `GET`. */
export const booksCsvPath = '/api/books.csv'

/** The parameters of that, named as in the page's own address (`writeBooksFilter`). */
export const booksCsvQuery = z.object({
  from: calendarDay.optional(),
  to: calendarDay.optional(),
  firm: several(z.enum(bookFirms)),
  account: several(identifier),
  kind: several(z.enum(bookKinds)),
}) satisfies z.ZodType<Partial<Record<(typeof booksParameters)[number], unknown>>>

/** The filter that the parameters say. */
export const booksFilterOf = ({ from, to, firm, account, kind }: z.output<typeof booksCsvQuery>): BooksFilter => ({ from: from ?? null, to: to ?? null, firms: firm, accounts: account, kinds: kind })
