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
export type PlatformKind = keyof typeof platformNames

const ownKinds = ['performance', 'position-history', 'fills', 'orders', 'cash-history', 'account-balance-history', 'ninjatrader-executions'] as const
/** The kinds of exports that Tradovate's traders have. */
export type OwnKind = (typeof ownKinds)[number]

/** The kinds of exported files that Fillbook reads. */
export const exportKinds = [...ownKinds, ...(Object.keys(platformNames) as PlatformKind[])] as const
export type ExportKind = OwnKind | PlatformKind

/** Whether this is a report of another platform. */
export const isPlatformKind = (kind: ExportKind): kind is PlatformKind => kind in platformNames

/** Whether a numeric date begins with the month or the day. */
export const dateOrders = ['mdy', 'dmy'] as const
export type DateOrder = (typeof dateOrders)[number]
