import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { createPictures } from './pictures.ts'
import type { StoredPicture } from './pictures.ts'
import { isStoreFault } from '../db/fault.ts'
import type { JournalCalls } from '../journal/journal.ts'

/** The pictures of trades: files in the data folder that the journal knows, so that they reach the mirror. */
export type TradePictures = ReturnType<typeof createTradePictures>

/** Wires the folder of pictures and the journal; `now` is UTC ms. */
export const createTradePictures = ({ folder, journal, now }: { readonly folder: string; readonly journal: Pick<JournalCalls, 'write'>; readonly now: () => number }) => {
  const pictures = createPictures(folder)
  return {
    /** Saves a picture; a fill pair's `screenshot` fields hold the name. */
    add: async (userId: string, content: Uint8Array): Promise<Result<StoredPicture, Refused>> => {
      // The file first: what the journal names must exist.
      const kept = await pictures.keep(userId, content)
      if (!kept.ok) return refuse(kept.error)
      try {
        await journal.write.addPicture({ userId, ...kept.value, at: now() })
      } catch (error) {
        // The account was deleted meanwhile, with its folder.
        if (isStoreFault(error) && error.code === 'no-profile') await pictures.forget(userId)
        throw error
      }
      return kept
    },
    /** A picture of this user; `not-found` also if it has not arrived from another computer yet. */
    read: async (userId: string, name: string): Promise<Result<{ readonly type: string; readonly content: Buffer }, Refused>> => {
      const found = await pictures.read(userId, name)
      return found === null ? refuse('not-found') : ok(found)
    },
  }
}
