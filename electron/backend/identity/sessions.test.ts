import { expect, test } from 'vitest'
import { storeFault } from '../db/fault.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Session } from '../db/rows.ts'
import { createSessions } from './sessions.ts'

/** A journal's sessions on a disk that the test can fill. */
const journalOn = (disk: { full: boolean }) => {
  const rows = new Map<string, Session>()
  const written = <T>(work: () => T): Promise<T> => (disk.full ? Promise.reject(storeFault('disk-full', 'SQLITE_FULL')) : Promise.resolve(work()))
  const journal = {
    read: {
      session: ({ idHash }: { idHash: string }) => Promise.resolve(rows.get(idHash) ?? null),
      isKnownKey: ({ keyHash }: { keyHash: string }) => Promise.resolve([...rows.values()].some((row) => row.keyHash === keyHash)),
    },
    write: {
      saveSession: (session: Session) => written(() => void rows.set(session.idHash, session)),
      endSession: ({ idHash }: { idHash: string }) => written(() => void rows.delete(idHash)),
      issueKey: ({ idHash, keyHash }: { idHash: string; keyHash: string }) =>
        written(() => {
          const row = rows.get(idHash)
          if (row !== undefined) rows.set(idHash, { ...row, keyHash })
        }),
    },
  }
  return { rows, journal: journal as unknown as JournalCalls }
}

test('on a full disk users can sign out and in, and ended sessions are deleted once there is room', async () => {
  const disk = { full: false }
  const { rows, journal } = journalOn(disk)
  const sessions = createSessions({ journal, now: () => 1 })
  const { cookie, session } = await sessions.start('ann')
  const key = await sessions.issueKey(session)
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

test('a new browser gets a working key on a full disk', async () => {
  const disk = { full: true }
  const sessions = createSessions({ journal: journalOn(disk).journal, now: () => 1 })
  const { cookie, session } = await sessions.start(null)
  const key = await sessions.issueKey(session)
  const found = await sessions.find(cookie)
  expect(found !== null && sessions.isKeyOf(key, found)).toBe(true)
})

test('with endWithRun, a restart invalidates cookies and keys', async () => {
  const { journal } = journalOn({ full: false })
  const { cookie } = await createSessions({ journal, now: () => 1, endWithRun: true }).start('ann')
  expect(await createSessions({ journal, now: () => 1, endWithRun: true }).find(cookie)).toBeNull()
})
