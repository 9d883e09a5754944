import { and, eq } from 'drizzle-orm'
import type { PictureType } from '#shared/mirror/picture.ts'
import type { Database } from './database.ts'
import { pictures } from './schema.ts'
import { requireRoom, type StorageRule } from './storage.ts'

/** The pictures of all users; each name is the hash of its bytes, so a picture never changes. */
export type Pictures = ReturnType<typeof openPictures>

export const openPictures = (database: Database, rule: StorageRule) => ({
  /** Saves a picture; an existing one stays. Throws `StorageFull` if it does not fit. */
  put: (userId: string, picture: { readonly name: string; readonly type: PictureType; readonly bytes: Uint8Array }): Promise<void> =>
    database.transaction('write', userId, async (tx) => {
      const added = await tx.insert(pictures).values({ userId, ...picture }).onConflictDoNothing().returning({ name: pictures.name })
      if (added.length > 0) await requireRoom(tx, userId, rule, 0)
    }),
  get: (userId: string, name: string): Promise<{ readonly type: PictureType; readonly bytes: Uint8Array } | null> =>
    database.transaction('read', userId, async (tx) => {
      const [found] = await tx.select({ type: pictures.type, bytes: pictures.bytes }).from(pictures).where(and(eq(pictures.userId, userId), eq(pictures.name, name)))
      return found ?? null
    }),
})
