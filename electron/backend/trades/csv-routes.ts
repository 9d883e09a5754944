import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Express } from 'express'
import { filterOf, tradesCsvPath, tradesCsvQuery } from '#shared/api/statistics.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'
import type { JournalReading } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { callerOf, readSent, type Admission } from '../http/mount.ts'
import { sendProblem } from '../http/problem.ts'
import { unlessGone } from '../http/sent-file.ts'

type Read = JournalReading['tradesCsv']
type Part = Awaited<ReturnType<Read>>

/** Gives the trades of a filter as a CSV file, part by part as they are read; a change of the journal meanwhile shows in the parts that follow. */
export const mountTradesCsv = (app: Express, read: JournalReading, admission: Admission<Browser, Caller>): void => {
  app.get(tradesCsvPath, async (request, response) => {
    const caller = await callerOf(admission, request, response)
    if (!caller.ok) return sendProblem(response, caller.error)
    const query = readSent(tradesCsvQuery, request.query)
    if (!query.ok) return sendProblem(response, { code: 'invalid-request', fields: query.error })
    const asked = { userId: caller.value.userId, filter: filterOf(query.value), zone: query.value.zone ?? null }
    // Before the head is sent: what fails at once is a problem like any other.
    const first = await read.tradesCsv({ ...asked, after: null })
    response.attachment(fileName(asked.filter))
    await pipeline(Readable.from(partsFrom(read, asked, first)), response).catch(unlessGone)
  })
}

async function* partsFrom(read: JournalReading, asked: Omit<Parameters<Read>[0], 'after'>, first: Part): AsyncGenerator<Uint8Array> {
  yield first.lines
  for (let after = first.next; after !== null; ) {
    const part = await read.tradesCsv({ ...asked, after })
    yield part.lines
    after = part.next
  }
}

const fileName = ({ from, to }: TradeFilter): string => `fillbook-trades${from === null ? '' : `-from-${from}`}${to === null ? '' : `-to-${to}`}.csv`
