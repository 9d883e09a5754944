import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Switch } from '#renderer/ui/toggles.tsx'
import type { ExactRatio } from '#shared/api/copier.ts'
import { CopyCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ratioOf, sameForAll, type TypedRule } from './draft.ts'
import { MappingFields } from './mapping-fields.tsx'
import { SwitchChoice } from './switch-choice.tsx'
import { useAccountNames } from './use-account-names.ts'
import type { GroupForm } from './use-group-form.ts'

/** How one account follows, the follower at this place of the form: how much, in which contracts, and its limits. */
export const RuleFields = ({ form, at, rule }: { form: GroupForm; at: number; rule: TypedRule }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const { typed: { followers }, set, register, errorOf } = form
  const name = nameOf(rule.account)
  const of = `followers.${at}` as const
  const text = (field: 'contractCap' | 'maxPosition' | 'dailyLoss' | 'dailyProfit' | 'maxRejects', mode: 'numeric' | 'decimal', placeholder: string) => (
    <Field label={t(`rule.${field}`)} hint={t(`rule.${field}-hint`)} error={errorOf(`${of}.${field}`)}>
      {(attributes) => <Input {...attributes} {...register(`${of}.${field}`)} inputMode={mode} autoComplete="off" maxLength={20} placeholder={placeholder} />}
    </Field>
  )
  return (
    <div role="group" aria-label={t('rule.of', { account: name })} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Switch aria-label={t('rule.on-of', { account: name })} checked={rule.on} onChange={(on) => { set(`${of}.on`, on) }} />
        <span className="min-w-0 truncate font-medium proportional-nums">{name}</span>
        <span className="text-sm text-faint">{rule.on ? t('rule.on') : t('rule.off')}</span>
        {followers.length > 1 && (
          <Button variant="outline" size="sm" className="ml-auto" onClick={() => { set('followers', sameForAll(followers, rule.account)) }}>
            <CopyCheck aria-hidden />
            {t('rule.for-all')}
          </Button>
        )}
      </div>
      <RatioFields form={form} name={`${of}.ratio`} ratio={rule.ratio} />
      <SwitchChoice label={t('rule.invert')} text={t('rule.invert-text')} checked={rule.invert} onChange={(invert) => { set(`${of}.invert`, invert) }} />
      <MappingFields form={form} name={`${of}.mappings`} mappings={rule.mappings} />
      <Field label={t('rule.products')} hint={t('rule.products-hint')} error={errorOf(`${of}.products`)}>
        {(attributes) => <Input {...attributes} {...register(`${of}.products`)} autoComplete="off" placeholder={t('rule.all')} />}
      </Field>
      <div className="grid grid-cols-2 gap-x-4 gap-y-3">
        {text('contractCap', 'numeric', t('rule.no-limit'))}
        {text('maxPosition', 'numeric', t('rule.no-limit'))}
        {text('dailyLoss', 'decimal', t('rule.no-limit'))}
        {text('dailyProfit', 'decimal', t('rule.no-limit'))}
        {text('maxRejects', 'numeric', '')}
      </div>
      <SwitchChoice label={t('rule.guard')} text={t('rule.guard-text')} checked={rule.guard} onChange={(guard) => { set(`${of}.guard`, guard) }} />
    </div>
  )
}

const RatioFields = ({ form: { set, register, errorOf }, name, ratio: { num, den } }: { form: GroupForm; name: `followers.${number}.ratio`; ratio: TypedRule['ratio'] }) => {
  const { t } = useTranslation('trade-copier')
  const error = errorOf(name)
  const ratio = ratioOf({ num, den })
  const typed = `${num.trim()}:${den.trim()}`
  const preset = ratioPresets.find((one) => one === typed) ?? ''
  const example = ratio && ratioExample(ratio)
  const ignored = ratio === null ? 0 : ignoredUpTo(ratio)
  const hint = example === null ? undefined : [
    t('rule.example', { count: example.leader, follower: example.follower }),
    ...(ignored > 0 ? [t('rule.ignored', { count: ignored })] : []),
  ].join(' ')
  return (
    <Field label={t('rule.ratio')} hint={hint} error={error}>
      {(attributes) => (
        <div className="flex flex-wrap items-center gap-2">
          <Segmented<string>
            label={t('rule.ratio-presets')}
            value={preset}
            onChange={(next) => {
              const [follower = '1', leader = '1'] = next.split(':')
              set(name, { num: follower, den: leader })
            }}
            options={ratioPresets.map((value) => ({ value, label: value }))}
          />
          <span className="w-14">
            <Input {...attributes} {...register(`${name}.num`)} className="text-right" inputMode="numeric" autoComplete="off" maxLength={4} />
          </span>
          <span className="text-sm text-muted">{t('rule.for')}</span>
          <span className="w-14">
            <Input {...register(`${name}.den`)} className="text-right" aria-label={t('rule.leader-part')} aria-invalid={error === null ? undefined : true} inputMode="numeric" autoComplete="off" maxLength={4} />
          </span>
        </div>
      )}
    </Field>
  )
}

/** Suggested ratios, the follower's contracts first. */
const ratioPresets = ['1:1', '1:2', '1:3', '2:1', '3:1'] as const

/** The follower's contracts for this many of the leader's, rounded down. */
const followed = (leader: number, { num, den }: ExactRatio): number => Math.trunc((leader * num) / den)

/** An example of the leader's contracts that shows a ratio's effect, with its rounding if it rounds, and the follower's contracts. */
export const ratioExample = (ratio: ExactRatio): { readonly leader: number; readonly follower: number } => {
  const rounds = ratio.num % ratio.den !== 0
  const leader = rounds ? ratio.den + 1 : 1
  return { leader, follower: followed(leader, ratio) }
}

/** The most contracts of the leader for which a follower gets none; 0 if it always gets some. */
export const ignoredUpTo = ({ num, den }: ExactRatio): number => Math.ceil(den / num) - 1
