import fc from 'fast-check'
import { it } from 'vitest'
import { holds, lives } from './journal-life.ts'

it('whatever is synced, imported, undone, connected, removed, priced and carried, and wherever the program dies: the journal is the one that is built anew from what stands', async () => {
  await fc.assert(fc.asyncProperty(lives(12), holds), { numRuns: 20 })
})
