/** The files that a trader can export and that Fillbook reads. */
export const exportKinds = ['performance', 'position-history', 'fills', 'orders', 'cash-history', 'account-balance-history', 'ninjatrader-executions'] as const
export type ExportKind = (typeof exportKinds)[number]

/** Whether the times in a file of this kind are local to a zone that it does not name; the others carry theirs, or have no times. */
export const hasLocalTimes = (kind: ExportKind): boolean => kind !== 'fills' && kind !== 'account-balance-history'
