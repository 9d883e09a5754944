import { exactRatio, followerRule, groupDraft, type CopyGroup, type ExactRatio, type FollowerRule, type GroupFault } from '#shared/api/copier.ts'
import { typedNumber, typedWhole } from '#shared/money/typed-number.ts'
import { z } from 'zod'

/** A field that the wire's own schema reads; `fault` is its error. */
const field = <Typed, Read>(schema: z.ZodType<Read>, fault: string, valueOf: (typed: Typed) => unknown) =>
  z.custom<Typed>().transform((typed, { addIssue }) => {
    const { data } = schema.safeParse(valueOf(typed))
    if (data !== undefined) return data
    addIssue(fault)
    return z.NEVER
  })

type TypedRatio = { num: string; den: string }
export type TypedMapping = { from: string; to: string; factor: TypedRatio }

const emptyToNull = <Value>(valueOf: (text: string) => Value) => (text: string): Value | null => (text.trim() === '' ? null : valueOf(text))
const productsOf = (text: string): string[] | null => text.match(/[^\s,;]+/g)

/** The typed ratio; null if invalid. */
export const ratioOf = ({ num, den }: TypedRatio): ExactRatio | null => exactRatio.safeParse({ num: typedWhole(num), den: typedWhole(den) }).data ?? null

const mappingsOf = (mappings: readonly TypedMapping[]) => mappings.map((mapping) => ({ ...mapping, factor: ratioOf(mapping.factor) }))
const differ = (mappings: readonly { readonly from: string }[]): boolean => new Set(mappings.map(({ from }) => from)).size === mappings.length

const { shape } = followerRule
const ruleFields = followerRule.extend({
  ratio: field(shape.ratio, 'ratio', ratioOf),
  mappings: field(shape.mappings, 'mapping', mappingsOf).refine(differ, 'mapping-twice'),
  contractCap: field(shape.contractCap, 'whole', emptyToNull(typedWhole)),
  maxPosition: field(shape.maxPosition, 'whole', emptyToNull(typedWhole)),
  products: field(shape.products, 'product', productsOf),
  dailyLoss: field(shape.dailyLoss, 'amount', emptyToNull(typedNumber)),
  dailyProfit: field(shape.dailyProfit, 'amount', emptyToNull(typedNumber)),
  maxRejects: field(shape.maxRejects, 'whole', typedWhole),
})

/** A group as typed, and as saved: nothing is guessed. Errors are codes; the screen owns the words. */
export const groupFields = groupDraft.extend({
  name: field(groupDraft.shape.name, 'missing-name', (typed: string) => typed),
  leader: field(groupDraft.shape.leader, 'missing-leader', (typed: string | null) => typed),
  followers: z.array(ruleFields).min(1, 'missing-followers'),
})

/** The form's values. */
export type TypedGroup = z.input<typeof groupFields>

/** A follower's settings as typed. */
export type TypedRule = z.input<typeof ruleFields>

/** Suggested mappings: the small contract for the large one, and back. */
export const mappingPresets: readonly TypedMapping[] = (
  [['NQ', 'MNQ'], ['ES', 'MES'], ['YM', 'MYM'], ['RTY', 'M2K'], ['CL', 'MCL'], ['GC', 'MGC']] as const
).flatMap(([large, small]) => [
  { from: large, to: small, factor: { num: '10', den: '1' } },
  { from: small, to: large, factor: { num: '1', den: '10' } },
])

/** A new follower: one to one, without limits. */
export const newRule = (account: string): TypedRule => ({ account, on: true, ratio: { num: '1', den: '1' }, mappings: [], contractCap: '', maxPosition: '', products: '', dailyLoss: '', dailyProfit: '', maxRejects: '5', invert: false, guard: false })

/** A new group's initial values: the dry run is on until the user has seen it work. */
export const newGroup: TypedGroup = { name: '', leader: null, followers: [], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: true }

const textOf = (value: number | string | null): string => (value === null ? '' : String(value))
const typedRatio = ({ num, den }: ExactRatio): TypedRatio => ({ num: String(num), den: String(den) })

const typedRule = (rule: FollowerRule): TypedRule => ({
  ...rule,
  ratio: typedRatio(rule.ratio),
  mappings: rule.mappings.map((mapping) => ({ ...mapping, factor: typedRatio(mapping.factor) })),
  contractCap: textOf(rule.contractCap),
  maxPosition: textOf(rule.maxPosition),
  products: (rule.products ?? []).join(', '),
  dailyLoss: textOf(rule.dailyLoss),
  dailyProfit: textOf(rule.dailyProfit),
  maxRejects: String(rule.maxRejects),
})

/** A saved group as form values. */
export const typedGroup = ({ id: _, ...group }: CopyGroup): TypedGroup => ({ ...group, followers: group.followers.map(typedRule) })

/** The followers of a saved group that would no longer follow: removed, or switched off. */
export const leavingOf = ({ followers }: CopyGroup, typed: TypedGroup): string[] => {
  const stays = new Set(typed.followers.filter(({ on }) => on).map(({ account }) => account))
  return followers.filter(({ on, account }) => on && !stays.has(account)).map(({ account }) => account)
}

/** Copies the settings of one follower to all others; each keeps its account and whether it is on. */
export const sameForAll = (followers: readonly TypedRule[], account: string): TypedRule[] => {
  const pattern = followers.find((one) => one.account === account)
  return followers.map((one) => (pattern === undefined ? one : { ...pattern, account: one.account, on: one.on }))
}

/** The field that can fix what the program refused. */
export const fieldOf = ({ code, account }: GroupFault, { leader, followers }: TypedGroup) => {
  if (code === 'armed' || code === 'leader-follows' || (code === 'unknown-account' && account === leader)) return 'leader'
  const at = followers.findIndex((one) => one.account === account)
  if (at < 0) return 'followers'
  return code === 'mapping-twice' ? (`followers.${at}.mappings` as const) : (`followers.${at}.account` as const)
}
