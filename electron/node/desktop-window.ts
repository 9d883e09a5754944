import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const longestSilenceMs = 60_000
const signals = ['SIGTERM', 'SIGINT'] as const

/** A desktop that has printed its first line, and runs or has handed over to one already running. */
export type DesktopWindow = {
  /** Its first line. */
  readonly line: string
  /** Settles when it has exited, with its exit code; null if a signal ended it. */
  readonly gone: Promise<number | null>
  /** Asks it to quit. */
  readonly quit: () => void
}

/** Starts the runtime `program` on the built bundle and waits for its first line; returns the reason instead, to be part of a sentence, if it exits or stays silent for too long. */
export const openDesktopWindow = (program: string, bundle: string, patienceMs = longestSilenceMs): Promise<DesktopWindow | { readonly failed: string }> => {
  // Some editors set this for programs started in their terminals; then the runtime would be plain Node.
  const child = spawn(program, [bundle], { env: { ...process.env, ELECTRON_RUN_AS_NODE: undefined }, stdio: ['ignore', 'pipe', 'pipe'] })
  let complaint = ''
  createInterface(child.stderr).on('line', (line) => {
    if (line.trim() !== '') complaint = line.trim()
  })
  const gone = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code))
  })
  // Ending this program before the desktop's first output ends the desktop too.
  const leaveTogether = (): never => {
    child.kill('SIGTERM')
    process.exit(1)
  }
  for (const signal of signals) process.once(signal, leaveTogether)
  return new Promise((resolve) => {
    const give = (result: DesktopWindow | { readonly failed: string }): void => {
      clearTimeout(patience)
      for (const signal of signals) process.off(signal, leaveTogether)
      resolve(result)
    }
    const patience = setTimeout(() => {
      child.kill('SIGKILL')
      give({ failed: `the desktop did not respond for ${String(patienceMs / 1_000)} seconds` })
    }, patienceMs)
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('Fillbook ')) give({ line, gone, quit: () => void child.kill('SIGTERM') })
    })
    child.once('error', ({ message }) => give({ failed: `the desktop could not be started: ${message}` }))
    void gone.then((code) => give({ failed: `the desktop exited at once, with ${code === null ? 'a signal' : `code ${String(code)}`}${complaint === '' ? '' : `: ${complaint.slice(0, 200)}`}` }))
  })
}
