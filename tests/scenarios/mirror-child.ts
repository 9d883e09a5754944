import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MessageChannel } from 'node:worker_threads'
import { createDevelopmentIdentity } from '#backend/cloud/development-identity.ts'
import { startMirrorThread } from '#backend/mirror/service.ts'
import type { Journal } from '#backend/journal/journal.ts'
import { journalServer } from '#backend/journal/journal-thread.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import { killAtBarrier } from '#backend/db/barrier.ts'
import { ok } from '#shared/base/result.ts'
import type { Log } from '#shared/base/log.ts'
import type { MirrorMoment, MirrorOrder } from './mirror-order.ts'
import { planted, type MirrorCalls } from './mirror-planted.ts'

// The body of a process that is made to be killed: a computer whose mirror makes journal and cloud equal. When they
// are, the process is at its end.
const order = JSON.parse(process.env['MIRROR_ORDER'] ?? '') as MirrorOrder
const { folder, userId, email, cloudUrl, killAt } = order
const betweenTries = 100

// Whoever started it may be killed.
process.stdin.on('end', () => process.exit(1)).resume()
const say = (fields: object, message: string): void => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: say,
  error: ({ error, ...fields }, message) => {
    say({ ...fields, error: String(error) }, message)
    process.exit(1)
  },
}

const journal = await openJournal({
  file: join(folder, 'journal.db'),
  migrationsFolder: fileURLToPath(new URL('../../migrations/sqlite/', import.meta.url)),
  backupFolder: join(folder, 'backups'),
  log,
  killAt,
})
if ((await journal.read.profile({ id: userId })) === null) {
  await journal.write.createProfile({ id: userId, email, displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'Asia/Kolkata', createdAt: Date.now() })
}

const pass = killAtBarrier<MirrorMoment>(killAt)
const { read, write } = journal
const { recordPushed, mergePulled, setRecordsAside, queueBuckets, resetMirror, saveCloudUser: setCloudUser, resetCloudUser, addPicture } = write
const own: MirrorCalls = { read: { mirror: read.mirror, outgoing: read.outgoing, pictures: read.pictures }, write: { recordPushed, mergePulled, setRecordsAside, queueBuckets, resetMirror, saveCloudUser: setCloudUser, resetCloudUser, addPicture } }
const calls = planted[order.planted ?? '']?.(own, folder) ?? own
const watched: MirrorCalls = {
  read: {
    ...calls.read,
    outgoing: async (input) => {
      const batch = await calls.read.outgoing(input)
      if (batch.seqs.length > 0) pass('batch-read')
      return batch
    },
  },
  write: {
    ...calls.write,
    recordPushed: async (input) => {
      // The end of a restore is kept in the same way as a batch that was sent.
      const sent = input.seqs.length > 0
      pass(sent ? 'push-answered' : 'restore-ending')
      await calls.write.recordPushed(input)
      if (sent) pass('batch-struck-off')
    },
    mergePulled: async (input) => {
      pass('page-received')
      await calls.write.mergePulled(input)
      pass('page-taken')
    },
  },
}
/** The journal as the mirror's thread gets it, by way of this one. */
const watchedJournal: Journal = {
  ...journal,
  port: () => {
    const [reader, writer] = [new MessageChannel(), new MessageChannel()]
    journalServer(watched.read).serve(reader.port2)
    journalServer(watched.write).serve(writer.port2)
    return { reader: reader.port1, writer: writer.port1 }
  },
}

const equal = Promise.withResolvers<undefined>()
const identity = createDevelopmentIdentity({ url: () => Promise.resolve(ok(cloudUrl)), email })
const thread = startMirrorThread({
  journal: watchedJournal,
  picturesFolder: join(folder, 'pictures'),
  log,
  answers: {
    access: ({ refused }) => identity.access(refused),
    changed: () => undefined,
    stateChanged: ({ state: { state } }) => {
      if (state === 'up-to-date') equal.resolve(undefined)
      // A user would not wait as long as a mirror does between retries.
      if (state === 'offline' || state === 'refused') void after(betweenTries).then(() => thread.now(userId)).catch(() => undefined)
    },
  },
})
await thread.begin(userId)
await equal.promise
await thread.stop()
await journal.close()
process.exit(0)
