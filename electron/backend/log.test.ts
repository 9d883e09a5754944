// @module-tag slow
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog } from './log.ts'

let folder: string
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'fillbook-log-')) })
afterEach(() => { rmSync(folder, { recursive: true }) })

const written = (): string => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')).join('')

test('no secret and no identifier gets through, however it is wrapped', async () => {
  const { log, close } = await openLog(folder, 'debug')
  const circular: Record<string, unknown> = { accessToken: 'LEAK-circular' }
  circular['self'] = circular
  const trap = { get bad(): never { throw new Error('LEAK-getter') } }
  log.info({ token: 'LEAK-1', access_token: 'LEAK-2', refreshToken: 'LEAK-3', client_secret: 'LEAK-4', password: 'LEAK-5', newPassword: 'LEAK-6', recoveryCode: 'LEAK-7' }, 'flat')
  log.info({ code: 'LEAK-8', state: 'LEAK-9', authorization: 'Bearer LEAK-10', cookie: 'fillbook=LEAK-11', 'set-cookie': ['LEAK-12'], email: 'leak-13@example.com' }, 'names')
  log.info({ deep: { list: [{ user: { eMail: 'leak-14@example.com', profile: { apiKey: 'LEAK-15' } } }] } }, 'deep')
  log.info({ url: 'http://127.0.0.1:1/oauth/callback?code=LEAK-16&state=LEAK-17', other: new URL('http://127.0.0.1/?token=LEAK-18') }, 'urls')
  log.info({ text: 'Authorization: Bearer LEAK-19', note: 'GET /?token=LEAK-20 HTTP/1.1', json: '{"refresh_token":"LEAK-21"}', jwt: 'eyJhbGciOi.LEAK-22.abc' }, 'texts')
  log.info({ map: new Map([['password', 'LEAK-23']]), set: new Set(['mail leak-24@example.com']), bytes: Buffer.from('LEAK-25'), headers: { cookie: 'LEAK-26' } }, 'kinds')
  log.error({ error: Object.assign(new Error('exchange of ?code=LEAK-27 failed', { cause: new Error('token=LEAK-28') }), { body: 'LEAK-29', code: 'LEAK-30' }) }, 'errors')
  log.info(circular, 'for leak-31@example.com with ?code=LEAK-32')
  log.info({ trap, encoded: '/path/leak-33%40example.com' }, 'hostile')
  log.info({ toJSON: () => ({ token: 'LEAK-34' }) }, 'json')
  log.info({ access: 'LEAK-35', refresh: 'LEAK-36', 'p-ticket': 'LEAK-37' }, 'tokens as the brokerage client holds them')
  await close()
  expect(written().split('\n').filter(Boolean)).toHaveLength(11)
  expect(written().match(/leak-\w+/gi)).toBeNull()
})

test('what helps to find a fault stays', async () => {
  const { log, close } = await openLog(folder, 'info')
  log.warn({ path: '/api/trades', status: 500, ms: 12, code: 'read-only-field', error: Object.assign(new Error('no space'), { code: 'ENOSPC' }) }, 'request failed')
  log.debug({}, 'too fine')
  await close()
  const line = JSON.parse(written()) as Record<string, unknown>
  expect(line).toMatchObject({ msg: 'request failed', path: '/api/trades', status: 500, ms: 12, code: 'read-only-field', error: { message: 'no space', code: 'ENOSPC' } })
  expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT/)
})

test.skipIf(process.platform !== 'linux')('a full disk neither ends a program that logs nor delays its end', async () => {
  symlinkSync('/dev/full', join(folder, 'fillbook.1.log'))
  const { log, close } = await openLog(folder, 'info')
  for (const line of ['one', 'two']) log.info({}, line)
  await close()
  expect(statSync('/dev/full').isCharacterDevice()).toBe(true)
})

test('files are rotated by size, and old ones go', async () => {
  const { log, close } = await openLog(folder, 'info')
  const filling = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`n${String(index)}`, 'x'.repeat(1_900)]))
  for (let line = 0; line < 400; line += 1) {
    log.info(filling, 'filling')
    // The file goes on under its next number between two events.
    await new Promise(setImmediate)
  }
  await close()
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  expect(sizes.length).toBeGreaterThan(3)
  expect(sizes.length).toBeLessThanOrEqual(6)
  expect(Math.max(...sizes)).toBeLessThan(6_000_000)
})
