import { importRoutes } from '#shared/api/imports.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { leftOverRoutes } from '#shared/api/left-over.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import { account, user } from '../helpers/store.ts'
import type { HistoryComputer } from './history-computer.ts'
import { days, fileName, parts, type Part } from './history-steps.ts'

/** The subjects written about so far: ids of entered trades and of finances, and of the trades that files brought, by the numbers of the files. */
export type Subjects = { readonly entered: string[]; readonly finances: string[]; readonly pairs: Map<number, string> }

/** Imports that a computer's list says stand. */
export const claimsOf = async (computer: HistoryComputer): Promise<Set<string>> => {
  const { imports } = await computer.call(importRoutes.imports)
  return new Set(imports.filter(({ undoneAt }) => undoneAt === null).flatMap(({ files }) => files.map(({ name }) => name)))
}
/** Everything that a computer shows of all writes. */
export const seenOn = async (computer: HistoryComputer, { entered, finances, pairs }: Subjects): Promise<Map<string, string | undefined>> => {
  const { trades } = await computer.call(recordRoutes.getTrades, { query: user })
  const { notes } = await computer.call(leftOverRoutes.leftOverNotes, { query: {} })
  const rows = await computer.call(recordRoutes.getFinances, { query: user })
  const noted = await computer.call(ownDataRoutes.dayNotes, { query: {} })
  const { own } = await computer.call(ownDataRoutes.commissions)
  const { stops } = await computer.call(ownDataRoutes.defaultStops)
  const { accounts } = await computer.call(ruleRoutes.rules)
  const seen = new Map<string, string | undefined>()
  const show = (subject: string, id: string | undefined): boolean => {
    const trade = trades.find((one) => one.id === id)
    const known = trade ?? notes.find((one) => one.id === id)
    const of: Record<Part, string | undefined> = { notes: known?.notes, tags: known?.tags.join(), stop: known && (known.stop ?? ''), headline: known?.screenshotHeadline, picture: known?.screenshot }
    // Left-over notes are shown only while they are left over.
    for (const part of parts) seen.set(`${subject} ${part}`, trade === undefined && of[part] === '' ? undefined : of[part])
    return trade !== undefined
  }
  for (const id of entered) seen.set(`${id} is there`, show(id, id) ? 'yes' : '')
  for (const [file, id] of pairs) {
    const shown = show(`pair-${String(file)}`, id)
    seen.set(fileName(file), shown ? 'stands' : undefined)
    seen.set(`pair-${String(file)} in view`, shown ? 'yes' : undefined)
  }
  for (const id of finances) {
    const row = rows.finances.find((one) => one.id === id)
    seen.set(id, row === undefined ? '' : `${String(row.amount)} ${row.note}`)
  }
  for (const day of days) {
    const known = noted.days.find(({ tradingDay }) => tradingDay === day)
    seen.set(`${day} notes`, known?.notes ?? '')
    seen.set(`${day} tags`, known?.tags.join() ?? '')
  }
  seen.set('rate', own.map(({ perSide }) => perSide).join())
  seen.set('stop', stops.map(({ distance }) => distance).join())
  // An account unknown to this computer has no rules either.
  seen.set('rules', accounts.find((one) => one.account === account)?.set?.profitTarget ?? '')
  return seen
}
