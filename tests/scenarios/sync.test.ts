import { expect, onTestFinished, test } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { brokerageAt } from '../helpers/stand-in.ts'
import { openSyncJournal, type SyncJournal } from '../helpers/sync-journal.ts'

const ava = 'ava.morgan'
const ben = 'ben.keller'
const fillList = '/fill/list$'

const begin = async (logins: readonly string[] = [ava], stop = 0): Promise<{ broker: TestBroker; it: SyncJournal; at: (stop: number) => void }> => {
  const broker = await startTestBroker({ anchor: '2026-03-06' })
  onTestFinished(() => broker.stop())
  const at = (index: number): void => broker.clock.set(broker.walk[index]?.at ?? NaN)
  at(stop)
  const it = await openSyncJournal({ brokerage: brokerageAt(broker) })
  for (const login of logins) await it.connect(login)
  return { broker, it, at }
}
const idsOf = (it: SyncJournal): string[] => (it.rows()['fills'] ?? []).map((row) => `${String(row['account'])}/${String(row['id'])}`)
const requests = (broker: TestBroker): string[] => broker.traffic.seen().map(({ path }) => path)

test('a run counts its changes, and the journal holds exactly those', async () => {
  const { it } = await begin()
  const receipt = await it.sync()
  const rows = it.rows()
  expect(receipt).toMatchObject({ outcome: 'complete', trigger: 'manual', logins: 1, accounts: 3, refused: [], troubles: [] })
  expect(receipt.fills).toEqual({ received: rows['fills']?.length, added: rows['fills']?.length, changed: 0, unchanged: 0, refused: 0 })
  expect(receipt.pairs).toEqual({ added: rows['fill_pairs']?.length, changed: 0, removed: 0 })
  expect(receipt.batches).toBe(rows['batches']?.length)
  expect(receipt.outbox).toBe(rows['outbox']?.filter(({ entity }) => entity === 'fill' || entity === 'pair').length)
  expect(rows['accounts']?.every(({ balance_at }) => balance_at !== null)).toBe(true)
})

test('a second run adds nothing, doubles nothing and sends few requests', async () => {
  const { broker, it } = await begin()
  await it.sync()
  const before = it.rows()
  broker.traffic.clear()
  const receipt = await it.sync('schedule')
  expect(receipt.fills).toMatchObject({ added: 0, changed: 0, unchanged: before['fills']?.length })
  expect({ ...receipt, pairs: receipt.pairs.added + receipt.pairs.changed + receipt.pairs.removed }).toMatchObject({ batches: 0, pairs: 0, outbox: 0 })
  expect(it.rows()).toEqual(before)
  expect(requests(broker).sort()).toEqual(['account', 'cashBalance', 'currency', 'fill', 'fillFee', 'fillPair', 'order', 'position'].map((entity) => `/demo/v1/${entity}/list`))
})

test('the session rolls between two runs: fetched fills stay, new ones are added', { tags: 'long' }, async () => {
  const { it, at } = await begin()
  await it.sync()
  const first = idsOf(it)
  at(1)
  const receipt = await it.sync()
  expect(receipt.fills).toMatchObject({ added: receipt.fills.received, changed: 0, unchanged: 0 })
  expect(receipt.fills.added).toBeGreaterThan(0)
  expect(idsOf(it)).toEqual(expect.arrayContaining(first))
  expect(idsOf(it)).toHaveLength(first.length + receipt.fills.added)
})

test('several runs during a session give the same as one at its end', { tags: 'long' }, async () => {
  const { broker, it } = await begin()
  const end = broker.walk[0]?.at ?? 0
  for (const minutes of [420, 300, 180, 61, 7, 0]) {
    broker.clock.set(end - minutes * 60_000)
    await it.sync('schedule')
  }
  const { it: once } = await begin()
  await once.sync()
  expect(it.rows()).toEqual(once.rows())
})

test('several logins, live and demo under one token', async () => {
  const { broker, it } = await begin([ava, ben])
  const receipt = await it.sync()
  expect(receipt).toMatchObject({ outcome: 'complete', logins: 2, accounts: 5 })
  const accounts = new Set(it.rows()['fills']?.map(({ account }) => account))
  expect([...accounts].filter((account) => String(account).startsWith('tradovate:live:'))).toHaveLength(1)
  broker.traffic.clear()
  await it.sync('schedule')
  expect(requests(broker).filter((path) => path.endsWith('/account/list')).sort()).toEqual(['/demo/v1/account/list', '/demo/v1/account/list', '/live/v1/account/list'])
})

test('trouble with one login does not stop the other', async () => {
  const { broker, it } = await begin([ava, ben])
  broker.sessions.revoke(ava)
  const receipt = await it.sync()
  expect(receipt).toMatchObject({ outcome: 'partial', accounts: 2, troubles: [{ code: 'login-needed', loginName: ava, environment: null }] })
  const health = await it.connections.tokenHealth(it.userId)
  expect(health.needsReauth).toBe(true)
  expect(health.expiredAccounts).toHaveLength(3)
  expect(health.expiredAccounts[0]).toMatchObject({ accountName: 'NGF-EVAL50K-104233', lastError: expect.any(String) as string })
})

test('connecting the same broker user again renews its login instead of doubling it', async () => {
  const { broker, it } = await begin()
  const [first] = await it.journal.read.logins({ userId: it.userId })
  broker.sessions.revoke(ava)
  await it.sync()
  expect(await it.connect(ava)).toBe(first?.id)
  expect(await it.journal.read.logins({ userId: it.userId })).toMatchObject([{ id: first?.id, status: 'ok', lastError: null }])
  expect((await it.sync()).outcome).toBe('complete')
})

test('a fill that the exchange busts later loses its fill pairs', { tags: 'long' }, async () => {
  const { broker, it } = await begin()
  const stops = broker.walk.length
  let busted = 0
  const written = new Set<string>()
  for (let stop = 0; stop < stops && busted === 0; stop += 1) {
    const end = broker.walk[stop]?.at ?? 0
    for (let minutes = 430; minutes >= 0 && busted === 0; minutes -= 5) {
      broker.clock.set(end - minutes * 60_000)
      busted = (await it.sync('schedule')).fills.changed
      if (busted > 0) continue
      for (const { id } of it.rows()['fill_pairs'] ?? []) {
        if (written.has(String(id))) continue
        written.add(String(id))
        await it.journal.write.updateTrade({ userId: it.userId, at: end, id: String(id), updates: { notes: `[${String(id)}]`, tags: ['mine'], stop: '1.00' } })
      }
    }
  }
  const inactive = it.rows()['fills']?.filter(({ active }) => active === 0) ?? []
  expect([busted, inactive.length]).toEqual([1, 1])
  const id = `/${String(inactive[0]?.['id'])}`
  const pairs = it.rows()['fill_pairs'] ?? []
  expect(pairs.filter((pair) => String(pair['id']).includes(id))).toEqual([])
  // What was written on pairs of that fill is on the pair that took their place, or left over on the day: each word once.
  const shown = await Promise.all(pairs.map((pair) => it.journal.read.pairById({ userId: it.userId, id: String(pair['id']) })))
  const texts = [...shown.flatMap((pair) => pair?.notes ?? []), ...(await it.journal.read.leftOverNotes({ userId: it.userId })).map(({ notes }) => notes)].join()
  expect(written.size).toBeGreaterThan(0)
  for (const one of written) expect([one, texts.split(`[${one}]`).length - 1]).toEqual([one, 1])
})

test('a late fee changes its fill and the net P&L', async () => {
  const { broker, it } = await begin()
  broker.faults.set([{ kind: 'empty-list', path: '/fillFee/' }])
  await it.sync()
  const early = it.rows()
  expect(early['fills']?.every(({ fee }) => fee === null)).toBe(true)
  expect(early['fill_pairs']?.every((pair) => pair['fee_source'] === 'table')).toBe(true)
  broker.faults.clear()
  const receipt = await it.sync('schedule')
  expect(receipt.fills).toMatchObject({ added: 0, changed: early['fills']?.filter(({ active }) => active === 1).length })
  expect(it.rows()['fill_pairs']?.every((pair) => pair['fee_source'] === 'broker')).toBe(true)
  broker.traffic.clear()
  await it.sync('schedule')
  expect(requests(broker).filter((path) => path.includes('fillFee'))).toEqual(['/demo/v1/fillFee/list'])
})

test('an overnight hold is closed by the fills of a later day', async () => {
  const held = 'tradovate:demo:700103'
  const { broker, it, at } = await begin()
  for (const stop of broker.walk.keys()) {
    at(stop)
    await it.sync()
  }
  const overnight = (it.rows()['fill_pairs'] ?? []).filter((pair) => pair['account_id'] === held && Number(pair['exit_time']) - Number(pair['entry_time']) > 12 * 3_600_000)
  expect(overnight.length).toBeGreaterThan(0)
})

test('a removed account is skipped, the token is deleted with the last account, and reconnecting restores it', { tags: 'long' }, async () => {
  const { broker, it } = await begin([ava])
  const loginId = (await it.journal.read.logins({ userId: it.userId }))[0]?.id ?? ''
  await it.sync()
  const whole = it.rows()
  const keys = (whole['accounts'] ?? []).map(({ key }) => String(key))
  await it.connections.removeAccount(it.userId, keys[0] ?? '')
  const receipt = await it.sync()
  expect(receipt).toMatchObject({ outcome: 'complete', accounts: 2, fills: { added: 0, changed: 0, refused: 0 } })
  expect(receipt.fills.unchanged).toBe(receipt.fills.received)
  expect((await it.store.get(loginId)).kind).toBe('found')

  // The copier's exits there need the token: it goes with the next look once they are over.
  it.copier.hasOrders = true
  for (const key of keys) await it.connections.removeAccount(it.userId, key)
  expect((await it.store.get(loginId)).kind).toBe('found')
  it.copier.hasOrders = false
  expect(await it.connections.tokenHealth(it.userId)).toEqual({ needsReauth: false, expiredAccounts: [] })
  expect((await it.store.get(loginId)).kind).toBe('none')
  broker.traffic.clear()
  expect(await it.sync()).toMatchObject({ outcome: 'complete', logins: 0, accounts: 0 })
  expect(requests(broker)).toEqual([])

  await it.connect(ava)
  await it.sync()
  expect(it.rows()).toEqual(whole)
})

test('accounts that could not be read while connecting are restored by the first sync', { tags: 'long' }, async () => {
  const { broker, it } = await begin()
  await it.sync()
  const whole = it.rows()
  for (const { key } of whole['accounts'] ?? []) await it.connections.removeAccount(it.userId, String(key))
  broker.faults.set([{ kind: 'permission-missing', path: '/account/list$' }])
  const loginId = await it.connect(ava)
  broker.faults.clear()
  await it.sync('connect', loginId)
  expect(it.rows()).toEqual(whole)
})

test('an account removed by the finance call ends its login at the next health check', { tags: 'long' }, async () => {
  const { it } = await begin([ava])
  const loginId = (await it.journal.read.logins({ userId: it.userId }))[0]?.id ?? ''
  for (const finance of await it.journal.read.finances({ userId: it.userId })) await it.journal.write.removeFinance({ userId: it.userId, id: finance.id, at: it.timing.now() })
  expect(await it.connections.tokenHealth(it.userId)).toEqual({ needsReauth: false, expiredAccounts: [] })
  expect((await it.store.get(loginId)).kind).toBe('none')
})

const phasesOf = (it: SyncJournal): string[] => it.progress.map(({ phase }) => phase).filter((phase, index, all) => phase !== all[index - 1])
const everyPhase = ['tokens', 'accounts', 'balances', 'fills', 'contracts', 'saving', 'done']

test('progress of one login in one environment names every phase once, in order', async () => {
  const { it, at } = await begin([ava])
  await it.sync()
  at(1)
  it.progress.length = 0
  await it.sync('schedule')
  expect(phasesOf(it)).toEqual(everyPhase)
})

// A side without accounts is done after its accounts: if its answer comes late, the others are past the next phase by then.
test('progress of several parts names no phase twice, and never goes back', async () => {
  const { it } = await begin([ava, ben])
  await it.sync()
  const phases = phasesOf(it)
  expect([phases[0], phases.at(-1)]).toEqual(['tokens', 'done'])
  expect(phases).toEqual(everyPhase.filter((phase) => phases.includes(phase)))
  const bar = it.progress.map(({ overall }) => overall)
  expect(bar).toEqual(bar.toSorted((one, other) => one - other))
  expect(bar.at(-1)).toBe(1)
})

test('a stop ends fetching, and the receipt says so', { tags: 'long' }, async () => {
  const { broker, it } = await begin()
  broker.faults.set([{ kind: 'slow', ms: 60_000, path: fillList }])
  const stop = new AbortController()
  const ended = it.sync('manual', undefined, stop.signal)
  while (!requests(broker).some((path) => path.endsWith('/cashBalance/list'))) await new Promise((resolve) => setImmediate(resolve))
  stop.abort()
  const receipt = await ended
  expect(receipt.troubles.map(({ code }) => code)).toContain('stopped')
  expect(await it.journal.read.receipts({ userId: it.userId, limit: 1 })).toEqual([receipt])
  broker.faults.clear()
  expect((await it.sync()).outcome).toBe('complete')
})
