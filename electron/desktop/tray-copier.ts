import type { Desk } from '#backend/host.ts'
import type { Log } from '#shared/base/log.ts'
import { plansPlace, type Notice } from './sync-notice.ts'
import type { TrayWatch } from './tray-watch.ts'
import type { Words } from './words.ts'

/** Dependencies of pausing the copier. */
export type TrayCopierParts = {
  readonly desk: Pick<Desk, 'pauseCopier' | 'resumeCopier'>
  readonly watch: Pick<TrayWatch, 'whoIs' | 'refresh'>
  readonly openWindow: (place?: string) => void
  /** Shows a notification. */
  readonly notify: (notice: Notice) => void
  readonly words: Words
  readonly log: Pick<Log, 'warn'>
}

const copierPlace = '/dashboard/TradeCopier'

/** Pauses or resumes the copier for the window's signed-in user. A failure shows a notice, so that nobody believes it paused when it is not. Never rejects. */
export const createTrayCopier = ({ desk, watch, openWindow, notify, words, log }: TrayCopierParts): { readonly pause: () => Promise<void>; readonly resume: () => Promise<void> } => {
  const failed = (word: 'notice.copierNotPaused' | 'notice.copierNotResumed', detail: 'notice.planUnknown' | 'notice.trouble.internal'): void => notify({ title: words(word), body: words(detail), place: copierPlace })

  const forUser = async (work: (userId: string) => Promise<void>, word: Parameters<typeof failed>[0]): Promise<void> => {
    try {
      const userId = await watch.whoIs()
      if (userId === null) return openWindow()
      await work(userId)
      watch.refresh()
    } catch (error) {
      log.warn({ error }, 'tray command to the copier failed')
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
