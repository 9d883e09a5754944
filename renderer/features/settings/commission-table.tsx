import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommissionRow, Whose } from './commission-rows.ts'
import { RateField } from './rate-field.tsx'
import type { RateChange } from './use-commissions.ts'

type Props = { readonly rows: readonly CommissionRow[] | null; readonly whose: Whose | null; readonly onDone: (change: RateChange, pairs: number) => void }

/**
 * The rates of one firm or account by product; `rows` is null while they load. The rate that applies is in the text
 * color, overridden ones are quiet. Only one field is in the tab order, because there are hundreds; Up and Down move
 * between them.
 */
export const CommissionTable = ({ rows, whose, onDone }: Props) => {
  const { t } = useTranslation('settings')
  const [chosen, setChosen] = useState<string | null>(null)
  const firm = whose?.firm ?? null
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
          {rows === null || whose === null ? (
            <SkeletonRows rows={14} columns={5} figures={2} />
          ) : (
            rows.map((row) => (
              <tr key={`${whose.value} ${row.product}`}>
                <Cell className="font-medium">{row.product}</Cell>
                <Cell quiet className="proportional-nums">{row.name ?? t('not-in-table')}</Cell>
                <Cell quiet>{row.currency}</Cell>
                <Rate value={row.table} holds={row.own === null && row.ofFirm === null} />
                {firm !== null && <Rate value={row.ofFirm} holds={row.own === null} />}
                <Cell end className="py-1">
                  <RateField of={whose.of} product={row.product} own={row.own} inTabOrder={row.product === active} onFocus={() => { setChosen(row.product) }} onDone={onDone} />
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
