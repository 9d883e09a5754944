import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { serveLoopback } from '#tests/helpers/loopback.ts'
import { exchange } from './exchange.ts'

test('an oversized answer is cut off and has no text', { tags: 'long' }, async () => {
  const blanks = Buffer.alloc(129 * 1024 * 1024, ' ')
  const { url } = await serveLoopback(({ path }) => ({ headers: { 'content-encoding': 'gzip' }, text: gzipSync(path === '/large' ? blanks : `${' '.repeat(1_000)}[1]`) }))
  expect(await exchange({ url: `${url}/large` }, 30_000)).toEqual({ kind: 'text', status: 200, retryAfterMs: null, text: '' })
  expect(await exchange({ url: `${url}/small` }, 30_000)).toEqual({ kind: 'json', status: 200, retryAfterMs: null, value: [1] })
})
