import { callApi, invalidateRoutes, type ApiFailure } from '#renderer/lib/api.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { priceRoutes } from '#shared/api/prices.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { isKey } from '#shared/base/endpoint-rules.ts'
import { typedAmount } from '#shared/money/typed-number.ts'
import { exactMoney } from '#shared/money/money.ts'
import { feedNames, vendorDetails } from '#shared/prices/feeds.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

type Kept = AnswerOf<typeof priceRoutes.priceFeeds>['databento']

/** The user's key at Databento, which is never shown again, what to fetch, and what one fetch may cost. */
export const DatabentoDialog = ({ kept, onClose }: { kept: Kept; onClose: () => void }) => {
  const { t } = useTranslation('prices')
  const words = useProblemText()
  const client = useQueryClient()
  const formId = useId()
  const [key, setKey] = useState('')
  const [limit, setLimit] = useState(kept.limit)
  const [detail, setDetail] = useState(kept.detail)
  const amount = typedAmount(limit)
  const limitFits = amount.ok && amount.value >= 0 && amount.value <= 100_000_000
  const keyFits = key.trim() === '' || isKey(key.trim())
  const saving = useMutation<unknown, ApiFailure, { removes: boolean }>({
    mutationFn: ({ removes }) => callApi(priceRoutes.setDatabento, { body: { ...(removes ? { key: null } : key.trim() === '' ? {} : { key: key.trim() }), limit: removes || !amount.ok ? kept.limit : exactMoney(amount.value), detail } }),
    onSuccess: async () => {
      await invalidateRoutes(client, priceRoutes.priceFeeds)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={feedNames.databento}
      description={t('databento.text')}
      footer={
        <>
          {kept.hasKey && (
            <Button variant="ghost" className="mr-auto" disabled={saving.isPending} onClick={() => { saving.mutate({ removes: true }) }}>
              {t('databento.remove-key')}
            </Button>
          )}
          <Button variant="outline" onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" form={formId} busy={saving.isPending} disabled={!limitFits || !keyFits || (!kept.hasKey && key.trim() === '')}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-3.5"
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate({ removes: false })
        }}
      >
        <Field label={t('databento.key')} hint={kept.hasKey ? t('databento.key-kept') : t('databento.key-hint')} error={keyFits ? null : t('databento.key-bad')}>
          {(field) => <Input {...field} type="password" autoComplete="off" maxLength={1_000} value={key} onChange={(event) => { setKey(event.target.value) }} />}
        </Field>
        <Field label={t('databento.detail')}>{(field) => <Select {...field} value={detail} onChange={setDetail} options={vendorDetails.map((value) => ({ value, label: t(`databento.of.${value}`) }))} />}</Field>
        <Field label={t('databento.limit')} hint={t('databento.limit-hint')} error={limitFits ? null : t('databento.limit-bad')}>
          {(field) => <Input {...field} inputMode="decimal" autoComplete="off" maxLength={12} value={limit} onChange={(event) => { setLimit(event.target.value) }} />}
        </Field>
        {saving.error !== null && <Notice tone="error">{words(saving.error)}</Notice>}
      </form>
    </Dialog>
  )
}
