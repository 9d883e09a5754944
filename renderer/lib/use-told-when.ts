import type { AccountStanding } from '#shared/api/rules.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import { useTranslation } from 'react-i18next'
import { useSession } from './session.ts'
import { toldWhen } from './told-when.ts'
import { useFormat } from './use-format.ts'

/** Gives the words for when an account's figures are of, at a time (UTC ms): `live`, `12m old`, `from the journal, Feb 13`. */
export const useToldWhen = (): ((standing: Pick<AccountStanding, 'from' | 'at'>, now: number) => string) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const zone = useSession().session?.timeZone ?? 'UTC'
  return (standing, now) => {
    const told = toldWhen(standing, now)
    if (told.is === 'live') return t('told.live')
    if (told.is === 'old') return t('told.old', { age: format.duration(told.ageMs) })
    if (told.at === null) return t('told.journal')
    const [day, today] = [localDate(told.at, zone), localDate(now, zone)]
    return t('told.journal-of', { day: day.slice(0, 4) === today.slice(0, 4) ? format.day(day) : format.fullDay(day) })
  }
}
