import { needSentences } from '#renderer/i18n/i18n.ts'
import { lazy, type ComponentType } from 'react'

/** Fetches a part of the page from a file of its own, together with the sentences that it and its parts speak; fails where they cannot be had. */
export const fetchPart = async <Part>(sentences: readonly string[], load: () => Promise<Part>): Promise<Part> => {
  const [part] = await Promise.all([load(), needSentences(sentences)])
  return part
}

/** A part that is fetched when it is first shown. */
export const fetched = <Props extends object>(sentences: readonly string[], load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await fetchPart(sentences, load) }))
