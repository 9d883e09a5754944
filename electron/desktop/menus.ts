import { app, Menu, type WebContents } from 'electron'
import { appMenu, type MenuActions } from './app-menu.ts'
import { contextMenu } from './context-menu.ts'
import type { Words } from './words.ts'

/** Shows the program's menu and rebuilds it when the language changes. */
export const showMenu = (words: Words, actions: MenuActions): void => {
  const show = (): void => Menu.setApplicationMenu(Menu.buildFromTemplate(appMenu({ platform: process.platform, packaged: app.isPackaged, words, actions })))
  show()
  words.onChange(show)
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
