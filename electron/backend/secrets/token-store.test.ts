import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { secretFile } from './secret-file.ts'
import { createTokenStore } from './token-store.ts'

const open = async () => {
  const secrets = secretFile(await mkdtemp(join(tmpdir(), 'fillbook-tokens-')), () => undefined)
  return { secrets, store: createTokenStore(secrets) }
}

test('tokens of two logins are kept apart, with and without a refresh token', async () => {
  const { store } = await open()
  const full = { access: 'a', refresh: 'r', accessExpiresAt: 2, obtainedAt: 1 }
  const bare = { access: 'b', accessExpiresAt: 2, obtainedAt: 1 }
  await store.set('one', full)
  await store.set('two', bare)
  expect(await store.get('one')).toEqual({ kind: 'found', tokens: full })
  expect(await store.get('two')).toEqual({ kind: 'found', tokens: bare })
  await store.remove('one')
  expect(await store.get('one')).toEqual({ kind: 'none' })
})

test.each(['not json', '{}', '{"access":"","accessExpiresAt":1,"obtainedAt":1}'])('a record that holds no tokens (%s) is not taken for none', async (text) => {
  const { secrets, store } = await open()
  await secrets.set('tokens:one', text)
  expect(await store.get('one')).toEqual({ kind: 'unreadable' })
})
