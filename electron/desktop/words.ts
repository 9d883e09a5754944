import { createInstance } from 'i18next'
import english from './locales/en.json' with { type: 'json' }
import malayalam from './locales/ml-IND.json' with { type: 'json' }

/** Every sentence of the desktop, as the path of its key; the forms of a plural have one key. */
export type WordKey = KeysOf<typeof english>

type KeysOf<T, Before extends string = ''> = { [K in keyof T & string]: T[K] extends string ? `${Before}${WithoutForm<K>}` : KeysOf<T[K], `${Before}${K}.`> }[keyof T & string]
type WithoutForm<K extends string> = K extends `${infer Stem}_${'one' | 'other'}` ? Stem : K

/** The desktop's sentences in the language of now. */
export type Words = {
  (key: WordKey, values?: Readonly<Record<string, string | number>>): string
  /** The language of now as Intl knows it. */
  readonly tag: () => string
  /** Changes the language; an unknown code changes nothing. */
  readonly speak: (code: string) => void
  /** Calls back after each change of the language, for what shows words already; gives back the function that ends it. */
  readonly onChange: (hear: () => void) => () => void
}

// The codes are those that the page saves.
const languages = [
  { code: 'en', tag: 'en', sentences: english },
  { code: 'ml-IND', tag: 'ml-IN', sentences: malayalam },
] as const

/** The code of the first of the system's languages that the desktop speaks; English where it speaks none. */
export const systemLanguage = (tags: readonly string[]): string => {
  const spoken = tags.map((tag) => languages.find((language) => language.tag.split('-')[0] === tag.split('-')[0]?.toLowerCase()))
  return spoken.find((language) => language !== undefined)?.code ?? languages[0].code
}

/** The sentences in the language of `code`; English where it is unknown, and for a sentence that a language lacks. */
export const createWords = (code: string): Words => {
  const known = (wanted: string) => languages.find((language) => language.code === wanted)
  let language: (typeof languages)[number] = known(code) ?? languages[0]
  const hearing = new Set<() => void>()
  const book = createInstance()
  // Everything is at hand: without waiting, the first sentence may be asked for on the next line.
  void book.init({
    initAsync: false,
    lng: language.code,
    fallbackLng: languages[0].code,
    resources: Object.fromEntries(languages.map((one) => [one.code, { translation: one.sentences }])),
    interpolation: { escapeValue: false },
  })
  const say = (key: WordKey, values: Readonly<Record<string, string | number>> = {}): string => book.t(key, { ...values, lng: language.code })
  return Object.assign(say, {
    tag: () => language.tag,
    speak: (wanted: string) => {
      const next = known(wanted)
      if (next === undefined || next === language) return
      language = next
      for (const hear of hearing) hear()
    },
    onChange: (hear: () => void) => {
      hearing.add(hear)
      return () => void hearing.delete(hear)
    },
  })
}
