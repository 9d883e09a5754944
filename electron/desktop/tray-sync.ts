import type { Desk } from '#backend/host.ts'
import type { Log } from '#shared/base/log.ts'
import { endOfSync, plansPlace, refusalOfSync, type Notice } from './sync-notice.ts'
import type { TrayWatch } from './tray-watch.ts'
import type { Words } from './words.ts'

/** Dependencies of Sync Trades. */
export type TraySyncParts = {
  readonly desk: Pick<Desk, 'sync'>
  readonly watch: Pick<TrayWatch, 'whoIs' | 'refresh'>
  readonly openWindow: (place?: string) => void
  /** Shows a notification. */
  readonly notify: (notice: Notice) => void
  readonly words: Words
  readonly log: Pick<Log, 'warn'>
}

/** Sync Trades from outside the window, for its signed-in user: one notice at the end, however often requested. Without a user it opens the sign-in, without a plan the plans. Never rejects. */
export const createTraySync = ({ desk, watch, openWindow, notify, words, log }: TraySyncParts): (() => Promise<void>) => {
  /** Users whose run's end is awaited here. */
  const awaited = new Set<string>()

  const syncOf = async (userId: string): Promise<void> => {
    const started = await desk.sync(userId)
    if (!started.ok) {
      const notice = refusalOfSync(started.error, words)
      return notice === null ? openWindow(plansPlace) : notify(notice)
    }
    // The run may be queued behind another one and report no progress until then.
    watch.refresh()
    const receipt = await started.value.ended
    // A user who signed in meanwhile must not see another user's trades.
    if ((await watch.whoIs()) === userId) notify(endOfSync(receipt, words))
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
      notify({ title: words('notice.sync.failed'), body: words('notice.trouble.internal'), place: null })
    }
  }
}
