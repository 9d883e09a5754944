import type { FileProblem, FileProblemCode } from '#backend/imports/read-export.ts'
import { counterpartOf } from '#shared/imports/counterparts.ts'
import type { OpenDate } from '#shared/imports/date-order.ts'
import type { ExportKind } from '#shared/imports/export-kind.ts'
import type { ImportWarning } from '#shared/imports/assembly.ts'
import type { FactName, ToldApart } from '#shared/imports/distinct.ts'
import type { RowPlace, RowProblem } from '#shared/imports/reading.ts'

type ZoneShift = NonNullable<Extract<ImportWarning, { code: 'zone-mismatch' }>['shift']>

/** How the command is called. */
export const usage = 'usage: npm run -s fillbook -- import FILE… [--timezone Z] [--account NAME | --account FILE=NAME …] [--dates dmy|mdy | --dates FILE=dmy …] [--data-dir D] [--json]'

const kindNames: Record<ExportKind, string> = {
  performance: 'Performance',
  'position-history': 'Position History',
  fills: 'Fills',
  orders: 'Orders',
  'cash-history': 'Cash History',
  'account-balance-history': 'Account Balance History',
  'ninjatrader-executions': 'NinjaTrader executions',
}
const knownKinds = Object.values(kindNames).join(', ')

/** Why a file was refused; `missing`, `folder` and `pipe` are no matter of its content. */
export const fileProblemText = ({ code, kind, columns = [], date }: FileProblem | { readonly code: 'missing' | 'folder' | 'pipe'; readonly kind?: never; readonly columns?: never; readonly date?: never }): string => {
  switch (code) {
    case 'missing': return 'there is no such file'
    case 'folder': return 'it is a folder, not a file'
    case 'pipe': return 'it is a pipe or a device, which can be read only once: save it as a file first'
    case 'missing-columns': return `it looks like ${kind === undefined ? 'an export' : kindNames[kind]}, but lacks ${columns.length === 1 ? 'the column' : 'the columns'} ${list(columns)}: export it again with all columns`
    case 'open-dates': return date === undefined ? 'its dates can be read two ways' : openDateText(date)
    default: return fileProblems[code]
  }
}

const fileProblems: Record<Exclude<FileProblemCode, 'missing-columns' | 'open-dates'>, string> = {
  unreadable: 'it cannot be read',
  empty: 'it is empty',
  'not-text': `it is not a text file, or its characters are neither UTF-8 nor Latin-1; known are ${knownKinds}`,
  'unknown-kind': `its columns are those of no known kind; known are ${knownKinds}`,
  'failed-export': 'the export failed at the broker, and the file holds nothing: export it again',
  'mostly-refused': 'far more of its rows cannot be read than can',
  'too-many-accounts': 'it names more than 500 accounts; split it, or check that its columns are in place',
  'mixed-dates': 'some of its dates begin with the day and others with the month: export it again and leave it as it is',
}

const openDateText = ({ text, mdy, dmy }: OpenDate): string => `its dates can be read two ways, and nothing in it shows which is right: "${text}" is ${mdy} with --dates mdy and ${dmy} with --dates dmy`

/** The question that a file leaves open, and how to answer it. */
export const datesQuestion = (path: string, date: OpenDate): string =>
  `Does ${path} write the month or the day first? "${date.text}" is ${date.mdy} (--dates mdy) or ${date.dmy} (--dates dmy); for this file alone: --dates ${JSON.stringify(`${path}=dmy`)}.`

const rowProblems: Record<RowProblem['code'], string> = {
  missing: 'is missing',
  'bad-number': 'is no number',
  'unclear-number': 'can be read two ways: this file does not show whether a point or a comma separates decimals',
  'bad-time': 'is no time',
  'bad-date': 'is no date',
  'bad-side': 'is neither buy nor sell',
  'off-tick': 'lies on no tick of the contract',
  'too-large': 'is too large',
  'bad-currency': 'is no currency',
  'wrong-columns': 'the row has not as many cells as the header',
  'broken-quotes': 'the row has a broken quotation mark',
  contradicts: 'contradicts another column of the row',
  'negative-fee': 'is negative, and a commission is a cost',
  'not-together': 'do not belong together in the other rows of this file',
}

/** Why a row was refused: the column, what is wrong with it, and what stood there. */
export const rowProblemText = ({ code, column, value }: RowProblem): string => {
  const other = code === 'contradicts' ? counterpartOf(column) : null
  return `${column === '' ? '' : `${column} `}${other === null ? rowProblems[code] : `contradicts ${other}`}${value === '' ? '' : `: ${JSON.stringify(value)}`}`
}

/** Said of a file of which no row could be read; `first` is the first of them. */
export const noRowText = (path: string, first: { readonly line: number; readonly reason: string }): string => `${path}: none of its rows could be read. The first is line ${String(first.line)}: ${first.reason}.`

const factWords: Record<FactName, string> = {
  ...{ contract: 'contract', side: 'side', quantity: 'quantity', price: 'price', time: 'time', date: 'date' },
  ...{ 'placed-time': 'time of placing', 'fill-time': 'time of filling', pnl: 'P&L', total: 'total amount', realized: 'realized P&L' },
  'fill-id': 'id',
  ...{ 'buy-price': 'buy price', 'sell-price': 'sell price', 'bought-time': 'time of buying', 'sold-time': 'time of selling' },
}

const apartText = ({ what, id, differs, at }: ToldApart): string => `${toldNames[what]} ${id} has another ${differs.map((fact) => factWords[fact]).join(' and ')} in ${places(at)}`

const mostNamed = 10

/** The first of several, and how many more there are. */
const some = (texts: readonly string[], total = texts.length): readonly string[] => (total <= Math.min(mostNamed, texts.length) ? texts : [...texts.slice(0, mostNamed), `and ${String(total - Math.min(mostNamed, texts.length))} more`])

/** Rows by file and line, the first of them; `total` is how many there are. */
const places = (at: readonly RowPlace[], total = at.length): string => {
  const shown = at.slice(0, mostNamed)
  const files = [...Map.groupBy(shown, ({ file }) => file)].map(([file, all]) => {
    const lines = all.flatMap(({ line }) => (line === null ? [] : [String(line)]))
    const name = file === '' ? "the broker's API" : file
    return lines.length === 0 ? name : `${name} ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`
  })
  return `${files.join(' and ')}${total > shown.length ? ` and ${String(total - shown.length)} more` : ''}`
}

/** The first of many rows, as one sentence. */
const firstOf = (at: readonly RowPlace[]): string => `See ${places(at.slice(0, mostNamed))}.`

const toldNames = { fill: 'fill', order: 'order', pair: 'fill pair', cash: 'cash row', balance: 'the balance of' } as const

/** A warning in one sentence. */
export const warningText = (warning: ImportWarning): string => {
  switch (warning.code) {
    case 'account-unnamed': return `${rows(warning.rows)} name no account and were taken as one account, "${warning.account}"; --account NAME names it, --account FILE=NAME the account of one file.`
    case 'unknown-contract': return `Not in the contract table: ${list(warning.contracts)}. A point counts as 1.00, which is a guess; in a journal, Settings > Point values takes its real worth.`
    case 'partial-root': return `Only a part of the code is in the contract table, so the worth of a point is a guess: ${list(warning.contracts)}. In a journal, Settings > Point values takes its real worth.`
    case 'value-unclear': return `The P&L of the pairs in these contracts fits no single tick value: ${list(warning.contracts)}.`
    case 'value-differs': return `The broker's own P&L does not fit the contract table: ${warning.values.map(({ contract, file, table, pairs }) => `1.00 of ${contract} is worth ${file} by ${pairs === 1 ? 'a pair' : `${String(pairs)} pairs`} of the files and ${table} by the table`).join('; ')}. The trades are counted by the table and differ from the broker's; check which one is right.`
    case 'commission-unknown': return `The commission of these contracts is unknown and taken as 0: ${list(warning.contracts)}.`
    case 'commission-from-table': return `The files have no commission for ${String(warning.fills)} ${warning.fills === 1 ? 'fill' : 'fills'}: it is taken from the contract table. ${firstOf(warning.at)} The Fills report or the Cash History has it.`
    case 'fees-unplaced': return `${rows(warning.rows)} of fees in the Cash History ${warning.rows === 1 ? 'belongs' : 'belong'} to no fill of these files: ${places(warning.at, warning.rows)}. Add the Fills or Orders of that time.`
    case 'fees-differ': return `Files have different fees for ${String(warning.rows)} ${warning.rows === 1 ? 'fill' : 'fills'}: the larger counts, since brokers book fees in parts. They stand in ${places(warning.at)}. A Cash History or Account Balance History shows which is right.`
    case 'contradicting-rows': return `Rows of the files contradict each other about ${warning.rows === 1 ? 'one fill, order, fill pair, balance or movement of cash' : `${String(warning.rows)} fills, orders, fill pairs, balances or movements of cash`}, and their days cannot be checked: ${some(warning.told.map(apartText), warning.rows).join('; ')}. Correct these rows, or export the files again.`
    case 'order-contradicts': return `${rows(warning.rows)} of Orders ${warning.rows === 1 ? 'has' : 'have'} fewer contracts, other prices or another side than the fills of that order. The fills were taken, and their days cannot be checked: ${places(warning.at, warning.rows)}. Export the Orders and the Fills again.`
    case 'zone-mismatch': return warning.shift === null ? `${rows(warning.rows)} of pairs have local times that do not fit the times of their fills: --timezone is not the zone they were exported in. ${firstOf(warning.at)}` : shiftText(warning.shift)
    case 'account-by-rows': return `${list(warning.files)} ${warning.files.length === 1 ? 'names' : 'name'} no account and went to "${warning.account}", which has the same fills; --account FILE=NAME says otherwise.`
    case 'accounts-one-number': return `${warning.accounts.join(' and ')} have one account number, ${warning.number}: they are one account under two names, or a file names the wrong one, and their money is counted apart. Correct the account column of that file.`
    case 'accounts-alike': return `${warning.accounts.join(' and ')} have the same ${String(warning.rows)} fills: they are one account under two names, and count twice. Leave the files of one of them out, or write one name into their account column.`
    case 'accounts-mixed': return `${list(warning.files)} were given to "${warning.account}", but their trades cannot be of one account: their sums mix several. --account FILE=NAME names each.`
    case 'account-overruled': return `${list(warning.files)} ${warning.files.length === 1 ? 'was' : 'were'} given to another account, but the fills are those of "${warning.account}" by their ids: they count there, once.`
    case 'accounts-apart': return `${list(warning.files)} name no account and cannot be of one: they are kept apart. --account FILE=NAME names each.`
  }
}

const shiftText = ({ files, minutes, fits }: ZoneShift): string =>
  `The local times of ${list(files)} lie ${hoursText(minutes)} ${minutes > 0 ? 'before' : 'after'} those of the same fills in other files; they were moved, so that each fill counts once. The zone that fits is ${fits}.`

const hoursText = (minutes: number): string => {
  const hours = Math.abs(minutes) / 60
  return hours === 1 ? 'an hour' : hours === 0.5 ? 'half an hour' : `${String(hours)} hours`
}

/** Said where a file has only local times and no zone was given. */
export const zoneAssumedText = (zone: string): string => `Some files have only local times; they were taken as ${zone}. --timezone says otherwise.`

/** Refusals of the command as a whole. */
export const refusals = {
  dates: (text: string): string => `--dates takes dmy (the day first), mdy (the month first) or FILE=dmy, FILE=mdy; it was given "${text}".`,
  zone: (zone: string): string => `There is no time zone "${zone}". Give it like America/New_York.`,
  noSuchFile: (file: string): string => `--account names ${JSON.stringify(file)}, which is none of these files, or several.`,
  namesItself: (file: string, given: string, names: readonly string[]): string => `Nothing was imported. --account gives ${file} to ${JSON.stringify(given)}, but its rows name their ${names.length === 1 ? 'account' : 'accounts'} themselves: ${list(names)}. Leave --account out for this file; if a name is wrong, correct it in the file's Account column.`,
  whose: (files: readonly string[]): string => `Whose trades are these? ${files.join(', ')} ${files.length === 1 ? 'names' : 'name'} no account, and its fills belong to no known account: use --account FILE=NAME for each, or --account NAME for all.`,
  figures: 'The figures in these files are larger than any account can hold.',
} as const

/** Why a data folder takes no files. */
export const keepRefusals = {
  nothing: 'Nothing was imported.',
  changed: 'The files were changed or taken away while they were read: try again.',
  'several-profiles': (folder: string): string => `The journal in ${folder} has several profiles, and this command cannot tell whose the files are. Start Fillbook with this folder, sign in, and import them there.`,
} as const

/** What keeping the files changed in the journal. */
export const keptText = (folder: string, { fills, pairs }: { readonly fills: Changes; readonly pairs: Changes }): string =>
  `Kept in ${folder}: fills ${changed(fills)}; pairs ${changed(pairs)}.`

type Changes = { readonly added: number; readonly changed: number; readonly removed: number }

const changed = ({ added, changed: other, removed }: Changes): string => `${String(added)} added, ${String(other)} changed, ${String(removed)} removed`

const rows = (count: number): string => `${String(count)} ${count === 1 ? 'row' : 'rows'}`

const list = (names: readonly string[]): string => (names.length <= 10 ? names.join(', ') : `${names.slice(0, 10).join(', ')} and ${String(names.length - 10)} more`)
