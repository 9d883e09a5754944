import { expect, test } from 'vitest'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { callsOf } from '#tests/helpers/mirror-device.ts'
import { openEmptyStore, temporaryFolder, user } from '#tests/helpers/store.ts'
import { createPictures } from '../pictures/pictures.ts'
import { createAccountDeletion } from './account-deletion.ts'
import { createEvents } from '../events.ts'
import type { Refused } from '../refused.ts'
import { createSessions } from './sessions.ts'

/** A journal with one user. The provider's deletion stays pending until the test resolves it. */
const begin = () => {
  const store = openEmptyStore()
  const journal = callsOf(store)
  const atProvider = Promise.withResolvers<Result<null, Refused>>()
  const done: string[] = []
  const copying = { now: false }
  const note = (what: string) => (): Promise<void> => Promise.resolve(void done.push(what))
  const deleteAccount = createAccountDeletion({
    ...{ journal, sessions: createSessions({ journal, now: Date.now }), events: createEvents(), pictures: createPictures(temporaryFolder()) },
    identity: {
      kind: 'local',
      reauthenticate: () => Promise.resolve(ok(null)),
      removeUser: () => {
        done.push('at the provider')
        return atProvider.promise
      },
    },
    identityOf: () => Promise.resolve(null),
    mirrors: { end: note('mirror ended'), resume: () => void done.push('mirror resumed') },
    isCopying: () => Promise.resolve(copying.now),
    connections: { forgetAll: note('tokens') },
    backups: { forget: async (_, andThen) => (done.push('backups'), await andThen(), void done.push('journal')) },
  })
  return { atProvider, done, copying, isThere: () => store.read.profile({ id: user.userId }) !== null, run: () => deleteAccount.remove(user.userId, { password: undefined, signOutBrowser: note('left') }), ended: () => deleteAccount.settled(user.userId) }
}

test('two concurrent requests share one deletion and its result', async () => {
  const { atProvider, done, isThere, run } = begin()
  const both = Promise.all([run(), run()])
  atProvider.resolve(ok(null))
  expect(await both).toEqual([ok(null), ok(null)])
  expect([done, isThere()]).toEqual([['mirror ended', 'at the provider', 'left', 'tokens', 'backups', 'journal'], false])
})

test('if the provider refuses, local data stays, the mirror resumes, and a retry works', async () => {
  const { atProvider, done, isThere, run } = begin()
  atProvider.resolve(err({ code: 'recent-login-needed' }))
  for (let times = 0; times < 2; times += 1) expect(await run()).toEqual(err({ code: 'recent-login-needed' }))
  expect([done, isThere()]).toEqual([['mirror ended', 'at the provider', 'mirror resumed', 'mirror ended', 'at the provider', 'mirror resumed'], true])
})

test('a sign-in during the deletion waits for it and then finds no user', async () => {
  const { atProvider, isThere, run, ended } = begin()
  expect(await ended()).toBe(false)
  const running = run()
  await Promise.resolve()
  const waited = ended().then((was) => [was, isThere()])
  atProvider.resolve(ok(null))
  expect(await waited).toEqual([true, false])
  await running
})

test('a sign-in also waits for a deletion that throws', async () => {
  const { atProvider, done, isThere, run } = begin()
  atProvider.reject(new Error('no keychain'))
  await expect(run()).rejects.toThrow('no keychain')
  expect([done.at(-1), isThere()]).toEqual(['mirror resumed', true])
})

test('a user is not deleted while the copier has working orders at the broker', async () => {
  const { atProvider, done, copying, isThere, run } = begin()
  copying.now = true
  expect([await run(), done, isThere()]).toEqual([err({ code: 'copier-working' }), [], true])
  copying.now = false
  atProvider.resolve(ok(null))
  expect(await run()).toEqual(ok(null))
})
