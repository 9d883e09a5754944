import { join } from 'node:path'
import type { Log } from '#shared/base/log.ts'
import type { CloudIdentity } from '../cloud/identity.ts'
import { startCopierThreads } from './copier-threads.ts'
import type { Host } from '../host.ts'
import { leasesBy } from './leases-by.ts'
import { createCopierAlerts } from './copier-alerts.ts'
import { createCopier, type Copier } from './service.ts'
import { createLedger, type CopierLedger } from './copier-ledger.ts'
import { createCopierLife, type CopierLife } from './copier-life.ts'
import { openCopierNotes } from './copier-notes.ts'
import { createPermits } from './copier-permits.ts'
import type { Events } from '../events.ts'
import { createPositions, type Positions } from '../positions/service.ts'
import type { Rights } from '../plans/rights.ts'
import type { RulesOfAccounts } from '../rules/service.ts'
import type { TokenKeeper } from '../accounts/token-keeper.ts'
import type { Settings } from '../settings.ts'
import { tokenCalls } from '../sync/thread.ts'
import type { Journal } from '../journal/journal.ts'

/** Everything that copies trades. */
export type Copying = {
  readonly copier: Copier
  readonly ledger: CopierLedger
  readonly positions: Positions
  readonly life: CopierLife
  /** A user's login has new tokens. */
  readonly tokensReplaced: (userId: string) => void
  /** The computer slept. */
  readonly woke: () => void
  /** Sends nothing more, writes what is under way, and gives the leases back. */
  readonly stop: () => Promise<void>
}

/** What copying works with. */
export type CopyingParts = {
  readonly settings: Pick<Settings, 'dataDir' | 'copierCallsPerHour'>
  /** The folder of the copier's own migrations. */
  readonly migrationsFolder: string
  readonly journal: Journal
  readonly keeper: TokenKeeper
  readonly rights: Rights
  readonly rules: RulesOfAccounts
  /** Who each profile is in its cloud; null where there is none for it. */
  readonly identityOf: (userId: string) => Promise<CloudIdentity | null>
  readonly events: Events
  readonly log: Log
  /** The host's clock, UTC ms. */
  readonly now: () => number
  readonly keepAwake: Host['keepAwake']
  /** Told where the thread that copies dies. */
  readonly broken: () => void
}

/** Joins the copier's thread, its services and the leases; groups that stood armed go on by themselves. Rejects with a StoreFault where the copier's file can't be used: a program that forgot what stands armed must not run. */
export const startCopying = async (parts: CopyingParts): Promise<Copying> => {
  const { settings, migrationsFolder, journal, keeper, rights, rules, identityOf, events, log, now, keepAwake = () => undefined, broken } = parts
  const { dataDir, copierCallsPerHour: callsPerHour } = settings
  const notes = await openCopierNotes(join(dataDir, 'copier.json'))
  const logged = (work: Promise<unknown>, what: string): void => void work.catch((error: unknown) => log.warn({ error }, what))

  const place = { file: join(dataDir, 'copier.db'), migrationsFolder, backupFolder: join(dataDir, 'backups') }
  const { calls: thread, reads, stop: stopThreads } = startCopierThreads({
    settings: { ...place, callsPerHour },
    main: {
      ...tokenCalls(keeper),
      accounts: ({ userId }) => life.accounts(userId),
      live: ({ userId, live }) => {
        events.push(userId, { type: 'copier', live })
        logged(alerts.hear(userId, live), 'An alert of the copier could not be raised')
      },
      positions: ({ userId, now: told }) => positions.told(userId, told),
      armed: ({ groups }) => {
        keepAwake(groups.length > 0)
        permits.hold(groups)
        for (const userId of new Set(groups.map((group) => group.userId))) accountsMayHaveChanged(userId)
      },
      copied: async ({ userId, orders }) => {
        await journal.write.markCopied({ userId, orders })
        events.push(userId, { type: 'journal-changed' })
      },
    },
    log,
    now,
    broken,
  })
  const permits = createPermits({
    rights,
    leasesOf: leasesBy(identityOf),
    machine: notes.machine,
    allow: ({ userId, id }, entries, elsewhere) => thread.allow({ userId, id, entries, elsewhere }),
    log,
    now,
  })
  const life = createCopierLife({ calls: thread, read: journal.read, notes, changed: (userId) => events.push(userId, { type: 'copier-changed' }) })
  const alerts = createCopierAlerts({
    groups: async (userId) => (await thread.state({ userId })).groups,
    accounts: life.accounts,
    push: (userId, alert) => events.push(userId, { type: 'copier-alert', alert }),
    log,
  })
  const positions = createPositions({ calls: thread, rules, rights, events, accountsMayHaveChanged: life.accountsMayHaveChanged, log, now })
  const accountsMayHaveChanged = (userId: string): void => logged(life.accountsMayHaveChanged(userId), 'The copier was not told of changed accounts')
  events.watch((userId, event) => {
    if (event.type === 'finances-changed') accountsMayHaveChanged(userId)
  })

  return {
    copier: createCopier({ calls: thread, rights, permits, notes, accounts: life.accounts, events, now }),
    ledger: createLedger({ reads, now }),
    positions,
    life,
    tokensReplaced: (userId) => logged(life.tokensReplaced(userId), 'The copier was not told of new tokens'),
    woke: () => {
      permits.look()
      logged(thread.woke(null), 'The copier was not told that the computer woke')
    },
    stop: async () => {
      positions.stop()
      await stopThreads()
      await permits.stop()
      keepAwake(false)
    },
  }
}
