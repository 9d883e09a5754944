import type { ImportReport } from './import-report.ts'
import { dayText, headline, stateWords } from './day-words.ts'

type Row = readonly string[]

/** The report as lines for a terminal: the files, one row a trading day and account, the sums, the checks, the warnings. */
export const importTable = (report: ImportReport): string => {
  const { files, byTradingDay, reconciliation: checked, statistics } = report
  const sums = report.byCurrency ?? [{ currency: report.currency ?? '', grossPnl: report.grossPnl ?? '', commission: report.commission ?? '', netPnl: report.netPnl ?? '' }]
  const refused = files.flatMap(({ path, rejected }) => rejected.slice(0, shownRows).map(({ line, reason }) => `${path}:${String(line)}: ${reason}`))
  return [
    ...table(['File', 'Kind', 'Rows', 'Accepted', 'Rejected'], files.map(({ path, kind, rows, accepted, rejected }) => [path, kind ?? 'refused', String(rows), String(accepted), String(rejected.length)]), 2),
    ...refused,
    '',
    ...table(
      ['Trading day', 'Account', 'Gross', 'Commission', 'Net', 'Broker', 'Difference', '', 'Result'],
      [
        ...byTradingDay.map((row) => [row.tradingDay, row.account, row.grossPnl, row.commission, row.netPnl, row.brokerNet ?? '-', row.difference ?? '-', row.currency ?? '', stateWords[row.state]]),
        ...sums.map(({ currency, grossPnl, commission, netPnl }) => ['All', '', grossPnl, commission, netPnl, '', '', currency, '']),
      ],
      2,
    ),
    '',
    `${counted(report.fills, 'fill')}, ${counted(report.pairs, 'pair')} (first in, first out) in ${counted(report.trips, 'trip')} from flat to flat.`,
    `Win rate per pair ${percent(statistics.perPair.winRate)}, per trip ${percent(statistics.perTrip.winRate)}.`,
    ...linesOf(byTradingDay),
    `Checked against the broker: ${headline(checked)}.`,
    ...(report.incomplete === undefined ? [] : [`Incomplete: ${String(report.incomplete.pairs)} of ${String(report.pairs)} fill pairs rest on a fill that is missing in these files; their figures cannot be trusted.`]),
    ...(report.open ?? []).map(({ account, contract, side, quantity }) => `Left open: ${account} ${side} ${String(quantity)} ${contract}.`),
    ...report.warnings.map(({ message }) => `Note: ${message}`),
  ].join('\n')
}

const shownRows = 20

/** Of days that are not equal what makes them so, the first of them. */
const linesOf = (days: ImportReport['byTradingDay']): readonly string[] => {
  const open = days.filter(({ state, movements }) => state !== 'equal' || movements.some(({ of }) => of === 'other' || of === 'transfer'))
  const rest = open.length - shownRows
  return [...open.slice(0, shownRows).map(dayText), ...(rest > 0 ? [`And ${String(rest)} more days; --json lists them all.`] : [])]
}

const counted = (count: number, what: string): string => `${String(count)} ${what}${count === 1 ? '' : 's'}`

const percent = (rate: number | null): string => (rate === null ? 'unknown' : `${(rate * 100).toFixed(1)} %`)

/** Columns as wide as their widest cell; those from `numbers` on stand to the right. */
const table = (header: Row, rows: readonly Row[], numbers: number): readonly string[] => {
  const all = [header, ...rows]
  const widths = header.map((_, column) => all.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0))
  const cell = (text: string, column: number): string => (column < numbers ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0))
  return all.map((row) => row.map(cell).join('  ').trimEnd())
}
