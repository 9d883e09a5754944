import { platformOf } from '#shared/fills/platform.ts'
import type { TFunction } from 'i18next'

/** Why nothing of an account can be closed here, or null: orders go over Tradovate alone. */
export const whyNotClosed = (t: TFunction<'position-scanner'>, account: string): string | null => {
  const platform = platformOf(account)
  return platform === 'Tradovate' ? null : t('no-orders', { platform })
}
