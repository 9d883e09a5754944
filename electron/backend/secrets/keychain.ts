import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Secrets } from './secrets.ts'

/** The three keychain calls that Fillbook needs. */
export type Keychain = {
  readonly getPassword: (service: string, account: string) => Promise<string | null>
  readonly setPassword: (service: string, account: string, password: string) => Promise<void>
  readonly deletePassword: (service: string, account: string) => Promise<boolean>
}

/** Loads the native keychain; null if the machine lacks what it needs. Lazy, so that such a machine still starts. */
export const loadKeychain = async (): Promise<Keychain | null> => {
  try {
    const { default: keytar } = await import('keytar')
    return keytar
  } catch {
    return null
  }
}

/** Whether the keychain really stores values: writes, reads and removes one, all within `timeoutMs`. A locked one may never answer. */
export const keepsSecrets = async (keychain: Keychain, service: string, timeoutMs: number): Promise<boolean> => {
  const account = `probe:${randomUUID()}`
  const value = randomUUID()
  const tryIt = async (): Promise<boolean> => {
    await keychain.setPassword(service, account, value)
    const kept = (await keychain.getPassword(service, account)) === value
    return (await keychain.deletePassword(service, account)) && kept
  }
  const settled = new AbortController()
  const tooLate = setTimeout(timeoutMs, false, { signal: settled.signal }).catch(() => false)
  try {
    return await Promise.race([tryIt().catch(() => false), tooLate])
  } finally {
    settled.abort()
  }
}

// Windows limits a secret to 2,560 bytes, and a pair of tokens can be longer.
const longestPart = 2_000
const partsMark = /^parts:(\d+):([0-9a-f-]+)$/

const inParts = (value: string): string[] => {
  const bytes = Buffer.from(value, 'utf8').toString('base64')
  return bytes.match(new RegExp(`.{1,${String(longestPart)}}`, 'g')) ?? []
}

/** Secrets in the keychain, under one service name per profile. */
export const keychainSecrets = (keychain: Keychain, service: string): Secrets => {
  const part = (name: string, id: string, index: number): string => `${name}/${id}/${String(index)}`

  const removeParts = async (name: string, stored: string | null): Promise<void> => {
    const [, count = '0', id = ''] = partsMark.exec(stored ?? '') ?? []
    for (let index = 0; index < Number(count); index += 1) await keychain.deletePassword(service, part(name, id, index))
  }

  const get = async (name: string): Promise<string | null> => {
    const stored = await keychain.getPassword(service, name)
    const [, count, id] = partsMark.exec(stored ?? '') ?? []
    if (stored === null || count === undefined || id === undefined) return stored
    let whole = ''
    for (let index = 0; index < Number(count); index += 1) {
      const text = await keychain.getPassword(service, part(name, id, index))
      if (text === null) return null
      whole += text
    }
    return Buffer.from(whole, 'base64').toString('utf8')
  }

  const set = async (name: string, value: string): Promise<void> => {
    const before = await keychain.getPassword(service, name)
    if (Buffer.byteLength(value) <= longestPart && !partsMark.test(value)) await keychain.setPassword(service, name, value)
    else {
      // The parts are written first and under names of their own, so that a concurrent read gets the complete old value.
      const parts = inParts(value)
      const id = randomUUID()
      for (const [index, text] of parts.entries()) await keychain.setPassword(service, part(name, id, index), text)
      await keychain.setPassword(service, name, `parts:${String(parts.length)}:${id}`)
    }
    await removeParts(name, before)
  }

  const remove = async (name: string): Promise<void> => {
    const before = await keychain.getPassword(service, name)
    await keychain.deletePassword(service, name)
    await removeParts(name, before)
  }

  return { kind: 'keychain', get, set, remove }
}
