import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { folderOf, manifestOf, runtime, shippedList } from './shipped.ts'

/** What is said of the licence of something that is shipped: `licence` is an SPDX expression, `text` all that its files say. */
export type Licence = { readonly name: string; readonly version: string; readonly licence: string; readonly text: string }

/** Licences under which something may be part of a closed program. GPL, AGPL, LGPL and SSPL are none, nor is one that nobody has looked at. */
const allowed = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'OFL-1.1', 'PostgreSQL'])

/** Licences that a person read in the files of a version whose manifest names none. */
const read: Readonly<Record<string, string>> = { 'png-js@2.0.0': 'MIT' }

/** Where the words of a licence stand as they do everywhere, for packages that bring none along. */
const standard: Readonly<Record<string, { readonly of: string; readonly from: RegExp }>> = {
  MIT: { of: 'zod', from: /Permission is hereby granted[^]*/ },
  'Apache-2.0': { of: '@electric-sql/pglite', from: /^ *Apache License[^]*?END OF TERMS AND CONDITIONS/m },
}

/** What lies inside a package and is somebody else's, with a licence of its own; by the package's folder, `of` its name. */
export const inside: Readonly<Record<string, { readonly of: string; readonly name: string; readonly licence: string; readonly file: URL }>> = {
  '@electric-sql/pglite': { of: '@electric-sql/pglite', name: 'PostgreSQL', licence: 'PostgreSQL', file: new URL('./postgresql-licence.txt', import.meta.url) },
}

/** Whether something under an SPDX expression may be shipped; one that is not understood may not, such as one with brackets inside. */
export const mayShip = (expression: string): boolean => {
  const bare = /^\(([^()]*)\)$/.exec(expression)?.[1] ?? expression
  return !/[()]/.test(bare) && bare.split(' OR ').some((one) => one.split(' AND ').every((id) => allowed.has(id)))
}

// Of a bundler its own code is shipped, and nothing of what it is built from.
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

/** The licences of packages, by their folders below `node_modules`, and what speaks against shipping them. */
export const licencesOf = (folders: readonly string[]): { readonly licences: readonly Licence[]; readonly faults: readonly string[] } => {
  const faults: string[] = []
  const licences = folders.flatMap((folder): Licence[] => {
    const { name, version, license } = manifestOf(folder)
    const licence = license ?? read[`${name}@${version}`]
    if (licence === undefined) faults.push(`${name} ${version} names no licence: read its files, and say in build/licences.ts what they say.`)
    else if (!mayShip(licence)) faults.push(`${name} ${version} is under ${licence}, under which nothing is shipped here.`)
    const text = licence === undefined ? null : textOf(folder, licence)
    if (licence !== undefined && text === null) faults.push(`${name} ${version} brings no text of its licence (${licence}), and none can be made for it.`)
    if (licence === undefined || text === null) return []
    const other = inside[folder]
    return [{ name, version, licence, text }, ...(other === undefined ? [] : [{ name: `${other.name} (${other.of})`, version, licence: other.licence, text: readFileSync(other.file, 'utf8').trim() }])]
  })
  return { licences, faults }
}

/** Every licence of what is shipped, in the order of names; throws, with all that is to be done, where one is unknown or may not be shipped. */
export const shippedLicences = (): readonly Licence[] => {
  const { licences, faults } = licencesOf([...shippedList(), runtime])
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return licences.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Lays `licences.json` beside the page: all packages of the desktop, with the texts of their licences, each text once. */
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
