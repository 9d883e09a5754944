// What `import … from 'electron'` gives in the main process under the stub. A name that is not here does not link.
export { app } from './app.ts'
export { webContents } from './contents.ts'
export { ipcMain } from './ipc.ts'
export { Menu, MenuItem } from './menu.ts'
export { session } from './session.ts'
export { clipboard, dialog, nativeImage, nativeTheme, Notification, powerMonitor, powerSaveBlocker, screen, shell, Tray } from './system.ts'
export { utilityProcess } from './utility.ts'
export { BrowserWindow } from './window.ts'
