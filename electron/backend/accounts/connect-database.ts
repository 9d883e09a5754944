import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { accountWithoutFirm } from '#shared/imports/row-cells.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { accountKey, accountsIn, isReachedElsewhere, environmentOf, type FoundAccount } from '../brokers/ninjatrader/executions.ts'
import { takeSnapshot } from '../brokers/ninjatrader/snapshot.ts'
import type { Timing } from '../brokers/timing.ts'
import type { AccountRow } from '../db/rows.ts'
import type { JournalCalls } from '../journal/journal.ts'

/** A NinjaTrader database, and the names of the accounts in it that are wanted. */
export type DatabaseInput = { readonly path: string; readonly accounts: readonly string[] }

type FoundDatabase = { readonly path: string; readonly accounts: readonly FoundAccount[] }

/** Where NinjaTrader 8 keeps its database on Windows, unless its user moved the folder of documents elsewhere. */
const usualPlaces = (): string[] => [homedir(), process.env['OneDrive'] ?? homedir()].map((home) => join(home, 'Documents', 'NinjaTrader 8', 'db', 'NinjaTrader.sqlite'))

const isOnNetwork = (path: string): boolean => /^[\\/]{2}/.test(path)

/** Reads a database once; asking a computer of the network would give it this one's Windows login, so a path there is not followed. */
const look = async (folder: string, journal: JournalCalls, userId: string, given: string | null): Promise<Result<FoundDatabase, Refused>> => {
  if ((await journal.read.profile({ id: userId }))?.demo !== false) return refuse('brokerage-not-configured')
  const path = given ?? usualPlaces().find((place) => existsSync(place)) ?? ''
  if (!isAbsolute(path) || isOnNetwork(path) || !existsSync(path)) return refuse('database-missing')
  const snapshot = takeSnapshot(path, folder)
  if (!snapshot.ok) return refuse(`database-${snapshot.error}`)
  const accounts = accountsIn(snapshot.value)
  snapshot.value.close()
  // The same file by another way is the same login.
  return ok({ path: realpathSync(path), accounts })
}

/** The accounts in a database, or in the one at NinjaTrader's usual place. */
export const databaseAccounts = async (folder: string, journal: JournalCalls, userId: string, given: string | null) => {
  const found = await look(folder, journal, userId, given)
  if (!found.ok) return found
  const { path, accounts } = found.value
  const elsewhere = await journal.read.namesElsewhere({ userId, broker: 'ninjatrader' })
  return ok({ path, accounts: accounts.map(({ name, simulated, executions, last }) => ({ name, simulated, executions, elsewhere: isReachedElsewhere({ name }, elsewhere), lastAt: last === null ? null : new Date(last).toISOString() })) })
}

/** Connects accounts of a database, which needs no secret: connecting it again adds newly selected ones. */
export const connectDatabase = async ({ journal, timing, folder }: { readonly journal: JournalCalls; readonly timing: Timing; readonly folder: string }, userId: string, given: DatabaseInput): Promise<Result<{ loginId: string }, Refused>> => {
  const found = await look(folder, journal, userId, given.path)
  if (!found.ok) return found
  const elsewhere = await journal.read.namesElsewhere({ userId, broker: 'ninjatrader' })
  const wanted = found.value.accounts.filter((account) => given.accounts.includes(account.name) && !isReachedElsewhere(account, elsewhere))
  if (wanted.length === 0) return refuse('not-found')
  const at = timing.now()
  const { path } = found.value
  const login = await journal.write.saveLogin({ userId, id: randomUUID(), broker: 'ninjatrader', brokerUserId: path, name: 'NinjaTrader 8', hosts: null, at })
  const accounts = wanted.map((account): AccountRow => ({ key: accountKey(account), environment: environmentOf(account), brokerAccountId: account.name, name: accountWithoutFirm(account.name) }))
  await journal.write.saveAccounts({ userId, loginId: login.id, accounts, reconnect: true, at })
  await journal.write.settleImports({ userId, at })
  return ok({ loginId: login.id })
}
