import fc from 'fast-check'
import { it } from 'vitest'
import { holds, lives, type Life } from './journal-life.ts'

it('whatever is synced, imported, undone, connected, removed, priced and carried, and wherever the program dies: the journal equals one built from its sources', async () => {
  await fc.assert(fc.asyncProperty(lives(12), holds), { numRuns: 4 })
})

it('contract figures disappear with the import that brought them, even if another import has part of them', async () => {
  const buy = { gap: 0, side: 'buy', qty: 1, price: 0, contract: 'ZZZQ9', of: 3, fee: null } as const
  const step = { together: false, dies: 0 } as const
  const life: Life = {
    drafts: [buy, { ...buy, side: 'sell', price: 1 }],
    steps: [
      { ...step, doing: { kind: 'import', ids: [1, 0], says: ['pairs', 'fills'], unnamed: false } },
      { ...step, doing: { kind: 'import', ids: [0], says: ['fills'], unnamed: false } },
      { ...step, doing: { kind: 'undo', pick: 0 } },
    ],
  }
  await holds(life)
})
