import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccountKey } from '#shared/fills/fill.ts'
import { contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import { isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import { atomically, change, query, type Writer } from './database.ts'
import { deriveAgain, keepSpecs } from './derive-again.ts'
import { fillsOfAccount, putInTicks, type PricedFill } from './fill-rows.ts'
import { followOrders, type Succession } from './follow-orders.ts'
import { ensureFileAccounts, isFileAccount, joinConnected, leaveFileAccounts, whoseIs } from './import-accounts.ts'
import type { Settled } from './import-calls.ts'
import { noteUnsettled, standingReadings, type KeptReading } from './imports.ts'
import { noteChange } from './outbox.ts'
import { putTogether, type PutTogether } from './put-together.ts'
import { settleGroup, type FillChange, type GroupSettled } from './settle-group.ts'
import { fitsFills, isSameSpec, keptSpec, reprice } from './specs.ts'
import { deriveStale } from './stale-batches.ts'
import type { Taking } from './take-fills.ts'
import { ruledFills } from './told-fills.ts'
import { zoneOf } from './zone.ts'

const changesInGroup = 5_000
const readingsInTurn = 20_000

/** Whether fills of a user have to be put together anew. */
export const isUnsettled = (writer: Writer, userId: string): boolean => query(writer, 'SELECT 1 FROM imports_unsettled WHERE user_id = ?').get(userId) !== undefined

const settled = (writer: Writer, userId: string): void => {
  change(writer, 'DELETE FROM imports_unsettled WHERE user_id = ?').run(userId)
}

/**
 * Makes the journal hold what was told without imports and what all standing imports say, put together anew, in groups
 * of whole batches. Until the last is done the user is marked as unsettled, so that a program that dies goes on with it.
 */
export const settleImports = async ({ writer, barrier }: Taking, userId: string, at: number): Promise<Settled> => {
  atomically(writer, () => {
    noteUnsettled(writer, userId, at)
  })
  const whole = putTogether(writer, userId, await allReadings(writer, userId))
  const { changes, successions } = atomically(writer, () => {
    joinConnected(writer, userId, at, whoseIs(writer, userId))
    ensureFileAccounts(writer, userId, at, [...whole.assembly.accounts.keys()].filter(isFileAccount))
    keepFileSpecs(writer, userId, at, whole)
    return changesOf(writer, userId, whole)
  })
  const done: GroupSettled[] = []
  for (const group of groupsOf(writer, userId, changes)) {
    done.push(atomically(writer, () => settleGroup(writer, barrier, { userId, at, changes: group })))
    barrier('group-committed', writer.database)
    await nextTurn()
  }
  atomically(writer, () => {
    for (const succession of successions) followOrders(writer, userId, at, succession)
    leaveFileSpecs(writer, userId, at, whole)
    leaveFileAccounts(writer, userId, at, whole.named)
    settled(writer, userId)
  })
  await deriveStale({ writer, barrier }, userId, at)
  const sum = (pick: (one: GroupSettled) => GroupSettled['fills']): GroupSettled['fills'] =>
    done.map(pick).reduce((one, other) => ({ added: one.added + other.added, changed: one.changed + other.changed, removed: one.removed + other.removed }), { added: 0, changed: 0, removed: 0 })
  return {
    ...{ fills: sum(({ fills }) => fills), pairs: sum(({ pairs }) => pairs), trips: sum(({ trips }) => trips) },
    offTick: done.reduce((total, { offTick }) => total + offTick, 0),
    warnings: whole.assembly.warnings,
  }
}

const allReadings = async (writer: Writer, userId: string): Promise<readonly KeptReading[]> => {
  const all: KeptReading[] = []
  let sinceTurn = 0
  for (const part of standingReadings(writer, userId)) {
    for (const reading of part) all.push(reading)
    sinceTurn += part.length
    if (sinceTurn < readingsInTurn) continue
    sinceTurn = 0
    await nextTurn()
  }
  return all
}

/** Figures that only the imports tell. Where the broker told its own, these stand. */
const wantedSpecs = (writer: Writer, userId: string, { assembly }: PutTogether): ContractSpec[] =>
  [...assembly.specs.values()].filter((spec) => !isSameSpec(spec, contractSpecOf(spec.contract)) && keptSpec(writer, userId, spec.contract)?.source !== 'broker')

const importedSpecs = (writer: Writer, userId: string): Set<string> =>
  new Set(query<{ contract: string }>(writer, 'SELECT contract FROM imported_specs WHERE user_id = ?').all(userId).map(({ contract }) => contract))

const keepFileSpecs = (writer: Writer, userId: string, at: number, whole: PutTogether): void => {
  const ours = importedSpecs(writer, userId)
  const wanted = wantedSpecs(writer, userId, whole).filter(({ contract }) => ours.has(contract) || keptSpec(writer, userId, contract) === null)
  keepSpecs(writer, userId, at, wanted)
  const note = change(writer, 'INSERT OR IGNORE INTO imported_specs (user_id, contract) VALUES (?, ?)')
  for (const { contract } of wanted) note.run(userId, contract)
}

/** Takes away figures that no import tells any more; what they changed is derived again by the table's. */
const leaveFileSpecs = (writer: Writer, userId: string, at: number, whole: PutTogether): void => {
  const wanted = new Set(wantedSpecs(writer, userId, whole).map(({ contract }) => contract))
  const forget = change(writer, 'DELETE FROM imported_specs WHERE user_id = ? AND contract = ?')
  for (const contract of importedSpecs(writer, userId)) {
    const table = contractSpecOf(contract)
    const isBrokers = keptSpec(writer, userId, contract)?.source === 'broker'
    if (!isBrokers && (wanted.has(contract) || !fitsFills(writer, userId, table))) continue
    forget.run(userId, contract)
    if (isBrokers) continue
    change(writer, 'DELETE FROM specs WHERE user_id = ? AND contract = ?').run(userId, contract)
    for (const name of putInTicks(writer, userId, contract, table.tickSize)) noteChange(writer, userId, at, 'fill', name)
    deriveAgain(writer, { userId, at, where: 'contract = ?', values: [contract] })
  }
}

const compared = ['contract', 'time', 'side', 'qty', 'fee', 'active', 'source', 'orderId', 'contractId', 'tradeDate'] as const satisfies (keyof PricedFill)[]

/** Whether a fill stands just as another one does; both may be missing. */
export const isSame = (one: PricedFill | undefined, other: PricedFill | undefined): boolean =>
  one === undefined || other === undefined ? one === other : compared.every((name) => one[name] === other[name]) && reprice(one.price, one.tickSize, other.tickSize) === other.price

const changesOf = (writer: Writer, userId: string, { accounts }: PutTogether): { readonly changes: readonly FillChange[]; readonly successions: readonly Succession[] } => {
  const changes: FillChange[] = []
  const successions: Succession[] = []
  for (const [account, { stands, told }] of accounts) {
    const rows = fillsOfAccount(writer, userId, account)
    const ruled = ruledFills(writer, userId, account)
    const already = changes.length
    for (const id of new Set([...rows.keys(), ...stands.keys(), ...ruled.keys()])) {
      const [row, wanted, without] = [rows.get(id), stands.get(id), told.get(id)]
      const say = isSame(wanted, without) ? undefined : (without ?? null)
      const saysSame = say === undefined ? !ruled.has(id) : ruled.has(id) && isSame(ruled.get(id) ?? undefined, say ?? undefined)
      const standsSame = isSame(row, wanted)
      if (standsSame && saysSame) continue
      const contract = (wanted ?? row ?? without)?.contract ?? ''
      changes.push({ account, id, contract, stands: standsSame ? undefined : (wanted ?? null), told: say })
    }
    if (changes.length > already) successions.push({ account, before: rows, after: stands })
  }
  return { changes, successions }
}

/** Whole batches, by account, contract and date, so that carried positions are handed on forwards. */
function* groupsOf(writer: Writer, userId: string, changes: readonly FillChange[]): Generator<readonly FillChange[]> {
  const clock = zoneClock(zoneOf(writer, userId))
  const timeOf = query<{ time: number }>(writer, 'SELECT time FROM fills WHERE user_id = ? AND account = ? AND id = ?')
  const dateOf = ({ account, id, stands, told }: FillChange): string => isoDate(clock.dayOf(stands?.time ?? timeOf.get(userId, account, id)?.time ?? told?.time ?? 0))
  const batches = [...Map.groupBy(changes, (one) => `${one.account}\n${one.contract}\n${dateOf(one)}`)].sort(([one], [other]) => (one < other ? -1 : 1))
  let group: FillChange[] = []
  for (const [, batch] of batches) {
    if (group.length > 0 && group.length + batch.length > changesInGroup) {
      yield group
      group = []
    }
    group = [...group, ...batch]
  }
  if (group.length > 0) yield group
}

/** The accounts whose fills imports rule over; null for all, where imports have rows that name no account. */
export const accountsRuled = (writer: Writer, userId: string): ReadonlySet<AccountKey> | null => {
  const rows = query<{ name: string | null; id: string | null }>(
    writer,
    `SELECT DISTINCT account_name AS name, account_id AS id FROM import_readings JOIN imports ON imports.user_id = import_readings.user_id AND imports.id = import_id
     WHERE import_readings.user_id = ? AND state = 'standing'`,
  ).all(userId)
  if (rows.length === 0 && !isUnsettled(writer, userId)) return new Set()
  const whose = whoseIs(writer, userId)
  const keys = rows.map(whose)
  const named = keys.filter((key) => key !== null)
  return named.length < keys.length ? null : new Set(named)
}
