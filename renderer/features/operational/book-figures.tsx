import { toneOf } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Stat, StatStrip } from '#renderer/ui/stat.tsx'
import { mostUsedFirst, sumBooks, type BookSum } from '#shared/stats/books.ts'
import type { BookEntry } from '#shared/stats/books-filter.ts'
import { useTranslation } from 'react-i18next'

/** Total income and expenses: one strip per currency, because currencies are never added. */
export const BookFigures = ({ entries }: { entries: readonly BookEntry[] | null }) => {
  const sums = entries === null ? [null] : mostUsedFirst(sumBooks(entries))
  return (
    <div className="flex shrink-0 flex-col gap-2.5">
      {sums.map((sum, at) => (
        <Strip key={sum?.currency ?? ''} sum={sum} leading={at === 0} />
      ))}
    </div>
  )
}

const Strip = ({ sum, leading }: { sum: BookSum | null; leading: boolean }) => {
  const { t } = useTranslation('operational')
  const format = useFormat()
  const { returned = null } = sum ?? {}
  return (
    <StatStrip>
      <Stat large={leading} className="basis-52! max-xl:basis-full!" label={t('net')} value={sum && format.signedMoney(sum.net)} note={sum?.currency} tone={sum === null ? 'even' : toneOf(sum.net)} />
      <Stat label={t('earned')} value={sum && format.money(sum.earned)} />
      <Stat label={t('spent')} value={sum && format.money(sum.spent)} />
      <Stat label={t('return')} value={sum && (returned === null ? t('none') : format.signedPercent(returned))} note={t('return-note')} tone={returned === null ? 'even' : toneOf(returned)} />
      <Stat label={t('figure.payouts')} value={sum && format.money(sum.payouts)} />
      <Stat label={t('figure.entryFees')} value={sum && format.money(sum.entryFees)} note={t('entryFees-note')} />
    </StatStrip>
  )
}
