import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import type { Words } from './words.ts'

type Item = MenuItemConstructorOptions

/** The parts of Electron's context menu parameters that the menu needs. */
export type PointedAt = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'misspelledWord' | 'dictionarySuggestions' | 'editFlags'>

/** Actions on a misspelled word. */
export type SpellingActions = { readonly replace: (word: string) => void; readonly learn: (word: string) => void }

const mostSuggestions = 5

/** The context menu of a text field or of selected text; empty anywhere else. */
export const contextMenu = ({ isEditable, selectionText, misspelledWord, dictionarySuggestions, editFlags }: PointedAt, words: Words, { replace, learn }: SpellingActions): Item[] => {
  const copy: Item = { role: 'copy', label: words('menu.copy'), enabled: editFlags.canCopy }
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy]
  const suggestions: Item[] = dictionarySuggestions.slice(0, mostSuggestions).map((word) => ({ label: word, click: () => replace(word) }))
  const spelling: Item[] =
    misspelledWord === ''
      ? []
      : [...(suggestions.length > 0 ? suggestions : [{ label: words('context.noSuggestion'), enabled: false }]), { label: words('context.addToDictionary'), click: () => learn(misspelledWord) }, { type: 'separator' }]
  return [
    ...spelling,
    { role: 'cut', label: words('menu.cut'), enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: words('menu.paste'), enabled: editFlags.canPaste },
    { role: 'selectAll', label: words('menu.selectAll'), enabled: editFlags.canSelectAll },
  ]
}
