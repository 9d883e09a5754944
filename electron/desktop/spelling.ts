import { app, type Session } from 'electron'
import { dictionariesFor } from './dictionaries.ts'
import type { Words } from './words.ts'

/** Checks spelling in the language of the words, from now on. macOS tells the language of a text by itself. */
export const startSpelling = (session: Session, words: Words): void => {
  if (process.platform === 'darwin') return
  const choose = (): void => session.setSpellCheckerLanguages(dictionariesFor(words.tag(), app.getPreferredSystemLanguages(), session.availableSpellCheckerLanguages))
  choose()
  words.onChange(choose)
}
