import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { z } from 'zod'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The desktop's runtime: its package is not packed, but what it downloads is, with the licenses of Chromium and Node beside it. */
export const runtime = 'electron'

/** The desktop's packages except its runtime, as folders below `node_modules`; the build compares the list with what it bundles. */
export const shippedList = (): readonly string[] => z.array(z.string()).parse(JSON.parse(readFileSync(new URL('./shipped-packages.json', import.meta.url), 'utf8')))

/** Where a package's files are, by its folder below `node_modules`. */
export const folderOf = (name: string): string => join(root, 'node_modules', name)

const manifest = z.object({ name: z.string(), version: z.string(), license: z.string().optional(), author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional() })

/** The manifest of an installed package; `name` is the registry's, not an alias. */
export const manifestOf = (name: string): z.infer<typeof manifest> => manifest.parse(JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8')))

/** The folder below `node_modules` of the package that a bundled module comes from, the innermost one; null for the project's own. */
export const packageOf = (id: string): string | null => {
  // Bundlers add code of their own to their output.
  const [, bundler] = /^\0(vite|rolldown)\//.exec(id) ?? []
  if (bundler !== undefined) return bundler
  const [, folder = null] = /\/node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/?]+)/.exec(id.replaceAll('\\', '/')) ?? []
  return folder
}

const imported = /@import\s+['"]((?:@[^/'"]+\/)?[^./'"][^/'"]*)/g

/** Adds to `found` every package that a build includes code of, including the imports of styles. */
export const collectShipped = (found: Set<string>): Plugin => ({
  name: 'fillbook:shipped',
  transform: {
    // Before Vite's own plugin, which inlines the imports of styles without reporting them.
    order: 'pre',
    handler(code, id) {
      if (id.endsWith('.css')) for (const [, name] of code.matchAll(imported)) if (name !== undefined) found.add(name)
      return null
    },
  },
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
    for (const folder of modules.map(packageOf)) if (folder !== null) found.add(folder)
  },
})

/** The differences between a list and what a build bundled, in sentences that say what to do. */
export const listFaults = (found: ReadonlySet<string>, list: readonly string[]): readonly string[] => [
  ...[...found].filter((name) => !list.includes(name)).toSorted().map((name) => `${name} is shipped: look at its license, and add it to build/shipped-packages.json.`),
  ...list.filter((name) => !found.has(name)).map((name) => `${name} is not shipped any more: take it out of build/shipped-packages.json.`),
]
