/** The state of the process before its first test file. */
type Beginning = { readonly umask: number; readonly env: NodeJS.ProcessEnv }

const key = Symbol.for('fillbook.tests.beginning')
const here = process as NodeJS.Process & { [key]?: Beginning }

// Test files run in one process, one after another, and a started program changes it: reset it for each file.
const { umask, env } = (here[key] ??= { umask: process.umask(), env: { ...process.env } })
process.umask(umask)
for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name)
Object.assign(process.env, env)
