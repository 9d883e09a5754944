import { parseArgs } from 'node:util'
import { openBackend, stopOnSignal } from '../../electron/cli/open.ts'
import { quickPasswords } from '../helpers/quick-passwords.ts'
import { everyGateOpen } from '../helpers/rights.ts'

// The program as `serve.ts` starts it, except that no page is open, every real profile passes all gates, and passwords are quick to check.
const { 'data-dir': dataDir } = parseArgs({ options: { 'data-dir': { type: 'string' } } }).values
const backend = await openBackend({ port: '0', dataDir, withPage: false }, { roleOf: everyGateOpen, passwordCost: quickPasswords })
stopOnSignal(backend)
process.stdout.write(`Fillbook is ready at ${await backend.launchUrl('anybody')}\n`)
