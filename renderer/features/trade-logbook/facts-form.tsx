import { apiQuery } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Field, Input } from '#renderer/ui/field.tsx'
import { inkOf } from '#renderer/ui/figures.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { exactMoney } from '#shared/money/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { FactsDraft, Preview, ReadDraft } from './draft.ts'

/** The facts of a trade entered by hand; problems show once `checked`, the P&L as soon as it can be computed. */
export const FactsForm = ({ draft, read, checked, onChange }: { draft: FactsDraft; read: ReadDraft; checked: boolean; onChange: (draft: FactsDraft) => void }) => {
  const { t } = useTranslation('trade-logbook')
  const accountList = useId()
  const { data } = useQuery(apiQuery(brokerageRoutes.connectedAccounts))
  const accounts = data?.accounts ?? []

  const set = (change: Partial<FactsDraft>): void => {
    onChange({ ...draft, ...change })
  }
  const text = (field: Exclude<keyof FactsDraft, 'side' | 'accountId' | 'account'>, label: string, rest: ComponentProps<'input'> = {}, hint?: string) => {
    const problem = checked ? read.problems[field] : undefined
    return (
      <Field label={label} hint={hint} error={problem === undefined ? null : t(`problem.${problem}`)}>
        {(attributes) => <Input {...attributes} {...rest} value={draft[field]} onChange={(event) => { set({ [field]: event.target.value }) }} />}
      </Field>
    )
  }
  const between = (field: 'entryPrice' | 'exitPrice'): string | undefined => (read.betweenTicks.includes(field) ? t('between-ticks', { tick: read.tickSize }) : undefined)
  return (
    <div className="grid gap-3.5 sm:grid-cols-2">
      {text('symbol', t('column.contract'), { maxLength: 200, autoFocus: true }, t('symbol-hint'))}
      <Field label={t('column.account')} hint={t('account-hint')}>
        {(attributes) => (
          <>
            <Input
              {...attributes}
              maxLength={200}
              list={accountList}
              value={draft.account}
              onChange={({ target: { value } }) => { set({ account: value, accountId: accounts.find(({ name }) => name === value)?.id ?? '' }) }}
            />
            <datalist id={accountList}>
              {accounts.map((account) => (
                <option key={account.id} value={account.name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <div className="flex flex-col gap-1">
        <span className="text-sm font-medium text-muted">{t('column.side')}</span>
        <Segmented
          label={t('column.side')}
          value={draft.side}
          onChange={(side) => { set({ side }) }}
          options={[
            { value: 'long', label: t('side.long') },
            { value: 'short', label: t('side.short') },
          ]}
          className="self-start"
        />
      </div>
      {text('qty', t('column.qty'), { inputMode: 'numeric' })}
      {text('entryPrice', t('entry-price'), { inputMode: 'decimal' }, between('entryPrice'))}
      {text('exitPrice', t('exit-price'), { inputMode: 'decimal' }, between('exitPrice'))}
      {text('entryTime', t('entry-time'), { type: 'datetime-local', step: 1 })}
      {text('exitTime', t('exit-time'), { type: 'datetime-local', step: 1 })}
      {text('commission', t('fees'), { inputMode: 'decimal' }, t('fees-hint'))}
      <PreviewLine preview={read.preview} />
    </div>
  )
}

/** The net P&L of a trade before it is saved, and the contract that it is computed with. */
const PreviewLine = ({ preview }: { preview: Preview | null }) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  if (preview === null) {
    return (
      <div role="status" className="flex flex-col gap-1">
        <span className="text-sm font-medium text-muted">{t('column.net')}</span>
        <span className="text-faint">{t('preview-waits')}</span>
      </div>
    )
  }
  const { spec } = preview
  const net = exactMoney(preview.net)
  return (
    <div role="status" className="flex flex-col gap-1">
      <span className="text-sm font-medium text-muted">{t('column.net')}</span>
      <span className="flex items-baseline gap-1.5">
        <span className={classNames('text-figure font-semibold', inkOf(net, 'text-ink'))}>{format.signedMoney(net)}</span>
        <span className="text-sm text-faint">{spec.currency}</span>
      </span>
      {spec.root !== null && !spec.rootIsWhole && <span className="text-sm text-warn">{t('warning-text.partial-root', { symbol: spec.contract })}</span>}
      <span className={classNames('text-sm', spec.source === 'unknown' ? 'text-warn' : 'text-faint')}>
        {spec.root === null
          ? t('preview-unknown')
          : t('preview-known', { root: spec.root, gross: format.signedMoney(exactMoney(preview.gross)), fees: format.money(exactMoney(preview.commission)) })}
      </span>
    </div>
  )
}
