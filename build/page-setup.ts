import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'

// Happy DOM has no locks: here no one else holds one.
Object.defineProperty(navigator, 'locks', { configurable: true, value: { request: (...given: readonly unknown[]) => Promise.resolve((given.at(-1) as (lock: object) => unknown)({})) } })

// Tests stub it. What a page asks after its test is answered by no program.
globalThis.fetch = () => Promise.reject(new TypeError('No program answers'))

// Long enough for a busy machine; passing tests never wait for it.
configure({ asyncUtilTimeout: 30_000 })

// Test files share a process and its document: each test leaves it empty.
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
})

// A page's timers end with it: what looks again later, as unsent changes do, would find no document.
const setPlainTimeout = globalThis.setTimeout
const waiting: NodeJS.Timeout[] = []
beforeAll(() => {
  globalThis.setTimeout = Object.assign((...given: Parameters<typeof setPlainTimeout>) => {
    const timer = setPlainTimeout(...given)
    waiting.push(timer)
    return timer
  }, setPlainTimeout)
})
afterAll(() => {
  for (const timer of waiting) clearTimeout(timer)
  globalThis.setTimeout = setPlainTimeout
})
