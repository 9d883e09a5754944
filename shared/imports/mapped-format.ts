import { z } from 'zod'
import { err, ok, type Result } from '#shared/base/result.ts'
import { isKeptAsItIs } from '../api/fields.ts'
import { isoDate } from '../market/zone-clock.ts'
import { dateOrders } from './export-kind.ts'

/** Whether the rows of a user's own file are fills or closed trades. */
export const rowKinds = ['fills', 'trades'] as const
export type RowKind = (typeof rowKinds)[number]

const shared = ['symbol', 'side', 'quantity', 'signedQuantity', 'fee', 'negativeFee', 'account', 'currency'] as const
/** What columns may hold, by the kind of rows. A date and a clock may have columns of their own. */
export const fieldsOf = {
  fills: ['time', 'date', 'clock', ...shared, 'price', 'fillId', 'orderId'],
  trades: ['entryTime', 'entryDate', 'entryClock', 'exitTime', 'exitDate', 'exitClock', ...shared, 'entryPrice', 'exitPrice', 'grossPnl', 'netPnl', 'tradeId', 'tradingDay', 'mfe', 'mae'],
} as const satisfies Record<RowKind, readonly string[]>
export type FormatField = (typeof fieldsOf)[RowKind][number]

const fields = [...new Set<FormatField>([...fieldsOf.fills, ...fieldsOf.trades])]
const text = (most: number) => z.string().max(most).refine(isKeptAsItIs)
/** Columns of fees are summed; more than these are not read. */
export const mostFees = 8

/** How the columns of a user's own file are read. `version` grows when an older program could not read it. */
export const importFormat = z.strictObject({
  fillbook: z.literal('import-format'),
  version: z.literal(1),
  name: text(80).refine((name) => name.trim() !== ''),
  rows: z.enum(rowKinds),
  columns: z.array(z.strictObject({ header: text(200), field: z.enum(fields).nullable() })).min(2).max(200),
  /** Where the dates and numbers of a file can be read two ways. */
  dates: z.enum(dateOrders).nullable(),
  decimals: z.enum(['point', 'comma']).nullable(),
  /** Words of the side; in trades a buy is long. */
  sides: z.array(z.strictObject({ word: text(40), side: z.enum(['buy', 'sell']) })).max(100),
  /** Contracts of symbols that their names do not show. */
  symbols: z.array(z.strictObject({ symbol: text(40), contract: text(40).refine((name) => name.trim() !== '') })).max(500),
})
export type ImportFormat = z.infer<typeof importFormat>

/** What a format lacks or has too much of, so that nothing can be read by it. */
export type FormatProblem = { readonly code: 'missing'; readonly oneOf: readonly FormatField[] } | { readonly code: 'twice' | 'not-of-rows' | 'too-many'; readonly field: FormatField }

/** Fields of which a format has at most one. */
const alternatives: readonly (readonly [FormatField, FormatField])[] = [
  ['time', 'date'],
  ['time', 'clock'],
  ['entryTime', 'entryDate'],
  ['entryTime', 'entryClock'],
  ['exitTime', 'exitDate'],
  ['exitTime', 'exitClock'],
  ['quantity', 'signedQuantity'],
  ['side', 'signedQuantity'],
]

/** The problems of a format; none if files can be read by it. */
export const formatProblems = ({ rows, columns }: Pick<ImportFormat, 'rows' | 'columns'>): readonly FormatProblem[] => {
  const chosen = columns.flatMap(({ field }) => field ?? [])
  const has = (...names: readonly FormatField[]): boolean => names.every((name) => chosen.includes(name))
  const lacks = (isThere: boolean, ...oneOf: readonly FormatField[]): readonly FormatProblem[] => (isThere ? [] : [{ code: 'missing', oneOf }])
  const allowed: readonly string[] = fieldsOf[rows]
  const fees: readonly FormatField[] = chosen.filter((field) => field === 'fee' || field === 'negativeFee')
  return [
    ...(rows === 'fills'
      ? [...lacks(has('time') || has('date', 'clock'), 'time', 'date', 'clock'), ...lacks(has('price'), 'price')]
      : [
          ...lacks(has('entryTime') || has('entryDate', 'entryClock'), 'entryTime', 'entryDate', 'entryClock'),
          ...lacks(has('exitTime') || (has('exitClock') && (has('exitDate') || has('entryDate'))), 'exitTime', 'exitDate', 'exitClock'),
          ...lacks(has('entryPrice'), 'entryPrice'),
          ...lacks(has('exitPrice'), 'exitPrice'),
          ...lacks(has('grossPnl') || has('netPnl'), 'grossPnl', 'netPnl'),
          // Without its fees, a net P&L does not show what the prices made.
          ...lacks(!has('netPnl') || has('grossPnl') || fees.length > 0, 'fee', 'grossPnl'),
        ]),
    ...lacks(has('symbol'), 'symbol'),
    ...lacks(has('quantity') || has('signedQuantity'), 'quantity', 'signedQuantity'),
    ...lacks(!has('quantity') || has('side'), 'side', 'signedQuantity'),
    ...[...new Set(chosen)].flatMap((field): readonly FormatProblem[] => [
      ...(allowed.includes(field) ? [] : [{ code: 'not-of-rows' as const, field }]),
      ...(chosen.indexOf(field) !== chosen.lastIndexOf(field) && !fees.includes(field) ? [{ code: 'twice' as const, field }] : []),
    ]),
    ...alternatives.flatMap(([one, other]): readonly FormatProblem[] => (has(one, other) ? [{ code: 'twice', field: one }] : [])),
    ...(fees.length > mostFees ? [{ code: 'too-many' as const, field: 'fee' as const }] : []),
  ]
}

/** A format that files can be read by. */
export const wholeFormat = importFormat.refine((format) => formatProblems(format).length === 0)

/** A format as a file, to keep or to give away. */
export const formatFile = (format: ImportFormat): string => `${JSON.stringify(format, null, 2)}\n`

/** The format that a file holds; `newer` if only a later Fillbook can read it. */
export const parseFormatFile = (text: string): Result<ImportFormat, 'no-format' | 'newer' | 'incomplete'> => {
  let held: unknown
  try {
    held = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return err('no-format')
  }
  const { success, data } = z.object({ fillbook: z.literal('import-format'), version: z.number() }).safeParse(held)
  if (success && data.version > 1) return err('newer')
  const format = importFormat.safeParse(held)
  if (!format.success) return err('no-format')
  return formatProblems(format.data).length > 0 ? err('incomplete') : ok(format.data)
}

const plain = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, ' ')

/** Identifies the files of a format by their headers: the names of their columns, in any order. */
export const headerKey = (headers: readonly string[]): string => headers.map(plain).filter((name) => name !== '').sort().join('\t')

/** The key of a format: that of its files' headers. */
export const formatKey = ({ columns }: Pick<ImportFormat, 'columns'>): string => headerKey(columns.map(({ header }) => header))

/** Who gives the ids of the fills in files of this format, `csv-1a2b3c4d5e`: the same for ever, whatever the format is called. */
export const issuerOfFormat = (format: Pick<ImportFormat, 'columns'>): string => {
  const [one, other] = hashOf(formatKey(format))
  return `csv-${one.toString(36)}${other.toString(36)}`
}

/** The same for the ids of rows read by a format: rows first read as fills and later as trades count as another platform's, and so once. */
const issuerOfRows = ({ columns, rows }: ImportFormat): string => `${issuerOfFormat({ columns })}${rows === 'trades' ? '0trades' : ''}`

/** Two hashes of a text, of 32 bits each. */
const hashOf = (text: string): readonly [number, number] => {
  let [one, other] = [0x811c9dc5, 0x1b873593]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x85ebca6b)
  }
  return [one >>> 0, other >>> 0]
}

/** Counts how often a text came, by its hash alone: a file may have a million rows. */
export const textCounts = (): ((text: string) => number) => {
  const [once, more] = [new Set<number>(), new Map<number, number>()]
  return (text) => {
    const [one, other] = hashOf(text)
    const hash = one * 0x200000 + (other >>> 11)
    if (!once.has(hash)) {
      once.add(hash)
      return 1
    }
    const count = (more.get(hash) ?? 1) + 1
    more.set(hash, count)
    return count
  }
}

/** A file's cells by the fields of its format, as the readers of mapped files take them, and the header of the column behind each. */
export type FormatColumns = {
  readonly cellsOf: (cells: readonly string[]) => Record<string, string>
  readonly headerOf: (field: string) => string
}

/** Cells that the format itself adds to each row: the issuer of its ids, and the contract that the user chose for its symbol. */
export const issuerCell = '_issuer'
export const contractCell = '_contract'
/** The columns of fees as readers take them, all as costs above zero. */
export const feeCells: readonly string[] = Array.from({ length: mostFees }, (_, index) => `fee ${String(index + 1)}`)

/** How the rows of a file with this header are read by a format. Of columns with one name, each takes the place of the format's next one. */
export const formatColumns = (format: ImportFormat, header: readonly string[]): FormatColumns => {
  const left = format.columns.map(({ header: name, field }) => ({ name: plain(name), field }))
  const fieldAt = header.map((name) => {
    const found = left.findIndex((column) => column.name === plain(name))
    return found < 0 ? null : (left.splice(found, 1)[0]?.field ?? null)
  })
  const at = (field: FormatField): number => fieldAt.indexOf(field)
  const fees = fieldAt.flatMap((field, index) => (field === 'fee' || field === 'negativeFee' ? [{ index, isNegative: field === 'negativeFee' }] : []))
  const sides = new Map(format.sides.map(({ word, side }) => [plain(word), side === 'buy' ? 'Buy' : 'Sell']))
  const symbols = new Map(format.symbols.map(({ symbol, contract }) => [plain(symbol), contract]))
  const single = fieldAt.flatMap((field, index) => (field === null || field in partsOf || field === 'fee' || field === 'negativeFee' ? [] : [{ field, index, isTime: timeFields.has(field) }]))
  const joined = (['time', 'entryTime', 'exitTime'] as const).flatMap((field) => {
    const [date, clock] = jointsOf[field]
    const dateAt = at(date) < 0 && field === 'exitTime' ? at('entryDate') : at(date)
    return at(clock) < 0 || dateAt < 0 ? [] : [{ field, dateAt, clockAt: at(clock) }]
  })
  const issuer = issuerOfRows(format)
  const headers = new Map<string, string>([
    ...single.map(({ field, index }) => [field, header[index] ?? ''] as const),
    ...joined.map(({ field, clockAt }) => [field, header[clockAt] ?? ''] as const),
    ...fees.map(({ index }, place) => [feeCells[place] ?? '', header[index] ?? ''] as const),
  ])
  return {
    cellsOf: (cells) => {
      const row: Record<string, string> = { [issuerCell]: issuer }
      for (const { field, index, isTime } of single) row[field] = isTime ? plainTime(cells[index] ?? '') : field === 'tradingDay' ? (plainDay(cells[index] ?? '').split(/[ T]/)[0] ?? '') : (cells[index] ?? '')
      for (const { field, dateAt, clockAt } of joined) row[field] = plainTime(`${plainDay(cells[dateAt] ?? '').replace(midnight, '')} ${(cells[clockAt] ?? '').trim()}`)
      for (const [place, { index, isNegative }] of fees.entries()) row[feeCells[place] ?? ''] = isNegative ? asCost(cells[index] ?? '') : (cells[index] ?? '')
      const side = sides.get(plain(row['side'] ?? ''))
      if (side !== undefined) row['side'] = side
      const contract = symbols.get(plain(row['symbol'] ?? ''))
      if (contract !== undefined) row[contractCell] = contract
      return row
    },
    headerOf: (field) => headers.get(field) ?? field,
  }
}

const timeFields: ReadonlySet<FormatField> = new Set(['time', 'entryTime', 'exitTime'])
const jointsOf = { time: ['date', 'clock'], entryTime: ['entryDate', 'entryClock'], exitTime: ['exitDate', 'exitClock'] } as const
const partsOf = { date: true, clock: true, entryDate: true, entryClock: true, exitDate: true, exitClock: true } as const

/** A cost that is written as a negative amount, as one above zero; a positive one then is none, and becomes negative. */
const asCost = (text: string): string => {
  const bare = text.replaceAll(/[-−()]/g, '')
  if (bare.length < text.length) return bare
  return /[1-9]/.test(text) ? `-${text.trim()}` : text
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const compact = /^(\d{4})(\d{2})(\d{2})(?=$|[T;,\s])/
const compactClock = /^(\d{2})(\d{2})(\d{2})$/
const dayMonth = /^(\d{1,2})[ -]([A-Za-z]{3})[a-z]*\.?[ -,]+(\d{4})/
const monthDay = /^([A-Za-z]{3})[a-z]*\.? (\d{1,2}),? +(\d{4})/
// A spreadsheet writes it behind a day that has its clock in another column.
const midnight = /[T\s]+0?0:00(?::00(?:\.0+)?)?$/
const epoch = /^(\d{10})(\d{3})?$/

/** A day in the form that readers know, where it is spelled out or has no separators; any other text as it is. */
const plainDay = (text: string): string => {
  const day = text.trim().replace(compact, '$1-$2-$3')
  const [whole, number = '', month = '', year = ''] = dayMonth.exec(day) ?? []
  const [other, monthFirst = '', numberThen = '', yearThen = ''] = monthDay.exec(day) ?? []
  const place = monthNames.indexOf((whole === undefined ? monthFirst : month).toLowerCase())
  if (place < 0) return day
  return `${yearThen || year}-${String(place + 1).padStart(2, '0')}-${(numberThen || number).padStart(2, '0')}${day.slice((whole ?? other ?? '').length)}`
}

/** A time in the form that readers know: `20260305;093100`, `5 Mar 2026, 09:31`, `1772703060` and `… UTC` are the same as others. */
export const plainTime = (text: string): string => {
  const [, seconds, ms = '000'] = epoch.exec(text.trim()) ?? []
  if (seconds !== undefined) {
    const inDay = Number(seconds) % 86_400
    const two = (number: number): string => String(Math.floor(number)).padStart(2, '0')
    return `${isoDate((Number(seconds) - inDay) / 86_400)} ${two(inDay / 3600)}:${two((inDay / 60) % 60)}:${two(inDay % 60)}.${ms}Z`
  }
  const [day = '', ...clock] = plainDay(text).replace(/^(\S+?)[;,]\s*(?=\d)/, '$1 ').split(/\s+/)
  const rest = clock.join(' ').replace(compactClock, '$1:$2:$3').replace(/\s*(?:UTC|GMT)$/i, 'Z')
  return rest === '' ? day : `${day} ${rest}`
}
