import type { Passage, Report } from '#shared/api/reports.ts'
import { escapePattern } from '#shared/base/escape-pattern.ts'

/** Replaces the pseudonyms that the model sees, `Account A`, by the accounts' names; `Account AB` and `Account Ax` are not `Account A`. */
export const namesShown = (names: Report['names']): ((text: string) => string) => {
  if (names.length === 0) return (text) => text
  const known = new Map(names.map(({ pseudonym, name }) => [pseudonym.toLowerCase(), name]))
  const longestFirst = names.map(({ pseudonym }) => pseudonym).toSorted((one, other) => other.length - one.length)
  const any = new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${longestFirst.map(escapePattern).join('|')})(?![\p{L}\p{N}_])`, 'giu')
  // A function, because a name may contain replacement patterns.
  return (text) => text.replace(any, (found) => known.get(found.toLowerCase()) ?? found)
}

/** Passages that show together: consecutive items form one list. */
export type Block = { readonly kind: 'heading' | 'paragraph'; readonly passage: Passage } | { readonly kind: 'list'; readonly passages: readonly Passage[] }

/** The passages of a narrative as blocks, in order. */
export const blocksOf = (passages: readonly Passage[]): Block[] => {
  const blocks: Block[] = []
  for (const passage of passages) {
    const last = blocks.at(-1)
    if (passage.kind !== 'item') blocks.push({ kind: passage.kind, passage })
    else if (last?.kind === 'list') blocks.splice(-1, 1, { kind: 'list', passages: [...last.passages, passage] })
    else blocks.push({ kind: 'list', passages: [passage] })
  }
  return blocks
}
