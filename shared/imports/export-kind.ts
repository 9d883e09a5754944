/** The files that a trader can export and that Fillbook reads. */
export const exportKinds = ['performance', 'position-history', 'fills', 'orders', 'cash-history', 'account-balance-history', 'ninjatrader-executions'] as const
export type ExportKind = (typeof exportKinds)[number]
