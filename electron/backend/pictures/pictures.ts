import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { largestPicture } from '#shared/api/pictures.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { pictureName, pictureNameOf, pictureTypeOf, typeOfPictureName } from '#shared/mirror/picture.ts'
import type { PictureType } from '#shared/mirror/picture.ts'

/** A picture in the data folder; `bytes` is its size. */
export type StoredPicture = { readonly name: string; readonly type: PictureType; readonly bytes: number }

/** The pictures of all profiles, each in its own folder. */
export type Pictures = ReturnType<typeof createPictures>

/** Pictures as files in `folder`, which need not exist yet. */
export const createPictures = (folder: string) => {
  const folderOf = (userId: string): string => join(folder, folderName(userId))
  const fileOf = (userId: string, name: string): string | null => (pictureName.safeParse(name).success ? join(folderOf(userId), name) : null)
  const sizeOf = async (file: string | null): Promise<number | null> => (file === null ? null : ((await unlessAbsent(stat(file)))?.size ?? null))

  return {
    /** Saves a picture under the name that follows from its bytes, so equal ones share a file. It is on disk when this resolves. */
    keep: async (userId: string, content: Uint8Array): Promise<Result<StoredPicture, 'picture-unreadable' | 'picture-too-large'>> => {
      if (content.length > largestPicture) return err('picture-too-large')
      const type = pictureTypeOf(content)
      if (type === null) return err('picture-unreadable')
      const name = pictureNameOf(type, createHash('sha256').update(content).digest('hex'))
      const file = join(folderOf(userId), name)
      if ((await sizeOf(file)) !== content.length) await writeWhole(folderOf(userId), file, content)
      return ok({ name, type, bytes: content.length })
    },
    /** Null if there is no such picture, or the name is invalid. */
    read: async (userId: string, name: string): Promise<{ readonly type: PictureType; readonly content: Buffer } | null> => {
      const file = fileOf(userId, name)
      const content = file === null ? null : await unlessAbsent(readFile(file))
      return content === null ? null : { type: typeOfPictureName(name), content }
    },
    has: async (userId: string, name: string): Promise<boolean> => (await sizeOf(fileOf(userId, name))) !== null,
    /** The names of all pictures of a profile, unordered. */
    list: async (userId: string): Promise<string[]> => ((await unlessAbsent(readdir(folderOf(userId)))) ?? []).filter((name) => pictureName.safeParse(name).success),
    /** Deletes all pictures of a profile. */
    forget: (userId: string): Promise<void> => rm(folderOf(userId), { recursive: true, force: true }),
  }
}

// The program makes the ids; one that could name another folder is a bug and not a request.
const folderName = (userId: string): string => {
  if (!/^[\w-]{1,100}$/.test(userId)) throw new Error('A user id that names no folder')
  return userId
}

const unlessAbsent = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** After a crash the file is complete or missing. */
const writeWhole = async (folder: string, file: string, content: Uint8Array): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}.tmp`
  try {
    await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: true })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  // Windows cannot open a folder, and its renames do not need this.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
