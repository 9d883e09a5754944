import { needSentences } from '#renderer/i18n/i18n.ts'
import { lazy, type ComponentType } from 'react'

/** Loads a part of the page from its own file, together with its locale namespaces; rejects if any of them fails to load. */
export const fetchPart = async <Part>(sentences: readonly string[], load: () => Promise<Part>): Promise<Part> => {
  const [part] = await Promise.all([load(), needSentences(sentences)])
  return part
}

/** A component that loads when first shown. */
export const fetched = <Props extends object>(sentences: readonly string[], load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await fetchPart(sentences, load) }))
