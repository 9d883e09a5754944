import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareFills } from '#shared/fills/order.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { deriveBatches } from '#shared/pnl/derive-batches.ts'
import { pairIdOf } from '#shared/pnl/fill-pair.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { isNightly } from '#tests/helpers/cases.ts'
import { fill, monday, openStore, rowsOf, user, type TestStore } from '#tests/helpers/store.ts'

const hour = 3_600_000

const draft = fc.record({
  gap: fc.constantFrom(0, hour, 11 * hour, 25 * hour),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  qty: fc.integer({ min: 1, max: 4 }),
  price: fc.integer({ min: 0, max: 40 }),
  contract: fc.constantFrom('MESM6', 'MNQM6'),
  /** One in five is busted in the end. */
  active: fc.integer({ min: 0, max: 9 }).map((n) => n > 1),
})

/** What happens to a journal on the way: some fills come, as they were first or as they are at last; a fill pair is removed. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('take' as const), ids: fc.array(fc.nat(17), { minLength: 1, maxLength: 6 }), early: fc.boolean() }),
  fc.record({ kind: fc.constant('remove' as const), pick: fc.nat(30) }),
)

const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const

/** All derived rows, without the numbers that SQLite gives them. */
const stateOf = (store: TestStore): Record<string, string[]> =>
  Object.fromEntries(
    ['fills', 'batches', 'fill_pairs', 'trades', 'shown_notes', 'left_over_notes'].map((table) => [table, (rowsOf(store, table) as Record<string, unknown>[]).map((row) => JSON.stringify({ ...row, ref: null })).sort()]),
  )

const holds = async (numRuns: number, seed: number): Promise<void> => {
  const way = fc.asyncProperty(fc.array(draft, { minLength: 3, maxLength: 18 }), fc.array(step, { maxLength: 8 }), async (drafts, steps) => {
    let time = monday
    const early = drafts.map(({ gap, side, qty, price, contract }, index) => fill(index + 1, side, qty, 6700 + price * 0.25, { contract, time: (time += gap), active: true }))
    const last = early.map((each, index) => ({ ...each, active: drafts[index]?.active ?? true }))
    const [stepwise, whole] = [openStore(), openStore()]
    for (const each of steps) {
      if (each.kind === 'take') {
        const source = each.early ? early : last
        await stepwise.write.saveFills({ ...user, at: monday, specs: [], fills: each.ids.flatMap((id) => source[id % source.length] ?? []) })
      } else {
        const { rows } = stepwise.read.pairPage(page)
        const picked = rows[each.pick % Math.max(1, rows.length)]
        if (picked === undefined) continue
        stepwise.write.removeTrade({ ...user, at: monday, id: picked.id })
      }
    }
    await stepwise.write.saveFills({ ...user, at: monday, specs: [], fills: last })

    // What was removed is kept with the place where it stood then.
    const edits = stepwise.writer.database.prepare('SELECT user_id, pair_id, removed_at, place FROM pair_edits').all()
    for (const edit of edits) whole.writer.database.prepare('INSERT INTO pair_edits (user_id, pair_id, removed_at, place) VALUES (@user_id, @pair_id, @removed_at, @place)').run(edit)
    await whole.write.saveFills({ ...user, at: monday, specs: [], fills: last })

    const [one, other] = [stateOf(stepwise), stateOf(whole)]
    const derived = rowsOf(stepwise, 'fill_pairs') as { id: string }[]
    stepwise.writer.database.close()
    whole.writer.database.close()
    expect(one).toEqual(other)
    const batches = deriveBatches([...last].sort(compareFills), { zone: 'America/New_York', specOf: contractSpecOf })
    expect(derived.map(({ id }) => id).sort()).toEqual([...batches].flatMap(({ pairs }) => pairs.map(pairIdOf)).sort())
  })
  await fc.assert(way, { numRuns, seed })
}

it('gives the same journal for any order of its fills, as if they had come at once', () => holds(25, 20_261_121))

it.runIf(isNightly)('and so do many more ways of theirs', { tags: 'long' }, () => holds(400, 20_261_122))
