import fc from 'fast-check'
import { expect } from 'vitest'
import { reconcile, type Reconciliation } from '#shared/reconcile/reconcile.ts'
import { drawOf } from '#tests/helpers/exports/draw.ts'
import { writeExports, type ExportFile } from '#tests/helpers/exports/exports.ts'
import { importFiles, type Imported } from '#tests/helpers/exports/import-files.ts'
import { dollarProducts } from '#tests/helpers/exports/products.ts'
import { plainMoney, withCell } from '#tests/helpers/exports/table.ts'
import { centsOf, truthOf, type Rounds, type Truth } from '#tests/helpers/exports/truth.ts'
import { drawWorld } from '#tests/helpers/exports/world.ts'

const seeds = fc.integer({ min: 1, max: 1_000_000 })
const zones = fc.constantFrom('America/New_York', 'Europe/Berlin', 'UTC', 'Asia/Kolkata', 'Australia/Lord_Howe')

// Notes of which one tick is worth parts of a cent.
const halfCents = dollarProducts.filter(({ root }) => root === 'ZN').flatMap((note) => [
  { ...note, lot: 1 },
  { ...note, root: 'ZF', contract: 'ZFH6', description: '5 Year U.S. Treasury Notes', tickSize: '0.0078125', places: 7, tickValue: 78_125n, lot: 1 },
])
const towardZero: Rounds = (units) => units / 100n
const halfEven: Rounds = (units) => {
  const [whole, rest] = [units / 100n, units % 100n]
  const away = units < 0n ? -1n : 1n
  const [size, twice] = [whole < 0n ? -whole : whole, (rest < 0n ? -rest : rest) * 2n]
  return twice > 100n || (twice === 100n && size % 2n === 1n) ? whole + away : whole
}
const roundings = [centsOf, halfEven, towardZero]

const grossOn = ({ pairs }: Truth, date: string): bigint => pairs.filter(({ bookedOn }) => bookedOn === date).reduce((sum, { cents }) => sum + cents, 0n)

type Case = readonly [name: string, hold: (numRuns: number) => Promise<void>]

const property = <Ts extends [unknown, ...unknown[]]>(...args: Parameters<typeof fc.asyncProperty<Ts>>): Case[1] => (numRuns) => fc.assert(fc.asyncProperty(...args), { numRuns })

const checked = ({ assembly, pairs }: Imported): Reconciliation => reconcile(assembly, pairs)

const expectGreen = ({ pairs, days, pairsChecked, pairsEqual }: Reconciliation): void => {
  expect(pairs.filter(({ equal }) => !equal)).toEqual([])
  expect(days.filter(({ state }) => state === 'differs')).toEqual([])
  expect(pairsEqual).toBe(pairsChecked)
}

const tradedDays = ({ pairs }: Truth): number => new Set(pairs.map(({ account, bookedOn }) => `${account.name} ${bookedOn}`)).size

/** A cell of money one cent above what stood there. */
const oneCentMore = (file: ExportFile, row: number, column: string): ExportFile => {
  const text = file.table.rows[row]?.[file.table.header.indexOf(column)] ?? ''
  const digits = BigInt(text.replaceAll(/\D/g, ''))
  return { ...file, table: withCell(file.table, row, column, plainMoney((/[(-]/.test(text) ? -digits : digits) + 1n)) }
}

const cellOf = ({ table }: ExportFile, row: number, column: string): string => table.rows[row]?.[table.header.indexOf(column)] ?? ''

const rowsWhere = ({ table }: ExportFile, column: string, holds: (cell: string) => boolean): readonly number[] => table.rows.flatMap((cells, row) => (holds(cells[table.header.indexOf(column)] ?? '') ? [row] : []))

/** All files of a world, one of a kind, by their kind. */
const oneOfEach = (seed: number, zone: string, kinds: Parameters<typeof writeExports>[3]) => {
  const world = drawWorld(seed, { accounts: 2 })
  const truth = truthOf(world)
  const files = writeExports(drawOf(seed), world, truth, kinds, { zone, cut: false })
  const file = (kind: ExportFile['kind']): ExportFile => files.find((each) => each.kind === kind) ?? files.slice(0, 1).reduce((first) => first)
  return { world, truth, files, file, swap: (changed: ExportFile) => files.map((each) => (each.kind === changed.kind ? changed : each)) }
}

const account = (key: string): string => key.replace(/^file:/, '')

/** What reconciliation shows, over worlds in which the broker's figures are right or one of them is a cent off. */
export const reconcileCases: readonly Case[] = [
  [
    'all reconciled: every fill pair and every day of the broker',
    property(seeds, zones, fc.subarray(['performance', 'cash-history'] as const), async (seed, zone, beside) => {
      const world = drawWorld(seed)
      const truth = truthOf(world)
      const files = writeExports(drawOf(seed), world, truth, ['fills', 'position-history', 'account-balance-history', ...beside], { zone, cut: false })
      const result = checked(await importFiles(files, zone))
      expectGreen(result)
      expect(result.pairs.filter(({ by }) => by === 'fills').length).toBe(truth.pairs.length)
      if (beside.includes('cash-history')) expect(result.days.filter(({ state }) => state === 'equal').length).toBeGreaterThanOrEqual(tradedDays(truth))
    }),
  ],
  [
    'reconciled too if the broker books the fees of an opening on its own day',
    property(seeds, zones, async (seed, zone) => {
      const world = drawWorld(seed, { products: dollarProducts })
      const files = writeExports(drawOf(seed), world, truthOf(world), ['fills', 'account-balance-history'], { zone, cut: false, nightFees: 'with-opening' })
      expectGreen(checked(await importFiles(files, zone)))
    }),
  ],
  [
    'to the cent with ticks of half a cent, however the broker rounds its fill pairs and whichever file shows that',
    property(seeds, zones, fc.constantFrom(...roundings), fc.constantFrom('position-history' as const, 'cash-history' as const), async (seed, zone, rounds, shows) => {
      const world = drawWorld(seed, { products: halfCents })
      const truth = truthOf(world, rounds)
      const result = checked(await importFiles(writeExports(drawOf(seed), world, truth, ['fills', shows, 'account-balance-history'], { zone, cut: false }), zone))
      expectGreen(result)
      expect(result.closed.reduce((sum, { gross }) => sum + BigInt(gross), 0n)).toBe(truth.pairs.reduce((sum, { cents }) => sum + cents * 100n, 0n))
    }),
  ],
  [
    'a note without reported fill pairs is rounded half away from zero, and differs by exactly those cents if its broker rounds in another way',
    property(seeds, zones, async (seed, zone) => {
      const world = drawWorld(seed, { products: halfCents, accounts: 1, allFlat: true })
      const [usual, truth] = [truthOf(world), truthOf(world, towardZero)]
      const off = (date: string): bigint => grossOn(usual, date) - grossOn(truth, date)
      const { days } = checked(await importFiles(writeExports(drawOf(seed), world, truth, ['fills', 'account-balance-history'], { zone, cut: false }), zone))
      for (const { tradingDay, difference, state, broker, unexplained } of days) {
        if (broker.netFrom === null) continue
        // A payout, or a day beside it that the broker's file leaves out, moves the total by more than trades.
        const equal = unexplained === null ? 'equal' : 'unchecked'
        expect([tradingDay, BigInt(difference ?? 0), state]).toEqual([tradingDay, off(tradingDay) * 100n, off(tradingDay) === 0n ? equal : 'differs'])
      }
    }),
  ],
  [
    'Orders of calm traders match the Cash History in all fill pairs and days, and are still marked approximate',
    property(seeds, zones, async (seed, zone) => {
      const world = drawWorld(seed, { temper: 'calm', accounts: 2, products: dollarProducts })
      const truth = truthOf(world)
      const result = checked(await importFiles(writeExports(drawOf(seed), world, truth, ['orders', 'cash-history'], { zone, cut: false }), zone))
      // Where a broker charges nothing no row has the session of an opening on a holiday: the fee of the table that was taken for it differs on the day before.
      const closing = new Set(result.closed.map((pair) => `${pair.account} ${pair.tradingDay}`))
      const days = result.days.filter((day) => closing.has(`${day.account} ${day.tradingDay}`))
      expectGreen({ ...result, days })
      expect(result.pairsChecked).toBe(truth.pairs.length)
      expect(days.filter(({ difference, state, reason }) => difference !== 0 || state !== 'unchecked' || reason !== 'approximate')).toEqual([])
      expect(days.length).toBe(tradedDays(truth))
    }),
  ],
  [
    'a fill pair that the broker reports a cent higher is the only one that differs, and its day opens to it',
    property(seeds, zones, fc.nat(), async (seed, zone, at) => {
      const { truth, file, swap } = oneOfEach(seed, zone, ['fills', 'position-history'])
      const history = file('position-history')
      // Of equal prices a result of a cent is no difference: the row is refused, since it contradicts itself.
      const isEven = (row: number): boolean => cellOf(history, row, 'Buy Price') === cellOf(history, row, 'Sell Price')
      const rows = rowsWhere(history, 'Pair ID', (cell) => cell !== '').filter((row) => cellOf(history, row, 'Contract') !== 'WWJH6' && !isEven(row))
      fc.pre(rows.length > 0)
      const row = rows[at % rows.length] ?? 0
      const result = checked(await importFiles(swap(oneCentMore(history, row, 'P/L')), zone))
      const red = result.pairs.filter(({ equal }) => !equal)
      expect(red.map(({ buyFillId, sellFillId }) => [buyFillId, sellFillId])).toEqual([[cellOf(history, row, 'Buy Fill ID'), cellOf(history, row, 'Sell Fill ID')]])
      expect([result.pairsChecked, result.pairsEqual]).toEqual([truth.pairs.length, truth.pairs.length - 1])
      expect(Number(red[0]?.broker?.gross) - Number(red[0]?.fillbook?.gross)).toBe(100)
    }),
  ],
  [
    'a day that the broker reports a cent higher is the only day that differs, by that cent',
    property(seeds, zones, fc.nat(), async (seed, zone, at) => {
      const { truth, file, swap } = oneOfEach(seed, zone, ['fills', 'account-balance-history'])
      const balances = file('account-balance-history')
      const traded = new Set(truth.pairs.filter(({ product }) => product.contract !== 'WWJH6').map((pair) => `${pair.account.name} ${pair.bookedOn}`))
      const unknown = new Set(truth.pairs.filter(({ product }) => product.contract === 'WWJH6').map((pair) => `${pair.account.name} ${pair.bookedOn}`))
      const rows = balances.table.rows.flatMap((cells, row) => (traded.has(`${cells[1] ?? ''} ${cells[2] ?? ''}`) && !unknown.has(`${cells[1] ?? ''} ${cells[2] ?? ''}`) ? [row] : []))
      fc.pre(rows.length > 0)
      const row = rows[at % rows.length] ?? 0
      const before = new Set(checked(await importFiles(swap(balances), zone)).days.filter(({ state }) => state === 'differs'))
      const red = checked(await importFiles(swap(oneCentMore(balances, row, 'Total Realized PNL')), zone)).days.filter(({ state }) => state === 'differs')
      expect(red.length).toBe(before.size + 1)
      const own = red.filter((day) => account(day.account) === cellOf(balances, row, 'Account Name') && day.tradingDay === cellOf(balances, row, 'Trade Date'))
      expect(own.map(({ difference }) => Math.round(Number(difference) / 100))).toEqual([-1])
    }),
  ],
  [
    'a fee that the Cash History has a cent higher, in its balances too, makes its day differ, which opens to the contract',
    property(seeds, zones, fc.nat(), async (seed, zone, at) => {
      const { file, swap } = oneOfEach(seed, zone, ['fills', 'position-history', 'cash-history'])
      const cash = file('cash-history')
      const fees = rowsWhere(cash, 'Cash Change Type', (cell) => /Fee|Commission/.test(cell))
      fc.pre(fees.length > 0)
      const row = fees[at % fees.length] ?? 0
      const later = rowsWhere(cash, 'Account', (cell) => cell === cellOf(cash, row, 'Account')).filter((one) => one >= row)
      const result = checked(await importFiles(swap(later.reduce((changed, one) => oneCentMore(changed, one, 'Amount'), oneCentMore(cash, row, 'Delta'))), zone))
      expect(result.pairs.filter(({ equal }) => !equal)).toEqual([])
      const red = result.days.filter(({ state }) => state === 'differs')
      expect(red.map((day) => [account(day.account), day.tradingDay])).toEqual([[cellOf(cash, row, 'Account'), cellOf(cash, row, 'Date')]])
      expect(red[0]?.fees.map(({ fillbook, broker }) => fillbook - Number(broker))).toEqual([100])
      expect(red[0]?.fees[0]?.contract).toContain(cellOf(cash, row, 'Contract'))
    }),
  ],
  [
    'a row of the Cash History that is a cent off, or missing, breaks the chain of balances: its day is never equal, and the break names its row',
    property(seeds, zones, fc.nat(), fc.constantFrom('cent', 'drop'), async (seed, zone, at, how) => {
      const { file, swap } = oneOfEach(seed, zone, ['fills', 'cash-history', 'account-balance-history'])
      const cash = file('cash-history')
      // Only between two rows of one account can a chain show it.
      const inner = rowsWhere(cash, 'Delta', (cell) => /[1-9]/.test(cell)).filter((row) => [row - 1, row + 1].every((near) => cellOf(cash, near, 'Account') === cellOf(cash, row, 'Account')))
      fc.pre(inner.length > 0)
      const row = inner[at % inner.length] ?? 0
      const changed = how === 'cent' ? oneCentMore(cash, row, 'Delta') : { ...cash, table: { ...cash.table, rows: cash.table.rows.toSpliced(row, 1) } }
      const days = checked(await importFiles(swap(changed), zone)).days.filter((day) => account(day.account) === cellOf(cash, row, 'Account'))
      expect(days.filter((day) => day.tradingDay === cellOf(cash, row, 'Date') && day.state === 'equal')).toEqual([])
      const named = new Set([row - 1, row, row + 1].map((near) => cellOf(cash, near, 'Transaction ID')))
      for (const { broken } of days) if (broken !== null) expect(named.has(broken.transactionId) || named.has(broken.after)).toBe(true)
    }),
  ],
  [
    'a fill at a wrong price makes just its own pairs red',
    property(seeds, zones, fc.nat(), async (seed, zone, at) => {
      const { truth, file, swap } = oneOfEach(seed, zone, ['fills', 'position-history'])
      const fills = file('fills')
      const paired = new Set(truth.pairs.filter(({ product }) => product.contract !== 'WWJH6').flatMap(({ buy, sell }) => [buy.id, sell.id]))
      const rows = rowsWhere(fills, 'Fill ID', (id) => paired.has(id))
      fc.pre(rows.length > 0)
      const row = rows[at % rows.length] ?? 0
      const [id, tick] = [cellOf(fills, row, 'Fill ID'), Number(cellOf(fills, row, '_tickSize'))]
      // In both columns: a row whose columns contradict each other is refused.
      const wrong = String(Number(cellOf(fills, row, '_price')) + tick)
      const result = checked(await importFiles(swap({ ...fills, table: withCell(withCell(fills.table, row, '_price', wrong), row, 'Price', wrong) }), zone))
      const red = result.pairs.filter(({ equal }) => !equal)
      expect(red.length).toBe(truth.pairs.filter(({ buy, sell }) => buy.id === id || sell.id === id).length)
      expect(red.every(({ buyFillId, sellFillId }) => buyFillId === id || sellFillId === id)).toBe(true)
    }),
  ],
]
