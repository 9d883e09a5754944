import { and, asc, eq, gte, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import { compareText } from '#shared/base/compare-text.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { fileAccount } from '#shared/imports/accounts.ts'
import type { AccountNamed } from '#shared/imports/reading.ts'
import { neverStamped, stampedAt, type Stamp } from '#shared/mirror/stamp.ts'
import type { Currency } from '#shared/money/money.ts'
import { addAccountFinance, alignFinance } from '../finances/account-finance.ts'
import { perConnection, type Reader, type Writer } from '../db/database.ts'
import { queueChange } from '../db/outbox.ts'
import { accounts as table } from '../db/schema/brokerage.ts'
import { baseFills, importReadings, imports } from '../db/schema/imports.ts'
import { fillPairs, fills, finances, pairEdits } from '../db/schema/journal.ts'
import { mintStamp } from '../db/stamps.ts'
import { hasContent } from '../notes/place-notes.ts'
import { importOfPart } from './part-facts.ts'

/** An account as imports see it. */
export type NamedAccount = Pick<typeof table.$inferSelect, 'key' | 'name' | 'brokerAccountId' | 'removedAt' | 'stamp'>

const one = (userId: string, key: AccountKey) => and(eq(table.userId, userId), eq(table.key, key))

type Both = { readonly name: string; readonly id: string }

/** Whether an account is one that files alone made. */
export const isFileAccount = (key: string): boolean => key.startsWith('file:')

/** All accounts of a user, removed ones last. */
export const allAccounts = ({ orm }: Reader, userId: string): NamedAccount[] => orm.select().from(table).where(eq(table.userId, userId)).orderBy(isNotNull(table.removedAt), asc(table.key)).all()

/** What rows of active imports name as their accounts, each once. */
export const accountsNamed = ({ orm }: Reader, userId: string): readonly AccountNamed[] =>
  orm
    .selectDistinct({ name: importReadings.accountName, id: importReadings.accountId })
    .from(importReadings)
    .innerJoin(imports, importOfPart)
    .where(and(eq(importReadings.userId, userId), eq(imports.state, 'standing')))
    .all()

/** Which account a row names; null where it names none. */
export type AccountAttribution = (named: AccountNamed) => AccountKey | null

/**
 * Resolves the names and ids of accounts in files: to the connected account of that name or broker's id, else to one of
 * its own. Rows with both show which id goes with a name; `more` are such rows besides those of the active imports.
 */
export const accountAttribution = (reader: Reader, userId: string, more: readonly AccountNamed[] = []): AccountAttribution => {
  const connected = allAccounts(reader, userId).filter(({ key }) => !isFileAccount(key))
  const [byName, byId] = [new Map<string, AccountKey>(), new Map<string, AccountKey>()]
  for (const { key, name, brokerAccountId } of connected.toReversed()) {
    byId.set(brokerAccountId, key)
    byName.set(name, key)
  }
  const [idOfName, nameOfId] = [new Map<string, string>(), new Map<string, string>()]
  const both = [...accountsNamed(reader, userId), ...more].filter((named): named is Both => named.name !== null && named.id !== null)
  for (const { name, id } of both.toSorted((one, other) => compareText(other.name, one.name) || compareText(other.id, one.id))) {
    if (id !== name) nameOfId.set(id, name)
    if (byId.has(id) || !idOfName.has(name)) idOfName.set(name, id)
  }
  const connectedAs = (text: string | null | undefined): AccountKey | undefined => (text === null || text === undefined ? undefined : (byName.get(text) ?? byId.get(text)))
  return ({ name, id }) => {
    const label = name ?? id
    if (label === null) return null
    // The broker's id may be in the place of the name.
    const fullName = nameOfId.get(label) ?? label
    return connectedAs(fullName) ?? connectedAs(id) ?? connectedAs(idOfName.get(fullName)) ?? fileAccount(fullName)
  }
}

/** Adds the accounts that only files know. They have no login, so that no sync asks for them, and their environment means nothing. */
export const ensureFileAccounts = (writer: Writer, userId: string, at: number, keys: Iterable<AccountKey>): void => {
  const known = new Set(allAccounts(writer, userId).map(({ key }) => key))
  for (const key of keys) {
    if (known.has(key)) continue
    const name = key.slice('file:'.length)
    const row = { userId, key, loginId: '', environment: 'live', brokerAccountId: name, name, currency: 'USD' as Currency, connectedAt: at } as const
    writer.orm.insert(table).values({ ...row, stamp: mintStamp(writer, at) }).run()
    addAccountFinance(writer, userId, at, key, name)
    queueChange(writer, userId, at, 'account', key)
  }
}

/** Brings accounts back that their user removed, or that an undone import left behind. One that was connected comes back without a login: its token is gone. */
export const returnAccounts = (writer: Writer, userId: string, at: number, keys: ReadonlySet<AccountKey>): void => {
  for (const { key, removedAt } of allAccounts(writer, userId)) {
    if (!keys.has(key) || removedAt === null) continue
    writer.orm.update(table).set({ loginId: '', removedAt: null, stamp: mintStamp(writer, at) }).where(one(userId, key)).run()
    alignFinance(writer, userId, key)
    queueChange(writer, userId, at, 'account', key)
  }
}

/**
 * Whether an undo hid an account, not its user: an undo is no change of the user's and leaves the stamp as it was, so the
 * account was hidden after its stamp.
 */
export const isLeft = ({ removedAt, stamp }: { readonly removedAt: number | null; readonly stamp: Stamp }): boolean => removedAt !== null && stamp > neverStamped && stampedAt(stamp) < removedAt

/** Restores accounts of files that an undo left behind, here or on another computer, and that active imports name. */
export const restoreLeftAccounts = (writer: Writer, userId: string, at: number, named: ReadonlySet<AccountKey>): void => {
  const left = allAccounts(writer, userId).filter((account) => named.has(account.key) && isFileAccount(account.key) && isLeft(account))
  returnAccounts(writer, userId, at, new Set(left.map(({ key }) => key)))
}

/** Hides accounts of files without fills and trades, except those that `stays` keeps because imports still name them. */
export const hideEmptyFileAccounts = (writer: Writer, userId: string, at: number, stays: (key: AccountKey) => boolean): void => {
  const { orm } = writer
  const hasFill = (key: AccountKey): boolean => orm.select({ id: fills.id }).from(fills).where(and(eq(fills.userId, userId), eq(fills.account, key))).get() !== undefined
  const hasPairs = (key: AccountKey): boolean => orm.select({ id: fillPairs.id }).from(fillPairs).where(and(eq(fillPairs.userId, userId), eq(fillPairs.accountId, key))).get() !== undefined
  for (const { key, removedAt, stamp } of allAccounts(writer, userId)) {
    if (removedAt !== null || !isFileAccount(key) || stays(key) || hasFill(key) || hasPairs(key)) continue
    orm.update(table).set({ removedAt: Math.max(at, stampedAt(stamp) + 1) }).where(one(userId, key)).run()
    alignFinance(writer, userId, key)
    queueChange(writer, userId, at, 'account', key)
  }
}

/** For each account that only files knew, the connected account that it turns out to be. */
type JoinedAccounts = ReadonlyMap<AccountKey, AccountKey>

/** All such accounts, empty ones too. */
export const joinedAccounts = (reader: Reader, userId: string, attribute: AccountAttribution): JoinedAccounts =>
  new Map(
    allAccounts(reader, userId).flatMap(({ key, name }): (readonly [AccountKey, AccountKey])[] => {
      const connected = isFileAccount(key) ? attribute({ id: null, name }) : null
      return connected === null || connected === key ? [] : [[key as AccountKey, connected]]
    }),
  )

/** Finds one thing that an account has, in the order of these tables. */
const selectLeft = perConnection(({ orm }: Reader) => {
  const [userId, account] = [sql.placeholder('userId'), sql.placeholder('account')]
  const found = { found: sql<1>`1` }
  // '0' is the character after '/'.
  const isOfAccount = and(gte(pairEdits.pairId, sql`${account} || '/'`), lt(pairEdits.pairId, sql`${account} || '0'`))
  return unionAll(
    orm.select(found).from(table).where(and(eq(table.userId, userId), eq(table.key, account), isNull(table.removedAt))),
    orm.select(found).from(fills).where(and(eq(fills.userId, userId), eq(fills.account, account))),
    orm.select(found).from(baseFills).where(and(eq(baseFills.userId, userId), eq(baseFills.account, account))),
    orm.select(found).from(pairEdits).where(and(eq(pairEdits.userId, userId), isOfAccount, sql.raw(hasContent))),
    orm.select(found).from(fillPairs).where(and(eq(fillPairs.userId, userId), eq(fillPairs.accountId, account))),
    orm.select(found).from(finances).where(and(eq(finances.userId, userId), eq(finances.account, account))),
  ).limit(1).prepare()
})

/** Joined accounts that are not empty, as after a pull of the mirror or a new login: settling moves what they have to the connected accounts. */
export const joiningAccounts = (reader: Reader, userId: string, attribute?: AccountAttribution): JoinedAccounts => {
  if (!allAccounts(reader, userId).some(({ key }) => isFileAccount(key))) return new Map()
  const left = selectLeft(reader)
  return new Map([...joinedAccounts(reader, userId, attribute ?? accountAttribution(reader, userId))].filter(([account]) => left.get({ userId, account }) !== undefined))
}
