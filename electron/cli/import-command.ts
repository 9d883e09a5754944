import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile as readFileText, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { importHeadless } from '#backend/imports/import-headless.ts'
import { type FileProblem, readExport } from '#backend/imports/read-export.ts'
import { readSettings } from '#backend/settings.ts'
import { problemsText } from '#backend/start-problem.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { type AssembledFiles, assembleFiles } from '#shared/imports/assemble-files.ts'
import { deriveTrades } from '#shared/imports/derive-trades.ts'
import { type DateOrder, dateOrders } from '#shared/imports/export-kind.ts'
import type { FormatHints } from '#shared/imports/file-format.ts'
import { hasLocalTimes } from '#shared/imports/kind-facts.ts'
import { latestRow } from '#shared/imports/latest-row.ts'
import { type ImportFormat, parseFormatFile } from '#shared/imports/mapped-format.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { isTimeZone } from '#shared/market/zone-clock.ts'
import { parseAmount } from '#shared/money/money.ts'
import { sniffedBytes, sniffPrices } from '#shared/prices/formats/sniff.ts'
import { reconcile } from '#shared/reconcile/reconcile.ts'
import { type FileReport, importReport, type ImportReport } from './import-report.ts'
import { datesQuestion, fileProblemText, keepRefusals, keptText, noRowText, refusals, rowProblemText, usage, warningText, zoneAssumedText } from './import-words.ts'
import { leave, printable, printableIn, printableLines } from './terminal.ts'

type TableRow = readonly string[]

/** The report as lines for a terminal: the files, one row per trading day and account, the sums, the checks, the warnings. */
const importTable = (given: ImportReport): string => {
  const report = printableIn(given)
  const { files, byTradingDay, reconciliation: checked, statistics } = report
  const sums = report.byCurrency ?? [{ currency: report.currency ?? '', grossPnl: report.grossPnl ?? '', commission: report.commission ?? '', netPnl: report.netPnl ?? '', otherFees: report.otherFees }]
  const refused = files.flatMap(({ path, rejected }) => [...rejected.slice(0, shownRows).map(({ line, reason }) => `${path}:${String(line)}: ${reason}`), ...more(rejected.length - shownRows, `rejected rows in ${path}`)])
  const isSure = refused.length === 0 && report.incomplete === undefined
  return [
    ...table(['File', 'Type', 'Rows', 'Accepted', 'Rejected'], files.map(({ path, kind, rows, accepted, rejected }) => [path, kind ?? 'refused', String(rows), String(accepted), String(rejected.length)])),
    ...refused,
    ...(refused.length === 0 ? [] : ['Rejected rows are left out, and what depends on them cannot be checked: correct them or export the file again.']),
    '',
    ...table(
      ['Trading day', 'Account', 'Gross P&L', 'Commissions & fees', 'Net P&L', 'Broker', 'Difference', '', 'Result'],
      [
        ...byTradingDay.map((row) => [row.tradingDay, row.account, row.grossPnl, row.commission, row.netPnl, row.brokerNet ?? '-', row.difference ?? '-', row.currency ?? '', stateWords[row.state]]),
        ...sums.map(({ currency, grossPnl, commission, netPnl }) => ['All', '', grossPnl, commission, netPnl, '', '', currency, '']),
      ],
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

/** Columns as wide as their widest cell; those from the third on are right-aligned. */
const table = (header: TableRow, rows: readonly TableRow[]): readonly string[] => {
  const all = [header, ...rows]
  const widths = header.map((_, column) => all.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0))
  const cell = (text: string, column: number): string => (column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0))
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
  'fees-uncertain': 'its fees are not proven: the broker charged some at times without a known fill, or the opening fees from an earlier session do not match that session; import the Fills report, and a Cash History that reaches back to the opening',
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
  const verdict = {
    unchecked: `not checked: ${reason === null ? '' : reasons[reason]}${isKnown ? ` (known difference ${difference})` : ''}`,
    differs: difference === '0.00' ? 'differs in gross P&L and fees, though net P&L is the same' : `differs by ${difference ?? '-'}`,
    equal: 'reconciled',
  }[state]
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

type ImportArguments = {
  readonly files: readonly string[]
  readonly zone: string
  /** Whether the user named the zone; otherwise it is the computer's. */
  readonly zoneGiven: boolean
  readonly accounts: AccountChoices
  readonly dates: DateChoices
  readonly formats: readonly ImportFormat[]
  readonly json: boolean
  readonly dataDir: string | null
}

/** A read file: its report, its content, its digest, and why it was rejected as a whole, if it was. */
type FileRead = { readonly report: FileReport; readonly readings: readonly Reading[]; readonly digest: string | null; readonly problem: Problem | null }

type Problem = FileProblem | { readonly code: 'missing' | 'folder' | 'pipe' | 'prices' }

/**
 * Reads exported files, reconciles them with the broker's figures and prints the result. Returns the exit code: 0 if
 * every file was read; 2 if one was rejected, as a whole or in all of its rows; that of the data folder if it cannot
 * take them.
 */
export const runImport = async (args: readonly string[]): Promise<number> => {
  const given = await readArguments(args)
  const read: FileRead[] = []
  // One after another: two large files at once would only need twice the memory.
  for (const path of given.files) read.push(await readFile(path, given))
  const { zone, accounts, dates } = given
  const ignored = read.flatMap(({ report: { path }, readings }) => {
    const names = namesIn(readings)
    const given = accounts.ofAlone(path)
    return given === null || names === null || (names.size === 1 && names.has(given)) ? [] : [refusals.namesItself(path, given, [...names])]
  })
  // An ignored option is worse than none: the user would take the sums for those of another account.
  if (ignored.length > 0) return leave(2, ignored.join('\n'))
  const questions = read.flatMap(({ report: { path }, problem }) => (problem?.code === 'open-dates' && problem.date !== undefined ? [datesQuestion(path, problem.date)] : []))
  const assembled = assembleFiles(read.map(({ report: { path, kind }, readings }) => ({ name: path, kind, zone, accountGiven: accounts.of(path), readings })))
  // Otherwise their money could count twice, or on another account.
  if (assembled.open.length > 0) return leave(2, [...questions, refusals.whose(assembled.open)].join('\n'))
  const report = reportOf(read, assembled, given)
  const isReadable = read.some(({ problem }) => problem === null)
  // With an open question nothing is kept: its answer changes what the files mean.
  const isKept = given.dataDir !== null && isReadable && questions.length === 0
  const files = read.flatMap(({ report: { path }, digest, problem }) => (problem === null ? [{ path, digest, account: accounts.of(path), dates: dates.of(path) }] : []))
  const kept = isKept ? await keepFiles({ dataDir: given.dataDir, files, zone, formats: given.formats }) : { line: null }
  process.stdout.write(`${given.json ? JSON.stringify(report, null, 2) : importTable(report)}\n`)
  if ('line' in kept && kept.line !== null && !given.json) process.stdout.write(`${printable(kept.line)}\n`)
  const refused = read.filter(({ problem }) => problem !== null)
  // The text of the question is printed there.
  for (const { report: { path }, problem } of refused) if (problem !== null && problem.code !== 'open-dates') process.stderr.write(`${printable(`${path} was refused: ${fileProblemText(problem)}.`)}\n`)
  // A file that was read completely but without content is as good as rejected.
  const unread = read.flatMap(({ report: { path, accepted, rejected: [first] }, problem }) => (problem === null && accepted === 0 && first !== undefined ? [noRowText(path, first)] : []))
  for (const words of unread) process.stderr.write(`${printable(words)}\n`)
  for (const question of questions) process.stderr.write(`${printableLines(question)}\n`)
  if ('refusal' in kept) {
    process.stderr.write(`${printableLines(kept.refusal)}\n`)
    return kept.exitCode
  }
  return refused.length + unread.length === 0 ? 0 : 2
}

/** The accounts named in rows; null if some name none, so that the user can name it. */
const namesIn = (readings: readonly Reading[]): ReadonlySet<string> | null => {
  const names = readings.map(({ account: { name, id } }) => name ?? id)
  return names.length === 0 || names.includes(null) ? null : new Set(names.filter((name) => name !== null))
}

const readArguments = async (args: readonly string[]): Promise<ImportArguments> => {
  const parsed = parse(args)
  if (parsed === null || parsed.positionals.length === 0) return leave(2, usage)
  const dates = datesGiven(parsed.values.dates ?? [], parsed.positionals)
  if (!dates.ok) return leave(2, refusals.dates(dates.error))
  const { timezone, account, json, 'data-dir': dataDir } = parsed.values
  if (timezone !== undefined && !isTimeZone(timezone)) return leave(2, refusals.zone(timezone))
  const accounts = accountsGiven(account ?? [], parsed.positionals)
  if (!accounts.ok) return leave(2, accounts.error === '' ? usage : refusals.noSuchFile(accounts.error))
  return {
    files: parsed.positionals,
    zone: timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    zoneGiven: timezone !== undefined,
    accounts: accounts.value,
    dates: dates.value,
    formats: await Promise.all((parsed.values.format ?? []).map(readFormat)),
    json: json === true,
    dataDir: dataDir ?? null,
  }
}

const readFormat = async (path: string): Promise<ImportFormat> => {
  const text = await readFileText(path, 'utf8').catch(() => leave(2, refusals.noFormatFile(path)))
  const format = parseFormatFile(text)
  return format.ok ? format.value : leave(2, refusals.format(path, format.error))
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        timezone: { type: 'string' },
        account: { type: 'string', multiple: true },
        dates: { type: 'string', multiple: true },
        format: { type: 'string', multiple: true },
        'data-dir': { type: 'string' },
        json: { type: 'boolean' },
      },
    })
  } catch {
    return null
  }
}

const readFile = async (path: string, { zone, dates, formats }: ImportArguments): Promise<FileRead> => {
  const found = await stat(path).catch(() => null)
  const refuse = (problem: Problem): FileRead => ({ report: { path, kind: null, rows: 0, accepted: 0, rejected: [] }, readings: [], digest: null, problem })
  if (found === null) return refuse({ code: 'missing' })
  if (found.isDirectory()) return refuse({ code: 'folder' })
  // It is read once for the report, and again if it is kept.
  if (!found.isFile()) return refuse({ code: 'pipe' })
  const readings: Reading[] = []
  const rejected: { readonly line: number; readonly reason: string }[] = []
  let digest: string | null = null
  const summary = await readExport(readHashed(path, (found) => (digest = found)), zone, (batch) => {
    for (const reading of batch.readings) readings.push(reading)
    for (const row of batch.missing) readings.push(row)
    for (const { line, problem } of batch.refused) rejected.push({ line, reason: rowProblemText(problem) })
  }, { dates: dates.of(path), latest: latestRow(basename(path), Date.now()), formats })
  if (!summary.ok) return refuse((await isOfPrices(path, summary.error)) ? { code: 'prices' } : summary.error)
  const { kind, rows, accepted } = summary.value
  return { report: { path, kind, rows, accepted, rejected }, readings, digest, problem: null }
}

const isOfPrices = async (path: string, { code }: FileProblem): Promise<boolean> => {
  if (code !== 'unknown-kind' && code !== 'not-text') return false
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(sniffedBytes) })
    return sniffPrices(basename(path), buffer.subarray(0, bytesRead)) !== null
  } finally {
    await file.close()
  }
}

const reportOf = (read: readonly FileRead[], { assembly }: AssembledFiles, { zone, zoneGiven }: ImportArguments): ImportReport => {
  const isLocal = read.some(({ report: { kind, accepted } }) => kind !== null && accepted > 0 && hasLocalTimes(kind))
  const warnings = [
    ...(isLocal && !zoneGiven ? [{ code: 'zone-assumed', message: zoneAssumedText(zone) }] : []),
    ...read.flatMap(({ report: { path }, problem }) => (problem === null ? [] : [{ code: 'file-refused', message: `${path}: ${fileProblemText(problem)}.` }])),
    ...assembly.warnings.map((warning) => ({ code: warning.code, message: warningText(warning) })),
  ]
  try {
    const trades = deriveTrades(assembly, zone)
    return importReport(read.map(({ report }) => report), assembly, trades, reconcile(assembly, trades.pairs, trades.incompleteDays), warnings)
  } catch (error) {
    if (error instanceof RangeError) return leave(2, refusals.figures)
    throw error
  }
}

/** Reads a file from its start to its end; `over` gets its SHA-256 once it is read completely, null if reading ended early. */
async function* readHashed(path: string, over: (digest: string | null) => void): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let isWhole = false
  try {
    for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(part)
      yield part
    }
    isWhole = true
  } finally {
    over(isWhole ? hash.digest('hex') : null)
  }
}

const migrations = join(fileURLToPath(new URL('../..', import.meta.url)), 'migrations', 'sqlite')

/** What to keep, and where; `digest` is that of the file when the report read it. */
type Keeping = { readonly dataDir: string; readonly files: readonly { readonly path: string; readonly digest: string | null; readonly account: string | null; readonly dates: FormatHints['dates'] }[]; readonly zone: string; readonly formats?: readonly ImportFormat[] }

/** The result of keeping files: one line to print, or the exit code and line for a folder that cannot take them. */
type ImportOutcome = { readonly line: string } | { readonly exitCode: 1 | 2; readonly refusal: string }

/** Imports files into the journal of a data folder; a refusal has exit code 2 if the user must choose something else, otherwise 1. */
export const keepFiles = async ({ dataDir, files: given, zone, formats = [] }: Keeping): Promise<ImportOutcome> => {
  const settings = readSettings({ env: process.env, dataDir })
  if (!settings.ok) return { exitCode: 2, refusal: problemsText(settings.error, keepRefusals.nothing) }
  const changed = new AbortController()
  const files = given.map(({ path, digest, account, dates }) => ({ name: path, account, dates, formats, open: () => readHashed(path, (now) => {
    if (now === null || now !== digest) changed.abort()
  }) }))
  const kept = await importHeadless({ settings: settings.value, migrations, now: () => Date.now(), files, zone, account: null, changed: changed.signal })
  if (kept.ok) return { line: keptText(resolve(dataDir), kept.value.settled) }
  switch (kept.error.code) {
    case 'folder': return { exitCode: 1, refusal: problemsText(kept.error.problems, keepRefusals.nothing) }
    case 'changed': return { exitCode: 1, refusal: `${keepRefusals.nothing} ${keepRefusals.changed}` }
    case 'account-needed': return { exitCode: 2, refusal: `${keepRefusals.nothing} ${refusals.whose(kept.error.files)}` }
    default: return { exitCode: 2, refusal: keepRefusals[kept.error.code](resolve(dataDir)) }
  }
}

/** The account for the rows of a file that name none, as given on the command line; null if none was. */
type AccountChoices = {
  readonly of: (path: string) => string | null
  /** As `FILE=NAME`, for this file alone. */
  readonly ofAlone: (path: string) => string | null
}

/**
 * Parses `NAME`, for all files, and `FILE=NAME`, for one of them by its path, or by its name if that is unique. The
 * error is the unknown file, or empty if a name is missing or all files are given two.
 */
const accountsGiven = (given: readonly string[], paths: readonly string[]): Result<AccountChoices, string> => {
  const byPath = new Map<string, string>()
  let all: string | null = null
  for (const text of given) {
    const end = text.lastIndexOf('=')
    const name = text.slice(end + 1).trim()
    if (name === '' || (end < 0 && all !== null)) return err('')
    if (end < 0) {
      all = name
      continue
    }
    const file = text.slice(0, end)
    const named = paths.filter((path) => path === file)
    const found = named.length > 0 ? named : paths.filter((path) => basename(path) === file)
    if (new Set(found).size !== 1) return err(file)
    for (const path of found) byPath.set(path, name)
  }
  return ok({ of: (path) => byPath.get(path) ?? all, ofAlone: (path) => byPath.get(path) ?? null })
}

/** The date order of a file, as given on the command line; null if none was. */
type DateChoices = { readonly of: (path: string) => FormatHints['dates'] }

/** Parses `dmy` or `mdy`, for all files with ambiguous dates, and `FILE=dmy`, for one of them by its path or its name. The error is the argument that is neither, or names no file. */
const datesGiven = (given: readonly string[], paths: readonly string[]): Result<DateChoices, string> => {
  const byPath = new Map<string, DateOrder>()
  let all: DateOrder | null = null
  for (const text of given) {
    const end = text.lastIndexOf('=')
    const order = dateOrders.find((one) => one === text.slice(end + 1).trim().toLowerCase())
    const named = paths.filter((path) => path === text.slice(0, end) || basename(path) === text.slice(0, end))
    if (order === undefined || (end >= 0 && new Set(named).size !== 1)) return err(text)
    if (end < 0) all = order
    for (const path of end < 0 ? [] : named) byPath.set(path, order)
  }
  return ok({
    of: (path) => {
      const own = byPath.get(path)
      return own !== undefined ? { order: own, ofThisFile: true } : all === null ? null : { order: all, ofThisFile: false }
    },
  })
}
