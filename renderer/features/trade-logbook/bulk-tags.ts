import { tagProblem } from '#renderer/lib/tags.ts'
import type { Trade } from '#shared/api/records.ts'

type Tagged = Pick<Trade, 'id' | 'tags'>

/** All tags that these trades have, each once, in the order of the alphabet. */
export const tagsOfAll = (trades: Iterable<Tagged>): string[] => [...new Set([...trades].flatMap(({ tags }) => tags))].sort((one, other) => one.localeCompare(other))

/** The new tags of those trades that a tag is added to: not of those that have it, nor of those that can take no more. */
export const withTag = (trades: Iterable<Tagged>, tag: string): Tagged[] =>
  [...trades].filter(({ tags }) => !tags.includes(tag)).map(({ id, tags }) => ({ id, tags: [...tags, tag] })).filter(({ tags }) => tagProblem(tags) === null)

/** The new tags of those trades that a tag is taken from. */
export const withoutTag = (trades: Iterable<Tagged>, tag: string): Tagged[] => [...trades].filter(({ tags }) => tags.includes(tag)).map(({ id, tags }) => ({ id, tags: tags.filter((one) => one !== tag) }))
