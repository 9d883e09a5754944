import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createConnections } from '#backend/accounts/connections.ts'
import { createTokenKeeper } from '#backend/sync/token-keeper.ts'
import { systemTiming } from '#backend/brokers/timing.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import { secretFile } from '#backend/secrets/secret-file.ts'
import { createTokenStore } from '#backend/secrets/token-store.ts'
import { createRuns, startSyncThread } from '#backend/sync/service.ts'
import type { Log } from '#shared/base/log.ts'
import { allRights } from '#tests/helpers/rights.ts'

/** The order to the process that is to be killed. */
export type ProjectxOrder = { readonly folder: string; readonly api: string; readonly key: { readonly userName: string; readonly apiKey: string }; readonly killAt?: string }

// The body of a process that is made to be killed: it connects by a key where it is not yet, and syncs once.
const { folder, api, key, killAt } = JSON.parse(process.env['PROJECTX_ORDER'] ?? '') as ProjectxOrder
const userId = 'trader'
const say = (fields: object, message: string): void => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
const log: Log = { debug: () => undefined, info: () => undefined, warn: say, error: ({ error, ...fields }, message) => say({ ...fields, error: String(error) }, message) }

const journal = await openJournal({ file: join(folder, 'journal.db'), migrationsFolder: fileURLToPath(new URL('../../migrations/sqlite/', import.meta.url)), backupFolder: join(folder, 'backups'), log, killAt })
const keeper = createTokenKeeper({
  store: createTokenStore(secretFile(folder, () => undefined)),
  journal,
  timing: systemTiming,
  brokerages: { demo: () => null, real: () => null },
  firms: { topstepx: { name: 'TopstepX', api, hub: null } },
})
const thread = startSyncThread({ journal, keeper, log, killAt, databases: join(folder, 'ninjatrader') })
const connections = createConnections({ journal, keeper, timing: systemTiming, rights: allRights, databases: join(folder, 'ninjatrader'), connected: ({ loginId }) => thread.forget(loginId), keepAlive: thread.keepAlive, hasOrders: () => Promise.resolve(false), forgotten: thread.forget })
const runs = createRuns({ restored: () => Promise.resolve(), run: thread.run, newId: randomUUID, now: Date.now, events: { push: () => undefined }, afterRun: () => undefined, log })

if ((await journal.read.profile({ id: userId })) === null) {
  await journal.write.createProfile({ id: userId, email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: Date.now() })
}
if ((await journal.read.logins({ userId })).length === 0) {
  const connected = await connections.connectKey(userId, { firm: 'topstepx', ...key })
  if (!connected.ok) throw new Error(connected.error.code)
}
const receipt = await runs.start({ userId, trigger: 'manual' }).ended
if (receipt.outcome !== 'complete') throw new Error(JSON.stringify(receipt.troubles))
await thread.stop()
await journal.close()
