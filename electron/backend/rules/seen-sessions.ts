import type { Log } from '#shared/base/log.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { noMoney, type SessionMoney } from '#shared/copier/session-money.ts'
import type { Settled } from './settled-facts.ts'
import type { SessionExtremes } from './rows.ts'

/** What is known of one account in one session: its highs and lows, its transfers, and its settled facts. */
export type SeenSession = {
  readonly extremes: SessionExtremes
  /** The broker's, which may change within a day of ours; null where it was not heard. */
  readonly session: string | null
  readonly money: SessionMoney
  readonly settled: Settled | undefined
}

/** What is known of a user's accounts, by key. */
export type SeenAccounts = Map<string, SeenSession>

/** Session highs and lows, kept over restarts of the program. */
export type SeenSessions = {
  /** The accounts of a trading day's session; always the same map, to be changed in place. */
  readonly of: (userId: string, day: string) => Promise<SeenAccounts>
  /** Saves the map's current content, a moment later and not too often. */
  readonly keep: (userId: string) => void
  /** Settles once everything is saved. */
  readonly stop: () => Promise<void>
}

/** The part of the journal that stores them. */
type SeenJournal = { readonly read: Pick<JournalCalls['read'], 'sessionExtremes'>; readonly write: Pick<JournalCalls['write'], 'saveExtremes'> }

// Quotes move equity many times a second: save a peak once a second, if it moved by 1.00 or more.
const spacingMs = 1_000
const leastMove = 1_0000

const figures = ['peak', 'trough', 'lowestBalance', 'highestDay', 'lowestDay', 'lowestRealized', 'moved'] as const satisfies (keyof SessionExtremes)[]

const movedBy = (now: SessionExtremes, kept: SessionExtremes | undefined): number =>
  kept?.tradingDay === now.tradingDay ? Math.max(...figures.map((figure) => (now[figure] === kept[figure] ? 0 : kept[figure] === null ? Infinity : Math.abs((now[figure] ?? 0) - kept[figure])))) : Infinity

/** An account without anything seen in a session. */
export const unseen = (account: string, tradingDay: string): SessionExtremes => ({
  account, tradingDay, peak: null, trough: null, lowestBalance: null, highestDay: null, lowestDay: null, lowestRealized: null, moved: noMoney.moved,
})

/** Session highs and lows, stored in the journal on this computer. */
export const createSeenSessions = ({ read, write }: SeenJournal, log: Pick<Log, 'warn'>): SeenSessions => {
  const seen = new Map<string, Promise<SeenAccounts>>()
  const lists = new Map<string, SeenAccounts>()
  const kept = new Map<string, Map<string, SessionExtremes>>()
  const due = new Map<string, NodeJS.Timeout>()
  let writing: Promise<unknown> = Promise.resolve()

  const load = async (userId: string, day: string): Promise<SeenAccounts> => {
    const rows = await read.sessionExtremes({ userId, day })
    kept.set(userId, new Map(rows.map((row) => [row.account, row])))
    const list: SeenAccounts = new Map(rows.map((extremes) => [extremes.account, { extremes, session: null, money: { ...noMoney, moved: extremes.moved }, settled: undefined }]))
    lists.set(userId, list)
    return list
  }
  const changed = (userId: string, least: number): SessionExtremes[] => {
    const before = kept.get(userId)
    const now = [...(lists.get(userId)?.values() ?? [])].map(({ extremes }) => extremes)
    return now.filter((one) => movedBy(one, before?.get(one.account)) >= least)
  }
  const put = async (userId: string): Promise<void> => {
    const extremes = changed(userId, 1)
    if (extremes.length === 0) return
    await write.saveExtremes({ userId, extremes })
    for (const one of extremes) kept.get(userId)?.set(one.account, one)
  }
  const putNow = (userId: string): void => {
    clearTimeout(due.get(userId))
    due.delete(userId)
    writing = Promise.all([writing, put(userId).catch((error: unknown) => log.warn({ error }, 'storing session extremes failed'))])
  }

  return {
    of: (userId, day) => {
      const known = seen.get(userId) ?? load(userId, day)
      seen.set(userId, known)
      known.catch(() => seen.delete(userId))
      return known
    },
    keep: (userId) => {
      if (!due.has(userId) && changed(userId, leastMove).length > 0) due.set(userId, setTimeout(() => putNow(userId), spacingMs).unref())
    },
    stop: async () => {
      for (const userId of lists.keys()) putNow(userId)
      await writing
    },
  }
}
