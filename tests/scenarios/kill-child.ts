import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { secretFile } from '#backend/secrets/secret-file.ts'
import { createTokenStore } from '#backend/secrets/token-store.ts'
import { createConnections } from '#backend/accounts/connections.ts'
import { createTokenKeeper } from '#backend/sync/token-keeper.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import { createRuns, startSyncThread } from '#backend/sync/service.ts'
import { systemTiming } from '#backend/brokers/timing.ts'
import type { Log } from '#shared/base/log.ts'
import { consentTo } from '../helpers/stand-in.ts'
import type { KillOrder } from './kill-order.ts'
import { allRights } from '#tests/helpers/rights.ts'

// The body of a process that is made to be killed: it connects every login of the stand-in, walks its clock from
// where the last start was interrupted, and syncs at each stop. The end of the walk is the end of the process.
const order = JSON.parse(process.env['KILL_ORDER'] ?? '') as KillOrder
const { folder, broker, brokerage, killAt, hook } = order
const userId = 'trader'
const position = join(folder, 'walk.json')

const say = (fields: object, message: string): void => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
const log: Log = { debug: () => undefined, info: () => undefined, warn: say, error: ({ error, ...fields }, message) => say({ ...fields, error: String(error) }, message) }

const journal = await openJournal({
  file: join(folder, 'journal.db'),
  migrationsFolder: fileURLToPath(new URL('../../migrations/sqlite/', import.meta.url)),
  backupFolder: join(folder, 'backups'),
  log,
  killAt,
  hook,
})
const store = createTokenStore(secretFile(folder, () => undefined))
const keeper = createTokenKeeper({ store, journal, timing: systemTiming, brokerages: { demo: () => null, real: () => brokerage } })
const thread = startSyncThread({ journal, keeper, log, killAt, databases: join(folder, 'ninjatrader') })
const connections = createConnections({ journal, keeper, timing: systemTiming, rights: allRights, databases: join(folder, 'ninjatrader'), connected: ({ loginId }) => thread.forget(loginId), keepAlive: thread.keepAlive, hasOrders: () => Promise.resolve(false), forgotten: thread.forget })
const runs = createRuns({ restored: () => Promise.resolve(), run: thread.run, newId: randomUUID, now: Date.now, events: { push: () => undefined }, afterRun: () => undefined, log })

const connect = async (login: string): Promise<void> => {
  const connected = await connections.exchange(userId, await consentTo(connections, userId, brokerage, login))
  if (!connected.ok) throw new Error(connected.error.code)
}

/** Connects missing logins: also one whose new refresh token was lost with the process before it was saved. */
const connectAll = async (): Promise<void> => {
  const known = await journal.read.logins({ userId })
  for (const login of broker.logins) if (!known.some(({ name, status }) => name === login && status === 'ok')) await connect(login)
}

const syncAt = async (now: number): Promise<void> => {
  const set = await fetch(`${broker.url}/_demo/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${broker.controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ now }),
  })
  if (!set.ok) throw new Error(`The clock answered ${String(set.status)}`)
  for (let tries = 0; tries < 4; tries += 1) {
    const receipt = await runs.start({ userId, trigger: 'manual' }).ended
    if (receipt.outcome === 'complete') return
    say(receipt.troubles[0] ?? {}, 'A sync left something out')
    await connectAll()
  }
  throw new Error('The walk does not go on')
}

if ((await journal.read.profile({ id: userId })) === null) {
  await journal.write.createProfile({ id: userId, email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: Date.now() })
}
await connectAll()
const walked = await readFile(position, 'utf8').then(Number, () => 0)
for (const [index, now] of broker.walk.entries()) {
  if (index < walked) continue
  await syncAt(now)
  await writeFile(`${position}.new`, String(index + 1))
  await rename(`${position}.new`, position)
}
await thread.stop()
await journal.close()
