import type { AccountStanding } from '#shared/api/rules.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import { useTranslation } from 'react-i18next'
import { useSession } from './session.ts'
import { figuresAge } from './figures-age.ts'
import { useFormat } from './use-format.ts'

/** The age of an account's figures at a time (UTC ms): `live`, `12m old`, `from the journal, Feb 13`. */
export const useFiguresAge = (): ((standing: Pick<AccountStanding, 'from' | 'at'>, now: number) => string) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const zone = useSession().session?.timeZone ?? 'UTC'
  return (standing, now) => {
    const age = figuresAge(standing, now)
    if (age.is === 'live') return t('figures-age.live')
    if (age.is === 'old') return t('figures-age.old', { age: format.duration(age.ageMs) })
    if (age.at === null) return t('figures-age.journal')
    const [day, today] = [localDate(age.at, zone), localDate(now, zone)]
    return t('figures-age.journal-of', { day: day.slice(0, 4) === today.slice(0, 4) ? format.day(day) : format.fullDay(day) })
  }
}
