import type { Desk } from '#backend/host.ts'
import type { Log } from '#shared/base/log.ts'
import { plansPlace, type Told } from './sync-notice.ts'
import type { TrayWatch } from './tray-watch.ts'
import type { Words } from './words.ts'

/** What pausing the copier works with. */
export type TrayCopierParts = {
  readonly desk: Pick<Desk, 'pauseCopier' | 'resumeCopier'>
  readonly watch: Pick<TrayWatch, 'whoIs' | 'look'>
  readonly openWindow: (place?: string) => void
  /** Shows a notification. */
  readonly tell: (told: Told) => void
  readonly words: Words
  readonly log: Pick<Log, 'warn'>
}

const copierPlace = '/dashboard/TradeCopier'

/** Pauses the copier, or lets it go on, for whoever is signed in in the window. What could not be done is told: nobody believes it paused where it is not. It never rejects. */
export const createTrayCopier = ({ desk, watch, openWindow, tell, words, log }: TrayCopierParts): { readonly pause: () => Promise<void>; readonly resume: () => Promise<void> } => {
  const failed = (word: 'notice.copierNotPaused' | 'notice.copierNotResumed', detail: 'notice.planUnknown' | 'notice.trouble.internal'): void => tell({ title: words(word), body: words(detail), place: copierPlace })

  const forUser = async (work: (userId: string) => Promise<void>, word: Parameters<typeof failed>[0]): Promise<void> => {
    try {
      const userId = await watch.whoIs()
      if (userId === null) return openWindow()
      await work(userId)
      watch.look()
    } catch (error) {
      log.warn({ error }, 'The copier was not reached from the tray')
      failed(word, 'notice.trouble.internal')
    }
  }

  return {
    pause: () => forUser((userId) => desk.pauseCopier(userId), 'notice.copierNotPaused'),
    resume: () =>
      forUser(async (userId) => {
        const resumed = await desk.resumeCopier(userId)
        if (resumed.ok) return
        if (resumed.error === 'plan-needed') openWindow(plansPlace)
        else failed('notice.copierNotResumed', resumed.error === 'cloud-unreachable' ? 'notice.planUnknown' : 'notice.trouble.internal')
      }, 'notice.copierNotResumed'),
  }
}
