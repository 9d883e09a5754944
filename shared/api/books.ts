import { z } from 'zod'
import { bookFirms, bookKinds, type BooksFilter, type booksParameters } from '#shared/stats/books-filter.ts'
import { calendarDay, identifier } from './fields.ts'
import { several } from './statistics.ts'

/** Downloads earnings and expenses as CSV with `GET`. */
export const booksCsvPath = '/api/books.csv'

/** The query parameters of the CSV download, named as in the page's own URL (`writeBooksFilter`). */
export const booksCsvQuery = z.object({
  from: calendarDay.optional(),
  to: calendarDay.optional(),
  firm: several(z.enum(bookFirms)),
  account: several(identifier),
  kind: several(z.enum(bookKinds)),
}) satisfies z.core.$ZodType<Partial<Record<(typeof booksParameters)[number], unknown>>>

/** The filter in these query parameters. */
export const booksFilterOf = ({ from, to, firm, account, kind }: z.output<typeof booksCsvQuery>): BooksFilter => ({ from: from ?? null, to: to ?? null, firms: firm, accounts: account, kinds: kind })
