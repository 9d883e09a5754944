import { describe, it } from 'vitest'
import { exportCases } from './exports-cases.ts'

describe('any files that a user exports, in any order and number', () => {
  it.each(exportCases)('%s', (_name, hold) => hold(8))
})
