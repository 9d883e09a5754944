// @module-tag slow
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Refused } from '#shared/api/refused.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { callsOf } from '#tests/helpers/mirror-device.ts'
import { openEmptyStore, temporaryFolder, user } from '#tests/helpers/store.ts'
import { createPictures } from '../pictures/pictures.ts'
import { createAccountDeletion } from './account-deletion.ts'
import { createEvents } from '../events.ts'
import { demoUserId } from '../demo-user.ts'
import { createLeaving } from './leaving.ts'
import { createSessions } from './sessions.ts'

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** A journal with one user. The provider's deletion stays pending until the test resolves it. */
const begin = (userId: string = user.userId) => {
  const store = openEmptyStore()
  const journal = callsOf(store)
  const atProvider = Promise.withResolvers<Result<null, Refused>>()
  const done: string[] = []
  const copying = { now: false }
  const note = (what: string) => (): Promise<void> => Promise.resolve(void done.push(what))
  const deleteAccount = createAccountDeletion({
    journal, sessions: createSessions({ journal, now: Date.now }), events: createEvents(), pictures: createPictures(temporaryFolder()),
    identity: {
      kind: 'local',
      reauthenticate: () => Promise.resolve(ok(null)),
      removeUser: () => {
        done.push('at the provider')
        return atProvider.promise
      },
    },
    identityOf: () => Promise.resolve(null),
    mirrors: { end: note('mirror ended'), resume: () => void done.push('mirror resumed'), release: () => void done.push('mirror released') },
    leaving: createLeaving(temporaryFolder()), deleteDemo: note('demo'), log: quiet,
    isCopying: () => Promise.resolve(copying.now),
    connections: { deleteAll: note('tokens') },
    prices: { forget: note('prices') },
    backups: { forget: async (_, andThen) => (done.push('backups'), await andThen(), void done.push('journal')) },
  })
  return { atProvider, done, copying, isThere: () => store.read.profile({ id: user.userId }) !== null, run: () => deleteAccount.remove(userId, { password: undefined, signOutBrowser: note('left') }), ended: () => deleteAccount.settled(userId) }
}

test('two concurrent requests share one deletion and its result', async () => {
  const { atProvider, done, isThere, run } = begin()
  const both = Promise.all([run(), run()])
  atProvider.resolve(ok(null))
  expect(await both).toEqual([ok(null), ok(null)])
  expect([done, isThere()]).toEqual([['mirror ended', 'at the provider', 'left', 'tokens', 'backups', 'journal', 'prices'], false])
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

/** A data folder with the demo profile beside a real one. `program` starts anew, and is killed before its step number `killAt`. */
const installation = async () => {
  const [store, folder] = [openEmptyStore(), temporaryFolder()]
  const journal = callsOf(store)
  await journal.write.ensureProfile({ id: demoUserId, email: null, displayName: 'Demo', passwordHash: null, recoveryHash: null, demo: true, timeZone: 'UTC', createdAt: 0 })
  const kept = new Set(['cloud', 'tokens', 'backups', 'pictures', 'prices', 'demo'])
  const leaving = createLeaving(join(folder, 'leaving'))
  const program = (killAt = Infinity) => {
    let steps = 0
    const step = <T>(work: () => Promise<T> | T): Promise<T> => ((steps += 1) > killAt ? Promise.reject(new Error('killed')) : Promise.resolve(work()))
    const context = (what: string) => () => step(() => void kept.delete(what))
    const deletion = createAccountDeletion({
      journal, events: createEvents(), log: quiet,
      sessions: { endAllOf: () => step(() => undefined) },
      identity: { kind: 'local', reauthenticate: () => Promise.resolve(ok(null)), removeUser: async () => (await context('cloud')(), ok(null)) },
      identityOf: () => Promise.resolve(null),
      mirrors: { end: () => step(() => undefined), resume: () => undefined, release: () => undefined },
      isCopying: () => Promise.resolve(false),
      prices: { forget: context('prices') },
      connections: { deleteAll: context('tokens') },
      backups: {
        forget: async (_, andThen) => {
          await context('backups')()
          await step(andThen)
        },
      },
      pictures: { forget: context('pictures') },
      deleteDemo: context('demo'),
      leaving: { begin: (userId) => step(() => leaving.begin(userId)), end: (userId) => step(() => leaving.end(userId)), all: leaving.all },
    })
    return { deletion, steps: () => steps }
  }
  const isThere = (userId: string) => store.read.profile({ id: userId }) !== null
  return { kept, leaving, program, isThere }
}
const remove = (deletion: ReturnType<typeof createAccountDeletion>, userId: string) => deletion.remove(userId, { password: undefined, signOutBrowser: () => Promise.resolve() }).catch((error: unknown) => error)

test.each([demoUserId, user.userId])('a removal of %s that is killed at any step is undone, or finished by the next start', async (userId) => {
  const own = userId === demoUserId ? ['tokens', 'backups', 'pictures', 'demo'] : ['cloud', 'tokens', 'backups', 'pictures']
  const whole = await installation()
  const first = whole.program()
  expect(await remove(first.deletion, userId)).toEqual(ok(null))
  expect([whole.isThere(userId), own.filter((what) => whole.kept.has(what)), whole.leaving.all()]).toEqual([false, [], []])
  expect(first.steps()).toBeGreaterThan(6)
  const outcomes = new Set<string>()
  for (let killAt = 0; killAt < first.steps(); killAt += 1) {
    const it = await installation()
    await remove(it.program(killAt).deletion, userId)
    // Ends in the middle again, and then is let go on.
    await it.program(2).deletion.finish()
    await it.program().deletion.finish()
    const [there, left] = [it.isThere(userId), own.filter((what) => it.kept.has(what))]
    outcomes.add(there ? 'undone' : 'finished')
    // What is at the provider goes first and alone: the user can ask again.
    if (there) expect(left.filter((what) => what !== 'cloud'), `killed before step ${String(killAt)}`).toEqual(own.filter((what) => what !== 'cloud'))
    else expect(left, `killed before step ${String(killAt)}`).toEqual([])
    expect([it.isThere(userId === demoUserId ? user.userId : demoUserId), it.leaving.all()]).toEqual([true, []])
  }
  expect([...outcomes]).toEqual(['undone', 'finished'])
})

test('the demo profile is removed without a password and without asking its cloud, and its next one is mirrored again', async () => {
  const { done, run, atProvider } = begin(demoUserId)
  atProvider.reject(new Error('asked'))
  atProvider.promise.catch(() => undefined)
  expect(await run()).toEqual(ok(null))
  expect(done).toEqual(['mirror ended', 'left', 'tokens', 'backups', 'journal', 'prices', 'demo', 'mirror released'])
})
