import { app, type Session } from 'electron'
import { dictionariesFor } from './dictionaries.ts'
import type { Words } from './words.ts'

/** Sets the spelling languages to the desktop's language, now and after each change. macOS detects the language itself. */
export const startSpelling = (session: Session, words: Words): void => {
  if (process.platform === 'darwin') return
  const choose = (): void => session.setSpellCheckerLanguages(dictionariesFor(words.tag(), app.getPreferredSystemLanguages(), session.availableSpellCheckerLanguages))
  choose()
  words.onChange(choose)
}
