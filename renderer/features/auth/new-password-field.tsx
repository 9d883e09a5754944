import { Field } from '#renderer/ui/field.tsx'
import { minimumPasswordLength, type PasswordPolicy } from '#shared/api/session.ts'
import { useId, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordInput } from './password-input.tsx'
import { PasswordNeedsList } from './password-needs-list.tsx'
import { passwordNeeds } from './password-needs.ts'

/** A password that is to be set, `text` so far, with everything that `policy` asks for ticked off below; without a policy one line says what a profile needs. */
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
