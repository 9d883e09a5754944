import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { meets, type BenchRow } from './row.ts'

const file = new URL('../../docs/performance.md', import.meta.url)
const [opening, closing] = ['<!-- performance -->', '<!-- /performance -->']
const gigabyte = 2 ** 30

/** Puts what was measured between the marks of docs/performance.md, a section for each benchmark with day and machine; the sections of others stay. `names` is their order. */
export const writePerformance = (names: readonly string[], measured: ReadonlyMap<string, readonly BenchRow[]>): void => {
  const text = readFileSync(file, 'utf8')
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)]
  if (start < 0 || end < start) throw new Error('docs/performance.md has lost its marks')
  const before = new Map(text.slice(start + opening.length, end).split(/^## /m).map((section) => [section.split(':')[0] ?? '', section.trimEnd()]))
  const sections = names.flatMap((name) => {
    const rows = measured.get(name)
    return rows === undefined || rows.every(({ ratio }) => Number.isNaN(ratio)) ? (before.get(name) ?? []) : sectionOf(name, rows)
  })
  writeFileSync(file, `${text.slice(0, start)}${opening}\n\n${sections.map((section) => `## ${section}\n\n`).join('')}${text.slice(end)}`)
}

const sectionOf = (name: string, rows: readonly BenchRow[]): string => {
  const machine = `${String(availableParallelism())} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${String(Math.round(totalmem() / gigabyte))} GB, Node ${process.versions.node}`
  const lines = rows.map((row) => `| ${cell(row.name)} | ${ratioOf(row)} | ${Number.isNaN(row.limit) ? '' : String(row.limit)} | ${cell(figures(row))} |`)
  return [`${name}: ${new Date().toISOString().slice(0, 10)}, ${machine}`, '', '| what | ratio | at most | figures (times in ms) |', '|---|---|---|---|', ...lines].join('\n')
}

const ratioOf = (row: BenchRow): string => {
  if (Number.isNaN(row.ratio)) return '**not measured**'
  return meets(row) ? row.ratio.toFixed(2) : `**${row.ratio.toFixed(2)}**`
}

const figures = ({ details }: BenchRow): string =>
  Object.entries(details)
    .map(([name, value]) => `${name} ${typeof value === 'number' && value >= 100 ? Math.round(value).toLocaleString('en-US') : String(value)}`)
    .join(', ')

const cell = (text: string): string => text.replaceAll('|', '\\|')
