import type { Desk } from '#backend/host.ts'
import type { Log } from '#shared/base/log.ts'
import { endOfSync, plansPlace, refusalOfSync, type Told } from './sync-notice.ts'
import type { TrayWatch } from './tray-watch.ts'
import type { Words } from './words.ts'

/** What Sync Trades works with. */
export type TraySyncParts = {
  readonly desk: Pick<Desk, 'sync'>
  readonly watch: Pick<TrayWatch, 'whoIs' | 'look'>
  readonly openWindow: (place?: string) => void
  /** Shows a notification. */
  readonly tell: (told: Told) => void
  readonly words: Words
  readonly log: Pick<Log, 'warn'>
}

/** Sync Trades from outside of the window, for whoever is signed in there: its end is told once, however often it was asked for; nobody there is asked to sign in, and who needs a plan is shown the plans. It never rejects. */
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
    // Whoever sits here now is told of nobody else's trades.
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
      log.warn({ error }, 'A sync from the tray failed')
      tell({ title: words('notice.sync.failed'), body: words('notice.trouble.internal'), place: null })
    }
  }
}
