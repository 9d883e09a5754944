import { and, eq } from 'drizzle-orm'
import { ruleSet, type RuleSet, type Stage } from '#shared/api/rules.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import { unfitAmounts } from '#shared/rules/unfit-amounts.ts'
import { isConnected } from '../accounts/copy-of.ts'
import { query, type Reader, type Writer } from '../db/database.ts'
import { accountRules as table, ruleBreaches } from '../db/schema/rules.ts'
import type { Merging } from '../mirror/merge-ground.ts'
import { noteChange, queueForCloud } from '../mirror/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import type { OfAccount, SeenBreach } from './rows.ts'
import type { At, OfUser } from '../db/rows.ts'

type Content = ContentOf<'rules'>

/** A rule set as it is kept. One that a newer program wrote may hold what this one does not know: it stays, and counts as none. */
export const setOf = (text: string | null): RuleSet | null => {
  const set = text === null ? undefined : ruleSet.safeParse(JSON.parse(text)).data
  return set === undefined || unfitAmounts(set).length > 0 ? null : set
}

/** What is kept of an account's rules, taken back or not; null where nothing ever was said. */
export const rulesOf = ({ orm }: Reader, userId: string, account: string): Content | null => {
  const row = orm.select().from(table).where(and(eq(table.userId, userId), eq(table.account, account))).get()
  return row === undefined ? null : { set: setOf(row.rules), presetId: row.presetId, since: row.since, stageByHand: row.stage, stamp: row.stamp }
}

// Its fields in the order of their description, so that the same set is the same text, wherever it was.
const textOf = (set: RuleSet | null): string | null => (set === null ? null : JSON.stringify(ruleSet.parse(set)))

/** Writes an account's rules, in the caller's transaction. What was seen broken under other rules counts no more. */
export const putRules = (writer: Writer, userId: string, account: string, { set, presetId, since, stageByHand, stamp }: Content): void => {
  const known = rulesOf(writer, userId, account)
  if (textOf(known?.set ?? null) !== textOf(set) || known?.since !== since) writer.orm.delete(ruleBreaches).where(and(eq(ruleBreaches.userId, userId), eq(ruleBreaches.account, account))).run()
  const row = { rules: textOf(set), presetId, since, stage: stageByHand, stamp }
  writer.orm.insert(table).values({ userId, account, ...row }).onConflictDoUpdate({ target: [table.userId, table.account], set: row }).run()
}

const nothing = { set: null, presetId: null, since: null, stageByHand: null } as const

/** Keeps what the user says of an account's rules; said again is not changed. False where no such account is connected. */
const say = (writer: Writer, { userId, at, account }: { readonly userId: string; readonly at: number; readonly account: string }, said: Partial<Omit<Content, 'stamp'>>): boolean => {
  if (!isConnected(writer, userId, account)) return false
  const known = rulesOf(writer, userId, account) ?? nothing
  const next = { ...known, ...said }
  const unchanged = textOf(known.set) === textOf(next.set) && known.presetId === next.presetId && known.since === next.since && known.stageByHand === next.stageByHand
  if (unchanged) return true
  putRules(writer, userId, account, { ...next, stamp: mintStamp(writer, at) })
  noteChange(writer, userId, at, 'rules', account)
  return true
}

/** Keeps what an account's rules are, or takes them back. False where no such account is connected. */
export const setRules = (writer: Writer, { set, presetId, since, ...of }: OfAccount & At & { readonly set: RuleSet | null; readonly presetId: string | null; readonly since: string | null }): boolean => say(writer, of, { set, presetId, since })

/** Moves an account's stage by hand, or lets it follow again. False where no such account is connected. */
export const setStage = (writer: Writer, { stage, ...of }: OfAccount & At & { readonly stage: Stage | null }): boolean => say(writer, of, { stageByHand: stage })

/** The later stamp wins. */
export const mergeRules = ({ writer, userId, at }: Merging, account: string, came: Content): void => {
  const known = rulesOf(writer, userId, account)
  const localWins = known !== null && known.stamp > came.stamp
  queueForCloud(writer, { userId, at, entity: 'rules', id: account, localWins })
  if (!localWins) putRules(writer, userId, account, came)
}

/** Whether rules are set for any connected account. */
export const anyRules = (reader: Reader, { userId }: OfUser): boolean =>
  query(reader, 'SELECT 1 FROM account_rules AS own JOIN accounts ON accounts.user_id = own.user_id AND key = own.account WHERE own.user_id = ? AND rules IS NOT NULL AND removed_at IS NULL LIMIT 1').get(userId) !== undefined

/** Keeps the first breach of an account that was seen; false where one is known already. */
export const noteBreach = ({ orm }: Writer, { userId, account, rule, tradingDay, at }: OfAccount & SeenBreach): boolean =>
  orm.insert(ruleBreaches).values({ userId, account, rule, tradingDay, at }).onConflictDoNothing().run().changes > 0
