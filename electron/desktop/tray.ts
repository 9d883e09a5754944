import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { app, Menu, nativeTheme, Tray, type MenuItemConstructorOptions } from 'electron'
import type { DesktopCalls, Glance } from '#backend/host.ts'
import type { CopierAlert } from '#shared/api/copier.ts'
import type { RuleAlert } from '#shared/api/rules.ts'
import type { Pushed } from '#shared/api/sync.ts'
import type { Log } from '#shared/base/log.ts'
import { armedStateOf } from '#shared/copier/standing.ts'
import { toDecimalString } from '#shared/money/money.ts'
import { copierRoute, endOfSync, noticeOfAlert, noticeOfCopierAlert, plansRoute, refusalOfSync, showNotice, type Notice } from './notices.ts'
import type { ShellStore } from './shell-state.ts'
import type { Words } from './words.ts'

type TrayDeps = {
  readonly desktop: DesktopCalls
  /** The window's `Cookie` header; works with the window closed. */
  readonly cookieHeader: () => Promise<string>
  readonly onCookiesChanged: (listener: () => void) => void
  /** Shows the window and, if given, navigates it to a route below the page's `/#`. */
  readonly openWindow: (route?: string) => void
  readonly words: Words
  /** The folder of the tray icons. */
  readonly icons: string
  readonly log: Log
}

/** The tray, and whether the program lives on in it after its window was closed. */
export const liveInTray = ({ store, hideWindow, ...deps }: TrayDeps & { readonly store: ShellStore; readonly hideWindow: () => void }) => {
  const { openWindow, words } = deps
  const tray = trayOrNone(deps)

  const windowClosed = async (): Promise<void> => {
    if (tray === null || !store.read().staysInTray || !(await showsTray(process.platform, process.env))) return app.quit()
    hideWindow()
    if (store.read().toldAboutTray) return
    store.change({ toldAboutTray: true })
    showNotice({ title: words('notice.staysInTray'), body: words('notice.staysInTrayDetail'), onClick: () => openWindow() })
  }

  return {
    /** Sync Trades, as from the tray's menu. */
    syncTrades: (): void => tray?.syncTrades(),
    /** The user closed the window: hides it if the program stays in the tray (with a one-time notice), otherwise quits. */
    windowClosed: (): void => void windowClosed(),
    stop: (): void => tray?.stop(),
  }
}

const trayOrNone = (deps: TrayDeps): ReturnType<typeof startTray> | null => {
  try {
    return startTray(deps)
  } catch (error) {
    deps.log.warn({ error }, 'showing the tray failed')
    return null
  }
}

const execute = promisify(execFile)
const askForTrayHost = ['call', '--session', '--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus', '--method', 'org.freedesktop.DBus.NameHasOwner', 'org.kde.StatusNotifierWatcher']
const longestAskMs = 1_000

/** Whether the system shows tray icons. Only a Linux desktop may not; true if it cannot be determined. */
export const showsTray = async (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Promise<boolean> => {
  // Without a session bus, the query would start one.
  if (platform !== 'linux' || !env['DBUS_SESSION_BUS_ADDRESS']) return true
  return execute('gdbus', askForTrayHost, { timeout: longestAskMs, env }).then(({ stdout }) => !stdout.includes('false'), () => true)
}

/** Shows the tray, which works with the window closed. Throws if the system has none. */
const startTray = ({ desktop, cookieHeader, onCookiesChanged, openWindow, words, icons, log }: TrayDeps) => {
  const picture = (): string => join(icons, trayIcon(process.platform, nativeTheme))
  const tray = new Tray(picture())
  let state: Glance | null = null
  let shown = ''
  let stopped = false

  // Linux cannot build a menu on opening, so every change builds one; an invisible change does not.
  const show = (): void => {
    const template = trayMenu(state, words, { syncTrades, pauseCopier: () => void commands.pauseCopier(), resumeCopier: () => void commands.resumeCopier(), openWindow: () => openWindow(), quit: () => app.quit() })
    const tip = trayTip(state, words)
    const next = JSON.stringify([template, tip])
    if (next === shown) return
    shown = next
    tray.setContextMenu(Menu.buildFromTemplate(template))
    tray.setToolTip(tip)
  }
  const notify = ({ title, body, route }: Notice): void => {
    // Do not report a run that the shutdown interrupted.
    if (!stopped) showNotice({ title, body, onClick: () => (openWindow(route ?? undefined)) })
  }
  const syncTrades = (): void => void commands.syncTrades()
  const failed = (error: unknown): void => log.debug({ error }, 'tray refresh failed')

  show()
  const watch = watchTray({
    desktop,
    cookieHeader,
    onCookiesChanged,
    changed: (next) => {
      state = next
      show()
    },
    alerted: (userId, alert) => {
      void desktop.wantsNotices(userId).then((wants) => (wants ? notify(noticeOfAlert(alert, words)) : undefined), failed)
    },
    // Open positions are at risk: shown whatever the rule alert settings.
    copierAlerted: (alert) => notify(noticeOfCopierAlert(alert, words)),
    failed,
  })
  const commands = createTrayCommands({ desktop, watch, openWindow, notify, words, log })
  const stopWords = words.onChange(show)
  const repaint = (): void => tray.setImage(picture())
  nativeTheme.on('updated', repaint)
  // On macOS a click opens the menu.
  if (process.platform !== 'darwin') tray.on('click', () => openWindow())

  return {
    /** Sync Trades for the signed-in user, with a notification at the end. */
    syncTrades,
    stop: (): void => {
      if (stopped) return
      stopped = true
      watch.stop()
      stopWords()
      nativeTheme.off('updated', repaint)
      tray.destroy()
    },
  }
}

/** The system's dark mode; only macOS and Windows report one for bars apart from windows. */
type Bars = { readonly shouldUseDarkColors: boolean; readonly shouldUseDarkColorsForSystemIntegratedUI?: boolean | undefined }

/** The tray icon's file name. macOS colors a template icon itself; other systems have one icon for dark bars and one for light ones. */
export const trayIcon = (platform: NodeJS.Platform, { shouldUseDarkColors, shouldUseDarkColorsForSystemIntegratedUI = shouldUseDarkColors }: Bars): string => {
  if (platform === 'darwin') return 'trayTemplate.png'
  return `tray-${shouldUseDarkColorsForSystemIntegratedUI ? 'dark' : 'light'}.${platform === 'win32' ? 'ico' : 'png'}`
}

type TrayActions = { readonly syncTrades: () => void; readonly pauseCopier: () => void; readonly resumeCopier: () => void; readonly openWindow: () => void; readonly quit: () => void }

/** The tray's menu; `state` is null if nobody is signed in. Information entries are disabled. */
export const trayMenu = (state: Glance | null, words: Words, { syncTrades, pauseCopier, resumeCopier, openWindow, quit }: TrayActions): MenuItemConstructorOptions[] => [
  ...(state === null
    ? [entry(words('tray.signIn'), openWindow)]
    : [
        state.running === null ? entry(words('menu.syncTrades'), syncTrades) : infoItem(words('tray.syncing', { percent: percentOf(state.running, words) })),
        infoItem(lastSync(state, words)),
        { type: 'separator' } as const,
        infoItem(today(state, words)),
        ...(state.copier === null ? [] : [state.copier === 'armed' ? entry(words('tray.pauseCopier'), pauseCopier) : entry(words('tray.resumeCopier'), resumeCopier)]),
      ]),
  { type: 'separator' },
  entry(words('tray.open'), openWindow),
  { type: 'separator' },
  entry(words('menu.quit'), quit),
]

/** The tray's tooltip: the name, and the signed-in user's result of the day. */
export const trayTip = (state: Glance | null, words: Words): string => (state === null ? words('tray.name') : words('tray.tip', { today: today(state, words) }))

// A single & would underline the letter behind it.
const label = (text: string): string => text.replaceAll('&', '&&')
const entry = (text: string, click: () => void): MenuItemConstructorOptions => ({ label: label(text), click: () => click() })
const infoItem = (text: string): MenuItemConstructorOptions => ({ label: label(text), enabled: false })

const trueMinus = (text: string): string => text.replaceAll('-', '−')

const percentOf = (share: number, words: Words): string => new Intl.NumberFormat(words.tag(), { style: 'percent', maximumFractionDigits: 0 }).format(share)

const lastSync = ({ lastSync: last, timeZone }: Glance, words: Words): string => {
  if (last === null) return words('tray.neverSynced')
  const moment = new Intl.DateTimeFormat(words.tag(), { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
  return words(`tray.lastSync.${last.outcome}`, { time: moment.format(last.at) })
}

const today = ({ today: net }: Glance, words: Words): string => {
  if (net.length === 0) return words('tray.noTrades')
  const money = net.map(({ amount, currency }) => {
    const format = new Intl.NumberFormat(words.tag(), { style: 'currency', currency, signDisplay: 'exceptZero' })
    // As text it stays exact, whatever its size.
    return trueMinus(format.format(toDecimalString(amount) as Intl.StringNumericLiteral))
  })
  return words('tray.today', { money: money.join(' · ') })
}

type WatchDeps = Pick<TrayDeps, 'cookieHeader' | 'onCookiesChanged'> & {
  readonly desktop: Pick<DesktopCalls, 'whoIs' | 'glance' | 'listen'>
  /** Called with the state, at first and whenever it may have changed. */
  readonly changed: (state: Glance | null) => void
  /** Called with each rule alert of that user's accounts. */
  readonly alerted: (userId: string, alert: RuleAlert) => void
  /** Called with each alert of that user's copier. */
  readonly copierAlerted: (alert: CopierAlert) => void
  /** Called with each failed refresh; refreshes during shutdown always fail. */
  readonly failed: (error: unknown) => void
  /** Polling interval without events, ms: a day may end without one. */
  readonly everyMs?: number
}

const defaultEveryMs = 300_000

/** Follows the user of the window's session, and the figures that the tray shows of that user. */
export const watchTray = ({ desktop, cookieHeader, onCookiesChanged, changed, alerted, copierAlerted, failed, everyMs = defaultEveryMs }: WatchDeps) => {
  let stopped = false
  let userId: string | null = null
  let seen: Glance | null = null
  let stopListening = (): void => undefined
  let refreshing: Promise<void> = Promise.resolve()
  let due = false

  const show = (state: Glance | null): void => {
    if (!stopped) changed((seen = state))
  }
  const receive = (event: Pushed): void => {
    if (event.type === 'rule-alert') {
      if (userId !== null) alerted(userId, event.alert)
    } else if (event.type === 'copier-alert') {
      if (userId !== null) copierAlerted(event.alert)
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
    stopListening = next === null ? () => undefined : desktop.listen(next, receive)
  }
  const whoIs = async (): Promise<string | null> => (await desktop.whoIs(await cookieHeader()))?.userId ?? null
  const refreshNow = async (): Promise<void> => {
    const next = await whoIs()
    if (stopped) return
    follow(next)
    const glance = next === null ? null : await desktop.glance(next)
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

type CommandDeps = Pick<TrayDeps, 'openWindow' | 'words'> & {
  readonly desktop: Pick<DesktopCalls, 'sync' | 'pauseCopier' | 'resumeCopier'>
  readonly watch: Pick<ReturnType<typeof watchTray>, 'whoIs' | 'refresh'>
  readonly notify: (notice: Notice) => void
  readonly log: Pick<Log, 'warn'>
}

/** The tray's commands, for the window's signed-in user: without one they open the window, without a plan the plans. They never reject. */
export const createTrayCommands = ({ desktop, watch, openWindow, notify, words, log }: CommandDeps) => {
  /** Users whose run's end is awaited here. */
  const awaited = new Set<string>()

  const syncOf = async (userId: string): Promise<void> => {
    const started = await desktop.sync(userId)
    if (!started.ok) {
      const notice = refusalOfSync(started.error, words)
      return notice === null ? openWindow(plansRoute) : notify(notice)
    }
    // The run may be queued behind another one and report no progress until then.
    watch.refresh()
    const receipt = await started.value.ended
    // A user who signed in meanwhile must not see another user's trades.
    if ((await watch.whoIs()) === userId) notify(endOfSync(receipt, words))
  }

  const copierFailed = (word: 'notice.copierNotPaused' | 'notice.copierNotResumed', detail: 'notice.planUnknown' | 'notice.trouble.internal'): void => notify({ title: words(word), body: words(detail), route: copierRoute })

  const copierOfUser = async (work: (userId: string) => Promise<void>, word: Parameters<typeof copierFailed>[0]): Promise<void> => {
    try {
      const userId = await watch.whoIs()
      if (userId === null) return openWindow()
      await work(userId)
      watch.refresh()
    } catch (error) {
      log.warn({ error }, 'tray command to the copier failed')
      copierFailed(word, 'notice.trouble.internal')
    }
  }

  return {
    /** One notice at the end, however often requested. */
    syncTrades: async (): Promise<void> => {
      try {
        const userId = await watch.whoIs()
        if (userId === null) return openWindow()
        if (awaited.has(userId)) return
        awaited.add(userId)
        await syncOf(userId).finally(() => awaited.delete(userId))
      } catch (error) {
        log.warn({ error }, 'tray sync failed')
        notify({ title: words('notice.sync.failed'), body: words('notice.trouble.internal'), route: null })
      }
    },
    /** A failure shows a notice, so that nobody believes the copier paused when it is not. */
    pauseCopier: () => copierOfUser((userId) => desktop.pauseCopier(userId), 'notice.copierNotPaused'),
    resumeCopier: () =>
      copierOfUser(async (userId) => {
        const resumed = await desktop.resumeCopier(userId)
        if (resumed.ok) return
        if (resumed.error === 'plan-needed') openWindow(plansRoute)
        else copierFailed('notice.copierNotResumed', resumed.error === 'cloud-unreachable' ? 'notice.planUnknown' : 'notice.trouble.internal')
      }, 'notice.copierNotResumed'),
  }
}
