import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

// Three of them could not end for days, and nobody noticed: the program had learned to refuse what they gave it.
test('every benchmark still measures', { tags: ['long', 'nightly'], timeout: 3_600_000 }, async () => {
  // It ends with 1 where one was not measured.
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', 'tests/bench/bench.ts', '--quick', '--json'], { cwd: root, maxBuffer: 64 * 1024 * 1024 }).catch((error: Error & { readonly stdout?: string }) => {
    if (!error.stdout) throw error
    return { stdout: error.stdout }
  })
  const { ok, rows } = JSON.parse(stdout) as { ok: boolean; rows: readonly { name: string; ratio: number | null }[] }
  expect(rows.filter(({ ratio }) => ratio === null)).toEqual([])
  expect(ok).toBe(true)
  expect(rows.length).toBeGreaterThan(40)
})
