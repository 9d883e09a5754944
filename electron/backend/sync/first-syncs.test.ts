import { expect, test } from 'vitest'
import { createFirstSyncs } from './first-syncs.ts'

type Deps = Parameters<typeof createFirstSyncs>[0]

/** A user with one login and account, whose facts a test sets. */
const one = () => {
  const now = { connects: true, state: 'waiting', trouble: null as string | null }
  const partly = createFirstSyncs({
    read: { logins: () => Promise.resolve([{ id: 'login' }]), accountsOfLogin: () => Promise.resolve([{ key: 'account' }]) },
    runs: { connects: () => now.connects },
    history: { state: () => Promise.resolve({ logins: [{ loginId: 'login', state: now.state, trouble: now.trouble }] }) },
  } as unknown as Deps)
  return { now, partly: async () => [...(await partly('user'))] }
}

test('an account is whole once its first run and then its history have ended, and stays so', async () => {
  const { now, partly } = one()
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

test('after a restart nothing waits: neither history that goes on, nor a login that is renewed', async () => {
  const { now, partly } = one()
  Object.assign(now, { connects: false, state: 'running' })
  expect(await partly()).toEqual([])
  now.connects = true
  expect(await partly()).toEqual([])
})

test('a first run that failed, and history that waits in trouble, hold nothing up', async () => {
  const { now, partly } = one()
  expect(await partly()).toEqual(['account'])
  Object.assign(now, { connects: false, trouble: 'login-needed' })
  expect(await partly()).toEqual([])
})
