import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FaultRow } from '../../build/fault-rows.ts'
import { startCloud, type RunningCloud } from '../helpers/cloud.ts'
import { startComputer, until, upToDate } from '../helpers/computer.ts'
import { fault } from '../helpers/fault.ts'
import type { Passage } from '../helpers/line.ts'
import { sharedPostgres, type PostgresServer } from '../helpers/postgres.ts'
import { openProxy } from '../helpers/proxy.ts'
import { words } from '../helpers/words.ts'

let postgres: PostgresServer
let cloud: RunningCloud
beforeAll(async () => {
  postgres = await sharedPostgres()
  cloud = await startCloud({ databaseUrl: await postgres.newDatabase() })
})
afterAll(async () => {
  await cloud.stop()
  await postgres.stop()
})

const troubles: readonly { readonly row: FaultRow; readonly passage: Passage }[] = [
  { row: 'cloud-down', passage: 'cut' },
  { row: 'cloud-down', passage: 'answer-lost' },
  { row: 'cloud-rubbish', passage: 'web-page' },
  { row: 'cloud-rubbish', passage: 'half' },
]
const ids = ['t1', 't2', 't3']

test.for(troubles)('$row ($passage): the journal saves new entries and shows that they wait; the cloud gets each once', { tags: ['long', 'nightly', 'fault'] }, async ({ row, passage }, { task }) => {
  const count = fault(task, row)
  const email = `${passage}@example.com`
  const line = await openProxy(cloud.url)
  const one = await startComputer({ email, cloudUrl: line.url })
  await upToDate(one)
  line.decide = () => passage
  for (const id of ids) {
    await one.enter(id)
    await one.mirrorNow()
    await until('a call that met it, and a state that says so', async () => line.passed.some((each) => each.passage === passage) && (await one.mirror()).state !== 'sending')
    const { state } = await one.mirror()
    expect(['offline', 'refused']).toContain(state)
    count.sees(words('app', `place.${state}-text`))
    count.tried()
  }
  expect((await one.trades()).map(({ id }) => id)).toEqual(ids)
  line.decide = () => 'through'
  await upToDate(one)
  const other = await startComputer({ email, cloudUrl: cloud.url })
  await upToDate(other)
  const brought = (await other.trades()).map(({ id }) => id)
  count.compare(brought, ids)
  expect(brought).toEqual(ids)
})

test('a cloud that delays a push delays nothing else', { tags: ['long', 'nightly', 'fault'] }, async ({ task }) => {
  const count = fault(task, 'cloud-slow')
  const email = 'slow@example.com'
  const line = await openProxy(cloud.url)
  const one = await startComputer({ email, cloudUrl: line.url })
  await upToDate(one)
  for (const [index, id] of ids.entries()) {
    const { promise: gate, resolve: letGo } = Promise.withResolvers<undefined>()
    let held = 0
    line.decide = async () => {
      held += 1
      await gate
      return 'through' as const
    }
    await one.enter(id)
    await until('a call that is held', () => held > 0)
    count.tried()
    // Everything of the program answers all the same.
    expect((await one.trades()).map((each) => each.id)).toEqual(ids.slice(0, index + 1))
    const { state } = await one.mirror()
    count.sees(words('app', `place.${state}`))
    line.decide = () => 'through'
    letGo(undefined)
    await upToDate(one)
  }
  const other = await startComputer({ email, cloudUrl: cloud.url })
  await upToDate(other)
  const brought = (await other.trades()).map(({ id }) => id)
  count.compare(brought, ids)
  expect(brought).toEqual(ids)
})
