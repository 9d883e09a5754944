import { Button } from '#renderer/ui/button.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { CapForm, RulesForm, RuleSwitch } from './rules-draft.ts'
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

type Contracts = RulesForm['contracts']

/** The most contracts at once: in total, by product, and scaling with the profit. */
const ContractFields = ({ contracts, faultAt, onChange }: { contracts: Contracts; faultAt: FaultAt; onChange: (contracts: Contracts) => void }) => {
  const { t } = useTranslation('rules')
  const change = (more: Partial<Contracts>): void => { onChange({ ...contracts, ...more }) }
  return (
    <>
      <FigureField label={t('field.all')} hint={contracts.scaling.length > 0 ? t('field.all-scaled') : t('field.all-hint')} mode="numeric" value={contracts.all} error={faultAt('contracts.all')} onChange={(all) => { change({ all }) }} />
      <ChoiceField label={t('field.micros')} value={contracts.micros} options={(['whole', 'tenth'] as const).map((value) => ({ value, label: t(`micros.${value}`) }))} onChange={(micros) => { change({ micros }) }} />
      <Rows kind="byProduct" first="product" rows={contracts.byProduct} faultAt={faultAt} onChange={(byProduct) => { change({ byProduct }) }} />
      <Rows kind="scaling" first="fromProfit" rows={contracts.scaling} faultAt={faultAt} onChange={(scaling) => { change({ scaling }) }} />
    </>
  )
}

type RowsGiven = { readonly kind: 'byProduct' | 'scaling'; readonly first: 'product' | 'fromProfit'; readonly rows: readonly CapForm[]; readonly faultAt: FaultAt; readonly onChange: (rows: readonly CapForm[]) => void }

const Rows = ({ kind, first, rows, faultAt, onChange }: RowsGiven) => {
  const { t } = useTranslation('rules')
  return (
    <div role="group" aria-label={t(`rows.${kind}`)} className="flex w-full flex-col gap-1.5">
      <p className="text-sm font-medium text-muted">{t(`rows.${kind}`)}</p>
      {rows.map((row, at) => {
        const path = `contracts.${kind}.${String(at)}`
        const faults = { of: faultAt(`${path}.${first}`), most: faultAt(`${path}.most`) }
        const change = (more: Partial<CapForm>): void => { onChange(rows.map((one, place) => (place === at ? { ...one, ...more } : one))) }
        return (
          // Rows have no identity except their index.
          <div key={at} className="flex flex-wrap items-center gap-2">
            <span className="w-32">
              <Input
                aria-label={t(`rows.${kind}-of`, { number: at + 1 })}
                aria-invalid={faults.of === null ? undefined : true}
                aria-describedby={faults.of === null ? undefined : path}
                className={kind === 'byProduct' ? 'uppercase placeholder:normal-case' : 'text-right'}
                placeholder={t(`rows.${kind}-example`)}
                inputMode={kind === 'byProduct' ? 'text' : 'decimal'}
                autoComplete="off"
                maxLength={20}
                value={row.of}
                onChange={({ target }) => { change({ of: target.value }) }}
              />
            </span>
            <span className="text-sm text-muted">{t(`rows.${kind}-then`)}</span>
            <span className="w-16">
              <Input
                aria-label={t(`rows.${kind}-most`, { number: at + 1 })}
                aria-invalid={faults.most === null ? undefined : true}
                aria-describedby={faults.most === null ? undefined : path}
                className="text-right"
                inputMode="numeric"
                autoComplete="off"
                maxLength={5}
                value={row.most}
                onChange={({ target }) => { change({ most: target.value }) }}
              />
            </span>
            <span className="text-sm text-muted">{t('rows.contracts')}</span>
            <Button variant="ghost" size="icon" aria-label={t(`rows.${kind}-remove`, { number: at + 1 })} onClick={() => { onChange(rows.filter((_, place) => place !== at)) }}>
              <Trash2 aria-hidden />
            </Button>
            {(faults.of ?? faults.most) !== null && (
              <p id={path} role="alert" className="w-full text-sm text-loss">
                {faults.of ?? faults.most}
              </p>
            )}
          </div>
        )
      })}
      <div>
        <Button variant="outline" size="sm" onClick={() => { onChange([...rows, { of: '', most: '' }]) }}>
          <Plus aria-hidden />
          {t(`rows.${kind}-add`)}
        </Button>
      </div>
    </div>
  )
}
