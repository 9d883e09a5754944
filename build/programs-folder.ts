import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'

/** Where the programs of this run of tests are built. The processes that it starts find them by the environment. */
export const programsFolder = (process.env['BUILT_PROGRAMS'] ??= fileURLToPath(new URL(`../node_modules/.cache/programs/${randomUUID()}`, import.meta.url)))
