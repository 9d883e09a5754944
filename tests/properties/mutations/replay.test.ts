import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { startForMutations, throughCalls } from './calls-front.ts'
import { bytesOf, type Case } from './cases.ts'
import { throughCommand } from './cli-front.ts'
import { fine } from './oracle.ts'
import { caseOf, runCase } from './run.ts'

const given = process.env['MUTATION_CASE']

test.runIf(given !== undefined)('replays a case', async () => {
  const one: Case = { ...caseOf(0), ...(JSON.parse(given ?? '{}') as Partial<Case>) }
  const app = process.env['MUTATION_FRONT'] === 'calls' ? await startForMutations() : null
  const { played, silent, outcome } = await runCase(app === null ? throughCommand : throughCalls(app), one)
  await app?.stop()
  const folder = mkdtempSync(join(tmpdir(), `mutation-${String(one.seed)}-`))
  for (const file of played.handed.files) writeFileSync(join(folder, file.name), bytesOf(file))
  const truths = [...played.truths].map(([account, all]) => [account, all.map(({ pairs }) => pairs.map(({ open, close, qty, gross, fees }) => `${close.day} ${open.contract} ${open.side} ${String(qty)} ${open.id}(${String(open.sum / open.qty)}) ${close.id}(${String(close.sum / close.qty)}) ${String(Number(gross / fine) / 10_000)} less ${String(Number(fees / fine) / 10_000)}`))])
  process.stdout.write(`${JSON.stringify({ folder, rules: played.rules, zone: played.handed.zone, written: played.zone, truths, silent, outcome }, null, 1)}\n`)
})
