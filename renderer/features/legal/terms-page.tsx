import { paths } from '#renderer/lib/paths.ts'
import { useTranslation } from 'react-i18next'
import { LegalText } from './legal-text.tsx'

const sections = ['program', 'advice', 'figures', 'copying', 'brokerage', 'account', 'plans', 'conduct', 'liability', 'ending', 'changes'] as const

/** Fillbook's terms of use; open to everyone. */
export const TermsPage = () => {
  const { t } = useTranslation('terms')
  return <LegalText title={t('title')} lead={t('lead')} path={paths.terms} sections={sections.map((id) => ({ id, title: t(`section.${id}.title`), text: t(`section.${id}.text`) }))} />
}
