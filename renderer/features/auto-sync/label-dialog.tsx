import { callApi, apiQuery, invalidateRoutes } from '#renderer/lib/api.ts'
import { monogram } from '#renderer/lib/monogram.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Monogram } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { useDialogTurn } from '#renderer/ui/dialog-turns.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Field } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { recordRoutes } from '#shared/api/journal.ts'
import { firm as firms, type Finance } from '#shared/api/records.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accountTypes, balanceIsKnown, platform, unlabelled, type AccountRow, type AccountType } from './account-rows.ts'

const { addFinance, getFinances } = recordRoutes
const financesReadAgainAfterMs = 1_200

/** Asks for type and firm of every connected account that has none yet, one after another; it cannot be put off. */
export const LabelDialog = ({ rows }: { rows: readonly AccountRow[] }) => {
  const waiting = rows.filter(({ finance }) => unlabelled(finance))
  const [next] = waiting
  const shown = useDialogTurn(next !== undefined)
  return next !== undefined && shown ? <AskLabel key={next.finance.id} row={next} more={waiting.length - 1} /> : null
}

const AskLabel = ({ row, more }: { row: AccountRow; more: number }) => {
  const { finance } = row
  const { t } = useTranslation('auto-sync')
  const format = useFormat()
  const words = useProblemText()
  const save = useSaveLabel()
  const [type, setType] = useState<AccountType>()
  const [firm, setFirm] = useState<(typeof firms.options)[number]>()
  const submit = (): void => {
    if (type !== undefined && firm !== undefined) save.mutate({ ...finance, type, firm, platform })
  }
  return (
    <Dialog
      open
      width="sm"
      title={t('label.title')}
      footer={
        <>
          {more > 0 && <span className="mr-auto text-sm text-faint">{t('label.more', { count: more })}</span>}
          <Button onClick={submit} busy={save.isPending} disabled={type === undefined || firm === undefined}>
            {t('label.save')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3.5">
        <dl className="flex justify-between gap-4 rounded-md border border-line bg-ground px-3 py-2">
          <div className="min-w-0">
            <dt className="text-sm text-faint">{t('account')}</dt>
            <dd className="font-medium break-words proportional-nums">{finance.name}</dd>
          </div>
          <div className="text-right">
            <dt className="text-sm text-faint">{t('balance')}</dt>
            <dd className="font-medium">{balanceIsKnown(row) ? format.wholeMoney(finance.balance, finance.currency) : t('no-balance')}</dd>
          </div>
        </dl>
        <Field label={t('label.type')}>
          {(field) => (
            <Select {...field} value={type} onChange={setType} disabled={save.isPending} placeholder={t('label.select-type')} options={accountTypes.map((value) => ({ value, label: t(`account-type.${value}`) }))} className="w-full" />
          )}
        </Field>
        <Field label={t('label.firm')}>
          {(field) => (
            <Select
              {...field}
              value={firm}
              onChange={setFirm}
              disabled={save.isPending}
              placeholder={t('label.select-firm')}
              options={firms.options.map((value) => ({ value, label: value, mark: <Monogram letters={monogram(value)} /> }))}
              className="w-full"
            />
          )}
        </Field>
        {save.isError && (
          <Notice tone="error">
            <span className="block font-semibold">{t('label.failed')}</span>
            {words(save.error)}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}

/** Saves an account's type and firm: once the program has them the list shows them at once, and is read again a little later. */
const useSaveLabel = () => {
  const client = useQueryClient()
  const userId = useUserId()
  return useMutation({
    mutationFn: (finance: Finance) => callApi(addFinance, { body: { userId, finance } }),
    onSuccess: async ({ finance: saved }) => {
      const { queryKey } = apiQuery(getFinances, { query: { userId } })
      // An answer that is on its way may have been given before the save.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (known) => known && { ...known, finances: known.finances.map((one) => (one.id === saved.id ? saved : one)) })
      setTimeout(() => void invalidateRoutes(client, getFinances), financesReadAgainAfterMs)
    },
  })
}
