import { tagProblem, tagsOf } from '#renderer/lib/tags.ts'
import { mostDrawings, type Drawing } from '#shared/api/drawings.ts'
import { keptText } from '#shared/api/fields.ts'
import type { FillPairRecord, TradeUpdates } from '#shared/api/records.ts'
import { typedNumber } from '#shared/money/typed-number.ts'
import { editGroups, type EditField, type EditValues } from '#shared/notes/edit-groups.ts'
import { editValuesOf, mergedList, sameValue } from '#shared/notes/merge-edit.ts'
import { draftOf, readDraft, shownOf, type TradeDraft } from './draft.ts'
import { pairUpdates, tradeAnnotationsOf } from './trade-annotations.ts'
import { isStopBeyond, userDraftOf, userProblems } from './user-fields.ts'
import { momentOf } from './wall-time.ts'

/** A unit is a group of fields that a form saves, and asks about, together, named by the first of them. These are the user's own. */
const ownUnits = ['notes', 'tags', 'stop', 'drawings', 'screenshot', 'screenshot2'] as const
/** The units of the figures of a trade entered by hand. */
const factUnits = ['symbol', 'account', 'side', 'qty', 'entryPrice', 'exitPrice', 'entryTime', 'exitTime', 'commission'] as const
type OwnUnit = (typeof ownUnits)[number]
export type FieldGroup = OwnUnit | (typeof factUnits)[number]

const isOwnUnit = (unit: FieldGroup): unit is OwnUnit => (ownUnits as readonly string[]).includes(unit)

const fieldsOf = (unit: FieldGroup): readonly EditField[] => editGroups.find(([first]) => first === unit) ?? []

/** What a form edits: a fill pair, a trade entered by hand, or a trade with all its fill pairs. */
export type EditedPairs = {
  /** As last read from the journal: one, or all fill pairs of a trade that is edited as a whole. */
  readonly pairs: readonly FillPairRecord[]
  readonly whole: boolean
  readonly zone: string
}

/** What is being edited, and its form. Plain data, because it is stored and outlives the page. */
export type Editing = EditedPairs & {
  readonly draft: TradeDraft
  /** The form that undo restores. */
  readonly opened: TradeDraft
  /** Conflicts: units that this form and someone else changed to different values. The user decides. */
  readonly asked: readonly FieldGroup[]
  /** Values of a unit that were sent and not answered: the journal may have them. */
  readonly tried: Readonly<Partial<Record<FieldGroup, readonly unknown[]>>>
  /** A stop on the wrong side of the entry that the user confirmed. */
  readonly allowedStop: string | null
}

/** The form as the journal has it. */
export const journalDraft = ({ pairs, whole, zone }: EditedPairs): TradeDraft => {
  const [first] = pairs
  if (first === undefined) throw new Error('A trade without fill pairs is not edited')
  if (whole) return { facts: null, own: userDraftOf(tradeAnnotationsOf(pairs).fields) }
  const facts = first.origin === 'manual' ? { ...draftOf(first, zone), commission: first.feeSource === 'entered' ? first.commission : '' } : null
  return { facts, own: userDraftOf(first) }
}

/** Begins editing from the journal's state. */
export const beginEditing = (given: EditedPairs): Editing => {
  const draft = journalDraft(given)
  return { ...given, draft, opened: draft, asked: [], tried: {}, allowedStop: null }
}

/** A typed number in plain form: without separators and trailing zeros. */
export const plainNumber = (text: string): string => {
  const typed = typedNumber(text)
  return /^-?\d+\.\d+$/.test(typed) ? typed.replace(/\.?0+$/, '') : typed
}

/** The value of a unit, however it was typed. */
const valueOf = ({ own, facts }: TradeDraft, unit: FieldGroup, zone: string): unknown => {
  if (unit === 'notes') return keptText(own.notes)
  if (unit === 'tags') return own.tags.tags
  if (unit === 'drawings') return own.drawings ?? []
  if (unit === 'stop') return plainNumber(own.stop)
  if (isOwnUnit(unit)) return [own[unit], keptText(own[`${unit}Headline`])]
  if (facts === null) return null
  if (unit === 'account') return [facts.account.trim(), facts.accountId]
  if (unit === 'side') return facts.side
  if (unit === 'symbol') return facts.symbol.trim()
  if (unit === 'entryTime' || unit === 'exitTime') return momentOf(facts[unit], zone) ?? facts[unit]
  return plainNumber(facts[unit])
}

/** The form `onto` with one unit from another. */
const copyUnit = (onto: TradeDraft, unit: FieldGroup, from: TradeDraft): TradeDraft => {
  const { own, facts } = onto
  // The tag that is being typed stays.
  if (unit === 'tags') return { facts, own: { ...own, tags: { ...own.tags, tags: from.own.tags.tags } } }
  if (isOwnUnit(unit)) return { facts, own: { ...own, ...pick(from.own, fieldsOf(unit)) } }
  return facts === null || from.facts === null ? onto : { own, facts: { ...facts, ...pick(from.facts, fieldsOf(unit)) } }
}

const pick = <Fields extends object>(all: Fields, names: readonly EditField[]): Partial<Fields> =>
  Object.fromEntries(names.map((name) => [name, all[name as keyof Fields]])) as Partial<Fields>

const unitsOf = ({ draft }: Pick<Editing, 'draft'>): readonly FieldGroup[] => (draft.facts === null ? ownUnits : [...ownUnits, ...factUnits])

const isSame = (one: TradeDraft, other: TradeDraft, unit: FieldGroup, zone: string): boolean => sameValue(valueOf(one, unit, zone), valueOf(other, unit, zone))

/** Units in which two forms differ. */
const differing = (editing: Editing, one: TradeDraft, other: TradeDraft): readonly FieldGroup[] => unitsOf(editing).filter((unit) => !isSame(one, other, unit, editing.zone))

/** Units that the journal may not have as the form has them. */
export const unsentUnits = (editing: Editing): readonly FieldGroup[] => {
  const changed = differing(editing, editing.draft, journalDraft(editing))
  return unitsOf(editing).filter((unit) => changed.includes(unit) || editing.tried[unit] !== undefined)
}

/** Whether something was changed since the form was opened. */
export const canUndo = (editing: Editing): boolean => editing.draft.own.tags.typed !== '' || differing(editing, editing.draft, editing.opened).length > 0

/** The form as it was opened; what someone else changed since then stays. */
export const undone = (editing: Editing): Editing => {
  const { facts, own } = editing.opened
  const allowedStop = own.stop.trim() === '' ? null : plainNumber(own.stop)
  return withoutSettled({ ...editing, draft: { facts, own: { ...own, tags: { ...own.tags, typed: '' } } }, allowedStop })
}

/** Drops conflicts in which both sides now agree. */
const withoutSettled = (editing: Editing): Editing => {
  const journal = journalDraft(editing)
  return { ...editing, asked: editing.asked.filter((unit) => !isSame(editing.draft, journal, unit, editing.zone)) }
}

/** The form after the user changed something in it. */
export const changedTo = (editing: Editing, draft: TradeDraft): Editing => withoutSettled({ ...editing, draft })

/** The form with the tag that is still being typed among its tags. */
export const withTypedTag = (editing: Editing): Editing => {
  const { own } = editing.draft
  return own.tags.typed.trim() === '' ? editing : { ...editing, draft: { ...editing.draft, own: { ...own, tags: { tags: tagsOf(own.tags), typed: '' } } } }
}

/** The figures of a trade entered by hand as typed; null for a broker's. */
const factsRead = ({ draft, zone }: Editing) => (draft.facts === null ? null : readDraft(draft.facts, zone))

/** The side of a trade whose stop lies on the profit side of its entry; null if it does not, if the journal has that stop, or if the user confirmed it. */
export const doubtedSide = (editing: Editing, entry: Pick<FillPairRecord, 'side' | 'entryPrice'>): FillPairRecord['side'] | null => {
  const stop = plainNumber(editing.draft.own.stop)
  if (stop === '' || stop === editing.allowedStop || isSame(editing.draft, journalDraft(editing), 'stop', editing.zone)) return null
  return isStopBeyond(stop, entry) ? entry.side : null
}

/** The entry that a stop is compared with: the form's if it has one, otherwise the journal's average. */
export const entryOf = (editing: Editing): Pick<FillPairRecord, 'symbol' | 'side' | 'entryPrice'> => {
  const read = factsRead(editing)?.trade
  const [first] = editing.pairs
  const symbol = read?.symbol ?? first?.symbol ?? ''
  if (read) return { symbol, side: read.side ?? 'long', entryPrice: read.entryPrice }
  const qty = editing.pairs.reduce((sum, pair) => sum + pair.qty, 0)
  return { symbol, side: first?.side ?? 'long', entryPrice: editing.pairs.reduce((sum, pair) => sum + pair.entryPrice * pair.qty, 0) / qty }
}

/** Why something in a form cannot be saved: a field is wrong, a stop is doubtful, or someone else changed it too. */
export type Blocked = 'wrong' | 'doubted' | 'asked'

const blockOf = (editing: Editing, unit: FieldGroup): Blocked | null => {
  if (editing.asked.includes(unit)) return 'asked'
  // The figures make one trade: during a conflict in one of them the others wait, so that no mixture is written.
  if (!isOwnUnit(unit) && editing.asked.some((one) => !isOwnUnit(one))) return 'asked'
  if (!isOwnUnit(unit)) return factsRead(editing)?.trade === null ? 'wrong' : null
  if (unit === 'tags') return tagProblem(editing.draft.own.tags.tags) === null ? null : 'wrong'
  if (unit === 'drawings') return (editing.draft.own.drawings ?? []).length > mostDrawings ? 'wrong' : null
  if (unit !== 'stop') return null
  return userProblems(editing.draft.own).stop !== undefined ? 'wrong' : doubtedSide(editing, entryOf(editing)) !== null ? 'doubted' : null
}

/** Why the form cannot be saved completely; null if it can. */
export const blockedBy = (editing: Editing): Blocked | null => {
  const blocks = unsentUnits(editing).map((unit) => blockOf(editing, unit))
  return (['asked', 'wrong', 'doubted'] as const).find((one) => blocks.includes(one)) ?? (tagProblem(tagsOf(editing.draft.own.tags)) === null ? null : 'wrong')
}

/** What is sent of a form: changes of fill pairs with the values that the form showed before, and the form at that time. */
export type Outgoing = {
  readonly edits: readonly { readonly id: string; readonly updates: TradeUpdates; readonly base: EditValues }[]
  readonly units: readonly FieldGroup[]
  /** Units that were sent without an answer and changed back since: this answer shows which value the journal has. */
  readonly probed: readonly FieldGroup[]
  readonly draft: TradeDraft
}

const ownUpdates = (editing: Editing, units: readonly FieldGroup[]): readonly { readonly pair: FillPairRecord; readonly updates: TradeUpdates }[] => {
  const { own } = units.filter(isOwnUnit).reduce((draft, unit) => copyUnit(draft, unit, editing.draft), journalDraft(editing))
  const fields = {
    ...own,
    notes: keptText(own.notes),
    tags: [...own.tags.tags],
    stop: typedNumber(own.stop) || null,
    drawings: own.drawings ?? [],
    screenshotHeadline: keptText(own.screenshotHeadline),
    screenshot2Headline: keptText(own.screenshot2Headline),
  }
  if (editing.whole) return pairUpdates(editing.pairs, fields)
  return editing.pairs.map((pair) => ({ pair, updates: pick(fields, units.filter(isOwnUnit).flatMap(fieldsOf)) }))
}

const factUpdates = (editing: Editing, units: readonly FieldGroup[]): TradeUpdates => {
  const read = factsRead(editing)
  if (!read?.trade || read.preview === null) return {}
  // An empty fee means the commission rate again.
  return pick({ ...read.trade, commission: read.trade.commission ?? null }, units.filter((unit) => !isOwnUnit(unit)).flatMap(fieldsOf))
}

// A picture is compared together with its headline, also where only one of them changed.
const inGroups = (updates: TradeUpdates, pair: FillPairRecord): TradeUpdates =>
  ({ ...pick(pair, editGroups.filter((group) => group.some((field) => updates[field] !== undefined)).flat()), ...updates })

/** All that can be sent of a form; null for nothing. */
export const outgoing = (editing: Editing): Outgoing | null => {
  const all = unsentUnits(editing).filter((unit) => blockOf(editing, unit) === null)
  if (all.length === 0) return null
  const journal = journalDraft(editing)
  const probed = all.filter((unit) => isSame(editing.draft, journal, unit, editing.zone))
  const units = all.filter((unit) => !probed.includes(unit))
  const facts = factUpdates(editing, units)
  const updates = new Map(ownUpdates(editing, units).map(({ pair, updates }) => [pair.id, { ...updates, ...facts }]))
  const isUnsure = all.some((unit) => editing.tried[unit] !== undefined)
  const edits = editing.pairs.flatMap((pair) => {
    const updated = inGroups(updates.get(pair.id) ?? {}, pair)
    if (Object.keys(updated).length === 0 && !isUnsure) return []
    const now = editValuesOf(pair)
    // An edit that changes nothing: its answer returns the whole pair.
    const asked = Object.keys(updated).length > 0 ? updated : { tags: pair.tags }
    return [{ id: pair.id, updates: asked, base: Object.fromEntries(Object.keys(asked).map((name) => [name, now[name as EditField]])) }]
  })
  return { edits, units, probed, draft: editing.draft }
}

/** Records what is being sent: until the answer, the journal may or may not have it. */
export const noteSent = (editing: Editing, { units, draft }: Outgoing): Editing => ({
  ...editing,
  tried: { ...editing.tried, ...Object.fromEntries(units.map((unit) => [unit, withValue(editing.tried[unit] ?? [], valueOf(draft, unit, editing.zone))])) },
})

const withValue = (values: readonly unknown[], value: unknown): readonly unknown[] => (values.some((one) => sameValue(one, value)) ? values : [...values, value])

// Lists never conflict: additions and removals of both sides count.
const listUnits = ['tags', 'drawings'] as const
type ListUnit = (typeof listUnits)[number]
const isListUnit = (unit: FieldGroup): unit is ListUnit => (listUnits as readonly string[]).includes(unit)

const listIn = ({ own }: TradeDraft, unit: ListUnit): readonly unknown[] => (unit === 'tags' ? own.tags.tags : (own.drawings ?? []))

const withList = (draft: TradeDraft, unit: ListUnit, list: readonly unknown[]): TradeDraft =>
  ({ ...draft, own: { ...draft.own, ...(unit === 'tags' ? { tags: { ...draft.own.tags, tags: list as string[] } } : { drawings: list as Drawing[] }) } })

/** The journal's list `now`, with this form's changes since `base`, sent ones included. */
const listMerged = (base: readonly unknown[], mine: readonly unknown[], tried: readonly (readonly unknown[])[], now: readonly unknown[]): readonly unknown[] => {
  const has = (list: readonly unknown[], item: unknown): boolean => list.some((one) => sameValue(one, item))
  const isOurs = (item: unknown): boolean => [mine, ...tried].some((list) => has(list, item) !== has(base, item))
  return [...now.filter((item) => (isOurs(item) ? has(mine, item) : true)), ...mine.filter((item) => !has(now, item) && isOurs(item))]
}

const without = (tried: Editing['tried'], units: readonly FieldGroup[]): Editing['tried'] => Object.fromEntries(Object.entries(tried).filter(([unit]) => !units.includes(unit as FieldGroup)))

/** Merges one unit after the journal was read again: it had `base` before and has `now`. */
const mergeUnit = (editing: Editing, unit: FieldGroup, base: TradeDraft, now: TradeDraft): Editing => {
  const { zone, draft, opened } = editing
  const tried = editing.tried[unit] ?? []
  if (isListUnit(unit)) {
    const [was, is, mine] = [listIn(base, unit), listIn(now, unit), listIn(draft, unit)]
    const sent = tried as readonly (readonly unknown[])[]
    return {
      ...editing,
      tried: sent.length === 0 ? editing.tried : { ...editing.tried, [unit]: sent.map((list) => mergedList(was, list, is)) },
      draft: withList(draft, unit, listMerged(was, mine, sent, is)),
      // Undo reverts what this form added or removed since it was opened.
      opened: withList(opened, unit, listMerged(was, listIn(opened, unit), [mine, ...sent], is)),
    }
  }
  if (isSame(base, now, unit, zone) || isSame(draft, now, unit, zone)) return editing
  // The journal's new value is one that this form sent.
  if (tried.some((sent) => sameValue(sent, valueOf(now, unit, zone)))) return editing
  if (tried.length === 0 && isSame(draft, base, unit, zone)) return { ...editing, draft: copyUnit(draft, unit, now), opened: copyUnit(opened, unit, now) }
  return editing.asked.includes(unit) ? editing : { ...editing, asked: [...editing.asked, unit] }
}

/** Merges these units with newly read fill pairs. */
const mergeJournal = (editing: Editing, pairs: readonly FillPairRecord[], units: readonly FieldGroup[]): Editing => {
  const now = journalDraft({ ...editing, pairs })
  const base = journalDraft(editing)
  return withoutSettled({ ...units.reduce((known, unit) => mergeUnit(known, unit, base, now), editing), pairs })
}

/** The form after the journal was read again while nothing was being sent. What is gone stays as last seen. */
export const withJournal = (editing: Editing, pairs: readonly FillPairRecord[]): Editing => (pairs.length === 0 ? editing : mergeJournal(editing, pairs, unitsOf(editing)))

/** The form after the answer to what was sent: the fill pairs as they are now, and the fields in conflict. */
export const confirmed = (editing: Editing, sent: Outgoing, saved: readonly FillPairRecord[], conflicts: readonly EditField[]): Editing => {
  const pairs = editing.pairs.map((pair) => saved.find(({ id }) => id === pair.id) ?? pair)
  const settled = sent.units.filter((unit) => !isListUnit(unit) && !fieldsOf(unit).some((field) => conflicts.includes(field)))
  const now = journalDraft({ ...editing, pairs })
  const others = mergeJournal(editing, pairs, unitsOf(editing).filter((unit) => !settled.includes(unit)))
  const done = settled.reduce<Editing>((known, unit) => {
    // The journal may write an entered value differently than it was typed.
    const asSent = isSame(known.draft, sent.draft, unit, known.zone) && !isSame(known.draft, now, unit, known.zone)
    return asSent ? { ...known, draft: copyUnit(known.draft, unit, now) } : known
  }, others)
  return withoutSettled({ ...done, tried: without(done.tried, [...sent.units, ...sent.probed]) })
}

/** The form after the user decided a conflict: `mine` overwrites the journal's value, `theirs` replaces the form's. */
export const decided = (editing: Editing, unit: FieldGroup, choice: 'mine' | 'theirs'): Editing => {
  const asked = editing.asked.filter((one) => one !== unit)
  const journal = journalDraft(editing)
  return choice === 'mine' ? { ...editing, asked } : { ...editing, asked, draft: copyUnit(editing.draft, unit, journal), opened: copyUnit(editing.opened, unit, journal), tried: without(editing.tried, [unit]) }
}

/** What the logbook's rows show of a form until the journal has it. */
export const shownEdits = (editing: Editing, edits: Outgoing['edits']): ReadonlyMap<string, Partial<FillPairRecord>> => {
  const read = factsRead(editing)
  const hasFacts = edits.some(({ updates }) => factUnits.some((unit) => unit in updates))
  const facts = hasFacts && read?.trade && read.preview !== null ? shownOf(read.trade, read.preview, editing.zone) : {}
  const ownFields = ownUnits.flatMap(fieldsOf)
  return new Map(edits.map(({ id, updates }) => [id, { ...facts, ...(pick(updates, ownFields.filter((field) => field in updates)) as Partial<FillPairRecord>) }]))
}
