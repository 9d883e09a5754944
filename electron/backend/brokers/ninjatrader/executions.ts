import { z } from 'zod'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ImportedFill } from '#shared/imports/assembly.ts'
import { deliveredContract } from '#shared/imports/contract-code.ts'
import { orderByPositions } from '#shared/imports/position-order.ts'
import { accountWithoutFirm } from '#shared/imports/row-cells.ts'
import { namedContractSpec, specInTicks, tickedContractSpec, type ContractSpec } from '#shared/market/contract-spec.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { parseAmount, type Amount } from '#shared/money/money.ts'
import { parsePrice, reprice } from '#shared/money/price.ts'
import type { KnownPosition } from '#shared/pnl/known-position.ts'
import type { Environment } from '#shared/sync/plan.ts'
import type { FetchedFills, KnownFill, SessionFees } from '../port.ts'
import { readRow, type RefusedRow } from '../rows.ts'
import type { Snapshot } from './snapshot.ts'

/** An account of NinjaTrader; `simulated` ones hold no money that anybody pays out. Times are UTC ms. */
export type FoundAccount = { readonly name: string; readonly simulated: boolean; readonly executions: number; readonly first: number | null; readonly last: number | null }

/** The journal's key of an account: `ninjatrader:live:APEX-1`. Its name is what NinjaTrader tells accounts apart by. */
export const accountKey = ({ name, simulated }: Pick<FoundAccount, 'name' | 'simulated'>): AccountKey => `ninjatrader:${environmentOf({ simulated })}:${name}` as AccountKey

/** Simulated accounts are those of NinjaTrader itself; a firm's evaluation is a live account to it. */
export const environmentOf = ({ simulated }: Pick<FoundAccount, 'simulated'>): Environment => (simulated ? 'demo' : 'live')

const isSimulated = (name: string): boolean => /^(?:sim|playback|backtest)/i.test(name)

/** Whether logins at other brokers, which have accounts of these names, reach an account too: connected by both it would count twice. */
export const isReachedElsewhere = ({ name }: Pick<FoundAccount, 'name'>, names: readonly string[]): boolean => names.includes(accountWithoutFirm(name))

// Raw SQL in this file: the snapshot has tables of NinjaTrader's, not of the journal's schema.
/** All accounts, those without an execution too. */
export const accountsIn = ({ database }: Snapshot): readonly FoundAccount[] => {
  const sql = `SELECT accounts.name, count(executions.id) AS executions, min(executions.ms) AS first, max(executions.ms) AS last FROM accounts
    LEFT JOIN executions ON executions.account = accounts.id WHERE accounts.name <> '' GROUP BY accounts.name ORDER BY last DESC, accounts.name`
  return (database.prepare(sql).all() as Omit<FoundAccount, 'simulated'>[]).map((account) => ({ ...account, simulated: isSimulated(account.name) }))
}

/** Executions whose account the database does not have: their owner is unknown. */
export const withoutAccount = ({ database }: Snapshot): readonly RefusedRow[] => {
  const sql = `SELECT COALESCE(nullif(executions.executionId, ''), 'row-' || executions.id) AS id FROM executions LEFT JOIN accounts ON accounts.id = executions.account
    WHERE COALESCE(accounts.name, '') = '' ORDER BY executions.place DESC`
  return (database.prepare(sql).all() as { id: string }[]).map(({ id }) => ({ entity: 'fill', id, reason: 'no-account', field: 'Account' }))
}

const monthCodes = 'FGHJKMNQUVXZ'
const [earliestDelivery, latestDelivery] = [1990, 2089]
const hour = 3_600_000

const instrumentRow = z.object({ id: z.number(), root: z.string().regex(/^[A-Z0-9]{1,8}$/i), pointValue: z.number().positive(), tickSize: z.number().positive(), expiryMs: z.number().int() })

/** What an instrument is, or why its executions cannot be priced. `contract-differs`: NinjaTrader prices it by other figures than the exchange. */
type Instrument = ContractSpec | 'no-contract' | 'contract-differs'

/** All instruments by their ids. */
export const instrumentsIn = ({ database }: Snapshot): ReadonlyMap<number, Instrument> =>
  new Map((database.prepare('SELECT * FROM instruments').all() as { id: number }[]).map((row) => [row.id, instrumentOf(row)]))

const instrumentOf = (row: unknown): Instrument => {
  const { data } = instrumentRow.safeParse(row)
  if (data === undefined) return 'no-contract'
  // The first of its month at midnight by the computer's clock, wherever that was.
  const month = new Date(data.expiryMs + 14 * hour)
  const [year, ofYear] = [month.getUTCFullYear(), month.getUTCMonth()]
  // A continuous contract has the year 9999: it is no delivery.
  if (!(year >= earliestDelivery && year <= latestDelivery)) return 'no-contract'
  const contract = deliveredContract(`${data.root.toUpperCase()}${monthCodes[ofYear] ?? ''}${String(year % 10)}`, year * 100 + ofYear + 1)
  const known = namedContractSpec(contract, data.root)
  const tickSize = decimal(data.tickSize)
  // NinjaTrader has no currency of a point: for contracts that the table lacks the user states it.
  if (known.source !== 'table') return specInTicks(known, tickSize) ?? 'no-contract'
  const stated = tickedContractSpec(contract, { tickSize, tickValue: decimal(data.tickSize * data.pointValue) })
  if (stated === null) return 'contract-differs'
  const isEqual = Number(stated.tickSize) === Number(known.tickSize) && stated.tickValue.num * known.tickValue.den === known.tickValue.num * stated.tickValue.den
  return isEqual ? known : 'contract-differs'
}

// Ten places are finer than any tick; what lies beyond is the noise of a floating-point product. From 1e21 on, the text would have an exponent.
const decimal = (value: number): string => (Math.abs(value) < mostWorth ? value.toFixed(10).replace(/\.?0+$/, '') : String(value))

// In 1/10,000 of a currency: beyond it the P&L of a trade, or sums with it, could not be kept exactly.
const mostWorth = 1_000_000_000_000_000

const executionRow = z.object({
  id: z.number().int(),
  instrument: z.number().int(),
  executionId: z.string().max(200).nullable(),
  twin: z.number().int(),
  orderId: z.string().max(200).nullable(),
  action: z.number().int().nullable(),
  position: z.number().int().nullable(),
  change: z.number().int().nullable(),
  qty: z.number().int().positive(),
  price: z.number(),
  commission: z.number().nullable(),
  fee: z.number().nullable(),
  ms: z.number().int().positive(),
})
type ExecutionRow = z.infer<typeof executionRow>

const [buys, sells] = [[0, 3], [1, 2]]

/** By the order; without one by the change of the position, if that is the whole execution. */
const sideOfExecution = ({ action, change, qty }: ExecutionRow): 'buy' | 'sell' | null => {
  if (action !== null) return buys.includes(action) ? 'buy' : sells.includes(action) ? 'sell' : null
  return change === qty ? 'buy' : change === -qty ? 'sell' : null
}

/** Commission plus fee. If both are 0, no commissions were entered in NinjaTrader, so the cost is unknown; a negative one is no cost. */
const feeOf = ({ commission, fee }: ExecutionRow): Amount | null | 'unreadable' => {
  const amount = parseAmount(decimal((commission ?? 0) + (fee ?? 0)), 'half-even')
  return amount.ok ? (amount.value <= 0 || Math.min(commission ?? 0, fee ?? 0) < 0 ? null : amount.value) : 'unreadable'
}

/** Fills of an account in NinjaTrader's order. */
export type FoundFills = Omit<FetchedFills, 'asked' | 'received' | 'positions'> & {
  /** NinjaTrader's own id of each fill. */
  readonly ownIds: readonly string[]
  /** The position after each fill; null if NinjaTrader states none. */
  readonly netAfter: readonly (number | null)[]
  /** The positions before all fills, by contract. */
  readonly heldBefore: ReadonlyMap<string, number>
}

/** The id of an execution that shares its own id with another one. */
const idAt = (id: string, ms: number): string => `${id}~${String(ms)}`

/** How far NinjaTrader's and the journal's time of one execution may differ, ms: NinjaTrader corrects times by what the broker reports later. */
const correctedWithin = 10_000

type ExecutionFacts = Pick<FetchedFills['fills'][number], 'time' | 'side' | 'qty' | 'orderId'>
type IsSame = (one: ExecutionFacts, other: ExecutionFacts) => boolean

const isAtOnce: IsSame = (one, other) => one.time === other.time
const isCorrected: IsSame = (one, other) => one.orderId === other.orderId && one.side === other.side && one.qty === other.qty && Math.abs(one.time - other.time) < correctedWithin

/** Ways to tell whether two executions of one id are the same, the surest first. */
const sameness: readonly IsSame[] = [(one, other) => isAtOnce(one, other) && isCorrected(one, other), isAtOnce, isCorrected]

/** Fills as they are read, each with NinjaTrader's own id of its execution. */
type NamedFills = Pick<FoundFills, 'fills' | 'ownIds'>

/**
 * The fills under the ids that the journal has them by. Only one that it lacks gets a new id, with its time where another execution has its own.
 * `doubles` are what the journal has of one of them under further ids: they count no more.
 */
export const underKnownIds = ({ fills, ownIds }: NamedFills, known: readonly KnownFill[]): { readonly fills: FetchedFills['fills']; readonly doubles: FetchedFills['fills'] } => {
  // A file names an execution by the second, and in a zone that the user gave.
  const kept = known.filter(({ source }) => source === 'api').toSorted((one, other) => Number(other.active) - Number(one.active) || (one.id < other.id ? -1 : 1))
  const wanted = new Set(ownIds)
  const keptOf = Map.groupBy(kept, ({ id }) => (wanted.has(id) ? id : id.replace(/~\d+$/, '')))
  const ids = new Map<FetchedFills['fills'][number], string>()
  const doubles: FetchedFills['fills'][number][] = []
  for (const [ownId, group] of Map.groupBy(fills, (_, index) => ownIds[index] ?? '')) {
    const candidates = keptOf.get(ownId) ?? []
    const taken = new Set<string>()
    for (const isSame of sameness) {
      for (const fill of group) {
        const id = ids.has(fill) ? undefined : candidates.find((one) => !taken.has(one.id) && isSame(one, fill))?.id
        if (id === undefined) continue
        ids.set(fill, id)
        taken.add(id)
      }
    }
    for (const one of candidates.filter(({ id }) => !taken.has(id))) {
      const fill = group.find((other) => ids.has(other) && isCorrected(one, other))
      if (fill !== undefined) doubles.push({ ...fill, id: one.id, active: false })
      taken.add(one.id)
    }
    for (const fill of group.filter((one) => !ids.has(one))) {
      let { id } = fill
      for (let ms = fill.time; taken.has(id); ms += 1) id = idAt(ownId, ms)
      ids.set(fill, id)
      taken.add(id)
    }
  }
  return { fills: fills.map((fill) => ({ ...fill, id: ids.get(fill) ?? fill.id })), doubles }
}

/** The fills at times that keep NinjaTrader's order if their ids would not, and the positions that show whether one is missing. */
export const inOrder = ({ fills, netAfter, heldBefore }: Pick<FoundFills, 'fills' | 'netAfter' | 'heldBefore'>): { readonly fills: FetchedFills['fills']; readonly positions: readonly KnownPosition[] } => {
  const imported = fills.map((fill): ImportedFill => ({ ...fill, orderId: fill.orderId === null ? null : String(fill.orderId), since: fill.time }))
  const places = new Map(imported.map((fill, rank) => [fill, { rank, ...(typeof netAfter[rank] === 'number' ? { netAfter: netAfter[rank] } : {}) }]))
  const ordered = orderByPositions(imported, (fill) => places.get(fill) ?? {}, (contract) => heldBefore.get(contract) ?? 0)
  return { fills: fills.map((fill, index) => ({ ...fill, ...timeOf(ordered.fills[index] ?? fill) })), positions: ordered.positions }
}

/** The new and changed fills; `specs` has the tick sizes of their prices. A fee is taken if the journal has none, or if NinjaTrader stated another one before (`feesBefore`, by id): another computer may have a better one from a file. */
export const newOrChanged = (fills: FetchedFills['fills'], specs: readonly ContractSpec[], known: readonly KnownFill[], feesBefore: SessionFees['fees'] = {}): FetchedFills['fills'] => {
  const own = new Map(known.map((fill) => [fill.id, fill]))
  const tickSizes = new Map(specs.map(({ contract, tickSize }) => [contract, tickSize]))
  return fills.filter((fill) => {
    const kept = own.get(fill.id)
    return kept?.source !== 'api' || facts.some((fact) => kept[fact] !== fill[fact]) || reprice(kept.price, kept.tickSize, tickSizes.get(fill.contract) ?? kept.tickSize) !== fill.price || kept.ambiguous !== (fill.ambiguous ?? false) || (kept.active && !fill.active) || (fill.fee !== null && kept.fee !== fill.fee && (kept.fee === null || (feesBefore[fill.id] ?? fill.fee) !== fill.fee))
  })
}

/** The fees of fills by their sessions. */
export const feesOf = (account: AccountKey, fills: FetchedFills['fills']): readonly SessionFees[] =>
  [...Map.groupBy(fills, ({ time }) => tradingDay(time))].map(([day, own]) => ({ account, tradingDay: day, fees: Object.fromEntries(own.map(({ id, fee }) => [id, fee])) }))

const facts = ['contract', 'time', 'side', 'qty', 'orderId'] as const

const timeOf = ({ time, ambiguous }: Pick<Fill, 'time' | 'ambiguous'>): Pick<Fill, 'time' | 'ambiguous'> => ({ time, ...(ambiguous === true ? { ambiguous } : {}) })

/** What NinjaTrader says that an account held of the contracts of these instruments before a moment, UTC ms. */
const heldBefore = ({ database }: Snapshot, account: FoundAccount, contracts: ReadonlyMap<number, string>, from: number): ReadonlyMap<string, number> => {
  const sql = `SELECT executions.position, executions.place FROM accounts JOIN executions ON executions.account = accounts.id AND executions.instrument = ? AND executions.ms < ?
    WHERE accounts.name = ? AND typeof(executions.position) = 'integer' ORDER BY executions.ms DESC, executions.place DESC LIMIT 1`
  const last = database.prepare(sql)
  const found = [...contracts].flatMap(([instrument, contract]) => (last.all(instrument, from, account.name) as { position: number; place: number }[]).map((row) => ({ ...row, contract })))
  // A contract may have two instruments.
  return new Map(found.toSorted((one, other) => one.place - other.place).map(({ contract, position }) => [contract, position]))
}

/** Fills of an account from a moment to another (UTC ms, the last not included); what cannot be read is refused by name and the others go on. */
export const fillsIn = (snapshot: Snapshot, instruments: ReadonlyMap<number, Instrument>, account: FoundAccount, { from, to }: { readonly from: number; readonly to: number }): FoundFills => {
  const fills: FetchedFills['fills'][number][] = []
  const ownIds: string[] = []
  const netAfter: (number | null)[] = []
  const specs = new Map<string, ContractSpec>()
  const contracts = new Map<number, string>()
  const refused: RefusedRow[] = []
  const sql = `SELECT executions.* FROM executions JOIN accounts ON accounts.id = executions.account WHERE accounts.name = ? AND (executions.ms >= ? AND executions.ms < ?${to === Infinity ? ' OR executions.ms IS NULL' : ''}) ORDER BY executions.place`
  for (const cells of snapshot.database.prepare(sql).iterate(account.name, from, to)) {
    const read = readRow('fill', executionRow, cells)
    if ('refusal' in read) {
      refused.push(read.refusal)
      continue
    }
    const { row } = read
    // A simulation that was begun again gives its ids again; without an id the row is one.
    const ownId = row.executionId === null || row.executionId === '' ? `row-${String(row.id)}` : row.executionId
    const id = ownId !== row.executionId || row.twin === 0 ? ownId : idAt(ownId, row.ms)
    const refuse = (reason: RefusedRow['reason'], field: string): void => void refused.push({ entity: 'fill', id, reason, field })
    const spec = instruments.get(row.instrument) ?? 'no-contract'
    const [side, fee] = [sideOfExecution(row), feeOf(row)]
    if (typeof spec === 'string') refuse(spec, 'Instrument')
    else if (side === null) refuse('not-buy-or-sell', 'OrderAction')
    else if (fee === 'unreadable') refuse('amount-unreadable', 'Commission')
    else {
      const price = parsePrice(decimal(row.price), spec.tickSize)
      if (!price.ok) {
        refuse('price-off-tick', 'Price')
        continue
      }
      if (Math.abs(price.value) * (spec.tickValue.num / spec.tickValue.den) * row.qty > mostWorth) {
        refuse('amount-unreadable', 'Quantity')
        continue
      }
      specs.set(spec.contract, spec)
      contracts.set(row.instrument, spec.contract)
      ownIds.push(ownId)
      netAfter.push(row.position)
      fills.push({ id, account: accountKey(account), contract: spec.contract, time: row.ms, qty: row.qty, price: price.value, fee, side, active: true, source: 'api', orderId: row.orderId, contractId: null, tradeDate: null })
    }
  }
  return { fills, specs: [...specs.values()], refused, ownIds, netAfter, heldBefore: heldBefore(snapshot, account, contracts, from) }
}
