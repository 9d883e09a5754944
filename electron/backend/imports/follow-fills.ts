import type { AccountKey } from '#shared/fills/fill.ts'
import { keyOf } from '#shared/imports/assembly.ts'
import { formatPrice, type Ticks } from '#shared/money/price.ts'
import { momentOf } from '#shared/notes/place.ts'
import { removeAccount } from '../accounts/remove-account.ts'
import { query, type Writer } from '../db/database.ts'
import { hasPlace, isWrittenOn } from '../trades/settle-notes.ts'
import type { FillChange } from '../fills/settle-group.ts'
import { allAccounts, isFileAccount, type AccountAttribution } from './import-accounts.ts'
import { joinedAccounts } from './joined-accounts.ts'
import { editsOf, moveAccount, moveEdits, type EditMove } from './move-edits.ts'

/**
 * Gives what the user said of accounts that only files knew to the connected accounts that they turn out to be: notes,
 * tags, pictures and removals of trades, trades entered by hand, earnings and expenses, the label, rates and marks of copies. Their fills follow when all is put together.
 */
export const joinConnected = (writer: Writer, userId: string, at: number, attribute: AccountAttribution): void => {
  const joined = joinedAccounts(writer, userId, attribute)
  for (const account of allAccounts(writer, userId)) {
    const { key, removed_at } = account
    const connected = joined.get(key as AccountKey)
    if (connected === undefined) continue
    moveEdits(writer, userId, at, editsOf(writer, userId, key).map((id) => ({ id, from: key, to: connected })))
    moveAccount(writer, userId, at, account, connected)
    if (removed_at === null) removeAccount(writer, { userId, at, account: key })
  }
}

/** A fill as it was known: by its id, and by its second and price where a better source has it under another id. */
type KnownFill = { readonly contract: string; readonly fill: string; readonly moment: string | null }

/** What the user wrote on a trade of which neither fill will be left in its account; `isGoing` where one goes just now. */
type Lost = { readonly id: string; readonly account: AccountKey; readonly ends: readonly [KnownFill, KnownFill]; readonly isGoing: boolean }

/** How many fills an account has by their ids, and how many more of the fills that come just now by their moments. */
type Having = { byId: number; byMoment: number }

/**
 * Lets what the user said follow fills that turn out to be of another account: what was written on a trade goes where
 * its fills are, and where an account is left without fills that `isNamed` by nothing, all that was said of it goes where
 * most of them went. Runs in the caller's transaction, before the changes are made.
 */
export const followFills = (writer: Writer, userId: string, at: number, changes: readonly FillChange[], isNamed: (account: AccountKey) => boolean): void => {
  if (changes.every(({ fill }) => fill === undefined)) return
  const accounts = allAccounts(writer, userId)
  if (accounts.length < 2) return
  const going = new Set(changes.flatMap(({ account, id, fill }) => (fill === null ? [keyOf(account, id)] : [])))
  const lost = lostEdits(writer, userId, going)
  const emptied = emptiedAccounts(writer, userId, changes).filter(({ account }) => !isNamed(account))
  if (lost.length === 0 && emptied.length === 0) return

  const havingOf = ownersOf(writer, userId, { accounts: accounts.map(({ key }) => key), changes, going, wanted: [...lost.flatMap(({ ends }) => ends), ...emptied.flatMap(({ fills }) => fills)] })
  const moves = new Map<string, EditMove>()
  for (const { id, account, ends, isGoing } of lost) {
    const having = havingOf(ends)
    // A better source may have the same fills in the same account under other ids.
    if (having.has(account)) continue
    const to = mostOf([...having].filter(([, { byId, byMoment }]) => byId > 0 || (isGoing && byMoment === ends.length)))
    if (to !== null) moves.set(id, { id, from: account, to })
  }
  const joined = emptied.flatMap(({ account, fills }) => {
    const having = havingOf(fills)
    // A few of the same second and price may be anybody's.
    const to = mostOf([...having].filter(([, { byId, byMoment }]) => byId > 0 || byMoment * 2 >= fills.length))
    if (to === null) return []
    // Notes without a fill of their own follow if only one account can be meant.
    if (having.size === 1) for (const id of editsOf(writer, userId, account)) if (!moves.has(id)) moves.set(id, { id, from: account, to })
    return [{ account, to }]
  })
  moveEdits(writer, userId, at, [...moves.values()])
  for (const { account, to } of joined) {
    const row = accounts.find(({ key }) => key === account)
    if (row !== undefined) moveAccount(writer, userId, at, row, to)
  }
}

/** The account that has most, by ids before moments; null where no account or no single one has. */
const mostOf = (all: readonly (readonly [AccountKey, Having])[]): AccountKey | null => {
  const [first, second] = all.toSorted(([, one], [, other]) => other.byId - one.byId || other.byMoment - one.byMoment)
  if (first === undefined) return null
  return second?.[1].byId === first[1].byId && second[1].byMoment === first[1].byMoment ? null : first[0]
}

type LostRow = { id: string; account: AccountKey; contract: string; opening: string; openingTime: number | null; openingPrice: string | null; closing: string; closingTime: number | null; closingPrice: string | null; hasOpening: number; hasClosing: number }

const lostSql = `SELECT *, EXISTS (SELECT 1 FROM fills WHERE user_id = @userId AND account = edit.account AND id = opening) AS hasOpening,
    EXISTS (SELECT 1 FROM fills WHERE user_id = @userId AND account = edit.account AND id = closing) AS hasClosing
  FROM (SELECT trade_id AS id, place ->> '$.account' AS account, place ->> '$.contract' AS contract,
      place ->> '$.opening.fill' AS opening, place ->> '$.opening.time' AS openingTime, place ->> '$.opening.price' AS openingPrice,
      place ->> '$.closing.fill' AS closing, place ->> '$.closing.time' AS closingTime, place ->> '$.closing.price' AS closingPrice
    FROM trade_edits WHERE user_id = @userId AND ${hasPlace} AND ${isWrittenOn}) AS edit
  WHERE contract IS NOT NULL AND substr(id, 1, length(account) + 1) = account || '/'`

const lostEdits = (writer: Writer, userId: string, going: ReadonlySet<string>): readonly Lost[] =>
  query<LostRow>(writer, lostSql).all({ userId }).flatMap((row): readonly Lost[] => {
    const { id, account, contract, opening, openingTime, openingPrice, closing, closingTime, closingPrice } = row
    const [openingGoes, closingGoes] = [opening, closing].map((fill) => going.has(keyOf(account, fill)))
    const stays = (row.hasOpening === 1 && openingGoes !== true) || (row.hasClosing === 1 && closingGoes !== true)
    const end = (fill: string, time: number | null, price: string | null): KnownFill => ({ contract, fill, moment: momentOf({ time, price }) })
    return stays ? [] : [{ id, account, ends: [end(opening, openingTime, openingPrice), end(closing, closingTime, closingPrice)], isGoing: openingGoes === true || closingGoes === true }]
  })

type FillRow = { id: string; contract: string; time: number; price: Ticks; tickSize: string }

/** Accounts of files that all fills go from, with these. */
const emptiedAccounts = (writer: Writer, userId: string, changes: readonly FillChange[]): readonly { readonly account: AccountKey; readonly fills: readonly KnownFill[] }[] => {
  const count = query<{ fills: number }>(writer, 'SELECT count(*) AS fills FROM fills WHERE user_id = ? AND account = ?')
  const rows = query<FillRow>(writer, 'SELECT id, contract, time, price, tick_size AS tickSize FROM fills WHERE user_id = ? AND account = ?')
  return [...Map.groupBy(changes.filter(({ account, fill }) => isFileAccount(account) && fill !== undefined), ({ account }) => account)].flatMap(([account, own]) => {
    if (own.some(({ fill }) => fill !== null) || count.get(userId, account)?.fills !== own.length) return []
    return [{ account, fills: rows.all(userId, account).map((row) => ({ contract: row.contract, fill: row.id, moment: momentAt(row.time, row.price, row.tickSize) })) }]
  })
}

const momentAt = (time: number, price: Ticks, tickSize: string): string | null => momentOf({ time, price: formatPrice(price, tickSize, 'trimmed') })

type Search = { readonly accounts: readonly AccountKey[]; readonly changes: readonly FillChange[]; readonly going: ReadonlySet<string>; readonly wanted: readonly KnownFill[] }

/** Which accounts will have wanted fills once the changes are made. */
const ownersOf = (writer: Writer, userId: string, { accounts, changes, going, wanted }: Search): ((fills: readonly KnownFill[]) => ReadonlyMap<AccountKey, Having>) => {
  const [byId, byMoment] = [new Map<string, Set<AccountKey>>(), new Map<string, Set<AccountKey>>()]
  const idKey = ({ contract, fill }: KnownFill): string => keyOf(contract, fill)
  const momentKey = ({ contract, moment }: KnownFill): string => keyOf(contract, moment ?? '')
  const standing = query<{ contract: string }>(writer, 'SELECT contract FROM fills WHERE user_id = ? AND account = ? AND id = ?')
  for (const one of wanted) {
    if (one.moment !== null) byMoment.set(momentKey(one), new Set())
    if (byId.has(idKey(one))) continue
    byId.set(idKey(one), new Set(accounts.filter((account) => !going.has(keyOf(account, one.fill)) && standing.get(userId, account, one.fill)?.contract === one.contract)))
  }
  for (const { account, id, fill } of changes) {
    if (fill === undefined || fill === null) continue
    const came: KnownFill = { contract: fill.contract, fill: id, moment: momentAt(fill.time, fill.price, fill.tickSize) }
    byId.get(idKey(came))?.add(account)
    byMoment.get(momentKey(came))?.add(account)
  }
  return (fills) => {
    const having = new Map<AccountKey, Having>()
    const of = (account: AccountKey): Having => {
      const known = having.get(account) ?? { byId: 0, byMoment: 0 }
      having.set(account, known)
      return known
    }
    for (const one of fills) {
      for (const account of byId.get(idKey(one)) ?? []) of(account).byId += 1
      for (const account of byMoment.get(momentKey(one)) ?? []) of(account).byMoment += 1
    }
    return having
  }
}
