import { createRequire, registerHooks } from 'node:module'
import type * as Stub from './electron.ts'
import { isMainThread } from 'node:worker_threads'

// Threads of the program inherit this file from its command line; they know nothing of Electron.
if (isMainThread) {
  const stub = new URL('./electron.ts', import.meta.url).href
  registerHooks({
    resolve: (specifier, context, next) => (specifier === 'electron' || specifier === 'electron/main' || specifier === 'electron/common' ? { url: stub, format: 'module-typescript', shortCircuit: true } : next(specifier, context)),
  })
  Object.assign(process.versions, { electron: '45.4.1', chrome: '156.0.0.0' })
  Object.assign(process, { type: 'browser', defaultApp: true, resourcesPath: '', getSystemVersion: () => '0', _linkedBinding: () => ({ getHiddenValue: () => undefined, setHiddenValue: () => undefined, isDesktopCapturerEnabled: () => false, isViewApiEnabled: () => false }) })
  const require = createRequire(import.meta.url)
  const electron = require('electron') as typeof Stub
  require('./recorder.cjs')
  const { becomeReady } = await import('./app.ts')
  const { answerTests } = await import('./agent.ts')
  answerTests(electron)
  becomeReady()
}
