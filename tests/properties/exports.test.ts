import { describe, it } from 'vitest'
import { exportCases } from './exports-cases.ts'

describe('whatever files a user exports, in any order and as often as he likes', () => {
  it.each(exportCases)('%s', (_name, hold) => hold(8))
})
