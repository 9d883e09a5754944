import type { AccountKey } from '#shared/fills/fill.ts'
import { keyOf } from './assembly.ts'
import type { AccountNamed, PairReading, Reading, RefusedReading } from './reading.ts'

/** The account of each row. */
export type Accounts = {
  readonly of: (reading: Reading) => AccountKey
  /** The account of rows that name none and have no known fill. */
  readonly fallback: AccountKey
}

/** The key of an account named in a file. */
export const fileAccount = (name: string): AccountKey => `file:${name}` as AccountKey

/** The key of an account by its name. */
export type KeyOfName = (name: string) => AccountKey

/**
 * Attributes each reading to an account: by name, otherwise by the name that goes with its id. A pair that names no account goes where one of its
 * fills is known, also through other pairs that share a fill with it; otherwise to the fallback.
 */
export const settleAccounts = (readings: readonly Reading[], fallbackName: string, keyOfName: KeyOfName): Accounts => {
  const fallback = keyOfName(fallbackName)
  const named = accountsNamed(readings, keyOfName)
  const groups = joinedFills(readings)
  const owners = ownersOfFills(readings, named, groups)
  const ownerOfGroup = new Map<string, AccountKey>()
  for (const [fill, owner] of owners) {
    const group = groups.find(fill)
    ownerOfGroup.set(group, smaller(ownerOfGroup.get(group), owner))
  }
  return {
    fallback,
    of: (reading) => {
      const known = named(reading.account)
      if (known !== null) return known
      if (reading.says === 'refused') return ownerBeside(reading, (fill) => ownerOfGroup.get(groups.find(fill))) ?? fallback
      return (reading.says === 'pair' ? ownerOfGroup.get(groups.find(buyOf(reading))) : undefined) ?? fallback
    },
  }
}

/** The account that a row names: by name, otherwise by the name that goes with its id, even if the id is in the name column; null if it names none. */
export const accountsNamed = (readings: Iterable<Reading>, keyOfName: KeyOfName = fileAccount): ((account: AccountNamed) => AccountKey | null) => {
  const { byId, known } = namesIn(readings)
  return ({ id, name }) => {
    // A rejected row's name may be another column's cell.
    if (id !== null && name !== null && !known.has(name) && byId.has(id)) return keyOfName(byId.get(id) ?? name)
    // A name with its own number next to it is not a number, even if it equals another account's.
    const best = id !== null && name !== null && id !== name ? name : (byId.get(name ?? id ?? '') ?? name ?? id)
    return best === null ? null : keyOfName(best)
  }
}

type Names = { readonly byId: ReadonlyMap<string, string>; /** Of all readable rows. */ readonly known: ReadonlySet<string> }

// A rejected row's cells may be shifted, so it does not show which number goes with which name.
const namesIn = (readings: Iterable<Reading>): Names => {
  const byId = new Map<string, string>()
  const known = new Set<string>()
  for (const { says, account: { id, name } } of readings) {
    if (says === 'refused' || name === null) continue
    known.add(name)
    if (id !== null && id !== name) byId.set(id, smaller(byId.get(id), name))
  }
  return { byId, known }
}

/** The account of a rejected row: that of its own fill, otherwise of the neighboring rows' fills. */
const ownerBeside = ({ contract, fillIds, beside }: RefusedReading, ownerOf: (fill: string) => AccountKey | undefined): AccountKey | undefined => {
  const own = contract === null ? [] : fillIds.map((fillId) => keyOf(contract, fillId))
  for (const fill of [...own, ...beside.map((one) => keyOf(one.contract, one.fillId))]) {
    const owner = ownerOf(fill)
    if (owner !== undefined) return owner
  }
  return undefined
}

const buyOf = ({ contract, buy }: PairReading): string => keyOf(contract, buy.fillId)
const sellOf = ({ contract, sell }: PairReading): string => keyOf(contract, sell.fillId)

/** Keys of the fills that are certainly in the row's account. */
const fillKeysOf = (reading: Reading): readonly string[] => {
  if (reading.says === 'fill') return [keyOf(reading.contract, reading.fillId)]
  return reading.says === 'pair' ? [buyOf(reading), sellOf(reading)] : []
}

const ownersOfFills = (readings: readonly Reading[], named: (account: AccountNamed) => AccountKey | null, groups: JoinedFills): ReadonlyMap<string, AccountKey> => {
  const owners = new Map<string, AccountKey>()
  if (groups.isEmpty) return owners
  for (const reading of readings) {
    const owner = named(reading.account)
    if (owner === null) continue
    for (const fill of fillKeysOf(reading)) owners.set(fill, smaller(owners.get(fill), owner))
  }
  return owners
}

/** Union-find over fills linked by pairs without an account: `find` returns the same representative for linked fills. */
type JoinedFills = { readonly isEmpty: boolean; readonly find: (fill: string) => string }

/** Links fills by the pairs that name no account. */
const joinedFills = (readings: Iterable<Reading>): JoinedFills => {
  const parents = new Map<string, string>()
  let isEmpty = true
  const find = (fill: string): string => {
    let root = fill
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next
    // Path compression: a long chain is walked once.
    for (let at = fill; at !== root; ) {
      const next = parents.get(at) ?? root
      parents.set(at, root)
      at = next
    }
    return root
  }
  for (const reading of readings) {
    if (reading.says !== 'pair' || reading.account.id !== null || reading.account.name !== null) continue
    isEmpty = false
    const [one, other] = [find(buyOf(reading)), find(sellOf(reading))]
    if (one !== other) parents.set(one, other)
  }
  return { isEmpty, find }
}

// The choice must not depend on the order of files.
const smaller = <T extends string>(known: T | undefined, next: T): T => (known === undefined || next < known ? next : known)
