import type { Draw } from '#tests/helpers/exports/draw.ts'
import { made, madeTurned, originOf, wallOf, wallText } from './cells.ts'
import type { Draft, Kind } from './writers.ts'

/** What a user hands over: files in the order in which they come, and the zone that they are said to be in. */
export type Handed = { readonly files: readonly Draft[]; readonly zone: string }

/** Breaks what a user hands over in one way. */
type Rule = (draw: Draw, handed: Handed) => Handed

type Row = readonly string[]

const on = (isFit: (file: Draft) => boolean, change: (draw: Draw, file: Draft) => Draft): Rule => (draw, handed) => {
  const fitting = handed.files.filter((file) => isFit(file) && file.table.rows.length > 0)
  if (fitting.length === 0) return handed
  const file = draw.pick(fitting)
  const changed = change(draw, file)
  return { ...handed, files: handed.files.map((one) => (one === file ? changed : one)) }
}

const any = (): boolean => true
const ofKind = (...kinds: readonly Kind[]) => ({ kind }: Draft): boolean => kinds.includes(kind)
const withRows = (file: Draft, rows: readonly Row[]): Draft => ({ ...file, table: { ...file.table, rows } })
const at = (rows: readonly Row[], index: number): Row => rows[index] ?? []
const anyRow = (draw: Draw, { table: { rows } }: Draft): number => draw.between(0, rows.length - 1)
const changed = (file: Draft, index: number, change: (row: Row) => Row): Draft => withRows(file, file.table.rows.with(index, made(at(file.table.rows, index), change(at(file.table.rows, index)))))

// A row that was cut has no such cell any more.
const withCell = (row: Row, column: number, text: string): Row => (column < row.length ? row.with(column, text) : row)

const columnsOf: Readonly<Record<Kind, readonly string[]>> = {
  fills: ['_id', 'Fill ID', '_orderId', '_timestamp', 'Timestamp', '_tradeDate', 'Date', '_action', 'B/S', '_qty', 'Quantity', '_price', 'Price', '_accountId', 'Account', 'Contract', '_tickSize', 'commission', '_active'],
  orders: ['orderId', 'Order ID', 'Account', 'B/S', 'Contract', 'avgPrice', 'filledQty', 'Fill Time', 'Status', '_tickSize', 'Timestamp', 'Filled Qty', 'Avg Fill Price', 'decimalFillAvg'],
  performance: ['symbol', '_tickSize', 'buyFillId', 'sellFillId', 'qty', 'buyPrice', 'sellPrice', 'pnl', 'boughtTimestamp', 'soldTimestamp'],
  positions: ['Account', 'Contract', 'Trade Date', '_tickSize', 'Pair ID', 'Buy Fill ID', 'Sell Fill ID', 'Paired Qty', 'Buy Price', 'Sell Price', 'P/L', 'Currency', 'Bought Timestamp', 'Sold Timestamp'],
  cash: ['Account', 'Transaction ID', 'Timestamp', 'Date', 'Delta', 'Amount', 'Cash Change Type', 'Currency', 'Contract'],
  balances: ['Account ID', 'Account Name', 'Trade Date', 'Total Amount', 'Total Realized PNL'],
  topstepx: ['Id', 'ContractName', 'EnteredAt', 'ExitedAt', 'EntryPrice', 'ExitPrice', 'Fees', 'PnL', 'Size', 'Type', 'TradeDay', 'TradeDuration', 'Commissions'],
  ninja: ['Trade number', 'Instrument', 'Account', 'Market pos.', 'Qty', 'Entry price', 'Exit price', 'Entry time', 'Exit time', 'Profit', 'Cum. net profit', 'Commission'],
  rithmic: ['Account', 'Status', 'Buy/Sell', 'Symbol', 'Avg Fill Price', 'Order Number', 'Qty Filled', 'Commission Fill Rate'],
  sierra: ['ActivityType', 'DateTime', 'TransDateTime', 'Symbol', 'InternalOrderID', 'BuySell', 'FillPrice', 'FilledQuantity', 'TradeAccount', 'PositionQuantity', 'FillExecutionServiceID'],
  tradingview: ['Symbol', 'Side', 'Quantity', 'Fill price', 'Status', 'Placing time', 'Closing time', 'Order ID'],
  quantower: ['Account', 'Date/Time', 'Symbol', 'Side', 'Quantity', 'Price', 'Gross P/L', 'Fee', 'Net P/L', 'Trade ID', 'Order ID'],
  atas: ['Account', 'Instrument', 'Open time', 'Open price', 'Open volume', 'Close time', 'Close price', 'Close volume', 'PnL'],
  'mapped-fills': ['Account', 'When', 'What', 'Way', 'Lots', 'At', 'Cost', 'Execution'],
  'mapped-trades': ['Account', 'What', 'Way', 'Lots', 'In', 'Out', 'Entered at', 'Left at', 'After costs', 'Cost', 'Session'],
  grid: ['Instrument', 'Action', 'Quantity', 'Price', 'Time', 'ID', 'Position', 'Order ID', 'Commission', 'Account'],
}

const timeColumns = ['Timestamp', 'Fill Time', 'boughtTimestamp', 'soldTimestamp', 'Bought Timestamp', 'Sold Timestamp', 'Time', 'Entry time', 'Exit time', 'Placing time', 'Closing time', 'Date/Time', 'Open time', 'Close time', 'When', 'In', 'Out']
const accountColumns = ['Account', '_accountId', 'Account Name', 'Account ID', 'TradeAccount']

const dropRows = on(any, (draw, file) => {
  let rows = file.table.rows
  for (let left = draw.between(1, 3); left > 0 && rows.length > 0; left -= 1) rows = rows.toSpliced(draw.between(0, rows.length - 1), 1)
  return withRows(file, rows)
})

const doubleRows = on(any, (draw, file) => {
  let rows = file.table.rows
  for (let left = draw.between(1, 4); left > 0; left -= 1) rows = rows.toSpliced(draw.between(0, rows.length), 0, at(rows, draw.between(0, rows.length - 1)))
  return withRows(file, rows)
})

const swapRows = on(any, (draw, file) => {
  const { rows } = file.table
  const way = draw.between(0, 2)
  if (way === 0) return withRows(file, draw.shuffle(rows))
  if (way === 1) return withRows(file, rows.toReversed())
  const [one, other] = [anyRow(draw, file), anyRow(draw, file)]
  return withRows(file, rows.with(one, at(rows, other)).with(other, at(rows, one)))
})

const cutFile = on(any, (draw, file) => {
  const { rows } = file.table
  const last = draw.between(Math.floor(rows.length / 2), rows.length - 1)
  if (draw.chance(0.3)) return withRows(file, rows.slice(0, last))
  const row = at(rows, last)
  const cell = draw.between(0, row.length - 1)
  const text = row[cell] ?? ''
  const cut = [...row.slice(0, cell), text.slice(0, draw.between(0, text.length))]
  // Nothing of the row is left: the file is a shorter one, and whole.
  if (cut.every((left) => left === '')) return withRows(file, rows.slice(0, last))
  return { ...withRows(file, [...rows.slice(0, last), made(row, cut)]), whole: false }
})

const shiftCells = on(any, (draw, file) => {
  const index = anyRow(draw, file)
  const column = draw.between(0, file.table.header.length - 1)
  const isLonger = draw.chance(0.5)
  const shifted = (row: Row): Row => (isLonger ? row.toSpliced(column, 0, '') : row.toSpliced(column, 1))
  const kept = draw.chance(0.5)
  return changed(file, index, (row) => (kept ? [...shifted(row), ''].slice(0, row.length) : shifted(row)))
})

const garbage = ['', 'abc', '-', 'N/A', '#REF!', '1e9', '999999999999999999', '0', '-1', '1.5', '12/31/2025 25:61:00', '2026-13-45', '"', '＄5']

const spoiled = (draw: Draw, text: string): string => {
  const way = draw.between(0, 3)
  if (way === 0) return draw.pick(garbage)
  if (way === 1) return text.startsWith('-') ? text.slice(1) : `-${text}`
  const digits = [...text].flatMap((sign, index) => (/\d/.test(sign) ? [index] : []))
  if (digits.length === 0) return draw.pick(garbage)
  const place = draw.pick(digits)
  return way === 2 ? text.slice(0, place) + String((Number(text[place]) + draw.between(1, 9)) % 10) + text.slice(place + 1) : text.slice(0, place) + text.slice(place + 1)
}

const spoilCell = on(any, (draw, file) => {
  const index = anyRow(draw, file)
  const { header, rows } = file.table
  const column = header.indexOf(draw.pick(columnsOf[file.kind]))
  if (column < 0) return file
  const other = at(rows, anyRow(draw, file))[column] ?? ''
  const text = draw.chance(0.3) ? other : spoiled(draw, at(rows, index)[column] ?? '')
  return changed(file, index, (row) => withCell(row, column, text))
})

const changeQuantity = on(ofKind('fills'), (draw, file) => {
  const columns = ['_qty', 'Quantity'].map((name) => file.table.header.indexOf(name)).filter((column) => column >= 0)
  const more = draw.pick([-1, 1, 1, 2])
  return changed(file, anyRow(draw, file), (row) => columns.reduce((cells, column) => withCell(cells, column, String(Math.max(1, Number(row[column]) + more))), row))
})

const otherTypes = ['Liquidation Fee', 'Cancelled Paired Trade', 'Exch Fees', 'Kommission', 'Trade Settled', 'Option Premium', 'Overnight Margin Fee', 'Adjustment']

const renameType = on(ofKind('cash'), (draw, file) => {
  const column = file.table.header.indexOf('Cash Change Type')
  const [from, to] = [at(file.table.rows, anyRow(draw, file))[column] ?? '', ` ${draw.pick(otherTypes)}`]
  const all = draw.chance(0.6)
  const only = file.table.rows.findLastIndex((row) => row[column] === from)
  return withRows(file, file.table.rows.map((row, index) => (row[column] === from && (all || index === only) ? made(row, withCell(row, column, to)) : row)))
})

const shiftTimes = (file: Draft, ms: number): Draft => {
  const columns = file.table.header.flatMap((name, index) => (timeColumns.includes(name) ? [index] : []))
  const shift = (text: string): string => {
    const wall = wallOf(text)
    return wall === null ? text : wallText(text, wall + ms)
  }
  return withRows(file, file.table.rows.map((row) => made(row, row.map((text, index) => (columns.includes(index) ? shift(text) : text)))))
}

const halfHour = 1_800_000

const shiftZone: Rule = (draw, handed) => {
  if (draw.chance(0.4)) return { ...handed, zone: draw.pick(['UTC', 'Asia/Tokyo', 'Asia/Kolkata', 'Europe/Berlin', 'America/Los_Angeles', 'America/New_York']) }
  return on(ofKind('fills', 'orders', 'performance', 'positions', 'cash', 'grid', 'ninja', 'tradingview', 'quantower', 'atas', 'mapped-fills', 'mapped-trades'), (inner, file) => shiftTimes(file, inner.pick([-12, -9, -5, -3, -2, -1, 1, 2, 6, 11, 13, 21]) * halfHour))(draw, handed)
}

const dayFirst = (text: string): string => text.replace(/^(\d{1,2})\/(\d{1,2})\/(\d{2,4})/, '$2/$1/$3')

const turnDates: Rule = (draw, handed) => {
  // A spreadsheet takes a time with its offset for text and leaves it as it is.
  const turn = (file: Draft): Draft => file.kind === 'topstepx' ? file : withRows(file, file.table.rows.map((row) => (row.some((text) => dayFirst(text) !== text) ? madeTurned(row, row.map(dayFirst)) : row)))
  if (draw.chance(0.5)) return { ...handed, files: handed.files.map(turn) }
  return on(ofKind('orders', 'performance', 'positions', 'cash', 'grid', 'fills', 'ninja', 'quantower', 'mapped-fills', 'mapped-trades'), (_, file) => turn(file))(draw, handed)
}

const mixAccounts: Rule = (draw, handed) => {
  const names = [...new Set(handed.files.flatMap(({ table: { header, rows } }) => rows.flatMap((row) => accountColumns.flatMap((name) => (header.includes(name) ? [row[header.indexOf(name)] ?? ''] : [])))))]
  const performances = handed.files.filter(ofKind('performance'))
  const [one, other] = performances
  if (one !== undefined && other !== undefined && one.account !== other.account && draw.chance(0.6)) {
    // Two reports of two accounts in one file.
    const merged = { ...withRows(one, [...one.table.rows, ...other.table.rows]), parts: [...(one.parts ?? []), { from: one.table.rows.length, account: other.account }] }
    return { ...handed, files: handed.files.flatMap((file) => (file === one ? [merged] : file === other ? [] : [file])) }
  }
  return on(({ table: { header } }) => accountColumns.some((name) => header.includes(name)), (inner, file) => {
    const columns = file.table.header.flatMap((name, index) => (accountColumns.includes(name) ? [index] : []))
    const column = inner.pick(columns)
    const isWhole = inner.chance(0.3)
    const index = anyRow(inner, file)
    const [from, to] = [at(file.table.rows, index)[column] ?? '', inner.pick([...names, 'SOMEBODY-1'])]
    return withRows(file, file.table.rows.map((row, place) => (place === index || (isWhole && row[column] === from) ? made(row, withCell(row, column, to)) : row)))
  })(draw, handed)
}

const renameColumns = on(any, (draw, file) => {
  const { header, rows } = file.table
  const index = header.indexOf(draw.pick(columnsOf[file.kind]))
  if (index < 0) return file
  const way = draw.between(0, 3)
  if (way === 0) return { ...file, table: { rows, header: header.with(index, header[index]?.toUpperCase() ?? '') } }
  if (way === 1) return { ...file, table: { rows, header: header.with(index, draw.pick(['Spalte', 'x', '', 'Value', 'Net'])) } }
  const other = header.indexOf(draw.pick(columnsOf[file.kind]))
  if (other < 0) return file
  // Two names change places: every row has two cells under a wrong name.
  return { ...file, table: { header: header.with(index, header[other] ?? '').with(other, header[index] ?? ''), rows: rows.map((row) => made(row, [...row])) } }
})

const overlap: Rule = (draw, handed) => {
  const [file] = draw.shuffle(handed.files)
  if (file === undefined) return handed
  const { rows } = file.table
  const from = draw.between(0, Math.floor(rows.length / 2))
  const again = { ...withRows(file, rows.slice(from, draw.between(from, rows.length))), name: `again-${file.name}` }
  return { ...handed, files: draw.shuffle([...handed.files, again, ...(draw.chance(0.5) ? [{ ...file, name: `copy-${file.name}` }] : [])]) }
}

const removeAccount = on(({ table: { header } }) => accountColumns.some((name) => header.includes(name)), (draw, file) => {
  const columns = file.table.header.flatMap((name, index) => (accountColumns.includes(name) ? [index] : []))
  const blank = draw.chance(0.6) ? columns : [draw.pick(columns)]
  const only = draw.chance(0.6) ? anyRow(draw, file) : -1
  return withRows(file, file.table.rows.map((row, index) => (only < 0 || index === only ? made(row, row.map((text, column) => (blank.includes(column) ? '' : text)), true) : row)))
})

const turnColumns = on(any, (draw, file) => {
  const order = draw.shuffle(file.table.header.map((_, index) => index))
  const turn = (row: Row): Row => order.map((index) => row[index] ?? '')
  // A row that is as long as its header means the same in any order of columns; others do not.
  return { ...file, table: { header: turn(file.table.header), rows: file.table.rows.map((row) => (row.length === order.length ? made(row, turn(row), originOf(row) === row) : row)) } }
})

/** All ways of breaking a set of files, by name. */
export const rules = {
  'drop rows': dropRows,
  'double rows': doubleRows,
  'swap rows': swapRows,
  'cut a file': cutFile,
  'shift cells': shiftCells,
  'spoil a cell': spoilCell,
  'rename a cash type': renameType,
  'shift a zone': shiftZone,
  'day before month': turnDates,
  'mix accounts': mixAccounts,
  'rename a column': renameColumns,
  'overlap and repeat': overlap,
  'remove an account': removeAccount,
  'turn the columns': turnColumns,
  'change a quantity': changeQuantity,
} as const satisfies Readonly<Record<string, Rule>>
export type RuleName = keyof typeof rules
