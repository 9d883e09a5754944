import { platformOf } from '#shared/fills/platform.ts'
import type { TFunction } from 'i18next'

/** Whether what an account holds can be closed here: orders go over Tradovate alone. */
export const canClose = (account: string): boolean => platformOf(account) === 'Tradovate'

/** Why nothing of an account can be closed here, or null. */
export const whyNotClosed = (t: TFunction<'position-scanner'>, account: string): string | null => (canClose(account) ? null : t('no-orders', { platform: platformOf(account) }))
