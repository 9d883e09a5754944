import { useFormat } from '#renderer/lib/use-format.ts'
import { useTight } from '#renderer/lib/use-narrow.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Field } from '#renderer/ui/field.tsx'
import { firmOption } from '#renderer/ui/firm-option.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { firm as firms } from '#shared/api/records.ts'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { balanceIsKnown, labelKinds, type AccountRow } from './account-rows.ts'
import { labeledFinance, labelRows, type LabelChoice, type LabelRow } from './label-rows.ts'
import { useSaveLabels } from './use-save-labels.ts'

/** Asks for type and firm of several accounts in one table, prefilled from names; it ends once every account is saved. */
export const LabelsDialog = ({ waiting, labeled, onLater }: { waiting: readonly AccountRow[]; labeled: readonly AccountRow[]; onLater: () => void }) => {
  const { t } = useTranslation('auto-sync')
  const tight = useTight()
  const save = useSaveLabels()
  const table = useRef<HTMLTableElement>(null)
  const [choices, setChoices] = useState<ReadonlyMap<string, LabelChoice>>(new Map())
  const rows = labelRows(waiting, labeled, choices)
  const ready = rows.flatMap((row) => labeledFinance(row) ?? [])
  const open = rows.length - ready.length
  const firmsChosen = new Set(rows.filter(({ kind }) => kind !== 'own').map(({ firm }) => firm))
  const commonFirm = firmsChosen.size === 1 ? [...firmsChosen][0] : undefined
  const choose = (choice: LabelChoice, ...accounts: readonly LabelRow[]): void => {
    setChoices((known) => new Map([...known, ...accounts.map(({ row: { finance } }) => [finance.id, { ...known.get(finance.id), ...choice }] as const)]))
  }
  const submit = (): void => {
    // Saved labels must not change the choices for the rest.
    for (const row of rows) choose({ ...(row.kind && { kind: row.kind }), ...(row.firm && { firm: row.firm }) }, row)
    save.mutate(ready)
  }
  const failures = save.isPending ? undefined : save.data?.failures
  const failed = rows.filter(({ row: { finance } }) => failures?.has(finance.id) ?? false).length
  // The button was disabled under the focus.
  useEffect(() => {
    if ((failures?.size ?? 0) > 0) table.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [failures])
  return (
    <Dialog
      open
      onClose={() => { if (!save.isPending) onLater() }}
      keptOpen
      width="xl"
      title={t('labels.title')}
      description={t('labels.text')}
      footer={
        <>
          {open > 0 && <span className="mr-auto text-sm text-faint">{t('labels.open', { count: open })}</span>}
          <AskButtons cancel={t('labels.later')} onCancel={onLater} locked={save.isPending} confirm={t('label.save')} busy={save.isPending} disabled={open > 0} onClick={submit} />
        </>
      }
    >
      {failed > 0 && (
        <Notice tone="error" className="mb-3">
          <span className="block font-semibold">{t('labels.failed', { count: failed })}</span>
          {t('labels.failed-text')}
        </Notice>
      )}
      {rows.filter(({ kind }) => kind !== 'own').length > 1 && (
        <Field label={t('labels.firm-for-all')} className="mb-3 max-w-68">
          {(field) => <Select {...field} value={commonFirm} onChange={(firm) => { choose({ firm }, ...rows) }} disabled={save.isPending} placeholder={t('label.select-firm')} options={firms.options.map(firmOption)} className="w-full" />}
        </Field>
      )}
      <Table ref={table} className="table-fixed [&_td]:px-1.5 [&_td:first-child]:pl-0 [&_td:last-child]:pr-0 [&_th]:px-1.5 [&_th:first-child]:pl-0">
        <thead>
          <tr>
            {!tight && <HeaderCell>{t('account')}</HeaderCell>}
            {!tight && <HeaderCell end className="w-28">{t('balance')}</HeaderCell>}
            <HeaderCell className="w-60 max-md:w-auto">{t('label.type')}</HeaderCell>
            <HeaderCell className="w-68 max-md:w-auto">{t('label.firm')}</HeaderCell>
          </tr>
        </thead>
        {rows.map((row) => (
          <Line
            key={row.row.finance.id}
            {...row}
            tight={tight}
            busy={save.isPending}
            failure={failures?.get(row.row.finance.id)}
            onChoose={(choice) => { choose(choice, row) }}
          />
        ))}
      </Table>
    </Dialog>
  )
}

type LineProps = LabelRow & { tight: boolean; busy: boolean; failure: unknown; onChoose: (choice: LabelChoice) => void }

const Line = ({ row, kind, firm, suggested, tight, busy, failure, onChoose }: LineProps) => {
  const { finance } = row
  const { t } = useTranslation('auto-sync')
  const format = useFormat()
  const words = useProblemText()
  const id = useId()
  const balance = balanceIsKnown(row) ? format.wholeMoney(finance.balance, finance.currency) : t('no-balance')
  const failed = failure !== undefined
  const described = (hint: boolean, name: string): string | undefined => [...(hint ? [`${id}-${name}`] : []), ...(failed ? [`${id}-failure`] : [])].join(' ') || undefined
  const problem = failed && (
    <span id={`${id}-failure`} className="block text-sm text-loss">
      {t('label.failed')}: {words(failure)}
    </span>
  )
  const selects = (
    <>
      <Cell>
        <Select
          value={kind}
          onChange={(chosen) => { onChoose({ kind: chosen }) }}
          disabled={busy}
          placeholder={t('label.select-type')}
          options={labelKinds.map((value) => ({ value, label: t(`account-type.${value}`) }))}
          aria-label={t('labels.type-of', { account: finance.name })}
          aria-describedby={described(suggested.kind, 'kind')}
          aria-invalid={failed || undefined}
          className="w-full"
        />
        {suggested.kind && <Suggested id={`${id}-kind`} />}
      </Cell>
      <Cell>
        {kind === 'own' ? (
          <span className="flex min-h-8 items-center text-faint">{t('labels.no-firm')}</span>
        ) : (
          <>
            <Select
              value={firm}
              onChange={(chosen) => { onChoose({ firm: chosen }) }}
              disabled={busy}
              placeholder={t('label.select-firm')}
              options={firms.options.map(firmOption)}
              aria-label={t('labels.firm-of', { account: finance.name })}
              aria-describedby={described(suggested.firm, 'firm')}
              aria-invalid={failed || undefined}
              className="w-full"
            />
            {suggested.firm && <Suggested id={`${id}-firm`} />}
          </>
        )}
      </Cell>
    </>
  )
  // Zoomed in, there is room for two columns: the account is above its fields.
  return tight ? (
    <tbody className="border-b border-hairline last:border-0 [&_td]:h-auto [&_td]:border-0 [&_td]:pb-2">
      <tr>
        <th scope="rowgroup" colSpan={2} className="pt-2 pb-1 text-left font-normal">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="min-w-0 font-medium break-words proportional-nums">{finance.name}</span>
            <span className="text-muted">{balance}</span>
          </span>
          {problem}
        </th>
      </tr>
      <tr className="align-top">{selects}</tr>
    </tbody>
  ) : (
    <tbody className="border-b border-hairline last:border-0 [&_td]:border-0 [&_td]:py-2">
      <tr className="align-top">
        <Cell className="whitespace-normal!">
          <span className="flex min-h-8 items-center">
            <span className="min-w-0 font-medium break-words proportional-nums">{finance.name}</span>
          </span>
          {problem}
        </Cell>
        <Cell end>
          <span className="flex min-h-8 items-center justify-end">{balance}</span>
        </Cell>
        {selects}
      </tr>
    </tbody>
  )
}

const Suggested = ({ id }: { id: string }) => {
  const { t } = useTranslation('auto-sync')
  return (
    <span id={id} className="block text-xs text-faint">
      {t('labels.suggested')}
    </span>
  )
}
