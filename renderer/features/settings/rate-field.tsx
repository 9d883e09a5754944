import { classNames } from '#renderer/lib/class-names.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { Undo2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readRate } from './rates.ts'
import { useSetCommission, type RateChange } from './use-commissions.ts'

type Props = {
  readonly of: RateChange['of']
  readonly product: string
  readonly own: string | null
  readonly inTabOrder: boolean
  readonly onFocus: () => void
  readonly onDone: (change: RateChange, pairs: number) => void
}

/** An own rate, edited in place: Enter and leaving the field save it; Escape and unchanged text leave it; the button resets it. */
export const RateField = ({ of, product, own, inTabOrder, onFocus, onDone }: Props) => {
  const { t } = useTranslation('settings')
  const words = useProblemText()
  const noteId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const { mutate, isPending, error, reset } = useSetCommission((change, pairs) => {
    setTyped(null)
    onDone(change, pairs)
  })
  const read = readRate(typed ?? own ?? '')
  const problem = typed === null ? null : read.problem !== null ? t(`problem.${read.problem}`) : error === null ? null : words(error)
  const save = (perSide: string | null): void => {
    if (perSide === own) setTyped(null)
    else mutate({ of, product, perSide })
  }
  return (
    <span className="flex flex-col items-end gap-0.5">
      <span className="flex items-center justify-end gap-1">
        {isPending && <Spinner className="size-3.5 text-faint" />}
        <Input
          ref={field}
          aria-label={t('own-rate-of', { product })}
          aria-describedby={problem === null ? undefined : noteId}
          aria-invalid={problem === null ? undefined : true}
          inputMode="decimal"
          tabIndex={inTabOrder ? 0 : -1}
          onFocus={onFocus}
          autoComplete="off"
          value={typed ?? own ?? ''}
          placeholder={t('none')}
          readOnly={isPending}
          onChange={({ target }) => {
            reset()
            setTyped(target.value)
          }}
          onBlur={() => { if (typed !== null && read.problem === null && error === null && !isPending) save(read.given) }}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && typed !== null && read.problem === null && !isPending) save(read.given)
            if (key === 'Escape') {
              reset()
              setTyped(null)
            }
          }}
          className={classNames('h-7! w-24! text-right tabular-nums', own !== null && 'font-medium')}
        />
        <Button
          variant="ghost"
          size="sm"
          tabIndex={inTabOrder ? 0 : -1}
          className={classNames('px-1.5', own === null && 'invisible')}
          disabled={isPending}
          title={t('take-back')}
          aria-label={t('take-back-of', { product })}
          onClick={() => {
            // The button disappears with the rate.
            field.current?.focus()
            save(null)
          }}
        >
          <Undo2 aria-hidden />
        </Button>
      </span>
      {problem !== null && (
        <span id={noteId} role="alert" className="pr-9 text-sm whitespace-normal text-loss">
          {problem}
        </span>
      )}
    </span>
  )
}
