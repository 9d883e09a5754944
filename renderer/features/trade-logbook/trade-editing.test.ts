import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FillPairRecord } from '#shared/api/records.ts'
import { casesOf } from '#tests/helpers/cases.ts'
import type { EditField } from '#shared/notes/edit-groups.ts'
import { editValuesOf, mergeEdit } from '#shared/notes/merge-edit.ts'
import { beginEditing, blockedBy, canUndo, changedTo, confirmed, decided, journalDraft, noteSent, outgoing, undone, unsentUnits, withJournal, withTypedTag, type Editing, type FieldGroup, type Outgoing } from './trade-editing.ts'

const zone = 'America/Chicago'
const words = { notes: '', tags: [], stop: null, screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '' }
const pair: FillPairRecord = {
  ...words,
  id: 't', userId: 'u', symbol: 'MESH6', account: 'Paper', accountId: '', side: 'long', qty: 3, entryPrice: 6052.25, exitPrice: 6054.75, entryTime: '2026-02-13T14:12:00.000Z', exitTime: '2026-02-13T14:41:07.000Z',
  date: '2026-02-13', tradingDay: '2026-02-13', pnl: 0, grossPnl: '0.00', commission: '0.00', netPnl: '0.00', currency: 'USD', platform: '', tradeId: null, origin: 'manual', multiplierSource: 'table', feeSource: 'table', warnings: [],
}
const begin = (...pairs: readonly FillPairRecord[]): Editing => beginEditing({ pairs, whole: pairs.length > 1, zone })
const write = (editing: Editing, own: Partial<Editing['draft']['own']>): Editing => changedTo(editing, { ...editing.draft, own: { ...editing.draft.own, ...own } })
const tag = (editing: Editing, tags: readonly string[]): Editing => write(editing, { tags: { tags, typed: '' } })

/** The journal as `savePairs` of the backend keeps it. */
const journalOf = (pairs: readonly FillPairRecord[]) => {
  const state = { pairs }
  return {
    state,
    save: ({ edits }: Outgoing): { readonly pairs: readonly FillPairRecord[]; readonly conflicts: readonly EditField[] } => {
      const merged = edits.map((edit) => ({ ...edit, ...mergeEdit(edit.base, edit.updates, editValuesOf(state.pairs.find(({ id }) => id === edit.id) ?? pair)) }))
      const conflicts = [...new Set(merged.flatMap((edit) => edit.conflicts))]
      state.pairs = state.pairs.map((pair) => ({ ...pair, ...Object.fromEntries(Object.entries(merged.find(({ id }) => id === pair.id)?.write ?? {}).filter(([field]) => !conflicts.includes(field as EditField))) }))
      return { pairs: state.pairs.filter(({ id }) => edits.some((edit) => edit.id === id)), conflicts }
    },
  }
}

test('what somebody else changed shows at once where this form says nothing else, and is asked where both changed it', () => {
  const mine = write(begin({ ...pair, notes: 'before' }), { notes: 'mine' })
  const now = withJournal(mine, [{ ...pair, notes: 'theirs', stop: '6040' }])
  expect([now.draft.own.notes, now.draft.own.stop, now.asked, blockedBy(now), outgoing(now)]).toEqual(['mine', '6040', ['notes'], 'asked', null])
  expect(decided(now, 'notes', 'theirs').draft.own.notes).toBe('theirs')
  const kept = outgoing(decided(now, 'notes', 'mine'))
  expect(kept?.edits).toEqual([{ id: 't', updates: { notes: 'mine' }, base: { notes: 'theirs' } }])
})

test('what was sent and never answered is recognized when it is read again, also after the form went on', () => {
  const first = write(begin(pair), { notes: 'one' })
  const sent = outgoing(first)
  if (sent === null) throw new Error('nothing to send')
  const later = write(noteSent(first, sent), { notes: 'one two' })
  const now = withJournal(later, [{ ...pair, notes: 'one' }])
  expect([now.asked, now.draft.own.notes, outgoing(now)?.edits[0]?.base]).toEqual([[], 'one two', { notes: 'one' }])
})

test('a number is saved as people write it and not saved again; a wrong one and a doubted stop hold up nothing else', () => {
  const typed = write(begin(pair), { stop: '6,040.50', notes: 'n' })
  const sent = outgoing(typed)
  expect(sent?.edits[0]?.updates).toEqual({ notes: 'n', stop: '6040.50' })
  if (sent === null) return
  const saved = confirmed(noteSent(typed, sent), sent, [{ ...pair, notes: 'n', stop: '6040.50' }], [])
  expect([saved.draft.own.stop, unsentUnits(saved)]).toEqual(['6,040.50', []])
  for (const [stop, why] of [['nonsense', 'wrong'], ['6,060', 'doubted']] as const) {
    const blocked = write(begin(pair), { stop, notes: 'n' })
    expect([blockedBy(blocked), outgoing(blocked)?.edits[0]?.updates]).toEqual([why, { notes: 'n' }])
  }
  const allowed = { ...write(begin(pair), { stop: '6,060' }), allowedStop: '6060' }
  expect([blockedBy(allowed), outgoing(allowed)?.edits[0]?.updates]).toEqual([null, { stop: '6060' }])
  const short = begin({ ...pair, side: 'short' })
  expect([blockedBy(write(short, { stop: '6,060' })), blockedBy(write(short, { stop: '6040' }))]).toEqual([null, 'doubted'])
})

test('facts of a trade by hand that are wrong wait; the notes beside them do not', () => {
  const editing = begin(pair)
  const { facts } = editing.draft
  if (facts === null) throw new Error('no facts')
  const wrong = changedTo(write(editing, { notes: 'n' }), { facts: { ...facts, qty: '1.5' }, own: { ...editing.draft.own, notes: 'n' } })
  expect([blockedBy(wrong), outgoing(wrong)?.edits[0]?.updates]).toEqual(['wrong', { notes: 'n' }])
  const right = changedTo(editing, { ...editing.draft, facts: { ...facts, exitPrice: '6,055.25', commission: '1.50' } })
  expect(outgoing(right)?.edits[0]).toEqual({ id: 't', updates: { exitPrice: 6055.25, commission: '1.50' }, base: { exitPrice: 6054.75, commission: null } })
})

test('while one fact is asked about, no other fact is sent: half of one trade and half of another is neither', () => {
  const opened = begin(pair)
  const facts = (change: object): Editing => changedTo(opened, { ...opened.draft, facts: opened.draft.facts && { ...opened.draft.facts, ...change } })
  const mine = facts({ symbol: 'MNQH6', entryPrice: '21000', exitPrice: '21010' })
  const asked = withJournal(mine, [{ ...pair, exitPrice: 6055 }])
  expect([asked.asked, outgoing(asked)]).toEqual([['exitPrice'], null])
  expect(outgoing(decided(asked, 'exitPrice', 'mine'))?.edits[0]?.updates).toMatchObject({ symbol: 'MNQH6', entryPrice: 21_000, exitPrice: 21_010 })
})

test('undo takes back what was written here, and nothing that somebody else wrote', () => {
  const opened = begin({ ...pair, notes: 'before', tags: ['a'] })
  const mine = withTypedTag(write(opened, { notes: 'mine', tags: { tags: ['a'], typed: 'b' } }))
  const sent = outgoing(mine)
  if (sent === null) throw new Error('nothing to send')
  const saved = withJournal(confirmed(noteSent(mine, sent), sent, [{ ...pair, notes: 'mine', tags: ['a', 'b'] }], []), [{ ...pair, notes: 'mine', tags: ['a', 'b', 'c'], stop: '6040' }])
  expect([canUndo(opened), canUndo(saved)]).toEqual([false, true])
  expect(outgoing(undone(saved))?.edits[0]?.updates).toEqual({ notes: 'before', tags: ['a', 'c'] })
  expect(undone(saved).draft.own.stop).toBe('6040')
})

test('two tabs that draw in one chart end with both drawings, and undo takes back the own', () => {
  const [line, note, other] = [{ kind: 'horizontal', at: 1, price: 5 }, { kind: 'note', at: 2, price: 5, text: 'n' }, { kind: 'horizontal', at: 3, price: 7 }] as const
  const mine = write(begin({ ...pair, drawings: [line] }), { drawings: [line, note] })
  const sent = outgoing(mine)
  if (sent === null) throw new Error('nothing to send')
  expect(sent.edits).toEqual([{ id: 't', updates: { drawings: [line, note] }, base: { drawings: [line] } }])
  const { save, state } = journalOf([{ ...pair, drawings: [line, other] }])
  const { pairs, conflicts } = save(sent)
  const now = confirmed(noteSent(mine, sent), sent, pairs, conflicts)
  expect([state.pairs[0]?.drawings, now.draft.own.drawings, unsentUnits(now)]).toEqual([[line, other, note], [line, other, note], []])
  expect(undone(now).draft.own.drawings).toEqual([line, other])
})

type Step = { readonly who: number; readonly what: 'write' | 'tag' | 'untag' | 'send' | 'arrive' | 'answer' | 'lose' | 'hear' | 'decide' | 'reload'; readonly pick: number }
type Writer = { editing: Editing; sent: Outgoing | null; answer: ReturnType<ReturnType<typeof journalOf>['save']> | null }
const texts = ['notes', 'stop', 'screenshot', 'qty'] as const

const steps = fc.array(fc.record({ who: fc.nat(2), what: fc.constantFrom<Step['what']>('write', 'write', 'tag', 'untag', 'send', 'send', 'arrive', 'arrive', 'answer', 'answer', 'lose', 'hear', 'hear', 'decide', 'reload'), pick: fc.nat(7) }), { minLength: 20, maxLength: 150, size: 'max' })

test('writers on one trade, in any order and over lost answers: nothing is overwritten that its writer was not shown or asked about, nothing written is lost, and all end with the same', { tags: 'long' }, () => {
  fc.assert(
    fc.property(fc.boolean(), steps, (whole, taken) => {
      const start: readonly FillPairRecord[] = whole ? [{ ...pair, origin: 'synced', tags: ['start'] }, { ...pair, id: 't2', origin: 'synced', tags: ['start'] }] : [{ ...pair, tags: ['start'] }]
      const journal = journalOf(start)
      const writers = [0, 1, 2].map((): Writer => ({ editing: begin(...start), sent: null, answer: null }))
      const units = texts.filter((unit) => unit !== 'qty' || !whole)
      // What a form says of a unit, in words of this test.
      const says = (draft: Editing['draft'], unit: (typeof texts)[number]): string =>
        unit === 'notes' ? draft.own.notes : unit === 'stop' ? draft.own.stop : unit === 'screenshot' ? `${draft.own.screenshot}|${draft.own.screenshotHeadline}` : (draft.facts?.qty ?? '')
      const journalSays = (unit: (typeof texts)[number]): string => says(journalDraft({ pairs: journal.state.pairs, whole, zone }), unit)
      /** What each was shown in its form or asked about, and what of its own the journal had. */
      const shown = writers.map(() => new Map(units.map((unit) => [unit, new Set<string>()])))
      const kept = new Map(units.map((unit) => [unit, new Set([journalSays(unit)])]))
      const author = new Map<string, number>()
      const added = new Set(['start'])
      const removed = new Set<string>()
      // Added by a save whose answer was lost: where somebody takes such a tag away meanwhile, its writer cannot know that it was there.
      const unsure = new Set<string>()
      let count = 0

      const look = (): void => {
        for (const [at, { editing }] of writers.entries()) for (const unit of units) shown[at]?.get(unit)?.add(says(editing.draft, unit))
        for (const unit of units) kept.get(unit)?.add(journalSays(unit))
      }
      const step = (at: number, what: Step['what'], pick: number): void => {
        const writer = writers[at]
        if (writer === undefined) return
        const { editing } = writer
        const { own, facts } = editing.draft
        const unit = units[pick % units.length] ?? 'notes'
        const before = units.map((one) => says(editing.draft, one))
        count += 1
        if (what === 'write') {
          const fresh = String(count)
          author.set(fresh, at)
          const next = unit === 'notes' ? { own: { ...own, notes: fresh }, facts } : unit === 'stop' ? { own: { ...own, stop: fresh }, facts } : unit === 'screenshot' ? { own: { ...own, ...(pick > 3 ? { screenshot: fresh } : { screenshotHeadline: fresh }) }, facts } : { own, facts: facts && { ...facts, qty: fresh } }
          writer.editing = changedTo(editing, next)
        } else if (what === 'tag') {
          added.add(`tag ${String(count)}`)
          writer.editing = tag(editing, [...own.tags.tags, `tag ${String(count)}`])
        } else if (what === 'untag') {
          const gone = own.tags.tags[pick % Math.max(1, own.tags.tags.length)]
          if (gone !== undefined) removed.add(gone)
          writer.editing = tag(editing, own.tags.tags.filter((one) => one !== gone))
        } else if (what === 'send' && writer.sent === null) {
          writer.sent = outgoing(editing)
          if (writer.sent !== null) writer.editing = noteSent(editing, writer.sent)
        } else if (what === 'arrive' && writer.sent !== null && writer.answer === null) {
          const had = units.map((one) => journalSays(one))
          writer.answer = journal.save(writer.sent)
          for (const [index, one] of units.entries()) if (journalSays(one) !== had[index]) expect([one, shown[at]?.get(one)?.has(had[index] ?? '')]).toEqual([one, true])
        } else if (what === 'answer' && writer.sent !== null && writer.answer !== null) {
          writer.editing = confirmed(editing, writer.sent, writer.answer.pairs, writer.answer.conflicts)
          Object.assign(writer, { sent: null, answer: null })
        } else if (what === 'lose') {
          if (writer.answer !== null) for (const one of writer.sent?.draft.own.tags.tags ?? []) unsure.add(one)
          Object.assign(writer, { sent: null, answer: null })
        } else if (what === 'hear' && writer.sent === null) writer.editing = withJournal(editing, journal.state.pairs)
        else if (what === 'decide' && editing.asked.length > 0) {
          const asked = editing.asked[pick % editing.asked.length] as FieldGroup & (typeof texts)[number]
          // The person sees both and answers for one of them.
          shown[at]?.get(asked)?.add(says(journalDraft(editing), asked))
          kept.get(asked)?.add(says(editing.draft, asked))
          writer.editing = decided(editing, asked, pick % 2 === 0 ? 'mine' : 'theirs')
        } else if (what === 'reload') writer.editing = JSON.parse(JSON.stringify(editing)) as Editing
        // Only the journal's having it, or an answer of the person, lets go what a form said.
        if (what !== 'write') for (const [index, one] of units.entries()) if (says(writer.editing.draft, one) !== before[index]) expect([one, kept.get(one)?.has(before[index] ?? '')]).toEqual([one, true])
        for (const one of writer.editing.asked) if (one === 'notes' || one === 'stop' || one === 'qty') expect([one, author.get(says(journalDraft(writer.editing), one))]).not.toEqual([one, at])
        look()
      }

      look()
      for (const { who, what, pick } of taken) step(who, what, pick)
      for (let round = 0; round < 12; round += 1) for (const at of writers.keys()) for (const what of ['lose', 'hear', 'decide', 'decide', 'decide', 'decide', 'send', 'arrive', 'answer', 'hear'] as const) step(at, round > 0 && what === 'lose' ? 'hear' : what, round)
      for (const { editing } of writers) {
        expect([editing.asked, unsentUnits(editing)]).toEqual([[], []])
        for (const unit of units) expect(says(editing.draft, unit)).toBe(journalSays(unit))
      }
      const tags = new Set(journal.state.pairs.flatMap((pair) => pair.tags))
      expect([...added].filter((one) => !removed.has(one) && !tags.has(one))).toEqual([])
      expect([...removed].filter((one) => !unsure.has(one) && tags.has(one))).toEqual([])
    }),
    { numRuns: casesOf({ nightly: 300, long: 40 }) },
  )
})
