import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// Happy DOM has no locks: here no one else holds one.
Object.defineProperty(navigator, 'locks', { configurable: true, value: { request: (...given: readonly unknown[]) => Promise.resolve((given.at(-1) as (lock: object) => unknown)({})) } })

// Long enough for a busy machine; passing tests never wait for it.
configure({ asyncUtilTimeout: 30_000 })

// Test files share a process and its document: each test leaves it empty.
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
})
