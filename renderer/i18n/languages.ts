/** The product's languages by saved code; `tag` is for the document and Intl, `name` its own name. */
export const languages = [
  { code: 'en', tag: 'en', name: 'English', english: 'English' },
  { code: 'ml-IND', tag: 'ml-IN', name: 'മലയാളം', english: 'Malayalam' },
] as const

/** A language's saved code. */
export type LanguageCode = (typeof languages)[number]['code']

/** The language of a saved code; English if there is none or an unknown one. */
export const languageOf = (code: string | null): (typeof languages)[number] => languages.find((language) => language.code === code) ?? languages[0]
