import { brotliCompressSync } from 'node:zlib'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { readPage } from './page-parts.ts'
import { faultsOf, most, weigh, type BuiltPage } from './page-weight.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Builds the page as it is served, and keeps nothing. */
const buildPage = async (): Promise<BuiltPage> => {
  const { output } = (await build({ configFile: `${root}build/vite.config.ts`, logLevel: 'error', build: { write: false } })) as Rolldown.RolldownOutput
  const chunks = output.filter((one) => one.type === 'chunk')
  const places = new Map(chunks.flatMap(({ fileName, moduleIds }) => moduleIds.map((id) => [relative(root, id), fileName] as const)))
  const charts = new Set(chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.includes('/lightweight-charts/'))).map(({ fileName }) => fileName))
  const beginning = chunks.find(({ isEntry }) => isEntry)?.fileName
  if (beginning === undefined) throw new Error('The page has no beginning')
  return {
    files: new Map(chunks.map(({ fileName, code, imports, dynamicImports }) => [fileName, { bytes: brotliCompressSync(code).length, needs: imports, fetches: dynamicImports }])),
    beginning,
    fileOf: (source) => {
      const file = places.get(source)
      if (file === undefined) throw new Error(`Not in the built page: ${source}`)
      return file
    },
    draws: (file) => charts.has(file),
  }
}

const kb = (bytes: number): string => (bytes / 1_000).toFixed(1).padStart(7)

const parts = [...readPage().values()].flatMap((file) => file.parts)
const weights = weigh(await buildPage(), parts, ['en', 'ml-IND'])
const faults = faultsOf(weights)
console.log(`Script of each route in KB (Brotli, 1 KB = 1,000 bytes; with the texts of the heavier language, and with everything around a screen)
route                 shows    most   later`)
for (const { name, first, shows, later, draws } of weights) console.log(`${name.padEnd(20)}${kb(shows)} ${kb(first ? most.first : most.further)} ${kb(later)}${draws ? ' with charts' : ''}`)
for (const fault of faults) console.log(fault)
process.exitCode = faults.length > 0 ? 1 : 0
