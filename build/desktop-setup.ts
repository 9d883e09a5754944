import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { desktopBundle } from './desktop-bundle.ts'
import { buildDesktop } from './desktop.ts'

/** Builds the desktop once for all its tests, and deletes it afterward; an existing one stays. */
export default async (): Promise<() => Promise<void>> => {
  if (existsSync(desktopBundle)) return () => Promise.resolve()
  // A build sets this whole process to production.
  const before = process.env['NODE_ENV']
  await buildDesktop(desktopBundle)
  if (before === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = before
  return () => rm(desktopBundle, { recursive: true, force: true })
}
