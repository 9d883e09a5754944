/** The reports of other platforms, and what they are called. Each has its reader in `platforms/`. */
export const platformNames = {
  'topstepx-trades': 'TopstepX trades',
  'topstepx-local-trades': 'TopstepX trades in local time',
  'ninjatrader-trades': 'NinjaTrader trades',
  'rithmic-orders': 'Rithmic completed orders',
  'rithmic-local-orders': 'Rithmic completed orders in local time',
  'sierra-activity': 'Sierra Chart activity log',
  'tradingview-orders': 'TradingView orders',
  'quantower-trades': 'Quantower trades',
  'atas-journal': 'ATAS journal',
} as const
/** Files that are read by a format of the user's own, of fills or of closed trades. */
const mappedKinds = ['mapped-fills', 'mapped-trades'] as const
export type MappedKind = (typeof mappedKinds)[number]
export type PlatformKind = keyof typeof platformNames | MappedKind

const ownKinds = ['performance', 'position-history', 'fills', 'orders', 'cash-history', 'account-balance-history', 'ninjatrader-executions'] as const
/** The kinds of exports that Tradovate's traders have. */
export type OwnKind = (typeof ownKinds)[number]

/** The kinds of exported files that their headers show. */
export const headerKinds = [...ownKinds, ...(Object.keys(platformNames) as (keyof typeof platformNames)[])] as const
/** The kinds of exported files that Fillbook reads. */
export const exportKinds = [...headerKinds, ...mappedKinds] as const
export type ExportKind = OwnKind | PlatformKind

/** Whether this is a report of another platform. */
export const isPlatformKind = (kind: ExportKind): kind is PlatformKind => kind in platformNames || isMappedKind(kind)

/** Whether this is a file that is read by a format of the user's own. */
export const isMappedKind = (kind: ExportKind): kind is MappedKind => kind === 'mapped-fills' || kind === 'mapped-trades'

/** Whether a numeric date begins with the month or the day. */
export const dateOrders = ['mdy', 'dmy'] as const
export type DateOrder = (typeof dateOrders)[number]
