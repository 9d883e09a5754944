import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import type { Drawing, DrawnPoint } from '#shared/api/drawings.ts'
import type { TradeChart } from '#shared/api/prices.ts'
import { formatPrice, type Ticks } from '#shared/money/price.ts'
import { SquareMousePointer, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ChartTable } from './chart-table.tsx'

type Props = {
  readonly facts: TradeChart
  readonly drawings: readonly Drawing[]
  /** Missing where drawings cannot be changed. */
  readonly onSelect?: (drawing: Drawing) => void
  readonly onDelete?: (drawing: Drawing) => void
}

/** The user's drawings in a trade's chart, in words; nothing if there are none. */
export const DrawingsTable = ({ facts, drawings, onSelect, onDelete }: Props) => {
  const { t } = useTranslation('trade-chart')
  const format = useFormat()
  if (drawings.length === 0) return null
  const timeOf = ({ at }: DrawnPoint, place: number): string => format[place === 0 ? 'dateTime' : 'clock'](new Date(at).toISOString())
  const priceOf = ({ price }: DrawnPoint): string => format.price(formatPrice(price as Ticks, facts.tickSize))
  return (
    <ChartTable caption={t('drawing.title')} head={[t('drawing.one'), t('time'), t('price'), ...(onDelete === undefined ? [] : [null])]} figuresFrom={2} className="mt-3">
      {drawings.map((drawing) => {
        const ends = drawing.kind === 'trend' ? [drawing, drawing.to] : [drawing]
        const name = drawing.kind === 'note' ? drawing.text : t(`drawing.kind.${drawing.kind}`)
        const named = `${name}, ${ends.map(priceOf).join(' – ')}`
        return (
          <tr key={JSON.stringify(drawing)}>
            <td className="max-w-80 break-words">{drawing.kind === 'note' ? t('drawing.note-of', { text: drawing.text }) : name}</td>
            <td>{ends.map(timeOf).join(' – ')}</td>
            <td className="text-right">{ends.map(priceOf).join(' – ')}</td>
            {onDelete !== undefined && (
              <td className="py-0.5! pl-2 text-right whitespace-nowrap">
                <Button variant="ghost" size="icon" aria-label={t('drawing.select-of', { name: named })} title={t('drawing.select')} onClick={() => { onSelect?.(drawing) }}>
                  <SquareMousePointer aria-hidden />
                </Button>
                <Button variant="ghost" size="icon" aria-label={t('drawing.delete-of', { name: named })} title={t('drawing.delete')} onClick={() => { onDelete(drawing) }}>
                  <Trash2 aria-hidden />
                </Button>
              </td>
            )}
          </tr>
        )
      })}
    </ChartTable>
  )
}
