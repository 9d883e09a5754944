import { expect, test } from 'vitest'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { openEmptyStore, user } from '#tests/helpers/store.ts'
import { createCloudIdentities } from './cloud-identities.ts'
import type { Refusal } from './firebase/refusal.ts'

const cloudUrl = 'https://cloud.example'

/** The access of a user of Firebase whose tokens are given one after the other; a fresh one is asked for by name. */
const accessWith = async (tokenOf: (fresh: boolean) => Result<string, Refusal> | null) => {
  const { read } = openEmptyStore()
  const journal = { read: { profile: (input: { readonly id: string }) => Promise.resolve(read.profile(input)) } }
  const identityOf = createCloudIdentities({ journal: journal as never, cloudUrl, demoCloud: null, tokenOf: (userId, fresh) => Promise.resolve(userId === user.userId ? tokenOf(fresh) : null) })
  const identity = await identityOf(user.userId)
  if (identity === null) throw new Error('There is a cloud for this user')
  return identity.access
}

test('a user of Firebase has the token of the moment, and a new one where the cloud refused that', async () => {
  const access = await accessWith((fresh) => ok(fresh ? 'new' : 'old'))
  expect(await access(null)).toEqual(ok({ url: cloudUrl, token: 'old' }))
  expect(await access('old')).toEqual(ok({ url: cloudUrl, token: 'new' }))
  expect(await access('an earlier one')).toEqual(ok({ url: cloudUrl, token: 'old' }))
})

test('whoever is not signed in is refused, and a provider that cannot be reached is no refusal', async () => {
  expect(await (await accessWith(() => null))(null)).toEqual(err({ kind: 'refused', status: 401, code: 'not-signed-in' }))
  expect(await (await accessWith(() => err('user-disabled')))(null)).toEqual(err({ kind: 'refused', status: 401, code: 'user-disabled' }))
  expect(await (await accessWith(() => err('network-request-failed')))(null)).toMatchObject({ error: { kind: 'unreachable', cause: 'network' } })
  expect(await (await accessWith(() => err('internal-error')))(null)).toMatchObject({ error: { kind: 'unreachable', cause: 'server' } })
})
