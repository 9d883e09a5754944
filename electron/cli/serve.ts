import { parseArgs } from 'node:util'
import { openBackend, stopOnSignal } from './open.ts'
import { leave } from './terminal.ts'

const usage = 'usage: npm run serve -- [--port P] [--data-dir D] [--demo]'

const readArguments = (): { port?: string | undefined; 'data-dir'?: string | undefined; demo?: boolean | undefined } => {
  try {
    return parseArgs({ options: { port: { type: 'string' }, 'data-dir': { type: 'string' }, demo: { type: 'boolean' } } }).values
  } catch {
    return leave(2, usage)
  }
}

const { port, 'data-dir': dataDir, demo } = readArguments()
const backend = await openBackend({ port, dataDir })
stopOnSignal(backend)
console.log(`Fillbook is ready at ${await backend.launchUrl(demo === true ? 'demo' : 'anybody')}`)
