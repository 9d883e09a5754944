import { readFileSync } from 'node:fs'
import { z } from 'zod'

const entry = z.object({ version: z.string().optional(), resolved: z.string().optional(), gypfile: z.boolean().optional(), link: z.boolean().optional() })
const lock = z.object({ packages: z.record(z.string(), entry) })

/**
 * What is wrong with a lock file, in sentences that say what to do: `npm install` drops better-sqlite3's `gypfile:
 * false`, without which `npm ci` tries to compile it, and download URLs tie the file to one registry.
 */
export const lockFileFaults = (text: string): string[] => {
  const { packages } = lock.parse(JSON.parse(text))
  const faults: string[] = []
  if (packages['node_modules/better-sqlite3']?.gypfile !== false) {
    faults.push('package-lock.json: set "gypfile": false in the entry node_modules/better-sqlite3, or `npm ci` compiles it and fails where there is no Python.')
  }
  for (const [path, { resolved }] of Object.entries(packages)) {
    if (resolved !== undefined) faults.push(`package-lock.json: remove "resolved" from ${path}; .npmrc keeps it out of new entries.`)
  }
  return faults
}

if (import.meta.main) {
  const faults = lockFileFaults(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
  for (const fault of faults) console.error(fault)
  process.exit(faults.length === 0 ? 0 : 1)
}
