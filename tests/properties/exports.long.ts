import { describe, it } from 'vitest'
import { exportCases } from './exports-cases.ts'
import { reconcileCases } from './reconcile-cases.ts'

// Fifteen laws of as many worlds each: two thousand and more in some minutes.
const worlds = 150

describe('over thousands of worlds', () => {
  it.each([...exportCases, ...reconcileCases])('%s', (_name, hold) => hold(worlds))
})
