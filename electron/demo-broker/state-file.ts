import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { grantsStateSchema, type GrantsState } from './oauth.ts'

/** Keeps the stand-in's logins in a file that only its owner can read; without a file nothing is kept. A damaged file is begun anew: its logins are only played. */
export const grantsFile = (path: string | undefined): { load: () => GrantsState | null; save: (state: GrantsState) => void } => ({
  load: () => {
    const text = path === undefined ? null : readIfThere(path)
    return text === null ? null : (grantsStateSchema.safeParse(jsonIn(text)).data ?? null)
  },
  save: (state) => {
    if (path === undefined) return
    writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  },
})

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
