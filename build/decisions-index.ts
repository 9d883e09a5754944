import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const folder = new URL('../docs/decisions/', import.meta.url)

/** The index of decisions, generated from their headers. */
export const indexFile = new URL('README.md', folder)

/** One decision as in its file; `status` may contain a link to the one that replaced it. */
type Decision = { readonly file: string; readonly number: string; readonly title: string; readonly date: string; readonly status: string; readonly area: string; readonly body: string }

const areas = ['Trades and money', 'Imports and reconciliation', 'Accounts and sync', 'Trade copier', 'Positions, rules, and finances', 'AI reports', 'Journal, backups, and restore', 'Mirror and merge', 'Cloud service', 'Identity and plans', 'Security', 'Desktop', 'Screens', 'Build, tests, and performance'] as const

const shape = /^# (\d{4}) (.+)\n\n- Date: (\d{4}-\d\d-\d\d)\n- Status: (accepted|superseded by \[\d{4}\]\(\d{4}-[a-z0-9-]+\.md\))\n- Area: (.+)\n\n([^]+)\n$/

const read = (file: string): Decision => {
  const found = shape.exec(readFileSync(new URL(file, folder), 'utf8'))
  if (!found) throw new Error(`docs/decisions/${file} must begin with "# NNNN Title", a date, a status and an area; copy the head of another decision`)
  const [, number = '', title = '', date = '', status = '', area = '', body = ''] = found
  if (!areas.some((known) => known === area)) throw new Error(`docs/decisions/${file} names the area "${area}"; the areas are ${areas.join('; ')}`)
  return { file, number, title, date, status, area, body }
}

/** All decisions by number. */
export const readDecisions = (): readonly Decision[] => readdirSync(folder).filter((file) => /^\d{4}-.*\.md$/.test(file)).toSorted().map(read)

const lineOf = ({ file, number, title, date, status }: Decision): string => `- [${number}](${file}) ${title} (${date}${status === 'accepted' ? '' : `, ${status}`})`

/** The text of the index. */
export const decisionsIndex = (decisions: readonly Decision[]): string => `# Decisions

One short file for each decision: what was decided and why, when the specification is silent or two of its rules meet. A number is never reused. A decision that a later one replaces stays and is marked *superseded*.

To add one, copy the head of another file, take the next number, and run \`npm exec -- node build/decisions-index.ts\`, which writes this index.

Number 0017 (hide links to unfinished screens) has no file: all screens exist.

${areas.map((area) => `## ${area}\n\n${decisions.filter((decision) => decision.area === area).map(lineOf).join('\n')}\n`).join('\n')}`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(indexFile, decisionsIndex(readDecisions()))
