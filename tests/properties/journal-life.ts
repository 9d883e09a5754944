import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import type { Barrier } from '#backend/db/barrier.ts'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { deleteUnfinishedImports } from '#backend/imports/queries.ts'
import { migrate } from '#backend/db/migrate.ts'
import { readsOf } from '#backend/journal/reads.ts'
import { settleLeftovers } from '#backend/imports/settle-leftovers.ts'
import { deriveLeftovers } from '#backend/fills/stale-batches.ts'
import { writesOf, type JournalWrites } from '#backend/journal/writes.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { CashReading, Reading } from '#shared/imports/reading.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import type { Amount } from '#shared/money/money.ts'
import { fillRow, importRows, money, orderRow, pairRow } from '#tests/helpers/imports.ts'
import { account, fill, migrationsFolder, monday, other, rowsOf, user, type TestStore } from '#tests/helpers/store.ts'

const hour = 3_600_000
const late = 'tradovate:demo:700303' as AccountKey
const brokers = {
  one: { key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' },
  two: { key: other, environment: 'live', brokerAccountId: '700202', name: 'LIVE-202' },
  late: { key: late, environment: 'demo', brokerAccountId: '700303', name: 'PA-303' },
} as const
type Broker = keyof typeof brokers
const brokerNames = ['one', 'two', 'late'] as const
/** What accounts are called: `late` is known by files first. */
const names = ['EVAL-101', 'LIVE-202', 'PA-303', 'Sim/404'] as const
const contracts = ['MESM6', 'MNQM6', 'ZZZQ9'] as const

const draft = fc.record({
  gap: fc.constantFrom(0, hour, 9 * hour, 25 * hour),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  qty: fc.integer({ min: 1, max: 3 }),
  price: fc.nat(30),
  contract: fc.constantFrom(...contracts),
  of: fc.nat(names.length - 1),
  fee: fc.constantFrom(null, '0.62', '1.24'),
})
type Drafts = readonly (typeof draft extends fc.Arbitrary<infer T> ? T : never)[]

const ids = fc.array(fc.nat(15), { minLength: 1, maxLength: 7 })
const broker = fc.constantFrom(...brokerNames)
const unnamed = fc.nat(3).map((die) => die === 0)
const doing = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('sync' as const), ids, reading: fc.constantFrom('first' as const, 'with fee' as const, 'busted' as const) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('import' as const), ids, says: fc.array(fc.constantFrom('fills' as const, 'dear fills' as const, 'orders' as const, 'pairs' as const, 'cash' as const), { minLength: 1, maxLength: 3 }), unnamed }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('undo' as const), pick: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('connect' as const), who: broker }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('disconnect' as const), pick: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rate' as const), pick: fc.nat(9), firm: fc.boolean(), product: fc.constantFrom('MES', 'MNQ', 'ZZZ'), perSide: fc.constantFrom(null, '0', '0.25', '0.1234') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('label' as const), pick: fc.nat(9), firm: fc.constantFrom('Tradeify' as const, null) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('figures' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove trade' as const), pick: fc.nat(30) }) },
)
type Doing = typeof doing extends fc.Arbitrary<infer T> ? T : never

/** One step: it may begin while the one before is under way, and the program may be killed at its `dies`th barrier. */
const step = fc.record({ doing, together: fc.nat(3).map((die) => die === 0), dies: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) }) })

/** The fills that a trader made, and what becomes of the journal that they come to. */
export const lives = (most: number) => fc.record({ drafts: fc.array(draft, { minLength: 4, maxLength: 16 }), steps: fc.array(step, { minLength: 2, maxLength: most }) })
export type Life = ReturnType<typeof lives> extends fc.Arbitrary<infer T> ? T : never

type Opened = TestStore & { readonly folder: string; readonly close: () => void; readonly dieAt: (barrier: number) => void; readonly died: () => string | null }

const killed = new Error('The program was killed')

/** Opens a journal as the program does; where it is killed at a barrier, what lies on the disk then is copied and can be opened next. */
const open = async (from: string | null): Promise<Opened> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fillbook-life-'))
  const file = path.join(folder, 'journal.db')
  if (from !== null) {
    for (const end of ['', '-wal']) if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${file}${end}`)
    rmSync(path.dirname(from), { recursive: true })
  }
  let [left, copy]: [number, string | null] = [0, null]
  const barrier: Barrier = () => {
    if (copy !== null) throw killed
    if (left === 0 || (left -= 1) > 0) return
    const grave = mkdtempSync(path.join(tmpdir(), 'fillbook-life-'))
    for (const end of ['', '-wal']) if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, path.join(grave, `journal.db${end}`))
    copy = path.join(grave, 'journal.db')
    throw killed
  }
  const database = openDatabase(file)
  migrate(database, migrationsFolder, path.join(folder, 'backups'))
  const writer = writerOf(database)
  const context = { writer, barrier }
  const write: JournalWrites = writesOf(context)
  if (from === null) write.createProfile({ id: user.userId, email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: monday })
  deleteUnfinishedImports(writer)
  await settleLeftovers(context)
  await deriveLeftovers(context)
  const close = () => {
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { read: readsOf(writer), write, writer, file, folder, close, dieAt: (number) => (left = number), died: () => copy }
}

const timesOf = (drafts: Drafts): number[] => {
  let time = monday
  return drafts.map(({ gap }) => (time += gap + 1000))
}

const dayOf = (time: number): string => new Date(time + 2 * hour).toISOString().slice(0, 10)

const priceOf = ({ contract, price }: Drafts[number]): number => (contract === 'ZZZQ9' ? 100 : 6700) + price * 0.25

const brokerOf = (of: number): Broker | undefined => brokerNames[of]

const syncedFills = (drafts: Drafts, wanted: readonly number[], reading: 'first' | 'with fee' | 'busted') => {
  const times = timesOf(drafts)
  return [...new Set(wanted.map((id) => id % drafts.length))].flatMap((index) => {
    const one = drafts[index] as Drafts[number]
    const who = brokerOf(one.of)
    if (who === undefined) return []
    const more = { account: brokers[who].key, contract: one.contract, time: times[index] as number, orderId: 100 + index, tradeDate: dayOf(times[index] as number) }
    return [fill(index + 1, one.side, one.qty, priceOf(one), { ...more, active: reading !== 'busted', ...(reading === 'with fee' ? { feeText: '0.62' } : {}) })]
  })
}

const readingsOf = (drafts: Drafts, { ids: wanted, says, unnamed: isUnnamed }: Extract<Doing, { kind: 'import' }>): Reading[] => {
  const times = timesOf(drafts)
  const chosen = [...new Set(wanted.map((id) => id % drafts.length))]
  const at = (index: number): number => times[index] as number
  return says.flatMap((kind) =>
    chosen.flatMap((index, place): Reading[] => {
      const one = drafts[index] as Drafts[number]
      const name = names[one.of] as string
      const row = { contract: one.contract, tickSize: contractSpecOf(one.contract).tickSize }
      const priced = { contract: one.contract, time: at(index), tradeDate: dayOf(at(index)) }
      if (kind === 'fills' || kind === 'dear fills') {
        const fee = kind === 'dear fills' ? money('1.50') : one.fee === null ? null : money(one.fee)
        return [{ ...fillRow(name, index + 1, one.side, one.qty, priceOf(one), { ...priced, orderId: String(100 + index), fee }), ...ticksOf(one) }]
      }
      if (kind === 'orders') return [{ ...orderRow(name, 100 + index, one.side, one.qty + 1, priceOf(one), { ...row, placedAt: at(index), filledAt: at(index) }), tickSize: ticksOf(one).tickSize, priceSum: ticksOf(one).price * (one.qty + 1) }]
      if (kind === 'cash') {
        const cash: CashReading = { says: 'cash', account: { id: null, name }, transactionId: `c${String(index)}`, time: at(index), tradeDate: dayOf(at(index)), movement: 'fee', delta: (-7_300 * one.qty) as Amount, amount: money('50000'), currency: null, contract: one.contract }
        return [cash]
      }
      const next = drafts[chosen[place + 1] ?? -1]
      const index2 = chosen[place + 1] ?? -1
      if (next === undefined || next.contract !== one.contract || next.of !== one.of || next.side === one.side) return []
      const [buy, sell] = one.side === 'buy' ? [index, index2] : [index2, index]
      const [bought, sold] = [drafts[buy] as Drafts[number], drafts[sell] as Drafts[number]]
      const side = (at_: number, drawn: Drafts[number]) => ({ fillId: String(at_ + 1), time: at(at_), price: ticksOf(drawn).price })
      const pnl = (ticksOf(sold).price - ticksOf(bought).price) * (one.contract === 'ZZZQ9' ? 2_500 : 12_500)
      return [{ ...pairRow(isUnnamed ? null : name, [1, 1], [2, 1], 1, { contract: one.contract, pnl: pnl as Amount }), tickSize: ticksOf(one).tickSize, buy: side(buy, bought), sell: side(sell, sold) }]
    }),
  )
}

// All of it in quarters, whatever the table says of the contract.
const ticksOf = (one: Drafts[number]) => ({ tickSize: '0.25', price: Math.round(priceOf(one) * 4) as never })

type Standing = { readonly importId: string; readonly readings: readonly Reading[]; readonly account: string | null }
type Synced = Pick<Parameters<JournalWrites['saveFills']>[0], 'fills' | 'specs'>

const brokersFigures = { ...contractSpecOf('ZZZQ9'), tickSize: '0.25', tickValue: { num: 12_500, den: 1 }, feePerSide: 4_000 as Amount, source: 'broker' as const }

/** The syncs and imports in effect: what a rebuilt journal receives. */
type Stands = { readonly synced: Synced[]; readonly imports: Map<string, Standing> }

type AccountRow = { key: AccountKey; name: string; environment: 'demo' | 'live'; broker_account_id: string; removed_at: number | null }
const accountsOf = (store: TestStore): AccountRow[] => rowsOf(store, 'accounts ORDER BY key') as AccountRow[]
const inView = (store: TestStore): AccountRow[] => accountsOf(store).filter(({ removed_at }) => removed_at === null)
const picked = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)]

const act = async ({ read, write, writer }: TestStore, at: number, it: Doing, drafts: Drafts, stands: Stands, number: number): Promise<void> => {
  const store = { read, write, writer, file: '' }
  const now = { ...user, at }
  switch (it.kind) {
    case 'sync': {
      const fills = syncedFills(drafts, it.ids, it.reading).filter(({ account: key }) => inView(store).some((row) => row.key === key))
      // A sync asks for the contracts that it does not know.
      const synced = { fills, specs: fills.some(({ contract }) => contract === 'ZZZQ9') ? [brokersFigures] : [] }
      stands.synced.push(synced)
      await write.saveFills({ ...now, ...synced })
      return
    }
    case 'figures':
      stands.synced.push({ fills: [], specs: [brokersFigures] })
      await write.saveFills({ ...now, fills: [], specs: [brokersFigures] })
      return
    case 'import': {
      const one = { importId: `import ${String(number)}`, readings: readingsOf(drafts, it), account: it.unnamed ? 'PA-303' : null }
      stands.imports.set(one.importId, one)
      await importRows(store, one.importId, one.readings, one.account)
      return
    }
    case 'undo': {
      const one = picked([...stands.imports.keys()], it.pick)
      if (one === undefined) return
      stands.imports.delete(one)
      await write.undoImport({ ...now, importId: one })
      return
    }
    case 'connect':
      write.saveAccounts({ ...now, loginId: 'login', reconnect: true, accounts: [brokers[it.who]] })
      await write.settleImports(now)
      return
    case 'disconnect': {
      const row = picked(inView(store), it.pick)
      if (row !== undefined) write.removeAccount({ ...now, account: row.key })
      return
    }
    case 'rate': {
      const row = picked(inView(store), it.pick)
      const of = it.firm || row === undefined ? ({ scope: 'firm', firm: 'Tradeify' } as const) : ({ scope: 'account', accountId: row.key } as const)
      await write.setCommission({ ...now, of, product: it.product, perSide: it.perSide })
      return
    }
    case 'label': {
      const row = picked(inView(store), it.pick)
      if (row === undefined) return
      write.addFinance({ ...now, finance: { id: row.key, type: 'Funded Account', amount: 0, name: row.name, balance: 0, platform: '', firm: it.firm } })
      await write.deriveStale(now)
      return
    }
    case 'remove trade': {
      const row = picked(rowsOf(store, "fill_pairs WHERE origin = 'synced' ORDER BY id") as { id: string }[], it.pick)
      if (row !== undefined) write.removeTrade({ ...now, id: row.id })
    }
  }
}

/** The user's account settings and rates, applied to a rebuilt journal. */
const say = async (anew: TestStore, as: TestStore): Promise<void> => {
  const now = { ...user, at: monday }
  for (const { key, name, environment, broker_account_id: brokerAccountId } of accountsOf(as)) {
    if (!key.startsWith('file:')) anew.write.saveAccounts({ ...now, loginId: 'login', reconnect: true, accounts: [{ key, environment, brokerAccountId, name }] })
  }
  for (const { scope, of, product, per_side, currency } of rowsOf(as, 'commission_rates') as { scope: string; of: string; product: string; per_side: number | null; currency: string }[]) {
    anew.writer.database.prepare('INSERT INTO commission_rates (user_id, scope, of, product, per_side, currency, stamp) VALUES (?, ?, ?, ?, ?, ?, ?)').run(user.userId, scope, of, product, per_side, currency, '')
  }
}

const sayAtEnd = async (anew: TestStore, as: TestStore): Promise<void> => {
  const now = { ...user, at: monday }
  const known = new Set(accountsOf(anew).map(({ key }) => key))
  const labels = rowsOf(as, 'finances WHERE firm IS NOT NULL') as { id: string; firm: 'Tradeify' }[]
  for (const { id, firm } of labels) if (known.has(id as AccountKey)) anew.write.addFinance({ ...now, finance: { id, type: 'Funded Account', amount: 0, name: id, balance: 0, platform: '', firm } })
  await anew.write.deriveStale(now)
  const derived = new Set((rowsOf(anew, 'fill_pairs') as { id: string }[]).map(({ id }) => id))
  for (const { pair_id: id } of rowsOf(as, 'shown_notes WHERE removed_at IS NOT NULL') as { pair_id: string }[]) if (derived.has(id)) anew.write.removeTrade({ ...now, id })
}

// What a file says of a contract is forgotten with the next import, where the broker's own figures stand.
const compared = ['fills', 'batches', 'fill_pairs', 'trades', 'specs', "imported_specs WHERE contract NOT IN (SELECT contract FROM specs WHERE source = 'broker')", 'imports_unsettled', 'stale_batches', 'base_fills', 'broker_figures']
// What the broker's files say is a list in the order in which they came.
const inAnyOrder = (row: Record<string, unknown>): Record<string, unknown> => (typeof row['content'] === 'string' ? { ...row, content: (JSON.parse(row['content']) as unknown[]).map((one) => JSON.stringify(one)).sort() } : row)
const stateOf = (store: TestStore): string[] => compared.flatMap((table) => (rowsOf(store, table) as Record<string, unknown>[]).map((row) => `${table} ${JSON.stringify({ ...inAnyOrder(row), ref: 0 })}`)).sort()

/** The law of a life: the journal equals, row by row, one rebuilt from its sources; all imported rows are in view. */
export const holds = async ({ drafts, steps }: Life): Promise<void> => {
  const stands: Stands = { synced: [], imports: new Map() }
  let store = await open(null)
  const opened: Opened[] = [store]
  try {
    store.write.saveLogin({ ...user, at: monday, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
    store.write.saveAccounts({ ...user, at: monday, loginId: 'login', reconnect: true, accounts: [brokers.one, brokers.two] })
    let running: Promise<void>[] = []
    const settle = async (): Promise<void> => {
      const results = await Promise.allSettled(running)
      running = []
      const grave = store.died()
      for (const one of results) if (one.status === 'rejected' && (grave === null || one.reason !== killed)) throw one.reason
      if (grave === null) return
      store = await open(grave)
      opened.push(store)
    }
    for (const [index, { doing: it, together, dies }] of steps.entries()) {
      if (!together || dies > 0) await settle()
      store.dieAt(dies)
      running.push(act(store, monday + (index + 1) * 60_000, it, drafts, stands, index))
      if (dies === 0) continue
      await settle()
      store.dieAt(0)
      // A sync that was killed begins again.
      const last = stands.synced.at(-1)
      if ((it.kind === 'sync' || it.kind === 'figures') && last !== undefined) await store.write.saveFills({ ...user, at: monday, ...last })
    }
    await settle()
    await store.write.settleImports({ ...user, at: monday })
    await store.write.deriveStale({ ...user, at: monday })

    const anew = await open(null)
    opened.push(anew)
    anew.write.saveLogin({ ...user, at: monday, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
    await say(anew, store)
    for (const synced of stands.synced) await anew.write.saveFills({ ...user, at: monday, ...synced })
    for (const { importId, readings, account: whose } of [...stands.imports.values()].reverse()) await importRows(anew, importId, readings, whose)
    await sayAtEnd(anew, store)
    const [one, whole] = [stateOf(store), stateOf(anew)]
    if (JSON.stringify(one) !== JSON.stringify(whole)) throw new Error(`${one.filter((row) => !whole.includes(row)).join('\n')}\ninstead of\n${whole.filter((row) => !one.includes(row)).join('\n')}`)
  } finally {
    for (const each of opened) each.close()
  }
}
