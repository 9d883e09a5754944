import { expect, test } from 'vitest'
import { storeFault } from '../db/fault.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Session } from '../db/rows.ts'
import { createSessions } from './sessions.ts'

/** The sessions of a journal, on a disk that can be full. */
const journalOn = (disk: { full: boolean }) => {
  const rows = new Map<string, Session>()
  const written = <T>(work: () => T): Promise<T> => (disk.full ? Promise.reject(storeFault('disk-full', 'SQLITE_FULL')) : Promise.resolve(work()))
  const journal = {
    read: {
      session: ({ idHash }: { idHash: string }) => Promise.resolve(rows.get(idHash) ?? null),
      knowsKey: ({ keyHash }: { keyHash: string }) => Promise.resolve([...rows.values()].some((row) => row.keyHash === keyHash)),
    },
    write: {
      saveSession: (session: Session) => written(() => void rows.set(session.idHash, session)),
      endSession: ({ idHash }: { idHash: string }) => written(() => void rows.delete(idHash)),
      giveKey: ({ idHash, keyHash }: { idHash: string; keyHash: string }) =>
        written(() => {
          const row = rows.get(idHash)
          if (row !== undefined) rows.set(idHash, { ...row, keyHash })
        }),
    },
  }
  return { rows, journal: journal as unknown as JournalCalls }
}

test('on a full disk a user signs out and another one in, and what was ended is struck once there is room', async () => {
  const disk = { full: false }
  const { rows, journal } = journalOn(disk)
  const sessions = createSessions({ journal, now: () => 1 })
  const { cookie, session } = await sessions.start('ann')
  const key = await sessions.giveKey(session)
  disk.full = true
  const out = await sessions.replace({ ...session, keyHash: (await sessions.find(cookie))?.keyHash ?? null }, null)
  expect(await sessions.find(cookie)).toBeNull()
  const nobody = await sessions.find(out.cookie)
  expect(nobody).toMatchObject({ userId: null })
  expect(nobody !== null && sessions.isKeyOf(key, nobody)).toBe(true)
  expect([...rows.values()].map(({ userId }) => userId)).toEqual(['ann'])
  disk.full = false
  await sessions.replace(out.session, 'bert')
  expect([...rows.values()].map(({ userId }) => userId)).toEqual(['bert'])
})

test('a browser that comes on a full disk gets a key that holds', async () => {
  const disk = { full: true }
  const sessions = createSessions({ journal: journalOn(disk).journal, now: () => 1 })
  const { cookie, session } = await sessions.start(null)
  const key = await sessions.giveKey(session)
  const found = await sessions.find(cookie)
  expect(found !== null && sessions.isKeyOf(key, found)).toBe(true)
})

test('what a browser keeps from a run whose sessions end with it is known to nobody after it', async () => {
  const { journal } = journalOn({ full: false })
  const { cookie } = await createSessions({ journal, now: () => 1, ofThisRun: true }).start('ann')
  expect(await createSessions({ journal, now: () => 1, ofThisRun: true }).find(cookie)).toBeNull()
})
