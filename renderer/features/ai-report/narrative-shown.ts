import type { EarlierText, Narrative, Passage, Report } from '#shared/api/reports.ts'

/** The checked text to show for a narrative: its own, or the previous one as long as it has none; null if there is neither. */
export const textShown = ({ passages, model, startedAt, endedAt, proved, unproved, before }: Narrative): (EarlierText & { readonly isEarlier: boolean }) | null => {
  if (passages.length > 0) return { model, writtenAt: endedAt ?? startedAt, passages, proved, unproved, isEarlier: false }
  return before === null ? null : { ...before, isEarlier: true }
}

/** The first account pseudonym in a text; null if it has none. */
export const pseudonymIn = (passages: readonly Passage[], names: Report['names']): string | null => {
  const text = passages.map(({ segments }) => segments.map((one) => ('text' in one ? one.text : '')).join('')).join('\n').toLowerCase()
  return names.find(({ pseudonym }) => new RegExp(String.raw`(?<![\p{L}\p{N}_])${pseudonym.toLowerCase()}(?![\p{L}\p{N}_])`, 'u').test(text))?.pseudonym ?? null
}

/** Whether all of a text is the model's own and nothing of it proved, for example if the model does not answer in the requested format. */
export const isFree = (passages: readonly Passage[]): boolean => passages.length > 0 && passages.every(({ segments }) => segments.every((one) => 'text' in one && one.check === 'unproved'))
