import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissOfPage, dismissToast, toast, useToasts } from './toast-store.ts'

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

test('a toast goes with the page it is about; an error, an undo, and what is meant for the next page stay', () => {
  const open = (words: Parameters<typeof toast>[0]) => {
    toast(words)
    dismissOfPage()
    return useToasts.getState().toasts[0]?.open
  }
  expect(open({ title: 'Saved' })).toBe(false)
  expect(open({ title: 'Not saved', tone: 'error' })).toBe(true)
  expect(open({ title: 'Removed', action: { label: 'Undo', run: () => undefined } })).toBe(true)
  expect(open({ title: 'Connected', stays: true })).toBe(true)
})
