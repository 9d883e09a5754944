import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { secretFile } from '#backend/secrets/secret-file.ts'
import { createTokenStore, type TokenStore } from '#backend/secrets/token-store.ts'
import { createConnections, type Connections } from '#backend/accounts/connections.ts'
import { createTokenKeeper, type Brokerage, type ProjectxFirms, type TokenKeeper } from '#backend/sync/token-keeper.ts'
import type { Journal } from '#backend/journal/journal.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import { createKeyLogins, createLogins, openForRun, type Logins } from '#backend/sync/logins.ts'
import { runSync, type RunDeps } from '#backend/sync/sync.ts'
import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'
import type { Log } from '#shared/base/log.ts'
import type { SyncTrigger } from '#shared/sync/plan.ts'
import { emptyJournal } from './empty-journal.ts'
import { journalHere } from './journal-here.ts'
import { journalRows, type JournalRows } from './journal-rows.ts'
import { allRights } from './rights.ts'
import { temporaryFolder } from './running-app.ts'
import { consentTo } from './stand-in.ts'
import { migrationsFolder } from './store.ts'
import { testTiming, type TestTiming } from './test-timing.ts'

/** A silent log, except that an error fails the test. */
export const strictLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (fields, message) => {
    throw new Error(message, { cause: fields['error'] })
  },
}

/** A journal with all that syncs it, on real files, in this thread. */
export type SyncJournal = {
  readonly journal: Journal
  readonly keeper: TokenKeeper
  readonly store: TokenStore
  readonly connections: Connections
  /** What the copier says of its orders. */
  readonly copier: { hasOrders: boolean }
  readonly timing: TestTiming
  readonly userId: string
  /** Consents as a user of the stand-in would; answers the login's id. */
  readonly connect: (login: string) => Promise<string>
  readonly sync: (trigger?: SyncTrigger, loginId?: string, signal?: AbortSignal) => Promise<SyncReceipt>
  /** The progress that the runs reported so far. */
  readonly progress: SyncProgress[]
  readonly rows: () => JournalRows
  readonly parts: RunDeps
  readonly logins: Logins
}

/** Makes one for the test that runs; `timeoutMs` is how long one answer may take. */
export const openSyncJournal = async (given: { readonly brokerage: Brokerage; readonly demo?: boolean; readonly timing?: TestTiming; readonly timeoutMs?: number; readonly firms?: ProjectxFirms }): Promise<SyncJournal> => {
  const { brokerage, demo = false, timing = testTiming(), timeoutMs = 2_000, firms } = given
  const { path: folder, remove } = await temporaryFolder()
  const file = join(folder, 'journal.db')
  writeFileSync(file, emptyJournal())
  const journal = await openJournal({ file, migrationsFolder, backupFolder: join(folder, 'backups'), log: strictLog, threads: journalHere() })
  const stop = new AbortController()
  onTestFinished(async () => {
    stop.abort()
    keyLogins.close()
    await journal.close()
    await remove()
  })
  const userId = demo ? 'demo' : 'trader'
  await journal.write.createProfile({ id: userId, email: null, displayName: '', passwordHash: null, recoveryHash: null, demo, timeZone: 'America/New_York', createdAt: timing.now() })

  const store = createTokenStore(secretFile(folder, () => undefined))
  const keeper = createTokenKeeper({ store, journal, timing, timeoutMs, ...(firms === undefined ? {} : { firms }), brokerages: { demo: () => (demo ? brokerage : null), real: () => (demo ? null : brokerage) } })
  const main = {
    open: keeper.open,
    refresh: ({ refreshToken, ...login }: Parameters<Parameters<typeof createLogins>[0]['main']['refresh']>[0]) => keeper.refresh(login, refreshToken),
    replace: ({ replaced, tokens, ...login }: Parameters<Parameters<typeof createLogins>[0]['main']['replace']>[0]) => keeper.replace(login, replaced, tokens),
  }
  const logins = createLogins({ main, timing, stop: stop.signal, timeoutMs })
  const keyLogins = createKeyLogins({ main, timing, stop: stop.signal, timeoutMs, databases: join(folder, 'ninjatrader') })
  const forget = (loginId: string): Promise<void> => {
    logins.forget(loginId)
    keyLogins.forget(loginId)
    return Promise.resolve()
  }
  const copier = { hasOrders: false }
  const connections = createConnections({
    journal,
    keeper,
    timing,
    rights: allRights,
    databases: join(folder, 'ninjatrader'),
    connected: ({ loginId }) => forget(loginId),
    keepAlive: (user) => logins.keepAlive(journal, user),
    hasOrders: () => Promise.resolve(copier.hasOrders),
    forgotten: forget,
  })
  const progress: SyncProgress[] = []
  const parts: RunDeps = { journal, login: openForRun(logins, keyLogins), waits: new Map(), now: timing.now, progress: (step) => void progress.push(step), barrier: () => undefined, log: strictLog }

  return {
    journal, keeper, store, connections, copier, timing, userId, progress, parts, logins,
    rows: () => journalRows(file),
    connect: async (login) => {
      const { code, state } = await consentTo(connections, userId, brokerage, login)
      const connected = await connections.exchange(userId, { code, state })
      if (!connected.ok) throw new Error(`Not connected: ${connected.error.code}`)
      return connected.value.tokenDocId
    },
    sync: (trigger = 'manual', loginId, signal = new AbortController().signal) =>
      runSync(parts, { runId: randomUUID(), userId, trigger, ...(loginId === undefined ? {} : { loginId }) }, signal),
  }
}
