import type { Stopping } from '#shared/base/stops.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { liesOnTicks } from '#shared/imports/contracts.ts'
import { hasPartsOfCents } from '#shared/imports/pair-rounding.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { query, type Reader } from '../db/database.ts'
import { accountAttribution, type AccountAttribution } from './import-accounts.ts'
import { standingNotes, type PartNote } from './part-notes.ts'
import type { Within } from './assemble-imports.ts'
import { keptSpec } from '../fills/specs.ts'

/** What changed in imports, or in fills of other sources; a caller that can't say it recomputes everything. */
export type Touched = {
  /** Which account rows named before. */
  readonly attribute: AccountAttribution
  /** An import that became active. */
  readonly came: string | null
  /** The facts of an import that is no longer active; null if there are none. */
  readonly gone: readonly PartNote[] | null
  /** Accounts with new fills of other sources, and the contracts of these. */
  readonly changed: ReadonlyMap<AccountKey, ReadonlySet<string>>
}

/** Accounts that a change reaches and that are put together by themselves: what becomes of any other does not depend on them. */
export type Reach = {
  readonly within: Within
  /** Whatever could be said of these contracts is within. */
  readonly contracts: ReadonlySet<string>
}

/**
 * The accounts that a change can reach: those that its rows name, and all that have a contract in common with them
 * whose figures files can change. Those that have none in common come apart, so that a large journal is never held whole.
 * Null where it may be any account, as it is where rows that name none could be of one.
 */
export function* reaching(reader: Reader, userId: string, { attribute: before, came, gone, changed }: Touched): Stopping<readonly Reach[] | null> {
  const standing = standingNotes(reader, userId)
  yield
  if (standing === null || gone === null) return null
  const attribute = accountAttribution(reader, userId)
  const parts = [...standing.map((part) => ({ ...part, changed: part.importId === came })), ...gone.map((part) => ({ ...part, changed: true }))]
  // A row that has no id of its own may be another's than its part, where a name goes with several.
  if (parts.some((part) => part.name !== null && attribute(part) !== attribute({ id: null, name: part.name }))) return null
  if (parts.some((part) => before(part) !== attribute(part) || (part.changed && attribute(part) === null))) return null

  const tied = tiedAccounts()
  const starts = new Set(changed.keys())
  const batches = query<Batch>(reader, 'SELECT DISTINCT account, contract FROM batches WHERE user_id = ?').all(userId)
  const having = accountsByContract(parts, attribute, batches)
  yield
  for (const [contract, { accounts, sizes }] of having) {
    if (isChangeable(reader, userId, contract, sizes)) tied.tie([...accounts])
  }
  // One pair shows how the broker rounds all contracts with parts of cents.
  tied.tie([...having].flatMap(([contract, { accounts }]) => (hasPartsOfCents(contractSpecOf(contract)) ? [...accounts] : [])))
  for (const part of parts) {
    const account = part.changed ? attribute(part) : null
    if (account !== null) starts.add(account)
  }
  const named = new Set(standing.map((part) => attribute(part)).filter((key) => key !== null))
  const allNamed = standing.every((part) => attribute(part) !== null)
  const reaches = tied.knotsWith(starts).map((accounts): Reach => {
    const contracts = new Set([...having].filter(([, one]) => [...one.accounts].some((account) => accounts.has(account))).map(([contract]) => contract))
    for (const [account, fresh] of changed) if (accounts.has(account)) for (const contract of fresh) contracts.add(contract)
    return { within: { accounts, named, allNamed }, contracts }
  })
  // What an account has in common with rows that name none decides whose these are.
  if (parts.some((part) => attribute(part) === null && Object.keys(part.contracts).some((contract) => reaches.some(({ contracts }) => contracts.has(contract))))) return null
  return reaches
}

type Batch = { account: AccountKey; contract: string }

type Having = { readonly accounts: Set<AccountKey>; readonly sizes: Set<string> }

const accountsByContract = (parts: readonly PartNote[], attribute: AccountAttribution, batches: readonly Batch[]): ReadonlyMap<string, Having> => {
  const having = new Map<string, Having>()
  const of = (contract: string): Having => {
    const known = having.get(contract) ?? { accounts: new Set(), sizes: new Set() }
    having.set(contract, known)
    return known
  }
  for (const part of parts) {
    const account = attribute(part)
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
const tiedAccounts = (): { readonly tie: (accounts: readonly AccountKey[]) => void; readonly knotsWith: (some: ReadonlySet<AccountKey>) => readonly ReadonlySet<AccountKey>[] } => {
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
    knotsWith: (some) => [...new Set([...some].map(knotOf))],
  }
}
