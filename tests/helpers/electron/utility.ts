import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import type Electron from 'electron'
import { failLoudly, strictEmitter, trueTo, type Drift } from './strict.ts'

/** A Node program beside this one, as Electron's utility process runs it; it ends with this one. */
class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess
  constructor(entry: string, args: string[], { env, stdio = 'inherit', execArgv = [] }: Electron.ForkOptions) {
    super()
    const [input, output, error] = typeof stdio === 'string' ? ([stdio, stdio, stdio] as const) : stdio
    this.#child = fork(entry, args, { env: env as NodeJS.ProcessEnv, execArgv, stdio: [input, output, error, 'ipc'] as 'pipe'[] })
    this.#child.once('spawn', () => { this.emit('spawn') })
    this.#child.once('exit', (code, signal) => { this.emit('exit', code ?? (signal === null ? 0 : 15)) })
    this.#child.on('message', (message) => { this.emit('message', message) })
    this.#child.on('error', () => { this.emit('exit', 1) })
    process.once('exit', () => { this.kill() })
  }
  get pid(): number | undefined { return this.#child.pid }
  get stdout(): Readable | null { return this.#child.stdout }
  get stderr(): Readable | null { return this.#child.stderr }
  kill(): boolean { return this.#child.kill() }
  postMessage(message: unknown): void { this.#child.send(message as object) }
}
failLoudly(UtilityProcess)
trueTo<Drift<Omit<UtilityProcess, 'stdout' | 'stderr'>, Electron.UtilityProcess>>()

/** Electron's `utilityProcess`. */
export const utilityProcess = strictEmitter('utilityProcess', { fork: (entry: string, args: string[] = [], options: Electron.ForkOptions = {}) => new UtilityProcess(entry, args, options) })
