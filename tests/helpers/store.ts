import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { openDatabase, writerOf, type Writer } from '#backend/db/database.ts'
import { readsOf, type JournalReads } from '#backend/journal/reads.ts'
import type { NewFill } from '#backend/db/rows.ts'
import type { Barrier } from '#backend/db/barrier.ts'
import { writesOf, type JournalWrites } from '#backend/journal/writes.ts'
import type { AccountKey, Side } from '#shared/fills/fill.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { parseAmount } from '#shared/money/money.ts'
import { parsePrice } from '#shared/money/price.ts'
import { emptyJournal } from './empty-journal.ts'

/** The migrations that the product ships. */
export const migrationsFolder = new URL('../../migrations/sqlite/', import.meta.url).pathname

/** A folder of the running test, gone after it. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fillbook-store-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** A journal on a real file, on this thread. */
export type TestStore = { readonly read: JournalReads; readonly write: JournalWrites; readonly writer: Writer; readonly file: string }

export const user = { userId: 'u1' }
export const account = 'tradovate:demo:700101' as AccountKey
export const other = 'tradovate:live:700202' as AccountKey
/** Monday, 5 January 2026, 15:00 UTC. */
export const monday = Date.UTC(2026, 0, 5, 15)
export const minute = 60_000
export const day = 86_400_000

/** Opens a journal with one profile and nothing in it. */
export const openEmptyStore = (timeZone = 'America/New_York', barrier: Barrier = () => undefined): TestStore => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'journal.db')
  writeFileSync(file, emptyJournal())
  const database = openDatabase(file)
  // Nothing of it has to outlive the test.
  database.pragma('synchronous = OFF')
  onTestFinished(() => {
    database.close()
  })
  const writer = writerOf(database)
  const write = writesOf({ writer, barrier })
  write.createProfile({ id: user.userId, email: 'a@example.org', displayName: 'A', passwordHash: null, recoveryHash: null, demo: false, timeZone, createdAt: monday })
  return { read: readsOf(writer), write, writer, file }
}

/** Opens a journal with one profile in New York and two connected accounts. */
export const openStore = (barrier: Barrier = () => undefined): TestStore => {
  const store = openEmptyStore('America/New_York', barrier)
  store.write.saveLogin({ ...user, at: monday, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
  const accounts = [
    { key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' },
    { key: other, environment: 'live', brokerAccountId: '700202', name: 'Fünded-202' },
  ] as const
  store.write.saveAccounts({ ...user, at: monday, loginId: 'login', accounts, reconnect: true })
  return store
}

/** Another profile of the same journal. */
export const addProfile = ({ write }: Pick<TestStore, 'write'>, id: string): void => {
  write.ensureProfile({ id, email: null, displayName: id, passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: monday })
}

/** A fill of MESM6 in the first account, in the trader's words: `fill(1, 'buy', 2, 6750.25)`. */
export const fill = (id: number, side: Side, qty: number, price: number, more: Partial<NewFill> & { readonly feeText?: string } = {}): NewFill => {
  const { feeText, ...rest } = more
  const contract = more.contract ?? 'MESM6'
  const ticks = parsePrice(price, contractSpecOf(contract).tickSize)
  const fee = feeText === undefined ? null : parseAmount(feeText)
  if (!ticks.ok || fee?.ok === false) throw new Error('Not a fill')
  return {
    id: String(id), account, contract, time: monday + id * minute, side, qty, price: ticks.value, fee: fee?.value ?? null, active: true, source: 'api',
    orderId: id, contractId: 4400001, tradeDate: '2026-01-05',
    ...rest,
  }
}

/** Takes fills with no other figures than those of the contract table. */
export const take = (store: TestStore, ...fills: readonly NewFill[]) => store.write.saveFills({ ...user, at: monday, fills, specs: [] })

/** All cells of a table, row by row. */
export const rowsOf = (store: TestStore, table: string): unknown[] => store.writer.database.prepare(`SELECT * FROM ${table}`).all()
