import type { EarlierText, Narrative, Passage, Report } from '#shared/api/reports.ts'

/** The checked text of a narrative that is to be read: its own, or the one before it for as long as it has none; null where neither is. */
export const textShown = ({ passages, model, startedAt, endedAt, proved, unproved, before }: Narrative): (EarlierText & { readonly isEarlier: boolean }) | null => {
  if (passages.length > 0) return { model, writtenAt: endedAt ?? startedAt, passages, proved, unproved, isEarlier: false }
  return before === null ? null : { ...before, isEarlier: true }
}

/** The first made-up name of an account that a text says; null where it says none. */
export const pseudonymIn = (passages: readonly Passage[], names: Report['names']): string | null => {
  const text = passages.map(({ segments }) => segments.map((one) => ('text' in one ? one.text : '')).join('')).join('\n').toLowerCase()
  return names.find(({ pseudonym }) => new RegExp(String.raw`(?<![\p{L}\p{N}_])${pseudonym.toLowerCase()}(?![\p{L}\p{N}_])`, 'u').test(text))?.pseudonym ?? null
}

/** Whether all of a text is the model's own and nothing of it proved, as of a model that does not answer in the form that was asked for. */
export const isFree = (passages: readonly Passage[]): boolean => passages.length > 0 && passages.every(({ segments }) => segments.every((one) => 'text' in one && one.check === 'unproved'))
