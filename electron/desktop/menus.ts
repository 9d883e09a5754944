import { app, Menu, type ContextMenuParams, type MenuItemConstructorOptions, type WebContents } from 'electron'
import type { Words } from './words.ts'

type Item = MenuItemConstructorOptions

/** Actions of the menu entries that have no Electron role. */
type MenuActions = {
  /** Navigates the window to a route below the page's `/#`. */
  readonly goTo: (route: string) => void
  readonly back: () => void
  readonly forward: () => void
  readonly syncTrades: () => void
  readonly openDiagnostics: () => void
  readonly openLogs: () => void
}

/** Shows the program's menu and rebuilds it when the language changes. */
export const showMenu = (words: Words, actions: MenuActions): void => {
  const show = (): void => Menu.setApplicationMenu(Menu.buildFromTemplate(appMenu({ platform: process.platform, packaged: app.isPackaged, words, actions })))
  show()
  words.onChange(show)
}

const importRoute = '/dashboard/Import'
const settingsRoute = '/dashboard/Settings'
const overviewRoute = '/dashboard'
const logbookRoute = '/dashboard/TradeLogbook'
const separator: Item = { type: 'separator' }

/** The program's menu. On macOS, copy and paste work only with this menu. */
export const appMenu = ({ platform, packaged, words, actions }: { readonly platform: NodeJS.Platform; readonly packaged: boolean; readonly words: Words; readonly actions: MenuActions }): Item[] => {
  const { goTo } = actions
  const mac = platform === 'darwin'
  const role = (name: NonNullable<Item['role']>, label: string): Item => ({ role: name, label })
  const entry = (label: string, click: () => void, accelerator?: string): Item => ({ label, click: () => click(), ...(accelerator === undefined ? {} : { accelerator }) })
  const settings = entry(words('menu.settings'), () => goTo(settingsRoute), 'CmdOrCtrl+,')
  const quit: Item = { role: 'quit', label: words('menu.quit'), accelerator: 'CmdOrCtrl+Q' }
  const program: Item = {
    label: words('menu.program'),
    submenu: [
      role('about', words('menu.about')), separator, settings, separator, role('services', words('menu.services')), separator,
      role('hide', words('menu.hide')), role('hideOthers', words('menu.hideOthers')), role('unhide', words('menu.showAll')), separator, quit,
    ],
  }
  const file: Item = {
    label: words('menu.file'),
    submenu: [
      entry(words('menu.importFiles'), () => goTo(importRoute), 'CmdOrCtrl+O'),
      entry(words('menu.syncTrades'), actions.syncTrades, 'CmdOrCtrl+Shift+S'),
      separator,
      entry(words('menu.diagnostics'), actions.openDiagnostics),
      separator,
      ...(mac ? [] : [settings]),
      role('close', words('menu.closeWindow')),
      ...(mac ? [] : [quit]),
    ],
  }
  const edit: Item = {
    label: words('menu.edit'),
    submenu: [
      role('undo', words('menu.undo')), role('redo', words('menu.redo')), separator,
      role('cut', words('menu.cut')), role('copy', words('menu.copy')), role('paste', words('menu.paste')), role('pasteAndMatchStyle', words('menu.pastePlain')),
      role('delete', words('menu.delete')), separator, role('selectAll', words('menu.selectAll')),
    ],
  }
  const view: Item = {
    label: words('menu.view'),
    submenu: [
      role('reload', words('menu.reload')), separator,
      role('resetZoom', words('menu.actualSize')), role('zoomIn', words('menu.zoomIn')), role('zoomOut', words('menu.zoomOut')), separator,
      role('togglefullscreen', words('menu.fullScreen')),
      ...(packaged ? [] : [separator, role('toggleDevTools', words('menu.developer'))]),
    ],
  }
  const go: Item = {
    label: words('menu.go'),
    submenu: [
      entry(words('menu.back'), actions.back, mac ? 'Cmd+[' : 'Alt+Left'),
      entry(words('menu.forward'), actions.forward, mac ? 'Cmd+]' : 'Alt+Right'),
      separator,
      entry(words('menu.overview'), () => goTo(overviewRoute)),
      entry(words('menu.logbook'), () => goTo(logbookRoute)),
    ],
  }
  const window: Item = { label: words('menu.window'), role: 'windowMenu', submenu: [role('minimize', words('menu.minimize')), role('zoom', words('menu.zoom')), separator, role('front', words('menu.allToFront'))] }
  const help: Item = { label: words('menu.help'), role: 'help', submenu: [entry(words('menu.openLogs'), actions.openLogs), ...(mac ? [] : [role('about', words('menu.about'))])] }
  return [...(mac ? [program] : []), file, edit, view, go, ...(mac ? [window] : []), help]
}

/** Shows the context menu of text fields and selected text on a page. */
export const offerContextMenu = (contents: WebContents, words: Words): void => {
  contents.on('context-menu', (_event, pointedAt) => {
    const items = contextMenu(pointedAt, words, {
      replace: (word) => contents.replaceMisspelling(word),
      learn: (word) => void contents.session.addWordToSpellCheckerDictionary(word),
    })
    if (items.length > 0) Menu.buildFromTemplate(items).popup()
  })
}

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
