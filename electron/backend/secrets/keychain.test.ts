import { expect, test } from 'vitest'
import { keepsSecrets, keychainSecrets, type Keychain } from './keychain.ts'

/** A keychain in memory with the limit of the Windows one. */
const memoryKeychain = () => {
  const kept = new Map<string, string>()
  const key = (service: string, account: string): string => `${service}\n${account}`
  const keychain: Keychain = {
    getPassword: (service, account) => Promise.resolve(kept.get(key(service, account)) ?? null),
    setPassword: (service, account, password) => {
      if (Buffer.byteLength(password) > 2_560) return Promise.reject(new Error('too long'))
      kept.set(key(service, account), password)
      return Promise.resolve()
    },
    deletePassword: (service, account) => Promise.resolve(kept.delete(key(service, account))),
  }
  return { kept, keychain }
}

test('a short secret is kept as it is, under its service and name', async () => {
  const { kept, keychain } = memoryKeychain()
  const secrets = keychainSecrets(keychain, 'Fillbook default')
  await secrets.set('tokens:a', 'value')
  expect([...kept]).toEqual([['Fillbook default\ntokens:a', 'value']])
  expect(await keychainSecrets(keychain, 'Fillbook demo').get('tokens:a')).toBeNull()
})

test('a secret longer than the keychain takes comes back whole and leaves no part behind', async () => {
  const { kept, keychain } = memoryKeychain()
  const secrets = keychainSecrets(keychain, 'Fillbook default')
  const first = 'é€𝄞'.repeat(900)
  const second = 'z'.repeat(9_000)
  await secrets.set('a', first)
  expect(await secrets.get('a')).toBe(first)
  await secrets.set('a', second)
  expect(await secrets.get('a')).toBe(second)
  await secrets.set('a', 'short')
  expect(await secrets.get('a')).toBe('short')
  expect(kept.size).toBe(1)
  await secrets.set('a', first)
  await secrets.remove('a')
  expect(kept.size).toBe(0)
})

test('a value that looks like the mark of parts is still a value', async () => {
  const { keychain } = memoryKeychain()
  const secrets = keychainSecrets(keychain, 'Fillbook default')
  await secrets.set('a', 'parts:3:0a')
  expect(await secrets.get('a')).toBe('parts:3:0a')
})

test('a missing part makes the secret absent, not shorter', async () => {
  const { kept, keychain } = memoryKeychain()
  const secrets = keychainSecrets(keychain, 'Fillbook default')
  await secrets.set('a', 'z'.repeat(9_000))
  const part = [...kept.keys()].find((name) => name.endsWith('/1')) ?? ''
  kept.delete(part)
  expect(await secrets.get('a')).toBeNull()
})

test('the probe leaves nothing behind', async () => {
  const { kept, keychain } = memoryKeychain()
  expect(await keepsSecrets(keychain, 'Fillbook default', 1_000)).toBe(true)
  expect(kept.size).toBe(0)
})

test.each<[string, Partial<Keychain>]>([
  ['refuses', { setPassword: () => Promise.reject(new Error('no service')) }],
  ['forgets', { getPassword: () => Promise.resolve(null) }],
  ['never answers', { setPassword: () => new Promise(() => undefined) }],
])('a keychain that %s keeps no secrets', async (_, fault) => {
  expect(await keepsSecrets({ ...memoryKeychain().keychain, ...fault }, 'Fillbook default', 50)).toBe(false)
})
