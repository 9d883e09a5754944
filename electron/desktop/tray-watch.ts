import type { Desk, Glance } from '#backend/host.ts'
import type { CopierAlert } from '#shared/api/copier.ts'
import type { RuleAlert } from '#shared/api/rules.ts'
import type { Pushed } from '#shared/api/sync.ts'
import { armedStateOf } from '#shared/copier/standing.ts'
import type { TrayState } from './tray-menu.ts'

/** The tray's user and figures. */
export type TrayWatch = {
  /** Who is signed in, asked now; null where nobody is. */
  readonly whoIs: () => Promise<string | null>
  /** Looks how things stand, soon. */
  readonly look: () => void
  /** Ends it: `changed` is called no more. */
  readonly stop: () => void
}

/** What the watch works with. */
export type TrayWatchParts = {
  readonly desk: Pick<Desk, 'whoIs' | 'glance' | 'listen'>
  /** The cookies of the app's window, whether it is open or not. */
  readonly cookieHeader: () => Promise<string>
  readonly onCookiesChanged: (hear: () => void) => void
  /** Told of how things stand, at first and whenever that may have changed. */
  readonly changed: (state: TrayState) => void
  /** Told of each alert of the rules of that user's accounts. */
  readonly alerted?: (userId: string, alert: RuleAlert) => void
  /** Called with each alert of that user's copier. */
  readonly copierAlerted?: (alert: CopierAlert) => void
  /** Told of a look that failed, as every one does once the program ends. */
  readonly failed: (error: unknown) => void
  /** Polling interval without events, ms: a day may end without one. */
  readonly everyMs?: number
}

const usualEveryMs = 300_000

/** Follows the window's signed-in user and that user's events. */
export const watchTray = ({ desk, cookieHeader, onCookiesChanged, changed, alerted, copierAlerted, failed, everyMs = usualEveryMs }: TrayWatchParts): TrayWatch => {
  let stopped = false
  let userId: string | null = null
  let seen: Glance | null = null
  let stopListening = (): void => undefined
  let looking: Promise<void> = Promise.resolve()
  let due = false

  const show = (state: Glance | null): void => {
    if (!stopped) changed((seen = state))
  }
  const hear = (event: Pushed): void => {
    if (event.type === 'rule-alert') {
      if (userId !== null) alerted?.(userId, event.alert)
    } else if (event.type === 'copier-alert') {
      if (userId !== null) copierAlerted?.(event.alert)
    } else if (event.type === 'sync-progress') {
      if (seen !== null) show({ ...seen, running: event.progress.overall })
    } else if (event.type === 'copier') {
      // It comes several times a second while trades are copied: only a change is shown.
      const copier = armedStateOf(event.live)
      if (seen !== null && seen.copier !== copier) show({ ...seen, copier })
    } else if (event.type === 'sync-ended' || event.type === 'journal-changed' || event.type === 'signed-out') look()
  }
  const follow = (next: string | null): void => {
    if (next === userId) return
    stopListening()
    userId = next
    seen = null
    stopListening = next === null ? () => undefined : desk.listen(next, hear)
  }
  const whoIs = async (): Promise<string | null> => (await desk.whoIs(await cookieHeader()))?.userId ?? null
  const lookNow = async (): Promise<void> => {
    const next = await whoIs()
    if (stopped) return
    follow(next)
    const glance = next === null ? null : await desk.glance(next)
    // The user may have signed out meanwhile: leave it to the next look.
    if (!due) show(glance)
  }
  /** Looks once whatever looks now is through; a look that has not begun yet serves all that ask for one. */
  const look = (): void => {
    if (due || stopped) return
    due = true
    looking = looking.then(() => {
      due = false
      return lookNow().catch(failed)
    })
  }

  look()
  onCookiesChanged(look)
  const timer = setInterval(look, everyMs)
  timer.unref()
  return {
    whoIs,
    look,
    stop: () => {
      stopped = true
      clearInterval(timer)
      stopListening()
    },
  }
}
