import { Button } from '#renderer/ui/button.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { RuleSwitch, TypedRules } from './rules-form-schema.ts'
import { ChoiceField, FigureField, RuleSection, useFieldError } from './rule-field.tsx'
import type { RulesDraft } from './use-rules-form.ts'

type Props = { readonly draft: RulesDraft; readonly typed: TypedRules }

/** All rules of an account, each with a switch. */
export const RuleFields = (props: Props) => {
  const { typed: { on }, draft: { set } } = props
  const section = (rule: RuleSwitch) => ({ rule, on: on[rule], onSwitch: (next: boolean) => { set(`on.${rule}`, next) } })
  return (
    <>
      <RuleSection {...section('maxLoss')}><MaxLossFields {...props} /></RuleSection>
      <RuleSection {...section('dailyLoss')}><DailyLossFields {...props} /></RuleSection>
      <RuleSection {...section('profitTarget')}><Target {...props} /></RuleSection>
      <RuleSection {...section('consistency')}><ShareFields of="consistency" {...props} /></RuleSection>
      <RuleSection {...section('minimumDays')}><Days name="minimumDays" {...props} /></RuleSection>
      <RuleSection {...section('winningDays')}><WinningFields of="winningDays" {...props} /></RuleSection>
      <RuleSection {...section('contracts')}><ContractFields {...props} /></RuleSection>
      <RuleSection {...section('flatBy')}><FlatByFields {...props} /></RuleSection>
      <RuleSection {...section('noHedging')} />
      <RuleSection {...section('timeLimit')}><Days name="timeLimit" {...props} /></RuleSection>
      <RuleSection {...section('payout')}><PayoutFields {...props} /></RuleSection>
    </>
  )
}

const trails = ['static', 'end-of-day', 'intraday'] as const

const MaxLossFields = ({ draft, typed: { maxLoss } }: Props) => {
  const { t } = useTranslation('rules')
  return (
    <>
      <FigureField draft={draft} name="maxLoss.amount" label={t('field.amount')} />
      <ChoiceField label={t('field.trail')} value={maxLoss.trail} options={trails.map((value) => ({ value, label: t(`trail.${value}`) }))} onChange={(trail) => { draft.set('maxLoss.trail', trail) }} />
      {maxLoss.trail !== 'intraday' && (
        <ChoiceField label={t('field.counts')} value={maxLoss.counts} options={(['with-open', 'realised'] as const).map((value) => ({ value, label: t(`counts.${value}`) }))} onChange={(counts) => { draft.set('maxLoss.counts', counts) }} />
      )}
      {maxLoss.trail !== 'static' && (
        <label className="mt-5.25 flex h-8 cursor-pointer items-center gap-2">
          <Checkbox checked={maxLoss.locks} onChange={(locks) => { draft.set('maxLoss.locks', locks) }} aria-label={t('field.locks')} />
          {t('field.locks')}
        </label>
      )}
      {maxLoss.trail !== 'static' && maxLoss.locks && <FigureField draft={draft} name="maxLoss.locksAt" label={t('field.locks-at')} hint={t('field.locks-at-hint')} />}
    </>
  )
}

const DailyLossFields = ({ draft, typed: { dailyLoss } }: Props) => {
  const { t } = useTranslation('rules')
  return (
    <>
      <FigureField draft={draft} name="dailyLoss.amount" label={t('field.amount')} />
      <ChoiceField label={t('field.counts')} value={dailyLoss.counts} options={(['with-open', 'realised'] as const).map((value) => ({ value, label: t(`counts.${value}`) }))} onChange={(counts) => { draft.set('dailyLoss.counts', counts) }} />
      <ChoiceField label={t('field.breach')} value={dailyLoss.breach} options={(['pause', 'hard'] as const).map((value) => ({ value, label: t(`breach.${value}`) }))} onChange={(breach) => { draft.set('dailyLoss.breach', breach) }} />
    </>
  )
}

const Target = ({ draft }: Props) => {
  const { t } = useTranslation('rules')
  return <FigureField draft={draft} name="profitTarget" label={t('field.target')} hint={t('field.target-hint')} />
}

const Days = ({ name, draft }: Props & { name: 'minimumDays' | 'timeLimit' }) => {
  const { t } = useTranslation('rules')
  return <FigureField draft={draft} name={name} label={name === 'timeLimit' ? t('field.calendar-days') : t('field.days')} mode="numeric" />
}

const ShareFields = ({ of, draft, typed }: Props & { of: 'consistency' | 'payout.consistency' }) => {
  const { t } = useTranslation('rules')
  const share = of === 'consistency' ? typed.consistency : typed.payout.consistency
  return (
    <>
      <FigureField draft={draft} name={`${of}.percent`} label={t('field.percent')} mode="numeric" />
      <ChoiceField label={t('field.of')} value={share.of} options={(['total', 'target'] as const).map((value) => ({ value, label: t(`of.${value}`) }))} onChange={(next) => { draft.set(`${of}.of`, next) }} />
    </>
  )
}

const WinningFields = ({ of, draft }: Props & { of: 'winningDays' | 'payout.winningDays' }) => {
  const { t } = useTranslation('rules')
  return (
    <>
      <FigureField draft={draft} name={`${of}.days`} label={t('field.winning-days')} mode="numeric" />
      <FigureField draft={draft} name={`${of}.profit`} label={t('field.winning-profit')} />
    </>
  )
}

const FlatByFields = ({ draft, typed: { flatBy } }: Props) => {
  const { t } = useTranslation('rules')
  return (
    <>
      <FigureField draft={draft} name="flatBy.time" label={t('field.time')} mode="text" placeholder="15:10" />
      <ChoiceField label={t('field.zone')} value={flatBy.zone} options={(['America/Chicago', 'America/New_York'] as const).map((value) => ({ value, label: t(`zone.${value}`) }))} onChange={(zone) => { draft.set('flatBy.zone', zone) }} />
    </>
  )
}

const PayoutFields = (props: Props) => {
  const { t } = useTranslation('rules')
  const { draft } = props
  return (
    <>
      <FigureField draft={draft} name="payout.buffer" label={t('field.buffer')} />
      <FigureField draft={draft} name="payout.cap" label={t('field.cap')} />
      <FigureField draft={draft} name="payout.minimumDays" label={t('field.days')} mode="numeric" />
      <WinningFields of="payout.winningDays" {...props} />
      <ShareFields of="payout.consistency" {...props} />
    </>
  )
}

/** The most contracts at once: in total, by product, and scaling with the profit. */
const ContractFields = ({ draft, typed: { contracts } }: Props) => {
  const { t } = useTranslation('rules')
  return (
    <>
      <FigureField draft={draft} name="contracts.all" label={t('field.all')} hint={contracts.scaling.length > 0 ? t('field.all-scaled') : t('field.all-hint')} mode="numeric" />
      <ChoiceField label={t('field.micros')} value={contracts.micros} options={(['whole', 'tenth'] as const).map((value) => ({ value, label: t(`micros.${value}`) }))} onChange={(micros) => { draft.set('contracts.micros', micros) }} />
      <Rows draft={draft} kind="byProduct" rows={contracts.byProduct} empty={{ product: '', most: '' }} onChange={(rows) => { draft.set('contracts.byProduct', rows) }} />
      <Rows draft={draft} kind="scaling" rows={contracts.scaling} empty={{ fromProfit: '', most: '' }} onChange={(rows) => { draft.set('contracts.scaling', rows) }} />
    </>
  )
}

type RowsProps<Row> = { readonly draft: RulesDraft; readonly kind: 'byProduct' | 'scaling'; readonly rows: readonly Row[]; readonly empty: Row; readonly onChange: (rows: Row[]) => void }

const Rows = <Row,>({ draft, kind, rows, empty, onChange }: RowsProps<Row>) => {
  const { t } = useTranslation('rules')
  const fieldError = useFieldError(draft)
  return (
    <div role="group" aria-label={t(`rows.${kind}`)} className="flex w-full flex-col gap-1.5">
      <p className="text-sm font-medium text-muted">{t(`rows.${kind}`)}</p>
      {rows.map((_, at) => {
        const first = kind === 'byProduct' ? (`contracts.byProduct.${at}.product` as const) : (`contracts.scaling.${at}.fromProfit` as const)
        const most = `contracts.${kind}.${at}.most` as const
        const errors = { first: fieldError(first), most: fieldError(most) }
        const noteId = `contracts.${kind}.${String(at)}`
        return (
          // Rows have no identity except their index.
          <div key={at} className="flex flex-wrap items-center gap-2">
            <span className="w-32">
              <Input
                {...draft.register(first)}
                aria-label={t(`rows.${kind}-of`, { number: at + 1 })}
                aria-invalid={errors.first === null ? undefined : true}
                aria-describedby={errors.first === null ? undefined : noteId}
                className={kind === 'byProduct' ? 'uppercase placeholder:normal-case' : 'text-right'}
                placeholder={t(`rows.${kind}-example`)}
                inputMode={kind === 'byProduct' ? 'text' : 'decimal'}
                autoComplete="off"
                maxLength={20}
              />
            </span>
            <span className="text-sm text-muted">{t(`rows.${kind}-then`)}</span>
            <span className="w-16">
              <Input
                {...draft.register(most)}
                aria-label={t(`rows.${kind}-most`, { number: at + 1 })}
                aria-invalid={errors.most === null ? undefined : true}
                aria-describedby={errors.most === null ? undefined : noteId}
                className="text-right"
                inputMode="numeric"
                autoComplete="off"
                maxLength={5}
              />
            </span>
            <span className="text-sm text-muted">{t('rows.contracts')}</span>
            <Button variant="ghost" size="icon" aria-label={t(`rows.${kind}-remove`, { number: at + 1 })} onClick={() => { onChange(rows.filter((_, place) => place !== at)) }}>
              <Trash2 aria-hidden />
            </Button>
            {(errors.first ?? errors.most) !== null && (
              <p id={noteId} role="alert" className="w-full text-sm text-loss">
                {errors.first ?? errors.most}
              </p>
            )}
          </div>
        )
      })}
      <div>
        <Button variant="outline" size="sm" onClick={() => { onChange([...rows, empty]) }}>
          <Plus aria-hidden />
          {t(`rows.${kind}-add`)}
        </Button>
      </div>
    </div>
  )
}
