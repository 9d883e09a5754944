import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// Files share a process and its document: each test leaves it empty.
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
})
