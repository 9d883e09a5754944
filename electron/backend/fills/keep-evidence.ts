import type { AccountKey } from '#shared/fills/fill.ts'
import type { KnownPosition, MissingFill } from '#shared/pnl/known-position.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import type { knownPositions, missingFills } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { openOutbox } from '../mirror/outbox.ts'
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

type PositionRow = Pick<SqlRow<typeof knownPositions>, 'contract' | 'time' | 'net'>
type MissingRow = Pick<SqlRow<typeof missingFills>, 'contract' | 'time'>

/** Saves evidence on positions and matches again what it puts in doubt or out of doubt, in the caller's transaction. */
export const keepEvidence = (writer: Writer, { userId, at, account, source, from, to, positions, missing }: Evidence): void => {
  const known = query<PositionRow>(writer, 'SELECT contract, time, net FROM known_positions WHERE user_id = ? AND account = ? AND source = ? AND time BETWEEN ? AND ?').all(userId, account, source, from, to)
  const lost = query<MissingRow>(writer, 'SELECT contract, time FROM missing_fills WHERE user_id = ? AND account = ? AND source = ? AND (time IS NULL OR time BETWEEN ? AND ?)').all(userId, account, source, from, to)
  if (sameRows(known, positions) && sameRows(lost, missing)) return
  change(writer, 'DELETE FROM known_positions WHERE user_id = ? AND account = ? AND source = ? AND time BETWEEN ? AND ?').run(userId, account, source, from, to)
  change(writer, 'DELETE FROM missing_fills WHERE user_id = ? AND account = ? AND source = ? AND (time IS NULL OR time BETWEEN ? AND ?)').run(userId, account, source, from, to)
  const putPosition = change(writer, 'INSERT OR REPLACE INTO known_positions (user_id, account, contract, source, time, net) VALUES (?, ?, ?, ?, ?, ?)')
  for (const { contract, time, net } of positions) putPosition.run(userId, account, contract, source, time, net)
  const putMissing = change(writer, 'INSERT INTO missing_fills (user_id, account, contract, source, time) VALUES (?, ?, ?, ?, ?)')
  for (const { contract, time } of missing) putMissing.run(userId, account, contract, source, time)
  const named = [...known, ...positions, ...lost, ...missing].map(({ contract }) => contract)
  const contracts = named.includes(null) ? contractsOf(writer, userId, account) : new Set(named.filter((contract) => contract !== null))
  const outbox = openOutbox(writer, userId, at)
  const deriving = openDeriving(writer, userId, outbox)
  for (const contract of contracts) deriving.derive({ account, spec: specOf(writer, userId, contract), dates: new Set(), fresh: new Map() })
  deriving.flush()
  outbox.flush()
}

const contractsOf = (reader: Reader, userId: string, account: AccountKey): ReadonlySet<string> =>
  new Set(query<{ contract: string }>(reader, 'SELECT DISTINCT contract FROM batches WHERE user_id = ? AND account = ?').all(userId, account).map(({ contract }) => contract))

const sameRows = (one: readonly object[], other: readonly object[]): boolean => {
  const texts = (rows: readonly object[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))).sort()
  return JSON.stringify(texts(one)) === JSON.stringify(texts(other))
}
