import type { Stopping } from '#shared/base/stops.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { sourceRank, type FillSource } from '#shared/fills/source.ts'
import { fileAccount, fillsToldBy, joinedFills } from '#shared/imports/accounts.ts'
import { unnamedAccount } from '#shared/imports/assemble.ts'
import { keyOf } from '#shared/imports/assembly.ts'
import { liesOnTicks } from '#shared/imports/contracts.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { query, type Reader } from '../database.ts'
import { whoseIs, type WhoseIs } from './import-accounts.ts'
import { standingReadings, unnamedReadings, type KeptReading } from './imports.ts'
import { notesOfImport, numberOf, standingNotes, type PartNote } from './part-notes.ts'
import type { Within } from './put-together.ts'
import { keptSpec } from '../fills/specs.ts'

/** What changed of what imports say, or of what was told beside them: whoever can't say it lets all be put together anew. */
export type Touched = {
  /** Which account rows named before. */
  readonly whose: WhoseIs
  /** An import that stands from now on. */
  readonly came: string | null
  /** What an import said that stands no more; `notes` is null where that is not known. */
  readonly gone: ImportSaid
  /** Accounts of which fills were told without imports. */
  readonly told: ReadonlySet<AccountKey>
}

/** What one import says. */
export type ImportSaid = { readonly notes: readonly PartNote[] | null; readonly unnamed: readonly KeptReading[] }

/** Where a change reaches: no other account can come to anything else by it. */
export type Reach = {
  readonly within: Within
  /** Whatever could be said of these contracts is within. */
  readonly contracts: ReadonlySet<string>
  /** The readings that name no account and may be of one of these. */
  readonly unnamed: readonly KeptReading[]
}

/** What is known of fills that rows without an account tie together. */
type Group = {
  readonly owners: Set<AccountKey>
  readonly otherwise: Set<AccountKey>
  readonly contracts: Set<string>
  /** Whether something keeps it from where its rows go otherwise, before the change and after. */
  firm: boolean
  changed: boolean
}

type Groups = { readonly of: (reading: KeptReading['reading']) => Group | undefined; readonly list: () => Iterable<Group>; readonly byNumber: ReadonlyMap<number, Group>; readonly byFill: ReadonlyMap<string, Group> }

/** Nothing said. */
export const nothingSaid: ImportSaid = { notes: [], unnamed: [] }

/** What an import says, to be asked before it is taken back. */
export const whatImportSays = (reader: Reader, userId: string, importId: string): ImportSaid => ({ notes: notesOfImport(reader, userId, importId), unnamed: unnamedReadings(reader, userId, importId) })

/**
 * The accounts that a change can reach: those that its rows name; those in which the fills are known that rows without
 * an account tell of, now or before, and where these go otherwise; and all that have a contract in common with them
 * whose figures files can change. Null where that may be any.
 */
export function* reaching(reader: Reader, userId: string, { whose: before, came, gone, told }: Touched): Stopping<Reach | null> {
  const standing = standingNotes(reader, userId)
  yield
  if (standing === null || gone.notes === null) return null
  const whose = whoseIs(reader, userId)
  const parts = [...standing.map((part) => ({ ...part, changed: part.importId === came })), ...gone.notes.map((part) => ({ ...part, changed: true }))]
  const otherwiseOf = (of: WhoseIs, name: string | null): AccountKey => (name === null ? fileAccount(unnamedAccount) : (of({ id: null, name }) ?? fileAccount(name)))
  // A row that has no id of its own may be another's than its part, where a name goes with several.
  if (parts.some((part) => part.name !== null && whose(part) !== whose({ id: null, name: part.name }))) return null
  if (parts.some((part) => before(part) !== whose(part) || otherwiseOf(before, part.otherwise) !== otherwiseOf(whose, part.otherwise))) return null

  const unnamed: KeptReading[] = []
  for (const piece of standingReadings(reader, userId, (named) => whose(named) === null)) {
    for (const kept of piece) unnamed.push(kept)
    yield
  }
  const otherwiseFor = ({ otherwise }: KeptReading): AccountKey => otherwiseOf(whose, otherwise)
  const groups = groupsOf([...unnamed, ...gone.unnamed], otherwiseFor)
  for (const kept of [...unnamed.filter(({ importId }) => importId === came), ...gone.unnamed]) {
    const group = groups.of(kept.reading)
    if (group !== undefined) group.changed = true
  }
  yield
  for (const part of parts) yield* owning(groups, part, whose(part))
  for (const account of accountsOf(reader, userId)) yield* owningTold(reader, userId, groups, account, told.has(account))

  const tied = tiedAccounts()
  const starts = new Set(told)
  const placesOf = ({ owners, otherwise, firm, changed }: Group): AccountKey[] => [...owners, ...(firm && !changed ? [] : otherwise)]
  for (const group of groups.list()) {
    const places = placesOf(group)
    tied.tie(places)
    if (group.changed) for (const account of places) starts.add(account)
  }
  const batches = query<Batch>(reader, 'SELECT DISTINCT account, contract FROM batches WHERE user_id = ?').all(userId)
  const having = accountsByContract(parts, whose, batches)
  for (const group of groups.list()) for (const contract of group.contracts) for (const account of placesOf(group)) having.get(contract)?.accounts.add(account)
  for (const [contract, { accounts, sizes }] of having) {
    if (isChangeable(reader, userId, contract, sizes)) tied.tie([...accounts])
  }
  for (const part of parts) if (part.changed) starts.add(whose(part) ?? otherwiseOf(whose, part.otherwise))
  const accounts = tied.allWith(starts)

  const named = new Set(standing.map((part) => whose(part)).filter((key) => key !== null))
  const isWithin = (kept: KeptReading): boolean => {
    const group = groups.of(kept.reading)
    return (group === undefined ? [otherwiseFor(kept)] : placesOf(group)).some((account) => accounts.has(account))
  }
  return {
    within: { accounts, named, allNamed: unnamed.length === 0 },
    contracts: new Set([...having].filter(([, one]) => [...one.accounts].some((account) => accounts.has(account))).map(([contract]) => contract)),
    unnamed: unnamed.filter(isWithin),
  }
}

const groupsOf = (unnamed: readonly KeptReading[], otherwiseFor: (kept: KeptReading) => AccountKey): Groups => {
  const joined = joinedFills(unnamed.map(({ reading }) => reading))
  const [known, byFill, byNumber] = [new Map<string, Group>(), new Map<string, Group>(), new Map<number, Group>()]
  for (const kept of unnamed) {
    if (kept.reading.says !== 'pair') continue
    const fills = fillsToldBy(kept.reading)
    const root = joined.find(fills[0] ?? '')
    const group: Group = known.get(root) ?? { owners: new Set(), otherwise: new Set(), contracts: new Set(), firm: false, changed: false }
    known.set(root, group)
    group.otherwise.add(otherwiseFor(kept))
    group.contracts.add(kept.reading.contract)
    for (const fill of fills) {
      byFill.set(fill, group)
      byNumber.set(numberOf(fill), group)
    }
  }
  return { of: (reading) => (reading.says === 'pair' ? byFill.get(fillsToldBy(reading)[0] ?? '') : undefined), list: () => known.values(), byNumber, byFill }
}

/** Notes the groups of which a part knows a fill. */
function* owning({ byNumber }: Groups, { fills, changed }: PartNote & { readonly changed: boolean }, account: AccountKey | null): Stopping<void> {
  if (account === null || byNumber.size === 0) return
  for (const fill of fills) {
    const group = byNumber.get(fill)
    if (group === undefined) continue
    group.owners.add(account)
    if (!changed) group.firm = true
  }
  yield
}

const accountsOf = (reader: Reader, userId: string): AccountKey[] => query<{ key: AccountKey }>(reader, 'SELECT key FROM accounts WHERE user_id = ?').all(userId).map(({ key }) => key)

// The list drives the search, so that it costs one look-up an id however many fills there are.
const toldSql = `SELECT fills.id, fills.contract, fills.source FROM json_each(@ids) AS wanted CROSS JOIN fills ON fills.user_id = @userId AND fills.account = @account AND fills.id = wanted.value
    WHERE NOT EXISTS (SELECT 1 FROM told_fills AS told WHERE told.user_id = fills.user_id AND told.account = fills.account AND told.id = fills.id)
  UNION ALL SELECT told.id, told ->> 'contract', told ->> 'source' FROM json_each(@ids) AS wanted CROSS JOIN told_fills AS told ON told.user_id = @userId AND told.account = @account AND told.id = wanted.value
    WHERE told IS NOT NULL`
const idsAtOnce = 2_000

/** Notes the groups of which a fill was told without imports. */
function* owningTold(reader: Reader, userId: string, { byFill }: Groups, account: AccountKey, changed: boolean): Stopping<void> {
  const ids = [...byFill.keys()].map((fill) => fill.slice(fill.indexOf('\n') + 1))
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const found = query<{ id: string; contract: string; source: FillSource }>(reader, toldSql).all({ ids: JSON.stringify(ids.slice(from, from + idsAtOnce)), userId, account })
    for (const { id, contract, source } of found) {
      const group = sourceRank(source) === sourceRank('api') ? byFill.get(keyOf(contract, id)) : undefined
      if (group === undefined) continue
      group.owners.add(account)
      if (!changed) group.firm = true
    }
    yield
  }
}

type Batch = { account: AccountKey; contract: string }

type Having = { readonly accounts: Set<AccountKey>; readonly sizes: Set<string> }

const accountsByContract = (parts: readonly PartNote[], whose: WhoseIs, batches: readonly Batch[]): ReadonlyMap<string, Having> => {
  const having = new Map<string, Having>()
  const of = (contract: string): Having => {
    const known = having.get(contract) ?? { accounts: new Set(), sizes: new Set() }
    having.set(contract, known)
    return known
  }
  for (const part of parts) {
    const account = whose(part)
    for (const [contract, sizes] of Object.entries(part.contracts)) {
      const known = of(contract)
      if (account !== null) known.accounts.add(account)
      for (const size of sizes) known.sizes.add(size)
    }
  }
  for (const { account, contract } of batches) of(contract).accounts.add(account)
  return having
}

/** Whether what files say can make a contract another one than the table has. */
const isChangeable = (reader: Reader, userId: string, contract: string, sizes: ReadonlySet<string>): boolean => {
  const { source, rootIsWhole, tickSize } = contractSpecOf(contract)
  const kept = keptSpec(reader, userId, contract)
  return source !== 'table' || !rootIsWhole || [...sizes, ...(kept === null ? [] : [kept.tickSize])].some((size) => !liesOnTicks(size, tickSize))
}

/** Accounts that have to be put together together. */
const tiedAccounts = (): { readonly tie: (accounts: readonly AccountKey[]) => void; readonly allWith: (some: ReadonlySet<AccountKey>) => ReadonlySet<AccountKey> } => {
  const knots = new Map<AccountKey, Set<AccountKey>>()
  const knotOf = (account: AccountKey): Set<AccountKey> => {
    const known = knots.get(account) ?? new Set([account])
    knots.set(account, known)
    return known
  }
  return {
    tie: ([first, ...rest]) => {
      if (first === undefined) return
      for (const other of rest) {
        const [knot, joining] = [knotOf(first), knotOf(other)]
        if (knot === joining) continue
        for (const account of joining) knots.set(account, knot.add(account))
      }
    },
    allWith: (some) => new Set([...some].flatMap((account) => [...knotOf(account)])),
  }
}
