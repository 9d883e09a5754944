import { randomUUID } from 'node:crypto'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { startSharedApp, type App } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { uploadAll } from '#tests/helpers/upload.ts'
import { bytesOf, type Played } from './cases.ts'
import { moneyOf } from './cells.ts'
import type { Outcome, ShownTrade } from './outcome.ts'

/** The program as these cases need it: its clock goes a minute ahead whenever it is read, so that many may sign up in one real minute. */
export const startForMutations = (): Promise<App> => {
  let ahead = 0
  return startSharedApp({ now: () => Date.now() + (ahead += 60_000), env: { FILLBOOK_DEMO: 'off' } })
}

/** Hands a case to the program as its screens do: upload, preview, import, all at once or file by file; then asks for everything that they show. */
export const throughCalls = (app: App) => async ({ handed: { files, zone }, market, oneByOne, saysAccount }: Played): Promise<Outcome> => {
  const browser = await app.newBrowser()
  await browser.signUp(`${randomUUID()}@example.com`)
  const refused: string[] = []
  const warnings: { code: string; text: string }[] = []
  let rowsRefused = 0
  for (const part of oneByOne ? files.map((file) => [file]) : [files]) {
    const uploads = await uploadAll(browser, Object.fromEntries(part.map((file) => [file.name, bytesOf(file)])))
    if (uploads.length === 0) continue
    const account = market.accounts.length === 1 && saysAccount ? (market.accounts[0]?.name ?? null) : null
    const given = { work: randomUUID(), uploads, zone, account }
    const asked = await browser.call(importRoutes.previewImport, { body: given })
    // The user's question is answered: the account of a report from a single account.
    const request = asked.unnamed.left === 0 ? given : { ...given, uploads: uploads.map((upload, index) => (part[index]?.parts === undefined && (part[index]?.account ?? null) !== null ? { ...upload, account: part[index]?.account ?? null } : upload)) }
    const preview = asked.unnamed.left === 0 ? asked : await browser.call(importRoutes.previewImport, { body: { ...request, work: randomUUID() } })
    if (preview.unnamed.files.some(({ by }) => by === 'nothing')) {
      refused.push('it is asked whose the rows are')
      continue
    }
    for (const { name, problem, refused: rows } of preview.files) {
      rowsRefused += rows
      if (problem !== null) refused.push(`${name}: ${problem}`)
    }
    for (const warning of preview.outcome?.warnings ?? []) warnings.push({ code: warning.code, text: JSON.stringify(warning) })
    await browser.call(importRoutes.addImport, { body: { ...request, work: randomUUID() } })
  }
  return { refused, rowsRefused, warnings, ...(await shownBy(browser)) }
}

const allTrades = async (browser: Browser): Promise<readonly ShownTrade[]> => {
  const trades: ShownTrade[] = []
  for (;;) {
    const { total, rows } = await browser.call(journalRoutes.pairPage, { query: { offset: trades.length, limit: 500 } })
    for (const { symbol, account, side, qty, entryPrice, exitPrice, grossPnl, commission, netPnl, tradingDay, warnings, feeSource } of rows) {
      trades.push({ account, contract: symbol, side, qty, entry: entryPrice, exit: exitPrice, gross: grossPnl, commission, net: netPnl, tradingDay, marks: warnings, feeSource })
    }
    if (trades.length >= total || rows.length === 0) return trades
  }
}

const units = (text: string): bigint => moneyOf(text) ?? 0n
const written = (amount: bigint): string => (Number(amount) / 10_000).toFixed(4)

const shownBy = async (browser: Browser): Promise<Pick<Outcome, 'days' | 'trades' | 'totals'>> => {
  const trades = await allTrades(browser)
  const { days } = await browser.call(reconciliationRoutes.reconciliation, { query: {} })
  const { accounts } = await browser.call(brokerageRoutes.connectedAccounts)
  const nameOf = new Map(accounts.map(({ id, name }) => [id, name]))
  const { all, byAccount } = await browser.call(statisticsRoutes.statistics, { query: { unit: 'pairs' } })
  const whole = await browser.call(journalRoutes.tradePage, { query: { limit: 500 } })
  const net = (rows: readonly { readonly netPnl: string }[]): bigint => rows.reduce((sum, { netPnl }) => sum + units(netPnl), 0n)
  // Whatever they count, every screen shows the same money, but for what rounding each trade to cents makes.
  const room = 100n + 50n * BigInt(trades.length)
  const sums = [trades.reduce((sum, trade) => sum + units(trade.net), 0n), net(whole.rows), net(all.money)]
  if (sums.some((sum) => sum - (sums[0] ?? 0n) > room || (sums[0] ?? 0n) - sum > room)) throw new Error(`Fill pairs, trades and statistics disagree: ${sums.map(written).join(', ')}`)
  return {
    trades,
    days: days.map(({ account, tradingDay, currency, fillbook, state, reason }) => ({ account: nameOf.get(account) ?? account, tradingDay, currency, gross: fillbook.grossPnl, commission: fillbook.commission, net: fillbook.netPnl, state, reason })),
    totals: byAccount.flatMap(({ name, money }) => money.map(({ currency, grossPnl, commission, netPnl }) => ({ account: name, currency, gross: grossPnl, commission, net: netPnl }))),
  }
}
