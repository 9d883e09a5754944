import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CopierAccount } from '#backend/copier/engine/calls.ts'
import type { CopierCalls } from '#backend/copier/engine/engine.ts'
import type { TradovateHosts } from '#backend/brokers/tradovate/hosts.ts'
import type { Credentials, Tokens } from '#backend/brokers/tradovate/tokens.ts'
import type { CopierLive } from '#shared/api/copier.ts'

/** What a copier's process is started with. */
export type ChildOrder = {
  readonly file: string
  readonly migrationsFolder: string
  readonly backupFolder: string
  readonly callsPerHour: number
  readonly accounts: readonly CopierAccount[]
  readonly tokens: Readonly<Record<string, Tokens>>
  readonly hosts: TradovateHosts
  readonly credentials: Credentials
}

/** What it is asked, and what it says. */
export type ChildCall = { readonly id: number; readonly name: keyof CopierCalls; readonly input: unknown }
export type ChildAnswer =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly why: string }
  | { readonly kind: 'live'; readonly live: CopierLive }
  | { readonly kind: 'log'; readonly level: string; readonly line: string }

/** A copier in a process of its own. */
export type CopierChild = {
  readonly ask: <N extends keyof CopierCalls>(name: N, input: Parameters<CopierCalls[N]>[0]) => Promise<Awaited<ReturnType<CopierCalls[N]>>>
  /** Ends it on the spot, as the power does. */
  readonly kill: () => Promise<void>
  /** Ends it as the program does. */
  readonly stop: () => Promise<void>
  /** The newest lines that it logged. */
  readonly logged: () => readonly string[]
  /** Rejects if the process ends unasked. */
  readonly died: Promise<never>
}

const LINES_KEPT = 60

/** Settings of a copier with its file in this folder. */
export const filesIn = (folder: string): Pick<ChildOrder, 'file' | 'migrationsFolder' | 'backupFolder'> => ({
  file: join(folder, 'copier.db'),
  migrationsFolder: fileURLToPath(new URL('../../migrations/copier/', import.meta.url)),
  backupFolder: join(folder, 'backups'),
})

/** Starts a copier that continues from the same file. */
export const startCopierChild = (order: ChildOrder): CopierChild => {
  const child = fork(fileURLToPath(new URL('./model-child.ts', import.meta.url)), { env: { ...process.env, COPIER_ORDER: JSON.stringify(order) }, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const asked = new Map<number, { answer: (value: unknown) => void; fail: (error: Error) => void }>()
  let lines: string[] = []
  let ending = false
  let count = 0

  const keep = (line: string): void => void (lines = [...lines.slice(1 - LINES_KEPT), line])
  child.stderr?.on('data', (text: Buffer) => keep(String(text)))
  child.on('message', (message: ChildAnswer) => {
    if (message.kind === 'log') return keep(`${message.level}: ${message.line}`)
    if (message.kind === 'live') return
    const waiting = asked.get(message.id)
    asked.delete(message.id)
    if (message.kind === 'answer') waiting?.answer(message.value)
    else waiting?.fail(new Error(message.why))
  })
  const exited = once(child, 'exit')
  const died = new Promise<never>((_, reject) => {
    void exited.then(([code, signal]) => {
      for (const { fail } of asked.values()) fail(new Error('The copier is gone'))
      if (!ending) reject(new Error(`The copier ended by itself: ${code ?? signal}\n${lines.join('\n')}`))
    })
  })
  died.catch(() => undefined)

  const ask = (name: keyof CopierCalls, input: unknown): Promise<unknown> =>
    new Promise((answer, fail) => {
      count += 1
      asked.set(count, { answer, fail })
      child.send({ id: count, name, input } satisfies ChildCall, (error) => (error === null ? undefined : fail(error)))
    })

  return {
    ask: ask as CopierChild['ask'],
    kill: async () => {
      ending = true
      child.kill('SIGKILL')
      await exited
    },
    stop: async () => {
      ending = true
      await ask('stop', null)
      child.disconnect()
      await exited
    },
    logged: () => lines,
    died,
  }
}
