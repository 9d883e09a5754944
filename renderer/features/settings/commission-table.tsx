import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { Undo2 } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommissionRow, RateOwner } from './commission-rows.ts'
import { readRate } from './rates.ts'
import { useSetCommission, type RateChange } from './use-commissions.ts'

type Props = { readonly rows: readonly CommissionRow[] | null; readonly owner: RateOwner | null; readonly onDone: (change: RateChange, pairs: number) => void }

/**
 * The rates of one firm or account by product; `rows` is null while they load. The rate that applies is in the text
 * color, overridden ones are quiet. Only one field is in the tab order, because there are hundreds; Up and Down move
 * between them.
 */
export const CommissionTable = ({ rows, owner, onDone }: Props) => {
  const { t } = useTranslation('settings')
  const [chosen, setChosen] = useState<string | null>(null)
  const firm = owner?.firm ?? null
  const active = rows?.some(({ product }) => product === chosen) === true ? chosen : (rows?.[0]?.product ?? null)
  return (
    <div className="overflow-x-auto">
      <Table className="max-md:[&_:is(td,th)]:px-2 max-md:[&_:is(td,th):nth-child(3)]:hidden">
        <thead>
          <tr>
            <HeaderCell>{t('product')}</HeaderCell>
            <HeaderCell className="w-full">{t('name')}</HeaderCell>
            <HeaderCell>{t('currency')}</HeaderCell>
            <HeaderCell end>{t('table-rate')}</HeaderCell>
            {firm !== null && <HeaderCell end>{t('firm-rate')}</HeaderCell>}
            <HeaderCell end className="min-w-42 pr-14!">{t('own-rate')}</HeaderCell>
          </tr>
        </thead>
        <tbody onKeyDown={moveBetweenFields}>
          {rows === null || owner === null ? (
            <SkeletonRows rows={14} columns={5} figures={2} />
          ) : (
            rows.map((row) => (
              <tr key={`${owner.value} ${row.product}`}>
                <Cell className="font-medium">{row.product}</Cell>
                <Cell quiet className="proportional-nums">{row.name ?? t('not-in-table')}</Cell>
                <Cell quiet>{row.currency}</Cell>
                <Rate value={row.table} holds={row.own === null && row.ofFirm === null} />
                {firm !== null && <Rate value={row.ofFirm} holds={row.own === null} />}
                <Cell end className="py-1">
                  <RateField of={owner.of} product={row.product} own={row.own} inTabOrder={row.product === active} onFocus={() => { setChosen(row.product) }} onDone={onDone} />
                </Cell>
              </tr>
            ))
          )}
        </tbody>
      </Table>
    </div>
  )
}

const moveBetweenFields = (event: KeyboardEvent<HTMLElement>): void => {
  const way = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (way === 0 || !(event.target instanceof HTMLInputElement)) return
  const fields = [...event.currentTarget.querySelectorAll('input')]
  event.preventDefault()
  fields[fields.indexOf(event.target) + way]?.focus()
}

const Rate = ({ value, holds }: { value: string | null; holds: boolean }) => {
  const format = useFormat()
  const { t } = useTranslation('settings')
  return (
    <Cell end className={classNames(!holds && 'text-faint')}>
      {value === null ? t('none') : format.price(value)}
    </Cell>
  )
}

type RateFieldProps = {
  readonly of: RateChange['of']
  readonly product: string
  readonly own: string | null
  readonly inTabOrder: boolean
  readonly onFocus: () => void
  readonly onDone: (change: RateChange, pairs: number) => void
}

/** An own rate, edited in place: Enter and leaving the field save it; Escape and unchanged text leave it; the button resets it. */
const RateField = ({ of, product, own, inTabOrder, onFocus, onDone }: RateFieldProps) => {
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
