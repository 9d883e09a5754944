import type { ImportReport } from './import-report.ts'
import { parseAmount } from '#shared/money/money.ts'
import { printableIn } from './terminal.ts'

type Row = readonly string[]

/** The report as lines for a terminal: the files, one row per trading day and account, the sums, the checks, the warnings. */
export const importTable = (given: ImportReport): string => {
  const report = printableIn(given)
  const { files, byTradingDay, reconciliation: checked, statistics } = report
  const sums = report.byCurrency ?? [{ currency: report.currency ?? '', grossPnl: report.grossPnl ?? '', commission: report.commission ?? '', netPnl: report.netPnl ?? '', otherFees: report.otherFees }]
  const refused = files.flatMap(({ path, rejected }) => [...rejected.slice(0, shownRows).map(({ line, reason }) => `${path}:${String(line)}: ${reason}`), ...more(rejected.length - shownRows, `rejected rows in ${path}`)])
  const isSure = refused.length === 0 && report.incomplete === undefined
  return [
    ...table(['File', 'Type', 'Rows', 'Accepted', 'Rejected'], files.map(({ path, kind, rows, accepted, rejected }) => [path, kind ?? 'refused', String(rows), String(accepted), String(rejected.length)]), 2),
    ...refused,
    ...(refused.length === 0 ? [] : ['Rejected rows are left out, and what depends on them cannot be checked: correct them or export the file again.']),
    '',
    ...table(
      ['Trading day', 'Account', 'Gross P&L', 'Commissions & fees', 'Net P&L', 'Broker', 'Difference', '', 'Result'],
      [
        ...byTradingDay.map((row) => [row.tradingDay, row.account, row.grossPnl, row.commission, row.netPnl, row.brokerNet ?? '-', row.difference ?? '-', row.currency ?? '', stateWords[row.state]]),
        ...sums.map(({ currency, grossPnl, commission, netPnl }) => ['All', '', grossPnl, commission, netPnl, '', '', currency, '']),
      ],
      2,
    ),
    '',
    `${counted(report.fills, 'fill')}, ${counted(report.pairs, 'fill pair')} (first in, first out) in ${counted(report.trips, 'trade')} from flat to flat.`,
    `Win rate by trade ${percent(statistics.perTrip.winRate)}, by fill pair ${percent(statistics.perPair.winRate)}.`,
    ...sums.flatMap(({ currency, otherFees = [] }) => otherFees.map((fee) => `Fees in another currency: ${fee.amount} ${fee.currency}, not part of any sum${currency === '' ? '' : ` in ${currency}`}.`)),
    ...linesOf(byTradingDay),
    ...(byTradingDay.some(hasPartLeft) ? ['Some fees include fractions of a cent. The broker books whole cents, so less than a cent of such a day remains, and it counts as reconciled.'] : []),
    `Reconciliation: ${headline(checked)}.`,
    ...(report.incomplete === undefined ? [] : [`Incomplete: ${String(report.incomplete.pairs)} of ${String(report.pairs)} fill pairs depend on a fill that is missing from these files, so their figures are unreliable.`]),
    ...(report.approximate === undefined ? [] : [`Approximate: ${String(report.approximate)} of ${String(report.pairs)} fill pairs use average order prices; the Fills report has the prices of the fills.`]),
    ...(report.ambiguous === undefined ? [] : [`Ambiguous: ${String(report.ambiguous)} of ${String(report.pairs)} fill pairs could be matched in another order; the Fills report shows which fill came first.`]),
    ...(report.open ?? []).map(({ account, contract, side, quantity }) => `${isSure ? 'Open position' : 'Open position, unless a missing fill closed it'}: ${account} ${side} ${String(quantity)} ${contract}.`),
    // A rejected file is listed with the errors.
    ...report.warnings.flatMap(({ code, message }) => (code === 'file-refused' ? [] : [`Warning: ${message}`])),
  ].join('\n')
}

type Day = ImportReport['byTradingDay'][number]

const hasOpenings = ({ terms }: Day): boolean => terms.some(({ of }) => of === 'openings')

/** Whether less than a cent remains on a day that counts as equal, without the fees of openings. */
const hasPartLeft = ({ netPnl, brokerNet, difference, terms }: Day): boolean => {
  if (brokerNet === null || difference !== '0.00') return false
  const left = terms.reduce((rest, { of, amount }) => (of === 'openings' ? rest - unitsOf(amount) : rest), unitsOf(netPnl) - unitsOf(brokerNet))
  return left !== 0 && Math.abs(left) < unitsOf('0.01')
}

const unitsOf = (text: string): number => {
  const amount = parseAmount(text)
  return amount.ok ? amount.value : 0
}

const shownRows = 20
const mostDays = 5

/** For unequal days their causes, for others what separates their nets or is not P&L; grouped by equal text, with the first day of each. */
const linesOf = (days: ImportReport['byTradingDay']): readonly string[] => {
  const open = days.filter((day) => day.state !== 'equal' || hasOpenings(day) || day.movements.some(({ of }) => of === 'other' || of === 'transfer'))
  const alike = [...Map.groupBy(open.toSorted((one, other) => Number(one.state === 'equal') - Number(other.state === 'equal')), dayText)].map(([text, own]) => `${daysOf([...new Set(own.map(({ tradingDay }) => tradingDay))])} ${text}`)
  return [...alike.slice(0, shownRows), ...more(alike.length - shownRows, 'lines about days')]
}

const daysOf = (days: readonly string[]): string => (days.length <= mostDays ? days.join(', ') : `${days[0] ?? ''} to ${days.at(-1) ?? ''} (${String(days.length)} days)`)

const more = (rest: number, what: string): readonly string[] => (rest > 0 ? [`And ${String(rest)} more ${what}; --json lists them all.`] : [])

const counted = (count: number, what: string): string => `${String(count)} ${what}${count === 1 ? '' : 's'}`

const percent = (rate: number | null): string => (rate === null ? 'unknown' : `${(rate * 100).toFixed(1)} %`)

/** Columns as wide as their widest cell; those from `numbers` on are right-aligned. */
const table = (header: Row, rows: readonly Row[], numbers: number): readonly string[] => {
  const all = [header, ...rows]
  const widths = header.map((_, column) => all.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0))
  const cell = (text: string, column: number): string => (column < numbers ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0))
  return all.map((row) => row.map(cell).join('  ').trimEnd())
}

/** The three states of a day in words. */
const stateWords: Record<Day['state'], string> = { equal: 'reconciled', differs: 'differs', unchecked: 'not checked' }

/** `2 of 2 fill pairs reconciled; 331 of 382 days reconciled, 40 differ, 11 not checked`. */
const headline = ({ pairsChecked, pairsEqual, daysEqual, daysDiffer, daysUnchecked }: ImportReport['reconciliation']): string => {
  const days = daysEqual + daysDiffer + daysUnchecked
  const pairs = pairsChecked === 0 ? 'no fill pairs of the broker in these files' : `${String(pairsEqual)} of ${String(pairsChecked)} fill pairs reconciled`
  const ofDays = days === 0 ? 'no trading days' : `${String(daysEqual)} of ${String(days)} ${days === 1 ? 'day' : 'days'} reconciled, ${String(daysDiffer)} ${daysDiffer === 1 ? 'differs' : 'differ'}, ${String(daysUnchecked)} not checked`
  return `${pairs}; ${ofDays}`
}

const reasons: Record<NonNullable<Day['reason']>, string> = {
  incomplete: 'a trade depends on a missing fill, so its P&L may be wrong; import the missing fills',
  'row-refused': 'one of its rows was rejected, so its figures are incomplete; correct the row and import the file again',
  'contradicting-rows': 'rows of the files conflict; export them again',
  'counted-twice': 'another account has the same fills: it is one account under two names, and counts twice',
  'fees-uncertain': 'its fees are not proven: the broker charged some at times without a known fill, or the opening fees of an earlier session do not match there; import the Fills report, and a Cash History that reaches back to the opening',
  'fees-uneven': 'one fill\'s fee per contract differs from the others, so a quantity or a fee is wrong; export the Fills again',
  'unknown-contract': 'the point value of one of its contracts is unknown',
  'unknown-currency': 'one of its fees is in a currency of which only the broker\'s number is known',
  'broken-chain': 'rows of the Cash History are missing; export it again',
  'unknown-movement': 'the Cash History has a row of unknown type, or a transfer that names a contract',
  'unexplained-balance': "the account's balance changed by more than its trades and cash rows explain; the Cash History names it",
  'ambiguous-order': 'fills with the same timestamp could be matched in another order; the Fills report has their ids',
  approximate: 'prices are only order averages; the Fills report has those of the fills',
  'no-broker-figures': "the broker's figures are missing; import its Account Balance History or Cash History",
  'cash-cut-off': 'the Cash History starts or ends mid-session; export it again for whole sessions',
  'not-settled': 'the session had not settled when it was last read',
  'contradicting-balances': 'the files have conflicting balances for it',
  'no-fills': 'the files have no fills for it; import its Fills report',
  'several-currencies': 'its trades are in several currencies, but the broker has one balance for all',
  'other-currency': "the broker's figures are in a different currency than its trades",
}

/** Why a day is not reconciled, what causes the difference of its nets, and which of its cash is not P&L that Fillbook knows, in one line that begins with its account. */
const dayText = (day: Day): string => {
  const { state, reason, difference, brokenAt, unexplained, movements, terms } = day
  const isKnown = difference !== null && difference !== '0.00'
  const verdict = state === 'unchecked' ? `not checked: ${reason === null ? '' : reasons[reason]}${isKnown ? ` (known difference ${difference})` : ''}` : state === 'differs' ? (difference === '0.00' ? 'differs in gross P&L and fees, though net P&L is the same' : `differs by ${difference ?? '-'}`) : 'reconciled'
  const parts = terms.map(({ of, name, amount }) => `${name ?? (of === 'openings' ? 'fees of contracts opened and closed in different sessions' : of)} ${amount}`)
  const named = (part: 'other' | 'transfer'): string => movements.flatMap(({ of, name, amount }) => (of === part ? [`${name ?? 'unnamed'} ${amount}`] : [])).join(', ')
  const [others, transfers] = [named('other'), named('transfer')]
  return [
    `${day.account} ${verdict}`,
    ...(parts.length === 0 ? [] : [`Fillbook minus the broker: ${parts.join(', ')}`]),
    ...(others === '' ? [] : [`other cash rows: ${others}`]),
    ...(transfers === '' ? [] : [`not part of the P&L: ${transfers}`]),
    ...(brokenAt === null ? [] : [`row ${brokenAt.transactionId} starts at ${brokenAt.found}, but row ${brokenAt.after} before it ended at ${brokenAt.expected}`]),
    ...(unexplained === null ? [] : [`unexplained ${unexplained}`]),
  ].join('; ').concat('.')
}
