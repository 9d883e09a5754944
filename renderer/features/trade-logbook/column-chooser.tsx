import { useFigureName } from '#renderer/lib/excursion-names.ts'
import { useNarrow } from '#renderer/lib/use-narrow.ts'
import { Button } from '#renderer/ui/button.tsx'
import { MultiChoice } from '#renderer/ui/multi-choice.tsx'
import { Popover } from '#renderer/ui/popover.tsx'
import { excursionFigures, type ExcursionFigure } from '#shared/stats/filter.ts'
import { Columns3 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { columnIds, optionalColumns, useColumnChoices, type ColumnId } from './column-choices.ts'

const isOptional = (id: ColumnId): boolean => (optionalColumns as readonly ColumnId[]).includes(id)

const labels: Readonly<Partial<Record<ColumnId, string>>> = { commission: 'fees', tradingDay: 'trading-day' }
const figureOf = (id: ColumnId): ExcursionFigure | undefined => excursionFigures.find((figure) => figure === id)

/** Chooses which columns show; `shown` do now. */
export const ColumnChooser = ({ shown }: { shown: readonly string[] }) => {
  const { t } = useTranslation('trade-logbook')
  const { choices, choose } = useColumnChoices()
  const narrow = useNarrow()
  const figureName = useFigureName()
  const name = (id: ColumnId): string => {
    const figure = figureOf(id)
    return figure === undefined ? t(`column.${labels[id] ?? id}`) : figureName(figure)
  }
  const ids = columnIds.filter(isOptional)
  const change = (chosen: readonly string[]): void => {
    const changed = ids.filter((id) => chosen.includes(id) !== shown.includes(id))
    choose({ ...choices, ...Object.fromEntries(changed.map((id) => [id, chosen.includes(id)])) })
  }
  return (
    <Popover
      label={t('columns')}
      align="end"
      trigger={
        <Button variant="ghost" size="sm" aria-label={t('columns')} title={t('columns')} className="px-1.5">
          <Columns3 aria-hidden className="text-faint" />
          {!narrow && t('columns')}
        </Button>
      }
    >
      <MultiChoice label={t('columns')} options={ids.map((id) => ({ value: id, label: name(id) }))} chosen={ids.filter((id) => shown.includes(id))} onChange={change} />
      <Button variant="ghost" size="sm" className="mt-2 w-full" disabled={Object.keys(choices).length === 0} onClick={() => { choose({}) }}>
        {t('columns-reset')}
      </Button>
    </Popover>
  )
}
