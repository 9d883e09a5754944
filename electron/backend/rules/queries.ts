import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { ruleSet, type RuleSet, type Stage } from '#shared/api/rules.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import { unfitAmounts } from '#shared/rules/unfit-amounts.ts'
import { isConnected } from '../accounts/copy-of.ts'
import type { Reader, Writer } from '../db/database.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { accountRules as table, ruleBreaches } from '../db/schema/rules.ts'
import type { Merging } from '../mirror/merge-ground.ts'
import { queueChange, queueForCloud } from '../mirror/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import type { OfAccount, SeenBreach } from './rows.ts'
import type { At, OfUser } from '../db/rows.ts'

type Content = ContentOf<'rules'>

/** A stored rule set. One of a newer program may have unknown content: it stays stored, and counts as none. */
export const setOf = (text: string | null): RuleSet | null => {
  const set = text === null ? undefined : ruleSet.safeParse(JSON.parse(text)).data
  return set === undefined || unfitAmounts(set).length > 0 ? null : set
}

/** An account's stored rules, removed or not; null if none were ever set. */
export const rulesOf = ({ orm }: Reader, userId: string, account: string): Content | null => {
  const row = orm.select().from(table).where(and(eq(table.userId, userId), eq(table.account, account))).get()
  return row === undefined ? null : { set: setOf(row.rules), presetId: row.presetId, since: row.since, stageByHand: row.stage, stamp: row.stamp }
}

// Writes fields in schema order, so that equal sets have equal texts.
const textOf = (set: RuleSet | null): string | null => (set === null ? null : JSON.stringify(ruleSet.parse(set)))

/** Saves an account's rules, in the caller's transaction. Breaches seen under other rules no longer count. */
export const upsertRules = (writer: Writer, userId: string, account: string, { set, presetId, since, stageByHand, stamp }: Content): void => {
  const known = rulesOf(writer, userId, account)
  if (textOf(known?.set ?? null) !== textOf(set) || known?.since !== since) writer.orm.delete(ruleBreaches).where(and(eq(ruleBreaches.userId, userId), eq(ruleBreaches.account, account))).run()
  const row = { rules: textOf(set), presetId, since, stage: stageByHand, stamp }
  writer.orm.insert(table).values({ userId, account, ...row }).onConflictDoUpdate({ target: [table.userId, table.account], set: row }).run()
}

const nothing = { set: null, presetId: null, since: null, stageByHand: null } as const

/** Saves the user's settings of an account's rules; saving the same values changes nothing. False if no such account is connected. */
const saveSettings = (writer: Writer, { userId, at, account }: { readonly userId: string; readonly at: number; readonly account: string }, changes: Partial<Omit<Content, 'stamp'>>): boolean => {
  if (!isConnected(writer, userId, account)) return false
  const known = rulesOf(writer, userId, account) ?? nothing
  const next = { ...known, ...changes }
  const unchanged = textOf(known.set) === textOf(next.set) && known.presetId === next.presetId && known.since === next.since && known.stageByHand === next.stageByHand
  if (unchanged) return true
  upsertRules(writer, userId, account, { ...next, stamp: mintStamp(writer, at) })
  queueChange(writer, userId, at, 'rules', account)
  return true
}

/** Sets an account's rules, or removes them. False if no such account is connected. */
export const setRules = (writer: Writer, { set, presetId, since, ...of }: OfAccount & At & { readonly set: RuleSet | null; readonly presetId: string | null; readonly since: string | null }): boolean => saveSettings(writer, of, { set, presetId, since })

/** Sets an account's stage by hand, or lets it follow again. False if no such account is connected. */
export const setStage = (writer: Writer, { stage, ...of }: OfAccount & At & { readonly stage: Stage | null }): boolean => saveSettings(writer, of, { stageByHand: stage })

/** The later stamp wins. */
export const mergeRules = ({ writer, userId, at }: Merging, account: string, came: Content): void => {
  const known = rulesOf(writer, userId, account)
  const localWins = known !== null && known.stamp > came.stamp
  queueForCloud(writer, { userId, at, entity: 'rules', id: account, localWins })
  if (!localWins) upsertRules(writer, userId, account, came)
}

/** Whether any connected account has rules. */
export const anyRules = ({ orm }: Reader, { userId }: OfUser): boolean =>
  orm
    .select({ account: table.account })
    .from(table)
    .innerJoin(accounts, and(eq(accounts.userId, table.userId), eq(accounts.key, table.account)))
    .where(and(eq(table.userId, userId), isNotNull(table.rules), isNull(accounts.removedAt)))
    .limit(1)
    .get() !== undefined

/** Saves an account's first breach; false if one is already known. */
export const recordBreach = ({ orm }: Writer, { userId, account, rule, tradingDay, at }: OfAccount & SeenBreach): boolean =>
  orm.insert(ruleBreaches).values({ userId, account, rule, tradingDay, at }).onConflictDoNothing().run().changes > 0
