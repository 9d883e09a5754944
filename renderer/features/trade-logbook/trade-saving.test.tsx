import { drawFor } from '#renderer/lib/browser-key.ts'
import type { FillPairRecord } from '#shared/api/records.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { formActions, formKey, openForm, startSaving, useForms } from './trade-saving.ts'
import { unsentUnits } from './trade-editing.ts'

const pair: FillPairRecord = {
  notes: '', tags: [], stop: null, screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '',
  id: 't', userId: 'u', symbol: 'MESH6', account: 'Paper', accountId: '', side: 'long', qty: 3, entryPrice: 6052.25, exitPrice: 6054.75, entryTime: '2026-02-13T14:12:00.000Z', exitTime: '2026-02-13T14:41:07.000Z',
  date: '2026-02-13', tradingDay: '2026-02-13', pnl: 0, grossPnl: '0.00', commission: '0.00', netPnl: '0.00', currency: 'USD', platform: '', tradeId: null, origin: 'manual', multiplierSource: 'table', feeSource: 'table', warnings: [],
}

/** Opens the form of a trade of a user; `sent` are the bodies of its saves. */
const open = (userId: string) => {
  const sent: string[] = []
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(body)
    return Promise.reject(new TypeError('offline'))
  })
  drawFor(userId)
  startSaving(userId)
  openForm(userId, 't', { pairs: [{ ...pair, userId }], whole: false, zone: 'America/Chicago' })
  return { sent, form: formActions(formKey(userId, 't')) }
}

beforeEach(() => {
  vi.stubGlobal('navigator', { ...navigator, locks: { request: () => Promise.resolve() } })
  vi.useFakeTimers()
})
afterEach(() => { vi.useRealTimers() })

test('words are saved at a pause; a figure only when its field is left, since half of one is another one', async () => {
  const { sent, form } = open('first')
  form.change((draft) => ({ ...draft, facts: draft.facts && { ...draft.facts, exitPrice: '6' } }))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(sent).toEqual([])
  form.change((draft) => ({ ...draft, facts: draft.facts && { ...draft.facts, exitPrice: '6060' } }))
  form.saveSoon()
  await vi.advanceTimersByTimeAsync(1)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toContain('"exitPrice":6060')
})

test('what is said of a fill pair that is gone counts as saved once the journal kept it, and is not sent again', async () => {
  const { sent } = open('third')
  const synced: FillPairRecord = { ...pair, id: 'a/1/2', userId: 'third', accountId: 'a', origin: 'synced' }
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(body)
    return Promise.resolve(Response.json({ pairs: [], conflicts: [], kept: [{ id: synced.id, on: 'b/1/2' }] }))
  })
  const key = formKey('third', synced.id)
  openForm('third', synced.id, { pairs: [synced], whole: false, zone: 'America/Chicago' })
  const form = formActions(key)
  form.change((draft) => ({ ...draft, own: { ...draft.own, notes: 'mine' } }))
  form.leave()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toContain('"seen":{"accountId":"a"')
  const kept = useForms.getState().forms.get(key)
  expect([kept?.failure, kept?.editing.draft.own.notes, kept && unsentUnits(kept.editing)]).toEqual([null, 'mine', []])
})

test('a page that goes while something of the trade is under way sends what was typed since', async () => {
  const { sent } = open('fourth')
  // Nothing is answered any more.
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(body)
    return new Promise(() => undefined)
  })
  const form = formActions(formKey('fourth', 't'))
  form.change((draft) => ({ ...draft, own: { ...draft.own, notes: 'first' } }))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent).toHaveLength(1)
  form.change((draft) => ({ ...draft, own: { ...draft.own, notes: 'in passing' } }))
  dispatchEvent(new Event('pagehide'))
  await vi.advanceTimersByTimeAsync(1)
  expect(sent).toHaveLength(2)
  expect(sent[1]).toContain('in passing')
})

test('nothing is sent for somebody who signed in meanwhile', async () => {
  const { sent, form } = open('second')
  form.change((draft) => ({ ...draft, own: { ...draft.own, notes: 'mine' } }))
  drawFor('another')
  form.leave()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(sent).toEqual([])
})
