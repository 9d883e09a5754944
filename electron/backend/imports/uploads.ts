import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { largestUpload, mostUploads } from '#shared/api/imports.ts'
import type { Log } from '#shared/base/log.ts'
import { err, ok, type Result } from '#shared/base/result.ts'

/** A file that waits to be imported, of so many bytes; threads read it where it lies. */
export type Upload = { readonly id: string; readonly bytes: number; readonly path: string; readonly open: () => AsyncIterable<Uint8Array> }

type StoredUpload = { readonly bytes: number; usedAt: number }

/** Files that users have sent and not imported yet. None outlives the program. */
export type Uploads = Awaited<ReturnType<typeof createUploads>>

/** Files in `folder`, each user's in a folder of its own, under ids that nobody chooses; what a program that has ended left there goes first. `now` is UTC ms. */
export const createUploads = async ({ folder, now, largest = largestUpload }: { readonly folder: string; readonly now: () => number; readonly largest?: number }) => {
  await rm(folder, { recursive: true, force: true })
  const users = new Map<string, Map<string, StoredUpload>>()
  const incoming = new Map<string, Set<AbortController>>()
  const ofUser = (userId: string): Map<string, StoredUpload> => {
    const known = users.get(userId) ?? new Map<string, StoredUpload>()
    users.set(userId, known)
    return known
  }
  const fileOf = (userId: string, id: string): string => join(folderOf(folder, userId), id)

  const drop = async (userId: string, ids?: readonly string[]): Promise<void> => {
    const kept = ofUser(userId)
    for (const id of ids ?? [...kept.keys()]) if (kept.delete(id)) await rm(fileOf(userId, id), { force: true })
    // An empty folder would still name its user.
    if (kept.size === 0 && (incoming.get(userId)?.size ?? 0) === 0) await rmdir(folderOf(folder, userId)).catch(() => undefined)
  }

  const write = async (userId: string, source: AsyncIterable<Uint8Array>, left: AbortSignal): Promise<Result<{ readonly id: string }, 'upload-too-large' | 'not-signed-in'>> => {
    const id = randomUUID()
    const file = fileOf(userId, id)
    await mkdir(folderOf(folder, userId), { recursive: true, mode: 0o700 })
    const handle = await open(file, 'wx', 0o600)
    let bytes = 0
    let whole = false
    try {
      for await (const part of source) {
        if (left.aborted) break
        bytes += part.length
        if (bytes > largest) return err('upload-too-large')
        await handle.writeFile(part)
      }
      whole = !left.aborted
    } finally {
      await handle.close()
      if (whole) ofUser(userId).set(id, { bytes, usedAt: now() })
      else await rm(file, { force: true })
    }
    return whole ? ok({ id }) : err('not-signed-in')
  }

  return {
    /** Saves a streamed upload. Nothing of it stays if it is refused or breaks off, or if its user signs out meanwhile. */
    keep: async (userId: string, source: AsyncIterable<Uint8Array>): Promise<Result<{ readonly id: string }, 'upload-too-large' | 'too-many-uploads' | 'not-signed-in'>> => {
      const under = incoming.get(userId) ?? new Set()
      if (ofUser(userId).size + under.size >= mostUploads) return err('too-many-uploads')
      const leaving = new AbortController()
      incoming.set(userId, under.add(leaving))
      try {
        return await write(userId, source, leaving.signal)
      } finally {
        under.delete(leaving)
        await drop(userId, [])
      }
    },
    /** Null where this user has no such file. */
    find: (userId: string, id: string): Upload | null => {
      const kept = ofUser(userId).get(id)
      if (kept === undefined) return null
      kept.usedAt = now()
      return { id, bytes: kept.bytes, path: fileOf(userId, id), open: () => createReadStream(fileOf(userId, id)) }
    },
    /** Deletes these of a user's files, or all of them; those that are not there are skipped. */
    drop,
    /** Stops and deletes a user's uploads that are still coming in. */
    refuseIncoming: (userId: string): void => incoming.get(userId)?.forEach((leaving) => leaving.abort()),
    /** Deletes files that nobody asked for since then, UTC ms. */
    sweep: async (before: number): Promise<void> => {
      for (const [userId, kept] of users) await drop(userId, [...kept].filter(([, { usedAt }]) => usedAt < before).map(([id]) => id))
    },
  }
}

// Ids of users are made by the program; one that could name another folder is a bug and not a request.
const folderOf = (folder: string, userId: string): string => {
  if (!/^[\w-]{1,100}$/.test(userId)) throw new Error('A user id that names no folder')
  return join(folder, userId)
}

const sweptEveryMs = 10 * 60_000
const keptUnusedMs = 60 * 60_000

/** Deletes, every ten minutes, what nobody used for an hour; gives the function that ends that. */
export const sweepUploads = (all: readonly Pick<Uploads, 'sweep'>[], { now, log }: { readonly now: () => number; readonly log: Log }): (() => void) => {
  const sweeping = setInterval(() => {
    const before = now() - keptUnusedMs
    Promise.all(all.map(({ sweep }) => sweep(before))).catch((error: unknown) => log.warn({ error }, 'sweeping expired uploads failed'))
  }, sweptEveryMs).unref()
  return () => clearInterval(sweeping)
}
