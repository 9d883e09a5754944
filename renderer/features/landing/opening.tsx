import { useTranslation } from 'react-i18next'
import { Entry } from './entry.tsx'
import { Picture } from './picture.tsx'

/** The promise, the way in, and what it looks like. */
export const Opening = () => {
  const { t } = useTranslation('landing')
  return (
    <div className="flex flex-col gap-8">
      <div className="max-w-3xl">
        <h1 className="text-[2rem] leading-(--leading-headline) font-semibold tracking-[-0.02em] text-balance max-sm:text-headline">{t('opening.heading')}</h1>
        <p className="mt-3 text-title text-muted">{t('opening.text')}</p>
        <Entry />
      </div>
      <Picture name="overview" first />
    </div>
  )
}
