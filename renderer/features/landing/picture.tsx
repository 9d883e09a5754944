import { useAppearance } from '#renderer/lib/theme.ts'
import { useTranslation } from 'react-i18next'
import { pictures } from './pictures.ts'

/** A screen of the app on the demo brokerage, in the theme of the moment; its place is there before it comes, and only the `first` is fetched at once. */
export const Picture = ({ name, first = false }: { name: keyof typeof pictures; first?: boolean }) => {
  const { t } = useTranslation('landing')
  const { shown } = useAppearance()
  return (
    <figure>
      <img src={pictures[name][shown]} alt={t(`picture.${name}`)} width={1200} height={750} loading={first ? 'eager' : 'lazy'} decoding="async" className="h-auto w-full rounded-lg border border-line bg-surface" />
    </figure>
  )
}
