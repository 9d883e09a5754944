import { fileURLToPath } from 'node:url'
import { desktopMissing } from './desktop-runtime.ts'
import { leave } from './leave.ts'
import { openBackend, stopOnSignal } from './open.ts'

const reasons = {
  runtime: 'the desktop runtime is not available here',
  display: 'there is no display here',
  window: 'this version has no desktop window',
}

if (process.argv.length > 2) leave(2, 'usage: npm start\nIts settings come from the environment and from settings.json, as the README lists them; npm run serve takes --port and --data-dir.')
const missing = desktopMissing(fileURLToPath(new URL('../..', import.meta.url)), process.env, process.platform)
const backend = await openBackend({})
stopOnSignal(backend)
console.log(`Fillbook runs in your browser (${reasons[missing]}). Open this address:`)
console.log(`Fillbook is ready at ${await backend.launchUrl('anybody')}`)
