import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { folderOf, manifestOf, runtime, shippedList } from './shipped.ts'

/** The license of something shipped: `licence` is an SPDX expression, `text` all that its files say. */
export type Licence = { readonly name: string; readonly version: string; readonly licence: string; readonly text: string }

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
export const inside: Readonly<Record<string, { readonly of: string; readonly name: string; readonly licence: string; readonly file: URL }>> = {
  '@electric-sql/pglite': { of: '@electric-sql/pglite', name: 'PostgreSQL', licence: 'PostgreSQL', file: new URL('./postgresql-licence.txt', import.meta.url) },
}

/** Whether an SPDX expression allows shipping; one that is not understood does not, such as one with parentheses. */
export const mayShip = (expression: string): boolean => {
  const bare = /^\(([^()]*)\)$/.exec(expression)?.[1] ?? expression
  return !/[()]/.test(bare) && bare.split(' OR ').some((one) => one.split(' AND ').every((id) => allowed.has(id)))
}

// Only a bundler's own code is shipped, not its dependencies.
const ofItsParts = /\n# Licenses of bundled dependencies[^]*$/

const isLicence = (file: string): boolean => /^((un)?licen[sc]e|copying|notice)/i.test(file)

const textOf = (folder: string, licence: string): string | null => {
  const own = readdirSync(folderOf(folder)).filter(isLicence).toSorted()
  if (own.length > 0) return own.map((file) => readFileSync(join(folderOf(folder), file), 'utf8').replaceAll('\r\n', '\n').replace(ofItsParts, '').trim()).join('\n\n')
  const { author } = manifestOf(folder)
  const given = standard[licence]
  const [words] = given === undefined ? [] : (given.from.exec(textOf(given.of, licence) ?? '') ?? [])
  return author === undefined || words === undefined ? null : `Copyright (c) ${author.replace(/\s*[<(].*$/, '')}\n\n${words.trim()}`
}

/** The licenses of packages, by their folders below `node_modules`, and objections to shipping them. */
export const licencesOf = (folders: readonly string[]): { readonly licences: readonly Licence[]; readonly faults: readonly string[] } => {
  const faults: string[] = []
  const licences = folders.flatMap((folder): Licence[] => {
    const { name, version, license } = manifestOf(folder)
    const licence = license ?? read[`${name}@${version}`]
    if (licence === undefined) faults.push(`${name} ${version} names no licence: read its files, and say in build/licences.ts what they say.`)
    else if (!mayShip(licence)) faults.push(`${name} ${version} is under ${licence}, under which nothing is shipped here.`)
    const text = licence === undefined ? null : textOf(folder, licence)
    if (licence !== undefined && text === null) faults.push(`${name} ${version} has no license text (${licence}), and none can be made for it.`)
    if (licence === undefined || text === null) return []
    const other = inside[folder]
    return [{ name, version, licence, text }, ...(other === undefined ? [] : [{ name: `${other.name} (${other.of})`, version, licence: other.licence, text: readFileSync(other.file, 'utf8').trim() }])]
  })
  return { licences, faults }
}

/** Every license of what is shipped, by name; throws, with all that is to be done, if one is unknown or not allowed. */
export const shippedLicences = (): readonly Licence[] => {
  const { licences, faults } = licencesOf([...shippedList(), runtime])
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return licences.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Writes `licences.json` beside the page: all packages of the desktop, with their license texts, each text once. */
export const licencesFile: Plugin = {
  name: 'fillbook:licences',
  apply: 'build',
  generateBundle() {
    const licences = shippedLicences()
    const texts = [...new Set(licences.map(({ text }) => text))]
    const packages = licences.map(({ name, version, licence, text }) => ({ name, version, licence, text: texts.indexOf(text) }))
    this.emitFile({ type: 'asset', fileName: 'licences.json', source: JSON.stringify({ packages, texts }) })
  },
}
