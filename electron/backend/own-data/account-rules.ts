import { and, eq } from 'drizzle-orm'
import { ruleSet, type RuleSet } from '#shared/api/rules.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import { unfitAmounts } from '#shared/rules/unfit-amounts.ts'
import type { Reader, Writer } from '../db/database.ts'
import { accountRules as table, ruleBreaches } from '../db/schema/rules.ts'

/** An account's rules as stored and mirrored. */
export type AccountRules = ContentOf<'rules'>

/** A stored rule set. One of a newer program may have unknown content: it stays stored, and counts as none. */
export const setOf = (text: string | null): RuleSet | null => {
  const set = text === null ? undefined : ruleSet.safeParse(JSON.parse(text)).data
  return set === undefined || unfitAmounts(set).length > 0 ? null : set
}

/** An account's stored rules, removed or not; null if none were ever set. */
export const rulesOf = ({ orm }: Reader, userId: string, account: string): AccountRules | null => {
  const row = orm.select().from(table).where(and(eq(table.userId, userId), eq(table.account, account))).get()
  return row === undefined ? null : { set: setOf(row.rules), presetId: row.presetId, since: row.since, stageByHand: row.stage, stamp: row.stamp }
}

/** A rule set as stored: fields in schema order, so that equal sets have equal texts. */
export const ruleSetText = (set: RuleSet | null): string | null => (set === null ? null : JSON.stringify(ruleSet.parse(set)))

/** Saves an account's rules, in the caller's transaction. Breaches seen under other rules no longer count. */
export const upsertRules = (writer: Writer, userId: string, account: string, { set, presetId, since, stageByHand, stamp }: AccountRules): void => {
  const known = rulesOf(writer, userId, account)
  if (ruleSetText(known?.set ?? null) !== ruleSetText(set) || known?.since !== since) writer.orm.delete(ruleBreaches).where(and(eq(ruleBreaches.userId, userId), eq(ruleBreaches.account, account))).run()
  const row = { rules: ruleSetText(set), presetId, since, stage: stageByHand, stamp }
  writer.orm.insert(table).values({ userId, account, ...row }).onConflictDoUpdate({ target: [table.userId, table.account], set: row }).run()
}
