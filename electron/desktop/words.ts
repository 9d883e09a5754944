import { createInstance } from 'i18next'
import english from './locales/en.json' with { type: 'json' }
import malayalam from './locales/ml-IND.json' with { type: 'json' }

/** The key path of each desktop text; plural forms share one key. */
export type WordKey = KeysOf<typeof english>

type KeysOf<T, Before extends string = ''> = { [K in keyof T & string]: T[K] extends string ? `${Before}${WithoutForm<K>}` : KeysOf<T[K], `${Before}${K}.`> }[keyof T & string]
type WithoutForm<K extends string> = K extends `${infer Stem}_${'one' | 'other'}` ? Stem : K

/** The desktop's texts in the current language. */
export type Words = {
  (key: WordKey, values?: Readonly<Record<string, string | number>>): string
  /** The current language as a BCP 47 tag. */
  readonly tag: () => string
  /** Changes the language; ignores an unknown code. */
  readonly speak: (code: string) => void
  /** Calls back after each language change; returns a function that unsubscribes. */
  readonly onChange: (listener: () => void) => () => void
}

// The codes are the page's.
const languages = [
  { code: 'en', tag: 'en', sentences: english },
  { code: 'ml-IND', tag: 'ml-IN', sentences: malayalam },
] as const

/** The first of the system's languages that the desktop supports, otherwise English. */
export const systemLanguage = (tags: readonly string[]): string => {
  const spoken = tags.map((tag) => languages.find((language) => language.tag.split('-')[0] === tag.split('-')[0]?.toLowerCase()))
  return spoken.find((language) => language !== undefined)?.code ?? languages[0].code
}

/** The texts in the language `code`; English for an unknown code or a missing text. */
export const createWords = (code: string): Words => {
  const known = (wanted: string) => languages.find((language) => language.code === wanted)
  let language: (typeof languages)[number] = known(code) ?? languages[0]
  const hearing = new Set<() => void>()
  const book = createInstance()
  // All texts are bundled: initialize synchronously, so that the next line can use them.
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
      for (const listener of hearing) listener()
    },
    onChange: (listener: () => void) => {
      hearing.add(listener)
      return () => void hearing.delete(listener)
    },
  })
}
