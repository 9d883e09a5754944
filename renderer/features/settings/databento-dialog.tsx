import { callApi, invalidateRoutes, type ApiFailure } from '#renderer/lib/api.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { priceRoutes } from '#shared/api/prices.ts'
import type { AnswerOf, BodyGiven } from '#shared/api/route.ts'
import { isKey } from '#shared/base/endpoint-rules.ts'
import { typedAmount } from '#shared/money/typed-number.ts'
import { exactMoney } from '#shared/money/money.ts'
import { feedNames, vendorDetails } from '#shared/prices/feeds.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'

type SavedKey = AnswerOf<typeof priceRoutes.priceFeeds>['databento']

const { setDatabento } = priceRoutes
const { detail } = setDatabento.body.shape
const resolver = resolverOf(
  z.object({
    key: z.string().trim().refine((key) => key === '' || isKey(key)),
    limit: z.string().transform((text, context) => {
      const amount = typedAmount(text)
      if (amount.ok && amount.value >= 0 && amount.value <= 100_000_000) return exactMoney(amount.value)
      context.addIssue('no limit')
      return z.NEVER
    }),
    detail,
  }),
)

/** The user's key at Databento, which is never shown again, what to fetch, and what one fetch may cost. */
export const DatabentoDialog = ({ kept, onClose }: { kept: SavedKey; onClose: () => void }) => {
  const { t } = useTranslation('prices')
  const words = useProblemText()
  const client = useQueryClient()
  const formId = useId()
  const { register, watch, setValue, handleSubmit, formState: { errors } } = useForm({ resolver, mode: 'onChange', shouldFocusError: false, defaultValues: { key: '', limit: kept.limit, detail: kept.detail } })
  const typed = watch()
  const saving = useMutation<unknown, ApiFailure, BodyGiven<typeof setDatabento>>({
    mutationFn: (body) => callApi(setDatabento, { body }),
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
            <Button variant="ghost" className="mr-auto" disabled={saving.isPending} onClick={() => { saving.mutate({ key: null, limit: kept.limit, detail: typed.detail }) }}>
              {t('databento.remove-key')}
            </Button>
          )}
          <AskButtons
            cancel={t('cancel')}
            onCancel={onClose}
            confirm={t('save')}
            type="submit"
            form={formId}
            busy={saving.isPending}
            disabled={errors.key !== undefined || errors.limit !== undefined || (!kept.hasKey && typed.key.trim() === '')}
          />
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-3.5"
        onSubmit={handleSubmit(({ key, ...read }) => { saving.mutate({ ...(key === '' ? {} : { key }), ...read }) })}
      >
        <Field label={t('databento.key')} hint={kept.hasKey ? t('databento.key-kept') : t('databento.key-hint')} error={errors.key && t('databento.key-bad')}>
          {(field) => <Input {...field} {...register('key')} type="password" autoComplete="off" maxLength={1_000} />}
        </Field>
        <Field label={t('databento.detail')}>{(field) => <Select {...field} value={typed.detail} onChange={(next) => { setValue('detail', next) }} options={vendorDetails.map((value) => ({ value, label: t(`databento.of.${value}`) }))} />}</Field>
        <Field label={t('databento.limit')} hint={t('databento.limit-hint')} error={errors.limit && t('databento.limit-bad')}>
          {(field) => <Input {...field} {...register('limit')} inputMode="decimal" autoComplete="off" maxLength={12} />}
        </Field>
        {saving.error !== null && <Notice tone="error">{words(saving.error)}</Notice>}
      </form>
    </Dialog>
  )
}
