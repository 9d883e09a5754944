import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { givenWords } from './given-words.ts'
import { inside, shippedLicenses } from './licenses.ts'
import { runNpm } from './npm.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const property = z.object({ name: z.string(), value: z.string() })
const component = z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string(), purl: z.string(), properties: z.array(property).optional() })
const dependency = z.object({ ref: z.string(), dependsOn: z.array(z.string()) })
const npmBill = z.looseObject({ bomFormat: z.literal('CycloneDX'), specVersion: z.literal('1.5'), metadata: z.looseObject({ tools: z.unknown(), component }), components: z.array(component), dependencies: z.array(dependency) })

/** npm's bill of everything in the lock file, tools included. */
type NpmBill = z.infer<typeof npmBill>

const isTool = ({ properties = [] }: z.infer<typeof component>): boolean => properties.some(({ name }) => name === 'cdx:npm:package:development')
const licensed = (license: string): object => (/[ (]/.test(license) ? { expression: license } : { license: { id: license } })

/** The shipped packages that a package leads to, through unshipped ones but not through tools. */
const dependenciesIn = ({ components, dependencies }: NpmBill, shipped: ReadonlySet<string>) => {
  const asked = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const tools = new Set(components.filter(isTool).map((one) => one['bom-ref']))
  return (ref: string): readonly string[] => {
    const found = new Set<string>()
    const seen = new Set([ref])
    const visit = (from: string): void => {
      for (const to of asked.get(from) ?? []) {
        if (seen.has(to)) continue
        seen.add(to)
        if (shipped.has(to)) found.add(to)
        else if (!tools.has(to)) visit(to)
      }
    }
    visit(ref)
    return [...found].toSorted()
  }
}

/** The desktop's bill of materials as CycloneDX 1.5, from `npm sbom`: only what is shipped, with the reviewed licenses. The same packages give the same document. */
const billOf = (bill: NpmBill): object => {
  const { metadata, components } = bill
  const known = new Map(components.map((one) => [one['bom-ref'], one]))
  const others = Object.values(inside).map(({ name, of }) => `${name} (${of})`)
  const made = shippedLicenses().filter(({ name }) => !others.includes(name))
  const shipped = new Set(made.map(({ name, version }) => `${name}@${version}`))
  const parts = [...new Map(made.map((one) => [`${one.name}@${one.version}`, one])).entries()].map(([ref, { name, license }]) => {
    const part = known.get(ref)
    if (part === undefined) throw new Error(`npm knows nothing of ${ref}, which is shipped: run npm ci.`)
    const held = Object.values(inside).filter(({ of }) => of === name)
    return {
      ...part,
      name,
      scope: 'required',
      properties: part.properties?.filter((one) => one.name !== 'cdx:npm:package:development'),
      licenses: [licensed(license)],
      ...(held.length === 0 ? {} : { components: held.map((one) => ({ type: 'application', 'bom-ref': `${ref}#${one.name}`, name: one.name, licenses: [licensed(one.license)] })) }),
    }
  })
  const dependenciesOf = dependenciesIn(bill, shipped)
  const own = metadata.component
  const asked = new Map([own['bom-ref'], ...shipped].map((ref) => [ref, dependenciesOf(ref)]))
  // Bundled because another package depends on it.
  const found = [...shipped].filter((ref) => ![...asked.values()].some((refs) => refs.includes(ref)))
  const document = {
    metadata: { lifecycles: [{ phase: 'build' }], tools: metadata.tools, component: { ...own, type: 'application', name: 'fillbook' } },
    components: parts,
    dependencies: [...asked].map(([ref, refs]) => ({ ref, dependsOn: ref === own['bom-ref'] ? [...refs, ...found].toSorted() : refs })),
  }
  const [, a = '', b = '', c = '', d = '', e = ''] = /^(.{8})(.{4})(.{3})(.{3})(.{12})/.exec(createHash('sha256').update(JSON.stringify(document)).digest('hex')) ?? []
  return { $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json', bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber: `urn:uuid:${a}-${b}-8${c}-8${d}-${e}`, version: 1, ...document }
}

/** Gets the lock file's packages from npm, and returns the bill of materials of what is shipped. */
export const makeBill = async (): Promise<object> => {
  const { code, out, errors } = await runNpm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], { folder: root, limitMs: 120_000 })
  if (code !== 0) throw new Error(`npm sbom ended with ${String(code)}: ${errors}`)
  return billOf(npmBill.parse(JSON.parse(out)))
}

if (import.meta.main) {
  const [named] = givenWords('usage: npm run bill [-- FILE]', 1)
  const path = resolve(named ?? join(root, 'dist', 'fillbook.cdx.json'))
  const bill = await makeBill()
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`)
  console.log(path)
}
