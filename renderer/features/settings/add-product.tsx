import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Whose } from './commission-rows.ts'
import { readRate } from './rates.ts'
import { useSetCommission, type RateChange } from './use-commissions.ts'

/** Sets the rate of a product that is not in the list. */
export const AddProduct = ({ whose, onDone }: { whose: Whose; onDone: (change: RateChange, pairs: number) => void }) => {
  const { t } = useTranslation('settings')
  const words = useProblemText()
  const [typed, setTyped] = useState({ product: '', rate: '' })
  const [checked, setChecked] = useState(false)
  const { mutate, isPending, error } = useSetCommission((change, pairs) => {
    setTyped({ product: '', rate: '' })
    setChecked(false)
    onDone(change, pairs)
  })
  const product = ownDataRoutes.setCommission.body.shape.product.safeParse(typed.product)
  const rate = readRate(typed.rate)
  const rateProblem = rate.problem ?? (rate.given === null ? 'missing' : null)
  return (
    <form
      noValidate
      aria-label={t('add-product')}
      className="flex flex-wrap items-start gap-3 border-t border-hairline px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (product.success && rateProblem === null) mutate({ of: whose.of, product: product.data, perSide: rate.given })
      }}
    >
      <Field label={t('other-product')} className="w-44" error={checked && !product.success ? t('problem.no-product') : null}>
        {(attributes) => <Input {...attributes} maxLength={20} autoComplete="off" value={typed.product} onChange={({ target }) => { setTyped({ ...typed, product: target.value.toUpperCase() }) }} />}
      </Field>
      <Field label={t('own-rate')} className="w-44" error={checked && rateProblem !== null ? t(`problem.${rateProblem}`) : error === null ? null : words(error)}>
        {(attributes) => <Input {...attributes} inputMode="decimal" autoComplete="off" value={typed.rate} onChange={({ target }) => { setTyped({ ...typed, rate: target.value }) }} />}
      </Field>
      <Button type="submit" variant="outline" busy={isPending} className="mt-5.5">
        <Plus aria-hidden />
        {t('add')}
      </Button>
    </form>
  )
}
