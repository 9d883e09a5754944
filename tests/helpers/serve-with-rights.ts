import { parseArgs } from 'node:util'
import { openBackend, stopOnSignal } from '../../electron/cli/open.ts'
import { quickPasswords } from './quick-passwords.ts'
import { everyGateOpen } from './rights.ts'

// The program as `serve.ts` starts it, but that every real profile passes all gates, and passwords are quick to check: for tests that are not about these.
const { port, 'data-dir': dataDir } = parseArgs({ options: { port: { type: 'string' }, 'data-dir': { type: 'string' } } }).values
const backend = await openBackend({ port, dataDir }, { roleOf: everyGateOpen, passwordCost: quickPasswords })
stopOnSignal(backend)
process.stdout.write(`Fillbook is ready at ${await backend.launchUrl('anybody')}\n`)
