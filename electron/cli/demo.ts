import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { joinReceipts } from '#shared/sync/join-receipts.ts'
import type { Backend } from '#backend/host.ts'
import { demoReport, demoTable } from './demo-report.ts'
import type { DemoReport } from './demo-report.ts'
import { allow, loginsOffered, openApi, type ApiClient } from './headless-user.ts'
import { openBackend } from './open.ts'
import { leave, printableLines } from './terminal.ts'

const demoUser = 'demo'

const readArguments = (): { json?: boolean | undefined; 'data-dir'?: string | undefined } => {
  try {
    return parseArgs({ options: { json: { type: 'boolean' }, 'data-dir': { type: 'string' } } }).values
  } catch {
    return leave(2, 'usage: npm run -s demo -- [--json] [--data-dir D]')
  }
}

/** Connects every login without readable tokens on this computer, through its consent page. */
const connectAll = async (call: ApiClient): Promise<void> => {
  const consent = async (): Promise<string> => (await call(brokerageRoutes.beginConsent, { anotherLogin: true })).url
  const { accounts } = await call(brokerageRoutes.connectedAccounts)
  const connected = new Set(accounts.filter(({ sync }) => sync.state !== 'login-needed' && sync.state !== 'elsewhere').map(({ loginName }) => loginName))
  const missing = (await loginsOffered(await consent())).filter((login) => !connected.has(login))
  for (const login of missing) await call(brokerageRoutes.tradovate, { userId: demoUser, ...(await allow(await consent(), login)) })
}

/** Walks the demo brokerage through all its sessions with a sync in each; a failed run ends the walk and is returned instead of the report. */
const walkAll = async (backend: Backend, call: ApiClient): Promise<DemoReport | SyncReceipt> => {
  const { demo } = backend
  if (demo === null) return leave(2, 'The demo is switched off: set FILLBOOK_DEMO to on.')
  const { receipts: earlier } = await call(syncRoutes.receipts)
  const known = new Set(earlier.map(({ runId }) => runId))
  // A connection starts its own walk; if nothing of it is left, the last session is synced once more.
  await connectAll(call)
  do {
    const receipt = await backend.syncNow(demoUser)
    if (receipt.outcome === 'failed') return receipt
  } while (demo.stopsLeft() > 0)
  const [first, ...others] = (await call(syncRoutes.receipts)).receipts.filter(({ runId }) => !known.has(runId)).toReversed() as [SyncReceipt, ...SyncReceipt[]]
  return demoReport(await backend.totals(demoUser), joinReceipts([first, ...others]), await backend.mirrored(demoUser))
}

const { json, 'data-dir': wanted } = readArguments()
const dataDir = wanted ?? mkdtempSync(join(tmpdir(), 'fillbook-demo-'))
// The tokens of a temporary folder must not stay behind in the user's keychain.
const backend = await openBackend({ dataDir, port: '0', withPage: false, demoAccess: 'open', ...(wanted === undefined ? { secrets: 'file' } : {}) })
let code = 0
try {
  const report = await walkAll(backend, await openApi(await backend.launchUrl('demo')))
  if ('outcome' in report) {
    process.stderr.write(`The demo could not sync: ${report.troubles.map(({ loginName, code: why }) => `${loginName} ${why}`).join(', ') || 'see the log'}\n`)
    code = 1
  } else console.log(json === true ? JSON.stringify(report, null, 2) : demoTable(report))
} catch (error) {
  process.stderr.write(`${printableLines(`The demo had to stop: ${error instanceof Error ? error.message : String(error)}. The log in ${join(dataDir, 'logs')} has more.`)}\n`)
  code = 1
} finally {
  await backend.stop()
  if (wanted === undefined) rmSync(dataDir, { recursive: true, force: true })
}
process.exit(code)
