import type { Desk } from '#backend/host.ts'
import type { Log } from '#shared/base/log.ts'
import { endOfSync, plansPlace, refusalOfSync, type Told } from './sync-notice.ts'
import type { TrayWatch } from './tray-watch.ts'
import type { Words } from './words.ts'

/** Dependencies of Sync Trades. */
export type TraySyncParts = {
  readonly desk: Pick<Desk, 'sync'>
  readonly watch: Pick<TrayWatch, 'whoIs' | 'look'>
  readonly openWindow: (place?: string) => void
  /** Shows a notification. */
  readonly tell: (told: Told) => void
  readonly words: Words
  readonly log: Pick<Log, 'warn'>
}

/** Sync Trades from outside the window, for its signed-in user: one notice at the end, however often requested. Without a user it opens the sign-in, without a plan the plans. Never rejects. */
export const createTraySync = ({ desk, watch, openWindow, tell, words, log }: TraySyncParts): (() => Promise<void>) => {
  /** Users whose run's end is awaited here. */
  const awaited = new Set<string>()

  const syncOf = async (userId: string): Promise<void> => {
    const started = await desk.sync(userId)
    if (!started.ok) {
      const told = refusalOfSync(started.error, words)
      return told === null ? openWindow(plansPlace) : tell(told)
    }
    // It may wait behind another run, and says nothing until then.
    watch.look()
    const receipt = await started.value.ended
    // A user who signed in meanwhile must not see another user's trades.
    if ((await watch.whoIs()) === userId) tell(endOfSync(receipt, words))
  }

  return async () => {
    try {
      const userId = await watch.whoIs()
      if (userId === null) return openWindow()
      if (awaited.has(userId)) return
      awaited.add(userId)
      await syncOf(userId).finally(() => awaited.delete(userId))
    } catch (error) {
      log.warn({ error }, 'tray sync failed')
      tell({ title: words('notice.sync.failed'), body: words('notice.trouble.internal'), place: null })
    }
  }
}
