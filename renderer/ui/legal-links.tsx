import { classNames } from '#renderer/lib/class-names.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

/** Links to the landing page, the terms, the privacy policy and the licenses. */
export const LegalLinks = ({ className }: { className?: string }) => {
  const { t } = useTranslation('app')
  return (
    <nav aria-label={t('legal.name')} className={classNames('flex flex-wrap gap-x-4 gap-y-1 text-sm', className)}>
      {([[paths.home, t('legal.about')], [paths.terms, t('legal.terms')], [paths.policy, t('legal.policy')], [paths.licenses, t('legal.licenses')]] as const).map(([path, name]) => (
        <Link key={path} to={path} className="py-1 text-muted underline-offset-3 hover:text-ink hover:underline">
          {name}
        </Link>
      ))}
    </nav>
  )
}
