/**
 * @module-tag long
 * @module-tag nightly
 */

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { testFolder } from '#tests/helpers/app.ts'
import { makeBill } from '../../build/bill.ts'
import { manifestOf, runtime, shippedList } from '../../build/shipped.ts'

const license = z.union([z.strictObject({ license: z.strictObject({ id: z.string().min(1) }) }), z.strictObject({ expression: z.string().min(1) })])
const digest = z.strictObject({ alg: z.enum(['SHA-1', 'SHA-512']), content: z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{128})$/) })
const part = { 'bom-ref': z.string().min(1), name: z.string().min(1), licenses: z.array(license).length(1) }
const component = z.strictObject({
  ...part,
  type: z.literal('library'),
  version: z.string().min(1),
  scope: z.literal('required'),
  purl: z.string().regex(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@[\w.+-]+$/),
  hashes: z.array(digest).min(1),
  author: z.string().optional(),
  description: z.string().optional(),
  properties: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  externalReferences: z.array(z.strictObject({ type: z.enum(['distribution', 'vcs', 'website', 'issue-tracker']), url: z.url() })).optional(),
  components: z.array(z.strictObject({ ...part, type: z.literal('application') })).optional(),
})
// As version 1.5 of CycloneDX has it, and nothing that it does not know.
const document = z.strictObject({
  $schema: z.literal('http://cyclonedx.org/schema/bom-1.5.schema.json'),
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.5'),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
  version: z.literal(1),
  metadata: z.strictObject({ lifecycles: z.tuple([z.strictObject({ phase: z.literal('build') })]), tools: z.array(z.strictObject({ vendor: z.string(), name: z.string(), version: z.string() })), component: z.looseObject({ type: z.literal('application'), name: z.literal('fillbook'), version: z.string(), 'bom-ref': z.string() }) }),
  components: z.array(component),
  dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

test('the bill of materials lists exactly the shipped packages, each with its license, hash and dependencies', async () => {
  const bill = document.parse(JSON.parse(JSON.stringify(await makeBill())))
  const own = bill.metadata.component['bom-ref']
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')))
  expect(own).toBe(`fillbook@${version}`)

  const shipped = [...shippedList(), runtime].map(manifestOf).map(({ name, version: one }) => `${name}@${one}`)
  const refs = bill.components.map((one) => one['bom-ref'])
  expect(refs.toSorted()).toEqual([...new Set(shipped)].toSorted())
  expect(bill.components.map(({ name, version: one }) => `${name}@${one}`)).toEqual(refs)
  expect(bill.components.flatMap(({ components = [] }) => components.map(({ name }) => name))).toEqual(['PostgreSQL'])
  expect(JSON.stringify(bill)).not.toContain('cdx:npm:package:development')

  // Everything is reached, from the program itself.
  expect(bill.dependencies.map(({ ref }) => ref).toSorted()).toEqual([own, ...refs].toSorted())
  const leads = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const reached = new Set<string>()
  const visit = (ref: string): void => {
    if (reached.has(ref)) return
    reached.add(ref)
    leads.get(ref)?.forEach(visit)
  }
  visit(own)
  expect([...reached].toSorted()).toEqual([own, ...refs].toSorted())
  expect(leads.get(own)).toEqual(expect.arrayContaining([`electron@${manifestOf(runtime).version}`, `zod@${manifestOf('zod').version}`]))
})

test.each([['bill', '--help'], ['bill', 'one', 'two'], ['audit', '--json'], ['audit', 'one']])('%s with %s writes nothing and prints its usage', (script, ...words) => {
  const folder = testFolder()
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL(`../../build/${script}.ts`, import.meta.url)), ...words], { cwd: folder, encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(`usage: npm run ${script}`)])
  expect(readdirSync(folder)).toEqual([])
})

test('the same packages give the same bill of materials', { tags: 'long' }, async () => {
  expect(await makeBill()).toEqual(await makeBill())
})
