import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { programsFolder } from './programs-folder.ts'
import { buildPrograms } from './programs.ts'

/** Builds the programs once for all tests of a run, and takes them away behind it. */
export default async (): Promise<() => Promise<void>> => {
  if (!existsSync(programsFolder)) await buildPrograms(programsFolder)
  return () => rm(programsFolder, { recursive: true, force: true })
}
