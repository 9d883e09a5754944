import { and, between, eq, isNull, or } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { KnownPosition, MissingFill } from '#shared/pnl/known-position.ts'
import type { Reader, Writer } from '../db/database.ts'
import { batches, knownPositions as positionTable, missingFills as missingTable } from '../db/schema/journal.ts'
import { openOutbox } from '../db/outbox.ts'
import { specOf } from './specs.ts'
import { openDeriving } from './derive-contract.ts'

/** The source of a net position or a missing fill: the broker's API, or the imports. */
type EvidenceSource = 'broker' | 'import'

/** Evidence on an account's positions beside its fills; replaces what the same source had for the time between `from` and `to` (UTC ms, inclusive). */
export type Evidence = {
  readonly userId: string
  readonly at: number
  readonly account: AccountKey
  readonly source: EvidenceSource
  readonly from: number
  readonly to: number
  readonly positions: readonly Omit<KnownPosition, 'account'>[]
  readonly missing: readonly Omit<MissingFill, 'account'>[]
}

/** Saves evidence on positions and matches again what it puts in doubt or out of doubt, in the caller's transaction. */
export const saveEvidence = (writer: Writer, { userId, at, account, source, from, to, positions, missing }: Evidence): void => {
  const { orm } = writer
  const positionsHere = and(eq(positionTable.userId, userId), eq(positionTable.account, account), eq(positionTable.source, source), between(positionTable.time, from, to))
  const missingHere = and(eq(missingTable.userId, userId), eq(missingTable.account, account), eq(missingTable.source, source), or(isNull(missingTable.time), between(missingTable.time, from, to)))
  const known = orm.select({ contract: positionTable.contract, time: positionTable.time, net: positionTable.net }).from(positionTable).where(positionsHere).all()
  const lost = orm.select({ contract: missingTable.contract, time: missingTable.time }).from(missingTable).where(missingHere).all()
  if (sameRows(known, positions) && sameRows(lost, missing)) return
  orm.delete(positionTable).where(positionsHere).run()
  orm.delete(missingTable).where(missingHere).run()
  const positionKey = [positionTable.userId, positionTable.account, positionTable.contract, positionTable.source, positionTable.time]
  for (const { contract, time, net } of positions) orm.insert(positionTable).values({ userId, account, contract, source, time, net }).onConflictDoUpdate({ target: positionKey, set: { net } }).run()
  for (const { contract, time } of missing) orm.insert(missingTable).values({ userId, account, contract, source, time }).run()
  const named = [...known, ...positions, ...lost, ...missing].map(({ contract }) => contract)
  const contracts = named.includes(null) ? contractsOf(writer, userId, account) : new Set(named.filter((contract) => contract !== null))
  const outbox = openOutbox(writer, userId, at)
  const deriving = openDeriving(writer, userId, outbox)
  for (const contract of contracts) deriving.derive({ account, spec: specOf(writer, userId, contract), dates: new Set(), fresh: new Map() })
  deriving.flush()
  outbox.flush()
}

const contractsOf = ({ orm }: Reader, userId: string, account: AccountKey): ReadonlySet<string> =>
  new Set(orm.selectDistinct({ contract: batches.contract }).from(batches).where(and(eq(batches.userId, userId), eq(batches.account, account))).all().map(({ contract }) => contract))

const sameRows = (one: readonly object[], other: readonly object[]): boolean => {
  const texts = (rows: readonly object[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))).sort()
  return JSON.stringify(texts(one)) === JSON.stringify(texts(other))
}
