import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startVitest, type Reporter } from 'vitest/node'
import { z } from 'zod'
import { faultFailures, faultsMade, faultsTable, filesNamed, statedFault, sumFaults, withTable, type ShownFault } from './fault-rows.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const documentFile = `${root}docs/reliability.md`
const usage = 'usage: npm run faults [-- [--quick] [--without NAME]…]'

/** What a test file imports decides whether it belongs to the set. */
const stating = /from '(\.\.|#tests)\/helpers\/fault\.ts'/
const filesOfSet = (): string[] => globSync('{tests,electron}/**/*.{test,long}.ts', { cwd: root }).filter((file) => stating.test(readFileSync(root + file, 'utf8'))).toSorted()

/** Excluded files are given by name without their endings. */
const readArguments = (files: readonly string[]): { quick: boolean; without: readonly string[] } => {
  try {
    const { quick = false, without = [] } = parseArgs({ options: { quick: { type: 'boolean' }, without: { type: 'string', multiple: true } } }).values
    return { quick, without: filesNamed(without, files) }
  } catch (error) {
    console.error(`${error instanceof Error ? `${error.message}\n` : ''}${usage}`)
    process.exit(2)
  }
}

const metaOfTest = z.object({ faults: z.array(statedFault).optional() })

/** Collects what the tests state while another reporter prints their progress. */
const gathering = (shown: ShownFault[]): Reporter => ({
  onTestCaseResult: (test) => {
    for (const stated of metaOfTest.parse(test.meta()).faults ?? []) shown.push({ ...stated, file: relative(root, test.module.moduleId) })
  },
})

const files = filesOfSet()
const { quick, without } = readArguments(files)
// All cases, as at night: the table counts them.
process.env['NIGHTLY'] = '1'
const shown: ShownFault[] = []
const began = performance.now()
const vitest = await startVitest('test', files.filter((file) => !without.includes(file)), {
  config: `${root}build/vitest.config.ts`,
  run: true,
  watch: false,
  project: quick ? ['unit', 'slow', 'crossing'] : ['unit', 'slow', 'crossing', 'long'],
  tagsFilter: quick ? ['fault && !long'] : ['fault'],
  reporters: ['default', gathering(shown)],
})
const failed = vitest.state.getCountOfFailedTests() > 0 || vitest.state.getUnhandledErrors().length > 0
await vitest.close()

const sums = sumFaults(shown)
// Rows that only the long run covers are missing from the quick one.
const rows = quick ? sums.filter(({ tried }) => tried > 0) : sums
const minutes = Math.max(1, Math.round((performance.now() - began) / 60_000))
const day = new Date().toISOString().slice(0, 10)
const table = `${faultsTable(rows)}\n\n${faultsMade(rows, { day, minutes, without })}`
console.log(`\n${table}\n`)
const shame = faultFailures(rows)
for (const line of shame) console.error(line)
if (failed || shame.length > 0) process.exitCode = 1
else if (quick) console.log('A quick run leaves the document as it is.')
else writeFileSync(documentFile, withTable(readFileSync(documentFile, 'utf8'), table))
