import { Checkbox } from '#renderer/ui/toggles.tsx'
import { useTranslation } from 'react-i18next'
import type { RulesForm, RuleSwitch } from './rules-draft.ts'
import { ContractFields } from './rules-contract-fields.tsx'
import { ChoiceField, FigureField, RuleSection, type FaultAt } from './rules-field.tsx'

type Given = { readonly form: RulesForm; readonly faultAt: FaultAt; readonly onChange: (more: Partial<RulesForm>) => void }

/** All rules of an account, each with a switch. */
export const RuleFields = (given: Given) => {
  const { form, onChange } = given
  const section = (rule: RuleSwitch) => ({ rule, on: form.on[rule], onSwitch: (on: boolean) => { onChange({ on: { ...form.on, [rule]: on } }) } })
  return (
    <>
      <RuleSection {...section('maxLoss')}><MaxLossFields {...given} /></RuleSection>
      <RuleSection {...section('dailyLoss')}><DailyLossFields {...given} /></RuleSection>
      <RuleSection {...section('profitTarget')}><Target {...given} /></RuleSection>
      <RuleSection {...section('consistency')}><ShareFields {...given.form.consistency} path="consistency" faultAt={given.faultAt} onChange={(consistency) => { onChange({ consistency }) }} /></RuleSection>
      <RuleSection {...section('minimumDays')}><Days name="minimumDays" {...given} /></RuleSection>
      <RuleSection {...section('winningDays')}><WinningFields {...form.winningDays} path="winningDays" faultAt={given.faultAt} onChange={(winningDays) => { onChange({ winningDays }) }} /></RuleSection>
      <RuleSection {...section('contracts')}><ContractFields contracts={form.contracts} faultAt={given.faultAt} onChange={(contracts) => { onChange({ contracts }) }} /></RuleSection>
      <RuleSection {...section('flatBy')}><FlatByFields {...given} /></RuleSection>
      <RuleSection {...section('noHedging')} />
      <RuleSection {...section('timeLimit')}><Days name="timeLimit" {...given} /></RuleSection>
      <RuleSection {...section('payout')}><PayoutFields {...given} /></RuleSection>
    </>
  )
}

const trails = ['static', 'end-of-day', 'intraday'] as const

const MaxLossFields = ({ form: { maxLoss }, faultAt, onChange }: Given) => {
  const { t } = useTranslation('rules')
  const change = (more: Partial<RulesForm['maxLoss']>): void => { onChange({ maxLoss: { ...maxLoss, ...more } }) }
  return (
    <>
      <FigureField label={t('field.amount')} value={maxLoss.amount} error={faultAt('maxLoss.amount')} onChange={(amount) => { change({ amount }) }} />
      <ChoiceField label={t('field.trail')} value={maxLoss.trail} options={trails.map((value) => ({ value, label: t(`trail.${value}`) }))} onChange={(trail) => { change({ trail }) }} />
      {maxLoss.trail !== 'intraday' && (
        <ChoiceField label={t('field.counts')} value={maxLoss.counts} options={(['with-open', 'realised'] as const).map((value) => ({ value, label: t(`counts.${value}`) }))} onChange={(counts) => { change({ counts }) }} />
      )}
      {maxLoss.trail !== 'static' && (
        <label className="mt-5.25 flex h-8 cursor-pointer items-center gap-2">
          <Checkbox checked={maxLoss.locks} onChange={(locks) => { change({ locks }) }} aria-label={t('field.locks')} />
          {t('field.locks')}
        </label>
      )}
      {maxLoss.trail !== 'static' && maxLoss.locks && (
        <FigureField label={t('field.locks-at')} hint={t('field.locks-at-hint')} value={maxLoss.locksAt} error={faultAt('maxLoss.locksAt')} onChange={(locksAt) => { change({ locksAt }) }} />
      )}
    </>
  )
}

const DailyLossFields = ({ form: { dailyLoss }, faultAt, onChange }: Given) => {
  const { t } = useTranslation('rules')
  const change = (more: Partial<RulesForm['dailyLoss']>): void => { onChange({ dailyLoss: { ...dailyLoss, ...more } }) }
  return (
    <>
      <FigureField label={t('field.amount')} value={dailyLoss.amount} error={faultAt('dailyLoss.amount')} onChange={(amount) => { change({ amount }) }} />
      <ChoiceField label={t('field.counts')} value={dailyLoss.counts} options={(['with-open', 'realised'] as const).map((value) => ({ value, label: t(`counts.${value}`) }))} onChange={(counts) => { change({ counts }) }} />
      <ChoiceField label={t('field.breach')} value={dailyLoss.breach} options={(['pause', 'hard'] as const).map((value) => ({ value, label: t(`breach.${value}`) }))} onChange={(breach) => { change({ breach }) }} />
    </>
  )
}

const Target = ({ form, faultAt, onChange }: Given) => {
  const { t } = useTranslation('rules')
  return <FigureField label={t('field.target')} hint={t('field.target-hint')} value={form.profitTarget} error={faultAt('profitTarget')} onChange={(profitTarget) => { onChange({ profitTarget }) }} />
}

const Days = ({ name, form, faultAt, onChange }: Given & { name: 'minimumDays' | 'timeLimit' }) => {
  const { t } = useTranslation('rules')
  return <FigureField label={name === 'timeLimit' ? t('field.calendar-days') : t('field.days')} mode="numeric" value={form[name]} error={faultAt(name)} onChange={(days) => { onChange({ [name]: days }) }} />
}

const ShareFields = ({ percent, of, path, faultAt, onChange }: RulesForm['consistency'] & { path: string; faultAt: FaultAt; onChange: (share: RulesForm['consistency']) => void }) => {
  const { t } = useTranslation('rules')
  return (
    <>
      <FigureField label={t('field.percent')} mode="numeric" value={percent} error={faultAt(`${path}.percent`)} onChange={(next) => { onChange({ percent: next, of }) }} />
      <ChoiceField label={t('field.of')} value={of} options={(['total', 'target'] as const).map((value) => ({ value, label: t(`of.${value}`) }))} onChange={(next) => { onChange({ percent, of: next }) }} />
    </>
  )
}

const WinningFields = ({ days, profit, path, faultAt, onChange }: RulesForm['winningDays'] & { path: string; faultAt: FaultAt; onChange: (winning: RulesForm['winningDays']) => void }) => {
  const { t } = useTranslation('rules')
  return (
    <>
      <FigureField label={t('field.winning-days')} mode="numeric" value={days} error={faultAt(`${path}.days`)} onChange={(next) => { onChange({ days: next, profit }) }} />
      <FigureField label={t('field.winning-profit')} value={profit} error={faultAt(`${path}.profit`)} onChange={(next) => { onChange({ days, profit: next }) }} />
    </>
  )
}

const FlatByFields = ({ form: { flatBy }, faultAt, onChange }: Given) => {
  const { t } = useTranslation('rules')
  return (
    <>
      <FigureField label={t('field.time')} mode="text" placeholder="15:10" value={flatBy.time} error={faultAt('flatBy.time')} onChange={(time) => { onChange({ flatBy: { ...flatBy, time } }) }} />
      <ChoiceField label={t('field.zone')} value={flatBy.zone} options={(['America/Chicago', 'America/New_York'] as const).map((value) => ({ value, label: t(`zone.${value}`) }))} onChange={(zone) => { onChange({ flatBy: { ...flatBy, zone } }) }} />
    </>
  )
}

const PayoutFields = ({ form: { payout }, faultAt, onChange }: Given) => {
  const { t } = useTranslation('rules')
  const change = (more: Partial<RulesForm['payout']>): void => { onChange({ payout: { ...payout, ...more } }) }
  return (
    <>
      <FigureField label={t('field.buffer')} value={payout.buffer} error={faultAt('payout.buffer')} onChange={(buffer) => { change({ buffer }) }} />
      <FigureField label={t('field.cap')} value={payout.cap} error={faultAt('payout.cap')} onChange={(cap) => { change({ cap }) }} />
      <FigureField label={t('field.days')} mode="numeric" value={payout.minimumDays} error={faultAt('payout.minimumDays')} onChange={(minimumDays) => { change({ minimumDays }) }} />
      <WinningFields {...payout.winningDays} path="payout.winningDays" faultAt={faultAt} onChange={(winningDays) => { change({ winningDays }) }} />
      <ShareFields {...payout.consistency} path="payout.consistency" faultAt={faultAt} onChange={(consistency) => { change({ consistency }) }} />
    </>
  )
}
