/** @module-tag long */

import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import { largestPicture, picturePath } from '#shared/api/pictures.ts'
import type { DevToken } from '../helpers/cloud.ts'
import { startOwnCloud, type OwnCloud } from '../helpers/own-cloud.ts'
import { queryRows } from '../helpers/postgres.ts'
import { callerAt } from './caller.ts'
import { edit, png } from './samples.ts'

let cloud: OwnCloud
let ann: DevToken
let bob: DevToken

beforeAll(async () => {
  // Enough for the largest picture, and little enough to be filled.
  cloud = await startOwnCloud({ env: { FILLBOOK_CLOUD_STORAGE_MB: '12, 16, 20' } })
  ann = await cloud.tokenOf('ann@fillbook.test')
  bob = await cloud.tokenOf('bob@fillbook.test')
})
afterAll(() => cloud.stop())

const address = (name: string) => `${cloud.url}${picturePath}?name=${encodeURIComponent(name)}`
const send = async ({ token }: DevToken, name: string, body: Uint8Array<ArrayBuffer>, type = 'image/png') => {
  const answer = await fetch(address(name), { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': type }, body })
  return { status: answer.status, body: (await answer.json()) as { code?: string } }
}
const fetchPicture = ({ token }: DevToken, name: string) => fetch(address(name), { headers: { authorization: `Bearer ${token}` } })

test('a picture is returned byte for byte, uploaded twice it is stored once, and it cannot run scripts', async () => {
  const { name, bytes } = png('<script>alert(1)</script>')
  for (const type of ['image/png', 'text/html']) expect(await send(ann, name, bytes, type)).toEqual({ status: 200, body: { success: true } })
  const answer = await fetchPicture(ann, name)
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
  expect(Object.fromEntries(['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control'].map((header) => [header, answer.headers.get(header)]))).toEqual({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-store',
  })
  expect(await queryRows(cloud.databaseUrl, 'SELECT type, length(bytes) AS bytes FROM pictures WHERE user_id = $1', [ann.userId])).toEqual([{ type: 'image/png', bytes: bytes.length }])
})

test('only its owner can read it', async () => {
  const { name, bytes } = png('mine')
  await send(ann, name, bytes)
  expect((await fetchPicture(bob, name)).status).toBe(404)
  const other = png('yours')
  expect(await send(bob, other.name, other.bytes)).toMatchObject({ status: 200 })
  expect((await fetchPicture(ann, other.name)).status).toBe(404)
})

test('a file that is no picture, has another name or extension, or is too large is refused', async () => {
  const { name, bytes } = png('good')
  const html = Buffer.from('<!doctype html><script>alert(1)</script>')
  expect(await send(ann, name, html)).toMatchObject({ status: 400, body: { code: 'picture-unreadable' } })
  expect(await send(ann, name, Buffer.alloc(0))).toMatchObject({ status: 400, body: { code: 'picture-unreadable' } })
  expect(await send(ann, png('other').name, bytes)).toMatchObject({ status: 400, body: { code: 'invalid-request' } })
  expect(await send(ann, name.replace('.png', '.jpg'), bytes)).toMatchObject({ status: 400, body: { code: 'invalid-request' } })
  for (const wrong of ['', '../x.png', `${'a'.repeat(64)}.svg`, `${'A'.repeat(64)}.png`]) expect(await send(ann, wrong, bytes), wrong).toMatchObject({ status: 400, body: { code: 'invalid-request' } })
  const largest = Buffer.concat([Buffer.from(bytes), Buffer.alloc(largestPicture - bytes.length + 1)])
  expect(await send(ann, name, largest)).toMatchObject({ status: 413, body: { code: 'picture-too-large' } })
  expect((await fetchPicture(ann, name)).status).toBe(404)
})

test('the largest allowed picture is accepted', async () => {
  const { name, bytes } = png('x'.repeat(largestPicture - 8))
  expect(bytes.length).toBe(largestPicture)
  expect(await send(ann, name, bytes)).toMatchObject({ status: 200 })
  expect(Buffer.from(await (await fetchPicture(ann, name)).arrayBuffer()).equals(bytes)).toBe(true)
})

describe('the storage limit of a plan', () => {
  const keptOf = async (userId: string) => {
    const recounted = 'SELECT sum(bytes)::int AS bytes FROM (SELECT record_bytes(id, content) AS bytes FROM records WHERE user_id = $1 UNION ALL SELECT picture_bytes(name, bytes) FROM pictures WHERE user_id = $1) AS kept'
    const [[counted], [found]] = [await queryRows<{ bytes: number }>(cloud.databaseUrl, 'SELECT bytes::int FROM stored_bytes WHERE user_id = $1', [userId]), await queryRows<{ bytes: number }>(cloud.databaseUrl, recounted, [userId])]
    expect(counted).toEqual(found)
    return counted?.bytes ?? 0
  }
  const storageOf = async ({ token, userId }: DevToken) => mirrorRoutes.journal.answer.parse(await (await fetch(`${cloud.url}${mirrorRoutes.journal.path}?userId=${userId}`, { headers: { authorization: `Bearer ${token}` } })).json()).storage
  const noise = (bytes: number) => png(randomBytes(bytes).toString('latin1'))
  const full = { status: 413, body: { code: 'storage-full' } }

  test('is counted in the database, and an upload beyond it is refused before it is read and stored nowhere, however it is sent; a plan makes room', async () => {
    const carl = await cloud.tokenOf('carl@fillbook.test')
    const caller = callerAt(cloud.url, carl)
    const notes = (name: string, bytes: number) => Array.from({ length: 500 }, (_, index) => edit(`${name}/${String(index)}`, 'x'.repeat(bytes / 500)))
    const first = await caller.push(null, 0, notes('a', 1_000_000))
    if (first.outcome !== 'taken') throw new Error(first.outcome)
    const large = noise(9_000_000)
    expect(await send(carl, large.name, large.bytes)).toMatchObject({ status: 200 })
    const used = await keptOf(carl.userId)
    expect(used).toBeGreaterThan(10_000_000)
    expect(await storageOf(carl)).toEqual({ bytes: used, limit: 12_000_000 })

    // Its headers are enough: no byte of the body was sent.
    const refused = await new Promise<number>((resolve, reject) => {
      const sending = request(address(noise(10).name), { method: 'POST', headers: { authorization: `Bearer ${carl.token}`, 'content-length': '3000000' }, signal: AbortSignal.timeout(20_000) }, (answer) => resolve(answer.resume().statusCode ?? 0))
      sending.on('error', reject).flushHeaders()
    })
    expect(refused).toBe(413)
    const more = noise(3_000_000)
    expect(await send(carl, more.name, more.bytes)).toMatchObject(full)
    // Without a length it is measured where it would be kept.
    const unmeasured = await fetch(address(more.name), { method: 'POST', headers: { authorization: `Bearer ${carl.token}` }, body: new Blob([more.bytes]).stream(), duplex: 'half' } as RequestInit)
    expect([unmeasured.status, ((await unmeasured.json()) as { code: string }).code]).toEqual([413, 'storage-full'])
    expect(await caller.push(first.journal, first.head, notes('b', 3_000_000))).toMatchObject({ outcome: 'failed', status: 413, code: 'storage-full' })
    expect(await keptOf(carl.userId)).toBe(used)

    // What makes the journal smaller always goes, and what takes the place of as much.
    const smaller = await caller.push(first.journal, first.head, notes('a', 400_000))
    expect(smaller).toMatchObject({ outcome: 'taken' })
    expect(await keptOf(carl.userId)).toBe(used - 600_000)

    const paid = { status: 'active', subscriptionType: 'autosync', hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid' }
    await queryRows(cloud.databaseUrl, 'INSERT INTO subscriptions VALUES ($1, $2)', [carl.userId, JSON.stringify(paid)])
    expect(await send(carl, more.name, more.bytes)).toMatchObject({ status: 200 })
    expect(await storageOf(carl)).toEqual({ bytes: await keptOf(carl.userId), limit: 16_000_000 })
    // A plan that ended takes nothing away; only more is refused.
    await queryRows(cloud.databaseUrl, 'UPDATE subscriptions SET content = $2 WHERE user_id = $1', [carl.userId, JSON.stringify({ ...paid, hasSubscription: false })])
    expect((await fetchPicture(carl, more.name)).status).toBe(200)
    expect(await caller.push(first.journal, first.head + 500, [edit('c', 'one more')])).toMatchObject({ code: 'storage-full' })
  })
})

test('no answer of the service is shared with another origin or names its software', async () => {
  const answer = await fetch(`${cloud.url}/api/whoami`, { headers: { authorization: `Bearer ${ann.token}`, origin: 'https://elsewhere.test' } })
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control') || name === 'x-powered-by' || name === 'etag')).toEqual([])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect((await fetch(`${cloud.url}/api/nothing`)).status).toBe(404)
})
