import { expect, test } from 'vitest'
import { createFirstSyncs } from './first-syncs.ts'

type Deps = Parameters<typeof createFirstSyncs>[0]

/** A user with one login and account, whose facts a test sets. */
const one = () => {
  const now = { lastSyncAt: null as number | null, connects: true, state: 'waiting', trouble: null as string | null }
  const partly = createFirstSyncs({
    read: { logins: () => Promise.resolve([{ id: 'login' }]), accountsOfLogin: () => Promise.resolve([{ key: 'account', lastSyncAt: now.lastSyncAt }]) },
    runs: { connects: () => now.connects },
    history: { state: () => Promise.resolve({ logins: [{ loginId: 'login', state: now.state, trouble: now.trouble }] }) },
  } as unknown as Deps)
  return { now, partly: async () => [...(await partly('user'))] }
}

test('an account is whole once its first sync and then its history have ended, and stays so', async () => {
  const { now, partly } = one()
  expect(await partly()).toEqual(['account'])
  // The demo walks through many sessions, each of which is a whole read.
  now.lastSyncAt = 1
  expect(await partly()).toEqual(['account'])
  now.connects = false
  expect(await partly()).toEqual(['account'])
  now.state = 'running'
  expect(await partly()).toEqual(['account'])
  now.state = 'done'
  expect(await partly()).toEqual([])
  // More history, or a renewed login, must not silence a limit.
  Object.assign(now, { state: 'running', connects: true })
  expect(await partly()).toEqual([])
})

test('history that waits in trouble holds nothing up, a sync that never was whole does', async () => {
  const { now, partly } = one()
  Object.assign(now, { lastSyncAt: 1, connects: false, trouble: 'login-needed' })
  expect(await partly()).toEqual([])
  now.lastSyncAt = null
  expect(await partly()).toEqual(['account'])
})
