import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { brokerageRoutes, type ConnectedAccount, type SyncGap } from '#shared/api/brokerage.ts'
import { historyRoutes } from '#shared/api/history.ts'
import { journalRoutes, logbookRoutes, recordRoutes } from '#shared/api/journal.ts'
import { leftOverRoutes, type LeftOverNote } from '#shared/api/left-over.ts'
import { reconciliationRoutes, type ReconciledDay } from '#shared/api/reconciliation.ts'
import type { FillPairRecord, TradeRecord, tradeUserFields } from '#shared/api/records.ts'
import { statisticsRoutes, type StatisticsAnswer } from '#shared/api/statistics.ts'
import { syncRoutes, type SyncReceipt } from '#shared/api/sync.ts'
import type { Browser, EventStream } from '../helpers/browser.ts'
import type { Broker } from './broker.ts'
import type { World } from './world.ts'

/** All that a journal shows of itself at one moment. */
export type Shown = {
  readonly receipt: SyncReceipt
  readonly pairs: readonly FillPairRecord[]
  readonly trades: readonly TradeRecord[]
  readonly statistics: StatisticsAnswer
  readonly gaps: readonly SyncGap[]
  readonly accounts: readonly ConnectedAccount[]
  readonly days: readonly ReconciledDay[]
  readonly leftOver: readonly LeftOverNote[]
}

/** A user of the program under test, as the screens call it. */
export type JournalUser = {
  readonly connect: () => Promise<void>
  readonly sync: () => Promise<void>
  /** Brings history since a day, and waits for its end. */
  readonly history: (since: string) => Promise<void>
  readonly look: () => Promise<Shown>
  readonly write: (id: string, updates: Partial<z.infer<typeof tradeUserFields>>) => Promise<void>
  readonly remove: (id: string) => Promise<void>
  /** False if the fill pair has changed since: a removed one then stays removed. */
  readonly restore: (id: string) => Promise<boolean>
  readonly close: () => void
}

const patienceMs = 60_000

/** The journal of a user who has a login in `world`, as their browser shows it. */
export const openJournal = async (browser: Browser, userId: string, broker: Broker, world: World): Promise<JournalUser> => {
  const events = await browser.events()
  const receiptOf = (isIt: (receipt: SyncReceipt) => boolean): Promise<SyncReceipt> =>
    waitFor('the end of a sync', () => events.seen.flatMap((event) => (event.type === 'sync-ended' && isIt(event.receipt) ? [event.receipt] : []))[0])
  let last: SyncReceipt | null = null
  const ended = async (isIt: (receipt: SyncReceipt) => boolean): Promise<void> => {
    last = await receiptOf(isIt)
    await settled(events, broker, world, browser)
  }
  return {
    connect: async () => {
      const { url } = await browser.call(brokerageRoutes.beginConsent, { body: { returnTo: 'autosync' } })
      await browser.call(brokerageRoutes.tradovate, { body: { userId, code: `code-${world.key}`, state: new URL(url).searchParams.get('state') ?? '' } })
      await ended(({ trigger }) => trigger === 'connect')
    },
    sync: async () => {
      const { runId } = await browser.call(syncRoutes.syncNow)
      await ended((receipt) => receipt.runId === runId)
    },
    history: async (since) => {
      const { logins } = await browser.call(historyRoutes.history)
      for (const { loginId } of logins) {
        await browser.call(historyRoutes.startHistory, { body: { loginId, since } })
        await waitFor('the end of history', async () => (await browser.call(historyRoutes.history)).logins.find((login) => login.loginId === loginId && login.state !== 'running' && (login.state !== 'waiting' || login.trouble !== null)))
      }
      await settled(events, broker, world, browser)
    },
    look: async () => {
      if (last === null) throw new Error('Nothing was synced yet')
      const [{ trades: pairs }, { rows: trades }, statistics, { gaps }, { accounts }, { days }, { notes: leftOver }] = await Promise.all([
        browser.call(recordRoutes.getTrades, { query: { userId } }),
        browser.call(journalRoutes.tradePage, { query: { limit: 500 } }),
        browser.call(statisticsRoutes.statistics, { query: { unit: 'pairs' } }),
        browser.call(brokerageRoutes.syncGaps),
        browser.call(brokerageRoutes.connectedAccounts),
        browser.call(reconciliationRoutes.reconciliation, { query: {} }),
        browser.call(leftOverRoutes.leftOverNotes, { query: {} }),
      ])
      return { receipt: last, pairs, trades, statistics, gaps, accounts, days, leftOver }
    },
    write: async (id, updates) => void (await browser.call(recordRoutes.updateTrade, { body: { userId, id, updates } })),
    remove: async (id) => void (await browser.call(recordRoutes.removeTrade, { body: { userId, id } })),
    restore: async (id) => (await browser.send(logbookRoutes.restorePair.path, { method: 'POST', headers: { 'content-type': 'application/json', origin: browser.origin }, body: JSON.stringify({ id }) })).status === 200,
    close: events.close,
  }
}

/** Waits until the program has made up its mind about sessions that it missed: it asks the broker for them after a sync, unbidden. */
const settled = async (events: EventStream, broker: Broker, world: World, browser: Browser): Promise<void> => {
  // A stable read may fall between two calls of a busy computer, or into a recompute: each commit waits for the disk.
  for (let quiet = 0; quiet < 10; ) {
    const before = [events.seen.length, broker.asked(world)].join()
    await browser.call(brokerageRoutes.syncGaps)
    await pause(15)
    await browser.call(historyRoutes.history)
    quiet = before === [events.seen.length, broker.asked(world)].join() ? quiet + 1 : 0
  }
}

const waitFor = async <T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  const until = performance.now() + patienceMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > until) throw new Error(`Waited in vain for ${what}`)
    await pause(3)
  }
}
