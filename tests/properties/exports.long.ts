import { describe, it } from 'vitest'
import { exportCases } from './exports-cases.ts'
import { reconcileCases } from './reconcile-cases.ts'

describe('over thousands of worlds', () => {
  it.each([...exportCases, ...reconcileCases])('%s', (_name, hold) => hold(2_000))
})
