import { ApiFailure } from '#renderer/lib/api.ts'
import { expect, test } from 'vitest'
import { graceMs, noPopup, popupAfter, type Popup, type PopupEvent } from './use-federated.ts'

const after = (...events: PopupEvent[]): Popup => events.reduce(popupAfter, noPopup)
const opened: PopupEvent = { type: 'opened' }
const addressed: PopupEvent = { type: 'addressed', attempt: 'A1' }
const lookedAt = (atMs: number, closed: boolean): PopupEvent => ({ type: 'looked', closed, atMs })
const codeOf = (popup: Popup): string | null => (popup.step === 'idle' && popup.failure instanceof ApiFailure ? popup.failure.code : null)

test('a window is opened, gets its address, and signs in', () => {
  expect(after(opened)).toEqual({ step: 'opening' })
  expect(after(opened, addressed)).toEqual({ step: 'waiting', attempt: 'A1', closedAtMs: null })
  expect(after(opened, addressed, lookedAt(0, false), { type: 'entered' })).toEqual({ step: 'entered' })
})

test('a window that the browser blocked is said, and the next try begins afresh', () => {
  expect(codeOf(after({ type: 'blocked' }))).toBe('popup-blocked')
  expect(after({ type: 'blocked' }, opened)).toEqual({ step: 'opening' })
})

test('a closed window is given eight seconds, then counts as closed by the user', () => {
  const closed = [opened, addressed, lookedAt(1_000, true)]
  expect(after(...closed)).toEqual({ step: 'waiting', attempt: 'A1', closedAtMs: 1_000 })
  expect(after(...closed, lookedAt(1_000 + graceMs - 1, true)).step).toBe('waiting')
  expect(codeOf(after(...closed, lookedAt(1_000 + graceMs, true)))).toBe('popup-closed-by-user')
})

test('what arrives within that time still signs in', () => {
  expect(after(opened, addressed, lookedAt(0, true), lookedAt(7_000, true), { type: 'entered' })).toEqual({ step: 'entered' })
})

test('a reopened window restarts the time', () => {
  expect(after(opened, addressed, lookedAt(0, true), lookedAt(1_000, false), lookedAt(7_500, true), lookedAt(9_000, true))).toEqual({ step: 'waiting', attempt: 'A1', closedAtMs: 7_500 })
})

test('a refusal of the program ends it with its reason', () => {
  const failure = new ApiFailure(409, { success: false, code: 'cancelled-popup-request', error: 'cancelled-popup-request' })
  expect(codeOf(after(opened, addressed, { type: 'failed', failure }))).toBe('cancelled-popup-request')
  expect(codeOf(after(opened, { type: 'failed', failure }))).toBe('cancelled-popup-request')
})

test('nothing changes what was canceled or is over', () => {
  for (const late of [addressed, lookedAt(99_000, true), { type: 'failed', failure: new Error('late') }, { type: 'entered' }] as const) {
    expect(after(opened, addressed, { type: 'cancelled' }, late)).toEqual(noPopup)
  }
  expect(after(opened, addressed, { type: 'entered' }, lookedAt(99_000, true))).toEqual({ step: 'entered' })
})
