import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { compiledFolder, programsFolder } from './programs-folder.ts'
import { buildPrograms } from './programs.ts'

/** Builds the programs once for all tests of a run, and removes them afterwards; programs that were there before stay. */
export default async (): Promise<() => Promise<void>> => {
  if (existsSync(programsFolder)) return () => Promise.resolve()
  // A build says that all of this process is in production.
  const before = process.env['NODE_ENV']
  await buildPrograms(programsFolder, 'product-and-tests')
  if (before === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = before
  return async () => {
    // A process that ends just now may still be writing.
    for (const folder of [programsFolder, compiledFolder]) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
