/** The kinds of exported files that Fillbook reads. */
export const exportKinds = ['performance', 'position-history', 'fills', 'orders', 'cash-history', 'account-balance-history', 'ninjatrader-executions'] as const
export type ExportKind = (typeof exportKinds)[number]

/** Whether this kind has local times of an unnamed zone; the others name their zone or have no times. */
export const hasLocalTimes = (kind: ExportKind): boolean => kind !== 'fills' && kind !== 'account-balance-history'

/** Whether a numeric date begins with the month or the day. */
export const dateOrders = ['mdy', 'dmy'] as const
export type DateOrder = (typeof dateOrders)[number]
