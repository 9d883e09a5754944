import { describe, it } from 'vitest'
import { reconcileCases } from './reconcile-cases.ts'

describe('reconciliation', () => {
  it.each(reconcileCases)('%s', (_name, hold) => hold(8))
})
