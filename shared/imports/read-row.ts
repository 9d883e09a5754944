import { ok, type Result } from '#shared/base/result.ts'
import { readBalanceRow, readCashHistoryRow } from './cash-rows.ts'
import { datedReading } from './contract-code.ts'
import { isPlatformKind, type ExportKind, type OwnKind } from './export-kind.ts'
import { readFillsRow, readNinjaTraderRow } from './fill-rows.ts'
import { readOrdersRow } from './order-rows.ts'
import { readPerformanceRow, readPositionHistoryRow } from './pair-rows.ts'
import { platforms } from './platforms/platforms.ts'
import type { ExportRow, Reading, RowProblem } from './reading.ts'
import { openRow, type OpenRow } from './row-cells.ts'

const readers: Readonly<Record<OwnKind, (row: OpenRow) => Result<Reading | null, RowProblem>>> = {
  performance: readPerformanceRow,
  'position-history': readPositionHistoryRow,
  fills: readFillsRow,
  orders: readOrdersRow,
  'cash-history': readCashHistoryRow,
  'account-balance-history': readBalanceRow,
  'ninjatrader-executions': readNinjaTraderRow,
}

/**
 * Reads a row of an export, local times in `zone` (IANA, otherwise a RangeError). Null if it is valid but has nothing to record, like an unfilled
 * order; rejected with the column at fault if unreadable.
 */
export const readRow = (kind: ExportKind, row: ExportRow, zone: string): Result<Reading | null, RowProblem> => {
  const read = (isPlatformKind(kind) ? platforms[kind].read : readers[kind])(openRow(row, zone))
  return read.ok && read.value !== null ? ok(datedReading(read.value)) : read
}
