/** @module-tag long */

import { describe, it } from 'vitest'
import { casesOf } from '#tests/helpers/cases.ts'
import { exportCases } from './exports-cases.ts'
import { reconcileCases } from './reconcile-cases.ts'

// Fifteen laws of as many worlds each: two thousand and more in some minutes.
const worlds = casesOf({ nightly: 150, long: 20, inCi: 5 })

describe('over thousands of worlds', () => {
  it.each([...exportCases, ...reconcileCases])('%s', (_name, hold) => hold(worlds))
})
