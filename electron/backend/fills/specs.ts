import { and, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import { hasPartsOfCents } from '#shared/imports/pair-rounding.ts'
import type { CentRounding } from '#shared/money/cents.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { contractSpecOf, isUncertain, namedContractSpec, pointValueSpec, specInTicks, type ContractSpec, type PointValue, type SpecSource } from '#shared/market/contract-spec.ts'
import { reprice } from '#shared/money/price.ts'
import { eachRow, query, type Reader, type Writer } from '../db/database.ts'
import { accounts, specs } from '../db/schema/brokerage.ts'
import { fills } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { queueChange } from '../db/outbox.ts'

type SpecRow = SqlRow<typeof specs>

const trust: Record<SpecSource, number> = { broker: 4, file: 3, user: 2, table: 1, unknown: 0 }

/** Ranks figures by their source, the most trusted highest: a guess by a part of the contract's name ranks below unknown figures. */
export const trustRank = ({ source, rootIsWhole }: ContractSpec): number => (source === 'table' && !rootIsWhole ? -1 : trust[source])

// Of the table's figures only the tick size is stored: the rest is always today's table.
const toSpec = (row: SpecRow): ContractSpec => {
  const { contract, root, root_is_whole: isWhole, source, tick_size: tickSize, rounding } = row
  if (source === 'broker' || source === 'file') return keptFigures(row)
  const today = specInTicks(namedContractSpec(contract, isWhole === 1 ? root : null), tickSize)
  return today === null ? keptFigures(row) : { ...today, rounding }
}

const keptFigures = (row: SpecRow): ContractSpec => ({
  contract: row.contract,
  root: row.root,
  rootIsWhole: row.root_is_whole === 1,
  currency: row.currency,
  tickSize: row.tick_size,
  tickValue: { num: row.tick_value_num, den: row.tick_value_den },
  feePerSide: row.fee_per_side,
  rounding: row.rounding,
  source: row.source,
})

/** A contract's stored figures, or null. */
export const keptSpec = (reader: Reader, userId: string, contract: string): ContractSpec | null => {
  // Raw SQL, and so in `withPointValue`: the benchmark `mirror` asks for the figures of every fill that comes.
  const row = query<SpecRow>(reader, 'SELECT * FROM specs WHERE user_id = ? AND contract = ?').get(userId, contract)
  return row === undefined ? null : toSpec(row)
}

/** A contract's figures: stored ones, else the contract table's; if neither is certain about the point value, with the user's. */
export const specOf = (reader: Reader, userId: string, contract: string): ContractSpec => withPointValue(reader, userId, keptSpec(reader, userId, contract) ?? contractSpecOf(contract))

/** The same figures with the user's point value, if no one knows it better. */
export const withPointValue = (reader: Reader, userId: string, spec: ContractSpec): ContractSpec => {
  if (!isUncertain(spec)) return spec
  const own = query<PointValue>(reader, 'SELECT amount, currency FROM point_values WHERE user_id = ? AND product = ? AND amount IS NOT NULL').get(userId, wholeRootOf(spec.contract))
  return (own === undefined ? null : pointValueSpec(spec, own)) ?? spec
}

const figuresOf = ({ contract, root, rootIsWhole, currency, tickSize, tickValue, feePerSide, source, rounding }: ContractSpec) => ({
  contract, root, rootIsWhole, currency, tickSize, tickValueNum: tickValue.num, tickValueDen: tickValue.den, feePerSide, source, rounding,
})

/** Whether two specs of a contract are the same. */
export const isSameSpec = (one: ContractSpec, other: ContractSpec): boolean => JSON.stringify(figuresOf(one)) === JSON.stringify(figuresOf(other))

/** Whether the prices of a contract's fills fit a spec's ticks. */
export const fitsFills = (reader: Reader, userId: string, { contract, tickSize }: ContractSpec): boolean => {
  // Naming the accounts lets SQLite use the index of batches.
  const own = reader.orm.select({ key: accounts.key }).from(accounts).where(eq(accounts.userId, userId))
  const prices = reader.orm
    .selectDistinct({ price: fills.price, from: fills.tickSize })
    .from(fills)
    .where(and(eq(fills.userId, userId), eq(fills.contract, contract), ne(fills.tickSize, tickSize), inArray(fills.account, own)))
  for (const { price, from } of eachRow(reader, prices)) if (reprice(price, from, tickSize) === null) return false
  return true
}

/** How the broker rounds similar contracts, by their stored figures; null if none shows it. */
const shownRounding = ({ orm }: Reader, userId: string, spec: ContractSpec): CentRounding | null =>
  hasPartsOfCents(spec) ? (orm.select({ rounding: specs.rounding }).from(specs).where(and(eq(specs.userId, userId), isNotNull(specs.rounding))).get()?.rounding ?? null) : null

/**
 * Saves a contract's figures if they are better than or correct those in use, and returns whether that changed its
 * trades' results. Rejects figures whose ticks do not fit the existing fills. Takes the broker's rounding from any
 * source that shows it, and keeps it if another does not.
 */
export const saveSpec = (writer: Writer, userId: string, at: number, spec: ContractSpec): boolean => {
  const kept = keptSpec(writer, userId, spec.contract)
  const before = kept ?? contractSpecOf(spec.contract)
  const isBetter = trustRank(spec) >= trustRank(before) && fitsFills(writer, userId, spec)
  const wanted = { ...(isBetter ? spec : before), rounding: spec.rounding ?? before.rounding ?? shownRounding(writer, userId, spec) }
  const same = isSameSpec(before, wanted)
  if (same && (kept !== null || !isBetter)) return false
  const figures = figuresOf(wanted)
  writer.orm.insert(specs).values({ userId, ...figures }).onConflictDoUpdate({ target: [specs.userId, specs.contract], set: figures }).run()
  queueChange(writer, userId, at, 'spec', spec.contract)
  return !same
}
