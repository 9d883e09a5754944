import { toneOf } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { exactMoney } from '#shared/money/money.ts'
import { useTranslation } from 'react-i18next'
import type { Preview } from './draft.ts'

const inks = { gain: 'text-gain', loss: 'text-loss', even: 'text-ink' } as const

/** What a trade comes to before it is saved, and by which contract that is figured. */
export const PreviewLine = ({ preview }: { preview: Preview | null }) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  if (preview === null) {
    return (
      <div role="status" className="flex flex-col gap-1">
        <span className="text-sm font-medium text-muted">{t('column.net')}</span>
        <span className="text-faint">{t('preview-waits')}</span>
      </div>
    )
  }
  const { spec } = preview
  const net = exactMoney(preview.net)
  return (
    <div role="status" className="flex flex-col gap-1">
      <span className="text-sm font-medium text-muted">{t('column.net')}</span>
      <span className="flex items-baseline gap-1.5">
        <span className={classNames('text-figure font-semibold', inks[toneOf(net)])}>{format.signedMoney(net)}</span>
        <span className="text-sm text-faint">{spec.currency}</span>
      </span>
      {spec.root !== null && !spec.rootIsWhole && <span className="text-sm text-warn">{t('warning-text.partial-root', { symbol: spec.contract })}</span>}
      <span className={classNames('text-sm', spec.source === 'unknown' ? 'text-warn' : 'text-faint')}>
        {spec.root === null
          ? t('preview-unknown')
          : t('preview-known', { root: spec.root, gross: format.signedMoney(exactMoney(preview.gross)), fees: format.money(exactMoney(preview.commission)) })}
      </span>
    </div>
  )
}
