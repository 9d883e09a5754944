import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { meets, type BenchRow } from './row.ts'

const file = new URL('../../docs/performance.md', import.meta.url)
const [opening, closing] = ['<!-- performance -->', '<!-- /performance -->']
const gigabyte = 2 ** 30

/** Puts the rows of one run between the marks of docs/performance.md, with the day and the machine they are of. */
export const writePerformance = (rows: readonly BenchRow[]): void => {
  const text = readFileSync(file, 'utf8')
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)]
  if (start < 0 || end < start) throw new Error('docs/performance.md has lost its marks')
  writeFileSync(file, `${text.slice(0, start)}${opening}\n${tableOf(rows)}\n${text.slice(end)}`)
}

const tableOf = (rows: readonly BenchRow[]): string => {
  const machine = `${String(availableParallelism())} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${String(Math.round(totalmem() / gigabyte))} GB, Node ${process.versions.node}`
  const lines = rows.map((row) => `| ${cell(row.name)} | ${ratioOf(row)} | ${Number.isNaN(row.limit) ? '' : String(row.limit)} | ${cell(figures(row))} |`)
  return [`${new Date().toISOString().slice(0, 10)}, ${machine}. A ratio in bold is above its limit.`, '', '| what | ratio | at most | figures (times in ms) |', '|---|---|---|---|', ...lines].join('\n')
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
