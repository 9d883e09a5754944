import { compareText } from '#shared/base/compare-text.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { runUnsliced, type Sliced } from '#shared/base/sliced.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { feeFactsOf } from '#shared/fills/merge.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { fileAccount, settleAccounts, type KeyOfName } from './accounts.ts'
import { compareImported, type Assembly, type ImportedFill, type ImportWarning, type Placed, type RowConflict, keyOf } from './assembly.ts'
import { feesAtOtherTimes, unevenFees, withCashFees } from './cash-fees.ts'
import { settleContracts, type Priced, type PricedContracts } from './contracts.ts'
import { balanceKey, distinctBalances, distinctCash, distinctFills, distinctOrders, distinctPairs, fillKey, maxPlaces, orderKey, placeOf, placesInOrder, wholeKey, contradictingParts, withoutSplitParts, type Distinct } from './distinct.ts'
import { fillsOnce, ordersOnce, type PlatformFills } from './beyond-known.ts'
import { byIssuer, isBrokersId, issuerOf, wholeIdOf } from './fill-ids.ts'
import { mergeFillIds, withBrokerIds } from './platform-fill-ids.ts'
import { isClosedTrade, isLeg, legsInSequence, legsOfTrades, tradesOfFiles } from './trade-legs.ts'
import { markUncertainOrder, orderFillIds, uncoveredOrders, type UncoveredOrder } from './order-fills.ts'
import { fillsOfPairs, mergePairFillIds } from './pair-fills.ts'
import { withRounding } from './pair-rounding.ts'
import { countedTwice, daysOfContradicting, daysOfOrders, daysOfRefused, onDays } from './doubtful-days.ts'
import { distinctPositions, miscounted, missingFills, statedPositions } from './missing-fills.ts'
import type { BalanceReading, CashReading, FillReading, OrderReading, PairReading, PositionReading, Reading, RefusedReading, RowLocation } from './reading.ts'
import { afterLowerIds, orderByPositions, type RowOrder } from './position-order.ts'
import { misdated, withTradeDates } from './trade-dates.ts'
import { hasSession } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { amountOf } from '#shared/money/money.ts'

/** How many days without a file a warning names. */
const daysNamed = 10

/** Rithmic exports one day per file and no position: a day that is missing between two others shows nowhere else. */
const daysWithoutFile = (fills: readonly ImportedFill[], names: ReadonlyMap<AccountKey, string>): readonly Extract<ImportWarning, { code: 'days-without-file' }>[] => {
  const orders = fills.filter(({ orderId }) => orderId?.startsWith('rithmic-') === true)
  return [...Map.groupBy(orders, ({ account }) => account)].flatMap(([account, own]) => {
    const traded = new Set(own.map(({ time }) => dayOfDate(tradingDay(time))))
    const [first, last] = [Math.min(...traded), Math.max(...traded)]
    const missing = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((day) => !traded.has(day)).map(isoDate).filter(hasSession)
    return missing.length === 0 ? [] : [{ code: 'days-without-file', account: names.get(account) ?? account, days: missing.slice(0, daysNamed), of: missing.length }]
  })
}

/** The account name of rows that name none, if the user did not either. */
export const unnamedAccount = 'unnamed'

/**
 * Assembles the readings of all files. The result depends neither on their order nor on duplicates: fill rows come first, then what pairs add, then
 * what orders add beyond both. `account` names the account of rows that name none.
 */
export const assemble = (readings: readonly Reading[], naming: { readonly account: string | null }): Assembly => runUnsliced(assembling([...readings], naming))

/** The account of rows that name none, the key for an account name, and the fills whose missing fees are warned of: all if none are given. */
type Naming = { readonly account: string | null; readonly keyOfName?: KeyOfName; readonly warnsOfFees?: (fill: ImportedFill) => boolean }

/**
 * Like `assemble`, but yields between its steps; after the first, each covers the rows of at most one account. `readings` is emptied as soon as its
 * rows are grouped by account, so that a large journal is not held in memory twice.
 */
export function* assembling(readings: Reading[], { account, keyOfName = fileAccount, warnsOfFees = () => true }: Naming): Sliced<Assembly> {
  const { names, withoutName, contracts, take } = yield* placing(readings, account ?? unnamedAccount, keyOfName)
  const byAccount = new Map<AccountKey, AccountAssembly>()
  for (const key of names.keys()) {
    yield
    byAccount.set(key, yield* assemblingAccount(take(key), contracts, warnsOfFees))
  }
  const all = [...byAccount.values()]
  yield
  const sorted = all.flatMap((one) => one.fills).sort(compareImported)
  const sum = (pick: (one: AccountAssembly) => number): number => all.reduce((total, one) => total + pick(one), 0)
  const twice = countedTwice(sorted, (key) => byAccount.get(key)?.fills.length ?? 0)
  return {
    fills: sorted,
    specs: contracts.specs,
    pairs: all.flatMap((one) => one.pairs),
    cash: all.flatMap((one) => one.cash),
    balances: all.flatMap((one) => one.balances),
    positions: all.flatMap((one) => one.positions),
    missing: all.flatMap((one) => one.missing),
    doubtful: [...all.flatMap((one) => one.doubtful), ...twice.days],
    retimed: all.flatMap((one) => one.retimed),
    accounts: names,
    warnings: [
      ...mismatched(all.flatMap(({ zoneMismatches }) => zoneMismatches)),
      ...contradictions(sum(({ contradicted }) => contradicted), all.flatMap(({ conflicts }) => conflicts)),
      ...located('order-contradicts', all.flatMap(({ contradictingOrders }) => contradictingOrders)),
      ...(account === null && withoutName > 0 ? [{ code: 'account-unnamed' as const, account: unnamedAccount, rows: withoutName }] : []),
      ...twice.warnings.map(({ accounts, rows }) => ({ code: 'accounts-alike' as const, accounts: accounts.map((key) => names.get(key) ?? key), rows })),
      ...daysWithoutFile(sorted, names),
      ...contractWarnings(contracts),
      ...feeWarnings(all.map(({ estimated }) => estimated)),
      ...located('fees-unplaced', all.flatMap(({ unplacedFees }) => unplacedFees)),
      ...located('fees-differ', all.flatMap(({ feeConflicts }) => feeConflicts.flat()), sum(({ feeConflicts }) => feeConflicts.length)),
    ],
  }
}

type PlacedRows = {
  /** The names of all accounts by their keys. */
  readonly names: ReadonlyMap<AccountKey, string>
  /** How many rows name no account. */
  readonly withoutName: number
  readonly contracts: Pick<PricedContracts, 'specs' | 'unclear' | 'selfValued' | 'differing'>
  /** Takes an account's rows out; once per account. */
  readonly take: (account: AccountKey) => AccountRows
}

/** Rows by account, prices in ticks of their contracts' specs. */
function* placing(readings: Reading[], fallbackName: string, keyOfName: KeyOfName): Sliced<PlacedRows> {
  const accounts = settleAccounts(readings, fallbackName, keyOfName)
  yield
  const names = new Map<AccountKey, string>()
  const products = new Map<string, Set<string>>()
  const prefix = keyOfName('').length
  let withoutName = 0
  const placed = <R extends Reading>(reading: R): Placed<R> => {
    const key = accounts.of(reading)
    if (key === accounts.fallback && reading.account.name === null && reading.account.id === null) withoutName += 1
    if (!names.has(key)) names.set(key, key.slice(prefix))
    return { ...reading, account: key }
  }
  const priced = <R extends PricedReading>(reading: R): Placed<R> => {
    // From here on the contract's spec has the product: of two rows of one fill, maybe only one names it.
    const { product, ...rest } = placed(reading)
    if (product !== undefined) getOrInsert(products, reading.contract, () => new Set()).add(product)
    return rest as Placed<R>
  }
  const fills = readingsOf(readings, 'fill').map(priced)
  yield
  const orders = readingsOf(readings, 'order').map(priced)
  yield
  const pairs = readingsOf(readings, 'pair').map(priced)
  yield
  const cash = Map.groupBy(readingsOf(readings, 'cash').map(placed), accountOf)
  const balances = Map.groupBy(readingsOf(readings, 'balance').map(placed), accountOf)
  const refused = Map.groupBy(readingsOf(readings, 'refused').map(placed), accountOf)
  const positions = Map.groupBy(readingsOf(readings, 'position').map(placed), accountOf)
  readings.length = 0
  yield
  const { unclear, selfValued, differing, ...settled } = settleContracts({ fills, orders, pairs }, products)
  yield
  const specs = withRounding(settled.specs, settled.pairs, [...cash.values()].flat())
  yield
  const [fillsOf, ordersOf, pairsOf] = [Map.groupBy(settled.fills, accountOf), Map.groupBy(settled.orders, accountOf), Map.groupBy(settled.pairs, accountOf)]
  return {
    names,
    withoutName,
    contracts: { specs, unclear, selfValued, differing },
    take: (key) => ({
      fills: taken(fillsOf, key),
      orders: taken(ordersOf, key),
      pairs: taken(pairsOf, key),
      cash: taken(cash, key),
      balances: taken(balances, key),
      refused: taken(refused, key),
      positions: taken(positions, key),
    }),
  }
}

type PricedReading = FillReading | OrderReading | PairReading

const taken = <R>(rows: Map<AccountKey, R[]>, account: AccountKey): readonly R[] => {
  const own = rows.get(account) ?? []
  rows.delete(account)
  return own
}

const accountOf = ({ account }: { readonly account: AccountKey }): AccountKey => account

/** One account's rows, prices in ticks of their contracts' specs. */
type AccountRows = Priced & {
  readonly cash: readonly Placed<CashReading>[]
  readonly balances: readonly Placed<BalanceReading>[]
  readonly refused: readonly Placed<RefusedReading>[]
  readonly positions: readonly Placed<PositionReading>[]
}

/** One account's part of the assembly, and the rows that its warnings name. */
type AccountAssembly = Pick<Assembly, 'fills' | 'pairs' | 'cash' | 'balances' | 'positions' | 'missing' | 'doubtful' | 'retimed'> & {
  readonly zoneMismatches: readonly RowLocation[]
  readonly estimated: EstimatedFees
  readonly contradicted: number
  readonly conflicts: readonly RowConflict[]
  readonly contradictingOrders: readonly RowLocation[]
  readonly unplacedFees: readonly RowLocation[]
  readonly feeConflicts: readonly (readonly RowLocation[])[]
}

/** Assembles one account: once contracts are resolved, accounts are independent. */
function* assemblingAccount(rows: AccountRows, { specs, selfValued }: PlacedRows['contracts'], warnsOfFees: NonNullable<Naming['warnsOfFees']>): Sliced<AccountAssembly> {
  // Each record once, however many files have it, and each fill under one id.
  const brokerPairs = rows.pairs.filter((pair) => !isClosedTrade(pair))
  const closedTrades = tradesOfFiles(rows.pairs.filter(isClosedTrade))
  const ownRows = rows.fills.filter((row) => !isMirrored(row))
  const underBrokerIds = withBrokerIds(ownRows, brokerPairs)
  const mergedFills = mergeFillIds(underBrokerIds)
  const fills = distinctFills(withoutSplitParts(mergedFills.fills))
  const splitParts = contradictingParts(mergedFills.fills)
  const wholes = new Set([...fills.rows.values()].map(wholeKey))
  yield
  const orders = distinctOrders(rows.orders)
  const dates = misdated(rows.pairs)
  const mergedPairs = mergePairFillIds(brokerPairs, [...fills.rows.values()])
  const pairs = distinctPairs([...mergedPairs.pairs, ...closedTrades.trades])
  yield
  const cash = distinctCash(rows.cash)
  const balances = distinctBalances(rows.balances)
  yield
  const readable = { fills: fills.rows, orders: orders.rows, pairs: pairs.rows, cash: cash.rows, balances: balances.rows }
  const [allPairs, allCash] = [[...pairs.rows.values()], [...cash.rows.values()]]

  // All fills once: those of fill rows, then what pairs, platforms, and orders add.
  const uncovered = uncoveredOrders([...orders.rows.values()], fills.rows.values())
  yield
  const pairFills = fillsOfPairs(allPairs.filter((pair) => !isClosedTrade(pair)), (key) => fills.rows.has(key) || wholes.has(key))
  const placesOf = placesById(readable)
  const ofFills = withMirrored([...fills.rows.values()].map(fillOf), underBrokerIds)
  const ofPlatforms = [...ofFills.filter(({ id }) => !isBrokersId(id)), ...legsOfTrades(allPairs.filter(isClosedTrade))]
  const mirrored = ownRows.length === rows.fills.length ? noMirrored : mirroredFills(rows.fills.filter(isMirrored), {
    hasFill: hasFillOf(new Set([...pairFills.fills, ...ofPlatforms].map(({ id }) => id)), (key) => fills.rows.has(key) || wholes.has(key)),
    hasOrder: hasOrderOf(orders.rows, ofFills),
  })
  const renamed = renamedFills(ownRows, underBrokerIds)
  const parts = byIssuer([...ofPlatforms, ...mirrored.ofPlatforms], ({ id }) => id).flatMap(([issuer, all]): readonly PlatformFills[] => [
    { fills: all.filter((fill) => fill.mirrored !== true), recognized: renamed.get(issuer) ?? [] },
    { fills: all.filter((fill) => fill.mirrored === true), mirrored: true },
  ]).filter((part) => part.fills.length > 0)
  const once = fillsOnce([{ fills: [...ofFills.filter(({ id }) => isBrokersId(id)), ...pairFills.fills, ...mirrored.ofPairs] }, ...parts], placesOf)
  yield
  const withOrders = ordersOnce(once.fills, [...uncovered.rests, ...mirrored.ofOrders], isLoose(orders.rows), placesOf)
  yield

  // In matching order, with sessions and fees.
  const pairedIds = new Set(allPairs.flatMap(({ buy, sell }) => [buy.fillId, sell.fillId]))
  const inSequence = [...withOrders.fills.filter((fill) => !isLeg(fill)), ...legsInSequence(withOrders.fills.filter(isLeg))]
  const marked = markUncertainOrder(afterLowerIds(inSequence), ({ id }) => pairedIds.has(wholeIdOf(id) ?? id))
  const ordered = orderByPositions(marked, (fill) => fills.rows.get(fillKey({ account: fill.account, fillId: fill.id })) ?? nowhere)
  yield
  const dated = withTradeDates(ordered.fills, allPairs, allCash)
  yield
  const charged = withCashFees(dated, allCash, specs)
  yield

  const contradicting = [...uncovered.contradicting, ...withOrders.contradicting]
  const isContradicted = ({ account, id }: ImportedFill): boolean => [fills, splitParts].some(({ contradicted }) => contradicted.has(fillKey({ account, fillId: id })))
  const records = [fills, splitParts, orders, pairs, cash, balances]
  const merges = [mergedPairs, mergedFills, dates, closedTrades, once, withOrders]
  return {
    fills: [...charged.fills].sort(compareImported),
    pairs: [...allPairs.filter(({ contract }) => !selfValued.has(contract)).map((pair) => (provesNoDay(pair, specs) ? { ...pair, fees: undefined } : pair)), ...[...fills.rows.values()].flatMap(statedPair)],
    cash: allCash,
    balances: [...balances.rows.values()].map((row) => ({ ...row, contradicted: balances.contradicted.has(balanceKey(row)) })),
    positions: distinctPositions([...ordered.positions, ...statedPositions(rows.positions, dated)]),
    missing: [
      ...missingFills(rows.refused, readable),
      ...miscounted([...fills.apart, ...splitParts.apart], uncovered.miscounted, dated),
      ...mergedPairs.missing,
      ...mergedFills.missing,
      ...once.missing,
      ...withOrders.missing,
      ...withOrders.astray.map(({ fill: { account, contract, time }, order: { filledAt } }) => ({ account, contract, time: Math.min(time, filledAt) })),
    ],
    doubtful: [
      ...daysOfRefused(rows.refused, readable),
      ...daysOfContradicting({ fills: charged.fills, isContradicted, orders, pairs, cash }),
      ...daysOfOrders(contradicting, charged.fills),
      ...onDays(feesAtOtherTimes(dated, allCash, specs), 'contradicting-rows'),
      ...pairFills.contradicted,
      ...once.days,
      ...withOrders.days,
      ...closedTrades.doubtful,
      ...mergedPairs.days,
      ...mergedFills.days,
      ...dates.contradicted,
      ...onDays(charged.lacking, 'fees-uncertain'),
      ...onDays(unevenFees(dated), 'fees-uneven'),
    ],
    retimed: once.retimed,
    zoneMismatches: [...timesApart(allPairs, fills), ...withOrders.astray.map(({ order }) => order)].map(placeOf),
    estimated: estimatedFees(charged.fills.filter((fill) => fill.fee === null && fill.active && warnsOfFees(fill)), specs, readable),
    contradicted: records.reduce((sum, { contradicted }) => sum + contradicted.size, pairFills.contradicted.length + merges.reduce((sum, { apart }) => sum + apart.length, 0)),
    conflicts: [...records, pairFills, ...merges].flatMap(({ apart }) => apart),
    contradictingOrders: contradicting.map(placeOf),
    unplacedFees: charged.unplaced.map(placeOf),
    feeConflicts: [...fills.feeConflicts.values(), ...pairs.feeConflicts.values(), ...once.feeConflicts, ...withOrders.feeConflicts],
  }
}

/** The fills, marking those without a row from a file on this computer or from the API. */
const withMirrored = (fills: readonly ImportedFill[], rows: readonly Placed<FillReading>[]): readonly ImportedFill[] => {
  if (rows.every(({ mirrored }) => mirrored === undefined)) return fills
  const here = new Set(rows.flatMap(({ fillId, mirrored }) => (mirrored === undefined ? [fillId] : [])))
  return fills.map((fill) => (here.has(fill.id) ? fill : { ...fill, mirrored: true }))
}

const hasFillOf = (ids: ReadonlySet<string>, isKnown: (key: string) => boolean) => ({ account, fillId }: Placed<FillReading>): boolean => ids.has(fillId) || isKnown(fillKey({ account, fillId }))

const hasOrderOf = (orders: ReadonlyMap<string, unknown>, fills: readonly ImportedFill[]) => {
  const ofFills = new Set(fills.map(({ orderId }) => orderId))
  return ({ account, orderId }: Placed<FillReading>): boolean => orderId !== null && (ofFills.has(orderId) || orders.has(orderKey({ account, orderId })))
}

/** The platforms' fills that turned out to be the broker's, by platform. */
const renamedFills = (before: readonly Placed<FillReading>[], after: readonly Placed<FillReading>[]): ReadonlyMap<string, readonly Placed<FillReading>[]> => {
  const renamed = before === after ? [] : before.filter(({ fillId }, index) => after[index]?.fillId !== fillId)
  return Map.groupBy(new Map(renamed.map((fill) => [fill.fillId, fill])).values(), ({ fillId }) => issuerOf(fillId))
}

/** A pair proves no day if its file names no session, its account is only assumed, or its contract's value is known by such pairs alone. */
const provesNoDay = ({ accountAssumed, unproved, tradeDate, contract }: Placed<PairReading>, specs: ReadonlyMap<string, ContractSpec>): boolean =>
  accountAssumed === true || unproved === true || tradeDate === null || specs.get(contract)?.source === 'file'

/** A platform's P&L of a closing fill, as a pair that knows only that fill; it is compared with other pairs by second. */
const statedPair = ({ fillId, time, price, realized, account, contract, qty, tickSize, tradeDate, file, line }: Placed<FillReading>): readonly Placed<PairReading>[] => {
  if (realized === undefined) return []
  const [buy, sell] = [{ fillId, time, price }, { fillId: '', time, price }]
  return [{ says: 'pair', account, pairId: null, contract, buy, sell, qty, tickSize, pnl: realized, currency: null, tradeDate, ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) }]
}

const nowhere: RowOrder = {}

const readingsOf = <S extends Reading['says']>(readings: readonly Reading[], says: S): readonly Extract<Reading, { says: S }>[] =>
  readings.filter((reading): reading is Extract<Reading, { says: S }> => reading.says === says)

/** Whether a fill is active and its order unknown: it names none, or an id of the platform's own. */
const isLoose = (orders: ReadonlyMap<string, unknown>) => ({ account, active, orderId }: ImportedFill): boolean => active && (orderId === null || (!isBrokersId(orderId) && !orders.has(orderKey({ account, orderId }))))

const fillOf = ({ fillId, account, contract, time, side, qty, price, fee, otherFees, feeFrom, active, orderId, tradeDate }: Placed<FillReading>): ImportedFill => ({
  id: fillId, account, contract, time, side, qty, price, fee, active, source: 'fills-file',
  orderId, tradeDate, since: time,
  ...feeFactsOf({ otherFees, feeFrom }),
})

/** The pairs whose time differs from the exact time of their fill: their local times were read in a wrong zone. */
const timesApart = (pairs: Iterable<Placed<PairReading>>, fills: Distinct<Placed<FillReading>>): readonly Placed<PairReading>[] => {
  const apart: Placed<PairReading>[] = []
  for (const pair of pairs) {
    const differs = [pair.buy, pair.sell].some(({ fillId, time }) => {
      const fill = fills.rows.get(fillKey({ account: pair.account, fillId }))
      return fill !== undefined && Math.abs(fill.time - time) > 1000
    })
    if (differs) apart.push(pair)
  }
  return apart
}

const mismatched = (places: readonly RowLocation[]): readonly ImportWarning[] => (places.length === 0 ? [] : [{ code: 'zone-mismatch', rows: places.length, at: placesInOrder(places).slice(0, maxPlaces), shift: null }])

type KnownRows = { readonly fills: ReadonlyMap<string, Placed<FillReading>>; readonly orders: ReadonlyMap<string, Placed<OrderReading>>; readonly pairs: ReadonlyMap<string, Placed<PairReading>> }

/** An account's fills with a commission from the contract table, the first of their rows and how many these are; and the contracts that the table has none for. */
type EstimatedFees = { readonly fills: number; readonly at: readonly RowLocation[]; readonly of: number; readonly unknown: readonly string[] }

const estimatedFees = (withoutFee: readonly ImportedFill[], specs: ReadonlyMap<string, ContractSpec>, known: KnownRows): EstimatedFees => {
  const isUnknown = ({ contract }: ImportedFill): boolean => specs.get(contract)?.feePerSide === 0
  const charged = withoutFee.filter((fill) => !isUnknown(fill))
  return { fills: charged.length, at: rowsOf(charged.toSorted(compareImported).slice(0, maxPlaces), known), of: rowCount(charged, known), unknown: withoutFee.filter(isUnknown).map(({ contract }) => contract) }
}

/** Finds the row of a fill, leg, or order by its id. */
const placesById = ({ fills, orders, pairs }: KnownRows) => {
  let places: Map<string, RowLocation> | null = null
  const all = (): Map<string, RowLocation> => new Map([
    ...[...pairs.values()].flatMap((pair) => [[pair.buy.fillId, placeOf(pair)], [pair.sell.fillId, placeOf(pair)]] as const),
    ...[...orders.values()].flatMap((order) => [order.orderId, ...orderFillIds(order.orderId)].map((id) => [id, placeOf(order)] as const)),
    ...[...fills.values()].map((fill) => [fill.fillId, placeOf(fill)] as const),
  ])
  return (id: string): readonly RowLocation[] => {
    // Lazy: most accounts have no conflict.
    const place = (places ??= all()).get(id)
    return place === undefined ? [] : [place]
  }
}

/** The rows of some fills of one account. */
const rowsOf = (fills: readonly ImportedFill[], known: KnownRows): readonly RowLocation[] => {
  const ofPairs = idsOfPairs(fills)
  const rows = fills.flatMap(({ id, account, source, orderId }) => {
    const row = source === 'orders-file' ? known.orders.get(orderKey({ account, orderId: orderId ?? '' })) : known.fills.get(fillKey({ account, fillId: id }))
    return row === undefined ? [] : [placeOf(row)]
  })
  if (ofPairs.size > 0) for (const pair of known.pairs.values()) if (ofPairs.has(pair.buy.fillId) || ofPairs.has(pair.sell.fillId)) rows.push(placeOf(pair))
  return rows
}

const idsOfPairs = (fills: readonly ImportedFill[]): ReadonlySet<string> => new Set(fills.flatMap(({ id, source }) => (source === 'pairs-file' ? [id] : [])))

/** The number of rows of some fills of one account: one each, except that the fills of one order, or of one fill pair, share a row. */
const rowCount = (fills: readonly ImportedFill[], { pairs }: KnownRows): number => {
  const ofPairs = idsOfPairs(fills)
  const orders = new Set(fills.flatMap(({ source, orderId }) => (source === 'orders-file' ? [orderId] : [])))
  const own = fills.filter(({ source }) => source !== 'orders-file' && source !== 'pairs-file').length
  return own + orders.size + (ofPairs.size === 0 ? 0 : [...pairs.values()].filter(({ buy, sell }) => ofPairs.has(buy.fillId) || ofPairs.has(sell.fillId)).length)
}

const contradictions = (rows: number, conflicts: readonly RowConflict[]): readonly ImportWarning[] => (rows === 0 ? [] : [{ code: 'contradicting-rows', rows, conflicts: conflicts.slice(0, maxPlaces) }])

const located = (code: 'fees-unplaced' | 'fees-differ' | 'order-contradicts', places: readonly RowLocation[], rows = places.length): readonly ImportWarning[] =>
  rows === 0 ? [] : [{ code, rows, at: placesInOrder(places).slice(0, maxPlaces), of: places.length }]

const listed = (code: 'unknown-contract' | 'value-unclear' | 'value-from-trades' | 'partial-root' | 'commission-unknown', contracts: Iterable<string>): readonly ImportWarning[] => {
  const names = [...new Set(contracts)].sort()
  return names.length === 0 ? [] : [{ code, contracts: names }]
}

const contractWarnings = ({ specs, unclear, selfValued, differing }: PlacedRows['contracts']): readonly ImportWarning[] => {
  const all = [...specs.values()]
  return [
    ...listed('unknown-contract', all.filter(({ source }) => source === 'unknown').map(({ contract }) => contract)),
    ...listed('partial-root', all.filter(({ rootIsWhole }) => !rootIsWhole).map(({ contract }) => contract)),
    ...listed('value-unclear', unclear),
    ...listed('value-from-trades', selfValued),
    ...(differing.length === 0 ? [] : [{ code: 'value-differs' as const, values: [...differing].sort((one, other) => compareText(one.contract, other.contract)) }]),
  ]
}

const feeWarnings = (estimated: readonly EstimatedFees[]): readonly ImportWarning[] => {
  const [fills, rows] = [estimated.reduce((sum, one) => sum + one.fills, 0), estimated.reduce((sum, one) => sum + one.of, 0)]
  const at = placesInOrder(estimated.flatMap((one) => one.at)).slice(0, maxPlaces)
  return [...(fills === 0 ? [] : [{ code: 'commission-from-table' as const, fills, at, of: rows }]), ...listed('commission-unknown', estimated.flatMap(({ unknown }) => unknown))]
}

/** Whether a fill of another computer's files is more than a row of a Fills report with the broker's id: only then can fills here be the same under other ids. */
const isMirrored = ({ mirrored, fillId }: Placed<FillReading>): boolean => mirrored !== undefined && (mirrored !== 'fills-file' || !isBrokersId(fillId))

/** Fills that another computer made of its files, beyond those of this computer's files by id: fills of the broker's pairs, of platforms, and of orders. */
type MirroredFills = { readonly ofPairs: readonly ImportedFill[]; readonly ofPlatforms: readonly ImportedFill[]; readonly ofOrders: readonly UncoveredOrder[] }

/** Nothing from other computers. */
const noMirrored: MirroredFills = { ofPairs: [], ofPlatforms: [], ofOrders: [] }

/** What this computer's own files have: ids of fills, and of orders. */
type KnownFills = { readonly hasFill: (fill: Placed<FillReading>) => boolean; readonly hasOrder: (fill: Placed<FillReading>) => boolean }

/** Sorts fills of another computer's files of one account by what they were made of. */
const mirroredFills = (rows: readonly Placed<FillReading>[], { hasFill, hasOrder }: KnownFills): MirroredFills => {
  const fills = rows.filter((row) => !hasFill(row))
  const ofOrders = fills.filter((row) => row.mirrored === 'orders-file' && !hasOrder(row))
  const others = fills.filter(({ mirrored }) => mirrored !== 'orders-file').map(mirroredFill)
  return {
    ofPairs: others.filter(({ id }) => isBrokersId(id)),
    ofPlatforms: others.filter(({ id }) => !isBrokersId(id)),
    ofOrders: [...Map.groupBy(ofOrders, ({ orderId, fillId, contract, side }) => keyOf(orderId ?? fillId, contract, side)).values()].flatMap(orderOf),
  }
}

const mirroredFill = (row: Placed<FillReading>): ImportedFill => ({ ...fillOf(row), source: row.mirrored ?? 'fills-file', mirrored: true })

/** The order of its stand-in fills; when it was placed is not known here. */
const orderOf = (rows: readonly Placed<FillReading>[]): readonly UncoveredOrder[] => {
  const [first] = rows
  if (first === undefined) return []
  const { account, contract, side, tickSize, time, fillId, orderId } = first
  const sumOf = (of: (row: Placed<FillReading>) => number): number => rows.reduce((sum, row) => sum + of(row), 0)
  const [qty, priceSum] = [sumOf((row) => row.qty), sumOf((row) => row.price * row.qty)]
  const fee = rows.some((row) => row.fee === null) ? {} : { fee: amountOf(sumOf((row) => row.fee ?? 0)) }
  const order = { says: 'order' as const, account, orderId: orderId ?? fillId, contract, placedAt: time, filledAt: time, side, qty, priceSum, tickSize, currency: null, ...fee }
  return [{ order, qty, priceSum, mirrored: rows.map(mirroredFill) }]
}
