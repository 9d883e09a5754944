import { Field } from '#renderer/ui/field.tsx'
import { minimumPasswordLength, type PasswordPolicy } from '#shared/api/session.ts'
import { useId, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Circle, CircleCheck } from 'lucide-react'
import { classNames } from '#renderer/lib/class-names.ts'
import { PasswordInput } from './password-input.tsx'
import { passwordNeeds, type PasswordNeed } from './password-needs.ts'

/** A new password, `text` so far, with all of `policy`'s requirements ticked off below; without a policy one line says what a profile needs. */
export const NewPasswordField = ({ text, policy, error, ...input }: { text: string; policy: PasswordPolicy | null; error: string | null } & ComponentProps<typeof PasswordInput>) => {
  const { t } = useTranslation('auth')
  const needsId = useId()
  return (
    <div>
      <Field label={t('password')} hint={policy === null ? t('password-hint', { least: minimumPasswordLength }) : undefined} error={error}>
        {(field) => (
          <PasswordInput {...field} {...input} {...(policy !== null && { 'aria-describedby': `${field['aria-describedby'] ?? ''} ${needsId}`.trim() })} autoComplete="new-password" />
        )}
      </Field>
      {policy !== null && <PasswordNeedsList id={needsId} needs={passwordNeeds(policy, text)} />}
    </div>
  )
}

/** The requirements of a new password, ticked off while typing. */
const PasswordNeedsList = ({ id, needs }: { id: string; needs: readonly PasswordNeed[] }) => {
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
