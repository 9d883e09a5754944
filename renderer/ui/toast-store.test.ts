import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissToast, toast, useToasts } from './toast-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
  useToasts.setState({ toasts: [] })
})
afterEach(() => {
  vi.useRealTimers()
})

const known = () => useToasts.getState().toasts.map(({ title, open }) => [title, open])

test('a toast takes the place of the one before it', () => {
  toast({ title: 'first' })
  toast({ title: 'second' })
  expect(known()).toEqual([['second', true]])
})

test('a closed toast is forgotten after 1,000,000 ms, and no other with it', () => {
  toast({ title: 'first' })
  dismissToast(useToasts.getState().toasts[0]?.id ?? 0)
  expect(known()).toEqual([['first', false]])
  vi.advanceTimersByTime(999_999)
  expect(known()).toEqual([['first', false]])
  vi.advanceTimersByTime(1)
  expect(known()).toEqual([])

  toast({ title: 'second' })
  dismissToast(useToasts.getState().toasts[0]?.id ?? 0)
  toast({ title: 'third' })
  vi.advanceTimersByTime(1_000_000)
  expect(known()).toEqual([['third', true]])
})
