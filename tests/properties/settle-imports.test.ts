import fc from 'fast-check'
import { expect, test } from 'vitest'
import { activeReadings } from '#backend/imports/queries.ts'
import { assembleImports } from '#backend/imports/assemble-imports.ts'
import { daysCountedTwice } from '#backend/imports/fills-counted-twice.ts'
import type { DoubtfulDays } from '#shared/imports/assembly.ts'
import type { PairReading, Reading } from '#shared/imports/reading.ts'
import { isNightly } from '#tests/helpers/cases.ts'
import { drawOf } from '#tests/helpers/exports/draw.ts'
import { tradovateKinds, writeExports } from '#tests/helpers/exports/exports.ts'
import { readFiles } from '#tests/helpers/exports/import-files.ts'
import { truthOf } from '#tests/helpers/exports/truth.ts'
import { drawWorld } from '#tests/helpers/exports/world.ts'
import { fillRow, importRows, journalRows, money, pairRow } from '#tests/helpers/imports.ts'
import { fill, monday, openStore, take, user, type TestStore } from '#tests/helpers/store.ts'

type Step = { readonly piece: number } | { readonly undo: number } | { readonly synced: number }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof({ weight: 5, arbitrary: fc.record({ piece: fc.nat(99) }) }, { weight: 2, arbitrary: fc.record({ undo: fc.nat(99) }) }, { weight: 1, arbitrary: fc.record({ synced: fc.nat(7) }) }),
  { minLength: 3, maxLength: 8 },
)

/** Recomputing all accounts changes nothing. */
const expectAllTogether = async (store: TestStore): Promise<void> => {
  const before = journalRows(store)
  store.writer.database.prepare('INSERT INTO imports_unsettled (user_id, at) VALUES (?, ?)').run(user.userId, monday)
  expect(await store.write.settleImports({ ...user, at: monday })).toMatchObject({ fills: { added: 0, changed: 0, removed: 0 }, pairs: { added: 0, changed: 0, removed: 0 } })
  expect(journalRows(store)).toEqual(before)
  const { doubtful } = assembleImports(store.writer, user.userId, [...activeReadings(store.writer, user.userId)].flat()).assembly
  expect(sortedDays([...daysCountedTwice(store.writer, user.userId).values()].flat())).toEqual(sortedDays(doubtful.filter(({ reason }) => reason === 'counted-twice')))
}

const sortedDays = (days: readonly DoubtfulDays[]): readonly string[] => days.map((one) => JSON.stringify(one)).sort()

const walk = async (pieces: readonly (readonly Reading[])[], walked: readonly Step[]): Promise<void> => {
  const store = openStore()
  const standing: string[] = []
  for (const [index, step] of walked.entries()) {
    if ('synced' in step) await take(store, fill(step.synced, step.synced % 2 === 0 ? 'buy' : 'sell', 1, 6750 + step.synced))
    else if ('piece' in step) {
      const piece = pieces[step.piece % pieces.length] ?? []
      await importRows(store, String(index), piece, [null, 'MINE', 'YOURS'][index % 3])
      standing.push(String(index))
    } else {
      const [importId] = standing.splice(step.undo % Math.max(1, standing.length), 1)
      if (importId !== undefined) expect(await store.write.undoImport({ ...user, at: monday, importId })).toMatchObject({ ok: true })
    }
    await expectAllTogether(store)
  }
}

const heldByExports = async (numRuns: number): Promise<void> => {
  const law = fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), steps, async (seed, walked) => {
    const draw = drawOf(seed)
    const world = drawWorld(seed, { sessions: 2 })
    const files = writeExports(draw, world, truthOf(world), [...tradovateKinds], { zone: 'UTC', cut: true })
    const pieces = await Promise.all(files.map(async (file) => readFiles([file], 'UTC')))
    await walk(draw.shuffle(pieces), walked)
  })
  await fc.assert(law, { numRuns })
}

test('whatever is imported and undone, in any order: the journal equals one built from the remaining imports', () => heldByExports(3))
test.runIf(isNightly)('and so in many more exports', { tags: 'long' }, () => heldByExports(60))

const zzz = { contract: 'ZZZQ9' } as const
const ownerless = (buy: number, sell: number, more: Partial<PairReading> = {}): Reading => pairRow(null, [buy, 6750], [sell, 6751], 1, more)

// Few ids, so that rows without an account meet the fills of several, and leave them again.
const rows: fc.Arbitrary<Reading> = fc.oneof(
  fc.tuple(fc.constantFrom('PA-7', 'PA-8', 'EVAL-101'), fc.nat(7), fc.boolean()).map(([name, id, odd]) => fillRow(name, id, id % 2 === 0 ? 'buy' : 'sell', 1, 6750 + id, odd ? zzz : {})),
  fc.tuple(fc.nat(3), fc.nat(3), fc.boolean()).map(([buy, sell, odd]) => ownerless(2 * buy, 2 * sell + 1, odd ? { ...zzz, pnl: money(sell % 2 === 0 ? '50' : '20') } : {})),
  fc.tuple(fc.constantFrom('PA-7', 'PA-8'), fc.nat(3), fc.nat(3)).map(([name, buy, sell]) => pairRow(name, [2 * buy, 6750], [2 * sell + 1, 6751], 1)),
  fc.tuple(fc.constantFrom('PA-8', 'PA-9'), fc.nat(7)).map(([name, id]) => fillRow(name, id, 'buy', 1, 6750, { tickSize: '0.125', price: 54_001 as never })),
  fc.constantFrom('PA-7', 'PA-9').map((name) => fillRow(name, 9, 'buy', 1, 6750, { account: { id: '700101', name } })),
)

const heldByRows = (numRuns: number): Promise<void> => fc.assert(fc.asyncProperty(fc.array(fc.array(rows, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 }), steps, walk), { numRuns })

test('also without accounts in rows, with contracts known only from fill pairs, and with names that turn out to be others', () => heldByRows(10))
test.runIf(isNightly)('and so in many more rows', { tags: 'long' }, () => heldByRows(250))

const worth = (name: string, id: number, pnl: string): Reading => pairRow(name, [id, 6750], [id + 1, 6751], 1, { ...zzz, pnl: money(pnl) })

test.each<[string, readonly (readonly Reading[])[]]>([
  ['pairs of two accounts that tell of one contract what cannot both be', [[worth('PA-7', 1, '50')], [worth('PA-8', 3, '20')]]],
  ['fills that take pairs away from where they went otherwise', [[ownerless(2, 3), ownerless(4, 5)], [fillRow('PA-7', 4, 'buy', 1, 6750)], [fillRow('PA-8', 3, 'sell', 1, 6751)]]],
  ['a pair that ties two others to the owner of one', [[ownerless(2, 3), ownerless(4, 5)], [fillRow('PA-7', 4, 'buy', 1, 6750)], [ownerless(2, 5)]]],
])('%s, and each of them undone', async (_name, pieces) => {
  const all = pieces.map((_, piece) => ({ piece }))
  for (const undo of pieces.keys()) await walk(pieces, [...all, { undo }])
})
