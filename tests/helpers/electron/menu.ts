import { EventEmitter } from 'node:events'
import type Electron from 'electron'
import { app } from './app.ts'
import { failLoudly, trueTo, type Drift } from './strict.ts'
import { BrowserWindow } from './window.ts'

type Template = Electron.MenuItemConstructorOptions
type Click = (item: MenuItem, window: BrowserWindow | undefined, event: object) => void

// What a role does here; the others are the screen's own.
const roles: Record<string, () => void> = {
  quit: () => { app.quit() },
  close: () => { BrowserWindow.getFocusedWindow()?.close() },
  reload: () => { BrowserWindow.getFocusedWindow()?.reload() },
}
const knownRoles = new Set([...Object.keys(roles), 'undo', 'redo', 'cut', 'copy', 'paste', 'pasteAndMatchStyle', 'delete', 'selectAll', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen', 'toggleDevTools', 'minimize', 'zoom', 'front', 'help', 'about', 'windowMenu', 'services', 'hide', 'hideOthers', 'unhide', 'editMenu', 'viewMenu', 'fileMenu', 'appMenu', 'forceReload'])

/** One entry of a menu. */
export class MenuItem {
  readonly id: string
  readonly label: string
  readonly sublabel: string
  readonly role: Template['role']
  readonly type: 'normal' | 'separator' | 'submenu' | 'checkbox' | 'radio'
  readonly accelerator: string | null
  readonly submenu?: Menu
  enabled: boolean
  visible: boolean
  checked: boolean
  readonly click: (...given: unknown[]) => void
  constructor({ id = '', label = '', sublabel = '', role, type, accelerator, submenu, enabled = true, visible = true, checked = false, click }: Template) {
    if (role !== undefined && !knownRoles.has(role)) throw new Error(`The stub of Electron lacks the role ${role}`)
    const inside = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : (submenu as Menu | undefined)
    this.id = id
    this.label = label
    this.sublabel = sublabel
    this.role = role
    this.type = type === 'separator' || type === 'checkbox' || type === 'radio' ? type : inside === undefined ? 'normal' : 'submenu'
    this.accelerator = typeof accelerator === 'string' ? accelerator : null
    if (inside !== undefined) this.submenu = inside
    this.enabled = enabled
    this.visible = visible
    this.checked = checked
    this.click = (event = {}) => {
      if (!this.enabled) return
      if (click) (click as unknown as Click)(this, BrowserWindow.getFocusedWindow() ?? undefined, event as object)
      else roles[role ?? '']?.()
    }
  }
}

let applicationMenu: Menu | null = null

/** An invisible menu with entries that can be clicked. */
export class Menu extends EventEmitter {
  items: MenuItem[] = []
  static buildFromTemplate(template: readonly (Template | MenuItem)[]): Menu {
    const menu = new Menu()
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item))
    return menu
  }
  static setApplicationMenu(menu: Menu | null): void { applicationMenu = menu }
  static getApplicationMenu(): Menu | null { return applicationMenu }
  append(item: MenuItem): void { this.items.push(item) }
  getMenuItemById(id: string): MenuItem | null { return this.items.find((item) => item.id === id) ?? this.items.map(({ submenu }) => submenu?.getMenuItemById(id)).find((found) => found !== undefined && found !== null) ?? null }
  popup(): void { this.emit('menu-will-show') }
  closePopup(): void { this.emit('menu-will-close') }
}
failLoudly(Menu)
trueTo<Drift<Omit<Menu, 'items'>, Electron.Menu>>()
