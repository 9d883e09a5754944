import type { Express } from 'express'
import { booksCsvPath, booksCsvQuery, booksFilterOf } from '#shared/api/books.ts'
import { entriesOf, matchesBooks, type BooksFilter } from '#shared/stats/books-filter.ts'
import { bookCsvLine, booksCsvHeader } from '#shared/stats/csv-books.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { callerOf, readSent, type Admission } from '../http/mount.ts'
import { sendProblem } from '../http/problem.ts'

const byteOrderMark = '\ufeff'

/** Downloads the earnings and expenses of a filter as a CSV file, newest first. */
export const mountBooksCsv = (app: Express, read: Pick<JournalCalls['read'], 'finances'>, admission: Admission<Browser, Caller>): void => {
  app.get(booksCsvPath, async (request, response) => {
    const caller = await callerOf(admission, request, response)
    if (!caller.ok) return sendProblem(response, caller.error)
    const query = readSent(booksCsvQuery, request.query)
    if (!query.ok) return sendProblem(response, { code: 'invalid-request', fields: query.error })
    const { userId } = caller.value
    const filter = booksFilterOf(query.value)
    const finances = await read.finances({ userId })
    const names = new Map(finances.flatMap(({ id, type, name }) => (type === 'earning' || type === 'expense' ? [] : [[id, name]])))
    const entries = entriesOf(finances).filter((entry) => matchesBooks(filter, entry)).toReversed()
    const lines = entries.map((entry) => bookCsvLine({ ...entry, accountName: names.get(entry.account ?? '') ?? '' }))
    response.attachment(fileName(filter))
    response.send([byteOrderMark, booksCsvHeader, ...lines].join(''))
  })
}

const fileName = ({ from, to }: BooksFilter): string => `fillbook-books${from === null ? '' : `-from-${from}`}${to === null ? '' : `-to-${to}`}.csv`
