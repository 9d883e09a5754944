import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Express } from 'express'
import type { journalRoutes, logbookRoutes, recordRoutes } from '#shared/api/journal.ts'
import { ok } from '#shared/base/result.ts'
import type { comparisonRoutes } from '#shared/api/comparison.ts'
import { filterOf, tradesCsvPath, tradesCsvQuery, type statisticsRoutes, type Unit } from '#shared/api/statistics.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'
import type { JournalReading, Records } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { done, doneIf } from '../http/done.ts'
import { callerOf, readSent, type Admission, type Handlers } from '../http/mount.ts'
import { sendProblem } from '../http/problem.ts'
import { ignoreReceiverDisconnect } from '../http/sent-file.ts'

/** The journal's records, under the spec's paths, and undoing a removal. */
export const recordHandlers = ({ records, read }: { readonly records: Records; readonly read: JournalReading }): Handlers<typeof recordRoutes & typeof logbookRoutes, Browser, Caller> => ({
  getTrades: async ({ caller }) => ok(await read.tradesJson({ userId: caller.id })),
  addTrade: async ({ caller, body }) => {
    const added = await records.addTrade(caller.id, body.trade)
    return added.ok ? ok({ success: true, trade: added.value }) : added
  },
  removeTrade: async ({ caller, body }) => {
    if ('accountId' in body) {
      await records.removeTradesOfAccount(caller.id, body.accountId)
      return done
    }
    return doneIf(await records.removeTrade(caller.id, body.id))
  },
  restorePair: async ({ caller, body }) => doneIf(await records.restorePair(caller.id, body.id)),
  tagPairs: async ({ caller, body }) => ok({ changed: [...(await records.tagPairs(caller.id, body))] }),
  savePairs: ({ caller, body }) => records.savePairs(caller.id, body.edits),
  updateTrade: async ({ caller, body }) => {
    const updated = await records.updateTrade(caller.id, body.id, body.updates)
    return updated.ok ? ok({ success: true, trade: updated.value }) : updated
  },
  getFinances: async ({ caller }) => ok({ success: true, finances: await read.finances({ userId: caller.id }) }),
  addFinance: async ({ caller, body }) => ok({ success: true, finance: await records.addFinance(caller.id, body.finance) }),
  removeFinance: async ({ caller, body }) => doneIf(await records.removeFinance(caller.id, body.id)),
  addFill: async ({ caller, body }) => doneIf(await records.addFill(caller.id, body.fill)),
})

/** The screens' reads of the journal. */
export const readHandlers = (read: JournalReading): Handlers<typeof journalRoutes & typeof statisticsRoutes & typeof comparisonRoutes, Browser, Caller> => ({
  pairPage: async ({ caller, query }) => ok(await read.pairPage({ ...query, filter: filterOf(query), userId: caller.id })),
  tradePage: async ({ caller, query }) => ok(await read.tradePage({ ...query, filter: filterOf(query), userId: caller.id })),
  recordById: async ({ caller, query: { id } }) => ok({ pair: await read.pairById({ userId: caller.id, id }), trade: await read.tradeById({ userId: caller.id, id }) }),
  findNotes: async ({ caller, query: { text } }) => ok(await read.findNotes({ userId: caller.id, text })),
  tradePairs: async ({ caller, query }) => ok(await read.tradePairs({ ...query, userId: caller.id })),
  statistics: async ({ caller, query }) => ok(await read.statisticsJson({ userId: caller.id, filter: filterOf(query), unit: query.unit, zone: query.zone ?? null, timedBy: query.timedBy })),
  excursionPoints: async ({ caller, query }) => ok(await read.excursionPoints({ userId: caller.id, filter: filterOf(query), unit: query.unit })),
  comparison: async ({ caller, query }) => ok(await read.comparison({ userId: caller.id, filter: filterOf(query), unit: query.unit, kind: query.compare, sides: query.with })),
  bookedPayouts: async ({ caller }) => ok({ payouts: await read.bookedPayouts({ userId: caller.id }) }),
  filterChoices: async ({ caller }) => ok(await read.filterChoices({ userId: caller.id })),
})

type ReadCsv = JournalReading['tradesCsv']
type CsvPart = Awaited<ReturnType<ReadCsv>>

/** Downloads the pairs or trades of a filter as a CSV file, in parts as they are read; a change of the journal meanwhile shows in later parts. */
export const mountTradesCsv = (app: Express, read: JournalReading, admission: Admission<Browser, Caller>): void => {
  app.get(tradesCsvPath, async (request, response) => {
    const caller = await callerOf(admission, request, response)
    if (!caller.ok) return sendProblem(response, caller.error)
    const query = readSent(tradesCsvQuery, request.query)
    if (!query.ok) return sendProblem(response, { code: 'invalid-request', fields: query.error })
    const asked = { userId: caller.value.userId, unit: query.value.unit, filter: filterOf(query.value), zone: query.value.zone ?? null }
    // Before the head is sent: an immediate failure is a problem like any other.
    const first = await read.tradesCsv({ ...asked, after: null })
    response.attachment(fileName(asked))
    await pipeline(Readable.from(partsFrom(read, asked, first)), response).catch(ignoreReceiverDisconnect)
  })
}

async function* partsFrom(read: JournalReading, asked: Omit<Parameters<ReadCsv>[0], 'after'>, first: CsvPart): AsyncGenerator<Uint8Array> {
  yield first.lines
  for (let after = first.next; after !== null; ) {
    const part = await read.tradesCsv({ ...asked, after })
    yield part.lines
    after = part.next
  }
}

const fileName = ({ unit, filter: { from, to } }: { readonly unit: Unit; readonly filter: TradeFilter }): string => `fillbook-${unit === 'pairs' ? 'fill-pairs' : 'trades'}${from === null ? '' : `-from-${from}`}${to === null ? '' : `-to-${to}`}.csv`
