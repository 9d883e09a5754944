import { readFileSync } from 'node:fs'

/** A file of sentences as it lies in the page. */
type Sentences = { readonly [key: string]: string | Sentences }

const folder = new URL('../../renderer/i18n/locales/en/', import.meta.url)
const read = new Map<string, Sentences>()

const sentencesIn = (file: string): Sentences => {
  const known = read.get(file)
  if (known !== undefined) return known
  const sentences = JSON.parse(readFileSync(new URL(`${file}.json`, folder), 'utf8')) as Sentences
  read.set(file, sentences)
  return sentences
}

/** The English sentence that a screen shows under a key, as `words('sync', 'trouble.unreachable')`, with its places filled in; throws where there is none. */
export const words = (file: string, key: string, places: Readonly<Record<string, string>> = {}): string => {
  const found = key.split('.').reduce<string | Sentences | undefined>((at, part) => (typeof at === 'object' ? at[part] : undefined), sentencesIn(file))
  if (typeof found !== 'string') throw new Error(`No sentence ${file}:${key}`)
  return found.replaceAll(/\{\{(\w+)\}\}/g, (whole, place: string) => places[place] ?? whole)
}
