import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { compiledFolder, programsFolder } from './programs-folder.ts'
import { buildPrograms } from './programs.ts'

/** Builds the programs once for all tests of a run, and deletes them afterward; existing ones stay. */
export default async (): Promise<() => Promise<void>> => {
  if (existsSync(programsFolder)) return () => Promise.resolve()
  // A build sets this whole process to production.
  const before = process.env['NODE_ENV']
  await buildPrograms(programsFolder, 'product-and-tests')
  if (before === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = before
  return async () => {
    // A process that is just ending may still be writing.
    for (const folder of [programsFolder, compiledFolder]) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
