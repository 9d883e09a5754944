import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { auditFaults, exceptions, findingsOf, findingText, type Finding } from './audit-findings.ts'
import { givenWords } from './given-words.ts'
import { runNpm } from './npm.ts'
import { runtime, shippedList } from './shipped.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The result of an audit: its findings, or why it was not run. */
export type Audited = { readonly ran: true; readonly findings: readonly Finding[] } | { readonly ran: false; readonly why: string }

/** A package with vulnerabilities that every audit service knows. */
const known = { name: 'lodash', version: '4.17.4' }

const auditOf = async (folder: string, limitMs: number, env: Readonly<Record<string, string>>): Promise<Audited> => {
  // Only npm's warnings say why a service refused; `npm run -s` would silence them.
  const { code, out, errors } = await runNpm(['audit', '--json', '--loglevel=warn', '--package-lock-only', '--fetch-retries=0'], { folder, limitMs, env })
  if (code === null) return { ran: false, why: `no answer within ${String(limitMs / 1_000)} seconds` }
  const findings = findingsOf(out, [...shippedList(), runtime])
  return findings === null ? { ran: false, why: (/^npm (?:error|warn audit) (?!Unknown|A complete)(.+)$/m.exec(errors)?.[1] ?? 'the answer is not a report').trim() } : { ran: true, findings }
}

/**
 * Asks the registry's audit service about everything in the lock file of the project in `folder`. A service that knows
 * nothing about a package with known vulnerabilities audits nothing: then, and if it stays silent for `limitMs`
 * milliseconds, refuses or returns garbage, the audit was not run.
 */
export const audit = async (folder: string, limitMs: number, env: Readonly<Record<string, string>> = {}): Promise<Audited> => {
  const trial = mkdtempSync(join(tmpdir(), 'fillbook-audit-'))
  try {
    writeFileSync(join(trial, 'package.json'), JSON.stringify({ name: 'trial', version: '1.0.0', dependencies: { [known.name]: known.version } }))
    writeFileSync(join(trial, 'package-lock.json'), JSON.stringify({ name: 'trial', version: '1.0.0', lockfileVersion: 3, packages: { '': { name: 'trial', version: '1.0.0', dependencies: { [known.name]: known.version } }, [`node_modules/${known.name}`]: { version: known.version } } }))
    const tried = await auditOf(trial, limitMs, env)
    if (!tried.ran) return tried
    if (tried.findings.length === 0) return { ran: false, why: `the service finds nothing in ${known.name} ${known.version}, whose faults are known` }
    return await auditOf(folder, limitMs, env)
  } finally {
    rmSync(trial, { recursive: true, force: true })
  }
}

/** The report of an audit on a day (YYYY-MM-DD), line by line, and the exit code: 0 clean, 1 something to do, 2 not run. */
export const report = (audited: Audited, excepted: string, today: string): { readonly lines: readonly string[]; readonly code: 0 | 1 | 2 } => {
  const faults = auditFaults(exceptions(excepted), audited.ran ? audited.findings : null, today)
  if (!audited.ran) return { lines: [`Audit: not run (${audited.why}). Nothing is known of what is shipped.`, ...faults], code: faults.length > 0 ? 1 : 2 }
  const unshipped = audited.findings.filter(({ shipped }) => !shipped)
  const counts = `${String(audited.findings.length - unshipped.length)} in what is shipped, ${String(unshipped.length)} in what only builds and tests it`
  return { lines: [`Audit: ${faults.length > 0 ? 'something is to be done' : audited.findings.length > 0 ? 'clean, but see below' : 'clean'} (advisories: ${counts})`, ...faults, ...unshipped.map(findingText)], code: faults.length > 0 ? 1 : 0 }
}

if (import.meta.main) {
  givenWords('usage: npm run audit', 0)
  const { lines, code } = report(await audit(root, 120_000), readFileSync(new URL('./audit-exceptions.json', import.meta.url), 'utf8'), new Date().toISOString().slice(0, 10))
  const words = `${lines.join('\n')}\n`
  process.stdout.write(words)
  const summary = process.env['GITHUB_STEP_SUMMARY']
  if (summary !== undefined) {
    appendFileSync(summary, words.replaceAll('\n', '\n\n'))
    if (code === 2) process.stdout.write(`::warning::${lines[0] ?? ''}\n`)
  }
  process.exitCode = code
}
