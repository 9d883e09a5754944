import { parseArgs } from 'node:util'
import { openBackend } from '../../electron/cli/open.ts'
import { quickPasswords } from '../helpers/quick-passwords.ts'
import { everyGateOpen } from '../helpers/rights.ts'

// The program as it is shipped, without a page and with all gates open; messages tell it to name an address for a new browser and to end.
const { 'data-dir': dataDir } = parseArgs({ options: { 'data-dir': { type: 'string' } } }).values
const backend = await openBackend({ port: '0', dataDir, withPage: false, secrets: 'file' }, { roleOf: everyGateOpen, passwordCost: quickPasswords })
process.on('message', (message: { launch?: true; stop?: true; clock?: number }) => {
  if (message.launch) void backend.launchUrl('anybody').then((url) => process.send?.({ launch: url }))
  if (message.stop) void backend.stop().then(() => process.exit(0))
  if (message.clock !== undefined) process.send?.({ moved: message.clock })
})
process.send?.({ ready: true })
