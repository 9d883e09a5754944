// The preload of a window that a test makes: it lets its page say anything to the main process, as a page that broke out of its world would.
const { contextBridge, ipcRenderer } = require('electron')

contextBridge.exposeInMainWorld('raw', {
  invoke: (channel, ...args) => ipcRenderer.invoke(channel, ...args).then((value) => ['answered', value], (error) => ['refused', error.message]),
  sendSync: (channel, ...args) => {
    try {
      return ['answered', JSON.stringify(ipcRenderer.sendSync(channel, ...args) ?? null)]
    } catch (error) {
      return ['refused', String(error)]
    }
  },
})
