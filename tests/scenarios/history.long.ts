import { expect, test } from 'vitest'
import { ava, openHistoryJournal } from '#tests/helpers/history.ts'
import { accountsOf, asTold, figuresOf, truthOf } from '#tests/helpers/history-truth.ts'

const since = '2026-01-05'

test('what the user stops stays stopped, keeps what came, and goes on when it is wanted again', async () => {
  const it = await openHistoryJournal({ beforeReport: async (_, count) => void (count === 5 && (await it.history.stop(it.userId, it.loginId))) })
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'stopped', progress: null })
  expect((await it.standing()).brought.fills).toBeGreaterThan(0)
  expect((await it.journal.read.imports({ userId: it.userId })).length).toBe(1)
  await it.history.afterSync(it.userId)
  await it.history.settled()
  expect(it.asked.length).toBe(6)
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done' })
  // Only the window that was cut short is asked for again.
  const told = asTold(it)
  expect(told.length - new Set(told).size).toBe(2)
})

test('windows that are too long become shorter, and nothing is missing between them', async () => {
  const it = await openHistoryJournal()
  it.broker.faults.set([{ kind: 'report-days', days: 10 }])
  await it.history.start(it.userId, { loginId: it.loginId, since: '2026-08-03' })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done' })
  const [first] = accountsOf(it)
  expect((await figuresOf(it, first?.id ?? 0)).days).toEqual((await truthOf(it, first?.id ?? 0)).days.filter(([day]) => day >= '2026-08-03'))
})

test('a token that dies midway is renewed; a login that ends waits for the next consent and goes on', async () => {
  const it = await openHistoryJournal({
    beforeReport: (_, count) => {
      if (count === 3) it.broker.sessions.killAccess(ava)
      if (count === 9) it.broker.sessions.revoke(ava)
    },
  })
  await it.history.start(it.userId, { loginId: it.loginId, since })
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'waiting', trouble: 'login-needed' })
  // The two windows before are kept.
  expect((await it.journal.read.history({ userId: it.userId })).windows.length).toBe(2)
  expect(await it.connect(ava)).toBe(it.loginId)
  await it.history.afterSync(it.userId)
  await it.history.settled()
  expect(await it.standing()).toMatchObject({ state: 'done', trouble: null })
  const [first] = accountsOf(it)
  expect((await figuresOf(it, first?.id ?? 0)).days).toEqual((await truthOf(it, first?.id ?? 0)).days)
})
