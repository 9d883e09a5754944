import { tagProblem, tagsOf, type TagDraft, type TagProblem } from '#renderer/lib/tags.ts'
import { typedNumber } from '#shared/money/typed-number.ts'
import type { FillPairRecord, TradeUpdates } from '#shared/api/records.ts'

/** The two places for a picture on every trade; the field holds the picture's name, or nothing. */
export const picturePlaces = ['screenshot', 'screenshot2'] as const
export type PicturePlace = (typeof picturePlaces)[number]

/** A trade's pictures, and their captions. */
export type PictureFields = Pick<FillPairRecord, PicturePlace | `${PicturePlace}Headline`>

/** The user's own fields of a trade as a form holds them. */
export type UserDraft = PictureFields & Pick<FillPairRecord, 'drawings'> & { readonly notes: string; readonly tags: TagDraft; readonly stop: string }

/** The user's own fields, parsed. */
export type UserFields = PictureFields & Pick<FillPairRecord, 'notes' | 'tags' | 'stop' | 'drawings'>

/** What is wrong with a field; the screen owns the words. */
export type UserProblem = 'not-a-number' | TagProblem

// Records of older programs have none.
const drawingsOf = ({ drawings }: Pick<FillPairRecord, 'drawings'>): Pick<FillPairRecord, 'drawings'> => (drawings === undefined ? {} : { drawings })

const picturesOf = ({ screenshot, screenshotHeadline, screenshot2, screenshot2Headline }: PictureFields): PictureFields => ({ screenshot, screenshotHeadline, screenshot2, screenshot2Headline })

/** The form of a trade's own fields. */
export const userDraftOf = (trade: UserFields): UserDraft => ({
  notes: trade.notes,
  tags: { tags: trade.tags, typed: '' },
  stop: trade.stop ?? '',
  ...picturesOf(trade),
  ...drawingsOf(trade),
})

/** The form of a trade without notes. */
export const emptyUserDraft: UserDraft = { notes: '', tags: { tags: [], typed: '' }, stop: '', screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '' }

/** What is wrong with the form, by field. */
export const userProblems = (draft: UserDraft): Partial<Record<keyof UserDraft, UserProblem>> => {
  const stop = typedNumber(draft.stop)
  const wrong = tagProblem(tagsOf(draft.tags))
  return { ...(wrong === null ? {} : { tags: wrong }), ...(stop === '' || /^-?\d{1,15}(\.\d{1,10})?$/.test(stop) ? {} : { stop: 'not-a-number' }) }
}

/** Parses the form; `fields` is null if something is wrong. */
export const readUserDraft = (draft: UserDraft): { readonly fields: UserFields | null; readonly problems: Partial<Record<keyof UserDraft, UserProblem>> } => {
  const tags = tagsOf(draft.tags)
  const stop = typedNumber(draft.stop)
  const problems = userProblems(draft)
  if (Object.keys(problems).length > 0) return { fields: null, problems }
  return { fields: { notes: draft.notes, tags, stop: stop === '' ? null : stop, ...picturesOf(draft), ...drawingsOf(draft) }, problems }
}

/** Whether a stop lies on the profit side of the entry, or at it. */
export const isStopBeyond = (stop: string | null, { side, entryPrice }: Pick<FillPairRecord, 'side' | 'entryPrice'>): boolean =>
  stop !== null && (side === 'long' ? Number(stop) >= entryPrice : Number(stop) <= entryPrice)

/** The fields that differ from the fill pair's. */
export const changedFields = <T extends TradeUpdates>(pair: FillPairRecord, fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(pair[name as keyof FillPairRecord]))) as Partial<T>
