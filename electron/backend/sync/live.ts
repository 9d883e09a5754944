import type { Log } from '#shared/base/log.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import type { AccountNow, PositionsNow } from '../brokers/live.ts'
import type { BrokerageLive, BrokerageLogin } from '../brokers/port.ts'
import type { Login } from '../db/rows.ts'
import type { JournalCalls } from '../journal/journal.ts'

/** Minimum interval between reports per user, ms. */
const spacingMs = 200

type Deps = {
  readonly read: Pick<JournalCalls['read'], 'logins' | 'accountsOfLogin'>
  /** A login at its brokerage, or why it can't be used. */
  readonly login: (of: Pick<Login, 'id' | 'userId' | 'broker'>) => Promise<BrokerageLogin | BrokerFailure>
  readonly positions: (userId: string, now: PositionsNow) => void
  /** A fill came to a login of which the journal does not know. */
  readonly traded: (userId: string, loginId: string) => void
  readonly log: Pick<Log, 'warn'>
  /** UTC ms. */
  readonly now: () => number
}

type Open = { readonly userId: string; /** The accounts with which it was opened. */ readonly accounts: string; readonly live: BrokerageLive }

/** The live accounts of logins with a key, while their users watch; the copier's lines have those of the others. */
export const createLiveLogins = ({ read, login, positions, traded, log, now }: Deps) => {
  const watched = new Set<string>()
  const open = new Map<string, Open>()
  const due = new Map<string, NodeJS.Timeout>()
  const lastSent = new Map<string, string>()
  let last: Promise<unknown> = Promise.resolve()

  /** One change after another: two of them could open a login twice. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  const accountsOf = (userId: string): AccountNow[] => [...open.values()].flatMap((one) => (one.userId === userId ? one.live.now() : []))

  const touch = (userId: string): void => {
    if (due.has(userId)) return
    due.set(userId, setTimeout(() => {
      due.delete(userId)
      const accounts = accountsOf(userId)
      const text = JSON.stringify(accounts)
      if (lastSent.get(userId) === text) return
      lastSent.set(userId, text)
      positions(userId, { at: now(), accounts })
    }, spacingMs).unref())
  }

  const close = async (loginId: string): Promise<void> => {
    const one = open.get(loginId)
    open.delete(loginId)
    await one?.live.stop()
  }

  const keep = async (userId: string): Promise<void> => {
    const wanted = watched.has(userId) ? (await read.logins({ userId })).filter(({ broker, status }) => broker !== 'tradovate' && status === 'ok') : []
    for (const [loginId, one] of [...open]) if (one.userId === userId && !wanted.some(({ id }) => id === loginId)) await close(loginId)
    for (const { id: loginId, broker } of wanted) {
      const known = async () => (await read.accountsOfLogin({ userId, loginId })).flatMap(({ key, environment, brokerAccountId, removedAt }) => (removedAt === null ? [{ key, side: environment, brokerAccountId }] : []))
      const accounts = JSON.stringify(await known())
      if (open.get(loginId)?.accounts === accounts) continue
      await close(loginId)
      const opened = await login({ id: loginId, userId, broker })
      if ('kind' in opened || opened.live === undefined) continue
      open.set(loginId, { userId, accounts, live: opened.live({ accounts: known, changed: () => touch(userId), traded: () => traded(userId, loginId), log }) })
    }
    touch(userId)
  }

  return {
    /** While on, keeps the live accounts of the user's logins open and reports changes. */
    watch: (userId: string, on: boolean): Promise<void> =>
      inTurn(async () => {
        if (on) watched.add(userId)
        else watched.delete(userId)
        lastSent.delete(userId)
        await keep(userId)
      }),
    positionsOf: (userId: string): PositionsNow => ({ at: now(), accounts: accountsOf(userId) }),
    /** A user's accounts may have changed. */
    accountsMayHaveChanged: (userId: string): Promise<void> => inTurn(() => (watched.has(userId) ? keep(userId) : Promise.resolve())),
    /** Drops a login whose key was replaced or removed, and opens it again if its user watches. */
    forget: (loginId: string): Promise<void> =>
      inTurn(async () => {
        const userId = open.get(loginId)?.userId
        await close(loginId)
        if (userId !== undefined) await keep(userId)
      }),
    stop: async (): Promise<void> => {
      watched.clear()
      for (const timer of due.values()) clearTimeout(timer)
      await inTurn(async () => void (await Promise.all([...open.keys()].map(close))))
    },
  }
}
