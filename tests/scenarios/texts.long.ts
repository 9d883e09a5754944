// @module-tag long
// @module-tag nightly
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordRoutes } from '#shared/api/journal.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { startCloud, type RunningCloud } from '../helpers/cloud.ts'
import { comeTo, holdTheSame, startComputer } from '../helpers/computer.ts'
import { queryRows, startPostgres, type PostgresServer } from '../helpers/postgres.ts'

let server: PostgresServer
let cloud: RunningCloud
let databaseUrl: string

beforeAll(async () => {
  server = await startPostgres()
  databaseUrl = await server.newDatabase()
  cloud = await startCloud({ databaseUrl })
})
afterAll(async () => {
  await cloud.stop()
  await server.stop()
})

const odd = 'null \0, half \uD800, Windows\r\nMac\rend'
const kept = 'null \uFFFD, half \uFFFD, Windows\nMac\nend'

test('texts with characters that a database cannot store, or with line ends of another system, are the same on two computers, in the cloud and on a fresh one', async () => {
  const email = 'texts@example.com'
  const first = await startComputer({ email, cloudUrl: cloud.url })
  const second = await startComputer({ email, cloudUrl: cloud.url })
  const { browser, userId } = first
  await first.enter('t1')
  await first.annotate('t1', { notes: odd, tags: ['null \0 tag', 'half \uD800 tag'], screenshotHeadline: odd, account: odd, platform: odd })
  await browser.call(ownDataRoutes.setDayNote, { body: { tradingDay: '2026-11-02', notes: odd, tags: ['null \0 tag'] } })
  await browser.call(recordRoutes.addFinance, { body: { userId, finance: { id: 'f1', type: 'earning', amount: 1, name: odd, balance: 0, platform: odd, note: odd } } })
  await comeTo('the other has it', [first, second], async () => (await second.trades()).length === 1)
  await holdTheSame(first, second)
  const fresh = await startComputer({ email, cloudUrl: cloud.url })
  await comeTo('the fresh one has it', [fresh], async () => (await fresh.trades()).length === 1)
  await holdTheSame(first, fresh)
  const tags = ['null \uFFFD tag', 'half \uFFFD tag']
  for (const one of [first, second, fresh]) {
    expect(await one.trades()).toMatchObject([{ notes: kept, tags, screenshotHeadline: kept, account: kept, platform: kept }])
    expect((await one.browser.call(ownDataRoutes.dayNotes)).days).toEqual([{ tradingDay: '2026-11-02', notes: kept, tags: tags.slice(0, 1) }])
    expect((await one.browser.call(recordRoutes.getFinances, { query: { userId: one.userId } })).finances).toMatchObject([{ name: kept, platform: kept, note: kept }])
  }
  const rows = await queryRows<{ content: unknown }>(databaseUrl, "SELECT content FROM records WHERE entity IN ('edit', 'day') ORDER BY entity")
  expect(rows.map(({ content }) => content)).toMatchObject([{ notes: { value: kept } }, { notes: { value: kept }, tags: { value: tags } }])
})
