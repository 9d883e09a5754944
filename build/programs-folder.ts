import { fileURLToPath } from 'node:url'

/** Unique to this process, even if a process id is reused. */
const run = `${String(process.pid)}-${String(Math.round(performance.timeOrigin))}`

/** Where this test run's programs are built. Its child processes find them through the environment. */
export const programsFolder = (process.env['BUILT_PROGRAMS'] ??= fileURLToPath(new URL(`../node_modules/.cache/programs/${run}`, import.meta.url)))

/** Node's compile cache for them: most are started many times in a run. Node finds it through the environment too. */
export const compiledFolder = `${programsFolder}-compiled`
process.env['NODE_COMPILE_CACHE'] = compiledFolder
