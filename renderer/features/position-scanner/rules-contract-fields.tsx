import { Button } from '#renderer/ui/button.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { CapForm, RulesForm } from './rules-draft.ts'
import { ChoiceField, FigureField, type FaultAt } from './rules-field.tsx'

type Contracts = RulesForm['contracts']

/** The most contracts at once: in total, by product, and scaling with the profit. */
export const ContractFields = ({ contracts, faultAt, onChange }: { contracts: Contracts; faultAt: FaultAt; onChange: (contracts: Contracts) => void }) => {
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
