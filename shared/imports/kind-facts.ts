import { isPlatformKind, type ExportKind } from './export-kind.ts'
import { platforms } from './platforms/platforms.ts'

/** Whether this kind has local times of an unnamed zone; the others name their zone or have no times. */
export const hasLocalTimes = (kind: ExportKind): boolean => (isPlatformKind(kind) ? platforms[kind].isLocal : kind !== 'fills' && kind !== 'account-balance-history')

/** Whether the rows of this kind are a platform's closed trades, each complete in itself. */
export const hasClosedTrades = (kind: ExportKind): boolean => isPlatformKind(kind) && platforms[kind].isOfClosedTrades

/** Whether this kind of file names no account, so that all its rows are of one. */
export const namesNoAccount = (kind: ExportKind): boolean => (isPlatformKind(kind) ? platforms[kind].refused.account === null : kind === 'performance')
