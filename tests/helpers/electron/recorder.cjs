// Required into the main process of both worlds before the program: it writes down what only a person at the screen
// would see, one line of JSON each, and answers for that person. No dialog, browser or folder is really opened.
const { appendFileSync } = require('node:fs')
const electron = require('electron')

const file = process.env['DESKTOP_RECORDS']
const record = (what, told) => { if (file) appendFileSync(file, `${JSON.stringify({ what, ...told })}\n`) }

/** What tests look at and poke by evaluating in the main process. */
const recorded = { trays: [], notices: [], handlers: new Map(), dialogs: [] }
globalThis.recorded = recorded

const asTold = (menu) => menu.items.filter(({ visible }) => visible).map(({ label, type, enabled, checked, submenu }) => ({ label, type, enabled, checked, ...(submenu ? { submenu: asTold(submenu) } : {}) }))
const wrap = (holder, name, around) => {
  const original = holder[name]
  holder[name] = function (...args) { return around.call(this, (...given) => original.apply(this, given), ...args) }
}

wrap(electron.Tray.prototype, 'setContextMenu', function (original, menu) {
  if (!recorded.trays.includes(this)) recorded.trays.push(this)
  this.recordedMenu = menu
  record('tray-menu', { items: asTold(menu) })
  return original(menu)
})
wrap(electron.Tray.prototype, 'setToolTip', function (original, text) {
  record('tray-tip', { text })
  return original(text)
})
wrap(electron.Notification.prototype, 'show', function (original) {
  recorded.notices.push(this)
  record('notice', { title: this.title, body: this.body })
  return original()
})
wrap(electron.Menu.prototype, 'popup', function (_original) {
  record('menu-popup', { items: asTold(this) })
})
wrap(electron.ipcMain, 'handle', function (original, channel, handler) {
  recorded.handlers.set(channel, handler)
  return original(channel, handler)
})
wrap(electron.shell, 'openExternal', (_original, url) => {
  record('open-external', { url })
  return Promise.resolve()
})
wrap(electron.shell, 'openPath', (_original, path) => {
  record('open-path', { path })
  return Promise.resolve('')
})
wrap(electron.powerSaveBlocker, 'start', (original, type) => {
  const id = original(type)
  record('keep-awake', { id, type })
  return id
})
wrap(electron.powerSaveBlocker, 'stop', (original, id) => {
  record('let-sleep', { id })
  return original(id)
})
wrap(electron.app, 'relaunch', (_original, options) => {
  record('relaunch', { options })
})

// The answers that a test gave beforehand; without one, a dialog stands until it is answered.
const given = JSON.parse(process.env['DESKTOP_ANSWERS'] ?? '{}')
const optionsOf = (args) => args.find((one) => one && one.constructor === Object) ?? {}
const ask = (kind) => (_original, ...args) => {
  const { message, detail, buttons, defaultPath, title } = optionsOf(args)
  record('dialog', { kind, message, detail, buttons, defaultPath, title })
  const answers = given[kind]
  if (answers?.length) return Promise.resolve(answers.shift())
  return new Promise((resolve) => recorded.dialogs.push({ kind, resolve }))
}
for (const kind of ['showMessageBox', 'showSaveDialog', 'showOpenDialog']) wrap(electron.dialog, kind, ask(kind))
wrap(electron.dialog, 'showErrorBox', (_original, title, content) => { record('dialog', { kind: 'showErrorBox', message: title, detail: content }) })
