import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import type { RefusedLine } from '#shared/api/imports.ts'
import { counterpartOf } from '#shared/imports/counterparts.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

const shownAtFirst = 20

/** The rows of a file that cannot be read, each with its line and the reason. */
export const RefusedLines = ({ file, lines, total }: { file: string; lines: readonly RefusedLine[]; total: number }) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  const [all, setAll] = useState(false)
  const shown = all ? lines : lines.slice(0, shownAtFirst)
  return (
    <div className="px-4 py-2.5">
      <p className="pb-1 text-sm text-muted">{t('refused-text')}</p>
      <ul aria-label={t('refused-lines', { file })} className="max-h-80 overflow-y-auto">
        {shown.map((line) => (
          <li key={line.line} className="flex gap-3 py-0.5">
            <span className="w-24 shrink-0 text-muted tabular-nums">{t('line', { line: format.count(line.line) })}</span>
            <LineWords line={line} />
          </li>
        ))}
      </ul>
      {shown.length < lines.length && (
        <Button variant="link" size="sm" className="mt-1" onClick={() => { setAll(true) }}>
          {t('show-lines', { shown: format.count(lines.length) })}
        </Button>
      )}
      {all && lines.length < total && <p className="pt-1 text-sm text-faint">{t('more-lines', { count: total - lines.length, shown: format.count(total - lines.length) })}</p>}
    </div>
  )
}

const LineWords = ({ line: { code, column, value } }: { line: RefusedLine }) => {
  const { t } = useTranslation('import')
  const other = code === 'contradicts' ? counterpartOf(column) : null
  return (
    <span className="min-w-0 break-words">
      {column !== '' && <span className="font-medium">{column} </span>}
      {other === null ? t(`row-problem.${code}`) : t('contradicts-column', { other })}
      {value !== '' && <code className="ml-2 rounded-sm border border-line bg-surface px-1 text-sm">{value}</code>}
    </span>
  )
}
