import { runImport } from './import-command.ts'
import { usage } from './import-words.ts'
import { leave } from './terminal.ts'

const [command, ...args] = process.argv.slice(2)

process.exitCode = command === 'import' ? await runImport(args) : leave(2, usage)
