import { useFormat } from '#renderer/lib/use-format.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import type { ImportWarningShown } from '#shared/api/imports.ts'
import { useTranslation } from 'react-i18next'

const mostNamed = 10

/** What a trader should know of an import, in sentences. */
export const WarningList = ({ warnings }: { warnings: readonly ImportWarningShown[] }) => {
  const { t } = useTranslation('import')
  // Whose the rows are that name no account is asked for already.
  const shown = warnings.filter(({ code }) => code !== 'account-unnamed')
  if (shown.length === 0) return null
  return (
    <Notice tone="warn">
      <ul aria-label={t('warnings')} className="flex flex-col gap-1.5">
        {shown.map((warning) => (
          <li key={warning.code}>
            <Words warning={warning} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}

const Words = ({ warning }: { warning: ImportWarningShown }) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  if ('contracts' in warning) {
    const { code, contracts } = warning
    const more = contracts.length - mostNamed
    const names = contracts.slice(0, mostNamed).join(', ')
    return t(`warning.${code}`, { contracts: more > 0 ? t('and-more', { names, count: format.count(more) }) : names })
  }
  const count = 'fills' in warning ? warning.fills : warning.rows
  return t(`warning.${warning.code}`, { count, shown: format.count(count) })
}
