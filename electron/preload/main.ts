import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import { channels, originArgument } from '#shared/bridge/channels.ts'
import type { DesktopBridge } from '#shared/bridge/desktop-bridge.ts'

// Each function passes only the bridge's arguments: anything else that a page gives never leaves this file.
const bridge: DesktopBridge = {
  theme: {
    current: () => ipcRenderer.invoke(channels.themeCurrent),
    set: (mode) => ipcRenderer.invoke(channels.themeSet, mode),
    onChange: (listener) => {
      // Passing the event itself would give the page a way to send.
      const receive = (_event: IpcRendererEvent, shown: 'dark' | 'light'): void => listener(shown)
      ipcRenderer.on(channels.themeChanged, receive)
      return () => void ipcRenderer.removeListener(channels.themeChanged, receive)
    },
  },
  shell: {
    settings: () => ipcRenderer.invoke(channels.shellSettings),
    change: (changes) => ipcRenderer.invoke(channels.shellChange, changes),
    speak: (language) => ipcRenderer.invoke(channels.shellSpeak, language),
    openDiagnostics: () => ipcRenderer.invoke(channels.shellOpenDiagnostics),
    restart: () => ipcRenderer.invoke(channels.shellRestart),
  },
}

const own = process.argv.find((word) => word.startsWith(originArgument))?.slice(originArgument.length)

// The brokerage's page opens in the same window and gets nothing.
if (own !== undefined && location.origin === own) contextBridge.exposeInMainWorld('fillbookDesktop', bridge)
