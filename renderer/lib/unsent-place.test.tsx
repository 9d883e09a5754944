import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { keepNewTrade, keptNewTrade, newTradeKeptElsewhere } from '#renderer/features/trade-logbook/add-trade-dialog.tsx'
import { formActions, formKey, openForm, startSaving, useForms } from '#renderer/features/trade-logbook/trade-saving.ts'
import type { FillPairRecord } from '#shared/api/records.ts'
import type { SignedInUser } from '#shared/api/session.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { drawFor } from './browser-key.ts'
import { keepUnsaved, takeKeptDays, useUnsaved } from './day-notes.ts'
import { showTo } from './of-user.ts'

const { currentUser } = somebody
if (currentUser === null) throw new Error('nobody')
const demo = (creationTime: string): SignedInUser => ({ ...currentUser, uid: 'demo', isAnonymous: true, metadata: { ...currentUser.metadata, creationTime } })
const [removed, next] = [demo('2026-02-01T00:00:00.000Z'), demo('2026-02-02T00:00:00.000Z')]
const own = { notes: 'old words', tags: { tags: [], typed: '' }, stop: '', screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '' }
const pair: FillPairRecord = {
  notes: '', tags: [], stop: null, screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '',
  id: 't', userId: 'demo', symbol: 'MESH6', account: 'Paper', accountId: '', side: 'long', qty: 3, entryPrice: 6052.25, exitPrice: 6054.75, entryTime: '2026-02-13T14:12:00.000Z', exitTime: '2026-02-13T14:41:07.000Z',
  date: '2026-02-13', tradingDay: '2026-02-13', pnl: 0, grossPnl: '0.00', commission: '0.00', netPnl: '0.00', currency: 'USD', platform: '', tradeId: null, origin: 'manual', multiplierSource: 'table', feeSource: 'table', warnings: [],
}

// What pages that are gone left is looked for again for half a minute.
beforeEach(() => { vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }) })
afterEach(() => { vi.useRealTimers() })

/** Leaves a word of each kind unsaved in a demo profile. */
const leaveWords = async (): Promise<void> => {
  await draw(null, { namespaces: [] })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  drawFor('demo')
  showTo(removed)
  keepUnsaved('2026-02-12', { change: { notes: 'old words' }, base: { notes: '' }, failure: null, theirs: 'others’ words' })
  keepNewTrade('demo', { facts: null, own })
  startSaving('demo')
  openForm('demo', 't', { pairs: [pair], whole: false, zone: 'America/Chicago' })
  formActions(formKey('demo', 't')).change((draft) => ({ ...draft, own: { ...draft.own, notes: 'old words' } }))
  dispatchEvent(new Event('pagehide'))
}
const shown = () => [useUnsaved.getState().days.size, keptNewTrade('demo'), useForms.getState().forms.has(formKey('demo', 't'))]

test('words of a removed demo profile neither show nor stay in the next one, which has its id', async () => {
  await leaveWords()
  expect(Object.values(localStorage).join()).toContain('old words')
  expect(shown()).toEqual([1, { facts: null, own }, true])
  showTo(next)
  expect(shown()).toEqual([0, null, false])
  expect(Object.values(localStorage).join()).not.toContain('old words')
})

test('nor does the next one take over drafts of the removed one; a user who comes back finds theirs', async () => {
  await leaveWords()
  const left = Object.entries(localStorage).filter(([, value]) => value.includes('old words'))
  expect(left).toHaveLength(3)
  showTo(next)
  for (const [name, value] of left) localStorage.setItem(`${name}-gone`, value)
  const taken: string[] = []
  takeKeptDays('demo', (day) => taken.push(day))
  newTradeKeptElsewhere('demo', () => taken.push('new') > 0)
  startSaving('demo')
  await vi.advanceTimersByTimeAsync(1)
  expect([taken, shown()]).toEqual([[], [0, null, false]])
  expect(Object.values(localStorage).join()).not.toContain('old words')
  showTo({ ...currentUser, metadata: { ...currentUser.metadata } })
  keepUnsaved('2026-02-12', { change: { notes: 'mine' }, base: { notes: '' }, failure: null, theirs: null })
  showTo(next)
  showTo({ ...currentUser, metadata: { ...currentUser.metadata, creationTime: '2026-03-01T00:00:00.000Z' } })
  expect(useUnsaved.getState().days.get('2026-02-12')?.change.notes).toBe('mine')
  keepUnsaved('2026-02-12', null)
})
