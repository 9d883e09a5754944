import { expect, test } from 'vitest'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { openEmptyStore, user } from '#tests/helpers/store.ts'
import { createCloudIdentities } from './cloud-identities.ts'
import type { Refusal } from './firebase/refusal.ts'

const cloudUrl = 'https://cloud.example'

/** The cloud access of a Firebase user; tokens come from the list in order, and a forced refresh is marked. */
const accessWith = async (tokenOf: (fresh: boolean) => Result<string, Refusal> | null) => {
  const { read } = openEmptyStore()
  const journal = { read: { profile: (input: { readonly id: string }) => Promise.resolve(read.profile(input)) } }
  const identityOf = createCloudIdentities({ journal: journal as never, cloudUrl, demoCloud: null, tokenOf: (userId, fresh) => Promise.resolve(userId === user.userId ? tokenOf(fresh) : null) })
  const identity = await identityOf(user.userId)
  if (identity === null) throw new Error('There is a cloud for this user')
  return identity.access
}

test('a Firebase user sends the current token, and a fresh one if the cloud refused it', async () => {
  const access = await accessWith((fresh) => ok(fresh ? 'new' : 'old'))
  expect(await access(null)).toEqual(ok({ url: cloudUrl, token: 'old' }))
  expect(await access('old')).toEqual(ok({ url: cloudUrl, token: 'new' }))
  expect(await access('an earlier one')).toEqual(ok({ url: cloudUrl, token: 'old' }))
})

test('a signed-out user is refused, and an unreachable provider is not a refusal', async () => {
  expect(await (await accessWith(() => null))(null)).toEqual(err({ kind: 'refused', status: 401, code: 'not-signed-in' }))
  expect(await (await accessWith(() => err('user-disabled')))(null)).toEqual(err({ kind: 'refused', status: 401, code: 'user-disabled' }))
  expect(await (await accessWith(() => err('network-request-failed')))(null)).toMatchObject({ error: { kind: 'unreachable', cause: 'network' } })
  expect(await (await accessWith(() => err('internal-error')))(null)).toMatchObject({ error: { kind: 'unreachable', cause: 'server' } })
})
