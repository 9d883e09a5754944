import fc from 'fast-check'
import { it } from 'vitest'
import type { CommissionOf } from '#shared/api/own-data.ts'
import { casesOf } from '#tests/helpers/cases.ts'
import { account, day, fill, monday, openStore, rowsOf, user, type TestStore } from '#tests/helpers/store.ts'

const hour = 3_600_000
const draft = fc.record({
  gap: fc.constantFrom(hour, 11 * hour, 25 * hour),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  qty: fc.integer({ min: 1, max: 3 }),
  price: fc.nat(20),
  feeText: fc.constantFrom('0.62', '1.31', null),
  source: fc.constantFrom('api' as const, 'fills-file' as const),
  contract: fc.constantFrom('MESM6', 'ESM6'),
})
const change = fc.oneof(
  fc.record({ kind: fc.constant('rate' as const), ofFirm: fc.boolean(), product: fc.constantFrom('MES', 'ES'), perSide: fc.constantFrom(null, '0', '0.25', '0.1234') }),
  fc.record({ kind: fc.constant('label' as const), firm: fc.constantFrom('Tradeify' as const, 'Other' as const, null) }),
)
type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

const fillsOf = (drafts: readonly Draft[]) => {
  let time = monday
  return drafts.map(({ gap, side, qty, price, feeText, source, contract }, index) => {
    time += gap
    return fill(index + 1, side, qty, 6700 + price * 0.25, { contract, time, source, ...(feeText === null ? {} : { feeText }) })
  })
}

const make = async ({ write }: TestStore, it: Change, at: number): Promise<void> => {
  if (it.kind === 'label') {
    write.addFinance({ ...user, at, finance: { id: account, type: 'Funded Account', amount: 0, name: '', balance: 0, platform: '', firm: it.firm } })
    await write.deriveStale({ ...user, at })
    return
  }
  const of: CommissionOf = it.ofFirm ? { scope: 'firm', firm: 'Tradeify' } : { scope: 'account', accountId: account }
  await write.setCommission({ ...user, at, of, product: it.product, perSide: it.perSide })
}

const derived = (store: TestStore): string[] =>
  ['batches', 'fill_pairs', 'trades'].flatMap((table) => rowsOf(store, table).map((row) => `${table} ${JSON.stringify({ ...(row as object), ref: 0 })}`)).sort()
/** Trades both of whose fills have a reported fee, with their row numbers: untouched means not even rewritten. */
const untouchable = (store: TestStore): string[] => {
  const feeless = new Set(rowsOf(store, 'fills WHERE fee IS NULL').map((row) => (row as { id: string }).id))
  const pairs = rowsOf(store, 'fill_pairs') as { ref: number; id: string }[]
  return pairs.filter(({ id }) => !id.slice(account.length + 1).split('/').some((fillId) => feeless.has(fillId))).map((row) => JSON.stringify(row)).sort()
}

const holds = async (numRuns: number, seed: number): Promise<void> => {
  const life = fc.asyncProperty(fc.array(draft, { minLength: 2, maxLength: 16 }), fc.array(change, { minLength: 1, maxLength: 5 }), async (drafts, changes) => {
    const [late, early] = [openStore(), openStore()]
    const fills = fillsOf(drafts)
    await late.write.saveFills({ ...user, at: monday, fills, specs: [] })
    const before = untouchable(late)
    for (const [index, one] of changes.entries()) {
      const at = monday + (index + 1) * day
      await make(early, one, at)
      await make(late, one, at)
      if (JSON.stringify(untouchable(late)) !== JSON.stringify(before)) throw new Error('A trade with reported fees was touched')
    }
    await early.write.saveFills({ ...user, at: monday, fills, specs: [] })
    const [one, other] = [derived(late), derived(early)]
    for (const { writer } of [late, early]) writer.database.close()
    if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error(`${one.filter((row) => !other.includes(row)).join('\n')}\ninstead of\n${other.filter((row) => !one.includes(row)).join('\n')}`)
  })
  await fc.assert(life, { numRuns, seed })
}

it('own rates change no trade with reported fees, and all others as if the rates had been set from the beginning', () => holds(20, 20_261_121))

it('and so in many more lives of a journal', { tags: 'long' }, () => holds(casesOf({ nightly: 100, long: 100, inCi: 30 }), 20_261_122))
