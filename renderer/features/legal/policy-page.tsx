import { paths } from '#renderer/lib/paths.ts'
import { useTranslation } from 'react-i18next'
import { LegalText } from './legal-text.tsx'

const sections = ['short', 'computer', 'browser', 'brokerage', 'cloud', 'identity', 'payments', 'ai', 'program', 'rights', 'operator', 'changes'] as const

/** The privacy policy; open to everyone. */
export const PolicyPage = () => {
  const { t } = useTranslation('policy')
  return <LegalText title={t('title')} lead={t('lead')} path={paths.policy} sections={sections.map((id) => ({ id, title: t(`section.${id}.title`), text: t(`section.${id}.text`) }))} />
}
