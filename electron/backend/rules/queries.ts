import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { RuleSet, Stage } from '#shared/api/rules.ts'
import { isConnected } from '../db/is-connected.ts'
import type { Reader, Writer } from '../db/database.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { accountRules as table, ruleBreaches } from '../db/schema/rules.ts'
import { queueChange } from '../db/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import { rulesOf, ruleSetText, upsertRules, type AccountRules } from '../own-data/account-rules.ts'
import type { OfAccount, SeenBreach } from './rows.ts'
import type { At, OfUser } from '../db/rows.ts'

const nothing = { set: null, presetId: null, since: null, stageByHand: null } as const

/** Saves the user's settings of an account's rules; saving the same values changes nothing. False if no such account is connected. */
const saveSettings = (writer: Writer, { userId, at, account }: { readonly userId: string; readonly at: number; readonly account: string }, changes: Partial<Omit<AccountRules, 'stamp'>>): boolean => {
  if (!isConnected(writer, userId, account)) return false
  const known = rulesOf(writer, userId, account) ?? nothing
  const next = { ...known, ...changes }
  const unchanged = ruleSetText(known.set) === ruleSetText(next.set) && known.presetId === next.presetId && known.since === next.since && known.stageByHand === next.stageByHand
  if (unchanged) return true
  upsertRules(writer, userId, account, { ...next, stamp: mintStamp(writer, at) })
  queueChange(writer, userId, at, 'rules', account)
  return true
}

/** Sets an account's rules, or removes them. False if no such account is connected. */
export const setRules = (writer: Writer, { set, presetId, since, ...of }: OfAccount & At & { readonly set: RuleSet | null; readonly presetId: string | null; readonly since: string | null }): boolean => saveSettings(writer, of, { set, presetId, since })

/** Sets an account's stage by hand, or lets it follow again. False if no such account is connected. */
export const setStage = (writer: Writer, { stage, ...of }: OfAccount & At & { readonly stage: Stage | null }): boolean => saveSettings(writer, of, { stageByHand: stage })

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
