import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openCopierLeases } from '#cloud/store/copier-leases.ts'
import { openDatabase } from '#cloud/store/open-database.ts'
import { copierLeaseRoutes, type LeaseAnswer } from '#shared/api/copier-lease.ts'
import { deleteCloudAccount } from '#shared/api/cloud.ts'
import type { Subscription } from '#shared/plans/subscription.ts'
import { cloudUser, type CloudClient } from '../helpers/cloud-client.ts'
import { devUserId, startCloud, type RunningCloud } from '../helpers/cloud.ts'
import { queryRows, sharedPostgres, type PostgresServer } from '../helpers/postgres.ts'
import { until } from '../helpers/until.ts'

const { leaseCopier, releaseCopier } = copierLeaseRoutes
const [desk, laptop] = ['desk-0000-0000-0000', 'laptop-0000-0000-000']
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const account = (number: number): string => `tradovate:demo:${String(700_100 + number)}`
const accounts = (count: number, from = 1): string[] => Array.from({ length: count }, (_, index) => account(from + index))

let postgres: PostgresServer
let databaseUrl: string
let cloud: RunningCloud
beforeAll(async () => {
  postgres = await sharedPostgres()
  databaseUrl = await postgres.newDatabase()
  cloud = await startCloud({ databaseUrl, env: { FILLBOOK_CLOUD_ADMIN_USER_ID: devUserId('admin@example.com') } })
})
afterAll(async () => {
  await cloud.stop()
  await postgres.stop()
})

const paid = (subscriptionType: Subscription['subscriptionType']): Subscription => ({ status: 'active', hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', subscriptionType })

/** Somebody with this subscription, or with none. */
const trader = async (name: string, subscription: Subscription | null, at = cloud): Promise<CloudClient> => {
  const user = await cloudUser(at, `${name}@example.com`)
  await queryRows(databaseUrl, 'DELETE FROM subscriptions WHERE user_id = $1', [user.userId])
  if (subscription !== null) await queryRows(databaseUrl, 'INSERT INTO subscriptions (user_id, content) VALUES ($1, $2)', [user.userId, JSON.stringify(subscription)])
  return user
}
const lease = ({ call, userId }: CloudClient, machine: string, wanted: string[], seconds = 60): Promise<LeaseAnswer> => call(leaseCopier, { body: { userId, machine, accounts: wanted, seconds } })
const release = ({ call, userId }: CloudClient, machine: string, given: string[]) => call(releaseCopier, { body: { userId, machine, accounts: given } })

test('only one of two computers copies to an account: the other gets it once the lease expires or is released', async () => {
  const ann = await trader('ann', paid('tradecopier'))
  const first = await lease(ann, desk, accounts(2), 1)
  expect(first.outcome).toBe('granted')
  const refused = await lease(ann, laptop, accounts(2))
  // The first may be over by then on a slow machine, and its end is waited for below in either case.
  expect(['elsewhere', 'granted']).toContain(refused.outcome)
  const taken = await until(async () => ((await lease(ann, laptop, accounts(2))).outcome === 'granted' ? true : null), 'the end of the lease', 10_000)
  expect(taken).toBe(true)
  const back = await lease(ann, desk, accounts(1))
  expect(back).toMatchObject({ outcome: 'elsewhere', since: expect.any(String) as string })
  // Who has it prolongs it, as often as it likes.
  expect((await lease(ann, laptop, accounts(2))).outcome).toBe('granted')
  await release(ann, desk, accounts(2))
  expect((await lease(ann, desk, accounts(1))).outcome).toBe('elsewhere')
  await release(ann, laptop, accounts(1))
  expect((await lease(ann, desk, accounts(1))).outcome).toBe('granted')
  expect((await lease(ann, desk, accounts(2))).outcome).toBe('elsewhere')
})

test("a lease that expires during another computer's request is either held or free", { tags: 'long' }, async () => {
  const ivy = await trader('ivy', paid('tradecopier'))
  // Deleting expired leases takes longer than the lease has left.
  await queryRows(databaseUrl, 'CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1.2); RETURN NULL; END $$')
  onTestFinished(async () => {
    await queryRows(databaseUrl, 'DROP FUNCTION slowly CASCADE')
  })
  expect((await lease(ivy, desk, accounts(1), 1)).outcome).toBe('granted')
  await queryRows(databaseUrl, 'CREATE TRIGGER slow_drop AFTER DELETE ON copier_leases FOR EACH STATEMENT EXECUTE FUNCTION slowly()')
  const answered = await lease(ivy, laptop, accounts(1))
  const [row] = await queryRows<{ machine: string }>(databaseUrl, 'SELECT machine FROM copier_leases WHERE user_id = $1', [ivy.userId])
  expect([answered.outcome, row?.machine]).toEqual(answered.outcome === 'granted' ? ['granted', laptop] : ['elsewhere', desk])
})

test('either all accounts are leased or none', async () => {
  const bo = await trader('bo', paid('tradecopier'))
  expect((await lease(bo, laptop, [account(3)])).outcome).toBe('granted')
  expect((await lease(bo, desk, accounts(3))).outcome).toBe('elsewhere')
  expect((await lease(bo, laptop, accounts(2))).outcome).toBe('granted')
})

test.each([['tradecopier', 10], ['tradecopier-mid', 20], ['tradecopier-enterprise', 50]] as const)('%s copies to %i accounts, over all computers together', async (plan, limit) => {
  const cy = await trader(`cy-${plan}`, paid(plan))
  const half = limit / 2
  expect((await lease(cy, desk, accounts(half))).outcome).toBe('granted')
  expect((await lease(cy, laptop, accounts(half, half + 1))).outcome).toBe('granted')
  const none = await Promise.all([desk, laptop].map((machine) => lease(cy, machine, [account(limit + 1)])))
  expect(none).toEqual([{ outcome: 'plan-limit', limit }, { outcome: 'plan-limit', limit }])
  // What is prolonged counts once.
  expect((await lease(cy, desk, accounts(half))).outcome).toBe('granted')
  await release(cy, desk, [account(1)])
  expect((await lease(cy, laptop, [account(limit + 1)])).outcome).toBe('granted')
})

test('a smaller or expired plan renews no lease; the admin has the largest plan', { tags: 'long' }, async () => {
  const di = await trader('di', paid('tradecopier-mid'))
  expect((await lease(di, desk, accounts(15))).outcome).toBe('granted')
  await trader('di', paid('tradecopier'))
  expect(await lease(di, desk, accounts(15))).toEqual({ outcome: 'plan-limit', limit: 10 })
  for (const lapsed of [paid('autosync'), { ...paid('tradecopier'), hasSubscription: false }, { ...paid('tradecopier'), status: 'canceled' }, null]) {
    await trader('di', lapsed)
    expect(await lease(di, desk, accounts(1))).toEqual({ outcome: 'plan-needed' })
  }
  // Giving back is always possible.
  await release(di, desk, accounts(15))
  expect((await lease(await trader('admin', null), desk, accounts(50))).outcome).toBe('granted')
})

test("another user's lease is invisible, and no user can request one for another", async () => {
  const [eve, fay] = [await trader('eve', paid('tradecopier')), await trader('fay', paid('tradecopier'))]
  expect((await lease(eve, desk, accounts(10))).outcome).toBe('granted')
  expect((await lease(fay, laptop, accounts(10))).outcome).toBe('granted')
  await release(fay, desk, accounts(10))
  expect((await lease(eve, laptop, [account(1)])).outcome).toBe('elsewhere')
  const body = { userId: eve.userId, machine: desk, accounts: accounts(1) }
  expect(await fay.fail(leaseCopier, { body: { ...body, seconds: 60 } })).toMatchObject({ status: 403, code: 'not-this-user' })
  expect(await fay.fail(releaseCopier, { body })).toMatchObject({ status: 403, code: 'not-this-user' })
})

test('an invalid lease request is refused', async () => {
  const gus = await trader('gus', paid('tradecopier'))
  const good = { userId: gus.userId, machine: desk, accounts: accounts(1), seconds: 60 }
  for (const [field, value] of [['machine', 'short'], ['accounts', []], ['accounts', ['file:mine']], ['accounts', accounts(51)], ['seconds', 0], ['seconds', 121], ['seconds', 1.5]] as const) {
    const failure = await gus.fail(leaseCopier, { body: { ...good, [field]: value } })
    expect([field, failure.status, failure.code, failure.fields?.[0]?.path.startsWith(field)]).toEqual([field, 400, 'invalid-request', true])
  }
})

test('of twenty concurrent requests at two instances, one with its clock a day ahead, one computer gets the account', { tags: 'long' }, async () => {
  const ahead = await startCloud({ databaseUrl, env: { NODE_OPTIONS: '--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now()+86400000' } })
  onTestFinished(async () => void (await ahead.stop()))
  const here = await trader('hal', paid('tradecopier'))
  const there = await trader('hal', paid('tradecopier'), ahead)
  expect(there.userId).toBe(here.userId)
  const machines = Array.from({ length: 20 }, (_, index) => `computer-number-${String(index).padStart(4, '0')}`)
  const answers = await Promise.all(machines.map((machine, index) => lease(index % 2 === 0 ? here : there, machine, accounts(2))))
  expect(answers.filter(({ outcome }) => outcome === 'granted')).toHaveLength(1)
  expect(answers.filter(({ outcome }) => outcome === 'elsewhere')).toHaveLength(19)
  // A day ahead the lease is not over: one clock counts.
  const winner = machines[answers.findIndex(({ outcome }) => outcome === 'granted')]
  expect((await lease(there, 'computer-number-0099', accounts(2))).outcome).toBe('elsewhere')
  expect((await lease(there, winner ?? '', accounts(2))).outcome).toBe('granted')
})

test('under concurrent requests no account has two computers, and no plan exceeds its accounts', { tags: 'long' }, async () => {
  const databases = await Promise.all([1, 2].map(() => openDatabase({ kind: 'server', url: databaseUrl, poolSize: 8 }, silent)))
  onTestFinished(async () => void (await Promise.all(databases.map((database) => database.close()))))
  const stores = databases.map(openCopierLeases)
  const all = Array.from({ length: 16 }, (_, index) => ({ leases: stores[index % 2] ?? expect.fail(), machine: `computer-number-${String(index)}` }))
  const outcomes = (answers: readonly LeaseAnswer[]) => Object.fromEntries([...Map.groupBy(answers, ({ outcome }) => outcome)].map(([outcome, some]) => [outcome, some.length]))
  for (let round = 0; round < 10; round += 1) {
    const user = `race-${String(round)}`
    const one = await Promise.all(all.map(({ leases, machine }) => leases.take(user, { machine, accounts: accounts(2), seconds: 60, limit: 10 })))
    expect([round, outcomes(one)]).toEqual([round, { granted: 1, elsewhere: 15 }])
    const many = await Promise.all(all.map(({ leases, machine }, index) => leases.take(`${user}-limit`, { machine, accounts: [account(index)], seconds: 60, limit: 5 })))
    expect([round, outcomes(many)]).toEqual([round, { granted: 5, 'plan-limit': 11 }])
  }
})

test('deleting an account deletes its leases', async () => {
  const ida = await trader('ida', paid('tradecopier'))
  await lease(ida, desk, accounts(3))
  await queryRows(databaseUrl, 'UPDATE subscriptions SET content = $2 WHERE user_id = $1', [ida.userId, JSON.stringify({ hasSubscription: false })])
  await ida.call(deleteCloudAccount, { body: { userId: ida.userId } })
  expect(await queryRows(databaseUrl, 'SELECT count(*)::int AS rows FROM copier_leases WHERE user_id = $1', [ida.userId])).toEqual([{ rows: 0 }])
})
