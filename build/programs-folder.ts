import { fileURLToPath } from 'node:url'

/** This process and no other, also where a number of a process comes again. */
const run = `${String(process.pid)}-${String(Math.round(performance.timeOrigin))}`

/** Where the programs of this run of tests are built. The processes that it starts find them by the environment. */
export const programsFolder = (process.env['BUILT_PROGRAMS'] ??= fileURLToPath(new URL(`../node_modules/.cache/programs/${run}`, import.meta.url)))

/** Where Node keeps what it compiled of them: most are started again and again in a run. Node finds it by the environment too. */
export const compiledFolder = `${programsFolder}-compiled`
process.env['NODE_COMPILE_CACHE'] = compiledFolder
