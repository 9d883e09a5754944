import type { ConnectedAccount, SyncGap } from '#shared/api/brokerage.ts'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { fileAccount } from '#shared/imports/accounts.ts'
import { hasSession, sessionOf } from '#shared/market/session.ts'
import { accountState, type AccountFacts } from '#shared/sync/account-state.ts'
import { longestWaitMs } from '#shared/sync/longest-wait.ts'
import { mayPass } from '#shared/sync/receipt.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { StoredAccount } from '../db/rows.ts'
import type { Runs } from '../sync/service.ts'
import type { Schedule } from '../sync/schedule.ts'
import type { TokenKeeper } from '../sync/token-keeper.ts'

/** Every run asks all logins, or notes why not, except the first run of a new login: this many receipts include the last that asked a given login. */
const receiptsBack = 10

type Deps = {
  readonly journal: JournalCalls
  readonly runs: Pick<Runs, 'covers'>
  readonly schedule: Pick<Schedule, 'nextAt'>
  readonly keeper: Pick<TokenKeeper, 'open'>
  /** UTC ms. */
  readonly now: () => number
}

/** The connected accounts, and the sync state of each. */
export type Accounts = ReturnType<typeof createAccounts>

export const createAccounts = ({ journal: { read, write }, runs, schedule, keeper, now }: Deps) => {
  const loginOf = async (userId: string, loginId: string, status: StoredAccount['loginStatus']): Promise<AccountFacts['login']> =>
    status === 'ok' && (await keeper.open({ userId, loginId })).kind === 'no-tokens' ? null : status

  const troubleOf = async (userId: string, { loginId, environment }: StoredAccount): Promise<AccountFacts['trouble']> => {
    for (const { endedAt, troubles } of await read.receipts({ userId, limit: receiptsBack })) {
      const found = troubles.find((trouble) => trouble.loginId === loginId && (trouble.environment ?? environment) === environment && mayPass(trouble))
      if (found === undefined) continue
      const at = Date.parse(endedAt)
      const pauseEnds = found.retryAfterMs === null ? null : at + Math.min(found.retryAfterMs, longestWaitMs)
      return { at, nextTryAt: (await schedule.nextAt(userId, pauseEnds ?? undefined)) ?? pauseEnds }
    }
    return null
  }

  const withState = async (userId: string, account: StoredAccount): Promise<ConnectedAccount> => {
    const { lastGoodAt, watchedSince, loginStatus, ...shown } = account
    const [login, trouble] = await Promise.all([loginOf(userId, account.loginId, loginStatus), troubleOf(userId, account)])
    const { state, nextTryAt } = accountState({
      fromFiles: account.id.startsWith(fileAccount('')),
      watchedSince: timeOf(watchedSince),
      login,
      running: runs.covers(userId, account.loginId),
      lastGoodAt: timeOf(lastGoodAt),
      trouble,
    })
    return { ...shown, sync: { state, lastGoodAt, nextTryAt: nextTryAt === null ? null : new Date(nextTryAt).toISOString() } }
  }

  return {
    connected: async (userId: string): Promise<ConnectedAccount[]> => Promise.all((await read.connectedAccounts({ userId })).map((account) => withState(userId, account))),
    /** Sessions that were missed, the latest first. The demo profile misses none: its market's clock does not run. */
    gaps: async (userId: string): Promise<SyncGap[]> => ((await read.profile({ id: userId }))?.demo === false ? read.syncGaps({ userId, at: now() }) : []),
    /** Closes a gap for good; a second time changes nothing. Refused where the account is not connected or the session is not over. */
    closeGap: async (userId: string, { accountId, tradingDay }: Pick<SyncGap, 'accountId' | 'tradingDay'>): Promise<Result<null, Refused>> => {
      const account = (await read.connectedAccounts({ userId })).find(({ id }) => id === accountId)
      if (account === undefined || !hasSession(tradingDay) || sessionOf(tradingDay).listedUntil > now()) return refuse('not-found')
      // The API's id of a connected account is the journal's key.
      await write.closeGap({ userId, at: now(), account: account.id as AccountKey, tradingDay })
      return ok(null)
    },
  }
}

const timeOf = (moment: string | null): number | null => (moment === null ? null : Date.parse(moment))
