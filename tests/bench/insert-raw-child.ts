import { fileURLToPath } from 'node:url'
import { insertRaw, readWritten } from './raw-inserts.ts'

// Plain inserts of all rows of a journal, in a process of its own, whose peak of memory it prints in MB.
const [, , file = '', userId = '', folder = ''] = process.argv
insertRaw(readWritten(file, userId), folder, fileURLToPath(new URL('../../migrations/sqlite/', import.meta.url)))
process.stdout.write(String(process.resourceUsage().maxRSS / 1_024))
