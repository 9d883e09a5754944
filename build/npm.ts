import { spawn } from 'node:child_process'

/** How an npm command ended: its output, and its exit code; null if it did not end in time. */
export type Ended = { readonly code: number | null; readonly out: string; readonly errors: string }

/** Runs npm in a folder, the one that runs this script if there is one, for at most `limitMs` milliseconds. */
export const runNpm = (words: readonly string[], { folder, limitMs, env = {} }: { readonly folder: string; readonly limitMs: number; readonly env?: Readonly<Record<string, string>> }): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const script = process.env['npm_execpath']
    const [file, args] = script?.endsWith('.js') === true ? [process.execPath, [script, ...words]] : ['npm', [...words]]
    // Windows needs a shell to run npm.cmd.
    const child = spawn(file, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], shell: file === 'npm' && process.platform === 'win32' })
    const written = { out: '', errors: '' }
    child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (written.errors += chunk.toString()))
    const tooLong = setTimeout(() => child.kill('SIGKILL'), limitMs)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(tooLong)
      resolve({ code, ...written })
    })
  })
