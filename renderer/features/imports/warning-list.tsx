import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import type { ImportWarningShown } from '#shared/api/imports.ts'
import { useTranslation } from 'react-i18next'

const mostNamed = 10

type WarningPlace = Extract<ImportWarningShown, { at: unknown }>['at'][number]

/** The warnings of an import, in sentences. */
export const WarningList = ({ warnings }: { warnings: readonly ImportWarningShown[] }) => {
  const { t } = useTranslation('import')
  // The choices above ask for the account already.
  const shown = warnings.filter(({ code }) => code !== 'account-unnamed')
  if (shown.length === 0) return null
  return (
    <Notice tone="warn">
      <ul aria-label={t('warnings')} className={classNames('flex flex-col gap-1.5', shown.length > 1 && 'list-disc pl-4 marker:text-faint')}>
        {shown.map((warning, index) => (
          <li key={`${warning.code} ${String(index)}`}>
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
  const list = (all: readonly string[]): string => {
    const more = all.length - mostNamed
    const names = all.slice(0, mostNamed).join(', ')
    return more > 0 ? t('and-more', { names, count: format.count(more) }) : names
  }
  const places = (at: readonly WarningPlace[], total: number): string => {
    const shown = at.slice(0, mostNamed)
    const files = [...Map.groupBy(shown, ({ file }) => file)].map(([file, all]) => {
      const lines = all.flatMap(({ line }) => (line === null ? [] : [format.count(line)]))
      const name = file === '' ? t('the-api') : file
      return lines.length === 0 ? name : t('lines-of', { file: name, count: lines.length, lines: lines.join(', ') })
    })
    const more = total - shown.length
    return [...files, ...(more > 0 ? [t('more', { count: more, shown: format.count(more) })] : [])].join('; ')
  }
  switch (warning.code) {
    case 'zone-mismatch': {
      const { shift, rows } = warning
      if (shift === null) return t('warning.zone-mismatch', { count: rows, shown: format.count(rows), places: places(warning.at, rows) })
      const hours = Math.abs(shift.minutes) / 60
      return t(shift.minutes > 0 ? 'warning.zone-early' : 'warning.zone-late', { files: list(shift.files), count: hours, shown: String(hours), zone: shift.fits })
    }
    case 'account-by-rows':
    case 'accounts-mixed':
    case 'account-overruled': return t(`warning.${warning.code}`, { files: list(warning.files), account: warning.account })
    case 'accounts-one-number': return t('warning.accounts-one-number', { accounts: list(warning.accounts), number: warning.number })
    case 'files-apart':
    case 'dates-turned': return t(`warning.${warning.code}`, { account: warning.account, count: warning.rows, rows: format.count(warning.rows), files: list(warning.files) })
    case 'beside-broker': return t('warning.beside-broker', { account: warning.account, count: warning.rows, rows: format.count(warning.rows) })
    case 'accounts-spelled': return t('warning.accounts-spelled', { accounts: list(warning.accounts) })
    case 'accounts-alike': return t('warning.accounts-alike', { accounts: list(warning.accounts), count: warning.rows, rows: format.count(warning.rows) })
    case 'days-without-file': {
      const more = warning.of - warning.days.length
      const names = warning.days.map((day) => format.fullDay(day)).join(', ')
      return t('warning.days-without-file', { account: warning.account, count: warning.of, days: more > 0 ? t('and-more', { names, count: format.count(more) }) : names })
    }
    case 'accounts-apart': return t('warning.accounts-apart', { files: list(warning.files) })
    case 'commission-from-table':
      return t('warning.commission-from-table', { count: warning.fills, shown: format.count(warning.fills), places: places(warning.at, warning.of) })
    case 'value-differs': return t('warning.value-differs', { figures: warning.values.map(({ contract, file, table }) => t('value-of', { contract, file, table })).join('; ') })
    case 'contradicting-rows': {
      const named = warning.conflicts.slice(0, mostNamed).map(({ what, id, differs, at }) => t(`conflict-named.${what}`, { id, facts: differs.map((fact) => t(`fact.${fact}`)).join(', '), places: places(at, at.length) }))
      const more = warning.rows - named.length
      return t('warning.contradicting-rows', { count: warning.rows, shown: format.count(warning.rows), conflicts: [...named, ...(more > 0 ? [t('more', { count: more, shown: format.count(more) })] : [])].join('; ') })
    }
    case 'fees-unplaced':
    case 'order-contradicts': return t(`warning.${warning.code}`, { count: warning.rows, shown: format.count(warning.rows), places: places(warning.at, warning.rows) })
    case 'fees-differ': return t('warning.fees-differ', { count: warning.rows, shown: format.count(warning.rows), places: places(warning.at, warning.of) })
    default:
  }
  if ('contracts' in warning) return t(`warning.${warning.code}`, { count: warning.contracts.length, contracts: list(warning.contracts) })
  return t(`warning.${warning.code}`, { count: warning.rows, shown: format.count(warning.rows) })
}
