import path from 'node:path'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeBackup } from '#backend/backups/make-backup.ts'
import { stageBackup } from '#backend/backups/stage-backup.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { neverStamped } from '#shared/mirror/stamp.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { noRules } from '#shared/rules/terms.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { isNightly } from '#tests/helpers/cases.ts'
import { listedCloud, pull, push, sharedRows, waiting, type ListedCloud } from '#tests/helpers/listed-cloud.ts'
import { account, day, fill, migrationsFolder, monday, openEmptyStore, other, temporaryFolder, user, type TestStore } from '#tests/helpers/store.ts'

const hour = 3_600_000
const accounts = [
  { key: account, environment: 'demo', brokerAccountId: '700101' },
  { key: other, environment: 'live', brokerAccountId: '700202' },
] as const
// One of the table, one that only the broker knows.
const contracts = ['MESM6', 'ZZZQ9'] as const
const zones = ['America/New_York', 'Asia/Kolkata', 'America/New_York'] as const
const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const

const fillDraft = fc.record({
  gap: fc.constantFrom(0, hour, 11 * hour, 25 * hour),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  qty: fc.integer({ min: 1, max: 3 }),
  price: fc.integer({ min: 0, max: 20 }),
  contract: fc.constantFrom(...contracts),
  of: fc.nat(1),
})

const of = fc.nat(1)
const choice = fc.nat(5)
// Mostly to the end.
const breakOff = fc.oneof({ weight: 2, arbitrary: fc.constant(Infinity) }, { weight: 1, arbitrary: fc.nat(12) })
const doing = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('sync' as const), ids: fc.array(fc.nat(11), { minLength: 1, maxLength: 6 }), reading: fc.constantFrom('first', 'with fee', 'busted', 'from a file') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('connect' as const), of }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), of, choice }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('disconnect' as const), of }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('balance' as const), of, choice, age: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('figures' as const), contract: fc.constantFrom(...contracts), choice: fc.nat(2) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('edit' as const), pick: fc.nat(1), field: fc.constantFrom('notes', 'tags', 'stop', 'screenshot'), choice }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('enter' as const), id: fc.constantFrom('mine', 'second'), choice }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('finance' as const), id: fc.constantFrom('payout', account, other), choice }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unfinance' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rate' as const), ofFirm: fc.boolean(), product: fc.constantFrom('MES', 'ZZZ'), perSide: fc.constantFrom(null, '0.25', '0.5') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('day' as const), field: fc.constantFrom('notes', 'tags'), choice }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop' as const), distance: fc.constantFrom(null, '2.5', '8') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rules' as const), of, choice }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('copy' as const), of, marked: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('picture' as const), choice }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('back up' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('restore' as const), pick: fc.nat(20), whole: fc.nat(3).map((die) => die === 0) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pull' as const), page: fc.integer({ min: 1, max: 5 }), breakOff }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('push' as const), page: fc.integer({ min: 1, max: 9 }), breakOff, loseAnswer: fc.nat(3).map((die) => die === 0) }) },
)
type Doing = typeof doing extends fc.Arbitrary<infer T> ? T : never
const step = fc.record({ who: fc.nat(2), after: fc.constantFrom(0, 1, hour), doing })

type Drafts = readonly (typeof fillDraft extends fc.Arbitrary<infer T> ? T : never)[]
const readings = { first: {}, 'with fee': { feeText: '0.62' }, busted: { active: false }, 'from a file': { source: 'orders-file', orderId: null } } as const

const fillsOf = (drafts: Drafts, ids: readonly number[], reading: keyof typeof readings) => {
  let time = monday
  const times = drafts.map(({ gap }) => (time += gap))
  return ids.flatMap((id) => {
    const index = id % drafts.length
    const { side, qty, price, contract, of } = drafts[index] ?? drafts[0] ?? { side: 'buy', qty: 1, price: 0, contract: 'MESM6', of: 0 }
    return [fill(index + 1, side, qty, 6700 + price * 0.25, { contract, account: accounts[of]?.key ?? account, time: times[index] ?? time, ...readings[reading] })]
  })
}

const figures = (contract: string, choice: number) => {
  const known = contractSpecOf(contract)
  if (choice === 0) return known
  return { ...known, tickSize: '0.25', tickValue: { num: 12_500, den: 1 }, feePerSide: (choice * 1_000) as Amount, source: 'broker' as const }
}

/** Backups of any computer, as their files. */
type Kept = { readonly folder: string; readonly files: string[] }

/** Makes a backup of one computer's journal. */
const backUp = (store: TestStore, { folder, files }: Kept): void => {
  const name = `journal-${String(files.length)}.db`
  makeBackup({ file: store.file, folder, name, unlessLike: null })
  files.push(path.join(folder, name))
}

/** Restores any backup on any computer; later additions must be there afterwards, and everything from the backup must be in view. */
const restore = async (store: TestStore, at: number, file: string, whole: boolean): Promise<void> => {
  const staged = await stageBackup({ backup: file, folder: path.join(temporaryFolder(), 'staging'), migrationsFolder, at })
  const then = new Sqlite(staged, { readonly: true })
  const saidThen = new Map((then.prepare(saidSql).all() as Saying[]).map(({ name, says }) => [name, says]))
  then.close()
  const written = () => new Map((store.writer.database.prepare(saidSql).all() as Saying[]).map(({ name, says }) => [name, says]))
  const before = written()
  await store.write.restoreJournal({ ...user, at, staged, whole })
  const after = written()
  for (const [name, says] of before) if (!whole) expect([name, after.get(name)]).toEqual([name, saidThen.get(name) ?? says])
  for (const [name, says] of saidThen) expect([name, after.get(name)]).toEqual([name, says])
}

type Saying = { readonly name: string; readonly says: string }

/** Every non-empty field, separately. */
const saidSql = `SELECT name, says FROM (
  SELECT 'finance ' || id || ' amount' AS name, CASE WHEN id LIKE 'tradovate:%' THEN NULL ELSE amount END AS says FROM finances WHERE removed_at IS NULL
  UNION ALL SELECT 'finance ' || id || ' label', CASE WHEN type = 'Account' AND firm IS NULL THEN NULL ELSE type || COALESCE(firm, '') END FROM finances WHERE removed_at IS NULL OR id LIKE 'tradovate:%'
  UNION ALL SELECT 'trade ' || id, CASE WHEN EXISTS (SELECT 1 FROM pair_edits WHERE pair_id = id AND removed_at IS NOT NULL) THEN NULL ELSE qty END FROM fill_pairs WHERE origin = 'manual'
  UNION ALL SELECT 'rate ' || scope || product || of, per_side FROM commission_rates
  UNION ALL SELECT 'stop ' || product, distance || unit FROM default_stops
  UNION ALL SELECT 'rules ' || account, rules FROM account_rules
  UNION ALL SELECT 'stage ' || account, stage FROM account_rules
  UNION ALL SELECT 'copy of ' || key, copy_of FROM accounts WHERE removed_at IS NULL
  UNION ALL SELECT 'account ' || key, CASE WHEN removed_at IS NULL THEN 'in view' END FROM accounts
  UNION ALL SELECT 'day ' || trading_day || ' notes', notes FROM day_notes UNION ALL SELECT 'day ' || trading_day || ' tags', NULLIF(tags, '[]') FROM day_notes
  UNION ALL SELECT 'picture ' || name, type FROM pictures
  UNION ALL SELECT 'fill ' || account || '/' || id, 'known' FROM fills
  UNION ALL SELECT 'notes of ' || pair_id, notes FROM pair_edits UNION ALL SELECT 'tags of ' || pair_id, NULLIF(tags, '[]') FROM pair_edits
  UNION ALL SELECT 'stop of ' || pair_id, stop FROM pair_edits UNION ALL SELECT 'picture of ' || pair_id, screenshot FROM pair_edits
) WHERE says IS NOT NULL AND says <> ''`

/** An act of a trader, a sync or the mirror on one computer, at `at` on its clock. */
const act = async (store: TestStore, cloud: ListedCloud, at: number, it: Doing, drafts: Drafts, name: string, kept: Kept): Promise<void> => {
  const { write, read } = store
  const now = { ...user, at }
  const row = (index: number, called = 'A') => ({ ...(accounts[index] ?? accounts[0]), name: `${called}-${String(index)}` })
  const listed = (reconnect: boolean, rows: ReturnType<typeof row>[]) => write.saveAccounts({ ...now, loginId: `login of ${name}`, accounts: rows, reconnect })
  const picked = (pick: number) => {
    const { rows } = read.pairPage(page)
    return rows[pick % Math.max(1, rows.length)]?.id
  }
  switch (it.kind) {
    case 'sync': {
      const { skipped } = listed(false, [row(0), row(1)])
      const fills = fillsOf(drafts, it.ids, it.reading as keyof typeof readings).filter((one) => !skipped.includes(one.account))
      await write.saveFills({ ...now, fills, specs: contracts.map(contractSpecOf) })
      return
    }
    case 'connect':
      listed(true, [row(it.of)])
      return
    case 'rename':
      listed(false, [row(it.of, String(it.choice))])
      return
    case 'disconnect':
      write.removeAccount({ ...now, account: row(it.of).key })
      return
    case 'balance':
      write.saveBalances({ ...now, balances: [{ account: row(it.of).key, amount: (it.choice * 10_000) as Amount, currency: 'USD' as Currency, time: monday + it.age }] })
      return
    case 'figures':
      write.saveContracts({ ...now, contracts: [{ environment: 'demo', brokerContractId: `44${it.contract}`, spec: figures(it.contract, it.choice) }] })
      return
    case 'edit': {
      const id = picked(it.pick)
      const value = it.field === 'tags' ? [`tag ${String(it.choice)}`] : it.field === 'stop' ? `${String(it.choice)}.25` : `${it.field} ${String(it.choice)}`
      if (id !== undefined) write.updateTrade({ ...now, id, updates: { [it.field]: value } })
      return
    }
    case 'remove': {
      const id = picked(it.pick)
      if (id !== undefined) write.removeTrade({ ...now, id })
      return
    }
    case 'enter': {
      const trade = { id: it.id, symbol: 'MESM6', account: 'Paper', accountId: 'paper', qty: 1 + it.choice, entryPrice: 6750, exitPrice: 6751, platform: '', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T16:00:00Z', notes: `entered ${String(it.choice)}` }
      write.addTrade({ ...now, trade })
      return
    }
    case 'finance': {
      const label = it.id === 'payout' ? 'earning' : 'Funded Account'
      write.addFinance({ ...now, finance: { id: it.id, type: label, amount: it.choice, name: 'Payout', balance: 0, platform: '', firm: it.choice > 2 ? 'Tradeify' : null } })
      await write.deriveStale(now)
      return
    }
    case 'rate': {
      const whose = it.ofFirm ? ({ scope: 'firm', firm: 'Tradeify' } as const) : ({ scope: 'account', accountId: account } as const)
      await write.setCommission({ ...now, of: whose, product: it.product, perSide: it.perSide })
      return
    }
    case 'day':
      write.setDayNote({ ...now, tradingDay: '2026-01-05', ...(it.field === 'tags' ? { tags: [`tag ${String(it.choice)}`] } : { notes: `note ${String(it.choice)}` }) })
      return
    case 'stop':
      write.setDefaultStops({ ...now, stops: [{ product: 'MES', distance: it.distance, unit: it.distance === '8' ? 'ticks' : 'points' }] })
      return
    case 'rules':
      if (it.choice === 5) write.setStage({ ...now, account: row(it.of).key, stage: 'funded' })
      else write.setRules({ ...now, account: row(it.of).key, set: it.choice === 0 ? null : { ...noRules('USD'), startingBalance: '50000', profitTarget: String(it.choice * 1_000) }, presetId: null, since: null })
      return
    case 'copy':
      write.setCopyOf({ ...now, account: row(it.of).key, leader: it.marked ? row(1 - it.of).key : null })
      return
    case 'unfinance':
      write.removeFinance({ ...now, id: 'payout' })
      return
    case 'picture':
      write.addPicture({ ...now, name: `${String(it.choice)}.png`, type: 'image/png', bytes: 10 + it.choice })
      return
    case 'back up':
      backUp(store, kept)
      return
    case 'restore': {
      const file = kept.files[it.pick % Math.max(1, kept.files.length)]
      if (file !== undefined) await restore(store, at, file, it.whole)
      return
    }
    case 'pull':
      await pull(store, cloud, at, it)
      return
    case 'push':
      await push(store, cloud, at, it)
  }
}

/** How late, or how trusted, something in a journal is, and what it then says. */
type Standing = { readonly order: string; readonly says: string }

const standingSql = `
  SELECT 'account ' || key AS name, stamp AS "order", COALESCE(removed_at, '') || COALESCE(copy_of, '') AS says FROM accounts
  UNION ALL SELECT 'balance ' || key, printf('%015d', COALESCE(balance_at, 0)), '' FROM accounts
  UNION ALL SELECT 'finance ' || id, stamp, type || amount || COALESCE(firm, '') FROM finances
  UNION ALL SELECT 'trade ' || id, stamp, qty FROM fill_pairs WHERE origin = 'manual'
  UNION ALL SELECT 'rate ' || scope || product, stamp, COALESCE(per_side, '') FROM commission_rates
  UNION ALL SELECT 'stop ' || product, stamp, COALESCE(distance || unit, '') FROM default_stops
  UNION ALL SELECT 'rules ' || account, stamp, COALESCE(rules, '') || COALESCE(stage, '') FROM account_rules
  UNION ALL SELECT 'day ' || trading_day || key, value, CASE key WHEN 'notes' THEN notes ELSE tags END FROM day_notes, json_each(stamps)
  UNION ALL SELECT 'fill ' || account || id, CASE source WHEN 'api' THEN '1' ELSE '0' END, '' FROM fills
  UNION ALL SELECT 'spec ' || contract, CASE source WHEN 'broker' THEN '2' WHEN 'table' THEN '1' ELSE '0' END, '' FROM specs
  UNION ALL SELECT 'edit ' || pair_id || ' ' || key, value, CASE key WHEN 'notes' THEN notes WHEN 'tags' THEN tags WHEN 'stop' THEN stop
    WHEN 'screenshot' THEN screenshot WHEN 'place' THEN place ELSE COALESCE(removed_at, '') END FROM pair_edits, json_each(stamps)`

const standings = (store: TestStore): Map<string, Standing> =>
  new Map((store.writer.database.prepare(standingSql).all() as ({ name: string } & Standing)[]).map(({ name, order, says }) => [name, { order, says: String(says) }]))

/** What stood best on any computer at any time; on the same computer nothing ever gives way to something earlier. */
const watching = () => {
  const best = new Map<string, Standing>()
  const last = new Map<TestStore, Map<string, Standing>>()
  return {
    best,
    look: (store: TestStore) => {
      const now = standings(store)
      for (const [name, was] of last.get(store) ?? []) expect([name, (now.get(name)?.order ?? '') >= was.order]).toEqual([name, true])
      last.set(store, now)
      for (const [name, one] of now) if (one.order >= (best.get(name)?.order ?? '')) best.set(name, one)
    },
  }
}

const rounds = 6

/** Lets all computers mirror, one after another, until none has anything to say. */
const settle = async (stores: readonly TestStore[], cloud: ListedCloud, at: number): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    for (const store of stores) {
      await pull(store, cloud, at)
      await push(store, cloud, at)
    }
    if (stores.every((store) => store.read.mirror(user).cursor === cloud.head())) return
  }
  throw new Error('The computers never come to rest')
}

/** What the cloud must hold of a journal. Pairs that are gone say nothing, and what an account says of its finance is in the account. */
const comparable = (records: readonly { entity: string; id: string; content: unknown }[], keys: ReadonlySet<string>): string[] =>
  records
    .filter(({ content }) => content !== null)
    .map(({ entity, id, content }) => {
      const own: Record<string, unknown> = { ...(content as object) }
      if (entity === 'finance' && keys.has(id)) for (const field of ['name', 'balance', 'currency', 'removedAt']) own[field] = null
      return `${entity} ${id} ${JSON.stringify(Object.entries(own).sort())}`
    })
    .sort()

const holds = async (numRuns: number, seed: number): Promise<void> => {
  const drafts = fc.array(fillDraft, { minLength: 2, maxLength: 12 })
  const clocks = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 2, maxLength: 3 })
  const life = fc.asyncProperty(clocks, drafts, fc.boolean(), fc.array(step, { minLength: 5, maxLength: 45 }), async (clocksWrongBy, fills, together, steps) => {
    const cloud = listedCloud()
    const stores = clocksWrongBy.map((_, index) => openEmptyStore(zones[index]))
    stores.forEach((store, index) => store.write.saveLogin({ ...user, at: monday, id: `login of ${String(index)}`, brokerUserId: '9001', name: `trader-${String(index)}`, hosts: null }))
    const watch = watching()
    const kept: Kept = { folder: temporaryFolder(), files: [] }
    let time = monday
    if (together) {
      for (const store of stores) await act(store, cloud, time, { kind: 'sync', ids: [0, 1, 2, 3, 4, 5], reading: 'first' }, fills, '0', kept)
      await settle(stores, cloud, time)
    }
    for (const { who, after, doing: what } of steps) {
      const index = who % stores.length
      const store = stores[index]
      time += after
      if (store === undefined) continue
      await act(store, cloud, time + (clocksWrongBy[index] ?? 0) * day, what, fills, String(index), kept)
      watch.look(store)
    }
    await settle(stores, cloud, time)
    const fresh = openEmptyStore('UTC')
    await settle([fresh], cloud, time)
    const all = [...stores, fresh]
    const rows = all.map(sharedRows)
    const standing = standings(fresh)
    const keys = new Set(accounts.map(({ key }) => key as string))
    const held = comparable(cloud.records(), keys)
    const wouldTell = all.map((store) => {
      store.write.resetMirror({ ...user, at: time, journal: null })
      return comparable(waiting(store, 100_000).records, keys)
    })
    for (const store of all) store.writer.database.close()
    for (const each of rows) expect(each).toEqual(rows[0])
    for (const records of wouldTell) expect(records).toEqual(held)
    for (const [name, one] of watch.best) expect([name, standing.get(name)?.order]).toEqual([name, one.order])
    const saidOnce = [...watch.best].filter(([, { order }]) => order.includes('-') && order !== neverStamped)
    for (const [name, one] of saidOnce) expect([name, standing.get(name)]).toEqual([name, one])
  })
  await fc.assert(life, { numRuns, seed })
}

it('computers with clocks days apart end with one journal, whatever they do and in whatever order they mirror', () => holds(20, 20_261_121))

it.runIf(isNightly)('many more lives of theirs end in one journal', { tags: 'long' }, () => holds(100, 20_261_122))
