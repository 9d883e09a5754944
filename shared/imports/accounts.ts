import type { AccountKey } from '#shared/fills/fill.ts'
import { keyOf } from './assembly.ts'
import type { AccountNamed, PairReading, Reading, RefusedReading } from './reading.ts'

/** Whose each row is. */
export type Accounts = {
  readonly of: (reading: Reading) => AccountKey
  /** What a row belongs to that names no account and tells of no fill that is known. */
  readonly fallback: AccountKey
}

/** The key of an account that a file names. */
export const fileAccount = (name: string): AccountKey => `file:${name}` as AccountKey

/** The key of an account by its name. */
export type KeyOfName = (name: string) => AccountKey

/**
 * Settles whose each reading is: by name, else by the name that goes with its id. A pair that names no account goes
 * where one of its fills is known, also through other pairs that share a fill with it; else to the fallback.
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

/** Which account a row names: by name, else by the name that goes with its id, also where that stands in the place of the name; null where it names none. */
export const accountsNamed = (readings: Iterable<Reading>, keyOfName: KeyOfName = fileAccount): ((account: AccountNamed) => AccountKey | null) => {
  const { byId, known } = namesIn(readings)
  return ({ id, name }) => {
    // A refused row may have another cell in the place of its name.
    if (id !== null && name !== null && !known.has(name) && byId.has(id)) return keyOfName(byId.get(id) ?? name)
    // A name beside a number of its own is no number, be it that of another account.
    const best = id !== null && name !== null && id !== name ? name : (byId.get(name ?? id ?? '') ?? name ?? id)
    return best === null ? null : keyOfName(best)
  }
}

type Names = { readonly byId: ReadonlyMap<string, string>; /** Those of all rows that could be read. */ readonly known: ReadonlySet<string> }

// A refused row may have its cells under each other's columns: it says nothing of which number goes with which name.
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

/** Whose a refused row is: that of a fill that it names, else of those of the rows beside it. */
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

/** The fills that a row tells of for sure are its account's, each as one text. */
const fillsToldBy = (reading: Reading): readonly string[] => {
  if (reading.says === 'fill') return [keyOf(reading.contract, reading.fillId)]
  return reading.says === 'pair' ? [buyOf(reading), sellOf(reading)] : []
}

const ownersOfFills = (readings: readonly Reading[], named: (account: AccountNamed) => AccountKey | null, groups: JoinedFills): ReadonlyMap<string, AccountKey> => {
  const owners = new Map<string, AccountKey>()
  if (groups.isEmpty) return owners
  for (const reading of readings) {
    const owner = named(reading.account)
    if (owner === null) continue
    for (const fill of fillsToldBy(reading)) owners.set(fill, smaller(owners.get(fill), owner))
  }
  return owners
}

/** Fills that pairs without an account tie together: `find` gives the same one of them for each. */
type JoinedFills = { readonly isEmpty: boolean; readonly find: (fill: string) => string }

/** Ties fills together by the pairs that name no account. */
const joinedFills = (readings: Iterable<Reading>): JoinedFills => {
  const parents = new Map<string, string>()
  let isEmpty = true
  const find = (fill: string): string => {
    let root = fill
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next
    // The way is shortened, so that a long chain of pairs is walked once.
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

// Where several would do, the choice must not depend on the order of files.
const smaller = <T extends string>(known: T | undefined, next: T): T => (known === undefined || next < known ? next : known)
