// @module-tag slow
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ticks } from '../money/price.ts'
import { pairPlacesOf, pairsBeside, type KnownPair, type PairPlace } from './place.ts'
import { joinAnnotations, noAnnotations, showNotes, type ShownNotes, type WrittenAnnotations } from './show.ts'

type Fill = { readonly id: string; readonly order: string | null; readonly at: number; readonly side: 'buy' | 'sell'; readonly qty: number; readonly price: number }

const account = 'demo'

/** First in, first out, contract by contract. */
const match = (fills: readonly Fill[]): readonly PairPlace[] => {
  const open: Fill[] = []
  const pairs = new Map<string, KnownPair & { qty: number }>()
  for (const fill of fills.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))) {
    for (let contract = 0; contract < fill.qty; contract += 1) {
      const first = open[0]
      if (first === undefined || first.side === fill.side) {
        open.push(fill)
        continue
      }
      open.shift()
      const id = `${account}/${first.id}/${fill.id}`
      const known = pairs.get(id)
      const times = { entryTime: first.at * 1000, exitTime: fill.at * 1000, entryPrice: first.price as Ticks, exitPrice: fill.price as Ticks, tickSize: '0.25' }
      if (known === undefined) pairs.set(id, { id, qty: 1, date: '2026-06-01', side: first.side === 'buy' ? 'long' : 'short', ...times })
      else known.qty += 1
    }
  }
  return pairPlacesOf(account, [...pairs.values()], new Map(fills.map(({ id, order, qty }) => [id, { id, order, qty }])))
}

const write = (pair: PairPlace, all: readonly PairPlace[], fields: Partial<WrittenAnnotations>): WrittenAnnotations => {
  const { side, qty, date, opening, closing } = pair
  const place = { account, contract: 'MESM6', date, tradingDay: date, side, qty, opening, closing, beside: pairsBeside(pair, all) }
  return { id: pair.id, place, removedAt: null, annotations: { ...noAnnotations, notes: `note on ${pair.id}` }, ...fields }
}

const buy = (id: string, at: number, qty = 1, order: string | null = `o${id}`): Fill => ({ id, order, at, side: 'buy', qty, price: 100 })
const sell = (id: string, at: number, qty = 1, order: string | null = `o${id}`): Fill => ({ id, order, at, side: 'sell', qty, price: 110 })

/** What is shown after the fills changed, of what was written on the pairs `on` before. */
const after = (before: readonly Fill[], now: readonly Fill[], on: Readonly<Record<string, Partial<WrittenAnnotations>>>): ShownNotes => {
  const pairs = match(before)
  const records = pairs.flatMap((pair) => {
    const fields = on[pair.id.slice(account.length + 1)]
    return fields === undefined ? [] : [write(pair, pairs, fields)]
  })
  expect(records).toHaveLength(Object.keys(on).length)
  return showNotes(records, match(now))
}

const texts = ({ shown }: ShownNotes) => Object.fromEntries([...shown].map(([id, { annotations }]) => [id.slice(account.length + 1), annotations.notes]))
const removedIn = ({ shown }: ShownNotes) => [...shown].flatMap(([id, { removedAt }]) => (removedAt === null ? [] : [id.slice(account.length + 1)])).sort()
const left = ({ leftOver }: ShownNotes) => [...leftOver].map(([id, { fields, on }]) => [id.slice(account.length + 1), [...fields], on === null ? null : on.slice(account.length + 1)])
const note = { annotations: { ...noAnnotations, notes: 'mine' } }
const gone = { removedAt: 7 }

test('a replaced fill: its order tells the pair', () => {
  const shown = after([buy('b1', 1), sell('s1', 2)], [buy('b1', 1), { ...sell('s9', 2, 1, 'os1'), price: 111 }], { 'b1/s1': { ...note, ...gone } })
  expect([texts(shown), removedIn(shown), left(shown)]).toEqual([{ 'b1/s9': 'mine' }, ['b1/s9'], []])
})

test('a fill that other ids name at the same second and price is the same, where nobody knows its order', () => {
  const shown = after([buy('b1', 1, 1, null), sell('s1', 2, 1, null)], [buy('x', 1), sell('y', 2)], { 'b1/s1': { ...note, ...gone } })
  expect([texts(shown), removedIn(shown), left(shown)]).toEqual([{ 'x/y': 'mine' }, ['x/y'], []])
})

test('a late fill before the entry: the pair is the one that its exit closes, and the entry opens another', () => {
  const now = [buy('b0', 0), buy('b1', 1), sell('s1', 2), sell('s2', 3)]
  const shown = after([buy('b1', 1), sell('s1', 2)], now, { 'b1/s1': { ...note, ...gone } })
  expect([texts(shown), removedIn(shown), left(shown)]).toEqual([{ 'b0/s1': 'mine' }, ['b0/s1'], []])
})

test('a removal goes to its own pair, also if the pair’s edits are in a record with other ids', () => {
  const unordered = match([buy('b', 1, 2, null), sell('s', 2, 1, null), sell('t', 3, 1, null)])
  const ordered = match([buy('ob', 1, 2), sell('os', 2), sell('ot', 3)])
  const records = [...unordered.filter(({ id }) => id === 'demo/b/s').map((pair) => write(pair, unordered, note)), ...ordered.filter(({ id }) => id === 'demo/ob/os').map((pair) => write(pair, ordered, { annotations: noAnnotations, ...gone }))]
  const shown = showNotes(records, match([buy('b', 1, 2, 'oob'), sell('s', 2, 1, 'oos'), sell('t', 3, 1, 'oot')]))
  expect([texts(shown), removedIn(shown), left(shown)]).toEqual([{ 'b/s': 'mine' }, ['b/s'], []])
})

test('a removed pair of which only the closing is left takes no pair out that was written on', () => {
  const shown = after([buy('b1', 1), buy('b2', 2), sell('s', 3, 2)], [buy('x2', 2, 1, 'ob2'), sell('x', 3, 2, 'os')], { 'b1/s': { annotations: noAnnotations, ...gone }, 'b2/s': note })
  expect([texts(shown), removedIn(shown), left(shown)]).toEqual([{ 'x2/x': 'mine' }, [], [['b1/s', ['removedAt'], 'x2/x']]])
})

test('a split: the words stand with one part, the stop and the removal with all', () => {
  const now = [buy('b2', 1, 1, 'ob'), buy('b3', 1, 1, 'ob'), sell('s1', 2, 2)]
  const shown = after([buy('b1', 1, 2, 'ob'), sell('s1', 2, 2)], now, { 'b1/s1': { annotations: { ...noAnnotations, notes: 'mine', stop: '24.00' }, ...gone } })
  expect([texts(shown), removedIn(shown), left(shown)]).toEqual([{ 'b2/s1': 'mine', 'b3/s1': '' }, ['b2/s1', 'b3/s1'], []])
  expect([...shown.shown.values()].map(({ annotations }) => annotations.stop)).toEqual(['24.00', '24.00'])
})

test('a merge: texts follow each other, tags are united, and a second stop is left over', () => {
  const wrote = (notes: string, tag: string, stop: string) => ({ annotations: { ...noAnnotations, notes, tags: [tag, 'both'], stop } })
  const shown = after([buy('b2', 1, 1, 'ob'), buy('b3', 1, 1, 'ob'), sell('s1', 2, 2)], [buy('b1', 1, 2, 'ob'), sell('s1', 2, 2)], { 'b2/s1': wrote('first', 'a', '24.00'), 'b3/s1': wrote('second', 'b', '23.00') })
  expect(texts(shown)).toEqual({ 'b1/s1': 'first\n\nsecond' })
  expect([...shown.shown.values()].map(({ annotations }) => [annotations.tags, annotations.stop])).toEqual([[['a', 'both', 'b'], '24.00']])
  expect(left(shown)).toEqual([['b3/s1', ['stop'], 'b1/s1']])
})

test('where only a part of a pair was removed it counts, and its user is asked', () => {
  const [parts, whole] = [[buy('b2', 1, 1, 'ob'), buy('b3', 1, 1, 'ob'), sell('s1', 2, 2)], [buy('b1', 1, 2, 'ob'), sell('s1', 2, 2)]]
  const one = after(parts, whole, { 'b2/s1': gone })
  expect([removedIn(one), left(one)]).toEqual([[], [['b2/s1', ['removedAt'], 'b1/s1']]])
  const both = after(parts, whole, { 'b2/s1': gone, 'b3/s1': gone })
  expect([removedIn(both), left(both)]).toEqual([['b1/s1'], []])
})

test('a busted pair: what was written is left over, and nothing else takes its removal', () => {
  const rest = [buy('b2', 3, 1, 'ob'), sell('s2', 4, 1, 'os')]
  const shown = after([buy('b1', 1, 1, 'ob'), sell('s1', 2, 1, 'os'), ...rest], rest, { 'b1/s1': { ...note, ...gone } })
  expect([texts(shown), removedIn(shown), left(shown)]).toEqual([{}, [], [['b1/s1', ['notes'], null]]])
})

test('a busted exit: the words go on with the entry, the removal only asks', () => {
  const before = [buy('b1', 1), buy('b2', 2), sell('s1', 3), sell('s2', 4)]
  const shown = after(before, before.filter(({ id }) => id !== 's1'), { 'b1/s1': { ...note, ...gone } })
  expect([texts(shown), removedIn(shown), left(shown)]).toEqual([{ 'b1/s2': 'mine' }, [], [['b1/s1', ['removedAt'], 'b1/s2']]])
})

test('a position of before: what seemed to open closes, and its words follow without stop and removal', () => {
  const shown = after([sell('s1', 1), buy('b1', 2)], [buy('b0', 0), sell('s1', 1), buy('b1', 2), sell('s2', 3)], { 's1/b1': { annotations: { ...noAnnotations, notes: 'mine', stop: '28.00' }, ...gone } })
  expect([Object.values(texts(shown)), removedIn(shown)]).toEqual([['mine'], []])
  expect(left(shown).map(([, fields]) => fields)).toEqual([['stop', 'removedAt']])
})

test('a fill that is corrected to more contracts is the same removed pair', () => {
  const shown = after([buy('b1', 1), sell('s1', 2)], [buy('b1', 1, 2), sell('s1', 2, 2)], { 'b1/s1': gone })
  expect([removedIn(shown), left(shown)]).toEqual([['b1/s1'], []])
})

test('pictures take the free places, and a third is left', () => {
  const picture = (id: string, name: string, line = '') => ({ id, annotations: { ...noAnnotations, screenshot: name, screenshotHeadline: line } })
  const { annotations, left: over } = joinAnnotations([picture('a', 'one', 'first'), picture('b', 'two'), picture('c', 'three', 'third'), picture('d', 'one', 'first')])
  expect(annotations).toMatchObject({ screenshot: 'one', screenshotHeadline: 'first', screenshot2: 'two', screenshot2Headline: '' })
  expect([...over]).toEqual([['c', ['screenshot', 'screenshotHeadline']]])
})

test('texts that are too long together are not cut: the second is left', () => {
  const { annotations, left: over } = joinAnnotations([{ id: 'a', annotations: { ...noAnnotations, notes: 'a'.repeat(15_000) } }, { id: 'b', annotations: { ...noAnnotations, notes: 'b'.repeat(15_000) } }])
  expect([annotations.notes.length, [...over]]).toEqual([15_000, [['b', ['notes']]]])
})

const market = fc
  .array(fc.record({ side: fc.constantFrom('buy' as const, 'sell' as const), qty: fc.integer({ min: 1, max: 3 }), order: fc.nat(9), gap: fc.nat(2) }), { minLength: 2, maxLength: 14 })
  .map((drafts) => {
    let at = 0
    return drafts.map(({ side, qty, order, gap }, index): Fill => ({ id: `f${String(index).padStart(2, '0')}`, order: `${side}${String(order)}`, at: (at += gap), side, qty, price: side === 'buy' ? 100 : 110 }))
  })
const saying = fc.array(fc.record({ hasNote: fc.boolean(), removed: fc.boolean() }), { minLength: 30, maxLength: 30 })
const changing = fc.array(fc.constantFrom('stays' as const, 'stays' as const, 'goes' as const, 'late' as const, 'replaced' as const), { minLength: 14, maxLength: 14 })

const recordsOn = (pairs: readonly PairPlace[], says: readonly { readonly hasNote: boolean; readonly removed: boolean }[]): WrittenAnnotations[] =>
  pairs.flatMap((pair, index) => {
    const { hasNote = false, removed = false } = says[index] ?? {}
    return hasNote || removed ? [write(pair, pairs, { removedAt: removed ? 7 : null, annotations: hasNote ? { ...noAnnotations, notes: `[${pair.id}]` } : noAnnotations })] : []
  })

const contractsOf = (pairs: readonly { readonly qty: number }[]): number => pairs.reduce((sum, { qty }) => sum + qty, 0)

test('whatever becomes of the fills: no word is lost or doubled, no more contracts are removed than were, and what stayed as it was stays so', () => {
  fc.assert(
    fc.property(market, saying, changing, (fills, says, changes) => {
      const [before, now] = [
        fills.filter((_, index) => changes[index] !== 'late'),
        fills.flatMap((fill, index) => (changes[index] === 'goes' ? [] : changes[index] === 'replaced' ? [{ ...fill, id: `${fill.id}r` }] : [fill])),
      ]
      const [were, are] = [match(before), match(now)]
      const records = recordsOn(were, says)
      const { shown, leftOver } = showNotes(records, are)
      const stood = new Map(were.map(({ id, qty }) => [id, qty]))
      const removed = new Set(records.filter(({ removedAt }) => removedAt !== null).map(({ id }) => id))

      for (const { id, annotations } of records.filter((record) => record.annotations.notes !== '')) {
        const places = [...shown.values()].filter((one) => one.annotations.notes.includes(annotations.notes)).length + (leftOver.get(id)?.fields.includes('notes') === true ? 1 : 0)
        expect([id, places]).toEqual([id, 1])
      }
      const gonePairs = are.filter(({ id }) => shown.get(id)?.removedAt !== undefined && shown.get(id)?.removedAt !== null)
      expect(contractsOf(gonePairs)).toBeLessThanOrEqual(contractsOf(were.filter(({ id }) => removed.has(id))))
      for (const { id, qty } of are) if (stood.get(id) === qty) expect([id, gonePairs.some((pair) => pair.id === id)]).toEqual([id, removed.has(id)])
      // A removal that no longer keeps its contracts out, though they are still closed, is said.
      for (const { id } of records.filter((record) => removed.has(record.id))) {
        const same = are.find((pair) => pair.id === id)
        if (same !== undefined && !gonePairs.includes(same)) expect(leftOver.get(id)?.fields).toContain('removedAt')
      }
    }),
    { numRuns: 2_000 },
  )
})

test('fills that all get other ids are the same pairs, each of them', () => {
  fc.assert(
    fc.property(market, saying, (fills, says) => {
      const were = match(fills)
      const records = recordsOn(were, says)
      const renamed = (id: string) => `${account}/${id.slice(account.length + 1).split('/').map((fill) => `x${fill}`).join('/')}`
      const { shown, leftOver } = showNotes(records, match(fills.map((fill) => ({ ...fill, id: `x${fill.id}` }))))
      const wanted = records.map(({ id, annotations, removedAt }) => [renamed(id), annotations.notes, removedAt])
      expect([...shown].map(([id, { annotations, removedAt }]) => [id, annotations.notes, removedAt]).sort()).toEqual(wanted.sort())
      expect([...leftOver]).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('the order in which records and pairs are given decides nothing', () => {
  fc.assert(
    fc.property(market, saying, changing, fc.integer(), (fills, says, changes, turn) => {
      const now = fills.flatMap((fill, index) => (changes[index] === 'goes' ? [] : changes[index] === 'replaced' ? [{ ...fill, id: `${fill.id}r` }] : [fill]))
      const [records, pairs] = [recordsOn(match(fills), says), match(now)]
      const turned = records.toSorted((one, other) => (one.id < other.id ? turn : -turn))
      const plain = ({ shown, leftOver }: ShownNotes) => [[...shown].map(([id, { annotations, removedAt }]) => [id, annotations, removedAt] as const).sort(([one], [other]) => (one < other ? -1 : 1)), [...leftOver].sort(([one], [other]) => (one < other ? -1 : 1))]
      expect(plain(showNotes(turned, pairs))).toEqual(plain(showNotes(records, pairs)))
    }),
    { numRuns: 300 },
  )
})
