import { spawn } from 'node:child_process'
import { availableParallelism, constants, setPriority } from 'node:os'

/** One check: its name, its command, and the lines that it prints if all is well. */
type Check = { readonly name: string; readonly command: readonly string[]; readonly env?: Readonly<Record<string, string>>; readonly summary?: RegExp }

const bin = (name: string) => `node_modules/.bin/${name}`

const checks: readonly Check[] = [
  // The native compiler takes a third of the time, and with one thread it uses the least of two processors. Its garbage collection would be a fifth of that.
  { name: 'types', command: [process.execPath, 'node_modules/typescript-native/bin/tsc', '-b', 'tests', '--singleThreaded'], env: { GOGC: 'off', GOMEMLIMIT: '3GiB' } },
  { name: 'unit tests', command: [bin('vitest'), 'run', '--config', 'build/vitest.config.ts', '--project', 'unit', '--tags-filter=!long', '--reporter', 'dot'], summary: /^\s*(Test Files|Tests)\s/ },
  { name: 'lint', command: [bin('oxlint'), '--report-unused-disable-directives', '--deny-warnings'] },
  { name: 'law', command: [bin('depcruise'), '--config', 'build/dependency-cruiser.cjs', 'shared', 'electron', 'cloud', 'renderer', 'tests', 'build'] },
  { name: 'unused', command: [bin('knip'), '--config', 'build/knip.json'] },
  { name: 'lock file', command: [process.execPath, 'build/lock-file.ts'] },
]

const run = ({ name, command, env }: Check) =>
  new Promise<{ code: number; seconds: number; output: string }>((resolve) => {
    const started = performance.now()
    const [file = '', ...args] = command
    // Windows needs a shell to run the .cmd files of node_modules/.bin.
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env, NO_COLOR: '1' }, shell: process.platform === 'win32' })
    // Types take longest, on one core: the others share what it leaves.
    if (name !== 'types' && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', (error) => {
      resolve({ code: 1, seconds: 0, output: error.message })
    })
    child.on('close', (code) => {
      resolve({ code: code ?? 1, seconds: (performance.now() - started) / 1000, output })
    })
  })

const queue = [...checks]
let failed = false
const worker = async () => {
  for (let check = queue.shift(); check; check = queue.shift()) {
    const { name, summary } = check
    const { code, seconds, output } = await run(check)
    process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)\n`)
    if (code !== 0) process.stdout.write(output)
    else if (summary) process.stdout.write(`${output.split('\n').filter((line) => summary.test(line)).join('\n')}\n`)
    failed ||= code !== 0
  }
}
await Promise.all(Array.from({ length: Math.min(3, Math.max(2, availableParallelism())) }, worker))
process.exit(failed ? 1 : 0)
