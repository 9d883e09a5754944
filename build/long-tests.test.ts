import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = globSync('{shared,electron,cloud,renderer,build,tests}/**/*.{ts,tsx}', { cwd: root }).map((path) => path.replaceAll('\\', '/')).filter((path) => path !== 'build/long-tests.test.ts')
const textOf = (path: string): string => readFileSync(`${root}${path}`, 'utf8')
/** Sets the tag, however it is quoted. */
const setsTag = /\btags:[^\n]*['"`]long['"`]/

// build/vitest.config.ts reads only the files that it finds so: a test that hides from it would never run.
test('the run of long tests finds every file that has one', () => {
  const whole = files.filter((path) => path.endsWith('.long.ts'))
  expect(whole.length).toBeGreaterThan(30)
  expect(whole.filter((path) => !/^[^\n]*\n?[^\n]*@module-tag long/.test(textOf(path)))).toEqual([])
  const tagging = files.filter((path) => setsTag.test(textOf(path)))
  expect(tagging.length).toBeGreaterThan(70)
  expect(tagging.filter((path) => !path.endsWith('.test.ts'))).toEqual(['tests/fuzz/hold-all.ts'])
  expect(tagging.filter((path) => !textOf(path).includes("'long'"))).toEqual([])
})
