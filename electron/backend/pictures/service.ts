import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { createPictures } from './pictures.ts'
import type { KeptPicture } from './pictures.ts'
import { isStoreFault } from '../db/fault.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { refuse, type Refused } from '../refused.ts'

/** The pictures of trades: files in the data folder that the journal knows, so that they reach the mirror. */
export type TradePictures = ReturnType<typeof createTradePictures>

/** Joins the folder of pictures with the journal; `now` is UTC ms. */
export const createTradePictures = ({ folder, journal, now }: { readonly folder: string; readonly journal: Pick<JournalCalls, 'write'>; readonly now: () => number }) => {
  const pictures = createPictures(folder)
  return {
    /** Keeps a picture; the name is what a trade's `screenshot` fields hold. */
    add: async (userId: string, content: Uint8Array): Promise<Result<KeptPicture, Refused>> => {
      // The file first: what the journal names is there.
      const kept = await pictures.keep(userId, content)
      if (!kept.ok) return refuse(kept.error)
      try {
        await journal.write.addPicture({ userId, ...kept.value, at: now() })
      } catch (error) {
        // The account was deleted meanwhile, and its folder with it.
        if (isStoreFault(error) && error.code === 'no-profile') await pictures.forget(userId)
        throw error
      }
      return kept
    },
    /** A picture of this user; `not-found` also where it is still on its way from another computer. */
    read: async (userId: string, name: string): Promise<Result<{ readonly type: string; readonly content: Buffer }, Refused>> => {
      const found = await pictures.read(userId, name)
      return found === null ? refuse('not-found') : ok(found)
    },
  }
}
