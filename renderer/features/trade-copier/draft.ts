import { exactRatio, followerRule, symbolMapping, type CopyGroup, type ExactRatio, type FollowerRule, type GroupDraft, type GroupFault } from '#shared/api/copier.ts'
import { productName } from '#shared/api/fields.ts'

/** A mapping as typed. */
export type MappingForm = { readonly from: string; readonly to: string; readonly num: string; readonly den: string }

/** A follower's settings as typed. */
export type RuleForm = {
  readonly account: string
  readonly on: boolean
  readonly num: string
  readonly den: string
  readonly mappings: readonly MappingForm[]
  readonly contractCap: string
  readonly maxPosition: string
  readonly products: string
  readonly dailyLoss: string
  readonly dailyProfit: string
  readonly maxRejects: string
  readonly invert: boolean
  readonly guard: boolean
}

/** A group as typed. */
export type GroupForm = { readonly name: string; readonly leader: string | null; readonly followers: readonly RuleForm[] } & Pick<GroupDraft, 'exits' | 'mode' | 'unprotected' | 'leftExits' | 'dryRun'>

/** The fields that can have errors. */
export type FaultField = 'name' | 'leader' | 'followers' | 'ratio' | 'mappings' | 'contractCap' | 'maxPosition' | 'products' | 'dailyLoss' | 'dailyProfit' | 'maxRejects'

/** A field's error: of the group, or of one account's rule. */
export type Fault = { readonly field: FaultField; readonly account: string | null; readonly code: 'missing' | 'whole' | 'ratio' | 'amount' | 'product' | 'mapping' | GroupFault['code']; readonly limit: number | null }

/** Suggested mappings: the small contract for the large one, and back. */
export const mappingPresets: readonly MappingForm[] = (
  [['NQ', 'MNQ'], ['ES', 'MES'], ['YM', 'MYM'], ['RTY', 'M2K'], ['CL', 'MCL'], ['GC', 'MGC']] as const
).flatMap(([large, small]) => [
  { from: large, to: small, num: '10', den: '1' },
  { from: small, to: large, num: '1', den: '10' },
])

/** A new follower: one to one, without limits. */
export const newRule = (account: string): RuleForm => ({ account, on: true, num: '1', den: '1', mappings: [], contractCap: '', maxPosition: '', products: '', dailyLoss: '', dailyProfit: '', maxRejects: '5', invert: false, guard: false })

/** A new group's initial values: the dry run is on until the user has seen it work. */
export const newGroup: GroupForm = { name: '', leader: null, followers: [], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: true }

const typed = (value: number | string | null): string => (value === null ? '' : String(value))

const formOfRule = (rule: FollowerRule): RuleForm => ({
  account: rule.account,
  on: rule.on,
  num: String(rule.ratio.num),
  den: String(rule.ratio.den),
  mappings: rule.mappings.map(({ from, to, factor }) => ({ from, to, num: String(factor.num), den: String(factor.den) })),
  contractCap: typed(rule.contractCap),
  maxPosition: typed(rule.maxPosition),
  products: (rule.products ?? []).join(', '),
  dailyLoss: typed(rule.dailyLoss),
  dailyProfit: typed(rule.dailyProfit),
  maxRejects: String(rule.maxRejects),
  invert: rule.invert,
  guard: rule.guard,
})

/** A saved group as form values. */
export const formOf = ({ name, leader, followers, exits, mode, unprotected, leftExits, dryRun }: CopyGroup): GroupForm => ({ name, leader, followers: followers.map(formOfRule), exits, mode, unprotected, leftExits, dryRun })

/** The followers of a saved group that would no longer follow: removed, or switched off. */
export const leavingOf = ({ followers }: CopyGroup, form: GroupForm): string[] => {
  const stays = new Set(form.followers.filter(({ on }) => on).map(({ account }) => account))
  return followers.filter(({ on, account }) => on && !stays.has(account)).map(({ account }) => account)
}

// `1e3` and `0x10` are numbers to JavaScript, but a person's typos.
const wholeOf = (text: string): number => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN)

/** The typed ratio; null if invalid. */
export const ratioOf = ({ num, den }: { readonly num: string; readonly den: string }): ExactRatio | null => {
  const read = exactRatio.safeParse({ num: wholeOf(num), den: wholeOf(den) })
  return read.success ? read.data : null
}

/** Copies the settings of one follower to all others; each keeps its account and whether it is on. */
export const sameForAll = (followers: readonly RuleForm[], account: string): RuleForm[] => {
  const pattern = followers.find((one) => one.account === account)
  return followers.map((one) => (pattern === undefined ? one : { ...pattern, account: one.account, on: one.on }))
}

const emptyToNull = <T>(text: string, read: (text: string) => T): T | null => (text.trim() === '' ? null : read(text.trim()))
const amountOf = (text: string): string => text.replaceAll(/[\s,$]/g, '')
const isAmount = (text: string): boolean => followerRule.shape.dailyLoss.safeParse(text).success && Number(text) > 0
const productsOf = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '').map((part) => part.toUpperCase())

/** A rule's values, with all of its errors. */
const readRule = (form: RuleForm): { readonly rule: FollowerRule; readonly faults: Fault[] } => {
  const faults: Fault[] = []
  const fault = (field: FaultField, code: Fault['code']): void => { faults.push({ field, account: form.account, code, limit: null }) }
  const ratio = ratioOf(form)
  if (ratio === null) fault('ratio', 'ratio')
  const mappings = form.mappings.flatMap((mapping) => {
    const read = symbolMapping.safeParse({ from: mapping.from, to: mapping.to, factor: ratioOf(mapping) })
    return read.success ? [read.data] : []
  })
  if (mappings.length < form.mappings.length) fault('mappings', 'mapping')
  else if (new Set(mappings.map(({ from }) => from)).size < mappings.length) fault('mappings', 'mapping-twice')
  const products = productsOf(form.products)
  if (!products.every((product) => productName.safeParse(product).success)) fault('products', 'product')
  const amounts = { dailyLoss: emptyToNull(form.dailyLoss, amountOf), dailyProfit: emptyToNull(form.dailyProfit, amountOf) }
  for (const field of ['dailyLoss', 'dailyProfit'] as const) if (amounts[field] !== null && !isAmount(amounts[field])) fault(field, 'amount')
  const wholes = { contractCap: emptyToNull(form.contractCap, wholeOf), maxPosition: emptyToNull(form.maxPosition, wholeOf), maxRejects: wholeOf(form.maxRejects) }
  for (const field of ['contractCap', 'maxPosition', 'maxRejects'] as const) if (!followerRule.shape[field].safeParse(wholes[field]).success) fault(field, 'whole')
  return { rule: { account: form.account, on: form.on, ratio: ratio ?? { num: 1, den: 1 }, mappings, products: products.length === 0 ? null : products, ...amounts, ...wholes, invert: form.invert, guard: form.guard }, faults }
}

/** The typed group, or all of its errors. */
export const readGroup = (form: GroupForm): { readonly draft: GroupDraft; readonly faults: readonly [] } | { readonly draft: null; readonly faults: readonly Fault[] } => {
  const rules = form.followers.map(readRule)
  const missing = ([['name', form.name.trim() === ''], ['leader', form.leader === null], ['followers', rules.length === 0]] as const).filter(([, lacks]) => lacks)
  const faults: Fault[] = [...missing.map(([field]) => ({ field, account: null, code: 'missing' as const, limit: null })), ...rules.flatMap((rule) => rule.faults)]
  if (faults.length > 0 || form.leader === null) return { draft: null, faults }
  return { draft: { name: form.name.trim(), leader: form.leader, followers: rules.map(({ rule }) => rule), exits: form.exits, mode: form.mode, unprotected: form.unprotected, leftExits: form.leftExits, dryRun: form.dryRun }, faults: [] }
}

const fieldOf: Record<GroupFault['code'], FaultField> = {
  armed: 'leader', 'leader-follows': 'leader', 'two-brokerages': 'followers', 'account-taken': 'followers', 'follower-leads': 'followers', 'follows-twice': 'followers', 'follows-itself': 'followers', 'plan-limit': 'followers', 'unknown-account': 'followers', 'mapping-twice': 'mappings',
}

/** The program's error, at the field that can fix it. */
export const faultOf = ({ code, account, limit }: GroupFault, form: GroupForm): Fault => ({ field: code === 'unknown-account' && account === form.leader ? 'leader' : fieldOf[code], account, code, limit })
