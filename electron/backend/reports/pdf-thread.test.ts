// @module-tag slow
import { expect, test } from 'vitest'
import type { ReportDocument } from '#shared/api/reports.ts'
import { createPdfs } from './pdf-thread.ts'

const here = new AbortController().signal
const small: ReportDocument = { title: 'A week', blocks: [{ kind: 'paragraph', tone: 'plain', text: 'Nothing stands out.' }] }
const paragraphs = (count: number): ReportDocument => ({ title: 'A year', blocks: Array.from({ length: count }, () => ({ kind: 'paragraph', tone: 'plain', text: 'words and more '.repeat(1_300) })) })

test('draws documents one at a time in order, and skips aborted ones', async () => {
  const draw = createPdfs()
  const done: string[] = []
  const gone = new AbortController()
  const first = draw(paragraphs(1), here).then((drawn) => void done.push(`first ${String(drawn.ok)}`))
  const left = draw(paragraphs(1), gone.signal).catch(() => void done.push('left'))
  const last = draw(small, here).then((drawn) => void done.push(`last ${String(drawn.ok)}`))
  gone.abort()
  await Promise.all([first, left, last])
  expect(done).toEqual(['first true', 'left', 'last true'])
})

test('gives up a document that takes too long, and refuses one when the queue is full', { tags: 'long' }, async () => {
  const draw = createPdfs({ timeoutMs: 400, maxWaiting: 1 })
  const drawn = await Promise.all([draw(paragraphs(50), here), draw(paragraphs(50), here), draw(small, here)])
  const tooLarge = { ok: false, error: { code: 'report-too-large' } }
  expect(drawn).toEqual([tooLarge, tooLarge, { ok: false, error: { code: 'too-many-calls', retryAfterMs: 400 } }])
})
