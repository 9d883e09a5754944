import type { Drawing } from '#shared/api/drawings.ts'
import type { FillPairRecord } from '#shared/api/records.ts'
import { mergedList, sameValue } from '#shared/notes/merge-edit.ts'
import { changedFields, picturePlaces, type PicturePlace, type UserFields } from './user-fields.ts'

/** The user's own fields of a trade, gathered from its pairs, and which of theirs it does not show. */
export type TradeAnnotations = {
  readonly fields: UserFields
  /** How many pairs have notes or pictures beside those that the trade shows. */
  readonly others: number
  /** Whether pairs have different stops; the trade then shows none. */
  readonly mixedStops: boolean
}

/** The pair whose field the trade shows and changes: the first that has something in it, else the first. */
const holderOf = (pairs: readonly FillPairRecord[], field: 'notes' | PicturePlace): FillPairRecord | undefined => pairs.find((pair) => pair[field].trim() !== '') ?? pairs[0]

const has = (drawings: readonly Drawing[] | undefined, drawing: Drawing): boolean => drawings?.some((one) => sameValue(one, drawing)) === true

// Two pairs may hold the same drawing after fills were matched again.
const drawnOn = (pairs: readonly FillPairRecord[]): Drawing[] => pairs.reduce<Drawing[]>((all, { drawings = [] }) => [...mergedList([], drawings, all)], [])

/** Gathers what is noted on the pairs of a trade, oldest exit first: the tags and drawings of all, the stop that all have, and the first notes and pictures. */
export const tradeAnnotationsOf = (pairs: readonly FillPairRecord[]): TradeAnnotations => {
  const holders = { notes: holderOf(pairs, 'notes'), screenshot: holderOf(pairs, 'screenshot'), screenshot2: holderOf(pairs, 'screenshot2') }
  const drawings = drawnOn(pairs)
  const mixedStops = new Set(pairs.map(({ stop }) => stop)).size > 1
  return {
    fields: {
      notes: holders.notes?.notes ?? '',
      tags: [...new Set(pairs.flatMap(({ tags }) => tags))],
      stop: mixedStops ? null : (pairs[0]?.stop ?? null),
      screenshot: holders.screenshot?.screenshot ?? '',
      screenshotHeadline: holders.screenshot?.screenshotHeadline ?? '',
      screenshot2: holders.screenshot2?.screenshot2 ?? '',
      screenshot2Headline: holders.screenshot2?.screenshot2Headline ?? '',
      ...(drawings.length === 0 ? {} : { drawings }),
    },
    others: pairs.filter((pair) => (['notes', ...picturePlaces] as const).some((field) => pair[field].trim() !== '' && pair !== holders[field])).length,
    mixedStops,
  }
}

/** The updates of pairs that give a trade these `fields`: tags and stop on every pair; notes, pictures and drawings on the pairs that have them; new drawings on the first. */
export const pairUpdates = (pairs: readonly FillPairRecord[], fields: UserFields): readonly { readonly pair: FillPairRecord; readonly updates: Partial<UserFields> }[] => {
  const before = tradeAnnotationsOf(pairs).fields
  const [added, gone] = [fields.tags.filter((tag) => !before.tags.includes(tag)), before.tags.filter((tag) => !fields.tags.includes(tag))]
  const { drawings = [] } = fields
  const drawn = drawings.filter((one) => !has(before.drawings, one))
  return pairs.flatMap((pair, place) => {
    const kept = (pair.drawings ?? []).filter((one) => has(drawings, one))
    const now = place === 0 ? [...kept, ...drawn] : kept
    const tags = [...pair.tags.filter((tag) => !gone.includes(tag)), ...added]
    const wanted: Partial<UserFields> = {
      ...(added.length + gone.length === 0 ? {} : { tags }),
      ...(fields.stop === before.stop ? {} : { stop: fields.stop }),
      ...(sameValue(now, pair.drawings ?? []) ? {} : { drawings: now }),
      ...(fields.notes !== before.notes && pair === holderOf(pairs, 'notes') ? { notes: fields.notes } : {}),
      ...Object.assign({}, ...picturePlaces.filter((place) => pair === holderOf(pairs, place)).map((place) => pictureOf(fields, before, place))) as Partial<UserFields>,
    }
    const updates = changedFields(pair, wanted)
    return Object.keys(updates).length === 0 ? [] : [{ pair, updates }]
  })
}

const pictureOf = (fields: UserFields, before: UserFields, place: PicturePlace): Partial<UserFields> => {
  const names = [place, `${place}Headline`] as const
  return names.some((name) => fields[name] !== before[name]) ? Object.fromEntries(names.map((name) => [name, fields[name]])) : {}
}
