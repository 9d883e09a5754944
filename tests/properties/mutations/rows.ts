import { bookedOn } from '#tests/helpers/exports/clock.ts'
import type { Product } from '#tests/helpers/exports/products.ts'
import { beforeTurn, cellsOf, countOf, meansItsOrigin, moneyOf, originOf, ticksOf, utcOf, wallOf, type Cells } from './cells.ts'
import type { Market } from './market.ts'
import type { Draft } from './writers.ts'

/** What a row of a file says; money in 1/10,000, prices in ticks, times in UTC ms (`whole` seconds where the file has no finer). */
export type Said =
  | { readonly says: 'fill'; readonly from: 'fills' | 'grid'; readonly id: string; readonly orderId: string; readonly account: string; readonly product: Product; readonly time: number; readonly side: 'buy' | 'sell'; readonly qty: number; readonly ticks: number; readonly fee: bigint; readonly day: string; readonly netAfter: number | null; /** The gross that the platform states of what it closed. */ readonly realized?: bigint }
  | { readonly says: 'order'; readonly id: string; readonly account: string; readonly product: Product; readonly time: number; readonly side: 'buy' | 'sell'; readonly qty: number; readonly sum: number }
  | { readonly says: 'pair'; readonly account: string; readonly product: Product; readonly buyId: string; readonly sellId: string; readonly qty: number; readonly buyTicks: number; readonly sellTicks: number; readonly buyTime: number; readonly sellTime: number; readonly day: string | null }
  | { readonly says: 'trade'; readonly file: string; readonly key: string; readonly number: string | null; /** What the file sums up to with it. */ readonly total: bigint | null; readonly net: bigint; readonly account: string; readonly product: Product; readonly direction: 'long' | 'short'; readonly qty: number; readonly entryTicks: number; readonly exitTicks: number; readonly entryTime: number; readonly exitTime: number; readonly gross: bigint; readonly fees: bigint | null; readonly day: string; /** Whether its file has neither an id nor a number of it. */ readonly keyless: boolean }
  | { readonly says: 'cash'; readonly id: string; readonly account: string; readonly day: string; readonly type: string; readonly delta: bigint; readonly amount: bigint }
  | { readonly says: 'balance'; readonly account: string; readonly day: string; readonly realized: bigint }

type Known = { readonly market: Market; readonly zone: string; readonly account: string | null; readonly isOneAccount: (name: string, number: string | undefined) => boolean }

// Null where the row says nothing that can be read, or two columns of it contradict each other.
const none = null

/** The one value of columns that say the same; null where none is there, one cannot be read, or two differ. */
const agreed = <T>(cells: Cells, columns: readonly string[], read: (text: string) => T | null): T | null => {
  let value: T | null = none
  for (const column of columns) {
    const text = cells(column)
    if (text === undefined) continue
    const here = read(text)
    if (here === null || (value !== null && here !== value)) return none
    value = here
  }
  return value
}

const idOf = (text: string): string | null => (/^\d{3,}$/.test(text) ? text : none)
const sideOf = (text: string): 'buy' | 'sell' | null => (['0', 'Buy', 'BuyToCover'].includes(text) ? 'buy' : ['1', 'Sell', 'SellShort'].includes(text) ? 'sell' : none)
const dayOf = (text: string): string | null => {
  const short = /^(\d{1,2})\/(\d{1,2})\/(\d{2})$/.exec(text)
  if (short !== null) return `20${short[3] ?? ''}-${(short[1] ?? '').padStart(2, '0')}-${(short[2] ?? '').padStart(2, '0')}`
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : none
}
const localOf = (zone: string) => (text: string): number | null => {
  const wall = wallOf(text)
  return wall === null ? none : utcOf(zone, wall)
}
const utcTime = (text: string): number | null => (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? Date.parse(text.replace(' ', 'T')) || none : none)

const nameIn = (cells: Cells): string => cells('Account') ?? cells('TradeAccount') ?? cells('Account Name') ?? ''
const numberIn = (cells: Cells): string | undefined => cells('_accountId') ?? cells('Account ID')

/** The name of a row's account; null where it has none, or its name and number do not belong together. */
const accountIn = (cells: Cells, { isOneAccount }: Known): string | null => (nameIn(cells) !== '' && isOneAccount(nameIn(cells), numberIn(cells)) ? nameIn(cells) : none)

/** Whether a name and a number are those of one account, as most rows of these files have it. */
export const pairedNames = (files: readonly Draft[]): Known['isOneAccount'] => {
  const counts = new Map<string, number>()
  const add = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
  const together = files.flatMap(({ table: { header, rows } }) =>
    rows.flatMap((row) => {
      const [name, number] = [nameIn(cellsOf(header, row)), numberIn(cellsOf(header, row))]
      return name === '' || number === undefined || number === '' ? [] : [{ name, number }]
    }),
  )
  for (const { name, number } of together) add(`${name} ${number}`)
  const isMost = (name: string, number: string): boolean => together.every((other) => (other.name === name) === (other.number === number) || (counts.get(`${name} ${number}`) ?? 0) > (counts.get(`${other.name} ${other.number}`) ?? 0))
  return (name, number) => number === undefined || isMost(name, number)
}

const productIn = (cells: Cells, market: Market): Product | null => {
  const products = [...market.fills.map(({ product }) => product), ...market.orders.map(({ product }) => product)]
  const found = agreed(cells, ['Contract', 'symbol'], (text) => products.find(({ contract }) => contract === text)?.contract ?? none)
  const product = products.find(({ contract }) => contract === found)
  if (product === undefined) return none
  const [root, tick] = [cells('Product'), cells('_tickSize')]
  return (root === undefined || root === product.root) && (tick === undefined || tick === product.tickSize) ? product : none
}

const halfHour = 1_800_000

const readFill = (cells: Cells, known: Known): Said | null => {
  const { market, zone } = known
  const [account, product] = [accountIn(cells, known), productIn(cells, market)]
  const [id, orderId] = [agreed(cells, ['_id', 'Fill ID'], idOf), agreed(cells, ['_orderId', 'Order ID'], idOf)]
  if (account === null || product === null || id === null || orderId === null || cells('_active') !== 'true') return none
  const [side, qty, ticks] = [agreed(cells, ['_action', 'B/S'], sideOf), agreed(cells, ['_qty', 'Quantity'], countOf), agreed(cells, ['_price', 'Price'], (text) => ticksOf(text, product.tickSize))]
  const [utc, local] = [agreed(cells, ['_timestamp'], utcTime), agreed(cells, ['Timestamp'], localOf(zone))]
  const day = agreed(cells, ['_tradeDate', 'Date'], dayOf)
  const fee = cells('commission') === undefined ? 0n : moneyOf(cells('commission') ?? '')
  const time = utc ?? local
  if (side === null || qty === null || ticks === null || time === null || fee === null || day !== bookedOn(time)) return none
  // The time in UTC says when it was, in whatever zone the local one was written.
  if (utc !== null && local !== null && (Math.floor(utc / 1000) * 1000 - local) % halfHour !== 0) return none
  return { says: 'fill', from: 'fills', id, orderId, account, product, time, side, qty, ticks, fee, day, netAfter: null }
}

const readGrid = (cells: Cells, known: Known): Said | null => {
  const { market, zone } = known
  const product = market.fills.find(({ product: { root, month } }) => month.some((name) => cells('Instrument') === `${root} ${name}`))?.product
  const [account, time, id] = [accountIn(cells, known), agreed(cells, ['Time'], localOf(zone)), agreed(cells, ['ID'], (text) => idOf(text.replace(/_1$/, '')))]
  if (product === undefined || account === null || time === null || id === null) return none
  const [side, qty, ticks] = [agreed(cells, ['Action'], sideOf), agreed(cells, ['Quantity'], countOf), agreed(cells, ['Price'], (text) => ticksOf(text, product.tickSize))]
  const fee = cells('Commission') === undefined ? 0n : moneyOf(cells('Commission') ?? '')
  const position = /^(?:-|(\d+) ([LS]))$/.exec(cells('Position') ?? '')
  if (side === null || qty === null || ticks === null || fee === null || (cells('Position') !== undefined && position === null)) return none
  const netAfter = position === null ? null : position[1] === undefined ? 0 : Number(position[1]) * (position[2] === 'L' ? 1 : -1)
  return { says: 'fill', from: 'grid', id, orderId: cells('Order ID') ?? '', account, product, time, side, qty, ticks, fee, day: bookedOn(time), netAfter }
}

const readOrder = (cells: Cells, known: Known): Said | null => {
  const { market, zone } = known
  const [account, product, id] = [accountIn(cells, known), productIn(cells, market), agreed(cells, ['orderId', 'Order ID'], idOf)]
  if (account === null || product === null || id === null || (cells('Status') ?? 'Filled') !== 'Filled') return none
  const [side, qty, time] = [agreed(cells, ['B/S'], sideOf), agreed(cells, ['filledQty', 'Filled Qty', 'Quantity'], countOf), agreed(cells, ['Fill Time'], localOf(zone))]
  const rough = Number(cells('Avg Fill Price') ?? cells('avgPrice') ?? cells('decimalFillAvg'))
  if (side === null || qty === null || time === null) return none
  const sum = agreed(cells, ['avgPrice', 'decimalFillAvg'], (text) => (/^\d+(?:\.\d+)?$/.test(text) ? Math.round((Number(text) / Number(product.tickSize)) * qty) : none))
  if (sum === null || Math.abs((sum / qty) * Number(product.tickSize) - rough) > 10 ** -product.places) return none
  return { says: 'order', id, account, product, time, side, qty, sum }
}

const readPair = (cells: Cells, known: Known): Said | null => {
  const { market, zone, account: whose } = known
  // What is still open is no pair.
  if (cells('Paired Qty') === '' && cells('Buy Fill ID') === '') return none
  const [account, product] = [cells('Account') === undefined ? whose : accountIn(cells, known), productIn(cells, market)]
  const [buyId, sellId] = [agreed(cells, ['buyFillId', 'Buy Fill ID'], idOf), agreed(cells, ['sellFillId', 'Sell Fill ID'], idOf)]
  if (account === null || product === null || buyId === null || sellId === null || buyId === sellId) return none
  const price = (text: string): number | null => ticksOf(text, product.tickSize)
  const [qty, buyTicks, sellTicks] = [agreed(cells, ['qty', 'Paired Qty'], countOf), agreed(cells, ['buyPrice', 'Buy Price'], price), agreed(cells, ['sellPrice', 'Sell Price'], price)]
  const [buyTime, sellTime] = [agreed(cells, ['boughtTimestamp', 'Bought Timestamp'], localOf(zone)), agreed(cells, ['soldTimestamp', 'Sold Timestamp'], localOf(zone))]
  const [pnl, day] = [agreed(cells, ['pnl', 'P/L'], moneyOf), agreed(cells, ['Trade Date'], dayOf)]
  if (qty === null || buyTicks === null || sellTicks === null || buyTime === null || sellTime === null) return none
  if (pnl !== BigInt(sellTicks - buyTicks) * BigInt(qty) * product.tickValue) return none
  if (cells('Trade Date') !== undefined && day !== bookedOn(Math.max(buyTime, sellTime))) return none
  return { says: 'pair', account, product, buyId, sellId, qty, buyTicks, sellTicks, buyTime, sellTime, day }
}

const readCash = (cells: Cells, known: Known): Said | null => {
  const { zone } = known
  const [account, id, day] = [accountIn(cells, known), agreed(cells, ['Transaction ID'], idOf), agreed(cells, ['Date'], dayOf)]
  const [delta, amount, time] = [agreed(cells, ['Delta'], moneyOf), agreed(cells, ['Amount'], moneyOf), agreed(cells, ['Timestamp'], localOf(zone))]
  if (account === null || id === null || day === null || delta === null || amount === null || time === null || bookedOn(time) !== day) return none
  return { says: 'cash', id, account, day, type: cells('Cash Change Type') ?? '', delta, amount }
}

const readBalance = (cells: Cells, known: Known): Said | null => {
  const [account, day, realized] = [accountIn(cells, known), agreed(cells, ['Trade Date'], dayOf), agreed(cells, ['Total Realized PNL'], moneyOf)]
  return account === null || day === null || realized === null || moneyOf(cells('Total Amount') ?? '') === null ? none : { says: 'balance', account, day, realized }
}

type Leg = { readonly time: number | null; readonly ticks: number | null }
type Parts = { readonly key: string | null; readonly number?: string; readonly total?: string; readonly product: Product | undefined; readonly direction: string; readonly qty: number | null; readonly entry: Leg; readonly exit: Leg; readonly gross: bigint | null; readonly fees: bigint | null; readonly account: string | null; readonly keyless?: boolean }

/** A closed trade; null where it contradicts itself. `fees` are null where its file has none. */
const tradeOf = ({ key, number, total, product, direction, qty, entry, exit, gross, fees, account, keyless = false }: Parts): Said | null => {
  const { time: entryTime, ticks: entryTicks } = entry
  const { time: exitTime, ticks: exitTicks } = exit
  if (key === null || account === null || product === undefined || qty === null || gross === null || entryTime === null || exitTime === null || entryTicks === null || exitTicks === null) return none
  if (!['Long', 'Short'].includes(direction) || entryTime > exitTime) return none
  const sign = direction === 'Long' ? 1 : -1
  if (gross !== BigInt(sign * (exitTicks - entryTicks)) * BigInt(qty) * product.tickValue) return none
  const sum = total === undefined ? null : moneyOf(total)
  if (total !== undefined && sum === null) return none
  return { says: 'trade', file: '', key, number: number ?? null, total: sum, net: gross - (fees ?? 0n), account, product, direction: direction === 'Long' ? 'long' : 'short', qty, entryTicks, exitTicks, entryTime, exitTime, gross, fees, day: bookedOn(exitTime), keyless }
}

const productNamed = (market: Market, fits: (product: Product) => boolean): Product | undefined => [...market.fills, ...market.orders].find(({ product }) => fits(product))?.product
const legIn = (cells: Cells, [when, price]: readonly [string, string], time: (text: string) => number | null, product: Product | undefined): Leg => ({ time: time(cells(when) ?? ''), ticks: product === undefined ? null : ticksOf(cells(price) ?? '', product.tickSize) })
const bracketed = (text: string | undefined): bigint | null => moneyOf((text ?? '').replace(/^\(\$(.*)\)$/, '-$1'))

const offsetShape = /^(.*) ([+-])(\d\d):(\d\d)$/
const withOffset = (text: string): number | null => {
  const [, wall = '', sign, hours, minutes] = offsetShape.exec(text) ?? []
  const local = wallOf(wall)
  return local === null ? none : local - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

const readTopstepx = (cells: Cells, { market, account }: Known): Said | null => {
  const product = productNamed(market, ({ contract }) => contract === cells('ContractName'))
  const [entry, exit] = [legIn(cells, ['EnteredAt', 'EntryPrice'], withOffset, product), legIn(cells, ['ExitedAt', 'ExitPrice'], withOffset, product)]
  const [fees, commissions, gross] = [moneyOf(cells('Fees') ?? ''), moneyOf(cells('Commissions') ?? '0'), moneyOf(cells('PnL') ?? '')]
  const [month, day, year] = (cells('TradeDay') ?? '').split(' ')[0]?.split('/') ?? []
  if (fees === null || commissions === null || fees < 0n || commissions < 0n || exit.time === null || `${year ?? ''}-${month ?? ''}-${day ?? ''}` !== bookedOn(exit.time)) return none
  const span = /^(?:\d+\.)?(\d\d):(\d\d):(\d\d)\.\d+$/.exec(cells('TradeDuration') ?? '')
  const lasted = span === null ? null : ((Number(span[1]) * 60 + Number(span[2])) * 60 + Number(span[3])) * 1000
  const day24 = 86_400_000
  if (lasted === null || entry.time === null || Math.abs(((exit.time - entry.time) % day24) - lasted) > 2_000) return none
  return tradeOf({ key: idOf(cells('Id') ?? ''), product, direction: cells('Type') ?? '', qty: countOf(cells('Size') ?? ''), entry, exit, gross, fees: fees + commissions, account })
}

const readNinja = (cells: Cells, known: Known): Said | null => {
  const product = productNamed(known.market, ({ root, month }) => month.some((name) => cells('Instrument') === `${root} ${name}`))
  const local = localOf(known.zone)
  const [entry, exit] = [legIn(cells, ['Entry time', 'Entry price'], local, product), legIn(cells, ['Exit time', 'Exit price'], local, product)]
  const [net, fees, number] = [bracketed(cells('Profit')), bracketed(cells('Commission')), countOf(cells('Trade number') ?? '')]
  const total = bracketed(cells('Cum. net profit'))
  if (net === null || fees === null || fees < 0n || number === null || total === null) return none
  const key = [product?.contract, cells('Market pos.'), entry.time, entry.ticks, exit.time, exit.ticks].join()
  return tradeOf({ key, number: String(number), total: written(total), product, direction: cells('Market pos.') ?? '', qty: countOf(cells('Qty') ?? ''), entry, exit, gross: net + fees, fees, account: accountIn(cells, known) })
}

/** Money as `moneyOf` reads it. */
const written = (amount: bigint): string => `${amount < 0n ? '-' : ''}${String((amount < 0n ? -amount : amount) / 10_000n)}.${String((amount < 0n ? -amount : amount) % 10_000n).padStart(4, '0')}`

const readAtas = (cells: Cells, known: Known): Said | null => {
  const product = productNamed(known.market, ({ contract }) => `${contract}@CME` === cells('Instrument'))
  const local = localOf(known.zone)
  const [entry, exit] = [legIn(cells, ['Open time', 'Open price'], local, product), legIn(cells, ['Close time', 'Close price'], local, product)]
  const [opened, closed] = ['Open volume', 'Close volume'].map((name) => (/^-?[1-9]\d*$/.test(cells(name) ?? '') ? Number(cells(name)) : 0))
  if (opened === undefined || opened === 0 || closed !== -opened) return none
  const direction = opened > 0 ? 'Long' : 'Short'
  return tradeOf({ key: [product?.contract, direction, entry.time, entry.ticks, exit.time, exit.ticks].join(), product, direction, qty: Math.abs(opened), entry, exit, gross: moneyOf(cells('PnL') ?? ''), fees: null, account: accountIn(cells, known) })
}

const plainAverage = (cells: Cells, column: string, product: Product, qty: number): number => Math.round((Number(cells(column)) / Number(product.tickSize)) * qty)

const readRithmic = (cells: Cells, known: Known): Said | null => {
  const product = productNamed(known.market, ({ contract }) => contract === cells('Symbol'))
  const [side, qty, id] = [{ B: 'buy' as const, S: 'sell' as const }[cells('Buy/Sell') ?? ''], countOf(cells('Qty Filled') ?? ''), idOf(cells('Order Number') ?? '')]
  const name = ['CDT', 'CST'].find((zone) => cells(`Update Time (${zone})`) !== undefined)
  const wall = wallOf(cells(`Update Time (${name ?? ''})`) ?? '')
  const account = accountIn(cells, known)
  if (product === undefined || side === undefined || qty === null || id === null || wall === null || account === null || !/^\d+(?:\.\d+)?$/.test(cells('Avg Fill Price') ?? '')) return none
  return { says: 'order', id, account, product, time: wall + (name === 'CDT' ? 5 : 6) * 3_600_000, side, qty, sum: plainAverage(cells, 'Avg Fill Price', product, qty) }
}

const readTradingView = (cells: Cells, { market, zone, account }: Known): Said | null => {
  const product = productNamed(market, ({ root, contract }) => `CME:${root}${contract.slice(root.length, -1)}2026` === cells('Symbol'))
  const [side, qty, id, time] = [{ Buy: 'buy' as const, Sell: 'sell' as const }[cells('Side') ?? ''], countOf(cells('Quantity') ?? ''), idOf(cells('Order ID') ?? ''), localOf(zone)(cells('Closing time') ?? '')]
  if (product === undefined || side === undefined || qty === null || id === null || time === null || account === null || cells('Status') !== 'Filled' || !/^\d+(?:\.\d+)?$/.test(cells('Fill price') ?? '')) return none
  return { says: 'order', id, account, product, time, side, qty, sum: plainAverage(cells, 'Fill price', product, qty) }
}

const readSierra = (cells: Cells, known: Known): Said | null => {
  const product = productNamed(known.market, ({ contract }) => contract.replace(/6$/, '26') === cells('Symbol'))
  const [account, id] = [accountIn(cells, known), /^(\d{3,})\.1$/.exec(cells('FillExecutionServiceID') ?? '')?.[1]]
  const at = /^(\d{4}-\d\d-\d\d) {2}(\d\d:\d\d:\d\d\.\d{3})\d{3}$/.exec(cells('TransDateTime') ?? '')
  const time = at === null ? Number.NaN : Date.parse(`${at[1] ?? ''}T${at[2] ?? ''}Z`)
  const [side, qty] = [{ Buy: 'buy' as const, Sell: 'sell' as const }[cells('BuySell') ?? ''], countOf(cells('FilledQuantity') ?? '')]
  const ticks = product === undefined ? null : ticksOf(cells('FillPrice') ?? '', product.tickSize)
  const held = cells('PositionQuantity') ?? ''
  if (product === undefined || account === null || id === undefined || Number.isNaN(time) || side === undefined || qty === null || ticks === null || !/^(?:|-?[1-9]\d*)$/.test(held) || cells('ActivityType') !== 'Fills') return none
  return { says: 'fill', from: 'grid', id, orderId: cells('InternalOrderID') ?? '', account, product, time, side, qty, ticks, fee: 0n, day: bookedOn(time), netAfter: Number(held) }
}

const readQuantower = (cells: Cells, known: Known): Said | null => {
  const product = productNamed(known.market, ({ contract }) => contract.replace(/6$/, '26') === cells('Symbol'))
  const [account, id, time] = [accountIn(cells, known), idOf(cells('Trade ID') ?? ''), localOf(known.zone)(cells('Date/Time') ?? '')]
  const [side, signed] = [{ Buy: 'buy' as const, Sell: 'sell' as const }[cells('Side') ?? ''], /^-?[1-9]\d*$/.test(cells('Quantity') ?? '') ? Number(cells('Quantity')) : 0]
  const ticks = product === undefined ? null : ticksOf(cells('Price') ?? '', product.tickSize)
  const [gross, fee, net] = ['Gross P/L', 'Fee', 'Net P/L'].map((name) => moneyOf(cells(name) ?? ''))
  if (product === undefined || account === null || id === null || time === null || side === undefined || signed === 0 || signed > 0 !== (side === 'buy') || ticks === null) return none
  if (gross === null || gross === undefined || fee === null || fee === undefined || fee < 0n || gross - fee !== net) return none
  return { says: 'fill', from: 'grid', id, orderId: cells('Order ID') ?? '', account, product, time, side, qty: Math.abs(signed), ticks, fee, day: bookedOn(time), netAfter: null, realized: gross }
}

const readMappedFill = (cells: Cells, known: Known): Said | null => {
  const product = productNamed(known.market, ({ contract }) => contract === cells('What'))
  const [account, id, time] = [accountIn(cells, known), idOf(cells('Execution') ?? ''), localOf(known.zone)(cells('When') ?? '')]
  const [side, qty, fee] = [{ Kauf: 'buy' as const, Verkauf: 'sell' as const }[cells('Way') ?? ''], countOf(cells('Lots') ?? ''), moneyOf(cells('Cost') ?? '')]
  const ticks = product === undefined ? null : ticksOf(cells('At') ?? '', product.tickSize)
  if (product === undefined || account === null || id === null || time === null || side === undefined || qty === null || ticks === null || fee === null || fee > 0n) return none
  return { says: 'fill', from: 'grid', id, orderId: '', account, product, time, side, qty, ticks, fee: -fee, day: bookedOn(time), netAfter: null }
}

const readMappedTrade = (cells: Cells, known: Known): Said | null => {
  const product = productNamed(known.market, ({ contract }) => contract === cells('What'))
  const local = localOf(known.zone)
  const [entry, exit] = [legIn(cells, ['In', 'Entered at'], local, product), legIn(cells, ['Out', 'Left at'], local, product)]
  const [net, fees, direction] = [moneyOf(cells('After costs') ?? ''), moneyOf(cells('Cost') ?? ''), cells('Way') ?? '']
  if (net === null || fees === null || fees < 0n || exit.time === null || dayOf(cells('Session') ?? '') !== bookedOn(exit.time)) return none
  return tradeOf({ key: [product?.contract, direction, entry.time, entry.ticks, exit.time, exit.ticks].join(), product, direction, qty: countOf(cells('Lots') ?? ''), entry, exit, gross: net + fees, fees, account: accountIn(cells, known), keyless: true })
}

const platformReaders = { 'mapped-fills': readMappedFill, 'mapped-trades': readMappedTrade, topstepx: readTopstepx, ninja: readNinja, atas: readAtas, rithmic: readRithmic, tradingview: readTradingView, sierra: readSierra, quantower: readQuantower } as const

const readers = { fills: readFill, grid: readGrid, orders: readOrder, performance: readPair, positions: readPair, cash: readCash, balances: readBalance, ...platformReaders } as const

/** What the rows of a file say: a row that is plainly broken says what the broker wrote there, since a reader must notice. Null where a column that is needed has no known name. */
export const saidBy = ({ name: file, kind, table, head, zone, account: whose, parts = [] }: Draft, market: Market, givenZone: string, isOneAccount: Known['isOneAccount']): readonly Said[] | null => {
  const read = readers[kind]
  const isReadable = table.rows.length === 0 || table.rows.some((row) => read(cellsOf(table.header, row), { market, zone: givenZone, account: whose, isOneAccount }) !== null)
  const broken = table.rows.length > 3 && !isReadable && table.rows.every((row) => !meansItsOrigin(row)) && table.header.join() !== head.join()
  if (broken) return null
  return table.rows.flatMap((row, index) => {
    const account = parts.findLast(({ from }) => index >= from)?.account ?? whose
    const asWritten = beforeTurn(row) ?? (meansItsOrigin(row) ? null : row)
    const own = asWritten === null || asWritten.length < table.header.length ? none : read(cellsOf(table.header, asWritten), { market, zone: givenZone, account, isOneAccount })
    const reading = own ?? read(cellsOf(head, originOf(row)), { market, zone, account, isOneAccount: () => true })
    return reading === null ? [] : [reading.says === 'trade' ? { ...reading, file } : reading]
  })
}

/** Whole seconds of a time, as files without milliseconds have it. */
export const secondOf = (time: number): number => Math.floor(time / 1000) * 1000


/** The names of accounts that the broker wrote into these files, and that none of their rows has any more. */
export const namesGone = (files: readonly Draft[]): ReadonlySet<string> => {
  const named = files.flatMap(({ table: { header, rows }, head }) => rows.map((row) => ({ was: nameIn(cellsOf(head, originOf(row))), is: nameIn(cellsOf(header, row)) })))
  const left = new Set(named.map(({ is }) => is))
  return new Set(named.flatMap(({ was }) => (left.has(was) ? [] : [was])))
}
