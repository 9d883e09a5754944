import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Keychain } from './keychain.ts'
import { openSecrets, type SecretsMode } from './open-secrets.ts'

const working = (): Keychain => {
  const kept = new Map<string, string>()
  return {
    getPassword: (_, account) => Promise.resolve(kept.get(account) ?? null),
    setPassword: (_, account, password) => {
      kept.set(account, password)
      return Promise.resolve()
    },
    deletePassword: (_, account) => Promise.resolve(kept.delete(account)),
  }
}

const open = async (mode: SecretsMode, keychain: Keychain | null, folder?: string) =>
  openSecrets({
    mode,
    profile: 'default',
    folder: folder ?? (await mkdtemp(join(tmpdir(), 'fillbook-secrets-'))),
    onDamaged: (path) => {
      throw new Error(path)
    },
    load: () => Promise.resolve(keychain),
  })

test('auto takes the keychain where it works and the file where there is none', async () => {
  expect(await open('auto', working())).toMatchObject({ ok: true, value: { kind: 'keychain' } })
  expect(await open('auto', null)).toMatchObject({ ok: true, value: { kind: 'file' } })
})

test('a demanded keychain is never silently a file', async () => {
  expect(await open('keychain', null)).toEqual({ ok: false, error: 'no-keychain' })
  expect(await open('keychain', working())).toMatchObject({ ok: true, value: { kind: 'keychain' } })
})

test('a demanded file asks no keychain', async () => {
  expect(await open('file', working())).toMatchObject({ ok: true, value: { kind: 'file' } })
})

test('a journal that began with the file stays with it when a keychain appears', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-secrets-'))
  const before = await open('auto', null, folder)
  if (before.ok) await before.value.set('tokens:a', 'value')
  const after = await open('auto', working(), folder)
  expect(after).toMatchObject({ ok: true, value: { kind: 'file' } })
  expect(after.ok ? await after.value.get('tokens:a') : null).toBe('value')
})

test('a journal whose tokens are in the keychain waits for it instead of beginning a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-secrets-'))
  const keychain = working()
  expect(await open('auto', keychain, folder)).toMatchObject({ ok: true, value: { kind: 'keychain' } })
  expect(await open('auto', null, folder)).toEqual({ ok: false, error: 'no-keychain' })
  expect(await open('auto', keychain, folder)).toMatchObject({ ok: true, value: { kind: 'keychain' } })
  expect(await open('file', keychain, folder)).toMatchObject({ ok: true, value: { kind: 'file' } })
  expect(await open('auto', null, folder)).toMatchObject({ ok: true, value: { kind: 'file' } })
})
