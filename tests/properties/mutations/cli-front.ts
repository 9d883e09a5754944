import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { formatFile } from '#shared/imports/mapped-format.ts'
import { runImport } from '#cli/import-command.ts'
import { bytesOf, type Played } from './cases.ts'
import type { Outcome, ShownDay } from './outcome.ts'
import { formatsOf } from './platform-writers.ts'

type Report = {
  readonly currency: string | null
  readonly files: readonly { readonly path: string; readonly kind: string | null; readonly rejected: readonly unknown[] }[]
  readonly byAccount: readonly { readonly account: string; readonly currency?: string | null; readonly grossPnl: string; readonly commission: string; readonly netPnl: string }[]
  readonly byTradingDay: readonly { readonly account: string; readonly tradingDay: string; readonly currency?: string | null; readonly grossPnl: string; readonly commission: string; readonly netPnl: string; readonly difference: string | null; readonly state?: ShownDay['state']; readonly reason?: string | null }[]
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

class Left extends Error {
  readonly code: number
  constructor(code: number) {
    super('left')
    this.code = code
  }
}

/** Runs `fillbook import … --json` in this process and gives its exit code and what it printed. */
const runCommand = async (args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> => {
  let [out, err] = ['', '']
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true)),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true)),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Left(Number(code))
    }),
  ]
  try {
    const code = await runImport(args).catch((error: unknown) => {
      if (error instanceof Left) return error.code
      throw error
    })
    return { code, out, err }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** Hands a case to the command line. */
export const throughCommand = async ({ handed: { files, zone }, market, saysAccount }: Played): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-mutations-'))
  try {
    const paths = files.map((file) => {
      const path = join(folder, file.name)
      writeFileSync(path, bytesOf(file))
      return path
    })
    const [only] = market.accounts
    const account = market.accounts.length === 1 && only !== undefined && saysAccount ? ['--account', only.name] : []
    const formats = [...new Set(files.map(({ kind }) => kind))].flatMap((kind) => {
      const format = formatsOf[kind]
      if (format === undefined) return []
      const path = join(folder, `${kind}.json`)
      writeFileSync(path, formatFile(format))
      return ['--format', path]
    })
    const first = await runCommand([...paths, ...formats, '--timezone', zone, '--json', ...account])
    // The user's question is answered: the account of a report from a single account.
    const answers = files.flatMap((file, index) => (file.account === null || file.parts !== undefined ? [] : ['--account', `${paths[index] ?? ''}=${file.account}`]))
    const { code, out, err } = first.code === 2 && first.err.includes('Whose trades are these?') && answers.length > 0 ? await runCommand([...paths, ...formats, '--timezone', zone, '--json', ...answers]) : first
    const nothing: Outcome = { refused: err.trim().split('\n'), rowsRefused: 0, days: [], trades: null, totals: [], warnings: [] }
    if (code !== 0 && code !== 2) throw new Error(`The command ended with ${String(code)}: ${err}`)
    if (out.trim() === '') return nothing
    return outcomeOf(JSON.parse(out) as Report, code === 2 ? nothing.refused : [])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const outcomeOf = ({ currency: only, files, byAccount, byTradingDay, warnings }: Report, refused: readonly string[]): Outcome => ({
  refused,
  rowsRefused: files.reduce((count, { rejected }) => count + rejected.length, 0),
  days: byTradingDay.map(({ account, tradingDay, currency = only, grossPnl, commission, netPnl, difference, state, reason }) => ({
    account, tradingDay, currency, gross: grossPnl, commission, net: netPnl,
    state: state ?? (difference === null ? 'unchecked' : difference === '0.00' ? 'equal' : 'differs'), reason: reason ?? null,
  })),
  trades: null,
  totals: byAccount.map(({ account, currency = only, grossPnl, commission, netPnl }) => ({ account, currency, gross: grossPnl, commission, net: netPnl })),
  warnings: warnings.map(({ code, message }) => ({ code, text: message })),
})
