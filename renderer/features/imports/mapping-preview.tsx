import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { importRoutes } from '#shared/api/imports.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { useTranslation } from 'react-i18next'
import { RefusedLines } from './refused-lines.tsx'

/** The first rows of a file as a format reads them, and how many rows it cannot read. */
export const MappingPreview = ({ tried: { file, rows }, name, stale }: { tried: AnswerOf<typeof importRoutes.tryFormat>; name: string; stale: boolean }) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  if (file.problem !== null) {
    const date = file.openDate
    return <Notice tone="warn">{date === null ? t(file.problem === 'mostly-refused' ? 'mapping.mostly-refused' : `problem.${file.problem}`) : t('mapping.open-dates', { text: date.text, month: format.day(date.mdy), day: format.day(date.dmy) })}</Notice>
  }
  const closed = rows.some(({ exit }) => exit !== null)
  return (
    <div aria-busy={stale} className={classNames('flex flex-col gap-1', stale && 'opacity-60')}>
      <p role="status" className="font-medium">
        {t('mapping.readable', { count: file.accepted, shown: format.count(file.accepted) })}
        {file.refused > 0 && <span className="text-warn"> {t('mapping.unreadable', { count: file.refused, shown: format.count(file.refused) })}</span>}
      </p>
      {rows.length > 0 && (
        <div className="overflow-x-auto rounded-md border border-line">
          <Table>
            <thead>
              <tr>
                <HeaderCell>{t('mapping.field.account')}</HeaderCell>
                <HeaderCell>{t('mapping.contract')}</HeaderCell>
                <HeaderCell>{t('mapping.field.side')}</HeaderCell>
                <HeaderCell end>{t('mapping.field.quantity')}</HeaderCell>
                <HeaderCell>{t(closed ? 'mapping.field.entryTime' : 'mapping.field.time')}</HeaderCell>
                <HeaderCell end>{t(closed ? 'mapping.field.entryPrice' : 'mapping.field.price')}</HeaderCell>
                {closed && <HeaderCell>{t('mapping.field.exitTime')}</HeaderCell>}
                {closed && <HeaderCell end>{t('mapping.field.exitPrice')}</HeaderCell>}
                {closed && <HeaderCell end>{t('gross')}</HeaderCell>}
                <HeaderCell end>{t('fees')}</HeaderCell>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.line}>
                  <Cell quiet>{row.account ?? ''}</Cell>
                  <Cell className="font-medium">{row.contract}</Cell>
                  <Cell>{t(`mapping.side-of.${closed ? 'trades' : 'fills'}.${row.side}`)}</Cell>
                  <Cell end>{format.count(row.quantity)}</Cell>
                  <Cell>{format.fullDateTime(row.time)}</Cell>
                  <Cell end>{format.price(row.price)}</Cell>
                  {closed && <Cell>{row.exit && format.fullDateTime(row.exit.time)}</Cell>}
                  {closed && <Cell end>{row.exit && format.price(row.exit.price)}</Cell>}
                  {closed && <Cell end>{row.grossPnl === null ? '' : format.money(row.grossPnl)}</Cell>}
                  <Cell end>{row.fees === null ? '' : format.money(row.fees)}</Cell>
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {file.refused > 0 && (
        <div className="-mx-4">
          <RefusedLines file={name} lines={file.refusedLines} total={file.refused} />
        </div>
      )}
    </div>
  )
}
