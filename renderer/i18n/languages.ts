/** The languages of the product by the code that is saved; `tag` is the one that the document and Intl understand, `name` its own name. */
export const languages = [
  { code: 'en', tag: 'en', name: 'English', english: 'English' },
  { code: 'ml-IND', tag: 'ml-IN', name: 'മലയാളം', english: 'Malayalam' },
] as const

/** A language's saved code. */
export type LanguageCode = (typeof languages)[number]['code']

/** The language of a saved code; English where none or an unknown one is saved. */
export const languageOf = (code: string | null): (typeof languages)[number] => languages.find((language) => language.code === code) ?? languages[0]
