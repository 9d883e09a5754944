import { tagProblem } from '#renderer/lib/tags.ts'
import type { Trade } from '#shared/api/records.ts'

type Tagged = Pick<Trade, 'id' | 'tags'>

/** All tags that these trades have, each once, in the order of the alphabet. */
export const tagsOfAll = (trades: Iterable<Tagged>): string[] => [...new Set([...trades].flatMap(({ tags }) => tags))].sort((one, other) => one.localeCompare(other))

/** Those trades with their new tags that a tag is added to: not of those that have it, nor of those that can take no more. */
export const withTag = <T extends Tagged>(trades: Iterable<T>, tag: string): T[] =>
  [...trades].filter(({ tags }) => !tags.includes(tag)).map((trade) => ({ ...trade, tags: [...trade.tags, tag] })).filter(({ tags }) => tagProblem(tags) === null)

/** Those trades with their new tags that a tag is taken from. */
export const withoutTag = <T extends Tagged>(trades: Iterable<T>, tag: string): T[] => [...trades].filter(({ tags }) => tags.includes(tag)).map((trade) => ({ ...trade, tags: trade.tags.filter((one) => one !== tag) }))
