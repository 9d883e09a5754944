import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Secrets } from './secrets.ts'
import { writeAtomically } from './write-atomically.ts'

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16
// Binds the content to its purpose and format.
const purpose = Buffer.from('fillbook secrets 1')

const kept = z.record(z.string(), z.string())
type SecretFileContent = z.infer<typeof kept>

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const readIfThere = async (path: string): Promise<Buffer | null> => {
  try {
    return await readFile(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

const encrypt = (key: Buffer, content: SecretFileContent): Buffer => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(purpose)
  const body = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

const decrypt = (key: Buffer, sealed: Buffer): SecretFileContent | null => {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
    decipher.setAAD(purpose).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
    const text = Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
    return kept.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Renames a file to the first free `.damaged-<n>` and returns that path. */
const setAside = async (path: string): Promise<string> => {
  for (let n = 1; ; n += 1) {
    const aside = `${path}.damaged-${String(n)}`
    if ((await readIfThere(aside)) !== null) continue
    await rename(path, aside)
    return aside
  }
}

/**
 * Secrets in an AES-256-GCM file with its key beside it: that keeps them out of searches, backups of single files and
 * casual view, but does not protect against a thief of the folder. Sets a damaged file aside and calls `onDamaged` with
 * its new path. One per data folder: its writes are in order.
 */
export const secretFile = (folder: string, onDamaged: (keptAs: string) => void): Secrets => {
  const keyPath = join(folder, 'secrets.key')
  const dataPath = join(folder, 'secrets.enc')
  let last: Promise<unknown> = Promise.resolve()

  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }

  const readKey = async (): Promise<Buffer | null> => {
    const key = await readIfThere(keyPath)
    if (key === null || key.length === keyBytes) return key
    onDamaged(await setAside(keyPath))
    return null
  }

  const readAll = async (): Promise<SecretFileContent> => {
    const key = await readKey()
    const sealed = await readIfThere(dataPath)
    if (sealed === null) return {}
    const content = key === null ? null : decrypt(key, sealed)
    if (content !== null) return content
    onDamaged(await setAside(dataPath))
    return {}
  }

  const writeAll = async (content: SecretFileContent): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    let key = await readKey()
    if (key === null) {
      key = randomBytes(keyBytes)
      await writeAtomically(keyPath, key)
    }
    await writeAtomically(dataPath, encrypt(key, content))
  }

  return {
    kind: 'file',
    get: (name) => inOrder(async () => new Map(Object.entries(await readAll())).get(name) ?? null),
    set: (name, value) => inOrder(async () => writeAll({ ...(await readAll()), [name]: value })),
    remove: (name) =>
      inOrder(async () => {
        const { [name]: gone, ...rest } = await readAll()
        if (gone !== undefined) await writeAll(rest)
      }),
  }
}
