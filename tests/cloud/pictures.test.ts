import { afterAll, beforeAll, expect, test } from 'vitest'
import { largestPicture, picturePath } from '#shared/api/mirror.ts'
import type { DevToken } from '../helpers/cloud.ts'
import { startOwnCloud, type OwnCloud } from '../helpers/own-cloud.ts'
import { queryRows } from '../helpers/postgres.ts'
import { png } from './samples.ts'

let cloud: OwnCloud
let ann: DevToken
let bob: DevToken

beforeAll(async () => {
  cloud = await startOwnCloud()
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

test('a picture comes back byte for byte, sent twice it is one, and it can run nothing', async () => {
  const { name, bytes } = png('<script>alert(1)</script>')
  for (const type of ['image/png', 'text/html']) expect(await send(ann, name, bytes, type)).toEqual({ status: 200, body: { success: true } })
  const answer = await fetchPicture(ann, name)
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
  expect(Object.fromEntries(['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control'].map((header) => [header, answer.headers.get(header)]))).toEqual({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=31536000, immutable',
  })
  expect(await queryRows(cloud.databaseUrl, 'SELECT type, length(bytes) AS bytes FROM pictures WHERE user_id = $1', [ann.userId])).toEqual([{ type: 'image/png', bytes: bytes.length }])
})

test('only its owner gets it', async () => {
  const { name, bytes } = png('mine')
  await send(ann, name, bytes)
  expect((await fetchPicture(bob, name)).status).toBe(404)
  const other = png('yours')
  expect(await send(bob, other.name, other.bytes)).toMatchObject({ status: 200 })
  expect((await fetchPicture(ann, other.name)).status).toBe(404)
})

test('what is no picture, has another name or ending, or is too large is refused', async () => {
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

test('the largest that is allowed goes through', async () => {
  const { name, bytes } = png('x'.repeat(largestPicture - 8))
  expect(bytes.length).toBe(largestPicture)
  expect(await send(ann, name, bytes)).toMatchObject({ status: 200 })
  expect(Buffer.from(await (await fetchPicture(ann, name)).arrayBuffer()).equals(bytes)).toBe(true)
})

test('nothing of the service is shared with another origin or says what it is made of', async () => {
  const answer = await fetch(`${cloud.url}/api/whoami`, { headers: { authorization: `Bearer ${ann.token}`, origin: 'https://elsewhere.test' } })
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control') || name === 'x-powered-by' || name === 'etag')).toEqual([])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect((await fetch(`${cloud.url}/api/nothing`)).status).toBe(404)
})
