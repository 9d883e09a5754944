import { createHash, randomBytes } from 'node:crypto'
import type { ReturnTo } from '#shared/api/brokerage.ts'
import type { BrokerageAccount, ExpiredAccount } from '#shared/api/records.ts'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Login } from '../db/rows.ts'
import { consentUrl } from '../brokers/tradovate/oauth.ts'
import type { Timing } from '../brokers/timing.ts'
import { connectDatabase, databaseAccounts, type DatabaseInput } from './connect-database.ts'
import { connectKey, type KeyInput } from './connect-key.ts'
import { introduce } from './connections-introduce.ts'
import type { Rights } from '../plans/rights.ts'
import type { TokenKeeper } from '../sync/token-keeper.ts'

/** When an unanswered consent expires. */
const consentLastsMs = 3_600_000
/** How far back the fills of the account call reach. */
const fillsReachMs = 24 * 3_600_000

type Deps = {
  readonly journal: JournalCalls
  readonly keeper: TokenKeeper
  readonly timing: Timing
  readonly rights: Pick<Rights, 'require'>
  /** The folder for copies of databases. */
  readonly databases: string
  /** Called when a login has new tokens: the state of the old ones is stale, its first sync is due, and its history if the user wants it. */
  readonly connected: (login: { readonly userId: string; readonly loginId: string; readonly history: boolean }) => Promise<void>
  /** Renews the due tokens of a user's logins. */
  readonly keepAlive: (userId: string) => Promise<void>
  /** Whether the copier still has orders in an account of a login. */
  readonly hasOrders: (login: { readonly userId: string; readonly loginId: string }) => Promise<boolean>
  /** Called when a login was forgotten. */
  readonly forgotten: (loginId: string) => Promise<void>
}

/** Connecting to the brokerage, and what the user sees of it. */
export type Connections = ReturnType<typeof createConnections>

export const createConnections = ({ journal, keeper, timing, rights, databases, connected, keepAlive, hasOrders, forgotten }: Deps) => {
  const sentCodes = new Set<string>()
  /** Where to return to after an exchange that failed, by state: given out once. */
  const failedReturns = new Map<string, ReturnTo>()

  const isPending = ({ createdAt }: { readonly createdAt: number }): boolean => createdAt >= timing.now() - consentLastsMs

  /** Ends the user's consent with this state, and returns it; null if there is none. The specification's callers send no state and mean their last consent. The page always sends one, so that a link from somebody else cannot end a consent. */
  const takeConsent = async (userId: string, given: string | undefined): Promise<{ returnTo: ReturnTo; history: boolean } | null> => {
    const state = given ?? (await journal.read.lastOauthState({ userId }))?.state
    if (state === undefined) return null
    const begun = await journal.write.consumeOauthState({ state })
    return begun === null || begun.userId !== userId || !isPending(begun) ? null : begun
  }

  const swapCode = async (userId: string, code: string): Promise<Result<{ loginId: string }, Refused>> => {
    const brokerage = await keeper.brokerageOf(userId)
    if (brokerage === null) return refuse('brokerage-not-configured')
    const mark = createHash('sha256').update(code).digest('base64')
    if (sentCodes.has(mark)) return refuse('code-refused')
    sentCodes.add(mark)
    const outcome = await keeper.appOf(userId, brokerage).exchange({ code, redirectUri: brokerage.redirectUri })
    switch (outcome.kind) {
      case 'connected':
        return introduce({ journal, keeper, timing }, { userId, brokerage, tokens: outcome.tokens })
      case 'refused':
        return refuse('code-refused')
      case 'plan-needed':
        return refuse('plan-needed')
      case 'answer-lost':
        return refuse('answer-lost')
      case 'unreachable':
        return 'waitMs' in outcome.failure ? refuse('brokerage-busy', { retryAfterMs: Math.ceil(outcome.failure.waitMs) }) : refuse('brokerage-unreachable')
    }
  }

  const deleteLogin = async (userId: string, loginId: string): Promise<void> => {
    // Without its tokens nobody could cancel the copier's entries or follow its exits: a later sweep forgets it. Without access nobody can anyway.
    const hasAccess = (await journal.read.logins({ userId })).some(({ id, status }) => id === loginId && status === 'ok') && (await keeper.open({ userId, loginId })).kind !== 'no-tokens'
    if (hasAccess && (await hasOrders({ userId, loginId }))) return
    // An account may have come back meanwhile: then the login stays, and its tokens with it.
    if (!(await journal.write.removeLogin({ userId, loginId }))) return
    await keeper.forget(loginId)
    await forgotten(loginId)
  }

  const sweep = async (userId: string): Promise<void> => {
    for (const login of await journal.read.logins({ userId })) {
      const accounts = await journal.read.accountsOfLogin({ userId, loginId: login.id })
      // A new login has no accounts yet; one that was refused before its first, or has no tokens, will never have any.
      const mayGrow = accounts.length === 0 && login.status === 'ok' && (await keeper.open({ userId, loginId: login.id })).kind !== 'no-tokens'
      if (!mayGrow && accounts.every(({ removedAt }) => removedAt !== null)) await deleteLogin(userId, login.id)
    }
  }

  return {
    /** Whether real accounts can be connected, by this user or, with null, by anybody who signs in. */
    isReady: keeper.isReady,
    /** Deletes the tokens of every login whose accounts were all removed, by whatever call. */
    sweep,
    /** Deletes every token of a user whose profile is being deleted. */
    deleteAll: async (userId: string): Promise<void> => {
      for (const { id } of await journal.read.logins({ userId })) {
        await keeper.forget(id)
        await forgotten(id)
      }
    },
    /** Saves where to return to, and returns the URL of the brokerage's consent page; refused if the plan does not include it. */
    beginConsent: async (userId: string, { returnTo, anotherLogin = false, history = false }: { readonly returnTo: ReturnTo; readonly anotherLogin?: boolean; readonly history?: boolean }): Promise<Result<{ url: string }, Refused>> => {
      const may = await rights.require(userId, 'autosync')
      if (!may.ok) return may
      const brokerage = await keeper.brokerageOf(userId)
      if (brokerage === null) return refuse('brokerage-not-configured')
      const clientId = await keeper.appOf(userId, brokerage).clientId()
      if (!clientId.ok) return clientId
      const state = randomBytes(32).toString('base64url')
      await journal.write.saveOauthState({ state, userId, returnTo, history, createdAt: timing.now() })
      return ok({ url: consentUrl({ hosts: brokerage.hosts, clientId: clientId.value, redirectUri: brokerage.redirectUri, state, anotherLogin }) })
    },
    /** Whether any user's consent with this state is pending. Does not end it. */
    awaits: async (state: string): Promise<boolean> => {
      const begun = await journal.read.oauthState({ state })
      return begun !== null && isPending(begun)
    },
    /** Deletes a consent that failed, also one whose code was refused, and returns the page to go back to. */
    endConsent: async (userId: string, { state = '' }: { readonly state?: string | undefined }): Promise<{ returnTo: ReturnTo }> => {
      const returnTo = failedReturns.get(state) ?? (await takeConsent(userId, state))?.returnTo ?? 'autosync'
      failedReturns.delete(state)
      return { returnTo }
    },
    /** Swaps a code for tokens and saves the login's accounts; the first sync follows automatically. A state works once, and a code is never sent twice. */
    exchange: async (userId: string, { code, state }: { readonly code: string; readonly state?: string | undefined }): Promise<Result<{ tokenDocId: string; returnTo: ReturnTo }, Refused>> => {
      const consent = await takeConsent(userId, state)
      if (consent === null) return refuse('unknown-state')
      const swapped = await swapCode(userId, code)
      if (!swapped.ok) {
        if (state !== undefined) failedReturns.set(state, consent.returnTo)
        return swapped
      }
      await connected({ userId, loginId: swapped.value.loginId, history: consent.history })
      return ok({ tokenDocId: swapped.value.loginId, returnTo: consent.returnTo })
    },
    /** Connects a login that has an API key instead of a consent; the first sync follows automatically. */
    connectKey: async (userId: string, given: KeyInput): Promise<Result<{ loginId: string }, Refused>> => {
      const may = await rights.require(userId, 'autosync')
      if (!may.ok) return may
      const login = await connectKey({ journal, keeper, timing }, userId, given)
      // The past of such a login is read by its runs.
      if (login.ok) await connected({ userId, loginId: login.value.loginId, history: false })
      return login
    },
    /** The accounts in a NinjaTrader database, or in the one at its usual place. */
    databaseAccounts: async (userId: string, path: string | null) => {
      const may = await rights.require(userId, 'autosync')
      return may.ok ? databaseAccounts(databases, journal, userId, path) : may
    },
    /** Connects accounts of a NinjaTrader database; the first sync follows automatically. */
    connectDatabase: async (userId: string, given: DatabaseInput): Promise<Result<{ loginId: string }, Refused>> => {
      const may = await rights.require(userId, 'autosync')
      if (!may.ok) return may
      const login = await connectDatabase({ journal, timing, folder: databases }, userId, given)
      if (login.ok) await connected({ userId, loginId: login.value.loginId, history: false })
      return login
    },
    /** The connected accounts with their fills of the last day. */
    accounts: (userId: string): Promise<BrokerageAccount[]> => journal.read.brokerageAccounts({ userId, fillsSince: timing.now() - fillsReachMs }),
    /** Renews due tokens, and lists the accounts whose access ended for good. */
    tokenHealth: async (userId: string): Promise<{ needsReauth: boolean; expiredAccounts: ExpiredAccount[] }> => {
      await sweep(userId)
      await keepAlive(userId)
      // Missing tokens do not end the access: the account's state shows them, and nothing is removed.
      const expired = (await journal.read.logins({ userId })).filter(({ status }) => status === 'expired')
      const expiredAccounts = (await Promise.all(expired.map((login) => accountsLost(journal, login)))).flat()
      return { needsReauth: expiredAccounts.length > 0, expiredAccounts }
    },
    /** Disconnects an account whose access ended, or any other; a login's token goes with its last account, once the copier has no orders there. */
    removeAccount: async (userId: string, accountId: string): Promise<void> => {
      // The API's id of a connected account is the journal's key.
      const removed = await journal.write.removeAccount({ userId, account: accountId as AccountKey, at: timing.now() })
      if (removed !== null && !removed.loginHasAccounts) await deleteLogin(userId, removed.loginId)
      await sweep(userId)
    },
  }
}

const accountsLost = async (journal: JournalCalls, { id, userId, lastError }: Login): Promise<ExpiredAccount[]> => {
  const accounts = await journal.read.accountsOfLogin({ userId, loginId: id })
  return accounts
    .filter(({ removedAt }) => removedAt === null)
    .map(({ key, name }) => ({ accountId: key, accountName: name === '' ? null : name, lastError, tokenDocId: id }))
}
