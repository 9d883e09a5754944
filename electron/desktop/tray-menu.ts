import type { MenuItemConstructorOptions } from 'electron'
import type { Glance } from '#backend/host.ts'
import { toDecimalString } from '#shared/money/money.ts'
import type { Words } from './words.ts'

/** The tray's state: the signed-in user's figures, null if nobody is signed in. */
export type TrayState = Glance | null

/** What the tray's entries do. */
export type TrayActions = { readonly syncTrades: () => void; readonly pauseCopier: () => void; readonly resumeCopier: () => void; readonly openWindow: () => void; readonly quit: () => void }

/** The tray's menu. Information entries are disabled. */
export const trayMenu = (state: TrayState, words: Words, { syncTrades, pauseCopier, resumeCopier, openWindow, quit }: TrayActions): MenuItemConstructorOptions[] => [
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
export const trayTip = (state: TrayState, words: Words): string => (state === null ? words('tray.name') : words('tray.tip', { today: today(state, words) }))

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
