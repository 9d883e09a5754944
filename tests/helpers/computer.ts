import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { recordRoutes } from '#shared/api/journal.ts'
import { mirrorStateRoutes, type MirrorState } from '#shared/api/mirror-state.ts'
import type { FillPairRecord, TradeUpdates } from '#shared/api/records.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { startApp, type App } from './app.ts'
import type { JournalRows } from './journal-rows.ts'
import { sharedRowsIn } from './shared-rows.ts'

const password = 'correct horse'
const patienceMs = 120_000
const betweenLooksMs = 20

/** A computer of a user: the whole program on a data folder of its own. */
export type Computer = App & {
  /** The profile's id on this computer. */
  readonly userId: string
  readonly mirror: () => Promise<MirrorState>
  readonly mirrorNow: () => Promise<void>
  readonly enter: (id: string) => Promise<void>
  readonly annotate: (id: string, updates: TradeUpdates) => Promise<void>
  readonly remove: (id: string) => Promise<void>
  readonly addFinance: (id: string, amount: number) => Promise<void>
  /** By id. */
  readonly trades: () => Promise<FillPairRecord[]>
  /** All that must be the same on every computer of the user, and its outbox. */
  readonly rows: () => JournalRows
}

type Options = { readonly email: string; readonly cloudUrl: string; readonly dataDir?: string; /** What its clock says, UTC ms. */ readonly now?: () => number }

/** Starts a computer and signs its user in, or up if there is no user yet. It ends with the test. */
export const startComputer = async ({ email, cloudUrl, ...given }: Options): Promise<Computer> => {
  const app = await startApp({ ...given, env: { FILLBOOK_CLOUD_URL: cloudUrl } })
  const { browser, dataDir } = app
  const { hasProfiles } = await browser.call(sessionRoutes.session)
  const userId = hasProfiles ? (await browser.call(sessionRoutes.signIn, { body: { email, password } })).currentUser.uid : (await browser.signUp(email, password)).userId
  const at = { symbol: 'MESZ6', qty: 1, entryPrice: 6700, exitPrice: 6701, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' }
  return {
    ...app,
    userId,
    mirror: () => browser.call(mirrorStateRoutes.mirrorState),
    mirrorNow: async () => void (await browser.call(mirrorStateRoutes.mirrorNow)),
    enter: async (id) => void (await browser.call(recordRoutes.addTrade, { body: { userId, trade: { ...at, id } } })),
    annotate: async (id, updates) => void (await browser.call(recordRoutes.updateTrade, { body: { userId, id, updates } })),
    remove: async (id) => void (await browser.call(recordRoutes.removeTrade, { body: { userId, id } })),
    addFinance: async (id, amount) => void (await browser.call(recordRoutes.addFinance, { body: { userId, finance: { id, type: 'earning', amount, name: id, balance: 0, platform: 'other' } } })),
    trades: async () => (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    rows: () => sharedRowsIn(join(dataDir, 'journal.db')),
  }
}

/** Waits until the condition is true, which a working program reaches without help; throws after two minutes. */
export const until = async (what: string, isSo: () => Promise<boolean> | boolean): Promise<void> => {
  const deadline = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`It never came to this: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, betweenLooksMs))
  }
}

/** Waits until the computer's mirror has sent and taken everything. */
export const upToDate = (one: Computer): Promise<void> =>
  until('up to date', async () => {
    const { state } = await one.mirror()
    // A cloud that was away is tried again at once.
    if (state === 'offline') await one.mirrorNow()
    return state === 'up-to-date'
  })

/** Runs each mirror at once until the condition is true. */
export const comeTo = (what: string, computers: readonly Computer[], isSo: () => Promise<boolean> | boolean): Promise<void> =>
  until(what, async () => {
    for (const one of computers) {
      await one.mirrorNow()
      await upToDate(one)
    }
    return isSo()
  })

/** Waits until the computers hold the same rows and no outbox has anything left; shows the differences otherwise. A computer recomputes what it received after it reports itself up to date. */
export const holdTheSame = (...computers: readonly [Computer, Computer]): Promise<void> =>
  vi.waitFor(async () => {
    for (const one of computers) {
      await one.mirrorNow()
      await upToDate(one)
    }
    const [one, another] = computers.map((computer) => computer.rows())
    expect(one).toEqual(another)
    expect(one?.['outbox']).toEqual([])
  }, { timeout: patienceMs, interval: betweenLooksMs })
