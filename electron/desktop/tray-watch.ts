import type { Desk, Glance } from '#backend/host.ts'
import type { CopierAlert } from '#shared/api/copier.ts'
import type { RuleAlert } from '#shared/api/rules.ts'
import type { Pushed } from '#shared/api/sync.ts'
import { armedStateOf } from '#shared/copier/standing.ts'
import type { TrayState } from './tray-menu.ts'

/** Dependencies of the watch. */
export type TrayWatchParts = {
  readonly desk: Pick<Desk, 'whoIs' | 'glance' | 'listen'>
  /** The window's cookies; works with the window closed. */
  readonly cookieHeader: () => Promise<string>
  readonly onCookiesChanged: (hear: () => void) => void
  /** Called with the state, at first and whenever it may have changed. */
  readonly changed: (state: TrayState) => void
  /** Called with each rule alert of that user's accounts. */
  readonly alerted?: (userId: string, alert: RuleAlert) => void
  /** Called with each alert of that user's copier. */
  readonly copierAlerted?: (alert: CopierAlert) => void
  /** Called with each failed refresh; refreshes during shutdown always fail. */
  readonly failed: (error: unknown) => void
  /** Polling interval without events, ms: a day may end without one. */
  readonly everyMs?: number
}

const defaultEveryMs = 300_000

/** The tray's user and figures. */
export type TrayWatch = ReturnType<typeof watchTray>

export const watchTray = ({ desk, cookieHeader, onCookiesChanged, changed, alerted, copierAlerted, failed, everyMs = defaultEveryMs }: TrayWatchParts) => {
  let stopped = false
  let userId: string | null = null
  let seen: Glance | null = null
  let stopListening = (): void => undefined
  let refreshing: Promise<void> = Promise.resolve()
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
      // This event comes several times a second while trades are copied, so only changes are shown.
      const copier = armedStateOf(event.live)
      if (seen !== null && seen.copier !== copier) show({ ...seen, copier })
    } else if (event.type === 'sync-ended' || event.type === 'journal-changed' || event.type === 'signed-out') refresh()
  }
  const follow = (next: string | null): void => {
    if (next === userId) return
    stopListening()
    userId = next
    seen = null
    stopListening = next === null ? () => undefined : desk.listen(next, hear)
  }
  const whoIs = async (): Promise<string | null> => (await desk.whoIs(await cookieHeader()))?.userId ?? null
  const refreshNow = async (): Promise<void> => {
    const next = await whoIs()
    if (stopped) return
    follow(next)
    const glance = next === null ? null : await desk.glance(next)
    // The user may have signed out meanwhile: leave it to the next refresh.
    if (!due) show(glance)
  }
  /** Refreshes after the running refresh; requests before it starts share one refresh. */
  const refresh = (): void => {
    if (due || stopped) return
    due = true
    refreshing = refreshing.then(() => {
      due = false
      return refreshNow().catch(failed)
    })
  }

  refresh()
  onCookiesChanged(refresh)
  const timer = setInterval(refresh, everyMs)
  timer.unref()
  return {
    /** Looks up the signed-in user now; null if nobody is signed in. */
    whoIs,
    /** Schedules a refresh. */
    refresh,
    /** Stops watching: `changed` is not called again. */
    stop: (): void => {
      stopped = true
      clearInterval(timer)
      stopListening()
    },
  }
}
