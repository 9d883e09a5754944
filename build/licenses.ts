import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { folderOf, manifestOf, runtime, shippedList } from './shipped.ts'

/** The license of something shipped: `license` is an SPDX expression, `text` all that its files say. */
export type License = { readonly name: string; readonly version: string; readonly license: string; readonly text: string }

/** Licenses that allow use in a closed program. GPL, AGPL, LGPL and SSPL do not, nor does one that no one has reviewed. */
const allowed = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'OFL-1.1', 'PostgreSQL'])

/** Licenses that a person read in the files of a version whose manifest names none. */
const read: Readonly<Record<string, string>> = { 'png-js@2.0.0': 'MIT' }

/** The standard texts of licenses, for packages that include none. */
const standard: Readonly<Record<string, { readonly of: string; readonly from: RegExp }>> = {
  MIT: { of: 'zod', from: /Permission is hereby granted[^]*/ },
  'Apache-2.0': { of: '@electric-sql/pglite', from: /^ *Apache License[^]*?END OF TERMS AND CONDITIONS/m },
}

/** Third-party code inside a package, with a license of its own; by the package's folder, `of` its name. */
export const inside: Readonly<Record<string, { readonly of: string; readonly name: string; readonly license: string; readonly file: URL }>> = {
  '@electric-sql/pglite': { of: '@electric-sql/pglite', name: 'PostgreSQL', license: 'PostgreSQL', file: new URL('./postgresql-license.txt', import.meta.url) },
}

/** Whether an SPDX expression allows shipping; one that is not understood does not, such as one with parentheses. */
export const mayShip = (expression: string): boolean => {
  const bare = /^\(([^()]*)\)$/.exec(expression)?.[1] ?? expression
  return !/[()]/.test(bare) && bare.split(' OR ').some((one) => one.split(' AND ').every((id) => allowed.has(id)))
}

// Only a bundler's own code is shipped, not its dependencies.
const ofItsParts = /\n# Licenses of bundled dependencies[^]*$/

const isLicense = (file: string): boolean => /^((un)?licen[sc]e|copying|notice)/i.test(file)

const textOf = (folder: string, license: string): string | null => {
  const own = readdirSync(folderOf(folder)).filter(isLicense).toSorted()
  if (own.length > 0) return own.map((file) => readFileSync(join(folderOf(folder), file), 'utf8').replaceAll('\r\n', '\n').replace(ofItsParts, '').trim()).join('\n\n')
  const { author } = manifestOf(folder)
  const given = standard[license]
  const [words] = given === undefined ? [] : (given.from.exec(textOf(given.of, license) ?? '') ?? [])
  return author === undefined || words === undefined ? null : `Copyright (c) ${author.replace(/\s*[<(].*$/, '')}\n\n${words.trim()}`
}

/** The licenses of packages, by their folders below `node_modules`, and objections to shipping them. */
export const licensesOf = (folders: readonly string[]): { readonly licenses: readonly License[]; readonly faults: readonly string[] } => {
  const faults: string[] = []
  const licenses = folders.flatMap((folder): License[] => {
    const { name, version, license: named } = manifestOf(folder)
    const license = named ?? read[`${name}@${version}`]
    if (license === undefined) faults.push(`${name} ${version} names no license: read its files, and say in build/licenses.ts what they say.`)
    else if (!mayShip(license)) faults.push(`${name} ${version} is under ${license}, under which nothing is shipped here.`)
    const text = license === undefined ? null : textOf(folder, license)
    if (license !== undefined && text === null) faults.push(`${name} ${version} has no license text (${license}), and none can be made for it.`)
    if (license === undefined || text === null) return []
    const other = inside[folder]
    return [{ name, version, license, text }, ...(other === undefined ? [] : [{ name: `${other.name} (${other.of})`, version, license: other.license, text: readFileSync(other.file, 'utf8').trim() }])]
  })
  return { licenses, faults }
}

/** Every license of what is shipped, by name; throws, with all that is to be done, if one is unknown or not allowed. */
export const shippedLicenses = (): readonly License[] => {
  const { licenses, faults } = licensesOf([...shippedList(), runtime])
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return licenses.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Writes `licenses.json` beside the page: all packages of the desktop, with their license texts, each text once. */
export const licensesFile: Plugin = {
  name: 'fillbook:licenses',
  apply: 'build',
  generateBundle() {
    const licenses = shippedLicenses()
    const texts = [...new Set(licenses.map(({ text }) => text))]
    const packages = licenses.map(({ name, version, license, text }) => ({ name, version, license, text: texts.indexOf(text) }))
    this.emitFile({ type: 'asset', fileName: 'licenses.json', source: JSON.stringify({ packages, texts }) })
  },
}
