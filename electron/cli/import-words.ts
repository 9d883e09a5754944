import type { FileProblem, FileProblemCode } from '#backend/imports/read-export.ts'
import type { SettledCounts } from '#shared/api/imports.ts'
import { counterpartOf } from '#shared/imports/counterparts.ts'
import type { OpenDate } from '#shared/imports/date-order.ts'
import { headerKinds, platformNames, type ExportKind } from '#shared/imports/export-kind.ts'
import type { ImportWarning, FactName, RowConflict } from '#shared/imports/assembly.ts'
import type { RowLocation, RowProblem } from '#shared/imports/reading.ts'

type ZoneShift = NonNullable<Extract<ImportWarning, { code: 'zone-mismatch' }>['shift']>

/** The command's usage line. */
export const usage = 'usage: npm run -s fillbook -- import FILE… [--timezone Z] [--account NAME | --account FILE=NAME …] [--dates dmy|mdy | --dates FILE=dmy …] [--format FORMAT.json …] [--data-dir D] [--json]'

const kindNames: Record<ExportKind, string> = {
  performance: 'Performance',
  'position-history': 'Position History',
  fills: 'Fills',
  orders: 'Orders',
  'cash-history': 'Cash History',
  'account-balance-history': 'Account Balance History',
  'ninjatrader-executions': 'NinjaTrader executions',
  ...platformNames,
  'mapped-fills': 'fills in a format of your own',
  'mapped-trades': 'trades in a format of your own',
}
// To the user, a report without a time zone is the same kind of report.
const knownKinds = [...new Set(headerKinds.map((kind) => kindNames[kind].replace(' in local time', '')))].join(', ')

/** Why a file was rejected; `missing`, `folder` and `pipe` do not concern its content. */
export const fileProblemText = ({ code, kind, columns = [], date, report = '' }: Omit<FileProblem, 'code'> & { readonly code: FileProblemCode | 'missing' | 'folder' | 'pipe' | 'prices' }): string => {
  switch (code) {
    case 'missing': return 'there is no such file'
    case 'folder': return 'it is a folder, not a file'
    case 'prices': return 'it has prices and no trades: store it in Fillbook under Import, and its trades show what they could have been'
    case 'pipe': return 'it is a pipe or a device, which can be read only once: save it as a file first'
    case 'missing-columns': return `it looks like ${kind === undefined ? 'an export' : kindNames[kind]}, but ${columns.length === 1 ? 'this column is' : 'these columns are'} missing: ${list(columns)}; export it again with all columns`
    case 'other-report': return `it is a ${report}, which has no trades of an account that can be checked; known reports are ${knownKinds}`
    case 'open-dates': return date === undefined ? 'its dates can be read two ways' : openDateText(date)
    default: return fileProblems[code]
  }
}

const fileProblems: Record<Exclude<FileProblemCode, 'missing-columns' | 'other-report' | 'open-dates'>, string> = {
  unreadable: 'it cannot be read',
  empty: 'it is empty',
  'not-text': `it is neither a text file in UTF-8 or Latin-1 nor a whole Excel workbook of usual size; known reports are ${knownKinds}`,
  'unknown-kind': `its columns match no known report: open it in Fillbook under Import to map its columns, export that format there, and pass it with --format FILE.json; known reports are ${knownKinds}`,
  'failed-export': 'the export failed at the broker, so the file is empty: export it again',
  'mostly-refused': 'most of its rows cannot be read',
  'too-many-accounts': 'it names more than 500 accounts; split it, or check that its columns are in the right place',
  'mixed-dates': 'some of its dates start with the day and others with the month: export it again and import it unchanged',
}

const openDateText = ({ text, mdy, dmy }: OpenDate): string => `its dates can be read two ways, and nothing in it shows which is right: "${text}" is ${mdy} with --dates mdy and ${dmy} with --dates dmy`

/** A file's ambiguous date as a question, and how to answer it. */
export const datesQuestion = (path: string, date: OpenDate): string =>
  `Does ${path} write the month or the day first? "${date.text}" is ${date.mdy} (--dates mdy) or ${date.dmy} (--dates dmy); for this file alone: --dates ${JSON.stringify(`${path}=dmy`)}.`

const rowProblems: Record<RowProblem['code'], string> = {
  missing: 'is missing',
  'bad-number': 'is not a number',
  'unclear-number': 'can be read two ways: the file does not show whether a point or a comma separates decimals',
  'unknown-scale': 'has an unknown price scale: export it again with the column OrderActionSource, which shows the market price too',
  'bad-time': 'is not a time',
  'no-day': 'is a time without its day: show the day in this column of the platform, too, and export again',
  'bad-date': 'is not a date',
  'bad-side': 'is neither buy nor sell',
  'off-tick': 'is not on a tick of the contract: of an average of several fills, import the fills or fill pairs instead',
  'too-large': 'is too large',
  'bad-currency': 'is not a currency',
  'wrong-columns': 'the row has more or fewer cells than the header',
  'broken-quotes': 'the row has an unmatched quotation mark',
  contradicts: 'conflicts with another column of the row',
  'negative-fee': 'is negative, but a commission is a cost',
  'rows-missing': 'shows that rows before it are missing',
  'unknown-symbol': 'is a symbol whose contract is not known: name its contract in the format',
  'repeated-id': 'is the id of another row too',
  'not-together': 'do not go together in the other rows of this file',
}

/** Why a row was rejected: the column, the problem, and the cell's text. */
export const rowProblemText = ({ code, column, value }: RowProblem): string => {
  const other = code === 'contradicts' ? counterpartOf(column) : null
  return `${column === '' ? '' : `${column} `}${other === null ? rowProblems[code] : `conflicts with ${other}`}${value === '' ? '' : `: ${JSON.stringify(value)}`}`
}

/** The message for a file without a readable row; `first` is the first of its errors. */
export const noRowText = (path: string, first: { readonly line: number; readonly reason: string }): string => `${path}: none of its rows can be read. The first is line ${String(first.line)}: ${first.reason}.`

const factWords: Record<FactName, string> = {
  contract: 'contract', side: 'side', quantity: 'quantity', price: 'price', time: 'time', date: 'date',
  'placed-time': 'order time', 'fill-time': 'fill time', pnl: 'P&L', total: 'total amount', realized: 'realized P&L',
  'fill-id': 'id',
  'buy-price': 'buy price', 'sell-price': 'sell price', 'bought-time': 'buy time', 'sold-time': 'sell time',
}

const apartText = ({ what, id, differs, at }: RowConflict): string => `${recordNames[what]} ${id} has a different ${differs.map((fact) => factWords[fact]).join(' and ')} in ${places(at)}`

const mostNamed = 10

/** The first of several, and how many more there are. */
const some = (texts: readonly string[], total = texts.length): readonly string[] => (total <= Math.min(mostNamed, texts.length) ? texts : [...texts.slice(0, mostNamed), `and ${String(total - Math.min(mostNamed, texts.length))} more`])

/** The first of these rows, by file and line; `total` is their number. */
const places = (at: readonly RowLocation[], total = at.length): string => {
  const shown = at.slice(0, mostNamed)
  const files = [...Map.groupBy(shown, ({ file }) => file)].map(([file, all]) => {
    const lines = all.flatMap(({ line }) => (line === null ? [] : [String(line)]))
    const name = file === '' ? "the broker's API" : file
    return lines.length === 0 ? name : `${name} ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`
  })
  return `${files.join(' and ')}${total > shown.length ? ` and ${String(total - shown.length)} more` : ''}`
}

/** The first of many rows, as one sentence. */
const firstOf = (at: readonly RowLocation[]): string => `See ${places(at.slice(0, mostNamed))}.`

const recordNames = { fill: 'fill', order: 'order', pair: 'fill pair', cash: 'cash row', balance: 'the balance of' } as const

/** A warning in one sentence. */
export const warningText = (warning: ImportWarning): string => {
  switch (warning.code) {
    case 'account-unnamed': return `${rows(warning.rows)} name no account and count as one account, "${warning.account}"; set --account NAME to name it, or --account FILE=NAME for one file.`
    case 'unknown-contract': return `Not in the contract table: ${list(warning.contracts)}. Fillbook counts 1.00 per point, a guess; enter the real value in the app, in Settings, Point values.`
    case 'partial-root': return `The contract table has only part of the contract code, so the point value is a guess: ${list(warning.contracts)}. Enter the real value in the app, in Settings, Point values.`
    case 'value-unclear': return `The P&L of the fill pairs in these contracts fits no single tick value: ${list(warning.contracts)}.`
    case 'value-from-trades': return `Not in the contract table: ${list(warning.contracts)}. Their point values are taken from the P&L of their own trades, so that P&L cannot be checked; enter the real value in the app, in Settings, Point values.`
    case 'value-differs': return `The broker's P&L implies another point value than the contract table: ${warning.values.map(({ contract, file, table, pairs }) => `${contract} ${file} by ${pairs === 1 ? 'a fill pair' : `${String(pairs)} fill pairs`} of the files and ${table} by the table`).join('; ')}. Trades use the table and differ from the broker's; check which one is right.`
    case 'commission-unknown': return `The commission of these contracts is unknown and counts as 0: ${list(warning.contracts)}.`
    case 'commission-from-table': return `Fees estimated for ${String(warning.fills)} ${warning.fills === 1 ? 'fill' : 'fills'}, at the contract table's rates: ${places(warning.at, warning.of)}. The Fills report or the Cash History has the real fees.`
    case 'fees-unplaced': return `${String(warning.rows)} fee ${warning.rows === 1 ? 'row' : 'rows'} in the Cash History ${warning.rows === 1 ? 'matches' : 'match'} no fill of these files: ${places(warning.at, warning.rows)}. Import the Fills or Orders of that time.`
    case 'fees-differ': return `Files have different fees for ${String(warning.rows)} ${warning.rows === 1 ? 'fill' : 'fills'}: ${places(warning.at, warning.of)}. The larger counts, since brokers book fees in parts; a Cash History or Account Balance History shows which is right.`
    case 'contradicting-rows': return `Rows of the files conflict about ${warning.rows === 1 ? 'one fill, order, fill pair, balance or cash row' : `${String(warning.rows)} fills, orders, fill pairs, balances or cash rows`}, so their days cannot be checked: ${some(warning.conflicts.map(apartText), warning.rows).join('; ')}. Correct these rows or export the files again.`
    case 'order-contradicts': return `${rows(warning.rows)} in Orders ${warning.rows === 1 ? 'has' : 'have'} fewer contracts, other prices or another side than the fills of that order: ${places(warning.at, warning.rows)}. The fills count, and their days cannot be checked until you export Orders and Fills again.`
    case 'zone-mismatch': return warning.shift === null ? `${rows(warning.rows)} of fill pairs have local times that do not match their fills: set --timezone to the zone in which they were exported. ${firstOf(warning.at)}` : shiftText(warning.shift)
    case 'account-by-rows': return `${list(warning.files)} ${warning.files.length === 1 ? 'names' : 'name'} no account and went to "${warning.account}", which has the same fills; set --account FILE=NAME to change it.`
    case 'accounts-one-number': return `${warning.accounts.join(' and ')} have the same account number, ${warning.number}: one account under two names, or a wrong name in a file. Their money counts separately; correct the account column of that file.`
    case 'beside-broker': return `${warning.account} has the broker's own fills of these days, and ${String(warning.rows)} ${warning.rows === 1 ? 'fill of the files is' : 'fills of the files are'} not among them: ${warning.rows === 1 ? 'it' : 'they'} would be counted again. Check the time zone, the account, and whether the times lack seconds.`
    case 'files-apart': return `Files that cover the same time of "${warning.account}" each have rows that another lacks, up to ${String(warning.rows)}: ${list(warning.files)}. Their days are not checked, and trades count twice if the files differ in their seconds or quantities, or were read with different settings: leave out the file that repeats them, or undo its import.`
    case 'dates-turned': return `${warning.account} has ${warning.rows === 1 ? 'a row' : `${String(warning.rows)} rows`} twice, once with day and month the other way round: ${list(warning.files)}. ${warning.rows === 1 ? 'It counts' : 'They count'} twice; undo the import that read the dates wrongly.`
    case 'accounts-spelled': return `${warning.accounts.join(' and ')} differ in spelling only, and their money counts separately. If they are one account, write one name into the account column of its files.`
    case 'accounts-alike': return `${warning.accounts.join(' and ')} have the same ${String(warning.rows)} fills: one account under two names, which counts twice. Leave out the files of one of them, or write one name into their account column.`
    case 'accounts-mixed': return `${list(warning.files)} were assigned to "${warning.account}", but their trades cannot belong to one account, so their sums mix several. Set --account FILE=NAME for each.`
    case 'account-overruled': return `${list(warning.files)} ${warning.files.length === 1 ? 'was' : 'were'} assigned to another account, but by their ids the fills belong to "${warning.account}". They count there, once.`
    case 'days-without-file': return `The files have no order of "${warning.account}" on ${warning.days.join(', ')}${warning.of > warning.days.length ? ` and ${String(warning.of - warning.days.length)} more days` : ''}. R|Trader exports one day per file: if you traded then, import that day too, or later trades may be matched wrongly.`
    case 'accounts-apart': return `${list(warning.files)} name no account and cannot belong to one. They stay separate; set --account FILE=NAME for each.`
  }
}

const shiftText = ({ files, minutes, fits }: ZoneShift): string =>
  `Local times in ${list(files)} are ${hoursText(minutes)} ${minutes > 0 ? 'earlier' : 'later'} than those of the same fills in other files; Fillbook shifted them, so each fill counts once. The matching time zone is ${fits}.`

const hoursText = (minutes: number): string => {
  const hours = Math.abs(minutes) / 60
  return hours === 1 ? 'an hour' : hours === 0.5 ? 'half an hour' : `${String(hours)} hours`
}

/** The message if a file has only local times and no time zone was given. */
export const zoneAssumedText = (zone: string): string => `Some files have local times only; they were read as ${zone}. Set --timezone to change it.`

/** Refusals of the command as a whole. */
export const refusals = {
  dates: (text: string): string => `--dates takes dmy (day first), mdy (month first), FILE=dmy or FILE=mdy, not "${text}".`,
  zone: (zone: string): string => `There is no time zone "${zone}". Use a name like America/New_York.`,
  noSuchFile: (file: string): string => `--account names ${JSON.stringify(file)}, which matches none of these files, or several.`,
  namesItself: (file: string, given: string, names: readonly string[]): string => `Nothing was imported. --account gives ${file} to ${JSON.stringify(given)}, but its rows name their ${names.length === 1 ? 'account' : 'accounts'} themselves: ${list(names)}. Leave --account out for this file; if a name is wrong, correct it in the file's Account column.`,
  whose: (files: readonly string[]): string => `Whose trades are these? ${files.join(', ')} ${files.length === 1 ? 'names' : 'name'} no account, and its fills belong to no known account: use --account FILE=NAME for each, or --account NAME for all.`,
  noFormatFile: (path: string): string => `--format names ${JSON.stringify(path)}, and there is no such file.`,
  format: (path: string, why: 'no-format' | 'newer' | 'incomplete'): string => `${path} ${formatProblemTexts[why]}`,
  figures: 'The figures in these files are larger than any account can hold.',
} as const

const formatProblemTexts = {
  'no-format': 'is no import format of Fillbook. Map the columns of a file in Fillbook under Import, and export the format there.',
  newer: 'is an import format of a newer Fillbook. Update this one.',
  incomplete: 'is an import format that leaves columns out that every file needs. Map them in Fillbook, and export the format again.',
} as const

/** Why a data folder takes no files. */
export const keepRefusals = {
  nothing: 'Nothing was imported.',
  changed: 'The files were changed or moved while they were read: try again.',
  'several-profiles': (folder: string): string => `The journal in ${folder} has several profiles, and this command cannot tell whose files these are. Start Fillbook with this folder, sign in, and import them there.`,
} as const

/** How keeping the files changed the journal. */
export const keptText = (folder: string, { fills, pairs }: Pick<SettledCounts, 'fills' | 'pairs'>): string =>
  `Saved to ${folder}: fills ${changed(fills)}; fill pairs ${changed(pairs)}.`

const changed = ({ added, changed: other, removed }: SettledCounts['fills']): string => `${String(added)} added, ${String(other)} changed, ${String(removed)} removed`

const rows = (count: number): string => `${String(count)} ${count === 1 ? 'row' : 'rows'}`

const list = (names: readonly string[]): string => (names.length <= 10 ? names.join(', ') : `${names.slice(0, 10).join(', ')} and ${String(names.length - 10)} more`)
