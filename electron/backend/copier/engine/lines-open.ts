import type { Log } from '#shared/base/log.ts'
import { createBook } from '#shared/copier/book.ts'
import { createBudget } from '#shared/copier/budget.ts'
import type { Client } from '../../threads/rpc.ts'
import type { Logins } from '../../sync/logins.ts'
import type { Timing } from '../../brokers/timing.ts'
import type { CopierAccount, CopierMainCalls } from './calls.ts'
import type { BrokerLine, LineDeps } from './line.ts'
import type { LineEvent } from './line-reading.ts'
import { contractsOn, hasOrders, isInUse, lineKey, lineOf, type Account, type RoutedLine, type World } from './world.ts'

/** Delay before retrying a login that failed to open. */
const againMs = 15_000

/** Dependencies of opening lines. */
export type LinesDeps = {
  readonly world: World
  readonly main: Pick<Client<CopierMainCalls>, 'accounts'>
  readonly logins: Pick<Logins, 'open' | 'forget'>
  readonly openLine: (deps: LineDeps) => BrokerLine
  readonly timing: Timing
  readonly callsPerHour: number
  readonly log: Log
  readonly onEvent: (line: RoutedLine, event: LineEvent) => void
  /** Called for a newly known account, before anything is decided about it. */
  readonly found: (account: Account) => void
  /** Calls already counted in the budget but not made yet, by login. */
  readonly owed: Map<string, number>
}

const accountFrom = (world: World, userId: string, account: CopierAccount): Account => ({
  ...account,
  userId,
  contracts: contractsOn(world, userId, account.environment),
  book: createBook(account.id),
  ours: new Map(),
  knownFills: new Map(),
  placed: new Map(),
  givenUp: new Map(),
  uncounted: new Map(),
  liquidating: new Set(),
  session: '',
  restricted: false,
  closed: false,
  gone: false,
  wasUp: false,
  recovered: false,
  open: null,
  money: null,
})

/** The open lines. */
export type Lines = ReturnType<typeof createLines>

export const createLines = ({ world, main, logins, openLine, timing, callsPerHour, log, onEvent, found, owed }: LinesDeps) => {
  const opening = new Map<string, Promise<void>>()
  const failedAt = new Map<string, number>()
  let stopped = false

  const count = (loginId: string, calls: number): void => {
    const asked = Math.min(owed.get(loginId) ?? 0, calls)
    if (asked > 0) owed.set(loginId, (owed.get(loginId) ?? 0) - asked)
    if (calls > asked) world.budgets.get(loginId)?.count(performance.now(), calls - asked)
  }

  const open = async ({ userId, loginId, environment }: Account, key: string): Promise<void> => {
    const login = await logins.open({ userId, loginId })
    if (stopped || !opening.has(key)) return
    if ('kind' in login) {
      failedAt.set(key, timing.now())
      log.warn({ loginId, environment, failure: login.kind }, 'opening a copier line failed')
      // Without tokens nobody reaches the orders of an account that was removed.
      if (login.kind === 'no-tokens') for (const account of world.accounts.values()) if (account.gone && account.userId === userId && account.loginId === loginId) world.accounts.delete(account.key)
      return
    }
    if (!world.budgets.has(loginId)) world.budgets.set(loginId, createBudget(callsPerHour))
    // Registered before the line joins the world, so early events are not lost.
    const early: LineEvent[] = []
    let known: RoutedLine | null = null
    const emit = (event: LineEvent): void => {
      if (known === null) early.push(event)
      else onEvent(known, event)
    }
    const line = openLine({ loginId, environment, login, timing, log, emit, calls: (calls) => count(loginId, calls) })
    failedAt.delete(key)
    known = { key, userId, loginId, environment, contracts: contractsOn(world, userId, environment), connection: line, state: 'connecting', openedAt: timing.now(), isCut: false, orders: new Map(), commands: new Map(), early: new Map(), earlyReports: new Map(), askedNames: new Map(), listedSince: 0, reading: false }
    world.lines.set(key, known)
    for (const event of early) onEvent(known, event)
  }

  const close = async (key: string): Promise<void> => {
    const line = world.lines.get(key)
    world.lines.delete(key)
    opening.delete(key)
    await line?.connection.stop()
  }

  const reopen = (line: RoutedLine): void => {
    // At once: the line itself reports it only after its socket closed.
    line.state = 'down'
    line.isCut = true
    line.connection.reopen()
  }

  return {
    /** Rereads a user's accounts. */
    readAccounts: async (userId: string): Promise<void> => {
      const accounts = await main.accounts({ userId })
      const keys = new Set(accounts.map(({ key }) => key))
      for (const account of [...world.accounts.values()]) {
        if (account.userId !== userId) continue
        account.gone = !keys.has(account.key)
        if (account.gone && !hasOrders(account)) world.accounts.delete(account.key)
      }
      for (const account of accounts) {
        const known = world.accounts.get(account.key)
        const isOthers = known !== undefined && known.userId !== userId
        if (isOthers && isInUse(world, known)) {
          log.warn({ account: account.key }, 'account left to another profile that copies with it')
          continue
        }
        if (!isOthers && known?.loginId === account.loginId && known.name === account.name) continue
        const isNew = known === undefined || isOthers
        const next = isNew ? accountFrom(world, userId, account) : { ...known, ...account, wasUp: false }
        world.accounts.set(account.key, next)
        if (isNew) found(next)
        // An open line dropped this account's facts so far: reread everything.
        const line = lineOf(world, next)
        if (line !== null) reopen(line)
      }
    },
    /** Keeps exactly the lines of these accounts open. */
    keep: (accounts: Iterable<Account>): void => {
      if (stopped) return
      const wanted = new Map([...accounts].map((account) => [lineKey(account), account]))
      for (const key of world.lines.keys()) if (!wanted.has(key)) void close(key)
      for (const [key, account] of wanted) {
        if (opening.has(key) || world.lines.has(key) || timing.now() - (failedAt.get(key) ?? -Infinity) < againMs) continue
        const work = open(account, key)
          .catch((error: unknown) => {
            failedAt.set(key, timing.now())
            log.warn({ error, loginId: account.loginId }, 'opening a copier line failed')
          })
          .finally(() => opening.delete(key))
        opening.set(key, work)
      }
    },
    /** Closes a user's lines and drops their logins after a token change. */
    renew: async (userId: string): Promise<void> => {
      const own = [...world.lines.values()].filter((line) => line.userId === userId)
      await Promise.all(own.map(({ key }) => close(key)))
      for (const { loginId } of own) logins.forget(loginId)
      failedAt.clear()
    },
    /** Whether the last attempt to open an account's line failed. */
    failed: (account: Account): boolean => failedAt.has(lineKey(account)) && !world.lines.has(lineKey(account)),
    reopenAll: (): void => {
      log.info({ lines: world.lines.size }, 'computer slept: reopening all lines')
      for (const line of world.lines.values()) reopen(line)
    },
    stop: async (): Promise<void> => {
      stopped = true
      await Promise.allSettled(opening.values())
      await Promise.all([...world.lines.keys()].map(close))
    },
  }
}
