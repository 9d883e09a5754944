import { join } from 'node:path'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { err, type Result } from '#shared/base/result.ts'
import type { LoginOfUser, TokenCalls } from './token-keeper.ts'
import type { Login as KeptLogin } from '../db/rows.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import type { BrokerageLogin } from '../brokers/port.ts'
import { ninjatraderLogin } from '../brokers/ninjatrader/part.ts'
import { createProjectxBars } from '../brokers/projectx/bars.ts'
import { createProjectxClient } from '../brokers/projectx/client.ts'
import { projectxLive } from '../brokers/projectx/live.ts'
import { projectxPart } from '../brokers/projectx/part.ts'
import { openLogin, type Login } from '../brokers/tradovate/login.ts'
import { tradovateLogin } from '../brokers/tradovate/part.ts'
import type { Timing } from '../brokers/timing.ts'
import type { Client } from '../threads/rpc.ts'
import { requestReport, type ReportFailure, type ReportQuery } from '../brokers/tradovate/reports.ts'

type Deps = { readonly main: Client<TokenCalls>; readonly timing: Timing; readonly stop: AbortSignal; readonly timeoutMs?: number }

/** The logins of the sync thread. Each is made once, so that its renewals are one after another and a lock-out is remembered. */
export type Logins = ReturnType<typeof createLogins>

/** Logins whose tokens the main thread stores and swaps. */
export const createLogins = ({ main, timing, stop, timeoutMs }: Deps) => {
  const opened = new Map<string, Promise<Login | BrokerFailure>>()

  const start = async (of: LoginOfUser): Promise<Login | BrokerFailure> => {
    const kept = await main.open(of)
    // A key or a database is no token: its login is opened by `createKeyLogins`.
    if (kept.kind === 'no-tokens' || kept.kind === 'key' || kept.kind === 'database') return { kind: 'no-tokens' }
    if (kept.kind === 'no-brokerage') return { kind: 'unreachable', cause: 'network', status: null }
    let current = kept.tokens
    return openLogin({
      tokens: kept.tokens,
      hosts: kept.hosts,
      timing,
      stop,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      refresh: (refreshToken) => main.refresh({ ...of, refreshToken }),
      saveTokens: async (tokens) => {
        await main.replace({ ...of, replaced: current.access, tokens })
        current = tokens
      },
      // Sync and copier are threads of their own with one login: what the other has renewed is taken over.
      kept: async () => {
        const now = await main.open(of)
        if (now.kind === 'open') current = now.tokens
        return now.kind === 'open' ? now.tokens : null
      },
    })
  }

  const open = async (of: LoginOfUser): Promise<Login | BrokerFailure> => {
    const started = getOrInsert(opened, of.loginId, () => start(of))
    let login: Login | BrokerFailure | null = null
    try {
      login = await started
      return login
    } finally {
      // What could not be opened is tried again the next time.
      if ((login === null || 'kind' in login) && opened.get(of.loginId) === started) opened.delete(of.loginId)
    }
  }

  return {
    /** The login with its tokens, or why it can't be used. */
    open,
    forget: (loginId: string): void => void opened.delete(loginId),
    /** Resolves when no renewal is under way: the broker has taken the old token by then, so the new one must be kept first. */
    settled: async (): Promise<void> => {
      const logins = await Promise.allSettled(opened.values())
      await Promise.all(logins.map((login) => (login.status === 'fulfilled' && !('kind' in login.value) ? login.value.settled() : null)))
    },
    /** Renews the due tokens of a user's logins: an unused refresh token does not outlive a weekend. */
    keepAlive: async (journal: JournalCalls, userId: string): Promise<void> => {
      const kept = await journal.read.logins({ userId })
      await Promise.all(
        kept.filter(({ broker, status }) => broker === 'tradovate' && status === 'ok').map(async ({ id }) => {
          const login = await open({ userId, loginId: id })
          const outcome = 'kind' in login ? login : await login.renewIfDue()
          if (outcome?.kind === 'refused' || outcome?.kind === 'login-needed') {
            await journal.write.saveLoginStatus({ userId, loginId: id, status: 'expired', lastError: outcome.lastError, at: timing.now() })
          }
        }),
      )
    },
  }
}

/** The logins of the sync thread that have a key, or a database on this computer, instead of tokens. Each is made once: its token, its limit of requests, or its copy of the database is its own. */
export type KeyLogins = {
  readonly open: (of: LoginOfUser) => Promise<BrokerageLogin | BrokerFailure>
  readonly forget: (loginId: string) => void
  /** Removes the copies of databases. */
  readonly close: () => void
}

/** `databases` is the folder for copies of databases. */
export const createKeyLogins = ({ main, timing, stop, timeoutMs, databases }: Deps & { readonly databases: string }): KeyLogins => {
  const opened = new Map<string, BrokerageLogin & { readonly close?: () => void }>()
  const forget = (loginId: string): void => {
    opened.get(loginId)?.close?.()
    opened.delete(loginId)
  }
  return {
    open: async (of) => {
      const known = opened.get(of.loginId)
      if (known !== undefined) return known
      const kept = await main.open(of)
      if (kept.kind === 'no-brokerage') return { kind: 'unreachable', cause: 'network', status: null }
      if (kept.kind === 'database') {
        const database = ninjatraderLogin({ ...kept, folder: join(databases, of.loginId) })
        opened.set(of.loginId, database)
        return database
      }
      if (kept.kind !== 'key') return { kind: 'no-tokens' }
      const { firm, api, hub, key } = kept
      const client = createProjectxClient({ api, key, timing, stop, timeoutMs })
      const login: BrokerageLogin = { prepare: client.prepare, part: (ask) => projectxPart(firm, client, ask), bars: createProjectxBars(client, timing.now), ...(hub === null ? {} : { live: (ask) => projectxLive({ client, hub, timing }, ask) }) }
      opened.set(of.loginId, login)
      return login
    },
    forget,
    close: () => [...opened.keys()].forEach(forget),
  }
}

/** A login at its brokerage as a run uses it, or why it can't be used. */
export const openForRun =
  (logins: Pick<Logins, 'open'>, keyLogins: Pick<KeyLogins, 'open'>) =>
  async ({ id: loginId, userId, broker }: Pick<KeptLogin, 'id' | 'userId' | 'broker'>): Promise<BrokerageLogin | BrokerFailure> => {
    if (broker !== 'tradovate') return keyLogins.open({ userId, loginId })
    const login = await logins.open({ userId, loginId })
    return 'kind' in login ? login : tradovateLogin(login)
  }

/** Asks the reporting service with the tokens of a login. A session that newer ones closed stays closed: the next run opens it again. */
export const reportOf = async (logins: Pick<Logins, 'open'>, of: LoginOfUser, query: ReportQuery, signal: AbortSignal): Promise<Result<string, ReportFailure>> => {
  const login = await logins.open(of)
  if (!('kind' in login)) return requestReport(login, query, signal)
  switch (login.kind) {
    case 'permission-missing':
    case 'not-found':
    case 'wrong-host':
    case 'refused-by-broker':
      return err({ kind: 'not-given', detail: null })
    default:
      return err(login)
  }
}
