import { classNames } from '#renderer/lib/class-names.ts'
import { Circle, CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PasswordNeed } from './password-needs.ts'

/** What a new password needs, ticked off while it is typed. */
export const PasswordNeedsList = ({ id, needs }: { id: string; needs: readonly PasswordNeed[] }) => {
  const { t } = useTranslation('auth')
  return (
    <ul id={id} className="mt-1.5 flex flex-col gap-0.5 text-sm">
      {needs.map(({ need, met, count }) => {
        const Icon = met ? CircleCheck : Circle
        return (
          <li key={need} className={classNames('flex items-center gap-1.5', met ? 'text-muted' : 'text-faint')}>
            <Icon aria-hidden className={classNames('size-3.5 shrink-0', met && 'text-gain')} />
            <span>
              {t(`needs.${need}`, { count })}
              {met && <span className="sr-only">{t('needs.met')}</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
